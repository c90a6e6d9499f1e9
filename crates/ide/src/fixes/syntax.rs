//! Repairs syntax errors with one change: inserts something missing, removes something surplus, or corrects a misspelt
//! keyword. A repair is offered only if the parser confirms that it resolves the error.

use hir::Source;
use relax::Diagnostic;
use relax::nearest_name::NearestName;
use syntax::ast::AstNode;
use syntax::{SyntaxKind, SyntaxToken};
use text_size::{TextRange, TextSize};

use super::{FileContext, Fixes};
use crate::source_edit::SourceEdit;

/// Keywords that a misspelt word may stand for, at the start of a statement and elsewhere.
const STATEMENTS: &[&str] = &[
    "assert", "class", "def", "elif", "else", "for", "from", "if", "import", "return", "while",
    "with",
];
const BETWEEN: &[&str] = &[
    "and", "as", "else", "for", "if", "import", "in", "not", "or",
];
/// Keywords that begin the header of a block.
const HEADERS: &[&str] = &["class", "def", "elif", "else", "for", "if", "while", "with"];

/// The maximum number of brackets that one repair closes.
const MAX_OPEN: usize = 8;
/// The maximum number of tokens to read back to the beginning of a statement.
const MAX_TOKENS: usize = 4096;

pub fn repair(cx: &FileContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    if fixes.only_certain {
        return;
    }
    let source = cx.file.source(cx.db);
    let Some(error) = ErrorContext::new(source, diagnostic.range) else {
        return;
    };
    let mut repairs = error.keywords();
    repairs.extend(error.brackets());
    repairs.extend(error.quotes());
    let ends_error = |it: &Repair| {
        let paid = fixes.checks.spend_on_parsing(TextSize::of(&*source.text));
        paid.is_some() && it.ends_error(source)
    };
    if let Some(repair) = repairs.into_iter().find(ends_error) {
        let edit = SourceEdit::replace(repair.range, repair.text);
        fixes.preferred("repair-syntax", repair.title, edit);
    }
}

struct Repair {
    title: String,
    range: TextRange,
    text: String,
}

impl Repair {
    fn insert(at: TextSize, text: impl Into<String>) -> Repair {
        let text = text.into();
        Repair {
            title: format!("Insert `{text}`"),
            range: TextRange::empty(at),
            text,
        }
    }

    fn change(range: TextRange, old: &str, new: &str) -> Repair {
        Repair {
            title: format!("Change `{old}` to `{new}`"),
            range,
            text: new.to_owned(),
        }
    }

    fn ends_error(&self, source: &Source) -> bool {
        let (start, end) = (self.range.start().into(), self.range.end().into());
        let text = [&source.text[..start], &self.text, &source.text[end..]].concat();
        let inserted = TextSize::of(&*self.text);
        let parse = source.parse.reparse(self.range, inserted, &text);
        parse.errors.len() < source.parse.errors.len()
    }
}

/// The tokens around a syntax error.
struct ErrorContext<'s> {
    text: &'s str,
    range: TextRange,
    /// The token at the error.
    found: SyntaxToken,
    /// The last token before it that is not whitespace.
    before: Option<SyntaxToken>,
    /// The first token of the statement.
    first: Option<SyntaxToken>,
    /// The text that closes the open brackets, innermost first.
    closing: String,
}

