//! Diagnostics as an editor shows them, and the page about each code.
//!
//! hir finds what is wrong; `docs/diagnostics` explains each code.

pub mod criteria;
mod page;

use hir::{Database, SourceFile};
use relax::Code;
use text_size::{TextRange, TextSize};

use crate::types::{Diagnostic, RelatedInformation, Severity, Tag};
pub use page::{IMPORTS, Page, page};

pub fn diagnostics(db: &Database, file: SourceFile) -> Vec<Diagnostic> {
    let found = hir::file_diagnostics(db, file);
    let broken = broken_lines(&file.source(db).text, &found);
    let follows = |it: &relax::Diagnostic| {
        let at = broken.partition_point(|line| line.end() < it.range.start());
        let line = broken.get(at);
        it.code != Code::SyntaxError && line.is_some_and(|line| line.intersect(it.range).is_some())
    };
    found
        .into_iter()
        .filter(|diagnostic| !follows(diagnostic))
        .map(|diagnostic| Diagnostic {
            code: diagnostic.code.name(),
            severity: match diagnostic.severity {
                relax::Severity::Error => Severity::Error,
                relax::Severity::Warning => Severity::Warning,
                relax::Severity::Hint => Severity::Hint,
            },
            range: diagnostic.range,
            message: diagnostic.message,
            related: diagnostic
                .related
                .into_iter()
                .map(|(range, message)| RelatedInformation { range, message })
                .collect(),
            tags: tags(diagnostic.code, diagnostic.severity),
        })
        .collect()
}

/// The lines that are no Python, or not yet: what else is wrong there comes of that.
fn broken_lines(text: &str, found: &[relax::Diagnostic]) -> Vec<TextRange> {
    let line = |range: TextRange| {
        let at = usize::from(range.start());
        let start = text[..at].rfind('\n').map_or(0, |before| before + 1);
        let end = text[at..]
            .find('\n')
            .map_or(text.len(), |length| at + length);
        TextRange::new(TextSize::new(start as u32), TextSize::new(end as u32))
    };
    let errors = found.iter().filter(|it| it.code == Code::SyntaxError);
    let places = errors.flat_map(|it| {
        let opened = it.related.iter().map(|(range, _)| *range);
        opened.chain([it.range])
    });
    let mut lines: Vec<TextRange> = places.map(line).collect();
    lines.sort_by_key(|line| line.start());
    lines.dedup();
    lines
}

fn tags(code: Code, severity: relax::Severity) -> Vec<Tag> {
    match code {
        Code::UnusedBinding | Code::UnusedFunction => vec![Tag::Unnecessary],
        Code::OtherDialect if severity == relax::Severity::Hint => vec![Tag::Deprecated],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests;
