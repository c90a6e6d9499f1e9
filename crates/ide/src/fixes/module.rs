//! Fixes functions of a module: duplicate names, unused functions, and modules without public functions.

use hir::{FunctionItem, file_items};
use relax::{Diagnostic, FunctionKind};
use syntax::ast::{AstNode, ClassDef};
use text_size::{TextRange, TextSize};

use super::purity::without_keyword;
use super::{FileContext, Fixes};
use crate::lines::line_ending;
use crate::semantics::FunctionContext;
use crate::semantics::{function_at, function_range, name_range};
use crate::source_edit::SourceEdit;

/// Renames the second of two functions with the same name.
pub fn rename_second(cx: &FileContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let Some(function) = named_at(cx, diagnostic.range) else {
        return;
    };
    let (module, old) = (function.module(cx.db), function.name(cx.db));
    let functions = file_items(cx.db, cx.file).functions.iter();
    let siblings = functions.filter(|it| it.module(cx.db) == module);
    let taken: Vec<_> = siblings.map(|it| it.name(cx.db)).collect();
    let mut numbered = (1..=taken.len()).map(|number| format!("{old}_{number}"));
    let Some(new) = numbered.find(|new| !taken.iter().any(|it| it == new)) else {
        return;
    };
    let title = format!("Rename this one to `{new}`");
    let edit = SourceEdit::replace(diagnostic.range, new);
    fixes.possible("rename-second", title, edit);
}

/// Removes an unused private function, or makes it public.
pub fn remove_unused(cx: &FileContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let Some(function) = named_at(cx, diagnostic.range) else {
        return;
    };
    let name = function.name(cx.db);
    let edit = SourceEdit::delete(with_blank_lines(cx, function));
    fixes.possible("remove-function", format!("Remove `{name}`"), edit);
    publish(cx, function, fixes);
}

/// Makes `main`, or else the last function, public.
pub fn publish_one(cx: &FileContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let modules = &file_items(cx.db, cx.file).modules;
    let found = modules
        .iter()
        .find(|it| it.name_range(cx.db) == diagnostic.range);
    let Some(module) = found else { return };
    let functions = module.functions(cx.db).iter().copied();
    let relax = functions.filter(|it| it.kind(cx.db) == FunctionKind::Relax);
    let best = relax.max_by_key(|it| (it.name(cx.db) == "main", it.offset(cx.db)));
    if let Some(function) = best {
        publish(cx, function, fixes);
    }
}

/// Makes a class a module.
pub fn decorate(cx: &FileContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let source = cx.file.source(cx.db);
    let tree = source.parse.tree();
    let mut classes = tree.syntax().descendants().filter_map(ClassDef::cast);
    let named = |it: &ClassDef| {
        it.name()
            .is_some_and(|it| it.text_range() == diagnostic.range)
    };
    let Some(class) = classes.find(named) else {
        return;
    };
    let start = class.range().start();
    let line = source.text[..start.into()]
        .rfind('\n')
        .map_or(0, |it| it + 1);
    let indent = &source.text[line..start.into()];
    let newline = line_ending(&source.text);
    let edit = SourceEdit::insert(start, format!("@I.ir_module{newline}{indent}"));
    fixes.preferred("add-decorator", "Add `@I.ir_module`", edit);
}

fn publish(cx: &FileContext<'_>, function: FunctionItem<'_>, fixes: &mut Fixes) {
    let Some(within) = FunctionContext::new(cx.db, cx.file, function) else {
        return;
    };
    if let Some(edit) = without_keyword(&within, &within.tree, "private") {
        let title = format!("Make `{}` public", function.name(cx.db));
        fixes.possible("make-public", title, edit.moved(within.start));
    }
}

/// Moves a recursive call out of its dataflow block.
pub fn move_out(cx: &FileContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    in_function(cx, diagnostic, fixes, super::dataflow_only::move_out);
}

/// Adds a variable that a local function uses to the outputs of its block.
pub fn give_out(cx: &FileContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    in_function(cx, diagnostic, fixes, super::output::give_out);
}

/// Applies a fix of the function around a position of the file.
fn in_function(cx: &FileContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes, fix: super::Fix) {
    let function = function_at(cx.db, cx.file, diagnostic.range.start());
    let Some(within) = function.and_then(|it| FunctionContext::new(cx.db, cx.file, it)) else {
        return;
    };
    let Some(range) = within.relative(diagnostic.range) else {
        return;
    };
    let mut found = Fixes::default();
    let here = Diagnostic::new(diagnostic.code, range, diagnostic.message.as_str());
    fix(&within, &here, &mut found);
    for fix in found.found {
        let edit = fix.edit.moved(within.start);
        fixes.add(fix.id, fix.title, fix.confidence, edit);
    }
}

fn named_at<'db>(cx: &FileContext<'db>, range: TextRange) -> Option<FunctionItem<'db>> {
    let functions = &file_items(cx.db, cx.file).functions;
    let after = functions.partition_point(|it| it.offset(cx.db) <= range.start());
    let function = *functions.get(after.checked_sub(1)?)?;
    (name_range(cx.db, function) == Some(range)).then_some(function)
}

/// Returns the lines of a function with the blank lines after it, or before it if it is the last of its block.
fn with_blank_lines(cx: &FileContext<'_>, function: FunctionItem<'_>) -> TextRange {
    let text = &cx.file.source(cx.db).text;
    let range = function_range(cx.db, function);
    let line = text[..range.start().into()]
        .rfind('\n')
        .map_or(0, |at| at + 1);
    let rest = &text[range.end().into()..];
    let next = rest.trim_start_matches([' ', '\t', '\r', '\n']);
    let blank = rest[..rest.len() - next.len()]
        .rfind('\n')
        .map_or(0, |at| at + 1);
    let indent = |text: &str| text.len() - text.trim_start_matches([' ', '\t']).len();
    let is_last = indent(&rest[blank..]) < indent(&text[line..]);
    let size = |at: usize| TextSize::new(at as u32);
    if is_last {
        let before = text[..line].trim_end().len();
        let start = text[before..line]
            .find('\n')
            .map_or(line, |at| before + at + 1);
        return TextRange::new(size(start), range.end());
    }
    TextRange::new(size(line), range.end() + size(blank))
}
