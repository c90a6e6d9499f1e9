//! The one writer's handle on the database, and snapshots of it.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use hir::{Canceller, Database, Db as _, Source, SourceFile, Text};
use rustc_hash::FxHashMap;
use salsa::{Database as _, Durability, Setter};
use text_size::{TextRange, TextSize};

use crate::code_action::{CodeAction, Resolve};
use crate::completion::{self, Completions};
use crate::draft;
use crate::format::{self, FormatOptions};
use crate::graph::{self, Graph};
use crate::semantic_tokens::SemanticToken;
use crate::signature_help::{self, SignatureHelp};
use crate::source_edit::SourceEdit;
use crate::types::{
    Call, CallItem, Diagnostic, DocumentSymbol, FileId, FilePosition, Fold, Highlight, Hover,
    InlayHint, InlineVariable, LineNumbers, Link, NavigationTarget, ReferenceCount, RenameTarget,
    Runnable, WorkspaceSymbol,
};
use crate::{assists, fix_all};
use crate::{
    call_hierarchy, diagnostics, document_highlight, document_links, document_symbols, fixes,
    folding_ranges, goto_declaration, goto_definition, goto_type_definition, hover, inlay_hints,
    inline_values, reference_counts, references, rename, runnables, selection_ranges,
    semantic_tokens, workspace_symbols,
};

const NO_FILE: &str = "the file is not open, or holds no TVMScript";

/// How often a question is asked whose queries fail in other threads.
const ATTEMPTS: u32 = 8;

/// A change overtook the question; ask again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancelled;

