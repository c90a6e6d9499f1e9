"""The operator calls that record.py runs. Small, our own, one line for each thing that could go wrong."""

from record import T, case, main
import sys
from tvm import relax

FLOATS = ["float32", "float64", "float16"]
INTS = ["int8", "int32", "int64", "uint8", "uint32"]

for op in "ceil floor round trunc sin cos tan tanh sinh cosh asin acos atan asinh atanh erf exp sigmoid abs negative sign square isfinite isinf isnan nn.gelu nn.gelu_tanh nn.relu nn.relu6 nn.selu nn.silu nn.softplus nn.leakyrelu".split():
    case(op, T(3, 7, mul=0.99))
for op in "acosh log rsqrt sqrt".split():
    case(op, T(3, 7, add=2.5))
for op in ["exp", "tanh", "nn.gelu", "nn.silu", "sqrt", "round"]:
    for d in ["float64", "float16"]:
        case(op, T(2, 5, d=d, add=1.25))
for op in ["abs", "negative", "sign", "square", "nn.relu", "bitwise_not"]:
    for d in ["int8", "int32"]:
        case(op, T(2, 5, d=d, mul=60, add=-100))
case("round", T(9, v=[-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 0.49999, 3.5, -3.5]))
case("logical_not", T(2, 5, d="bool"))
case("bitwise_not", T(2, 5, d="bool"))
case("isnan", T(3, v=[float("nan"), 1.0, float("inf")]))
case("isfinite", T(3, v=[float("nan"), 1.0, float("inf")]))
case("exp", T(4, v=[-104.0, -88.0, 88.5, 100.0]))
case("nn.softplus", T(2, 5, mul=30.0), beta=1.5, threshold=10.0)
case("nn.leakyrelu", T(2, 5), alpha=0.3)
case("nn.prelu", T(2, 3, 4), T(3), axis=1)
case("clip", T(3, 7), relax.prim_value(-0.5) if hasattr(relax, "prim_value") else -0.5, 0.25)
for d in ["int32", "float16", "float64", "bool", "int8", "uint8"]:
    case("astype", T(3, 7, mul=3.7, add=4.0 if d == "uint8" else 0.0), d)
    case("astype", T(3, 7, d="int32", mul=77), d)
for op in "add subtract multiply divide power floor_divide floor_mod mod maximum minimum atan2 log_add_exp equal not_equal greater greater_equal less less_equal".split():
    case(op, T(3, 7, add=1.6, k=3), T(3, 7, mul=0.7, add=1.1))
    case(op, T(2, 1, 5, add=1.6), T(3, 1, mul=0.7, add=1.1))
for op in "floor_divide floor_mod mod divide".split():
    case(op, T(3, 7, mul=5.0), T(3, 7, mul=0.7, add=-1.15))
    for d in ["int8", "int32", "int64"]:
        case(op, T(3, 7, d=d, mul=7, add=-13), T(7, d=d, mul=2, add=-3))
for op in "add subtract multiply maximum minimum".split():
    for d in ["int8", "uint8", "int64", "float16", "float64"]:
        case(op, T(3, 7, d=d, mul=50, add=3), T(7, d=d, mul=40, add=-3))
for op in "bitwise_and bitwise_or bitwise_xor left_shift right_shift".split():
    case(op, T(3, 7, d="int32", mul=77), T(7, d="int32"))
for op in "bitwise_and bitwise_or bitwise_xor logical_and logical_or logical_xor".split():
    case(op, T(3, 4, d="bool"), T(2, 3, 4, d="bool"))
case("where", T(3, 1, d="bool"), T(3, 4), T(4))
case("add", T(5, d="bfloat16"), T(5, d="bfloat16"))

