//! Renames names that changed: of TVMScript, of TVM's Python API, and the imports that bring them.

use std::collections::{BTreeMap, BTreeSet};

use relax::release::{
    ATTRIBUTES, BUILTINS, FIELDS, FUNCTIONS_FOR_CLASSES, Form, KEYWORDS, MERGED, REMOVED, Release,
    Rename, UNCERTAIN_FIELDS, renamed, spellings,
};
use smol_str::SmolStr;
use syntax::ast::{self, AstNode, Expr};
use syntax::{NodeOrToken, SyntaxKind, SyntaxNode, SyntaxToken};
use text_size::TextRange;

use super::{Pass, Transition};
use crate::imports::{DottedName, is_bound, script_name};

/// Renames the names whose new name is certain, and lists the others.
pub fn rename(pass: &mut Pass<'_>) {
    let locals = locals(pass);
    for node in pass.tree.syntax().clone().descendants() {
        if let Some(import) = ast::ImportFromStmt::cast(node.clone()) {
            import_from(pass, &import, &locals);
        } else if let Some(import) = ast::ImportStmt::cast(node.clone()) {
            for path in import.names().filter_map(|it| it.path()) {
                let names: Vec<SyntaxToken> = path.names().collect();
                module(pass, &names);
            }
        } else if let Some(expr) = Expr::cast(node.clone()) {
            expression(pass, &expr, &locals);
        } else if let Some(arg) = ast::Arg::cast(node) {
            keyword(pass, &arg);
        }
    }
}

/// Imported names whose last part changes with their path, such as `tir` in `from tvm import tir`, with their new
/// local name. `None` means that the new name is already taken, so the old one is kept as an alias.
type Locals = BTreeMap<SmolStr, Option<String>>;

fn locals(pass: &Pass<'_>) -> Locals {
    let mut locals = Locals::new();
    let tokens = pass.tree.syntax().descendants_with_tokens();
    let tokens = tokens.filter_map(NodeOrToken::into_token);
    let names: BTreeSet<SmolStr> = tokens
        .filter(|it| it.kind() == SyntaxKind::IDENT && is_bound(it))
        .map(|it| it.text().into())
        .collect();
    let imports = pass.tree.syntax().descendants();
    for import in imports.filter_map(ast::ImportFromStmt::cast) {
        let Some(from) = import.module() else {
            continue;
        };
        for alias in import.names().filter(|it| it.alias().is_none()) {
            let Some(path) = alias.path() else { continue };
            let old = path.dotted();
            let new = path_of(&format!("{}.{old}", from.dotted()), pass.transition);
            let last = new.rsplit('.').next().unwrap_or(&new).to_owned();
            if last != old {
                let is_free = !names.contains(last.as_str()) && !names.contains(old.as_str());
                locals.insert(old.into(), is_free.then_some(last));
            }
        }
    }
    locals
}

/// Returns the path in the target release: by the TVMScript tables for TVMScript, by the Python tables otherwise.
fn path_of(path: &str, transition: Transition) -> String {
    let new = renamed(path, transition.from, transition.to);
    let Some(name) = script_name(path) else {
        return new;
    };
    let Some(last) = script_rename(path, &name, transition) else {
        return new;
    };
    match new.rsplit_once('.') {
        Some((before, _)) => format!("{before}.{last}"),
        None => new,
    }
}

/// Returns the new last part of a TVMScript path.
fn script_rename(path: &str, name: &str, transition: Transition) -> Option<&'static str> {
    // Before tirx, `T.alloc_buffer` made the buffer of a block; since then it allocates memory anywhere.
    if name == "T.alloc_buffer" {
        let is_new = path.contains(".tirx.");
        return match () {
            () if transition.enters(Release::V0_24) && !is_new => Some("sblock_alloc_buffer"),
            () if transition.leaves(Release::V0_24) && is_new => Some("decl_buffer"),
            () => None,
        };
    }
    spellings().find_map(|row| match row.form {
        Form::Name(old, new) if old == name && transition.loses(row.releases) => {
            new.filter(|_| row.has_replacement(transition.to))
        }
        _ => None,
    })
}

