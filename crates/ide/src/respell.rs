//! Rewrites constructs that releases write with different structures: `R.Tensor[(n,), "float32"]`, `R.match_shape(x,
//! (n,))`, `with T.LetStmt(value) as x:`.

use relax::release::Release;
use relax::script::Namespace;
use relax::sinfo::StructInfo;
use syntax::ast::{self, AstNode, Expr};
use text_size::TextRange;

use crate::dataflow::last_name;
use crate::semantics::FunctionContext;
use crate::source_edit::SourceEdit;

/// A rewritten construct.
pub struct Respelled {
    /// The new text, abbreviated.
    pub shown: String,
    pub edit: SourceEdit,
}

/// Returns the construct at a range as `release` writes it.
pub fn respelled(cx: &FunctionContext<'_>, at: TextRange, release: Release) -> Option<Respelled> {
    if release > Release::Rfc
        && let Some(subscript) = cx.around::<ast::SubscriptExpr>(at)
        && subscript
            .base()
            .is_some_and(|it| it.range().contains_range(at))
    {
        let (shape, text) = tensor(cx, &subscript)?;
        return replaced(cx, subscript.range(), text, shape);
    }
    let call = cx.around::<ast::CallExpr>(at)?;
    let callee = call.callee().filter(|it| it.range().contains_range(at))?;
    match last_name(&callee)?.as_str() {
        "match_shape" if release > Release::Rfc => {
            let (shape, text) = match_cast(cx, &call)?;
            let parent = call.syntax().parent();
            let is_statement = parent.is_some_and(|it| ast::ExprStmt::can_cast(it.kind()));
            // A cast is a binding.
            let bound = if is_statement { "_ = " } else { "" };
            replaced(cx, call.range(), format!("{bound}{text}"), Some(shape))
        }
        "match_cast" if release == Release::Rfc => {
            replaced(cx, call.range(), match_shape(cx, &call)?, None)
        }
        // From then on, `T.let` is an annotation.
        "LetStmt" if release >= Release::V0_25 => let_annotation(cx, &call),
        _ => None,
    }
}

/// Adds the declarations of the shape variables in `shape`, which the RFC does not need.
fn replaced(
    cx: &FunctionContext<'_>,
    range: TextRange,
    text: String,
    shape: Option<Expr>,
) -> Option<Respelled> {
    let undeclared = match shape {
        Some(Expr::TupleExpr(items)) if !cx.is_at_header(range) => {
            items.elements().flat_map(|it| unknown(cx, &it)).collect()
        }
        _ => Vec::new(),
    };
    let mut edit = SourceEdit::default();
    if !undeclared.is_empty() {
        let body = cx.function_def(range).body().filter(ast::Suite::is_block)?;
        let first = body.stmts().next()?.range().start();
        let (indent, newline, tir) = (cx.indent(first), cx.newline(), cx.alias(Namespace::Tir));
        let mut declared: Vec<&str> = Vec::new();
        for name in undeclared {
            if !declared.contains(&name) {
                let line = format!("{name} = {tir}.int64(){newline}{indent}");
                edit = edit.and_insert(first, line);
                declared.push(name);
            }
        }
    }
    Some(Respelled {
        shown: text.lines().next()?.to_owned(),
        edit: edit.and_replace(range, text),
    })
}

/// Rewrites `R.Tensor[(n, 4), "float32"]` to a call, and returns its shape too. `_` is left out.
fn tensor(
    cx: &FunctionContext<'_>,
    subscript: &ast::SubscriptExpr,
) -> Option<(Option<Expr>, String)> {
    let base = subscript.base()?;
    if last_name(&base)? != "Tensor" {
        return None;
    }
    let Expr::TupleExpr(parts) = subscript.index()? else {
        return None;
    };
    let parts: Vec<Expr> = parts.elements().collect();
    let [shape, dtype] = parts.as_slice() else {
        return None;
    };
    let unless_blank =
        |part: &Expr| (cx.slice(part.range()) != "_").then(|| cx.slice(part.range()));
    let written = unless_blank(shape).map(|_| dims(cx, shape));
    let args = match (written, unless_blank(dtype)) {
        (Some(shape), Some(dtype)) => format!("({shape}, {dtype})"),
        (Some(shape), None) => format!("({shape})"),
        (None, Some(dtype)) => format!("(dtype={dtype})"),
        (None, None) => String::new(),
    };
    let text = format!("{}{args}", cx.slice(base.range()));
    Some((Some(shape.clone()), text))
}

