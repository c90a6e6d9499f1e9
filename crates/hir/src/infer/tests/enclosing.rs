//! Tests of functions whose types depend on the enclosing Python code and its calls.

use expect_test::expect;

use super::check;

const IMPORTS: &str = "import pytest\nfrom tvm.script import ir as I, relax as R, tir as T\n";

fn check_after_imports(text: &str, want: expect_test::Expect) {
    check(&format!("{IMPORTS}{text}"), want);
}

#[test]
fn a_helper_that_is_called_once_sees_its_arguments() {
    check_after_imports(
        r#"
def make(n, dtype="float32"):
    shape = (n, 4)
    @R.function
    def main(x: R.Tensor(shape, dtype)):
        return x
    return main

def test():
    compare(make(3))
"#,
        expect![[r#"
            main(x: R.Tensor((3, 4), dtype="float32")) -> R.Tensor((3, 4), dtype="float32")
        "#]],
    );
}

#[test]
fn arguments_that_differ_between_calls_are_unknown() {
    check_after_imports(
        r#"
def make(n, dtype):
    @R.function
    def main(x: R.Tensor((4, 4), dtype), y: R.Tensor((n, 4), "float32")):
        return x
    return main

def test():
    compare(make(3, dtype="int32"))
    compare(make(5, dtype="int32"))
"#,
        expect![[r#"
            main(x: R.Tensor((4, 4), dtype="int32"), y: R.Tensor((n, 4), dtype="float32")) -> R.Tensor((4, 4), dtype="int32")
        "#]],
    );
}

#[test]
fn a_branch_uses_only_calls_that_reach_it() {
    check_after_imports(
        r#"
def make(shape):
    if len(shape) == 1:
        @R.function
        def vector(x: R.Tensor(shape, "float32")):
            return x
        return vector
    @R.function
    def matrix(x: R.Tensor(shape, "float32")):
        return x
    return matrix

def test():
    compare(make((3,)), make([4, 5]))
"#,
        expect![[r#"
            vector(x: R.Tensor((3,), dtype="float32")) -> R.Tensor((3,), dtype="float32")
            matrix(x: R.Tensor((4, 5), dtype="float32")) -> R.Tensor((4, 5), dtype="float32")
        "#]],
    );
}

#[test]
fn a_condition_uses_the_only_value_of_a_parameter() {
    check_after_imports(
        r#"
@pytest.mark.parametrize("dtype", ["float16"])
@pytest.mark.parametrize("n, m", [(2, 3), (2, 5)])
def test(n, m, dtype):
    @R.function
    def main(x: R.Tensor((n,), dtype), y: R.Tensor((m,), dtype)):
        return x
"#,
        expect![[r#"
            main(x: R.Tensor((2,), dtype="float16"), y: R.Tensor((m,), dtype="float16")) -> R.Tensor((2,), dtype="float16")
        "#]],
    );
}

#[test]
fn a_function_that_others_may_call_has_unknown_parameters() {
    check_after_imports(
        r#"
def make(dtype):
    @R.function
    def main(x: R.Tensor((4,), dtype)):
        return x
    return main

def test():
    compare(make("int8"))
    run_with_every_dtype(make)
"#,
        expect![[r#"
            main(x: R.Tensor((4,), dtype=?)) -> R.Tensor((4,), dtype=?)
        "#]],
    );
}

#[test]
fn a_list_that_is_changed_in_place_is_unknown() {
    check_after_imports(
        r#"
def test():
    shape = [2, 3]
    shape.append(4)
    other = [2, 3]
    other[0] = 7
    @R.function
    def main(x: R.Tensor(shape, "float32"), y: R.Tensor(other, "float32")):
        return (x, y)
"#,
        expect![[r#"
            main(x: ?, y: ?) -> R.Tuple(?, ?)
        "#]],
    );
}

#[test]
fn a_macro_expands_to_its_body() {
    check_after_imports(
        r#"
@R.macro
def doubled(x, dtype):
    y = R.astype(x, dtype)
    return R.add(y, y)

@R.function
def main(x: R.Tensor((4,), "float32")):
    y = doubled(x, dtype="float16")
    return y
"#,
        expect![[r#"
            main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float16")
              y: R.Tensor((4,), dtype="float16")
        "#]],
    );
}

#[test]
fn names_of_a_known_star_import_are_known() {
    check_after_imports(
        r#"
from tvm.relax.dpl import *

@R.function
def main(x: R.Tensor((4,), "float32")):
    y = R.add(x, wildcard)
    return R.add(x, gone)
"#,
        expect![[r#"
            main(x: R.Tensor((4,), dtype="float32")) -> ?
              y: ?
            9:21 error undefined-name: `gone` is not defined
        "#]],
    );
}

#[test]
fn a_function_with_a_single_return_is_inlined() {
    check_after_imports(
        r#"
from tvm import relax
from tvm.ir import Op

def inspect(field, *args):
    """One field of a tensor."""
    return relax.Call(Op.get(f"relax.inspect.tensor_{field}"), args)

def scaled(x, by=2):
    return R.multiply(x, R.const(by, "float32"))

def itself(x):
    return itself(x)

@R.function
def main(x: R.Tensor((3, 4), "float32")):
    y = inspect("ndim", x)
    z = scaled(x)
    w = itself(x)
    return (y, z, w)
"#,
        expect![[r#"
            main(x: R.Tensor((3, 4), dtype="float32")) -> R.Tuple(R.Prim(value=2), R.Tensor((3, 4), dtype="float32"), ?)
              y: R.Prim(value=2)
              z: R.Tensor((3, 4), dtype="float32")
              w: ?
        "#]],
    );
}

#[test]
fn parser_classes_may_be_annotations() {
    check(
        r#"
# from tvm.script import relax as R, tirx as T
import tvm
proxy = tvm.script.parser.relax.entry.AnyProxy
@R.function
def main(x: R.Any):
    y = R.match_cast(x, proxy)
    return y
"#,
        expect![[r#"
            main(x: R.Any) -> ?
              y: ?
        "#]],
    );
}

#[test]
fn lists_that_differ_between_calls_keep_their_length() {
    check_after_imports(
        r#"
def make(shape, dtype):
    @R.function
    def main(x: R.Tensor(shape, dtype)):
        y = R.exp(x)
        z = R.reshape(y, (6,))
        w = R.add(x, R.zeros((2, 3), "float32"))
        return (y, z, w)
    return main

make((2, 3), "float32")
make((3, 2), "float16")
"#,
        expect![[r#"
            main(x: R.Tensor((shape[0], shape[1]), dtype=?)) -> R.Tuple(R.Tensor((shape[0], shape[1]), dtype=?), R.Tensor((6,), dtype=?), R.Tensor(dtype=?, ndim=2))
              y: R.Tensor((shape[0], shape[1]), dtype=?)
              z: R.Tensor((6,), dtype=?)
              w: R.Tensor(dtype=?, ndim=2)
        "#]],
    );
}

#[test]
fn a_dtype_computed_by_python_fits_every_other() {
    check_after_imports(
        r#"
def make(dtype):
    @I.ir_module
    class Module:
        @R.function
        def main(x: R.Tensor((2, 3), dtype)) -> R.Tensor((2, 3), "float32"):
            lv: R.Tensor((2, 3), "int32") = Module.half(x)
            lv1: R.Tensor((2, 3), dtype) = R.astype(x, "float16")
            lv2 = Module.half(R.matmul(x, R.permute_dims(x)))
            return R.add(x, lv1)

        @R.function
        def half(x: R.Tensor((2, 3), "float16")) -> R.Tensor((2, 3), dtype):
            return x
    return Module
"#,
        expect![[r#"
            main(x: R.Tensor((2, 3), dtype=?)) -> R.Tensor((2, 3), dtype="float32")
              lv: R.Tensor((2, 3), dtype="int32")
              lv1: R.Tensor((2, 3), dtype="float16")
              lv2: R.Tensor((2, 3), dtype=?)
            half(x: R.Tensor((2, 3), dtype="float16")) -> R.Tensor((2, 3), dtype=?)
            11:31 error argument-type: argument 1 does not fit `half`: dimension 1 must be `3`, but it is `2`
        "#]],
    );
}