/// Renames a dotted path that stands alone: `import tvm.tir`.
fn module(pass: &mut Pass<'_>, names: &[SyntaxToken]) {
    let Some((first, rest)) = names.split_first() else {
        return;
    };
    let written = DottedName {
        root: first.text().to_owned(),
        names: names.to_vec(),
    };
    let new = path_of(&written.path(), pass.transition);
    if new == written.path() {
        return;
    }
    let end = rest.last().unwrap_or(first).text_range().end();
    let range = TextRange::new(first.text_range().start(), end);
    pass.replace(range, new);
}

fn import_from(pass: &mut Pass<'_>, import: &ast::ImportFromStmt, locals: &Locals) {
    let (Some(module), 0) = (import.module(), import.level()) else {
        return;
    };
    let old_module = module.dotted();
    // The names of this import, grouped by their new module.
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    let mut is_changed = false;
    let mut is_shorter = false;
    for alias in import.names() {
        let Some(path) = alias.path() else { return };
        let old = path.dotted();
        if let Some(row) = builtin(&format!("{old_module}.{old}"), pass.transition) {
            if pass.slice(import.range()).contains('#') {
                let message = format!("this is now `{}` of Python ({})", row.new, row.source);
                pass.leave(alias.range(), message);
            } else {
                (is_changed, is_shorter) = (true, true);
                continue;
            }
        }
        let new = path_of(&format!("{old_module}.{old}"), pass.transition);
        if let Some(message) = removed(&new, pass.transition) {
            pass.leave(alias.range(), message);
        }
        let (parent, name) = new.rsplit_once('.').unwrap_or((&old_module, &new));
        let text = match (alias.alias(), locals.get(old.as_str())) {
            (Some(alias), _) => format!("{name} as {}", alias.text()),
            (None, Some(None)) => format!("{name} as {old}"),
            (None, _) => name.to_owned(),
        };
        is_changed |= parent != old_module || name != old;
        match groups.iter_mut().find(|(module, _)| module == parent) {
            Some((_, names)) => names.push(text),
            None => groups.push((parent.to_owned(), vec![text])),
        }
    }
    let star = renamed(&old_module, pass.transition.from, pass.transition.to);
    if import.star().is_some() && star != old_module {
        pass.replace(module.range(), star);
    }
    if !is_changed {
        return;
    }
    if groups.is_empty() {
        return pass.remove_stmt(import);
    }
    let whole: Vec<_> = import.names().collect();
    if let ([(module_name, names)], false) = (groups.as_slice(), is_shorter) {
        if *module_name != old_module {
            pass.replace(module.range(), module_name.clone());
        }
        for (alias, text) in whole.iter().zip(names) {
            if pass.slice(alias.range()) != text {
                pass.replace(alias.range(), text.clone());
            }
        }
        return;
    }
    let start = import.range().start();
    let line = pass.text[..start.into()].rfind('\n').map_or(0, |at| at + 1);
    let indent: String = pass.text[line..start.into()]
        .chars()
        .take_while(|it| it.is_whitespace())
        .collect();
    let lines: Vec<String> = groups
        .iter()
        .map(|(module, names)| format!("from {module} import {}", names.join(", ")))
        .collect();
    pass.replace(import.range(), lines.join(&format!("\n{indent}")));
}

fn expression(pass: &mut Pass<'_>, expr: &Expr, locals: &Locals) {
    match expr {
        Expr::AttributeExpr(attribute) => {
            if is_base(attribute.syntax()) {
                return;
            }
            match pass.imports.written(expr) {
                Some(written) => dotted(pass, &written, locals),
                None => fields(pass, expr),
            }
        }
        Expr::NameExpr(name) if !is_base(name.syntax()) => {
            if let Some(written) = pass.imports.written(expr) {
                dotted(pass, &written, locals);
            }
        }
        _ => attribute_key(pass, expr),
    }
}

/// Returns `true` if a longer dotted name continues from this node.
fn is_base(node: &SyntaxNode) -> bool {
    node.parent()
        .and_then(ast::AttributeExpr::cast)
        .and_then(|it| it.base())
        .is_some_and(|it| it.syntax() == node)
}