case("zeros", [2, 3], "float32")
case("ones", [2, 3], "int8")
case("ones_like", T(2, 3, d="int64"))
case("zeros_like", T(2, 3))
case("full_like", T(2, 3), relax.const(2.5, "float32"))
case("full", [2, 3], relax.const(3, "int32"), "float32")
case("arange", 3, 20, 4, "int64")
case("arange", 1, 2, 0.125, "float32")
case("arange", 7, dtype="int32")
case("eye", 3, 4, 1, "float32")
case("eye_like", T(3, 4), -1)
case("tril", T(2, 4, 5), 1)
case("triu", T(2, 4, 5), -1)
case("hamming_window", 9, True, 0.54, 0.46, "float32")
case("hamming_window", 9, False, 0.5, 0.5, "float32")
case("one_hot", T(2, 3, d="int64"), relax.prim_value(2.0) if hasattr(relax, "prim_value") else 2.0, relax.prim_value(-1.0) if hasattr(relax, "prim_value") else -1.0, 4, 1)

case("reshape", T(3, 8), (2, -1, 3))
case("permute_dims", T(2, 3, 4), [2, 0, 1])
case("permute_dims", T(2, 3, 4))
case("expand_dims", T(3, 4), [0, -1])
case("squeeze", T(1, 3, 1), [0])
case("squeeze", T(1, 3, 1))
case("flatten", T(2, 3))
case("nn.batch_flatten", T(2, 3, 4))
case("concat", (T(2, 3), T(2, 1), T(2, 4)), axis=1)
case("stack", (T(2, 3), T(2, 3)), axis=1)
case("split", T(2, 10), 4, axis=1)
case("split", T(2, 10), [3, 7], axis=1)
case("broadcast_to", T(3, 1), (2, 3, 4))
case("repeat", T(2, 3), 2, axis=1)
case("repeat", T(2, 3), 2)
case("tile", T(2, 3), [2, 1, 2])
case("flip", T(2, 3), axis=1)
case("reverse_sequence", T(3, 5), T(3, d="int64", v=[2, 5, 1]), 1, 0)
case("collapse_sum_to", T(2, 3, 4), (3, 1))
case("collapse_sum_like", T(2, 3, 4), T(3, 1))
case("meshgrid", (T(3), T(4)), indexing="ij")
case("meshgrid", (T(3), T(4)), indexing="xy")
case("nn.pad", T(2, 3), [1, 2, 0, 1], pad_value=1.5)
case("nn.pad", T(2, 5), [0, 0, 2, 1], pad_mode="reflect")
case("nn.pad", T(2, 5), [0, 0, 2, 1], pad_mode="replicate")
case("nn.pad", T(2, 5), [0, 0, 2, 1], pad_mode="circular")

case("take", T(3, 5), T(2, 2, d="int64", v=[0, 2, 1, 1]), axis=0)
case("take", T(3, 5), T(3, d="int32", v=[4, 0, 2]), axis=1)
case("take", T(3, 5), T(3, d="int64", v=[-1, 7, 2]), axis=1, mode="clip")
case("take", T(3, 5), T(3, d="int64", v=[-1, 7, 2]), axis=1, mode="wrap")
case("take", T(3, 5), T(3, d="int64", v=[-1, 7, 2]), axis=1, mode="nan")
case("take", T(6), T(2, d="int64", v=[5, 3]))
case("strided_slice", T(8, 9), axes=[0, 1], begin=[1, 8], end=[7, 0], strides=[2, -3])
case("strided_slice", T(8, 9), axes=[1], begin=[-4], end=[100])
case("strided_slice", T(8, 9), axes=[0], begin=[-100], end=[3])
case("dynamic_strided_slice", T(8, 9), T(2, d="int64", v=[1, 0]), T(2, d="int64", v=[8, 5]), T(2, d="int64", v=[3, 2]))

for op in "sum max min prod mean variance std".split():
    case(op, T(3, 5, 7, mul=0.9), axis=[1])
    case(op, T(3, 5, 7, mul=0.9), axis=[0, 2], keepdims=True)
    case(op, T(3, 50))
for op in "sum max min prod".split():
    case(op, T(3, 5, d="int8", mul=30), axis=[1])
    case(op, T(3, 50, d="int32", mul=-3), axis=[0])
case("mean", T(3, 50, d="float16"), axis=[1])
for op in "argmax argmin".split():
    case(op, T(3, 5, 7), axis=1)
    case(op, T(3, 5, 7), axis=-1, keepdims=True)
    case(op, T(3, 5))
