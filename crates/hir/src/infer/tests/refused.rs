//! Tests of small mistakes that TVM rejects, each with one diagnostic, and of similar code that it accepts.

use relax::Severity;

use super::render;

/// Returns the errors of a function of `x` and `t` with these statements, without positions.
pub(super) fn errors_in(body: &str) -> Vec<String> {
    let text = format!(
        r#"
from tvm import topi
from tvm.script import ir as I, relax as R, tirx as T
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def double(a: T.handle, b: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n,), "float32")
        B = T.match_buffer(b, (n * 2,), "float32")
        T.evaluate(0)

    @T.prim_func(s_tir=True)
    def narrow(a: T.handle, b: T.handle):
        n = T.int32()
        A = T.match_buffer(a, (n,), "float32")
        B = T.match_buffer(b, (n * 2,), "float32")
        T.evaluate(0)

    @R.function
    def main(x: R.Tensor(("n",), "float32"), t: R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32"))):
        n = T.int64()
        cls = Module
{body}
"#
    );
    errors(&text)
}

pub(super) fn errors(text: &str) -> Vec<String> {
    let rendered = render(text, Severity::Error);
    let lines = rendered.lines();
    lines
        .filter_map(|line| Some(line.split_once(" error ")?.1.to_owned()))
        .collect()
}

fn bound_to(value: &str) -> Vec<String> {
    errors_in(&format!("        y = {value}\n        return y"))
}

#[test]
fn constructors_take_the_arguments_that_python_declares() {
    let cases = [
        ("R.shape()", "argument-count: `R.shape` needs `value`"),
        (
            "R.shape([4], 3)",
            "argument-count: `R.shape` takes at most 1 argument",
        ),
        (
            "R.prim_value()",
            "argument-count: `R.prim_value` needs `value`",
        ),
        ("R.const()", "argument-count: `R.const` needs `value`"),
        (
            "R.const(1, \"int32\", 3)",
            "argument-count: `R.const` takes at most 2 arguments",
        ),
        (
            "R.const(1, 3)",
            "argument-type: the dtype of a constant must be a string, such as \"float32\"",
        ),
        (
            "R.const(\"int32\", 1)",
            "argument-type: the dtype of a constant must be a string, such as \"float32\"",
        ),
        (
            "R.const(1, dtyp=\"int32\")",
            "unknown-argument: `R.const` has no parameter `dtyp`; did you mean `dtype`?",
        ),
        ("R.dtype()", "argument-count: `R.dtype` needs `value`"),
    ];
    for (value, message) in cases {
        assert_eq!(bound_to(value), [message], "{value}");
    }
    for right in [
        "R.shape([4])",
        "R.const(1)",
        "R.const(value=1, dtype=\"int32\")",
    ] {
        assert_eq!(bound_to(right), [""; 0], "{right}");
    }
}

#[test]
fn names_in_the_lambda_of_a_layout_must_exist() {
    let layout = |map: &str| bound_to(&format!("R.layout_transform(x, index_map={map})"));
    let message = "undefined-name: `j` is not defined";
    assert_eq!(layout("lambda i: (i // 4, j % 4)"), [message]);
    assert_eq!(layout("lambda i: (i // 4, i % 4)"), [""; 0]);
    assert_eq!(layout("T.index_map(lambda *i: i)"), [""; 0]);
}

#[test]
fn the_annotation_of_a_cast_must_match_the_cast() {
    let cast = |annotation: &str| {
        errors_in(&format!(
            "        y: {annotation} = R.match_cast(t[0], R.Tensor((4,), \"float32\"))\n        return y"
        ))
    };
    assert_eq!(cast("R.Tensor((4,), \"float32\")"), [""; 0]);
    assert_eq!(cast("R.Tensor((2 + 2,), \"float32\")"), [""; 0]);
    for other in [
        "R.Tensor((5,), \"float32\")",
        "R.Tensor((4,))",
        "R.Tensor(ndim=1)",
        "R.Any",
    ] {
        let errors = cast(other);
        assert_eq!(errors.len(), 1, "{other}");
        assert!(errors[0].starts_with("annotation-mismatch: `y` is annotated"));
    }
}

#[test]
fn a_call_of_a_field_forgets_its_annotation() {
    let body = "        y: R.Tensor((5,), \"float32\") = R.exp(t[0])\n        return y";
    assert_eq!(errors_in(body), [""; 0]);
}

