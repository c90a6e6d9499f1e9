//! Rewrites `R.Tensor[(n, 4), "float32"]` to `R.Tensor((n, 4), "float32")`, and `R.Tensor(_, "float32")` to
//! `R.Tensor(dtype="float32")`.

use syntax::SyntaxNode;
use syntax::ast::{self, AstNode, Expr};
use text_size::TextRange;

use super::{Scope, elements, is_hole, is_string};
use crate::migrate::{Pass, args_of, calls};

pub fn stage(pass: &mut Pass<'_>, scope: &Scope) {
    for node in scope.nodes(pass) {
        if let Some(subscript) = ast::SubscriptExpr::cast(node.clone()) {
            brackets(pass, &subscript);
        } else if let Some(call) = ast::CallExpr::cast(node) {
            parentheses(pass, &call);
        }
    }
}

/// Rewrites `T.Buffer[(4,), "float32"]`.
pub fn buffer(pass: &mut Pass<'_>, subscript: &ast::SubscriptExpr) {
    let base = subscript.base().and_then(|it| pass.script_name(&it));
    if base.as_deref() == Some("T.Buffer") {
        as_call(pass, subscript);
    }
}

fn brackets(pass: &mut Pass<'_>, subscript: &ast::SubscriptExpr) {
    let base = subscript.base().and_then(|it| pass.script_name(&it));
    let (Some(base), Some(index)) = (base, subscript.index()) else {
        return;
    };
    match base.as_str() {
        "R.Tensor" => {}
        "R.Tuple" | "R.Shape" | "R.Callable" => return as_call(pass, subscript),
        _ => return,
    }
    let parts = match &index {
        Expr::TupleExpr(it) if !it.is_parenthesized() => it.elements().collect(),
        _ => vec![index.clone()],
    };
    let is_shape = |it: &Expr| elements(it).is_some() || is_hole(it);
    let is_pair = match parts.as_slice() {
        [shape, dtype] => is_string(dtype) || is_shape(shape),
        [one] => is_shape(one),
        _ => false,
    };
    let tensor = if is_pair {
        Tensor::of(pass, parts.first(), parts.get(1), None)
    } else {
        let dims = pass.slice(index.range()).trim_end_matches(',');
        let comma = if parts.len() == 1 { "," } else { "" };
        Tensor {
            shape: Some(format!("({dims}{comma})")),
            ..Tensor::default()
        }
    };
    if let Some(range) = between(subscript) {
        pass.replace(range, format!("({})", tensor.args()));
    }
}

/// Returns the range from the opening bracket to the closing one.
fn between(subscript: &ast::SubscriptExpr) -> Option<TextRange> {
    let base = subscript.base()?;
    Some(TextRange::new(base.range().end(), subscript.range().end()))
}

fn as_call(pass: &mut Pass<'_>, subscript: &ast::SubscriptExpr) {
    if let (Some(all), Some(index)) = (between(subscript), subscript.index()) {
        pass.replace(TextRange::new(all.start(), index.range().start()), "(");
        pass.replace(TextRange::new(index.range().end(), all.end()), ")");
    }
}

/// Drops arguments that say "unknown", and a rank if dimensions are given.
fn parentheses(pass: &mut Pass<'_>, call: &ast::CallExpr) {
    let name = call.callee().and_then(|it| pass.script_name(&it));
    let (Some("R.Tensor"), Some(list)) = (name.as_deref(), call.arg_list()) else {
        return;
    };
    let args = args_of(call);
    let at = |place: usize, keyword: &str| {
        let positional = args.get(place).filter(|it| it.keyword().is_none());
        let arg = positional.or_else(|| calls::keyword(&args, keyword))?;
        arg.value()
    };
    let (shape, dtype, ndim) = (
        at(0, "shape"),
        at(1, "dtype"),
        calls::keyword(&args, "ndim"),
    );
    let known = args.iter().all(|it| {
        let keyword = it.keyword();
        keyword.is_none_or(|it| matches!(it.text(), "shape" | "dtype" | "ndim"))
    });
    let has_hole = [&shape, &dtype].into_iter().flatten().any(|it| {
        let is_none = pass.slice(it.range()) == "None";
        is_hole(it) || is_none || elements(it).is_some_and(|it| it.iter().any(is_hole))
    });
    let is_twice = ndim.is_some() && shape.as_ref().is_some_and(|it| elements(it).is_some());
    if known && (has_hole || is_twice) {
        let ndim = ndim.and_then(ast::Arg::value);
        let tensor = Tensor::of(pass, shape.as_ref(), dtype.as_ref(), ndim.as_ref());
        pass.replace(list.range(), format!("({})", tensor.args()));
    }
}

/// The texts of the known parts of a tensor annotation.
#[derive(Default)]
struct Tensor {
    shape: Option<String>,
    dtype: Option<String>,
    ndim: Option<String>,
}

impl Tensor {
    fn of(
        pass: &Pass<'_>,
        shape: Option<&Expr>,
        dtype: Option<&Expr>,
        ndim: Option<&Expr>,
    ) -> Tensor {
        let text = |it: &Expr| pass.slice(it.range()).to_owned();
        let known = |it: &&Expr| !is_hole(it) && pass.slice(it.range()) != "None";
        let shape = shape.filter(known);
        let dims = shape.and_then(elements);
        let is_rank = dims.as_ref().is_some_and(|it| it.iter().any(is_hole));
        let rank = dims
            .as_ref()
            .filter(|_| is_rank)
            .map(|it| it.len().to_string());
        Tensor {
            shape: shape.filter(|_| !is_rank).map(text),
            dtype: dtype.filter(known).map(text),
            ndim: rank.or_else(|| ndim.filter(|_| dims.is_none()).map(text)),
        }
    }

    fn args(&self) -> String {
        let dtype = match (&self.shape, &self.dtype) {
            (_, None) => None,
            (Some(_), Some(dtype)) => Some(dtype.clone()),
            (None, Some(dtype)) => Some(format!("dtype={dtype}")),
        };
        let ndim = self.ndim.as_ref().map(|it| format!("ndim={it}"));
        let all: Vec<String> = [self.shape.clone(), dtype, ndim]
            .into_iter()
            .flatten()
            .collect();
        all.join(", ")
    }
}

/// The StructInfo that an annotation spells out, in the detail that casts need.
#[derive(Clone)]
pub enum Written {
    /// A tensor, with the text of its dtype.
    Tensor(Option<String>),
    Shape,
}

pub fn written(pass: &Pass<'_>, annotation: &Expr) -> Option<Written> {
    let (callee, args) = match annotation {
        Expr::CallExpr(call) => (call.callee()?, args_of(call)),
        other => (other.clone(), Vec::new()),
    };
    match pass.script_name(&callee)?.as_str() {
        "R.Shape" => Some(Written::Shape),
        "R.Tensor" => {
            let positional = args.get(1).filter(|it| it.keyword().is_none());
            let dtype = positional.or_else(|| calls::keyword(&args, "dtype"));
            let dtype = dtype.and_then(ast::Arg::value).map(|it| it.range());
            Some(Written::Tensor(dtype.map(|it| pass.slice(it).to_owned())))
        }
        _ => None,
    }
}

/// Returns the annotation of the binding whose value is `value`.
pub fn of_binding(value: &SyntaxNode) -> Option<Expr> {
    let binding = value.parent().and_then(ast::AnnAssignStmt::cast)?;
    let is_value = binding.value().is_some_and(|it| it.syntax() == value);
    binding.annotation().filter(|_| is_value)
}
