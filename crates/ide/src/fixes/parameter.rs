//! What does not fit and comes from parameters: the annotation that says their dimension or dtype is as likely wrong as
//! the call.

use hir::Diagnostic;
use hir::dtype::DType;
use hir::facts::VarKind;
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
    let mut offered = Vec::new();
    let mut tried = 0;
    for param in params {
        let node = cx.around::<ast::Param>(param.name_range);
        let Some(annotation) = node.and_then(|it| it.annotation()) else {
            continue;
        };
        let tokens = annotation.syntax().descendants_with_tokens();
        for token in tokens.filter_map(NodeOrToken::into_token) {
            for (old, new) in [(one, other), (other, one)] {
                let Some(text) = replaced(cx, &token, old, new) else {
                    continue;
                };
                tried += 1;
                let edit = SourceEdit::replace(token.text_range(), text);
                if tried <= MAX_TRIED && Checking::new(cx).improves(&edit) == Some(true) {
                    let title = format!(
                        "Change `{old}` to `{new}` in the annotation of `{}`",
                        param.name
                    );
                    offered.push((title, edit));
                }
            }
        }
    }
    for (title, edit) in offered {
        fixes.possible("correct-parameter", title, edit);
    }
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
