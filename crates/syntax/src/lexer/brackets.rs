//! Error recovery for brackets. Brackets join lines, so an unclosed one would swallow the rest of the file.
//!
//! Some things inside brackets are errors in any Python program: `return` at the start of a line, two operands with a line
//! end between them, the end of the file. Text without such errors is lexed as Python lexes it. After one, the brackets are
//! known to be broken. The lexer then goes back to the outermost one and lexes it again. This time it ends the brackets
//! at the first line that is not indented further than their statement. So valid text is never cut, and no text is
//! read more than twice.

use super::Lexer;
use super::indent::Column;
use crate::kind::SyntaxKind::{
    self, ASYNC_KW, CLASS_KW, COLON, COMMENT, DEF_KW, ELIF_KW, ELLIPSIS, FALSE_KW, FLOAT, FOR_KW,
    FSTRING_END, IDENT, IF_KW, IMAGINARY, INT, L_BRACE, L_BRACKET, L_PAREN, NEWLINE, NONE_KW,
    R_BRACE, R_BRACKET, R_PAREN, STRING, TRUE_KW, UNKNOWN, WHILE_KW, WHITESPACE, WITH_KW, YIELD_KW,
};

/// How many open brackets are searched for the partner of a closing one.
const MAX_UNWIND: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FrameKind {
    /// An open bracket; the byte closes it.
    Bracket(u8),
    /// The text of an f-string or t-string.
    Text,
    /// An embedded expression.
    Field,
    /// The format spec of an embedded expression.
    Spec,
}

/// An open bracket or string around the next token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) kind: FrameKind,
    pub(super) quote: u8,
    pub(super) triple: bool,
    /// Whether the text may contain line ends: it has triple quotes and a closing quote is expected.
    pub(super) multiline: bool,
    pub(super) raw: bool,
}

impl Frame {
    pub(super) fn text(quote: u8, triple: bool, multiline: bool, raw: bool) -> Frame {
        Frame {
            kind: FrameKind::Text,
            quote,
            triple,
            multiline,
            raw,
        }
    }

    fn bracket(close: u8) -> Frame {
        Frame {
            kind: FrameKind::Bracket(close),
            quote: 0,
            triple: false,
            multiline: false,
            raw: false,
        }
    }

    pub(super) fn is_text(&self) -> bool {
        matches!(self.kind, FrameKind::Text | FrameKind::Spec)
    }
}

/// An error in any Python program at the start of a line inside brackets.
enum Mistake {
    /// A keyword that begins a statement.
    Keyword,
    /// An operand directly after another operand.
    Operands,
}

/// The outermost open brackets, and their logical line. Holds the state of the lexer before them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Group {
    start: usize,
    /// The number of tokens and errors before the brackets.
    tokens: usize,
    errors: usize,
    prev: Option<SyntaxKind>,
    /// The indentation of the logical line.
    pub(super) column: Column,
    /// The index of the first token of the logical line.
    pub(super) line: usize,
    /// Whether there is an error in the brackets.
    pub(super) broken: bool,
}

