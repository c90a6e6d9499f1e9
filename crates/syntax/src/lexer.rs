//! Lossless lexer: the tokens cover all of the text, whatever it is.
//!
//! Knows Python's lexical grammar: lines, indentation, brackets that join lines, strings and numbers. Must not know the
//! grammar above it, with one exception: whether a line end ends a statement depends on the brackets around it, so the
//! lexer decides where unclosed brackets end (see `brackets`).

mod brackets;
mod fstring;
mod indent;
mod number;
mod stray;
mod string;

use text_size::{TextRange, TextSize};

use crate::SyntaxError;
use crate::kind::SyntaxKind::{
    self, AMP, AMP_EQ, AND_KW, ARROW, AS_KW, ASSERT_KW, ASYNC_KW, AT, AT_EQ, AWAIT_KW, BANG,
    BREAK_KW, BYTE_ORDER_MARK, CARET, CARET_EQ, CLASS_KW, COLON, COLON_EQ, COMMA, COMMENT,
    CONTINUE_KW, DEDENT, DEF_KW, DEL_KW, DOT, DOUBLE_SLASH, DOUBLE_SLASH_EQ, DOUBLE_STAR,
    DOUBLE_STAR_EQ, ELIF_KW, ELLIPSIS, ELSE_KW, END, EQ, EQ_EQ, EXCEPT_KW, FALSE_KW, FINALLY_KW,
    FOR_KW, FROM_KW, GLOBAL_KW, GREATER, GREATER_EQ, IDENT, IF_KW, IMPORT_KW, IN_KW, IS_KW,
    LAMBDA_KW, LESS, LESS_EQ, LINE_CONTINUATION, MINUS, MINUS_EQ, NEWLINE, NONE_KW, NONLOCAL_KW,
    NOT_EQ, NOT_KW, OR_KW, PASS_KW, PERCENT, PERCENT_EQ, PIPE, PIPE_EQ, PLUS, PLUS_EQ, RAISE_KW,
    RETURN_KW, SEMICOLON, SHIFT_LEFT, SHIFT_LEFT_EQ, SHIFT_RIGHT, SHIFT_RIGHT_EQ, SLASH, SLASH_EQ,
    SOFT_NEWLINE, STAR, STAR_EQ, TILDE, TRUE_KW, TRY_KW, UNKNOWN, WHILE_KW, WHITESPACE, WITH_KW,
    YIELD_KW,
};
use brackets::{Frame, Group};
pub(crate) use indent::{Column, Indents};
pub(crate) use stray::Stray;

/// The tokens of a text. Tokens without text mark its indentation.
#[derive(Debug, Default)]
pub(crate) struct Tokens {
    pub(crate) kinds: Vec<SyntaxKind>,
    /// The end offset of each token. A token starts at the end of the token before it.
    pub(crate) ends: Vec<u32>,
    pub(crate) errors: Vec<SyntaxError>,
    /// Ranges that can only be lexed and parsed as a whole, because their first tokens depend on later ones: around broken
    /// brackets, unclosed strings and wrong indentation. Sorted.
    pub(crate) fragile: Vec<TextRange>,
    /// Whether the lexer stopped at its limit.
    pub(crate) is_cut: bool,
}

pub(crate) struct Lexer<'t> {
    text: &'t str,
    bytes: &'t [u8],
    pos: usize,
    /// The lexer stops after this offset.
    limit: usize,
    out: Tokens,
    indents: Indents,
    frames: Vec<Frame>,
    group: Group,
    /// Groups of brackets that begin before this offset are lexed with the error recovery of `brackets`.
    broken_until: usize,
    /// The last token that is not trivia.
    prev: SyntaxKind,
    at_line_start: bool,
    /// Whether only trivia have followed the last line end inside brackets.
    fresh_line: bool,
    /// The index of the first line end since the last token that is not trivia.
    last_soft_newline: usize,
    unclosed_triple: string::UnclosedTriple,
}

/// The tokens of a whole file.
pub(crate) fn lex(text: &str) -> Tokens {
    let mut lexer = Lexer::new(text, 0, Indents::default());
    // Printed IR has two tokens per five bytes, other Python fewer.
    let expected = text.len() / 5 * 2 + 8;
    lexer.out.kinds.reserve_exact(expected);
    lexer.out.ends.reserve_exact(expected);
    lexer.run(|_| false)
}

impl<'t> Lexer<'t> {
    /// Creates a lexer at the start of a logical line.
    pub(crate) fn new(text: &'t str, start: usize, indents: Indents) -> Lexer<'t> {
        Lexer {
            text,
            bytes: text.as_bytes(),
            pos: start,
            limit: usize::MAX,
            out: Tokens::default(),
            indents,
            frames: Vec::new(),
            group: Group::default(),
            broken_until: 0,
            prev: NEWLINE,
            at_line_start: true,
            fresh_line: false,
            last_soft_newline: 0,
            unclosed_triple: string::UnclosedTriple::default(),
        }
    }

    /// Stops the lexer after an offset.
    pub(crate) fn limited(mut self, limit: usize) -> Lexer<'t> {
        self.limit = limit;
        self
    }