pub type Cancellable<T> = Result<T, Cancelled>;

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

    pub fn gone(file: FileId) -> Change {
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

/// The state at one moment. While one is alive, [`AnalysisHost::apply_change`] waits; so it should not be kept.
pub struct Analysis {
    db: Database,
    files: Arc<FxHashMap<FileId, SourceFile>>,
}

impl Analysis {
    /// What is wrong with a file, in order of place.
    pub fn diagnostics(&self, file: FileId) -> Cancellable<Vec<Diagnostic>> {
        self.ask(file, diagnostics::diagnostics)
    }

    /// What is known of the thing at a position; `lines` are those of the file's text.
    pub fn hover(
        &self,
        position: FilePosition,
        lines: &dyn LineNumbers,
    ) -> Cancellable<Option<Hover>> {
        self.ask(position.file, |db, file| {
            hover::hover(db, file, position.offset, lines)
        })
    }

    /// What may stand at a position; `trigger` is the character whose typing asked, if one did.
    pub fn completions(
        &self,
        position: FilePosition,
        trigger: Option<char>,
    ) -> Cancellable<Option<Completions>> {
        self.ask(position.file, |db, file| {
            completion::completions(db, file, position.offset, trigger)
        })
    }

    /// The parameters of the call around a position.
    pub fn signature_help(&self, position: FilePosition) -> Cancellable<Option<SignatureHelp>> {
        self.ask(position.file, |db, file| {
            signature_help::signature_help(db, file, position.offset)
        })
    }

    /// Modules, functions, bindings.
    pub fn document_symbols(&self, file: FileId) -> Cancellable<Vec<DocumentSymbol>> {
        self.ask(file, document_symbols::document_symbols)
    }

    /// Where the thing at a position is bound.
    pub fn goto_definition(&self, position: FilePosition) -> Cancellable<Vec<NavigationTarget>> {
        self.ask(position.file, |db, file| {
            goto_definition::goto_definition(db, file, position)
        })
    }

    /// Where the thing at a position is declared.
    pub fn goto_declaration(&self, position: FilePosition) -> Cancellable<Vec<NavigationTarget>> {
        self.ask(position.file, |db, file| {
            goto_declaration::goto_declaration(db, file, position)
        })
    }

    /// Where the shape variables of the thing at a position are bound.
    pub fn goto_type_definition(
        &self,
        position: FilePosition,
    ) -> Cancellable<Vec<NavigationTarget>> {
        self.ask(position.file, |db, file| {
            goto_type_definition::goto_type_definition(db, file, position)
        })
    }

    /// Every place in the file that names the thing at a position.
    pub fn references(
        &self,
        position: FilePosition,
        definitions: bool,
    ) -> Cancellable<Vec<TextRange>> {
        self.ask(position.file, |db, file| {
            references::references(db, file, position.offset, definitions)
        })
    }

    /// The same, with what happens at each place.
    pub fn document_highlight(&self, position: FilePosition) -> Cancellable<Vec<Highlight>> {
        self.ask(position.file, |db, file| {
            document_highlight::document_highlight(db, file, position.offset)
        })
    }

    /// What a rename at a position would rename, or why nothing can be renamed there.
    pub fn prepare_rename(
        &self,
        position: FilePosition,
    ) -> Cancellable<Result<RenameTarget, String>> {
        self.ask_or(position.file, Err(NO_FILE.to_owned()), |db, file| {
            rename::prepare_rename(db, file, position.offset)
        })
    }

    /// The edits that rename the thing at a position, or why it cannot have that name.
    pub fn rename(
        &self,
        position: FilePosition,
        name: &str,
    ) -> Cancellable<Result<SourceEdit, String>> {
        self.ask_or(position.file, Err(NO_FILE.to_owned()), |db, file| {
            rename::rename(db, file, position.offset, name)
        })
    }

    /// The function that is named at a position.
    pub fn call_hierarchy(&self, position: FilePosition) -> Cancellable<Option<CallItem>> {
        self.ask(position.file, |db, file| {
            call_hierarchy::prepare(db, file, position.offset)
        })
    }

    /// Who calls the function at a position.
    pub fn incoming_calls(&self, position: FilePosition) -> Cancellable<Vec<Call>> {
        self.ask(position.file, |db, file| {
            call_hierarchy::incoming(db, file, position.offset)
        })
    }

    /// Whom the function at a position calls.
    pub fn outgoing_calls(&self, position: FilePosition) -> Cancellable<Vec<Call>> {
        self.ask(position.file, |db, file| {
            call_hierarchy::outgoing(db, file, position.offset)
        })
    }

    /// What each name in a range is.
    pub fn semantic_tokens(
        &self,
        file: FileId,
        range: TextRange,
    ) -> Cancellable<Vec<SemanticToken>> {
        self.ask(file, |db, file| {
            semantic_tokens::semantic_tokens(db, file, range)
        })
    }

    /// What can be folded.
    pub fn folding_ranges(&self, file: FileId) -> Cancellable<Vec<Fold>> {
        self.ask(file, folding_ranges::folding_ranges)
    }

    /// What a selection at a position grows to.
    pub fn selection_ranges(&self, position: FilePosition) -> Cancellable<Vec<TextRange>> {
        self.ask(position.file, |db, file| {
            selection_ranges::selection_ranges(db, file, position.offset)
        })
    }

    /// Places that lead elsewhere.
    pub fn document_links(&self, file: FileId) -> Cancellable<Vec<Link>> {
        self.ask(file, document_links::document_links)
    }

    /// Modules and functions, for a search across files.
    pub fn workspace_symbols(&self, file: FileId) -> Cancellable<Vec<WorkspaceSymbol>> {
        self.ask(file, workspace_symbols::workspace_symbols)
    }

    /// The variables bound in a range, up to where a program stands.
    pub fn inline_values(
        &self,
        file: FileId,
        range: TextRange,
        stopped: TextSize,
    ) -> Cancellable<Vec<InlineVariable>> {
        self.ask(file, |db, file| {
            inline_values::inline_values(db, file, range, stopped)
        })
    }

    /// How often each function of a module is named.
    pub fn reference_counts(&self, file: FileId) -> Cancellable<Vec<ReferenceCount>> {
        self.ask(file, reference_counts::reference_counts)
    }

    /// The StructInfo of unannotated bindings in a range.
    pub fn inlay_hints(&self, file: FileId, range: TextRange) -> Cancellable<Vec<InlayHint>> {
        self.ask(file, |db, file| inlay_hints::inlay_hints(db, file, range))
    }

    /// What ends the diagnostics that `range` touches, or those that are named by code and range.
    pub fn fixes(
        &self,
        file: FileId,
        range: TextRange,
        named: &[(String, TextRange)],
    ) -> Cancellable<Vec<CodeAction>> {
        self.ask(file, |db, file| {
            fixes::checked_fixes(db, file, range, named)
        })
    }

    /// One edit of all fixes that leave no choice.
    pub fn fix_all(&self, file: FileId) -> Cancellable<Option<CodeAction>> {
        self.ask(file, fix_all::fix_all)
    }

    /// The obvious fix of every diagnostic of a code, if the file has several.
    pub fn fix_everywhere(
        &self,
        file: FileId,
        code: &str,
        resolve: &Resolve,
    ) -> Cancellable<Option<CodeAction>> {
        self.ask(file, |db, file| {
            fix_all::fix_everywhere(db, file, code, resolve)
        })
    }

    /// What can be done to right code at a place.
    pub fn assists(
        &self,
        file: FileId,
        range: TextRange,
        resolve: &Resolve,
    ) -> Cancellable<Vec<CodeAction>> {
        self.ask(file, |db, file| assists::assists(db, file, range, resolve))
    }

    /// What formatting changes in a file, or in the lines of it that `range` touches.
    pub fn format(
        &self,
        file: FileId,
        range: Option<TextRange>,
        options: FormatOptions,
    ) -> Cancellable<SourceEdit> {
        self.ask(file, |db, file| format::format(db, file, range, options))
    }

    /// The functions that can be run.
    pub fn runnables(&self, file: FileId) -> Cancellable<Vec<Runnable>> {
        self.ask(file, runnables::runnables)
    }

    /// What the Relax function at a position computes from what; of one with more nodes than `limit`, the part around
    /// the cursor.
    pub fn graph(
        &self,
        position: FilePosition,
        cursor: TextSize,
        limit: Option<usize>,
    ) -> Cancellable<Option<Graph>> {
        self.ask(position.file, |db, file| {
            graph::graph(db, file, position.offset, cursor, limit)
        })
    }

    /// For who no longer wants the answer: the question that is being asked ends as [`Cancelled`].
    pub fn canceller(&self) -> Canceller {
        self.db.canceller()
    }

    /// The database and the file in it, for commands that print or run a file that does not change.
    pub fn hir(&self, file: FileId) -> Option<(&Database, SourceFile)> {
        Some((&self.db, *self.files.get(&file)?))
    }

    /// Answers a question about a file; of a file that is not there nothing is known.
    fn ask<T: Default>(
        &self,
        file: FileId,
        question: impl Fn(&Database, SourceFile) -> T,
    ) -> Cancellable<T> {
        self.ask_or(file, T::default(), question)
    }

    fn ask_or<T>(
        &self,
        file: FileId,
        otherwise: T,
        question: impl Fn(&Database, SourceFile) -> T,
    ) -> Cancellable<T> {
        let Some(&file) = self.files.get(&file) else {
            return Ok(otherwise);
        };
        for _ in 0..ATTEMPTS {
            let ask = || {
                self.db.give_way();
                question(&self.db, file)
            };
            match salsa::Cancelled::catch(AssertUnwindSafe(ask)) {
                Ok(answer) => return Ok(answer),
                // The thread that had begun on a query unwound: cancelled by the same edit that cancels this
                // question, or failed. Asked again, this thread sees for itself which.
                Err(salsa::Cancelled::PropagatedPanic) => {}
                Err(_) => return Err(Cancelled),
            }
        }
        panic!("analysis failed in another thread");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
