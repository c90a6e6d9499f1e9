//! Tests of calls with special meanings in TVMScript. A single call without `cls.` does not select the unity dialect.

use super::*;

#[test]
fn attributes_of_values_are_their_struct_info() {
    check(
        r#"
# from tvm.script import relax as R, tirx as T
@R.function
def main(x: R.Tensor(("n", 4), "float32"), f: R.Any):
    n = T.int64()
    y = R.call_pure_packed("f", x, ty_args=[x.ty])
    z = R.zeros((x.ty.shape[0], 2), x.ty.dtype)
    w = R.zeros(y.ty.shape, "int32")
    return (z, w)
"#,
        expect![[r#"
            main(x: R.Tensor((n, 4), dtype="float32"), f: R.Any) -> R.Tuple(R.Tensor((n, 2), dtype="float32"), R.Tensor((n, 4), dtype="int32"))
              y: R.Tensor((n, 4), dtype="float32")
              z: R.Tensor((n, 2), dtype="float32")
              w: R.Tensor((n, 4), dtype="int32")
        "#]],
    );
}

#[test]
fn starred_arguments_and_comprehensions_are_expanded() {
    check(
        r#"
from tvm.script import relax as R
axes = [1, 0]
options = {"axis": 0, "keepdims": True}
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.permute_dims(*[x, axes])
    z = R.sum(y, **options)
    w = R.concat([x for i in range(4) if i > 1], axis=0)
    v = R.zeros([n * k for k, n in enumerate((7, 8))], "float32")
    u = R.TupleGetItem((x, y), 1)
    return (z, w, v, u)
"#,
        expect![[r#"
            main(x: R.Tensor((2, 3), dtype="float32")) -> R.Tuple(R.Tensor((1, 2), dtype="float32"), R.Tensor((4, 3), dtype="float32"), R.Tensor((0, 8), dtype="float32"), R.Tensor((3, 2), dtype="float32"))
              y: R.Tensor((3, 2), dtype="float32")
              z: R.Tensor((1, 2), dtype="float32")
              w: R.Tensor((4, 3), dtype="float32")
              v: R.Tensor((0, 8), dtype="float32")
              u: R.Tensor((3, 2), dtype="float32")
        "#]],
    );
}

#[test]
fn tensor_expressions_that_are_operators_are_inferred() {
    check(
        r#"
from tvm import topi
from tvm.script import relax as R
@R.function
def main(x: R.Tensor((2, 3), "float32"), y: R.Tensor((3,), "float32")):
    z = R.emit_te(topi.add, x, y)
    w = R.emit_te(topi.nn.flatten, z)
    return (z, w)
"#,
        expect![[r#"
            main(x: R.Tensor((2, 3), dtype="float32"), y: R.Tensor((3,), dtype="float32")) -> R.Tuple(R.Tensor((2, 3), dtype="float32"), ?)
              z: R.Tensor((2, 3), dtype="float32")
              w: ?
        "#]],
    );
}

#[test]
fn functions_of_tensor_expressions_are_followed() {
    check(
        r#"
from tvm import topi
from tvm.script import relax as R, tirx as T
def mean(x, axis):
    return topi.divide(topi.sum(x, axis, keepdims=True), 16)
@R.function
def main(x: R.Tensor(("n", 16), "float32")):
    n = T.int64()
    a = R.emit_te(mean, x, axis=1)
    b = R.emit_te(topi.transpose, a)
    c = R.emit_te(topi.matmul, b, x)
    d = R.emit_te(topi.squeeze, c)
    e = R.emit_te(topi.full, [n, 4], "float16", 0)
    g = R.emit_te(topi.broadcast_to, e, [2, n, 4], primfunc_name_hint="wide")
    return (d, g)
"#,
        expect![[r#"
            main(x: R.Tensor((n, 16), dtype="float32")) -> R.Tuple(R.Tensor((16,), dtype="float32"), R.Tensor((2, n, 4), dtype="float16"))
              a: R.Tensor((n, 1), dtype="float32")
              b: R.Tensor((1, n), dtype="float32")
              c: R.Tensor((1, 16), dtype="float32")
              d: R.Tensor((16,), dtype="float32")
              e: R.Tensor((n, 4), dtype="float16")
              g: R.Tensor((2, n, 4), dtype="float16")
        "#]],
    );
}

#[test]
fn in_place_outputs_name_arguments_of_equal_shape() {
    let call = |arguments: &str, indices: &str, out: &str| {
        format!(
            r#"
# from tvm.script import ir as I, relax as R, tirx as T
@I.ir_module
class Module:
    @T.prim_func
    def f(A: T.Buffer((4,), "float32"), B: T.Buffer((5,), "float32")):
        T.evaluate(0)

    @R.function
    def main(x: R.Tensor((4,), "float32"), y: R.Tensor((5,), "float32")):
        pair = (x, y)
        return R.call_tir_inplace(Module.f, {arguments}, {indices}, {out})
"#
        )
    };
    let wrong = |arguments, indices, out| {
        let text = super::render(&call(arguments, indices, out), relax::Severity::Error);
        text.lines()
            .find_map(|line| Some(line.split_once(" error ")?.1.to_owned()))
    };
    let one = "R.Tensor((4,), \"float32\")";
    assert_eq!(wrong("(x, y)", "0", one), None);
    assert_eq!(wrong("(x, y)", "[0]", one), None);
    let cases = [
        (
            "(x, y)",
            "[2]",
            "argument-value: index `2` is out of range: there are 2, and -1 means a new tensor",
        ),
        (
            "(x, y)",
            "-1",
            "argument-value: no output is computed in place: call `R.call_tir`",
        ),
        (
            "(x, y)",
            "[0, 1]",
            "argument-value: each output needs an index: there are 1 outputs and 2 indices",
        ),
        (
            "(x, y)",
            "1",
            "argument-value: an in-place output must have the shape and dtype of its argument, but the output is `R.Tensor((4,), dtype=\"float32\")` and the argument `R.Tensor((5,), dtype=\"float32\")`",
        ),
        (
            "pair",
            "0",
            "argument-type: the arguments of `R.call_tir_inplace` must be written as a tuple in the call, not passed as a variable",
        ),
    ];
    for (arguments, indices, message) in cases {
        assert_eq!(wrong(arguments, indices, one).as_deref(), Some(message));
    }
    let twice = format!("[{one}, {one}]");
    assert_eq!(
        wrong("(x, y)", "[0, 0]", &twice).as_deref(),
        Some("argument-value: index `0` is used for two outputs")
    );
}

#[test]
fn errors_of_tvms_parser_are_reported_at_their_position() {
    check(
        r#"
from tvm.script import ir as I, relax as R, tir as T
@R.function(private=True)
def hidden(x: R.Tensor(("m", "n"), "float32")):
    R.func_attr({"global_symbol": "hidden"})
    m = T.int64()
    n = T.int32()
    y = R.call_tir("foreign", x, R.Tensor((T.max(m), T.cast("int32", n, 1)), "float32"))
    return y

@R.function
def ranks(x: R.Tensor(ndim="2"), y: R.DTensor((4,), "float32", "mesh[0]")):
    z = R.TupleGetItem((x, x))
    return x
"#,
        expect![[r#"
            hidden(x: R.Tensor((m, n), dtype="float32")) -> R.Tensor((?2.21, ?2.27), dtype="float32")
              y: R.Tensor((?2.21, ?2.27), dtype="float32")
            ranks(x: ?, y: ?) -> ?
              z: ?
            5:17 error global-symbol-mismatch: `hidden` is private: it cannot have the global symbol `hidden`
            7:5 error dtype-mismatch: `n` is a dimension of the signature: its dtype is int64, not int32
            8:20 error argument-type: `R.call_tir` calls a PrimFunc of the module: for the packed function `foreign` write `R.call_dps_packed`
            8:44 error argument-count: `T.max` takes 2 arguments, but 1 are given
            8:54 error argument-count: `T.cast` takes 2 arguments, but 3 are given
            12:28 error invalid-annotation: `ndim` is a number of dimensions or -1, but this is a string
            12:64 error invalid-annotation: a DTensor on `mesh[0]` needs a `placement`: one entry for each dimension of the mesh
            13:9 error argument-count: `R.TupleGetItem` takes a tuple and an index
        "#]],
    );
}

#[test]
fn a_call_without_output_is_reported_once() {
    check(
        r#"
from tvm.script import ir as I, relax as R
@R.function
def main(x: R.Tensor((4,), "float32")):
    y = R.call_dps_packed("f", (x,))
    z = R.call_dps_packed("f", (x,), out_sinfos=R.Tensor((4,), "float32"))
    return R.add(y, z)
"#,
        expect![[r#"
            main(x: R.Tensor((4,), dtype="float32")) -> ?
              y: ?
              z: ?
            5:9 error argument-count: `R.call_dps_packed` needs `out_ty`
            6:38 error unknown-argument: `R.call_dps_packed` has no parameter `out_sinfos`
        "#]],
    );
}

#[test]
fn a_body_refines_its_return_annotation_for_callers() {
    check(
        r#"
from tvm.script import ir as I, relax as R
@I.ir_module
class Module:
    @R.function
    def earlier(x: R.Tensor((4,), "float32")) -> R.Object:
        return R.add(x, x)

    @R.function
    def main(x: R.Tensor((4,), "float32"), s: R.Shape(ndim=2)):
        a = Module.earlier(x)
        b = Module.later(x)
        c = R.reshape(a, s)
        return c

    @R.function
    def later(x: R.Tensor((4,), "float32")) -> R.Object:
        return R.add(x, x)
"#,
        expect![[r#"
            earlier(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32")
            main(x: R.Tensor((4,), dtype="float32"), s: R.Shape(ndim=2)) -> R.Tensor(dtype="float32", ndim=2)
              a: R.Tensor((4,), dtype="float32")
              b: R.Object
              c: R.Tensor(s, dtype="float32")
            later(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32")
        "#]],
    );
}

#[test]
fn devices_and_nodes_are_made_as_tvm_makes_them() {
    check(
        r#"
import tvm
from tvm import relax
from tvm.script import relax as R
@R.function
def main(x: R.Tensor((2, 3), "float32"), c: R.Tensor((), "bool")):
    a = R.to_vdevice(x, tvm.ir.VDevice("cuda", 1, "global"))
    b = relax.If(c, x, R.zeros((2, 5), "float32"))
    d = relax.SeqExpr([], x)
    e = R.emit(R.add(x, x))
    f = R.emit_with_sinfo("relax.add", (x, x), (R.Tensor((2, 3), "float32"),))
    return (a, b, d, e, f)
"#,
        expect![[r#"
            main(x: R.Tensor((2, 3), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tuple(R.Tensor((2, 3), dtype="float32", vdevice="cuda:1:global"), R.Tensor(dtype="float32", ndim=2), R.Tensor((2, 3), dtype="float32"), R.Tensor((2, 3), dtype="float32"), R.Tensor((2, 3), dtype="float32"))
              a: R.Tensor((2, 3), dtype="float32", vdevice="cuda:1:global")
              b: R.Tensor(dtype="float32", ndim=2)
              d: R.Tensor((2, 3), dtype="float32")
              e: R.Tensor((2, 3), dtype="float32")
              f: R.Tensor((2, 3), dtype="float32")
        "#]],
    );
}

#[test]
fn builder_calls_have_their_given_type() {
    check(
        r#"
from tvm.script import relax as R
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    a = R.emit_with_ty("relax.exp", (x,), (R.Tensor((2, 3), "float32"),))
    b = R.emit_with_type("relax.exp", (x,), (R.Tensor((2, 3), "float32"),))
    return (a, b)
"#,
        expect![[r#"
            main(x: R.Tensor((2, 3), dtype="float32")) -> R.Tuple(R.Tensor((2, 3), dtype="float32"), R.Tensor((2, 3), dtype="float32"))
              a: R.Tensor((2, 3), dtype="float32")
              b: R.Tensor((2, 3), dtype="float32")
        "#]],
    );
}

#[test]
fn a_contradiction_is_reported_once() {
    check(
        r#"
from tvm.script import relax as R
@R.function
def main(x: R.Tensor((2, 3), "float32"), y: R.Tensor((2, 3), "float32")):
    a: R.Tensor((2, 4), "float32") = R.add(x, y)
    b = R.multiply(a, x)
    c = R.match_cast(x, R.Tensor((2, 5), "float32"))
    d = R.multiply(c, x)
    return R.subtract(b, d)
"#,
        expect![[r#"
            main(x: R.Tensor((2, 3), dtype="float32"), y: R.Tensor((2, 3), dtype="float32")) -> ?
              a: R.Tensor((2, 4), dtype="float32")
              b: ?
              c: R.Tensor((2, 5), dtype="float32")
              d: ?
            5:21 error annotation-mismatch: `a` is annotated `R.Tensor((2, 4), dtype="float32")`, but its value is `R.Tensor((2, 3), dtype="float32")`: dimension 1 must be `4`, but it is `3`
            7:9 error impossible-cast: no value of `R.Tensor((2, 3), dtype="float32")` can be cast to `R.Tensor((2, 5), dtype="float32")`: dimension 1 must be `5`, but it is `3`
        "#]],
    );
}

#[test]
fn a_misspelled_block_or_output_is_reported_once() {
    check(
        r#"
from tvm.script import relax as R
@R.function
def f(x: R.Tensor((2,), "float32")):
    with R.dataflov():
        a = R.add(x, x)
        R.output(a)
    return a

@R.function
def g(x: R.Tensor((2,), "float32")):
    with R.dataflow():
        a = R.add(x, x)
        b = R.add(a, x)
        R.outpt(a, b)
    return R.add(a, b)

@R.function
def h(x: R.Tensor((2,), "float32")):
    with R.dataflow():
        a = R.add(x, x)
        b = R.add(a, x)
        R.output(a, bb)
    return R.add(a, b)

@R.function
def i(x: R.Tensor((2,), "float32")):
    with R.dataflow():
        a = R.add(x, x)
        b = R.add(a, x)
    return R.add(a, b)
"#,
        expect![[r#"
            f(x: R.Tensor((2,), dtype="float32")) -> R.Tensor((2,), dtype="float32")
              a: R.Tensor((2,), dtype="float32")
            g(x: R.Tensor((2,), dtype="float32")) -> R.Tensor((2,), dtype="float32")
              a: R.Tensor((2,), dtype="float32")
              b: R.Tensor((2,), dtype="float32")
            h(x: R.Tensor((2,), dtype="float32")) -> R.Tensor((2,), dtype="float32")
              a: R.Tensor((2,), dtype="float32")
              b: R.Tensor((2,), dtype="float32")
            i(x: R.Tensor((2,), dtype="float32")) -> R.Tensor((2,), dtype="float32")
              a: R.Tensor((2,), dtype="float32")
              b: R.Tensor((2,), dtype="float32")
            5:10 error undefined-name: `R.dataflov` does not exist; did you mean `R.dataflow`?
            15:9 error undefined-name: `R.outpt` does not exist; did you mean `R.output`?
            23:21 error undefined-name: `bb` is not defined; did you mean `b`?
            31:18 error dataflow-var-outside-block: `a` is a dataflow var, and its dataflow block has no `R.output`
        "#]],
    );
}

#[test]
fn unknown_names_in_t_and_i_are_reported() {
    check(
        r#"
from tvm.script import ir as I, relax as R, tir as T
@R.function
def main(x: R.Tensor(("n",), "float32")):
    n = T.int64()
    a = R.zeros((T.mim(n, 4),), "float32")
    b = R.zeros((T.min(n, T.int64(4)),), "float32")
    c = T.something_of_tomorrow(n)
    return (a, b)
"#,
        expect![[r#"
            main(x: R.Tensor((n,), dtype="float32")) -> R.Tuple(?, R.Tensor((T.min(n, 4),), dtype="float32"))
              a: ?
              b: R.Tensor((T.min(n, 4),), dtype="float32")
              c: ?
            6:20 error undefined-name: `T.mim` does not exist; did you mean `T.min`?
            8:11 warning undefined-name: `T.something_of_tomorrow` is not a known name
        "#]],
    );
}

#[test]
fn a_prim_func_called_directly_gives_what_it_declares() {
    check(
        r#"
# from tvm.script import ir as I, relax as R, tirx as T
@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor(["n"])):
        n = T.int64()
        condition: R.Prim("bool") = Module.is_even(R.prim_value(n))
        number = Module.next(R.prim_value(T.int32(41)))
        return (condition, number)

    @T.prim_func(private=True)
    def is_even(n: T.int64) -> T.bool:
        return n % 2 == 0

    @T.prim_func(private=True)
    def next(n: T.int32) -> T.int32:
        return n + 1
"#,
        expect![[r#"
            main(x: R.Tensor((n,))) -> R.Tuple(R.Prim("bool"), R.Prim("int32"))
              condition: R.Prim("bool")
              number: R.Prim("int32")
        "#]],
    );
}

#[test]
fn constants_of_a_mesh_and_devices_are_known() {
    check(
        r#"
# from tvm.script import ir as I, relax as R, tirx as T
@R.function
def main(x: R.Tensor((), "int32")):
    y = R.hint_on_device(x, R.device(1, 0))
    z = R.dist.const(3.0, R.dist.DTensor((), "float32", "mesh[0]", "R"))
    return (y, z)
"#,
        expect![[r#"
            main(x: R.Tensor((), dtype="int32")) -> R.Tuple(R.Tensor((), dtype="int32"), R.DTensor((), "float32", "mesh[0]", "R"))
              y: R.Tensor((), dtype="int32")
              z: R.DTensor((), "float32", "mesh[0]", "R")
        "#]],
    );
}

#[test]
fn meta_var_keeps_numbers() {
    check(
        r#"
# from tvm.script import ir as I, relax as R, tirx as T
@R.function
def main(x: R.Tensor("float32", ndim=3)):
    n, c, h = T.int64(), I.meta_var(T.int64(16)), T.int64()
    y = R.match_cast(x, R.Tensor((n, c, h), "float32"))
    return y
"#,
        expect![[r#"
            main(x: R.Tensor(dtype="float32", ndim=3)) -> R.Tensor(dtype="float32", ndim=3)
              y: R.Tensor((n, 16, h), dtype="float32")
        "#]],
    );
}

#[test]
fn spellings_of_tvms_printer_are_read() {
    check(
        r#"
# from tvm.script import relax as R, tirx as T
@R.function
def main(x: R.Tensor((2, 4), "float32")):
    y: R.Tensor((2, 3), "float32") = R.matmul(x, metadata["ir.GenericConst"][0], out_dtype=None)
    z = R.builtin.alloc_tensor(R.shape([2, 3]), R.dtype("float32"), 0, R.str("global"), ty_args=(R.Tensor((2, 3), "float32"),))
    return (y, z)
"#,
        expect![[r#"
            main(x: R.Tensor((2, 4), dtype="float32")) -> R.Tuple(R.Tensor((2, 3), dtype="float32"), R.Tensor((2, 3), dtype="float32"))
              y: R.Tensor((2, 3), dtype="float32")
              z: R.Tensor((2, 3), dtype="float32")
        "#]],
    );
}

#[test]
fn calls_of_runtime_functions_are_checked() {
    check(
        r#"
from tvm.script import relax as R

@R.function(pure=False)
def main(cache: R.Object, qkv: R.Tensor((4, 8, 4), "float32")):
    a = R.call_packed("vm.builtin.kv_state_add_sequence", cache)
    b = R.call_packed("vm.builtin.kv_state_begin_forward", cache, qkv, R.shape([4]))
    c = R.call_dps_packed("vm.builtin.attention_kv_cache_attention_with_fused_qkv", (cache, 0, 1.0), out_sinfo=R.Tensor((4, 4, 4), "float32"))
    d = R.call_packed("vm.builtin.kv_state_fork_sequence", cache, 0, 1)
    e = R.call_packed("vm.builtin.param_array_from_cache_by_name_unpacked", "a", "b", 3)
    f = R.call_packed("vm.builtin.kv_state_popn", cache, 0, 1.5)
    g = R.call_packed("mine", cache, 0, 1.5)
    return c
"#,
        expect![[r#"
            main(cache: R.Object, qkv: R.Tensor((4, 8, 4), dtype="float32")) -> R.Tensor((4, 4, 4), dtype="float32")
              a: R.Object
              b: R.Object
              c: R.Tensor((4, 4, 4), dtype="float32")
              d: R.Object
              e: R.Object
              f: R.Object
              g: R.Object
            6:23 warning argument-count: `vm.builtin.kv_state_add_sequence` takes 2 arguments, and 1 are given
            7:67 warning argument-type: `vm.builtin.kv_state_begin_forward` takes a Shape as `sequences`
            8:27 warning argument-count: `vm.builtin.attention_kv_cache_attention_with_fused_qkv` takes 5 arguments, and 4 are given
            10:87 warning argument-type: `vm.builtin.param_array_from_cache_by_name_unpacked` takes a string as `names`
            11:61 warning argument-type: `vm.builtin.kv_state_popn` takes an integer as `count`
        "#]],
    );
}

/// Returns the errors of a program in the last release that has `tir_vars`.
fn errors_until_0_25(text: &str) -> Vec<String> {
    let (db, file) = in_release(Release::V0_25, text);
    let all = file_diagnostics(&db, file).into_iter();
    all.filter(|it| it.severity == Severity::Error)
        .map(|it| format!("{}: {}", it.code.name(), it.message))
        .collect()
}

#[test]
fn scalars_of_tir_vars_come_after_the_outputs() {
    let errors_of = |params: &str, call: &str| {
        let text = format!(
            r#"
from tvm.script import ir as I, relax as R, tirx as T
@I.ir_module
class Module:
    @T.prim_func
    def kernel({params}):
        T.evaluate(0)
    @R.function
    def main(x: R.Tensor((4,), "float32"), s: R.Shape(["n"])):
        n = T.int64()
        cls = Module
        y = R.call_tir(cls.kernel, {call}, out_sinfo=R.Tensor((2,), "float32"), tir_vars=R.shape([n]))
        return y
"#
        );
        let by_position = text.replace("tir_vars=", "").replace("out_sinfo=", "");
        let errors = errors_until_0_25(&text);
        assert_eq!(errors_until_0_25(&by_position), errors);
        errors
    };
    let buffer = |name: &str, size: u32| format!("{name}: T.Buffer(({size},), \"float32\")");
    let (a, b) = (buffer("A", 4), buffer("B", 2));
    let right = format!("{a}, {b}, n: T.int64");
    assert_eq!(errors_of(&right, "(x,)"), [""; 0]);
    let two = format!("{a}, {b}, {}, n: T.int64", buffer("C", 2));
    assert_eq!(
        errors_of(&two, "(x,)"),
        [
            "argument-count: PrimFunc `kernel` has 4 parameters, including outputs, but the call passes 1 argument, 1 output and 1 scalar"
        ]
    );
    let wrong_order = format!("{a}, n: T.int64, {b}");
    assert_eq!(
        errors_of(&wrong_order, "(x,)"),
        [
            "argument-type: `tir_vars` are passed after the outputs, but parameter 3 of PrimFunc `kernel` is a buffer"
        ]
    );
    let other_shape = format!("{}, {b}, n: T.int64", buffer("A", 3));
    assert_eq!(
        errors_of(&other_shape, "(x,)"),
        [
            "argument-type: argument 1 does not fit PrimFunc `kernel`: dimension 0 must be `3`, but it is `4`"
        ]
    );
    assert_eq!(
        errors_of(&right, "(x, x)"),
        [
            "argument-type: argument 2 does not fit PrimFunc `kernel`: dimension 0 must be `2`, but it is `4`"
        ]
    );
}
