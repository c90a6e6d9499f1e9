//! Tests of hovers for names of `R`, `T` and `I`.

use expect_test::{Expect, expect};

use super::{check, check_module};

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
            T.serial(start, stop=None, *, annotations=None, step=None)
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
fn a_nested_namespace_shows_its_number_of_names() {
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
fn device_intrinsics_are_explained_word_by_word() {
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

            *Since TVM 0.25.*"#]],
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

            *Since TVM 0.25.*

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

            *Since TVM 0.25.*"#]],
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
fn keywords_of_prim_funcs_are_explained_in_context() {
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
            The memory scope: `"global"`, `"shared"`, `"local"`.

            parameter of `T.alloc_buffer`"#]],
    );
}

#[test]
fn annotations_of_prim_funcs_are_explained() {
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
            Whether TVM writes the unrolled loop out, or leaves that to the compiler of the device.

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
            The alignment of the buffer's memory in bytes.

            annotation of a statement"#]],
    );
    check(
        "for i in T.unroll(4, annotations={\"a\": \"storage_al$0ignment\"}):",
        expect!["nothing"],
    );
}

#[test]
fn the_kinds_of_axes_are_explained() {
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
