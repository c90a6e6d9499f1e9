//! How well a value fits a parameter: by the rule of the operator itself, or by StructInfo.

use relax::dtype::DType;
use relax::ops::{self, Call, Default, Kind, OpDef, Stop};
use relax::release::Release;
use relax::sinfo::call::derive;
use relax::sinfo::{Callable, Fit, StructInfo, VDevice};
use relax::sym::{SymCx, SymExpr, SymVar};
use relax::value::Value;

use super::item::rank;

/// The first number that a shape variable stands for: none that a program writes.
const SAMPLE: i64 = 1_000_003;

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
        // Numbers are taken where tensors are meant.
        (Kind::Expr | Kind::Any, _) => match sinfo {
            StructInfo::Tensor(_) | StructInfo::DTensor(_) => true,
            _ => return rank::MAY_FIT,
        },
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
    let takes = |args: &[Option<Value>]| {
        let cx = SymCx::default();
        ops::infer(&Call {
            op,
            args,
            cx: &cx,
            release: Release::NEWEST,
            vdevices,
        })
    };
    match takes(&args) {
        Ok(_) if related(&args) && takes(&sample(&args)).is_err() => rank::UNPROVEN,
        Ok(_) => rank::FITS,
        Err(Stop::Unknown) => rank::MAY_FIT,
        Err(Stop::Error(_)) => rank::UNFIT,
    }
}

/// Whether there are several shapes that may have to agree.
fn related(args: &[Option<Value>]) -> bool {
    let shapes = args.iter().flatten().filter_map(Value::struct_info);
    shapes.filter(|it| it.as_tensor().is_some()).count() > 1
}

/// The operands with a number for each shape variable: what fits for these, and for no reason, fits for all.
fn sample(args: &[Option<Value>]) -> Vec<Option<Value>> {
    let mut seen: Vec<SymVar> = Vec::new();
    for sinfo in args.iter().flatten().filter_map(Value::struct_info) {
        sinfo.for_each_sym_var(&mut |var| {
            if !seen.contains(var) {
                seen.push(var.clone());
            }
        });
    }
    let number = |var: &SymVar| {
        let at = seen.iter().position(|it| it == var)?;
        Some(SymExpr::int(SAMPLE + at as i64))
    };
    let sampled = |value: &Value| match value {
        Value::Expr(sinfo) => Value::Expr(sinfo.erase(&number, &|_, _| None)),
        other => other.clone(),
    };
    args.iter().map(|it| it.as_ref().map(sampled)).collect()
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
        Some(Fit::Unproved) => rank::UNPROVEN,
        None => rank::MAY_FIT,
        Some(Fit::Narrower | Fit::Never) => rank::UNFIT,
    }
}

/// As what an `if` tests: a truth value.
pub fn condition(value: &Value) -> u8 {
    let (ndim, dtype) = match value.struct_info() {
        Some(StructInfo::Tensor(tensor)) => (tensor.ndim(), tensor.known_dtype()),
        Some(StructInfo::Prim(prim)) => (Some(0), prim.dtype),
        Some(StructInfo::Unknown | StructInfo::Object) => (None, None),
        _ => return rank::UNFIT,
    };
    match (ndim, dtype) {
        (Some(0), Some(DType::BOOL)) => rank::FITS,
        (None | Some(0), None | Some(DType::BOOL)) => rank::MAY_FIT,
        _ => rank::UNFIT,
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
