//! Tests that uses resolve to their binding, and that expressions are visited in the order of evaluation.

use text_size::TextRange;

use super::super::body::{BodyBuilder, Name};
use super::*;

fn local(builder: &mut BodyBuilder, name: &str, kind: LocalKind) -> LocalId {
    builder.local(Local {
        name: Name {
            text: name.into(),
            range: TextRange::default(),
        },
        kind,
        annotation: None,
    })
}

#[test]
fn a_deep_nest_is_walked_without_recursion() {
    let mut builder = BodyBuilder::default();
    let nowhere = TextRange::default();
    let mut value = builder.expr(Expr::Tuple(Box::default()), nowhere);
    for _ in 0..100_000 {
        value = builder.expr(Expr::Tuple([value].into()), nowhere);
    }
    let body = Body::new(builder, Item::Expr(value));
    assert_eq!(resolve(&body).steps.len(), 100_001);
}

#[test]
fn an_inner_binding_ends_with_its_block() {
    let mut builder = BodyBuilder::default();
    let nowhere = TextRange::default();
    let outer = local(&mut builder, "x", LocalKind::Let);
    let inner = local(&mut builder, "x", LocalKind::Let);
    let unit = |builder: &mut BodyBuilder| builder.expr(Expr::Tuple(Box::default()), nowhere);
    let (one, two) = (unit(&mut builder), unit(&mut builder));
    let inside = builder.expr(Expr::Local("x".into()), nowhere);
    let block = builder.expr(
        Expr::Block {
            statements: [Statement::Binding {
                local: inner,
                value: two,
            }]
            .into(),
            value: inside,
        },
        nowhere,
    );
    let after = builder.expr(Expr::Local("x".into()), nowhere);
    let statements = [
        Statement::Binding {
            local: outer,
            value: one,
        },
        Statement::Effect(block),
    ];
    let root = builder.expr(
        Expr::Block {
            statements: statements.into(),
            value: after,
        },
        nowhere,
    );
    let names = resolve(&Body::new(builder, Item::Expr(root)));
    assert_eq!(names.uses[inside], inner);
    assert_eq!(names.uses[after], outer);
    assert_eq!(names.diagnostics, []);
}
