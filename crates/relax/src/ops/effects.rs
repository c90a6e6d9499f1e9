//! Operators with side effects: print and assert.

use super::Default::{None, Str};
use super::memory::void;
use super::{At, Call, Infer, Kind, OpDef, OpErrorKind, Purity, opt, req, rest};
use crate::dtype::DType;
use crate::release::{Release, Releases};
use crate::sinfo::{Prim, StructInfo};

const SOURCE: &str = "src/relax/op/op.cc";

pub static OPS: &[OpDef] = &[
    OpDef::new(
        "relax.print",
        &[
            rest("values", Kind::Expr).doc("The values to print."),
            opt("format", Kind::Str, Str("")).doc("A Python format string."),
        ],
        void,
    )
    .purity(Purity::Impure)
    .doc(
        "Prints values at run time.",
        "values: any → ()",
        "R.print(x, format=\"x: {}\")",
    )
    .source(SOURCE)
    .usage(29),
    OpDef::new(
        "relax.assert_op",
        &[
            req("condition", Kind::Expr).doc("The condition: a bool or a bool tensor of rank 0."),
            rest("format_args", Kind::Expr).doc("The values that the message formats."),
            opt("format", Kind::Str, Str("")).doc("The message, a Python format string."),
        ],
        assert_op,
    )
    .releases(Releases::only(Release::Rfc))
    .purity(Purity::Impure)
    .doc(
        "Stops the run if a condition does not hold.",
        "condition: () bool → ()",
        "_ = R.assert_op(condition, x, format=\"x: {}\")",
    )
    .source(SOURCE),
    OpDef::new(
        "relax.assert_op",
        &[
            req("condition", Kind::Expr).doc("The condition: a bool or a bool tensor of rank 0."),
            opt("format_args", Kind::Expr, None)
                .doc("The values that the message formats: one or a list."),
            opt("format", Kind::Str, Str("")).doc("The message, a Python format string."),
        ],
        assert_op,
    )
    .releases(Releases::since(Release::Unity))
    .purity(Purity::Impure)
    .doc(
        "Stops the run if a condition does not hold.",
        "condition: () bool → ()",
        "R.assert_op(condition, x, format=\"x: {}\")",
    )
    .source(SOURCE)
    .usage(35),
];

fn assert_op(c: &Call<'_>) -> Infer {
    let (dtype, ndim) = match c.sinfo(0)? {
        StructInfo::Prim(Prim { dtype, .. }) => (dtype, Some(0)),
        StructInfo::Tensor(tensor) => (tensor.dtype, tensor.ndim()),
        StructInfo::DTensor(dtensor) => (dtensor.tensor.dtype, dtensor.tensor.ndim()),
        _ => return Err(c.wrong_kind(0, "a bool or a bool tensor of rank 0")),
    };
    if let Some(dtype) = dtype.filter(|&dtype| dtype != DType::BOOL) {
        let error = c.error(
            OpErrorKind::DType,
            At::param(0),
            format!("`condition` must be `bool`, but is `{dtype}`"),
        );
        return Err(error.between(DType::BOOL, dtype));
    }
    if let Some(ndim) = ndim.filter(|&ndim| ndim != 0) {
        return Err(c.rank(0, ndim, 0));
    }
    void(c)
}