impl<'s> ErrorContext<'s> {
    fn new(source: &'s Source, range: TextRange) -> Option<ErrorContext<'s>> {
        let tree = source.parse.tree();
        let found = syntax::tokens_at(tree.syntax(), range.start());
        let found = found.right_biased()?;
        let mut error = ErrorContext {
            text: &source.text,
            range,
            before: None,
            first: None,
            closing: String::new(),
            found: found.clone(),
        };
        error.read_back(found);
        Some(error)
    }

    /// Reads back to the beginning of the statement.
    fn read_back(&mut self, from: SyntaxToken) {
        let mut closed = 0_u32;
        let before = std::iter::successors(from.prev_token(), SyntaxToken::prev_token);
        for token in before.take(MAX_TOKENS) {
            let kind = token.kind();
            if kind == SyntaxKind::NEWLINE {
                break;
            }
            if kind.is_trivia() || kind == SyntaxKind::SOFT_NEWLINE {
                continue;
            }
            let closing = match kind {
                SyntaxKind::R_PAREN | SyntaxKind::R_BRACKET | SyntaxKind::R_BRACE => {
                    closed += 1;
                    None
                }
                SyntaxKind::L_PAREN => Some(')'),
                SyntaxKind::L_BRACKET => Some(']'),
                SyntaxKind::L_BRACE => Some('}'),
                _ => None,
            };
            match closing {
                Some(_) if closed > 0 => closed -= 1,
                Some(closing) if self.closing.len() < MAX_OPEN => self.closing.push(closing),
                _ => {}
            }
            self.before.get_or_insert_with(|| token.clone());
            self.first = Some(token);
        }
    }

    fn first_word(&self) -> &str {
        self.first
            .as_ref()
            .map_or(self.found.text(), SyntaxToken::text)
    }

    fn keywords(&self) -> Vec<Repair> {
        let mut repairs = Vec::new();
        if self.first_word() == "else" && self.found.text() == "if" {
            let start = self.first.as_ref().map(|it| it.text_range().start());
            let range = TextRange::new(start.unwrap_or_default(), self.found.text_range().end());
            repairs.push(Repair::change(range, "else if", "elif"));
        }
        let first = match self.found.kind() {
            // After a decorator without a function, the `def` below may be misspelt.
            SyntaxKind::AT => self.next_line(),
            _ => Some(self.first.clone().unwrap_or_else(|| self.found.clone())),
        };
        let between = [Some(&self.found), self.before.as_ref()];
        let words = first.iter().map(|it| (it, STATEMENTS));
        let words = words.chain(between.into_iter().flatten().map(|it| (it, BETWEEN)));
        for (token, known) in words.filter(|(it, _)| it.kind() == SyntaxKind::IDENT) {
            let word = token.text();
            let near = NearestName::<&str>::to(word);
            let is_slip = |keyword: &&&str| near.as_ref().is_some_and(|it| it.is_slip(keyword));
            let meant = known.iter().filter(is_slip);
            repairs.extend(meant.map(|it| Repair::change(token.text_range(), word, it)));
        }
        repairs
    }

    /// Returns the first token after the line of the error.
    fn next_line(&self) -> Option<SyntaxToken> {
        let after = std::iter::successors(self.found.next_token(), SyntaxToken::next_token);
        let mut after = after.take(MAX_TOKENS);
        after.find(|it| it.kind() == SyntaxKind::NEWLINE)?;
        after.find(|it| !it.kind().is_trivia() && it.kind() != SyntaxKind::NEWLINE)
    }

    fn brackets(&self) -> Vec<Repair> {
        let mut repairs = Vec::new();
        let is_closing = matches!(
            self.found.kind(),
            SyntaxKind::R_PAREN | SyntaxKind::R_BRACKET | SyntaxKind::R_BRACE
        );
        let found = self.found.text();
        if is_closing && !self.range.is_empty() {
            let range = self.found.text_range();
            match self.closing.get(..1) {
                Some(other) => repairs.push(Repair::change(range, found, other)),
                None => repairs.push(Repair {
                    title: format!("Remove `{found}`"),
                    range,
                    text: String::new(),
                }),
            }
        }
        let end = self.before.as_ref().map(|it| it.text_range().end());
        let Some(at) = end.filter(|end| *end <= self.range.start()) else {
            return repairs;
        };
        let closings = (1..=self.closing.len()).map(|count| &self.closing[..count]);
        repairs.extend(closings.map(|closing| Repair::insert(at, closing)));
        if HEADERS.contains(&self.first_word()) {
            repairs.push(Repair::insert(at, format!("{}:", self.closing)));
        }
        // Two adjacent names at the start of a statement are not a tuple.
        let keyword = self.first.as_ref().is_some_and(|it| it.kind().is_keyword());
        if keyword || !self.closing.is_empty() {
            repairs.push(Repair::insert(at, ","));
        }
        repairs
    }

    /// Proposes a closing quote after the first word of a string, or at its end.
    fn quotes(&self) -> Vec<Repair> {
        let text = self.found.text();
        let Some(quote) = text.chars().next().filter(|it| matches!(it, '"' | '\'')) else {
            return Vec::new();
        };
        let tripled = text.starts_with(&quote.to_string().repeat(3));
        if self.found.kind() != SyntaxKind::STRING || tripled || text[1..].ends_with(quote) {
            return Vec::new();
        }
        let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '/');
        let word = text[1..]
            .find(|c| !plain(c))
            .map_or(text.len(), |at| at + 1);
        let start = usize::from(self.found.text_range().start());
        let line = self.text[start..].lines().next().unwrap_or_default();
        let ends = [word, line.trim_end().len()];
        let at = |end: usize| Repair::insert(TextSize::new((start + end) as u32), quote);
        ends.map(at).into()
    }
}
