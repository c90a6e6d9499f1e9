//! Tests that there are no diagnostics in TVM's printed models.

use hir::{Database, Source, SourceFile, file_diagnostics};
use relax::Severity;

use super::models::printed;

#[test]
fn no_printed_file_has_an_error_or_a_warning() {
    let mut wrong = Vec::new();
    for file in printed(|_| true) {
        let db = Database::default();
        let source = SourceFile::new(&db, Source::new(file.text.as_str()));
        for diagnostic in file_diagnostics(&db, source) {
            if diagnostic.severity <= Severity::Warning {
                let line = file.text[..usize::from(diagnostic.range.start())]
                    .lines()
                    .count();
                let (code, message) = (diagnostic.code.name(), diagnostic.message);
                wrong.push(format!("{}:{line}: {code}: {message}", file.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
