//! Calls and values: results by their StructInfo, functions by their module, shapes as shapes.

use std::collections::BTreeSet;

use relax::ops;
use relax::release::Release;
use relax::script::{self, Namespace};
use syntax::SyntaxNode;
use syntax::ast::{self, AstNode, Expr};

use super::annotations::{Written, of_binding, written};
use super::{Scope, called, elements, is_string, signature};
use crate::migrate::{Pass, args_of, blocks, calls};

pub fn stage(pass: &mut Pass<'_>, scope: &Scope) {
    let nodes = scope.nodes(pass);
    for node in &nodes {
        if let Some(call) = ast::CallExpr::cast(node.clone()) {
            self::call(pass, scope, &nodes, &call);
        } else if let Some(name) = ast::NameExpr::cast(node.clone()) {
            function_of_module(pass, scope, &name);
        } else if let Some(attribute) = ast::AttributeExpr::cast(node.clone()) {
            shape_of(pass, scope, &attribute);
        } else if let Some(binding) = ast::AnnAssignStmt::cast(node.clone()) {
            shape_value(pass, scope, &binding);
        }
    }
}

fn call(pass: &mut Pass<'_>, scope: &Scope, nodes: &[SyntaxNode], call: &ast::CallExpr) {
    let args = args_of(call);
    tuple(pass, call, &args);
    let Some(name) = call.callee().and_then(|it| pass.script_name(&it)) else {
        return;
    };
    match name.as_str() {
        "R.match_shape" => match_shape(pass, scope, nodes, call, &args),
        "R.call_tir" | "R.call_dps_packed" => destination(pass, scope, call, &name, &args),
        "R.call_packed" => packed(pass, scope, nodes, call, &args),
        _ => {}
    }
    type_args(pass, &name, &args);
    attributes(pass, call, &name, &args);
    let rest = name.strip_prefix("R.").unwrap_or_default();
    let is_statement = call
        .syntax()
        .parent()
        .is_some_and(|it| ast::ExprStmt::can_cast(it.kind()));
    if is_statement && ops::by_script(rest, pass.transition.to).is_some() {
        pass.insert(call.range().start(), "_ = ");
    }
}

/// `R.Tuple((x, y))` as `(x, y)`, where it is a value.
fn tuple(pass: &mut Pass<'_>, call: &ast::CallExpr, args: &[ast::Arg]) {
    let callee = call.callee().and_then(|it| pass.imports.written(&it));
    let path = callee.map(|it| it.path());
    let ([one], Some("tvm.script.relax.Tuple" | "tvm.relax.Tuple")) = (args, path.as_deref())
    else {
        return;
    };
    if let (None, Some(Expr::TupleExpr(value))) = (one.keyword(), one.value())
        && !signature::is_annotation(call.syntax())
    {
        let text = pass.slice(value.range());
        pass.replace(call.range(), text);
    }
}

/// `f` as `Module.f`.
fn function_of_module(pass: &mut Pass<'_>, scope: &Scope, name: &ast::NameExpr) {
    let text = name.text();
    let is_keyword = name.syntax().parent().is_some_and(|it| {
        ast::AttributeExpr::can_cast(it.kind()) || ast::Decorator::can_cast(it.kind())
    });
    let is_function =
        scope.functions.contains(text.as_str()) && !scope.bound.contains(text.as_str());
    if let (true, false, Some(class)) = (is_function, is_keyword, &scope.class) {
        pass.insert(name.range().start(), format!("{class}."));
    }
}

/// `x.shape` as `R.shape_of(x)`.
fn shape_of(pass: &mut Pass<'_>, scope: &Scope, attribute: &ast::AttributeExpr) {
    let (Some(Expr::NameExpr(base)), Some(name)) = (attribute.base(), attribute.name()) else {
        return;
    };
    if name.text() == "shape" && scope.bound.contains(base.text().as_str()) {
        let text = format!("{}({})", scope.relax("shape_of"), base.text());
        pass.replace(attribute.range(), text);
    }
}

/// `s: R.Shape = (n, m)` as `s: R.Shape = R.shape([n, m])`.
fn shape_value(pass: &mut Pass<'_>, scope: &Scope, binding: &ast::AnnAssignStmt) {
    let annotation = binding.annotation().and_then(|it| written(pass, &it));
    if let (Some(Written::Shape), Some(Expr::TupleExpr(value))) = (annotation, binding.value()) {
        let text = pass.slice(value.range());
        let inside = text.strip_prefix('(').and_then(|it| it.strip_suffix(')'));
        let inside = inside.unwrap_or(text).trim_end_matches(',');
        pass.replace(
            value.range(),
            format!("{}([{inside}])", scope.relax("shape")),
        );
    }
}

