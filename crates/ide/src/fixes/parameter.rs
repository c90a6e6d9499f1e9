//! What does not fit and comes from parameters: the annotation that says their dimension or dtype is as likely wrong as
//! the call.

use hir::body::Expr;
use hir::dtype::DType;
use hir::facts::{Def, VarKind};
use hir::{Diagnostic, FunctionKind, file_items};
use smol_str::SmolStr;
use syntax::ast::{self, AstNode};
use syntax::{NodeOrToken, SyntaxKind, SyntaxToken};

use super::Fixes;
use super::check::Checking;
use crate::annotations;
use crate::function_context::FunctionContext;
use crate::source_edit::SourceEdit;

/// Annotations that are tried.
const MAX_TRIED: usize = 8;

/// One of two that differ becomes the other where a parameter's annotation says it, if all is right then.
pub fn correct(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let Some((one, other)) = &diagnostic.differing else {
        return;
    };
    // What the mistake is about, or else what it may come from.
    let related = diagnostic.related.iter();
    let named = related.filter_map(|(range, _)| cx.facts.var_named_at(*range));
    let mut params: Vec<_> = named.filter(|var| var.kind == VarKind::Param).collect();
    if params.is_empty() {
        let function = cx.facts.function_at(diagnostic.range);
        let own = cx.facts.functions[function].params.iter();
        params = own.map(|it| cx.facts.var(*it)).collect();
    }
    params.sort_by_key(|var| var.id.0);
    params.dedup_by_key(|var| var.id);
    let params = params.iter().map(|it| it.name_range);
    let params = params.filter_map(|range| cx.around::<ast::Param>(range));
    let ways = [(one, other), (other, one)];
    let changes = changes(cx, params, &ways);
    for (title, edit) in changes.take(MAX_TRIED) {
        if Checking::new(cx).improves(&edit) == Some(true) {
            fixes.possible("correct-parameter", title, edit);
        }
    }
}

/// The same in the annotations of the function that is called, which says what it wants.
pub fn correct_callee(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let Some((wanted, given)) = &diagnostic.differing else {
        return;
    };
    let mut around = cx.body.exprs_around(diagnostic.range).into_iter();
    let callee = around.find_map(|expr| match &cx.body.exprs[expr] {
        Expr::Call { callee, args } => {
            let mut args = args.iter().map(|it| cx.body.range(it.value));
            let is_argument = args.any(|it| it == diagnostic.range);
            is_argument.then_some(*callee)
        }
        _ => None,
    });
    let Some(Def::Global(name)) = callee.and_then(|it| cx.facts.def(it)) else {
        return;
    };
    let file = cx.function.file(cx.db);
    let module = cx.function.module(cx.db);
    let mut functions = file_items(cx.db, file).functions.iter();
    let callee = functions.find(|it| {
        it.module(cx.db) == module
            && it.name(cx.db) == *name
            && it.kind(cx.db) == FunctionKind::Relax
    });
    let Some(there) = callee.and_then(|it| FunctionContext::new(cx.db, file, *it)) else {
        return;
    };
    let params = there.tree.params();
    let params = params.iter().flat_map(ast::ParamList::params);
    for (title, edit) in changes(&there, params, &[(wanted, given)]).take(MAX_TRIED) {
        let edit = edit.moved(there.start);
        if Checking::of_file(cx.db, file).improves(&edit) == Some(true) {
            fixes.elsewhere("correct-callee", format!("{title} of `{name}`"), edit);
        }
    }
}

/// The ways to write a dimension or a dtype for another in the annotations of parameters.
fn changes<'c>(
    cx: &'c FunctionContext<'_>,
    params: impl Iterator<Item = ast::Param> + 'c,
    ways: &'c [(&'c SmolStr, &'c SmolStr)],
) -> impl Iterator<Item = (String, SourceEdit)> + 'c {
    params.flat_map(move |param| {
        let name = param.name().map(|it| it.text().to_owned());
        let annotation = param.annotation();
        let tokens = annotation
            .iter()
            .flat_map(|it| it.syntax().descendants_with_tokens());
        let tokens: Vec<SyntaxToken> = tokens.filter_map(NodeOrToken::into_token).collect();
        let ways = tokens
            .into_iter()
            .flat_map(move |token| ways.iter().map(move |way| (token.clone(), way)));
        ways.filter_map(move |(token, (old, new))| {
            let text = replaced(cx, &token, old, new)?;
            let name = name.as_deref()?;
            let title = format!("Change `{old}` to `{new}` in the annotation of `{name}`");
            Some((title, SourceEdit::replace(token.text_range(), text)))
        })
    })
}

