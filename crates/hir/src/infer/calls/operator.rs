//! Infers operator calls by the rules of their rows, and reports errors at the operand that causes them.

use std::fmt::Write;

use relax::diagnostics::{Code, Diagnostic};
use relax::dialect::Dialect;
use relax::dtype::DType;
use relax::ops::{self, At, Call, Kind, Numbers, OpDef, OpError, OpErrorKind, Purity, Rule, Stop};
use relax::sinfo::{StructInfo, Tensor, TensorShape};
use relax::sym::SymExpr;
use relax::value::Value;

use crate::body::{Arg, Expr, ExprId};
use crate::facts::{ArgFact, CallFact, Def, OpRef};
use crate::infer::Infer;
use crate::infer::annotations::dims::Dims;

/// The number of dimensions of a result that is free, larger than in any real program.
const FREE_DIMENSIONS: usize = 64;

/// Operators whose first operand needs a dtype while the script is parsed.
const ASKED_FOR_DTYPE: &[&str] = &["layout_transform"];

impl Infer<'_> {
    pub(in crate::infer) fn operator_call(
        &mut self,
        expr: ExprId,
        op: &'static OpDef,
        args: &[Arg],
    ) -> Value {
        let first = op.params.first().map(|it| it.kind);
        let values: Vec<Value> = match (first, args) {
            (Some(Kind::Function), [function, rest @ ..]) => {
                let mut values = vec![self.function_name(function.value)];
                values.extend(self.values(rest));
                values
            }
            _ => self.values(args),
        };
        self.check_sym_operands(args, &values);
        match op.purity {
            // The RFC only knows purity of blocks: a packed function in a dataflow block has no effects.
            Purity::Impure
                if op.script() == "call_packed"
                    && self.cx.release.dialect() == Dialect::Rfc
                    && self.in_dataflow() => {}
            Purity::Impure => {
                self.impure_call(expr, &format!("`R.{}`", op.script()));
            }
            Purity::Pure | Purity::OfCallee => {}
        }
        let bound = self.bind_args(expr, op, args, &values);
        let Some((facts, mut operands)) = bound else {
            return Value::Unknown;
        };
        self.facts.calls.insert(
            expr,
            CallFact {
                op: OpRef(op),
                args: facts.clone(),
            },
        );
        if matches!(op.rule, Rule::Special) {
            return self.special_call(expr, op, args);
        }
        self.check_written_tuple(op, &facts);
        self.check_typed(op, &facts);
        self.check_named_device(op, &facts);
        self.check_prim_values(op, &facts);
        self.check_indices(op, &facts);
        self.check_order(op, args, &values, &mut operands);
        self.read_scalar_dims(op, &facts, &mut operands);
        Value::Expr(self.apply_rule(op, &operands, expr, &facts))
    }

    /// Reads the scalars in shapes among the operands as dimensions.
    fn read_scalar_dims(&mut self, op: &OpDef, facts: &[ArgFact], operands: &mut [Option<Value>]) {
        if self.cx.release.dialect() == Dialect::Rfc {
            return;
        }
        let is_scalar = |infer: &Self, it: &Value| match it {
            Value::Sym(sym) => sym.is_boolean() || infer.var_of_other_dtype(sym).is_some(),
            it => matches!(it, Value::Expr(StructInfo::Prim(_))),
        };
        for ((param, fact), operand) in op.params.iter().zip(facts).zip(operands) {
            if let (Kind::Shape, &ArgFact::One(at), Some(value)) =
                (param.kind, fact, operand.as_ref())
                && matches!(value, Value::List(items) if items.iter().any(|it| is_scalar(self, it)))
                && let Dims::Known(dims) = self.dims(at, value)
            {
                let dims: Vec<Value> = dims.iter().cloned().map(Value::Sym).collect();
                *operand = Some(Value::list(dims));
            }
        }
    }

    /// Reports a device that the module does not list, or that a local function names.
    fn check_named_device(&mut self, op: &OpDef, facts: &[ArgFact]) {
        let params = op.params.iter().zip(facts);
        let mut devices = params.filter(|(param, _)| param.kind == Kind::VDevice);
        if let Some((_, &ArgFact::One(at))) = devices.next()
            && let Value::Str(text) = self.facts.value(at)
        {
            self.named_device(at, &text.clone());
        }
    }

    /// Reports variables and floats where TVM needs an integer or an `R.prim_value` until 0.25.
    fn check_prim_values(&mut self, op: &OpDef, facts: &[ArgFact]) {
        if self.cx.release.dialect() != Dialect::StructInfo {
            return;
        }
        for (param, fact) in op.params.iter().zip(facts) {
            let &ArgFact::One(at) = fact else { continue };
            let value = self.facts.value(at);
            let allocates = matches!(param.numbers, Numbers::PrimValues | Numbers::PrimValuesOnly);
            let refuses_variables = allocates || param.numbers == Numbers::NoVariables;
            let refuses_shapes = allocates || param.numbers == Numbers::NoShapeExprs;
            let is = match self.facts.def(at) {
                Some(Def::Var(_))
                    if refuses_variables && matches!(value, Value::Expr(StructInfo::Prim(_))) =>
                {
                    "a Relax variable"
                }
                Some(Def::Var(_))
                    if allocates && matches!(value, Value::Expr(StructInfo::Object)) =>
                {
                    "a Relax variable"
                }
                _ if refuses_shapes && self.is_shape_expr(at) => "a shape expression",
                None if matches!(value, Value::Int(_))
                    && param.numbers == Numbers::PrimValuesOnly =>
                {
                    "an integer"
                }
                None if allocates && matches!(value, Value::Float(_)) => "a float",
                _ => continue,
            };
            let message = format!(
                "`R.{}`: `{}` must be an `R.prim_value`, but is {is}",
                op.script(),
                param.name
            );
            let range = self.range(at);
            self.report(Code::ArgumentType, range, message);
        }
    }

    /// Returns `true` for a shape variable and for arithmetic of shape variables.
    fn is_shape_expr(&self, at: ExprId) -> bool {
        let is_call = matches!(self.body.exprs[at], Expr::Call { .. });
        let is_variable =
            |sym: &SymExpr| sym.as_int().is_none() && !sym.any_var(&|it| it.is_python());
        matches!(self.facts.value(at), Value::Sym(sym) if is_variable(sym)) && !is_call
    }

    /// Reports an operand whose dtype TVM's Python code needs before it is known.
    fn check_typed(&mut self, op: &OpDef, facts: &[ArgFact]) {
        if let Some(&ArgFact::One(at)) = facts.first()
            && ASKED_FOR_DTYPE.contains(&op.script())
            && self.is_untyped_call(at)
        {
            let message = format!(
                "`R.{}` needs the dtype of a call, which TVM does not know yet: bind the call to a name first",
                op.script()
            );
            let range = self.range(at);
            self.report(Code::UnsupportedStatement, range, message);
        }
    }

    /// Checks that the variables of shape expressions among the operands are bound.
    pub(in crate::infer) fn check_sym_operands(&mut self, args: &[Arg], values: &[Value]) {
        if self.cx.release.dialect() == Dialect::Rfc {
            return;
        }
        for (arg, value) in args.iter().zip(values) {
            let items = match value {
                Value::List(items) => items,
                value => std::slice::from_ref(value),
            };
            for item in items {
                let Value::Sym(expr) = item else { continue };
                // Its dtype is reported where it becomes a dimension.
                if matches!(value, Value::List(_)) && self.var_of_other_dtype(expr).is_some() {
                    continue;
                }
                for var in expr.vars() {
                    // In an inlined function, the caller's variables are not checked.
                    if self.knows_sym(&var.name) {
                        let range = self.range(arg.value);
                        self.check_sym(&var, range);
                    }
                }
            }
        }
    }

    /// Infers `x.astype("float16")`, the only operator that is also a method.
    pub(in crate::infer) fn method_call(
        &mut self,
        expr: ExprId,
        callee: ExprId,
        args: &[Arg],
    ) -> Option<Value> {
        let Expr::Attribute { base, name } = &self.body.exprs[callee] else {
            return None;
        };
        let value = self.facts.value(*base).clone();
        if name.text != "astype" || !matches!(value, Value::Expr(_) | Value::Sym(_)) {
            return None;
        }
        let operand = self.values(args).into_iter().next();
        let dtype = match &operand {
            Some(Value::Str(text)) => DType::parse(text),
            _ => None,
        };
        if let Some(cast) = dtype.and_then(|dtype| self.scalar_cast((*base, &value), dtype)) {
            return Some(cast);
        }
        let op = ops::by_script("astype", self.cx.release)?;
        let facts = vec![
            ArgFact::One(*base),
            args.first()
                .map_or(ArgFact::Absent, |a| ArgFact::One(a.value)),
        ];
        self.facts.calls.insert(
            expr,
            CallFact {
                op: OpRef(op),
                args: facts.clone(),
            },
        );
        Some(Value::Expr(self.apply_rule(
            op,
            &[Some(value), operand],
            expr,
            &facts,
        )))
    }

    /// Records the operator that computes a scalar, unless the scalar is a shape expression.
    pub(in crate::infer) fn note_operator(&mut self, expr: ExprId, name: &str, scalar: &Value) {
        let is_shape_expression = !matches!(scalar, Value::Expr(StructInfo::Prim(_)));
        if is_shape_expression || self.cx.release.dialect() == Dialect::StructInfo {
            return;
        }
        let args = match &self.body.exprs[expr] {
            Expr::Binary { lhs, rhs, .. } => vec![*lhs, *rhs],
            Expr::Unary { operand, .. } => vec![*operand],
            Expr::Compare { first, rest } if rest.len() == 1 => vec![*first, rest[0].1],
            _ => return,
        };
        if let Some(op) = ops::by_script(name, self.cx.release) {
            let args = args.into_iter().map(ArgFact::One).collect();
            let op = OpRef(op);
            self.facts.calls.insert(expr, CallFact { op, args });
        }
    }

    /// Infers `x + y` and similar expressions by the operator that they stand for.
    pub(in crate::infer) fn operator_sugar(
        &mut self,
        expr: ExprId,
        name: &str,
        operands: &[&Value],
    ) -> Value {
        let Some(op) = ops::by_script(name, self.cx.release) else {
            return Value::Unknown;
        };
        let sub: Vec<ExprId> = match &self.body.exprs[expr] {
            Expr::Binary { lhs, rhs, .. } => vec![*lhs, *rhs],
            Expr::Unary { operand, .. } => vec![*operand],
            Expr::Compare { first, rest } => vec![*first, rest.first().map_or(*first, |(_, e)| *e)],
            _ => return Value::Unknown,
        };
        for (&at, value) in sub.iter().zip(operands) {
            if let Value::Int(_) | Value::Float(_) | Value::Bool(_) = value {
                let range = self.range(at);
                self.report(
                    Code::ArgumentType,
                    range,
                    "a Python number cannot be an operand of a Relax expression: write `R.const(...)`",
                );
                return Value::Unknown;
            }
        }
        let facts: Vec<ArgFact> = sub.iter().map(|&e| ArgFact::One(e)).collect();
        let values: Vec<Option<Value>> = operands.iter().map(|&v| Some(v.clone())).collect();
        self.facts.calls.insert(
            expr,
            CallFact {
                op: OpRef(op),
                args: facts.clone(),
            },
        );
        Value::Expr(self.apply_rule(op, &values, expr, &facts))
    }

    pub(in crate::infer) fn apply_rule(
        &mut self,
        op: &'static OpDef,
        operands: &[Option<Value>],
        expr: ExprId,
        facts: &[ArgFact],
    ) -> StructInfo {
        match self.operator_result(op, operands) {
            Ok(sinfo) => self.within_budget(expr, sinfo),
            Err(Stop::Unknown) => StructInfo::Unknown,
            Err(Stop::Error(error)) => {
                self.op_error(op, expr, facts, &error);
                StructInfo::Unknown
            }
        }
    }

    fn operator_result(&self, op: &'static OpDef, operands: &[Option<Value>]) -> ops::Infer {
        ops::infer(&Call {
            op,
            args: operands,
            cx: &self.sym,
            release: self.cx.release,
            oldest: self.cx.releases.since,
            vdevices: self.cx.vdevices.unwrap_or_default(),
        })
    }

    /// Returns the result of an operator for these operands. Returns unknown without a report if they don't fit.
    pub(in crate::infer) fn infer_operator(
        &self,
        op: &'static OpDef,
        operands: &[Option<Value>],
    ) -> Value {
        Value::Expr(self.operator_result(op, operands).unwrap_or_default())
    }

    /// Limits a result whose shapes are much longer than its text to the budget of the piece.
    fn within_budget(&mut self, expr: ExprId, sinfo: StructInfo) -> StructInfo {
        let dims = |sinfo: &StructInfo| match sinfo {
            StructInfo::Tensor(tensor) => tensor.dims().map_or(0, <[_]>::len),
            _ => 0,
        };
        let all = match &sinfo {
            StructInfo::Tuple(fields) => fields.iter().map(dims).max().unwrap_or(0) * fields.len(),
            sinfo => dims(sinfo),
        };
        if all <= FREE_DIMENSIONS || self.may_read(expr, all) {
            return sinfo;
        }
        match sinfo {
            StructInfo::Tensor(tensor) => {
                let shape = TensorShape::Unknown(tensor.ndim());
                Tensor { shape, ..tensor }.into()
            }
            _ => StructInfo::Unknown,
        }
    }

    fn op_error(&mut self, op: &OpDef, expr: ExprId, facts: &[ArgFact], error: &OpError) {
        let code = match error.kind {
            OpErrorKind::Shape => Code::ShapeMismatch,
            OpErrorKind::Rank => Code::RankMismatch,
            OpErrorKind::DType => Code::DtypeMismatch,
            OpErrorKind::Type => Code::ArgumentType,
            OpErrorKind::Value => Code::ArgumentValue,
        };
        let at = self.expr_at(expr, facts, error.at);
        let mut diagnostic = Diagnostic::new(
            code,
            self.range(at),
            format!("`R.{}`: {}", op.script(), error.message),
        );
        diagnostic.differing.clone_from(&error.differing);
        let takes_tensor = (op.params.get(error.at.param))
            .is_some_and(|it| matches!(it.kind, Kind::Tensor | Kind::Tensors));
        if let (OpErrorKind::Type, false, Some(number)) =
            (error.kind, takes_tensor, self.number_of_constant(at))
        {
            let _ = write!(diagnostic.message, ": write `{number}`");
            diagnostic.instead = Some((self.range(at), number.into()));
        }
        self.add_origin(at, &mut diagnostic);
        for (place, note) in &error.related {
            let at = self.expr_at(expr, facts, *place);
            diagnostic.related.push((self.range(at), note.clone()));
            self.add_origin(at, &mut diagnostic);
        }
        self.facts.diagnostics.push(diagnostic);
    }

    /// Returns the number in `R.const(0.5, "float32")`.
    fn number_of_constant(&self, at: ExprId) -> Option<String> {
        let Expr::Call { callee, args } = &self.body.exprs[at] else {
            return None;
        };
        if !matches!(self.facts.value(*callee), Value::Script(path) if path.rest == "const") {
            return None;
        }
        match self.facts.value(args.first()?.value) {
            Value::Int(number) => Some(number.to_string()),
            Value::Float(number) if number.is_finite() => Some(format!("{number:?}")),
            _ => None,
        }
    }

    /// Returns the expression at a place of a call.
    fn expr_at(&self, call: ExprId, facts: &[ArgFact], at: At) -> ExprId {
        match (facts.get(at.param), at.element) {
            (Some(ArgFact::One(expr)), Some(element)) => match &self.body.exprs[*expr] {
                Expr::Tuple(items) | Expr::List(items) => {
                    items.get(element).copied().unwrap_or(*expr)
                }
                _ => *expr,
            },
            (Some(ArgFact::One(expr)), None) => *expr,
            (Some(ArgFact::Many(exprs)), element) => {
                exprs.get(element.unwrap_or(0)).copied().unwrap_or(call)
            }
            _ => call,
        }
    }
}
