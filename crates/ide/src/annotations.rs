//! Writes StructInfo as an annotation: in the file's dialect, with the shape variables that are in scope there.

use relax::script::Namespace;
use relax::sinfo::StructInfo;
use relax::sym::SymVar;
use syntax::ast::AstNode;

use crate::semantics::FunctionContext;
use crate::semantics::spelling::alias_of;
use crate::source_edit::SourceEdit;

/// Returns the annotation for use in the function's body, or `None` if it cannot be written there.
pub fn in_body(cx: &FunctionContext<'_>, sinfo: &StructInfo) -> Option<String> {
    if !undeclared(cx, sinfo).is_empty() {
        return None;
    }
    written(cx, sinfo)
}

/// Returns the annotation for use in the function's body, and the edit that declares its shape variables there.
pub fn in_body_declared(
    cx: &FunctionContext<'_>,
    sinfo: &StructInfo,
) -> Option<(String, SourceEdit)> {
    let text = written(cx, sinfo)?;
    Some((text, declaration(cx, &undeclared(cx, sinfo))?))
}

/// Returns the shape of a tensor for use in the function's body, as casts of the RFC take it; `None` if it cannot be
/// written there.
pub fn shape_in_body(cx: &FunctionContext<'_>, sinfo: &StructInfo) -> Option<String> {
    in_body(cx, sinfo)?;
    let dims = sinfo.as_tensor()?.dims()?;
    let comma = if dims.len() == 1 { "," } else { "" };
    let dims: Vec<String> = dims.iter().map(ToString::to_string).collect();
    Some(format!("({}{comma})", dims.join(", ")))
}

/// Returns the edit that declares shape variables in the functions that bind them.
pub fn declaration(cx: &FunctionContext<'_>, vars: &[SymVar]) -> Option<SourceEdit> {
    if vars.is_empty() {
        return Some(SourceEdit::default());
    }
    let env = cx.function.env(cx.db);
    let tir = alias_of(env, Namespace::Tir).filter(|alias| env.get(alias).is_some())?;
    let mut edit = SourceEdit::default();
    for var in vars {
        // Declare it in the function that binds it; local functions see it too.
        let owner = cx.facts.functions.get(var.id as usize)?;
        let suite = cx.function_def(owner.name_range).body()?;
        let first = suite.stmts().next()?.range().start();
        if !suite.is_block() {
            return None;
        }
        let (indent, newline) = (cx.indent(first), cx.newline());
        let line = format!("{} = {tir}.int64(){newline}{indent}", var.name);
        edit = edit.and_insert(first, line);
    }
    Some(edit)
}

/// Returns the shape variables that the signature only names in strings.
fn undeclared(cx: &FunctionContext<'_>, sinfo: &StructInfo) -> Vec<SymVar> {
    let mut vars = sinfo.used_vars();
    vars.retain(|var| is_string(cx, &var.name) && !cx.declares(&var.name));
    vars
}

/// Returns the annotation for use in the signature, where shape variables are strings unless Python declares them.
pub fn in_signature(cx: &FunctionContext<'_>, sinfo: &StructInfo) -> Option<String> {
    let plain = written(cx, sinfo)?;
    let vars = sinfo.used_vars();
    let quoted: Vec<_> = vars.iter().filter(|var| is_string(cx, &var.name)).collect();
    if quoted.is_empty() {
        return Some(plain);
    }
    // Only a whole dimension can be quoted here.
    let mut whole = true;
    sinfo.for_each_dimension(&mut |dim| whole &= dim.as_int().is_some() || dim.as_var().is_some());
    if !whole {
        return None;
    }
    let mut text = String::new();
    let mut word = String::new();
    for c in plain.chars().chain([' ']) {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        let is_var = quoted.iter().any(|var| var.name == word);
        let quote = if is_var { "\"" } else { "" };
        for part in [quote, &word, quote] {
            text.push_str(part);
        }
        word.clear();
        text.push(c);
    }
    Some(text.trim_end().to_owned())
}

/// Returns the annotation of the return type of the decorated or local function at index `function`, in terms of shape
/// variables that its parameters bind.
pub fn of_result(cx: &FunctionContext<'_>, function: usize, sinfo: &StructInfo) -> Option<String> {
    let params = cx.facts.functions.get(function)?.params.iter();
    let bound: Vec<_> = params
        .flat_map(|it| cx.facts.var(*it).struct_info.defined_vars())
        .collect();
    let in_scope = sinfo.used_vars().iter().all(|var| bound.contains(var));
    in_signature(cx, sinfo).filter(|_| in_scope)
}

/// Returns the StructInfo that every value has, in the file's dialect.
pub fn of_anything(cx: &FunctionContext<'_>) -> String {
    cx.written(&StructInfo::Object)
}

fn written(cx: &FunctionContext<'_>, sinfo: &StructInfo) -> Option<String> {
    let text = cx.written(sinfo);
    is_spelled(cx, sinfo, &text).then_some(text)
}

/// Returns `true` if the text says all of the StructInfo, and uses only names that the file has.
pub fn is_spelled(cx: &FunctionContext<'_>, sinfo: &StructInfo, text: &str) -> bool {
    let mut python = false;
    sinfo.for_each_sym_var(&mut |var| python |= var.is_python());
    let env = cx.function.env(cx.db);
    let tir = cx.alias(Namespace::Tir);
    let named = |text: &str| text.contains(&format!("{tir}."));
    let has_tir = || env.get(&tir).is_some() || env.may_have_more();
    !python && !text.contains('?') && (!named(text) || has_tir())
}

/// Writes a dimension for use in the signature: a number, or a shape variable, quoted if needed.
pub fn dimension(cx: &FunctionContext<'_>, dim: &str) -> String {
    if is_string(cx, dim) {
        format!("\"{dim}\"")
    } else {
        dim.to_owned()
    }
}

/// Returns `true` if the signature writes a shape variable as a string: the function declares it, not Python.
fn is_string(cx: &FunctionContext<'_>, name: &str) -> bool {
    cx.declares(name)
        || cx.text().contains(&format!("\"{name}\""))
        || cx.text().contains(&format!("'{name}'"))
}
