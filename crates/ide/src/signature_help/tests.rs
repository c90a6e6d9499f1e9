//! Tests of signatures: each kind of callee, and the active parameter.

use expect_test::{Expect, expect};

use crate::fixture::Fixture;

/// Prints each signature with the active parameter between `<` and `>`.
fn check(line: &str, expect: Expect) {
    let fixture = Fixture::new(&format!(
        r#"
from tvm.script import ir as I, relax as R, tir as T

@I.ir_module
class Module:
    @T.prim_func
    def double(A: T.Buffer((T.int64(4),), "float32"), B: T.Buffer((T.int64(4),), "float32")):
        T.evaluate(0)

    @R.function
    def helper(s: R.Shape(["n"]), x: R.Tensor(("n", 4), "float32")) -> R.Tensor(("n", 4), "float32"):
        return x

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = Module
        @R.function
        def inner(y: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
            return y
        {line}
        return x
"#
    ));
    let help = fixture.analysis.signature_help(fixture.position()).unwrap();
    let shown = help
        .into_iter()
        .flat_map(|help| {
            let count = help.signatures.len();
            let marked = move |at| {
                if count > 1 && at == help.active {
                    "* "
                } else {
                    ""
                }
            };
            let signatures = help.signatures.into_iter().enumerate();
            signatures.map(move |(at, signature)| (marked(at), signature))
        })
        .map(|(mark, signature)| {
            let mut label = signature.label;
            if let Some(active) = signature.active {
                let range = signature.params[active].range;
                label.insert(range.end().into(), '>');
                label.insert(range.start().into(), '<');
            }
            format!("{mark}{label}\n{}\n", signature.doc)
        });
    expect.assert_eq(&shown.collect::<String>());
}

#[test]
fn operator_parameters_are_found_by_position_and_name() {
    check(
        "y = R.matmul(x, $0",
        expect![[r#"
                R.matmul(x1, <x2>, out_dtype=None)
                The matrix product of the last two dimensions; the others broadcast.

                `x1: (b, m, k) · x2: (b, k, n) → (b, m, n)`
            "#]],
    );
    check(
        "y = R.sum(x, keepdims=$0)",
        expect![[r#"
                R.sum(x, axis=None, <keepdims=False>)
                The sum over dimensions.

                `x: (a, b, c) · axis=1 → (a, c)`
            "#]],
    );
}

#[test]
fn the_innermost_call_is_shown() {
    check(
        "y = R.add(R.exp($0), x)",
        expect![[r#"
                R.exp(<x>)
                The exponential of each element.

                `x: (…) of a float dtype → (…), the same dtype`
            "#]],
    );
    check(
        "y = R.add(R.exp(x), $0)",
        expect![[r#"
                R.add(x1, <x2>)
                Adds, elementwise.

                `x1: (…) · x2: (…) of one dtype → their broadcast shape`
            "#]],
    );
}

#[test]
fn the_inputs_of_a_call_tir_are_those_of_the_prim_func() {
    check(
        "y = R.call_tir(cls.double, (x, $0",
        expect![[r#"
                * double(A: Tensor((4,), float32), <B: Tensor((4,), float32)>)
                A PrimFunc: its inputs, then its outputs.
                R.call_tir(gvar, <args>, out_sinfo, tir_vars=None)
                Calls a PrimFunc, which writes its results into new tensors passed after the inputs.

                `args: inputs of the PrimFunc → its outputs`
            "#]],
    );
}

#[test]
fn a_method_shows_its_receiver() {
    check(
        "y = x.astype($0",
        expect![[r#"
                x.astype(<dtype>)
                Converts each element to another dtype.

                `x: (…) → (…), dtype`
            "#]],
    );
    check(
        "y = x.astype(dtype=$0)",
        expect![[r#"
                x.astype(<dtype>)
                Converts each element to another dtype.

                `x: (…) → (…), dtype`
            "#]],
    );
}

#[test]
fn a_number_is_an_argument_too() {
    check(
        "y = R.sum(x, 1$0)",
        expect![[r#"
                R.sum(x, <axis=None>, keepdims=False)
                The sum over dimensions.

                `x: (a, b, c) · axis=1 → (a, c)`
            "#]],
    );
}

#[test]
fn methods_of_call_results_are_shown() {
    check(
        "y = R.exp(x).astype($0",
        expect![[r#"
                astype(<dtype>)
                Converts each element to another dtype.

                `x: (…) → (…), dtype`
            "#]],
    );
}

#[test]
fn dtypes_convert_or_make_variables() {
    check(
        "n = T.int64(is_size_var=$0)",
        expect![[r#"
                T.int64(expr=None, <is_size_var=False>)
                A value of dtype `int64`.
            "#]],
    );
}

#[test]
fn the_form_that_fits_the_arguments_is_active() {
    check(
        "y = T.exp($0)",
        expect![[r#"
            * T.exp(<x>)
            The exponential.
            T.exp(<x>, *, dtype)
            The exponential.
        "#]],
    );
    check(
        "y = T.exp(n, dtype=$0)",
        expect![[r#"
            T.exp(x)
            The exponential.
            * T.exp(x, *, <dtype>)
            The exponential.
        "#]],
    );
    check(
        "y = T.reinterpret(n, $0, dtype=\"float32\")",
        expect![[r#"
                T.reinterpret(dtype, <value>)
                The same bits as a value of another dtype.
                * T.reinterpret(value, *, dtype)
                The same bits as a value of another dtype.
            "#]],
    );
}

#[test]
fn a_pointer_shows_its_target_type() {
    check(
        "p = T.handle(\"float32\", $0)",
        expect![[r#"
            T.handle(dtype=None, <storage_scope="global">, *, is_size_var=False)
            A pointer whose shape `T.match_buffer` declares.
        "#]],
    );
}

#[test]
fn instructions_show_their_operands_form_by_form() {
    check(
        "T.ptx.ld.global_.b32(n, m, $0)",
        expect![[r#"
                T.ptx.ld.global_.b32(d, addr, *, pred=None, preserve_dst=False)
                Loads from memory.
                * T.ptx.ld.global_.b32(d, addr, <cache_policy>, *, pred=None, preserve_dst=False)
                Loads from memory.
            "#]],
    );
    check(
        "T.cta.copy(a, $0)",
        expect![[r#"
            T.cta.copy(dst, <src>, workspace=None, dispatch=None, scope=None, **kwargs)
            Copies a tile.
        "#]],
    );
}

#[test]
fn variadic_operands_are_not_highlighted_after_them() {
    let active = |line: &str| {
        let fixture = Fixture::new(&format!(
            "from tvm.script import tirx as T\n\n@T.prim_func\ndef f(a: T.handle):\n    {line}\n"
        ));
        let help = fixture.analysis.signature_help(fixture.position()).unwrap();
        let help = help.expect("a signature");
        let signature = &help.signatures[help.active];
        let range = |at: usize| signature.params[at].range;
        signature
            .active
            .map(|at| signature.label[range(at)].to_owned())
    };
    assert_eq!(active("T.ptx.ldmatrix.sync(a, a, $0)"), None);
    assert_eq!(
        active("T.ptx.stmatrix.sync(a, $0)").as_deref(),
        Some("r...")
    );
    assert_eq!(
        active("T.ptx.stmatrix.sync(a, a, a, $0)").as_deref(),
        Some("r...")
    );
    let named = "T.tile.copy_async(a, a, src_selector=$0)";
    assert_eq!(active(named).as_deref(), Some("**kwargs"));
}

#[test]
fn commas_inside_a_lambda_do_not_count() {
    check(
        "r = T.comm_reducer(lambda a, b: a + b, $0",
        expect![[r#"
                T.comm_reducer(combiner, <identity>)
                A reduction: its step and its initial value.
            "#]],
    );
}

#[test]
fn the_return_annotation_is_not_a_parameter() {
    check(
        "@R.function\n        def local(y: R.Object) -> R.Tensor((4,), $0",
        expect![[r#"
                R.Tensor(shape=None, <dtype=None>, vdevice=None, ndim=-1)
                A tensor: its shape or only its rank, its dtype, its device.
            "#]],
    );
}

#[test]
fn functions_show_their_parameters() {
    check(
        "y = cls.helper(R.shape([4]), $0)",
        expect![[r#"
                helper(s: R.Shape([n]), <x: R.Tensor((n, 4), dtype="float32")>) -> R.Tensor((n, 4), dtype="float32")

            "#]],
    );
    check(
        "y = inner($0)",
        expect![[r#"
                inner(<y: R.Tensor((4,), dtype="float32")>) -> R.Tensor((4,), dtype="float32")

            "#]],
    );
}

#[test]
fn script_functions_show_theirs() {
    check(
        "y: R.Tensor((4,), $0",
        expect![[r#"
                R.Tensor(shape=None, <dtype=None>, vdevice=None, ndim=-1)
                A tensor: its shape or only its rank, its dtype, its device.
            "#]],
    );
}

#[test]
fn there_is_no_help_after_a_call() {
    check("y = R.exp(x)$0", expect![[""]]);
    check("y = print($0)", expect![[""]]);
}
