//! Products of matrices.

use super::reduce::product;
use super::{Op, op};
use crate::diagnostics::Code;
use crate::ops;
use crate::relay::site::{Answer, Mistake, Site, Stop};
use crate::relay::struct_info;
use crate::relay::types::{Dim, Type};
use crate::release::Release;
use crate::sinfo::StructInfo;
use crate::sym::{SymCx, SymExpr};
use crate::value::Value;

pub(super) const DENSE: &str = "units: int, out_dtype: dtype = void";
pub(super) const BATCH_MATMUL: &str =
    "out_dtype: dtype = void, transpose_a: bool = false, transpose_b: bool = false";
const MATMUL: &str =
    "units: int, out_dtype: dtype = void, transpose_a: bool = false, transpose_b: bool = false";

#[rustfmt::skip]
pub(super) const OPS: &[Op] = &[
    op("nn.batch_matmul", "tensor_a tensor_b", BATCH_MATMUL, batch_matmul),
    op("nn.dense", "data weight", DENSE, |site| matmul(site, false, true)),
    op("nn.matmul", "tensor_a tensor_b", MATMUL, |site| matmul(site, site.bool("transpose_a")?, site.bool("transpose_b")?)),
    op("nn.contrib_dense_pack", "data weight", DENSE, dense_pack),
    op("einsum", "data", "equation: str", einsum),
    op("nn.bitserial_dense", "data weight", "units: int, data_bits: int = 1, weight_bits: int = 1, pack_dtype: dtype = void, out_dtype: dtype = void, unipolar: bool = true", bitserial_dense),
];

/// Multiplies the last two dimensions of `a` and `b`, each optionally transposed.
pub(super) fn matmul(site: &Site<'_>, ta: bool, tb: bool) -> Result<Answer, Stop> {
    let a = site.tensor(0)?;
    let needed = if ta { 2 } else { 1 };
    if a.rank() < needed {
        return site.wrong_rank(0, &format!("at least {needed} dimensions"));
    }
    let rank = a.rank();
    let inner = if ta { rank - 2 } else { rank - 1 };
    let reduce = a.shape[inner].clone();
    let mut shape = a.shape.to_vec();
    if ta {
        shape[rank - 2] = a.shape[rank - 1].clone();
    }
    let out_dtype = site.dtype("out_dtype")?.unwrap_or(a.dtype);
    if let Some(units) = site.opt_int("units")? {
        let units = Dim::Int(units);
        let dtype = match site.types.get(1) {
            Some(Type::Tensor(b)) => b.dtype,
            Some(Type::Hole(_)) => a.dtype,
            _ => site.tensor(1)?.dtype,
        };
        let weight = if tb {
            [units.clone(), reduce]
        } else {
            [reduce, units.clone()]
        };
        shape[rank - 1] = units;
        return Ok(Answer::tensor(shape, out_dtype)?.expecting(1, Type::tensor(weight, dtype)));
    }
    let b = site.of_rank(1, 2)?;
    let (b_inner, b_outer) = if tb { (1, 0) } else { (0, 1) };
    let mut answer = Answer::from(Type::Unknown);
    // TVM compares the inner extents only if `units` gives the outer one.
    let (mut a_shape, mut b_shape) = (a.shape.to_vec(), b.shape.to_vec());
    if reduce == Dim::Any {
        a_shape[inner] = b.shape[b_inner].clone();
    }
    if b.shape[b_inner] == Dim::Any {
        b_shape[b_inner] = reduce;
    }
    answer = answer.expecting(0, Type::tensor(a_shape, a.dtype));
    answer = answer.expecting(1, Type::tensor(b_shape, b.dtype));
    shape[rank - 1] = b.shape[b_outer].clone();
    answer.out = Type::tensor(shape, out_dtype);
    Ok(answer)
}

pub(super) fn batch_matmul(site: &Site<'_>) -> Result<Answer, Stop> {
    let (x, y) = (site.of_rank(0, 3)?, site.of_rank(1, 3)?);
    let dtype = site.dtype("out_dtype")?.unwrap_or(x.dtype);
    let (ta, tb) = (site.bool("transpose_a")?, site.bool("transpose_b")?);
    let (xi, xk) = if ta { (2, 1) } else { (1, 2) };
    let (yk, yj) = if tb { (2, 1) } else { (1, 2) };
    let is_dynamic = x.shape.contains(&Dim::Any) || y.shape.contains(&Dim::Any);
    let (xb, yb) = (&x.shape[0], &y.shape[0]);
    if !is_dynamic {
        if !xb.is(1) && !yb.is(1) && xb.differs(yb) {
            return Mistake::new(
                Code::ShapeMismatch,
                format!(
                    "the batch of {} is {xb}, that of {} is {yb}",
                    site.input(0),
                    site.input(1)
                ),
            )
            .at_dims([(0, 0), (1, 0)])
            .between(xb, yb)
            .stop();
        }
        site.same_dim((0, xk), (1, yk))?;
    }
    let batch = xb.with(yb, |x, y| Some(x.max(y)));
    Answer::tensor([batch, x.shape[xi].clone(), y.shape[yj].clone()], dtype)
}

pub(super) fn dense_pack(site: &Site<'_>) -> Result<Answer, Stop> {
    let (data, weight) = (site.of_rank(0, 2)?, site.tensor(1)?);
    if !(3..=4).contains(&weight.rank()) {
        return site.wrong_rank(1, "3 or 4 dimensions");
    }
    let units = product(&[weight.shape[0].clone(), weight.shape[2].clone()]);
    let dtype = site.dtype("out_dtype")?.unwrap_or(data.dtype);
    Answer::tensor([data.shape[0].clone(), units], dtype)
}

fn bitserial_dense(site: &Site<'_>) -> Result<Answer, Stop> {
    let data = site.tensor(0)?;
    let mut shape = data.shape.to_vec();
    let dtype = site.dtype("out_dtype")?.unwrap_or(data.dtype);
    match shape.last_mut() {
        Some(last) => *last = Dim::Int(site.int("units")?),
        None => return site.wrong_rank(0, "at least 1 dimension"),
    }
    Answer::tensor(shape, dtype)
}

/// Applies the rule that Relax has for the same operator.
fn einsum(site: &Site<'_>) -> Result<Answer, Stop> {
    let first = site.tensors(0)?.first().map(|it| it.dtype);
    let equation = Value::Str(site.str("equation")?);
    let tensors = site
        .types
        .first()
        .and_then(|it| struct_info::of(it, &mut None));
    let (Some(dtype), Some(tensors)) = (first, tensors) else {
        return Err(Stop::Unknown);
    };
    let op = ops::by_script("einsum", Release::NEWEST).ok_or(Stop::Unknown)?;
    let call = ops::Call {
        op,
        args: &[Some(Value::Expr(tensors)), Some(equation)],
        cx: &SymCx::default(),
        release: Release::NEWEST,
        oldest: Release::NEWEST,
        vdevices: &[],
    };
    match ops::infer(&call) {
        Ok(StructInfo::Tensor(tensor)) => {
            let dims = tensor.dims().ok_or(Stop::Unknown)?.iter();
            let dims: Option<Vec<Dim>> = dims.map(|it| SymExpr::as_int(it).map(Dim::Int)).collect();
            Answer::tensor(dims.ok_or(Stop::Unknown)?, dtype)
        }
        Err(ops::Stop::Error(error)) => {
            let message = format!("`einsum`: {}", error.message);
            Mistake::new(Code::ArgumentValue, message).of([0]).stop()
        }
        Ok(_) | Err(ops::Stop::Unknown) => Err(Stop::Unknown),
    }
}
