//! Strings without embedded expressions, and the prefixes and opening quotes of f-strings and t-strings.

use text_size::{TextRange, TextSize};

use super::Lexer;
use super::brackets::{Frame, FrameKind};
use crate::kind::SyntaxKind::{FSTRING_END, FSTRING_START, STRING};

/// The triple quotes that do not occur in the rest of the text. The search for a closing quote is not repeated, so many
/// unclosed strings cost linear time.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct UnclosedTriple {
    single: bool,
    double: bool,
}

impl UnclosedTriple {
    pub(super) fn has(self, quote: u8) -> bool {
        if quote == b'"' {
            self.double
        } else {
            self.single
        }
    }

    pub(super) fn add(&mut self, quote: u8) {
        if quote == b'"' {
            self.double = true;
        } else {
            self.single = true;
        }
    }
}

impl Lexer<'_> {
    pub(super) fn is_string_prefix(&self, start: usize) -> bool {
        let mut letters = [0; 2];
        let prefix = &self.bytes[start..self.pos];
        letters[..prefix.len()].copy_from_slice(prefix);
        letters.make_ascii_lowercase();
        matches!(
            &letters[..prefix.len()],
            b"r" | b"u" | b"b" | b"br" | b"rb" | b"f" | b"fr" | b"rf" | b"t" | b"tr" | b"rt"
        )
    }

    /// Lexes a string. Its prefix begins at `start`, its opening quote is next.
    pub(super) fn string(&mut self, start: usize) {
        let quote = self.bytes[self.pos];
        if self.end_outer_string(start, quote) {
            return;
        }
        let triple = self.peek(1) == quote && self.peek(2) == quote;
        let mut raw = false;
        let mut formatted = false;
        for letter in &self.bytes[start..self.pos] {
            raw |= matches!(letter, b'r' | b'R');
            formatted |= matches!(letter, b'f' | b'F' | b't' | b'T');
        }
        if formatted {
            self.enter_group(start);
            self.pos += if triple { 3 } else { 1 };
            self.push(FSTRING_START);
            // A string without a closing quote ends with its line.
            let multiline = triple && !self.unclosed_triple.has(quote);
            self.frames.push(Frame::text(quote, triple, multiline, raw));
            return;
        }
        if triple {
            self.triple_quoted(start, quote);
        } else {
            self.single_quoted(start, quote);
        }
        self.push(STRING);
    }

    /// If this quote in an embedded expression is the last of its line, ends the string around it with an error and
    /// returns true.
    fn end_outer_string(&mut self, start: usize, quote: u8) -> bool {
        let Some(&frame) = self.frames.last() else {
            return false;
        };
        let around = frame.kind == FrameKind::Field && frame.quote == quote && !frame.triple;
        if !around || start < self.pos {
            return false;
        }
        let rest = &self.bytes[self.pos + 1..];
        if rest
            .iter()
            .take_while(|it| !matches!(it, b'\n' | b'\r'))
            .any(|&it| it == quote)
        {
            return false;
        }
        self.error(
            self.pos,
            self.pos,
            "expected `}` before the end of the string",
        );
        self.leave_string();
        self.pos += 1;
        self.push(FSTRING_END);
        true
    }

    fn single_quoted(&mut self, start: usize, quote: u8) {
        self.pos += 1;
        while self.pos < self.bytes.len() {
            match self.bytes[self.pos] {
                b'\\' => self.skip_escaped(),
                b'\n' | b'\r' => break,
                byte => {
                    self.pos += 1;
                    if byte == quote {
                        return;
                    }
                }
            }
        }
        self.error(start, self.pos, "this string has no closing quote");
    }

    fn triple_quoted(&mut self, start: usize, quote: u8) {
        self.pos += 3;
        let contents = self.pos;
        if !self.unclosed_triple.has(quote) {
            while self.pos < self.bytes.len() {
                match self.bytes[self.pos] {
                    b'\\' => self.skip_escaped(),
                    byte if byte == quote && self.peek(1) == quote && self.peek(2) == quote => {
                        self.pos += 3;
                        return;
                    }
                    _ => self.pos += 1,
                }
            }
            self.unclosed_triple.add(quote);
        }
        // The string ends with its line, so that the rest of the file can be parsed.
        self.pos = contents;
        while self.pos < self.bytes.len() && !matches!(self.bytes[self.pos], b'\n' | b'\r') {
            self.pos += 1;
        }
        self.error(start, self.pos, "this string has no closing quotes");
        self.mark_fragile(start, self.bytes.len());
    }

    /// Skips a backslash and the character after it; CR LF counts as one.
    pub(super) fn skip_escaped(&mut self) {
        self.pos += 1;
        match self.text[self.pos..].chars().next() {
            Some('\r') => self.skip_newline(),
            Some(next) => self.pos += next.len_utf8(),
            None => {}
        }
    }

    /// Marks a range as fragile; see `Tokens::fragile`.
    pub(super) fn mark_fragile(&mut self, start: usize, end: usize) {
        let mut range = TextRange::new(TextSize::new(start as u32), TextSize::new(end as u32));
        while let Some(last) = self
            .out
            .fragile
            .last()
            .filter(|it| it.end() >= range.start())
        {
            range = range.cover(*last);
            self.out.fragile.pop();
        }
        self.out.fragile.push(range);
    }
}
