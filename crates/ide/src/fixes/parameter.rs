//! What does not fit and comes from parameters: the annotation that says their dimension or dtype is as likely wrong as
//! the call.

use hir::Diagnostic;
use hir::dtype::DType;
use hir::facts::VarKind;
use smol_str::SmolStr;
use syntax::ast::{self, AstNode};
use syntax::{NodeOrToken, SyntaxKind, SyntaxToken};

use super::Fixes;
use super::check::Checking;
use crate::function_context::FunctionContext;
use crate::source_edit::SourceEdit;

/// Annotations that are tried.
const MAX_TRIED: usize = 8;

/// What the message names in the annotation of an operand becomes what it says of the other, if all is right then.
pub fn correct(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    // The two dimensions, or dtypes, are what the message is about.
    let notes = diagnostic.related.iter().map(|(_, note)| note.as_str());
    let mut texts = std::iter::once(diagnostic.message.as_str()).chain(notes);
    let Some((one, other)) = texts.find_map(differing) else {
        return;
    };
    let (one, other) = (&one, &other);
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
                let Some(text) = replaced(&token, old, new) else {
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

/// The two dimensions, or dtypes, that a text says to differ.
fn differing(text: &str) -> Option<(SmolStr, SmolStr)> {
    let words = text.split('`').skip(1).step_by(2);
    let mut meant: Vec<&str> = Vec::new();
    for word in words {
        let is_meant = word.parse::<u64>().is_ok() || DType::parse(word).is_some();
        if is_meant && !meant.contains(&word) {
            meant.push(word);
        }
    }
    match meant.as_slice() {
        [one, other] => Some(((*one).into(), (*other).into())),
        _ => None,
    }
}

/// A dimension or a dtype of an annotation with another in its place.
fn replaced(token: &SyntaxToken, old: &str, new: &str) -> Option<String> {
    let text = token.text();
    match token.kind() {
        SyntaxKind::INT => (text == old).then(|| new.to_owned()),
        SyntaxKind::STRING => {
            let is_old = text.trim_matches(['"', '\'']) == old;
            is_old.then(|| text.replace(old, new))
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
