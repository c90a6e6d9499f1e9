//! How well a value fits a parameter: by the rule of the operator itself, or by StructInfo.

use hir::dialect::Dialect;
use hir::ops::{self, Call, Default, Kind, OpDef, Stop};
use hir::sinfo::call::derive;
use hir::sinfo::{Callable, Fit, StructInfo, VDevice};
use hir::sym::SymCx;
use hir::value::Value;

use super::item::rank;

/// As an operand of an operator, beside those that are given.
pub fn operand(
    op: &'static OpDef,
    index: usize,
    operands: &[Option<Value>],
    value: &Value,
    element: bool,
    vdevices: &[VDevice],
) -> u8 {
    let Some(sinfo) = value.struct_info() else {
        return rank::UNFIT;
    };
    if sinfo.is_unknown() {
        return rank::MAY_FIT;
    }
    let by_kind = match (op.params[index].kind, element) {
        (Kind::Tensor, _) | (Kind::Tensors, true) => sinfo.as_tensor().is_some(),
        (Kind::Tensors, false) => matches!(sinfo, StructInfo::Tuple(_)),
        (Kind::Shape, _) => matches!(sinfo, StructInfo::Shape(_)),
        (Kind::Int | Kind::Ints, _) => return dim(value),
        (Kind::Function, _) => matches!(sinfo, StructInfo::Callable(_)),
        (Kind::Expr | Kind::Any, _) => return rank::MAY_FIT,
        _ => false,
    };
    if !by_kind {
        return rank::UNFIT;
    }
    if element {
        return rank::FITS;
    }
    let mut args = operands.to_vec();
    args[index] = Some(value.clone());
    let missing = |(param, arg): (&ops::Param, &Option<Value>)| {
        param.default == Default::Required && !param.star && arg.is_none()
    };
    if op.params.iter().zip(&args).any(missing) {
        return rank::FITS;
    }
    let cx = SymCx::default();
    let call = Call {
        op,
        args: &args,
        cx: &cx,
        dialect: Dialect::default(),
        vdevices,
    };
    match ops::infer(&call) {
        Ok(_) => rank::FITS,
        Err(Stop::Unknown) => rank::MAY_FIT,
        Err(Stop::Error(_)) => rank::UNFIT,
    }
}

/// As the next argument of a function.
pub fn argument(callable: &Callable, before: &[StructInfo], value: &Value) -> u8 {
    let Some(sinfo) = value.struct_info() else {
        return rank::UNFIT;
    };
    let mut args = before.to_vec();
    args.push(sinfo);
    let derived = derive(callable, &args, &SymCx::default());
    match derived.args.get(before.len()).map(|argument| argument.fit) {
        Some(Fit::Always) => rank::FITS,
        Some(Fit::Unproved) | None => rank::MAY_FIT,
        Some(Fit::Narrower | Fit::Never) => rank::UNFIT,
    }
}

/// As a dimension of a shape.
pub fn dim(value: &Value) -> u8 {
    match value {
        Value::Sym(_) | Value::Int(_) | Value::Expr(StructInfo::Prim(_)) => rank::FITS,
        Value::Unknown => rank::MAY_FIT,
        _ => rank::UNFIT,
    }
}
