//! Texts of programs and names of files for people: characters that steer a terminal, hide text, or are not valid in
//! XML and HTML are replaced by pictures, as `annotate-snippets` and rustc do.

use std::borrow::Cow;

/// Returns a text in which line feeds and tabs are the only control characters, and end lines with a line feed or CR LF.
pub fn lines(text: &str) -> Cow<'_, str> {
    replaced(text, |c, next| {
        matches!(c, '\n' | '\t') || (c == '\r' && next == Some('\n'))
    })
}

/// Returns a text in one line, for a name or a cell of a table.
pub fn line(text: &str) -> Cow<'_, str> {
    replaced(text, |_, _| false)
}

fn replaced(text: &str, keeps: impl Fn(char, Option<char>) -> bool) -> Cow<'_, str> {
    if !text.chars().any(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let mut chars = text.chars().peekable();
    let mut replaced = String::with_capacity(text.len());
    while let Some(c) = chars.next() {
        let is_kept = !is_unsafe(c) || keeps(c, chars.peek().copied());
        replaced.push(if is_kept { c } else { picture(c) });
    }
    Cow::Owned(replaced)
}

/// Returns `true` for control characters, characters that reorder text, other line separators, and noncharacters.
pub fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        || matches!(c, '\u{fdd0}'..='\u{fdef}')
        || u32::from(c) & 0xfffe == 0xfffe
}

fn picture(c: char) -> char {
    match c {
        '\0'..='\x1f' => char::from_u32(0x2400 + u32::from(c)).unwrap_or('�'),
        '\x7f' => '␡',
        _ => '�',
    }
}

#[cfg(test)]
mod tests {
    use super::{is_unsafe, line, lines};

    #[test]
    fn control_characters_become_pictures() {
        assert_eq!(lines("a\x1b[1m\0\x7f\u{9b}\u{202e}\u{ffff}"), "a␛[1m␀␡���");
        assert_eq!(lines("a\r\n\tb\rc"), "a\r\n\tb␍c");
        assert_eq!(line("a\r\n\tb"), "a␍␊␉b");
        assert_eq!(line("שלום, naïve 🙂 日本"), "שלום, naïve 🙂 日本");
    }

    #[test]
    fn no_unsafe_character_remains() {
        let all: String = (0..=u32::from(char::MAX))
            .filter_map(char::from_u32)
            .collect();
        assert!(!line(&all).contains(is_unsafe));
        assert!(!lines(&all).contains(|c| is_unsafe(c) && c != '\n' && c != '\t'));
    }
}
