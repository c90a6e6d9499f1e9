//! The one writer's handle on the database.

use std::sync::Arc;

use hir::{Database, Source, SourceFile, Text};
use rustc_hash::FxHashMap;
use salsa::{Database as _, Durability, Setter};
use text_size::{TextRange, TextSize};

use crate::analysis::Analysis;
use crate::types::FileId;
use crate::{diagnostics, draft};

/// A new state of one file.
#[derive(Clone, Debug)]
pub struct Change {
    pub file: FileId,
    /// `None`: the file is gone.
    pub text: Option<Text>,
    /// Whether it is a cell of a notebook.
    pub cell: bool,
}

impl Change {
    pub fn new(file: FileId, text: impl Into<Text>) -> Change {
        Change {
            file,
            text: Some(text.into()),
            cell: false,
        }
    }

    pub fn removed(file: FileId) -> Change {
        Change {
            file,
            text: None,
            cell: false,
        }
    }
}

/// What the user may choose about analysis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// `None`: found out from each file.
    pub dialect: Option<relax::dialect::Dialect>,
}

#[derive(Default)]
pub struct AnalysisHost {
    db: Database,
    files: Arc<FxHashMap<FileId, SourceFile>>,
    /// Inputs of files that are gone: salsa keeps inputs for ever, so the next file takes one over.
    unused: Vec<SourceFile>,
}

impl AnalysisHost {
    /// Takes a change in. Questions about the state before it are cancelled, and waited for.
    pub fn apply_change(&mut self, change: Change) {
        let known = self.files.get(&change.file).copied();
        match (known, change.text) {
            (Some(file), Some(text)) => {
                let source = draft::reparsed(file.source(&self.db), text);
                file.set_source(&mut self.db).to(source);
            }
            (Some(file), None) => {
                file.set_source(&mut self.db).to(Source::new(""));
                self.db.forget();
                // What is known of the functions goes when they are seen to be gone, and at the next change.
                diagnostics::diagnostics(&self.db, file);
                self.db.synthetic_write(Durability::LOW);
                Arc::make_mut(&mut self.files).remove(&change.file);
                self.unused.push(file);
            }
            (None, Some(text)) => {
                let source = Source {
                    cell: change.cell,
                    ..Source::new(text)
                };
                let file = if let Some(file) = self.unused.pop() {
                    file.set_source(&mut self.db).to(source);
                    file
                } else {
                    SourceFile::new(&self.db, source)
                };
                Arc::make_mut(&mut self.files).insert(change.file, file);
            }
            (None, None) => {}
        }
    }

    /// Puts `new` in the place of a range of a file's text: of `text`, which is the caller's own hold on it.
    pub fn apply_edit(&mut self, file: FileId, text: &mut Text, replaced: TextRange, new: &str) {
        let Some(&known) = self.files.get(&file) else {
            text.edit(replaced, new);
            return self.apply_change(Change::new(file, text.clone()));
        };
        // The database lets go of the text first, so that it can be changed where it is.
        let old = known.set_source(&mut self.db).to(Source::new(""));
        debug_assert_eq!(old.text, *text);
        let Source {
            text: old_text,
            parse,
            cell,
        } = old;
        drop(old_text);
        text.edit(replaced, new);
        let parse = parse.reparse(replaced, TextSize::of(new), text);
        let text = text.clone();
        known
            .set_source(&mut self.db)
            .to(Source { text, parse, cell });
    }

    pub fn set_config(&mut self, config: Config) {
        hir::Config::get(&self.db)
            .set_dialect(&mut self.db)
            .to(config.dialect);
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
    fn who_gives_up_gets_no_answer_and_others_do() {
        let file = FileId(1);
        let mut host = AnalysisHost::default();
        host.apply_change(Change::new(file, PROGRAM));
        let (gone, here) = (host.analysis(), host.analysis());
        gone.canceller().cancel();
        assert_eq!(gone.document_symbols(file), Err(Cancelled));
        assert_eq!(gone.diagnostics(file), Err(Cancelled));
        assert_eq!(here.document_symbols(file).unwrap().len(), 1);
    }
}
