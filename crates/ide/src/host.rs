//! The writer's handle on the database.

use std::sync::Arc;

use hir::metadata::Metadata;
use hir::{Database, Language, Source, SourceFile, Text};
use relax::release::Release;
use relax::sym::{SymCx, SymExpr, SymVar};
use rustc_hash::FxHashMap;
use salsa::{Database as _, Durability, Setter};
use smol_str::SmolStr;
use text_size::{TextRange, TextSize};

use crate::analysis::Analysis;
use crate::types::FileId;
use crate::{diagnostics, draft};

/// A new state of one file.
#[derive(Clone, Debug)]
pub struct Change {
    pub file: FileId,
    /// The text; `None` if the file was removed.
    pub text: Option<Text>,
    pub language: Language,
}

impl Change {
    pub fn new(file: FileId, text: impl Into<Text>) -> Change {
        Change {
            file,
            text: Some(text.into()),
            language: Language::Python,
        }
    }

    pub fn removed(file: FileId) -> Change {
        Change {
            file,
            text: None,
            language: Language::Python,
        }
    }
}

/// The user's settings for the analysis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// The release that files are written for; `None` to detect it from each file.
    pub target: Option<Release>,
}

/// A parsed text of a file. It is created without the host, so that a long text does not block other files.
#[derive(Clone, Debug)]
pub struct ParsedText(Source);

impl ParsedText {
    pub fn new(text: Text, language: Language) -> ParsedText {
        ParsedText(Source::of(text, language))
    }

    /// Returns the next text of the same file. Only the part that differs is parsed.
    #[must_use]
    pub fn with_text(&self, text: Text) -> ParsedText {
        ParsedText(draft::reparsed(&self.0, text))
    }
}

#[derive(Default)]
pub struct AnalysisHost {
    db: Database,
    files: Arc<FxHashMap<FileId, SourceFile>>,
    /// Inputs of removed files. Salsa never drops inputs, so the next new file reuses one.
    unused: Vec<SourceFile>,
}

impl Analysis {
    /// Creates an analysis of a single file, for commands.
    pub fn from_single_file(text: impl Into<Text>, config: Config) -> (Analysis, FileId) {
        Analysis::from_file_in(Language::Python, text, config)
    }

    /// Like `from_single_file`, but keeps the types of all expressions, for answers that need them repeatedly.
    pub fn from_whole_file(text: impl Into<Text>, config: Config) -> (Analysis, FileId) {
        Analysis::from_whole_file_in(Language::Python, text, config)
    }

    /// Like `from_whole_file`, for a file in another language.
    pub fn from_whole_file_in(
        language: Language,
        text: impl Into<Text>,
        config: Config,
    ) -> (Analysis, FileId) {
        AnalysisHost::of_whole_files().with_only_file(language, text, config, None)
    }

    /// Like `from_whole_file_in`, for a Python file whose constants have the types `constants`, as another file says.
    pub fn from_file_with_constants(
        text: impl Into<Text>,
        config: Config,
        constants: Arc<Metadata>,
    ) -> (Analysis, FileId) {
        let host = AnalysisHost::of_whole_files();
        host.with_only_file(Language::Python, text, config, Some(constants))
    }

    /// Like `from_single_file`, for a file in another language.
    pub fn from_file_in(
        language: Language,
        text: impl Into<Text>,
        config: Config,
    ) -> (Analysis, FileId) {
        AnalysisHost::default().with_only_file(language, text, config, None)
    }

    /// Creates an analysis of a single Python file with given values for its shape variables.
    pub fn from_file_with_dims(
        text: impl Into<Text>,
        config: Config,
        dims: &[(String, i64)],
    ) -> (Analysis, FileId) {
        let file = FileId(0);
        let mut host = AnalysisHost::default();
        host.set_config(config);
        host.set_dims(dims);
        host.apply_change(Change::new(file, text));
        (host.analysis(), file)
    }
}

