//! Operators that change a tensor's dtype.

use super::{At, Call, Default, Infer, Kind, OpDef, OpErrorKind, opt, req};

const SOURCE: &str = "src/relax/op/tensor/datatype.cc";

pub(super) static OPS: &[OpDef] = &[
    OpDef::new(
        "relax.astype",
        &[
            req("x", Kind::Tensor).doc("The input tensor."),
            req("dtype", Kind::DType).doc("The dtype of the result."),
        ],
        cast,
    )
    .doc(
        "Converts each element to another dtype.",
        "x: (…) → (…), dtype",
        "R.astype(x, \"float16\")",
    )
    .source(SOURCE)
    .familiar(&["cast"])
    .usage(12),
    OpDef::new(
        "relax.wrap_param",
        &[
            req("data", Kind::Tensor).doc("The parameter."),
            opt("dtype", Kind::DType, Default::Str("float32")).doc("The dtype of the result."),
        ],
        cast,
    )
    .doc(
        "Converts a parameter of the model; passes can distinguish it from other conversions.",
        "data: (…) → (…), dtype",
        "R.wrap_param(data, \"float16\")",
    )
    .source(SOURCE),
];

fn cast(c: &Call<'_>) -> Infer {
    let mut tensor = c.tensor(0)?;
    // In TVM, `""` and `"void"` are an unknown dtype.
    tensor.dtype = c.dtype(1)?;
    if !c.is_given(1) {
        return Err(c.error(OpErrorKind::DType, At::param(1), "a dtype must be given"));
    }
    Ok(tensor.into())
}