case("median", T(3, 6), axis=[1])
case("median", T(3, 6))

case("matmul", T(5, 7), T(7, 3))
case("matmul", T(2, 3, 5, 7), T(3, 7, 4))
case("matmul", T(2, 5, 7), T(7, 4))
case("matmul", T(7), T(7, 4))
case("matmul", T(2, 5, 7), T(7))
case("matmul", T(7), T(7))
case("matmul", T(1, 40), T(40, 33))
case("matmul", T(5, 7, d="float16"), T(7, 3, d="float16"))
case("matmul", T(5, 7, d="float16"), T(7, 3, d="float16"), out_dtype="float32")
case("matmul", T(5, 7, d="int8", mul=20), T(7, 3, d="int8", mul=20), out_dtype="int32")
case("matmul", T(5, 7, d="int8", mul=20), T(7, 3, d="int8", mul=20))
case("matmul", T(5, 7, d="float64"), T(7, 3, d="float64"))
case("outer", T(3), T(4))
case("einsum", (T(2, 3, 4), T(2, 4, 5)), "bij,bjk->bik")
case("einsum", (T(3, 3),), "ii->i")
case("einsum", (T(3, 4), T(4, 5), T(5, 2)), "ij,jk,kl->il")
case("einsum", (T(2, 3), T(4, 3)), "ij,kj->ki")
case("einsum", (T(2, 3, 4), T(4, 5)), "...j,jk->...k")

case("nn.conv1d", T(2, 4, 9), T(6, 2, 3), strides=2, padding=1, groups=2)
case("nn.conv2d", T(2, 3, 9, 8), T(5, 3, 3, 3), strides=[2, 1], padding=[1, 0, 1, 2], dilation=[1, 2])
case("nn.conv2d", T(1, 8, 8, 4), T(3, 3, 4, 6), padding=1, data_layout="NHWC", kernel_layout="HWIO")
case("nn.conv2d", T(1, 6, 7, 7), T(6, 1, 3, 3), padding=1, groups=6)
case("nn.conv2d", T(1, 8, 5, 5), T(8, 8, 1, 1))
case("nn.conv2d", T(1, 3, 6, 6, d="int8", mul=9), T(4, 3, 3, 3, d="int8", mul=9), out_dtype="int32")
case("nn.conv2d", T(1, 3, 6, 6, d="float16"), T(4, 3, 3, 3, d="float16"))
case("nn.conv3d", T(1, 2, 5, 6, 7), T(4, 2, 3, 2, 3), padding=1, strides=[1, 2, 2])
case("nn.conv1d_transpose", T(1, 4, 7), T(4, 3, 3), strides=2, padding=1, output_padding=1)
case("nn.conv2d_transpose", T(2, 4, 5, 6), T(4, 3, 3, 2), strides=[2, 3], padding=[1, 0, 1, 1])
case("nn.conv2d_transpose", T(1, 4, 5, 6), T(4, 2, 3, 3), strides=2, groups=2, dilation=2)
case("nn.conv3d_transpose", T(1, 2, 3, 4, 4), T(2, 3, 2, 3, 3), strides=2)
for op in "max avg".split():
    case(f"nn.{op}_pool1d", T(1, 3, 11), pool_size=3, strides=2, padding=1)
    case(f"nn.{op}_pool2d", T(1, 3, 10, 11), pool_size=[3, 2], strides=[2, 2], padding=[1, 0, 1, 1])
    case(f"nn.{op}_pool2d", T(1, 3, 10, 11), pool_size=[3, 3], strides=[2, 2], padding=[1, 1], ceil_mode=True)
    case(f"nn.{op}_pool2d", T(1, 10, 11, 3), pool_size=[3, 3], dilation=2, layout="NHWC")
    case(f"nn.{op}_pool3d", T(1, 2, 6, 7, 8), pool_size=2, strides=2, padding=1)
