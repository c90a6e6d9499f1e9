//! Formatting as TVM prints: one statement per line, two spaces of indentation, no broken lines.
//!
//! Only the whitespace between tokens changes, according to a table (`separators`). A definition with a syntax error
//! is left unchanged. Formatting is idempotent.

mod separators;

use hir::RelayFile;
use syntax::relay::{SyntaxElement, SyntaxKind, SyntaxToken};
use text_size::{TextRange, TextSize};

use crate::lines::line_ending;
use crate::source_edit::SourceEdit;
use separators::{Separator, breaks_lines, separator};

/// Returns the edit that formats a file, or only the lines that `range` touches.
pub fn format(file: &RelayFile, text: &str, range: Option<TextRange>) -> SourceEdit {
    let root = file.parse.syntax();
    let broken: Vec<TextRange> = broken(file);
    let tokens = root.descendants_with_tokens();
    let tokens = tokens.filter_map(SyntaxElement::into_token);
    let tokens = tokens.filter(|it| it.kind() != SyntaxKind::WHITESPACE);
    let mut edit = SourceEdit::default();
    let mut walk = Walk::default();
    let newline = line_ending(text);
    let mut change = |between: TextRange, wanted: String| {
        let wanted = wanted.replace('\n', newline);
        let is_broken = broken.iter().any(|it| it.contains_range(between));
        let is_wanted = range.is_none_or(|it| it.intersect(between).is_some());
        if is_wanted && !is_broken && text[between] != wanted {
            let before = std::mem::take(&mut edit);
            edit = before.and_replace(between, wanted);
        }
    };
    for token in tokens {
        let start = walk.last.as_ref().map_or(TextSize::new(0), end);
        let between = TextRange::new(start, token.text_range().start());
        let wanted = walk.blanks_before(&token, &text[between]);
        change(between, wanted);
        walk.take(token);
    }
    if let Some(last) = walk.last.as_ref().filter(|it| !it.text().ends_with('\n')) {
        let rest = TextRange::new(end(last), TextSize::of(text));
        change(rest, "\n".to_owned());
    }
    edit
}

/// Returns the end of a token. A comment holds the first half of a line end of Windows.
fn end(token: &SyntaxToken) -> TextSize {
    let text = token.text();
    token.text_range().start() + TextSize::of(text.strip_suffix('\r').unwrap_or(text))
}

/// Returns the definitions with a syntax error.
fn broken(file: &RelayFile) -> Vec<TextRange> {
    let errors = &file.parse.errors;
    let touches = |it: &TextRange| {
        errors
            .iter()
            .any(|error| it.intersect(error.range).is_some())
    };
    let children = file.parse.syntax();
    let children = children.children().map(|it| it.text_range());
    children.filter(touches).collect()
}

#[derive(Default)]
struct Walk {
    last: Option<SyntaxToken>,
    /// The last token that is not a comment.
    last_code: Option<SyntaxToken>,
    depth: usize,
}

impl Walk {
    /// Returns the whitespace before a token. `now` is the current whitespace.
    fn blanks_before(&self, token: &SyntaxToken, now: &str) -> String {
        let Some(last) = &self.last else {
            return String::new();
        };
        let newlines = now.matches('\n').count();
        let by_code = match &self.last_code {
            Some(code) => separator(code, token),
            None => Separator::Line,
        };
        let is_comment = token.kind() == SyntaxKind::COMMENT;
        let after_comment = last.kind() == SyntaxKind::COMMENT;
        let separator = if is_comment && newlines == 0 {
            Separator::Space
        } else if is_comment || last.text().starts_with("//") {
            match by_code {
                Separator::Blank if !after_comment => Separator::Blank,
                _ => Separator::Line,
            }
        } else if after_comment {
            match by_code {
                Separator::Blank => Separator::Line,
                Separator::None if !separators::closes(token.kind()) => Separator::Space,
                other => other,
            }
        } else {
            by_code
        };
        match separator {
            Separator::None => String::new(),
            Separator::Space => " ".to_owned(),
            Separator::Blank => "\n\n".to_owned(),
            Separator::Line => {
                let closes = token.kind() == SyntaxKind::R_BRACE;
                let opens = last.kind() == SyntaxKind::L_BRACE;
                let lines = if newlines > 1 && !closes && !opens {
                    "\n\n"
                } else {
                    "\n"
                };
                let depth = self.depth - usize::from(closes && breaks_lines(token));
                lines.to_owned() + &"  ".repeat(depth)
            }
        }
    }

    fn take(&mut self, token: SyntaxToken) {
        if breaks_lines(&token) {
            match token.kind() {
                SyntaxKind::L_BRACE => self.depth += 1,
                SyntaxKind::R_BRACE => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
        }
        if token.kind() != SyntaxKind::COMMENT {
            self.last_code = Some(token.clone());
        }
        self.last = Some(token);
    }
}
