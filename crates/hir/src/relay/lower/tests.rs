//! Tests the definitions that a text is lowered to.

use syntax::relay::parse;

use crate::relay::body::{Expr, Item, Module, Statement};

fn module(text: &str) -> Module {
    super::module(&parse(text))
}

#[test]
fn a_chain_of_bindings_arrives_as_one_list() {
    let bindings = "let %x = 1;\n%0 = add(%x, %x);\n".repeat(50_000);
    let module = module(&format!("def @main() {{\n{bindings}%0\n}}\n"));
    let body = &module.definitions[0].body;
    let Item::Function { function, .. } = &body.item else {
        panic!("{:?}", body.item);
    };
    let Expr::Block { statements, .. } = &body[function.body] else {
        panic!("a body is a block");
    };
    assert_eq!(statements.len(), 100_000);
}

#[test]
fn an_edit_above_a_definition_only_moves_it() {
    let text = "def @f(%x: Tensor[(1, ?), float32]) { %x + 1f }\n";
    let (one, other) = (module(text), module(&format!("// above\n{text}")));
    assert_ne!(one.definitions[0].start, other.definitions[0].start);
    assert_eq!(one.definitions[0].body, other.definitions[0].body);
}

#[test]
fn half_typed_bindings_have_missing_values() {
    let module = module("let %x = ;\n%0 = ;\n%x.");
    let Item::Expr(root) = module.definitions[0].body.item else {
        panic!("{module:?}");
    };
    let body = &module.definitions[0].body;
    let Expr::Block { statements, value } = &body[root] else {
        panic!("{body:?}");
    };
    for statement in statements {
        let Statement::Binding { value, .. } = statement else {
            panic!("{statement:?}");
        };
        assert_eq!(body[*value], Expr::Missing);
    }
    assert!(matches!(body[*value], Expr::Projection { index: None, .. }));
}

#[test]
fn every_nesting_that_parses_can_be_lowered() {
    for start in [
        "(", "f(", "{", "fn () {", "if (", "match (", "f(a=[", "f(a, ",
    ] {
        module(&start.repeat(1000));
    }
}
