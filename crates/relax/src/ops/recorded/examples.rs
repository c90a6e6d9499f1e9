//! Examples of calls, with the results and messages of the rules, without records.
//!
//! A line is an operator, its operands in the records' notation, and its attributes. `UPDATE_EXPECT=1` rewrites
//! results.

use crate::release::Release;
use std::fmt::Write as _;

use expect_test::{Expect, expect};
use serde_json::{Value as Json, json};

use super::{Call, Naming, Stop, bind};
use crate::sym::SymCx;

/// Prints each line of `calls` with its result.
fn check(release: Release, calls: &str, expect: Expect) {
    let mut out = String::new();
    for line in calls.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let _ = writeln!(out, "{line}\n    {}", outcome(release, line));
    }
    expect.assert_eq(&out);
}

fn outcome(release: Release, line: &str) -> String {
    let mut parts = line.split(" · ");
    let name = parts.next().unwrap_or_default();
    let (mut args, mut attrs) = (Vec::new(), json!({}));
    for part in parts {
        if part.starts_with('{') {
            attrs = serde_json::from_str(part).expect("attributes are JSON");
        } else {
            let kind = if part.starts_with("Shape(") {
                "ShapeExpr"
            } else {
                "Var"
            };
            args.push(json!({"k": kind, "t": part}));
        }
    }
    let record: Json = json!({"args": args, "attrs": attrs});
    let op = crate::ops::by_script(name, release).expect("an operator");
    let mut naming = Naming::default();
    let bound = match bind(op, &record, release, &mut naming) {
        Ok(bound) => bound.expect("every operand is written"),
        Err(why) => return why,
    };
    let cx = SymCx::default();
    let call = Call {
        op,
        args: &bound,
        cx: &cx,
        release,
        oldest: release,
        vdevices: &[],
    };
    match crate::ops::infer(&call) {
        Ok(sinfo) => sinfo.display(release.dialect()).to_string(),
        Err(Stop::Unknown) => "unknown".to_owned(),
        Err(Stop::Error(error)) => {
            let others = error.related.iter().map(|(_, note)| format!(" ({note})"));
            format!("{}{}", error.message, others.collect::<String>())
        }
    }
}

