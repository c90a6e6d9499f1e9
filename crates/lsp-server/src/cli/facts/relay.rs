//! The facts of a Relay file, as JSON. Types are in TVM's notation.

use hir::RelayFile;
use hir::relay::body::{Definition, Item, LocalId, LocalKind};
use hir::relay::{Body, Facts};
use relax::relay::Type;
use serde_json::{Value, json};

use crate::cli::report::FileReport;
use crate::cli::report::json::diagnostics;

pub fn facts(file: &RelayFile, report: &FileReport) -> Value {
    let pairs = file.module.definitions.iter().zip(&file.facts.definitions);
    let functions: Vec<Value> = pairs
        .filter_map(|(definition, facts)| function(definition, facts, report))
        .collect();
    json!({
        "dialect": "relay",
        "functions": functions,
        "diagnostics": diagnostics(report),
    })
}

/// Returns a function as JSON. A text that consists of one expression is a function without a name.
fn function(definition: &Definition, facts: &Facts, report: &FileReport) -> Option<Value> {
    let body = &definition.body;
    let (name, params) = match &body.item {
        Item::Function { name, function } => (Some(name), &*function.params),
        Item::Expr(_) => (None, [].as_slice()),
        Item::Type(_) | Item::Missing => return None,
    };
    let start = definition.start;
    let line = |range: text_size::TextRange| report.span(range + start).line;
    let ty = |local: LocalId| facts.local(local).map(ToString::to_string);
    let ret = match (&facts.ty, name) {
        (Some(Type::Function(it)), Some(_)) => Some(it.ret.to_string()),
        (ty, None) => ty.as_ref().map(ToString::to_string),
        _ => None,
    };
    let named =
        |local: &LocalId| json!({"name": body[*local].name.text.as_str(), "type": ty(*local)});
    let params: Vec<Value> = params.iter().map(named).collect();
    let at = name.map_or_else(|| body_range(body), |it| it.range);
    let bindings: Vec<Value> = body
        .locals()
        .filter_map(|(id, local)| {
            let kind = match local.kind {
                LocalKind::Graph => "graph",
                LocalKind::Let => "let",
                LocalKind::Param | LocalKind::Pattern | LocalKind::Free => return None,
            };
            Some(json!({
                "line": line(body.name_range(id)),
                "name": local.name.text.as_str(),
                "kind": kind,
                "type": ty(id),
            }))
        })
        .collect();
    Some(json!({
        "name": name.map_or("", |it| it.text.as_str()),
        "line": line(at),
        "type": facts.ty.as_ref().map(ToString::to_string),
        "params": params,
        "ret": ret,
        "bindings": bindings,
    }))
}

fn body_range(body: &Body) -> text_size::TextRange {
    match body.item {
        Item::Expr(root) => body.range(root),
        _ => text_size::TextRange::default(),
    }
}
