//! Calls in PrimFuncs that Python or TVM's script parser refuses, and what only looks like one of them.

use expect_test::expect;

use super::check_bodies;

const BEFORE: &str = r#"import tvm
from tvm.script import tirx as T

@T.prim_func(s_tir=True)
def f(A: T.Buffer((4, 4), "float32"), B: T.Buffer((4,), "int32"), h: T.handle):"#;

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
