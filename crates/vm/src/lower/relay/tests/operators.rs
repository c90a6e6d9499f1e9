//! Values of operators that Relax expresses with several calls, against TVM 0.19's reference implementations in NumPy.

use std::fmt::Write;

use expect_test::{Expect, expect};

use super::outcome;

/// Replaces `data[2, 3]` by a tensor of that shape with the elements 0, 1, 2, ..., and runs the expression.
fn check(expression: &str, expected: Expect) {
    let mut text = String::new();
    let mut rest = expression;
    while let Some((before, after)) = rest.split_once("data[") {
        let (shape, after) = after.split_once(']').unwrap();
        let count: u32 = shape
            .split(", ")
            .map(|it| it.parse::<u32>().unwrap())
            .product();
        text += before;
        let _ = write!(
            text,
            "reshape(arange(0f, {count}f, 1f, start=0f, stop={count}f, step=1f, dtype=\"float32\"), newshape=[{shape}])"
        );
        rest = after;
    }
    text += rest;
    expected.assert_eq(&outcome(&format!(
        "#[version = \"0.0.5\"]\ndef @main() {{\n  {text}\n}}"
    )));
}

#[test]
fn blocks_move_between_depth_and_space() {
    check(
        "(nn.depth_to_space(data[1, 8, 1, 1], block_size=2), nn.depth_to_space(data[1, 8, 1, 1], block_size=2, mode=\"CRD\"))",
        expect!["([0.0 2.0 4.0 6.0 1.0 3.0 5.0 7.0], [0.0 1.0 2.0 3.0 4.0 5.0 6.0 7.0])"],
    );
    check(
        "nn.depth_to_space(data[1, 1, 1, 8], block_size=2, layout=\"NHWC\")",
        expect!["[0.0 1.0 2.0 3.0 4.0 5.0 6.0 7.0]"],
    );
    check(
        "(nn.space_to_depth(data[1, 2, 2, 2], block_size=2), nn.space_to_depth(data[1, 2, 2, 2], block_size=2, layout=\"NHWC\"))",
        expect!["([0.0 4.0 1.0 5.0 2.0 6.0 3.0 7.0], [0.0 1.0 2.0 3.0 4.0 5.0 6.0 7.0])"],
    );
    check(
        "vision.yolo_reorg(data[1, 4, 2, 2], stride=2)",
        expect!["[0.0 2.0 8.0 10.0 1.0 3.0 9.0 11.0 4.0 6.0 12.0 14.0 5.0 7.0 13.0 15.0]"],
    );
}

#[test]
fn blocks_move_between_batch_and_space() {
    check(
        "nn.space_to_batch_nd(data[1, 3, 2], block_shape=[2, 2], paddings=[[0, 1], [0, 0]], pad_value=9f)",
        expect!["[0.0 4.0 1.0 5.0 2.0 9.0 3.0 9.0]"],
    );
    check(
        "nn.batch_to_space_nd(data[4, 2, 1], block_shape=[2, 2], crops=[[0, 1], [0, 0]])",
        expect!["[0.0 2.0 4.0 6.0 1.0 3.0]"],
    );
}

#[test]
fn elements_are_spread_and_windows_slide() {
    check(
        "nn.dilate(data[2, 2], strides=[2, 3], dilation_value=7f)",
        expect!["[0.0 7.0 7.0 1.0 7.0 7.0 7.0 7.0 2.0 7.0 7.0 3.0]"],
    );
    check(
        "sliding_window(data[3, 4], axis=0, window_shape=[2, 3], strides=[1, 1])",
        expect![
            "[0.0 1.0 2.0 4.0 5.0 6.0 1.0 2.0 3.0 5.0 6.0 7.0 4.0 5.0 6.0 8.0 9.0 10.0 5.0 6.0 7.0 9.0 10.0 11.0]"
        ],
    );
}

#[test]
fn searches_count_the_elements_before() {
    check(
        "(searchsorted(data[4], data[2, 3]), searchsorted(data[4], data[2, 3], right=True))",
        expect!["([0 1 2 3 4 4], [1 2 3 4 4 4])"],
    );
    check(
        "searchsorted(data[2, 3], data[2, 3], right=True)",
        expect!["[1 2 3 1 2 3]"],
    );
}

#[test]
fn indices_are_taken_apart_and_permutations_inverted() {
    check(
        "(unravel_index(cast(data[6], dtype=\"int32\"), cast(add(data[2], 2f), dtype=\"int32\")), invert_permutation(cast(reverse(data[3], axis=0), dtype=\"int32\")))",
        expect!["([0 0 0 1 1 1 0 1 2 0 1 2], [2 1 0])"],
    );
}