    pub(crate) fn offset(&self) -> usize {
        self.pos
    }

    pub(crate) fn indents(&self) -> &Indents {
        &self.indents
    }

    pub(crate) fn tokens(&self) -> &Tokens {
        &self.out
    }

    /// The first token of the last logical line.
    pub(crate) fn line_kind(&self) -> SyntaxKind {
        self.out.kinds.get(self.group.line).copied().unwrap_or(END)
    }

    /// Lexes until the end of the text, or until `stop` returns true at the start of a logical line. Ends with a DEDENT
    /// for each open block, and END.
    pub(crate) fn run(mut self, mut stop: impl FnMut(&Lexer<'_>) -> bool) -> Tokens {
        if self.pos == 0 && self.text.starts_with('\u{feff}') {
            self.pos = 3;
            self.push(BYTE_ORDER_MARK);
        }
        loop {
            if self.at_line_start {
                if stop(&self) {
                    break;
                }
                self.line_start();
                self.group.line = self.out.kinds.len();
                self.at_line_start = false;
            }
            if self.pos > self.limit {
                self.out.is_cut = true;
                break;
            }
            if self.pos >= self.bytes.len() {
                if !self.frames.is_empty() && self.break_group() {
                    continue;
                }
                break;
            }
            self.token();
        }
        if self.prev != NEWLINE {
            self.push(NEWLINE);
        }
        for _ in 0..self.indents.depth() {
            self.push(DEDENT);
        }
        self.push(END);
        self.out
    }

    #[inline]
    fn push(&mut self, kind: SyntaxKind) {
        self.out.kinds.push(kind);
        self.out.ends.push(self.pos as u32);
        if !kind.is_trivia() {
            self.prev = kind;
        }
    }

    #[inline]
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.pos + ahead).copied().unwrap_or(0)
    }

    fn error(&mut self, start: usize, end: usize, message: &'static str) {
        let range = TextRange::new(TextSize::new(start as u32), TextSize::new(end as u32));
        self.out.errors.push(SyntaxError::new(range, message));
        self.group.broken = true;
    }

    fn token(&mut self) {
        if let Some(frame) = self.frames.last() {
            if frame.is_text() {
                self.fstring_text();
                return;
            }
            if self.fresh_line && self.recover_at_line_start() {
                return;
            }
        }
        let byte = self.bytes[self.pos];
        match byte {
            b' ' | b'\t' | b'\x0c' => self.blanks(),
            b'\n' | b'\r' => self.newline(),
            b'#' => self.comment(),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => self.word(),
            b'0'..=b'9' => self.number(),
            b'.' if self.peek(1).is_ascii_digit() => self.number(),
            b'"' | b'\'' => self.string(self.pos),
            b'(' | b'[' | b'{' => self.open_bracket(byte),
            b')' | b']' | b'}' => self.close_bracket(byte),
            b'\\' => self.backslash(),
            _ if byte < 0x80 => self.operator(byte),
            _ => self.non_ascii(),
        }
    }

    #[inline]
    fn blanks(&mut self) {
        while matches!(self.peek(0), b' ' | b'\t' | b'\x0c') {
            self.pos += 1;
        }
        self.push(WHITESPACE);
    }

    fn comment(&mut self) {
        while self.pos < self.bytes.len() && !matches!(self.bytes[self.pos], b'\n' | b'\r') {
            self.pos += 1;
        }
        self.push(COMMENT);
    }

    /// Skips one line end: LF, CR LF or CR.
    fn skip_newline(&mut self) {
        self.pos += if self.peek(0) == b'\r' && self.peek(1) == b'\n' {
            2
        } else {
            1
        };
    }

    fn newline(&mut self) {
        self.skip_newline();
        if self.frames.is_empty() {
            self.push(NEWLINE);
            self.at_line_start = true;
        } else {
            self.soft_newline();
            self.fresh_line = true;
        }
    }

    fn soft_newline(&mut self) {
        if !self.fresh_line {
            self.last_soft_newline = self.out.kinds.len();
        }
        self.push(SOFT_NEWLINE);
    }

    fn backslash(&mut self) {
        let start = self.pos;
        self.pos += 1;
        if matches!(self.peek(0), b'\n' | b'\r') {
            self.skip_newline();
            self.push(LINE_CONTINUATION);
            if self.pos >= self.bytes.len() && self.prev != NEWLINE {
                self.error(
                    start,
                    self.pos,
                    "expected the rest of the statement after this `\\`",
                );
            }
        } else {
            self.push(UNKNOWN);
        }
    }

    fn word(&mut self) {
        let start = self.pos;
        while is_word_byte(self.peek(0)) {
            self.pos += 1;
        }
        let next = self.peek(0);
        if next >= 0x80 {
            self.rest_of_word();
        } else if matches!(next, b'"' | b'\'')
            && self.pos - start <= 2
            && self.is_string_prefix(start)
        {
            self.string(start);
            return;
        }
        self.push(keyword_or_ident(&self.bytes[start..self.pos]));
    }

    fn rest_of_word(&mut self) {
        let rest = &self.text[self.pos..];
        let len = rest
            .find(|it| !unicode_ident::is_xid_continue(it))
            .unwrap_or(rest.len());
        self.pos += len;
    }

    fn non_ascii(&mut self) {
        let Some(next) = self.text[self.pos..].chars().next() else {
            return;
        };
        self.pos += next.len_utf8();
        if unicode_ident::is_xid_start(next) {
            self.rest_of_word();
            self.push(IDENT);
        } else {
            self.push(UNKNOWN);
        }
    }

    fn operator(&mut self, first: u8) {
        let (kind, len) = match (first, self.peek(1), self.peek(2)) {
            (b',', ..) => (COMMA, 1),
            (b':', ..) if self.in_field() => {
                self.pos += 1;
                self.push(COLON);
                self.start_format_spec();
                return;
            }
            (b':', b'=', _) => (COLON_EQ, 2),
            (b':', ..) => (COLON, 1),
            (b';', ..) => (SEMICOLON, 1),
            (b'.', b'.', b'.') => (ELLIPSIS, 3),
            (b'.', ..) => (DOT, 1),
            (b'=', b'=', _) => (EQ_EQ, 2),
            (b'=', ..) => (EQ, 1),
            (b'+', b'=', _) => (PLUS_EQ, 2),
            (b'+', ..) => (PLUS, 1),
            (b'-', b'=', _) => (MINUS_EQ, 2),
            (b'-', b'>', _) => (ARROW, 2),
            (b'-', ..) => (MINUS, 1),
            (b'*', b'*', b'=') => (DOUBLE_STAR_EQ, 3),
            (b'*', b'*', _) => (DOUBLE_STAR, 2),
            (b'*', b'=', _) => (STAR_EQ, 2),
            (b'*', ..) => (STAR, 1),
            (b'/', b'/', b'=') => (DOUBLE_SLASH_EQ, 3),
            (b'/', b'/', _) => (DOUBLE_SLASH, 2),
            (b'/', b'=', _) => (SLASH_EQ, 2),
            (b'/', ..) => (SLASH, 1),
            (b'%', b'=', _) => (PERCENT_EQ, 2),
            (b'%', ..) => (PERCENT, 1),
            (b'@', b'=', _) => (AT_EQ, 2),
            (b'@', ..) => (AT, 1),
            (b'&', b'=', _) => (AMP_EQ, 2),
            (b'&', ..) => (AMP, 1),
            (b'|', b'=', _) => (PIPE_EQ, 2),
            (b'|', ..) => (PIPE, 1),
            (b'^', b'=', _) => (CARET_EQ, 2),
            (b'^', ..) => (CARET, 1),
            (b'~', ..) => (TILDE, 1),
            (b'<', b'<', b'=') => (SHIFT_LEFT_EQ, 3),
            (b'<', b'<', _) => (SHIFT_LEFT, 2),
            (b'<', b'=', _) => (LESS_EQ, 2),
            (b'<', ..) => (LESS, 1),
            (b'>', b'>', b'=') => (SHIFT_RIGHT_EQ, 3),
            (b'>', b'>', _) => (SHIFT_RIGHT, 2),
            (b'>', b'=', _) => (GREATER_EQ, 2),
            (b'>', ..) => (GREATER, 1),
            (b'!', b'=', _) => (NOT_EQ, 2),
            (b'!', ..) => (BANG, 1),
            _ => (UNKNOWN, 1),
        };
        self.pos += len;
        self.push(kind);
    }
}

