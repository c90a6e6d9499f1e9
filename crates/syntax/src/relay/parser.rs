//! The parser that Relay's grammar drives: it looks at tokens, takes them, and wraps them into nodes.
//!
//! Knows tokens and trivia, but no production of the grammar. Trivia go into the node that is open when the next node or
//! token starts.
//!
//! One mistake gives one error: later errors in the same line of a statement count as its consequences.

use std::borrow::Cow;

use text_size::{TextRange, TextSize};

use super::kind::SyntaxKind::{
    self, DEF_KW, END, EQ, ERROR, EXTERN_KW, FREE_VAR_KW, GRAPH, L_BRACE, L_BRACKET, L_PAREN,
    LET_KW, METADATA_START, R_BRACE, R_BRACKET, R_PAREN, SEMICOLON, TYPE_KW,
};
use super::lexer::Tokens;
use crate::SyntaxError;
use crate::builder::TreeBuilder;
use crate::subtrees::Subtrees;

/// The maximum recursion depth of the grammar.
const MAX_DEPTH: u32 = 200;
/// The maximum height of an expression's tree. Chains of operators and calls grow to the left without recursion.
const MAX_HEIGHT: u16 = 400;

/// The start of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    index: usize,
    offset: u32,
}

/// An opening bracket, and whether it has a partner.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opener {
    range: TextRange,
    pub(super) is_closed: bool,
}

pub(super) struct Parser<'t> {
    text: &'t str,
    tokens: Tokens,
    /// The first token not yet in the builder.
    flushed: usize,
    /// The current token, never trivia.
    pos: usize,
    current: SyntaxKind,
    /// The last token taken in the current definition, and where it ends.
    prev: SyntaxKind,
    prev_end: u32,
    builder: TreeBuilder<'t, SyntaxKind>,
    errors: Vec<SyntaxError>,
    /// For each open bracket, outermost first, whether it has a partner.
    open: Vec<bool>,
    /// The end of the line of the last error in the current statement.
    failed_until: Option<u32>,
    depth: u32,
}