impl AnalysisHost {
    /// Creates a host that keeps the types of all expressions in memory.
    pub fn of_whole_files() -> AnalysisHost {
        AnalysisHost {
            db: Database::of_whole_files(),
            ..AnalysisHost::default()
        }
    }

    fn with_only_file(
        mut self,
        language: Language,
        text: impl Into<Text>,
        config: Config,
        constants: Option<Arc<Metadata>>,
    ) -> (Analysis, FileId) {
        let file = FileId(0);
        self.set_config(config);
        let change = Change::new(file, text);
        self.apply_change(Change { language, ..change });
        self.set_constants(file, constants);
        (self.analysis(), file)
    }

    /// Returns the current text of a file.
    pub fn parsed(&self, file: FileId) -> Option<ParsedText> {
        let known = self.files.get(&file)?;
        Some(ParsedText(known.source(&self.db).clone()))
    }

    /// Applies a change. Running questions about the previous state are cancelled, and this waits for them to end.
    pub fn apply_change(&mut self, change: Change) {
        let Change {
            file,
            text,
            language,
        } = change;
        let parsed = text.map(|text| match self.parsed(file) {
            Some(before) => before.with_text(text),
            None => ParsedText::new(text, language),
        });
        self.apply_parsed(file, parsed);
    }

    /// Like `apply_change`, with a text that is already parsed; `None` removes the file. Returns the previous text,
    /// since dropping it may take long.
    pub fn apply_parsed(&mut self, file: FileId, parsed: Option<ParsedText>) -> Option<ParsedText> {
        let known = self.files.get(&file).copied();
        match (known, parsed) {
            (Some(input), Some(ParsedText(source))) => {
                Some(ParsedText(input.set_source(&mut self.db).to(source)))
            }
            (Some(input), None) => {
                let before = input.set_source(&mut self.db).to(Source::new(""));
                self.db.forget();
                // Run the diagnostics and one more revision, so that salsa drops the results of the removed functions.
                diagnostics::diagnostics(&self.db, input);
                self.db.synthetic_write(Durability::LOW);
                self.set_target(file, None);
                self.set_constants(file, None);
                Arc::make_mut(&mut self.files).remove(&file);
                self.unused.push(input);
                Some(ParsedText(before))
            }
            (None, Some(ParsedText(source))) => {
                let input = if let Some(input) = self.unused.pop() {
                    input.set_source(&mut self.db).to(source);
                    input
                } else {
                    SourceFile::new(&self.db, source)
                };
                Arc::make_mut(&mut self.files).insert(file, input);
                None
            }
            (None, None) => None,
        }
    }

    /// Replaces a range of a file's text with `new`. `text` is the caller's own reference to the text. If the edit
    /// needs too much parsing, changes nothing and returns `false`: another thread should parse it.
    pub fn apply_edit(
        &mut self,
        file: FileId,
        text: &mut Text,
        replaced: TextRange,
        new: &str,
    ) -> bool {
        let Some(&known) = self.files.get(&file) else {
            return false;
        };
        // The database releases the text first, so that it can be changed in place.
        let mut old = known.set_source(&mut self.db).to(Source::new(""));
        debug_assert_eq!(old.text, *text);
        old.text = Text::default();
        let before = text[replaced].to_owned();
        let inserted = TextSize::of(new);
        text.edit(replaced, new);
        let nearby = old.reparse_nearby(replaced, inserted, text);
        let is_nearby = nearby.is_some();
        let source = nearby.unwrap_or_else(|| {
            text.edit(TextRange::at(replaced.start(), inserted), &before);
            Source {
                text: text.clone(),
                ..old
            }
        });
        known.set_source(&mut self.db).to(source);
        is_nearby
    }

    pub fn set_config(&mut self, config: Config) {
        let input = hir::Config::get(&self.db);
        if input.target(&self.db) != config.target {
            input.set_target(&mut self.db).to(config.target);
        }
    }

