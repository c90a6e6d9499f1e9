//! The program of a case: a whole file, the positions that it marks, and how it is to be read.

use ide::{Analysis, Config, FileId, FilePosition, Language};
use line_index::LineIndex;
use relax::release::Release;
use text_size::{TextRange, TextSize};

/// The imports that programs without imports begin with, as on the pages of diagnostics.
pub const IMPORTS: &str = ide::diagnostics::IMPORTS;

/// Marks the cursor. Two of them are the ends of a selection.
pub const MARK: &str = "$0";

#[derive(Clone, Debug)]
pub struct Program {
    pub language: Language,
    /// The whole file, with its marks.
    pub marked: String,
    /// The release that a project sets for its files.
    pub release: Option<Release>,
    /// The length of the imports that the case does not show.
    pub hidden: usize,
    /// Where what the case shows begins in its block, and in the file: line, line, column.
    pub line: usize,
    pub first: usize,
    pub column: usize,
    /// How many lines the case shows.
    pub count: usize,
}

/// A program in an analysis.
pub struct Opened {
    pub analysis: Analysis,
    pub file: FileId,
    /// The whole file, without marks.
    pub text: String,
    pub lines: LineIndex,
    marks: Vec<TextSize>,
}

impl Program {
    pub fn new(
        language: Language,
        shown: &str,
        is_bare: bool,
        release: Option<Release>,
    ) -> Program {
        let imports = |line: &str| {
            let line = line.strip_prefix("# ").unwrap_or(line);
            line.starts_with("from ") || line.starts_with("import ")
        };
        let hidden = if is_bare || language != Language::Python || shown.lines().any(imports) {
            ""
        } else {
            IMPORTS
        };
        Program {
            language,
            marked: format!("{hidden}{shown}"),
            release,
            hidden: hidden.len(),
            line: 0,
            first: hidden.lines().count(),
            column: 0,
            count: shown.lines().count(),
        }
    }

    /// Returns the number of a line of the file without the imports that the case does not show, counted from 1. Those are
    /// line 0.
    pub fn shown_line(&self, line: u32) -> usize {
        let hidden = self.marked[..self.hidden].lines().count();
        (line as usize + 1).saturating_sub(hidden)
    }

    /// Returns the lines of the file that the block shows.
    pub fn shown_lines(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.count
    }

    /// Returns the same file with another text.
    #[must_use]
    pub fn with(&self, marked: impl Into<String>) -> Program {
        Program {
            marked: marked.into(),
            ..*self
        }
    }

    /// Returns the same file in a project for this release.
    #[must_use]
    pub fn in_release(&self, release: Release) -> Program {
        Program {
            release: Some(release),
            ..self.clone()
        }
    }

    /// Returns the whole file without marks.
    pub fn text(&self) -> String {
        self.marked.replace(MARK, "")
    }

    pub fn open(&self) -> Opened {
        let found = self.marked.match_indices(MARK).enumerate();
        let marks = found.map(|(index, (at, _))| TextSize::new((at - index * MARK.len()) as u32));
        let text = self.text();
        let config = Config {
            target: self.release,
        };
        let (analysis, file) = Analysis::from_file_in(self.language, text.as_str(), config);
        Opened {
            analysis,
            file,
            marks: marks.collect(),
            lines: LineIndex::new(&text),
            text,
        }
    }
}

impl Opened {
    /// Returns the position of the only mark.
    pub fn position(&self) -> Result<FilePosition, String> {
        match self.marks[..] {
            [offset] => Ok(FilePosition {
                file: self.file,
                offset,
            }),
            _ => Err(format!("the program needs one mark `{MARK}`")),
        }
    }

    /// Returns the range between two marks, or the empty one at the only mark.
    pub fn selection(&self) -> Result<TextRange, String> {
        match self.marks[..] {
            [start, end] => Ok(TextRange::new(start, end)),
            _ => Ok(TextRange::empty(self.position()?.offset)),
        }
    }

    /// Returns the selection, or `None` if nothing is marked.
    pub fn marked(&self) -> Result<Option<TextRange>, String> {
        (!self.marks.is_empty())
            .then(|| self.selection())
            .transpose()
    }

    pub fn whole(&self) -> TextRange {
        TextRange::up_to(TextSize::of(&*self.text))
    }
}
