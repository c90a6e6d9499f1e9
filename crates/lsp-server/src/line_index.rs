//! Converts offsets of a text to lines and columns: those of the protocol, and those for people.

mod blocks;

use std::sync::Arc;

use ide::{LineNumbers, Text};
use line_index::{LineCol, LineIndex, WideEncoding, WideLineCol};
use lsp_types::{Position, PositionEncodingKind, Range};
use text_size::{TextRange, TextSize};

use blocks::BlockIndex;
pub use blocks::with_line_feeds;

/// The unit of a position's `character`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    Utf8,
    #[default]
    Utf16,
    Utf32,
}

impl Encoding {
    /// Returns the first of the client's encodings that we support, or UTF-16, the protocol's default.
    pub fn negotiate(offered: Option<&[PositionEncodingKind]>) -> Encoding {
        offered
            .unwrap_or_default()
            .iter()
            .find_map(|kind| match kind.as_str() {
                "utf-8" => Some(Encoding::Utf8),
                "utf-16" => Some(Encoding::Utf16),
                "utf-32" => Some(Encoding::Utf32),
                _ => None,
            })
            .unwrap_or_default()
    }

    pub fn kind(self) -> PositionEncodingKind {
        match self {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
            Encoding::Utf32 => PositionEncodingKind::UTF32,
        }
    }
}

/// The lines of one version of a text, for conversions in both directions.
#[derive(Clone)]
pub struct Lines {
    text: Text,
    index: Arc<BlockIndex>,
    encoding: Encoding,
}

impl Lines {
    pub fn new(text: Text, encoding: Encoding) -> Lines {
        Lines {
            index: Arc::new(BlockIndex::new(&text)),
            text,
            encoding,
        }
    }

    pub fn text(&self) -> &Text {
        &self.text
    }

    /// Applies changes in order; `None` replaces the whole text.
    pub fn apply(&mut self, changes: Vec<(Option<Range>, String)>) {
        for (range, new) in changes {
            match range {
                Some(range) => {
                    self.replace(range, &new, |text, range, new| {
                        text.edit(range, new);
                        true
                    });
                }
                None => *self = Lines::new(new.into(), self.encoding),
            }
        }
    }

    /// Replaces a range with `new`. `edit` changes the text, or returns `false` without changing it.
    pub fn replace(
        &mut self,
        range: Range,
        new: &str,
        edit: impl FnOnce(&mut Text, TextRange, &str) -> bool,
    ) -> bool {
        let range = self.range(range);
        let is_done = edit(&mut self.text, range, new);
        if is_done {
            let index = Arc::make_mut(&mut self.index);
            index.edit(&self.text, range, TextSize::of(new));
        }
        is_done
    }

    /// Returns the offset of a position. A position outside the text or inside a character is moved to the nearest
    /// valid position before it, as the protocol requires for columns.
    pub fn offset(&self, position: Position) -> TextSize {
        offset(&self.index, &self.text, self.encoding, position)
    }

    pub fn range(&self, range: Range) -> TextRange {
        let start = self.offset(range.start);
        TextRange::new(start, self.offset(range.end).max(start))
    }

    pub fn position(&self, offset: TextSize) -> Position {
        let offset = floor(&self.text, offset.into());
        let at = self.index.line_col(offset);
        match wide(self.encoding).and_then(|encoding| self.index.to_wide(encoding, at)) {
            Some(at) => Position::new(at.line, at.col),
            None => Position::new(at.line, at.col),
        }
    }

    /// Returns the range of a line without the white space around it.
    pub fn line_range(&self, line: u32) -> Range {
        let start = self.offset(Position::new(line, 0));
        let text = &self.text[usize::from(start)..];
        let text = text.lines().next().unwrap_or_default();
        let indent = text.len() - text.trim_start().len();
        let (from, to) = (indent as u32, text.trim_end().len() as u32);
        self.to_range(TextRange::new(
            start + TextSize::new(from.min(to)),
            start + TextSize::new(to),
        ))
    }

    pub fn to_range(&self, range: TextRange) -> Range {
        Range::new(self.position(range.start()), self.position(range.end()))
    }
}

impl LineNumbers for Lines {
    fn line(&self, offset: TextSize) -> u32 {
        self.index.line_col(offset).line
    }
}

fn wide(encoding: Encoding) -> Option<WideEncoding> {
    match encoding {
        Encoding::Utf8 => None,
        Encoding::Utf16 => Some(WideEncoding::Utf16),
        Encoding::Utf32 => Some(WideEncoding::Utf32),
    }
}

fn offset(index: &BlockIndex, text: &str, encoding: Encoding, position: Position) -> TextSize {
    let Some(line) = index.line(position.line) else {
        return index.len();
    };
    let col = match wide(encoding) {
        None => Some(position.character),
        Some(encoding) => {
            let at = WideLineCol {
                line: position.line,
                col: position.character,
            };
            index.to_utf8(encoding, at).map(|at| at.col)
        }
    };
    // Clip a column to the end of the line, before the line break.
    let content = text[line].trim_end_matches(['\n', '\r']).len();
    let col = col.map_or(content, |col| content.min(col as usize));
    floor(text, usize::from(line.start()) + col)
}

/// Returns the nearest character boundary at or before an offset.
fn floor(text: &str, offset: usize) -> TextSize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    TextSize::new(offset as u32)
}

/// Lines and columns for people: starting at 1, in characters.
pub struct LineColumns {
    index: LineIndex,
}

impl LineColumns {
    pub fn new(text: &str) -> LineColumns {
        LineColumns {
            index: blocks::index(text),
        }
    }

    pub fn line_col(&self, offset: TextSize) -> (u32, u32) {
        let at = self
            .index
            .try_line_col(offset)
            .unwrap_or(LineCol { line: 0, col: 0 });
        let col = self
            .index
            .to_wide(WideEncoding::Utf32, at)
            .map_or(at.col, |at| at.col);
        (at.line + 1, col + 1)
    }

    pub fn line_start(&self, line: u32) -> Option<TextSize> {
        self.index.line(line.checked_sub(1)?).map(TextRange::start)
    }
}

#[cfg(test)]
mod tests;