#[test]
fn call_tir_requires_proven_output_shapes() {
    let call = |f: &str, dim: &str| {
        let out = format!("R.Tensor(({dim},), \"float32\")");
        bound_to(&format!("R.call_tir(cls.{f}, (x,), out_ty={out})"))
    };
    assert_eq!(call("double", "2 * n"), [""; 0]);
    assert_eq!(call("double", "n + n"), [""; 0]);
    assert_eq!(
        call("double", "3 * n"),
        [
            "shape-mismatch: the result does not fit what PrimFunc `double` writes: dimension 0 must be `n * 2`, but it is `3 * n`"
        ]
    );
    // A variable that is not int64 binds nothing, so only the rank of the result is known.
    assert_eq!(call("narrow", "3 * n"), [""; 0]);
}

#[test]
fn call_operators_take_the_function_first() {
    let out = "out_ty=R.Tensor((n,), \"float32\")";
    let message = |op: &str| {
        format!(
            "argument-type: `R.{op}` takes the function as its first argument, but these are its arguments"
        )
    };
    let swapped = bound_to(&format!("R.call_tir((x,), cls.double, {out})"));
    assert_eq!(swapped, [message("call_tir")]);
    let swapped = bound_to(&format!("R.call_dps_packed((x,), \"f\", {out})"));
    assert_eq!(swapped, [message("call_dps_packed")]);
    let swapped = bound_to("R.call_pure_packed(x, \"f\", ty_args=R.Any)");
    let message = "argument-type: `R.call_pure_packed` takes the name of the packed function as its first argument";
    assert_eq!(swapped, [message]);
}

#[test]
fn operands_of_annotations_have_the_required_kinds() {
    let annotated = |annotation: &str| {
        errors(&format!(
            "from tvm.script import relax as R\n@R.function\ndef main(x: {annotation}):\n    return R.add(x, R.const(1.0, \"float32\"))\n"
        ))
    };
    let shape = "invalid-annotation: the shape of a tensor must be a tuple of dimensions, but this is a string";
    assert_eq!(annotated("R.Tensor(\"float32\", (2, 3))"), [shape]);
    let dtype = "invalid-annotation: a dtype must be a string, such as \"float32\"";
    assert_eq!(annotated("R.Tensor((2, 3), 3)"), [dtype]);
    let device =
        "invalid-annotation: a device must be a string, such as \"cuda:0\", or an `I.vdevice`";
    assert_eq!(annotated("R.Tensor((2, 3), \"float32\", 3)"), [device]);
    assert_eq!(annotated("R.Tensor(\"float32\", None, ndim=2)"), [""; 0]);
}

#[test]
fn an_unknown_keyword_in_a_signature_is_reported_once() {
    let text = r#"
from tvm.script import relax as R
@R.function
def main(x: R.Tensor((2, 3), dtyp="float32"), y: R.Tensor((2, 3), "float16")):
    z: R.Tensor((2, 3), "float16") = R.add(x, y)
    return z
"#;
    let message = "unknown-argument: `R.Tensor` has no parameter `dtyp`; did you mean `dtype`?";
    assert_eq!(errors(text), [message]);
}

#[test]
fn window_sizes_are_integers() {
    let text = r#"
from tvm.script import relax as R, tirx as T
@R.function
def main(x: R.Tensor((1, 3, 8, 8), "float32"), s: R.Shape(["k"])):
    k = T.int64()
    return R.nn.max_pool2d(x, pool_size=[k, k])
"#;
    let message = "argument-type: `R.nn.max_pool2d`: `pool_size` takes constant integers, but `k` is a shape variable";
    assert_eq!(errors(text), [message]);
}

