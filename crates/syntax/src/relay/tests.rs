//! Tests of the whole parser: any text, whole files.

use std::fmt::Write;

use expect_test::expect_file;

use super::{Parse, SyntaxNode, parse};
use crate::testing::{Random, sources};
use crate::{TextSize, WalkEvent};

/// Parses, and checks the properties that hold for any text.
fn check(text: &str) -> Parse {
    let parsed = parse(text);
    assert_eq!(parsed.syntax().text(), text, "the tree's text is the input");
    let end = TextSize::of(text);
    assert!(parsed.errors.iter().all(|it| it.range.end() <= end));
    parsed
}

fn depth(node: &SyntaxNode) -> usize {
    let mut deepest = 0;
    let mut depth = 0;
    for event in node.preorder() {
        match event {
            WalkEvent::Enter(_) => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            WalkEvent::Leave(_) => depth -= 1,
        }
    }
    deepest
}

#[test]
fn deeply_nested_text_parses() {
    for start in [
        "(",
        "f(",
        "{",
        "fn () {",
        "if (",
        "match (",
        "ref(",
        "-",
        "f(a=(",
        "f(a=[",
        "f(a, ",
        "fn (%x: (",
        "fn (%x: A[",
        "match (%x) { A(",
        "match (%x) { A => ",
        "if (1) {} else ",
        "let %x = {",
        "%0 = (",
    ] {
        let text = start.repeat(50_000);
        let parsed = check(&text);
        assert!(depth(&parsed.syntax()) < 2000, "{start}");
        assert!(parsed.errors.len() < 1000, "{start}");
    }
}

#[test]
fn long_chains_make_shallow_trees() {
    for link in [" + %a", "(%b)", ".0", ", %a", "; %a", " == %a"] {
        let text = format!("%a{}\n", link.repeat(20_000));
        let parsed = check(&text);
        assert!(depth(&parsed.syntax()) < 1000, "{link}");
    }
}

#[test]
fn a_chain_of_bindings_is_one_list() {
    let bindings = "let %x = 1;\n%0 = add(%x, %x);\n".repeat(50_000);
    let parsed = check(&format!("def @main() {{\n{bindings}%0\n}}\n"));
    assert_eq!(parsed.errors[..], []);
    assert!(depth(&parsed.syntax()) < 10);
}

fn dump(parsed: &Parse) -> String {
    let mut out = String::new();
    for error in parsed.errors.iter() {
        _ = writeln!(out, "error {:?}: {}", error.range, error.message);
    }
    _ = write!(out, "{:#?}", parsed.syntax());
    out
}

fn check_directory(name: &str, judge: impl Fn(&Parse)) {
    for (path, text) in sources(&format!("relay/{name}"), "relay") {
        let parsed = check(&text);
        expect_file![path.with_extension("tree")].assert_eq(&dump(&parsed));
        judge(&parsed);
    }
}

#[test]
fn legal_texts_give_these_trees() {
    check_directory("ok", |parsed| assert_eq!(parsed.errors[..], []));
}

#[test]
fn wrong_texts_give_these_trees_and_errors() {
    check_directory("err", |parsed| assert!(!parsed.errors.is_empty()));
}

fn messages(text: &str) -> Vec<String> {
    let parsed = check(text);
    let message = |it: &crate::SyntaxError| {
        let line = text[..usize::from(it.range.start())].matches('\n').count() + 1;
        format!("{line}: {}", it.message)
    };
    parsed.errors.iter().map(message).collect()
}

#[test]
fn a_primfn_is_reported_once() {
    for text in [
        "#[version = \"0.0.5\"]\nprimfn(a: handle) -> ()\n  attr = {\"x\": 1}\n  buffers = {A: Buffer(a_1)} {\n}\n",
        "#[version = \"0.0.5\"]\n@main = primfn(a: handle) -> () {\n  for (i, 0, 4) { }\n}\n",
    ] {
        let messages = messages(text);
        assert_eq!(messages.len(), 1, "{messages:?}");
        assert!(messages[0].starts_with("2: this is a TIR function"));
    }
}

