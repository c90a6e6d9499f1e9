//! Lines of a text.

use text_size::{TextRange, TextSize};

/// Returns the range of the line at an offset, without its line end.
pub fn line_at(text: &str, at: TextSize) -> TextRange {
    let at = usize::from(at);
    let start = text[..at].rfind('\n').map_or(0, |before| before + 1);
    let end = text[at..].find('\n');
    let end = end.map_or(text.len(), |length| at + length);
    TextRange::new(TextSize::new(start as u32), TextSize::new(end as u32))
}
