//! Imports names that a file uses but does not import.

use hir::{Database, SourceFile};
use relax::Diagnostic;
use relax::release::Release;
use syntax::ast::{AstNode, Stmt};

use super::{FileContext, Fixes};
use crate::lines::line_ending;
use crate::semantics::FunctionContext;
use crate::source_edit::SourceEdit;

/// Common names for modules, with the statements that import them.
const MODULES: &[(&str, &str)] = &[
    ("np", "import numpy as np"),
    ("relax", "from tvm import relax"),
    ("rx", "from tvm import relax as rx"),
    ("te", "from tvm import te"),
    ("tir", "from tvm import tir"),
    ("tirx", "from tvm import tirx"),
    ("topi", "from tvm import topi"),
    ("tvm", "import tvm"),
];

pub fn add(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let written = cx.slice(diagnostic.range);
    let Some((_, import)) = MODULES.iter().find(|(name, _)| *name == written) else {
        return;
    };
    // A program with TVMScript has imports.
    if let Some(edit) = added(cx.db, cx.function.file(cx.db), import) {
        fixes.possible_outside("add-import", format!("Add `{import}`"), edit);
    }
}

/// Imports a letter of TVMScript that the file uses.
pub fn add_letter(cx: &FileContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let import = match &cx.file.source(cx.db).text[diagnostic.range] {
        "R" => "from tvm.script import relax as R",
        "I" => "from tvm.script import ir as I",
        "T" if hir::file_release(cx.db, cx.file) >= Release::V0_24 => {
            "from tvm.script import tirx as T"
        }
        "T" => "from tvm.script import tir as T",
        _ => return,
    };
    if let Some(edit) = added(cx.db, cx.file, import) {
        fixes.certain("add-import", format!("Add `{import}`"), edit);
    }
}

/// Returns the insertion of an import after the first imports of a file.
fn added(db: &Database, file: SourceFile, import: &str) -> Option<SourceEdit> {
    let source = file.source(db);
    let stmts = source.parse.tree().stmts();
    let imports = stmts.take_while(|it| !matches!(it, Stmt::FunctionDef(_) | Stmt::ClassDef(_)));
    let is_import = |it: &Stmt| matches!(it, Stmt::ImportStmt(_) | Stmt::ImportFromStmt(_));
    let last = imports.filter(is_import).last()?;
    let newline = line_ending(&source.text);
    Some(SourceEdit::insert(
        last.range().end(),
        format!("{newline}{import}"),
    ))
}
