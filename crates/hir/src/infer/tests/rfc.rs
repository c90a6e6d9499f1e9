//! Tests of programs of the RFC of 2022, whose rules differ from those of later dialects.

use expect_test::expect;

use super::*;

#[test]
fn side_effects_in_dataflow_blocks_are_rejected() {
    check(
        r#"
from tvm.script import relax as R, tir as T

@tvm.script.ir_module
class Module:
    @T.prim_func
    def exp(x: T.handle, y: T.handle):
        n = T.var("int64")
        X = T.match_buffer(x, (n,), "float32")
        Y = T.match_buffer(y, (n,), "float32")
        for i in T.serial(n):
            Y[i] = T.exp(X[i], dtype="float32")

    @R.function
    def main(x: R.Tensor[(n, k), "float32"], w: R.Tensor[_, "float32"]):
        with R.dataflow():
            lv0 = R.match_shape(w, (k, m))
            lv1: R.Tensor[(n, m), "float32"] = R.matmul(x, lv0)
            lv2: R.Tensor[(n * m,), "float32"] = R.flatten(lv1)
            lv3: R.Shape = (n * m,)
            gv0 = R.call_tir(exp, [lv2], lv3, dtype="float32")
            lv4: R.Shape = R.call_packed("shape_func", lv3)
            gv1 = R.call_dps_packed("custom", (lv2,), lv4, dtype="float32")
            R.outputs(gv0, gv1)
        R.call_packed("inplace_update", gv0)
        return gv0
"#,
        expect![[r#"
            main(x: R.Tensor[(n, k), "float32"], w: R.Tensor[_, "float32"]) -> R.Tensor[_, "float32"]
              lv0: R.Tensor[(k, m), "float32"]
              lv1: R.Tensor[(n, m), "float32"]
              lv2: R.Tensor[(n * m,), "float32"]
              lv3: R.Shape[(n * m,)]
              gv0: R.Tensor[(n * m,), "float32"]
              lv4: R.Shape
              gv1: R.Tensor[lv4, "float32"]
              _: R.Object
        "#]],
    );
}

#[test]
fn early_calls_give_the_shape_first() {
    check(
        r#"
from tvm.script import relax as R

@tvm.script.ir_module
class Module:
    @R.function
    def main(x: Tensor[(n, m), "float32"]) -> Tensor:
        with R.dataflow():
            y = R.call_tir((n, m * 2), "test.vm.tile", (x))
            R.output(y)
        z = relax.builtin.alloc_tensor((n, m))
        return y
"#,
        expect![[r#"
            main(x: R.Tensor[(n, m), "float32"]) -> R.Tensor[(n, m * 2), _]
              y: R.Tensor[(n, m * 2), _]
              z: R.Tensor[(n, m), _]
        "#]],
    );
}

/// Returns the diagnostics of a program, without hints.
fn reports(text: &str) -> Vec<String> {
    let db = Database::default();
    let file = SourceFile::new(&db, Source::new(text));
    let all = file_diagnostics(&db, file).into_iter();
    let all = all.filter(|it| it.severity < Severity::Hint);
    all.map(|it| it.message).collect()
}

#[test]
fn the_programs_of_the_rfc_have_no_mistakes() {
    for program in [
        include_str!("../../../test_data/rfc/first_page.py"),
        include_str!("../../../test_data/rfc/packed.py"),
        include_str!("../../../test_data/rfc/shapes.py"),
        include_str!("../../../test_data/rfc/blocks.py"),
        include_str!("../../../test_data/rfc/struct_info_beside.py"),
    ] {
        assert_eq!(reports(program), [""; 0], "{program}");
    }
}

#[test]
fn a_tuple_of_one_dimension_in_brackets_is_a_shape() {
    check(
        r#"
from tvm.script import relax as R

@R.function
def main(x: R.Tensor[(n,)], y: R.Tensor[(n * 2,)], z: R.Tensor[((n,),)], s: R.Tensor[_]):
    return x
"#,
        expect![[r#"
            main(x: R.Tensor[(n,), _], y: R.Tensor[(n * 2,), _], z: R.Tensor[(n,), _], s: R.Tensor) -> R.Tensor[(n,), _]
        "#]],
    );
}

#[test]
fn the_programs_of_the_rfc_have_its_documented_types() {
    for (program, expect) in [
        (
            include_str!("../../../test_data/rfc/first_page.py"),
            expect![[r#"
            relax_func(x: R.Tensor[(n, k), "float32"], w: R.Tensor[_, "float32"]) -> R.Tensor[_, "float32"]
              lv0: R.Tensor[(k, m), "float32"]
              lv1: R.Tensor[(n, m), "float32"]
              lv2: R.Tensor[(n * m,), "float32"]
              lv3: R.Shape[(n * m,)]
              gv0: R.Tensor[(n * m,), "float32"]
              _: R.Object
        "#]],
        ),
        (
            include_str!("../../../test_data/rfc/packed.py"),
            expect![[r#"
            relax_func(x: R.Tensor[(m, n), "float32"], y: R.Tensor[(n, k), "float32"]) -> R.Tensor[(m, k * 2), "float32"]
              gv0: R.Tensor[(m, k), "float32"]
              _: R.Object
              gv1: R.Object
              gv2: R.Tensor[(m, k * 2), "float32"]
        "#]],
        ),
        (
            include_str!("../../../test_data/rfc/shapes.py"),
            expect![[r#"
            shape_example(x: R.Tensor[(n, 2, 2), "float32"]) -> R.Tensor[_, "float32"]
              lv0: R.Tensor[(n, 4), "float32"]
              lv1: R.Tensor[(n * 4,), "float32"]
              lv2: R.Shape[(n * 4,)]
              lv3: R.Shape
              lv4: R.Tensor[lv3, "float32"]
              lv5: R.Tensor[_, "float32"]
              lv6: R.Tensor[(m,), "float32"]
              lv7: R.Shape[(m,)]
              gv0: R.Tensor[(m,), "float32"]
        "#]],
        ),
        (
            include_str!("../../../test_data/rfc/blocks.py"),
            expect![[r#"
            relax_func(x: R.Tensor[(n, k), "float32"], w: R.Tensor[(k, m), "float32"]) -> R.Object
              lv0: R.Tensor[(n, m), "float32"]
              gv0: R.Tensor[(n * m,), "float32"]
              gv1: R.Object
        "#]],
        ),
        (
            include_str!("../../../test_data/rfc/struct_info_beside.py"),
            expect![[r#"
            main(x: R.Tensor[(1, 784), "float32"], w: R.Tensor[(128, 784), "float32"], b: R.Tensor[(128,), "float32"]) -> R.Tensor[(1, 128), _]
              lv0: R.Tensor[(1, 128), "float32"]
              gv: R.Tensor[(1, 128), _]
        "#]],
        ),
    ] {
        check(program, expect);
    }
}

#[test]
fn names_without_a_namespace_are_annotations_and_operators() {
    check(
        r#"
from tvm import relax
from tvm.script import relax as R, tir as T

@tvm.script.ir_module(metadata=text)
class Module:
    @R.function
    def main(x: Tensor((n, 4), "float32"), y: Tensor(_, _, ndim=2), z) -> Tensor(None, "float32"):
        @T.prim_func
        def inner(a: T.handle, b: T.handle):
            T.evaluate(0)

        relax.match_shape(y.shape, (p, q))
        with relax.dataflow():
            lv = nn.relu(add(x, meta[relay.Constant][0]))
            lv1: Tensor((_, _), "float32") = relax.match_shape(x, (k, 4))
            r1 = nn.matmul(x, x, units=None)
            gv = relax.call_tir(defined_elsewhere, (lv1,), (k, 4), dtype="float32")
            relax.output(gv)
        _ = relax.call_packed("store", gv, type_args=(Void))
        w: Tensor((r, k), _) = relax.call_packed("load", gv, type_args=(Tensor(ndim=2, dtype="float32")))
        s: Shape = (r * 2, p)
        o: Object = helper(gv, type_args=(Object))
        t: Tuple(Tensor, Tuple(Shape)) = (w, relax.Tuple((s,)))
        return relax.call_tir(inner, (gv,), (p, r), dtype="float32")
"#,
        expect![[r#"
            main(x: R.Tensor[(n, 4), "float32"], y: R.Tensor, z: ?) -> R.Tensor[_, "float32"]
              inner: ?
              lv: ?
              lv1: R.Tensor[(k, 4), "float32"]
              r1: ?
              gv: R.Tensor[(k, 4), "float32"]
              _: R.Tuple
              w: R.Tensor[(r, k), _]
              s: R.Shape[(r * 2, p)]
              o: R.Object
              t: R.Tuple[R.Tensor[(r, k), _], R.Tuple[R.Shape[(r * 2, p)]]]
        "#]],
    );
}

#[test]
fn mixing_bare_and_qualified_names_is_a_mistake() {
    let with = |param: &str| {
        format!(
            r#"
from tvm.script import relax as R

@R.function
def main(x: Tensor((4,), "float32"), y: Tensor((4,), "float32"){param}):
    return R.add(x, y)
"#
        )
    };
    let beside = with(", z: R.Tensor((4,), \"float32\"), s: R.Shape([4])");
    assert_eq!(reports(&with("")), [""; 0]);
    assert_eq!(reports(&beside), ["`Tensor` is not defined"]);
    let cast = "z = R.match_cast(x, R.Tensor((4,)))\n    return z";
    let newer = with("").replace("return R.add(x, y)", cast);
    assert_eq!(reports(&newer), ["`Tensor` is not defined"]);
}
