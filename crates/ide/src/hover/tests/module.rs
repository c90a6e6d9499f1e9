//! Tests of hovers for the names of a module: functions, calls, buffers, dtypes, attributes.

use expect_test::expect;

use super::check_module;

#[test]
fn a_prim_func_shows_its_buffers_and_attributes() {
    check_module(
        "cls.dou$0ble",
        expect![[r#"
        cls.double
        ===
        ```python
        def double(A: Tensor((4,), float32), B: Tensor((4,), float32))
        ```
        PrimFunc of the module

        - `tir.noalias`: `True`
        - `op_pattern`: `0`"#]],
    );
}

#[test]
fn the_name_of_a_function_shows_its_whole_signature() {
    check_module(
        "def ma$0in",
        expect![[r#"
            main
            ===
            ```python
            def main(x: R.Tensor((n, 4), dtype="float32"), w: R.Tensor((4,), dtype="float32")) -> R.Tensor((n * 8,), dtype="float32")
            ```
            function of the module

            - `num_input`: `1`"#]],
    );
}

#[test]
fn a_call_shows_its_shape_variables() {
    check_module(
        "cls.hel$0per",
        expect![[r#"
        cls.helper
        ===
        ```python
        def helper(x: R.Tensor((m, 4), dtype="float32")) -> R.Tensor((m, 4), dtype="float32")
        ```
        function of the module

        - `m` there is `n`: dimension 0 of argument 1"#]],
    );
    check_module(
        "b$0 = cls.helper",
        expect![[r#"
            b
            ===
            ```python
            b: R.Tensor((n, 4), dtype="float32")
            ```
            variable, `n * 16` bytes

            - `m` there is `n`: dimension 0 of argument 1

            `n` is dimension 0 of `x` (parameter, line 19)"#]],
    );
}

#[test]
fn the_computation_of_new_dimensions_is_shown() {
    check_module(
        "c$0 = R.concat",
        expect![[r#"
            c
            ===
            ```python
            c: R.Tensor((n * 2, 4), dtype="float32")
            ```
            variable, `n * 32` bytes

            - dimension 0, `n * 2`: computed
            - dimension 1, `4`: dimension 1 of `tensors[0]`, dimension 1 of `tensors[1]`

            `n` is dimension 0 of `x` (parameter, line 19)"#]],
    );
}

#[test]
fn the_name_of_the_module_shows_what_it_holds() {
    check_module(
        "= cl$0s.helper",
        expect![[r#"
        cls.helper
        ===
        ```python
        def helper(x: R.Tensor((m, 4), dtype="float32")) -> R.Tensor((m, 4), dtype="float32")
        ```
        function of the module

        - `m` there is `n`: dimension 0 of argument 1"#]],
    );
}

#[test]
fn a_dtype_shows_its_limits() {
    check_module(
        "(4,), dtype=\"flo$0at32\"",
        expect![[r#"
        "float32"
        ===
        ```python
        "float32"
        ```
        floats up to ±3.4028235e38, next to 1 at a distance of 1.19e-7, 32 bits each"#]],
    );
}

#[test]
fn a_key_of_attributes_shows_what_it_means() {
    check_module(
        "{\"num_in$0put\"",
        expect![[r#"
        "num_input"
        ===
        ```python
        "num_input": 1
        ```
        The number of leading parameters that are inputs; the others are weights, which can be bound in advance."#]],
    );
    check_module(
        "\"op_pat$0tern\"",
        expect![[r#"
        "op_pattern"
        ===
        ```python
        "op_pattern": 0
        ```
        How the function may be fused: 0 elementwise, 1 broadcast, 2 injective, 3 reduction, 4 reduction that can fuse elementwise operators after it, 8 opaque."#]],
    );
}
