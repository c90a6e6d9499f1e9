//! Lossless lexer for Relay: the tokens cover all of the text, whatever it is.
//!
//! Also finds unclosed brackets. The parser ends their lists where a statement begins or ends, so that a line that is
//! being typed does not swallow the lines after it.

mod brackets;
mod number;

use text_size::{TextRange, TextSize};

use super::kind::SyntaxKind::{
    self, ARROW, AT, ATTRIBUTE_START, BANG, BARE_VERSION, COLON, COMMA, COMMENT, DOT, END, EQ,
    EQ_EQ, FAT_ARROW, GLOBAL, GRAPH, GREATER, GREATER_EQ, IDENT, L_BRACE, L_BRACKET, L_PAREN, LESS,
    LESS_EQ, LOCAL, MATCH_KW, META_KW, METADATA_START, METADATA_TEXT, MINUS, NOT_EQ,
    PARTIAL_MATCH_KW, PERCENT, PLUS, QUESTION, R_BRACE, R_BRACKET, R_PAREN, SEMICOLON, SLASH, STAR,
    STRING, UNKNOWN, WHITESPACE,
};
use crate::SyntaxError;
use brackets::Brackets;

/// The tokens of a text. The last one is END.
#[derive(Debug, Default)]
pub(super) struct Tokens {
    pub(super) kinds: Vec<SyntaxKind>,
    /// The end offset of each token. A token starts at the end of the token before it.
    pub(super) ends: Vec<u32>,
    pub(super) errors: Vec<SyntaxError>,
    pub(super) brackets: Brackets,
}

/// The text before a token, as far as the token depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Context {
    /// Nothing.
    Start,
    /// The header of the first versions, `v0.0.4`.
    Old,
    Other,
}

/// The tokens of a text.
pub(super) fn lex(text: &str) -> Tokens {
    let mut lexer = Lexer {
        text,
        bytes: text.as_bytes(),
        pos: 0,
        context: Context::Start,
        unescaped_until: 0,
        line_end: 0,
        out: Tokens::default(),
    };
    let expected = text.len() / 3 + 8;
    lexer.out.kinds.reserve_exact(expected);
    lexer.out.ends.reserve_exact(expected);
    lexer.run();
    let mut out = lexer.out;
    out.brackets = Brackets::of(&out.kinds);
    out
}

struct Lexer<'t> {
    text: &'t str,
    bytes: &'t [u8],
    pos: usize,
    context: Context,
    /// Up to this offset, the end of a line, every quote ends a string.
    unescaped_until: usize,
    /// The end of the line that the last string is on.
    line_end: usize,
    out: Tokens,
}

