//! The starts of the lines of a text, in blocks: an edit reads the blocks that it touches, and shifts those after it.

use std::borrow::Cow;
use std::sync::Arc;

use line_index::{LineCol, LineIndex, WideEncoding, WideLineCol};
use text_size::{TextRange, TextSize};

/// The minimum size of a block in bytes. Blocks are less than twice as large, plus the rest of the last line.
const LEAST: usize = 1 << 16;

#[derive(Clone, Debug)]
pub struct BlockIndex {
    blocks: Vec<Block>,
    len: TextSize,
}

/// A block of whole lines.
#[derive(Clone, Debug)]
struct Block {
    start: TextSize,
    /// The number of its first line.
    line: u32,
    index: Arc<LineIndex>,
}

impl Block {
    /// Returns the number of the first line after it.
    fn end_line(&self) -> u32 {
        self.line + self.index.line_col(self.index.len()).line
    }
}

impl BlockIndex {
    pub fn new(text: &str) -> BlockIndex {
        BlockIndex {
            blocks: blocks(text, TextSize::new(0), 0),
            len: TextSize::of(text),
        }
    }

    pub fn len(&self) -> TextSize {
        self.len
    }

    /// Updates the index to `text`, in which `inserted` bytes replaced the range `replaced`.
    pub fn edit(&mut self, text: &str, replaced: TextRange, inserted: TextSize) {
        let first = self.block_at(replaced.start());
        let behind = self.block_at(replaced.end()) + 1;
        let moved = |offset: TextSize| offset + inserted - replaced.len();
        let Block { start, line, .. } = self.blocks[first];
        let end = self.blocks.get(behind).map_or(self.len, |it| it.start);
        let new = blocks(&text[TextRange::new(start, moved(end))], start, line);
        let end_line = new.last().map_or(line, Block::end_line);
        let old_end_line = self.blocks[behind - 1].end_line();
        for block in &mut self.blocks[behind..] {
            block.start = moved(block.start);
            block.line = block.line + end_line - old_end_line;
        }
        self.blocks.splice(first..behind, new);
        self.len = moved(self.len);
    }

    /// Returns the last block that begins at or before an offset.
    fn block_at(&self, offset: TextSize) -> usize {
        let after = self.blocks.partition_point(|it| it.start <= offset);
        after.saturating_sub(1)
    }

    fn block_of_line(&self, line: u32) -> &Block {
        let after = self.blocks.partition_point(|it| it.line <= line);
        &self.blocks[after.saturating_sub(1)]
    }

    /// Returns the range of a line, including its line break.
    pub fn line(&self, line: u32) -> Option<TextRange> {
        let block = self.block_of_line(line);
        let range = block.index.line(line - block.line)?;
        Some(range + block.start)
    }

    /// Returns the line and the column, in bytes, of an offset.
    pub fn line_col(&self, offset: TextSize) -> LineCol {
        let block = &self.blocks[self.block_at(offset)];
        let at = block.index.line_col(offset - block.start);
        LineCol {
            line: at.line + block.line,
            ..at
        }
    }

    pub fn to_wide(&self, encoding: WideEncoding, at: LineCol) -> Option<WideLineCol> {
        let block = self.block_of_line(at.line);
        let line = at.line - block.line;
        let wide = block.index.to_wide(encoding, LineCol { line, ..at })?;
        Some(WideLineCol {
            line: at.line,
            ..wide
        })
    }

    pub fn to_utf8(&self, encoding: WideEncoding, at: WideLineCol) -> Option<LineCol> {
        let block = self.block_of_line(at.line);
        let line = at.line - block.line;
        let narrow = block.index.to_utf8(encoding, WideLineCol { line, ..at })?;
        Some(LineCol {
            line: at.line,
            ..narrow
        })
    }
}

/// Replaces each carriage return that is a line break by itself with a line feed. Python and the protocol treat both
/// as line breaks, but `line_index` and `annotate_snippets` only know line feeds.
pub fn with_line_feeds(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let mut feeds = None;
    for (at, _) in text.match_indices('\r') {
        if bytes.get(at + 1) != Some(&b'\n') {
            feeds
                .get_or_insert_with(|| text.to_owned())
                .replace_range(at..=at, "\n");
        }
    }
    feeds.map_or(Cow::Borrowed(text), Cow::Owned)
}

