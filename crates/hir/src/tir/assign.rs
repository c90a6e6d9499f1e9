//! Assignments: lets, buffers, unpacking, stores.

use relax::dtype::DType;
use smol_str::SmolStr;
use text_size::TextRange;

use super::arith::{self, Number};
use super::function::{Entity, Lower, Lowered};
use super::{Expr, Stmt, StmtKind};
use crate::body::{self, BinaryOp, ExprId, Name, Target};
use crate::enclosing::PyValue;

impl Lower<'_> {
    pub(super) fn assign(
        &mut self,
        target: &Target,
        value: ExprId,
        dtype: Option<DType>,
        range: TextRange,
        out: &mut Vec<Stmt>,
    ) -> Lowered<()> {
        match target {
            Target::Name(name) => self.assign_name(name, value, dtype, range, out),
            Target::Tuple(targets, _) => self.unpack(targets, value, range, out),
            Target::Place(place) => {
                let value = self.number(value)?;
                self.store(*place, value, range, out)
            }
        }
    }

    pub(super) fn assign_name(
        &mut self,
        name: &Name,
        value: ExprId,
        dtype: Option<DType>,
        range: TextRange,
        out: &mut Vec<Stmt>,
    ) -> Lowered<()> {
        let name = &name.text;
        if let Some(made) = self.buffer_call(name, value) {
            let made = made?;
            self.bind(name.clone(), made);
            return Ok(());
        }
        let (callee, args) = self.call_parts(value);
        let path = match self.body.exprs[value] {
            body::Expr::Call { .. } => self.tir_path(callee),
            _ => None,
        };
        if let Some(path) = &path {
            if let Some(axis) = path.strip_prefix("axis.") {
                return self.axis(axis, std::slice::from_ref(name), args, range);
            }
            let only_keywords = args.iter().all(|a| a.keyword.is_some());
            match path.as_str() {
                _ if only_keywords && DType::of_constructor(path).is_some() => {
                    let dtype = DType::of_constructor(path).unwrap_or(DType::I32);
                    let var = self.var(name.clone(), dtype);
                    self.bind_outermost(name.clone(), Entity::Var(var));
                    return Ok(());
                }
                "var" | "Var" => {
                    let dtype = match args.last() {
                        Some(arg) => self.dtype(arg.value)?,
                        None => DType::I32,
                    };
                    let var = self.var(name.clone(), dtype);
                    self.bind_outermost(name.clone(), Entity::Var(var));
                    return Ok(());
                }
                "env_thread" => {
                    let [axis, ..] = args else {
                        return Err(self.unsupported(range));
                    };
                    let axis = self.thread_axis(axis.value)?;
                    self.bind(name.clone(), Entity::Thread(axis));
                    return Ok(());
                }
                "meta_var" | "I.meta_var" => {
                    if let Some(arg) = args.first() {
                        let value = self.expr(arg.value)?;
                        self.bind(name.clone(), Entity::Alias(value));
                    }
                    return Ok(());
                }
                _ => {}
            }
        }
        // What Python keeps to itself.
        if let body::Expr::Str(text) = &self.body.exprs[value] {
            self.bind(name.clone(), Entity::Python(PyValue::Str(text.clone())));
            return Ok(());
        }
        if let body::Expr::Name(other) = &self.body.exprs[value]
            && let Some(entity @ (Entity::Buffer(_) | Entity::Pointer(_) | Entity::Handle(_))) =
                self.lookup(other)
        {
            self.bind(name.clone(), entity);
            return Ok(());
        }
        if let body::Expr::Attribute { base, name: field } = &self.body.exprs[value]
            && field.text == "data"
        {
            let buffer = self.buffer_of(*base)?;
            self.bind(name.clone(), Entity::Pointer(buffer));
            return Ok(());
        }
        let mut value = self.expr(value)?;
        if let Some(dtype) = dtype {
            value = arith::cast(value, dtype);
        }
        self.let_var(name, value, range, out);
        Ok(())
    }

    pub(super) fn let_var(
        &mut self,
        name: &SmolStr,
        value: Expr,
        range: TextRange,
        out: &mut Vec<Stmt>,
    ) {
        let var = self.var(name.clone(), value.dtype);
        out.push(Stmt {
            kind: StmtKind::Let { var, value },
            range,
        });
        self.bind(name.clone(), Entity::Var(var));
    }

    pub(super) fn unpack(
        &mut self,
        targets: &[Target],
        value: ExprId,
        range: TextRange,
        out: &mut Vec<Stmt>,
    ) -> Lowered<()> {
        if let body::Expr::Tuple(items) | body::Expr::List(items) = &self.body.exprs[value]
            && items.len() == targets.len()
        {
            for (target, &item) in targets.iter().zip(items) {
                self.assign(target, item, None, range, out)?;
            }
            return Ok(());
        }
        let (callee, args) = self.call_parts(value);
        let names: Option<Vec<SmolStr>> = targets
            .iter()
            .map(|t| match t {
                Target::Name(name) => Some(name.text.clone()),
                _ => None,
            })
            .collect();
        match (
            self.tir_path(callee)
                .as_deref()
                .and_then(|p| p.strip_prefix("axis.").map(SmolStr::from)),
            names,
        ) {
            (Some(axis), Some(names)) => self.axis(&axis, &names, args, range),
            _ => Err(self.unsupported(range)),
        }
    }

    pub(super) fn store(
        &mut self,
        place: ExprId,
        value: Number,
        range: TextRange,
        out: &mut Vec<Stmt>,
    ) -> Lowered<()> {
        let body::Expr::Subscript { base, index } = self.body.exprs[place] else {
            return Err(self.unsupported(range));
        };
        let buffer = self.buffer_of(base)?;
        let indices = self.indices(index)?;
        self.has_indices(buffer, &indices, self.range(place))?;
        let value = self.strong(value)?;
        let value = arith::cast(value, self.func.buffer(buffer).dtype);
        out.push(Stmt {
            kind: StmtKind::Store {
                buffer,
                indices,
                value,
            },
            range,
        });
        Ok(())
    }

    pub(super) fn update(
        &mut self,
        place: ExprId,
        op: BinaryOp,
        value: ExprId,
        range: TextRange,
        out: &mut Vec<Stmt>,
    ) -> Lowered<()> {
        let (old, value) = (self.number(place)?, self.number(value)?);
        let op = match op {
            BinaryOp::Add => super::Binary::Add,
            BinaryOp::Sub => super::Binary::Sub,
            BinaryOp::Mul => super::Binary::Mul,
            BinaryOp::Div => super::Binary::Div,
            BinaryOp::FloorDiv => super::Binary::FloorDiv,
            BinaryOp::Mod => super::Binary::FloorMod,
            _ => return Err(self.unsupported(range)),
        };
        let value = self.binary(op, old, value, range)?;
        self.store(place, value, range, out)
    }
}
