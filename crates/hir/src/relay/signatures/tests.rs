//! Tests which functions are inferred, and how often.

use std::cell::RefCell;
use std::sync::Arc;

use super::{Globals, Signatures};
use crate::relay::env::Env;
use crate::relay::{Facts, lower};

/// Shows the names of the functions in the order of their inferences, then their signatures.
fn inferred(text: &str) -> String {
    let text = format!("#[version = \"0.0.5\"]\n{text}");
    let module = lower::module(&syntax::relay::parse(&text));
    let env = Env::of(&module, false);
    let globals: Vec<Globals> = module.bodies().map(Globals::of).collect();
    let order = RefCell::new(Vec::new());
    let name = |at| {
        let mut open = env.open_functions().into_iter();
        open.find(|it| it.1.definition == at).unwrap().0.clone()
    };
    let signatures = Signatures::infer(
        &env,
        |at| &globals[at],
        |at, types| {
            order.borrow_mut().push(name(at).to_string());
            Arc::new(Facts::of(&env, types, &module.definitions[at].body))
        },
    );
    let completed = signatures.completed(env.clone());
    let signatures = completed.open_functions().into_iter();
    let signatures = signatures.map(|(name, signature)| format!("@{name}: {}", signature.ty));
    let signatures: Vec<String> = signatures.collect();
    format!(
        "{}\n{}",
        order.into_inner().join(" "),
        signatures.join("\n")
    )
}

#[test]
fn a_function_alone_is_inferred_once() {
    expect_test::expect![[r#"
        main
        @main: fn (float32) -> float32"#]]
    .assert_eq(&inferred("def @main(%x: float32) { exp(%x) }"));
}

#[test]
fn functions_are_inferred_again_only_if_a_named_function_changed() {
    expect_test::expect![[r#"
        early main later late
        @late: fn (float32) -> (float32, float32)
        @main: fn (float32) -> float32
        @later: fn (float32) -> float32
        @early: fn (float32) -> float32"#]]
    .assert_eq(&inferred(
        "def @late(%x: float32) { (@later(%x), %x) }
def @main(%x: float32) { @early(%x) }
def @later(%x: float32) { @main(%x) }
def @early(%x: float32) { exp(%x) }
def @annotated(%x: float32) -> float32 { @early(%x) }",
    ));
}

#[test]
fn mutually_recursive_functions_reach_a_fixed_point() {
    expect_test::expect![[r#"
        odd even odd
        @even: fn (int32) -> bool
        @odd: fn (int32) -> bool"#]]
    .assert_eq(&inferred(
        "def @even(%n: int32) { if (equal(%n, 0)) { True } else { @odd(subtract(%n, 1)) } }
def @odd(%n: int32) { if (equal(%n, 0)) { False } else { @even(subtract(%n, 1)) } }",
    ));
}
