//! Converts the values of a shape to symbolic dimensions, including strings in signatures.

use relax::diagnostics::{Code, Diagnostic, Severity};
use relax::dialect::Dialect;
use relax::dtype::DType;
use relax::release::Release;
use relax::sinfo::{Prim, Shape, StructInfo};
use relax::sym::{Op, SymExpr, SymVar};
use relax::value::Value;
use rustc_hash::FxHashSet;
use smol_str::{SmolStr, format_smolstr};
use std::sync::Arc;
use syntax::ast;
use text_size::{TextRange, TextSize};

use crate::body::{Body, Expr, ExprId, Function, UnaryOp, lower_expr};
use crate::enclosing::PyValue;
use crate::infer::expressions::operators;
use crate::infer::{Infer, Local};

const STRING_IN_BODY: &str =
    "a string can name a shape variable only in the signature: write the variable itself here";

/// A shape in an annotation or a call.
pub(in crate::infer) enum Dims {
    Known(Arc<[SymExpr]>),
    /// A Relax variable whose StructInfo is a Shape.
    Var {
        name: SmolStr,
        id: u32,
        shape: Shape,
    },
    /// Only Python knows the shape.
    Unknown,
    /// Not a shape, because of the code at this range.
    Wrong(TextRange),
}

impl Infer<'_> {
    /// Returns the shape that `expr` stands for, given its value.
    pub(in crate::infer) fn dims(&mut self, expr: ExprId, value: &Value) -> Dims {
        match value {
            Value::Unknown => Dims::Unknown,
            Value::ShapeVar { name, id, shape } => Dims::Var {
                name: name.clone(),
                id: *id,
                shape: shape.clone(),
            },
            Value::Expr(StructInfo::Shape(Shape::Known(dims))) => Dims::Known(Arc::clone(dims)),
            Value::Expr(StructInfo::Shape(Shape::Unknown(_))) => Dims::Unknown,
            Value::Expr(StructInfo::Unknown) => Dims::Unknown,
            Value::List(items) => {
                let exprs: Option<Vec<ExprId>> = match &self.body.exprs[expr] {
                    Expr::Tuple(exprs) | Expr::List(exprs) if exprs.len() == items.len() => {
                        Some(exprs.clone())
                    }
                    _ => None,
                };
                let mut dims = Vec::with_capacity(items.len());
                let reported = self.facts.diagnostics.len();
                for (k, item) in items.iter().enumerate() {
                    if let Value::Sym(value) = item
                        && let Some((var, dtype)) = self.var_of_other_dtype(value)
                        && self.note_reported(&var)
                    {
                        let at = exprs.as_ref().map_or(expr, |exprs| exprs[k]);
                        self.not_int64(self.range(at), dtype);
                    }
                    let dim = match &exprs {
                        Some(exprs) => self.dim(exprs[k], item),
                        None => self.dim_of_list(expr, k, item),
                    };
                    match dim {
                        Some(dim) => dims.push(dim),
                        None => {
                            let at = exprs.as_ref().map_or(expr, |exprs| exprs[k]);
                            return Dims::Wrong(self.range(at));
                        }
                    }
                }
                self.only_first_string(reported);
                Dims::Known(dims.into())
            }
            _ => Dims::Wrong(self.range(expr)),
        }
    }

    /// Keeps the first report of a string among the diagnostics from index `from` on.
    fn only_first_string(&mut self, from: usize) {
        let is_string = |it: &Diagnostic| it.message == STRING_IN_BODY;
        let mut seen = false;
        let reports = self.facts.diagnostics.split_off(from).into_iter();
        let kept = reports.filter(|it| !is_string(it) || !std::mem::replace(&mut seen, true));
        self.facts.diagnostics.extend(kept);
    }

    /// Returns one dimension, or `None` if it is invalid.
    pub(in crate::infer) fn dim(&mut self, expr: ExprId, value: &Value) -> Option<SymExpr> {
        match value {
            Value::Str(text) => Some(self.string_dim(expr, text)),
            value if value.is_unknown() => Some(python_dim(self.name_of_python(expr))),
            Value::Expr(StructInfo::Prim(prim)) => Some(self.prim_dim(expr, prim)),
            // A comparison.
            Value::Sym(value)
                if self.in_script()
                    && value.is_boolean()
                    && !value.any_var(&|var| var.is_python()) =>
            {
                let (dtype, value) = (Some(DType::BOOL), None);
                Some(self.prim_dim(expr, &Prim { dtype, value }))
            }
            Value::Bool(value) => Some(SymExpr::int(i64::from(*value))),
            value => value.sym(),
        }
    }

    /// Returns the first variable that is declared with another dtype than int64, and the dtype: `n = T.int32()`.
    pub(in crate::infer) fn var_of_other_dtype(&self, value: &SymExpr) -> Option<(SymVar, DType)> {
        if value.as_int().is_some() {
            return None;
        }
        let mut vars = value.vars().into_iter().filter(|var| var.id == 0);
        vars.find_map(|var| {
            let dtype = self.base.get(&var.name).sym.other_dtype?;
            Some((var, dtype))
        })
    }

    /// Returns a scalar as a dimension, which is an int64.
    fn prim_dim(&mut self, expr: ExprId, prim: &Prim) -> SymExpr {
        let is_old = self.cx.release.dialect() == Dialect::StructInfo;
        if is_old && !self.is_of_python(expr) || self.is_read_from_tensor(expr) {
            let message = "a dimension must be a number or a shape variable, but this is a value of the running program: name it by `R.match_cast` to an `R.Shape`";
            let range = self.range(expr);
            self.report(Code::ArgumentType, range, message);
            return python_dim(self.name_of_python(expr));
        }
        let other = prim
            .dtype
            .filter(|dtype| *dtype != DType::I64 && !dtype.is_python());
        match (&prim.value, other) {
            (Some(value), None) => value.clone(),
            (Some(value @ SymExpr::Int(_)), Some(dtype)) if dtype.is_int() => value.clone(),
            (_, Some(dtype)) => {
                self.not_int64(self.range(expr), dtype);
                python_dim(self.name_of_python(expr))
            }
            (None, None) => self.field_dim(expr),
        }
    }

    /// Returns `true` for `x.shape[0]`, which no release takes as a dimension.
    fn is_read_from_tensor(&self, expr: ExprId) -> bool {
        let call = self.facts.call(expr);
        call.is_some_and(|it| it.op.0.script().starts_with("inspect."))
    }

    fn not_int64(&mut self, range: TextRange, dtype: DType) {
        let message = format!("a dimension must be an int64, but this scalar is {dtype}");
        self.report(Code::DtypeMismatch, range, message).differing =
            Some((format_smolstr!("{dtype}"), SmolStr::new_static("int64")));
    }

    /// Returns `t[0]` as an opaque dimension.
    fn field_dim(&mut self, expr: ExprId) -> SymExpr {
        let Some(name) = self.field_path(expr) else {
            return python_dim(self.name_of_python(expr));
        };
        let id = self.frame().index as u32;
        let var = SymVar { name, id };
        self.set_bound(&var, true);
        SymExpr::var(var)
    }

    fn field_path(&self, expr: ExprId) -> Option<SmolStr> {
        match &self.body.exprs[expr] {
            Expr::Name(name) => Some(name.clone()),
            Expr::Subscript { base, index } => {
                let Expr::Int(at) = self.body.exprs[*index] else {
                    return None;
                };
                Some(format_smolstr!("{}[{at}]", self.field_path(*base)?))
            }
            _ => None,
        }
    }

    /// Returns dimension `k` of a list that `expr` names. Two dimensions that only Python knows are different.
    fn dim_of_list(&mut self, expr: ExprId, k: usize, value: &Value) -> Option<SymExpr> {
        if value.is_unknown() {
            let list = self.name_of_python(expr);
            return Some(python_dim(format_smolstr!("{list}[{k}]")));
        }
        self.dim(expr, value)
    }

    /// Returns a name for `expr`, whose value only Python knows. Equal values have equal names.
    fn name_of_python(&self, expr: ExprId) -> SmolStr {
        match &self.body.exprs[expr] {
            Expr::Name(name) => name.clone(),
            _ => self.base.name_of_unknown(expr),
        }
    }

    /// Reads `"n"` or `"n + 1"` in a signature.
    fn string_dim(&mut self, expr: ExprId, text: &SmolStr) -> SymExpr {
        let range = self.range(expr);
        if !self.frame().in_signature && self.in_script() {
            let report = self.report(Code::InvalidAnnotation, range, STRING_IN_BODY);
            report.about = Some(text.clone());
            if !self.knows_sym(text) {
                return python_dim(text.clone());
            }
        }
        // The quotes of a plain literal are one character each. Longer ones are rare, and only affect positions.
        let inner = TextRange::new(
            range.start() + TextSize::from(1),
            range
                .end()
                .checked_sub(TextSize::from(1))
                .unwrap_or(range.end())
                .max(range.start() + TextSize::from(1)),
        );
        if is_identifier(text) {
            return self.named_dim(expr, text, inner);
        }
        let parsed = syntax::parse(text);
        let tree = parsed.tree();
        let mut stmts = tree.stmts();
        let (Some(ast::Stmt::ExprStmt(stmt)), None, true) =
            (stmts.next(), stmts.next(), parsed.errors.is_empty())
        else {
            return self.bad_string_dim(range, text);
        };
        let Some(parsed) = stmt.expr() else {
            return self.bad_string_dim(range, text);
        };
        let (body, id) = lower_expr(&parsed);
        match self.string_expr(expr, &body, id, inner) {
            Some(dim) if self.in_script() && dim.is_boolean() => {
                self.not_int64(range, DType::BOOL);
                python_dim(SmolStr::new_static("_"))
            }
            Some(dim) => dim,
            None => self.bad_string_dim(range, text),
        }
    }

    fn in_script(&self) -> bool {
        self.cx.release.dialect() != Dialect::Rfc
    }

    fn bad_string_dim(&mut self, range: TextRange, text: &str) -> SymExpr {
        self.report(
            Code::InvalidAnnotation,
            range,
            format!("`{text}` is not an expression over shape variables"),
        );
        python_dim(SmolStr::new_static("_"))
    }

    /// Reads a string that is a name. In a parameter, it declares a shape variable of the function.
    fn named_dim(&mut self, expr: ExprId, name: &SmolStr, range: TextRange) -> SymExpr {
        if let Some(size) = self.size_in_signature(name, range) {
            return SymExpr::int(size);
        }
        let outermost = self.is_outermost();
        let frame = self.frame();
        if frame.in_params && (outermost || frame.introduced.contains(name)) {
            let var = self.own_sym(name);
            self.bind_local(name.clone(), Local::Sym(var.id));
        }
        SymExpr::var(self.mention(expr, name, range))
    }

    /// Returns the size of a shape variable that the body assigns a number to, where that holds in the signature too.
    /// Since TVM 0.26, it only holds in the body, which is reported.
    fn size_in_signature(&mut self, name: &str, range: TextRange) -> Option<i64> {
        let is_in_signature = self.is_outermost() && self.frame().in_signature;
        let size = self.cx.env.size_of(name).filter(|_| is_in_signature)?;
        if self.cx.release >= Release::V0_26 {
            let message = format!(
                "until TVM 0.25, the body makes `{name}` {size} in the signature too; here it stays a shape variable: write {size} instead"
            );
            self.report(Code::OtherDialect, range, message).severity = Severity::Warning;
            return None;
        }
        (self.cx.release >= Release::V0_17).then_some(size)
    }

    fn string_expr(
        &mut self,
        at: ExprId,
        body: &Body,
        id: ExprId,
        inner: TextRange,
    ) -> Option<SymExpr> {
        match &body.exprs[id] {
            Expr::Int(value) => Some(SymExpr::int(*value)),
            Expr::Name(name) => {
                if let Some(size) = self.size_in_signature(name, inner) {
                    return Some(SymExpr::int(size));
                }
                if let Some(PyValue::Int(value)) = self.cx.env.get(name)
                    && !self.knows_sym(name)
                    && !names_in_strings(self.body, &self.body.function).contains(name)
                {
                    return Some(SymExpr::int(*value));
                }
                let range = body.range(id) + inner.start();
                let in_string =
                    TextRange::new(range.start().min(inner.end()), range.end().min(inner.end()));
                Some(SymExpr::var(self.mention(at, name, in_string)))
            }
            Expr::Binary { op, lhs, rhs } => {
                let (a, b) = (
                    self.string_expr(at, body, *lhs, inner)?,
                    self.string_expr(at, body, *rhs, inner)?,
                );
                Some(SymExpr::write(operators::sym_op(*op)?, &[a, b]))
            }
            Expr::Unary { op, operand } => {
                let operand = self.string_expr(at, body, *operand, inner)?;
                Some(match op {
                    UnaryOp::Plus => operand,
                    UnaryOp::Minus => operand.write_negation(),
                    UnaryOp::Invert => SymExpr::write(Op::BitNot, &[operand]),
                })
            }
            Expr::Compare { first, rest } => {
                let [(op, rhs)] = rest.as_slice() else {
                    return None;
                };
                let (a, b) = (
                    self.string_expr(at, body, *first, inner)?,
                    self.string_expr(at, body, *rhs, inner)?,
                );
                Some(SymExpr::write(operators::sym_comparison(*op)?, &[a, b]))
            }
            Expr::Call { callee, args } => {
                let name = match &body.exprs[*callee] {
                    Expr::Name(name) => name.clone(),
                    Expr::Attribute { name, .. } => name.text.clone(),
                    _ => return None,
                };
                let is_script = matches!(body.exprs[*callee], Expr::Attribute { .. });
                let dims: Option<Vec<SymExpr>> = args
                    .iter()
                    .map(|a| self.string_expr(at, body, a.value, inner))
                    .collect();
                let known = dims.and_then(|dims| sym_function(&name, &dims));
                // TVM prints `T.Cast("int64", T.ceil(...))` too, which only the running program computes.
                known.or_else(|| is_script.then(|| python_dim(self.name_of_python(at))))
            }
            _ => None,
        }
    }
}

