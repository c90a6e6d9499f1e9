//! Tests of mistakes in PrimFuncs that TVM's script parser rejects, and of programs that it accepts.

use expect_test::expect;

use super::check_bodies as check;

const TYPE: &str = r#"from tvm.script import tirx as T

@T.prim_func(s_tir=True)
def f(A: T.Buffer((4, 4), "float32"), B: T.Buffer((4,), "int32"), n: T.int32, h: T.handle):"#;

#[test]
fn values_that_python_computes_are_not_checked() {
    let header = r#"from tvm.script import tir as T
import helper

def build(flag, shape, names):
    @T.prim_func
    def f(A: T.Buffer(shape, "float32"), B: T.Buffer((2, 2), helper.dtype)):"#;
    let indent = |body: &str| format!("    {}", body.replace('|', "|    "));
    check(
        header,
        &[
            &indent("A[0, 0, 0] = 1.0"),
            &indent("if flag:|    x = T.exp(1.0)|A[0] = x"),
            &indent("if flag:|    unbound_function()"),
            &indent("for i, j in helper.loops():|    B[i, j] = 1"),
            &indent("values = [element(k) for k in names]"),
            &indent("T.evaluate(flag and undefined_then)"),
            &indent("B[helper.indices] = 1"),
        ],
        expect![[r#"
            A[0, 0, 0] = 1.0
            if flag:
                        x = T.exp(1.0)
                    A[0] = x
            if flag:
                        unbound_function()
            for i, j in helper.loops():
                        B[i, j] = 1
            values = [element(k) for k in names]
            T.evaluate(flag and undefined_then)
            B[helper.indices] = 1
        "#]],
    );
}

#[test]
fn aliased_buffers_are_declared_before_use() {
    let bodies = [
        "C = T.Buffer((4,), \"int32\", data=B.data)|C[0] = C[1]",
        "C = T.Buffer((4,), \"int32\", data=B.data)|T.evaluate(C.data)",
        "with T.sblock(\"b\"):|    C = T.Buffer((4,), \"int32\")|    T.reads(C[0])",
        "C = T.decl_buffer((4,), \"int32\", data=B.data)|C[0] = 1",
    ];
    check(
        TYPE,
        &bodies,
        expect![[r#"
            C = T.Buffer((4,), "int32", data=B.data)
                C[0] = C[1]
            --> 1:7 other-dialect: `T.Buffer` does not declare `C`, which TVM 0.24 and later require: write `T.decl_buffer`
            C = T.Buffer((4,), "int32", data=B.data)
                T.evaluate(C.data)
            with T.sblock("b"):
                    C = T.Buffer((4,), "int32")
                    T.reads(C[0])
            C = T.decl_buffer((4,), "int32", data=B.data)
                C[0] = 1
        "#]],
    );
    // TVM 0.25 and 0.26 require it only in functions with schedulable blocks.
    check(
        &TYPE.replace("(s_tir=True)", ""),
        &bodies[..1],
        expect![[r#"
            C = T.Buffer((4,), "int32", data=B.data)
                C[0] = C[1]
        "#]],
    );
    let older = TYPE
        .replace("tirx as", "tir as")
        .replace("(s_tir=True)", "");
    check(
        &older,
        &bodies[..1],
        expect![[r#"
        C = T.Buffer((4,), "int32", data=B.data)
            C[0] = C[1]
    "#]],
    );
}
