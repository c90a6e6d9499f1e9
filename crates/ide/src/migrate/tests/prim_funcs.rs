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
            left: relax.Constant: `tvm.relax.Constant` was removed (#20386): use `tvm.ir.GenericConst`
        "#]],
    );
}

#[test]
fn memory_without_a_buffer_becomes_one() {
    check(
        r#"from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((4,), "float32")):
    data = T.allocate([128], "float32", "shared")
    B = T.Buffer((128,), data=data, scope="shared")
    with T.allocate([4], "int32", "local", annotations={"k": 1}) as small:
        # of the block
        C = T.decl_buffer((4,), "int32", data=small, scope="local")
        for i in range(4):
            B[i] = A[i]
            C[i] = T.call_extern("int32", "g", data)
    D = T.allocate([4], "float32", "local", A[0] < 1.0)
"#,
        Release::V0_23,
        Release::V0_24,
        expect![[r#"
            from tvm.script import tirx as T

            @T.prim_func
            def f(A: T.Buffer((4,), "float32")):
                data = T.alloc_buffer([128], "float32", scope="shared")
                B = T.decl_buffer((128,), data=data.data, scope="shared")
                small = T.alloc_buffer([4], "int32", scope="local", annotations={"k": 1})
                # of the block
                C = T.decl_buffer((4,), "int32", data=small.data, scope="local")
                for i in range(4):
                    B[i] = A[i]
                    C[i] = T.call_extern("int32", "g", data.data)
                D = T.allocate([4], "float32", "local", A[0] < 1.0)
            left: T.allocate([4], "float32", "local", A[0] < 1.0): use `T.alloc_buffer((4,), "float32")` in TVM 0.24 (#18865)
        "#]],
    );
}

#[test]
fn a_value_under_a_name_is_bound() {
    check(
        r#"from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((4,), "float32")):
    y = T.int32()
    with T.LetStmt(A[0] + 1.0) as x:
        with T.LetStmt(2, var=y):
            A[y] = x
            T.evaluate(T.call_extern("int32", """
  text""", x))
    with T.LetStmt(1) as z:
        A[z] = 0.0
    with T.LetStmt(2) as z:
        A[z] = 0.0
    p: T.handle("float32") = A.data
    n: T.int32 = 4
"#,
        Release::V0_23,
        Release::V0_25,
        expect![[r#"
            from tvm.script import tirx as T

            @T.prim_func(s_tir=True)
            def f(A: T.Buffer((4,), "float32")):
                y = T.int32()
                x = T.bind(A[0] + 1.0)
                T.bind(2, var=y)
                A[y] = x
                T.evaluate(T.call_extern("int32", """
              text""", x))
                z = T.bind(1)
                A[z] = 0.0
                z_1 = T.bind(2)
                A[z_1] = 0.0
                p: T.let[T.handle("float32")] = A.data
                n: T.int32 = 4
        "#]],
    );
}

#[test]
fn the_way_back_of_values_and_memory() {
    check(
        r#"from tvm.script import tirx as T

@T.prim_func(s_tir=True)
def f(A: T.Buffer((4,), "float32")):
    B = T.alloc_buffer((4,), "float32", scope="local")
    x = T.bind(A[0])
    y: T.let[T.float32] = A[1]
    z: T.let = A[2]
    n: T.int32 = 0
    n = n + 1
    B[n] = x + y + z
"#,
        Release::V0_27,
        Release::V0_23,
        expect![[r#"
            from tvm.script import tir as T

            @T.prim_func
            def f(A: T.Buffer((4,), "float32")):
                B = T.decl_buffer((4,), "float32", scope="local")
                x = T.LetStmt(A[0])
                y: T.float32 = A[1]
                z = A[2]
                n: T.int32 = 0
                n = n + 1
                B[n] = x + y + z
            left: n = n + 1: before TVM 0.25 an assignment does not change a scalar: use a buffer
        "#]],
    );
}

#[test]
fn a_buffer_over_other_memory_is_declared_in_the_newest_release() {
    check(
        r#"from tvm.script import tirx as T

@T.prim_func
def copy(A: T.Buffer((16,), "float32"), B: T.Buffer((4, 4), "float32")):
    C = T.Buffer((4, 4), "float32", data=A.data)
    for i, j in T.grid(4, 4):
        B[i, j] = C[i, j]
"#,
        Release::V0_26,
        Release::V0_27,
        expect![[r#"
            from tvm.script import tirx as T

            @T.prim_func
            def copy(A: T.Buffer((16,), "float32"), B: T.Buffer((4, 4), "float32")):
                C = T.decl_buffer((4, 4), "float32", data=A.data)
                for i, j in T.grid(4, 4):
                    B[i, j] = C[i, j]
        "#]],
    );
}

#[test]
fn buffers_with_shape_variables_are_matched_in_the_body_before_0_27() {
    check(
        r#"from typing import TypeVar
from tvm.script import ir as I, relax as R, tirx as T

n = TypeVar("n")

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def add(A: T.Buffer((n, T.int64(4)), "float32"), B: T.Buffer((4,), "float32"), var_C: T.Buffer((n,))):
        T.func_attr({"tirx.noalias": True})
        for i, j in T.grid(n, T.int64(4)):
            with T.sblock("add"):
                A[i, j] = A[i, j] + B[j]

    @T.prim_func
    def copy[m](A: T.Buffer((m,), "float32"), B: T.Buffer((m,), "float32")):
        for i in range(m):
            B[i] = A[i]

    @T.prim_func(s_tir=True)
    def narrow(A: T.Buffer((n, "m"), "float32"), B: T.Buffer((m + 1,), "int32"), C: T.Buffer(("m * 2",), "int32")):
        m, k = T.int32(), T.int32()
        for i in range(m):
            A[0, i] = T.float32(0)

    @R.function
    def main(x: R.Tensor((n, 4), "float32")):
        return x
"#,
        Release::V0_27,
        Release::V0_26,
        expect![[r#"
            from tvm.script import ir as I, relax as R, tirx as T


            @I.ir_module
            class Module:
                @T.prim_func(s_tir=True)
                def add(var_A: T.handle, B: T.Buffer((4,), "float32"), var_var_C: T.handle):
                    n = T.int64()
                    A = T.match_buffer(var_A, (n, T.int64(4)), "float32")
                    var_C = T.match_buffer(var_var_C, (n,))
                    T.func_attr({"tirx.noalias": True})
                    for i, j in T.grid(n, T.int64(4)):
                        with T.sblock("add"):
                            A[i, j] = A[i, j] + B[j]

                @T.prim_func
                def copy(var_A: T.handle, var_B: T.handle):
                    m = T.int64()
                    A = T.match_buffer(var_A, (m,), "float32")
                    B = T.match_buffer(var_B, (m,), "float32")
                    for i in range(m):
                        B[i] = A[i]

                @T.prim_func(s_tir=True)
                def narrow(var_A: T.handle, var_B: T.handle, var_C: T.handle):
                    n = T.int64()
                    m, k = T.int32(), T.int32()
                    A = T.match_buffer(var_A, (n, m), "float32")
                    B = T.match_buffer(var_B, (m + 1,), "int32")
                    C = T.match_buffer(var_C, (m * 2,), "int32")
                    for i in range(m):
                        A[0, i] = T.float32(0)

                @R.function
                def main(x: R.Tensor(("n", 4), "float32")):
                    return x
        "#]],
    );
}

#[test]
fn a_buffer_that_a_region_names_before_its_allocation_is_bound_once_before_0_27() {
    check(
        r#"from tvm.script import tirx as T

@T.prim_func(s_tir=True)
def f(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    for i in range(16):
        with T.sblock("a"):
            length = T.Buffer((1,), "int32")
            T.reads(A[i:i + length[0]])
            T.writes(B[i])
            length = T.sblock_alloc_buffer((1,), "int32")
            length[0] = 1
            B[i] = A[i + length[0] - 1]
        with T.sblock("b"):
            other = T.Buffer((1,), "int32")
            other[0] = A[i]
"#,
        Release::V0_27,
        Release::V0_26,
        expect![[r#"
            from tvm.script import tirx as T

            @T.prim_func(s_tir=True)
            def f(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
                for i in range(16):
                    with T.sblock("a"):
                        T.writes(B[i])
                        length = T.sblock_alloc_buffer((1,), "int32")
                        length[0] = 1
                        B[i] = A[i + length[0] - 1]
                    with T.sblock("b"):
                        other = T.Buffer((1,), "int32")
                        other[0] = A[i]
        "#]],
    );
}
