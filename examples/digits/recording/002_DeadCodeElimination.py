# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(image: R.Tensor((1, 1, 8, 8), dtype="float32")) -> R.Tuple(R.Tensor((1, 10), dtype="float32")):
        with R.dataflow():
            lv: R.Tensor((1, 16, 8, 8), dtype="float32") = R.nn.conv2d(image, metadata["ir.GenericConst"][0], strides=[1, 1], padding=[1, 1, 1, 1], dilation=[1, 1], groups=1, data_layout="NCHW", kernel_layout="OIHW", out_layout="NCHW", out_dtype="float32")
            lv_1: R.Tensor((1, 16, 8, 8), dtype="float32") = R.multiply(lv, metadata["ir.GenericConst"][1])
            lv2: R.Tensor((1, 16, 8, 8), dtype="float32") = R.add(lv_1, metadata["ir.GenericConst"][2])
            lv3: R.Tensor((1, 16, 8, 8), dtype="float32") = R.nn.relu(lv2)
            lv4: R.Tensor((1, 32, 8, 8), dtype="float32") = R.nn.conv2d(lv3, metadata["ir.GenericConst"][3], strides=[1, 1], padding=[1, 1, 1, 1], dilation=[1, 1], groups=1, data_layout="NCHW", kernel_layout="OIHW", out_layout="NCHW", out_dtype="float32")
            lv1: R.Tensor((1, 32, 8, 8), dtype="float32") = R.multiply(lv4, metadata["ir.GenericConst"][4])
            lv6: R.Tensor((1, 32, 8, 8), dtype="float32") = R.add(lv1, metadata["ir.GenericConst"][5])
            lv7: R.Tensor((1, 32, 8, 8), dtype="float32") = R.nn.relu(lv6)
            lv8: R.Tensor((1, 32, 4, 4), dtype="float32") = R.nn.max_pool2d(lv7, pool_size=[2, 2], strides=[2, 2], dilation=[1, 1], padding=[0, 0, 0, 0], ceil_mode=False, count_include_pad=False, layout="NCHW", out_layout="NCHW")
            lv9: R.Tensor((1, 32, 4, 4), dtype="float32") = R.zeros_like(lv8, dtype=None)
            lv10: R.Tuple(R.Tensor((1, 32, 4, 4), dtype="float32"), R.Tensor((1, 32, 4, 4), dtype="float32")) = lv8, lv9
            lv11: R.Tensor((1, 32, 4, 4), dtype="float32") = lv10[0]
            lv12: R.Tensor((1, 512), dtype="float32") = R.reshape(lv11, R.shape([1, 512]))
            lv13: R.Tensor((512, 10), dtype="float32") = R.permute_dims(metadata["ir.GenericConst"][6], axes=[1, 0])
            lv14: R.Tensor((1, 10), dtype="float32") = R.matmul(lv12, lv13, out_dtype="float32")
            lv15: R.Tensor((1, 10), dtype="float32") = R.add(metadata["ir.GenericConst"][7], lv14)
            lv16: R.Tensor((1, 10), dtype="float32") = R.nn.softmax(lv15, axis=-1)
            gv: R.Tuple(R.Tensor((1, 10), dtype="float32")) = (lv16,)
            R.output(gv)
        return gv

# Metadata omitted. Use show_meta=True in script() method to show it.