//! Ranks how well a value fits a parameter: by the operator's own inference rule, or by StructInfo.

use relax::dtype::DType;
use relax::ops::{self, Call, Default, Kind, OpDef, Param, Stop};
use relax::release::Releases;
use relax::sinfo::call::derive;
use relax::sinfo::{Callable, Fit, StructInfo, VDevice};
use relax::sym::{SymCx, SymExpr, SymVar};
use relax::value::Value;

use super::item::rank;

/// The first number that is substituted for a shape variable. Programs are unlikely to contain it.
const SAMPLE: i64 = 1_000_003;

/// The operand of an operator that the cursor is in.
pub struct Operand<'db> {
    pub op: &'static OpDef,
    /// The index of its parameter.
    pub index: usize,
    /// All operands of the call.
    pub operands: Vec<Option<Value>>,
    /// `true` in an element of a tuple.
    pub element: bool,
    pub releases: Releases,
    pub vdevices: &'db [VDevice],
}

impl Operand<'_> {
    pub fn param(&self) -> &'static Param {
        &self.op.params[self.index]
    }

    pub fn rank_of(&self, value: &Value) -> u8 {
        let Some(sinfo) = value.struct_info() else {
            return rank::UNFIT;
        };
        if sinfo.is_unknown() {
            return rank::MAY_FIT;
        }
        let by_kind = match (self.param().kind, self.element) {
            (Kind::Tensor, _) | (Kind::Tensors, true) => sinfo.as_tensor().is_some(),
            (Kind::Tensors, false) => matches!(sinfo, StructInfo::Tuple(_)),
            (Kind::Shape, _) => matches!(sinfo, StructInfo::Shape(_)),
            (Kind::Int | Kind::Ints, _) => return dim(value),
            (Kind::Function, _) => matches!(sinfo, StructInfo::Callable(_)),
            // Some tensor parameters accept numbers.
            (Kind::Expr | Kind::Any, _) => match sinfo {
                StructInfo::Tensor(_) | StructInfo::DTensor(_) => true,
                _ => return rank::MAY_FIT,
            },
            _ => false,
        };
        if !by_kind {
            return rank::UNFIT;
        }
        if self.element {
            return rank::FITS;
        }
        let mut args = self.operands.clone();
        args[self.index] = Some(value.clone());
        let missing = |(param, arg): (&Param, &Option<Value>)| {
            param.default == Default::Required && !param.star && arg.is_none()
        };
        if self.op.params.iter().zip(&args).any(missing) {
            return rank::FITS;
        }
        match self.takes(&args) {
            Ok(_) if related(&args) && self.takes(&sample(&args)).is_err() => rank::UNPROVEN,
            Ok(_) => rank::FITS,
            Err(Stop::Unknown) => rank::MAY_FIT,
            Err(Stop::Error(_)) => rank::UNFIT,
        }
    }

    fn takes(&self, args: &[Option<Value>]) -> Result<StructInfo, Stop> {
        ops::infer(&Call {
            op: self.op,
            args,
            cx: &SymCx::default(),
            release: self.releases.until,
            oldest: self.releases.since,
            vdevices: self.vdevices,
        })
    }
}

/// Returns `true` if there are several shapes that may have to agree.
fn related(args: &[Option<Value>]) -> bool {
    let shapes = args.iter().flatten().filter_map(Value::struct_info);
    shapes.filter(|it| it.as_tensor().is_some()).count() > 1
}

/// Substitutes a distinct number for each shape variable. Operands that fit for arbitrary numbers fit in general.
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

/// Ranks a value as the next argument of a function.
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

/// Ranks a value as the condition of an `if`.
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

/// Ranks a value as a dimension of a shape.
pub fn dim(value: &Value) -> u8 {
    match value {
        Value::Sym(_) | Value::Int(_) | Value::Expr(StructInfo::Prim(_)) => rank::FITS,
        Value::Unknown => rank::MAY_FIT,
        _ => rank::UNFIT,
    }
}