impl Lexer<'_> {
    /// Saves the state before the outermost bracket.
    pub(super) fn enter_group(&mut self, start: usize) {
        if self.frames.is_empty() {
            self.group.start = start;
            self.group.tokens = self.out.kinds.len();
            self.group.errors = self.out.errors.len();
            self.group.prev = Some(self.prev);
            self.group.broken = false;
            self.fresh_line = false;
        }
    }

    pub(super) fn open_bracket(&mut self, open: u8) {
        self.enter_group(self.pos);
        let (kind, close) = match open {
            b'(' => (L_PAREN, b')'),
            b'[' => (L_BRACKET, b']'),
            _ => (L_BRACE, b'}'),
        };
        self.pos += 1;
        self.push(kind);
        self.frames.push(Frame::bracket(close));
    }

    pub(super) fn close_bracket(&mut self, close: u8) {
        self.pos += 1;
        self.push(match close {
            b')' => R_PAREN,
            b']' => R_BRACKET,
            _ => R_BRACE,
        });
        // The partner cannot be outside of the string around this bracket.
        let candidates = self.frames.iter().rev().take(MAX_UNWIND);
        let mut reachable = candidates.take_while(|it| !it.is_text());
        let partner = reachable.position(|it| match it.kind {
            FrameKind::Bracket(expected) => expected == close,
            _ => close == b'}',
        });
        match partner {
            Some(depth) => {
                self.group.broken |= depth > 0;
                self.frames.truncate(self.frames.len() - 1 - depth);
            }
            None => self.group.broken = true,
        }
    }

    /// Checks the first token of a line inside brackets. Returns whether this ended the brackets or went back to their
    /// start.
    pub(super) fn recover_at_line_start(&mut self) -> bool {
        let byte = self.bytes[self.pos];
        let joined = byte == b'\\' && matches!(self.peek(1), b'\n' | b'\r');
        if joined || matches!(byte, b' ' | b'\t' | b'\x0c' | b'\n' | b'\r' | b'#') {
            return false;
        }
        self.fresh_line = false;
        let recovering = self.group.broken || self.group.start < self.broken_until;
        let closes = matches!(byte, b')' | b']' | b'}');
        let ends =
            self.column().is_within(self.group.column) || self.prev == COLON && self.is_header();
        if recovering && !closes && ends {
            self.end_group();
            return true;
        }
        match self.find_mistake() {
            None => false,
            // The second time, a missing comma does not end the brackets.
            Some(Mistake::Operands) if recovering && !self.begins_body() => false,
            Some(_) => self.break_group(),
        }
    }

    /// Whether the logical line begins like the header of a block. A colon at the end of a line then ends it.
    fn is_header(&self) -> bool {
        self.out.kinds.get(self.group.line).is_some_and(|it| {
            matches!(
                it,
                DEF_KW | CLASS_KW | ASYNC_KW | IF_KW | ELIF_KW | FOR_KW | WHILE_KW | WITH_KW
            )
        })
    }

    /// Whether the line looks like the first line of the header's block: it is indented by one step. Arguments that begin
    /// on the line of the opening bracket are rarely continued like this.
    fn begins_body(&self) -> bool {
        let contents = self
            .out
            .kinds
            .get(self.group.tokens + 1..)
            .unwrap_or_default();
        let first = contents
            .iter()
            .find(|it| !matches!(it, WHITESPACE | COMMENT));
        self.is_header()
            && first != Some(&SyntaxKind::SOFT_NEWLINE)
            && self.column().is_one_step_from(self.group.column)
    }

    /// The column of the next token, the first of its line.
    fn column(&self) -> Column {
        let before = &self.bytes[..self.pos];
        let line = before
            .iter()
            .rposition(|it| matches!(it, b'\n' | b'\r'))
            .map_or(0, |it| it + 1);
        Column::after(&before[line..])
    }

    /// The mistake at the next token, the first of a line inside brackets.
    fn find_mistake(&self) -> Option<Mistake> {
        let rest = &self.bytes[self.pos..];
        let len = rest
            .iter()
            .position(|&it| !super::is_word_byte(it))
            .unwrap_or(rest.len());
        let operand = match (&rest[..len], rest.get(len)) {
            (
                b"def" | b"class" | b"return" | b"import" | b"with" | b"while" | b"try" | b"except"
                | b"finally" | b"raise" | b"del" | b"global" | b"nonlocal" | b"assert" | b"pass"
                | b"break" | b"continue" | b"elif",
                _,
            ) => return Some(Mistake::Keyword),
            (b"from", _) if self.prev != YIELD_KW => return Some(Mistake::Keyword),
            (
                b"and" | b"or" | b"not" | b"in" | b"is" | b"if" | b"else" | b"for" | b"async"
                | b"as" | b"from",
                _,
            ) => false,
            (prefix, Some(b'"' | b'\'')) if prefix.len() <= 2 => {
                !matches!(self.prev, STRING | FSTRING_END)
            }
            ([], byte) => byte.is_some_and(|&it| it >= 0x80),
            _ => true,
        };
        (operand && ends_operand(self.prev)).then_some(Mistake::Operands)
    }

    /// Handles a mistake that means that the brackets are broken: goes back to their start, or ends them if they are
    /// being lexed for the second time. Always returns true.
    pub(super) fn break_group(&mut self) -> bool {
        if self.group.start < self.broken_until {
            self.end_group();
            return true;
        }
        self.broken_until = self.pos.max(self.group.start + 1);
        self.mark_group();
        if self.pos >= self.bytes.len() {
            for frame in &self.frames {
                if frame.multiline {
                    self.unclosed_triple.add(frame.quote);
                }
            }
        }
        self.out.kinds.truncate(self.group.tokens);
        self.out.ends.truncate(self.group.tokens);
        self.out.errors.truncate(self.group.errors);
        self.pos = self.group.start;
        self.prev = self.group.prev.unwrap_or(NEWLINE);
        self.frames.clear();
        self.fresh_line = false;
        true
    }

    /// Marks the brackets as fragile: their end depends on the current line.
    fn mark_group(&mut self) {
        let rest = &self.bytes[self.pos..];
        let line = rest
            .iter()
            .position(|it| matches!(it, b'\n' | b'\r'))
            .unwrap_or(rest.len());
        self.mark_fragile(self.group.start, self.pos + line);
    }

    /// Ends all brackets at the end of the previous line.
    fn end_group(&mut self) {
        self.mark_group();
        self.frames.clear();
        let newline = self.last_soft_newline;
        if self.is_last_line_end(newline) {
            self.out.kinds[newline] = NEWLINE;
            self.prev = NEWLINE;
            // The indentation and the blank lines after it are lexed again, as the start of a logical line.
            self.out.kinds.truncate(newline + 1);
            self.out.ends.truncate(newline + 1);
            self.pos = self.out.ends[newline] as usize;
            self.at_line_start = true;
        }
        self.fresh_line = false;
    }

    /// Whether the token at this index is a line end, and only trivia follow.
    fn is_last_line_end(&self, index: usize) -> bool {
        self.out.kinds.get(index..).is_some_and(|it| {
            it.first() == Some(&SyntaxKind::SOFT_NEWLINE) && it.iter().all(|kind| kind.is_trivia())
        })
    }
}

fn ends_operand(kind: SyntaxKind) -> bool {
    matches!(
        kind,
        IDENT
            | INT
            | FLOAT
            | IMAGINARY
            | STRING
            | FSTRING_END
            | R_PAREN
            | R_BRACKET
            | R_BRACE
            | NONE_KW
            | TRUE_KW
            | FALSE_KW
            | ELLIPSIS
            | UNKNOWN
    )
}
