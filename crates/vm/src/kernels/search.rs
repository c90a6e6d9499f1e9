//! Sorting and searching, including results of data-dependent shape.

use super::{Args, Kernel, compare, map};
use crate::error::RunResult;
use crate::tensor::Kind;
use crate::value::Value;

/// Returns the bucket between sorted boundaries for each element.
fn bucketize(args: &Args<'_>) -> RunResult<Value> {
    let (x, boundaries) = (args.operand(0)?, args.operand(1)?);
    let right = args.bool_or("right", false)?;
    let kind = if args.bool_or("out_int32", false)? {
        Kind::I32
    } else {
        Kind::I64
    };
    let (x, boundaries) = (x.cast(Kind::F64)?, boundaries.cast(Kind::F64)?);
    let boundaries = boundaries.values::<f64>()?;
    // Follows TVM's binary search, so that unsorted boundaries give the same result.
    let buckets = map::unary::<f64, i64>(&x, 8, |v| {
        let (mut low, mut high) = (0, boundaries.len());
        while low < high {
            let middle = low + (high - low) / 2;
            let boundary = boundaries[middle];
            if boundary < v || right && boundary == v {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low as i64
    })?;
    Ok(buckets.cast(kind)?.into())
}

pub(super) static KERNELS: &[Kernel] = &[
    Kernel::new("relax.bucketize", bucketize),
    Kernel::new("relax.where", compare::select),
];
