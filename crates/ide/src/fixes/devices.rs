//! Fixes the devices of annotations, which the module must list.

use relax::Diagnostic;
use relax::script::Namespace;
use relax::sinfo::VDevice;
use syntax::ast::{self, AstNode};
use syntax::{SyntaxKind, SyntaxNode};
use text_size::{TextRange, TextSize};

use super::{Confidence, Fixes};
use crate::semantics::FunctionContext;
use crate::source_edit::SourceEdit;

/// Replaces the device with a listed one; those of the same kind come first.
pub fn listed(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let old = cx.slice(diagnostic.range);
    let quotes: &[char] = &['"', '\''];
    let Some(kind) = old
        .strip_prefix(quotes)
        .and_then(|it| it.strip_suffix(quotes))
    else {
        return;
    };
    let kind = kind.split(':').next().unwrap_or_default();
    let Some(module) = cx.module() else {
        return;
    };
    let mut names = named(module.vdevices(cx.db));
    let same = |name: &str| name.split(':').next() == Some(kind);
    names.sort_by_key(|name| !same(name));
    let only = names.iter().filter(|name| same(name)).count() == 1;
    for name in names {
        let title = format!("Change {old} to \"{name}\"");
        let edit = SourceEdit::replace(diagnostic.range, format!("\"{name}\""));
        fixes.add(
            "listed-device",
            title,
            Confidence::likely_if(only && same(&name)),
            edit,
        );
    }
}

/// Adds the device to the module's list if it is the next of its kind.
pub fn list(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let quotes: &[char] = &['"', '\''];
    let name = cx.slice(diagnostic.range).trim_matches(quotes);
    let mut parts = name.split(':');
    let (Some(kind), index) = (parts.next(), parts.next().unwrap_or("0")) else {
        return;
    };
    let file = cx.function.file(cx.db);
    let Some(module) = cx.module() else {
        return;
    };
    let devices = module.vdevices(cx.db).iter();
    let count = devices.filter(|it| it.target == kind).count();
    let root = file.source(cx.db).parse.syntax();
    let class = root.covering_element(module.range(cx.db));
    let Some(class) = class.into_node() else {
        return;
    };
    if parts.next().is_some() || index.parse() != Ok(count) {
        return;
    }
    let id = if count == 0 {
        String::new()
    } else {
        format!(", {count}")
    };
    let ir = cx.alias(Namespace::Ir);
    let device = format!("{ir}.vdevice(\"{kind}\"{id})");
    let title = format!("Add `{device}` to the module's devices");
    let edit = match last_listed(&class) {
        Some(last) => SourceEdit::insert(last.end(), format!(", {device}")),
        None => {
            let Some(first) = first_statement(&class).filter(|_| global_infos(&class).is_none())
            else {
                return;
            };
            let source = &file.source(cx.db).text;
            let before = &source[..usize::from(first)];
            let indent = &before[before.rfind('\n').map_or(0, |at| at + 1)..];
            if !indent.trim_start().is_empty() {
                return;
            }
            let newline = cx.newline();
            let infos =
                format!("{ir}.module_global_infos({{\"vdevice\": [{device}]}}){newline}{indent}");
            SourceEdit::insert(first, infos)
        }
    };
    fixes.possible_outside("list-device", title, edit);
}

/// Returns where the first statement of a class starts.
fn first_statement(class: &SyntaxNode) -> Option<TextSize> {
    let class = class.descendants().find_map(ast::ClassDef::cast)?;
    let first = class.body()?.stmts().next()?;
    Some(first.syntax().text_range().start())
}

/// Returns the call of `I.module_global_infos` in a class.
fn global_infos(class: &SyntaxNode) -> Option<ast::CallExpr> {
    let mut calls = class.descendants().filter_map(ast::CallExpr::cast);
    calls.find(|call| {
        let callee = call.callee().map(|it| it.syntax().text().to_string());
        callee.is_some_and(|it| it.ends_with("module_global_infos"))
    })
}

/// Returns the range of the last device in the `I.module_global_infos` of a class.
fn last_listed(class: &SyntaxNode) -> Option<TextRange> {
    let infos = global_infos(class)?;
    let entries = infos.syntax().descendants();
    let mut entries = entries.filter(|it| it.kind() == SyntaxKind::DICT_ENTRY);
    let listed = entries.find(|it| {
        let key = it.first_token();
        key.is_some_and(|key| key.text().trim_matches(['"', '\'']) == "vdevice")
    })?;
    let list = listed.children().find_map(ast::ListExpr::cast)?;
    Some(list.elements().last()?.range())
}

/// Returns how annotations name each device of a module: by its kind, and its index among devices of that kind.
pub fn named(devices: &[VDevice]) -> Vec<String> {
    let name = |(at, device): (usize, &VDevice)| {
        let before = devices[..at].iter().filter(|it| it.target == device.target);
        format!("{}:{}", device.target, before.count())
    };
    devices.iter().enumerate().map(name).collect()
}
