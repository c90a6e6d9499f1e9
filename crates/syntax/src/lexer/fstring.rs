//! The text of f-strings and t-strings, between embedded expressions.

use super::Lexer;
use super::brackets::{Frame, FrameKind};
use crate::kind::SyntaxKind::{FSTRING_END, FSTRING_TEXT, L_BRACE, R_BRACE};

impl Lexer<'_> {
    /// Whether the next token is in an embedded expression, outside of any brackets in it.
    pub(super) fn in_field(&self) -> bool {
        self.frames
            .last()
            .is_some_and(|it| it.kind == FrameKind::Field)
    }

    pub(super) fn start_format_spec(&mut self) {
        if let Some(&field) = self.frames.last() {
            self.frames.push(Frame {
                kind: FrameKind::Spec,
                ..field
            });
        }
    }

    /// Lexes text up to the next embedded expression or the closing quote, and the token that follows it.
    pub(super) fn fstring_text(&mut self) {
        let Some(&frame) = self.frames.last() else {
            return;
        };
        let in_spec = frame.kind == FrameKind::Spec;
        let start = self.pos;
        while self.pos < self.bytes.len() {
            match self.bytes[self.pos] {
                b'{' if !in_spec && self.peek(1) == b'{' => self.pos += 2,
                b'{' => {
                    self.push_text(start);
                    self.pos += 1;
                    self.push(L_BRACE);
                    self.frames.push(Frame {
                        kind: FrameKind::Field,
                        ..frame
                    });
                    return;
                }
                b'}' if in_spec => {
                    self.push_text(start);
                    self.pos += 1;
                    self.push(R_BRACE);
                    self.frames.pop();
                    self.frames.pop();
                    return;
                }
                b'}' if self.peek(1) == b'}' => self.pos += 2,
                b'}' => {
                    self.pos += 1;
                    self.error(
                        self.pos - 1,
                        self.pos,
                        "a single `}` in a formatted string must be written `}}`",
                    );
                }
                b'\\' if matches!(self.peek(1), b'{' | b'}') => self.pos += 1,
                b'\\' if !frame.raw && self.peek(1) == b'N' && self.peek(2) == b'{' => {
                    self.skip_named_character();
                }
                b'\\' => self.skip_escaped(),
                b'\n' | b'\r' if !frame.multiline => {
                    self.push_text(start);
                    self.unclosed_fstring();
                    return;
                }
                byte if byte == frame.quote && self.at_closing_quote(frame) => {
                    self.push_text(start);
                    if in_spec {
                        self.error(
                            self.pos,
                            self.pos,
                            "expected `}` before the end of the string",
                        );
                        self.leave_string();
                    } else {
                        self.frames.pop();
                    }
                    self.pos += if frame.triple { 3 } else { 1 };
                    self.push(FSTRING_END);
                    return;
                }
                _ => self.pos += 1,
            }
        }
        self.push_text(start);
        if !frame.multiline {
            self.unclosed_fstring();
        }
    }

    fn push_text(&mut self, start: usize) {
        if self.pos > start {
            self.push(FSTRING_TEXT);
        }
    }

    fn at_closing_quote(&self, frame: Frame) -> bool {
        !frame.triple || self.peek(1) == frame.quote && self.peek(2) == frame.quote
    }

    /// Skips `\N{...}`. Its braces do not embed an expression.
    fn skip_named_character(&mut self) {
        self.pos += 3;
        while matches!(self.peek(0), b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b' ' | b'-') {
            self.pos += 1;
        }
        if self.peek(0) == b'}' {
            self.pos += 1;
        }
    }

    fn unclosed_fstring(&mut self) {
        self.error(self.pos, self.pos, "this string has no closing quote");
        self.leave_string();
    }

    /// Removes the frames of the innermost string.
    pub(super) fn leave_string(&mut self) {
        while let Some(frame) = self.frames.pop() {
            if frame.kind == FrameKind::Text {
                return;
            }
        }
    }
}
