//! Results of `check` for one file, and their output formats.

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

/// Lines and columns start at 1, columns count characters, and the end is exclusive.
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

    /// Returns the path with forward slashes, for reports to other programs.
    pub fn slash_path(&self) -> String {
        self.path.to_string_lossy().replace('\\', "/")
    }

    /// Returns the path as services name files of a repository: without `./`.
    pub fn repository_path(&self) -> String {
        let path = self.slash_path();
        path.strip_prefix("./").unwrap_or(&path).to_owned()
    }
}