#[test]
fn a_shape_variable_among_operands_is_bound() {
    let text = |dims: &str| {
        format!(
            r#"
from tvm.script import relax as R, tirx as T
@R.function(pure=False)
def main(x: R.Tensor({dims})):
    n = T.int64()
    _ = R.assert_op(n % 16 == 0)
    return R.strided_slice(x, [0], [0], [n // 4])
"#
        )
    };
    let errors_of = errors(&text("ndim=1"));
    assert_eq!(errors_of.len(), 1);
    assert!(errors_of[0].starts_with("unbound-shape-variable: shape variable `n`"));
    assert_eq!(errors(&text("[\"n\"]")), [""; 0]);
}

#[test]
fn a_scalar_of_the_type_dialect_has_a_dtype() {
    let annotated = |annotation: &str| {
        errors(&format!(
            "from tvm.script import relax as R, tirx as T\n@R.function\ndef main(x: {annotation}):\n    return x\n"
        ))
    };
    assert_eq!(
        annotated("R.Prim()"),
        ["argument-count: `R.Prim` needs `dtype`"]
    );
    assert_eq!(annotated("R.Prim(\"int64\")"), [""; 0]);
}

#[test]
fn async_functions_are_rejected() {
    let message = "unsupported-statement: `async def` is not supported in TVMScript: write `def`";
    let relax = "from tvm.script import relax as R\n@R.function\nasync def main(x: R.Tensor((4,), \"float32\")):\n    return x\n";
    assert_eq!(errors(relax), [message]);
    let tir = "from tvm.script import tirx as T\n@T.prim_func\nasync def main(A: T.Buffer((4,), \"float32\")):\n    A[0] = T.float32(0)\n";
    assert_eq!(errors(tir), [message]);
}

#[test]
fn attributes_must_be_a_dict() {
    assert_eq!(
        errors_in("        R.func_attr(x)\n        return x"),
        ["argument-type: `R.func_attr` takes a dict, but this is a Tensor"]
    );
    let module = |statement: &str| {
        errors(&format!(
            "from tvm.script import ir as I, relax as R\n@I.ir_module\nclass Module:\n    {statement}\n    @R.function\n    def main(x: R.Tensor((4,), \"float32\")):\n        return x\n"
        ))
    };
    assert_eq!(
        module("I.module_attrs(3)"),
        ["argument-type: `I.module_attrs` takes a dict"]
    );
    assert_eq!(module("I.module_attrs({\"a\": 3})"), [""; 0]);
    assert_eq!(
        module("I.module_global_infos()"),
        ["argument-count: `I.module_global_infos` takes a dict"]
    );
}

fn errors_of(body: &str) -> Vec<String> {
    errors(&format!(
        "import tvm\nfrom tvm.script import ir as I, relax as R, tirx as T\n{body}"
    ))
}

#[test]
fn void_is_a_dtype_in_the_type_dialect() {
    let of = |any: &str| {
        errors_of(&format!(
            r#"@R.function
def main(x: R.Tensor((2,), "float32"), v: R.Tensor((2,), "void"), u: R.Tensor((2,)), o: {any}):
    a = R.add(v, v)
    b = R.add(u, v)
    c = R.astype(x, "void")
    d = R.add(c, v)
    e: R.Tensor((2,)) = v
    f = R.add(x, v)
    return f
"#
        ))
    };
    let differs = "dtype-mismatch: `R.add`: `x1` is `float32` but `x2` is `void`: the operands must have the same dtype";
    assert_eq!(of("R.Any"), [differs]);
    assert_eq!(of("R.Prim(value=4)"), [""; 0]);
}

#[test]
fn pointers_are_not_element_dtypes_in_the_type_dialect() {
    let of = |any: &str| {
        errors_of(&format!(
            "@R.function\ndef main(x: R.Tensor((2,), \"handle\"), o: {any}):\n    return x\n"
        ))
    };
    let message = "unknown-dtype: since TVM 0.26, `handle` is not a dtype of tensors and buffers: they hold numbers";
    assert_eq!(of("R.Any"), [message]);
    assert_eq!(of("R.Prim(value=4)"), [""; 0]);
}

#[test]
fn prim_func_parameters_cannot_have_relax_annotations() {
    let message = "invalid-annotation: this is not an annotation: write `R.Tensor(...)`, `R.Shape(...)`, `R.Tuple(...)`, `R.Any`, ...";
    for wrong in ["T.handle", "T.handle()", "T.Buffer((4,), \"float32\")"] {
        let text = format!("@R.function\ndef main(x: R.Any, y: {wrong}):\n    return x\n");
        assert_eq!(errors_of(&text), [message], "{wrong}");
    }
}

#[test]
fn a_dimension_is_an_int64() {
    let of = |dim: &str| {
        errors_of(&format!(
            "@R.function\ndef main(x: R.Tensor(({dim}, \"n\"), \"float32\")):\n    return x\n"
        ))
    };
    for right in [
        "T.int64(4)",
        "T.int32(4)",
        "T.exp(T.int64(4))",
        "T.abs(-4)",
        "int(4)",
    ] {
        assert_eq!(of(right), [""; 0], "{right}");
    }
    for wrong in ["T.exp(4)", "T.log(4.0)", "float(4)", "4.0", "T.float32(4)"] {
        assert_eq!(of(wrong).len(), 1, "{wrong}");
    }
}

#[test]
fn a_python_module_is_not_a_value() {
    let of = |value: &str| {
        errors_of(&format!(
            r#"@I.ir_module
class Module:
    @R.function
    def f(x: R.Tensor((4,), "float32")):
        return x

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        y = {value}
        return x
"#
        ))
    };
    for wrong in [
        "R.add(x, tvm)",
        "(x, tvm)",
        "Module.f(Module)",
        "Module.f(tvm)",
        "R.zeros((tvm,), \"float32\")",
    ] {
        assert_eq!(of(wrong).len(), 1, "{wrong}: {:?}", of(wrong));
    }
    for right in [
        "tvm",
        "R.to_vdevice(x, tvm.ir.VDevice(\"llvm\", 0))",
        "R.const(tvm.nd.array([1.0]))",
    ] {
        assert_eq!(of(right), [""; 0], "{right}");
    }
}

#[test]
fn constants_are_python_numbers() {
    let message =
        "argument-type: `R.const` takes a Python number: give its dtype as the second argument";
    assert_eq!(bound_to("R.const(T.int32(1))"), [message]);
    assert_eq!(bound_to("R.const(1, \"int32\")"), [""; 0]);
}

/// The warnings of a file with this module, without their positions.
fn warnings_of(body: &str) -> Vec<String> {
    let text = format!("from tvm.script import relax as R\n{body}");
    let rendered = render(&text, Severity::Warning);
    let lines = rendered.lines();
    lines
        .filter_map(|line| Some(line.split_once(" warning ")?.1.to_owned()))
        .collect()
}

#[test]
fn a_rewriter_is_a_pattern_and_its_replacement() {
    let of = |replacement: &str| {
        warnings_of(&format!(
            r#"@R.rewriter
class Rule:
    @R.function
    def pattern(a: R.Tensor(("n",), "float32")):
        return a + a

{replacement}
"#
        ))
    };
    let function = |name: &str, decorator: &str, shape: &str| {
        format!(
            "    @R.function{decorator}\n    def {name}(b: R.Tensor(({shape},), \"float32\")):\n        return R.multiply(b, R.const(2.0, \"float32\"))\n"
        )
    };
    let right = function("replacement", "", "\"m\"");
    assert_eq!(of(&right), [""; 0]);
    let private = function("helper", "(private=True)", "\"m\"");
    assert_eq!(of(&format!("{right}\n{private}")), [""; 0]);
    assert_eq!(
        of(&function("replacement", "", "4")),
        [
            "annotation-mismatch: `replacement` and `pattern` of a rewriter must have the same parameters and the same result"
        ]
    );
    assert_eq!(
        of(&function("replace", "(private=True)", "\"m\"")),
        ["undefined-function: a rewriter needs a function `replacement`"]
    );
    assert_eq!(
        of(&format!("{right}\n{}", function("helper", "", "\"m\""))),
        [
            "argument-value: a rewriter has no public functions but `pattern` and `replacement`: give this function `private=True`"
        ]
    );
}

#[test]
fn values_of_the_wrong_kind_are_refused_outside_of_operators_too() {
    assert_eq!(
        errors_of(
            r#"from typing import TypeVar
n = TypeVar((1, 2))
unused = TypeVar(3)
@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice(target), I.vdevice("cuda")]})
    @T.prim_func
    def kernel(A: T.Buffer(None, "float32"), B: R.Object):
        T.evaluate(R.shape([2]))
    @R.zzz
    def other(x: R.Tensor((4,), "float32")):
        return x
    @R.function(pure=False)
    def main(x: R.Tensor((n,), "float32"), f: R.Callable((R.Tensor,), R.Tensor, R.Tensor)):
        y = R.call_inplace_packed(x, inplace_indices=0, ty_args=R.Tensor((4,), "float32"))
        a = R.hint_on_device(x, "word")
        b = R.hint_on_device(x, "cuda:1")
        c = R.vision.multibox_transform_loc(x, x, x, variances=None)
        d = R.unique(x, sorted=R.abs)
        return x
"#
        ),
        [
            "undefined-name: `target` is not defined",
            "invalid-annotation: the shape of a buffer must be a list of dimensions",
            "invalid-annotation: a parameter must be a buffer, a handle or a number",
            "argument-type: `R.shape` makes a Relax value: a PrimFunc cannot use it",
            "undefined-name: `R.zzz` does not exist",
            "invalid-annotation: `n` is a TypeVar whose name is not a string: write `n = TypeVar(\"n\")`",
            "invalid-annotation: `purity` must be True or False, but is a name that is not called",
            "argument-type: `R.call_inplace_packed` takes the name of the packed function as its first argument",
            "argument-type: `R.hint_on_device`: `dst_vdevice` must be a device, but is a string",
            "argument-type: `R.vision.multibox_transform_loc`: `variances` must be a list of 4 numbers, but is None",
            "argument-type: `R.unique`: `sorted` must be True or False, but is a name that is not called",
        ]
    );
}