fn dotted(pass: &mut Pass<'_>, written: &DottedName, locals: &Locals) {
    let local = &written.names[0];
    let root = path_of(&written.root, pass.transition);
    let new_local = match locals.get(local.text()) {
        Some(Some(new)) => new.as_str(),
        _ => local.text(),
    };
    let new = path_of(&written.path(), pass.transition);
    let range = cover(&written.names);
    if let Some(row) = builtin(&written.path(), pass.transition)
        && (written.names.len() > 1 || builtin_import(pass, local.text()))
    {
        return pass.replace(range, row.new);
    }
    let is_called = || {
        let last = written.names.last().and_then(SyntaxToken::parent);
        let callee = last
            .and_then(|it| it.parent())
            .and_then(ast::CallExpr::cast);
        callee
            .and_then(|it| it.callee())
            .is_some_and(|it| it.range().end() == range.end())
    };
    if FUNCTIONS_FOR_CLASSES.contains(&new.as_str()) && new != written.path() && !is_called() {
        return pass.leave(
            range,
            format!("the class was removed: create its values with `{new}`"),
        );
    }
    if let Some(message) = removed(&new, pass.transition) {
        return pass.leave(range, message);
    }
    if is_merged(&written.path(), &new) && is_in_isinstance(pass, &written.names[0]) {
        let message = format!("`{new}` covers more types: `isinstance` would accept those too");
        return pass.leave(range, message);
    }
    let Some(rest) = new.strip_prefix(&root) else {
        return moved_module(pass, written, range, &new);
    };
    let new = format!("{new_local}{rest}");
    if pass.slice(range) != new {
        pass.replace(range, new);
    }
}

/// Returns the row of a name that Python itself has in the target release.
fn builtin(path: &str, transition: Transition) -> Option<&'static Rename> {
    let mut rows = BUILTINS.iter();
    rows.find(|row| row.old == path && transition.enters(row.since))
}

/// Returns `true` if the import of a name can be removed without losing comments.
fn builtin_import(pass: &Pass<'_>, name: &str) -> bool {
    let imports = pass.tree.syntax().descendants();
    let mut imports = imports.filter_map(ast::ImportFromStmt::cast);
    imports.all(|import| {
        let binds = import.names().any(|it| {
            let alias = it.alias().map(|it| it.text().to_owned());
            alias.or_else(|| Some(it.path()?.dotted())).as_deref() == Some(name)
        });
        !binds || !pass.slice(import.range()).contains('#')
    })
}

/// Returns the message for a name that is gone.
fn removed(path: &str, transition: Transition) -> Option<String> {
    let row = REMOVED.iter().find(|row| {
        let rest = path.strip_prefix(row.old);
        transition.enters(row.since) && rest.is_some_and(|it| it.is_empty() || it.starts_with('.'))
    })?;
    let (old, new, source) = (row.old, row.new, row.source);
    Some(format!("`{old}` was removed ({source}): use `{new}`"))
}

/// Returns `true` if a name was merged into one that covers more.
fn is_merged(old: &str, new: &str) -> bool {
    let last = |path: &str| path.rsplit('.').next().map(str::to_owned);
    MERGED.iter().any(|row| row.new == new) && last(old) != last(new)
}

/// Returns `true` if a name is an argument of `isinstance`.
fn is_in_isinstance(pass: &Pass<'_>, name: &SyntaxToken) -> bool {
    let mut calls = name.parent_ancestors().filter_map(ast::CallExpr::cast);
    calls.any(|it| {
        it.callee()
            .is_some_and(|it| pass.slice(it.range()) == "isinstance")
    })
}

/// Renames names that moved to another module than the one that is imported, such as `tir.Schedule`: to the full path,
/// or through an import of the new module.
fn moved_module(pass: &mut Pass<'_>, written: &DottedName, range: TextRange, new: &str) {
    if pass.imports.path("tvm").as_deref() == Some("tvm") {
        return pass.replace(range, new);
    }
    let local = written.names[0].text();
    let module = new.strip_prefix("tvm.").and_then(|it| it.split_once('.'));
    if let (Some((module, rest)), Some(end)) = (module, pass.imports.end_beside(local))
        && pass.imports.path(module).is_none()
        && pass.import(end, format!(", {module}"))
    {
        return pass.replace(range, format!("{module}.{rest}"));
    }
    pass.leave(range, format!("this is now `{new}`: import it from there"));
}

