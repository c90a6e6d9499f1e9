//! Tests of text that TVM printed, whose imports are comments.

use expect_test::expect;

use super::check;

#[test]
fn unity_printed_impure_calls_in_dataflow_blocks() {
    check(
        r#"
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def create() -> R.Object:
        with R.dataflow():
            a: R.Tensor((8, 2), dtype="float16") = R.zeros(R.shape([8, 2]), dtype="float16")
            b: R.Object = R.call_packed("vm.builtin.attention_kv_cache_create", a, R.shape([8, 2]), R.prim_value(0), sinfo_args=(R.Object,))
            R.output(b)
        return b
"#,
        expect![[r#"
            create() -> R.Object
              a: R.Tensor((8, 2), dtype="float16")
              b: R.Object
            11:27 warning impure-call-in-dataflow: `R.call_packed` is impure: a dataflow block holds pure calls only
        "#]],
    );
}

#[test]
fn a_pass_narrows_the_integers_of_prim_funcs() {
    check(
        r#"
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def fill(s: T.int32, out: T.Buffer((4,), "int32")):
        for i in range(4):
            with T.sblock("a"):
                vi = T.axis.spatial(4, i)
                out[vi] = s

    @R.function(pure=False)
    def main(x: R.Tensor(("n",), "int32")):
        cls = Module
        n = T.int64()
        alloc: R.Tensor((4,), dtype="int32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("int32"), 0, R.str("global"))
        cls.fill(n, alloc)
        return alloc
"#,
        expect![[r#"
            main(x: R.Tensor((n,), dtype="int32")) -> R.Tensor((4,), dtype="int32")
              alloc: R.Tensor((4,), dtype="int32")
              _: R.Tuple
        "#]],
    );
}