/// Returns a dimension that only Python knows: equal to itself, and possibly to anything else.
fn python_dim(name: SmolStr) -> SymExpr {
    SymExpr::var(SymVar::python(name))
}

/// Evaluates a function of `T` on integers: `T.min(n, 4)`.
pub(in crate::infer) fn sym_function(name: &str, args: &[SymExpr]) -> Option<SymExpr> {
    let op = match name {
        "min" => Op::Min,
        "max" => Op::Max,
        "floordiv" => Op::FloorDiv,
        "floormod" | "indexmod" => Op::FloorMod,
        "indexdiv" => Op::FloorDiv,
        "truncdiv" | "Div" => Op::TruncDiv,
        "truncmod" | "Mod" => Op::TruncMod,
        "shift_left" => Op::Shl,
        "shift_right" => Op::Shr,
        "bitwise_and" => Op::BitAnd,
        "bitwise_or" => Op::BitOr,
        "bitwise_xor" => Op::BitXor,
        "bitwise_not" => Op::BitNot,
        "Select" | "if_then_else" => Op::Select,
        "ceildiv" => {
            let [a, b] = args else { return None };
            let up = a.add(b).sub(&SymExpr::int(1));
            return Some(up.floordiv(b));
        }
        "int64" | "int32" | "int16" | "int8" | "uint8" | "uint32" | "uint64" => {
            let [value] = args else { return None };
            return Some(value.clone());
        }
        "And" => Op::And,
        "Or" => Op::Or,
        "Not" => Op::Not,
        "Add" => Op::Add,
        "Sub" => Op::Sub,
        "Mul" => Op::Mul,
        "FloorDiv" => Op::FloorDiv,
        "FloorMod" => Op::FloorMod,
        "Min" => Op::Min,
        "Max" => Op::Max,
        _ => return None,
    };
    let arity = match op {
        Op::Select => 3,
        Op::Not | Op::BitNot => 1,
        _ => 2,
    };
    (args.len() == arity).then(|| SymExpr::write(op, args))
}

