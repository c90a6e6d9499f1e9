//! Annotated programs for tests: `$0` marks the cursor, and `# ^^^^ message` below a line is the expected result
//! there.

pub mod dialects;

use hir::Text;
use line_index::LineIndex;
use text_size::{TextRange, TextSize};

use crate::{Analysis, AnalysisHost, Change, FileId, FilePosition, Language};

/// The imports that test programs begin with.
pub const IMPORTS: &str = "from tvm.script import ir as I, relax as R, tir as T\n\n";

/// Returns the lines that an edit changes, each change with the lines around it.
pub fn changed_lines(before: &str, after: &str) -> String {
    let lines = similar::TextDiff::from_lines(before, after);
    let mut diff = lines.unified_diff();
    let hunks = diff.context_radius(1).missing_newline_hint(false);
    let hunks = hunks.iter_hunks().map(|hunk| {
        let lines = hunk.to_string();
        let lines = lines.lines().skip(1).map(str::trim_end); // without the range
        lines.collect::<Vec<_>>().join("\n") + "\n"
    });
    hunks.collect::<Vec<_>>().join("...\n")
}

/// Returns a program with the line ends of Windows.
pub fn with_crlf(program: &str) -> String {
    program.replace('\n', "\r\n")
}

/// Renames `R`, `T` and `I` in a program. Its meaning must stay the same.
pub fn by_other_names(program: &str) -> String {
    let mut text = String::with_capacity(program.len());
    let mut before = None;
    let mut rest = program.chars();
    while let Some(c) = rest.next() {
        let inside = before.is_some_and(|it: char| it.is_alphanumeric() || it == '_' || it == '.');
        let named = match c {
            'R' => Some("rx"),
            'T' => Some("tx"),
            'I' => Some("irs"),
            _ => None,
        };
        let named = named.filter(|_| !inside && rest.as_str().starts_with('.'));
        match named {
            Some(name) => text.push_str(name),
            None => text.push(c),
        }
        before = Some(c);
    }
    text.replace(
        "ir as I, relax as R, tir as T",
        "ir as irs, relax as rx, tir as tx",
    )
    .replace("import tirx as T", "import tirx as tx")
}

pub struct Fixture {
    pub analysis: Analysis,
    pub file: FileId,
    pub language: Language,
    /// The text without the cursor mark. Lines with carets stay, since they are comments.
    pub text: Text,
    cursor: Option<TextSize>,
    pub lines: LineIndex,
}

impl Fixture {
    pub fn new(marked: &str) -> Fixture {
        Fixture::of(Language::Python, marked)
    }

    pub fn of(language: Language, marked: &str) -> Fixture {
        let cursor = marked.find("$0").map(|at| TextSize::new(at as u32));
        let text: Text = marked.replacen("$0", "", 1).into();
        assert!(!text.contains("$0"), "one cursor at most");
        let file = FileId(0);
        let mut host = AnalysisHost::default();
        let change = Change::new(file, text.clone());
        host.apply_change(Change { language, ..change });
        Fixture {
            analysis: host.analysis(),
            file,
            language,
            cursor,
            lines: LineIndex::new(&text),
            text,
        }
    }

    pub fn position(&self) -> FilePosition {
        FilePosition {
            file: self.file,
            offset: self.cursor.expect("the fixture has a cursor"),
        }
    }

    /// Formats a position as `line:column`, both starting at 1.
    pub fn show(&self, range: TextRange) -> String {
        let at = self.lines.line_col(range.start());
        format!("{}:{}", at.line + 1, at.col + 1)
    }

    /// Returns the expected ranges and messages. Each caret line refers to the last line before it without carets.
    pub fn expected(&self) -> Vec<(TextRange, String)> {
        let mut expected = Vec::new();
        let (mut start, mut subject) = (0, 0);
        for line in self.text.split_inclusive('\n') {
            let marks = line.trim_start();
            let carets = marks.trim_start_matches(['#', ' ']);
            if marks.starts_with('#') && carets.starts_with('^') {
                let column = line.len() - carets.len();
                let length = carets.len() - carets.trim_start_matches('^').len();
                let at = TextSize::new((subject + column) as u32);
                let range = TextRange::at(at, TextSize::new(length as u32));
                expected.push((range, carets[length..].trim().to_owned()));
            } else {
                subject = start;
            }
            start += line.len();
        }
        expected
    }
}
