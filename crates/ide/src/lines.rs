//! Lines of a text.

use text_size::{TextRange, TextSize};

/// Returns the line ending of a text: that of its first line.
pub fn line_ending(text: &str) -> &'static str {
    match text.find('\n') {
        Some(end) if text[..end].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

/// Returns the range of the line at an offset, without its line end.
pub fn line_at(text: &str, at: TextSize) -> TextRange {
    let at = usize::from(at);
    let start = text[..at].rfind('\n').map_or(0, |before| before + 1);
    let end = text[at..].find('\n');
    let end = end.map_or(text.len(), |length| at + length);
    TextRange::new(TextSize::new(start as u32), TextSize::new(end as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_decides_the_line_ending() {
        let endings = ["", "x", "x\n", "x\r\n", "\r\n\n", "\n\r\n", "\r"].map(line_ending);
        assert_eq!(endings, ["\n", "\n", "\n", "\r\n", "\r\n", "\n", "\n"]);
    }
}