case("nn.avg_pool2d", T(1, 3, 10, 11), pool_size=[3, 3], strides=[2, 2], padding=[1, 1], ceil_mode=True, count_include_pad=True)
case("nn.avg_pool2d", T(1, 3, 10, 11), pool_size=[3, 3], padding=[1, 1], count_include_pad=True)
case("nn.adaptive_avg_pool1d", T(1, 3, 10), 4)
case("nn.adaptive_avg_pool2d", T(1, 3, 10, 11), [4, 3])
case("nn.adaptive_avg_pool2d", T(1, 3, 10, 11), 1)
case("nn.adaptive_avg_pool3d", T(1, 2, 5, 6, 7), [2, 3, 4])

case("nn.softmax", T(3, 5, 7), axis=-1)
case("nn.softmax", T(3, 5, 7), axis=1)
case("nn.softmax", T(3, 5, d="float16"))
case("nn.log_softmax", T(3, 5, 7), axis=1)
case("nn.cross_entropy_with_logits", T(3, 5), T(3, 5))
case("nn.layer_norm", T(2, 3, 10), T(10), T(10), axes=[-1])
case("nn.layer_norm", T(2, 3, 10), T(3, 10), T(3, 10), axes=[1, 2], epsilon=0.01)
case("nn.rms_norm", T(2, 3, 10), T(10), axes=[-1])
case("nn.rms_norm", T(2, 3, 10, d="float16"), T(10, d="float16"), axes=[-1])
case("nn.group_norm", T(2, 6, 4, 5), T(6), T(6), num_groups=3, channel_axis=1, axes=[2, 3])
case("nn.instance_norm", T(2, 6, 4, 5), T(6), T(6), channel_axis=1, axes=[2, 3])
case("nn.batch_norm", T(2, 6, 4, 5), T(6), T(6), T(6), T(6, add=2.0), axis=1, training=False)
case("nn.batch_norm", T(2, 6, 4, 5), T(6), T(6), T(6), T(6, add=2.0), axis=1, training=True, momentum=0.2)
case("nn.dropout", T(2, 3), rate=0.5)
case("nn.attention", T(2, 4, 3, 8), T(2, 6, 3, 8), T(2, 6, 3, 5))
case("nn.attention", T(2, 4, 3, 8), T(2, 6, 3, 8), T(2, 6, 3, 5), causal_mask="TopLeft")
case("nn.attention", T(2, 4, 3, 8), T(2, 6, 3, 8), T(2, 6, 3, 5), causal_mask="BottomRight", scale=0.3)
case("nn.attention_bias", T(2, 4, 3, 8), T(2, 6, 3, 8), T(2, 6, 3, 5), T(2, 3, 4, 6))

for d in ["float32", "int32", "float16"]:
    case("sort", T(3, 7, d=d), axis=1)
    case("sort", T(3, 7, d=d), axis=0, descending=True)
    case("argsort", T(3, 7, d=d), axis=1, descending=True, dtype="int64")
    case("argsort", T(3, 7, d=d), axis=0)
case("topk", T(3, 7), 3)
case("topk", T(3, 7), 2, axis=0, largest=False, dtype="int64")
case("topk", T(3, 7), 4, ret_type="values")
case("topk", T(3, 7), 4, ret_type="indices")
case("unique", T(3, 4, d="int64"))
case("unique", T(12, d="int64"), True, True, True, True)
case("unique", T(9, d="float32", v=[3, 1, 2, 3, 1, 1, 5, 4, 4]), False, True, True, True)
case("unique", T(4, 3, d="int64", v=[1, 2, 3, 0, 1, 2, 1, 2, 3, 9, 0, 0]), True, False, False, True, axis=0)
case("nonzero", T(3, 4, d="int32"))
case("bucketize", T(3, 5), T(4, v=[-0.5, 0.0, 0.25, 0.75]))
case("bucketize", T(3, 5), T(4, v=[-0.5, 0.0, 0.25, 0.75]), out_int32=True, right=True)
case("cumsum", T(3, 7), axis=1)
case("cumsum", T(3, 7), axis=0, exclusive=True)
case("cumsum", T(3, 7, d="int8", mul=40), dtype="int32")
case("cumprod", T(3, 7, add=1.5), axis=1)
case("cumprod", T(3, 7, d="int32", mul=3, add=-2))
case("multinomial_from_uniform", T(2, 4, v=[0.1, 0.2, 0.3, 0.4, 0.4, 0.3, 0.2, 0.1]), T(3, 1, v=[0.25, 0.05, 0.95]), T(3, 1, d="int64", v=[0, 1, 1]))