#[test]
fn a_device_of_a_module_without_devices_is_unknown() {
    let errors = |infos: &str| {
        let text = format!(
            r#"DEVICES = make_devices()
@I.ir_module
class Module:
    {infos}
    @R.function
    def f(x: R.Tensor((4,), "float32", "cuda:0")):
        y = R.to_vdevice(x, "cuda:1")
        return y
"#
        );
        errors_of(&text)
    };
    let none = [
        "unknown-vdevice: `cuda:0` names a device of the module, but the module lists none in `I.module_global_infos`",
        "unknown-vdevice: `cuda:1` names a device of the module, but the module lists none in `I.module_global_infos`",
    ];
    assert_eq!(errors("pass"), none);
    assert_eq!(errors("I.module_attrs({\"a\": 1})"), none);
    assert_eq!(errors("I.module_global_infos({\"vdevice\": []})"), none);
    assert_eq!(
        errors("I.module_global_infos({\"vdevice\": [I.vdevice(\"cuda\")]})"),
        ["unknown-vdevice: the module has no device `cuda:1` in its `vdevice`s"]
    );
    assert_eq!(
        errors("I.module_global_infos({\"vdevice\": DEVICES})"),
        [""; 0]
    );
    assert_eq!(errors("set_devices()"), [""; 0]);
}

