//! One kernel for each operator, keyed by TVM's name as the operator table is.
//!
//! A kernel sees its arguments by the table's parameter names and computes one value. It knows no bytecode, no
//! registers and no source; shapes and dtypes are checked here again, because a run may contradict its annotations.

mod args;
mod attention;
mod binary;
mod compare;
mod conv;
mod create;
mod gemm;
mod image;
mod index;
mod layout;
mod linalg;
mod loss;
mod manipulate;
mod map;
mod math;
mod meta;
mod norm;
mod pool;
mod qdq;
mod rearrange;
mod reduce;
mod regions;
mod scan;
mod scatter;
mod search;
mod softmax;
mod suppression;
mod unary;
mod window;

use std::sync::LazyLock;

use relax::ops::Param;
use rustc_hash::FxHashMap;

pub use args::{Arg, Args, Out};

use crate::error::RunError;
use crate::value::Value;

/// What runs one operator.
#[derive(Debug)]
pub struct Kernel {
    /// TVM's name: `relax.nn.conv2d`.
    pub name: &'static str,
    run: fn(&Args<'_>) -> Result<Value, RunError>,
}

impl Kernel {
    pub const fn new(name: &'static str, run: fn(&Args<'_>) -> Result<Value, RunError>) -> Kernel {
        Kernel { name, run }
    }

    /// Runs it. `args[i]` is the argument of `params[i]`; a starred parameter takes one [`Arg::List`].
    pub fn call(
        &self,
        params: &[Param],
        args: &[Arg],
        out: Option<&Out>,
    ) -> Result<Value, RunError> {
        let args = Args::new(params, args, out);
        (self.run)(&args).map_err(|error| error.at(|| args.describe_call(self.name)))
    }
}

/// The kernels of every family. A new family is a file under `kernels/` and a line here.
static FAMILIES: &[&[Kernel]] = &[
    unary::KERNELS,
    binary::KERNELS,
    compare::KERNELS,
    create::KERNELS,
    manipulate::KERNELS,
    rearrange::KERNELS,
    index::KERNELS,
    reduce::KERNELS,
    layout::KERNELS,
    linalg::KERNELS,
    conv::KERNELS,
    pool::KERNELS,
    norm::KERNELS,
    softmax::KERNELS,
    attention::KERNELS,
    loss::KERNELS,
    scan::KERNELS,
    scatter::KERNELS,
    search::KERNELS,
    qdq::KERNELS,
    image::KERNELS,
    regions::KERNELS,
    suppression::KERNELS,
    meta::KERNELS,
];

static BY_NAME: LazyLock<FxHashMap<&'static str, &'static Kernel>> =
    LazyLock::new(|| all().map(|kernel| (kernel.name, kernel)).collect());

pub fn all() -> impl Iterator<Item = &'static Kernel> {
    FAMILIES.iter().flat_map(|family| family.iter())
}

/// The kernel of an operator by TVM's name; `None` before the run starts is where a missing one is told.
pub fn lookup(op: &str) -> Option<&'static Kernel> {
    BY_NAME.get(op).copied()
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod robustness;
