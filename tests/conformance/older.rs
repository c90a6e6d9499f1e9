//! Migrates programs to older releases. They must be accepted, and keep their meaning.

use std::path::Path;

use ide::migrate;
use relax::notation;
use relax::release::{Release, Releases};

use super::ours::{Conclusion, conclude};
use super::tvm::{ask, release};
use super::verdicts::{assert_concluded, programs_of};

/// The releases, each with its imports.
const OLD: &[(Release, &str)] = &[
    (
        Release::Rfc,
        "import tvm\nfrom tvm import relax\nfrom tvm.script import relax as R, tir as T\n",
    ),
    (
        Release::V0_19,
        "from tvm.script import ir as I, relax as R, tir as T\n",
    ),
];

fn programs(release: Release, imports: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance/older");
    let name = format!("{}.py", release.name());
    programs_of(&folder.join(name), imports)
}

/// Migrates a program to another release, completely.
fn migrated(name: &str, text: &str, from: Release, to: Release) -> String {
    let migration = migrate(text, Releases::only(from), to);
    assert_eq!(migration.left, [], "{name} to {}", to.name());
    migration.text
}

/// Returns the StructInfo of each function, without its dialect.
fn infos(of: &Conclusion) -> Vec<String> {
    let functions = of.functions.iter().flat_map(|it| {
        let vars = it.params.iter().chain(&it.bindings);
        let vars = vars.map(|var| format!("{}: {}", var.name, notation::written(&var.info)));
        vars.chain([format!("{} -> {}", it.name, notation::written(&it.ret))])
    });
    functions.collect()
}

#[test]
fn migration_keeps_the_meaning_in_every_release() {
    for &(old, imports) in OLD {
        for (name, text) in programs(old, imports) {
            let before = conclude(&text, Some(old));
            let errors: Vec<&str> = before.errors.iter().map(|it| it.message.as_str()).collect();
            assert_eq!(errors, [""; 0], "{name}");
            for to in Release::ALL.into_iter().filter(|it| *it > old) {
                let text = migrated(&name, &text, old, to);
                let after = conclude(&text, Some(to));
                let errors = after.errors.iter().map(|it| it.message.as_str());
                let errors: Vec<&str> = errors.collect();
                assert_eq!(errors, [""; 0], "{name} in {}: {text}", to.name());
                assert_eq!(infos(&after), infos(&before), "{name} in {}", to.name());
            }
        }
    }
}

#[test]
fn tvm_accepts_programs_migrated_down() {
    let Some(to) = release() else { return };
    for &(old, imports) in OLD.iter().filter(|it| it.0 < to) {
        let programs = programs(old, imports);
        let new = programs
            .iter()
            .map(|(name, text)| (name.clone(), migrated(name, text, old, to)));
        let new: Vec<(String, String)> = new.collect();
        let records = ask(&new).expect("TVM has answered before");
        let before = programs.iter();
        let before = before.map(|(name, text)| (name.as_str(), conclude(text, Some(old))));
        assert_concluded(before, &records);
    }
}
