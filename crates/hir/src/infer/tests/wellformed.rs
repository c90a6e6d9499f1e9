//! Tests of well-formedness criteria that other tests do not cover, and of valid programs that look ill-formed.

use expect_test::expect;
use relax::Severity;

use super::{check, render};

#[test]
fn a_local_function_uses_outputs_of_its_block_only() {
    check(
        r#"
from tvm.script import relax as R
@R.function
def main(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        y = R.exp(x)
        w = R.exp(y)
        @R.function
        def g(z: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
            a = R.add(z, y)
            return R.add(a, w)
        v = g(x)
        R.output(v, w)
    return v
"#,
        expect![[r#"
            main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32")
              y: R.Tensor((4,), dtype="float32")
              w: R.Tensor((4,), dtype="float32")
              g: R.Callable((R.Tensor((4,), dtype="float32"),), R.Tensor((4,), dtype="float32"), True)
              v: R.Tensor((4,), dtype="float32")
            main.g(z: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32")
              a: R.Tensor((4,), dtype="float32")
            10:26 error dataflow-var-captured: `y` is a dataflow var: a local function cannot use it unless it is an output of its block
        "#]],
    );
}

#[test]
fn indirect_recursion_is_found() {
    check(
        r#"
from tvm.script import ir as I, relax as R
@I.ir_module
class Module:
    @R.function
    def even(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        with R.dataflow():
            y = Module.odd(x)
            R.output(y)
        return y

    @R.function
    def odd(x: R.Tensor((4,), "float32")):
        return Module.even(x)

    @R.function
    def twice(x: R.Tensor((4,), "float32")):
        return Module.even(x)
"#,
        expect![[r#"
            even(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32")
              y: R.Any
            odd(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32")
            twice(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32")
            8:24 warning recursion-in-dataflow: `even` calls itself here through `odd`: a dataflow block cannot contain recursion, which may not end
            13:9 warning recursion-without-annotation: `odd` calls itself through `even`: without a return annotation its result is unknown
        "#]],
    );
}

#[test]
fn annotations_forbidden_by_the_specification_are_reported() {
    check(
        r#"
from tvm.script import ir as I, relax as R
@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm"), I.vdevice("cuda", 0)]})
    @R.function
    def main(
        a: R.Shape((4, 5), ndim=3),
        b: R.Tensor((4, 5), "float32", ndim=2),
        c: R.Tensor((4,), "float32x4"),
        d: R.Callable((R.Object,), R.Object, derive_func="f"),
        e: R.Tensor((4,), "float32", "cuda:1"),
        f: R.Tensor((4,), "float32", "cuda:0"),
        g: R.Tensor((4,), ndim=-1),
        h: R.Prim("handle"),
    ):
        x = R.prim_value("a")
        y = R.prim_value(b)
        return a
"#,
        expect![[r#"
            main(a: R.Shape([4, 5]), b: R.Tensor((4, 5), dtype="float32"), c: R.Tensor((4,), dtype="float32x4"), d: R.Callable((R.Object,), R.Object, True), e: R.Tensor((4,), dtype="float32", vdevice="cuda:1:global"), f: R.Tensor((4,), dtype="float32", vdevice="cuda:0:global"), g: R.Tensor((4,)), h: R.Prim("handle")) -> R.Shape([4, 5])
              x: ?
              y: ?
            8:33 error rank-mismatch: the shape has 2 dimensions, but `ndim` says 3
            9:45 error invalid-annotation: the dimensions tell how many they are: leave `ndim` out
            10:27 warning unknown-dtype: `float32x4` is a vector: a dtype of Relax is that of one element
            11:58 warning ignored-argument: `derive_func` is for opaque functions: it is ignored if `params` is given
            12:38 warning unknown-vdevice: the module has no device `cuda:1` in its `vdevice`s
            15:19 warning invalid-annotation: a scalar of Relax must be an integer, a float or a bool
            17:26 warning argument-type: `R.prim_value` takes a number, but this is a string
            18:26 error argument-type: `R.prim_value` takes a number, but this is a Tensor
        "#]],
    );
}

#[test]
fn a_mismatch_explains_its_origin() {
    let text = r#"
from tvm.script import ir as I, relax as R
@I.ir_module
class Module:
    @R.function
    def f(x: R.Tensor(("n", 4), "float32"), y: R.Tensor(("n",), "float32")):
        return y

    @R.function
    def main(x: R.Tensor((3, 4), "float32"), y: R.Tensor((5,), "float32")):
        return Module.f(x, y)
"#;
    expect![[r#"
        11:28 argument 2 cannot fit `f` when it runs: dimension 0 must be `3`, but it is `5`
          10:46 `y` is `R.Tensor((5,), dtype="float32")`
          11:25 dimension 0 of argument 1 binds `n` to `3`
    "#]]
    .assert_eq(&super::related(text));
}

#[test]
fn an_impure_call_explains_its_impurity() {
    let text = r#"
from tvm.script import ir as I, relax as R
@I.ir_module
class Module:
    @R.function(pure=False)
    def say(x: R.Tensor((4,), "float32")):
        _ = R.print(x, format="{}")
        return x

    @R.function(pure=False)
    def through(x: R.Tensor((4,), "float32")):
        return Module.say(x)

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return Module.through(x)
"#;
    expect![[r#"
        16:16 `through` is impure, but function `main` is pure: mark it `@R.function(pure=False)`, or call a pure variant
          15:9 the function that is pure
          12:16 `through` is impure: it calls `say`
          7:13 `say` is impure: it calls `R.print`
    "#]].assert_eq(&super::related(text));
}

#[test]
fn disabled_well_formedness_errors_are_warnings() {
    check(
        r#"
# from tvm.script import ir as I, relax as R, tirx as T
@I.ir_module(check_well_formed=False)
class Module:
    @T.prim_func(private=True)
    def add_one(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
        T.evaluate(0)

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        R.func_attr({"global_symbol": "other"})
        n = T.int64()
        printed = R.print(x)
        with R.dataflow():
            y = R.call_packed("f", x, ty_args=R.Tensor((n,), "float32"))
            R.output(y)
        z: R.Tensor((), "float32") = R.exp(x)
        w = R.call_tir(Module.add_one, (x,), out_ty=R.Tensor((8,), "float32"))
        return (y, z, w)

@R.function(check_well_formed=False)
def alone(x: R.Tensor((4,), "float32")):
    printed = R.print(x)
    return R.matmul(x, undefined)
"#,
        expect![[r#"
            main(x: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor(dtype="float32", ndim=1), R.Tensor((), dtype="float32"), R.Tensor((8,), dtype="float32"))
              printed: R.Tuple
              y: R.Tensor((n,), dtype="float32")
              z: R.Tensor((), dtype="float32")
              w: R.Tensor((8,), dtype="float32")
            alone(x: R.Tensor((4,), dtype="float32")) -> ?
              printed: R.Tuple
            11:21 warning global-symbol-mismatch: the global symbol of a function in a module is its name: `main`, not `other`
            13:19 warning impure-call-in-pure-function: `R.print` is impure, but function `main` is pure: mark it `@R.function(pure=False)`, or call a pure variant
            15:17 warning impure-call-in-dataflow: `R.call_packed` is impure: a dataflow block holds pure calls only
            15:47 warning unbound-shape-variable: shape variable `n` is used before it is bound: bind it by a dimension of a parameter or by `R.match_cast`
            17:21 warning annotation-mismatch: `z` is annotated `R.Tensor((), dtype="float32")`, but its value is `R.Tensor((4,), dtype="float32")`: expected 0 dimensions, found 1
            18:41 warning argument-type: argument 1 does not fit PrimFunc `add_one`: dimension 0 must be `16`, but it is `4`
            23:15 warning impure-call-in-pure-function: `R.print` is impure, but function `alone` is pure: mark it `@R.function(pure=False)`, or call a pure variant
            24:24 error undefined-name: `undefined` is not defined
        "#]],
    );
}

#[test]
fn parameters_of_one_name_are_reported() {
    check(
        r#"
@R.function
def main(x: R.Tensor((4,), "float32"), x: R.Tensor((5,), "float32")):
    return x
"#,
        expect![[r#"
            main(x: R.Tensor((4,), dtype="float32"), x: R.Tensor((5,), dtype="float32")) -> R.Tensor((5,), dtype="float32")
            3:40 error redefinition: the parameter `x` is already defined
        "#]],
    );
}

#[test]
fn unknown_attributes_are_reported() {
    check(
        r#"
@R.function
def main(x: R.Tensor((4,), "float32"), s: R.Shape([2]), o: R.Any):
    a = x.transposed
    b = s.lenght
    c = (x, x).first
    d = R.add(x, x).strutc_info
    known = [x.ty, x.span, x.astype("float16"), o.anything, x._private]
    return x
"#,
        expect![[r#"
            main(x: R.Tensor((4,), dtype="float32"), s: R.Shape([2]), o: R.Any) -> R.Tensor((4,), dtype="float32")
              a: ?
              b: ?
              c: ?
              d: ?
            4:11 error unknown-attribute: `x` is a Tensor, which has no attribute `transposed`
            5:11 error unknown-attribute: `s` is a Shape, which has no attribute `lenght`
            7:21 error unknown-attribute: this is a Tensor, which has no attribute `strutc_info`; did you mean `struct_info`?
        "#]],
    );
}

#[test]
fn fields_of_a_tensor_are_scalars() {
    check(
        r#"
@R.function
def main(x: R.Tensor((4, "n"), "float16"), y: R.Tensor) -> R.Prim(value="n"):
    bits = x.dtype.bits
    rank = y.ndim
    extent = x.shape[1]
    stride = x.strides[0]
    start = x.elem_offset
    width = T.uint8()
    w = R.match_cast(y.dtype.bits, R.Prim(value=width))
    return extent
"#,
        expect![[r#"
            main(x: R.Tensor((4, n), dtype="float16"), y: R.Tensor) -> R.Prim(value=n)
              bits: R.Prim(value=16)
              rank: R.Prim("int32")
              extent: R.Prim(value=n)
              stride: R.Prim(value=n)
              start: R.Prim(value=0)
              w: R.Prim(value=width)
        "#]],
    );
}

#[test]
fn an_annotation_is_reported_where_it_is_wrong() {
    check(
        r#"
@R.function
def main(x: R.Tensor((4, "a b", 1.5), "float32"), y: R.Tensor((4,), "floot32"), z: R.Tensor((4,), "int8", ndim=1)):
    a: R.Tensor((4,), "float32") = R.zeros((5,), "float32")
    b: R.Tensor(shape=(4,), dtype="float16") = R.zeros((4,), "float32")
    c: R.Tensor(ndim=2) = R.zeros((4,), "float32")
    d: R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "int8")) = (a, a)
    return a
"#,
        expect![[r#"
            main(x: ?, y: R.Tensor((4,), dtype=?), z: R.Tensor((4,), dtype="int8")) -> ?
              a: R.Tensor((4,), dtype="float32")
              b: R.Tensor((4,), dtype="float16")
              c: R.Tensor(ndim=2)
              d: R.Tuple(?, ?)
            3:26 error invalid-annotation: `a b` is not an expression over shape variables
            3:33 error invalid-annotation: a dimension is an integer or an expression over shape variables
            3:69 error unknown-dtype: `floot32` is not a dtype; did you mean `float32`?
            3:112 error invalid-annotation: the dimensions tell how many they are: leave `ndim` out
            4:18 error annotation-mismatch: `a` is annotated `R.Tensor((4,), dtype="float32")`, but its value is `R.Tensor((5,), dtype="float32")`: dimension 0 must be `4`, but it is `5`
            5:35 error annotation-mismatch: `b` is annotated `R.Tensor((4,), dtype="float16")`, but its value is `R.Tensor((4,), dtype="float32")`: the dtype must be `float16`, but it is `float32`
            6:22 error annotation-mismatch: `c` is annotated `R.Tensor(ndim=2)`, but its value is `R.Tensor((4,), dtype="float32")`: expected 2 dimensions, found 1
        "#]],
    );
}

#[test]
fn a_call_in_a_dimension_is_rejected_and_has_no_effect() {
    check(
        r#"
@R.function
def main(x: R.Tensor(("n",), "float32")) -> R.Tensor((R.call_packed("size", x),), "float32"):
    with R.dataflow():
        y: R.Tensor((R.print(x),), "float32") = R.exp(x)
        R.output(y)
    return y
"#,
        expect![[r#"
            main(x: R.Tensor((n,), dtype="float32")) -> ?
              y: R.Tensor((n,), dtype="float32")
            3:55 error invalid-annotation: a dimension is an integer or an expression over shape variables
            5:22 error invalid-annotation: a dimension is an integer or an expression over shape variables
        "#]],
    );
}

#[test]
fn the_contents_of_an_open_bracket_are_unknown() {
    check(
        r#"
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    a = R.reshape(x, (3, 2
    b = R.matmul(a, a)
    c = R.concat([x
    d: R.Tens
    return c
"#,
        expect![[r#"
            main(x: R.Tensor((2, 3), dtype="float32")) -> ?
              a: ?
              b: ?
              c: ?
            4:27 error syntax-error: expected `)` to close this parenthesis
            6:20 error syntax-error: expected `]` to close this list
            7:8 error invalid-annotation: this is not an annotation: write `R.Tensor(...)`, `R.Shape(...)`, `R.Tuple(...)`, `R.Any`, ...
        "#]],
    );
}

#[test]
fn an_overlong_chain_is_reported_once() {
    for link in [".a", " + x", "[0]"] {
        let chain = link.repeat(1000);
        let text = format!(
            "@R.function\ndef main(x: R.Tensor((4,), \"float32\")):\n    y = x{chain}\n    return x\n"
        );
        let found = render(&text, Severity::Warning);
        let reports: Vec<&str> = found
            .lines()
            .filter(|it| it.contains("unsupported-statement"))
            .collect();
        assert_eq!(reports.len(), 1, "{link}: {found}");
    }
}

#[test]
fn variables_of_a_rejected_if_are_bound_after_it() {
    check(
        r#"
@R.function
def main(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")):
    if c:
        y = R.exp(x)
    else:
        z = R.abs(x)
    if c:
        w = R.exp(x)
    return (y, z, w)
"#,
        expect![[r#"
            main(x: R.Tensor((4,), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tuple(?, ?, ?)
              y: R.Tensor((4,), dtype="float32")
              z: R.Tensor((4,), dtype="float32")
              w: R.Tensor((4,), dtype="float32")
            7:9 error branch-variable-mismatch: both branches must end by binding the same variable: this one binds `z`, the first `y`
            8:5 error missing-else: an `if` of Relax is an expression: it needs an `else`
        "#]],
    );
}
