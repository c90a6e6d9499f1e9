//! Calls of PrimFuncs, and their limits.

use expect_test::expect;

use super::{check, outcome};
use crate::Limits;

#[test]
fn a_trace_has_what_prim_funcs_write() {
    let source = r#"
@I.ir_module
class Module:
    @T.prim_func
    def double(x: T.Buffer((2,), "float32"), y: T.Buffer((2,), "float32")):
        for i in range(2):
            y[i] = x[i] * 2.0

    @R.function
    def main(x: R.Tensor((2,), "float32")):
        cls = Module
        y = R.call_tir(cls.double, (x,), out_sinfo=R.Tensor((2,), "float32"))
        z = R.call_tir(cls.double, (y,), out_sinfo=R.Tensor((2,), "float32"))
        return z
"#;
    expect![[r#"
        main.y = f32[2] by double
        main.z = f32[2] by double
        f32[2] [0.0, 4.0]
    "#]]
    .assert_eq(&outcome(source, None, &[], &Limits::default(), true));
}

#[test]
fn a_prim_func_writes_into_every_name_of_its_argument() {
    check(
        r#"
@I.ir_module
class Module:
    @T.prim_func
    def double(x: T.Buffer((2,), "float32")):
        for i in range(2):
            x[i] = x[i] * 2.0

    @R.function(pure=False)
    def main(x: R.Tensor((2,), "float32")):
        cls = Module
        y = R.add(x, x)
        both = (y, y)
        _ = cls.double(y)
        return (y, both)
"#,
        &[],
        expect![[r#"
            (f32[2] [0.0, 4.0]; (f32[2] [0.0, 4.0]; f32[2] [0.0, 4.0]))
        "#]],
    );
}

#[test]
fn an_endless_prim_func_stops_at_the_time_limit() {
    let source = r#"
@I.ir_module
class Module:
    @T.prim_func
    def spin(x: T.Buffer((1,), "int64"), y: T.Buffer((1,), "int64")):
        y[0] = x[0]
        while y[0] >= T.int64(0):
            y[0] = T.int64(1)

    @R.function
    def main(x: R.Tensor((1,), "int64")):
        cls = Module
        y = R.call_tir(cls.spin, (x,), out_sinfo=R.Tensor((1,), "int64"))
        return y
"#;
    let limits = Limits {
        wall: Some(std::time::Duration::from_secs(1)),
        ..Limits::default()
    };
    expect![[r#"
        in `spin`, binding `y`: the time limit is reached
          at `while y[0] >= T.int64(0):`
    "#]]
    .assert_eq(&outcome(source, None, &[], &limits, false));
}

#[test]
fn a_number_that_a_prim_func_returns_is_a_value_of_the_program() {
    check(
        r#"
@I.ir_module
class Module:
    @T.prim_func
    def half(n: T.int64) -> T.float64:
        if n > 2:
            return T.Cast("float64", n) / T.float64(2)
        else:
            T.evaluate(T.ret(T.float64(0.5)))

    @R.function(pure=False)
    def main(x: R.Tensor((2,), "float32")):
        cls = Module
        a = cls.half(R.prim_value(5))
        b = cls.half(R.prim_value(1))
        return (a, b)
"#,
        &[],
        expect![[r#"
            (f64(2.5); f64(0.5))
        "#]],
    );
}

#[test]
fn a_prim_func_that_returns_before_its_end_is_refused() {
    check(
        r#"
@I.ir_module
class Module:
    @T.prim_func
    def first(n: T.int64) -> T.int64:
        if n > 2:
            return n
        return n * 2

    @R.function(pure=False)
    def main(x: R.Tensor((2,), "float32")):
        cls = Module
        return cls.first(R.prim_value(5))
"#,
        &[],
        expect![[r#"
            first: a PrimFunc that returns before its end does not run here
              at `return n`
        "#]],
    );
}

#[test]
fn prim_funcs_and_packed_functions_that_are_values_are_called() {
    check(
        r#"
@I.ir_module
class Module:
    @T.prim_func
    def double(x: T.Buffer((2,), "float32")):
        for i in range(2):
            x[i] = x[i] * 2.0

    @R.function(pure=False)
    def main(x: R.Tensor((2,), "float32"), which: R.Prim("bool")):
        cls = Module
        y = R.add(x, x)
        z = y
        functions = (cls.double, R.ExternFunc("test.vm.add"))
        _ = functions[0](y)
        w = functions[1](y, y)
        return (z, w)
"#,
        &[],
        expect![[r#"
            (f32[2] [0.0, 4.0]; f32[2] [0.0, 8.0])
        "#]],
    );
}

#[test]
fn a_buffer_may_have_a_dimension_that_is_computed_in_quotes() {
    check(
        r#"
@I.ir_module
class Module:
    @T.prim_func
    def last(starts: T.Buffer(("n + 1",), "int32"), x: T.Buffer(("n",), "int32"), out: T.Buffer((1,), "int32")):
        n = T.int32()
        v = T.int32()
        out[0] = starts[n] + T.Let(v * v, where={v: x[0]})

    @R.function
    def main(x: R.Tensor((3,), "int32"), y: R.Tensor((2,), "int32")):
        cls = Module
        return R.call_tir(cls.last, (x, y), out_sinfo=R.Tensor((1,), "int32"))
"#,
        &[],
        expect![[r#"
            i32[1] [2]
        "#]],
    );
}

#[test]
fn tvm_prints_the_dtypes_of_a_dimension_in_quotes() {
    check(
        r#"
n = TypeVar("n")

@I.ir_module
class Module:
    @T.prim_func
    def append(x: T.Buffer((n,), "float32"), y: T.Buffer((T.int64(1),), "float32"), z: T.Buffer(("n + T.int64(1)",), "float32")):
        for i in range(n + T.int64(1)):
            with T.sblock("append"):
                vi = T.axis.spatial(n + T.int64(1), i)
                z[vi] = T.if_then_else(n <= vi, y[vi - n], x[vi])

    @R.function
    def main(x: R.Tensor(("n",), "float32"), y: R.Tensor((1,), "float32")):
        n = T.int64()
        cls = Module
        return R.call_tir(cls.append, (x, y), out_ty=R.Tensor((n + 1,), "float32"))
"#,
        &[("n", 2)],
        expect![[r#"
            f32[3] [0.0, 1.0, 0.0]
        "#]],
    );
}

#[test]
fn a_dimension_in_quotes_may_name_a_number_that_comes_later() {
    check(
        r#"
@I.ir_module
class Module:
    @T.prim_func
    def half(x: T.Buffer(("n + 1",), "float32"), y: T.Buffer(("n * 2 + T.int64(2)",), "float32"), n: T.int64, z: T.Buffer((n + T.int64(1),), "float32")):
        for i in range(n + T.int64(1)):
            with T.sblock("half"):
                vi = T.axis.spatial(n + T.int64(1), i)
                z[vi] = x[vi] + y[vi * T.int64(2)]

    @R.function
    def main(x: R.Tensor((3,), "float32"), y: R.Tensor((6,), "float32")):
        cls = Module
        return R.call_tir(cls.half, (x, y, R.prim_value(2)), out_ty=R.Tensor((3,), "float32"))
"#,
        &[],
        expect![[r#"
            f32[3] [0.0, 3.0, 6.0]
        "#]],
    );
}

#[test]
fn a_trace_has_calls_of_prim_funcs_that_bind_nothing() {
    let source = r#"
@I.ir_module
class Module:
    @T.prim_func
    def twice(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.block("b"):
                vi = T.axis.spatial(4, i)
                B[vi] = A[vi] * T.float32(2)

    @R.function(pure=False)
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = Module
        y: R.Tensor((4,), "float32") = R.builtin.alloc_tensor(R.shape([4]), dtype="float32", runtime_device_index=0)
        cls.twice(x, y)
        cls.twice(y, x)
        z: R.Tensor((4,), "float32") = R.add(x, y)
        return z
"#;
    expect![[r#"
        main.y = f32[4] by relax.builtin.alloc_tensor
        main.y = f32[4] by twice
        main.x = f32[4] by twice
        main.z = f32[4] by relax.add
        f32[4] [0.0, 6.0, 12.0, 18.0]
    "#]]
    .assert_eq(&outcome(source, None, &[], &Limits::default(), true));
}
