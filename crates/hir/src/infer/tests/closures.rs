//! Tests of local functions, and the names of outer functions that they can use.

use expect_test::expect;

use super::check;
use super::refused::errors;

#[test]
fn a_function_inside_sees_the_shape_variables_around_it() {
    check(
        r#"
# from tvm.script import relax as R, tirx as T
@R.function
def main(x: R.Tensor(("n", "m"), "float32"), k: R.Prim("int64")):
    n = T.int64()
    m = T.int64()
    j = k + m
    @R.function
    def outer(y: R.Tensor((n, "q"), "float32")) -> R.Tensor((n, m), "float32"):
        q = T.int64()
        @R.function
        def inner(z: R.Tensor((n,), "float32")):
            w = R.zeros(R.shape([n, m, q, k, j]), "float32")
            return w
        return x
    return outer(x)
"#,
        expect![[r#"
            main(x: R.Tensor((n, m), dtype="float32"), k: R.Prim("int64")) -> R.Tensor(dtype="float32", ndim=2)
              j: R.Prim("int64")
              outer: R.Callable((R.Tensor((n, q), dtype="float32"),), R.Tensor((n, m), dtype="float32"), True)
            main.outer(y: R.Tensor((n, q), dtype="float32")) -> R.Tensor((n, m), dtype="float32")
              inner: R.Callable((R.Tensor((n,), dtype="float32"),), R.Tensor(dtype="float32", ndim=5), True)
            main.outer.inner(z: R.Tensor((n,), dtype="float32")) -> R.Tensor(dtype="float32", ndim=5)
              w: R.Tensor((n, m, q, k, j), dtype="float32")
        "#]],
    );
}

#[test]
fn strings_of_an_inner_signature_make_variables_of_its_own() {
    check(
        r#"
# from tvm.script import relax as R, tirx as T
@R.function
def main(x: R.Tensor(("n",), "float32")):
    @R.function
    def own(y: R.Tensor(("n + 1", "n"), "float32")):
        z = R.zeros(R.shape([n]), "float32")
        return R.add(z, x)
    @R.function
    def outer(y: R.Tensor(("n + 1",), "float32")):
        z = R.zeros(R.shape([n]), "float32")
        return R.add(z, x)
    return x
"#,
        expect![[r#"
            main(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32")
              own: R.Callable((R.Tensor((n + 1, n), dtype="float32"),), R.Tensor(dtype="float32", ndim=1), True)
              outer: R.Callable((R.Tensor((n + 1,), dtype="float32"),), R.Tensor(dtype="float32", ndim=1), True)
            main.own(y: R.Tensor((n + 1, n), dtype="float32")) -> R.Tensor(dtype="float32", ndim=1)
              z: R.Tensor((n,), dtype="float32")
            main.outer(y: R.Tensor((n + 1,), dtype="float32")) -> R.Tensor(dtype="float32", ndim=1)
              z: R.Tensor((n,), dtype="float32")
        "#]],
    );
}

#[test]
fn local_functions_saw_no_outer_shape_variables_until_0_25() {
    check(
        r#"
from tvm.script import relax as R, tir as T
@R.function
def main(x: R.Tensor(("n", "m"), "float32")):
    n = T.int64()
    m = T.int64()
    k = T.int64()
    @R.function
    def inner(y: R.Tensor((n, k), "float32")):
        z = R.zeros(R.shape([n, k, m]), "float32")
        return y
    @R.function
    def captures(y: R.Tensor((2,), "float32")):
        z = R.add(x, x)
        return y
    w = R.zeros(R.shape([k]), "float32")
    return w
"#,
        expect![[r#"
            main(x: R.Tensor((n, m), dtype="float32")) -> R.Tensor(dtype="float32", ndim=1)
              inner: R.Callable((R.Tensor((n, k), dtype="float32"),), R.Tensor((n, k), dtype="float32"), True)
              captures: R.Callable((R.Tensor((2,), dtype="float32"),), R.Tensor((2,), dtype="float32"), True)
              w: R.Tensor((k,), dtype="float32")
            main.inner(y: R.Tensor((n, k), dtype="float32")) -> R.Tensor((n, k), dtype="float32")
              z: R.Tensor((n, k, m), dtype="float32")
            main.captures(y: R.Tensor((2,), dtype="float32")) -> R.Tensor((2,), dtype="float32")
              z: R.Tensor((n, m), dtype="float32")
            10:29 error unbound-shape-variable: shape variable `m` is bound by the enclosing function, and until TVM 0.25 local functions cannot use it: make it a dimension of a parameter
            14:19 error unbound-shape-variable: shape variable `n` is bound by the enclosing function, and until TVM 0.25 local functions cannot use it: make it a dimension of a parameter
            14:19 error unbound-shape-variable: shape variable `m` is bound by the enclosing function, and until TVM 0.25 local functions cannot use it: make it a dimension of a parameter
        "#]],
    );
}

#[test]
fn a_local_function_of_a_dataflow_block_is_a_dataflow_var() {
    check(
        r#"
# from tvm.script import relax as R, tirx as T
@R.function
def main(x: R.Tensor((2,), "float32"), c: R.Tensor((), "bool")):
    with R.dataflow():
        @R.function
        def double(y: R.Tensor((2,), "float32")):
            return R.add(y, y)
        @R.function
        def calls(y: R.Tensor((2,), "float32")):
            return double(y)
        @R.function
        def recursive(y: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
            if c:
                z = recursive(y)
            else:
                z = R.add(y, y)
            return z
        @R.function
        def calls_recursive(y: R.Tensor((2,), "float32")):
            return recursive(y)
        w = calls(x)
        R.output(w)
    return double(w)
"#,
        expect![[r#"
            main(x: R.Tensor((2,), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tensor((2,), dtype="float32")
              double: R.Callable((R.Tensor((2,), dtype="float32"),), R.Tensor((2,), dtype="float32"), True)
              calls: R.Callable((R.Tensor((2,), dtype="float32"),), R.Tensor((2,), dtype="float32"), True)
              recursive: R.Callable((R.Tensor((2,), dtype="float32"),), R.Tensor((2,), dtype="float32"), True)
              calls_recursive: R.Callable((R.Tensor((2,), dtype="float32"),), R.Tensor((2,), dtype="float32"), True)
              w: R.Tensor((2,), dtype="float32")
            main.double(y: R.Tensor((2,), dtype="float32")) -> R.Tensor((2,), dtype="float32")
            main.calls(y: R.Tensor((2,), dtype="float32")) -> R.Tensor((2,), dtype="float32")
            main.recursive(y: R.Tensor((2,), dtype="float32")) -> R.Tensor((2,), dtype="float32")
              z: R.Tensor((2,), dtype="float32")
              z: R.Tensor((2,), dtype="float32")
              z: R.Tensor((2,), dtype="float32")
            main.calls_recursive(y: R.Tensor((2,), dtype="float32")) -> R.Tensor((2,), dtype="float32")
            11:20 error dataflow-var-captured: `double` is a dataflow var: a local function cannot use it unless it is an output of its block
            24:12 error dataflow-var-outside-block: `double` is a dataflow var: it is not among the outputs of its dataflow block
        "#]],
    );
}

#[test]
fn before_type_a_callable_binds_variables_in_the_outer_scope() {
    let text = r#"
from tvm.script import relax as R, tir as T
@R.function
def main(f: R.Callable((R.Tensor(("k", "m"), "int32"),), R.Tensor((4, "m"), "float32"), True), x: R.Tensor(("k", "m"), "int32"), h: R.Callable((R.Tensor(("j",)),), R.Tensor, True)):
    k = T.int64()
    j = T.int64()
    w = R.zeros((j,), "float32")
    @R.function
    def inner(a: R.Tensor(("p * q", 4)), g: R.Callable((R.Tensor(("p", "q")),), R.Tensor, True)):
        y: R.Tensor(ndim=2) = f(x)
        z = R.match_cast(y, R.Tensor((2, k * 2), "float32"))
        return z
    return x
"#;
    assert!(errors(text).is_empty(), "{:?}", errors(text));
}

#[test]
fn the_dataflow_block_of_a_local_function_may_use_outer_dataflow_vars() {
    let text = |statement: &str| {
        format!(
            r#"
from tvm.script import relax as R
@R.function
def main(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        y = R.abs(x)
        @R.function
        def inner(a: R.Tensor((4,), "float32")):
            {statement}
            return z
        w = inner(x)
        R.output(w)
    return w
"#
        )
    };
    let inside = "with R.dataflow():\n                z = R.add(a, y)\n                R.output(z)";
    assert_eq!(errors(&text(inside)), [""; 0]);
    assert_eq!(
        errors(&text("z = R.add(a, y)")),
        [
            "dataflow-var-captured: `y` is a dataflow var: a local function cannot use it unless it is an output of its block"
        ]
    );
}

#[test]
fn a_branch_in_a_local_function_keeps_only_its_own_shape_variables() {
    check(
        r#"
from tvm.script import relax as R
@R.function
def main(x: R.Tensor(("n", "k"), "float32"), c: R.Tensor((), "bool"), s: R.Any):
    @R.function
    def outer(a: R.Tensor(("n", 4), "float32")):
        if c:
            v = R.abs(x)
        else:
            v = R.negative(x)
        return v

    @R.function
    def own(a: R.Tensor(("n", "j"), "float32")):
        if c:
            v = R.abs(a)
        else:
            v = R.negative(a)
        return v

    return x
"#,
        expect![[r#"
            main(x: R.Tensor((n, k), dtype="float32"), c: R.Tensor((), dtype="bool"), s: R.Any) -> R.Tensor((n, k), dtype="float32")
              outer: R.Callable((R.Tensor((n, 4), dtype="float32"),), R.Tensor(dtype="float32", ndim=2), True)
              own: R.Callable((R.Tensor((n, j), dtype="float32"),), R.Tensor((n, j), dtype="float32"), True)
            main.outer(a: R.Tensor((n, 4), dtype="float32")) -> R.Tensor(dtype="float32", ndim=2)
              v: R.Tensor((n, k), dtype="float32")
              v: R.Tensor((n, k), dtype="float32")
              v: R.Tensor(dtype="float32", ndim=2)
            main.own(a: R.Tensor((n, j), dtype="float32")) -> R.Tensor((n, j), dtype="float32")
              v: R.Tensor((n, j), dtype="float32")
              v: R.Tensor((n, j), dtype="float32")
              v: R.Tensor((n, j), dtype="float32")
        "#]],
    );
}

#[test]
fn computed_dimensions_in_parameters_of_a_called_functions_result_are_not_looked_up() {
    check(
        r#"
# from tvm.script import relax as R, tirx as T
@I.ir_module
class Module:
    @R.function(private=True)
    def make(s: R.Shape(["m"])):
        @R.function
        def local(y: R.Shape(["m * 2"])) -> R.Shape(ndim=1):
            return y
        return local
    @R.function
    def main(s: R.Shape([6])):
        f = Module.make(s)
        return Module.make(s)
"#,
        expect![[r#"
            make(s: R.Shape([m])) -> R.Callable((R.Shape([m * 2]),), R.Shape(ndim=1), True)
              local: R.Callable((R.Shape([m * 2]),), R.Shape(ndim=1), True)
            make.local(y: R.Shape([m * 2])) -> R.Shape(ndim=1)
            main(s: R.Shape([6])) -> R.Callable((R.Shape([m * 2]),), R.Shape(ndim=1), True)
              f: R.Callable((R.Shape([m * 2]),), R.Shape(ndim=1), True)
        "#]],
    );
}

#[test]
fn a_call_leaves_the_callees_shape_variables_in_function_types() {
    let of = |annotation: &str| {
        errors(&format!(
            r#"
# from tvm.script import relax as R, tirx as T
@I.ir_module
class Module:
    @R.function
    def make(x: R.Tensor(("m",), "float32"), f: R.Callable((R.Tensor((2,), "float32"),), R.Tensor(("m",), "float32"), True)) -> R.Callable((R.Tensor((2,), "float32"),), R.Tensor(("m",), "float32"), True):
        return f
    @R.function
    def main(x: R.Tensor(("m",), "float32"), f: R.Callable((R.Tensor((2,), "float32"),), R.Tensor(("m",), "float32"), True)):
        g{annotation} = Module.make(x, f)
        return x
"#
        ))
    };
    assert_eq!(
        of(""),
        [
            "unbound-shape-variable: the function type of the result uses the shape variable `m` of `make`, which a call does not replace: annotate the result with a type that does not use it"
        ]
    );
    assert_eq!(of(": R.Any"), [""; 0]);
}
