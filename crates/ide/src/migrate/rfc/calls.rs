//! Migrates calls and values: results get their StructInfo, functions their module, and shapes become `R.shape`.

use relax::ops;
use relax::release::Release;
use relax::script::{self, Namespace};
use syntax::ast::{self, AstNode, Expr};

use super::annotations::{Written, of_binding, written};
use super::values::Values;
use super::{Scope, callee_name, elements, is_string, signature};
use crate::migrate::{Pass, args_of, blocks, calls};

pub fn stage(pass: &mut Pass<'_>, scope: &Scope) {
    let nodes = scope.nodes(pass);
    let values = Values::of(pass, scope, &nodes);
    for node in &nodes {
        if let Some(call) = ast::CallExpr::cast(node.clone()) {
            self::call(pass, scope, &values, &call);
        } else if let Some(name) = ast::NameExpr::cast(node.clone()) {
            function_of_module(pass, scope, &name);
        } else if let Some(attribute) = ast::AttributeExpr::cast(node.clone()) {
            shape_of(pass, scope, &attribute);
        } else if let Some(binding) = ast::AnnAssignStmt::cast(node.clone()) {
            shape_value(pass, scope, &binding);
        }
    }
}

fn call(pass: &mut Pass<'_>, scope: &Scope, values: &Values, call: &ast::CallExpr) {
    let args = args_of(call);
    tuple(pass, call, &args);
    let Some(name) = call.callee().and_then(|it| pass.script_name(&it)) else {
        return;
    };
    match name.as_str() {
        "R.match_shape" => match_shape(pass, scope, values, call, &args),
        "R.call_tir" | "R.call_dps_packed" => destination(pass, scope, values, call, &name, &args),
        "R.call_packed" => packed(pass, scope, values, call, &args),
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

/// Rewrites `R.Tuple((x, y))` to `(x, y)` where it is a value.
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

/// Rewrites `f` to `Module.f`.
fn function_of_module(pass: &mut Pass<'_>, scope: &Scope, name: &ast::NameExpr) {
    let text = name.text();
    let is_keyword = name.syntax().parent().is_some_and(|it| {
        ast::AttributeExpr::can_cast(it.kind()) || ast::Decorator::can_cast(it.kind())
    });
    let is_function = scope.is_method(&text) && !scope.binds(&text);
    if let (true, false, Some(class)) = (is_function, is_keyword, &scope.class) {
        pass.insert(name.range().start(), format!("{class}."));
    }
}

/// Rewrites `x.shape` to `R.shape_of(x)`.
fn shape_of(pass: &mut Pass<'_>, scope: &Scope, attribute: &ast::AttributeExpr) {
    let (Some(Expr::NameExpr(base)), Some(name)) = (attribute.base(), attribute.name()) else {
        return;
    };
    if name.text() == "shape" && scope.binds(&base.text()) {
        let text = format!("{}({})", scope.relax("shape_of"), base.text());
        pass.replace(attribute.range(), text);
    }
}

/// Rewrites `s: R.Shape = (n, m)` to `s: R.Shape = R.shape([n, m])`.
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

/// Rewrites `R.match_shape(x, (n, m))` to `R.match_cast(x, R.Tensor((n, m), "float32"))`.
fn match_shape(
    pass: &mut Pass<'_>,
    scope: &Scope,
    values: &Values,
    call: &ast::CallExpr,
    args: &[ast::Arg],
) {
    let given: Vec<Expr> = args.iter().filter_map(ast::Arg::value).collect();
    let ([value, pattern], Some(callee)) = (given.as_slice(), call.callee()) else {
        return;
    };
    let target = of_binding(call.syntax()).and_then(|it| written(pass, &it));
    let of_value = values.kind(pass, value);
    let known = match (target, of_value) {
        (Some(Written::Tensor(None)), Some(of_value)) => Some(of_value),
        (target, of_value) => target.or(of_value),
    };
    let (open, close) = match known {
        Some(Written::Shape) => ("Shape", ")".to_owned()),
        Some(Written::Tensor(None)) => ("Tensor", ")".to_owned()),
        Some(Written::Tensor(Some(dtype))) => ("Tensor", format!(", dtype={dtype})")),
        None => {
            let message =
                "the annotations do not say whether this is a tensor or a shape: annotate it";
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

/// Rewrites `R.call_tir(f, (x,), (n, m), dtype="float32")` to `R.call_tir(f, (x,), out_sinfo=R.Tensor((n, m),
/// dtype="float32"))`.
fn destination(
    pass: &mut Pass<'_>,
    scope: &Scope,
    values: &Values,
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
    let Some(out) = outputs(pass, scope, values, &shape_value, &dtype_value) else {
        let message = "since TVM 0.16 the dimensions of a result are written out: bind them with `R.match_cast`";
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

/// Returns the text of the output StructInfo for the given shapes and dtypes.
fn outputs(
    pass: &Pass<'_>,
    scope: &Scope,
    values: &Values,
    shape: &Expr,
    dtype: &Expr,
) -> Option<String> {
    let is_dims = |it: &Expr| elements(it).is_some();
    let one = |shape: &Expr, dtype: &Expr| {
        let (tensor, dims) = (scope.relax("Tensor"), dimensions(pass, values, shape)?);
        Some(format!(
            "{tensor}({dims}, dtype={})",
            pass.slice(dtype.range())
        ))
    };
    let is_shape = |it: &Expr| matches!(values.kind(pass, it), Some(Written::Shape));
    let shapes = elements(shape).filter(|it| it.iter().any(|it| is_dims(it) || is_shape(it)));
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

/// Returns the text of the dimensions of a shape. For a variable, these are the dimensions that it is bound to.
fn dimensions(pass: &Pass<'_>, values: &Values, shape: &Expr) -> Option<String> {
    if elements(shape).is_some() {
        return Some(pass.slice(shape.range()).to_owned());
    }
    let value = values.bound(pass, shape)?;
    let dims: Vec<Expr> = match (value, callee_name(pass, value).as_deref()) {
        (Expr::CallExpr(call), Some("R.shape")) => elements(&args_of(call).first()?.value()?)?,
        _ => elements(value)?,
    };
    let dims: Vec<&str> = dims.iter().map(|it| pass.slice(it.range())).collect();
    let comma = if dims.len() == 1 { "," } else { "" };
    Some(format!("({}{comma})", dims.join(", ")))
}

/// Migrates the callee argument of a call. A packed function needs a call operator of its own.
fn callee(pass: &mut Pass<'_>, scope: &Scope, call: &ast::CallExpr, name: &str, function: &Expr) {
    if name == "R.call_tir" && is_string(function) {
        if let Some(callee) = call.callee() {
            pass.replace(callee.range(), scope.relax("call_dps_packed"));
        }
    } else if let Expr::NameExpr(it) = function
        && scope.is_free(pass, &it.text())
        && !scope.is_method(&it.text())
    {
        let message =
            "the module has no function of this name: define it, since TVM 0.16 requires one";
        pass.leave(function.range(), message);
    }
}

/// Migrates a call of a packed function: pure in a dataflow block, and with the StructInfo of its result.
fn packed(
    pass: &mut Pass<'_>,
    scope: &Scope,
    values: &Values,
    call: &ast::CallExpr,
    args: &[ast::Arg],
) {
    let annotation = of_binding(call.syntax());
    if let Some(annotation) = &annotation
        && values.are_introduced_by(pass, scope, annotation)
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
            let message = "a call in a dataflow block needs the StructInfo of its result: annotate the binding";
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

/// Renames `type_args=`. Only calls of packed functions and closures have it.
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
        _ => pass.leave(
            arg.range(),
            "this call takes no `type_args`: its callee determines the type of the result",
        ),
    }
}

/// Lists an operator that does not exist, and unknown keywords: the syntax of 2022 accepted any keyword as an
/// attribute.
fn attributes(pass: &mut Pass<'_>, call: &ast::CallExpr, name: &str, args: &[ast::Arg]) {
    let (Some(rest), to) = (name.strip_prefix("R."), pass.transition.to) else {
        return;
    };
    let Some(op) = ops::by_script(rest, to) else {
        let is_known = |it: Release| script::find(Namespace::Relax, rest, it).is_some();
        if !is_known(to) && !is_known(Release::Rfc) {
            pass.leave(call.range(), format!("`{name}` is not an operator"));
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
