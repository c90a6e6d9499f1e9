//! The operators that Relax cannot express, and why.

const NO_RANDOM: &str = "Relax draws no random numbers from the state of a generator";
const NO_FOURIER: &str = "Relax has no Fourier transform";
const NO_BITS: &str = "Relax has no operators on packed bits";
const PREPARED: &str =
    "it computes on a weight that a pass of TVM 0.19 has prepared for a kernel of its own";
const LOWERED: &str =
    "it is made by passes of TVM 0.19 that lower a module; translate the module before them";
const CALIBRATED: &str = "it only exists while TVM 0.19 searches scales for a quantization";
const OPEN_COUNT: &str =
    "its result has as many rows as its values say, and Relax cannot loop over them";
const BOXES: &str = "Relax has no operator for this selection of boxes";
const OUTSIDE: &str = "it runs code of Python that the text does not have";

const REASONS: &[(&str, &str)] = &[
    ("random.multinomial", NO_RANDOM),
    ("random.normal", NO_RANDOM),
    ("random.threefry_generate", NO_RANDOM),
    ("random.threefry_split", NO_RANDOM),
    ("random.uniform", NO_RANDOM),
    ("dft", NO_FOURIER),
    ("stft", NO_FOURIER),
    ("nn.bitpack", NO_BITS),
    ("nn.bitserial_conv2d", NO_BITS),
    ("nn.bitserial_dense", NO_BITS),
    ("auto_scheduler_layout_transform", PREPARED),
    ("meta_schedule_layout_transform", PREPARED),
    ("nn.contrib_conv2d_gemm_weight_transform", PREPARED),
    ("nn.contrib_conv2d_gemm_without_weight_transform", PREPARED),
    (
        "nn.contrib_conv2d_winograd_nnpack_weight_transform",
        PREPARED,
    ),
    ("nn.contrib_conv2d_winograd_weight_transform", PREPARED),
    (
        "nn.contrib_conv2d_winograd_without_weight_transform",
        PREPARED,
    ),
    ("nn.contrib_conv3d_winograd_weight_transform", PREPARED),
    (
        "nn.contrib_conv3d_winograd_without_weight_transform",
        PREPARED,
    ),
    ("qnn.contrib_dense_pack", PREPARED),
    ("call_lowered", LOWERED),
    ("memory.alloc_storage", LOWERED),
    ("memory.alloc_tensor", LOWERED),
    ("memory.kill", LOWERED),
    ("vm.invoke_tvm_op", LOWERED),
    ("vm.reshape_tensor", LOWERED),
    ("parser.MetaRef", LOWERED),
    ("qnn.simulated_dequantize", CALIBRATED),
    ("qnn.simulated_quantize", CALIBRATED),
    ("relay.op.annotation.simulated_quantize", CALIBRATED),
    ("sparse_fill_empty_rows", OPEN_COUNT),
    ("vision.proposal", BOXES),
    ("vision.regular_non_max_suppression", BOXES),
    ("torch_op", OUTSIDE),
];

/// Returns why an operator has no recipe.
pub fn reason(name: &str) -> Option<&'static str> {
    let row = REASONS.iter().find(|it| it.0 == name)?;
    Some(row.1)
}

/// Returns the operators without a recipe.
#[cfg(test)]
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    REASONS.iter().map(|it| it.0)
}