#[inline]
fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[inline]
fn keyword_or_ident(word: &[u8]) -> SyntaxKind {
    if !(2..=8).contains(&word.len()) {
        return IDENT;
    }
    let candidates: &[SyntaxKind] = match word[0] {
        b'F' => &[FALSE_KW],
        b'N' => &[NONE_KW],
        b'T' => &[TRUE_KW],
        b'a' => &[AND_KW, AS_KW, ASSERT_KW, ASYNC_KW, AWAIT_KW],
        b'b' => &[BREAK_KW],
        b'c' => &[CLASS_KW, CONTINUE_KW],
        b'd' => &[DEF_KW, DEL_KW],
        b'e' => &[ELIF_KW, ELSE_KW, EXCEPT_KW],
        b'f' => &[FINALLY_KW, FOR_KW, FROM_KW],
        b'g' => &[GLOBAL_KW],
        b'i' => &[IF_KW, IMPORT_KW, IN_KW, IS_KW],
        b'l' => &[LAMBDA_KW],
        b'n' => &[NONLOCAL_KW, NOT_KW],
        b'o' => &[OR_KW],
        b'p' => &[PASS_KW],
        b'r' => &[RAISE_KW, RETURN_KW],
        b't' => &[TRY_KW],
        b'w' => &[WHILE_KW, WITH_KW],
        b'y' => &[YIELD_KW],
        _ => return IDENT,
    };
    let found = candidates
        .iter()
        .find(|it| it.fixed_text().is_some_and(|text| text.as_bytes() == word));
    found.copied().unwrap_or(IDENT)
}