/// `R.match_shape(x, (n, m))` as `R.match_cast(x, R.Tensor((n, m), "float32"))`.
fn match_shape(
    pass: &mut Pass<'_>,
    scope: &Scope,
    nodes: &[SyntaxNode],
    call: &ast::CallExpr,
    args: &[ast::Arg],
) {
    let values: Vec<Expr> = args.iter().filter_map(ast::Arg::value).collect();
    let ([value, pattern], Some(callee)) = (values.as_slice(), call.callee()) else {
        return;
    };
    let target = of_binding(call.syntax()).and_then(|it| written(pass, &it));
    let of_value = kind(pass, nodes, value);
    let known = match (target, of_value) {
        (Some(Written::Tensor(None)), Some(of_value)) => Some(of_value),
        (target, of_value) => target.or(of_value),
    };
    let (open, close) = match known {
        Some(Written::Shape) => ("Shape", ")".to_owned()),
        Some(Written::Tensor(None)) => ("Tensor", ")".to_owned()),
        Some(Written::Tensor(Some(dtype))) => ("Tensor", format!(", dtype={dtype})")),
        None => {
            let message = "whether this is a tensor or a shape is not written: annotate it";
            return pass.leave(value.range(), message);
        }
    };
    let is_statement = call
        .syntax()
        .parent()
        .is_some_and(|it| ast::ExprStmt::can_cast(it.kind()));
    let bound = if is_statement { "_ = " } else { "" };
    pass.replace(
        callee.range(),
        format!("{bound}{}", scope.relax("match_cast")),
    );
    pass.insert(pattern.range().start(), format!("{}(", scope.relax(open)));
    pass.insert(pattern.range().end(), close);
}

/// What a value is, by what the function writes of it.
fn kind(pass: &Pass<'_>, nodes: &[SyntaxNode], value: &Expr) -> Option<Written> {
    if let Expr::NameExpr(name) = value {
        let text = name.text();
        let is_it = |it: &Expr| pass.slice(it.range()) == text;
        return nodes.iter().find_map(|node| {
            if let Some(param) = ast::Param::cast(node.clone()) {
                let is_it = param.name().is_some_and(|it| it.text() == text);
                return written(pass, &param.annotation().filter(|_| is_it)?);
            }
            if let Some(binding) = ast::AnnAssignStmt::cast(node.clone()) {
                let annotation = binding
                    .annotation()
                    .filter(|_| binding.target().is_some_and(|it| is_it(&it)));
                return written(pass, &annotation?);
            }
            let binding = ast::AssignStmt::cast(node.clone())?;
            let value = binding.value().filter(|it| !is_it(it))?;
            binding
                .targets()
                .any(|it| is_it(&it))
                .then(|| kind(pass, &[], &value))?
        });
    }
    if let Expr::AttributeExpr(attribute) = value {
        return attribute
            .name()
            .filter(|it| it.text() == "shape")
            .map(|_| Written::Shape);
    }
    let (name, Expr::CallExpr(call)) = (called(pass, value)?, value) else {
        return None;
    };
    let args = args_of(call);
    let name = name.strip_prefix("R.")?;
    match name {
        "shape_of" => Some(Written::Shape),
        "match_cast" => written(pass, &args.get(1)?.value()?),
        "call_tir" | "call_dps_packed" => {
            let out = ["out_ty", "out_sinfo"]
                .iter()
                .find_map(|it| calls::keyword(&args, it));
            match out.and_then(ast::Arg::value) {
                Some(out) => written(pass, &out),
                None => {
                    let dtype = calls::keyword(&args, "dtype")?.value()?;
                    let text = pass.slice(dtype.range()).to_owned();
                    is_string(&dtype).then_some(Written::Tensor(Some(text)))
                }
            }
        }
        "call_packed" | "invoke_closure" => None,
        _ => ops::by_script(name, Release::Rfc).map(|_| Written::Tensor(None)),
    }
}