#[test]
fn diagonals_are_set_by_their_alignment() {
    check(
        "matrix_set_diag(zeros(shape=[3, 4], dtype=\"float32\"), data[3], k1=1, k2=1)",
        expect!["[0.0 0.0 0.0 0.0 0.0 0.0 1.0 0.0 0.0 0.0 0.0 2.0]"],
    );
    let aligned = |above: &str, below: &str, expected| {
        check(
            &format!(
                "matrix_set_diag(zeros(shape=[3, 3], dtype=\"float32\"), data[3, 3], k1=-1, k2=1, super_diag_right_align={above}, sub_diag_right_align={below})"
            ),
            expected,
        );
    };
    aligned(
        "True",
        "False",
        expect!["[3.0 1.0 0.0 6.0 4.0 2.0 0.0 7.0 5.0]"],
    );
    aligned(
        "False",
        "True",
        expect!["[3.0 0.0 0.0 7.0 4.0 1.0 0.0 8.0 5.0]"],
    );
    aligned(
        "False",
        "False",
        expect!["[3.0 0.0 0.0 6.0 4.0 1.0 0.0 7.0 5.0]"],
    );
    aligned(
        "True",
        "True",
        expect!["[3.0 1.0 0.0 7.0 4.0 2.0 0.0 8.0 5.0]"],
    );
}

#[test]
fn channels_are_normalized_by_their_neighbours() {
    check(
        "nn.lrn(data[1, 3, 1, 2], size=3, bias=2f, alpha=0.5f, beta=1f)",
        expect![
            "[0.0 0.27272728085517883 0.3750000298023224 0.3829787075519562 0.7500000596046448 0.6521739363670349]"
        ],
    );
    check(
        "nn.lrn(data[1, 1, 2, 3], size=3, axis=3, bias=2f, alpha=0.5f, beta=1f)",
        expect![
            "[0.0 0.3529411852359772 0.7058823704719543 0.4864864945411682 0.3870967924594879 0.5660377144813538]"
        ],
    );
}

#[test]
fn a_buffer_keeps_what_was_appended_last() {
    check(
        "nn.fifo_buffer(data[1, 2], zeros(shape=[3, 2], dtype=\"float32\"), axis=0)",
        expect!["[0.0 0.0 0.0 0.0 0.0 1.0]"],
    );
}

#[test]
fn images_of_one_and_three_axes_are_resized() {
    check(
        "image.resize1d(data[1, 1, 2], size=[4])",
        expect!["[0.0 0.25 0.75 1.0]"],
    );
    check(
        "image.resize3d(data[1, 1, 1, 1, 2], size=[1, 1, 4])",
        expect!["[0.0 0.25 0.75 1.0]"],
    );
}

#[test]
fn gradients_of_pooling_and_of_kernels_are_sums_over_windows() {
    check(
        "nn.max_pool2d_grad(add(data[1, 1, 1, 1], 7f), data[1, 1, 2, 2], pool_size=[2, 2], strides=[2, 2])",
        expect!["[0.0 0.0 0.0 7.0]"],
    );
    check(
        "nn.conv2d_backward_weight(data[2, 2, 2, 2], data[2, 3, 3, 3], kernel_size=[2, 2], kernel_layout=\"NCHW\", out_layout=\"OIHW\")",
        expect![
            "[1128.0 1172.0 1260.0 1304.0 1524.0 1568.0 1656.0 1700.0 1920.0 1964.0 2052.0 2096.0 1624.0 1700.0 1852.0 1928.0 2308.0 2384.0 2536.0 2612.0 2992.0 3068.0 3220.0 3296.0]"
        ],
    );
}

#[test]
fn packed_weights_are_unpacked_and_images_dilated() {
    check(
        "nn.contrib_dense_pack(data[1, 3], data[2, 3, 2], units=4)",
        expect!["[10.0 13.0 28.0 31.0]"],
    );
    check(
        "image.dilation2d(data[1, 1, 3, 3], minimum(data[1, 2, 2], 2f))",
        expect!["[6.0 7.0 9.0 10.0]"],
    );
}

#[test]
fn boxes_of_images_are_cropped_and_resized() {
    check(
        "image.crop_and_resize(data[1, 1, 3, 3], multiply(data[1, 4], 0.4f), cast(data[1], dtype=\"int32\"), crop_size=[2, 2], extrapolation_value=-1f)",
        expect!["[0.7999999523162842 -1.0 5.600000381469727 -1.0]"],
    );
    check(
        "image.crop_and_resize(data[1, 3, 3, 1], multiply(data[1, 4], 0.3f), cast(data[1], dtype=\"int32\"), crop_size=[2, 1], layout=\"NHWC\", method=\"nearest_neighbor\")",
        expect!["[1.0 4.0]"],
    );
}

#[test]
fn windows_are_deformed_by_their_offsets() {
    check(
        "nn.deformable_conv2d(data[1, 2, 3, 3], subtract(multiply(data[1, 16, 2, 2], 0.1f), 1.5f), data[1, 2, 2, 2], deformable_groups=2, channels=1, kernel_size=[2, 2])",
        expect!["[95.10000610351563 10.400001525878906 83.80000305175781 19.399999618530273]"],
    );
}

