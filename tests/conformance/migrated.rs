//! Migrates models that TVM 0.19 printed. They must have no errors for TVM 0.27, and the same StructInfo as before.

use ide::{Analysis, Config, Severity, migrate};
use relax::release::{Release, Releases};

use super::models::{Printed, printed};

const OLD: Releases = Releases::only(Release::V0_19);

/// Returns the StructInfo of each binding, and the errors.
fn facts(text: &str, target: Release) -> Vec<String> {
    let config = Config {
        target: Some(target),
    };
    let (analysis, file) = Analysis::from_single_file(text, config);
    let (db, source) = analysis.hir(file).expect("the file was just added");
    let functions = &hir::file_items(db, source).functions;
    let vars = functions
        .iter()
        .flat_map(|&it| hir::lazy_facts(db, it).vars());
    let infos = vars.map(|var| format!("{}: {}", var.name, var.struct_info.brief()));
    let mut facts: Vec<String> = infos.collect();
    let found = analysis
        .diagnostics(file)
        .expect("nothing changes the file");
    let errors = found.iter().filter(|it| it.severity == Severity::Error);
    facts.extend(errors.map(|it| it.message.clone()));
    facts
}

#[test]
fn a_migrated_model_means_the_same() {
    let models = printed(|name| name.contains("tvm-0.19"));
    assert!(!models.is_empty(), "there are models of 0.19");
    for Printed { name, text } in models {
        let migration = migrate(&text, OLD, Release::V0_27);
        assert!(migration.text != text, "{name} stays as it is");
        assert_eq!(migration.left, [], "{name}");
        let (before, after) = (
            facts(&text, Release::V0_19),
            facts(&migration.text, Release::V0_27),
        );
        assert!(before == after, "{name} means something else");
    }
}

#[test]
fn a_model_migrated_forth_and_back_is_equal_up_to_redundant_dtypes() {
    for Printed { name, text } in printed(|name| name.contains("tvm-0.19")) {
        let new = migrate(&text, OLD, Release::V0_27).text;
        let back = migrate(&new, Releases::only(Release::V0_27), Release::V0_19);
        let before = text.replace("dtype=\"void\"", "dtype=None");
        assert!(back.text == before, "{name} is not as it was");
    }
}
