//! Tests that a long chain of bindings is flat.

use text_size::TextRange;

use super::*;

fn name(text: &str) -> Name {
    Name {
        text: text.into(),
        range: TextRange::default(),
    }
}

#[test]
fn a_chain_of_100_000_bindings_is_built_compared_and_dropped_without_recursion() {
    let chain = || {
        let mut builder = BodyBuilder::default();
        let nowhere = TextRange::default();
        let mut value = builder.expr(Expr::Tuple(Box::default()), nowhere);
        let statements = (0..100_000)
            .map(|at| {
                let local = builder.local(Local {
                    name: name(&at.to_string()),
                    kind: LocalKind::Graph,
                    annotation: None,
                });
                value = builder.expr(Expr::Tuple([value].into()), nowhere);
                Statement::Binding { local, value }
            })
            .collect();
        let block = builder.expr(Expr::Block { statements, value }, nowhere);
        Body::new(builder, Item::Expr(block))
    };
    assert_eq!(chain(), chain());
}