/// Writes dimensions. In a signature, those with unbound names are quoted.
fn dims(cx: &FunctionContext<'_>, shape: &Expr) -> String {
    let Expr::TupleExpr(items) = shape else {
        return cx.slice(shape.range()).to_owned();
    };
    let written = |dim: Expr| {
        let text = cx.slice(dim.range());
        if cx.is_at_header(dim.range()) && !unknown(cx, &dim).is_empty() {
            format!("\"{text}\"")
        } else {
            text.to_owned()
        }
    };
    let items: Vec<String> = items.elements().map(written).collect();
    let comma = if items.len() == 1 { "," } else { "" };
    format!("({}{comma})", items.join(", "))
}

/// Returns the names in a dimension that are not bound.
fn unknown<'db>(cx: &FunctionContext<'db>, dim: &Expr) -> Vec<&'db str> {
    if matches!(dim, Expr::StringLit(_)) {
        return Vec::new();
    }
    let env = cx.function.env(cx.db);
    let mut names = cx.names_in(dim.range());
    names.retain(|name| {
        let is_number = name.starts_with(|c: char| c.is_ascii_digit());
        !is_number && env.get(name).is_none() && !cx.declares(name)
    });
    names
}

/// Rewrites `R.match_shape(x, (n, 4))` to a cast to the known StructInfo of the value, with these dimensions.
fn match_cast(cx: &FunctionContext<'_>, call: &ast::CallExpr) -> Option<(Expr, String)> {
    let (value, shape) = arguments(call)?;
    let around = cx.body.exprs_around(value.range()).into_iter();
    let mut around = around.filter(|it| cx.body.range(*it) == value.range());
    let sinfo = around.find_map(|it| cx.facts.value(it).struct_info());
    let dims = dims(cx, &shape);
    let target = match sinfo {
        Some(StructInfo::Shape(_)) => {
            let items = dims.trim_start_matches('(').trim_end_matches(')');
            let items = items.strip_suffix(',').unwrap_or(items);
            format!("{}([{items}])", cx.relax("Shape"))
        }
        sinfo => {
            let dtype = sinfo.and_then(|it| it.as_tensor()?.dtype);
            let dtype = dtype.filter(|it| !it.is_python());
            let dtype = dtype.map_or_else(String::new, |it| format!(", \"{it}\""));
            format!("{}({dims}{dtype})", cx.relax("Tensor"))
        }
    };
    let value = cx.slice(value.range());
    let text = format!("{}({value}, {target})", cx.relax("match_cast"));
    Some((shape, text))
}

/// Rewrites `R.match_cast(x, R.Tensor((n, 4), "float32"))` to the RFC's `match_shape`.
fn match_shape(cx: &FunctionContext<'_>, call: &ast::CallExpr) -> Option<String> {
    let (value, Expr::CallExpr(target)) = arguments(call)? else {
        return None;
    };
    let shape = target.arg_list()?.args().next()?.value()?;
    let Expr::TupleExpr(items) = shape else {
        return None;
    };
    let bare = |it: Expr| match it {
        Expr::StringLit(_) => cx.slice(it.range()).trim_matches(['"', '\'']),
        _ => cx.slice(it.range()),
    };
    let items: Vec<&str> = items.elements().map(bare).collect();
    let comma = if items.len() == 1 { "," } else { "" };
    let (name, value) = (cx.relax("match_shape"), cx.slice(value.range()));
    Some(format!("{name}({value}, ({}{comma}))", items.join(", ")))
}

fn arguments(call: &ast::CallExpr) -> Option<(Expr, Expr)> {
    let mut args = call.arg_list()?.args().filter(|it| it.keyword().is_none());
    let both = (args.next()?.value()?, args.next()?.value()?);
    args.next().is_none().then_some(both)
}

/// Rewrites `with T.LetStmt(value) as x:` to `x: T.let = value` followed by the dedented body.
fn let_annotation(cx: &FunctionContext<'_>, call: &ast::CallExpr) -> Option<Respelled> {
    let with = cx.around::<ast::WithStmt>(call.range())?;
    let mut items = with.items();
    let (item, None) = (items.next()?, items.next()) else {
        return None;
    };
    let is_item = item.context()?.range() == call.range();
    let body = with.body().filter(|it| is_item && it.is_block())?;
    let first = body.stmts().next()?.range().start();
    let (outer, inner) = (cx.indent(with.range().start()), cx.indent(first));
    let step = inner.strip_prefix(outer)?;
    let header = cx.lines(TextRange::new(with.range().start(), item.range().end()));
    let script = cx.slice(call.callee()?.range()).strip_suffix(".LetStmt")?;
    let value = call.arg_list()?.args().next()?.value()?;
    let name = cx.slice(item.target()?.range());
    let text = format!("{name}: {script}.let = {}", cx.slice(value.range()));
    let lines = TextRange::new(
        cx.lines(TextRange::empty(first)).start(),
        with.range().end(),
    );
    let edit = SourceEdit::replace(header, format!("{outer}{text}{}", cx.newline()))
        .and_all(cx.dedented(lines, outer, step)?);
    Some(Respelled { shown: text, edit })
}
