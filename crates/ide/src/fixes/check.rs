//! Analyses the file after a fix, before the fix is offered.

use std::cell::Cell;
use std::rc::Rc;

use hir::{Database, Db as _, SourceFile, file_items};
use relax::{Code, Diagnostic, Severity};
use text_size::{TextRange, TextSize};

use super::{Fixes, annotation};
use crate::draft::Draft;
use crate::mentions::functions_in;
use crate::semantics::FunctionContext;
use crate::semantics::{function_at, function_range};
use crate::source_edit::SourceEdit;

/// Fixes in longer modules are offered without a check, so that the light bulb does not wait.
const MAX_CHECKED: TextSize = TextSize::new(100_000);
/// The maximum number of bytes that are analysed for one request: enough for the fixes of a mistake in a long module.
const MAX_ANALYSED: u32 = 1_200_000;
/// What a check costs besides, in bytes.
const OVERHEAD: u32 = 20_000;
/// Fixes in longer files are offered without a check, since their modules have to be found again.
const MAX_FILE: TextSize = TextSize::new(1_000_000);
/// The maximum number of annotations that are corrected after the first.
const MAX_FOLLOWING: usize = 16;
/// If a function has more wrong annotations, the mistake is elsewhere.
const MAX_KNOWN: usize = 4;

/// The bytes that a request may still analyse. A request about a whole file may concern thousands of mistakes.
#[derive(Clone, Debug)]
pub struct Budget(Rc<Cell<u32>>);

impl Default for Budget {
    fn default() -> Budget {
        Budget::of(MAX_ANALYSED)
    }
}

impl Budget {
    pub fn of(bytes: u32) -> Budget {
        Budget(Rc::new(Cell::new(bytes)))
    }

    pub fn left(&self) -> u32 {
        self.0.get()
    }

    /// Pays for the analysis of a part of a file. Returns `None` if too little is left.
    pub fn spend(&self, file: TextSize, analysed: TextSize) -> Option<()> {
        // To find the functions of a file again takes about a quarter of the time of their inference.
        self.pay(u32::from(file) / 4 + u32::from(analysed) + OVERHEAD)
    }

    /// Pays for parsing a text again, which may be one statement or all of it. Returns `None` if too little is left.
    pub fn spend_on_parsing(&self, file: TextSize) -> Option<()> {
        self.pay(u32::from(file) / 64 + OVERHEAD / 8)
    }

    /// Pays for an edit that writes a part of a file anew. Returns `None` if too little is left.
    pub fn spend_on_rewriting(&self, part: TextSize) -> Option<()> {
        self.pay(u32::from(part) + OVERHEAD / 8)
    }

    fn pay(&self, bytes: u32) -> Option<()> {
        self.0.set(self.left().checked_sub(bytes)?);
        Some(())
    }
}

pub struct Checking<'c, 'db> {
    db: &'db Database,
    file: SourceFile,
    cx: Option<&'c FunctionContext<'db>>,
    budget: Budget,
}

impl<'c, 'db> Checking<'c, 'db> {
    /// Checks edits that are relative to a function.
    pub fn new(cx: &'c FunctionContext<'db>, budget: &Budget) -> Checking<'c, 'db> {
        Checking {
            db: cx.db,
            file: cx.function.file(cx.db),
            cx: Some(cx),
            budget: budget.clone(),
        }
    }

    /// Checks edits that are relative to the file.
    pub fn of_file(db: &'db Database, file: SourceFile, budget: &Budget) -> Checking<'c, 'db> {
        Checking {
            db,
            file,
            cx: None,
            budget: budget.clone(),
        }
    }

    fn draft(&self, at: TextSize) -> Option<Draft> {
        let source = self.file.source(self.db);
        let around = around(self.db, self.file, at);
        let file = source.parse.green.text_len();
        if file > MAX_FILE || around.len() > MAX_CHECKED {
            return None;
        }
        self.budget.spend(file, around.len())?;
        self.db.give_way();
        Some(Draft::new(self.db, self.file))
    }

