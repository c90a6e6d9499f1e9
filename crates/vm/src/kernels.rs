//! The kernels: one implementation per operator, keyed by TVM's name like the operator table.
//!
//! A kernel gets its arguments by the table's parameter names and computes one value. It knows no bytecode, registers
//! or source. Shapes and dtypes are checked again here, because values at run time may contradict annotations.

mod args;
mod binary;
mod builtin;
mod collapse;
mod compare;
#[cfg(feature = "native")]
pub(crate) mod contract;
mod create;
mod datatype;
mod dist;
mod einsum;
mod extreme;
mod gather;
pub(crate) mod gemm;
mod grad;
mod image;
mod inspect;
mod join;
mod layout_transform;
mod linalg;
mod map;
mod math;
mod memory;
mod narrow;
#[cfg(feature = "native")]
pub(crate) mod narrow_operand;
mod nn;
mod nn_attention;
mod nn_conv;
mod nn_loss;
mod nn_norm;
mod nn_pool;
mod qdq;
mod reduce;
pub mod relay;
mod repeat;
mod sampling;
mod scan;
mod scatter;
mod search;
mod set;
mod shape;
mod shape_of;
mod slice;
mod softmax;
mod sort;
#[cfg(feature = "native")]
pub(crate) mod sweep;
mod ternary;
mod turned;
mod unary;
mod vdevice;
mod vision;
mod window;

use std::sync::LazyLock;

use relax::ops::Param;
use relax::release::Release;
use rustc_hash::FxHashMap;

pub use args::{Arg, Args, Out};

use crate::error::{Fault, RunError, RunResult};
use crate::value::Value;

/// The implementation of one operator.
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

    /// Runs the kernel. `args[i]` is the argument of `params[i]`; a starred parameter takes one [`Arg::List`].
    pub fn call(
        &self,
        params: &[Param],
        args: &[Arg],
        out: Option<&Out>,
    ) -> Result<Value, RunError> {
        let args = Args::new(params, args, out);
        let tiny = args.tiny_dtype().filter(|_| !MOVES.contains(&self.name));
        let result = match tiny {
            Some(dtype) => Err(Fault::UnsupportedDType(dtype).into()),
            None => (self.run)(&args),
        };
        result.map_err(|error| error.at(|| args.describe_call(self.name)))
    }
}

/// The kernels that take numbers of fewer than eight bits: they convert elements, or move them.
const MOVES: &[&str] = &[
    "relax.astype",
    "relax.broadcast_to",
    "relax.concat",
    "relax.expand_dims",
    "relax.flatten",
    "relax.hint_on_device",
    "relax.memory.ensure_zero_offset",
    "relax.memory.view",
    "relax.permute_dims",
    "relax.reshape",
    "relax.split",
    "relax.squeeze",
    "relax.strided_slice",
    "relax.take",
    "relax.to_vdevice",
    "relax.wrap_param",
];

/// The kernels of every family. A new family needs a file in `kernels/`, named like the file of its rows in the
/// operator table, and a line here.
#[rustfmt::skip]
static FAMILIES: &[(&str, &[Kernel])] = &[
    ("unary", unary::KERNELS),
    ("binary", binary::KERNELS),
    ("ternary", ternary::KERNELS),
    ("datatype", datatype::KERNELS),
    ("create", create::KERNELS),
    ("shape", shape::KERNELS),
    ("join", join::KERNELS),
    ("layout_transform", layout_transform::KERNELS),
    ("repeat", repeat::KERNELS),
    ("collapse", collapse::KERNELS),
    ("gather", gather::KERNELS),
    ("scatter", scatter::KERNELS),
    ("slice", slice::KERNELS),
    ("search", search::KERNELS),
    ("reduce", reduce::KERNELS),
    ("sort", sort::KERNELS),
    ("set", set::KERNELS),
    ("linalg", linalg::KERNELS),
    ("einsum", einsum::KERNELS),
    ("sampling", sampling::KERNELS),
    ("qdq", qdq::KERNELS),
    ("nn", nn::KERNELS),
    ("nn_conv", nn_conv::KERNELS),
    ("nn_pool", nn_pool::KERNELS),
    ("nn_norm", nn_norm::KERNELS),
    ("nn_attention", nn_attention::KERNELS),
    ("nn_loss", nn_loss::KERNELS),
    ("image", image::KERNELS),
    ("vision", vision::KERNELS),
    ("dist", dist::KERNELS),
    ("memory", memory::KERNELS),
    ("builtin", builtin::KERNELS),
    ("inspect", inspect::KERNELS),
    ("grad", grad::KERNELS),
    ("shape_of", shape_of::KERNELS),
    ("vdevice", vdevice::KERNELS),
];

static BY_NAME: LazyLock<FxHashMap<&'static str, &'static Kernel>> =
    LazyLock::new(|| all().map(|kernel| (kernel.name, kernel)).collect());

pub fn all() -> impl Iterator<Item = &'static Kernel> {
    FAMILIES.iter().flat_map(|(_, family)| family.iter())
}

/// Returns the kernel of an operator by TVM's name. Lowering reports a missing kernel before the run starts.
pub fn lookup(op: &str) -> Option<&'static Kernel> {
    BY_NAME.get(op).copied()
}

/// The kernel of annotations and placements. With a single device, they do nothing.
fn identity(args: &Args<'_>) -> RunResult<Value> {
    args.first_value()
}

/// Runs an operator's kernel outside of a call of the operator: on `data`, with the other arguments by name.
pub fn compute(op: &str, data: &Value, named: &[(&str, Arg)]) -> RunResult<Value> {
    let (Some(kernel), Some(row)) = (lookup(op), relax::ops::by_name(op, Release::NEWEST)) else {
        return Err(RunError::unsupported(format!("{op} has no kernel")));
    };
    let args: Vec<Arg> = row
        .params
        .iter()
        .enumerate()
        .map(|(at, param)| {
            let given = named.iter().find(|(name, _)| *name == param.name);
            match given {
                Some((_, arg)) => arg.clone(),
                None if at == 0 => Arg::Value(data.clone()),
                None => Arg::Default,
            }
        })
        .collect();
    kernel.call(row.params, &args, None)
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod robustness;
