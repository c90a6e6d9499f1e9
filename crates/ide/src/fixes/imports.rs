//! Imports names that a file uses but does not import.

use relax::Diagnostic;
use syntax::ast::{AstNode, Stmt};

use super::Fixes;
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
    let source = cx.function.file(cx.db).source(cx.db);
    let stmts = source.parse.tree().stmts();
    let imports = stmts.take_while(|it| !matches!(it, Stmt::FunctionDef(_) | Stmt::ClassDef(_)));
    let last = imports
        .filter(|it| matches!(it, Stmt::ImportStmt(_) | Stmt::ImportFromStmt(_)))
        .last();
    // A program with TVMScript has imports.
    if let Some(last) = last {
        let newline = cx.newline();
        let edit = SourceEdit::insert(last.range().end(), format!("{newline}{import}"));
        fixes.possible_outside("add-import", format!("Add `{import}`"), edit);
    }
}