#[test]
fn convolutions() {
    check(
        Release::NEWEST,
        r#"
        nn.conv2d · Tensor((1, 3, 8, 8), float32) · Tensor((4, 3, 3, 3), float32) · {"padding": [1, 1]}
        nn.conv2d · Tensor((n, 8, 8, 4), float32) · Tensor((3, 3, 4, 6), float32) · {"data_layout": "NHWC", "kernel_layout": "HWIO", "strides": 2}
        nn.conv2d · Tensor((1, 4, 8, 8, 16), float32) · Tensor((2, 4, 1, 1, 16, 16), float32) · {"data_layout": "NCHW16c", "kernel_layout": "OIHW16i16o"}
        nn.conv2d · Tensor(ndim=4, dtype=float32) · Tensor((4, 3, 3, 3), float32) · {}
        nn.conv2d · Tensor((1, 3, 8, 8), float32) · Tensor((4, 4, 3, 3), float32) · {}
        nn.conv2d · Tensor((1, 6, 8, 8), float32) · Tensor((4, 2, 3, 3), float32) · {"groups": 3}
        nn.conv2d · Tensor((1, 3, 8, 8), float32) · Tensor((4, 3, 3, 3), float16) · {}
        nn.conv2d · Tensor((3, 8, 8), float32) · Tensor((4, 3, 3, 3), float32) · {}
        nn.conv2d · Tensor((1, 3, 8, 8), float32) · Tensor((4, 3, 3, 3), float32) · {"data_layout": "NCDHW"}
        nn.conv2d · Tensor((1, 3, 8, 8), float32) · Tensor((4, 3, 3, 3), float32) · {"padding": [1, 1, 1]}
        nn.conv1d_transpose · Tensor((1, 3, n), float32) · Tensor((3, 5, 4), float32) · {"strides": 2, "output_padding": 1}
        nn.conv1d_transpose · Tensor((1, 3, n), float32) · Tensor((3, 5, 4), float32) · {"strides": 2, "output_padding": 2}
        "#,
        expect![[r#"
            nn.conv2d · Tensor((1, 3, 8, 8), float32) · Tensor((4, 3, 3, 3), float32) · {"padding": [1, 1]}
                R.Tensor((1, 4, 8, 8), dtype="float32")
            nn.conv2d · Tensor((n, 8, 8, 4), float32) · Tensor((3, 3, 4, 6), float32) · {"data_layout": "NHWC", "kernel_layout": "HWIO", "strides": 2}
                R.Tensor((n, 3, 3, 6), dtype="float32")
            nn.conv2d · Tensor((1, 4, 8, 8, 16), float32) · Tensor((2, 4, 1, 1, 16, 16), float32) · {"data_layout": "NCHW16c", "kernel_layout": "OIHW16i16o"}
                R.Tensor((1, 2, 8, 8, 16), dtype="float32")
            nn.conv2d · Tensor(ndim=4, dtype=float32) · Tensor((4, 3, 3, 3), float32) · {}
                R.Tensor(dtype="float32", ndim=4)
            nn.conv2d · Tensor((1, 3, 8, 8), float32) · Tensor((4, 4, 3, 3), float32) · {}
                `data` has `3` channels, but `weight` takes `4` (`4` input channels here)
            nn.conv2d · Tensor((1, 6, 8, 8), float32) · Tensor((4, 2, 3, 3), float32) · {"groups": 3}
                the number of output channels, `4`, is not divisible by the number of groups, 3 (the number of groups)
            nn.conv2d · Tensor((1, 3, 8, 8), float32) · Tensor((4, 3, 3, 3), float16) · {}
                `data` is `float32` but `weight` is `float16`: the operands must have the same dtype (`float32` here)
            nn.conv2d · Tensor((3, 8, 8), float32) · Tensor((4, 3, 3, 3), float32) · {}
                `data` must have 4 dimensions, but has 3
            nn.conv2d · Tensor((1, 3, 8, 8), float32) · Tensor((4, 3, 3, 3), float32) · {"data_layout": "NCDHW"}
                the layout `NCDHW` is not a permutation of the axes of `data`
            nn.conv2d · Tensor((1, 3, 8, 8), float32) · Tensor((4, 3, 3, 3), float32) · {"padding": [1, 1, 1]}
                `padding` must have 1, 2 or 4 elements, but has 3
            nn.conv1d_transpose · Tensor((1, 3, n), float32) · Tensor((3, 5, 4), float32) · {"strides": 2, "output_padding": 1}
                R.Tensor((1, 5, n * 2 + 3), dtype="float32")
            nn.conv1d_transpose · Tensor((1, 3, n), float32) · Tensor((3, 5, 4), float32) · {"strides": 2, "output_padding": 2}
                `output_padding` must be less than the stride, but `2` is not less than `2` (a stride of `2`)
        "#]],
    );
}

#[test]
fn pooling() {
    let calls = r#"
        nn.max_pool2d · Tensor((1, 3, 9, 9), float32) · {"pool_size": [2, 2], "strides": [2, 2]}
        nn.max_pool2d · Tensor((1, 3, 9, 9), float32) · {"pool_size": [2, 2], "strides": [2, 2], "ceil_mode": true}
        nn.max_pool1d · Tensor((1, 3, 4), float32) · {"pool_size": [1], "strides": [3], "padding": 1, "ceil_mode": true}
        nn.avg_pool1d · Tensor((1, 3, n), float32) · {"pool_size": 3, "strides": 2, "ceil_mode": true}
        nn.adaptive_avg_pool2d · Tensor((1, 8, 8, 3), float32) · {"output_size": 1, "layout": "NHWC"}
        nn.avg_pool3d · Tensor((1, 3, 8, 8), float32) · {}
        nn.max_pool2d · Tensor((1, 3, 9, 9), float32) · {"strides": [2, 2, 2]}
        "#;
    check(
        Release::V0_19,
        calls,
        expect![[r#"
            nn.max_pool2d · Tensor((1, 3, 9, 9), float32) · {"pool_size": [2, 2], "strides": [2, 2]}
                R.Tensor((1, 3, 4, 4), dtype="float32")
            nn.max_pool2d · Tensor((1, 3, 9, 9), float32) · {"pool_size": [2, 2], "strides": [2, 2], "ceil_mode": true}
                R.Tensor((1, 3, 5, 5), dtype="float32")
            nn.max_pool1d · Tensor((1, 3, 4), float32) · {"pool_size": [1], "strides": [3], "padding": 1, "ceil_mode": true}
                R.Tensor((1, 3, 3), dtype="float32")
            nn.avg_pool1d · Tensor((1, 3, n), float32) · {"pool_size": 3, "strides": 2, "ceil_mode": true}
                R.Tensor((1, 3, n // 2), dtype="float32")
            nn.adaptive_avg_pool2d · Tensor((1, 8, 8, 3), float32) · {"output_size": 1, "layout": "NHWC"}
                R.Tensor((1, 1, 1, 3), dtype="float32")
            nn.avg_pool3d · Tensor((1, 3, 8, 8), float32) · {}
                `data` must have 5 dimensions, but has 4
            nn.max_pool2d · Tensor((1, 3, 9, 9), float32) · {"strides": [2, 2, 2]}
                `strides` must have 2 elements, but has 3
        "#]],
    );
    check(
        Release::NEWEST,
        calls,
        expect![[r#"
            nn.max_pool2d · Tensor((1, 3, 9, 9), float32) · {"pool_size": [2, 2], "strides": [2, 2]}
                R.Tensor((1, 3, 4, 4), dtype="float32")
            nn.max_pool2d · Tensor((1, 3, 9, 9), float32) · {"pool_size": [2, 2], "strides": [2, 2], "ceil_mode": true}
                R.Tensor((1, 3, 5, 5), dtype="float32")
            nn.max_pool1d · Tensor((1, 3, 4), float32) · {"pool_size": [1], "strides": [3], "padding": 1, "ceil_mode": true}
                R.Tensor((1, 3, 2), dtype="float32")
            nn.avg_pool1d · Tensor((1, 3, n), float32) · {"pool_size": 3, "strides": 2, "ceil_mode": true}
                R.Tensor((1, 3, n // 2), dtype="float32")
            nn.adaptive_avg_pool2d · Tensor((1, 8, 8, 3), float32) · {"output_size": 1, "layout": "NHWC"}
                R.Tensor((1, 1, 1, 3), dtype="float32")
            nn.avg_pool3d · Tensor((1, 3, 8, 8), float32) · {}
                `data` must have 5 dimensions, but has 4
            nn.max_pool2d · Tensor((1, 3, 9, 9), float32) · {"strides": [2, 2, 2]}
                `strides` must have 2 elements, but has 3
        "#]],
    );
}

#[test]
fn normalization() {
    check(
        Release::NEWEST,
        r#"
        nn.layer_norm · Tensor((2, n, 16), float32) · Tensor((16,), float32) · Tensor((16,), float32) · {"axes": [-1]}
        nn.layer_norm · Tensor((2, n), float32) · Tensor((m,), float32) · Tensor((m,), float32) · {"axes": [-1]}
        nn.layer_norm · Tensor((2, n, 16), float32) · Tensor((8,), float32) · Tensor((16,), float32) · {"axes": [-1]}
        nn.layer_norm · Tensor((2, n, 16), float32) · Tensor((16,), float32) · Tensor((16,), float32) · {"axes": [1, -2]}
        nn.rms_norm · Tensor((2, 16), int32) · Tensor((16,), int32) · {"axes": [-1]}
        nn.rms_norm · Tensor((2, 16), float32) · Tensor((2, 16), float32) · {"axes": [-1]}
        nn.batch_norm · Tensor((2, 3, 8), float32) · Tensor((3,), float32) · Tensor((3,), float32) · Tensor((3,), float32) · Tensor((3,), float16) · {"axis": 1}
        nn.group_norm · Tensor((2, 6, 8), float32) · Tensor((6,), float32) · Tensor((6,), float32) · {"num_groups": 4, "channel_axis": 1, "axes": [2]}
        nn.group_norm · Tensor((2, 6, 8), float32) · Tensor((6,), float32) · Tensor((6,), float32) · {"num_groups": 2, "channel_axis": 1, "axes": [1]}
        nn.instance_norm · Tensor((2, 6, 8), float32) · Tensor((8,), float32) · Tensor((6,), float32) · {"channel_axis": 1, "axes": [2]}
        "#,
        expect![[r#"
            nn.layer_norm · Tensor((2, n, 16), float32) · Tensor((16,), float32) · Tensor((16,), float32) · {"axes": [-1]}
                R.Tensor((2, n, 16), dtype="float32")
            nn.layer_norm · Tensor((2, n), float32) · Tensor((m,), float32) · Tensor((m,), float32) · {"axes": [-1]}
                R.Tensor(dtype="float32", ndim=2)
            nn.layer_norm · Tensor((2, n, 16), float32) · Tensor((8,), float32) · Tensor((16,), float32) · {"axes": [-1]}
                the extent along the axis of `gamma` is `8`, but that of `data` is `16` (`16` here)
            nn.layer_norm · Tensor((2, n, 16), float32) · Tensor((16,), float32) · Tensor((16,), float32) · {"axes": [1, -2]}
                `axes` names axis 1 twice
            nn.rms_norm · Tensor((2, 16), int32) · Tensor((16,), int32) · {"axes": [-1]}
                `data` must have a float dtype, but is `int32`
            nn.rms_norm · Tensor((2, 16), float32) · Tensor((2, 16), float32) · {"axes": [-1]}
                `weight` must have as many dimensions as there are axes, 1, but it has 2 (the axes)
            nn.batch_norm · Tensor((2, 3, 8), float32) · Tensor((3,), float32) · Tensor((3,), float32) · Tensor((3,), float32) · Tensor((3,), float16) · {"axis": 1}
                `moving_var` is `float16`, but `data` is `float32` (`float32` here)
            nn.group_norm · Tensor((2, 6, 8), float32) · Tensor((6,), float32) · Tensor((6,), float32) · {"num_groups": 4, "channel_axis": 1, "axes": [2]}
                the number of channels, `6`, is not divisible by the number of groups, 4 (the number of groups)
            nn.group_norm · Tensor((2, 6, 8), float32) · Tensor((6,), float32) · Tensor((6,), float32) · {"num_groups": 2, "channel_axis": 1, "axes": [1]}
                axis `1` holds the channels and cannot be among `axes` (the axes)
            nn.instance_norm · Tensor((2, 6, 8), float32) · Tensor((8,), float32) · Tensor((6,), float32) · {"channel_axis": 1, "axes": [2]}
                the number of channels of `gamma` is `8`, but that of `data` is `6` (`6` here)
        "#]],
    );
}

#[test]
fn attention_and_losses() {
    check(
        Release::NEWEST,
        r#"
        nn.attention · Tensor((b, s, 8, 64), float16) · Tensor((b, t, 2, 64), float16) · Tensor((b, t, 2, 32), float16) · {}
        nn.attention · Tensor((2, s, 8, 64), float16) · Tensor((2, t, 3, 64), float16) · Tensor((2, t, 3, 64), float16) · {}
        nn.attention · Tensor((2, 8, 64), float16) · Tensor((2, t, 3, 64), float16) · Tensor((2, t, 3, 64), float16) · {}
        nn.attention_bias · Tensor((2, 4, 8, 64), float16) · Tensor((2, 6, 8, 64), float16) · Tensor((2, 6, 8, 64), float16) · Tensor((2, 1, 4, 5), float16) · {}
        nn.cross_entropy_with_logits · Tensor((2, n), float32) · Tensor((3, n), float32) · {}
        nn.nll_loss · Tensor((2, 5, 7), float32) · Tensor((2, 7), int64) · Tensor((5,), float32) · {"reduction": "none"}
        nn.nll_loss · Tensor((2, 5, 7), float32) · Tensor((2, 7), int64) · Tensor((4,), float32) · {}
        nn.nll_loss · Tensor((5,), float32) · Tensor((2,), int64) · {}
        nn.nll_loss · Tensor((2, 5), float32) · Tensor((2,), float32) · {}
        nn.nll_loss · Tensor((2, 5), float32) · Tensor((2,), int64) · {"reduction": "avg"}
        "#,
        expect![[r#"
            nn.attention · Tensor((b, s, 8, 64), float16) · Tensor((b, t, 2, 64), float16) · Tensor((b, t, 2, 32), float16) · {}
                R.Tensor((b, s, 8, 32), dtype="float16")
            nn.attention · Tensor((2, s, 8, 64), float16) · Tensor((2, t, 3, 64), float16) · Tensor((2, t, 3, 64), float16) · {}
                the number of heads of `query`, `8`, is not a multiple of that of `key`, `3` (`3` heads here)
            nn.attention · Tensor((2, 8, 64), float16) · Tensor((2, t, 3, 64), float16) · Tensor((2, t, 3, 64), float16) · {}
                `query` must have 4 dimensions, (batch, sequence, heads, features), but has 3
            nn.attention_bias · Tensor((2, 4, 8, 64), float16) · Tensor((2, 6, 8, 64), float16) · Tensor((2, 6, 8, 64), float16) · Tensor((2, 1, 4, 5), float16) · {}
                the sequence length of `bias` is `5`, but that of `key` is `6` (`6` here)
            nn.cross_entropy_with_logits · Tensor((2, n), float32) · Tensor((3, n), float32) · {}
                the extent along axis 0 of `labels` is `3`, but that of `predictions` is `2` (`2` here)
            nn.nll_loss · Tensor((2, 5, 7), float32) · Tensor((2, 7), int64) · Tensor((5,), float32) · {"reduction": "none"}
                R.Tensor((2, 7), dtype="float32")
            nn.nll_loss · Tensor((2, 5, 7), float32) · Tensor((2, 7), int64) · Tensor((4,), float32) · {}
                the number of classes of `weights` is `4`, but that of `predictions` is `5` (`5` here)
            nn.nll_loss · Tensor((5,), float32) · Tensor((2,), int64) · {}
                `predictions` has no batch, so `targets` must be a single class (one dimension here, that of the classes)
            nn.nll_loss · Tensor((2, 5), float32) · Tensor((2,), float32) · {}
                `targets` must be integers, but is `float32`
            nn.nll_loss · Tensor((2, 5), float32) · Tensor((2,), int64) · {"reduction": "avg"}
                `reduction` must be `none`, `sum` or `mean`, but is `avg`
        "#]],
    );
}

#[test]
fn shapes_of_images_and_boxes() {
    check(
        Release::NEWEST,
        r#"
        image.resize2d · Tensor((1, 8, 8, 3), float32) · Shape((h, 16)) · {"layout": "NHWC"}
        image.resize2d · Tensor((1, 3, 8, 8), float32) · {"size": 4}
        image.resize3d · Tensor((1, 3, 8, 8), float32) · Shape((4, 4, 4)) · {}
        image.resize2d · Tensor((1, 3, 8, 8), float32) · Shape((4, 4, 4)) · {}
        image.affine_grid · Tensor((n, 2, 4), float32) · Shape((4, 4)) · {}
        image.grid_sample · Tensor((n, 3, 8, 8), float32) · Tensor((n, 2, 4, 5), float32) · {}
        vision.roi_align · Tensor((1, 3, 32, 32), float32) · Tensor((r, 5), float32) · {"pooled_size": 7, "spatial_scale": 1.0}
        vision.roi_align · Tensor((1, 3, 32, 32), float32) · Tensor((r, 4), float32) · {"pooled_size": 7, "spatial_scale": 1.0}
        vision.non_max_suppression · Tensor((2, 10, 6), float32) · Tensor((2,), int32) · Tensor((2, 9), int32) · {}
        "#,
        expect![[r#"
            image.resize2d · Tensor((1, 8, 8, 3), float32) · Shape((h, 16)) · {"layout": "NHWC"}
                R.Tensor((1, h, 16, 3), dtype="float32")
            image.resize2d · Tensor((1, 3, 8, 8), float32) · {"size": 4}
                R.Tensor((1, 3, 4, 4), dtype="float32")
            image.resize3d · Tensor((1, 3, 8, 8), float32) · Shape((4, 4, 4)) · {}
                `data` must have 5 dimensions, but has 4
            image.resize2d · Tensor((1, 3, 8, 8), float32) · Shape((4, 4, 4)) · {}
                `size` must have 2 dimensions, but has 3
            image.affine_grid · Tensor((n, 2, 4), float32) · Shape((4, 4)) · {}
                dimension 2 of `data` must be `3` for 2 spatial axes, but is `4` (2 spatial axes here)
            image.grid_sample · Tensor((n, 3, 8, 8), float32) · Tensor((n, 2, 4, 5), float32) · {}
                R.Tensor((n, 3, 4, 5), dtype="float32")
            vision.roi_align · Tensor((1, 3, 32, 32), float32) · Tensor((r, 5), float32) · {"pooled_size": 7, "spatial_scale": 1.0}
                R.Tensor((r, 3, 7, 7), dtype="float32")
            vision.roi_align · Tensor((1, 3, 32, 32), float32) · Tensor((r, 4), float32) · {"pooled_size": 7, "spatial_scale": 1.0}
                dimension 1 of `rois` must be `5`, but is `4`
            vision.non_max_suppression · Tensor((2, 10, 6), float32) · Tensor((2,), int32) · Tensor((2, 9), int32) · {}
                the number of boxes of `indices` is `9`, but that of `data` is `10` (`10` here)
        "#]],
    );
}

#[test]
fn memory_operators_and_disco() {
    check(
        Release::NEWEST,
        r#"
        memory.view · Tensor((4, 8), float32) · Shape((4, 16)) · {"dtype": "float16"}
        memory.view · Tensor((4, 8), float32) · Shape((4, 16)) · {"dtype": null}
        memory.view · Tensor((4, 8), float32) · {"shape": null, "dtype": "float64"}
        memory.view · Tensor((4, 8), float32) · {"shape": null, "dtype": null, "relative_byte_offset": 4}
        vm.alloc_tensor · Object · {"offset": 0, "shape": [2, 3], "dtype": "float16"}
        ccl.allgather · Tensor((n, 4), float32) · {"num_workers": 2}
        ccl.scatter_from_worker0 · Tensor((n, 5), float32) · {"num_workers": 2, "axis": 1}
        ccl.allreduce · Tensor((n, 5), float32) · {"op_type": "median"}
        nn.pad · Tensor((2, n), float32) · {"pad_width": [0, 0, 1, 2]}
        nn.pad · Tensor((2, n), float32) · {"pad_width": [0, 0]}
        nn.pixel_shuffle · Tensor((1, 9, h, w), float32) · {"upscale_factor": 2}
        assert_op · Tensor((2,), bool) · {}
        assert_op · Tensor((), bool) · {}
        tensor_to_shape · Tensor((3,), int64) · {}
        inspect.tensor_shape_i · Tensor((3, n), int64) · {"axis": 2}
        "#,
        expect![[r#"
            memory.view · Tensor((4, 8), float32) · Shape((4, 16)) · {"dtype": "float16"}
                R.Tensor((4, 16), dtype="float16")
            memory.view · Tensor((4, 8), float32) · Shape((4, 16)) · {"dtype": null}
                the view ends at byte `256`, but `data` has `128` bytes (the tensor that is viewed)
            memory.view · Tensor((4, 8), float32) · {"shape": null, "dtype": "float64"}
                the view ends at byte `256`, but `data` has `128` bytes (the tensor that is viewed)
            memory.view · Tensor((4, 8), float32) · {"shape": null, "dtype": null, "relative_byte_offset": 4}
                the view ends at byte `132`, but `data` has `128` bytes (the tensor that is viewed)
            vm.alloc_tensor · Object · {"offset": 0, "shape": [2, 3], "dtype": "float16"}
                R.Tensor(dtype="float16")
            ccl.allgather · Tensor((n, 4), float32) · {"num_workers": 2}
                R.Tensor((n * 2, 4), dtype="float32")
            ccl.scatter_from_worker0 · Tensor((n, 5), float32) · {"num_workers": 2, "axis": 1}
                dimension 1 of `x`, `5`, is not divisible among 2 workers (the number of workers)
            ccl.allreduce · Tensor((n, 5), float32) · {"op_type": "median"}
                `op_type` must be one of sum, prod, min, max, avg, but is `median`
            nn.pad · Tensor((2, n), float32) · {"pad_width": [0, 0, 1, 2]}
                R.Tensor((2, n + 3), dtype="float32")
            nn.pad · Tensor((2, n), float32) · {"pad_width": [0, 0]}
                `pad_width` must have 4 elements, two for each dimension, but has 2 (2 dimensions here)
            nn.pixel_shuffle · Tensor((1, 9, h, w), float32) · {"upscale_factor": 2}
                the number of channels is `9`, which is not a multiple of `4`, the square of `upscale_factor` (`2` here)
            assert_op · Tensor((2,), bool) · {}
                `condition` must have 0 dimensions, but has 1
            assert_op · Tensor((), bool) · {}
                R.Tuple
            tensor_to_shape · Tensor((3,), int64) · {}
                R.Shape(ndim=3)
            inspect.tensor_shape_i · Tensor((3, n), int64) · {"axis": 2}
                axis `2` is out of range for a tensor of 2 dimensions
        "#]],
    );
}

#[test]
fn scalars_kept_their_value_until_tvm_0_24() {
    let calls = r#"
        inspect.tensor_ndim · Tensor((3, n), int64) · {}
        inspect.tensor_stride_i · Tensor((3, n, 4), int64) · {"axis": 0}
        inspect.tensor_dtype_code · Tensor((3, n), int64) · {}
        "#;
    check(
        Release::V0_19,
        calls,
        expect![[r#"
            inspect.tensor_ndim · Tensor((3, n), int64) · {}
                R.Prim(value=2)
            inspect.tensor_stride_i · Tensor((3, n, 4), int64) · {"axis": 0}
                R.Prim(value=n * 4)
            inspect.tensor_dtype_code · Tensor((3, n), int64) · {}
                R.Prim(value=0)
        "#]],
    );
    check(
        Release::NEWEST,
        calls,
        expect![[r#"
            inspect.tensor_ndim · Tensor((3, n), int64) · {}
                R.Prim("int32")
            inspect.tensor_stride_i · Tensor((3, n, 4), int64) · {"axis": 0}
                R.Prim("int64")
            inspect.tensor_dtype_code · Tensor((3, n), int64) · {}
                R.Prim("uint8")
        "#]],
    );
}

#[test]
fn scatter_elements_only_checks_data_of_known_rank() {
    let calls = r#"
        scatter_elements · Tensor(dtype=bool) · Tensor(dtype=bool) · Tensor((n, n), int32) · {}
        scatter_elements · Tensor(ndim=2, dtype=bool) · Tensor(dtype=bool) · Tensor((n, n), bool) · {}
        "#;
    check(
        Release::NEWEST,
        calls,
        expect![[r#"
        scatter_elements · Tensor(dtype=bool) · Tensor(dtype=bool) · Tensor((n, n), int32) · {}
            R.Tensor(dtype="bool")
        scatter_elements · Tensor(ndim=2, dtype=bool) · Tensor(dtype=bool) · Tensor((n, n), bool) · {}
            `indices` is `bool` but must have an integer dtype
    "#]],
    );
}
