//! Runs programs of Relay that Relax cannot express.

mod operators;

use std::fmt::Write;

use expect_test::{Expect, expect};
use hir::RelayFile;
use syntax::relay::parse;

use super::compile;
use crate::value::Value;
use crate::{Inputs, Limits, Printed, run};

fn outcome(text: &str) -> String {
    let file = RelayFile::new(parse(text));
    let program = match compile(&file, &["main".into()]) {
        Ok(program) => program,
        Err(errors) => {
            let at = &text[std::ops::Range::<usize>::from(errors[0].range)];
            return format!("{}: `{at}`", errors[0].message);
        }
    };
    let inputs = Inputs {
        default: crate::Input::Ones,
        ..Inputs::default()
    };
    let entry = program.function("main").unwrap();
    let values = inputs.make(entry).unwrap();
    let mut printed = Printed::default();
    match run(&program, "main", values, &Limits::default(), &mut printed) {
        Ok(value) => show(&value),
        Err(failure) => failure.to_string(),
    }
}

fn show(value: &Value) -> String {
    let all = |values: &[Value]| values.iter().map(show).collect::<Vec<_>>().join(", ");
    match value {
        Value::Tensor(tensor) => {
            let elements = (0..tensor.len()).filter_map(|at| tensor.get(at));
            let elements: Vec<String> = elements.map(|it| it.to_string()).collect();
            format!("[{}]", elements.join(" "))
        }
        Value::Tuple(fields) => format!("({})", all(fields)),
        Value::Adt(adt) => format!("{}({})", adt.constructor, all(&adt.fields)),
        other => other.describe(),
    }
}

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&outcome(&format!("#[version = \"0.0.5\"]\n{text}")));
}

const LIST: &str = "type List[A] { Cons(A, List[A]), Nil }\n\
    def @map[A, B](%f: fn (A) -> B, %l: List[A]) -> List[B] {\n  \
      match (%l) { Cons(%x, %r) => Cons(%f(%x), @map(%f, %r)), Nil => Nil }\n}\n\
    def @foldl[A, B](%f: fn (A, B) -> A, %z: A, %l: List[B]) -> A {\n  \
      match (%l) { Cons(%x, %r) => @foldl(%f, %f(%z, %x), %r), Nil => %z }\n}\n";

fn check_list(main: &str, expected: Expect) {
    check(&format!("{LIST}{main}"), expected);
}

#[test]
fn recursive_functions_over_algebraic_data_types_run() {
    check_list(
        "def @main(%x: int32) { @map(fn (%v: int32) { %v + %x }, Cons(1, Cons(2, Nil))) }",
        expect!["Cons([2], Cons([3], Nil()))"],
    );
}

#[test]
fn operators_and_constructors_are_functions() {
    check_list(
        "def @main(%x: int32) { (@foldl(add, 0, Cons(1, Cons(2, Nil))), @map(negative, Cons(%x, Nil)), @foldl(fn (%l: List[int32], %v: int32) { Cons(%v, %l) }, Nil, Cons(1, Cons(2, Nil)))) }",
        expect!["([3], Cons([-1], Nil()), Cons([2], Cons([1], Nil())))"],
    );
}

#[test]
fn a_local_function_calls_itself_with_what_it_captured() {
    check(
        "def @main(%k: int32) {\n  let %f = fn (%n: int32) -> int32 { if (%n > 4) { %n } else { %f(%n + %k) } };\n  %f(0)\n}",
        expect!["[5]"],
    );
}

#[test]
fn references_are_read_and_written_in_order() {
    check(
        "def @main() {\n  let %r = ref(1);\n  let %a = ref_read(%r);\n  ref_write(%r, %a + 1);\n  \
         let %bump = fn () -> int32 { let %u = ref_write(%r, ref_read(%r) * 10); ref_read(%r) };\n  (%a, %bump(), %bump(), ref_read(%r), %r)\n}",
        expect!["([1], [20], [200], [200], ref(i32[]))"],
    );
}

#[test]
fn a_graph_binding_is_computed_once_where_its_uses_meet() {
    check(
        "def @main(%c: bool) {\n  let %r = ref(0);\n  \
         let %f = fn () -> int32 { let %u = ref_write(%r, ref_read(%r) + 1); ref_read(%r) };\n  \
         %0 = %f();\n  let %w = ref_write(%r, 10);\n  \
         %1 = if (%c) { %2 = %0 + 1; %2 } else { 5 };\n  (%0, %0, %1, %2, ref_read(%r))\n}",
        expect!["([11], [11], [12], [12], [11])"],
    );
}

#[test]
fn patterns_are_tried_in_order_and_match_nested_values() {
    check_list(
        "def @kind(%l: List[(int32, List[int32])]) -> int32 {\n  match? (%l) {\n    Cons((%x, Nil), Nil) => %x,\n    \
         Cons((_, Cons(%y, _)), %r) => %y * 100,\n  }\n}\n\
         def @main() { (@kind(Cons((7, Nil), Nil)), @kind(Cons((7, Cons(3, Nil)), Nil)), @kind(Nil)) }",
        expect!["in `kind`: no arm of the match matches Nil"],
    );
}

#[test]
fn a_list_longer_than_the_stack_is_built_and_taken_apart() {
    check_list(
        "def @count(%n: int32, %l: List[int32]) -> List[int32] {\n  if (%n == 0) { %l } else { @count(%n - 1, Cons(%n, %l)) }\n}\n\
         def @main() { @foldl(fn (%a: int32, %v: int32) { %a + %v }, 0, @count(2000, Nil)) }",
        expect!["[2001000]"],
    );
}

#[test]
fn a_chain_of_bindings_as_long_as_a_text_compiles() {
    let mut text = "def @main(%x: int32) {\n  %0 = %x + 1;\n".to_owned();
    for at in 1..20_000 {
        let _ = writeln!(text, "  %{at} = %{} + 1;", at - 1);
    }
    check(&(text + "  %19999\n}"), expect!["[20001]"]);
}

#[test]
fn unsupported_code_is_named_with_its_position() {
    check(
        "def @main(%x: float32) { @gone(%x) }",
        expect!["no function is named `@gone`: `@gone`"],
    );
}
