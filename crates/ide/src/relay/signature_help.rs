//! Signature help: the parameters of the call around the cursor.

use hir::RelayFile;
use relax::relay::ops::{self, Entry};
use relax::relay::{Type, Value};
use syntax::ast::AstNode;
use syntax::relay::ast::{ArgList, CallExpr, Expr};
use syntax::relay::{SyntaxKind, SyntaxNode, SyntaxToken};
use text_size::{TextRange, TextSize};

use super::mentions::{self, Symbol};
use crate::markdown::Markdown;
use crate::types::{Parameter, Signature, SignatureHelp};

pub fn signature_help(file: &RelayFile, offset: TextSize) -> Option<SignatureHelp> {
    let root = file.parse.syntax();
    let calls = calls_around(&root, offset);
    let signatures: Vec<Signature> = calls.filter_map(|it| of_call(file, &it, offset)).collect();
    (!signatures.is_empty()).then_some(SignatureHelp {
        signatures,
        active: 0,
    })
}

/// Returns the calls whose arguments contain the offset, innermost first.
pub(super) fn calls_around(root: &SyntaxNode, offset: TextSize) -> impl Iterator<Item = CallExpr> {
    let token = root.token_at_offset(offset).left_biased();
    let before = std::iter::successors(token, SyntaxToken::prev_token);
    let token = before.into_iter().find(|it| !it.kind().is_trivia());
    let lists = token.into_iter().flat_map(|it| it.parent_ancestors());
    let lists = lists.filter_map(ArgList::cast).filter(move |it| {
        let range = it.range();
        let is_closed = it
            .syntax()
            .last_token()
            .is_some_and(|it| it.kind() == SyntaxKind::R_PAREN);
        range.start() < offset && (offset < range.end() || !is_closed)
    });
    lists.filter_map(|it| it.syntax().parent().and_then(CallExpr::cast))
}

fn of_call(file: &RelayFile, call: &CallExpr, offset: TextSize) -> Option<Signature> {
    let callee = call.callee()?;
    let list = call.arg_list()?;
    let commas = list.syntax().children_with_tokens();
    let commas =
        commas.filter(|it| it.kind() == SyntaxKind::COMMA && it.text_range().end() <= offset);
    let position = commas.count();
    let attribute = list
        .attributes()
        .find(|it| it.range().contains_inclusive(offset));
    let attribute = attribute.and_then(|it| Some(it.name()?.text()));
    let at_end = callee.range().end();
    if let Expr::NameExpr(name) = &callee
        && let Some(entry) = ops::by_name(&name.text())
    {
        let mut signature = operator(entry);
        let named = entry
            .attrs
            .iter()
            .position(|it| Some(it.name) == attribute.as_deref());
        let attr = named.map(|it| entry.inputs.len() + it);
        signature.active = attr
            .or(Some(position))
            .filter(|it| *it < signature.params.len());
        return Some(signature);
    }
    let mention = mentions::at(file, at_end)?;
    let env = &file.facts.env;
    let (name, ty) = match &mention.symbol {
        Symbol::Global(name) => (format!("@{name}"), env.function(name)?.ty.clone()),
        Symbol::Constructor(name) => (
            name.to_string(),
            env.constructor_type(env.constructor(name)?),
        ),
        Symbol::Local(at, local) => {
            let name = &file.module.definitions[*at].body[*local].name.text;
            let ty = file.facts.definitions[*at].local(*local)?;
            (format!("%{name}"), ty.clone())
        }
        _ => return None,
    };
    function(&name, &ty, position)
}

/// Returns the signature of an operator: `nn.dense(data, weight, units=None)`.
pub(super) fn operator(entry: &Entry) -> Signature {
    let inputs = entry.inputs.iter().map(|it| (*it).to_owned());
    let attrs = entry.attrs.iter().map(|it| match &it.default {
        Some(default) => format!("{}={}", it.name, written(default)),
        None => it.name.to_owned(),
    });
    signature(entry.op.name, inputs.chain(attrs), "")
}

fn written(value: &Value) -> String {
    match value {
        Value::Int(it) => it.to_string(),
        Value::Float(it) => format!("{it}f"),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Str(it) => format!("\"{it}\""),
        Value::None => "None".to_owned(),
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(written).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Opaque => "...".to_owned(),
    }
}

fn function(name: &str, ty: &Type, position: usize) -> Option<Signature> {
    let function = ty.as_function()?;
    let params = function.params.iter().map(ToString::to_string);
    let mut signature = signature(name, params, &format!(" -> {}", function.ret));
    signature.active = Some(position).filter(|it| *it < signature.params.len());
    Some(signature)
}

fn signature(name: &str, params: impl Iterator<Item = String>, end: &str) -> Signature {
    let mut label = format!("{name}(");
    let mut ranges = Vec::new();
    for param in params {
        if !ranges.is_empty() {
            label.push_str(", ");
        }
        let start = TextSize::of(&label);
        label.push_str(&param);
        ranges.push(Parameter {
            range: TextRange::new(start, TextSize::of(&label)),
            doc: Markdown::default(),
        });
    }
    label.push(')');
    label.push_str(end);
    Signature {
        label,
        params: ranges,
        active: None,
        doc: Markdown::default(),
    }
}