pub fn index(text: &str) -> LineIndex {
    LineIndex::new(&with_line_feeds(text))
}

/// Returns the blocks of whole lines from `start` on, whose first line is `line`. There is at least one.
fn blocks(text: &str, start: TextSize, line: u32) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut from = 0;
    loop {
        let rest = &text.as_bytes()[from..];
        let cut = rest.get(LEAST..).filter(|_| rest.len() >= 2 * LEAST);
        let end = cut.and_then(|far| far.iter().position(|&byte| byte == b'\n'));
        let end = end.map_or(text.len(), |at| from + LEAST + at + 1);
        blocks.push(Block {
            start: start + TextSize::new(from as u32),
            line: blocks.last().map_or(line, Block::end_line),
            index: Arc::new(index(&text[from..end])),
        });
        from = end;
        if from == text.len() {
            return blocks;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_same(blocks: &BlockIndex, text: &str) {
        let whole = index(text);
        assert_eq!(blocks.len(), whole.len());
        let step = text.len() / 97 + 1;
        let ends = text.match_indices('\n').map(|(at, _)| at).step_by(501);
        let offsets = (0..text.len()).step_by(step).chain(ends);
        for offset in offsets.chain([text.len()]) {
            for offset in offset..(offset + 2).min(text.len() + 1) {
                if !text.is_char_boundary(offset) {
                    continue;
                }
                let at = whole.line_col(TextSize::new(offset as u32));
                assert_eq!(blocks.line_col(TextSize::new(offset as u32)), at);
                assert_eq!(blocks.line(at.line), whole.line(at.line));
                let wide = whole.to_wide(WideEncoding::Utf16, at).unwrap();
                assert_eq!(blocks.to_wide(WideEncoding::Utf16, at), Some(wide));
                assert_eq!(blocks.to_utf8(WideEncoding::Utf16, wide), Some(at));
            }
        }
        let past = whole.line_col(whole.len()).line + 1;
        assert_eq!(blocks.line(past), None);
    }

    #[test]
    fn edits_leave_the_lines_of_the_text() {
        let mut text = "a line\né𝛼 and\r wide\r\n\n".repeat(20_000);
        let mut blocks = BlockIndex::new(&text);
        assert!(blocks.blocks.len() > 4);
        assert_same(&blocks, &text);
        let border = blocks.blocks[2].start.into();
        let next = blocks.blocks[3].start.into();
        let long = "z\n".repeat(LEAST);
        let edits = [
            (border, border, "x\n"),
            (border - 1, border, ""),
            (border - 1, border + 7, "\n\n"),
            (border, next, ""),
            (0, 0, long.as_str()),
            (7, 7 + 3 * LEAST, "é"),
            (100, 100, "end"),
            (200, 201, "\r"),
            (201, 201, "\n"),
        ];
        for (start, end, new) in edits {
            let floor = |at: usize| (0..=at).rev().find(|&at| text.is_char_boundary(at));
            let (start, end) = (floor(start).unwrap(), floor(end).unwrap());
            text.replace_range(start..end, new);
            let replaced = TextRange::new(TextSize::new(start as u32), TextSize::new(end as u32));
            blocks.edit(&text, replaced, TextSize::of(new));
            assert_same(&blocks, &text);
        }
        let all = TextRange::up_to(TextSize::of(text.as_str()));
        blocks.edit("", all, TextSize::new(0));
        assert_same(&blocks, "");
        blocks.edit("a\nb", TextRange::default(), TextSize::new(3));
        assert_same(&blocks, "a\nb");
    }

    #[test]
    fn typing_at_one_place_does_not_make_ever_more_blocks() {
        let mut text = "a line of some length\n".repeat(10_000);
        let mut blocks = BlockIndex::new(&text);
        let before = blocks.blocks.len();
        for _ in 0..200 {
            text.insert_str(11, "x\ny");
            blocks.edit(&text, TextRange::empty(11.into()), TextSize::new(3));
        }
        assert_eq!(blocks.blocks.len(), before);
    }
}
