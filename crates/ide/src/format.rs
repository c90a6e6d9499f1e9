//! Formatting: TVMScript as TVM prints it, with long lines broken. Other Python code is left untouched.
//!
//! A pass over the lossless tree cuts each module and function into logical lines (`lines`). The tokens of a line get
//! their spaces from a table (`spacing`) and their line breaks from their widths (`layout`). Comments and blank lines
//! between lines are written by `gaps`. Each line is compared with the current text, so that the edit is minimal.
//!
//! No token is added or removed. The layout depends only on the tokens and comments, so formatting is idempotent.

mod gaps;
mod layout;
mod lines;
mod regions;
mod spacing;
use hir::{Database, SourceFile};
use text_size::TextRange;

use crate::analysis::{Analysis, Cancellable};
use crate::lines::line_ending;
use crate::relay;
use crate::source_edit::SourceEdit;
use crate::types::FileId;
use lines::Formatter;
use regions::regions;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormatOptions {
    /// Longer lines are broken where possible. `None` never breaks lines, like TVM's printer.
    pub line_length: Option<u32>,
}

/// The width of one step of indentation.
const STEP: u32 = 4;

impl Analysis {
    /// Returns the edit that formats a file, or only the lines that `range` touches.
    pub fn format(
        &self,
        file: FileId,
        range: Option<TextRange>,
        options: FormatOptions,
    ) -> Cancellable<SourceEdit> {
        self.with_file(file, |db, file| match hir::relay_file(db, file) {
            Some(relay) => relay::format::format(relay, &file.source(db).text, range),
            None => format(db, file, range, options),
        })
    }
}

/// Returns the edit that formats a file, or only the lines that `range` touches.
fn format(
    db: &Database,
    file: SourceFile,
    range: Option<TextRange>,
    options: FormatOptions,
) -> SourceEdit {
    let source = file.source(db);
    let mut edit = SourceEdit::default();
    let newline = line_ending(&source.text);
    for region in regions(db, file) {
        if range.is_some_and(|range| region.range().intersect(range).is_none()) {
            continue;
        }
        let mut formatter = Formatter::new(&source.text, newline, options, region.start);
        formatter.region(&region);
        formatter.finish(range, &mut edit);
    }
    edit
}
