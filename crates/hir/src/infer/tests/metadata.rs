//! Tests of constants that a text names by index, with and without the metadata that has them.

use expect_test::expect;

use super::check;

/// `metadata` with a tensor of shape (2,) and float32, as TVM 0.27 prints it.
const LOADED: &str = r#"
metadata = tvm.ir.load_json("""{
  \"root_index\": 4,
  \"nodes\": [
    {\"type\": \"ffi.String\", \"data\": \"ir.GenericConst\"},
    {\"type\": \"ffi.Tensor\", \"data\": \"P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAQAAAAIgAQACAAAAAAAAAAgAAAAAAAAAAACAPwAAAEA=\"},
    {\"type\": \"ir.GenericConst\", \"data\": {\"span\": 9, \"ty\": 9, \"value\": 1}},
    {\"type\": \"ffi.Array\", \"data\": [2]},
    {\"type\": \"ffi.Map\", \"data\": [0, 3]}
  ]
}""")
# from tvm.script import ir as I
# from tvm.script import relax as R
"#;

#[test]
fn a_constant_has_the_type_that_the_metadata_gives() {
    let program = r#"
@R.function
def main(x: R.Tensor((3, 1), "float32")):
    y = R.add(x, metadata["ir.GenericConst"][0])
    z = metadata["ir.GenericConst"][0]
    return (y, z)

@R.function
def far(x: R.Tensor((2,), "float32")):
    y = R.add(x, metadata["ir.GenericConst"][1])
    z = R.add(x, metadata["ir.StringImm"][0])
    return x

@R.function
def shadowed(x: R.Tensor((2,), "float32"), metadata: R.Object):
    return x
"#;
    check(
        &format!("{LOADED}{program}"),
        expect![[r#"
            main(x: R.Tensor((3, 1), dtype="float32")) -> R.Tuple(R.Tensor((3, 2), dtype="float32"), R.Tensor((2,), dtype="float32"))
              y: R.Tensor((3, 2), dtype="float32")
              z: R.Tensor((2,), dtype="float32")
            far(x: R.Tensor((2,), dtype="float32")) -> R.Tensor((2,), dtype="float32")
              y: ?
              z: ?
            shadowed(x: R.Tensor((2,), dtype="float32"), metadata: R.Object) -> R.Tensor((2,), dtype="float32")
            23:18 error undefined-name: `metadata` has no `ir.GenericConst` of this number
            24:18 error undefined-name: `metadata` has no `ir.StringImm` of this number
        "#]],
    );
}

#[test]
fn without_metadata_a_constant_has_the_type_that_its_place_requires() {
    check(
        r#"
# from tvm.script import ir as I, relax as R, tirx as T
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def copy(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("b"):
                vi = T.axis.spatial(4, i)
                b[vi] = a[vi]

    @R.function(private=True)
    def same(x: R.Tensor((2,), "int64")) -> R.Tensor((2,), "int64"):
        return x

    @R.function
    def main():
        cls = Module
        a: R.Tensor((3,), "float16") = metadata["ir.GenericConst"][0]
        b = R.call_tir(cls.copy, (metadata["ir.GenericConst"][1],), out_ty=R.Tensor((4,), "float32"))
        c = cls.same(metadata["ir.GenericConst"][2])
        d = metadata["ir.GenericConst"][3]
        return (a, b, c, d)
"#,
        expect![[r#"
            same(x: R.Tensor((2,), dtype="int64")) -> R.Tensor((2,), dtype="int64")
            main() -> R.Tuple(R.Tensor((3,), dtype="float16"), R.Tensor((4,), dtype="float32"), R.Tensor((2,), dtype="int64"), ?)
              a: R.Tensor((3,), dtype="float16")
              b: R.Tensor((4,), dtype="float32")
              c: R.Tensor((2,), dtype="int64")
              d: ?
        "#]],
    );
}
