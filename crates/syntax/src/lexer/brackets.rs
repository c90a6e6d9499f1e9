//! Brackets join lines, so a missing one would swallow the rest of the file. This decides where it does not.
//!
//! Inside brackets some things are mistakes in any Python: `return` at the start of a line, two operands on either side
//! of a line end, the end of the file. Text without them is lexed as Python does, whatever its layout. When one is met,
//! the brackets are known to be broken, and the outermost of them is lexed again, now ending at the first line that is
//! indented no further than the statement it is in. So nothing legal is ever cut, the guess is made only in text that
//! is wrong anyway, and no text is read more than twice.

use super::Lexer;
use super::indent::Column;
use crate::kind::SyntaxKind::{
    self, ASYNC_KW, CLASS_KW, COLON, COMMENT, DEF_KW, ELIF_KW, ELLIPSIS, FALSE_KW, FLOAT, FOR_KW,
    FSTRING_END, IDENT, IF_KW, IMAGINARY, INT, L_BRACE, L_BRACKET, L_PAREN, NEWLINE, NONE_KW,
    R_BRACE, R_BRACKET, R_PAREN, STRING, TRUE_KW, UNKNOWN, WHILE_KW, WHITESPACE, WITH_KW, YIELD_KW,
};

/// How far down the open brackets the partner of a closing one is looked for.
const MAX_UNWIND: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FrameKind {
    /// An open bracket; the byte closes it.
    Bracket(u8),
    /// The text of an f-string or t-string.
    Text,
    /// An embedded expression.
    Field,
    /// The text after the colon of an embedded expression.
    Spec,
}

/// Something open around the next token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) kind: FrameKind,
    pub(super) quote: u8,
    pub(super) triple: bool,
    /// Whether the text may hold line ends: it is triple quoted and known to be closed.
    pub(super) whole: bool,
    pub(super) raw: bool,
}

impl Frame {
    pub(super) fn text(quote: u8, triple: bool, whole: bool, raw: bool) -> Frame {
        Frame {
            kind: FrameKind::Text,
            quote,
            triple,
            whole,
            raw,
        }
    }

    fn bracket(close: u8) -> Frame {
        Frame {
            kind: FrameKind::Bracket(close),
            quote: 0,
            triple: false,
            whole: false,
            raw: false,
        }
    }

    pub(super) fn is_text(&self) -> bool {
        matches!(self.kind, FrameKind::Text | FrameKind::Spec)
    }
}

/// What no Python has inside brackets at the start of a line.
enum Mistake {
    /// A word that begins a statement.
    Keyword,
    /// An operand right after another.
    Operands,
}

/// The outermost brackets around the lexer's position, and the logical line they are in.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Group {
    start: usize,
    /// How many tokens and errors preceded it.
    tokens: usize,
    errors: usize,
    prev: Option<SyntaxKind>,
    /// The indentation of the logical line.
    pub(super) column: Column,
    /// Its first token.
    pub(super) line: usize,
    /// Whether something in it is known to be wrong.
    pub(super) broken: bool,
}

impl Lexer<'_> {
    /// Notes the state before the outermost bracket, to come back to.
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
        // Past the text of a string there is no partner.
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

    /// Looks at the first token of a line inside brackets. Says whether it ended or restarted the brackets.
    pub(super) fn starts_line_in_brackets(&mut self) -> bool {
        let byte = self.bytes[self.pos];
        let joined = byte == b'\\' && matches!(self.peek(1), b'\n' | b'\r');
        if joined || matches!(byte, b' ' | b'\t' | b'\x0c' | b'\n' | b'\r' | b'#') {
            return false;
        }
        self.fresh_line = false;
        let guessing = self.group.broken || self.group.start < self.broken_until;
        let closes = matches!(byte, b')' | b']' | b'}');
        let ends =
            self.column().is_within(self.group.column) || self.prev == COLON && self.is_header();
        if guessing && !closes && ends {
            self.end_group();
            return true;
        }
        match self.mistake() {
            None => false,
            // Where the brackets are lexed again, a missing comma need not end them.
            Some(Mistake::Operands) if guessing && !self.begins_body() => false,
            Some(_) => self.break_group(),
        }
    }

    /// Whether the logical line begins as the header of a block does, which a colon at the end of a line then ends.
    fn is_header(&self) -> bool {
        self.out.kinds.get(self.group.line).is_some_and(|it| {
            matches!(
                it,
                DEF_KW | CLASS_KW | ASYNC_KW | IF_KW | ELIF_KW | FOR_KW | WHILE_KW | WITH_KW
            )
        })
    }

    /// Whether the line looks like the first of the block that the logical line is the header of: indented by one step,
    /// where the brackets have something on the line that opens them and so would not go on like this.
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

    /// What makes the next token, the first of a line inside brackets, a mistake in any Python.
    fn mistake(&self) -> Option<Mistake> {
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

    /// Deals with a mistake at the lexer's position that means the brackets around it are broken: starts them again, or
    /// ends them here if that has been done. Says that something has changed.
    pub(super) fn break_group(&mut self) -> bool {
        if self.group.start < self.broken_until {
            self.end_group();
            return true;
        }
        self.broken_until = self.pos.max(self.group.start + 1);
        self.mark_group();
        if self.pos >= self.bytes.len() {
            for frame in &self.frames {
                if frame.whole {
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

    /// Notes that where the brackets end depends on the line at the lexer's position.
    fn mark_group(&mut self) {
        let rest = &self.bytes[self.pos..];
        let line = rest
            .iter()
            .position(|it| matches!(it, b'\n' | b'\r'))
            .unwrap_or(rest.len());
        self.mark_fragile(self.group.start, self.pos + line);
    }

    /// Ends all brackets with the line before.
    fn end_group(&mut self) {
        self.mark_group();
        self.frames.clear();
        let newline = self.last_soft_newline;
        if self.fresh_line_token(newline) {
            self.out.kinds[newline] = NEWLINE;
            self.prev = NEWLINE;
            // The line's own blanks, and any blank lines before it, are lexed again as the start of a logical line.
            self.out.kinds.truncate(newline + 1);
            self.out.ends.truncate(newline + 1);
            self.pos = self.out.ends[newline] as usize;
            self.at_line_start = true;
        }
        self.fresh_line = false;
    }

    /// Whether the token at this index is a line end with only trivia after it.
    fn fresh_line_token(&self, index: usize) -> bool {
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
