//! Migrates annotations: the value of an `R.Prim`.

use relax::release::Release;
use syntax::SyntaxNode;
use syntax::ast::{self, AstNode, Expr};
use text_size::TextRange;

use super::signature::words;
use super::{Pass, args_of};

/// The first release in which `R.Prim` has no value (#19858).
const PRIM_WITHOUT_VALUE: Release = Release::V0_26;

pub fn rule(pass: &mut Pass<'_>, node: &SyntaxNode) {
    if let Some(call) = ast::CallExpr::cast(node.clone()) {
        let name = call.callee().and_then(|it| pass.script_name(&it));
        if name.as_deref() == Some("R.Prim") && pass.transition.enters(PRIM_WITHOUT_VALUE) {
            prim_value(pass, &call);
        }
    } else if let Some(param) = ast::Param::cast(node.clone())
        && pass.transition.leaves(PRIM_WITHOUT_VALUE)
    {
        number_as_variable(pass, &param);
    }
}

/// Lists a scalar parameter that is used as a dimension of other parameters.
fn number_as_variable(pass: &mut Pass<'_>, param: &ast::Param) {
    let Some(Expr::CallExpr(annotation)) = param.annotation() else {
        return;
    };
    let called = annotation.callee().and_then(|it| pass.script_name(&it));
    if let (Some("R.Prim"), Some(name)) = (called.as_deref(), param.name())
        && !matches!(uses_in_signature(pass, param, name.text()), Uses::None)
    {
        let message = "before TVM 0.26 a parameter is not a shape variable: declare one by `R.Prim(value=...)`";
        pass.leave(name.text_range(), message);
    }
}

/// Rewrites `R.Prim("int64", value=n)` to `R.Prim("int64")`. If a parameter declared the shape variable `n` this way,
/// the parameter becomes that variable.
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
    let mut dtype = "int64".to_owned();
    if let (Some(param), Some(variable)) = (param, variable) {
        let uses = uses_in_signature(pass, &param, variable);
        let declared = match uses {
            Uses::None if !is_number(variable) => become_variable(pass, &param, variable),
            _ => None,
        };
        match (uses, declared) {
            (Uses::None, Some(declared)) => dtype = declared,
            // The type of a scalar no longer says its value.
            (Uses::None, None) if is_number(variable) => {}
            (Uses::Defined, _) => {}
            (Uses::None | Uses::Needed, _) => {
                let message =
                    "since TVM 0.26 a scalar cannot define a shape variable: pass an `R.Shape`";
                return pass.leave(value.range(), message);
            }
        }
    } else if bound_by_cast(pass, call, value) == Some(false) {
        return pass.leave(
            value.range(),
            "since TVM 0.26 an `R.Prim` cannot bind a shape variable",
        );
    }
    if args.len() == 1 {
        pass.replace(value.range(), format!("\"{dtype}\""));
    } else {
        pass.remove_arg(value);
    }
}

fn is_number(text: &str) -> bool {
    text.parse::<i64>().is_ok()
}

/// How the rest of a signature uses the shape variable that a scalar parameter declares.
#[derive(Clone, Copy)]
enum Uses {
    None,
    /// It is used, and a shape also defines it.
    Defined,
    /// It is used, and only the scalar parameter defines it.
    Needed,
}

fn uses_in_signature(pass: &Pass<'_>, param: &ast::Param, variable: &str) -> Uses {
    let Some(function) = param.syntax().ancestors().find_map(ast::FunctionDef::cast) else {
        return Uses::None;
    };
    let signature = pass.signature(&function);
    match () {
        () if signature.has_dimension(variable, param) => Uses::Defined,
        () if signature.has_word(variable, param) => Uses::Needed,
        () => Uses::None,
    }
}

/// Rewrites `_ = R.match_cast(x, R.Prim(value=n))`, which bound `n`, to `n = R.match_cast(x, R.Prim("int64"))`.
/// Returns `None` if no cast binds a name this way, and `Some(false)` if the cast has to stay.
fn bound_by_cast(pass: &mut Pass<'_>, prim: &ast::CallExpr, value: &ast::Arg) -> Option<bool> {
    let mut above = prim.syntax().ancestors().skip(1);
    let cast = above.find_map(ast::CallExpr::cast)?;
    let name = cast.callee().and_then(|it| pass.script_name(&it));
    let (Some("R.match_cast"), Some(Expr::NameExpr(variable))) = (name.as_deref(), value.value())
    else {
        return None;
    };
    let assign = cast.syntax().parent().and_then(ast::AssignStmt::cast);
    let function = cast.syntax().ancestors().find_map(ast::FunctionDef::cast);
    let (Some(assign), Some(function)) = (assign, function) else {
        return Some(false);
    };
    let target = assign.targets().next()?;
    let header = TextRange::new(function.range().start(), function.body()?.range().start());
    let is_of_header = words(pass.slice(header)).any(|it| it == variable.text());
    let declarations = declarations(pass, &function, &variable.text());
    match declarations.as_slice() {
        [Some(declaration)] if pass.slice(target.range()) == "_" && !is_of_header => {
            pass.replace(target.range(), variable.text());
            pass.remove_stmt(declaration);
            Some(true)
        }
        _ => Some(false),
    }
}

/// Returns the statements `n = T.int64()` that declare a name in a function, or `None` if anything else binds it.
fn declarations(
    pass: &Pass<'_>,
    function: &ast::FunctionDef,
    name: &str,
) -> Vec<Option<ast::AssignStmt>> {
    let Some(names) = pass.names_around(function.syntax()) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for assign in names.assigned(name).iter().cloned() {
        let Some(assign) = ast::AssignStmt::cast(assign) else {
            found.push(None);
            continue;
        };
        let targets: Vec<Expr> = assign.targets().collect();
        let callee = match assign.value() {
            Some(Expr::CallExpr(call)) if args_of(&call).is_empty() => call.callee(),
            _ => None,
        };
        let dtype = callee.and_then(|it| pass.script_name(&it));
        let is_plain = matches!(targets.as_slice(), [Expr::NameExpr(_)])
            && dtype.is_some_and(|it| it.starts_with("T."));
        found.push(is_plain.then_some(assign));
    }
    found
}

/// Renames a parameter to the shape variable that it declares, and drops the variable's declaration. Returns the dtype
/// of the variable, or `None`, without any change, if something else binds it.
fn become_variable(pass: &mut Pass<'_>, param: &ast::Param, variable: &str) -> Option<String> {
    let is_name = variable.chars().all(|it| it.is_alphanumeric() || it == '_');
    let function = param
        .syntax()
        .ancestors()
        .find_map(ast::FunctionDef::cast)?;
    let name = param.name().filter(|_| is_name)?;
    let declarations = declarations(pass, &function, variable);
    let body = function.body()?;
    if !declarations.iter().all(Option::is_some) {
        return None;
    }
    let mut dtype = "int64".to_owned();
    for declaration in declarations.iter().flatten() {
        if let Some(Expr::CallExpr(call)) = declaration.value()
            && let Some(name) = call.callee().and_then(|it| pass.script_name(&it))
        {
            name.trim_start_matches("T.").clone_into(&mut dtype);
        }
    }
    pass.replace(name.text_range(), variable);
    let names = pass.names_around(function.syntax());
    for used in names.iter().flat_map(|it| it.used(name.text())) {
        if body.range().contains_range(used.range()) {
            pass.replace(used.range(), variable);
        }
    }
    for declaration in declarations.iter().flatten() {
        pass.remove_stmt(declaration);
    }
    Some(dtype)
}