/// A dimension or a dtype of an annotation with another in its place.
fn replaced(cx: &FunctionContext<'_>, token: &SyntaxToken, old: &str, new: &str) -> Option<String> {
    let text = token.text();
    let quoted = token.kind() == SyntaxKind::STRING;
    let said = if quoted {
        text.trim_matches(['"', '\''])
    } else {
        text
    };
    if said != old {
        return None;
    }
    if DType::parse(new).is_some() {
        return quoted.then(|| text.replace(old, new));
    }
    let is_name = |text: &str| text.chars().all(|c| c.is_alphanumeric() || c == '_');
    match token.kind() {
        SyntaxKind::INT | SyntaxKind::STRING | SyntaxKind::IDENT if is_name(new) => {
            Some(annotations::dimension(cx, new))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::fixes::tests::{check, offered};

    #[test]
    fn the_dimension_of_a_parameter_becomes_that_of_the_other_operand() {
        check(
            "shape-mismatch",
            "correct-parameter",
            r#"@R.function
def f(x: R.Tensor((4, 257), "float32"), w: R.Tensor((256, 8), "float32")):
    y: R.Tensor((4, 8), "float32") = R.matmul(x, w)
    return y
"#,
            expect![[r#"
                @R.function
                def f(x: R.Tensor((4, 256), "float32"), w: R.Tensor((256, 8), "float32")):
                    y: R.Tensor((4, 8), "float32") = R.matmul(x, w)
                    return y
            "#]],
        );
    }

    #[test]
    fn a_dimension_beside_expressions_over_shape_variables_is_corrected() {
        check(
            "shape-mismatch",
            "correct-parameter",
            r#"@R.function
def f(x: R.Tensor(("n", 4), "float32"), w: R.Tensor(("n * 2", 8), "float32"), y: R.Tensor(("n * 2", 4), "float32")):
    z = R.add(R.concat((x, x), axis=0), w)
    return z
"#,
            expect![[r#"
                @R.function
                def f(x: R.Tensor(("n", 4), "float32"), w: R.Tensor(("n * 2", 4), "float32"), y: R.Tensor(("n * 2", 4), "float32")):
                    z = R.add(R.concat((x, x), axis=0), w)
                    return z
            "#]],
        );
    }

    #[test]
    fn the_dtype_of_a_parameter_becomes_that_of_the_other_operand() {
        check(
            "dtype-mismatch",
            "correct-parameter",
            r#"@R.function
def f(x: R.Tensor((4,), "int32"), w: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
    y: R.Tensor((4,), "float32") = R.add(x, w)
    return y
"#,
            expect![[r#"
                @R.function
                def f(x: R.Tensor((4,), "float32"), w: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
                    y: R.Tensor((4,), "float32") = R.add(x, w)
                    return y
            "#]],
        );
    }

    #[test]
    fn a_parameter_fits_the_prim_func_that_takes_it() {
        check(
            "argument-type",
            "correct-parameter",
            r#"@I.ir_module
class Module:
    @T.prim_func
    def double(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32")):
        T.evaluate(0)

    @R.function
    def f(x: R.Tensor((4, 9), "float32")):
        cls = Module
        y = R.call_tir(cls.double, (x,), out_sinfo=R.Tensor((4, 8), "float32"))
        return y
"#,
            expect![[r#"
                @I.ir_module
                class Module:
                    @T.prim_func
                    def double(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32")):
                        T.evaluate(0)

                    @R.function
                    def f(x: R.Tensor((4, 8), "float32")):
                        cls = Module
                        y = R.call_tir(cls.double, (x,), out_sinfo=R.Tensor((4, 8), "float32"))
                        return y
            "#]],
        );
    }

    #[test]
    fn the_function_that_is_called_may_ask_for_the_wrong_thing() {
        check(
            "argument-type",
            "correct-callee",
            r#"@I.ir_module
class Module:
    @R.function
    def double(x: R.Tensor((5, 2), "float32")) -> R.Tensor(ndim=2, dtype="float32"):
        return R.add(x, x)

    @R.function
    def main(x: R.Tensor((4, 2), "float32")) -> R.Tensor(ndim=2, dtype="float32"):
        cls = Module
        y = cls.double(x)
        return y
"#,
            expect![[r#"
                @I.ir_module
                class Module:
                    @R.function
                    def double(x: R.Tensor((4, 2), "float32")) -> R.Tensor(ndim=2, dtype="float32"):
                        return R.add(x, x)

                    @R.function
                    def main(x: R.Tensor((4, 2), "float32")) -> R.Tensor(ndim=2, dtype="float32"):
                        cls = Module
                        y = cls.double(x)
                        return y
            "#]],
        );
    }

    #[test]
    fn a_parameter_may_be_what_contradicts_an_annotation() {
        check(
            "annotation-mismatch",
            "correct-parameter",
            r#"@R.function
def f(x: R.Tensor((2, 321), "float32"), w: R.Tensor((320, 4), "float32")):
    y: R.Tensor((2, 320), "float32") = R.exp(x)
    z = R.matmul(y, w)
    return z
"#,
            expect![[r#"
                @R.function
                def f(x: R.Tensor((2, 320), "float32"), w: R.Tensor((320, 4), "float32")):
                    y: R.Tensor((2, 320), "float32") = R.exp(x)
                    z = R.matmul(y, w)
                    return z
            "#]],
        );
    }

    #[test]
    fn an_annotation_stays_where_another_would_make_a_new_mistake() {
        let program = r#"@R.function
def f(x: R.Tensor((4,), "int32"), w: R.Tensor((4,), "float32")) -> R.Tensor((4,), "int32"):
    y = R.add(x, w)
    z = R.bitwise_and(x, x)
    return z
"#;
        let offered = offered("dtype-mismatch", program);
        let corrected = offered.iter().filter(|it| **it == "correct-parameter");
        assert_eq!(corrected.count(), 1);
    }
}
