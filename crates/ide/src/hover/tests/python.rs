//! Tests of hovers for names that the Python code around a function binds.

use expect_test::{Expect, expect};

use super::check;

/// The beginning of a module with a PrimFunc, and the Python code before it.
const BESIDE: &str = r#"
from typing import TypeVar
from tvm.script import ir as I, relax as R, tirx as T

n = TypeVar("n")
width = 8

@I.ir_module
class Module:
    @T.prim_func
    def kernel(A: T.Buffer((4,), "float32")):
        T.evaluate(0)

    @R.function
    def main(x: R.Tensor((n, width), "float32")):
        cls = Module
        return cls.main(x)
"#;

fn check_beside(at: &str, cursor: usize, expect: Expect) {
    let marked = format!("{}$0{}", &at[..cursor], &at[cursor..]);
    check(&BESIDE.replacen(at, &marked, 1), expect);
}

#[test]
fn a_function_shows_its_signature_where_it_is_defined() {
    check_beside(
        "kernel(A",
        2,
        expect![[r#"
        kernel
        ===
        ```python
        def kernel(A: Tensor((4,), float32))
        ```
        PrimFunc of the module"#]],
    );
}

#[test]
fn a_module_shows_what_it_holds_by_its_name_and_by_its_alias() {
    check_beside(
        "class Module",
        8,
        expect![[r#"
            Module
            ===
            ```python
            @I.ir_module
            class Module
            ```
            1 Relax function, 1 PrimFunc"#]],
    );
    check_beside(
        "cls = Module",
        1,
        expect![[r#"
            cls
            ===
            ```python
            @I.ir_module
            class Module
            ```
            1 Relax function, 1 PrimFunc"#]],
    );
    check_beside(
        "cls.main",
        1,
        expect![[r#"
        cls.main
        ===
        ```python
        def main(x: R.Tensor((n, 8), dtype="float32")) -> R.Any
        ```
        function of the module

        - `n` there is `n`: dimension 0 of argument 1"#]],
    );
}

#[test]
fn python_variables_show_their_values() {
    check_beside(
        "n = TypeVar",
        0,
        expect![[r#"
            n
            ===
            ```python
            n: int64
            ```
            shape variable of the surrounding Python code"#]],
    );
    check_beside(
        "width = 8",
        2,
        expect![[r#"
            width
            ===
            ```python
            width = 8
            ```
            constant of the surrounding Python code"#]],
    );
    check_beside(
        "width), ",
        2,
        expect![[r#"
            width
            ===
            ```python
            width = 8
            ```
            constant of the surrounding Python code"#]],
    );
}

#[test]
fn a_prim_func_shows_values_of_python_names() {
    check(
        r#"
from tvm.script import tir as T

def make(shape):
    @T.prim_func
    def f(a: T.handle):
        A = T.match_buffer(a, sha$0pe, "float32")
"#,
        expect![[r#"
            shape
            ===
            ```python
            shape
            ```
            name in the surrounding Python code"#]],
    );
}
