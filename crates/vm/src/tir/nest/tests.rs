//! Tests of the recognised computations, and of the numbers for which they are proved.

use std::fmt::Write;

use expect_test::{Expect, expect};
use hir::{Database, Source, SourceFile, file_items};

use super::{BufferArgument, Numbers, Statement, statements};

/// Prints the nests of the outermost statements for the given extents of `a`, `b`, `c` and the values of variables.
fn check(source: &str, dims: [&[u64]; 3], vars: &[i128], expect: Expect) {
    let db = Database::default();
    let file = SourceFile::new(&db, Source::new(source));
    let func = hir::function_program(&db, file_items(&db, file).functions[0]).unwrap();
    let mut text = String::new();
    for stmt in &func.body {
        let all = statements(&func, stmt);
        if all.is_empty() {
            text += "other\n";
        }
        for found in all {
            text += &computation_text(&found, dims, vars);
        }
    }
    expect.assert_eq(&text);
}

/// Prints a computation for the given numbers.
fn computation_text(found: &Statement, dims: [&[u64]; 3], vars: &[i128]) -> String {
    let place = |at: usize| BufferArgument {
        dims: dims[at],
        elements: dims[at].iter().product(),
    };
    let numbers = Numbers {
        vars: found
            .variables()
            .into_iter()
            .zip(vars.iter().copied())
            .collect(),
        reads: (0..found.reads.len()).map(|at| place(at.min(2))).collect(),
        c: place(2),
    };
    let Some(nest) = found.proven(&numbers) else {
        return "not shown\n".to_owned();
    };
    let mut text = format!("{:?} from {:?}, {}\n", found.work, nest.from, nest.from_c);
    for dim in nest.dims {
        let _ = write!(text, "{} times {:?}, {}", dim.extent, dim.of, dim.c);
        let inside = dim.inside.map(|it| format!(", inside {it:?}"));
        let _ = writeln!(text, "{}", inside.unwrap_or_default());
    }
    text
}

