//! What a hover says, fixture by fixture.

use expect_test::{Expect, expect};

use crate::fixture::Fixture;

fn check(fixture: &str, expect: Expect) {
    let fixture = Fixture::new(fixture);
    let hover = fixture.analysis.hover(fixture.position()).unwrap();
    let shown = hover.map_or_else(
        || "nothing".to_owned(),
        |hover| format!("{}\n===\n{}", &fixture.text[hover.range], hover.markdown),
    );
    expect.assert_eq(&shown);
}

#[test]
fn a_variable_shows_its_struct_info_and_where_its_dimensions_come_from() {
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
            variable

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
            (x1: Tensor((n, 4), float32), x2: Tensor((4, 8), float32)) -> R.Tensor((n, 8), dtype="float32")
            ```

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


            `n` is dimension 0 of `x` (parameter, line 5)"#]],
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
            (x: Tensor((n, 4), float32)) -> R.Tensor((n, 4), dtype="float32")
            ```

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


            `n` is dimension 0 of `x` (parameter, line 5)"#]],
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
