//! Annotated programs for tests: `$0` marks the cursor, and `# ^^^^ message` below a line is the expected result
//! there.

use hir::Text;
use line_index::LineIndex;
use text_size::{TextRange, TextSize};

use crate::{Analysis, AnalysisHost, Change, FileId, FilePosition, Language};

/// The imports that test programs begin with.
pub const IMPORTS: &str = "from tvm.script import ir as I, relax as R, tir as T\n\n";

pub struct Fixture {
    pub analysis: Analysis,
    pub file: FileId,
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
