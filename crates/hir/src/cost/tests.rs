//! Costs of functions beside a count by hand.

use expect_test::{Expect, expect};

use super::{bindings, storages};
use crate::db::{Database, Source, SourceFile};
use crate::item_tree::file_items;

fn check(text: &str, expect: &Expect) {
    let db = Database::default();
    let file = SourceFile::new(&db, Source::new(text));
    let functions = &file_items(&db, file).functions;
    let costs = functions.iter().flat_map(|&it| bindings(&db, it));
    let shown = |formula: &Option<relax::sym::SymExpr>| {
        formula.as_ref().map_or("?".to_owned(), ToString::to_string)
    };
    let lines = costs.map(|it| {
        let (flops, bytes) = (shown(&it.flops), shown(&it.bytes));
        format!(
            "{} = {}: {flops} FLOPs, {bytes} bytes\n",
            it.name, it.callee
        )
    });
    expect.assert_eq(&lines.collect::<String>());
}

#[test]
fn products_and_convolutions_count_a_multiplication_and_an_addition_for_each_term() {
    check(
        r#"
@R.function
def main(x: R.Tensor(("n", 784), "float32"), w: R.Tensor((784, 128), "float32")):
    y = R.matmul(x, w)
    z = R.nn.relu(y)
    return z

@R.function
def conv(x: R.Tensor(("b", 16, 32, 32), "float32"), w: R.Tensor((8, 4, 3, 3), "float32")):
    y = R.nn.conv2d(x, w, padding=1, groups=4)
    return y
"#,
        // 2 * n * 128 * 784; n * 128; 2 * (b * 8 * 32 * 32) * (4 * 3 * 3)
        &expect![[r#"
            y = matmul: n * 200704 FLOPs, n * 3648 + 401408 bytes
            z = nn.relu: n * 128 FLOPs, n * 1024 bytes
            y = nn.conv2d: b * 589824 FLOPs, b * 98304 + 1152 bytes
        "#]],
    );
}

const DOUBLED: &str = r#"
@I.ir_module
class Module:
    @T.prim_func
    def scaled(a: T.handle, b: T.handle):
        m = T.int64()
        A = T.match_buffer(a, (m, 8), "float32")
        B = T.match_buffer(b, (m, 8), "float32")
        for i, j in T.grid(m, 8):
            with T.block("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj] * T.float32(2) + T.float32(1)

    @R.function
    def main(x: R.Tensor(("n", 8), "float32")):
        y = R.call_tir(Module.scaled, (x,), out_sinfo=R.Tensor(("n", 8), "float32"))
        return y
"#;

#[test]
fn a_prim_func_counts_by_its_loops_in_the_shapes_of_its_caller() {
    check(
        DOUBLED,
        &expect![[r#"
            y = scaled: n * 16 FLOPs, n * 64 bytes
        "#]],
    );
}

#[test]
fn a_prim_func_that_is_not_understood_costs_what_is_not_known() {
    check(
        &DOUBLED.replace("A[vi, vj] *", "unknown(vi) *"),
        &expect![[r#"
            y = scaled: ? FLOPs, ? bytes
        "#]],
    );
}

#[test]
fn storages_are_the_sizes_of_the_plan() {
    let db = Database::default();
    let text = r#"
@R.function
def main(x: R.Tensor(("n", 8), "float32")):
    n = T.int64()
    a: R.Object = R.memory.alloc_storage(R.shape([n * 32]), 0, R.str("global"), R.dtype("float32"))
    b: R.Object = R.memory.alloc_storage(R.shape([64]), 0, R.str("global"), R.dtype("float32"))
    return x
"#;
    let file = SourceFile::new(&db, Source::new(text));
    let function = file_items(&db, file).functions[0];
    let sizes = storages(&db, function);
    let shown: Vec<String> = sizes.iter().flatten().map(ToString::to_string).collect();
    assert_eq!(shown, ["n * 32", "64"]);
}

#[test]
fn what_a_tensor_of_many_dimensions_costs_is_not_counted() {
    let dims: Vec<String> = (0..100).map(|at| format!("\"n{at}\"")).collect();
    let dims = dims.join(", ");
    check(
        &format!(
            "@R.function\ndef main(x: R.Tensor(({dims}), \"float32\")):\n    y = R.exp(x)\n    return y\n"
        ),
        &expect![[r#"
            y = exp: ? FLOPs, ? bytes
        "#]],
    );
}
