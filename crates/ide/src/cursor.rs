//! Analyses the logical line before the cursor by its tokens: the word being typed, the string around the cursor, and
//! the open brackets with their arguments so far.
//!
//! Reads backwards and never needs the line to be complete, since completion is mostly requested in incomplete lines.

use relax::arguments::Argument;
use smol_str::SmolStr;
use syntax::{SyntaxKind, SyntaxNode, SyntaxToken};
use text_size::{TextRange, TextSize};

/// The maximum number of tokens to read backwards. A longer line is data.
const MAX_TOKENS: usize = 4096;
/// The maximum number of tokens to read after the cursor, to see which arguments follow.
const MAX_AFTER: usize = 256;

#[derive(Debug)]
pub struct Cursor {
    pub offset: TextSize,
    /// The range of the word at the cursor; empty if no word is begun.
    pub word: TextRange,
    /// The names before the word and its dots: `R`, `nn` for `R.nn.`.
    pub path: Option<Path>,
    /// The range of the contents of the string around the cursor.
    pub string: Option<TextRange>,
    /// The open brackets around the cursor, innermost first.
    pub open: Vec<Open>,
    pub line: Line,
    /// `true` in a number or in the text of an f-string, where nothing can be completed.
    pub literal: bool,
    /// The token before the word (or the string, or the path) if it is on the same logical line.
    pub before: Option<SyntaxKind>,
}

/// The part of a logical line before the cursor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The first token of the line, unless it is the word itself.
    pub first: Option<SyntaxKind>,
    /// `true` if there is a colon outside of brackets, which separates a target or a parameter from the rest.
    pub colon: bool,
    pub equals: bool,
    pub arrow: bool,
    pub start: TextSize,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path {
    /// The names; empty if the base is not a name.
    pub names: Vec<SmolStr>,
    /// The last name if the base is an expression: `astype` for `R.exp(x).astype`.
    pub member: Option<SmolStr>,
    /// The range of the base with all its dots except the last.
    pub base: TextRange,
}

/// An open bracket.
#[derive(Clone, Debug)]
pub struct Open {
    pub bracket: SyntaxKind,
    pub at: TextSize,
    /// The expression directly before the bracket.
    pub callee: Path,
    /// The arguments up to the cursor, in order. The last one is at the cursor and may be empty.
    pub args: Vec<WrittenArgument>,
    /// The keywords of arguments after the cursor.
    pub later: Vec<SmolStr>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WrittenArgument {
    pub keyword: Option<SmolStr>,
    /// `true` after a colon: in a dict after the key, in a signature after the parameter's name.
    pub colon: bool,
    /// `true` if nothing except the keyword is before the cursor.
    pub empty: bool,
}

impl Argument for WrittenArgument {
    fn keyword(&self) -> Option<&str> {
        self.keyword.as_deref()
    }

    fn is_starred(&self) -> bool {
        false
    }
}

impl Open {
    /// Returns `true` for a call, or for a constructor that the RFC subscripts: `R.Tensor[`.
    pub fn is_call(&self) -> bool {
        let constructor = |name: &SmolStr| name.starts_with(char::is_uppercase);
        match self.bracket {
            SyntaxKind::L_PAREN => !self.callee.names.is_empty() || self.callee.member.is_some(),
            SyntaxKind::L_BRACKET => {
                self.callee.names.len() > 1 && self.callee.names.last().is_some_and(constructor)
            }
            _ => false,
        }
    }

    /// Returns the argument at the cursor.
    pub fn current(&self) -> &WrittenArgument {
        static NONE: WrittenArgument = WrittenArgument {
            keyword: None,
            colon: false,
            empty: true,
        };
        self.args.last().unwrap_or(&NONE)
    }

    /// Returns the number of arguments before the one at the cursor.
    pub fn position(&self) -> usize {
        self.args.len().saturating_sub(1)
    }

