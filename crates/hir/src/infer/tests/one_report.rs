//! Tests that one mistake gives one diagnostic, at its first occurrence, with related locations.

use expect_test::{Expect, expect};
use relax::Severity;

use super::{related, render};

fn check(text: &str, want: Expect) {
    want.assert_eq(&related(text));
}

/// Returns the errors of a function of `x` and `c` with these statements, without positions.
fn errors_in(body: &str) -> Vec<String> {
    let text = format!(
        r#"
from tvm.script import ir as I, relax as R, tirx as T
@R.function
def main(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")):
{body}
"#
    );
    let rendered = render(&text, Severity::Error);
    let errors = rendered.lines();
    errors
        .filter_map(|line| Some(line.split_once(" error ")?.1.to_owned()))
        .collect()
}

#[test]
fn an_unbound_name_is_reported_at_its_first_use() {
    check(
        r#"
@R.function
def main(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        y = R.add(valeu, valeu)
        R.output(valeu)
    return R.add(valeu, other)
"#,
        expect![[r#"
            5:9 `y` is never used
            5:19 `valeu` is not defined
              5:26 again
              6:18 again
              7:18 again
            7:25 `other` is not defined
        "#]],
    );
}

#[test]
fn a_missing_function_is_reported_at_its_first_call() {
    check(
        r#"
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        y = Module.helper(x)
        z = Module.helper(y)
        return Module.other(z)
"#,
        expect![[r#"
            6:20 the module has no function `helper`
              7:20 again
            8:23 the module has no function `other`
        "#]],
    );
}

#[test]
fn an_unreachable_name_reports_its_binding() {
    check(
        r#"
@R.function
def main(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")):
    y = R.exp(later)
    later = R.exp(y)
    if c:
        inside = R.exp(later)
        z = R.exp(inside)
    else:
        z = R.exp(later)
    @R.function
    def inner(q: R.Tensor((4,), "float32")):
        own = R.exp(q)
        return own
    w = R.add(z, inside)
    return R.add(inner(w), own)
"#,
        expect![[r#"
            4:15 `later` is used before it is bound
              5:5 `later` is bound here, after this
            15:18 `inside` is not defined here: it is bound in a branch of an `if`
              7:9 bound here; only the last variable of a branch is visible after the `if`
            16:28 `own` is not defined
        "#]],
    );
}

#[test]
fn a_function_of_the_module_is_named_through_the_module() {
    check(
        r#"
@I.ir_module
class Module:
    @R.function
    def g(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return x

    @R.function
    def first(x: R.Tensor((4,), "float32")):
        return g(x)

    @R.function
    def second(x: R.Tensor((4,), "float32")):
        cls = Module
        y = g(x)
        return g(y)
"#,
        expect![[r#"
            10:16 `g` is a function of the module: write `Module.g`
            15:13 `g` is a function of the module: write `cls.g`
              16:16 again
        "#]],
    );
}

#[test]
fn variables_of_a_rejected_statement_are_bound() {
    let statements = [
        "    other = y = R.exp(x)",
        "    for y in range(4):\n        pass",
        "    for i in range(4):\n        y = R.exp(x)",
        "    while True:\n        y = R.exp(x)",
        "    try:\n        y = R.exp(x)\n    except ValueError:\n        y = x",
        "    y += R.exp(x)",
        "    import y",
        "    class y:\n        pass",
        "    (y := R.exp(x))",
        "    if c:\n        for i in range(4):\n            y = R.exp(x)\n    else:\n        y = x",
    ];
    for statement in statements {
        for rest in [
            "    return y",
            "    with R.dataflow():\n        z = R.exp(y)\n        R.output(z)\n    return (y, z)",
        ] {
            let errors = errors_in(&format!("{statement}\n{rest}"));
            assert_eq!(errors.len(), 1, "{statement}: {errors:#?}");
        }
    }
    let inside = "    with R.dataflow():\n        for i in range(4):\n            y = R.exp(x)\n        R.output(y)\n    return y";
    assert_eq!(errors_in(inside).len(), 1, "{:#?}", errors_in(inside));
}

#[test]
fn an_unclear_signature_reports_no_unbound_shape_variable() {
    let functions = [
        ("x: R.Tensr((\"n\", 4), \"float32\")", 1),
        ("x: R.Tensor((\"n\", 4), dtypo=\"float32\")", 1),
        ("x: R.Tensor(\"float32\", (\"n\", 4))", 1),
        ("x", 1),
        ("x: annotation()", 0),
        ("x: R.Tensor((4,), \"float32\")", 1),
    ];
    for (param, count) in functions {
        let text = format!(
            "from helpers import annotation\n@R.function\ndef main({param}) -> R.Tensor((\"n\", 4), \"float32\"):\n    n = T.int64()\n    return R.zeros((n, 4), \"float32\")\n"
        );
        let rendered = render(&text, Severity::Error);
        let errors: Vec<&str> = rendered
            .lines()
            .filter(|it| it.contains(" error "))
            .collect();
        assert_eq!(errors.len(), count, "{param}: {errors:#?}");
    }
}

#[test]
fn a_parameter_that_is_missing_is_reported_as_a_name() {
    let text = r#"
@R.function
def main(y: R.Tensor((4,), "float32")) -> R.Tensor(("n",), "float32"):
    n = T.int64()
    z = R.add(x, y)
    return z
"#;
    check(
        text,
        expect![[r#"
            5:15 `x` is not defined
        "#]],
    );
}

#[test]
fn an_output_of_a_block_without_an_output_is_reported_once() {
    check(
        r#"
@R.function
def main(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        y = R.exp(x)
    with R.dataflow():
        z = R.exp(x)
        R.output(y, z)
    return z
"#,
        expect![[r#"
            8:18 `y` is a dataflow var, and its dataflow block has no `R.output`
              4:10 the dataflow block
              5:9 `y` is bound here
            8:18 `y` is not bound in this dataflow block
              5:9 bound here
        "#]],
    );
}

#[test]
fn a_call_in_place_is_reported_once() {
    let calls = [
        "R.call_tir_inplace(cls.double, (x,), inplace_indices=[7], out_sinfo=R.Tensor((4,), \"float32\"))",
        "R.call_tir_inplace(cls.double, (w,), inplace_indices=[0], out_sinfo=R.Tensor((4,), \"float32\"))",
    ];
    for call in calls {
        let text = format!(
            r#"
@I.ir_module
class Module:
    @T.prim_func
    def double(A: T.Buffer((4,), "float32")):
        T.evaluate(0)

    @R.function
    def main(x: R.Tensor((4,), "float32"), w: R.Tensor((4,), "int32")):
        cls = Module
        y = {call}
        return y
"#
        );
        let rendered = render(&text, Severity::Error);
        let errors: Vec<&str> = rendered
            .lines()
            .filter(|it| it.contains(" error "))
            .collect();
        assert_eq!(errors.len(), 1, "{errors:#?}");
    }
}

#[test]
fn a_refused_cast_binds_the_shape_variables_that_it_names() {
    let body = "    n = T.int64()\n    y = R.match_cast(x, R.Tensor((n,), dtypo=\"float32\"))\n    return R.zeros((n,), \"float32\")";
    assert_eq!(
        errors_in(body),
        ["unknown-argument: `R.Tensor` has no parameter `dtypo`; did you mean `dtype`?"]
    );
}

#[test]
fn keywords_of_another_operator_are_reported_together() {
    let body = "    y = R.reshape(x, strides=[1], groups=2, shap=(2, 2))\n    return y";
    assert_eq!(
        errors_in(body),
        [
            "unknown-argument: `R.reshape` has no parameter `strides`, `groups`",
            "unknown-argument: `R.reshape` has no parameter `shap`; did you mean `shape`?"
        ]
    );
}

#[test]
fn a_return_in_a_branch_is_reported_there() {
    let rule = "misplaced-return: a branch of an `if` cannot return: bind the value to one variable in both branches, and return it after the `if`";
    let bodies = [
        "    if c:\n        return x\n    else:\n        y = R.exp(x)\n    return y",
        "    if c:\n        return x\n    else:\n        return R.exp(x)",
        "    if c:\n        y = R.exp(x)\n        return y\n    else:\n        y = x\n    return y",
    ];
    for body in bodies {
        assert_eq!(errors_in(body), [rule], "{body}");
    }
    check(
        r#"
@R.function
def main(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")):
    if c:
        y = R.exp(x)
    else:
        y = x
        return y
    return y
"#,
        expect![[r#"
            8:9 a branch of an `if` cannot return: bind the value to one variable in both branches, and return it after the `if`
        "#]],
    );
}

#[test]
fn a_prim_func_in_a_function_is_reported_once() {
    let body = r#"    @T.prim_func(private=True)
    def inner(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
        for i in range(4):
            B[i] = A[i]
    y = R.call_tir(inner, (x,), R.Tensor((4,), "float32"))
    return y"#;
    assert_eq!(
        errors_in(body),
        [
            "unsupported-statement: a PrimFunc cannot be defined in a Relax function: define `inner` in the module, and call it with `R.call_tir(Module.inner, ...)`"
        ]
    );
}

#[test]
fn contradicting_purity_is_reported_once() {
    check(
        r#"
@R.function(pure=False)
def main(x: R.Tensor((4,), "float32")):
    R.func_attr({"Primitive": 1, "relax.force_pure": True})
    return x
"#,
        expect![[r#"
            4:34 `relax.force_pure` says that `main` is pure, and its decorator says `pure=False`: leave one of them out
              3:5 the function
        "#]],
    );
}

#[test]
fn a_call_with_too_few_arguments_shows_their_number() {
    check(
        r#"
@I.ir_module
class Module:
    @T.prim_func
    def add(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32"), C: T.Buffer((4,), "float32")):
        T.evaluate(0)

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = Module
        y = R.call_tir(cls.add, (x,), out_sinfo=R.Tensor((4,), "float32"))
        return y
"#,
        expect![[r#"
            11:33 PrimFunc `add` has 3 parameters, including outputs, but the call passes 1 argument and 1 output
        "#]],
    );
}

#[test]
fn a_block_without_an_output_is_reported_once() {
    check(
        r#"
@R.function
def main(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        y = R.exp(x)
        z = R.exp(y)
    a = R.add(y, z)
    return R.add(a, z)
"#,
        expect![[r#"
            7:15 `y` is a dataflow var, and its dataflow block has no `R.output`
              4:10 the dataflow block
              5:9 `y` is bound here
              7:18 again
              8:21 again
        "#]],
    );
}

#[test]
fn a_function_that_is_not_marked_impure_is_reported_once() {
    check(
        r#"
@R.function
def main(x: R.Tensor((4,), "float32")):
    y = R.call_packed("f", x)
    z = R.call_packed("g", x)
    return z
"#,
        expect![[r#"
            4:5 `y` is never used
            4:9 `R.call_packed` is impure, but function `main` is pure: mark it `@R.function(pure=False)`, or call a pure variant
              3:5 the function that is pure
              5:9 again
        "#]],
    );
}

#[test]
fn a_mistake_in_a_variable_is_reported_at_its_first_use() {
    check(
        r#"
@R.function
def main(x: R.Tensor((2, 4), "float32"), y: R.Tensor((2, 3), "float32")):
    a = R.add(x, y)
    b = R.add(x, R.const(1, "int32"))
    c = R.add(x, y)
    return R.add(y, x)
"#,
        expect![[r#"
            4:5 `a` is never used
            4:15 `R.add`: dimension 1 of `x1` is `4`, dimension 1 of `x2` is `3`: they must be equal
              3:10 `x` is `R.Tensor((2, 4), dtype="float32")`
              4:18 `3` here
              3:42 `y` is `R.Tensor((2, 3), dtype="float32")`
              6:15 again
              7:18 again
            5:5 `b` is never used
            5:18 `R.add`: `x1` is `float32` but `x2` is `int32`: the operands must have the same dtype
              5:15 `float32` here
              3:10 `x` is `R.Tensor((2, 4), dtype="float32")`
            6:5 `c` is never used
        "#]],
    );
    check(
        r#"
@R.function
def main(x: R.Tensor((2, 4), "int32"), w: R.Tensor((2, 4), "float32")):
    a: R.Tensor((2, 4), "float32") = R.exp(x)
    b: R.Tensor((2, 4), "float32") = R.negative(x)
    return R.add(x, w)
"#,
        expect![[r#"
            4:5 `a` is never used
            4:44 `R.exp`: `x` is `int32` but must have a float dtype
              3:10 `x` is `R.Tensor((2, 4), dtype="int32")`
              5:25 again
              6:21 again
            5:5 `b` is never used
        "#]],
    );
}

#[test]
fn an_output_of_another_block_is_the_only_mistake() {
    let errors = errors_in(
        "    with R.dataflow():\n        y = R.exp(x)\n        R.output(x)\n    return y",
    );
    assert_eq!(
        errors,
        ["invalid-output: `x` is not bound in this dataflow block"]
    );
}

#[test]
fn an_output_before_its_variable_is_the_only_mistake() {
    let errors = errors_in(
        "    with R.dataflow():\n        R.output(z)\n        y = R.exp(x)\n        z = R.exp(y)\n    return z",
    );
    assert_eq!(errors, ["undefined-name: `z` is used before it is bound"]);
    // Nothing else explains a binding after the outputs.
    let errors = errors_in(
        "    with R.dataflow():\n        y = R.exp(x)\n        R.output(y)\n        z = R.exp(y)\n    return y",
    );
    let message = "a dataflow block ends with `R.output`: nothing can be bound after it";
    assert_eq!(errors, [format!("binding-after-output: {message}")]);
}

#[test]
fn a_cast_with_its_arguments_swapped_is_one_mistake() {
    let errors = errors_in("    y = R.match_cast(R.Tensor((4,), \"float32\"), x)\n    return y");
    let message = "`R.match_cast` casts a Relax expression, but this is an annotation";
    assert_eq!(errors, [format!("argument-type: {message}")]);
}

#[test]
fn arguments_of_another_function_are_one_mistake() {
    let errors = errors_in("    y = R.negative(x, x, clip=True, other=4)\n    return y");
    let message = "`R.negative` has no parameter `clip`, `other`";
    assert_eq!(errors, [format!("unknown-argument: {message}")]);
}

#[test]
fn a_call_in_place_of_the_outputs_is_the_only_mistake() {
    let errors =
        errors_in("    with R.dataflow():\n        y = R.exp(x)\n        R.add(y)\n    return y");
    assert_eq!(errors, ["argument-count: `R.add` needs `x2`"]);
}

#[test]
fn two_outputs_of_which_the_first_is_too_early_are_one_mistake() {
    let errors = errors_in(
        "    with R.dataflow():\n        R.output(y)\n        y = R.exp(x)\n        R.output(y)\n    return y",
    );
    assert_eq!(errors, ["undefined-name: `y` is used before it is bound"]);
}

#[test]
fn a_string_as_a_dimension_of_a_binding_is_one_mistake() {
    let errors = errors_in("    y: R.Tensor((\"n\",), \"float32\") = R.exp(x)\n    return y");
    let message =
        "a string can name a shape variable only in the signature: write the variable itself here";
    assert_eq!(errors, [format!("invalid-annotation: {message}")]);
}

#[test]
fn strings_as_dimensions_of_one_shape_are_one_mistake() {
    let errors = errors_in(
        "    y: R.Tensor((\"n\", \"m\"), \"float32\") = R.call_packed(\"f\", x)\n    return y",
    );
    let strings = errors.iter().filter(|it| it.contains("a string can name"));
    assert_eq!(strings.count(), 1, "{errors:?}");
}

#[test]
fn an_assignment_to_a_part_is_one_mistake() {
    let message = "unsupported-statement: an assignment to anything but a name is not supported in a Relax function";
    for target in ["x.y", "x[0]", "unknown.part"] {
        let errors = errors_in(&format!("    {target} = R.exp(x)\n    return x"));
        assert_eq!(errors, [message], "{target}");
    }
}

#[test]
fn a_dataflow_block_without_parentheses_is_one_mistake() {
    let errors =
        errors_in("    with R.dataflow:\n        y = R.exp(x)\n        R.output(y)\n    return y");
    let message =
        "`with` of a function (write `R.dataflow()`) is not supported in a Relax function";
    assert_eq!(errors, [format!("unsupported-statement: {message}")]);
}

#[test]
fn an_if_in_a_dataflow_block_is_one_mistake() {
    let message = "control-flow-in-dataflow: a dataflow block cannot contain control flow: move this `if` out of it";
    for branches in [
        "        if c:\n            R.output(y)\n        else:\n            R.output(y)\n",
        "        if c:\n            z = R.exp(y)\n        R.output(y)\n",
        "        if c:\n            z = R.exp(y)\n        else:\n            w = R.exp(y)\n        R.output(y)\n",
    ] {
        let errors = errors_in(&format!(
            "    with R.dataflow():\n        y = R.exp(x)\n{branches}    return y"
        ));
        assert_eq!(errors, [message], "{branches}");
    }
}

#[test]
fn a_cast_in_a_wrong_operand_is_one_mistake() {
    let errors =
        errors_in("    y = R.exp(R.match_cast(x, R.Tensor((5,), \"float32\")))\n    return y");
    let message =
        "`R.match_cast` can only be the whole value of a binding: bind it to a name first";
    assert_eq!(errors, [format!("unsupported-statement: {message}")]);
}
