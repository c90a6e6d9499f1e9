//! Tests of meanings that are not written: a type of strings, and a signature after an edit.

use relax::sinfo::StructInfo;
use salsa::Setter as _;

use super::*;

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