#[test]
fn a_shape_variable_that_an_annotation_hides_must_be_bound() {
    let of = |annotation: &str| {
        errors_of(&format!(
            r#"@R.function
def main(x: R.Tensor((4,), "float32")):
    n = T.int64()
    y{annotation} = R.zeros(R.shape([4, n]), "float32")
    return x
"#
        ))
    };
    let unbound = "unbound-shape-variable: shape variable `n` is used before it is bound: bind it by a dimension of a parameter or by `R.match_cast`";
    assert_eq!(of(""), [unbound]);
    assert_eq!(of(": R.Tensor(ndim=2)"), [unbound]);
}

#[test]
fn a_quantized_tensor_needs_a_known_rank() {
    assert_eq!(
        errors_of(
            r#"@R.function
def main(x: R.Tensor(dtype="float32"), s: R.Tensor((), "float32"), z: R.Tensor((), "int8")):
    y = R.quantize(x, s, z, axis=0)
    return y
"#
        ),
        [
            "shape-mismatch: `R.quantize`: the rank of `data` must be known: `axis` is one of its dimensions"
        ]
    );
}

#[test]
fn void_is_the_default_dtype_only_where_the_file_may_be_older() {
    let of = |namespace: &str| {
        errors(&format!(
            r#"from tvm.script import relax as R, {namespace} as T
@R.function
def main(x: R.Tensor((4, 4), "float32")):
    y = R.matmul(x, x, out_dtype="void")
    z = R.add(x, y)
    return z
"#
        ))
    };
    assert_eq!(of("tir"), [""; 0]);
    assert_eq!(of("tirx"), [""; 0]);
    let newer = "tirx as T\nfrom tvm.script import relax as R\n@R.function\ndef other(o: R.Any):\n    return o\nfrom tvm.script import tirx";
    assert_eq!(
        of(newer),
        [
            "dtype-mismatch: `R.add`: `x1` is `float32` but `x2` is `void`: the operands must have the same dtype"
        ]
    );
}

#[test]
fn the_size_of_adaptive_pooling_in_three_dimensions_is_a_number_or_three() {
    let of = |size: &str| {
        errors(&format!(
            r#"
# from tvm.script import relax as R, tirx as T
@R.function
def main(x: R.Tensor((1, 2, 8, 8, 8), "float32")):
    y = R.nn.adaptive_avg_pool3d(x, {size})
    return y
"#
        ))
    };
    assert_eq!(of("2"), [""; 0]);
    assert_eq!(of("[2, 2, 2]"), [""; 0]);
    let [error] = &of("[2]")[..] else {
        panic!("no error or more than one");
    };
    assert!(
        error.ends_with("`output_size` must have 3 elements, but has 1"),
        "{error}"
    );
}
