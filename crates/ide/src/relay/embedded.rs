//! Finds Relay's text at a position: a whole file, or a string in a Python file.

use hir::{Database, RelayFile, SourceFile, embedded_relay};
use syntax::ast::Segments;
use text_size::{TextRange, TextSize};

use crate::source_edit::SourceEdit;

/// A Relay text, and the mapping of its ranges to the file.
#[derive(Clone, Copy)]
pub struct RelayText<'db> {
    pub file: &'db RelayFile,
    pub text: &'db str,
    /// The pieces of the string literals; `None` if the text is the whole file.
    segments: Option<&'db Segments>,
}

/// Returns the Relay text around an offset, and the offset in it.
pub fn text_at(
    db: &Database,
    file: SourceFile,
    offset: TextSize,
) -> Option<(RelayText<'_>, TextSize)> {
    if let Some(relay) = hir::relay_file(db, file) {
        let whole = RelayText {
            file: relay,
            text: &file.source(db).text,
            segments: None,
        };
        return Some((whole, offset));
    }
    let texts = embedded(db, file).into_iter();
    let mut found = texts.filter_map(|it| Some((it, it.segments?.inner(offset)?)));
    found.next()
}

/// Returns the Relay texts in the strings of a Python file.
pub fn embedded(db: &Database, file: SourceFile) -> Vec<RelayText<'_>> {
    let all = embedded_relay(db, file).into_iter();
    all.map(|(embedded, segments)| RelayText {
        file: &embedded.file,
        text: &embedded.source.text,
        segments: Some(segments),
    })
    .collect()
}

impl RelayText<'_> {
    /// Maps a range of the text to the file.
    pub fn outer(&self, range: TextRange) -> TextRange {
        self.segments.map_or(range, |it| it.outer(range))
    }

    pub fn outer_edit(&self, edit: &SourceEdit) -> SourceEdit {
        let all = edit.replacements().iter();
        all.fold(SourceEdit::default(), |edit, it| {
            edit.and_replace(self.outer(it.range), it.text.clone())
        })
    }

    pub fn range(&self) -> TextRange {
        self.outer(TextRange::up_to(TextSize::of(self.text)))
    }
}
