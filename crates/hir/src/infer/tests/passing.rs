//! Tests of arguments, callees, indices and bindings that TVM accepts or rejects.

use relax::Severity;

use super::refused::{errors, errors_in};
use super::render;

#[test]
fn operators_without_a_relax_equivalent_are_rejected() {
    let cases = [
        ("x @ x", ": write `R.matmul(...)`"),
        ("x & x", ": write `R.bitwise_and(...)`"),
        ("R.isnan(x) | R.isnan(x)", ": write `R.logical_or(...)`"),
        ("~x", ": write `R.bitwise_not(...)`"),
        ("+x", ""),
        ("x == x", ": write `R.equal(...)`"),
        ("x != 1", ": write `R.not_equal(...)`"),
        ("not x", ": write `R.logical_not(...)`"),
        ("x and x", ": write `R.logical_and(...)`"),
        ("False or x", ": write `R.logical_or(...)`"),
        ("x < x < x", ": write `R.logical_and(...)`"),
        ("x in x", ""),
    ];
    for (value, hint) in cases {
        let errors = errors_in(&format!("        y = {value}\n        return x"));
        let [error] = errors.as_slice() else {
            panic!("{value}: {errors:?}");
        };
        let expected = format!("is not supported for Relax values{hint}");
        assert!(error.ends_with(&expected), "{value}: {error}");
    }
    let taken = [
        "x is x",
        "x in (x, x)",
        "True or x",
        "n == 4",
        "n & 3",
        "[a == a for a in (x, x)]",
        "x if not [] else x",
    ];
    for value in taken {
        let errors = errors_in(&format!("        y = {value}\n        return x"));
        assert!(errors.is_empty(), "{value}: {errors:?}");
    }
}

#[test]
fn a_tuple_inside_a_tuple_literal_can_be_annotated() {
    for (value, is_tuple) in [
        ("((x,),)[0]", true),
        ("(x, (x,))[-1]", true),
        ("(((x,),),)[0][0]", true),
        ("((x,), [x])[1]", false),
    ] {
        let body = format!("        y: R.Tuple(R.Tensor) = {value}\n        return x");
        assert_eq!(errors_in(&body).is_empty(), is_tuple, "{value}");
    }
}

#[test]
fn a_shape_variable_of_another_dtype_is_no_dimension() {
    for value in [
        "R.match_cast(x, R.Tensor((q,), \"float32\"))",
        "R.zeros((q + 1, 3), \"float32\")",
        "R.shape([q])",
    ] {
        let errors = errors_in(&format!(
            "        q = T.int32()\n        y = {value}\n        return x"
        ));
        let [error] = errors.as_slice() else {
            panic!("{value}: {errors:?}");
        };
        assert!(error.contains("int64, but this scalar is int32"), "{error}");
    }
    let scalar =
        "        q = T.int32()\n        y = R.match_cast(x, R.Tensor((n,)))\n        return x";
    assert_eq!(errors_in(scalar), [""; 0]);
}

#[test]
fn arguments_that_no_overload_takes_are_rejected() {
    for value in [
        "R.permute_dims(x, 0)",
        "R.prim_value(R.shape_of(x))",
        "R.vm.call_tir_dyn(\"f\", R.nn.relu(x))",
    ] {
        let body = format!("        y = {value}\n        return x");
        let errors = errors_in(&body).into_iter();
        let mistaken = errors.filter(|it| it.starts_with("argument-type"));
        assert_eq!(mistaken.count(), 1, "{value}");
    }
}

#[test]
fn the_purity_of_a_function_type_is_a_truth_value() {
    for (purity, count) in [("\"word\"", 1), ("1.5", 1), ("True", 0), ("1", 0)] {
        let body = format!(
            "        y: R.Tuple(R.Callable((R.Tensor,), R.Tensor, {purity})) = R.call_pure_packed(\"f\", ty_args=R.Any)\n        return x"
        );
        assert_eq!(errors_in(&body).len(), count, "{purity}");
    }
}

#[test]
fn the_decorator_of_a_local_function_is_a_decorator() {
    let local = |decorator: &str| {
        let body = format!(
            "        @{decorator}\n        def g(y: R.Tensor):\n            return y\n        return x"
        );
        errors_in(&body)
    };
    assert_eq!(local("R.function"), [""; 0]);
    let error = "unsupported-statement: `R.Tensor` is not a decorator";
    assert_eq!(local("R.Tensor"), [error]);
}