    pub fn has_keyword(&self, keyword: &str) -> bool {
        let before = &self.args[..self.position()];
        before
            .iter()
            .any(|arg| arg.keyword.as_deref() == Some(keyword))
            || self.later.iter().any(|later| later == keyword)
    }
}

impl Cursor {
    /// Returns `None` in comments.
    pub fn new(root: &SyntaxNode, offset: TextSize) -> Option<Cursor> {
        let mut cursor = Cursor {
            offset,
            word: TextRange::empty(offset),
            path: None,
            string: None,
            open: Vec::new(),
            line: Line::default(),
            literal: false,
            before: None,
        };
        let Some(token) = token_before(root, offset) else {
            return Some(cursor);
        };
        let next = match token.kind() {
            SyntaxKind::COMMENT if token.text_range().end() >= offset => return None,
            SyntaxKind::INT
            | SyntaxKind::FLOAT
            | SyntaxKind::IMAGINARY
            | SyntaxKind::FSTRING_START
            | SyntaxKind::FSTRING_TEXT => {
                cursor.literal = true;
                Some(token)
            }
            SyntaxKind::STRING => match string_content(&token, offset) {
                Some(content) => {
                    cursor.string = Some(content);
                    previous(&token)
                }
                None => Some(token),
            },
            kind if is_word(kind) => {
                cursor.word = token.text_range();
                previous(&token)
            }
            kind if kind.is_trivia() => previous(&token),
            _ => Some(token),
        };
        Reader {
            cursor: &mut cursor,
            left: MAX_TOKENS,
        }
        .read(next);
        // Parameters of a definition are not arguments.
        let defines = matches!(
            cursor.line.first,
            Some(SyntaxKind::DEF_KW | SyntaxKind::CLASS_KW)
        );
        let params = cursor.open.last_mut().filter(|_| !cursor.line.arrow);
        if let (true, Some(params)) = (defines, params) {
            params.callee = Path::default();
        }
        let after = root.covering_element(TextRange::empty(offset));
        let after = after.into_token().or_else(|| token_before(root, offset));
        if let (Some(open), Some(after)) = (cursor.open.first_mut(), after) {
            open.later = keywords_after(after, offset);
        }
        Some(cursor)
    }

    /// Returns the part of the word before the cursor.
    pub fn typed<'t>(&self, text: &'t str) -> &'t str {
        let range = self.string.unwrap_or(self.word);
        let end = self.offset.min(range.end());
        text.get(usize::from(range.start())..usize::from(end))
            .unwrap_or_default()
    }

    /// Returns `true` if the word begins a statement.
    pub fn begins_statement(&self) -> bool {
        self.line.first.is_none() && self.open.is_empty() && self.path.is_none()
    }

    /// Returns the innermost call around the cursor, and whether another bracket is open inside it.
    pub fn call(&self) -> Option<(&Open, bool)> {
        let at = self.open.iter().position(Open::is_call)?;
        Some((&self.open[at], at > 0))
    }
}

struct Reader<'c> {
    cursor: &'c mut Cursor,
    left: usize,
}