const MATMUL: &str = r#"
@T.prim_func
def f(a: T.handle, b: T.Buffer((8, 6), "float32"), c: T.handle):
    n = T.int64()
    A = T.match_buffer(a, (n, 8))
    C = T.match_buffer(c, (n, 6))
    for i, j, k in T.grid(n, 6, 8):
        with T.block("matmul"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * b[vk, vj]
"#;

const DIMS: [&[u64]; 3] = [&[5, 8], &[8, 6], &[5, 6]];

#[test]
fn a_matrix_product_is_one_for_each_extent() {
    check(
        MATMUL,
        DIMS,
        &[5],
        expect![[r#"
            Product from [0, 0], 0
            5 times [8, 0], 6
            6 times [0, 1], 1
            8 times [1, 6], 0
        "#]],
    );
}

#[test]
fn a_nest_that_leaves_a_buffer_is_not_shown() {
    check(
        MATMUL,
        DIMS,
        &[6],
        expect![[r#"
        not shown
    "#]],
    );
    let beside = MATMUL.replace("b[vk, vj]", "b[vk + 1, vj]");
    check(
        &beside,
        DIMS,
        &[5],
        expect![[r#"
        not shown
    "#]],
    );
}

#[test]
fn no_iterations_are_left_to_the_loops() {
    check(
        MATMUL,
        [&[0, 8], &[8, 6], &[0, 6]],
        &[0],
        expect![[r#"
        not shown
    "#]],
    );
}

#[test]
fn a_sum_that_is_set_anew_in_each_iteration_is_not_shown() {
    check(
        &MATMUL.replace("SSR", "SSS"),
        DIMS,
        &[5],
        expect![[r#"
        not shown
    "#]],
    );
    check(
        &MATMUL.replace("SSR", "SRR"),
        DIMS,
        &[5],
        expect![[r#"
        not shown
    "#]],
    );
}

#[test]
fn a_result_that_iterations_share_is_not_shown() {
    let shared = MATMUL.replace("C[vi, vj]", "C[vi, vj // 2]");
    check(
        &shared,
        DIMS,
        &[5],
        expect![[r#"
        not shown
    "#]],
    );
    let overlapping = MATMUL
        .replace("C[vi, vj]", "C[0, vi + vj]")
        .replace("(n, 6))", "(n, 20))");
    check(
        &overlapping,
        [&[5, 8], &[8, 6], &[5, 20]],
        &[5],
        expect![[r#"
        not shown
    "#]],
    );
}

#[test]
fn tiles_are_read_as_the_loops_that_they_split() {
    check(
        r#"
@T.prim_func
def f(A: T.Buffer((8, 8), "float32"), b: T.Buffer((8, 8), "float32"), C: T.Buffer((8, 8), "float32")):
    for io, ko, i, j, k in T.grid(2, 4, 4, 8, 2):
        with T.block("matmul"):
            vi = T.axis.spatial(8, io * 4 + i)
            vj = T.axis.spatial(8, j)
            vk = T.axis.reduce(8, ko * 2 + k)
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * b[vj, vk]
"#,
        [&[8, 8]; 3],
        &[],
        expect![[r#"
            Product from [0, 0], 0
            2 times [32, 0], 32
            4 times [2, 2], 0
            4 times [8, 0], 8
            8 times [0, 8], 1
            2 times [1, 1], 0
        "#]],
    );
}

#[test]
fn what_reads_its_own_result_or_a_view_of_it_is_no_contraction() {
    check(
        r#"
@T.prim_func
def f(A: T.Buffer((8, 8), "float32"), C: T.Buffer((8, 8), "float32"), D: T.Buffer((8, 8), "float32")):
    E = T.Buffer((64,), "float32", data=D.data)
    for i, j, k in T.grid(8, 8, 8):
        C[i, j] = C[i, j] + A[i, k] * C[k, j]
    for i, j, k in T.grid(8, 8, 8):
        D[i, j] = D[i, j] + A[i, k] * E[k * 8 + j]
    for i, j, k in T.grid(8, 8, 8):
        C[i, j] = C[j, i] + A[i, k] * A[k, j]
"#,
        [&[8, 8]; 3],
        &[],
        expect![[r#"
            other
            other
            not shown
        "#]],
    );
}

#[test]
fn initial_values_of_folds_are_recognized() {
    check(
        r#"
@T.prim_func
def f(A: T.Buffer((8, 8), "float32"), b: T.Buffer((8, 8), "float32"), C: T.Buffer((8, 8), "float32")):
    for i, j in T.grid(8, 8):
        C[i, j] = A[(i * 8 + j) % 8, (i * 8 + j) // 8]
    for i, j in T.grid(8, 8):
        C[i, j] = T.exp(A[i, j] - b[i, 0])
    for i, j, k in T.grid(8, 8, 8):
        with T.block("top"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(-1)
            C[vi, vj] = T.max(C[vi, vj], A[vi, vk])
    for i, j in T.grid(8, 8):
        C[i, 0] = A[i, j]
    for i, j in T.grid(8, 8):
        with T.block("set"):
            vi, vj = T.axis.remap("SS", [i, j])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = A[vi, vj]
"#,
        [&[8, 8]; 3],
        &[],
        expect![[r#"
            Copy from [0], 0
            8 times [1], 8
            8 times [8], 1
            Map([Load(0), Load(1), Sub, Exp]) from [0, 0], 0
            8 times [8, 8], 8
            8 times [1, 0], 1
            Fold(Max, [Load(0)]) from [0], 0
            8 times [8], 8
            8 times [0], 1
            8 times [1], 0
            not shown
            other
        "#]],
    );
}

#[test]
fn half_floats_are_rounded_at_each_step() {
    check(
        r#"
@T.prim_func
def f(A: T.Buffer((8, 8), "float16"), b: T.Buffer((8, 8), "bfloat16"), C: T.Buffer((8, 8), "float16")):
    for i, j in T.grid(8, 8):
        C[i, j] = T.max(A[i, j] + T.float16(0.1), -A[i, j])
    for i, j in T.grid(8, 8):
        C[i, j] = T.Cast("float16", T.sqrt(T.Cast("float32", b[i, j])))
    for i, j, k in T.grid(8, 8, 8):
        C[i, j] = C[i, j] + T.sqrt(A[i, k])
    for i, j, k in T.grid(8, 8, 8):
        C[i, j] = T.max(C[i, j], A[i, k])
"#,
        [&[8, 8]; 3],
        &[],
        expect![[r#"
            Map([Load(0), Constant(0.099975586), Add, Round(F16), Load(1), Neg, Max]) from [0, 0], 0
            8 times [8, 8], 8
            8 times [1, 1], 1
            Map([Load(0), Sqrt, Round(F16)]) from [0], 0
            8 times [8], 8
            8 times [1], 1
            Fold(Sum, [Load(0), Sqrt, Round(F16)]) from [0], 0
            8 times [8], 8
            8 times [0], 1
            8 times [1], 0
            Fold(Max, [Load(0)]) from [0], 0
            8 times [8], 8
            8 times [0], 1
            8 times [1], 0
        "#]],
    );
}

#[test]
fn padding_is_an_expression_inside_and_a_constant_around_it() {
    let pad = r#"
@T.prim_func
def f(A: T.Buffer((8, 8), "float32"), b: T.Buffer((8, 8), "float32"), C: T.Buffer((10, 10), "float32")):
    for i, j in T.grid(10, 10):
        with T.block("pad"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = T.if_then_else(1 <= vi and vi < 9 and vj * 2 > 1 and 18 - vj * 2 > 0, A[vi - 1, vj - 1], T.float32(0))
"#;
    let dims: [&[u64]; 3] = [&[8, 8], &[8, 8], &[10, 10]];
    check(
        pad,
        dims,
        &[],
        expect![[r#"
        Map([Load(0)]) from [-9], 0
        10 times [8], 10, inside 1..9
        10 times [1], 1, inside 1..9
    "#]],
    );
    // Reads one element too many.
    let wide = pad.replace("vi < 9", "vi < 10");
    check(&wide, dims, &[], expect![["not shown\n"]]);
    let slanted = pad.replace("vi < 9", "vi + vj < 9");
    check(&slanted, dims, &[], expect![["not shown\n"]]);
}

#[test]
fn a_choice_by_the_values_is_an_expression() {
    check(
        r#"
@T.prim_func
def f(A: T.Buffer((8, 8), "float32"), b: T.Buffer((8, 8), "bool"), C: T.Buffer((8, 8), "float32"), D: T.Buffer((8, 8), "bool")):
    for i, j in T.grid(8, 8):
        C[i, j] = T.Select(0 < T.Cast("int32", b[i, j]), A[i, j], T.float32(0))
    for i, j in T.grid(8, 8):
        C[i, j] = T.Select(A[i, j] >= T.float32(0) and not b[i, j], A[i, j], T.Cast("float32", b[i, j]))
    for i, j in T.grid(8, 8):
        D[i, j] = A[i, j] == T.float32(1)
    for i, j in T.grid(8, 8):
        C[i, j] = T.Select(i < 4, A[i, j], A[i + 1, j])
"#,
        [&[8, 8]; 3],
        &[],
        expect![[r#"
            Map([Load(0), Load(1), Constant(0.0), Select]) from [0, 0], 0
            8 times [8, 8], 8
            8 times [1, 1], 1
            Map([Constant(0.0), Load(0), Compare(Le), Constant(1.0), Load(1), Sub, Min, Load(2), Load(3), Select]) from [0, 0, 0, 0], 0
            8 times [8, 8, 8, 8], 8
            8 times [1, 1, 1, 1], 1
            Map([Load(0), Constant(1.0), Compare(Eq)]) from [0], 0
            8 times [8], 8
            8 times [1], 1
            Map([Load(0)]) from [0], 0
            8 times [8], 8, inside 0..4
            8 times [1], 1
            not shown
        "#]],
    );
}

/// Group norm sums numbers and their squares in one block.
const TWO_SUMS: &str = r#"
@T.prim_func
def f(A: T.Buffer((8, 8), "float32"), B: T.Buffer((8,), "float32"), C: T.Buffer((8,), "float32")):
    for i, k in T.grid(8, 8):
        with T.block("sums"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                B[vi] = T.float32(0)
                C[vi] = T.float32(0)
            v_b = B[vi] + A[vi, vk]
            v_c = C[vi] + A[vi, vk] * A[vi, vk]
            B[vi] = v_b
            C[vi] = v_c
"#;

#[test]
fn several_sums_in_one_block_are_computed_one_by_one() {
    let dims: [&[u64]; 3] = [&[8, 8], &[8, 8], &[8]];
    check(
        TWO_SUMS,
        dims,
        &[],
        expect![[r#"
        Fold(Sum, [Load(0)]) from [0], 0
        8 times [8], 1
        8 times [1], 0
        Product from [0, 0], 0
        8 times [8, 8], 1
        8 times [1, 1], 0
    "#]],
    );
    // The second needs what the first has so far; a sum is not initialised; a read is for nothing.
    for (from, to) in [
        ("v_c = C[vi] + A[vi, vk] *", "v_c = C[vi] + B[vi] *"),
        ("                C[vi] = T.float32(0)\n", ""),
        ("            C[vi] = v_c\n", ""),
    ] {
        check(&TWO_SUMS.replace(from, to), dims, &[], expect![["other\n"]]);
    }
}

#[test]
fn a_concatenation_is_a_copy_for_each_range_of_indices() {
    let concat = r#"
@T.prim_func
def f(A: T.Buffer((8, 8), "float32"), b: T.Buffer((8, 8), "float32"), C: T.Buffer((16, 8), "float32")):
    for i, j in T.grid(16, 8):
        with T.block("concat"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = T.if_then_else(8 <= vi, A[vi - 8, vj], b[vi, vj])
"#;
    let dims: [&[u64]; 3] = [&[8, 8], &[8, 8], &[16, 8]];
    check(
        concat,
        dims,
        &[],
        expect![[r#"
        Map([Load(0)]) from [-64], 0
        16 times [8], 8, inside 8..16
        8 times [1], 1
        Map([Load(0)]) from [0], 0
        16 times [8], 8, inside 0..8
        8 times [1], 1
    "#]],
    );
    let three = concat.replace(
        "b[vi, vj])",
        "T.if_then_else(vi < 2, b[vi, vj], A[vi - 2, vj]))",
    );
    check(
        &three,
        dims,
        &[],
        expect![[r#"
        Map([Load(0)]) from [-64], 0
        16 times [8], 8, inside 8..16
        8 times [1], 1
        Map([Load(0)]) from [0], 0
        16 times [8], 8, inside 0..2
        8 times [1], 1
        Map([Load(0)]) from [-16], 0
        16 times [8], 8, inside 2..8
        8 times [1], 1
    "#]],
    );
    // One part reads too far.
    check(
        &concat.replace("8 <= vi", "9 <= vi"),
        dims,
        &[],
        expect![[r#"
            Map([Load(0)]) from [-64], 0
            16 times [8], 8, inside 9..16
            8 times [1], 1
            not shown
        "#]],
    );
}

#[test]
fn packed_weights_are_unpacked_by_runs() {
    // Each index is divided, so a loop is several.
    check(
        r#"
@T.prim_func
def f(w: T.Buffer((6, 4), "uint32"), s: T.Buffer((6, 2), "float16"), o: T.Buffer((6, 32), "float16")):
    for i, j in T.grid(6, 32):
        with T.block("dequantize"):
            vi, vj = T.axis.remap("SS", [i, j])
            o[vi, vj] = (T.Cast("float16", T.bitwise_and(T.shift_right(w[vi, vj // 8], T.Cast("uint32", vj % 8 * 4)), T.uint32(15))) - T.float16(7)) * s[vi, vj // 16]
"#,
        [&[6, 4], &[6, 2], &[6, 32]],
        &[],
        expect![[r#"
            Map([Load(0), Index(0), IntConstant(31), Int(And), Int(ShiftRightUnsigned), IntConstant(15), Int(And), Convert(UnsignedToFloat), Round(F16), Constant(7.0), Sub, Round(F16), Load(1), Mul, Round(F16)]) from [0, 0, 0], 0
            6 times [4, 2, 0], 32
            2 times [2, 1, 0], 16
            2 times [1, 0, 0], 8
            8 times [0, 0, 4], 1
        "#]],
    );
}

#[test]
fn masks_of_two_loops_are_chosen_everywhere() {
    check(
        r#"
@T.prim_func
def f(x: T.handle, c: T.handle):
    n = T.int64()
    m = T.int64()
    X = T.match_buffer(x, (n, m))
    C = T.match_buffer(c, (n, m))
    for i, j in T.grid(n, m):
        with T.block("mask"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = T.if_then_else(vj <= vi + m - n, X[vi, vj], T.float32(-1))
"#,
        [&[3, 5], &[3, 5], &[3, 5]],
        &[3, 5],
        expect![[r#"
            Map([Index(0), Index(1), CompareInt(Le), Load(0), Constant(-1.0), Select]) from [0, 0, 2], 0
            3 times [5, 0, 1], 5
            5 times [1, 1, 0], 1
        "#]],
    );
}

#[test]
fn integers_are_computed_by_runs() {
    check(
        r#"
@T.prim_func
def f(a: T.Buffer((4, 8), "int8"), b: T.Buffer((4, 8), "uint32"), c: T.Buffer((4, 8), "int32")):
    for i, j in T.grid(4, 8):
        c[i, j] = T.Select(b[i, j] > T.uint32(3), T.Cast("int32", a[i, j]) * 3 // 4, T.Cast("int32", T.shift_right(b[i, j], T.uint32(33))))
    for i, j in T.grid(4, 8):
        c[i, j] = T.Cast("int32", b[i, j] // T.uint32(3))
"#,
        [&[4, 8], &[4, 8], &[4, 8]],
        &[],
        expect![[r#"
            Map([IntConstant(3), IntConstant(-2147483648), Int(Xor), Load(0), IntConstant(-2147483648), Int(Xor), CompareInt(Lt), Load(1), IntConstant(3), Int(Mul), IntConstant(2), Int(ShiftRight), Load(2), IntConstant(33), IntConstant(31), Int(And), Int(ShiftRightUnsigned), Select]) from [0, 0, 0], 0
            4 times [8, 8, 8], 8
            8 times [1, 1, 1], 1
            other
        "#]],
    );
}
