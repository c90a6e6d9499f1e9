//! Tests of calls whose meaning changed between two releases.

use relax::sinfo::StructInfo;
use salsa::Setter as _;

use super::*;

/// Returns the StructInfo of a call in a release, or the first error.
fn meaning(params: &str, call: &str, release: Release) -> String {
    let text = format!("@R.function\ndef f({params}):\n    y = {call}\n    return y\n");
    let (db, file) = in_release(release, &text);
    let errors = file_diagnostics(&db, file).into_iter();
    let mut errors = errors.filter(|it| it.severity == Severity::Error);
    if let Some(error) = errors.next() {
        return error.message;
    }
    let function = file_items(&db, file).functions[0];
    let facts = lazy_facts(&db, function);
    let root = &facts.functions[0];
    root.ret.display(release.dialect()).to_string()
}

fn changed(params: &str, call: &str, last: Release, first: Release, want: Expect) {
    let line = |it: Release| format!("{}: {}\n", it.name(), meaning(params, call, it));
    want.assert_eq(&(line(last) + &line(first)));
}

#[test]
fn split_into_one_section_returns_the_tensor_since_0_20() {
    changed(
        r#"x: R.Tensor((4, 6), "float32")"#,
        "R.split(x, 1)",
        Release::V0_19,
        Release::V0_20,
        expect![[r#"
            0.19: R.Tuple(R.Tensor((4, 6), dtype="float32"))
            0.20: R.Tensor((4, 6), dtype="float32")
        "#]],
    );
}

#[test]
fn bfloat16_is_a_float_since_0_20() {
    changed(
        r#"x: R.Tensor((4, 6), "bfloat16")"#,
        "R.exp(x)",
        Release::V0_19,
        Release::V0_20,
        expect![[r#"
            0.19: `R.exp`: `x` is `bfloat16` but must have a float dtype
            0.20: R.Tensor((4, 6), dtype="bfloat16")
        "#]],
    );
    changed(
        r#"x: R.Tensor((4, 6), "bfloat16")"#,
        "R.nn.softmax(x)",
        Release::V0_19,
        Release::V0_20,
        expect![[r#"
            0.19: `R.nn.softmax`: `data` must have a float dtype, but is `bfloat16`
            0.20: R.Tensor((4, 6), dtype="bfloat16")
        "#]],
    );
}

#[test]
fn the_scattered_axis_is_checked_since_0_20() {
    changed(
        r#"x: R.Tensor((3, 4), "float32")"#,
        "R.ccl.scatter_from_worker0(x, 2, 1)",
        Release::V0_19,
        Release::V0_20,
        expect![[r#"
            0.19: `R.ccl.scatter_from_worker0`: dimension 0 of `x`, `3`, is not divisible among 2 workers
            0.20: R.Tensor((3, 2), dtype="float32")
        "#]],
    );
}

#[test]
fn truth_values_mix_with_numbers_since_0_22() {
    changed(
        r#"x: R.Tensor((3,), "float32"), m: R.Tensor((3,), "bool")"#,
        "R.multiply(x, m)",
        Release::V0_21,
        Release::V0_22,
        expect![[r#"
            0.21: `R.multiply`: `x1` is `float32` but `x2` is `bool`: the operands must have the same dtype
            0.22: R.Tensor((3,), dtype="float32")
        "#]],
    );
}

#[test]
fn a_long_dimension_is_left_by_squeeze_since_0_23() {
    changed(
        r#"x: R.Tensor((3, 1), "float32")"#,
        "R.squeeze(x, axis=[0, 1])",
        Release::V0_22,
        Release::V0_23,
        expect![[r#"
            0.22: `R.squeeze`: dimension 0 of `x` is `3`, and only an extent of 1 can be removed
            0.23: R.Tensor((3,), dtype="float32")
        "#]],
    );
}

#[test]
fn a_window_in_the_padding_is_dropped_since_0_23() {
    changed(
        r#"x: R.Tensor((1, 1, 4, 4), "float32")"#,
        "R.nn.max_pool2d(x, pool_size=(1, 1), strides=(3, 3), padding=(0, 0, 1, 1), ceil_mode=True)",
        Release::V0_22,
        Release::V0_23,
        expect![[r#"
            0.22: R.Tensor((1, 1, 3, 3), dtype="float32")
            0.23: R.Tensor((1, 1, 2, 2), dtype="float32")
        "#]],
    );
}

#[test]
fn a_bool_is_not_an_integer_since_0_23() {
    changed(
        r#"p: R.Tensor((3, 5), "float32"), t: R.Tensor((3,), "bool")"#,
        "R.nn.nll_loss(p, t)",
        Release::V0_22,
        Release::V0_23,
        expect![[r#"
            0.22: R.Tensor((), dtype="float32")
            0.23: `R.nn.nll_loss`: `targets` must be integers, but is `bool`
        "#]],
    );
}

#[test]
fn indices_may_have_several_dimensions_since_0_23() {
    changed(
        r#"x: R.Tensor((4,), "float32"), i: R.Tensor((2, 3), "int64"), v: R.Tensor((2, 3), "float32")"#,
        "R.index_put(x, (i,), v)",
        Release::V0_22,
        Release::V0_23,
        expect![[r#"
            0.22: `R.index_put`: index tensor 0 has rank 2: until TVM 0.22 it must have one dimension
            0.23: R.Tensor((4,), dtype="float32")
        "#]],
    );
}

#[test]
fn quantize_accepts_more_since_0_24() {
    let params = r#"x: R.Tensor((4, 6), "float32"), s: R.Tensor((1,), "float32"), z: R.Tensor((1,), "int8")"#;
    let call = r#"R.quantize(x, s, z, axis=1, out_dtype="int8")"#;
    changed(
        params,
        call,
        Release::V0_23,
        Release::V0_24,
        expect![[r#"
        0.23: `R.quantize`: dimension 0 of `scale` is `1`, dimension 1 of `data` is `6`: they must be equal
        0.24: R.Tensor((4, 6), dtype="int8")
    "#]],
    );
    let params = params.replace("(1,)", "(6,)").replace("int8", "int32");
    changed(
        &params,
        call,
        Release::V0_23,
        Release::V0_24,
        expect![[r#"
        0.23: `R.quantize`: `zero_point` is `int32` but must be `int8` or `float16`
        0.24: R.Tensor((4, 6), dtype="int8")
    "#]],
    );
}

#[test]
fn possible_booleans_can_be_conditions_since_0_26() {
    changed(
        r#"c: R.Tensor((3,)), x: R.Tensor((3,), "float32")"#,
        "R.where(c, x, x)",
        Release::V0_25,
        Release::V0_26,
        expect![[r#"
            0.25: `R.where`: `condition` is of unknown dtype but must be `bool`
            0.26: R.Tensor((3,), dtype="float32")
        "#]],
    );
}

#[test]
fn a_scalar_is_quantized_since_0_27() {
    changed(
        r#"x: R.Tensor((), "float32"), s: R.Tensor((), "float32"), z: R.Tensor((), "int8")"#,
        r#"R.quantize(x, s, z, out_dtype="int8")"#,
        Release::V0_26,
        Release::V0_27,
        expect![[r#"
            0.26: `R.quantize`: axis `-1` is out of range: the tensor has no dimensions
            0.27: R.Tensor((), dtype="int8")
        "#]],
    );
}

#[test]
fn the_places_of_nonzero_are_a_matrix_since_0_19() {
    changed(
        r#"x: R.Tensor((4, 6, 2), "float32")"#,
        "R.nonzero(x)",
        Release::V0_18,
        Release::V0_19,
        expect![[r#"
            0.18: R.Tensor(dtype="int64", ndim=4)
            0.19: R.Tensor(dtype="int64", ndim=2)
        "#]],
    );
}

#[test]
fn a_string_has_a_type_of_its_own_since_0_27() {
    let text = "@R.function\ndef f():\n    return R.str(\"text\")\n";
    let result = |release| {
        let (db, file) = in_release(release, text);
        let facts = lazy_facts(&db, file_items(&db, file).functions[0]);
        facts.functions[0].ret.clone()
    };
    assert_eq!(result(Release::V0_26), StructInfo::Object);
    assert_eq!(result(Release::V0_27), StructInfo::String);
}

#[test]
fn a_size_in_the_body_holds_in_the_signature_until_0_25() {
    let program = r#"
from tvm.script import relax as R, tirx as T

@R.function
def main(x: R.Tensor(["n * 2", "m"], "float32"), s: R.Shape(["n"])) -> R.Tensor(["n * 2", "m"], "float32"):
    m = T.int64()
    n = T.int64(4)
    return x
"#;
    let result = |release| {
        let (db, file) = in_release(release, program);
        let facts = lazy_facts(&db, file_items(&db, file).functions[0]);
        facts.functions[0]
            .ret
            .display(release.dialect())
            .to_string()
    };
    let fixed = r#"R.Tensor((8, m), dtype="float32")"#;
    let symbolic = r#"R.Tensor((n * 2, m), dtype="float32")"#;
    assert_eq!(result(Release::V0_16), symbolic);
    assert_eq!(result(Release::V0_17), fixed);
    assert_eq!(result(Release::V0_25), fixed);
    assert_eq!(result(Release::V0_26), symbolic);
}

#[test]
fn a_size_in_the_body_may_stand_behind_a_docstring_and_attributes() {
    let result = |before: &str| {
        let program = format!(
            "from tvm.script import relax as R, tirx as T\n\n@R.function\ndef main(x: R.Tensor([\"n\"], \"float32\")):\n    {before}\n    n = T.int64(4)\n    return x\n"
        );
        let (db, file) = in_release(Release::V0_25, &program);
        let facts = lazy_facts(&db, file_items(&db, file).functions[0]);
        let ret = &facts.functions[0].ret;
        ret.display(Release::V0_25.dialect()).to_string()
    };
    let fixed = r#"R.Tensor((4,), dtype="float32")"#;
    assert_eq!(result(r#""""Returns `x`.""""#), fixed);
    assert_eq!(result(r#"R.func_attr({"relax.force_pure": True})"#), fixed);
    assert_eq!(result("m = T.int64()"), fixed);
    let symbolic = r#"R.Tensor((n,), dtype="float32")"#;
    assert_eq!(result("y = R.add(x, x)"), symbolic);
}

#[test]
fn an_edited_size_in_the_body_changes_the_signature() {
    let program = |size: &str| {
        format!(
            "from tvm.script import relax as R, tirx as T\n\n@R.function\ndef main(x: R.Tensor([\"n\"], \"float32\")):\n    n = T.int64({size})\n    y = R.add(x, x)\n    return y\n"
        )
    };
    let (mut db, file) = in_release(Release::V0_25, &program("4"));
    let mut results = Vec::new();
    for size in ["4", "", "7"] {
        file.set_source(&mut db).to(Source::new(&*program(size)));
        let facts = lazy_facts(&db, file_items(&db, file).functions[0]);
        results.push(
            facts.functions[0]
                .ret
                .display(Release::V0_25.dialect())
                .to_string(),
        );
    }
    let sizes = ["4", "n", "7"].map(|size| format!("R.Tensor(({size},), dtype=\"float32\")"));
    assert_eq!(results, sizes);
}

#[test]
fn affine_grids_of_volumes_exist_since_0_26() {
    changed(
        r#"x: R.Tensor((1, 3, 4), "float32")"#,
        "R.image.affine_grid(x, (4, 5, 6))",
        Release::V0_25,
        Release::V0_26,
        expect![[r#"
            0.25: `R.image.affine_grid`: `size` must have 2 dimensions, but has 3
            0.26: R.Tensor((1, 3, 4, 5, 6), dtype="float32")
        "#]],
    );
}
