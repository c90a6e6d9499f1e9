//! Numbers: where they end, and whether they are valid.

use super::{Lexer, is_word_byte};
use crate::kind::SyntaxKind::{FLOAT, IMAGINARY, INT};

impl Lexer<'_> {
    pub(super) fn number(&mut self) {
        let start = self.pos;
        let mut kind = INT;
        let mut ok = true;
        let radix = match (self.peek(0), self.peek(1)) {
            (b'0', b'x' | b'X') => 16,
            (b'0', b'o' | b'O') => 8,
            (b'0', b'b' | b'B') => 2,
            _ => 10,
        };
        if radix == 10 {
            if self.peek(0) != b'.' {
                ok &= self.digits(10);
            }
            if self.peek(0) == b'.' {
                kind = FLOAT;
                self.pos += 1;
                if self.peek(0).is_ascii_digit() {
                    ok &= self.digits(10);
                }
            }
            if self.at_exponent() {
                kind = FLOAT;
                self.pos += if self.peek(1).is_ascii_digit() { 1 } else { 2 };
                ok &= self.digits(10);
            }
            if matches!(self.peek(0), b'j' | b'J') {
                kind = IMAGINARY;
                self.pos += 1;
            }
            if kind == INT && self.bytes[start] == b'0' {
                let digits = &self.bytes[start..self.pos];
                if digits.iter().any(|it| matches!(it, b'1'..=b'9')) {
                    self.error(
                        start,
                        self.pos,
                        "a decimal integer must not begin with 0; octal begins with `0o`",
                    );
                }
            }
        } else {
            self.pos += 2;
            if self.peek(0) == b'_' {
                self.pos += 1;
            }
            ok &= self.digits(radix);
        }
        ok &= self.number_ends();
        if !ok {
            self.error(start, self.pos, "this is not a number that Python can read");
        }
        self.push(kind);
    }

    fn at_exponent(&self) -> bool {
        matches!(self.peek(0), b'e' | b'E')
            && (self.peek(1).is_ascii_digit()
                || matches!(self.peek(1), b'+' | b'-') && self.peek(2).is_ascii_digit())
    }

    /// Skips digits and underscores. Returns whether they are valid: at least one digit, and only single underscores
    /// between digits.
    fn digits(&mut self, radix: u32) -> bool {
        let mut after_digit = false;
        let mut ok = true;
        loop {
            let byte = self.peek(0);
            if char::from(byte).is_digit(radix) {
                after_digit = true;
            } else if byte == b'_' {
                ok &= after_digit;
                after_digit = false;
            } else {
                return ok && after_digit;
            }
            self.pos += 1;
        }
    }

    /// Whether the number ends here. Takes letters and digits that follow into the number, except keywords: Python allows
    /// `1if x else 2`.
    fn number_ends(&mut self) -> bool {
        let next = self.peek(0);
        if !is_word_byte(next) && next < 0x80 {
            return true;
        }
        let rest = &self.bytes[self.pos..];
        let starts = |word: &[u8]| {
            rest.starts_with(word) && !rest.get(word.len()).is_some_and(|&it| is_word_byte(it))
        };
        let words: [&[u8]; 8] = [b"and", b"else", b"for", b"if", b"in", b"is", b"not", b"or"];
        if words.into_iter().any(starts) {
            return true;
        }
        let end = self.pos;
        self.rest_of_word();
        self.pos == end
    }
}
