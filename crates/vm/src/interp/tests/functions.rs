//! Calls of functions, closures, recursion.

use expect_test::expect;

use super::{FACTORIAL, check, outcome};
use crate::Limits;

#[test]
fn topi_expressions_run_as_operators() {
    check(
        r#"
from tvm import topi

@R.function
def main(x: R.Tensor((2, 2), "float32")):
    y = R.emit_te(topi.add, x, x)
    z = R.emit_te(topi.sum, y, axis=1, keepdims=True, primfunc_name_hint="total")
    pair = R.tuple(y, R.emit_te(topi.transpose, z))
    return R.TupleGetItem(pair, 1)
"#,
        &[],
        expect![[r#"
            f32[1, 2] [2.0, 10.0]
        "#]],
    );
}

#[test]
fn functions_call_each_other_and_themselves() {
    check(
        FACTORIAL,
        &[],
        expect![[r#"
        i64[] [3628800]
    "#]],
    );
}

#[test]
fn recursion_and_instructions_have_limits() {
    let limits = Limits {
        depth: 5,
        ..Limits::default()
    };
    let deep = outcome(FACTORIAL, None, &[], &limits, false);
    let limits = Limits {
        instructions: 10,
        ..Limits::default()
    };
    let long = outcome(FACTORIAL, None, &[], &limits, false);
    expect![[r#"
        in `fact`, binding `s`: `fact` is called at depth 5: the recursion limit is reached
          at `cls.fact(m)`
        in `fact`, binding `stop`: the instruction limit is reached
          at `R.less_equal(n, R.const(1, "int64"))`
    "#]]
    .assert_eq(&format!("{deep}{long}"));
}

#[test]
fn closures_keep_what_they_capture() {
    check(
        r#"
@R.function
def main(x: R.Tensor(("n",), "float32"), y: R.Tensor((1,), "float32")):
    n = T.int64()
    two = R.const(2, "float32")

    @R.function
    def inner(a: R.Tensor(("m",), "float32")) -> R.Tensor(("m",), "float32"):
        b = R.multiply(a, two)
        c = R.add(b, y)
        return c

    z = inner(x)
    w = inner(z)
    return w
"#,
        &[("n", 3)],
        expect![[r#"
            f32[3] [0.0, 4.0, 8.0]
        "#]],
    );
}

#[test]
fn closures_keep_the_shape_variables_around_them() {
    check(
        r#"
@R.function
def main(x: R.Tensor(("n", "m"), "float32"), k: R.Prim("int64")):
    n = T.int64()
    m = T.int64()
    j = k + 1

    @R.function
    def outer(y: R.Tensor((n,), "float32")):
        @R.function
        def inner(z: R.Tensor((1,), "float32")):
            return R.zeros(R.shape([n, m, k, j]), "float32")

        a = R.zeros(R.shape([1]), "float32")
        return inner(a)

    b = R.zeros(R.shape([5]), "float32")
    return R.shape_of(outer(b))
"#,
        &[("n", 2), ("m", 3), ("k", 4)],
        expect![[r#"
            shape[5, 3, 4, 5]
        "#]],
    );
}

#[test]
fn a_local_function_may_call_itself() {
    check(
        r#"
@R.function
def main(k: R.Tensor((), "int64")):
    step = R.const(3, "int64")

    @R.function
    def down(i: R.Tensor((), "int64")) -> R.Tensor((), "int64"):
        done = R.less_equal(i, R.const(0, "int64"))
        if done:
            r = i
        else:
            j = R.subtract(i, step)
            r = down(j)
        return r

    y = down(R.const(10, "int64"))
    return y
"#,
        &[],
        expect![[r#"
            i64[] [-2]
        "#]],
    );
}

#[test]
fn functions_are_values() {
    check(
        r#"
@I.ir_module
class Module:
    @R.function
    def twice(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        return R.add(x, x)

    @R.function
    def add3(x: R.Tensor((2,), "float32"), y: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        return R.add(x, y)

    @R.function(pure=False)
    def main(x: R.Tensor((2,), "float32")):
        cls = Module
        f = cls.twice
        y = f(x)
        g = R.make_closure(cls.add3, (y,))
        z = R.invoke_closure(g, (x,), sinfo_args=R.Tensor((2,), "float32"))
        return z
"#,
        &[],
        expect![[r#"
            f32[2] [0.0, 3.0]
        "#]],
    );
}

#[test]
fn infinities_that_tvm_prints_run() {
    check(
        r#"
@R.function
def main(x: R.Tensor((1,), "float32")):
    y = R.minimum(R.maximum(x, R.const("-inf", "float32")), R.const("inf", "float32"))
    return y
"#,
        &[],
        expect![[r#"
            f32[1] [0.0]
        "#]],
    );
}
