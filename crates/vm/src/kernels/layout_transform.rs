//! `layout_transform`: moves each element to the position that a function of its indices gives.

use relax::ops::layout_extents;
use relax::sym::SymExpr;

use super::{Arg, Args, Kernel};
use crate::error::{RunError, RunResult};
use crate::tensor::{Scalar, Tensor, dispatch};
use crate::value::Value;

fn layout_transform(args: &Args<'_>) -> RunResult<Value> {
    let x = args.operand(0)?;
    let Arg::IndexMap(map) = args.get("index_map") else {
        return Err(RunError::argument(
            "argument index_map must be a function of indices",
        ));
    };
    if map.inputs.len() != x.ndim() {
        return Err(RunError::shape(format!(
            "a map of {} indices for {} dimensions",
            map.inputs.len(),
            x.ndim()
        )));
    }
    let not_a_layout = || RunError::unsupported("this index map is not a layout");
    let dims: Vec<SymExpr> = x.shape().iter().map(|&d| SymExpr::int(d as i64)).collect();
    let shape = layout_extents(&map, &dims)
        .and_then(|extents| {
            let known = |e: &SymExpr| usize::try_from(e.as_int()?).ok();
            extents.iter().map(known).collect::<Option<Vec<_>>>()
        })
        .ok_or_else(not_a_layout)?;
    let pad = match args.opt_tensor("pad_value")? {
        None => Scalar::Int(0),
        Some(pad) => pad
            .get(0)
            .ok_or_else(|| RunError::argument("pad_value is empty"))?,
    };
    let (kind, own) = (x.kind(), x.shape());
    let mut result = Tensor::full(kind, &shape, pad)?;
    let steps = super::shape::steps_of(own);
    let place = |i: usize| -> Option<usize> {
        let index = |axis: usize| (i / steps[axis].unsigned_abs() % own[axis]) as i64;
        map.outputs
            .iter()
            .zip(&shape)
            .try_fold(0, |at, (output, &extent)| {
                let to = output
                    .eval(&|var| map.inputs.iter().position(|input| input == var).map(index))?;
                let to = usize::try_from(to).ok().filter(|&to| to < extent)?;
                Some(at * extent + to)
            })
    };
    dispatch!(kind, T => {
        let values = x.values::<T>()?;
        let out = result.values_mut::<T>()?;
        for (i, &value) in values.iter().enumerate() {
            out[place(i).ok_or_else(not_a_layout)?] = value;
        }
    });
    Ok(result.into())
}

pub(super) static KERNELS: &[Kernel] = &[Kernel::new("relax.layout_transform", layout_transform)];

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use relax::sym::{SymExpr, SymVar};
    use relax::value::IndexMap;

    use super::super::{Arg, lookup};
    use crate::tensor::Tensor;

    #[test]
    fn elements_follow_the_index_map_and_the_rest_is_padding() {
        let i = SymVar {
            name: "i".into(),
            id: 0,
        };
        let var = SymExpr::var(i.clone());
        let four = SymExpr::int(4);
        let map = IndexMap {
            inputs: vec![i],
            outputs: vec![var.floormod(&four), var.floordiv(&four)],
        };
        let x = Tensor::from_fn(&[6], |i| i as f32).unwrap();
        let op = relax::ops::by_name("relax.layout_transform", relax::Release::NEWEST).unwrap();
        let args = [
            Arg::Value(x.into()),
            Arg::IndexMap(Arc::new(map)),
            Arg::Float(-1.0),
        ];
        let kernel = lookup(op.name).unwrap();
        let y = kernel.call(op.params, &args, None).unwrap();
        let y = y.as_tensor().unwrap();
        assert_eq!(y.shape(), [4, 2]);
        let values = y.values::<f32>().unwrap();
        assert_eq!(&*values, &[0., 4., 1., 5., 2., -1., 3., -1.]);
    }
}
