//! Tests that inference restores TVM's StructInfo after the annotations of bindings are removed.

use hir::body::{ExprId, Stmt, StmtKind, Target};
use hir::{Database, Source, SourceFile, file_items, file_release, function_body, lazy_facts};
use relax::FunctionKind;
use relax::value::Value;
use syntax::ast::{self, AstNode};

use super::models::printed;

/// A binding with its StructInfo as text.
#[derive(Debug, PartialEq, Eq)]
struct Binding {
    function: String,
    name: String,
    struct_info: String,
}

/// Removes the annotations of bindings.
fn erase(text: &str) -> String {
    let tree = syntax::parse(text).tree();
    let mut erased = String::with_capacity(text.len());
    let mut kept = 0;
    for stmt in tree
        .syntax()
        .descendants()
        .filter_map(ast::AnnAssignStmt::cast)
    {
        let (Some(target), Some(annotation)) = (stmt.target(), stmt.annotation()) else {
            continue;
        };
        erased.push_str(&text[kept..usize::from(target.range().end())]);
        kept = usize::from(annotation.range().end());
    }
    erased.push_str(&text[kept..]);
    erased
}

/// Returns the annotated bindings of a file with their annotations.
fn annotated(text: &str) -> Vec<Binding> {
    let db = Database::default();
    let file = SourceFile::new(&db, Source::new(text));
    let release = file_release(&db, file);
    let mut all = Vec::new();
    for &function in &file_items(&db, file).functions {
        if function.kind(&db) != FunctionKind::Relax {
            continue;
        }
        let (body, facts) = (function_body(&db, function), lazy_facts(&db, function));
        let mut annotations = Vec::new();
        collect(&body.function.body, &mut annotations);
        for (name, annotation) in annotations {
            let struct_info = match facts.value(annotation) {
                Value::Annotation(sinfo) => sinfo.display(release.dialect()).to_string(),
                other => format!("{other:?}"),
            };
            all.push(Binding {
                function: function.name(&db).to_string(),
                name,
                struct_info,
            });
        }
    }
    all
}

fn collect(stmts: &[Stmt], all: &mut Vec<(String, ExprId)>) {
    for stmt in stmts {
        match &stmt.kind {
            StmtKind::AnnAssign {
                target: Target::Name(name),
                annotation,
                ..
            } => {
                all.push((name.text.to_string(), *annotation));
            }
            StmtKind::With { body: inner, .. } => collect(inner, all),
            StmtKind::If {
                then, otherwise, ..
            } => {
                collect(then, all);
                collect(otherwise.as_deref().unwrap_or_default(), all);
            }
            _ => {}
        }
    }
}

/// Returns the inferred StructInfo of the bindings with these names, in order.
fn inferred(text: &str, wanted: &[Binding]) -> Vec<Binding> {
    let db = Database::default();
    let file = SourceFile::new(&db, Source::new(text));
    let release = file_release(&db, file);
    let mut all = Vec::new();
    for &function in &file_items(&db, file).functions {
        let name = function.name(&db);
        let mut wanted = wanted.iter().filter(|b| b.function == name).peekable();
        for var in lazy_facts(&db, function).vars() {
            if wanted.next_if(|b| b.name == *var.name).is_some() {
                all.push(Binding {
                    function: name.to_string(),
                    name: var.name.to_string(),
                    struct_info: var.struct_info.display(release.dialect()).to_string(),
                });
            }
        }
    }
    all
}

fn check(wanted: impl Fn(&str) -> bool) {
    for file in printed(wanted) {
        let printed = annotated(&file.text);
        let erased = erase(&file.text);
        assert!(
            annotated(&erased).is_empty(),
            "{}: an annotation is left",
            file.name
        );
        let restored = inferred(&erased, &printed);
        assert_eq!(
            restored.len(),
            printed.len(),
            "{}: a binding is missing",
            file.name
        );
        for (printed, restored) in printed.iter().zip(&restored) {
            assert_eq!(printed, restored, "{}", file.name);
        }
    }
}

#[test]
fn every_binding_of_graph_level_files_is_restored() {
    check(|name| name.contains("-nn."));
}

#[test]
fn every_binding_of_the_other_stages_is_restored() {
    check(|name| !name.contains("-nn."));
}
