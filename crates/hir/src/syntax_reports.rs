//! Syntax errors as reports: what the parser cannot know, such as that a merge left both sides in the file.

use relax::diagnostics::{Code, Diagnostic};
use relax::nearest_name::nearest_str;
use syntax::SyntaxError;
use text_size::{TextRange, TextSize};

/// Keywords that begin a statement.
const KEYWORDS: &[&str] = &[
    "assert", "class", "def", "else", "for", "from", "if", "import", "return", "while", "with",
];

/// A first word further to the right is not looked at: a line may have megabytes.
const LONGEST_INDENT: usize = 128;

/// Returns one report for each error, and one for all errors between the markers of a merge.
pub(crate) fn reports<'e>(
    text: &str,
    errors: impl Iterator<Item = &'e SyntaxError>,
) -> Vec<Diagnostic> {
    let mut reports: Vec<Diagnostic> = Vec::new();
    let mut conflicts = None;
    for error in errors {
        let conflicts = conflicts.get_or_insert_with(|| merge_conflicts(text));
        let at = error.range.start();
        let next = conflicts.partition_point(|it| it.1.end() < at);
        let around = conflicts.get(next).filter(|it| it.1.contains_inclusive(at));
        let Some((marker, _)) = around else {
            reports.push(report(text, error));
            continue;
        };
        // The errors are in order.
        if reports.last().is_none_or(|it| it.range != *marker) {
            let message =
                "a merge left both sides here: keep one, and remove the three lines that mark them";
            reports.push(Diagnostic::new(Code::SyntaxError, *marker, message));
        }
    }
    reports
}

fn report(text: &str, error: &SyntaxError) -> Diagnostic {
    let mut message = error.message.to_string();
    if message.starts_with("expected the end of the statement")
        && let Some(keyword) = misspelt_keyword(text, error.range.start())
    {
        message = format!("{message}; did you mean `{keyword}`?");
    }
    let mut diagnostic = Diagnostic::new(Code::SyntaxError, error.range, message);
    if let Some((range, note)) = &error.related {
        diagnostic.related.push((*range, note.to_string()));
    }
    diagnostic
}

/// Returns the keyword that the first word of a line is similar to, if the error is right behind that word.
fn misspelt_keyword(text: &str, at: TextSize) -> Option<&'static str> {
    let before = &text.as_bytes()[..at.into()];
    let near = &before[before.len().saturating_sub(LONGEST_INDENT)..];
    let start = near.iter().rposition(|it| *it == b'\n')? + 1;
    let word = std::str::from_utf8(&near[start..]).ok()?.trim();
    let is_word = !word.is_empty() && word.bytes().all(|it| it.is_ascii_alphabetic());
    nearest_str(word, KEYWORDS.iter().copied()).filter(|near| is_word && *near != word)
}

/// Returns the first line of each unresolved merge, and the text up to the end of its last line.
fn merge_conflicts(text: &str) -> Vec<(TextRange, TextRange)> {
    let mut found = Vec::new();
    let mut open: Option<TextRange> = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let range = TextRange::new(
            TextSize::new(start as u32),
            TextSize::new((start + line.trim_end().len()) as u32),
        );
        start += line.len();
        if line.starts_with("<<<<<<< ") {
            open = Some(range);
        } else if line.starts_with(">>>>>>> ")
            && let Some(first) = open.take()
        {
            found.push((first, first.cover(range)));
        }
    }
    found
}
