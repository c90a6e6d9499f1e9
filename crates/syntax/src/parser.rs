//! The parser that the grammar drives: it looks at tokens, takes them, and wraps them into nodes.
//!
//! Knows tokens and trivia, but no production of the grammar. There is no list of events. A mark is a position on the
//! builder's stack, and finishing a node wraps the elements since its mark. A mark can be used again after a node is
//! finished at it: this is how `a` becomes the left side of `a + b`.
//!
//! Trivia go into the node that is open when the next node or token starts.

mod errors;
mod recovery;

use rowan::GreenNode;
use text_size::{TextRange, TextSize};

use crate::SyntaxError;
use crate::builder::TreeBuilder;
use crate::kind::SyntaxKind::{self, DEDENT, END, INDENT, NEWLINE};
use crate::lexer::Tokens;
use crate::subtrees::Subtrees;
pub(crate) use recovery::ListKind;

/// The maximum recursion depth of the grammar within one statement. A pair of brackets counts as two.
const MAX_DEPTH: u32 = 256;
/// The maximum height of an expression's tree. Chains of operators and calls grow to the left without recursion.
const MAX_HEIGHT: u16 = 400;

/// The start of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    index: usize,
    offset: u32,
}

impl Mark {
    pub(crate) fn offset(self) -> u32 {
        self.offset
    }
}

/// Whether `return`, `break` and `continue` are allowed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Surroundings {
    pub(crate) function: bool,
    /// Inside a loop of the same function.
    pub(crate) looped: bool,
}

pub(crate) struct Parser<'t> {
    text: &'t str,
    tokens: Tokens,
    /// The first token not yet in the builder.
    flushed: usize,
    /// The current token, never trivia.
    pos: usize,
    current: SyntaxKind,
    /// The last token taken.
    prev: usize,
    base: u32,
    builder: TreeBuilder<'t, SyntaxKind>,
    errors: Vec<SyntaxError>,
    /// The first token of the current logical line.
    line: usize,
    /// Whether an error was reported in the current logical line.
    line_failed: bool,
    /// The first token of the current line of text; a logical line may have several.
    physical_line: usize,
    /// The first token of the line of text of the last token taken.
    line_of_prev: usize,
    /// The last line of text in which an error was reported. A line gets one error, because others are usually
    /// consequences of it.
    failed_line: Option<usize>,
    /// Whether the previous logical line has an error.
    last_line_failed: bool,
    depth: u32,
    pub(crate) surroundings: Surroundings,
    /// The number of open brackets of each shape.
    open: [u32; 3],
    /// The kinds of the open lists, outermost first.
    lists: Vec<ListKind>,
}

/// The result of a parser.
pub(crate) struct Parsed<'t> {
    pub(crate) builder: TreeBuilder<'t, SyntaxKind>,
    pub(crate) errors: Vec<SyntaxError>,
    pub(crate) fragile: Vec<TextRange>,
}

