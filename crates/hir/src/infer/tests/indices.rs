//! Tests of constant indices of operators.

use expect_test::expect;

use super::related;

/// Returns the warnings about indices in these calls of tensors `x` (4, 8) and `i` (2,).
fn index_warnings(calls: &[&str]) -> String {
    let lines: Vec<String> = calls.iter().map(|it| format!("    y = {it}\n")).collect();
    let text = format!(
        "@R.function\ndef f(x: R.Tensor((4, 8), \"float32\"), n: R.Tensor((\"n\",), \"float32\"), i: R.Tensor((2,), \"int64\")):\n{}    return y\n",
        lines.concat()
    );
    let all = related(&text);
    let found = all.lines().filter(|it| it.contains("out of range"));
    found.flat_map(|it| [it, "\n"]).collect()
}

#[test]
fn a_constant_index_out_of_range_is_a_warning() {
    let found = index_warnings(&[
        "R.take(x, R.const(-1, \"int64\"), axis=1)",
        "R.take(x, R.const([0, 4], \"int64\"), axis=0, mode=\"fast\")",
        "R.take(x, R.const([[-9]], \"int64\"), axis=-1)",
        "R.gather_elements(x, R.const([[3], [-1]], \"int64\"), axis=0)",
        "R.gather_nd(x, R.const([[3, 8], [0, 0]], \"int64\"))",
        "R.index_tensor(x, (R.const([3], \"int64\"), R.const([-1], \"int64\")))",
        "R.scatter_elements(x, R.const([[4]], \"int64\"), x, axis=0)",
    ]);
    expect![[r#"
        3:19 index `-1` is out of range for dimension 1 of `x`, which is 8: only `mode="wrap"` counts from the end
        4:19 index `4` is out of range for dimension 0 of `x`, which is 4
        5:19 index `-9` is out of range for dimension 1 of `x`, which is 8
        6:30 index `-1` is out of range for dimension 0 of `x`, which is 4
        7:24 index `8` is out of range for dimension 1 of `x`, which is 8
        8:51 index `-1` is out of range for dimension 1 of `x`, which is 8
        9:31 index `4` is out of range for dimension 0 of `x`, which is 4
    "#]]
    .assert_eq(&found);
}

#[test]
fn an_index_within_its_dimension_is_no_warning() {
    let found = index_warnings(&[
        "R.take(x, R.const([0, 7], \"int64\"), axis=1)",
        "R.take(x, R.const(-1, \"int64\"), axis=1, mode=\"wrap\")",
        "R.take(x, R.const(99, \"int64\"), axis=1, mode=\"clip\")",
        "R.take(n, R.const(99, \"int64\"), axis=0)",
        "R.take(x, i, axis=0)",
        "R.gather_nd(x, R.const([[3, 7], [0, 0]], \"int64\"))",
        "R.scatter_elements(x, R.const([[-4]], \"int64\"), x, axis=0)",
    ]);
    assert_eq!(found, "");
}