impl Lexer<'_> {
    fn run(&mut self) {
        while self.pos < self.bytes.len() {
            self.token();
        }
        self.push(END);
    }

    fn push(&mut self, kind: SyntaxKind) {
        if self.context == Context::Start && !kind.is_trivia() {
            self.context = if kind == BARE_VERSION {
                Context::Old
            } else {
                Context::Other
            };
        }
        self.out.kinds.push(kind);
        self.out.ends.push(self.pos as u32);
    }

    fn take(&mut self, len: usize, kind: SyntaxKind) {
        self.pos += len;
        self.push(kind);
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.pos + ahead).copied().unwrap_or(0)
    }

    fn rest(&self) -> &[u8] {
        &self.bytes[self.pos..]
    }

    fn skip_while(&mut self, belongs: impl Fn(u8) -> bool) {
        let len = self.rest().iter().take_while(|it| belongs(**it)).count();
        self.pos += len;
    }

    fn error(&mut self, start: usize, message: impl Into<std::borrow::Cow<'static, str>>) {
        let range = TextRange::new(TextSize::new(start as u32), TextSize::new(self.pos as u32));
        self.out.errors.push(SyntaxError::new(range, message));
    }

    fn token(&mut self) {
        match (self.peek(0), self.peek(1)) {
            (b' ' | b'\t' | b'\n' | b'\r', _) => {
                self.skip_while(|it| matches!(it, b' ' | b'\t' | b'\n' | b'\r'));
                self.push(WHITESPACE);
            }
            (b'/', b'/') => {
                self.skip_while(|it| it != b'\n');
                self.push(COMMENT);
            }
            (b'/', b'*') => self.block_comment(),
            (b'"', _) => self.string(),
            (b'#', b'[') => self.attribute(),
            (b'%', b'0'..=b'9') => {
                self.pos += 1;
                self.skip_while(|it| it.is_ascii_digit());
                self.push(GRAPH);
            }
            (b'%', next) if starts_word(next) => self.sigil(LOCAL),
            (b'@', next) if starts_word(next) => self.sigil(GLOBAL),
            (b'0'..=b'9', _) => self.number(),
            (b'-', _) => self.signs(),
            (first, _) if starts_word(first) => self.word(),
            (first, next) => match punctuation(first, next) {
                Some((len, kind)) => self.take(len, kind),
                None => self.unknown(),
            },
        }
    }

    fn sigil(&mut self, kind: SyntaxKind) {
        self.pos += 1;
        self.skip_while(in_word);
        self.push(kind);
    }

    fn word(&mut self) {
        let start = self.pos;
        if self.bare_version() {
            return;
        }
        self.skip_while(in_word);
        let word = &self.text[start..self.pos];
        let kind = match word {
            "inff" => SyntaxKind::FLOAT,
            "meta" if self.peek(0) == b'[' => META_KW,
            "METADATA" if self.peek(0) == b':' => {
                self.pos += 1;
                self.metadata();
                return;
            }
            _ => SyntaxKind::from_keyword(word).unwrap_or(IDENT),
        };
        if kind == MATCH_KW && self.peek(0) == b'?' {
            self.take(1, PARTIAL_MATCH_KW);
        } else {
            self.push(kind);
        }
    }

    /// Lexes `v0.0.4` at the start of the text.
    fn bare_version(&mut self) -> bool {
        if self.context != Context::Start || self.peek(0) != b'v' || !self.peek(1).is_ascii_digit()
        {
            return false;
        }
        let end = self.rest()[1..]
            .iter()
            .take_while(|it| it.is_ascii_digit() || **it == b'.')
            .count();
        let parts = self.rest()[1..=end].split(|it| *it == b'.');
        let is_version = parts.count() == 3;
        if is_version {
            self.take(1 + end, BARE_VERSION);
        }
        is_version
    }

    /// Block comments nest.
    fn block_comment(&mut self) {
        let start = self.pos;
        self.pos += 2;
        let mut depth = 1;
        while depth > 0 {
            match (self.peek(0), self.peek(1)) {
                _ if self.pos >= self.bytes.len() => {
                    self.push(COMMENT);
                    self.out.errors.push(SyntaxError::new(
                        TextRange::at(TextSize::new(start as u32), TextSize::new(2)),
                        "unclosed comment: expected `*/`",
                    ));
                    return;
                }
                (b'*', b'/') => {
                    depth -= 1;
                    self.pos += 2;
                }
                (b'/', b'*') => {
                    depth += 1;
                    self.pos += 2;
                }
                _ => self.pos += 1,
            }
        }
        self.push(COMMENT);
    }

    /// A string ends on its line. TVM prints a quote in a string as `\"`, but reads a backslash as an ordinary character.
    fn string(&mut self) {
        let start = self.pos;
        if start >= self.line_end {
            let len = self.rest().iter().position(|it| *it == b'\n');
            self.line_end = start + len.unwrap_or(self.rest().len());
        }
        let end = self.line_end;
        let line = &self.bytes[start + 1..end];
        let escaped = (self.unescaped_until < end)
            .then(|| unescaped_quote(line))
            .flatten();
        let len = escaped.or_else(|| line.iter().position(|it| *it == b'"'));
        let trimmed = line.trim_ascii_end().len();
        if escaped.is_none() {
            self.unescaped_until = end;
        }
        match len {
            Some(len) => self.take(len + 2, STRING),
            None => {
                self.take(trimmed + 1, STRING);
                self.error(start, "this string has no closing quote");
            }
        }
    }

    /// Lexes `#[metadata]` with the text after it, or only the `#[` of `#[version = "0.0.5"]`.
    fn attribute(&mut self) {
        let inner = self.text[self.pos + 2..].trim_start();
        let after = inner.strip_prefix("metadata").map(str::trim_start);
        match after.and_then(|it| it.strip_prefix(']')) {
            Some(rest) => {
                self.pos = self.text.len() - rest.len();
                self.metadata();
            }
            None => self.take(2, ATTRIBUTE_START),
        }
    }

    fn metadata(&mut self) {
        self.push(METADATA_START);
        self.skip_while(|it| it.is_ascii_whitespace());
        if self.out.ends.last().is_some_and(|it| *it < self.pos as u32) {
            self.push(WHITESPACE);
        }
        if self.pos < self.bytes.len() {
            self.pos = self.bytes.len();
            self.push(METADATA_TEXT);
        }
    }

    fn unknown(&mut self) {
        let is_known = |it: char| {
            let first = it as u32 as u8;
            it.is_ascii() && (starts_word(first) || b" \t\r\n/\"%@".contains(&first))
                || it.is_ascii() && punctuation(first, 0).is_some()
                || it.is_ascii_digit()
        };
        let mut chars = self.text[self.pos..].char_indices().skip(1);
        let end = chars.find(|(_, it)| is_known(*it)).map(|(at, _)| at);
        let end = end.unwrap_or(self.text.len() - self.pos);
        self.take(end, UNKNOWN);
    }
}

/// The first quote without a backslash before it.
fn unescaped_quote(line: &[u8]) -> Option<usize> {
    let mut is_escaped = false;
    line.iter().position(|&it| {
        let found = it == b'"' && !is_escaped;
        is_escaped = it == b'\\' && !is_escaped;
        found
    })
}

fn starts_word(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

/// Names that come from TensorFlow contain slashes.
fn in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'/')
}

fn punctuation(first: u8, next: u8) -> Option<(usize, SyntaxKind)> {
    Some(match (first, next) {
        (b'-', b'>') => (2, ARROW),
        (b'=', b'>') => (2, FAT_ARROW),
        (b'=', b'=') => (2, EQ_EQ),
        (b'!', b'=') => (2, NOT_EQ),
        (b'<', b'=') => (2, LESS_EQ),
        (b'>', b'=') => (2, GREATER_EQ),
        (b'(', _) => (1, L_PAREN),
        (b')', _) => (1, R_PAREN),
        (b'[', _) => (1, L_BRACKET),
        (b']', _) => (1, R_BRACKET),
        (b'{', _) => (1, L_BRACE),
        (b'}', _) => (1, R_BRACE),
        (b',', _) => (1, COMMA),
        (b':', _) => (1, COLON),
        (b';', _) => (1, SEMICOLON),
        (b'.', _) => (1, DOT),
        (b'=', _) => (1, EQ),
        (b'<', _) => (1, LESS),
        (b'>', _) => (1, GREATER),
        (b'+', _) => (1, PLUS),
        (b'-', _) => (1, MINUS),
        (b'*', _) => (1, STAR),
        (b'/', _) => (1, SLASH),
        (b'?', _) => (1, QUESTION),
        (b'!', _) => (1, BANG),
        (b'%', _) => (1, PERCENT),
        (b'@', _) => (1, AT),
        _ => return None,
    })
}