/// Returns the number of operands of a function of `T` with a fixed arity.
pub(in crate::infer) fn arity(name: &str) -> Option<usize> {
    Some(match name {
        "min" | "max" | "floordiv" | "floormod" | "truncdiv" | "truncmod" | "ceildiv" | "cast" => 2,
        "if_then_else" | "Select" => 3,
        _ => return None,
    })
}

pub(in crate::infer) fn is_identifier(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && chars.all(|c| c.is_alphanumeric() || c == '_')
}

/// Returns the names in strings of parameter annotations.
pub(in crate::infer) fn names_in_strings(body: &Body, function: &Function) -> FxHashSet<SmolStr> {
    let annotations = function.params.iter().filter_map(|param| param.annotation);
    let mut pending: Vec<ExprId> = annotations.collect();
    let mut names = FxHashSet::default();
    while let Some(expr) = pending.pop() {
        match &body.exprs[expr] {
            Expr::Str(text) if is_identifier(text) => {
                names.insert(text.clone());
            }
            // The result of a function type declares nothing.
            Expr::Call { callee, args } if matches!(&body.exprs[*callee], Expr::Attribute { name, .. } if name.text == "Callable") =>
            {
                let first = args.first();
                let params =
                    first.filter(|arg| arg.keyword.as_ref().is_none_or(|it| it.text == "params"));
                pending.extend(params.map(|arg| arg.value));
            }
            other => other.for_each_child(&mut |child| pending.push(child)),
        }
    }
    names
}
