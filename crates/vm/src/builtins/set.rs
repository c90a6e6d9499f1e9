//! Distinct elements and positions of nonzero elements: the packed functions to which TVM lowers `R.unique` and
//! `R.nonzero` (`python/tvm/relax/op/set.py`).

use super::{Builtin, done};
use crate::error::RunResult;
use crate::interp::{Call, Outcome};
use crate::kernels::{self, Arg};

#[rustfmt::skip]
pub(super) const BUILTINS: &[Builtin] = &[
    Builtin { name: "relax.run.nonzero", run: nonzero },
    Builtin { name: "relax.run.unique", run: unique },
];

fn nonzero(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let data = call.value(0)?;
    done(kernels::compute("relax.nonzero", &data, &[])?)
}

/// Arguments `(x, sorted, return_index, return_inverse, return_counts, axis)`. The axis may be omitted.
fn unique(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let data = call.value(0)?;
    let names = ["sorted", "return_index", "return_inverse", "return_counts"];
    let mut named = Vec::with_capacity(names.len() + 1);
    for (at, name) in names.into_iter().enumerate() {
        named.push((name, Arg::Bool(call.int(at + 1)? != 0)));
    }
    if call.len() > 5 {
        named.push(("axis", Arg::Int(call.int(5)?)));
    }
    done(kernels::compute("relax.unique", &data, &named)?)
}
