//! Names, values and memory of PrimFuncs, and their variables in Python.

use expect_test::expect;
use relax::release::Release;

use super::check;

#[test]
fn a_name_that_two_nested_values_have_is_two_names() {
    check(
        r#"from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((4,), "float32")):
    with T.LetStmt(1) as z:
        with T.LetStmt(z + 1) as z:
            A[z] = 0.0
        A[z] = 1.0
    for i in range(2):
        with T.LetStmt(i) as w:
            A[w] = 0.0
    for i in range(2):
        with T.LetStmt(i) as w:
            A[w] = 1.0
"#,
        Release::V0_19,
        Release::V0_24,
        expect![[r#"
            from tvm.script import tirx as T

            @T.prim_func
            def f(A: T.Buffer((4,), "float32")):
                z = T.bind(1)
                z_1 = T.bind(z + 1)
                A[z_1] = 0.0
                A[z] = 1.0
                for i in range(2):
                    w = T.bind(i)
                    A[w] = 0.0
                for i in range(2):
                    w = T.bind(i)
                    A[w] = 1.0
        "#]],
    );
}

#[test]
fn a_realized_region_is_the_allocation_of_a_buffer_that_has_no_memory() {
    check(
        r#"from tvm.script import tir as T

@T.prim_func
def f(a: T.handle, D: T.Buffer((8,), "float32")):
    B = T.Buffer([16, 16], elem_offset=0, align=64, offset_factor=1)
    C = T.Buffer((8,), "int32")
    A = T.match_buffer(a, (16,))
    T.realize(A[0:16], "")
    for i in range(16):
        T.realize(B[i : i + 1, 0:16], "shared")
        B[i, 0] = A[i]
        A[i] = B[i, 0]
    with T.realize(D[0:4], "global"):
        D[0] = 1.0
    with T.realize(C[0:8], "local", True):
        C[0] = 1
        D[1] = T.float32(C[0])
"#,
        Release::V0_19,
        Release::V0_27,
        expect![[r#"
            from tvm.script import tirx as T

            @T.prim_func(s_tir=True)
            def f(a: T.handle, D: T.Buffer((8,), "float32")):
                A = T.match_buffer(a, (16,))
                for i in range(16):
                    B = T.alloc_buffer([16, 16], elem_offset=0, align=64, offset_factor=1, scope="shared")
                    B[i, 0] = A[i]
                    A[i] = B[i, 0]
                D[0] = 1.0
                C = T.alloc_buffer((8,), "int32", scope="local")
                C[0] = 1
                D[1] = T.float32(C[0])
        "#]],
    );
}

#[test]
fn a_realized_region_stays_where_its_memory_would_be_another() {
    check(
        r#"from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((8,), "float32"), c: T.int32):
    B = T.Buffer((8,))
    C = T.Buffer((8,))
    for i in range(8):
        T.realize(B[0:8], "")
        B[i] = A[i]
    A[0] = B[0]
    T.realize(C[0:8], "", c > 0)
    A[1] = C[0]
"#,
        Release::V0_19,
        Release::V0_24,
        expect![[r#"
            from tvm.script import tirx as T

            @T.prim_func
            def f(A: T.Buffer((8,), "float32"), c: T.int32):
                B = T.Buffer((8,))
                C = T.Buffer((8,))
                for i in range(8):
                    T.realize(B[0:8], "")
                    B[i] = A[i]
                A[0] = B[0]
                T.realize(C[0:8], "", c > 0)
                A[1] = C[0]
            left: T.realize(B[0:8], ""): TVM 0.24 does not have `T.realize` (#18763)
            left: T.realize(C[0:8], "", c > 0): TVM 0.24 does not have `T.realize` (#18763)
        "#]],
    );
}

#[test]
fn the_dtype_of_a_variable_of_python_is_its_type() {
    check(
        r#"from tvm import relax, tir

n = tir.Var("n", dtype="int64")
m = tir.SizeVar("m", dtype="int64")
c = tir.const(1, dtype="int64")
s = tir.StringImm("s")
isinstance(s, relax.Constant)
"#,
        Release::V0_19,
        Release::V0_27,
        expect![[r#"
            from tvm import relax, tirx, ir

            n = tirx.Var("n", ty="int64")
            m = tirx.Var("m", ty="int64")
            c = tirx.const(1, dtype="int64")
            s = ir.StringImm("s")
            isinstance(s, relax.Constant)
            left: relax.Constant: `tvm.relax.Constant` is gone (#20386): use `tvm.ir.GenericConst`
        "#]],
    );
}
