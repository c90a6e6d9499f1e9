//! Tests of function headers: decorators, parameters, local functions, dataflow blocks.

use super::check;
use super::refused::errors;
use expect_test::expect;

#[test]
fn decorators_have_the_parameters_that_python_declares() {
    check(
        r#"
@I.ir_module(checked=True)
class Module:
    @T.prim_func(s_tri=True)
    def f(A: T.Buffer((4,), "float32")):
        T.evaluate(0)

    @R.function(pur=False)
    def g(x: R.Tensor((4,), "float32")):
        @R.function(inline=True)
        def inner(x: R.Tensor((4,), "float32")):
            return x
        return inner(x)

    @R.function(False)
    def h(x: R.Tensor((4,), "float32")):
        return x

    @R.function(pure=IS_PURE, check_well_formed=CHECKED)
    def i(x: R.Tensor((4,), "float32")):
        return x
"#,
        expect![[r#"
            g(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32")
              inner: R.Callable((R.Tensor((4,), dtype="float32"),), R.Tensor((4,), dtype="float32"), True)
            g.inner(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32")
            h(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32")
            i(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32")
            2:14 error unknown-argument: `@I.ir_module` has no parameter `checked`
            4:18 error unknown-argument: `@T.prim_func` has no parameter `s_tri`; did you mean `s_tir`?
            8:17 error unknown-argument: `@R.function` has no parameter `pur`; did you mean `pure`?
            10:21 error unknown-argument: `@R.function` has no parameter `inline`
            15:17 error argument-type: `@R.function` takes the decorated function as its first argument: pass this argument by name
            19:22 error argument-value: TVM reads `pure` from the text, before Python runs: write `True` or `False`
        "#]],
    );
}

#[test]
fn names_in_decorators_and_module_bodies_must_be_defined() {
    let found = errors(
        r#"
CHECKED = True

@I.ir_module(check_well_formed=Tru)
class Module:
    pazs
    T
    f
    CHECKED

    @T.prim_func(s_tir=rue)
    def f(A: T.Buffer((4,), "float32")):
        T.evaluate(0)

    @R.function(check_well_formed=CHECKED)
    def g(x: R.Tensor((4,), "float32")):
        return x
"#,
    );
    let undefined = |name: &str| format!("undefined-name: `{name}` is not defined");
    assert_eq!(found, ["Tru", "pazs", "rue"].map(undefined));
}

#[test]
fn only_plain_parameters_are_parameters() {
    check(
        r#"
@R.function
def f(x: R.Tensor((4,), "float32"), *rest, y: R.Tensor((4,), "float32"), **more):
    return x

@R.function
def g(x: R.Tensor((4,), "float32"), /, y: R.Tensor((4,), "float32")):
    return x
"#,
        expect![[r#"
            f(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32")
            g(y: R.Tensor((4,), dtype="float32")) -> ?
            3:38 warning ignored-argument: a parameter with a star is left out of a Relax function
            3:44 warning ignored-argument: a parameter after `*` is left out of a Relax function
            3:76 warning ignored-argument: a parameter with a star is left out of a Relax function
            7:7 warning ignored-argument: a parameter before `/` is left out of a Relax function
            8:12 error undefined-name: `x` is not defined
        "#]],
    );
}

#[test]
fn a_parameter_cannot_reuse_the_name_of_a_shape_variable() {
    check(
        r#"
@R.function
def of_itself(n: R.Tensor(("n",), "float32")):
    return n

@R.function
def of_another(x: R.Tensor(("n",), "float32"), n: R.Tensor((4,), "float32")):
    return x

@R.function
def scalar_before(n: R.Prim("int64"), x: R.Tensor(("n",), "float32")):
    return x

@R.function
def scalar_behind(x: R.Tensor(("n",), "float32"), n: R.Prim("int64")):
    return x

@R.function
def narrow_scalar(n: R.Prim("int32"), x: R.Tensor(("n",), "float32")):
    return x

@R.function
def outer(x: R.Tensor(("n",), "float32")):
    @R.function
    def inner(n: R.Tensor((4,), "float32")):
        return n
    return x
"#,
        expect![[r#"
            of_itself(n: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32")
            of_another(x: R.Tensor((n,), dtype="float32"), n: R.Tensor((4,), dtype="float32")) -> R.Tensor((n,), dtype="float32")
            scalar_before(n: R.Prim("int64"), x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32")
            scalar_behind(x: R.Tensor((n,), dtype="float32"), n: R.Prim("int64")) -> R.Tensor((n,), dtype="float32")
            narrow_scalar(n: R.Prim("int32"), x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32")
            outer(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32")
              inner: R.Callable((R.Tensor((4,), dtype="float32"),), R.Tensor((4,), dtype="float32"), True)
            outer.inner(n: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32")
            3:15 error redefinition: `n` names a shape variable of the signature: the parameter needs another name
            7:48 error redefinition: `n` names a shape variable of the signature: the parameter needs another name
            15:51 error redefinition: `n` names a shape variable of the signature: the parameter needs another name
            19:22 error dtype-mismatch: `n` is a dimension of the signature: its dtype is int64, not int32
        "#]],
    );
}

#[test]
fn local_functions_need_a_decorator_and_a_unique_name() {
    check(
        r#"
@R.function
def main(c: R.Tensor((), "bool"), x: R.Tensor((4,), "float32")):
    def plain(x: R.Tensor((4,), "float32")):
        return x

    @R.function
    def twice(x: R.Tensor((4,), "float32")):
        return x

    @R.function
    def twice(x: R.Tensor((4,), "float32")):
        return x

    @R.function
    def x(y: R.Tensor((4,), "float32")):
        return y

    if c:
        @R.function
        def g(y: R.Tensor((4,), "float32")):
            return y
        z = g(c)
    else:
        @R.function
        def g(y: R.Tensor((4,), "float32")):
            return y
        z = g(c)
    return z
"#,
        expect![[r#"
            main(c: R.Tensor((), dtype="bool"), x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32")
              plain: R.Callable((R.Tensor((4,), dtype="float32"),), R.Tensor((4,), dtype="float32"), True)
              twice: R.Callable((R.Tensor((4,), dtype="float32"),), R.Tensor((4,), dtype="float32"), True)
              twice: R.Callable((R.Tensor((4,), dtype="float32"),), R.Tensor((4,), dtype="float32"), True)
              x: R.Callable((R.Tensor((4,), dtype="float32"),), R.Tensor((4,), dtype="float32"), True)
              g: R.Callable((R.Tensor((4,), dtype="float32"),), R.Tensor((4,), dtype="float32"), True)
              z: R.Tensor((4,), dtype="float32")
              g: R.Callable((R.Tensor((4,), dtype="float32"),), R.Tensor((4,), dtype="float32"), True)
              z: R.Tensor((4,), dtype="float32")
              z: R.Tensor((4,), dtype="float32")
            main.plain(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32")
            main.twice(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32")
            main.twice(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32")
            main.x(y: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32")
            main.g(y: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32")
            main.g(y: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32")
            4:9 error unsupported-statement: `plain` needs `@R.function`: a local function must be a Relax function
            12:9 error redefinition: `twice` is already bound: a local function cannot have the same name
            16:9 error redefinition: `x` is already bound: a local function cannot have the same name
            23:15 error argument-type: argument 1 does not fit `g`: the dtype must be `float32`, but it is `bool`
        "#]],
    );
}

#[test]
fn dataflow_blocks_cannot_be_nested() {
    let nested = r#"
@R.function
def main(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        a = R.add(x, x)
        with R.dataflow():
            y = R.add(a, x)
            R.output(y)
        z = R.add(a, a)
        R.output(z)
    return z
"#;
    assert_eq!(
        errors(nested),
        ["unsupported-statement: a dataflow block in another is not supported in a Relax function"]
    );
    let in_a_function = r#"
@R.function
def main(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        @R.function
        def f(x: R.Tensor((4,), "float32")):
            with R.dataflow():
                y = R.add(x, x)
                R.output(y)
            return y
        z = f(x)
        R.output(z)
    return z
"#;
    assert!(errors(in_a_function).is_empty());
}

#[test]
fn a_condition_that_is_not_a_boolean_is_reported() {
    let with = |parameter: &str, test: &str| {
        format!(
            r#"
@R.function
def main(c: {parameter}, x: R.Tensor((4,), "float32")):
    if {test}:
        y = R.add(x, x)
    else:
        y = R.multiply(x, x)
    return y
"#
        )
    };
    for test in ["None", "(x, x)", "\"a\"", "R.Tensor((4,))"] {
        let errors = errors(&with("R.Tensor((), \"bool\")", test));
        assert!(
            errors.len() == 1 && errors[0].starts_with("argument-type"),
            "{test}: {errors:?}"
        );
    }
    check(
        &with("R.Tensor((4,), \"float32\")", "c"),
        expect![[r#"
        main(c: R.Tensor((4,), dtype="float32"), x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32")
          y: R.Tensor((4,), dtype="float32")
          y: R.Tensor((4,), dtype="float32")
          y: R.Tensor((4,), dtype="float32")
        4:8 warning argument-type: the condition of an `if` must be a scalar tensor of dtype bool, but this is `R.Tensor((4,), dtype="float32")`
    "#]],
    );
    check(
        &with("R.Tensor((), \"bool\")", "c"),
        expect![[r#"
        main(c: R.Tensor((), dtype="bool"), x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32")
          y: R.Tensor((4,), dtype="float32")
          y: R.Tensor((4,), dtype="float32")
          y: R.Tensor((4,), dtype="float32")
    "#]],
    );
    check(
        &with("R.Any", "c"),
        expect![[r#"
        main(c: R.Any, x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32")
          y: R.Tensor((4,), dtype="float32")
          y: R.Tensor((4,), dtype="float32")
          y: R.Tensor((4,), dtype="float32")
    "#]],
    );
}