    /// Assumes values for shape variables in each function that has variables of these names. All later answers use
    /// them.
    pub fn set_dims(&mut self, dims: &[(String, i64)]) {
        let mut sizes = SymCx::default();
        for (name, value) in dims {
            let name = SmolStr::new(name);
            let var = SymExpr::var(SymVar { name, id: 0 });
            sizes.assume_equal(&var, &SymExpr::int(*value));
        }
        hir::Config::get(&self.db).set_sizes(&mut self.db).to(sizes);
    }

    /// Sets the release that the project of a file is written for. The configured release takes precedence.
    pub fn set_target(&mut self, file: FileId, target: Option<Release>) {
        if let Some(input) = self.files.get(&file).copied()
            && input.target(&self.db) != target
        {
            input.set_target(&mut self.db).to(target);
        }
    }

    /// Sets the types of the constants that a file names by index, if another file has their elements.
    pub fn set_constants(&mut self, file: FileId, constants: Option<Arc<Metadata>>) {
        if let Some(input) = self.files.get(&file).copied()
            && *input.constants(&self.db) != constants
        {
            input.set_constants(&mut self.db).to(constants);
        }
    }

    pub fn analysis(&self) -> Analysis {
        Analysis {
            db: self.db.clone(),
            files: self.files.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Cancelled;

    const PROGRAM: &str =
        "from tvm.script import relax as R\n\n@R.function\ndef f(x: R.Object):\n    return x\n";

    #[test]
    fn an_edit_of_most_of_the_text_is_not_applied_in_place() {
        let file = FileId(1);
        let mut host = AnalysisHost::default();
        let mut text = Text::from(PROGRAM.repeat(2000));
        host.apply_change(Change::new(file, text.clone()));
        let at = TextRange::empty(0.into());
        assert!(host.apply_edit(file, &mut text, at, "# why\n"));
        let before = text.clone();
        assert!(!host.apply_edit(file, &mut text, at, "\"\"\""));
        assert_eq!(text, before);
        assert_eq!(host.analysis().document_symbols(file).unwrap().len(), 2000);
    }

    #[test]
    fn an_edit_changes_the_text_in_place_if_nothing_else_holds_it() {
        let file = FileId(1);
        let mut host = AnalysisHost::default();
        let mut text = Text::from(PROGRAM.repeat(200));
        host.apply_change(Change::new(file, text.clone()));
        let at = TextRange::empty(0.into());
        // The first edit makes room.
        assert!(host.apply_edit(file, &mut text, at, "# why\n"));
        let place = text.as_ptr();
        assert!(host.apply_edit(file, &mut text, at, "# how\n"));
        assert_eq!(text.as_ptr(), place);
        let held = text.clone();
        assert!(host.apply_edit(file, &mut text, at, "# when\n"));
        assert!(held.starts_with("# how") && text.starts_with("# when"));
    }

    #[test]
    fn a_cancelled_request_has_no_effect_on_others() {
        let file = FileId(1);
        let mut host = AnalysisHost::default();
        host.apply_change(Change::new(file, PROGRAM));
        let (gone, here) = (host.analysis(), host.analysis());
        gone.canceller().cancel();
        assert_eq!(gone.document_symbols(file), Err(Cancelled));
        assert_eq!(gone.diagnostics(file), Err(Cancelled));
        assert_eq!(here.document_symbols(file).unwrap().len(), 1);
    }

    #[test]
    fn assumed_shape_values_can_be_withdrawn() {
        let program = "from tvm.script import relax as R\n\n@R.function\ndef f(x: R.Tensor((\"n\", 4), \"float32\"), y: R.Tensor((16, 4), \"float32\")):\n    z = R.add(x, y)\n    return z\n";
        let file = FileId(1);
        let mut host = AnalysisHost::default();
        host.apply_change(Change::new(file, program));
        let mut count = |dims: &[(String, i64)]| {
            host.set_dims(dims);
            host.analysis().diagnostics(file).unwrap().len()
        };
        let n = |value| [("n".to_owned(), value)];
        assert_eq!(
            [
                count(&[]),
                count(&n(8)),
                count(&n(16)),
                count(&n(8)),
                count(&[])
            ],
            [0, 1, 0, 1, 0]
        );
    }
}