#[test]
fn a_choice_is_decided_while_the_script_is_read() {
    let refused = [
        "x if x else x",
        "x if 1 else x",
        "x if n > 2 else x",
        "x if None else x",
    ];
    for value in refused {
        let errors = errors_in(&format!("        y = {value}\n        return x"));
        assert!(
            errors.len() == 1 && errors[0].starts_with("unsupported-statement"),
            "{errors:?}"
        );
    }
    let taken = [
        "x if True else x",
        "R.zeros((n if n > 2 else 3,), \"float32\")",
    ];
    for value in taken {
        let errors = errors_in(&format!("        y = {value}\n        return x"));
        assert!(errors.is_empty(), "{value}: {errors:?}");
    }
}

#[test]
fn functions_of_python_read_no_variable_of_relax() {
    for value in ["len(x)", "abs(x)", "sum(x)", "max(x, x)", "int(x)"] {
        let errors = errors_in(&format!("        y = {value}\n        return x"));
        assert!(
            errors.len() == 1 && errors[0].contains("cannot read a Tensor"),
            "{errors:?}"
        );
    }
    for value in ["len([x, x])", "len(R.shape([3, 4]))", "str(x)", "type(x)"] {
        let errors = errors_in(&format!("        y = {value}\n        return x"));
        assert!(errors.is_empty(), "{value}: {errors:?}");
    }
}

#[test]
fn only_tuples_are_indexed_and_only_by_constants() {
    let refused = [
        (
            "s[0]",
            "not-a-tuple: only a tuple has fields, but this is `R.Shape([n, m])`; name its dimensions by `R.match_cast`",
        ),
        (
            "o[0]",
            "not-a-tuple: only a tuple has fields, but this is `R.Any`",
        ),
        (
            "o[\"a\"]",
            "not-a-tuple: only a tuple has fields, but this is `R.Any`",
        ),
        (
            "t[n]",
            "argument-type: the index of a tuple must be an integer constant, but this is an integer",
        ),
        (
            "t[0:1]",
            "argument-type: the index of a tuple must be an integer constant, but this is a slice",
        ),
        (
            "t[0, 1]",
            "argument-type: the index of a tuple must be an integer constant, but this is several",
        ),
        (
            "t[\"0\"]",
            "argument-type: the index of a tuple must be an integer constant, but this is a string",
        ),
        (
            "(o, o)[2]",
            "tuple-index-out-of-range: index `2` is out of range: there are 2 elements",
        ),
    ];
    for (value, error) in refused {
        assert_eq!(errors_in_pure(value), [error], "{value}");
    }
    for value in [
        "t[True]",
        "(o, o)[-1]",
        "R.zeros((R.shape([n, 4])[0],), \"float32\")",
    ] {
        assert!(errors_in_pure(value).is_empty(), "{value}");
    }
}