    /// Returns `true` if an edit leaves fewer problems and adds no problem of a new kind. Returns `None` if checking
    /// would take too long, or if the request has used up its budget.
    pub fn improves(&self, edit: &SourceEdit) -> Option<bool> {
        let start = self.cx.map_or(TextSize::new(0), |cx| cx.start);
        let edit = edit.clone().moved(start);
        let at = edit.replacements().first()?.range.start();
        let mut draft = self.draft(at)?;
        draft.apply(&edit);
        let before = problems(self.db, self.file, at);
        let after = problems(&draft.db, draft.file, at);
        let count = |all: &[Code], code: Code| all.iter().filter(|it| **it == code).count();
        let worse = |code: &Code| count(&after, *code) > count(&before, *code);
        Some(after.len() < before.len() && !after.iter().any(worse))
    }

    /// Extends the edit of an annotation with corrections of the later annotations that it makes wrong.
    pub fn followed(&self, edit: SourceEdit) -> SourceEdit {
        let (Some(cx), Some(mut draft)) = (self.cx, self.cx.and_then(|cx| self.draft(cx.start)))
        else {
            return edit;
        };
        let known = annotated(cx);
        if known.len() > MAX_KNOWN {
            return edit;
        }
        let source = self.file.source(self.db);
        let first = edit.clone().moved(cx.start);
        draft.apply(&first);
        let mut all = first.clone();
        for _ in 0..MAX_FOLLOWING {
            let next = {
                let function = function_at(&draft.db, draft.file, cx.start);
                let there = function
                    .and_then(|function| FunctionContext::new(&draft.db, draft.file, function));
                there.and_then(|there| {
                    let mut wrong = annotated(&there);
                    wrong.retain(|it| known.iter().all(|known| known.message != it.message));
                    let fix = wrong.first().and_then(|wrong| follow(&there, wrong));
                    fix.map(|fix| fix.moved(there.start))
                })
            };
            let Some(next) = next else { break };
            draft.apply(&next);
            all = all.then(&next, &source.text);
        }
        let count = |db: &Database, file| problems(db, file, cx.start).len();
        if count(&draft.db, draft.file) < count(self.db, self.file) {
            all.moved_back(cx.start)
        } else {
            edit
        }
    }
}

/// Returns the diagnostics of wrong annotations in a function.
fn annotated(cx: &FunctionContext<'_>) -> Vec<Diagnostic> {
    let found = hir::function_diagnostics(cx.db, cx.function);
    let wrong =
        |it: &&Diagnostic| matches!(it.code, Code::AnnotationMismatch | Code::ReturnMismatch);
    found.filter(wrong).cloned().collect()
}

fn follow(cx: &FunctionContext<'_>, wrong: &Diagnostic) -> Option<SourceEdit> {
    let mut fixes = Fixes::default();
    match wrong.code {
        Code::ReturnMismatch => annotation::of_result(cx, wrong, &mut fixes),
        _ => return Some(annotation::corrected(cx, wrong)?.1),
    }
    fixes.found.pop().map(|fix| fix.edit)
}

/// Returns the range of the module around an offset, or else of the function.
fn around(db: &Database, file: SourceFile, at: TextSize) -> TextRange {
    let modules = file_items(db, file).modules.iter();
    let module = modules
        .map(|it| it.range(db))
        .find(|it: &TextRange| it.contains_inclusive(at));
    let function = || function_at(db, file, at).map(|it| function_range(db, it));
    module.or_else(function).unwrap_or(TextRange::empty(at))
}

/// Returns the syntax errors of a file, and the errors in functions of the module around an offset.
fn problems(db: &Database, file: SourceFile, at: TextSize) -> Vec<Code> {
    let syntax = file
        .source(db)
        .parse
        .errors
        .iter()
        .map(|_| Code::SyntaxError);
    let functions = functions_in(db, file, around(db, file, at)).iter();
    let found = functions.flat_map(|&function| hir::function_diagnostics(db, function));
    let wrong = found.filter(|it| matches!(it.severity, Severity::Error | Severity::Warning));
    syntax.chain(wrong.map(|it| it.code)).collect()
}