#[test]
fn an_unclosed_call_ends_with_its_line() {
    let text = "def @f(%x: float32) {\n  %0 = log(%x;\n  %1 = exp(%0\n  multiply(%1, %0)\n}\ndef @g() { 1 }\n";
    assert_eq!(
        messages(text),
        [
            "2: expected `)` to close the arguments",
            "3: expected `)` to close the arguments",
        ]
    );
}

#[test]
fn an_unclosed_body_ends_with_the_next_definition() {
    let text = "def @f() {\n  1\n\ndef @g() {\n  2\n}\n";
    assert_eq!(messages(text), ["2: expected `}` to close the function"]);
}

#[test]
fn numbers_are_read_as_tvm_reads_them() {
    for (number, message) in [
        ("1", ""),
        ("-1", ""),
        ("1f", ""),
        ("1e-5f", ""),
        ("2i64", ""),
        ("-inff", ""),
        (
            "1.5",
            "a number with a fraction or an exponent ends in `f`: `1.5f`",
        ),
        (
            "1-2",
            "`1-2` is read as one number: put spaces around the sign",
        ),
        ("32768i16", "`32768` does not fit into int16"),
        ("65505f16", "`65505` does not fit into float16"),
        ("1i7", "`7` is not a valid bit width"),
    ] {
        let errors = check(number).errors;
        let found = errors.first().map_or("", |it| &*it.message);
        assert_eq!(found, message, "{number}");
    }
}

#[test]
fn the_first_versions_have_their_own_header_and_numbers() {
    let text = "v0.0.4\ndef @main(%x: Tensor[(1), float32]) {\n  add(%x, 1.5)\n}\nMETADATA:\n{}\n";
    assert_eq!(check(text).errors[..], []);
}

const PIECES: &[&str] = &[
    "%x",
    "%0",
    "%0 = ",
    "let ",
    "let %y: ",
    " = ",
    ";",
    ";\n",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ",",
    "f(",
    "1",
    "1f",
    "-1",
    " + ",
    ".0",
    ".",
    "\n",
    " ",
    "/*",
    "*/",
    "//",
    "\"",
    "\\\"",
    "def @f() {",
    "def ",
    "@main",
    "type ",
    "fn (",
    "if (",
    " else ",
    "match ",
    "match? ",
    " => ",
    "->",
    "free_var ",
    "meta[a.B][0]",
    "#[",
    "#[metadata]\n",
    "é",
    "$",
    "v0.0.4\n",
    "#[version = \"0.0.5\"]\n",
    "Tensor[(1, ?), float32]",
    "axis=1",
    "_",
    "ref(",
    "METADATA:",
    "primfn(",
];

const START: &str = "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(1, 2), float32]) -> float32 {\n  \
    %0 = nn.dense(%x, %x, units=2) /* ty=float32 */;\n  let %y = (%0, 1f);\n  %1 = fn (%a) { let %b = %a; %b };\n  \
    // end\n  add(%y.0, %1(%0))\n}\n\ndef @g[A](%l: List[A]) {\n  match (%l) {\n    Cons(%h, _) => 1,\n    Nil => { 0 },\n  }\n}\n";

#[test]
fn any_text_has_a_tree_with_all_its_bytes() {
    let mut random = Random::new(0x2545_f491_4f6c_dd1d);
    for _ in 0..75 {
        let mut text = START.to_owned();
        for _ in 0..40 {
            let boundary = |mut at: usize| {
                while !text.is_char_boundary(at) {
                    at -= 1;
                }
                at
            };
            let start = random.below(text.len() + 1);
            let end = (start + random.below(6)).min(text.len());
            let range = boundary(start)..boundary(end).max(boundary(start));
            text.replace_range(range, PIECES[random.below(PIECES.len())]);
            check(&text);
        }
    }
}
