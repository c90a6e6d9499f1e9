//! Infers which axes of a result are sharded, given those of distributed operands.
//!
//! Wraps the inference rules, which only see plain tensors.

use std::sync::Arc;

use smol_str::SmolStr;

use super::{At, Call, Infer, OpErrorKind, Rule, Stop, explicit_dims};
use crate::sinfo::{DTensor, StructInfo, Tensor};
use crate::sym::SymExpr;
use crate::value::Value;

/// How the axes of the operands map to axes of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharding {
    /// The rule itself handles distributed tensors.
    Own,
    Same,
    Broadcast,
    /// All axes stay except those of parameter `axis`.
    Reduce,
    Matmul,
    Permute,
    Reshape,
}

/// Infers a call by its operator's rule, and the sharding of the result if operands are distributed.
pub(super) fn infer(call: &Call<'_>) -> Infer {
    let Rule::Infer(rule) = call.op.rule else {
        return Err(Stop::Unknown);
    };
    let operands = sharded_operands(call);
    let Some((_, first)) = operands.first() else {
        return rule(call);
    };
    match call.op.sharding {
        Some(Sharding::Own) => rule(call),
        Some(sharding) => {
            only_sharded(call, &operands)?;
            let StructInfo::Tensor(result) = rule(call)? else {
                return Err(Stop::Unknown);
            };
            let placement = placement(call, sharding, &operands, &result)?;
            Ok(StructInfo::DTensor(Arc::new(DTensor {
                tensor: result,
                mesh: first.mesh.clone(),
                placement,
            })))
        }
        None => Err(call.error(
            OpErrorKind::Type,
            At::param(operands[0].0),
            "the operator does not take distributed tensors",
        )),
    }
}

type Operand = (usize, Arc<DTensor>);

fn sharded_operands(call: &Call<'_>) -> Vec<Operand> {
    let operands = call.args.iter().enumerate();
    operands
        .filter_map(|(i, value)| match value {
            Some(Value::Expr(StructInfo::DTensor(tensor))) => Some((i, tensor.clone())),
            _ => None,
        })
        .collect()
}

/// Checks that distributed tensors are not mixed with others, or with those of another mesh.
fn only_sharded(call: &Call<'_>, operands: &[Operand]) -> Result<(), Stop> {
    let (at, first) = &operands[0];
    for i in 0..call.op.params.len() {
        if let Some(StructInfo::Tensor(_)) = call.value(i).struct_info() {
            return Err(call.error_with(
                OpErrorKind::Type,
                At::param(i),
                format!(
                    "`{}` is a Tensor, but `{}` is a DTensor: a call cannot mix them",
                    call.name(i),
                    call.name(*at)
                ),
                At::param(*at),
                "the DTensor",
            ));
        }
    }
    match operands.iter().find(|(_, other)| other.mesh != first.mesh) {
        Some((i, other)) => Err(call.error_with(
            OpErrorKind::Value,
            At::param(*i),
            format!(
                "`{}` lies on `{}`, but `{}` lies on `{}`",
                call.name(*i),
                other.mesh,
                call.name(*at),
                first.mesh
            ),
            At::param(*at),
            "the other mesh",
        )),
        None => Ok(()),
    }
}

/// Returns, for each dimension of the mesh, the axis of the result that it shards.
fn placement(
    call: &Call<'_>,
    sharding: Sharding,
    operands: &[Operand],
    result: &Tensor,
) -> Result<Vec<SmolStr>, Stop> {
    let meshes = operands.iter().map(|(_, t)| t.placement.len()).max();
    let mut shards: Vec<Option<usize>> = vec![None; meshes.unwrap_or(0)];
    for (i, operand) in operands {
        for (mesh, spec) in operand.placement.iter().enumerate() {
            let Some(axis) = sharded_axis(spec) else {
                continue;
            };
            let Some(axis) = follow(call, sharding, *i, axis, operands, result)? else {
                continue;
            };
            if let Some(other) = shards
                .iter()
                .enumerate()
                .position(|(m, shard)| m != mesh && *shard == Some(axis))
            {
                return Err(call.error(
                    OpErrorKind::Value,
                    At::param(*i),
                    format!(
                        "axis {axis} of the result would be sharded over dimensions {other} and {mesh} of the mesh"
                    ),
                ));
            }
            shards[mesh] = shards[mesh].max(Some(axis));
        }
    }
    Ok(shards
        .into_iter()
        .map(|shard| match shard {
            Some(axis) => SmolStr::new(format!("S[{axis}]")),
            None => SmolStr::new_static("R"),
        })
        .collect())
}

