//! Calls in PrimFuncs that Python or TVM's script parser refuses, and what only looks like one of them.

use expect_test::expect;

use super::check_bodies;

const BEFORE: &str = r#"import tvm
from tvm.script import tirx as T

@T.prim_func(s_tir=True)
def f(A: T.Buffer((4, 4), "float32"), B: T.Buffer((4,), "int32"), h: T.handle):"#;

#[test]
fn unexpected_arguments_are_reported() {
    check_bodies(
        BEFORE,
        &[
            "A[0, 0] = T.min(A[0, 1])",
            "A[0, 0] = T.Select(A[0, 1] > 1.0, A[0, 1])",
            "A[0, 0] = T.exp(A[0, 1], dtype=\"float32\")",
            "A[0, 0] = T.exp(A[0, 1], 1, 2)",
            "C = T.match_buffer(h, (4,), axis=1)|C[0] = 1.0",
            "C = T.match_buffer(h, (4,), dtyp=\"int32\")|C[0] = 1",
            "C = T.alloc_buffer()",
            "T.evaluate()",
            "T.evaluate(1, 2)",
            "T.func_attr()",
            "for i in T.serial(0, 4, 2):|    A[i, 0] = 1.0",
            "for i in T.serial(0, 4, annotations={\"a\": 1}):|    A[i, 0] = 1.0",
            "for i in T.thread_binding(4, thread=\"threadIdx.x\", tread=1):|    A[i, 0] = 1.0",
            "with T.sblock(\"a\", nam=\"b\"):|    A[0, 0] = 1.0",
            "with T.launch_thread(\"threadIdx.x\") as i:|    A[i, 0] = 1.0",
            "T.call_extern(\"int32\", \"f\", 1, 2, 3)",
            "args = [A[0, 0]]|B[0] = T.min(*args)",
        ],
        expect![[r#"
            A[0, 0] = T.min(A[0, 1])
            --> 1:11 argument-count: `T.min` needs `b`
            A[0, 0] = T.Select(A[0, 1] > 1.0, A[0, 1])
            --> 1:11 argument-count: `T.Select` needs `false_value`
            A[0, 0] = T.exp(A[0, 1], dtype="float32")
            A[0, 0] = T.exp(A[0, 1], 1, 2)
            --> 1:26 argument-count: `T.exp` takes at most 1 argument
            C = T.match_buffer(h, (4,), axis=1)
                C[0] = 1.0
            --> 1:29 unknown-argument: `T.match_buffer` has no parameter `axis`
            C = T.match_buffer(h, (4,), dtyp="int32")
                C[0] = 1
            --> 1:29 unknown-argument: `T.match_buffer` has no parameter `dtyp`; did you mean `dtype`?
            C = T.alloc_buffer()
            --> 1:5 argument-count: `T.alloc_buffer` needs `shape`
            T.evaluate()
            --> 1:1 argument-count: `T.evaluate` needs `value`
            T.evaluate(1, 2)
            --> 1:15 argument-count: `T.evaluate` takes at most 1 argument
            T.func_attr()
            --> 1:1 argument-count: `T.func_attr` needs `attrs`
            for i in T.serial(0, 4, 2):
                    A[i, 0] = 1.0
            --> 1:25 argument-count: `T.serial` takes at most 2 arguments
            for i in T.serial(0, 4, annotations={"a": 1}):
                    A[i, 0] = 1.0
            for i in T.thread_binding(4, thread="threadIdx.x", tread=1):
                    A[i, 0] = 1.0
            --> 1:52 unknown-argument: `T.thread_binding` has no parameter `tread`; did you mean `thread`?
            with T.sblock("a", nam="b"):
                    A[0, 0] = 1.0
            --> 1:20 unknown-argument: `T.sblock` has no parameter `nam`; did you mean `name`?
            with T.launch_thread("threadIdx.x") as i:
                    A[i, 0] = 1.0
            --> 1:6 argument-count: `T.launch_thread` needs `extent`
            T.call_extern("int32", "f", 1, 2, 3)
            args = [A[0, 0]]
                B[0] = T.min(*args)
        "#]],
    );
}

#[test]
fn invalid_axis_kinds_and_bindings_are_reported() {
    let block = |remap: &str| {
        format!("for i in range(4):|    with T.sblock(\"a\"):|        v = {remap}|        B[v] = 1")
    };
    check_bodies(
        BEFORE,
        &[
            &block("T.axis.remap(\"S\", [i])"),
            &block("T.axis.remap([i], \"S\")"),
            &block("T.axis.remap(\"S\")"),
            &block("T.axis.remap(bindings=[i], kinds=\"S\")"),
        ],
        expect![[r#"
            for i in range(4):
                    with T.sblock("a"):
                        v = T.axis.remap("S", [i])
                        B[v] = 1
            for i in range(4):
                    with T.sblock("a"):
                        v = T.axis.remap([i], "S")
                        B[v] = 1
            --> 3:26 argument-type: `T.axis.remap` takes the kinds of the axes first, and then the loop variables
            for i in range(4):
                    with T.sblock("a"):
                        v = T.axis.remap("S")
                        B[v] = 1
            --> 3:13 argument-count: `T.axis.remap` needs `bindings`
            for i in range(4):
                    with T.sblock("a"):
                        v = T.axis.remap(bindings=[i], kinds="S")
                        B[v] = 1
        "#]],
    );
}

#[test]
fn a_block_with_axes_reads_no_loop_variable_around_it() {
    let block = |index: &str, of: &str| {
        format!(
            "for i, j in T.grid(4, 4):|    with T.sblock(\"a\"):|        vi = T.axis.spatial(4, i)|        T.where(j < 3)|        T.writes(A[{of}, 0])|        A[{index}, 0] = 1.0"
        )
    };
    check_bodies(
        BEFORE,
        &[
            &block("vi", "vi"),
            &block("j", "vi"),
            &block("vi", "j"),
            "for i in range(4):|    with T.sblock(\"a\"):|        B[i] = 1",
            "with T.sblock(\"a\"):|    vi = T.axis.spatial(4, 0)|    for i in range(4):|        B[i] = vi",
            "for i in range(4):|    with T.sblock(\"a\"):|        v = T.axis.spatial(4, i)|        with T.init():|            B[i] = 1|        B[v] = 2",
            "for i in range(4):|    with T.sblock(\"a\"):|        v = T.axis.spatial(4, i)|        with T.sblock(\"b\"):|            B[i] = v",
        ],
        expect![[r#"
            for i, j in T.grid(4, 4):
                    with T.sblock("a"):
                        vi = T.axis.spatial(4, i)
                        T.where(j < 3)
                        T.writes(A[vi, 0])
                        A[vi, 0] = 1.0
            for i, j in T.grid(4, 4):
                    with T.sblock("a"):
                        vi = T.axis.spatial(4, i)
                        T.where(j < 3)
                        T.writes(A[vi, 0])
                        A[j, 0] = 1.0
            --> 6:11 undefined-name: the loop variable `j` is outside of the block: use an axis of the block that is bound to it
            for i, j in T.grid(4, 4):
                    with T.sblock("a"):
                        vi = T.axis.spatial(4, i)
                        T.where(j < 3)
                        T.writes(A[j, 0])
                        A[vi, 0] = 1.0
            --> 5:20 undefined-name: the loop variable `j` is outside of the block: use an axis of the block that is bound to it
            for i in range(4):
                    with T.sblock("a"):
                        B[i] = 1
            with T.sblock("a"):
                    vi = T.axis.spatial(4, 0)
                    for i in range(4):
                        B[i] = vi
            for i in range(4):
                    with T.sblock("a"):
                        v = T.axis.spatial(4, i)
                        with T.init():
                            B[i] = 1
                        B[v] = 2
            --> 5:15 undefined-name: the loop variable `i` is outside of the block: use an axis of the block that is bound to it
            for i in range(4):
                    with T.sblock("a"):
                        v = T.axis.spatial(4, i)
                        with T.sblock("b"):
                            B[i] = v
            --> 5:15 undefined-name: the loop variable `i` is outside of the block: use an axis of the block that is bound to it
        "#]],
    );
}

#[test]
fn non_numeric_operands_are_reported() {
    check_bodies(
        BEFORE,
        &[
            "B[0] = T.int32()",
            "B[0] = T.int32(1) + T.int32()",
            "A[B, 0] = 1.0",
            "A[B[0], 0] = 1.0",
            "A[tvm, 0] = 1.0",
            "A[0, 0] = A[0, 1] + tvm",
            "x = T.int32()|C = T.match_buffer(h, (x,))|C[0] = 1.0",
            "C = T.alloc_buffer((4,), \"handle\")",
        ],
        expect![[r#"
            B[0] = T.int32()
            --> 1:8 undefined-name: `T.int32()` is a new variable without a value: write the number, such as `T.int32(0)`
            B[0] = T.int32(1) + T.int32()
            --> 1:21 undefined-name: `T.int32()` is a new variable without a value: write the number, such as `T.int32(0)`
            A[B, 0] = 1.0
            --> 1:3 argument-type: an index must be a number: use an element of this buffer
            A[B[0], 0] = 1.0
            A[tvm, 0] = 1.0
            --> 1:3 argument-type: this must be a number, but it is a Python module
            A[0, 0] = A[0, 1] + tvm
            --> 1:21 argument-type: this must be a number, but it is a Python module
            x = T.int32()
                C = T.match_buffer(h, (x,))
                C[0] = 1.0
            C = T.alloc_buffer((4,), "handle")
            --> 1:26 unknown-dtype: since TVM 0.26, `handle` is not a dtype of tensors and buffers: they hold numbers
        "#]],
    );
}

#[test]
fn an_attribute_of_the_function_is_set_once() {
    check_bodies(
        BEFORE,
        &[
            "T.func_attr({\"a\": 1})|T.func_attr({\"b\": 1, \"a\": 1})|B[0] = 1",
            "T.func_attr({\"a\": 1, \"a\": 2})|T.func_attr({\"b\": 1})|B[0] = 1",
        ],
        expect![[r#"
            T.func_attr({"a": 1})
                T.func_attr({"b": 1, "a": 1})
                B[0] = 1
            --> 2:22 redefinition: the function already has the attribute `a`
            T.func_attr({"a": 1, "a": 2})
                T.func_attr({"b": 1})
                B[0] = 1
        "#]],
    );
}

#[test]
fn each_mistake_is_reported_once() {
    check_bodies(
        BEFORE,
        &[
            "C = T.match_buffer(h, \"float32\", (4, 4))|C[0, 0] = 1.0",
            "for i, j in T.grid(4, 4):|    with T.sblock(\"a\"):|        vi, vj = T.axis.remap(\"SS\", [i, j])|        vi, vj = T.axis.remap(\"SS\", [i, j])|        A[vi, vj] = 1.0",
        ],
        expect![[r#"
            C = T.match_buffer(h, "float32", (4, 4))
                C[0, 0] = 1.0
            --> 1:23 invalid-annotation: the shape of a buffer must be a list of dimensions
            for i, j in T.grid(4, 4):
                    with T.sblock("a"):
                        vi, vj = T.axis.remap("SS", [i, j])
                        vi, vj = T.axis.remap("SS", [i, j])
                        A[vi, vj] = 1.0
            --> 4:9 redefinition: the block already has an axis `vi`
        "#]],
    );
}