impl Reader<'_> {
    fn read(&mut self, from: Option<SyntaxToken>) {
        let mut next = from;
        if let Some(dot) = next.clone().filter(|token| token.kind() == SyntaxKind::DOT) {
            let (path, before) = path_before(&dot);
            self.cursor.path = Some(path);
            next = before;
        }
        self.cursor.before = next
            .as_ref()
            .map(SyntaxToken::kind)
            .filter(|kind| *kind != SyntaxKind::NEWLINE);
        let mut args = vec![WrittenArgument {
            empty: true,
            ..WrittenArgument::default()
        }];
        if self.cursor.path.is_some() {
            args[0].empty = false;
        }
        while let Some(token) = next.take() {
            self.left -= 1;
            let kind = token.kind();
            if self.left == 0 || kind == SyntaxKind::NEWLINE || kind == SyntaxKind::SEMICOLON {
                if self.left == 0 {
                    self.guess_line(&token);
                }
                return;
            }
            self.cursor.line.first = Some(kind);
            self.cursor.line.start = token.text_range().start();
            match kind {
                SyntaxKind::L_PAREN | SyntaxKind::L_BRACKET | SyntaxKind::L_BRACE => {
                    let (callee, _) = path_before(&token);
                    args.reverse();
                    self.cursor.open.push(Open {
                        bracket: kind,
                        at: token.text_range().start(),
                        callee,
                        args: std::mem::take(&mut args),
                        later: Vec::new(),
                    });
                    args = vec![WrittenArgument::default()];
                    next = previous(&token);
                }
                SyntaxKind::R_PAREN | SyntaxKind::R_BRACKET | SyntaxKind::R_BRACE => {
                    Self::touch(&mut args);
                    next = previous(&opener(&token));
                }
                SyntaxKind::COMMA => {
                    args.push(WrittenArgument {
                        empty: true,
                        ..WrittenArgument::default()
                    });
                    next = previous(&token);
                }
                SyntaxKind::EQ => {
                    let name = previous(&token);
                    let before = name.as_ref().and_then(previous).map(|token| token.kind());
                    if let (Some(name), Some(SyntaxKind::COMMA | SyntaxKind::L_PAREN)) =
                        (&name, before)
                        && is_word(name.kind())
                        && let Some(arg) = args.last_mut()
                    {
                        arg.keyword = Some(name.text().into());
                        next = previous(name);
                    } else {
                        next = name;
                    }
                    self.cursor.line.equals = true;
                }
                SyntaxKind::COLON => {
                    if let Some(arg) = args.last_mut() {
                        arg.colon = true;
                    }
                    self.cursor.line.colon = true;
                    next = previous(&token);
                }
                SyntaxKind::LAMBDA_KW => {
                    // The commas before the colon of a lambda separate its own parameters.
                    if let Some(own) = args.iter().rposition(|arg| arg.colon) {
                        args.truncate(own + 1);
                        args[own] = WrittenArgument::default();
                    }
                    next = previous(&token);
                }
                _ => {
                    Self::touch(&mut args);
                    self.cursor.line.arrow |= kind == SyntaxKind::ARROW;
                    next = previous(&token);
                }
            }
            // Only tokens outside of the open brackets structure the line.
            if matches!(
                kind,
                SyntaxKind::L_PAREN | SyntaxKind::L_BRACKET | SyntaxKind::L_BRACE
            ) {
                let line = &mut self.cursor.line;
                (line.equals, line.colon, line.arrow) = (false, false, false);
            }
        }
    }

    fn touch(args: &mut [WrittenArgument]) {
        if let Some(arg) = args.last_mut() {
            arg.empty = false;
        }
    }

    /// Uses the syntax tree to find the kind of a line that is too long to read to its start.
    fn guess_line(&mut self, token: &SyntaxToken) {
        let header = token
            .parent_ancestors()
            .find(|node| matches!(node.kind(), SyntaxKind::PARAM_LIST | SyntaxKind::SUITE));
        self.cursor.line.first = match header.map(|node| node.kind()) {
            Some(SyntaxKind::PARAM_LIST) => Some(SyntaxKind::DEF_KW),
            _ => Some(SyntaxKind::ERROR),
        };
    }
}

/// Returns the token that ends at or contains `offset`.
fn token_before(root: &SyntaxNode, offset: TextSize) -> Option<SyntaxToken> {
    let token = syntax::tokens_at(root, offset).left_biased()?;
    if token.text_range().start() == offset {
        token.prev_token()
    } else {
        Some(token)
    }
}

/// Returns the previous token, skipping whitespace and comments, but not line ends that end a statement.
fn previous(token: &SyntaxToken) -> Option<SyntaxToken> {
    let mut before = token.prev_token();
    while let Some(token) = before.as_ref().filter(|token| token.kind().is_trivia()) {
        before = token.prev_token();
    }
    before
}

fn is_word(kind: SyntaxKind) -> bool {
    kind == SyntaxKind::IDENT
        || kind.is_keyword()
        || matches!(
            kind,
            SyntaxKind::MATCH_KW
                | SyntaxKind::CASE_KW
                | SyntaxKind::TYPE_KW
                | SyntaxKind::UNDERSCORE_KW
        )
}