impl<'t> Parser<'t> {
    pub(super) fn new(text: &'t str, tokens: Tokens, subtrees: &'t Subtrees) -> Parser<'t> {
        let mut parser = Parser {
            text,
            tokens,
            flushed: 0,
            pos: 0,
            current: END,
            prev: END,
            prev_end: 0,
            builder: TreeBuilder::new(text.len(), subtrees),
            errors: Vec::new(),
            open: Vec::new(),
            failed_until: None,
            depth: 0,
        };
        parser.skip_trivia();
        parser
    }

    pub(super) fn finish(mut self) -> (TreeBuilder<'t, SyntaxKind>, Vec<SyntaxError>) {
        self.flush();
        let mut errors = self.errors;
        errors.append(&mut self.tokens.errors);
        errors.sort_by(SyntaxError::order);
        (self.builder, errors)
    }

    #[inline]
    pub(super) fn current(&self) -> SyntaxKind {
        self.current
    }

    #[inline]
    pub(super) fn at(&self, kind: SyntaxKind) -> bool {
        self.current == kind
    }

    /// The kind of the token after the current one.
    pub(super) fn next(&self) -> SyntaxKind {
        self.kinds_ahead().nth(1).unwrap_or(END)
    }

    /// The kinds of the current token and the tokens after it, without trivia.
    pub(super) fn kinds_ahead(&self) -> impl Iterator<Item = SyntaxKind> + '_ {
        let ahead = self.tokens.kinds[self.pos..].iter().copied();
        ahead.filter(|it| !it.is_trivia())
    }

    fn token_start(&self, index: usize) -> u32 {
        index
            .checked_sub(1)
            .map_or(0, |before| self.tokens.ends[before])
    }

    fn range(&self) -> TextRange {
        TextRange::new(
            TextSize::new(self.token_start(self.pos)),
            TextSize::new(self.tokens.ends[self.pos]),
        )
    }

    /// The text of the current token.
    pub(super) fn text(&self) -> &'t str {
        let text: &'t str = self.text;
        &text[self.range()]
    }

    /// The texts of the current token and the tokens after it, without trivia.
    pub(super) fn texts_ahead(&self) -> impl Iterator<Item = &'t str> + '_ {
        let text: &'t str = self.text;
        let indices = self.pos..self.tokens.kinds.len();
        let indices = indices.filter(|it| !self.tokens.kinds[*it].is_trivia());
        indices.map(move |it| &text[self.token_start(it) as usize..self.tokens.ends[it] as usize])
    }

    /// Whether the current token is on another line than the last one taken.
    pub(super) fn starts_line(&self) -> bool {
        let between = self.prev_end as usize..self.token_start(self.pos) as usize;
        self.text[between].contains('\n')
    }

    /// A number that grows with each token taken. Loops use it to check for progress.
    #[inline]
    pub(super) fn progress(&self) -> usize {
        self.pos
    }

    fn skip_trivia(&mut self) {
        while self.tokens.kinds[self.pos].is_trivia() {
            self.pos += 1;
        }
        self.current = self.tokens.kinds[self.pos];
    }

    /// Adds all skipped trivia to the builder.
    fn flush(&mut self) {
        while self.flushed < self.pos {
            self.push(self.flushed);
            self.flushed += 1;
        }
    }

    fn push(&mut self, index: usize) {
        let range = self.token_start(index) as usize..self.tokens.ends[index] as usize;
        if !range.is_empty() {
            self.builder
                .token(self.tokens.kinds[index], &self.text[range]);
        }
    }

    /// Takes the current token.
    pub(super) fn bump(&mut self) {
        if self.at(END) {
            return;
        }
        self.flush();
        self.push(self.pos);
        self.prev = self.current;
        self.prev_end = self.tokens.ends[self.pos];
        self.pos += 1;
        self.flushed = self.pos;
        self.skip_trivia();
    }

    pub(super) fn eat(&mut self, kind: SyntaxKind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    pub(super) fn expect(&mut self, kind: SyntaxKind) -> bool {
        let found = self.eat(kind);
        if !found {
            self.expected(kind.describe());
        }
        found
    }

    /// Takes an opening bracket.
    pub(super) fn open(&mut self) -> Opener {
        let opener = Opener {
            range: self.range(),
            is_closed: self.tokens.brackets.is_closed(self.pos),
        };
        self.open.push(opener.is_closed);
        self.bump();
        opener
    }

    /// Whether the innermost bracket has no partner.
    pub(super) fn in_unclosed_bracket(&self) -> bool {
        self.open.last() == Some(&false)
    }

    /// Takes the closing bracket for `opener`, or reports that it is missing. `what` names the brackets.
    pub(super) fn close(&mut self, kind: SyntaxKind, opener: Opener, what: &str) {
        self.open.pop();
        if opener.is_closed && !self.at(kind) {
            self.expected_to_close(kind, opener, what);
            self.skip_until(|p| p.at(kind));
        }
        if !self.eat(kind) && !opener.is_closed {
            self.expected_to_close(kind, opener, what);
        }
    }

    fn expected_to_close(&mut self, kind: SyntaxKind, opener: Opener, what: &str) {
        let message = format!("expected {} to close {what}", kind.describe());
        let error = SyntaxError::new(self.error_range(), message);
        self.report(error.with_related(opener.range, "opened here"));
    }

    /// Whether a list in brackets ends here: at a closing bracket or a definition. An unclosed list also ends where a
    /// statement begins or ends.
    pub(super) fn at_list_end(&self, opener: Opener) -> bool {
        if self.at_definition() || self.closes_something() {
            return true;
        }
        !opener.is_closed && (self.at(SEMICOLON) || self.at_statement())
    }

    /// Whether the current token can only begin a statement.
    pub(super) fn at_statement(&self) -> bool {
        match self.current {
            LET_KW | FREE_VAR_KW => true,
            GRAPH => self.next() == EQ,
            _ => false,
        }
    }

    pub(super) fn start(&mut self) -> Mark {
        self.flush();
        Mark {
            index: self.builder.len(),
            offset: self.token_start(self.pos),
        }
    }

    #[inline]
    pub(super) fn finish_node(&mut self, mark: Mark, kind: SyntaxKind) {
        self.builder.wrap(mark.index, kind);
    }

    /// The kind of the last finished node, if no token was taken after it.
    pub(super) fn last_kind(&self) -> Option<SyntaxKind> {
        let node = self.builder.last_node();
        node.map(|it| SyntaxKind::of_green(it.kind()))
    }

    /// Whether the last node has the maximum height, so a chain must not continue.
    pub(super) fn is_high(&self) -> bool {
        self.builder.height() >= MAX_HEIGHT
    }

    /// Runs a recursive production. `None` if it is nested too deeply.
    pub(super) fn nested<T>(&mut self, production: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth >= MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let result = production(self);
        self.depth -= 1;
        Some(result)
    }

    /// Starts a definition. Its errors do not depend on the text before it.
    pub(super) fn start_definition(&mut self) {
        self.prev = END;
        self.failed_until = None;
    }

    /// Starts a statement. If the previous one is complete, errors of the new one are not its consequences.
    pub(super) fn start_statement(&mut self) {
        if self.is_fresh() {
            self.failed_until = None;
        }
    }

    /// Whether the text before the current token is complete.
    fn is_fresh(&self) -> bool {
        matches!(self.prev, END | SEMICOLON | L_BRACE)
    }

    /// The range of an error at the current token: the token, or the end of the last token if the current one is on
    /// another line.
    fn error_range(&self) -> TextRange {
        if self.at(END) || self.starts_line() && !self.is_fresh() {
            TextRange::empty(TextSize::new(self.prev_end))
        } else {
            self.range()
        }
    }

    /// Reports an error at the current token.
    pub(super) fn error(&mut self, message: impl Into<Cow<'static, str>>) {
        self.report(SyntaxError::new(self.error_range(), message));
    }

    /// Reports "expected ..., found ...".
    pub(super) fn expected(&mut self, what: &str) {
        let found = match self.current {
            SyntaxKind::UNKNOWN => format!("`{}`", self.text().escape_debug()),
            kind => kind.describe().to_owned(),
        };
        self.error(format!("expected {what}, found {found}"));
    }

    /// Reports an error in the text since `mark`.
    pub(super) fn error_since(&mut self, mark: Mark, message: impl Into<Cow<'static, str>>) {
        let end = self.prev_end.max(mark.offset);
        let range = TextRange::new(TextSize::new(mark.offset), TextSize::new(end));
        self.report(SyntaxError::new(range, message));
    }

    fn report(&mut self, error: SyntaxError) {
        let at = u32::from(error.range.start());
        let last = self.errors.last();
        if last.is_some_and(|it| it.range.start() == error.range.start()) {
            return;
        }
        if self.failed_until.is_none_or(|end| at > end) {
            let rest = &self.text[at as usize..];
            let line = rest.find('\n').unwrap_or(rest.len());
            self.failed_until = Some(at + line as u32);
            self.errors.push(error);
        }
    }

    /// Puts the current token into an ERROR node.
    pub(super) fn skip_one(&mut self) {
        if !self.at(END) {
            let mark = self.start();
            self.bump();
            self.finish_node(mark, ERROR);
        }
    }

    /// Puts tokens into an ERROR node, up to one that satisfies `stop`, closes an outer bracket, or begins a definition.
    /// Skips brackets with their contents.
    pub(super) fn skip_until(&mut self, stop: impl Fn(&Self) -> bool) {
        self.skip_until_as(stop, ERROR);
    }

    /// Like [`Self::skip_until`], with a node of this kind.
    pub(super) fn skip_until_as(&mut self, stop: impl Fn(&Self) -> bool, kind: SyntaxKind) {
        let mark = self.start();
        let before = self.pos;
        let mut depth = 0_u32;
        while !(self.at_definition() || depth == 0 && (stop(self) || self.closes_something())) {
            match self.current {
                L_PAREN | L_BRACKET | L_BRACE if self.tokens.brackets.is_closed(self.pos) => {
                    depth += 1;
                }
                R_PAREN | R_BRACKET | R_BRACE if self.closes_something() => depth -= 1,
                _ => {}
            }
            self.bump();
        }
        if self.pos > before {
            self.finish_node(mark, kind);
        }
    }

    /// Whether the current token is a closing bracket with a partner.
    pub(super) fn closes_something(&self) -> bool {
        matches!(self.current, R_PAREN | R_BRACKET | R_BRACE)
            && self.tokens.brackets.is_opened(self.pos)
    }

    /// Whether a definition begins here, or the text ends.
    pub(super) fn at_definition(&self) -> bool {
        matches!(
            self.current,
            END | DEF_KW | TYPE_KW | EXTERN_KW | METADATA_START
        )
    }
}
