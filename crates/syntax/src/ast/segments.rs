//! Maps offsets in a decoded string to offsets in the source text, and back.

use text_size::{TextRange, TextSize};

/// The source positions of a string's characters, as runs that were copied unchanged. Each escape is its own run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Segments {
    runs: Vec<Run>,
    /// The source range of the string's contents.
    range: TextRange,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    /// Offset in the decoded string.
    inner: TextSize,
    /// Offset in the source text.
    outer: TextSize,
    len: TextSize,
}

impl Segments {
    /// Extends the string by the contents of one more literal.
    pub(super) fn cover(&mut self, range: TextRange) {
        let is_first = self.runs.is_empty() && self.range.is_empty();
        self.range = if is_first {
            range
        } else {
            self.range.cover(range)
        };
    }

    /// Appends a character.
    pub(super) fn push(&mut self, inner: TextSize, outer: TextSize, c: char) {
        let len = TextSize::of(c);
        match self.runs.last_mut() {
            Some(last) if last.outer + last.len == outer => last.len += len,
            _ => self.runs.push(Run { inner, outer, len }),
        }
    }

    /// Maps a range of the decoded string to the source text.
    pub fn outer(&self, range: TextRange) -> TextRange {
        TextRange::new(self.to_outer(range.start()), self.to_outer(range.end()))
    }

    /// Maps an offset in the source text to the decoded string; `None` outside of the string.
    pub fn inner(&self, offset: TextSize) -> Option<TextSize> {
        if !self.range.contains_inclusive(offset) {
            return None;
        }
        let behind = self.runs.partition_point(|it| it.outer <= offset);
        let run = behind.checked_sub(1).map(|at| self.runs[at]);
        Some(run.map_or(TextSize::new(0), |it| {
            it.inner + (offset - it.outer).min(it.len)
        }))
    }

    fn to_outer(&self, offset: TextSize) -> TextSize {
        let behind = self.runs.partition_point(|it| it.inner <= offset);
        let run = behind.checked_sub(1).map(|at| self.runs[at]);
        run.map_or(self.range.start(), |it| {
            it.outer + (offset - it.inner).min(it.len)
        })
    }
}

#[cfg(test)]
mod tests {
    use text_size::{TextRange, TextSize};

    use crate::ast::{AstNode, StringLit};

    #[test]
    fn each_character_maps_to_its_position_in_the_source() {
        let text = "x = ('a\\tb\\\n\\u00e9c' r'\\d' \"\"\"\ne\"\"\")\n";
        let root = crate::parse(text).syntax();
        let literal = root.descendants().find_map(StringLit::cast).unwrap();
        let (value, segments) = literal.value_with_places().unwrap();
        assert_eq!(value, "a\tb\u{e9}c\\d\ne");
        for (c, written) in [('a', "a"), ('b', "b"), ('c', "c"), ('d', "d"), ('e', "e")] {
            let at = TextSize::new(value.find(c).unwrap() as u32);
            let outer = segments.outer(TextRange::at(at, TextSize::of(c)));
            assert_eq!(&text[usize::from(outer.start())..][..1], written);
            assert_eq!(segments.inner(outer.start()), Some(at));
        }
        assert_eq!(segments.inner(TextSize::new(0)), None);
    }
}
