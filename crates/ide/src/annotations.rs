//! StructInfo as an annotation at a place: spelled for the dialect, with the shape variables that are known there.

use hir::dialect::Dialect;
use hir::sinfo::StructInfo;

use crate::function_context::FunctionContext;

/// The annotation in the body of the function, if it can be written there.
pub fn in_body(cx: &FunctionContext<'_>, sinfo: &StructInfo) -> Option<String> {
    let declared = |name: &str| {
        let local = cx.declares(name);
        local || !is_string(cx, name)
    };
    let unknown_name = sinfo.used_vars().iter().any(|var| !declared(&var.name));
    if unknown_name {
        return None;
    }
    written(cx.dialect, sinfo)
}

/// The annotation in the signature, where shape variables are strings unless Python declares them.
pub fn in_signature(cx: &FunctionContext<'_>, sinfo: &StructInfo) -> Option<String> {
    let plain = written(cx.dialect, sinfo)?;
    let vars = sinfo.used_vars();
    let quoted: Vec<_> = vars.iter().filter(|var| is_string(cx, &var.name)).collect();
    if quoted.is_empty() {
        return Some(plain);
    }
    // Only whole dimensions can be put in quotes here.
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

/// What every value is, spelled for the dialect.
pub fn of_anything(dialect: Dialect) -> String {
    StructInfo::Object.display(dialect).to_string()
}

fn written(dialect: Dialect, sinfo: &StructInfo) -> Option<String> {
    let mut python = false;
    sinfo.for_each_sym_var(&mut |var| python |= var.id == hir::infer::PYTHON_DIM);
    let text = sinfo.display(dialect).to_string();
    (!python && !text.contains('?')).then_some(text)
}

/// Whether the signature writes a shape variable as a string.
fn is_string(cx: &FunctionContext<'_>, name: &str) -> bool {
    cx.text().contains(&format!("\"{name}\"")) || cx.text().contains(&format!("'{name}'"))
}