case("gather_elements", T(3, 4), T(2, 4, d="int64", v=[0, 1, 2, 0, 2, 2, 1, 1]), axis=0)
case("gather_elements", T(3, 4), T(3, 2, d="int64", v=[0, 3, 2, 0, 2, 2]), axis=1)
case("gather_nd", T(3, 4, 5), T(2, 2, d="int64", v=[0, 1, 2, 3]))
case("gather_nd", T(2, 4, 5), T(2, 1, d="int64", v=[1, 3]), batch_dims=1)
case("index_tensor", T(3, 4, 5), (T(2, d="int64", v=[0, 2]), T(2, 1, d="int64", v=[3, 1])))
case("index_put", T(3, 4), (T(2, d="int64", v=[0, 2]), T(2, d="int64", v=[3, 1])), T(2))
case("index_put", T(3, 4), (T(3, d="int64", v=[0, 2, 0]), T(3, d="int64", v=[3, 1, 3])), T(3), accumulate=True)
for r in "update add mul mean min max".split():
    case("scatter_elements", T(3, 4), T(2, 4, d="int64", v=[0, 1, 2, 0, 2, 2, 1, 1]), T(2, 4), axis=0, reduction=r)
for r in "update add mul min max".split():
    case("scatter_nd", T(4, 3), T(2, 1, d="int64", v=[1, 3]), T(2, 3), r)
case("scatter_nd", T(4, 3), T(2, 2, d="int64", v=[1, 2, 3, 0]), T(2))
case("slice_scatter", T(6, 3), T(2, 3), 1, 5, 2, axis=0)

for z in ["int8", "uint8"]:
    case("quantize", T(3, 4, mul=3.0), T(4, add=1.3), T(4, d=z), axis=1, out_dtype=z)
    case("dequantize", T(3, 4, d=z, mul=5), T(3, add=1.3), T(3, d=z), axis=0)
case("quantize", T(3, 4, mul=300.0), relax.const(0.5, "float32"), relax.const(3, "int8"))
case("dequantize", T(3, 4, d="int8", mul=5), relax.const(0.5, "float32"), relax.const(3, "int8"), out_dtype="float16")

case("nn.nll_loss", T(3, 5), T(3, d="int64"))
case("nn.nll_loss", T(3, 5, 2), T(3, 2, d="int64"), T(5, add=2.0), reduction="none")
case("nn.nll_loss", T(3, 5), T(3, d="int64"), T(5, add=2.0), reduction="sum", ignore_index=1)
case("nn.nll_loss", T(5), T(d="int64"))
case("grad.nll_loss_backward", T(), T(3, 5), T(3, d="int64"), T(5, add=2.0), "mean", 1)
case("grad.nll_loss_backward", T(3), T(3, 5), T(3, d="int64"), T(5, add=2.0), "none", -100)
case("grad.max_pool2d_backward", T(1, 2, 4, 4), T(1, 2, 8, 8), (3, 3), (2, 2), (1, 1, 1, 1))
case("grad.avg_pool2d_backward", T(1, 2, 4, 4), T(1, 2, 8, 8), (3, 3), (2, 2), (1, 1, 1, 1))
case("grad.take_backward", T(3, 4), T(3, 5), T(4, d="int64"), axis=1)
case("grad.no_grad", T(3))

case("shape_of", T(2, 3))
case("size", T(2, 3))
case("memory.view", T(2, 4), [8], "float32", 0)

for mode in "half_pixel align_corners asymmetric pytorch_half_pixel".split():
    for method in "nearest_neighbor linear cubic".split():
        case("image.resize2d", T(1, 2, 5, 6), (8, 4), method=method, coordinate_transformation_mode=mode, rounding_method="")