impl<'t> Parser<'t> {
    /// Creates a parser of `tokens`. The first token begins at `base` in `text`.
    pub(crate) fn new(
        text: &'t str,
        base: u32,
        tokens: Tokens,
        surroundings: Surroundings,
        subtrees: &'t Subtrees,
    ) -> Parser<'t> {
        let len = tokens.ends.last().map_or(0, |end| end - base);
        let mut parser = Parser {
            text,
            tokens,
            flushed: 0,
            pos: 0,
            current: END,
            prev: 0,
            base,
            builder: TreeBuilder::new(len as usize, subtrees),
            errors: Vec::new(),
            line: 0,
            line_failed: false,
            physical_line: 0,
            line_of_prev: 0,
            failed_line: None,
            last_line_failed: false,
            depth: 0,
            surroundings,
            open: [0; 3],
            lists: Vec::new(),
        };
        parser.skip_trivia();
        parser.line = parser.pos;
        parser.physical_line = parser.pos;
        parser
    }

    pub(crate) fn finish(mut self) -> Parsed<'t> {
        self.flush();
        let mut errors = self.errors;
        errors.append(&mut self.tokens.errors);
        errors.sort_by(SyntaxError::order);
        let mut fragile = self.tokens.fragile;
        fragile.sort_by_key(|it| (it.start(), it.end()));
        Parsed {
            builder: self.builder,
            errors,
            fragile,
        }
    }

    #[inline]
    pub(crate) fn current(&self) -> SyntaxKind {
        self.current
    }

    #[inline]
    pub(crate) fn at(&self, kind: SyntaxKind) -> bool {
        self.current == kind
    }

    /// Whether the logical line ends here.
    pub(crate) fn at_line_end(&self) -> bool {
        matches!(self.current, NEWLINE | END | INDENT | DEDENT)
    }

    /// Whether the last token taken ended a logical line.
    pub(crate) fn at_line_start(&self) -> bool {
        self.pos == self.line
    }

    /// The kind of the token after the current one.
    pub(crate) fn next(&self) -> SyntaxKind {
        self.kinds_ahead().nth(1).unwrap_or(END)
    }

    /// The kinds of the current token and the tokens after it, without trivia.
    pub(crate) fn kinds_ahead(&self) -> impl Iterator<Item = SyntaxKind> + '_ {
        self.tokens.kinds[self.pos..]
            .iter()
            .copied()
            .filter(|it| !it.is_trivia())
    }

    fn token_start(&self, index: usize) -> u32 {
        if index == 0 {
            self.base
        } else {
            self.tokens.ends[index - 1]
        }
    }

    fn token_range(&self, index: usize) -> TextRange {
        TextRange::new(
            TextSize::new(self.token_start(index)),
            TextSize::new(self.tokens.ends[index]),
        )
    }

    /// The text of the current token.
    pub(crate) fn text(&self) -> &'t str {
        let text: &'t str = self.text;
        &text[self.token_range(self.pos)]
    }

    pub(crate) fn text_at(&self, range: TextRange) -> &'t str {
        let text: &'t str = self.text;
        &text[range]
    }

    /// The text from `start` to the end of the last token taken.
    pub(crate) fn text_since(&self, start: TextSize) -> &'t str {
        let text: &'t str = self.text;
        &text[TextRange::new(start, self.prev_end().into())]
    }

    /// Marks a range as fragile; see `Tokens::fragile`.
    pub(crate) fn mark_fragile(&mut self, range: TextRange) {
        self.tokens.fragile.push(range);
    }

    /// Whether only the ends of `depth` blocks are left.
    pub(crate) fn is_done(&self, depth: usize) -> bool {
        let rest = &self.tokens.kinds[self.pos..];
        rest.len() == depth + 1 && rest[..depth].iter().all(|&it| it == DEDENT)
    }

    /// The range of the current token.
    pub(crate) fn range(&self) -> TextRange {
        self.token_range(self.pos)
    }

    /// Where the last token taken ends.
    pub(crate) fn prev_end(&self) -> u32 {
        if self.flushed == 0 {
            self.base
        } else {
            self.tokens.ends[self.prev]
        }
    }

    /// Whether there are no trivia between the last token taken and the current one.
    pub(crate) fn is_adjacent(&self) -> bool {
        self.token_start(self.pos) == self.prev_end()
    }

    /// A number that grows with each token taken. Loops use it to check for progress.
    #[inline]
    pub(crate) fn progress(&self) -> usize {
        self.pos
    }

    fn skip_trivia(&mut self) {
        loop {
            let kind = self.tokens.kinds[self.pos];
            if !kind.is_trivia() {
                self.current = kind;
                return;
            }
            self.pos += 1;
            if kind == SyntaxKind::SOFT_NEWLINE {
                self.physical_line = self.pos;
            }
        }
    }

    /// Adds all skipped trivia to the builder.
    fn flush(&mut self) {
        while self.flushed < self.pos {
            self.push(self.flushed, self.tokens.kinds[self.flushed]);
            self.flushed += 1;
        }
    }

    #[inline]
    fn push(&mut self, index: usize, kind: SyntaxKind) {
        let (start, end) = (self.token_start(index), self.tokens.ends[index]);
        if start < end {
            self.builder
                .token(kind, &self.text[start as usize..end as usize]);
        }
    }

    /// Takes the current token.
    #[inline]
    pub(crate) fn bump(&mut self) {
        self.bump_as(self.current);
    }

    /// Takes the current token with another kind, such as a soft keyword that the lexer read as a name.
    pub(crate) fn bump_as(&mut self, kind: SyntaxKind) {
        if self.at(END) {
            return;
        }
        self.flush();
        self.push(self.pos, kind);
        self.prev = self.pos;
        self.line_of_prev = self.physical_line;
        self.pos += 1;
        self.flushed = self.pos;
        self.skip_trivia();
        if kind == NEWLINE {
            self.start_line();
        }
    }

    /// Skips an INDENT or DEDENT, which has no text. Trivia before it stay pending.
    pub(crate) fn skip_mark(&mut self) {
        if matches!(self.current, INDENT | DEDENT) {
            self.pos += 1;
            self.skip_trivia();
            self.line = self.pos;
        }
    }

    pub(crate) fn eat(&mut self, kind: SyntaxKind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    pub(crate) fn start(&mut self) -> Mark {
        self.flush();
        Mark {
            index: self.builder.len(),
            offset: self.token_start(self.pos),
        }
    }

    #[inline]
    pub(crate) fn finish_node(&mut self, mark: Mark, kind: SyntaxKind) {
        self.builder.wrap(mark.index, kind);
    }

    /// The last finished node, if no token was taken after it.
    pub(crate) fn last_node(&self) -> Option<&GreenNode> {
        self.builder.last_node()
    }

    pub(crate) fn last_kind(&self) -> Option<SyntaxKind> {
        self.last_node().map(|it| SyntaxKind::of_green(it.kind()))
    }

    /// Whether any token was taken since the mark.
    pub(crate) fn has_grown(&self, mark: Mark) -> bool {
        self.builder.len() > mark.index
    }

    /// Whether the last node has the maximum height, so a chain must not continue.
    #[inline]
    pub(crate) fn is_high(&self) -> bool {
        self.builder.height() >= MAX_HEIGHT
    }

    /// Runs a recursive production. `None` if it is nested too deeply.
    #[inline]
    pub(crate) fn nested<T>(&mut self, production: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth >= MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let result = production(self);
        self.depth -= 1;
        Some(result)
    }

    /// The position for [`Self::group`].
    pub(crate) fn stack_len(&self) -> usize {
        self.builder.len()
    }

    pub(crate) fn group(&mut self, ends: &[usize], kind: SyntaxKind) {
        self.builder.group(ends, kind);
    }

    fn start_line(&mut self) {
        self.last_line_failed = self.line_has_error();
        self.line_failed = false;
        self.line = self.pos;
        self.physical_line = self.pos;
    }

    /// Whether the node at `mark` is a tuple without parentheses.
    pub(crate) fn tuple_without_parens(&self, mark: Mark) -> bool {
        self.last_kind() == Some(SyntaxKind::TUPLE_EXPR)
            && self.text.as_bytes()[mark.offset as usize] != b'('
    }
}
