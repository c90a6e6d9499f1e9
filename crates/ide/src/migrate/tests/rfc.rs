//! Files of 2022, upwards.

use super::*;

const PROPOSAL: &str = r#"import tvm
from tvm.script import relax as R, tir as T

@tvm.script.ir_module
class Module:
    @T.prim_func
    def exp(x: T.handle, y: T.Buffer[(4,), "float32"]):
        n = T.var("int64")
        X = T.match_buffer(x, (n,), "float32")
        for i in T.serial(n):
            with T.block("exp"):
                vi = T.axis.remap("S", [i])
                y[vi] = T.exp(X[vi])

    @R.function
    def main(x: R.Tensor[(n, k), "float32"], w: R.Tensor[_, "float32"]) -> R.Tensor[_, "float32"]:
        # what is inferred
        with R.dataflow():
            lv0 = R.match_shape(w, (k, m))
            lv1: R.Tensor[(n, m), "float32"] = R.dot(x, lv0)
            s: R.Shape = (n * m,)  # a value
            lv2 = R.call_tir("custom", [lv1], s, dtype="float32")
            t: R.Shape = R.call_packed("shape_func", s)
            gv0 = R.call_tir(exp, (lv2,), [(n * m,), t], dtype=["float32", "int32"])
            R.outputs(gv0)
        R.call_packed("print", gv0)
        return gv0

    @R.function
    def caller(x: R.Tensor[(n, 4), "float32"], w: R.Tensor[(4, 8), "float32"]):
        R.match_shape(x.shape, (a, b))
        return main(x, w)
"#;

