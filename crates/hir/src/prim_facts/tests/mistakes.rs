//! Tests of mistakes in PrimFuncs that TVM's script parser rejects, and of programs that it accepts.

use expect_test::expect;

use super::check_bodies as check;

const TYPE: &str = r#"from tvm.script import tirx as T

@T.prim_func(s_tir=True)
def f(A: T.Buffer((4, 4), "float32"), B: T.Buffer((4,), "int32"), n: T.int32, h: T.handle):"#;

#[test]
fn names_without_a_value_are_reported() {
    check(
        TYPE,
        &[
            "A[i, 0] = 1.0",
            "C[0] = 1.0",
            "for i in range(4):|    A[i, i] = 1.0|A[i, i] = 2.0",
            "for ax in range(4):|    A[axx, ax] = 1.0",
            "with T.sblock(\"a\"):|    T.reads(Z[0])|    A[0, 0] = 1.0",
            "C = T.match_buffer(h, (m, 4))",
            "A[unknown(), 0] = T.exp(also_unknown)",
        ],
        expect![[r#"
            A[i, 0] = 1.0
            --> 1:3 undefined-name: `i` is not defined
            C[0] = 1.0
            --> 1:1 undefined-name: `C` is not defined
            for i in range(4):
                    A[i, i] = 1.0
                A[i, i] = 2.0
            --> 3:3 undefined-name: `i` is not defined here: the loop variable `i` ends with its scope
            for ax in range(4):
                    A[axx, ax] = 1.0
            --> 2:7 undefined-name: `axx` is not defined; did you mean `ax`?
            with T.sblock("a"):
                    T.reads(Z[0])
                    A[0, 0] = 1.0
            --> 2:13 undefined-name: `Z` is not defined
            C = T.match_buffer(h, (m, 4))
            --> 1:24 undefined-name: `m` is not defined
            A[unknown(), 0] = T.exp(also_unknown)
            --> 1:3 undefined-name: `unknown` is not defined
            --> 1:25 undefined-name: `also_unknown` is not defined
        "#]],
    );
}

#[test]
fn strings_that_tvm_leaves_out_are_no_names() {
    check(
        TYPE,
        &["assert n == 2, (\"TypeError\", [\"Expected \", metadata[\"ir.StringImm\"][0]])"],
        expect![[r#"
            assert n == 2, ("TypeError", ["Expected ", metadata["ir.StringImm"][0]])
        "#]],
    );
}

#[test]
fn wrong_numbers_of_indices_are_reported() {
    check(
        TYPE,
        &[
            "A[0] = 1.0",
            "A[0, 0, 0] = 1.0",
            "B[0] = B[0, 0]",
            "B[0] = A[0] + 1.0",
            "A[0, 0] = T.exp(A[0])",
            "A[0] += 1.0",
            "if A[0] > 1.0:|    B[0] = 1",
            "row = A[0]",
            "with T.sblock(\"a\"):|    T.reads(A[0], A[0:2, 0:2])|    T.writes(A[0, 0, 0])|    A[0, 0] = 1.0",
            "indices = [0, 0]|A[indices] = 1.0",
            "A[*helper(n)] = 1.0",
            "C = T.alloc_buffer((4, *A.shape))|C[0, 0] = 1.0",
        ],
        expect![[r#"
            A[0] = 1.0
            --> 1:1 index-count: `A` has 2 dimensions, and 1 index is given
            A[0, 0, 0] = 1.0
            --> 1:1 index-count: `A` has 2 dimensions, and 3 indices are given
            B[0] = B[0, 0]
            --> 1:8 index-count: `B` has 1 dimension, and 2 indices are given
            B[0] = A[0] + 1.0
            --> 1:8 index-count: `A` has 2 dimensions, and 1 index is given
            A[0, 0] = T.exp(A[0])
            --> 1:17 index-count: `A` has 2 dimensions, and 1 index is given
            A[0] += 1.0
            --> 1:1 index-count: `A` has 2 dimensions, and 1 index is given
            if A[0] > 1.0:
                    B[0] = 1
            --> 1:4 index-count: `A` has 2 dimensions, and 1 index is given
            row = A[0]
            with T.sblock("a"):
                    T.reads(A[0], A[0:2, 0:2])
                    T.writes(A[0, 0, 0])
                    A[0, 0] = 1.0
            --> 3:14 index-count: `A` has 2 dimensions, and 3 indices are given
            indices = [0, 0]
                A[indices] = 1.0
            A[*helper(n)] = 1.0
            --> 1:4 undefined-name: `helper` is not defined
            C = T.alloc_buffer((4, *A.shape))
                C[0, 0] = 1.0
            --> 2:1 index-count: `C` has 3 dimensions, and 2 indices are given
        "#]],
    );
}

#[test]
fn wrong_numbers_of_loop_variables_and_axes_are_reported() {
    check(
        TYPE,
        &[
            "for i, j in T.grid(4):|    A[i, j] = 1.0",
            "for i, j in T.grid(4, 4, 4):|    A[i, j] = 1.0",
            "for i, i in T.grid(4, 4):|    A[i, i] = 1.0",
            "for i, j in T.grid(*A.shape):|    A[i, j] = 1.0",
            "for it in T.grid(4, 4):|    A[it] = 1.0",
            "for _, _ in T.grid(4, 4):|    B[0] = 1",
            "for i, j in T.grid(4, 4):|    with T.sblock(\"a\"):|        vi, vj = T.axis.remap(\"S\", [i, j])",
            "for i, j in T.grid(4, 4):|    with T.sblock(\"a\"):|        vi, vj = T.axis.remap(\"SX\", [i, j])",
            "for i, j in T.grid(4, 4):|    with T.sblock(\"a\"):|        vi, vj = T.axis.remap(\"SS\", [i, j + 1])",
            "for i, j in T.grid(4, 4):|    with T.sblock(\"a\"):|        vi = T.axis.spatial(4, i)|        vi = T.axis.spatial(4, j)",
            "for i, j in T.grid(4, 4):|    with T.sblock(\"a\"):|        vi, *vs = T.axis.remap(\"SS\", [i, j])",
            "for i in [0, 1]:|    B[i] = 1",
        ],
        expect![[r#"
            for i, j in T.grid(4):
                    A[i, j] = 1.0
            --> 1:5 iteration-count: `T.grid` has 1 extent, and 2 loop variables are named
            for i, j in T.grid(4, 4, 4):
                    A[i, j] = 1.0
            --> 1:5 iteration-count: `T.grid` has 3 extents, and 2 loop variables are named
            for i, i in T.grid(4, 4):
                    A[i, i] = 1.0
            --> 1:8 redefinition: the loop variable `i` is named twice
            for i, j in T.grid(*A.shape):
                    A[i, j] = 1.0
            for it in T.grid(4, 4):
                    A[it] = 1.0
            for _, _ in T.grid(4, 4):
                    B[0] = 1
            for i, j in T.grid(4, 4):
                    with T.sblock("a"):
                        vi, vj = T.axis.remap("S", [i, j])
            --> 3:9 iteration-count: `T.axis.remap` has 1 letter, 2 loop variables and 2 names
            for i, j in T.grid(4, 4):
                    with T.sblock("a"):
                        vi, vj = T.axis.remap("SX", [i, j])
            --> 3:31 argument-value: `X` is not a kind of axis: `S` is spatial, `R` is reduce
            for i, j in T.grid(4, 4):
                    with T.sblock("a"):
                        vi, vj = T.axis.remap("SS", [i, j + 1])
            --> 3:41 argument-value: `T.axis.remap` takes loop variables: give the value of another axis to `T.axis.spatial` or `T.axis.reduce`
            for i, j in T.grid(4, 4):
                    with T.sblock("a"):
                        vi = T.axis.spatial(4, i)
                        vi = T.axis.spatial(4, j)
            --> 4:9 redefinition: the block already has an axis `vi`
            for i, j in T.grid(4, 4):
                    with T.sblock("a"):
                        vi, *vs = T.axis.remap("SS", [i, j])
            for i in [0, 1]:
                    B[i] = 1
            --> 1:10 unsupported-statement: a loop of a PrimFunc must run over `range`, `T.grid` or another loop of `T`
        "#]],
    );
}

#[test]
fn block_statements_outside_a_block_are_reported() {
    check(
        TYPE,
        &[
            "T.reads(A[0, 0])",
            "T.where(n > 1)",
            "with T.init():|    B[0] = 0",
            "vi = T.axis.spatial(4, n)",
            "with T.sblock(\"a\"):|    T.writes(B[0])|    T.writes(B[1])|    B[0] = 1",
            "with T.sblock(\"a\"):|    B[0] = 1|T.reads(A[0, 0])",
            "T.sblock(\"a\")|T.reads(A[0, 0])|B[0] = 1",
            "with helper():|    T.reads(A[0, 0])",
        ],
        expect![[r#"
            T.reads(A[0, 0])
            --> 1:1 misplaced-block-statement: `T.reads` is only allowed in a block
            T.where(n > 1)
            --> 1:1 misplaced-block-statement: `T.where` is only allowed in a block
            with T.init():
                    B[0] = 0
            --> 1:6 misplaced-block-statement: `T.init` is only allowed in a block
            vi = T.axis.spatial(4, n)
            --> 1:1 misplaced-block-statement: `T.axis.spatial` is only allowed in a block
            with T.sblock("a"):
                    T.writes(B[0])
                    T.writes(B[1])
                    B[0] = 1
            --> 3:5 misplaced-block-statement: the block has `T.writes` twice
            with T.sblock("a"):
                    B[0] = 1
                T.reads(A[0, 0])
            --> 3:1 misplaced-block-statement: `T.reads` is only allowed in a block
            T.sblock("a")
                T.reads(A[0, 0])
                B[0] = 1
            with helper():
                    T.reads(A[0, 0])
            --> 1:6 undefined-name: `helper` is not defined
        "#]],
    );
}

#[test]
fn invalid_dtypes_are_reported() {
    check(
        TYPE,
        &[
            "C = T.match_buffer(h, (4,), \"floot32\")",
            "C = T.match_buffer(h, (4.0,), \"float32\")",
            "B[0] = B[1] / B[2]",
            "B[0] = B[1] / 2",
            "A[0, 0] = A[0, 1] / 2",
            "B[0] = A[0, 0] & 1",
            "B[0] = \"one\"",
            "B[0] = T.cast(A[0, 0], \"int33x\")",
            "C = T.match_buffer(h, (4,), dtype_of_python)",
        ],
        expect![[r#"
            C = T.match_buffer(h, (4,), "floot32")
            --> 1:29 unknown-dtype: `floot32` is not a dtype; did you mean `float32`?
            C = T.match_buffer(h, (4.0,), "float32")
            --> 1:24 dtype-mismatch: a dimension must be an integer, but this is float32
            B[0] = B[1] / B[2]
            --> 1:8 dtype-mismatch: the division of integers rounds: write `//`, `T.floordiv` or `T.truncdiv`
            B[0] = B[1] / 2
            --> 1:8 dtype-mismatch: the division of integers rounds: write `//`, `T.floordiv` or `T.truncdiv`
            A[0, 0] = A[0, 1] / 2
            B[0] = A[0, 0] & 1
            --> 1:8 dtype-mismatch: float32 does not support arithmetic
            B[0] = "one"
            --> 1:8 dtype-mismatch: a string is not an element of a buffer
            B[0] = T.cast(A[0, 0], "int33x")
            --> 1:24 unknown-dtype: `int33x` is not a dtype; did you mean `int32`?
            C = T.match_buffer(h, (4,), dtype_of_python)
            --> 1:29 undefined-name: `dtype_of_python` is not defined
        "#]],
    );
}

#[test]
fn unsupported_statements_of_prim_funcs_are_reported() {
    check(
        TYPE,
        &[
            "import os|os.getcwd()",
            "x = y = B[0]",
            "try:|    B[0] = 1|except ValueError:|    pass",
            "del n",
            "while B[0] < 4:|    break",
        ],
        expect![[r#"
            import os
                os.getcwd()
            --> 1:1 unsupported-statement: `import` is not supported in a PrimFunc
            x = y = B[0]
            --> 1:1 unsupported-statement: TVMScript assigns to one target at a time
            try:
                    B[0] = 1
                except ValueError:
                    pass
            --> 1:1 unsupported-statement: `try` is not supported in a PrimFunc
            del n
            --> 1:1 unsupported-statement: `del` is not supported in a PrimFunc
            while B[0] < 4:
                    break
        "#]],
    );
    let header = "from tvm.script import tir as T\n\n@T.prim_func\ndef f(a, *rest):";
    check(
        header,
        &["T.evaluate(0)"],
        expect![[r#"
        T.evaluate(0)
        --> 0:3 missing-annotation: the parameter `a` needs an annotation
    "#]],
    );
}

#[test]
fn values_that_python_computes_are_not_checked() {
    let header = r#"from tvm.script import tir as T
import helper

def build(flag, shape, names):
    @T.prim_func
    def f(A: T.Buffer(shape, "float32"), B: T.Buffer((2, 2), helper.dtype)):"#;
    let indent = |body: &str| format!("    {}", body.replace('|', "|    "));
    check(
        header,
        &[
            &indent("A[0, 0, 0] = 1.0"),
            &indent("if flag:|    x = T.exp(1.0)|A[0] = x"),
            &indent("if flag:|    unbound_function()"),
            &indent("for i, j in helper.loops():|    B[i, j] = 1"),
            &indent("values = [element(k) for k in names]"),
            &indent("T.evaluate(flag and undefined_then)"),
            &indent("B[helper.indices] = 1"),
        ],
        expect![[r#"
            A[0, 0, 0] = 1.0
            if flag:
                        x = T.exp(1.0)
                    A[0] = x
            if flag:
                        unbound_function()
            for i, j in helper.loops():
                        B[i, j] = 1
            values = [element(k) for k in names]
            T.evaluate(flag and undefined_then)
            B[helper.indices] = 1
        "#]],
    );
}

#[test]
fn unknown_names_under_t_are_reported_once() {
    check(
        TYPE,
        &[
            "for i in T.seriall(4):|    A[i, 0] = T.flaot32(0)|    A[i, 1] = T.flaot32(1)",
            "A[0, 0] = T.float8_e4m3fnx4(0)",
            "A[0, 0] = T.exp(T.cuda.tomorrow(T.ptx.mma()))",
            "T.tomorrow(A[0, 0])",
        ],
        expect![[r#"
            for i in T.seriall(4):
                    A[i, 0] = T.flaot32(0)
                    A[i, 1] = T.flaot32(1)
            --> 1:12 undefined-name: `T.seriall` does not exist; did you mean `T.serial`?
            --> 2:17 undefined-name: `T.flaot32` does not exist; did you mean `T.float32`?
            A[0, 0] = T.float8_e4m3fnx4(0)
            A[0, 0] = T.exp(T.cuda.tomorrow(T.ptx.mma()))
            T.tomorrow(A[0, 0])
            --> 1:3 undefined-name: `T.tomorrow` is not a known name
        "#]],
    );
}

#[test]
fn a_dtype_keyword_leaves_the_first_position_to_the_value() {
    check(
        TYPE,
        &[r#"T.evaluate(T.call_extern("mystery", A.data, dtype="handle"))"#],
        expect![[r#"
            T.evaluate(T.call_extern("mystery", A.data, dtype="handle"))
        "#]],
    );
}

#[test]
fn elements_of_a_python_tuple_are_known() {
    check(
        TYPE,
        &["shape = (4, 4)|C = T.alloc_buffer(shape)|C[0] = 1.0"],
        expect![[r#"
            shape = (4, 4)
                C = T.alloc_buffer(shape)
                C[0] = 1.0
            --> 3:1 index-count: `C` has 2 dimensions, and 1 index is given
        "#]],
    );
}

#[test]
fn aliased_buffers_are_declared_before_use() {
    let bodies = [
        "C = T.Buffer((4,), \"int32\", data=B.data)|C[0] = C[1]",
        "C = T.Buffer((4,), \"int32\", data=B.data)|T.evaluate(C.data)",
        "with T.sblock(\"b\"):|    C = T.Buffer((4,), \"int32\")|    T.reads(C[0])",
        "C = T.decl_buffer((4,), \"int32\", data=B.data)|C[0] = 1",
    ];
    check(
        TYPE,
        &bodies,
        expect![[r#"
            C = T.Buffer((4,), "int32", data=B.data)
                C[0] = C[1]
            --> 1:7 other-dialect: `T.Buffer` does not declare `C`, which TVM 0.24 and later require: write `T.decl_buffer`
            C = T.Buffer((4,), "int32", data=B.data)
                T.evaluate(C.data)
            with T.sblock("b"):
                    C = T.Buffer((4,), "int32")
                    T.reads(C[0])
            C = T.decl_buffer((4,), "int32", data=B.data)
                C[0] = 1
        "#]],
    );
    // TVM 0.25 and 0.26 require it only in functions with schedulable blocks.
    check(
        &TYPE.replace("(s_tir=True)", ""),
        &bodies[..1],
        expect![[r#"
            C = T.Buffer((4,), "int32", data=B.data)
                C[0] = C[1]
        "#]],
    );
    let older = TYPE
        .replace("tirx as", "tir as")
        .replace("(s_tir=True)", "");
    check(
        &older,
        &bodies[..1],
        expect![[r#"
        C = T.Buffer((4,), "int32", data=B.data)
            C[0] = C[1]
    "#]],
    );
}

#[test]
fn a_name_is_defined_once_per_scope() {
    check(
        TYPE,
        &[
            "x: T.let = T.int32(1)|x: T.let = T.int32(2)",
            "for i in range(3):|    i = T.int32(2)",
            "for i in range(3):|    C = T.alloc_buffer((3,), \"int32\")|    C = T.alloc_buffer((3,), \"int32\")",
            "m = T.int32()|m = T.int32()",
            "x = T.int32(2)|x = T.alloc_buffer((3,), \"int32\")",
            // Valid: writing to a scalar, equal names in different scopes, and a second declaration of a buffer.
            "x = T.int32(1)|x = T.int32(2)",
            "k = T.int64(is_size_var=True)|x = T.int32(1)|x = T.int32(2)", // TVM 0.25
            "c = T.sblock_alloc_buffer((1,), axis_separators=[])|T.ptx.elect_sync()",
            "x: T.let = T.int32(1)|for i in range(3):|    x: T.let = T.int32(2)",
            "C = B|C = B",
        ],
        expect![[r#"
            x: T.let = T.int32(1)
                x: T.let = T.int32(2)
            --> 2:1 redefinition: `x` is already defined in this function
            for i in range(3):
                    i = T.int32(2)
            --> 2:5 redefinition: `i` is already defined in this block
            for i in range(3):
                    C = T.alloc_buffer((3,), "int32")
                    C = T.alloc_buffer((3,), "int32")
            --> 3:5 redefinition: `C` is already defined in this block
            m = T.int32()
                m = T.int32()
            --> 2:1 redefinition: `m` is already defined in this function
            x = T.int32(2)
                x = T.alloc_buffer((3,), "int32")
            --> 2:1 redefinition: `x` is already defined in this function
            x = T.int32(1)
                x = T.int32(2)
            k = T.int64(is_size_var=True)
                x = T.int32(1)
                x = T.int32(2)
            c = T.sblock_alloc_buffer((1,), axis_separators=[])
                T.ptx.elect_sync()
            x: T.let = T.int32(1)
                for i in range(3):
                    x: T.let = T.int32(2)
            C = B
                C = B
        "#]],
    );
}

#[test]
fn a_constant_index_outside_of_its_buffer_is_a_warning() {
    check(
        "@T.prim_func\ndef f(A: T.Buffer((4, 8), \"float32\"), n: T.int32):\n    L = T.alloc_buffer((2,), \"float32\")",
        &[
            "L[-1] = A[0, 0]",
            "L[0] = A[4, 7]",
            "L[0] = T.if_then_else(n > 2, A[4, 7], A[3, 7])",
            "if n > 8:|    L[2] = A[0, 0]",
            "for i in range(0):|    L[2] = A[0, 0]",
            "for i in range(n):|    L[2] = A[3, 7]",
            "with T.block(\"b\"):|    T.where(n > 2)|    L[2] = A[0, 0]",
            "with T.block(\"b\"):|    T.reads(A[0, 0:8])|    T.writes(L[-1:2])|    L[1] = A[0, 8]",
            "B = T.match_buffer(A[0:2, 0:8], (2, 8))|L[0] = B[2, 0]",
        ],
        expect![[r#"
            L[-1] = A[0, 0]
            --> 1:3 index-out-of-range: index `-1` is out of range for dimension 0 of `L`, which is 2
            L[0] = A[4, 7]
            --> 1:10 index-out-of-range: index `4` is out of range for dimension 0 of `A`, which is 4
            L[0] = T.if_then_else(n > 2, A[4, 7], A[3, 7])
            if n > 8:
                    L[2] = A[0, 0]
            for i in range(0):
                    L[2] = A[0, 0]
            for i in range(n):
                    L[2] = A[3, 7]
            --> 2:7 index-out-of-range: index `2` is out of range for dimension 0 of `L`, which is 2
            with T.block("b"):
                    T.where(n > 2)
                    L[2] = A[0, 0]
            with T.block("b"):
                    T.reads(A[0, 0:8])
                    T.writes(L[-1:2])
                    L[1] = A[0, 8]
            --> 4:17 index-out-of-range: index `8` is out of range for dimension 1 of `A`, which is 8
            B = T.match_buffer(A[0:2, 0:8], (2, 8))
                L[0] = B[2, 0]
            --> 2:10 index-out-of-range: index `2` is out of range for dimension 0 of `B`, which is 2
        "#]],
    );
}
