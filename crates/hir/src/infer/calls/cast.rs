//! Infers casts: `R.match_cast`, and `R.match_shape` of the RFC.

use relax::diagnostics::Code;
use relax::dialect::Dialect;
use relax::dtype::DType;
use relax::sinfo::{Prim, Shape, StructInfo};
use relax::sym::SymExpr;
use relax::value::{MatchCast, Value};
use text_size::TextRange;

use crate::body::{Arg, Expr, ExprId};
use crate::infer::Infer;
use crate::infer::annotations::dims::Dims;

impl Infer<'_> {
    pub(super) fn match_cast(&mut self, args: &[Arg]) -> Value {
        let [value, target] = args else {
            self.values(args);
            let range = args
                .first()
                .map_or(TextRange::default(), |a| self.range(a.value));
            self.report(
                Code::ArgumentCount,
                range,
                "`R.match_cast` takes a value and a StructInfo",
            );
            return Value::Unknown;
        };
        let value = self.cast_operand(value.value);
        let reported = self.facts.diagnostics.len();
        let is_swapped = matches!(self.facts.value(args[0].value), Value::Annotation(_));
        let written = if is_swapped {
            self.expr(target.value);
            StructInfo::Unknown
        } else {
            self.annotation(target.value)
        };
        if written.is_unknown() || self.facts.diagnostics.len() > reported {
            self.bind_named(target.value);
        }
        let target = of_declared_dtype(written, &value);
        Value::MatchCast(Box::new(MatchCast { value, target }))
    }

    /// Returns the StructInfo of the value that is cast: a Relax expression, not a Python tuple.
    fn cast_operand(&mut self, expr: ExprId) -> StructInfo {
        let value = self.expr(expr);
        let is_wrong = match &value {
            Value::None | Value::Dict(_) | Value::Annotation(_) => true,
            Value::Script(_) => !matches!(self.body.exprs[expr], Expr::Name(_)),
            Value::List(_) => self.cx.release.dialect() != Dialect::Rfc,
            // Until TVM 0.25, Python holds numbers and shape expressions.
            Value::Int(_) | Value::Float(_) | Value::Bool(_) => {
                self.cx.release.dialect() == Dialect::StructInfo
            }
            Value::Sym(_) => {
                self.cx.release.dialect() == Dialect::StructInfo && self.is_of_python(expr)
            }
            _ => false,
        };
        if is_wrong {
            let message = format!(
                "`R.match_cast` casts a Relax expression, but this is {}",
                value.kind_name()
            );
            let range = self.range(expr);
            self.report(Code::ArgumentType, range, message);
            return StructInfo::Unknown;
        }
        let number = match value {
            Value::Int(number) if i32::try_from(number).is_ok() => DType::I32,
            Value::Int(_) => DType::I64,
            Value::Float(_) => DType::F32,
            Value::Bool(_) => DType::BOOL,
            value => return value.struct_info().unwrap_or(StructInfo::Unknown),
        };
        StructInfo::prim(self.tir_dtype(expr).unwrap_or(number))
    }

    /// Binds the shape variables that a cast names, although its target is unknown.
    fn bind_named(&mut self, target: ExprId) {
        let mut exprs = vec![target];
        while let Some(expr) = exprs.pop() {
            if let Value::Sym(sym) = self.facts.value(expr).clone()
                && let Some(var) = sym.as_var()
            {
                self.bind_sym(var, self.range(expr));
            }
            self.body.exprs[expr].for_each_child(&mut |child| exprs.push(child));
        }
    }

    /// Infers the RFC's `R.match_shape(x, (n, m))`.
    pub(super) fn match_shape(&mut self, args: &[Arg]) -> Value {
        let [value, dims] = args else {
            self.values(args);
            return Value::Unknown;
        };
        let value = self.operand(value.value);
        self.frame().implicit_dims = true;
        let shape = self.expr(dims.value);
        self.frame().implicit_dims = false;
        let shape = match self.dims(dims.value, &shape) {
            Dims::Known(dims) => Shape::Known(dims),
            _ => Shape::Unknown(None),
        };
        let target = Infer::shape_to_match(&value, shape);
        Value::MatchCast(Box::new(MatchCast { value, target }))
    }

    /// Returns the StructInfo of an operand that must be a Relax expression.
    fn operand(&mut self, expr: ExprId) -> StructInfo {
        self.expr(expr).struct_info().unwrap_or(StructInfo::Unknown)
    }
}

/// Gives a scalar that is cast to a plain variable the dtype of the variable's declaration.
fn of_declared_dtype(target: StructInfo, value: &StructInfo) -> StructInfo {
    match (target, value) {
        (StructInfo::Prim(target), StructInfo::Prim(value))
            if target.value.as_ref().and_then(SymExpr::as_var).is_some() =>
        {
            StructInfo::Prim(Prim {
                dtype: value.dtype.or(target.dtype),
                ..target
            })
        }
        (target, _) => target,
    }
}
