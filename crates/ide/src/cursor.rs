//! What stands before the cursor on its logical line, by tokens alone: the word that is being typed, the string it is
//! in, the brackets open around it with the arguments given so far.
//!
//! Reads backwards and never needs the line to be complete, since where completion is asked it seldom is.

use relax::arguments::Argument;
use smol_str::SmolStr;
use syntax::{SyntaxKind, SyntaxNode, SyntaxToken};
use text_size::{TextRange, TextSize};

/// Tokens read before giving up: a line of more is data.
const MAX_TOKENS: usize = 4096;
/// Tokens read after the cursor, to see which arguments are given there.
const MAX_AFTER: usize = 256;

#[derive(Debug)]
pub struct Cursor {
    pub offset: TextSize,
    /// The word at the cursor; empty where none is begun.
    pub word: TextRange,
    /// The names before the word and its dots: `R.nn.` gives `R`, `nn`.
    pub path: Option<Path>,
    /// The content of the string that the cursor is in.
    pub string: Option<TextRange>,
    /// The brackets that are open here, innermost first.
    pub open: Vec<Open>,
    pub line: Line,
    /// In a number or the text of an f-string, where nothing can be completed.
    pub literal: bool,
    /// The token before the word (or the string, or the path), if it is on the same logical line.
    pub before: Option<SyntaxKind>,
}

/// What a logical line is, as far as it stands before the cursor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Its first token, unless that is the word itself.
    pub first: Option<SyntaxKind>,
    /// Outside of brackets: what divides a target or a parameter from the rest.
    pub colon: bool,
    pub equals: bool,
    pub arrow: bool,
    pub start: TextSize,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path {
    /// Empty where the base is not a name.
    pub names: Vec<SmolStr>,
    /// The last name, where the base is an expression: `astype` of `R.exp(x).astype`.
    pub member: Option<SmolStr>,
    /// The base with all its dots but the last.
    pub base: TextRange,
}

/// An open bracket.
#[derive(Clone, Debug)]
pub struct Open {
    pub bracket: SyntaxKind,
    pub at: TextSize,
    /// What stands directly before it.
    pub callee: Path,
    /// Those before the cursor, in order; the last is the one at the cursor, perhaps empty.
    pub args: Vec<WrittenArgument>,
    /// Keywords of arguments after the cursor.
    pub later: Vec<SmolStr>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WrittenArgument {
    pub keyword: Option<SmolStr>,
    /// In a dict the key is before a colon; so is a parameter's name.
    pub colon: bool,
    /// Nothing but the keyword stands before the cursor.
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
    /// A call, or a constructor that the RFC subscribes: `R.Tensor[`.
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

    /// The argument at the cursor.
    pub fn current(&self) -> &WrittenArgument {
        static NONE: WrittenArgument = WrittenArgument {
            keyword: None,
            colon: false,
            empty: true,
        };
        self.args.last().unwrap_or(&NONE)
    }

    /// How many arguments stand before the one at the cursor.
    pub fn position(&self) -> usize {
        self.args.len().saturating_sub(1)
    }

    pub fn gives(&self, keyword: &str) -> bool {
        let before = &self.args[..self.position()];
        before
            .iter()
            .any(|arg| arg.keyword.as_deref() == Some(keyword))
            || self.later.iter().any(|later| later == keyword)
    }
}

impl Cursor {
    /// `None` in comments.
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
        // The parameters of a definition are no arguments.
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

    /// What is typed of the word so far.
    pub fn typed<'t>(&self, text: &'t str) -> &'t str {
        let range = self.string.unwrap_or(self.word);
        let end = self.offset.min(range.end());
        text.get(usize::from(range.start())..usize::from(end))
            .unwrap_or_default()
    }

    /// Whether a statement begins with the word.
    pub fn begins_statement(&self) -> bool {
        self.line.first.is_none() && self.open.is_empty() && self.path.is_none()
    }

    /// The innermost call around the cursor, and whether a bracket of its own is open inside it.
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
                    // The commas before its colon are between its own parameters.
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
            // Only what stands outside of the brackets around the cursor divides the line.
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

    /// The line is too long to be read to its start: the tree knows what kind it is.
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

/// The token that ends at or holds `offset`.
fn token_before(root: &SyntaxNode, offset: TextSize) -> Option<SyntaxToken> {
    let token = syntax::tokens_at(root, offset).left_biased()?;
    if token.text_range().start() == offset {
        token.prev_token()
    } else {
        Some(token)
    }
}

/// The token before another one, without blanks and comments; line ends that end a statement count.
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

/// The partner of a closing bracket, or the bracket itself if it has none.
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

/// The dotted names that end before a bracket or a dot, and the token before them.
fn path_before(end: &SyntaxToken) -> (Path, Option<SyntaxToken>) {
    let mut path = Path::default();
    let Some(last) = previous(end) else {
        return (path, None);
    };
    path.base = last.text_range();
    if last.kind() != SyntaxKind::IDENT && !(last.kind().is_keyword() && after_dot(&last)) {
        // `f(x).`, `A[0].`: the base is an expression; only where it ends is told.
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

/// The range between the quotes of a string that the cursor is in; of one without an end, what is typed of it.
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

/// The keywords of the arguments between the cursor and the end of the bracket it is in.
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