/// `R.call_tir(f, (x,), (n, m), dtype="float32")` as `R.call_tir(f, (x,), out_sinfo=R.Tensor((n, m), dtype="float32"))`.
fn destination(
    pass: &mut Pass<'_>,
    scope: &Scope,
    call: &ast::CallExpr,
    name: &str,
    args: &[ast::Arg],
) {
    if let Some(function) = args.first().and_then(ast::Arg::value) {
        callee(pass, scope, call, name, &function);
    }
    let positional = |at: usize| args.get(at).filter(|it| it.keyword().is_none());
    let shape = positional(2).or_else(|| calls::keyword(args, "output_shape"));
    let dtype = positional(3).or_else(|| {
        let named = calls::keyword(args, "dtype");
        named.or_else(|| calls::keyword(args, "output_dtype"))
    });
    let (Some(shape), Some(dtype)) = (shape, dtype) else {
        return;
    };
    let (Some(shape_value), Some(dtype_value)) = (shape.value(), dtype.value()) else {
        return;
    };
    let Some(out) = outputs(pass, scope, &shape_value, &dtype_value) else {
        let message = "the dimensions of a result are written out since TVM 0.16: bind them with `R.match_cast`";
        return pass.leave(shape.range(), message);
    };
    let keyword = if pass.transition.to >= Release::V0_26 {
        "out_ty"
    } else {
        "out_sinfo"
    };
    let (first, last) = if shape.range().start() < dtype.range().start() {
        (shape, dtype)
    } else {
        (dtype, shape)
    };
    pass.replace(first.range(), format!("{keyword}={out}"));
    pass.remove_arg(last);
}

/// The StructInfo of results, of their shapes and dtypes.
fn outputs(pass: &Pass<'_>, scope: &Scope, shape: &Expr, dtype: &Expr) -> Option<String> {
    let is_dims = |it: &Expr| elements(it).is_some();
    let one = |shape: &Expr, dtype: &Expr| {
        let (tensor, dims) = (scope.relax("Tensor"), dimensions(pass, scope, shape)?);
        Some(format!(
            "{tensor}({dims}, dtype={})",
            pass.slice(dtype.range())
        ))
    };
    let shapes =
        elements(shape).filter(|it| it.iter().any(|it| is_dims(it) || is_shape(pass, scope, it)));
    let Some(shapes) = shapes else {
        return one(shape, dtype);
    };
    let dtypes = elements(dtype).unwrap_or_else(|| vec![dtype.clone(); shapes.len()]);
    if dtypes.len() != shapes.len() {
        return None;
    }
    let all = shapes.iter().zip(&dtypes);
    let all: Option<Vec<String>> = all.map(|(shape, dtype)| one(shape, dtype)).collect();
    Some(format!("[{}]", all?.join(", ")))
}

/// The dimensions of a shape: those of a variable stand where it is bound.
fn dimensions(pass: &Pass<'_>, scope: &Scope, shape: &Expr) -> Option<String> {
    if elements(shape).is_some() {
        return Some(pass.slice(shape.range()).to_owned());
    }
    let value = bound_value(pass, scope, shape)?;
    let dims: Vec<Expr> = match (&value, called(pass, &value).as_deref()) {
        (Expr::CallExpr(call), Some("R.shape")) => elements(&args_of(call).first()?.value()?)?,
        _ => elements(&value)?,
    };
    let dims: Vec<&str> = dims.iter().map(|it| pass.slice(it.range())).collect();
    let comma = if dims.len() == 1 { "," } else { "" };
    Some(format!("({}{comma})", dims.join(", ")))
}

/// Whether a name is bound to a shape.
fn is_shape(pass: &Pass<'_>, scope: &Scope, name: &Expr) -> bool {
    matches!(kind(pass, &scope.nodes(pass), name), Some(Written::Shape))
}

/// What a name is bound to in the function.
fn bound_value(pass: &Pass<'_>, scope: &Scope, name: &Expr) -> Option<Expr> {
    let text = pass.slice(name.range());
    let is_it = |it: &Expr| pass.slice(it.range()) == text;
    scope.nodes(pass).into_iter().find_map(|node| {
        if let Some(it) = ast::AnnAssignStmt::cast(node.clone()) {
            return it
                .value()
                .filter(|_| it.target().is_some_and(|it| is_it(&it)));
        }
        let binding = ast::AssignStmt::cast(node)?;
        binding
            .value()
            .filter(|_| binding.targets().any(|it| is_it(&it)))
    })
}

