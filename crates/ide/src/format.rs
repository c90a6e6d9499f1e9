//! Formatting: TVMScript as TVM prints it, with long lines broken. What is not TVMScript stays byte for byte.
//!
//! A pass over the lossless tree cuts each module and function into logical lines (`lines`); the tokens of a
//! line get their blanks from one table (`spacing`) and their line breaks from their widths (`layout`); between
//! lines stand comments and blank lines (`gaps`). Each line is compared with what is there, so that an edit
//! holds no more than what changes.
//!
//! No token is added or removed; the layout is a function of the tokens and comments alone, which is why
//! formatting twice is formatting once.

mod gaps;
mod layout;
mod lines;
mod regions;
mod spacing;
#[cfg(test)]
mod tests;

use hir::{Database, SourceFile};
use text_size::TextRange;

use crate::analysis::{Analysis, Cancellable};
use crate::relay;
use crate::source_edit::SourceEdit;
use crate::types::FileId;
use lines::Formatter;
use regions::regions;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormatOptions {
    /// Lines longer than this are broken where they can be. `None`: never, as TVM prints.
    pub line_length: Option<u32>,
}

/// The width of one step of indentation.
const STEP: u32 = 4;

impl Analysis {
    /// What formatting changes in a file, or in the lines of it that `range` touches.
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

/// What formatting changes in a file, or in the lines of it that `range` touches.
fn format(
    db: &Database,
    file: SourceFile,
    range: Option<TextRange>,
    options: FormatOptions,
) -> SourceEdit {
    let source = file.source(db);
    let mut edit = SourceEdit::default();
    for region in regions(db, file) {
        if range.is_some_and(|range| region.range().intersect(range).is_none()) {
            continue;
        }
        let mut formatter = Formatter::new(&source.text, options, region.start);
        formatter.region(&region);
        formatter.finish(range, &mut edit);
    }
    edit
}
