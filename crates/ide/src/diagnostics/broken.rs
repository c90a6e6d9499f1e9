//! Hides diagnostics that a syntax error causes, so that one mistake gives one diagnostic.

use hir::{Database, SourceFile, file_items};
use relax::{Code, Diagnostic};
use rustc_hash::{FxHashMap, FxHashSet};
use text_size::{TextRange, TextSize};

use crate::lines::line_at;

/// Errors about the structure of a function that an unreadable line in it may cause.
const OF_STRUCTURE: &[Code] = &[
    Code::BindingAfterOutput,
    Code::BranchVariableMismatch,
    Code::DataflowVarOutsideBlock,
    Code::InvalidOutput,
    Code::MisplacedReturn,
    Code::MissingElse,
    Code::MissingOutput,
    Code::MissingReturn,
];

/// The lines of a file with a syntax error.
#[derive(Default)]
pub(super) struct Broken<'a> {
    lines: Vec<TextRange>,
    /// The syntax errors that are not caused by another one.
    causes: FxHashSet<TextRange>,
    /// The functions with such a line inside or right after them.
    functions: Vec<TextRange>,
    /// The words in these lines, with their positions.
    words: FxHashMap<&'a str, Vec<TextSize>>,
}

impl<'a> Broken<'a> {
    /// `found` is sorted by position.
    pub fn new(db: &'a Database, file: SourceFile, found: &[Diagnostic]) -> Broken<'a> {
        let mut broken = Broken::default();
        let source = file.source(db);
        let text: &str = &source.text;
        let nesting = source
            .parse
            .errors
            .iter()
            .filter(|it| it.is_about_nesting());
        let nesting: FxHashSet<TextRange> = nesting.map(|it| it.range).collect();
        let mut last: Option<TextRange> = None;
        // Lines in the wrong block are reported after the statement that begins the block.
        let mut misplaced = Vec::new();
        for error in found.iter().filter(|it| it.code == Code::SyntaxError) {
            let line = line_at(text, error.range.start());
            let is_nesting = nesting.contains(&error.range);
            let follows = last.is_some_and(|last| {
                is_next(text, last, line) || is_nesting && is_same_definition(text, last, line)
            });
            if !follows {
                broken.causes.insert(error.range);
            }
            if is_nesting {
                misplaced.push(line);
            }
            last = Some(line);
            broken.lines.push(line);
            let opened = error.related.iter();
            let opened = opened.map(|(range, _)| line_at(text, range.start()));
            broken.lines.extend(opened);
        }
        if broken.lines.is_empty() {
            return broken;
        }
        broken.lines.sort_by_key(|line| line.start());
        broken.lines.dedup();
        for line in &broken.lines {
            for (at, word) in words(&text[*line]) {
                let places = broken.words.entry(word).or_default();
                places.push(line.start() + at);
            }
        }
        for function in &file_items(db, file).functions {
            let length = function.source(db).0.text_len();
            let range = TextRange::at(function.offset(db), length);
            let first = |lines: &[TextRange]| {
                let first = lines.partition_point(|line| line.end() < range.start());
                lines.get(first).copied()
            };
            let inside = first(&broken.lines).is_some_and(|line| line.start() <= range.end());
            let behind = misplaced.partition_point(|line| line.start() < range.end());
            let behind = misplaced.get(behind);
            if inside || behind.is_some_and(|line| is_same_definition(text, range, *line)) {
                broken.functions.push(range);
            }
        }
        broken.functions.sort_by_key(|range| range.start());
        broken
    }

    /// Returns `true` if a syntax error causes the diagnostic.
    pub fn explains(&self, diagnostic: &Diagnostic) -> bool {
        let at = diagnostic.range;
        if diagnostic.code == Code::SyntaxError {
            return !self.causes.contains(&at);
        }
        let line = self.lines.partition_point(|line| line.end() < at.start());
        let line = self.lines.get(line);
        if line.is_some_and(|line| line.intersect(at).is_some()) {
            return true;
        }
        let function = self
            .functions
            .partition_point(|range| range.end() < at.end());
        let Some(function) = self.functions.get(function) else {
            return false;
        };
        if !function.contains_range(at) {
            return false;
        }
        let may_bind = matches!(
            diagnostic.code,
            Code::UndefinedName | Code::UnboundShapeVariable
        );
        let name = diagnostic.about.as_deref().filter(|_| may_bind);
        let places = name.and_then(|name| self.words.get(name));
        let is_named = places.is_some_and(|places| {
            let first = places.partition_point(|place| *place < function.start());
            places.get(first).is_some_and(|place| *place < at.start())
        });
        is_named || OF_STRUCTURE.contains(&diagnostic.code)
    }
}

/// Returns `true` if `line` is the same line, or the next non-blank line.
fn is_next(text: &str, before: TextRange, line: TextRange) -> bool {
    text_between(text, before, line).is_none_or(|it| it.trim().is_empty())
}

/// Returns `true` if no function or class begins between two lines.
fn is_same_definition(text: &str, before: TextRange, line: TextRange) -> bool {
    let begins = |line: &str| {
        let line = line.trim_start();
        ["def ", "class ", "@"]
            .iter()
            .any(|it| line.starts_with(it))
    };
    text_between(text, before, line).is_none_or(|it| !it.lines().any(begins))
}

fn text_between(text: &str, before: TextRange, line: TextRange) -> Option<&str> {
    text.get(usize::from(before.end())..usize::from(line.start()))
}

fn words(line: &str) -> impl Iterator<Item = (TextSize, &str)> {
    let words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
    let words = words.filter(|word| !word.is_empty());
    words.map(move |word| {
        let at = word.as_ptr() as usize - line.as_ptr() as usize;
        (TextSize::new(at as u32), word)
    })
}

#[cfg(test)]
mod tests {
    use crate::Severity;
    use crate::fixture::{Fixture, IMPORTS};

