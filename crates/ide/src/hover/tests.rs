//! What a hover says, fixture by fixture.

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

/// The hover at `at`, a place of the module whose cursor is marked.
fn check_module(at: &str, expect: Expect) {
    let plain = at.replacen("$0", "", 1);
    assert!(MODULE.contains(&plain), "{plain}");
    check(&MODULE.replacen(&plain, at, 1), expect);
}

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
fn the_name_of_a_function_shows_all_of_its_signature() {
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
fn a_call_of_a_function_shows_what_its_shape_variables_stand_for() {
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
fn dimensions_that_no_operand_has_are_computed() {
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
        How many of the first parameters are inputs; the others are weights, which may be bound ahead."#]],
    );
    check_module(
        "\"op_pat$0tern\"",
        expect![[r#"
        "op_pattern"
        ===
        ```python
        "op_pattern": 0
        ```
        How the function may be fused: 0 elementwise, 1 broadcast, 2 injective, 3 reduction, 4 with elementwise after it, 8 not at all."#]],
    );
}

#[test]
fn script_functions_show_their_parameters_everywhere() {
    check_module(
        "@I.ir_mod$0ule",
        expect![[r#"
            I.ir_module
            ===
            ```python
            @I.ir_module(mod=None, check_well_formed=True)
            ```
            A module of functions."#]],
    );
    check_module(
        "T.ser$0ial",
        expect![[r#"
            T.serial
            ===
            ```python
            T.serial(start, stop=None, *, annotations=None)
            ```
            A loop in order."#]],
    );
    check_module(
        "x: R.Ten$0sor",
        expect![[r#"
        R.Tensor
        ===
        ```python
        R.Tensor(shape=None, dtype=None, vdevice=None, ndim=-1)
        ```
        A tensor: its shape or only its rank, its dtype, its device."#]],
    );
    check_module(
        "R.func_at$0tr",
        expect![[r#"
        R.func_attr
        ===
        ```python
        R.func_attr(attrs)
        ```
        Attributes of the function, as a dict."#]],
    );
    check_module(
        "out_sinfo=R.Tensor((4,), dty$0pe",
        expect![[r#"
            dtype
            ===
            ```python
            dtype=None
            ```
            The dtype of the elements; unknown if absent.

            parameter of `R.Tensor`"#]],
    );
    check_module(
        "T.e$0xp",
        expect![[r#"
            T.exp
            ===
            ```python
            T.exp(x)
            T.exp(x, *, dtype)
            ```
            The exponential."#]],
    );
}

#[test]
fn a_namespace_shows_what_it_holds() {
    check_module(
        "a = R$0.call_tir",
        expect![[r#"
            R
            ===
            ```python
            tvm.script.relax
            ```
            operators, StructInfo and statements of Relax"#]],
    );
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

/// What begins a module and a PrimFunc in it, and what the code around binds.
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
fn what_the_code_around_binds_shows_its_value() {
    check_beside(
        "n = TypeVar",
        0,
        expect![[r#"
        n
        ===
        ```python
        n: int64
        ```
        shape variable of the Python code around"#]],
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
        constant of the Python code around"#]],
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
        constant of the Python code around"#]],
    );
}

#[test]
fn a_packed_function_is_the_host_s() {
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
            function of the host, by its global symbol"#]],
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
fn the_kinds_of_axes_are_told_apart() {
    check(
        r#"
from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((4, 8), "float32")):
    for i, k in T.grid(4, 8):
        with T.block("sum"):
            vi, vk = T.axis.remap("S$0R", [i, k])
            A[vi, vk] = T.float32(0)
"#,
        expect![[r#"
            "SR"
            ===
            ```python
            "SR"
            ```
            - `S`: spatial, `i`
            - `R`: reduce, `k`"#]],
    );
}

#[test]
fn a_method_shows_the_operator_that_it_is() {
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
fn a_namespace_inside_another_says_how_much_is_in_it() {
    check(
        r#"
from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((4,), "float32")):
    for i in range(4):
        with T.block("A"):
            vi = T.ax$0is.spatial(4, i)
            A[vi] = T.float32(0)
"#,
        expect![[r#"
            T.axis
            ===
            ```python
            T.axis
            ```
            The axes of a block, and their bindings.

            7 names"#]],
    );
}

#[test]
fn what_devices_have_is_explained_to_its_last_word() {
    let check = |line: &str, expect: Expect| {
        let head = "from tvm.script import tirx as T\n\n@T.prim_func\ndef f(A: T.Buffer((4,), \"float32\")):\n";
        check(&format!("{head}    {line}\n"), expect);
    };
    check(
        "T.cuda.cta_sy$0nc()",
        expect![[r#"
        T.cuda.cta_sync
        ===
        ```python
        T.cuda.cta_sync()
        ```
        `__syncthreads()`: waits for all threads of the block.

        *Only in the dialect `type`.*"#]],
    );
    check(
        "T.cu$0da.cta_sync()",
        expect![[r#"
        T.cuda
        ===
        ```python
        T.cuda
        ```
        Functions of CUDA, and functions composed of them.

        *Only in the dialect `type`.*

        70 names"#]],
    );
    check(
        "T.ptx.ld.global_.b3$02(A[0], A.data)",
        expect![[r#"
            T.ptx.ld.global_.b32
            ===
            ```python
            T.ptx.ld.global_.b32(d, addr, *, pred=None, preserve_dst=False)
            T.ptx.ld.global_.b32(d, addr, cache_policy, *, pred=None, preserve_dst=False)
            ```
            Loads from memory.

            *Only in the dialect `type`.*"#]],
    );
    check(
        "T.tvm_struct_set(A.data, 0, ki$0nd=1, value=0)",
        expect!["nothing"],
    );
    check(
        "T.tvm_struct_set(A.data, 0, fi$0eld=1, value=0)",
        expect![[r#"
            field
            ===
            ```python
            field
            ```
            parameter of `T.tvm_struct_set`"#]],
    );
}

#[test]
fn words_of_prim_funcs_are_explained_where_they_mean_something() {
    let check = |line: &str, expect: Expect| {
        let head = "from tvm.script import tir as T\n\n@T.prim_func\ndef f(A: T.Buffer((4,), \"float32\")):\n";
        check(&format!("{head}    {line}\n        pass\n"), expect);
    };
    check(
        "x = T.reinterpret(\"han$0dle\", A.data)",
        expect![[r#"
        "handle"
        ===
        ```python
        "handle"
        ```
        a pointer, 64 bits each"#]],
    );
    check(
        "B = T.alloc_buffer((4,), scope=\"sha$0red\")",
        expect![[r#"
            "shared"
            ===
            ```python
            "shared"
            ```
            memory that the threads of a block share"#]],
    );
    check(
        "for i in T.thread_binding(4, thread=\"blockI$0dx.y\"):",
        expect![[r#"
            "blockIdx.y"
            ===
            ```python
            "blockIdx.y"
            ```
            blocks of threads, the second dimension"#]],
    );
    check("T.call_extern(\"int32\", \"sha$0red\")", expect!["nothing"]);
    check(
        "B = T.alloc_buffer((4,), sc$0ope=\"shared\")",
        expect![[r#"
            scope
            ===
            ```python
            scope="global"
            ```
            The memory it is in: `"global"`, `"shared"`, `"local"`.

            parameter of `T.alloc_buffer`"#]],
    );
}

#[test]
fn annotations_of_prim_funcs_say_what_they_mean() {
    let check = |line: &str, expect: Expect| {
        let head = "from tvm.script import tir as T\n\n@T.prim_func\ndef f(A: T.Buffer((4,), \"float32\")):\n";
        check(&format!("{head}    {line}\n        pass\n"), expect);
    };
    check(
        "for i in T.unroll(4, annotations={\"pragma_unroll_ex$0plicit\": 1}):",
        expect![[r#"
            "pragma_unroll_explicit"
            ===
            ```python
            "pragma_unroll_explicit": 1
            ```
            Whether the unrolled loop is written out here, or left to the compiler of the device.

            annotation of a loop"#]],
    );
    check(
        "with T.attr(A.data, \"storage_al$0ignment\", 128):",
        expect![[r#"
            "storage_alignment"
            ===
            ```python
            "storage_alignment": 128
            ```
            The bytes that the memory of the buffer is aligned to.

            annotation of a statement"#]],
    );
    check(
        "for i in T.unroll(4, annotations={\"a\": \"storage_al$0ignment\"}):",
        expect!["nothing"],
    );
}

#[test]
fn a_prim_func_knows_the_names_of_the_code_around() {
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
            name of the Python code around the function"#]],
    );
}
