//! Tests of hovers.

mod module;
mod python;
mod script;

use expect_test::{Expect, expect};

use crate::fixture::Fixture;

fn check(fixture: &str, expect: Expect) {
    let fixture = Fixture::new(fixture);
    let hover = fixture
        .analysis
        .hover(fixture.position(), &fixture.lines)
        .unwrap();
    let shown = hover.map_or_else(
        || "nothing".to_owned(),
        |hover| format!("{}\n===\n{}", &fixture.text[hover.range], hover.markdown),
    );
    expect.assert_eq(&shown);
}

#[test]
fn a_variable_shows_its_struct_info_and_origins() {
    check(
        r#"
from tvm.script import relax as R

@R.function
def f(x: R.Tensor(("n", 4), "float32")):
    with R.dataflow():
        y$0 = R.add(x, x)
        R.output(y)
    return y
"#,
        expect![[r#"
            y
            ===
            ```python
            y: R.Tensor((n, 4), dtype="float32")
            ```
            variable, `n * 16` bytes

            - dimension 0, `n`: dimension 0 of `x1`, dimension 0 of `x2`
            - dimension 1, `4`: dimension 1 of `x1`, dimension 1 of `x2`

            `n` is dimension 0 of `x` (parameter, line 5)"#]],
    );
}

#[test]
fn an_operator_shows_its_operands_and_its_documentation() {
    check(
        r#"
from tvm.script import relax as R

@R.function
def f(x: R.Tensor(("n", 4), "float32"), w: R.Tensor((4, 8), "float32")):
    y = R.mat$0mul(x, w)
    return y
"#,
        expect![[r#"
            R.matmul
            ===
            ```python
            R.Tensor((n, 8), dtype="float32")
            ```
            `x1: (n, 4) float32 · x2: (4, 8) float32 → (n, 8) float32`, `n * 32` bytes

            - dimension 0, `n`: dimension 0 of `x1`
            - dimension 1, `8`: dimension 1 of `x2`

            `n` is dimension 0 of `x` (parameter, line 5)

            ---

            ```python
            R.matmul(x1, x2, out_dtype=None)
            ```
            The matrix product of the last two dimensions; the others broadcast.

            `x1: (b, m, k) · x2: (b, k, n) → (b, m, n)`

            - `x1`: The left operand.
            - `x2`: The right operand.
            - `out_dtype`: The dtype of the result; that of the operands if absent.

            ```python
            R.matmul(x, w)
            ```

            *Changed in TVM 0.22: one dtype may be bool; the result has that of the left operand. Before: both dtypes are equal.*

            [Documentation](https://tvm.apache.org/docs/reference/api/python/relax/op.html#tvm.relax.op.matmul) · [Rule](https://github.com/apache/tvm/blob/main/src/relax/op/tensor/linear_algebra.cc)
        "#]],
    );
}

#[test]
fn a_nested_expression_shows_its_own_struct_info() {
    check(
        r#"
from tvm.script import relax as R

@R.function
def f(x: R.Tensor(("n", 4), "float32")):
    y = R.sum(R.exp$0(x), axis=1)
    return y
"#,
        expect![[r#"
            R.exp
            ===
            ```python
            R.Tensor((n, 4), dtype="float32")
            ```
            `x: (n, 4) float32 → (n, 4) float32`, `n * 16` bytes

            - dimension 0, `n`: dimension 0 of `x`
            - dimension 1, `4`: dimension 1 of `x`

            `n` is dimension 0 of `x` (parameter, line 5)

            ---

            ```python
            R.exp(x)
            ```
            The exponential of each element.

            `x: (…) of a float dtype → (…), the same dtype`

            - `x`: The input tensor.

            ```python
            R.exp(x)
            ```

            *Changed in TVM 0.20: bfloat16 is taken. Before: bfloat16 is refused.*

            [Documentation](https://tvm.apache.org/docs/reference/api/python/relax/op.html#tvm.relax.op.exp) · [Rule](https://github.com/apache/tvm/blob/main/src/relax/op/tensor/unary.cc)
        "#]],
    );
    check(
        r#"
from tvm.script import relax as R

@R.function
def f(x: R.Tensor(("n", 4), "float32")):
    y = R.sum(R.exp(x)$0, axis=1)
    return y
"#,
        expect![[r#"
            R.exp(x)
            ===
            ```python
            R.Tensor((n, 4), dtype="float32")
            ```
            expression, `n * 16` bytes

            - dimension 0, `n`: dimension 0 of `x`
            - dimension 1, `4`: dimension 1 of `x`

            `n` is dimension 0 of `x` (parameter, line 5)"#]],
    );
}

#[test]
fn a_shape_variable_shows_what_binds_it() {
    check(
        r#"
from tvm.script import relax as R, tir as T

@R.function
def f(x: R.Tensor(("n", 4), "float32")):
    n = T.int64()
    y = R.reshape(x, (n$0, 2, 2))
    return y
"#,
        expect![[r#"
            n
            ===
            ```python
            n: int64
            ```
            shape variable

            `n` is dimension 0 of `x` (parameter, line 5)"#]],
    );
}

#[test]
fn a_function_of_the_module_shows_its_signature() {
    check(
        r#"
from tvm.script import ir as I, relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        y = Module.hel$0per(x)
        return y

    @R.function
    def helper(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return x
"#,
        expect![[r#"
            Module.helper
            ===
            ```python
            def helper(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32")
            ```
            function of the module"#]],
    );
}

#[test]
fn outside_of_tvmscript_nothing_is_shown() {
    check("import tvm\nx$0 = tvm\n", expect![["nothing"]]);
}

#[test]
fn a_comment_shows_nothing() {
    check(
        r#"
from tvm.script import relax as R

@R.function
def f(x: R.Tensor((4,), "float32")):
    # no$0te
    return x
"#,
        expect![["nothing"]],
    );
}

#[test]
fn a_keyword_shows_the_parameter_it_names() {
    check(
        r#"
from tvm.script import relax as R

@R.function
def f(x: R.Tensor(("n", 4), "float32")):
    y = R.sum(x, ax$0is=1)
    return y
"#,
        expect![[r#"
            axis
            ===
            ```python
            axis=None
            ```
            The dimensions to reduce; all if absent."#]],
    );
}

#[test]
fn what_a_variable_takes_of_memory_is_a_number_or_a_formula() {
    check(
        r#"
from tvm.script import relax as R

@R.function
def f(x: R.Tensor((2, 4, 128), "float16")):
    return x$0
"#,
        expect![[r#"
            x
            ===
            ```python
            x: R.Tensor((2, 4, 128), dtype="float16")
            ```
            parameter, 2 KiB"#]],
    );
}

const MODULE: &str = r#"
from tvm.script import ir as I, relax as R, tir as T

@I.ir_module
class Module:
    @T.prim_func
    def double(A: T.Buffer((T.int64(4),), "float32"), B: T.Buffer((T.int64(4),), "float32")):
        T.func_attr({"tir.noalias": True, "op_pattern": 0})
        for i in T.serial(T.int64(4)):
            with T.block("B"):
                vi = T.axis.spatial(T.int64(4), i)
                B[vi] = T.exp(A[vi])

    @R.function
    def helper(x: R.Tensor(("m", 4), "float32")) -> R.Tensor(("m", 4), "float32"):
        return x

    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), w: R.Tensor((4,), "float32")):
        R.func_attr({"num_input": 1})
        cls = Module
        n = T.int64()
        a = R.call_tir(cls.double, (w,), out_sinfo=R.Tensor((4,), dtype="float32"))
        b = cls.helper(x)
        c = R.concat((x, b), axis=0)
        d = R.reshape(c, (2 * n * 4,))
        return d
"#;

/// Compares the hover at `at`, which contains the cursor mark and occurs in the module.
fn check_module(at: &str, expect: Expect) {
    let plain = at.replacen("$0", "", 1);
    assert!(MODULE.contains(&plain), "{plain}");
    check(&MODULE.replacen(&plain, at, 1), expect);
}

#[test]
fn the_keyword_of_the_output_shows_its_parameter() {
    check_module(
        "out_s$0info",
        expect![[r#"
        out_sinfo
        ===
        ```python
        out_sinfo
        ```
        The Tensor of the result, or a list of them."#]],
    );
}

#[test]
fn a_shape_expression_shows_its_value() {
    check_module(
        "(2 *$0 n * 4,)",
        expect![[r#"
        2 * n
        ===
        ```python
        n * 2
        ```
        shape expression

        `n` is dimension 0 of `x` (parameter, line 19)"#]],
    );
}

#[test]
fn a_packed_function_is_provided_by_the_host() {
    check(
        r#"
from tvm.script import relax as R

@R.function(pure=False)
def f(x: R.Tensor((4,), "float32")):
    y = R.call_packed("my.$0kernel", x)
    return y
"#,
        expect![[r#"
            my.kernel
            ===
            ```python
            "my.kernel"
            ```
            function of the host, named by its global symbol"#]],
    );
}

#[test]
fn a_packed_function_of_the_runtime_says_what_it_takes() {
    check(
        r#"
from tvm.script import relax as R

@R.function(pure=False)
def f(cache: R.Any):
    y = R.call_packed("vm.builtin.attention_kv_cache_$0empty", cache)
    return y
"#,
        expect![[r#"
            vm.builtin.attention_kv_cache_empty
            ===
            ```python
            vm.builtin.attention_kv_cache_empty(cache: Object) -> bool
            ```
            function of TVM's runtime

            Returns whether the cache has no sequence and all its pages are free.

            Since TVM 0.17."#]],
    );
}

#[test]
fn the_rfc_binds_dimensions_by_match_shape() {
    check(
        r#"
from tvm.script import relax as R

@R.function
def f(x: R.Tensor[_, "float32"]):
    with R.dataflow():
        $0lv = R.match_shape(x, (a, b))
        R.outputs(lv)
    return lv
"#,
        expect![[r#"
            lv
            ===
            ```python
            lv: R.Tensor[(a, b), "float32"]
            ```
            bound by `R.match_shape`, `a * b * 4` bytes

            `a` is dimension 0 of `lv` (bound by `R.match_shape`, line 7)

            `b` is dimension 1 of `lv` (bound by `R.match_shape`, line 7)"#]],
    );
}

#[test]
fn a_method_shows_its_operator() {
    check(
        r#"
from tvm.script import relax as R

@R.function
def f(x: R.Tensor(("n", 4), "float32")):
    y = R.exp(x).ast$0ype("float16")
    return y
"#,
        expect![[r#"
            astype
            ===
            ```python
            R.Tensor((n, 4), dtype="float16")
            ```
            `x: (n, 4) float32 → (n, 4) float16`, `n * 8` bytes

            - dimension 0, `n`: dimension 0 of `x`
            - dimension 1, `4`: dimension 1 of `x`

            `n` is dimension 0 of `x` (parameter, line 5)

            ---

            ```python
            R.astype(x, dtype)
            ```
            Converts each element to another dtype.

            `x: (…) → (…), dtype`

            - `x`: The input tensor.
            - `dtype`: The dtype of the result.

            ```python
            R.astype(x, "float16")
            ```

            [Documentation](https://tvm.apache.org/docs/reference/api/python/relax/op.html#tvm.relax.op.astype) · [Rule](https://github.com/apache/tvm/blob/main/src/relax/op/tensor/datatype.cc)
        "#]],
    );
}

#[test]
fn a_constant_of_the_metadata_shows_its_elements_at_a_glance() {
    check(
        r#"
metadata = tvm.ir.load_json("""{\"root_index\": 4, \"nodes\": [
    {\"type\": \"ffi.String\", \"data\": \"ir.GenericConst\"},
    {\"type\": \"ffi.Tensor\", \"data\": \"P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAQAAAAIgAQACAAAAAAAAAAgAAAAAAAAAAACAPwAAAEA=\"},
    {\"type\": \"ir.GenericConst\", \"data\": {\"value\": 1}},
    {\"type\": \"ffi.Array\", \"data\": [2]},
    {\"type\": \"ffi.Map\", \"data\": [0, 3]}
]}""")
# from tvm.script import relax as R
@R.function
def f(x: R.Tensor((2,), "float32")):
    y = R.add(x, meta$0data["ir.GenericConst"][0])
    return y
"#,
        expect![[r#"
            metadata["ir.GenericConst"][0]
            ===
            ```python
            R.Tensor((2,), dtype="float32")
            ```
            constant 0, 8 B

            min 1, mean 1.5, max 2"#]],
    );
}