    fn errors(program: &str) -> Vec<String> {
        let fixture = Fixture::new(&format!("{IMPORTS}{program}"));
        let found = fixture.analysis.diagnostics(fixture.file).unwrap();
        let errors = found.iter().filter(|it| it.severity == Severity::Error);
        errors
            .map(|it| format!("{}: {}", it.code, it.message))
            .collect()
    }

    /// Returns the errors of a function with the given body.
    fn errors_in(body: &str) -> Vec<String> {
        errors(&format!(
            "@R.function\ndef main(x: R.Tensor((\"n\",), \"float32\")):\n{body}\n"
        ))
    }

    #[test]
    fn an_unreadable_binding_is_reported_once() {
        let bindings = [
            "    y  R.exp(x)",
            "    y: R.Tensor(4,), \"float32\") = R.exp(x)",
            "    y: R.Tensor(((4,), dtype=\"float32\") = R.exp(x)",
            "    y: R.Tensor((4,), dtype=\"float32\"\") = R.exp(x)",
            "    y + = R.exp(x)",
            "    y = R.exp(x",
        ];
        for binding in bindings {
            let errors = errors_in(&format!("{binding}\n    z = R.exp(y)\n    return (y, z)"));
            assert_eq!(errors.len(), 1, "{binding}: {errors:#?}");
        }
    }

    #[test]
    fn a_function_with_syntax_errors_has_no_missing_return() {
        let bodies = [
            "        y = R.exp(x)\n    return y",
            "    y = R.exp(x)\n  return y",
            "y = R.exp(x)\n    return y",
            "    y = R.exp(x)\nreturn y",
            "        y = R.exp(x)\n        R.output(y)\n    return y",
        ];
        for body in bodies {
            assert_eq!(errors_in(body).len(), 1, "{body}: {:#?}", errors_in(body));
        }
    }

    #[test]
    fn an_unreadable_header_is_reported_once() {
        let headers = [
            "def main(x: R.Tensor((\"n\",), float32\")):",
            "def main(x: R.Tensor((\"n\",), \"float32\")) -> R.Tensor((\"n, \"m\"), \"float32\"):",
            "def main(x: R.Tensor(\"n\",), \"float32\")):",
            "def mainx: R.Tensor((\"n\",), \"float32\")):",
            "def main\n    x: R.Tensor((\"n\",), \"float32\"),\n    y: R.Tensor((\"n\",), \"float32\"),\n):",
        ];
        for header in headers {
            let program = format!(
                "@R.function\n{header}\n    n = T.int64()\n    y = R.zeros((n,), \"float32\")\n    return y\n"
            );
            assert_eq!(
                errors(&program).len(),
                1,
                "{header}: {:#?}",
                errors(&program)
            );
        }
    }

    #[test]
    fn errors_unrelated_to_a_syntax_error_are_reported_too() {
        let body = "    y = valeu\n    z = R.exp(x\n    w = R.exp(other)\n    return w";
        let found = errors_in(body);
        let codes: Vec<&str> = found
            .iter()
            .map(|it| &it[..it.find(':').unwrap()])
            .collect();
        assert_eq!(codes, ["undefined-name", "syntax-error", "undefined-name"]);
        let two = "    y = R.exp(x\n    z = R.exp(x)\n    w = R.exp(x))\n    return w";
        assert_eq!(errors_in(two).len(), 2, "{:#?}", errors_in(two));
        let other =
            "    return x\n\n@R.function\ndef other(x: R.Tensor((4,), \"float32\")):\n    y = (x\n";
        let found = errors_in(&format!("    y = valeu\n{other}"));
        assert_eq!(found.len(), 2, "{found:#?}");
    }
}