/// Returns the bracket that matches a closing bracket, or the bracket itself if there is none.
fn opener(closing: &SyntaxToken) -> SyntaxToken {
    let first = closing.parent().and_then(|node| {
        node.children_with_tokens()
            .filter_map(syntax::NodeOrToken::into_token)
            .find(|token| {
                matches!(
                    (token.kind(), closing.kind()),
                    (SyntaxKind::L_PAREN, SyntaxKind::R_PAREN)
                        | (SyntaxKind::L_BRACKET, SyntaxKind::R_BRACKET)
                        | (SyntaxKind::L_BRACE, SyntaxKind::R_BRACE)
                )
            })
    });
    first.unwrap_or_else(|| closing.clone())
}

/// Returns the dotted name that ends before a bracket or a dot, and the token before it.
fn path_before(end: &SyntaxToken) -> (Path, Option<SyntaxToken>) {
    let mut path = Path::default();
    let Some(last) = previous(end) else {
        return (path, None);
    };
    path.base = last.text_range();
    if last.kind() != SyntaxKind::IDENT && !(last.kind().is_keyword() && after_dot(&last)) {
        // `f(x).`, `A[0].`: the base is an expression, so only its end is known.
        return (path, Some(last));
    }
    let mut at = Some(last);
    while let Some(token) = at {
        if !is_word(token.kind()) {
            // `f(x).y.`
            path.member = path.names.first().cloned();
            path.names.clear();
            return (path, Some(token));
        }
        path.names.push(token.text().into());
        path.base = path.base.cover(token.text_range());
        let before = previous(&token);
        match before {
            Some(dot) if dot.kind() == SyntaxKind::DOT => at = previous(&dot),
            before => {
                path.names.reverse();
                return (path, before);
            }
        }
    }
    path.names.clear();
    (path, None)
}

fn after_dot(token: &SyntaxToken) -> bool {
    previous(token).is_some_and(|before| before.kind() == SyntaxKind::DOT)
}

/// Returns the range between the quotes of the string around the cursor; for an unterminated string, the part that has
/// been typed.
fn string_content(token: &SyntaxToken, offset: TextSize) -> Option<TextRange> {
    let (text, range) = (token.text(), token.text_range());
    let prefix = text.find(['"', '\''])?;
    let quote = &text[prefix..=prefix];
    let quotes = if text[prefix..].starts_with(&quote.repeat(3)) {
        3
    } else {
        1
    };
    let open = prefix + quotes;
    let closed = text.len() >= open + quotes && text.ends_with(&quote.repeat(quotes));
    let start = range.start() + TextSize::new(open as u32);
    if closed {
        let end = range.end() - TextSize::new(quotes as u32);
        return (start <= offset && offset <= end).then(|| TextRange::new(start, end));
    }
    if offset < start {
        return None;
    }
    let after = &text[usize::from(offset - range.start())..];
    let word = after
        .find(|c: char| !(c.is_alphanumeric() || c == '_'))
        .unwrap_or(after.len());
    Some(TextRange::new(start, offset + TextSize::new(word as u32)))
}

/// Returns the keywords of the arguments between the cursor and the end of the bracket around it.
fn keywords_after(from: SyntaxToken, offset: TextSize) -> Vec<SmolStr> {
    let mut found = Vec::new();
    let mut depth = 0_u32;
    let mut word: Option<SyntaxToken> = None;
    let mut next = Some(from);
    for _ in 0..MAX_AFTER {
        let Some(token) = next else { break };
        next = token.next_token();
        let kind = token.kind();
        if token.text_range().start() < offset || kind.is_trivia() {
            continue;
        }
        match kind {
            SyntaxKind::L_PAREN | SyntaxKind::L_BRACKET | SyntaxKind::L_BRACE => depth += 1,
            SyntaxKind::R_PAREN | SyntaxKind::R_BRACKET | SyntaxKind::R_BRACE if depth == 0 => {
                break;
            }
            SyntaxKind::R_PAREN | SyntaxKind::R_BRACKET | SyntaxKind::R_BRACE => depth -= 1,
            SyntaxKind::NEWLINE => break,
            SyntaxKind::EQ if depth == 0 => {
                found.extend(word.take().map(|word| SmolStr::from(word.text())));
            }
            _ => {}
        }
        word = is_word(kind).then_some(token);
    }
    found
}