#[test]
fn windows_are_compared_with_those_around_them() {
    check(
        "nn.correlation(data[1, 2, 2, 2], data[1, 2, 2, 2], padding=[1, 1])",
        expect![
            "[0.0 0.0 0.0 14.0 0.0 0.0 12.0 19.0 0.0 0.0 16.0 0.0 0.0 10.0 0.0 24.0 8.0 13.0 20.0 29.0 10.0 0.0 24.0 0.0 0.0 16.0 0.0 0.0 12.0 19.0 0.0 0.0 14.0 0.0 0.0 0.0]"
        ],
    );
    check(
        "nn.correlation(data[1, 1, 6, 6], multiply(data[1, 1, 6, 6], 2f), kernel_size=3, max_displacement=1, stride1=2, is_multiply=False)",
        expect![
            "[4.222222328186035 4.666666507720947 5.333333492279053 12.0 14.0 16.0 24.0 26.0 28.0]"
        ],
    );
}

#[test]
fn boxes_lie_around_the_pixels_of_an_image() {
    check(
        "vision.multibox_prior(data[1, 1, 1, 2], sizes=[0.5f], ratios=[1f, 4f])",
        expect![
            "[0.125 0.25 0.375 0.75 0.0 0.375 0.5 0.625 0.625 0.25 0.875 0.75 0.5 0.375 1.0 0.625]"
        ],
    );
}

#[test]
fn boxes_of_objects_are_moved_and_come_first() {
    let moved = |attributes: &str, expected| {
        check(
            &format!(
                "vision.multibox_transform_loc(multiply(data[1, 3, 2], 0.125f), multiply(data[1, 8], 0.125f), multiply(data[1, 2, 4], 0.125f), {attributes})"
            ),
            expected,
        );
    };
    moved(
        "clip=False, threshold=0.55f",
        expect![
            "([1.0 0.625 0.49227070808410645 0.6167192459106445 0.7827292680740356 0.9145307540893555 -1.0 0.5 -0.00640888512134552 0.11838948726654053 0.2564088702201843 0.3878605365753174], [1])"
        ],
    );
    moved(
        "threshold=0.55f, keep_background=True",
        expect![
            "([0.0 0.5 0.0 0.11838948726654053 0.2564088702201843 0.3878605365753174 2.0 0.625 0.49227070808410645 0.6167192459106445 0.7827292680740356 0.9145307540893555], [2])"
        ],
    );
}

#[test]
fn sparse_matrices_are_multiplied_added_and_transposed() {
    let matrix = "add(data[3], 1f), cast(data[3], dtype=\"int32\"), cast(minimum(multiply(data[3], 2f), 3f), dtype=\"int32\")";
    check(
        &format!("(nn.sparse_dense(data[2, 3], {matrix}), nn.sparse_add(data[2, 3], {matrix}))"),
        expect!["([2.0 6.0 11.0 15.0], [1.0 3.0 2.0 3.0 4.0 8.0])"],
    );
    check(
        "nn.sparse_dense(data[1, 4], data[2, 1, 2], cast(subtract(1f, data[2]), dtype=\"int32\"), cast(data[3], dtype=\"int32\"))",
        expect!["[3.0 3.0]"],
    );
    check(
        "nn.sparse_conv2d(data[1, 4, 1, 1], data[2, 1, 2], cast(subtract(1f, data[2]), dtype=\"int32\"), cast(data[3], dtype=\"int32\"), layout=\"NCHW\")",
        expect!["[3.0 3.0]"],
    );
    check(
        "nn.sparse_transpose(data[3], cast(subtract(2f, data[3]), dtype=\"int32\"), cast(minimum(multiply(data[4], 2f), 3f), dtype=\"int32\"))",
        expect!["([2.0 1.0 0.0], [1 0 0], [0 1 2 3])"],
    );
    check(
        "sparse_reshape(cast(data[2, 2], dtype=\"int64\"), cast(add(data[2], 4f), dtype=\"int64\"), cast(subtract(multiply(data[2], 6f), 1f), dtype=\"int64\"))",
        expect!["([0 1 2 3], [4 5])"],
    );
}

#[test]
fn equal_elements_are_counted_once() {
    let data = "subtract(3f, floor_mod(multiply(data[6], 5f), 4f))";
    check(
        &format!("unique({data}, sorted=True, return_counts=True)"),
        expect!["([0.0 1.0 2.0 3.0 0.0 0.0], [3 2 1 0 6 6], [3 2 1 0 3 2], [4], [1 1 2 2 0 0])"],
    );
    check(
        &format!("unique({data}, sorted=False, return_counts=True)"),
        expect!["([3.0 2.0 1.0 0.0 0.0 0.0], [0 1 2 3 6 6], [0 1 2 3 0 1], [4], [2 2 1 1 0 0])"],
    );
}

#[test]
fn channels_are_multiplied_in_fixed_point() {
    check(
        "fixed_point_multiply_per_axis(cast(multiply(data[2, 2], 8f), dtype=\"int32\"), cast(multiply(add(data[2], 1f), 536870912f), dtype=\"int32\"), cast(data[2], dtype=\"int32\"), cast(data[2], dtype=\"int32\"), is_lshift_required=True, axes=[1])",
        expect!["[0 4 4 12]"],
    );
}
