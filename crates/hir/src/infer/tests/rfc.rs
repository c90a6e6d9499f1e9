//! Tests of programs of the RFC of 2022, whose rules differ from those of later dialects.

use expect_test::expect;

use super::*;

/// Returns the diagnostics of a program, without hints.
fn reports(text: &str) -> Vec<String> {
    let db = Database::default();
    let file = SourceFile::new(&db, Source::new(text));
    let all = file_diagnostics(&db, file).into_iter();
    let all = all.filter(|it| it.severity < Severity::Hint);
    all.map(|it| it.message).collect()
}

#[test]
fn the_programs_of_the_rfc_have_no_mistakes() {
    for program in [
        include_str!("../../../test_data/rfc/first_page.py"),
        include_str!("../../../test_data/rfc/packed.py"),
        include_str!("../../../test_data/rfc/shapes.py"),
        include_str!("../../../test_data/rfc/blocks.py"),
        include_str!("../../../test_data/rfc/struct_info_beside.py"),
    ] {
        assert_eq!(reports(program), [""; 0], "{program}");
    }
}

#[test]
fn the_programs_of_the_rfc_have_its_documented_types() {
    for (program, expect) in [
        (
            include_str!("../../../test_data/rfc/first_page.py"),
            expect![[r#"
            relax_func(x: R.Tensor[(n, k), "float32"], w: R.Tensor[_, "float32"]) -> R.Tensor[_, "float32"]
              lv0: R.Tensor[(k, m), "float32"]
              lv1: R.Tensor[(n, m), "float32"]
              lv2: R.Tensor[(n * m,), "float32"]
              lv3: R.Shape[(n * m,)]
              gv0: R.Tensor[(n * m,), "float32"]
              _: R.Object
        "#]],
        ),
        (
            include_str!("../../../test_data/rfc/packed.py"),
            expect![[r#"
            relax_func(x: R.Tensor[(m, n), "float32"], y: R.Tensor[(n, k), "float32"]) -> R.Tensor[(m, k * 2), "float32"]
              gv0: R.Tensor[(m, k), "float32"]
              _: R.Object
              gv1: R.Object
              gv2: R.Tensor[(m, k * 2), "float32"]
        "#]],
        ),
        (
            include_str!("../../../test_data/rfc/shapes.py"),
            expect![[r#"
            shape_example(x: R.Tensor[(n, 2, 2), "float32"]) -> R.Tensor[_, "float32"]
              lv0: R.Tensor[(n, 4), "float32"]
              lv1: R.Tensor[(n * 4,), "float32"]
              lv2: R.Shape[(n * 4,)]
              lv3: R.Shape
              lv4: R.Tensor[lv3, "float32"]
              lv5: R.Tensor[_, "float32"]
              lv6: R.Tensor[(m,), "float32"]
              lv7: R.Shape[(m,)]
              gv0: R.Tensor[(m,), "float32"]
        "#]],
        ),
        (
            include_str!("../../../test_data/rfc/blocks.py"),
            expect![[r#"
            relax_func(x: R.Tensor[(n, k), "float32"], w: R.Tensor[(k, m), "float32"]) -> R.Object
              lv0: R.Tensor[(n, m), "float32"]
              gv0: R.Tensor[(n * m,), "float32"]
              gv1: R.Object
        "#]],
        ),
        (
            include_str!("../../../test_data/rfc/struct_info_beside.py"),
            expect![[r#"
            main(x: R.Tensor[(1, 784), "float32"], w: R.Tensor[(128, 784), "float32"], b: R.Tensor[(128,), "float32"]) -> R.Tensor[(1, 128), _]
              lv0: R.Tensor[(1, 128), "float32"]
              gv: R.Tensor[(1, 128), _]
        "#]],
        ),
    ] {
        check(program, expect);
    }
}
