//! Tests that formatting does not change TVM's printed models, except line breaks if a line length is given, and keeps
//! the facts.

use ide::{AnalysisHost, Change, FileId, FormatOptions, Text};

use super::models::{Printed, printed};
use super::tvm;

fn format(text: &str, line_length: Option<u32>) -> String {
    let file = FileId(0);
    let mut host = AnalysisHost::default();
    let text: Text = text.into();
    host.apply_change(Change::new(file, text.clone()));
    let options = FormatOptions { line_length };
    let edit = host.analysis().format(file, None, options).unwrap();
    edit.apply(&text)
}

/// Removes spaces and line ends.
fn dense(text: &str) -> String {
    text.split_whitespace().collect()
}

/// Returns the facts of each binding and the diagnostics, without positions.
fn facts(text: &str) -> Vec<String> {
    let db = hir::Database::default();
    let file = hir::SourceFile::new(&db, hir::Source::new(text));
    let mut known = Vec::new();
    for &function in &hir::file_items(&db, file).functions {
        let facts = hir::lazy_facts(&db, function);
        for var in facts.vars() {
            known.push(format!("{}: {}", var.name, var.struct_info.brief()));
        }
        for diagnostic in &facts.diagnostics {
            known.push(diagnostic.message.clone());
        }
    }
    known
}

#[test]
fn without_a_line_length_what_tvm_printed_is_left_as_it_is() {
    for Printed { name, text } in printed(|_| true) {
        assert!(format(&text, None) == text, "{name} changes");
    }
}

#[test]
fn a_line_length_changes_only_line_breaks() {
    for Printed { name, text } in printed(|_| true) {
        let once = format(&text, Some(100));
        assert!(
            dense(&once) == dense(&text),
            "{name} changes in more than line breaks"
        );
        assert!(format(&once, Some(100)) == once, "{name} changes again");
        assert!(
            format(&once, None) == text,
            "{name} is not as printed when joined"
        );
    }
}

#[test]
fn the_facts_of_formatted_text_are_the_same() {
    for Printed { name, text } in printed(|name| name.contains("-nn.") || name.contains("mlp")) {
        assert_eq!(facts(&format(&text, Some(60))), facts(&text), "{name}");
    }
}

/// TVM 0.27 refuses its own text of the Llama, where two PrimFuncs declare a variable twice.
#[test]
fn tvm_parses_formatted_text_to_the_same_module() {
    let Some(python) = tvm::python() else { return };
    let directory = tempfile::tempdir().unwrap();
    let mut paths = Vec::new();
    for Printed { name, text } in printed(|name| {
        name.contains("tvm-0.27") && !name.starts_with("lm32") && !name.starts_with("llama")
    }) {
        let formatted = format(&text, Some(60));
        for (kind, text) in [("before", text), ("after", formatted)] {
            let path = directory.path().join(format!("{kind}-{name}"));
            std::fs::write(&path, text).unwrap();
            paths.push(path);
        }
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/conformance/same_module.py");
    let output = std::process::Command::new(python)
        .arg(script)
        .args(paths)
        .output()
        .expect("the Python that has TVM starts");
    assert!(output.status.success(), "{output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
}
