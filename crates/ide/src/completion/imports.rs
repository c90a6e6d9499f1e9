//! Completes `from tvm.script import ...`, and adds a missing import along with a completion that needs it.

use hir::{Database, SourceFile};
use relax::release::Release;
use relax::script::Namespace;
use syntax::SyntaxKind;
use syntax::ast::{self, AstNode, Stmt};
use text_size::TextSize;

use super::Site;
use super::item::{Completion, CompletionKind, Items, rank};
use crate::semantics::Scope;
use crate::source_edit::SourceEdit;

const NAMESPACES: [Namespace; 3] = [Namespace::Ir, Namespace::Relax, Namespace::Tir];

/// Returns the letter of a namespace, and the text that imports it.
fn import(namespace: Namespace, release: Release) -> (char, &'static str) {
    match namespace {
        Namespace::Relax | Namespace::Python => ('R', "relax as R"),
        Namespace::Tir if release.has_tirx() => ('T', "tirx as T"),
        Namespace::Tir => ('T', "tir as T"),
        Namespace::Ir => ('I', "ir as I"),
    }
}

impl Site<'_, '_> {
    /// Offers the namespaces that an import statement does not list yet.
    pub(super) fn imports(self, items: &mut Items) {
        let cursor = self.cursor;
        let start = cursor.line.start.min(cursor.word.start());
        let before = &self.scope.text[usize::from(start)..usize::from(cursor.word.start())];
        let before: Vec<&str> = before.split_whitespace().collect();
        let ["from", "tvm.script", "import", named @ ..] = before.as_slice() else {
            return;
        };
        let begins = matches!(
            cursor.before,
            Some(SyntaxKind::IMPORT_KW | SyntaxKind::COMMA | SyntaxKind::L_PAREN)
        );
        let is_named = |import: &str| {
            let name = import.split(' ').next().unwrap_or_default();
            named.iter().any(|it| it.trim_start_matches('(') == name)
        };
        let rows = NAMESPACES.map(|it| import(it, self.scope.release()).1);
        for import in rows.into_iter().filter(|it| begins && !is_named(it)) {
            items.push(Completion::new(import, CompletionKind::Namespace).rank(rank::FITS));
        }
    }

    /// Adds an import edit to the items that use a namespace which the file does not import.
    pub(super) fn bring_imports(self, db: &Database, file: SourceFile, items: &mut [Completion]) {
        let unbound: Vec<_> = NAMESPACES
            .map(|it| import(it, self.scope.release()))
            .into_iter()
            .filter(|(letter, _)| is_unbound(self.scope, *letter))
            .collect();
        if unbound.is_empty() || imports_in_comments(self.scope.text) {
            return;
        }
        let path = self.cursor.path.as_ref();
        let root = path.and_then(|path| path.names.first());
        for item in items {
            let needed = unbound.iter().filter(|(letter, _)| match root {
                Some(root) => *root == letter.to_string(),
                None => names(&item.text, *letter),
            });
            let needed: Vec<&str> = needed.map(|(_, import)| *import).collect();
            if !needed.is_empty() {
                item.import = Some(edit(db, file, &needed.join(", ")));
            }
        }
    }
}

/// Returns `true` if a letter only stands for its namespace by default, without an import.
fn is_unbound(scope: &Scope<'_>, letter: char) -> bool {
    scope.env.get(&letter.to_string()).is_none() && !scope.env.may_have_more()
}

/// Returns `true` if the file has its imports in a comment, as printed modules do.
fn imports_in_comments(text: &str) -> bool {
    let mut lines = text.lines();
    lines.any(|line| line.starts_with('#') && line.contains("from tvm.script import"))
}

/// Returns `true` if a text uses a letter as a namespace: `R.function`, or `R` alone.
fn names(text: &str, letter: char) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '"');
    text.match_indices(letter).any(|(at, _)| {
        let after = text[at + 1..].chars().next();
        !text[..at].ends_with(is_word) && after.is_none_or(|c| c == '.')
    })
}

/// Extends an existing import of `tvm.script`, or adds one after the other imports.
fn edit(db: &Database, file: SourceFile, names: &str) -> SourceEdit {
    let source = file.source(db);
    let line = format!("from tvm.script import {names}");
    let mut last_import = None;
    let mut first = None;
    for (at, stmt) in source.parse.tree().stmts().enumerate() {
        if let Stmt::ImportFromStmt(import) = &stmt
            && let Some(end) = end_of_script_import(import)
        {
            return SourceEdit::insert(end, format!(", {names}"));
        }
        match stmt {
            Stmt::ImportFromStmt(_) | Stmt::ImportStmt(_) => last_import = Some(stmt.range().end()),
            // A docstring stays first.
            Stmt::ExprStmt(_) if at == 0 => {}
            _ => {
                first.get_or_insert(stmt.range().start());
                break;
            }
        }
    }
    match (last_import, first) {
        (Some(end), _) => SourceEdit::insert(end, format!("\n{line}")),
        (None, Some(start)) => SourceEdit::insert(start, format!("{line}\n\n")),
        (None, None) => SourceEdit::insert(TextSize::new(0), format!("{line}\n\n")),
    }
}

/// Returns the offset where another name can be added to `from tvm.script import ...`.
fn end_of_script_import(import: &ast::ImportFromStmt) -> Option<TextSize> {
    let text = import.syntax().text().to_string();
    let words: Vec<&str> = text.split_whitespace().take(3).collect();
    let [_, "tvm.script", "import"] = words.as_slice() else {
        return None;
    };
    let last = import.names().last()?;
    Some(last.syntax().text_range().end())
}