fn cover(names: &[SyntaxToken]) -> TextRange {
    let (first, last) = (&names[0], &names[names.len() - 1]);
    first.text_range().cover(last.text_range())
}

/// A renamed attribute whose new name is also common in other libraries.
const AMBIGUOUS: &str = "ty";

/// Renames attributes of values, that is, of names that are not imported.
fn fields(pass: &mut Pass<'_>, expr: &Expr) {
    let mut at = expr.clone();
    while let Expr::AttributeExpr(attribute) = at {
        if let Some(name) = attribute.name() {
            field(pass, &attribute, &name);
        }
        let Some(base) = attribute.base() else { return };
        at = base;
    }
}

fn field(pass: &mut Pass<'_>, attribute: &ast::AttributeExpr, name: &SyntaxToken) {
    let range = name.text_range();
    let is_up = pass.transition.from < pass.transition.to;
    if let Some(new) = renamed_by(FIELDS, name.text(), pass.transition) {
        let is_certain = (is_up || name.text() != AMBIGUOUS) && pass.imports.are_of_tvm()
            || super::decorators::is_in_relax_function(pass, attribute.syntax());
        if is_certain {
            pass.replace(range, new);
        } else if is_up || pass.imports.are_of_tvm() {
            pass.leave(
                range,
                format!(
                    "`.{}` is now `.{new}` on TVM's objects: rename it if this is one",
                    name.text()
                ),
            );
        }
    } else if is_up && let Some(new) = renamed_by(UNCERTAIN_FIELDS, name.text(), pass.transition) {
        pass.leave(
            range,
            format!(
                "`.{}` is now `.{new}` on Relax variables: rename it if this is one",
                name.text()
            ),
        );
    }
}

/// Returns the new name by the rows of a table, which may rename a name more than once.
fn renamed_by(rows: &'static [Rename], name: &str, transition: Transition) -> Option<&'static str> {
    let step = |name: &str| {
        rows.iter().find_map(|row| match name {
            _ if name == row.old && transition.enters(row.since) => Some(row.new),
            _ if name == row.new && transition.leaves(row.since) => Some(row.old),
            _ => None,
        })
    };
    std::iter::successors(step(name), |it| step(it)).last()
}

/// Renames a keyword argument whose name changed: `out_sinfo=`.
fn keyword(pass: &mut Pass<'_>, arg: &ast::Arg) {
    let Some(name) = arg.keyword() else { return };
    let call = arg
        .syntax()
        .ancestors()
        .find_map(ast::CallExpr::cast)
        .and_then(|it| it.callee());
    let Some(path) = call
        .and_then(|it| pass.imports.written(&it))
        .map(|it| it.path())
    else {
        return;
    };
    let transition = pass.transition;
    let paths = [path_of(&path, transition), path.clone()];
    let is_below = |of: &str| {
        let mut rest = paths.iter().filter_map(|it| it.strip_prefix(of));
        rest.any(|it| it.is_empty() || it.starts_with('.'))
    };
    let mut tables = KEYWORDS.iter().filter(|(of, _)| is_below(of));
    if let Some(new) = tables.find_map(|(_, rows)| renamed_by(rows, name.text(), transition)) {
        pass.replace(name.text_range(), new);
    }
    let Some(callee) = script_name(&path) else {
        return;
    };
    let new = spellings().find_map(|row| match row.form {
        Form::Keyword(calls, keyword, new)
            if keyword == name.text()
                && calls.contains(&callee.as_str())
                && transition.loses(row.releases) =>
        {
            new
        }
        _ => None,
    });
    if let Some(new) = new {
        pass.replace(name.text_range(), new);
    }
}

/// Renames the key of an attribute or of a pass option in a string: `"tir.noalias"`.
fn attribute_key(pass: &mut Pass<'_>, expr: &Expr) {
    let range = expr.range();
    let text = pass.slice(range);
    let unquoted = text.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
    if let Some(name) = unquoted
        && let Some(new) = renamed_by(ATTRIBUTES, name, pass.transition)
    {
        pass.replace(range, format!("\"{new}\""));
    }
}
