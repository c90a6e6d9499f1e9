//! Operators whose meaning changed between releases: the same text means something else, or is rejected.

use super::Release;

/// A change of the meaning of operators. Their inference rules implement it, and `infer/tests/meanings.rs` tests each
/// row.
#[derive(Clone, Copy, Debug)]
pub struct Meaning {
    /// The names of the operators without `R.`.
    pub operators: &'static [&'static str],
    /// The first release with the new meaning.
    pub since: Release,
    pub before: &'static str,
    pub now: &'static str,
    /// The pull request in apache/tvm.
    pub source: &'static str,
}

const fn row(
    operators: &'static [&'static str],
    since: Release,
    before: &'static str,
    now: &'static str,
    source: &'static str,
) -> Meaning {
    Meaning {
        operators,
        since,
        before,
        now,
        source,
    }
}

/// Operators on floats.
const FLOATS: &[&str] = &[
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "cos",
    "cosh",
    "erf",
    "exp",
    "log",
    "rsqrt",
    "sigmoid",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "nn.softmax",
    "nn.log_softmax",
    "nn.gelu",
    "nn.gelu_tanh",
    "nn.selu",
    "nn.silu",
    "nn.batch_norm",
    "nn.layer_norm",
    "nn.instance_norm",
    "nn.rms_norm",
];

/// Operators whose operands have the same dtype.
const ARITHMETIC: &[&str] = &[
    "add",
    "subtract",
    "multiply",
    "divide",
    "floor_divide",
    "power",
    "mod",
    "floor_mod",
    "maximum",
    "minimum",
    "matmul",
    "where",
];

/// Pooling operators.
const POOLS: &[&str] = &[
    "nn.max_pool1d",
    "nn.max_pool2d",
    "nn.max_pool3d",
    "nn.avg_pool1d",
    "nn.avg_pool2d",
    "nn.avg_pool3d",
];

/// The changes in the order of the releases.
pub const MEANINGS: &[Meaning] = &[
    row(
        &["nonzero"],
        Release::V0_19,
        "the result has one dimension more than the operand",
        "the result has two dimensions",
        "#17511",
    ),
    row(
        &["split"],
        Release::V0_20,
        "one part is a tuple of one tensor",
        "one part is the tensor itself",
        "#17642",
    ),
    row(
        &["nn.pad"],
        Release::V0_20,
        "`(x, pad_width, pad_value, pad_mode)`",
        "`(x, pad_width, pad_mode, pad_value)`",
        "#17657",
    ),
    row(
        FLOATS,
        Release::V0_20,
        "bfloat16 is refused",
        "bfloat16 is taken",
        "#17670",
    ),
    row(
        &["ccl.scatter_from_worker0"],
        Release::V0_20,
        "the extent of axis 0 must be divisible by the number of workers, whichever axis is divided",
        "the extent of the divided axis must be divisible",
        "#17688",
    ),
    row(
        ARITHMETIC,
        Release::V0_22,
        "both dtypes are equal",
        "one dtype may be bool; the result has that of the left operand",
        "#18328",
    ),
    row(
        &["nn.nll_loss"],
        Release::V0_23,
        "targets may be bool, an unsigned integer of one bit",
        "targets are integers; bool is a dtype of its own",
        "#18453",
    ),
    row(
        &["squeeze"],
        Release::V0_23,
        "each axis that is named has the extent 1",
        "an axis of another extent stays as it is",
        "#18478",
    ),
    row(
        &["index_put"],
        Release::V0_23,
        "index tensors have one dimension",
        "index tensors broadcast to each other",
        "#18488",
    ),
    row(
        POOLS,
        Release::V0_23,
        "with `ceil_mode=True`, the last window may start in the padding after the input",
        "such a window is dropped",
        "#18641",
    ),
    row(
        &["quantize", "dequantize"],
        Release::V0_24,
        "zero points are int8 or float16; a scale of one element fits an axis of one",
        "zero points are integers of 8 to 32 bits or float16; a scale of one element fits every axis",
        "#19391",
    ),
    row(
        &["image.grid_sample"],
        Release::V0_26,
        "the grid is `(n, h, w, 2)`",
        "the grid is `(n, 2, h, w)`; of volumes `(n, 3, d, h, w)`",
        "#19816",
    ),
    row(
        &["where"],
        Release::V0_26,
        "the dtype of the condition is known to be bool",
        "the dtype of the condition may be unknown",
        "#19890",
    ),
    row(
        &["quantize", "dequantize"],
        Release::V0_27,
        "the data have at least one dimension",
        "the data may be a scalar",
        "#20126",
    ),
];

impl Meaning {
    /// Returns a sentence for the documentation of one operator.
    pub fn sentence(&self) -> String {
        let since = self.since.title();
        format!("Changed in {since}: {}. Before: {}.", self.now, self.before)
    }
}

/// Returns the changes of an operator in order, given its name without `R.`.
pub fn meanings(operator: &str) -> impl Iterator<Item = &'static Meaning> {
    let rows = MEANINGS.iter();
    rows.filter(move |it| it.operators.contains(&operator))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::by_script;

    #[test]
    fn rows_are_ordered_and_have_a_source() {
        assert!(MEANINGS.is_sorted_by_key(|it| it.since));
        for row in MEANINGS {
            assert!(row.source.starts_with('#'), "{row:?}");
            for name in row.operators {
                assert!(by_script(name, row.since).is_some(), "{name}");
            }
        }
    }
}