for rounding in "round round_prefer_floor round_prefer_ceil floor ceil".split():
    case("image.resize2d", T(1, 5, 6, 2), (10, 3), layout="NHWC", method="nearest_neighbor", rounding_method=rounding)
case("image.resize2d", T(1, 2, 4, 4), (8, 8), method="nearest_neighbor", coordinate_transformation_mode="asymmetric", rounding_method="floor")
case("image.resize2d", T(1, 2, 5, 6), (7, 7), (0.1, 0.2, 1.1, 0.9), method="linear", coordinate_transformation_mode="tf_crop_and_resize", extrapolation_value=0.5)
case("image.resize2d", T(1, 2, 5, 6), (8, 4), method="cubic", cubic_exclude=1, cubic_alpha=-0.5)
for method in "nearest_neighbor linear cubic".split():
    case("image.resize3d", T(1, 1, 3, 4, 5), (5, 3, 7), method=method)
for method in "bilinear nearest bicubic".split():
    for padding in "zeros border reflection".split():
        for corners in [True, False]:
            case("image.grid_sample", T(1, 2, 5, 6), T(1, 2, 4, 3, mul=1.4), method=method, padding_mode=padding, align_corners=corners)
case("image.grid_sample", T(1, 2, 3, 4, 5), T(1, 3, 2, 3, 2, mul=1.3), layout="NCDHW")
case("image.affine_grid", T(2, 2, 3), (4, 5))
case("image.affine_grid", T(2, 3, 4), (2, 4, 5), align_corners=False)


BOXES = [0, 0.9, 0, 0, 1, 1, 0, 0.8, 0.1, 0, 1.1, 1, 0, 0.7, 2, 2, 3, 3, 1, 0.6, 0, 0, 1, 1, 0, 0.05, 0, 0, 5, 5]
SHUFFLED = BOXES[12:18] + BOXES[0:6] + BOXES[24:30] + BOXES[6:12] + BOXES[18:24]
case("vision.get_valid_counts", T(1, 5, 6, v=SHUFFLED), 0.1, 0, 1)
for kwargs in [{}, {"force_suppress": True}, {"max_output_size": 2}, {"top_k": 3, "iou_threshold": 0.9}, {"return_indices": False}, {"return_indices": False, "invalid_to_bottom": True}, {"soft_nms_sigma": 0.5, "score_threshold": 0.1}]:
    case("vision.non_max_suppression", T(1, 5, 6, v=SHUFFLED), T(1, d="int32", v=[5]), T(1, 5, d="int32", v=[0, 1, 2, 3, 4]), **kwargs)
XY = [0, 0, 1, 1, 0.1, 0, 1.1, 1, 2, 2, 3, 3, 0, 0, 0.9, 1]
for f in ["onnx", "tensorflow"]:
    case("vision.all_class_non_max_suppression", T(1, 4, 4, v=XY), T(1, 2, 4, v=[0.9, 0.8, 0.7, 0.95, 0.2, 0.6, 0.05, 0.5]), relax.const(3, "int64"), relax.const(0.5, "float32"), relax.const(0.1, "float32"), output_format=f)
ROIS = [0, 0.5, 0.5, 5.2, 6.1, 1, 2, 1, 7, 3.5, 0, 6, 6, 9, 9]
for mode in ["avg", "max"]:
    for aligned in [False, True]:
        case("vision.roi_align", T(2, 3, 8, 7), T(3, 5, v=ROIS), (3, 2), 0.9, aligned=aligned, mode=mode)
case("vision.roi_align", T(2, 8, 7, 3), T(3, 5, v=ROIS), 2, 1.0, sample_ratio=2, layout="NHWC")
case("vision.roi_pool", T(2, 3, 8, 7), T(3, 5, v=ROIS), (3, 2), 0.9)
case("vision.multibox_transform_loc", T(2, 3, 4), T(2, 16), T(1, 4, 4, v=XY), variances=(0.1, 0.1, 0.2, 0.2))
case("vision.multibox_transform_loc", T(2, 3, 4), T(2, 16), T(1, 4, 4, v=XY), clip=True, threshold=0.3, keep_background=False)

main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "")
