//! Programs as TVM prints them: constants, views, packed calls and numbers of few bits.

use expect_test::expect;

use super::{check, outcome, program};
use crate::value::Value;
use crate::{Input, Inputs, Limits};

#[test]
fn a_float_by_its_name_is_an_argument() {
    check(
        r#"
@R.function
def main(x: R.Tensor((4,), "float32")):
    y = R.subtract(x, R.const(2, "float32"))
    low = R.clip(y, 0, T.float64("inf"))
    high = R.clip(y, T.float32("-inf"), 0.5)
    return (low, high)
"#,
        &[],
        expect![[r#"
            (f32[4] [0.0, 0.0, 0.0, 1.0]; f32[4] [-2.0, -1.0, 0.0, 0.5])
        "#]],
    );
}

#[test]
fn a_cast_number_is_a_dimension() {
    check(
        r#"
@R.function
def main(x: R.Tensor((2,), "float32")):
    y = R.shape_to_tensor(R.shape([T.Cast("int64", T.float32(40.7)), T.cast(-2.5, "int64")]))
    return y
"#,
        &[],
        expect![[r#"
            i64[2] [40, -2]
        "#]],
    );
}

#[test]
fn an_item_of_a_tuple_literal_is_that_value() {
    check(
        r#"
@R.function
def main(x: R.Tensor((2,), "float32"), y: R.Tensor((1,), "float32")):
    z = (y, x)[1]
    return (z, (x, y)[-1])
"#,
        &[],
        expect![[r#"
            (f32[2] [0.0, 1.0]; f32[1] [0.0])
        "#]],
    );
}

#[test]
fn a_packed_call_finds_the_prim_func_with_that_symbol() {
    check(
        r#"
@I.ir_module
class Module:
    @T.prim_func
    def double(x: T.Buffer((2,), "float32"), y: T.Buffer((2,), "float32")):
        T.func_attr({"global_symbol": "double_of"})
        for i in range(2):
            y[i] = x[i] * T.float32(2)

    @R.function(pure=False)
    def main(x: R.Tensor((2,), "float32")):
        y = R.add(x, x)
        _ = R.call_packed("double_of", x, y, ty_args=R.Tuple)
        z = R.call_dps_packed("double_of", (y,), out_ty=R.Tensor((2,), "float32"))
        return (y, z)
"#,
        &[],
        expect![[r#"
            (f32[2] [0.0, 2.0]; f32[2] [0.0, 4.0])
        "#]],
    );
}

#[test]
fn a_view_of_a_buffer_has_its_memory() {
    check(
        r#"
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def f(x: T.Buffer((2, 3), "float32"), y: T.Buffer((2, 3), "float32"), bits: T.Buffer((2, 3), "int32")):
        x_1 = x.view(6)
        y_1 = y.view(-1, 2)
        b_1 = bits.view("float32")
        for i in range(6):
            y_1[i // 2, i % 2] = x_1[i] + T.float32(1)
            b_1[i // 3, i % 3] = x_1[i]

    @R.function
    def main(x: R.Tensor((2, 3), "float32")):
        cls = Module
        y = R.call_tir(cls.f, (x,), out_ty=[R.Tensor((2, 3), "float32"), R.Tensor((2, 3), "int32")])
        return y
"#,
        &[],
        expect![[r#"
            (f32[2, 3] [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]; i32[2, 3] [0, 1065353216, 1073741824, 1077936128, 1082130432, 1084227584])
        "#]],
    );
}

/// The expected numbers are those of TVM 0.27.
#[test]
fn products_of_fixed_point_numbers_are_rounded() {
    check(
        r#"
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def f(x: T.Buffer((4,), "int32"), y: T.Buffer((3, 4), "int32")):
        if not T.isnullptr(x.data):
            for i in range(4):
                y[0, i] = T.q_multiply_shift(x[i], 1395864371, 31, 0)
                y[1, i] = T.q_multiply_shift(x[i], 1395864371, 31, 3)
                y[2, i] = T.q_multiply_shift(x[i], 20000, 15, -2)

    @R.function
    def main():
        cls = Module
        x = R.const([100, -101, -2147483648, 12345], "int32")
        y = R.call_tir(cls.f, (x,), out_ty=R.Tensor((3, 4), "int32"))
        return y
"#,
        &[],
        expect![[r#"
            i32[3, 4] [65, -66, -1395864371, 8024, 520, -525, 1717986920, 64194, 15, -15, -327680000, 1884]
        "#]],
    );
}

#[test]
fn numbers_of_few_bits_are_cast_and_moved() {
    let source = r#"
@R.function
def main(x: R.Tensor((6,), "float32")):
    a = R.astype(R.subtract(x, R.const(2.6, "float32")), "float8_e4m3fn")
    b = R.astype(R.reshape(a, (2, 3)), "float32")
    c = R.astype(R.astype(x, "float4_e2m1fn"), "float16")
    d = R.astype(R.astype(R.subtract(x, R.const(9, "float32")), "int4"), "int32")
    return (a, b, c, d)
"#;
    check(
        source,
        &[],
        expect![[r#"
            (f8e4m3fn[6] [-2.5, -1.625, -0.625, 0.40625, 1.375, 2.5]; f32[2, 3] [-2.5, -1.625, -0.625, 0.40625, 1.375, 2.5]; f16[6] [0.0, 1.0, 2.0, 3.0, 4.0, 4.0]; i32[6] [7, -8, -7, -6, -5, -4])
        "#]],
    );
    let sum = source.replace("return (a, b, c, d)", "return R.add(a, a)");
    let refused = outcome(&sum, None, &[], &Limits::default(), false);
    assert!(
        refused.contains("float8_e4m3fn has no arithmetic"),
        "{refused}"
    );
}

#[test]
fn scalar_parameters_take_numbers() {
    let source = r#"
@R.function
def main(x: R.Tensor(("n",), "float32"), scale: R.Prim("float32"), k: R.Prim(value="n")):
    return (x, scale, k)
"#;
    let program = program(source).unwrap();
    let function = program.function("main").unwrap();
    let with = |name: &str, value: f64| Inputs {
        given: std::iter::once((name.into(), Input::Constant(value))).collect(),
        dims: std::iter::once(("n".into(), 3)).collect(),
        ..Inputs::default()
    };
    let values = with("scale", 2.5).make(function).unwrap();
    let number = |value: &Value| value.as_scalar().unwrap().as_f64();
    assert_eq!((number(&values[1]), number(&values[2])), (2.5, 3.0));
    let refused = with("k", 1.5).make(function).unwrap_err();
    assert_eq!(refused.to_string(), "parameter `k`: 1.5 is not int64");
    let mut bound = None;
    Input::Constant(4.0).bind_dims(&function.source_params()[2].struct_info, &mut |_, it| {
        bound = Some(it);
    });
    assert_eq!(bound, Some(4));
}
