//! Migrates the functions that `R.call_tir` calls in files of the unity branch: TVM 0.16 reaches those of the module
//! through it, and has a call operator of their own for packed functions (#14276, #14183).

use syntax::SyntaxKind;
use syntax::SyntaxNode;
use syntax::ast::{self, AstNode, Expr};

use super::{Pass, args_of};

pub fn rule(pass: &mut Pass<'_>, node: &SyntaxNode) {
    let transition = pass.transition;
    if transition.oldest.names_modules() || !transition.to.names_modules() {
        return;
    }
    let Some(callee) = ast::CallExpr::cast(node.clone()).and_then(|it| it.callee()) else {
        return;
    };
    if pass.script_name(&callee).as_deref() != Some("R.call_tir") {
        return;
    }
    let call = ast::CallExpr::cast(node.clone());
    let first = call.and_then(|it| args_of(&it).first()?.value());
    match first {
        Some(function) if function.syntax().kind() == SyntaxKind::STRING_LIT => {
            if let Expr::AttributeExpr(callee) = &callee
                && let Some(name) = callee.name()
            {
                pass.replace(name.text_range(), "call_dps_packed");
            }
        }
        Some(Expr::NameExpr(function)) => through_module(pass, &function),
        _ => {}
    }
}

/// Puts the name of the module before a function of it, unless the caller binds its name.
fn through_module(pass: &mut Pass<'_>, function: &ast::NameExpr) {
    let name = function.text();
    let mut around = function.syntax().ancestors();
    let Some(class) = around.find_map(ast::ClassDef::cast) else {
        return;
    };
    let Some(module) = class.name() else { return };
    let names = pass.names_around(function.syntax());
    let is_bound = names.is_none_or(|names| {
        names.param(&name).is_some()
            || !names.bound(&name).is_empty()
            || !names.assigned(&name).is_empty()
    });
    if !is_bound && pass.methods(&class).contains_key(name.as_str()) {
        pass.insert(function.range().start(), format!("{}.", module.text()));
    }
}

#[cfg(test)]
mod tests {
    use relax::release::{Release, Releases};

    use super::super::migrate_and_check;

    const PROGRAM: &str = r#"from tvm.script import ir as I, relax as R, tir as T

@I.ir_module
class Module:
    @T.prim_func
    def relu(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
        for i in range(4):
            B[i] = T.max(A[i], T.float32(0))

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        a = R.call_tir("env.relu", (x,), R.Tensor((4,), "float32"))
        b = R.call_tir(relu, (a,), R.Tensor((4,), "float32"))
        return b

    @R.function
    def bound(x: R.Tensor((4,), "float32"), relu: R.Callable):
        return R.call_tir(relu, (x,), R.Tensor((4,), "float32"))
"#;

    #[test]
    fn callees_are_reached_as_0_16_asks() {
        let from = Releases::between(Release::Unity, Release::V0_23);
        let up = migrate_and_check(PROGRAM, from, Release::V0_24);
        let expected = PROGRAM
            .replace("R.call_tir(\"env", "R.call_dps_packed(\"env")
            .replacen("R.call_tir(relu", "R.call_tir(Module.relu", 1);
        let of_callees = |text: &str| {
            let lines = text.lines().filter(|it| it.contains("R.call_"));
            lines.map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(of_callees(&up.text), of_callees(&expected));
        let since = Releases::since(Release::V0_16);
        let same = migrate_and_check(PROGRAM, since, Release::V0_24);
        assert_eq!(of_callees(&same.text), of_callees(PROGRAM));
    }

    #[test]
    fn what_the_oldest_release_accepted_is_listed() {
        let program = PROGRAM.replace("R.call_tir(\"env.relu\", (x,)", "R.call_tir(unknown, (x,)");
        let from = Releases::between(Release::Rfc, Release::V0_23);
        let left = migrate_and_check(&program, from, Release::V0_27).left;
        assert!(
            left.iter().any(|it| it.message.contains("`unknown`")),
            "{left:?}"
        );
    }
}