#[test]
fn the_proposals_spelling_becomes_that_of_the_newest_release() {
    check(
        PROPOSAL,
        Release::Rfc,
        Release::V0_27,
        expect![[r#"
            import tvm
            from tvm.script import relax as R, tirx as T

            @tvm.script.ir_module
            class Module:
                @T.prim_func(s_tir=True)
                def exp(x: T.handle, y: T.Buffer((4,), "float32")):
                    n = T.var("int64")
                    X = T.match_buffer(x, (n,), "float32")
                    for i in T.serial(n):
                        with T.sblock("exp"):
                            vi = T.axis.remap("S", [i])
                            y[vi] = T.exp(X[vi])

                @R.function(pure=False)
                def main(x: R.Tensor(("n", "k"), "float32"), w: R.Tensor(dtype="float32")) -> R.Tensor(dtype="float32"):
                    # what is inferred
                    k = T.int64()
                    m = T.int64()
                    n = T.int64()
                    with R.dataflow():
                        lv0 = R.match_cast(w, R.Tensor((k, m), dtype="float32"))
                        lv1: R.Tensor((n, m), "float32") = R.matmul(x, lv0)
                        s: R.Shape = R.shape([n * m])  # a value
                        lv2 = R.call_dps_packed("custom", [lv1], out_ty=R.Tensor((n * m,), dtype="float32"))
                        t: R.Shape = R.call_pure_packed("shape_func", s, ty_args=R.Shape)
                        gv0 = R.call_tir(Module.exp, (lv2,), [(n * m,), t], dtype=["float32", "int32"])
                        R.output(gv0)
                    _ = R.call_packed("print", gv0)
                    return gv0

                @R.function(pure=False)
                def caller(x: R.Tensor(("n", 4), "float32"), w: R.Tensor((4, 8), "float32")):
                    a = T.int64()
                    b = T.int64()
                    _ = R.match_cast(R.shape_of(x), R.Shape((a, b)))
                    return Module.main(x, w)
            left: [(n * m,), t]: since TVM 0.16 the dimensions of a result are written out: bind them with `R.match_cast`
        "#]],
    );
}

#[test]
fn a_release_between_has_its_own_words_for_it() {
    check(
        PROPOSAL,
        Release::Rfc,
        Release::V0_19,
        expect![[r#"
            import tvm
            from tvm.script import relax as R, tir as T

            @tvm.script.ir_module
            class Module:
                @T.prim_func
                def exp(x: T.handle, y: T.Buffer((4,), "float32")):
                    n = T.var("int64")
                    X = T.match_buffer(x, (n,), "float32")
                    for i in T.serial(n):
                        with T.block("exp"):
                            vi = T.axis.remap("S", [i])
                            y[vi] = T.exp(X[vi])

                @R.function(pure=False)
                def main(x: R.Tensor(("n", "k"), "float32"), w: R.Tensor(dtype="float32")) -> R.Tensor(dtype="float32"):
                    # what is inferred
                    k = T.int64()
                    m = T.int64()
                    n = T.int64()
                    with R.dataflow():
                        lv0 = R.match_cast(w, R.Tensor((k, m), dtype="float32"))
                        lv1: R.Tensor((n, m), "float32") = R.matmul(x, lv0)
                        s: R.Shape = R.shape([n * m])  # a value
                        lv2 = R.call_dps_packed("custom", [lv1], out_sinfo=R.Tensor((n * m,), dtype="float32"))
                        t: R.Shape = R.call_pure_packed("shape_func", s, sinfo_args=R.Shape)
                        gv0 = R.call_tir(Module.exp, (lv2,), [(n * m,), t], dtype=["float32", "int32"])
                        R.output(gv0)
                    _ = R.call_packed("print", gv0)
                    return gv0

                @R.function(pure=False)
                def caller(x: R.Tensor(("n", 4), "float32"), w: R.Tensor((4, 8), "float32")):
                    a = T.int64()
                    b = T.int64()
                    _ = R.match_cast(R.shape_of(x), R.Shape((a, b)))
                    return Module.main(x, w)
            left: [(n * m,), t]: since TVM 0.16 the dimensions of a result are written out: bind them with `R.match_cast`
        "#]],
    );
}

const BARE: &str = r#"from tvm import relax
from tvm.script import relax as R

@R.function
def main(x: Tensor((n, 4), "float32"), y: Tensor(_, _, ndim=2), f: Callable((Tensor,), Object)) -> Tensor:
    def double(z: Tensor((n, 4), "float32")):
        return add(z, z)

    relax.match_shape(y.shape, (p, q))
    with relax.dataflow():
        lv = nn.relu(add(double(x), x))
        gv: Tensor((n, 4), _, ndim=2) = relax.match_shape(lv, (n, 4))
        relax.output(gv)
    w: Tensor((r, 4), "float32") = relax.call_packed("load", gv, type_args=(Tensor(ndim=2, dtype="float32")))
    t: Tuple(Tensor((r, 4), "float32"), Object) = relax.Tuple((w, x))
    return w
"#;

#[test]
fn names_get_their_namespace() {
    check(
        BARE,
        Release::Rfc,
        Release::V0_27,
        expect![[r#"
            from tvm import relax
            from tvm.script import relax as R, tirx as T

            @R.function(pure=False)
            def main(x: R.Tensor(("n", 4), "float32"), y: R.Tensor(ndim=2), f: R.Callable((R.Tensor,), R.Any)) -> R.Tensor:
                n = T.int64()
                p = T.int64()
                q = T.int64()
                r = T.int64()
                @R.function
                def double(z: R.Tensor((n, 4), "float32")):
                    return R.add(z, z)

                _ = R.match_cast(R.shape_of(y), R.Shape((p, q)))
                with R.dataflow():
                    lv = R.nn.relu(R.add(double(x), x))
                    gv: R.Tensor((n, 4)) = R.match_cast(lv, R.Tensor((n, 4)))
                    R.output(gv)
                w: R.Tensor((r, 4), "float32") = R.match_cast(R.call_packed("load", gv, ty_args=(R.Tensor(ndim=2, dtype="float32"))), R.Tensor((r, 4), "float32"))
                t: R.Tuple(R.Tensor((r, 4), "float32"), R.Any) = (w, x)
                return w
        "#]],
    );
}

#[test]
fn what_has_no_equivalent_is_left_and_named() {
    check(
        r#"from tvm.script import relax as R, tir as T

@R.function
def main(x, y: Tensor((4,), "float32")):
    @T.prim_func
    def inner(a: T.handle, b: T.handle):
        T.evaluate(0)

    v = relax.call_packed("load", x)
    s = relax.match_shape(v, (n,))
    z = nn.matmul(y, y, units=None)
    w = relax.add(z, meta[relay.Constant][0])
    u = relax.call_tir(defined_elsewhere, (w,), (4,), dtype="float32")
    with R.dataflow():
        p = relax.call_packed("pack", u)
        relax.output(p)
    return u
"#,
        Release::Rfc,
        Release::V0_27,
        expect![[r#"
            from tvm.script import relax as R, tirx as T

            @R.function(pure=False)
            def main(x, y: R.Tensor((4,), "float32")):
                n = T.int64()
                @T.prim_func(s_tir=True)
                def inner(a: T.handle, b: T.handle):
                    T.evaluate(0)

                v = R.call_packed("load", x)
                s = R.match_shape(v, (n,))
                z = R.matmul(y, y, units=None)
                w = R.add(z, meta[relay.Constant][0])
                u = R.call_tir(defined_elsewhere, (w,), out_ty=R.Tensor((4,), dtype="float32"))
                with R.dataflow():
                    p = R.call_packed("pack", u)
                    R.output(p)
                return u
            left: x: since TVM 0.16 a parameter needs an annotation
            left: inner: a PrimFunc cannot be nested in a function: move it to the module
            left: R.match_shape(v, (n,)): use `R.match_cast(x, R.Tensor(("n", "m")))` in TVM 0.27 (RFC 0089)
            left: v: the annotations do not say whether this is a tensor or a shape: annotate it
            left: units=None: `R.matmul` has no parameter `units`
            left: meta[relay.Constant]: the text does not contain the value of this constant
            left: defined_elsewhere: the module has no function of this name: define it, since TVM 0.16 requires one
            left: R.call_packed("pack", u): a call in a dataflow block needs the StructInfo of its result: annotate the binding
        "#]],
    );
}
