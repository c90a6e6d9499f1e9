//! Statements: loops, blocks, stores, lets.

use smol_str::SmolStr;
use text_size::TextRange;

use super::arith::{self, Number, truth};
use super::function::{Entity, Failed, Lower, Lowered};
use super::{Block, Expr, ForKind, Iter, Stmt, StmtKind};
use crate::body::{self, Arg, BinaryOp, ExprId, Name, Target};
use crate::dtype::DType;
use crate::enclosing::PyValue;

/// Loops of one `T.grid`, items of one `with`.
const MAX_LOOPS: usize = 64;

/// Calls alone in a statement that say something of the program and do nothing.
const SILENT: &[&str] = &[
    "reads",
    "writes",
    "func_attr",
    "block_attr",
    "sblock_attr",
    "attr",
    "preflattened_buffer",
    "func_name",
    "func_ret",
];

impl Lower<'_> {
    pub fn stmts(&mut self, stmts: &[body::Stmt]) -> Vec<Stmt> {
        let mut out = Vec::with_capacity(stmts.len());
        for (at, stmt) in stmts.iter().enumerate() {
            let nested = self.nested(stmt.range, |lower| {
                lower.stmt(stmt, &stmts[at + 1..], &mut out)
            });
            match nested {
                Ok(true) | Err(Failed) => {}
                // The statement holds those after it.
                Ok(false) => break,
            }
        }
        out
    }

    /// Whether the statements after this one are still to be read.
    fn stmt(
        &mut self,
        stmt: &body::Stmt,
        rest: &[body::Stmt],
        out: &mut Vec<Stmt>,
    ) -> Lowered<bool> {
        let range = stmt.range;
        match &stmt.kind {
            body::StmtKind::Assign { targets, value } => match targets.as_slice() {
                [target] => self.assign(target, *value, None, range, out)?,
                _ => return Err(self.unsupported(range)),
            },
            body::StmtKind::AnnAssign {
                target,
                annotation,
                value: Some(value),
            } => {
                let dtype = self.annotated_dtype(*annotation);
                self.assign(target, *value, dtype, range, out)?;
            }
            body::StmtKind::AugAssign {
                target: Target::Place(place),
                op,
                value,
            } => {
                self.update(*place, *op, *value, range, out)?;
            }
            body::StmtKind::Expr(expr) => return self.expr_stmt(*expr, rest, range, out),
            body::StmtKind::If {
                test,
                then,
                otherwise,
            } => {
                let test = truth(self.expr(*test)?);
                let then = self.scoped(|lower| lower.stmts(then));
                let otherwise = match otherwise {
                    Some(stmts) => self.scoped(|lower| lower.stmts(stmts)),
                    None => Vec::new(),
                };
                out.push(Stmt {
                    kind: StmtKind::If {
                        test,
                        then,
                        otherwise,
                    },
                    range,
                });
            }
            body::StmtKind::For { target, iter, body } => {
                self.for_stmt(target, *iter, body, range, out)?;
            }
            body::StmtKind::While { test, body } => {
                let test = truth(self.expr(*test)?);
                let body = self.scoped(|lower| lower.stmts(body));
                out.push(Stmt {
                    kind: StmtKind::While { test, body },
                    range,
                });
            }
            body::StmtKind::With { items, body } => self.with_stmt(items, body, range, out)?,
            body::StmtKind::Assert { test, message } => {
                let test = truth(self.expr(*test)?);
                let message = match message.map(|at| &self.body.exprs[at]) {
                    Some(body::Expr::Str(text)) => text.clone(),
                    _ => SmolStr::default(),
                };
                out.push(Stmt {
                    kind: StmtKind::Assert { test, message },
                    range,
                });
            }
            // What a name means is known already.
            body::StmtKind::Pass | body::StmtKind::Python("nonlocal" | "global") => {}
            _ => return Err(self.unsupported(range)),
        }
        Ok(true)
    }

    fn unsupported(&mut self, range: TextRange) -> Failed {
        self.error(range, "this statement has no meaning in a PrimFunc")
    }

    /// `T.let[T.float32]`, `T.float32`: the dtype of a let.
    fn annotated_dtype(&mut self, annotation: ExprId) -> Option<DType> {
        if let body::Expr::Subscript { index, .. } = self.body.exprs[annotation] {
            return self.annotated_dtype(index);
        }
        DType::parse(&self.tir_path(annotation)?)
    }

    fn assign(
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

    fn assign_name(
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
                _ if only_keywords && DType::parse(path).is_some() => {
                    let dtype = DType::parse(path).unwrap_or(DType::I32);
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
                    self.bind(name.clone(), Entity::Thread);
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

    fn let_var(&mut self, name: &SmolStr, value: Expr, range: TextRange, out: &mut Vec<Stmt>) {
        let var = self.var(name.clone(), value.dtype);
        out.push(Stmt {
            kind: StmtKind::Let { var, value },
            range,
        });
        self.bind(name.clone(), Entity::Var(var));
    }

    fn unpack(
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

    /// `T.axis.remap("SR", [i, k])`, `T.axis.spatial(4, i)`.
    fn axis(
        &mut self,
        axis: &str,
        names: &[SmolStr],
        args: &[Arg],
        range: TextRange,
    ) -> Lowered<()> {
        if axis == "remap" {
            let [kinds, values] = args else {
                return Err(self.unsupported(range));
            };
            let body::Expr::Str(kinds) = &self.body.exprs[kinds.value] else {
                return Err(self.unsupported(range));
            };
            let values = match &self.body.exprs[values.value] {
                body::Expr::List(values) | body::Expr::Tuple(values) => values
                    .iter()
                    .map(|&value| self.index(value))
                    .collect::<Lowered<Vec<_>>>()?,
                body::Expr::Name(name) => match self.lookup(name) {
                    Some(Entity::Tuple(vars)) => {
                        vars.iter().map(|&var| self.var_expr(var, range)).collect()
                    }
                    Some(Entity::Var(var)) => vec![self.var_expr(var, range)],
                    _ => return Err(self.unsupported(range)),
                },
                _ => return Err(self.unsupported(range)),
            };
            if kinds.chars().count() != values.len() || names.len() != values.len() {
                return Err(self.error(
                    range,
                    "`T.axis.remap` has one letter and one name for each value",
                ));
            }
            for ((kind, value), name) in kinds.chars().zip(values).zip(names) {
                let domain = match value.kind {
                    super::ExprKind::Var(var) => self.loops.get(&var).cloned(),
                    _ => None,
                };
                let Some((min, extent)) = domain else {
                    return Err(self.error(value.range, "`T.axis.remap` takes loop variables"));
                };
                self.add_axis(name, kind == 'R', min, extent, value)?;
            }
            return Ok(());
        }
        let reduce = match axis {
            "spatial" | "S" | "opaque" | "O" | "scan" => false,
            "reduce" | "R" => true,
            _ => {
                return Err(self.error(
                    range,
                    format!("`T.axis.{axis}` does not run on this machine"),
                ));
            }
        };
        let ([domain, value, ..], [name]) = (args, names) else {
            return Err(self.unsupported(range));
        };
        let (min, extent) = match &self.body.exprs[domain.value] {
            body::Expr::Tuple(items) | body::Expr::List(items) if items.len() == 2 => {
                let (low, high) = (self.index(items[0])?, self.index(items[1])?);
                let (low, high) = (Number::strong(low), Number::strong(high));
                let extent = self.binary(super::Binary::Sub, high, low.clone(), range)?;
                (low.expr, extent.expr)
            }
            _ => {
                let extent = self.index(domain.value)?;
                (Expr::int(0, extent.dtype, range), extent)
            }
        };
        let value = self.index(value.value)?;
        self.add_axis(name, reduce, min, extent, value)
    }

    fn add_axis(
        &mut self,
        name: &SmolStr,
        reduce: bool,
        min: Expr,
        extent: Expr,
        value: Expr,
    ) -> Lowered<()> {
        // The value of a literal is of the dtype of its domain.
        let dtype = if value.as_int().is_some() {
            extent.dtype
        } else {
            value.dtype
        };
        let value = arith::cast(value, dtype);
        let var = self.var(name.clone(), dtype);
        self.bind(name.clone(), Entity::Var(var));
        let range = value.range;
        match self.blocks.last_mut() {
            Some(block) => {
                block.iters.push(Iter {
                    var,
                    min,
                    extent,
                    value,
                    reduce,
                });
                Ok(())
            }
            None => Err(self.error(range, "an axis belongs to a block")),
        }
    }

    fn store(
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
        let it = self.func.buffer(buffer);
        if it.shape.len() != indices.len() {
            let message = format!(
                "`{}` has {} dimensions, and {} indices are given",
                it.name,
                it.shape.len(),
                indices.len()
            );
            let at = self.range(place);
            return Err(self.error(at, message));
        }
        let value = arith::cast(value.expr, it.dtype);
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

    fn update(
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

    fn expr_stmt(
        &mut self,
        expr: ExprId,
        rest: &[body::Stmt],
        range: TextRange,
        out: &mut Vec<Stmt>,
    ) -> Lowered<bool> {
        if let body::Expr::Str(_) | body::Expr::Ellipsis = self.body.exprs[expr] {
            return Ok(true);
        }
        let (callee, args) = self.call_parts(expr);
        let path = self.tir_path(callee).unwrap_or_default();
        if SILENT.contains(&path.as_str()) {
            return Ok(true);
        }
        match (path.as_str(), args) {
            ("where", [condition]) => {
                let condition = truth(self.expr(condition.value)?);
                if let Some(block) = self.blocks.last_mut() {
                    block.predicate = Some(condition);
                }
            }
            ("evaluate", [value]) => {
                if let (callee, [value]) = self.call_parts(value.value)
                    && self.tir_path(callee).as_deref() == Some("ret")
                {
                    self.expr(value.value)?;
                    return Err(
                        self.error(range, "a PrimFunc that returns a number does not run here")
                    );
                }
                let value = self.expr(value.value)?;
                out.push(Stmt {
                    kind: StmtKind::Evaluate(value),
                    range,
                });
            }
            ("buffer_store", [buffer, value, indices]) => {
                let buffer = self.buffer_of(buffer.value)?;
                let value = self.expr(value.value)?;
                let value = arith::cast(value, self.func.buffer(buffer).dtype);
                let indices = self.dims(indices.value)?;
                out.push(Stmt {
                    kind: StmtKind::Store {
                        buffer,
                        indices,
                        value,
                    },
                    range,
                });
            }
            // `T.launch_thread(tx, 32)`: the rest of the block runs for each thread.
            ("launch_thread", [thread, extent]) => {
                let body::Expr::Name(name) = &self.body.exprs[thread.value] else {
                    return Err(self.unsupported(range));
                };
                let extent = self.index(extent.value)?;
                let var = self.loop_var(name, &Expr::int(0, extent.dtype, range), &extent);
                let body = self.stmts(rest);
                out.push(for_stmt(
                    var,
                    Expr::int(0, extent.dtype, range),
                    extent,
                    1,
                    ForKind::Thread,
                    body,
                    range,
                ));
                return Ok(false);
            }
            ("", _) => return Err(self.unsupported(range)),
            _ => {
                let value = self.expr(expr)?;
                out.push(Stmt {
                    kind: StmtKind::Evaluate(value),
                    range,
                });
            }
        }
        Ok(true)
    }

    fn loop_var(&mut self, name: &SmolStr, min: &Expr, extent: &Expr) -> super::VarId {
        let var = self.var(name.clone(), extent.dtype);
        self.bind(name.clone(), Entity::Var(var));
        self.loops.insert(var, (min.clone(), extent.clone()));
        var
    }

    fn for_stmt(
        &mut self,
        target: &Target,
        iter: ExprId,
        stmts: &[body::Stmt],
        range: TextRange,
        out: &mut Vec<Stmt>,
    ) -> Lowered<()> {
        let (callee, args) = self.call_parts(iter);
        let path = self.tir_path(callee);
        let is_range =
            matches!(&self.body.exprs[callee], body::Expr::Name(name) if name == "range");
        let positional: Vec<ExprId> = args
            .iter()
            .filter(|a| a.keyword.is_none())
            .map(|a| a.value)
            .collect();
        let kind = match path.as_deref() {
            Some("grid") => {
                let names: Vec<SmolStr> = match target {
                    Target::Name(name) => vec![name.text.clone()],
                    Target::Tuple(targets, _) => targets
                        .iter()
                        .map(|t| match t {
                            Target::Name(name) => name.text.clone(),
                            _ => SmolStr::default(),
                        })
                        .collect(),
                    Target::Place(_) => Vec::new(),
                };
                let mut extents = Vec::with_capacity(names.len());
                for arg in args.iter().filter(|a| a.keyword.is_none()) {
                    // `T.grid(*A.shape)`
                    if arg.starred {
                        extents.extend(self.shape_of(arg.value)?);
                    } else {
                        extents.push(self.index(arg.value)?);
                    }
                }
                // `for iters in T.grid(m, n)`: one name for all.
                let tuple = (names.len() == 1 && extents.len() > 1).then(|| names[0].clone());
                let names = match &tuple {
                    Some(name) => vec![name.clone(); extents.len()],
                    None => names,
                };
                if extents.len() > MAX_LOOPS {
                    return Err(self.error(range, "this is nested too deep"));
                }
                if names.len() != extents.len() {
                    return Err(self.error(range, "`T.grid` has one extent for each loop variable"));
                }
                let body = self.scoped(|lower| {
                    let vars: Vec<_> = names
                        .iter()
                        .zip(&extents)
                        .map(|(name, extent)| {
                            lower.loop_var(name, &Expr::int(0, extent.dtype, range), extent)
                        })
                        .collect();
                    if let Some(name) = &tuple {
                        lower.bind(name.clone(), Entity::Tuple(vars.clone()));
                    }
                    let mut body = lower.stmts(stmts);
                    for (var, extent) in vars.into_iter().zip(&extents).rev() {
                        let min = Expr::int(0, extent.dtype, range);
                        body = vec![for_stmt(
                            var,
                            min,
                            extent.clone(),
                            1,
                            ForKind::Serial,
                            body,
                            range,
                        )];
                    }
                    body
                });
                out.extend(body);
                return Ok(());
            }
            Some("serial") => ForKind::Serial,
            Some("parallel") => ForKind::Parallel,
            Some("vectorized") => ForKind::Vectorized,
            Some("unroll") => ForKind::Unrolled,
            Some("thread_binding") => ForKind::Thread,
            None if is_range => ForKind::Serial,
            _ => {
                return Err(self.error(
                    range,
                    "a loop runs over `range`, `T.grid`, `T.serial` or their like",
                ));
            }
        };
        let Target::Name(name) = target else {
            return Err(self.unsupported(range));
        };
        let step = match Self::arg(args, &["start", "stop", "step"], "step") {
            Some(at) if kind == ForKind::Serial => match self.expr(at)?.as_int() {
                Some(step) if step > 0 => step,
                _ => return Err(self.error(range, "a loop's step is a constant above 0")),
            },
            _ => 1,
        };
        let (min, extent) = match positional.as_slice() {
            [stop] => {
                let stop = self.index(*stop)?;
                (Expr::int(0, stop.dtype, range), stop)
            }
            [start, stop, ..] => {
                let (start, stop) = (self.number(*start)?, self.number(*stop)?);
                let (start, stop, _) = arith::unify(start, stop);
                let (start, stop) = (self.integer(start)?, self.integer(stop)?);
                let extent = self.binary(
                    super::Binary::Sub,
                    Number::strong(stop),
                    Number::strong(start.clone()),
                    range,
                )?;
                (start, extent.expr)
            }
            [] => return Err(self.error(range, "a loop needs an extent")),
        };
        let extent = if step == 1 {
            extent
        } else {
            let up = Number::strong(Expr::int(step - 1, extent.dtype, range));
            let by = Number::strong(Expr::int(step, extent.dtype, range));
            let up = self.binary(super::Binary::Add, Number::strong(extent), up, range)?;
            self.binary(super::Binary::FloorDiv, up, by, range)?.expr
        };
        let (var, body) = self.scoped(|lower| {
            let var = lower.loop_var(&name.text, &min, &extent);
            if step != 1 {
                lower.loops.remove(&var);
            }
            (var, lower.stmts(stmts))
        });
        out.push(for_stmt(var, min, extent, step, kind, body, range));
        Ok(())
    }

    fn with_stmt(
        &mut self,
        items: &[(ExprId, Option<Target>)],
        stmts: &[body::Stmt],
        range: TextRange,
        out: &mut Vec<Stmt>,
    ) -> Lowered<()> {
        if items.len() > MAX_LOOPS {
            return Err(self.error(range, "this is nested too deep"));
        }
        let Some(((item, target), rest)) = items.split_first() else {
            let inner = self.scoped(|lower| lower.stmts(stmts));
            out.extend(inner);
            return Ok(());
        };
        let name = match target {
            Some(Target::Name(name)) => name.text.clone(),
            _ => SmolStr::default(),
        };
        let (callee, args) = self.call_parts(*item);
        let path = self.tir_path(callee).unwrap_or_default();
        match path.as_str() {
            "block" | "sblock" => {
                self.blocks.push(Block::default());
                let body = self.scoped(|lower| lower.with_rest(rest, stmts, range));
                let mut block = self.blocks.pop().unwrap_or_default();
                block.body = body?;
                out.push(Stmt {
                    kind: StmtKind::Block(block),
                    range,
                });
                Ok(())
            }
            "init" => {
                let init = self.scoped(|lower| lower.stmts(stmts));
                match self.blocks.last_mut() {
                    Some(block) => {
                        block.init = init;
                        Ok(())
                    }
                    None => Err(self.error(range, "`T.init` belongs to a block")),
                }
            }
            "launch_thread" => {
                let [_, extent] = args else {
                    return Err(self.unsupported(range));
                };
                let extent = self.index(extent.value)?;
                let min = Expr::int(0, extent.dtype, range);
                let (var, body) = self.scoped(|lower| {
                    let var = lower.loop_var(&name, &min, &extent);
                    (var, lower.with_rest(rest, stmts, range))
                });
                out.push(for_stmt(var, min, extent, 1, ForKind::Thread, body?, range));
                Ok(())
            }
            "attr" | "realize" => {
                let body = self.scoped(|lower| lower.with_rest(rest, stmts, range))?;
                out.extend(body);
                Ok(())
            }
            "LetStmt" | "let" | "Let" => {
                let value = match args {
                    [value] => value.value,
                    [_, value] => value.value,
                    _ => return Err(self.unsupported(range)),
                };
                let name = match (&name, args) {
                    (name, [var, _]) if name.is_empty() => match &self.body.exprs[var.value] {
                        body::Expr::Name(name) => name.clone(),
                        _ => return Err(self.unsupported(range)),
                    },
                    (name, _) => name.clone(),
                };
                let value = self.expr(value)?;
                let mut inner = Vec::new();
                let body = self.scoped(|lower| {
                    lower.let_var(&name, value, range, &mut inner);
                    lower.with_rest(rest, stmts, range)
                });
                out.append(&mut inner);
                out.extend(body?);
                Ok(())
            }
            "Assert" => {
                let [test, message] = args else {
                    return Err(self.unsupported(range));
                };
                let test = truth(self.expr(test.value)?);
                let message = match &self.body.exprs[message.value] {
                    body::Expr::Str(text) => text.clone(),
                    _ => SmolStr::default(),
                };
                out.push(Stmt {
                    kind: StmtKind::Assert { test, message },
                    range,
                });
                let body = self.scoped(|lower| lower.with_rest(rest, stmts, range))?;
                out.extend(body);
                Ok(())
            }
            _ => match self.buffer_call(&name, *item) {
                Some(made) => {
                    let made = made?;
                    let body = self.scoped(|lower| {
                        lower.bind(name.clone(), made);
                        lower.with_rest(rest, stmts, range)
                    })?;
                    out.extend(body);
                    Ok(())
                }
                None => Err(self.error(range, "this `with` has no meaning in a PrimFunc")),
            },
        }
    }

    fn with_rest(
        &mut self,
        items: &[(ExprId, Option<Target>)],
        stmts: &[body::Stmt],
        range: TextRange,
    ) -> Lowered<Vec<Stmt>> {
        let mut out = Vec::new();
        if items.is_empty() {
            out = self.stmts(stmts);
        } else {
            self.with_stmt(items, stmts, range, &mut out)?;
        }
        Ok(out)
    }
}

fn for_stmt(
    var: super::VarId,
    min: Expr,
    extent: Expr,
    step: i64,
    kind: ForKind,
    body: Vec<Stmt>,
    range: TextRange,
) -> Stmt {
    Stmt {
        kind: StmtKind::For {
            var,
            min,
            extent,
            step,
            kind,
            body,
        },
        range,
    }
}
