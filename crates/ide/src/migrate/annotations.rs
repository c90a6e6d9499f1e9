//! Annotations that changed: the value of an `R.Prim`, shape variables of 0.27.

use relax::release::Release;
use syntax::SyntaxNode;
use syntax::ast::{self, AstNode};
use text_size::TextRange;

use super::{Pass, args_of, decorators};

/// The first release without values of `R.Prim` (#19858).
const PRIM_WITHOUT_VALUE: Release = Release::V0_26;
/// The first release with `TypeVar` (#20107).
const TYPE_VARS: Release = Release::V0_27;

pub fn rule(pass: &mut Pass<'_>, node: &SyntaxNode) {
    if let Some(call) = ast::CallExpr::cast(node.clone()) {
        let name = call.callee().and_then(|it| pass.script_name(&it));
        if name.as_deref() == Some("R.Prim") && pass.way.enters(PRIM_WITHOUT_VALUE) {
            prim_value(pass, &call);
        }
        let callee = call.callee().map(|it| pass.slice(it.range()));
        let is_type_var = callee == Some("TypeVar") || name.as_deref() == Some("I.TypeVar");
        if is_type_var && pass.way.leaves(TYPE_VARS) && decorators::is_in_relax_function(pass, node)
        {
            pass.replace(call.range(), "T.int64()");
        }
    }
    if let Some(list) = ast::TypeParamList::cast(node.clone())
        && pass.way.leaves(TYPE_VARS)
    {
        pass.leave(
            list.range(),
            "shape variables of a function have no list before TVM 0.27",
        );
    }
}

/// `R.Prim("int64", value=n)` as `R.Prim("int64")`. A parameter that named a shape variable so becomes that variable.
fn prim_value(pass: &mut Pass<'_>, call: &ast::CallExpr) {
    let args: Vec<ast::Arg> = args_of(call);
    let is_value = |it: &&ast::Arg| it.keyword().is_some_and(|it| it.text() == "value");
    let Some(value) = args.iter().find(is_value) else {
        return;
    };
    let param = call.syntax().parent().and_then(ast::Param::cast);
    let variable = value
        .value()
        .map(|it| pass.slice(it.range()).trim_matches(['"', '\'']));
    if let (Some(param), Some(variable)) = (param, variable) {
        match uses_in_signature(pass, &param, variable) {
            Uses::None => become_variable(pass, &param, variable),
            Uses::Parameters => {}
            Uses::Result => {
                let message = "a number defines no shape variable for the result since TVM 0.26: pass an `R.Shape`";
                return pass.leave(value.range(), message);
            }
        }
    }
    if args.len() == 1 {
        pass.replace(value.range(), "\"int64\"");
    } else {
        pass.remove_arg(value);
    }
}

/// Where else a signature names a shape variable.
enum Uses {
    None,
    Parameters,
    Result,
}

fn uses_in_signature(pass: &Pass<'_>, param: &ast::Param, variable: &str) -> Uses {
    let Some(function) = param.syntax().ancestors().find_map(ast::FunctionDef::cast) else {
        return Uses::None;
    };
    let names = |range: TextRange| {
        let mut words = pass
            .slice(range)
            .split(|it: char| !it.is_alphanumeric() && it != '_');
        words.any(|it| it == variable)
    };
    let params = function
        .params()
        .into_iter()
        .flat_map(|it| it.params().collect::<Vec<_>>());
    let mut others = params.filter(|it| it.syntax() != param.syntax());
    if others.any(|it| it.annotation().is_some_and(|it| names(it.range()))) {
        Uses::Parameters
    } else if function.ret().is_some_and(|it| names(it.range())) {
        Uses::Result
    } else {
        Uses::None
    }
}

/// Gives a parameter the name of the shape variable that it was, and drops the variable's declaration.
fn become_variable(pass: &mut Pass<'_>, param: &ast::Param, variable: &str) {
    let is_name = variable.chars().all(|it| it.is_alphanumeric() || it == '_');
    let function = param.syntax().ancestors().find_map(ast::FunctionDef::cast);
    let (Some(name), Some(function), true) = (param.name(), function, is_name) else {
        return;
    };
    pass.replace(name.text_range(), variable);
    let Some(body) = function.body() else { return };
    for node in body.syntax().descendants() {
        if let Some(it) = ast::NameExpr::cast(node.clone()) {
            if it.text() == name.text() {
                pass.replace(it.range(), variable);
            }
        } else if let Some(it) = ast::AssignStmt::cast(node) {
            let mut targets = it.targets();
            let declares = targets
                .next()
                .is_some_and(|it| pass.slice(it.range()) == variable);
            let callee = match it.value() {
                Some(ast::Expr::CallExpr(call)) if args_of(&call).is_empty() => call.callee(),
                _ => None,
            };
            let dtype = callee.and_then(|it| pass.script_name(&it));
            if declares && dtype.is_some_and(|it| it.starts_with("T.")) {
                pass.remove_stmt(&it);
            }
        }
    }
}
