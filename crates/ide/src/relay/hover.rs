//! Hover: what a name refers to, with its type.

use std::fmt::Write;

use hir::RelayFile;
use hir::relay::body::{Expr, ExprId, LocalKind};
use relax::relay::ops;
use text_size::TextSize;

use super::mentions::{self, Mention, Symbol};
use crate::markdown::{Code, Markdown, markdown};
use crate::types::Hover;

pub fn hover(file: &RelayFile, offset: TextSize) -> Option<Hover> {
    let mention = mentions::at(file, offset)?;
    let markdown = page(file, &mention)?;
    Some(Hover {
        range: mention.range,
        markdown,
    })
}

fn page(file: &RelayFile, mention: &Mention) -> Option<Markdown> {
    let env = &file.facts.env;
    let text = match &mention.symbol {
        Symbol::Local(at, local) => {
            let bound = &file.module.definitions[*at].body[*local];
            let kind = match bound.kind {
                LocalKind::Param => "parameter",
                LocalKind::Let => "let",
                LocalKind::Graph => "graph binding, evaluated once",
                LocalKind::Pattern => "bound by a pattern",
                LocalKind::Free => "free variable",
            };
            let ty = file.facts.definitions[*at].local(*local);
            let ty = ty.map_or_else(|| "_".to_owned(), ToString::to_string);
            markdown!("{}{}", code(&format!("%{}: {ty}", bound.name.text)), kind)
        }
        Symbol::Global(name) => code(&format!("@{name}: {}", env.function(name)?.ty)),
        Symbol::Constructor(name) => {
            let constructor = env.constructor(name)?;
            let ty = env.constructor_type(constructor);
            markdown!(
                "{}constructor of {}",
                code(&format!("{name}: {ty}")),
                Code(&constructor.adt)
            )
        }
        Symbol::Type(name) => code(&adt(file, name)?),
        Symbol::TypeParam(_, name) => markdown!("{}type parameter", code(name)),
        Symbol::Operator(name) | Symbol::Sign(name) => {
            let entry = ops::by_name(name)?;
            let mut text = code(&super::signature_help::operator(entry).label);
            if let Some(ty) = mention
                .expr
                .and_then(|(at, callee)| call_type(file, at, callee))
            {
                text.push(markdown!("here {}", Code(ty)));
            }
            text
        }
    };
    Some(text)
}

/// Returns the definition of a type with its constructors.
fn adt(file: &RelayFile, name: &str) -> Option<String> {
    let adt = file.facts.env.adt(name)?;
    let params: Vec<&str> = adt.params.iter().map(|it| it.name.as_str()).collect();
    let params = if params.is_empty() {
        String::new()
    } else {
        format!("[{}]", params.join(", "))
    };
    let mut text = format!("type {name}{params}");
    for constructor in &adt.constructors {
        let fields = &file.facts.env.constructor(constructor)?.fields;
        let fields: Vec<String> = fields.iter().map(ToString::to_string).collect();
        _ = write!(text, "\n  {constructor}");
        if !fields.is_empty() {
            _ = write!(text, "({})", fields.join(", "));
        }
    }
    Some(text)
}

/// Returns the type of the call whose callee is `callee`.
fn call_type(file: &RelayFile, at: usize, callee: ExprId) -> Option<String> {
    let body = &file.module.definitions[at].body;
    let is_call = |expr: &Expr| matches!(expr, Expr::Call { callee: it, .. } if *it == callee);
    let (call, _) = body.exprs().find(|(_, expr)| is_call(expr))?;
    let ty = file.facts.definitions[at].expr(call);
    ty.map(ToString::to_string)
}

fn code(text: &str) -> Markdown {
    Markdown::block("tvm-relay", text)
}
