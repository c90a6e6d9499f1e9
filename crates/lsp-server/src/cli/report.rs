//! Results of `check` for one file, and the formats to print them.

pub mod github;
pub mod gitlab;
pub mod json;
pub mod junit;
pub mod sarif;
pub mod text;

use std::path::PathBuf;

use ide::{Diagnostic, Text};
use text_size::TextRange;

use crate::line_index::LineColumns;

pub struct FileReport {
    pub path: PathBuf,
    pub text: Text,
    pub lines: LineColumns,
    pub diagnostics: Vec<Diagnostic>,
}

/// Lines and columns count from 1, columns in characters; the end is exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub line: u32,
    pub col: u32,
    pub end_line: u32,
    pub end_col: u32,
}

impl FileReport {
    pub fn new(path: PathBuf, text: Text, diagnostics: Vec<Diagnostic>) -> FileReport {
        let lines = LineColumns::new(&text);
        FileReport {
            path,
            text,
            lines,
            diagnostics,
        }
    }

    pub fn span(&self, range: TextRange) -> Span {
        let (line, col) = self.lines.line_col(range.start());
        let (end_line, end_col) = self.lines.line_col(range.end());
        Span {
            line,
            col,
            end_line,
            end_col,
        }
    }

    /// The path with forward slashes, as reports for other programs have it.
    pub fn slash_path(&self) -> String {
        self.path.to_string_lossy().replace('\\', "/")
    }

    /// The same as services name a file of the repository that they check: without `./`.
    pub fn repository_path(&self) -> String {
        let path = self.slash_path();
        path.strip_prefix("./").unwrap_or(&path).to_owned()
    }
}
