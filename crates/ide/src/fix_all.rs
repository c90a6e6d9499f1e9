//! `source.fixAll`: applies all unambiguous fixes at once. With `Likely`, also applies the most likely fix of every
//! other error and warning. Also applies the fixes of one code in a whole file.

use hir::{Database, Db as _, Source, SourceFile, file_items};
use relax::Code;
use salsa::Database as _;
use text_size::{TextRange, TextSize};

use crate::analysis::{Analysis, Cancellable};
use crate::code_action::{ActionKind, CodeAction, Resolve};
use crate::diagnostics::reported;
use crate::draft::{Draft, reparsed};
use crate::fixes::{Budget, certain_fixes, fixes, is_repeated};
use crate::source_edit::SourceEdit;
use crate::types::FileId;

/// The maximum number of passes over a file: a fix may uncover another mistake, or bring back its own.
const MAX_PASSES: u32 = 16;
/// The maximum number of fixes that one pass tries separately.
const MAX_TRIED: usize = 64;

/// Which fixes are applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sure {
    /// Unambiguous fixes: they keep the program's meaning, or there is only one possible intent.
    Certain,
    /// Also the most likely fix of each error and warning.
    Likely,
}

impl Analysis {
    /// Returns one edit with all fixes of a file.
    pub fn fix_all(&self, file: FileId, sure: Sure) -> Cancellable<Option<CodeAction>> {
        self.with_file(file, |db, file| fix_all(db, file, sure))
    }

    /// Returns the obvious fix of every diagnostic of a code if the file has several.
    pub fn fix_everywhere(
        &self,
        file: FileId,
        code: &str,
        resolve: &Resolve,
    ) -> Cancellable<Option<CodeAction>> {
        self.with_file(file, |db, file| fix_everywhere(db, file, code, resolve))
    }
}

/// Returns one edit with all fixes, including fixes of problems that earlier fixes uncovered.
fn fix_all(db: &Database, file: SourceFile, sure: Sure) -> Option<CodeAction> {
    let mut edit = combined_edit(db, file, sure);
    if edit.is_empty() {
        return None;
    }
    let mut draft = Draft::new(db, file);
    let mut last = edit.clone();
    for _ in 1..MAX_PASSES {
        db.unwind_if_revision_cancelled();
        draft.apply(&last);
        last = combined_edit(&draft.db, draft.file, sure);
        if last.is_empty() {
            break;
        }
        edit = edit.then(&last, &file.source(db).text);
    }
    Some(CodeAction {
        id: "fix-all",
        title: "Fix all unambiguous problems".to_owned(),
        kind: ActionKind::FixAll,
        preferred: false,
        certain: false,
        ends: None,
        edit: Some(edit),
    })
}

/// Returns the obvious fix of every diagnostic of a code if the file has several.
fn fix_everywhere(
    db: &Database,
    file: SourceFile,
    code: &str,
    resolve: &Resolve,
) -> Option<CodeAction> {
    let mut repeated = Code::ALL.iter().copied().filter(|code| is_repeated(*code));
    let code = repeated.find(|it| it.name() == code)?;
    let functions = file_items(db, file).functions.iter();
    let reported = functions.flat_map(|&function| hir::function_diagnostics(db, function));
    reported.filter(|it| it.code == code).nth(1)?;
    let edit = || {
        let whole = TextRange::up_to(TextSize::of(&*file.source(db).text));
        let functions = file_items(db, file).functions.iter();
        let found = functions.flat_map(|&function| {
            let start = function.offset(db);
            hir::function_diagnostics(db, function).map(move |it| (it.code, it.range + start))
        });
        let of_code = found.filter(|(found, _)| *found == code);
        let named: Vec<_> = of_code
            .map(|(_, at)| (code.name().to_owned(), at))
            .collect();
        let mut fixes = fixes(db, file, whole, &named, &Budget::default());
        fixes.retain(|it| it.preferred && it.ends.is_some());
        fixes.dedup_by_key(|it| it.ends);
        let edits: Vec<SourceEdit> = fixes.into_iter().filter_map(|fix| fix.edit).collect();
        let together = |edits: &[SourceEdit]| {
            let edits = edits.iter().cloned();
            edits.fold(SourceEdit::default(), SourceEdit::and_all_if_apart)
        };
        let source = file.source(db);
        let all = together(&edits);
        if is_python(source, &all) {
            return all;
        }
        // Two removed statements may be all statements of a block: keep one of them.
        let mut kept: Vec<SourceEdit> = Vec::new();
        for edit in edits {
            db.give_way();
            kept.push(edit);
            if !is_python(source, &together(&kept)) {
                kept.pop();
            }
        }
        together(&kept)
    };
    Some(CodeAction {
        id: code.name(),
        title: format!("Fix every `{}` in the file", code.name()),
        kind: ActionKind::QuickFix,
        preferred: false,
        certain: false,
        ends: None,
        edit: resolve.wants(code.name()).then(edit),
    })
}

/// Returns `true` if an edit adds no syntax errors.
fn is_python(source: &Source, edit: &SourceEdit) -> bool {
    let after = reparsed(source, edit.apply(&source.text).into());
    after.parse.errors.len() <= source.parse.errors.len()
}

/// Combines all fixes of a text. Of overlapping fixes, keeps the first.
fn combined_edit(db: &Database, file: SourceFile, sure: Sure) -> SourceEdit {
    let certain = together(certain_fixes(db, file));
    if !certain.is_empty() || sure == Sure::Certain {
        return certain;
    }
    let whole = TextRange::up_to(TextSize::of(&*file.source(db).text));
    let named = problems(db, file);
    if named.is_empty() {
        return SourceEdit::default();
    }
    let mut likely = fixes(db, file, whole, &named, &Budget::default());
    likely.retain(|it| it.preferred && it.ends.is_some());
    likely.dedup_by_key(|it| it.ends);
    let improves = |edit: &SourceEdit| {
        db.give_way();
        let mut draft = Draft::new(db, file);
        draft.apply(edit);
        problems(&draft.db, draft.file).len() < named.len()
    };
    let all = together(likely.clone());
    if all.is_empty() || improves(&all) {
        return all;
    }
    // Together they cause new problems: use the first fix that alone does not.
    let mut single = likely.into_iter().filter_map(|fix| fix.edit);
    let first = single.by_ref().take(MAX_TRIED).find(improves);
    first.unwrap_or_default()
}

/// Returns the errors and warnings of a file, by code and range.
fn problems(db: &Database, file: SourceFile) -> Vec<(String, TextRange)> {
    let found = reported(db, file).into_iter();
    let found = found.filter(|it| it.severity != relax::Severity::Hint);
    found
        .map(|it| (it.code.name().to_owned(), it.range))
        .collect()
}

fn together(fixes: Vec<CodeAction>) -> SourceEdit {
    let edits = fixes.into_iter().filter_map(|fix| fix.edit);
    edits.fold(SourceEdit::default(), SourceEdit::and_all_if_apart)
}