fn sharded_axis(spec: &str) -> Option<usize> {
    spec.strip_prefix("S[")?.strip_suffix(']')?.parse().ok()
}

/// Returns the axis of the result that axis `axis` of operand `i` becomes, or `None` if it disappears.
fn follow(
    call: &Call<'_>,
    sharding: Sharding,
    i: usize,
    axis: usize,
    operands: &[Operand],
    result: &Tensor,
) -> Result<Option<usize>, Stop> {
    let tensor = |at: usize| {
        operands
            .iter()
            .find(|(k, _)| *k == at)
            .map(|(_, t)| &t.tensor)
    };
    let (Some(operand), Some(ndim)) = (tensor(i), result.ndim()) else {
        return Err(Stop::Unknown);
    };
    let rank = operand.ndim().ok_or(Stop::Unknown)?;
    if axis >= rank {
        return Err(Stop::Unknown);
    }
    Ok(match sharding {
        Sharding::Own | Sharding::Same => Some(axis),
        Sharding::Broadcast => {
            let other = tensor(1 - i.min(1));
            aligned(operand, axis, other).then(|| (axis + ndim).saturating_sub(rank))
        }
        Sharding::Reduce => reduced(call, axis, rank)?.filter(|&axis| axis < ndim),
        Sharding::Permute => match call.op.param("axes").map(|at| call.axes(at, rank)) {
            Some(axes) => match axes? {
                Some(axes) => axes.iter().position(|&from| from == axis),
                None => Some(rank - 1 - axis),
            },
            None => None,
        },
        Sharding::Matmul => {
            let other = tensor(1 - i.min(1)).ok_or(Stop::Unknown)?;
            product_axis(i == 0, axis, operand, other)
        }
        Sharding::Reshape => match (explicit_dims(operand), result.dims()) {
            (Some(old), Some(new)) => reshaped(call, axis, old, new),
            _ => return Err(Stop::Unknown),
        },
    })
}

/// Returns `true` if the axis determines the axis of a broadcast result. One of extent 1 does not, if the other is
/// longer.
fn aligned(operand: &Tensor, axis: usize, other: Option<&Tensor>) -> bool {
    let from_end = |tensor: &Tensor, at: usize| -> Option<SymExpr> {
        let dims = explicit_dims(tensor)?;
        dims.get(dims.len().checked_sub(at)?).cloned()
    };
    let Some(rank) = operand.ndim() else {
        return false;
    };
    let at = rank - axis;
    let own = from_end(operand, at);
    let beside = other.and_then(|other| from_end(other, at));
    let is_one = |dim: &SymExpr| dim.as_int() == Some(1);
    match (own, beside) {
        (Some(own), Some(beside)) => !is_one(&own) || is_one(&beside),
        _ => true,
    }
}

fn reduced(call: &Call<'_>, axis: usize, rank: usize) -> Result<Option<usize>, Stop> {
    let axes = match call.op.param("axis") {
        Some(at) => call.axes(at, rank)?.unwrap_or_default(),
        None => Vec::new(),
    };
    let keeps = match call.op.param("keepdims") {
        Some(at) => call.bool(at)?,
        None => true,
    };
    if axes.contains(&axis) {
        return Ok(None);
    }
    let gone = axes.iter().filter(|&&other| other < axis).count();
    Ok(Some(if keeps { axis } else { axis - gone }))
}

/// Maps axes of a matrix product: batch axes are aligned at the end, then rows of `x1`, then columns of `x2`.
fn product_axis(left: bool, axis: usize, operand: &Tensor, other: &Tensor) -> Option<usize> {
    let (rank, other_rank) = (operand.ndim()?, other.ndim()?);
    let batch = rank.saturating_sub(2);
    let batches = batch.max(other_rank.saturating_sub(2));
    if axis < batch {
        // Only compare batch axes.
        let strip = |tensor: &Tensor| {
            explicit_dims(tensor).map(|dims| {
                Tensor::new(dims[..dims.len().saturating_sub(2)].to_vec(), tensor.dtype)
            })
        };
        let (operand, other) = (strip(operand)?, strip(other));
        return aligned(&operand, axis, other.as_ref()).then(|| axis + batches - batch);
    }
    match (left, rank) {
        (true, 1) => None,
        (true, _) => (axis == rank - 2).then_some(batches),
        (false, 1) => None,
        (false, _) => {
            let rows = usize::from(other_rank > 1);
            (axis == rank - 1).then_some(batches + rows)
        }
    }
}