/// Returns the errors of a function that has a tuple, a shape and an object, and binds `value`.
fn errors_in_pure(value: &str) -> Vec<String> {
    errors(&format!(
        r#"
@R.function(pure=False)
def main(t: R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32")), s: R.Shape(["n", "m"]), o: R.Any):
    n = T.int64()
    y = {value}
    return o
"#
    ))
}

#[test]
fn values_that_are_not_functions_cannot_be_called() {
    for value in ["s(0)", "o()", "\"f\"(o)", "3(o)", "n()"] {
        let errors = errors_in_pure(value);
        assert!(
            errors.len() == 1 && errors[0].starts_with("not-callable"),
            "{value}: {errors:?}"
        );
    }
}

/// Returns the errors of a module with functions, and `apply`, which takes a function of one tensor.
fn errors_of_call(call: &str) -> Vec<String> {
    errors(&format!(
        r#"
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def store(A: T.Buffer((4,), "float32")):
        for i in range(4):
            A[i] = T.float32(0)

    @T.prim_func(s_tir=True)
    def load(A: T.Buffer((4,), "float32")):
        B = T.alloc_buffer((4,), "float32")
        B[0] = A[0]

    @R.function
    def one(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return x

    @R.function
    def two(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return x

    @R.function
    def half(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float16"):
        y = R.astype(x, "float16")
        return y

    @R.function(pure=False)
    def loud(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        R.print(x, format="{{}}")
        return x

    @R.function
    def apply(
        f: R.Callable((R.Tensor((4,), "float32"),), R.Tensor((4,), "float32"), True),
        x: R.Tensor((4,), "float32"),
    ):
        y = f(x)
        return y

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        y = {call}
        return x
"#
    ))
}

#[test]
fn function_arguments_fit_callable_parameters() {
    assert!(errors_of_call("Module.apply(Module.one, x)").is_empty());
    let refused = [
        ("two", "expected 1 part, found 2"),
        (
            "half",
            "the dtype of the result must be `float32`, but it is `float16`",
        ),
        ("loud", "expected `pure`, found `impure`"),
        ("store", "expected `pure`, found `impure`"),
    ];
    for (name, why) in refused {
        let errors = errors_of_call(&format!("Module.apply(Module.{name}, x)"));
        assert!(
            errors.len() == 1 && errors[0].ends_with(why),
            "{name}: {errors:?}"
        );
    }
    let errors = errors_of_call("R.add(Module.one, x)");
    assert!(
        errors.len() == 1 && errors[0].starts_with("argument-type"),
        "{errors:?}"
    );
}

#[test]
fn a_prim_func_that_writes_is_impure_where_it_is_called() {
    let errors = errors_of_call("Module.store(x)");
    assert!(
        errors.len() == 1 && errors[0].starts_with("impure-call-in-pure-function"),
        "{errors:?}"
    );
    assert!(errors_of_call("Module.load(x)").is_empty());
}

#[test]
fn arguments_are_given_by_position_and_are_values_of_relax() {
    let refused = [
        (
            "Module.one(x=x)",
            "unknown-argument: `one` takes its arguments by position, so `x=` is not allowed",
        ),
        (
            "Module.load(A=x)",
            "unknown-argument: PrimFunc `load` takes its arguments by position, so `A=` is not allowed",
        ),
        (
            "Module.one(None)",
            "argument-type: None cannot be an argument of `one`",
        ),
        (
            "Module.one([x])",
            "argument-type: a list cannot be an argument of `one`: write a tuple",
        ),
        (
            "(x, None)",
            "argument-type: None cannot be a field of a Relax tuple",
        ),
        (
            "R.call_pure_packed(\"f\", x, None, ty_args=R.Any)",
            "argument-type: `R.call_pure_packed`: `args` must be a Relax expression, but is None",
        ),
        (
            "R.call_pure_packed(3, x, ty_args=R.Any)",
            "argument-type: `R.call_pure_packed`: `func` must be a function, but is an integer",
        ),
    ];
    for (call, error) in refused {
        assert_eq!(errors_of_call(call), [error], "{call}");
    }
}

#[test]
fn operators_reject_keywords_of_other_operators() {
    for keyword in [
        "dtype=\"float32\"",
        "tir_vars=R.shape([3])",
        "output_shape=(3,)",
        "type_args=[]",
    ] {
        let name = keyword.split('=').next().unwrap_or_default();
        let errors = errors_of_call(&format!("R.add(x, x, {keyword})"));
        assert_eq!(
            errors,
            [format!(
                "unknown-argument: `R.add` has no parameter `{name}`"
            )]
        );
    }
}

#[test]
fn pytorch_keywords_suggest_relax_keywords() {
    assert_eq!(
        errors_of_call("R.nn.softmax(x, dim=0)"),
        ["unknown-argument: `R.nn.softmax` has no parameter `dim`; did you mean `axis`?"]
    );
}

#[test]
fn outputs_of_call_tir_are_tensors_with_their_shapes() {
    let call = |out: &str| errors_of_call(&format!("R.call_dps_packed(\"f\", (x,), out_ty={out})"));
    let refused = [
        "R.Tensor(ndim=2, dtype=\"float32\")",
        "[R.Tensor((4,), \"float32\"), R.Tensor(\"float32\")]",
        "R.Any",
        "R.Tuple(R.Tensor((4,), \"float32\"))",
    ];
    for out in refused {
        let errors = call(out);
        assert!(
            errors.len() == 1 && errors[0].starts_with("invalid-annotation"),
            "{out}: {errors:?}"
        );
    }
    for out in [
        "R.Tensor((4,))",
        "[R.Tensor((4,), \"float32\"), R.Tensor((8,), \"float32\")]",
    ] {
        assert!(call(out).is_empty(), "{out}");
    }
}

#[test]
fn constants_are_numbers_and_lists_of_equal_lengths() {
    let refused = [
        (
            "[[1, 2], [3]]",
            "the lists of a constant must have equal lengths",
        ),
        (
            "[1, [2]]",
            "the lists of a constant must have equal lengths",
        ),
        (
            "(1, 2)",
            "`R.const` takes a number, a list or an array: write a list",
        ),
        ("[\"a\"]", "the elements of a constant must be numbers"),
        (
            "None",
            "`R.const` takes a number or an array, but this is None",
        ),
        (
            "x",
            "`R.const` takes a number or an array, but this is a Tensor",
        ),
        (
            "n",
            "`R.const` takes a number or an array, but this is an integer",
        ),
        (
            "300, \"int8\"",
            "`300` does not fit into int8, which ranges from -128 to 127",
        ),
        (
            "[-1], \"uint8\"",
            "`-1` does not fit into uint8, which ranges from 0 to 255",
        ),
    ];
    for (value, why) in refused {
        let errors = errors_in(&format!("        y = R.const({value})\n        return x"));
        assert!(
            errors.len() == 1 && errors[0].ends_with(why),
            "{value}: {errors:?}"
        );
    }
    for value in [
        "[[1, 2], [3, 4]]",
        "[1, 2.5, True], \"float32\"",
        "[], \"float32\"",
        "1.5, \"int32\"",
        "-128, \"int8\"",
    ] {
        let errors = errors_in(&format!("        y = R.const({value})\n        return x"));
        assert!(errors.is_empty(), "{value}: {errors:?}");
    }
}

#[test]
fn an_attribute_is_given_once_and_named_by_a_string() {
    let with = |first: &str, second: &str| {
        errors_in(&format!(
            "        R.func_attr({first})\n        R.func_attr({second})\n        return x"
        ))
    };
    assert_eq!(
        with("{\"a\": 1}", "{\"a\": 2}"),
        ["redefinition: the attribute `a` is already given"]
    );
    assert!(with("{\"a\": 1}", "{\"b\": 2}").is_empty());
    assert!(with("{\"a\": 1}", "[1]")[0].starts_with("argument-type"));
    assert!(with("{\"a\": 1}", "{1: 2}")[0].starts_with("argument-type"));
}

#[test]
fn a_number_of_workers_may_be_negative_but_not_zero() {
    for op in [
        "ccl.scatter_from_worker0(t[0]",
        "dist.redistribute_replica_to_shard(t[0], axis=0",
    ] {
        let of = |workers: i64| {
            errors_in(&format!(
                "        y = R.{op}, num_workers={workers})\n        return y"
            ))
        };
        assert_eq!(of(-2), [""; 0]);
        let [error] = &of(0)[..] else {
            panic!("{op}: no error or more than one");
        };
        assert!(
            error.ends_with("`num_workers` must not be zero"),
            "{op}: {error}"
        );
    }
}

#[test]
fn any_value_has_its_offset_removed() {
    assert_eq!(
        errors_in("        y = R.memory.ensure_zero_offset(\"text\")\n        return x"),
        [""; 0]
    );
}

#[test]
fn the_grid_is_not_read_where_the_shape_of_the_data_is_unknown() {
    let of = |data: &str| {
        errors(&format!(
            r#"
# from tvm.script import relax as R, tirx as T
@R.function
def main(x: R.Tensor({data}"float32"), grid: R.Tensor((), "float32")):
    y = R.image.grid_sample(x, grid)
    return y
"#
        ))
    };
    assert_eq!(of("dtype="), [""; 0]);
    assert_eq!(
        of("(1, 2, 3, 4), "),
        ["rank-mismatch: `R.image.grid_sample`: `grid` must have 4 dimensions, but has 0"]
    );
}

#[test]
fn infinities_that_tvm_prints_are_constants() {
    let of = |value: &str| {
        let text = format!(
            r#"
# from tvm.script import relax as R
@R.function
def main(x: R.Tensor((2,), "float32")):
    y = R.const({value})
    return y
"#
        );
        render(&text, Severity::Hint)
    };
    for text in ["inf", "-inf", "nan"] {
        let facts = of(&format!("\"{text}\", \"float16\""));
        assert!(
            facts.contains("y: R.Tensor((), dtype=\"float16\")"),
            "{facts}"
        );
        let hint = format!(
            "warning argument-type: TVM prints `\"{text}\"` for this constant, but its parser rejects it: write `float(\"{text}\")`"
        );
        assert!(facts.contains(&hint), "{facts}");
    }
    for value in ["\"inf\", \"int32\"", "\"inf\"", "\"1.5\", \"float32\""] {
        assert!(of(value).contains(" error argument-type:"), "{value}");
    }
}

#[test]
fn summed_dimensions_of_batches_that_may_not_broadcast_are_not_compared() {
    let of = |weight: &str| {
        errors(&format!(
            r#"
# from tvm.script import relax as R, tirx as T
@R.function
def main(x: R.Tensor((1, 3, "m", 1), "float32"), w: R.Tensor({weight}, "float32")):
    y = R.linear(x, w)
    return y
"#
        ))
    };
    assert_eq!(of("(1, 3, \"m\", 1)"), [""; 0]);
    let [error] = &of("(1, 3, 3, 1)")[..] else {
        panic!("no error or more than one");
    };
    assert!(
        error.ends_with(
            "dimension 3 of `data` is `1`, dimension 1 of `weight` is `3`: they must be equal"
        ),
        "{error}"
    );
}
