//! Diagnostics as an editor shows them, and the documentation page of each code.
//!
//! hir finds the problems; `docs/diagnostics` explains each code.

mod broken;
pub mod criteria;
mod page;
mod python_names;

use hir::{Database, Language, SourceFile};
use relax::{Code, Severity};
use text_size::TextRange;

use crate::analysis::{Analysis, Cancellable};
use crate::ignores;
use crate::types::{Diagnostic, FileId, RelatedInformation, Tag};
use broken::Broken;
pub use page::{IMPORTS, Page, page};

impl Analysis {
    /// Returns the diagnostics of a file, ordered by position.
    pub fn diagnostics(&self, file: FileId) -> Cancellable<Vec<Diagnostic>> {
        self.with_file(file, diagnostics)
    }
}

pub fn diagnostics(db: &Database, file: SourceFile) -> Vec<Diagnostic> {
    reported(db, file)
        .into_iter()
        .map(|diagnostic| Diagnostic {
            code: diagnostic.code.name(),
            severity: diagnostic.severity,
            range: diagnostic.range,
            message: diagnostic.message,
            related: related(diagnostic.related, diagnostic.repeats),
            tags: tags(diagnostic.code, diagnostic.severity),
        })
        .collect()
}

/// Returns hir's diagnostics without those that a syntax error causes and those that a comment silences.
pub fn reported(db: &Database, file: SourceFile) -> Vec<relax::Diagnostic> {
    let mut found = hir::file_diagnostics(db, file);
    let source = file.source(db);
    if source.language == Language::Relay {
        return ignores::apply(source, found);
    }
    let broken = Broken::new(db, file, &found);
    let explained: Vec<bool> = found.iter().map(|it| broken.explains(it)).collect();
    let mut explained = explained.into_iter();
    found.retain(|_| explained.next() == Some(false));
    for (embedded, segments) in hir::embedded_relay(db, file) {
        let inside = ignores::apply(
            &embedded.source,
            embedded.file.diagnostics(&embedded.source.text),
        );
        let outer = |range| segments.outer(range);
        found.extend(inside.into_iter().map(|it| it.mapped(outer)));
    }
    found.extend(python_names::diagnostics(db, file));
    found.sort_by_key(|it| (it.range.start(), it.range.end(), it.code));
    ignores::apply(source, found)
}

fn related(related: Vec<(TextRange, String)>, repeats: Vec<TextRange>) -> Vec<RelatedInformation> {
    let repeats = repeats.into_iter();
    let repeats = repeats.map(|range| (range, "same problem here".to_owned()));
    let all = related.into_iter().chain(repeats);
    all.map(|(range, message)| RelatedInformation { range, message })
        .collect()
}

fn tags(code: Code, severity: Severity) -> Vec<Tag> {
    match code {
        Code::UnusedBinding | Code::UnusedFunction | Code::UnusedIgnore => vec![Tag::Unnecessary],
        Code::OtherDialect if severity == Severity::Hint => vec![Tag::Deprecated],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests;
