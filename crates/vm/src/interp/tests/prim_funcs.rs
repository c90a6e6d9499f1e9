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
        main.y = Tensor((2,), float32) by double
        main.z = Tensor((2,), float32) by double
        Tensor((2,), float32) [0.0, 4.0]
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
            (Tensor((2,), float32) [0.0, 4.0]; (Tensor((2,), float32) [0.0, 4.0]; Tensor((2,), float32) [0.0, 4.0]))
        "#]],
    );
}

#[test]
fn a_prim_func_without_end_is_stopped_by_the_clock() {
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
        in `spin`, binding `y`: the limit of time is reached
          at `while y[0] >= T.int64(0):`
    "#]]
    .assert_eq(&outcome(source, None, &[], &limits, false));
}