/// The function that a call is given: a packed function has a call of its own.
fn callee(pass: &mut Pass<'_>, scope: &Scope, call: &ast::CallExpr, name: &str, function: &Expr) {
    if name == "R.call_tir" && is_string(function) {
        if let Some(callee) = call.callee() {
            pass.replace(callee.range(), scope.relax("call_dps_packed"));
        }
    } else if let Expr::NameExpr(it) = function
        && scope.is_free(pass, &it.text())
        && !scope.functions.contains(it.text().as_str())
    {
        let message = "no function of the module has this name: since TVM 0.16 it has to";
        pass.leave(function.range(), message);
    }
}

/// A packed function: without effects in a dataflow block, and with what it gives back.
fn packed(
    pass: &mut Pass<'_>,
    scope: &Scope,
    nodes: &[SyntaxNode],
    call: &ast::CallExpr,
    args: &[ast::Arg],
) {
    let annotation = of_binding(call.syntax());
    if let Some(annotation) = &annotation
        && introduces(pass, scope, nodes, annotation)
    {
        let text = pass.slice(annotation.range());
        pass.insert(
            call.range().start(),
            format!("{}(", scope.relax("match_cast")),
        );
        return pass.insert(call.range().end(), format!(", {text})"));
    }
    let mut blocks = call.syntax().ancestors().filter_map(ast::WithStmt::cast);
    if !blocks.any(|it| blocks::context(pass, &it, "R.dataflow").is_some()) {
        return;
    }
    let Some(callee) = call.callee() else { return };
    let keyword = result(pass);
    let is_given =
        calls::keyword(args, "type_args").is_some() || calls::keyword(args, keyword).is_some();
    match (annotation, args.last()) {
        _ if is_given => {}
        (Some(annotation), Some(last)) => {
            let text = pass.slice(annotation.range());
            pass.insert(last.range().end(), format!(", {keyword}={text}"));
        }
        _ => {
            let message =
                "what it gives back has to be written where it stands in a dataflow block";
            return pass.leave(call.range(), message);
        }
    }
    pass.replace(callee.range(), scope.relax("call_pure_packed"));
}

fn result(pass: &Pass<'_>) -> &'static str {
    if pass.transition.to >= Release::V0_26 {
        "ty_args"
    } else {
        "sinfo_args"
    }
}

/// Whether an annotation names a shape variable that nothing binds.
fn introduces(pass: &Pass<'_>, scope: &Scope, nodes: &[SyntaxNode], annotation: &Expr) -> bool {
    let casts = nodes.iter().filter_map(|it| {
        let call = Expr::cast(it.clone())?;
        let name = called(pass, &call)?;
        matches!(name.as_str(), "R.match_shape" | "R.match_cast").then_some(call)
    });
    let mut known: BTreeSet<String> = signature::of_header(pass, scope);
    for cast in casts {
        let names = cast.syntax().descendants().filter_map(ast::NameExpr::cast);
        known.extend(names.map(|it| it.text()));
    }
    let names = annotation
        .syntax()
        .descendants()
        .filter_map(ast::NameExpr::cast);
    let mut names = names.map(|it| it.text());
    names.any(|it| scope.is_free(pass, &it) && !known.contains(&it))
}

/// `type_args=` under its later name; only calls of packed functions and closures have it.
fn type_args(pass: &mut Pass<'_>, name: &str, args: &[ast::Arg]) {
    let Some(arg) = calls::keyword(args, "type_args") else {
        return;
    };
    let takes = matches!(
        name,
        "R.call_packed" | "R.call_pure_packed" | "R.invoke_closure"
    );
    match arg.keyword() {
        Some(keyword) if takes => pass.replace(keyword.text_range(), result(pass)),
        _ => pass.leave(arg.range(), "a function says itself what it gives back"),
    }
}

/// Lists an operator that does not exist, and keywords of others: they became attributes, whatever they were.
fn attributes(pass: &mut Pass<'_>, call: &ast::CallExpr, name: &str, args: &[ast::Arg]) {
    let (Some(rest), to) = (name.strip_prefix("R."), pass.transition.to) else {
        return;
    };
    let Some(op) = ops::by_script(rest, to) else {
        let is_known = |it: Release| script::find(Namespace::Relax, rest, it).is_some();
        if !is_known(to) && !is_known(Release::Rfc) {
            pass.leave(call.range(), format!("`{name}` is no operator"));
        }
        return;
    };
    if matches!(op.rule, ops::Rule::Special) {
        return;
    }
    for arg in args {
        let Some(keyword) = arg.keyword().filter(|it| op.param(it.text()).is_none()) else {
            continue;
        };
        let message = format!("`{name}` has no parameter `{}`", keyword.text());
        pass.leave(arg.range(), message);
    }
}
