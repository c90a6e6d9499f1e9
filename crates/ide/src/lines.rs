//! Lines of a text.

use text_size::{TextRange, TextSize};

/// The line around a place, without its end.
pub fn line_at(text: &str, at: TextSize) -> TextRange {
    let at = usize::from(at);
    let start = text[..at].rfind('\n').map_or(0, |before| before + 1);
    let end = text[at..].find('\n');
    let end = end.map_or(text.len(), |length| at + length);
    TextRange::new(TextSize::new(start as u32), TextSize::new(end as u32))
}