/// Returns the axis of `new` that begins where axis `axis` of `old` does, counted in elements from the end. As in TVM,
/// the first axes do not correspond.
fn reshaped(call: &Call<'_>, axis: usize, old: &[SymExpr], new: &[SymExpr]) -> Option<usize> {
    if axis == 0 {
        return None;
    }
    let own = SymExpr::product(&old[axis..]);
    (1..new.len()).find(|&at| {
        let after = SymExpr::product(&new[at..]);
        call.cx.equal(&after, &own).is_yes()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtype::DType;
    use crate::ops::by_name;
    use crate::release::Release;
    use crate::sym::SymCx;

    fn sharded(dims: &[i64], placement: &[&str]) -> Value {
        let dims: Vec<SymExpr> = dims.iter().map(|&d| SymExpr::int(d)).collect();
        Value::Expr(StructInfo::DTensor(Arc::new(DTensor {
            tensor: Tensor::new(dims, Some(DType::F32)),
            mesh: "mesh[0]".into(),
            placement: placement.iter().map(SmolStr::new).collect(),
        })))
    }

    fn placed(name: &str, args: &[Value]) -> Result<String, String> {
        let op = by_name(name, Release::NEWEST).expect("an operator");
        let args: Vec<Option<Value>> = args.iter().cloned().map(Some).collect();
        let cx = SymCx::default();
        let call = Call {
            op,
            args: &args,
            cx: &cx,
            release: Release::NEWEST,
            oldest: Release::NEWEST,
            vdevices: &[],
        };
        match infer(&call) {
            Ok(StructInfo::DTensor(tensor)) => Ok(tensor.placement.join(", ")),
            Ok(_) => Err("not distributed".to_owned()),
            Err(Stop::Unknown) => Err("unknown".to_owned()),
            Err(Stop::Error(error)) => Err(error.message),
        }
    }

    #[test]
    fn elementwise_results_keep_the_placement_of_the_operand() {
        let x = sharded(&[8, 4], &["S[1]"]);
        assert_eq!(placed("relax.exp", &[x]), Ok("S[1]".to_owned()));
    }

    #[test]
    fn broadcast_axes_are_counted_from_the_end() {
        let (x, y) = (sharded(&[2, 8, 4], &["R"]), sharded(&[8, 4], &["S[0]"]));
        assert_eq!(placed("relax.add", &[x, y]), Ok("S[1]".to_owned()));
    }

    #[test]
    fn rows_and_columns_shard_a_product() {
        let (x, y) = (
            sharded(&[8, 4], &["S[0]", "R"]),
            sharded(&[4, 6], &["R", "S[1]"]),
        );
        assert_eq!(placed("relax.matmul", &[x, y]), Ok("S[0], S[1]".to_owned()));
    }

    #[test]
    fn the_inner_axis_of_a_product_is_removed() {
        let (x, y) = (sharded(&[8, 4], &["S[1]"]), sharded(&[4, 6], &["S[0]"]));
        assert_eq!(placed("relax.matmul", &[x, y]), Ok("R".to_owned()));
    }

    #[test]
    fn a_reduced_axis_is_removed_and_later_axes_shift() {
        let args = [sharded(&[8, 4, 2], &["S[2]", "S[0]"]), Value::Int(0)];
        assert_eq!(placed("relax.sum", &args), Ok("S[1], R".to_owned()));
    }

    #[test]
    fn a_reshape_keeps_axes_that_start_at_the_same_offset() {
        let shape = Value::List([2, 4, 4].map(Value::Int).to_vec().into());
        let args = [sharded(&[8, 4], &["S[1]"]), shape.clone()];
        assert_eq!(placed("relax.reshape", &args), Ok("S[2]".to_owned()));
        let args = [sharded(&[8, 4], &["S[0]"]), shape];
        assert_eq!(placed("relax.reshape", &args), Ok("R".to_owned()));
    }

    #[test]
    fn a_plain_tensor_beside_a_distributed_one_is_an_error() {
        let plain = Value::Expr(Tensor::new(vec![SymExpr::int(4)], Some(DType::F32)).into());
        let error = placed("relax.add", &[sharded(&[4], &["R"]), plain]).unwrap_err();
        assert!(error.contains("is a Tensor"), "{error}");
    }

    #[test]
    fn an_operator_without_a_distributed_rule_says_so() {
        let error = placed("relax.nn.dropout", &[sharded(&[4], &["R"])]).unwrap_err();
        assert!(error.contains("does not take"), "{error}");
    }
}
