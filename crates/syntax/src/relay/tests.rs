//! Tests of the whole parser: any text, whole files, edits.

use std::fmt::Write;

use expect_test::expect_file;

use super::{Parse, SyntaxNode, parse};
use crate::chunks::CHUNK_LINES;
use crate::testing::{Random, sources};
use crate::{TextRange, TextSize, WalkEvent};

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
fn reparsing_equals_a_full_parse() {
    random_edits(START, 75, 40, |text, random| {
        let start = random.below(text.len() + 1);
        let len = [0, random.below(6)][random.below(2)];
        let piece = match random.below(3) {
            0 => "",
            _ => PIECES[random.below(PIECES.len())],
        };
        (start..start + len, piece.to_owned())
    });
}

#[test]
fn reparsing_a_long_function_equals_a_full_parse() {
    // A few edits make the function too short for chunks, or long enough.
    let mut text = "def @main(%x: float32) {\n".to_owned();
    for it in 0..CHUNK_LINES + 4 {
        let _ = writeln!(text, "  let %v{it} = add(%x, %v{});", it * it);
    }
    text += "  exp(%x)\n}\n";
    random_edits(&text, 50, 8, |text, random| {
        let breaks = text.match_indices('\n').map(|it| it.0 + 1);
        let lines: Vec<usize> = [0].into_iter().chain(breaks).collect();
        let line = random.below(lines.len());
        let start = lines[line];
        let within = |random: &mut Random| start + random.below(30);
        match random.below(6) {
            0 => (start..start, format!("  let %w = {};\n", random.below(100))),
            1 => (start..start, format!("  %{} = ", random.below(100))),
            2 => (start..start, "  exp(%x);\n".repeat(random.below(30))),
            3 => {
                let end = lines[(line + random.below(20)).min(lines.len() - 1)];
                (start..end, String::new())
            }
            4 => (within(random)..within(random), "}".to_owned()),
            _ => {
                let (at, piece) = (within(random), PIECES[random.below(PIECES.len())]);
                (at..at, piece.to_owned())
            }
        }
    });
}

/// Edits a text at random, and compares each tree with that of a full parse. Starts again after some edits.
fn random_edits(
    start: &str,
    rounds: usize,
    edits: usize,
    edit: impl Fn(&str, &mut Random) -> (std::ops::Range<usize>, String),
) {
    let mut random = Random::new(0x2545_f491_4f6c_dd1d);
    for _ in 0..rounds {
        let mut text = start.to_owned();
        let mut parsed = parse(&text);
        for _ in 0..edits {
            let boundary = |text: &str, at: usize| {
                let mut at = at.min(text.len());
                while !text.is_char_boundary(at) {
                    at -= 1;
                }
                at
            };
            let (range, piece) = edit(&text, &mut random);
            let start = boundary(&text, range.start);
            let end = boundary(&text, range.end).max(start);
            let before = text.clone();
            text.replace_range(start..end, &piece);
            let range = TextRange::new(TextSize::new(start as u32), TextSize::new(end as u32));
            parsed = parsed.reparse(range, TextSize::of(piece.as_str()), &text);
            let fresh = parse(&text);
            assert!(
                parsed == fresh,
                "replacing {start}..{end} by {piece:?} in\n{before}\ngave {:?}\nnot {:?}",
                parsed.errors,
                fresh.errors,
            );
        }
    }
}

#[test]
fn an_edit_inside_a_line_gives_the_tree_of_a_full_parse() {
    for (statements, old, new) in [
        (
            "let %p = add(%x, %x);\n  let %q = exp(%p);\n  %q",
            ");",
            "]",
        ),
        (
            "let %p = add(%x, %x);\n  let %q = exp(%p);\n  %q",
            "%p);",
            "%p;",
        ),
        (r#"let %s = "a\"; let %q = add(%x, %y);"#, "%y", "%y\""),
        (r#"let %s = "a\"; let %q = add(%x, %y);"#, "%y", "%y\"x\""),
        (
            r#"let %s = "a\"; %s } def @g(%y: float32) { %y"#,
            "%y }",
            "%y\" }",
        ),
    ] {
        let text = format!("def @main(%x: float32) {{\n  {statements} }}\n");
        let Some(at) = text.rfind(old) else {
            panic!("{old} in {text}")
        };
        let edited = format!("{}{new}{}", &text[..at], &text[at + old.len()..]);
        let parsed = parse(&text);
        let old = TextRange::at(TextSize::new(at as u32), TextSize::of(old));
        let again = super::incremental::reparse(&parsed, old, TextSize::of(new), &edited);
        if let Some(again) = again {
            assert_eq!(dump(&again), dump(&parse(&edited)), "{edited}");
        }
    }
}

#[test]
fn an_error_at_the_next_definition_goes_when_the_one_before_it_changes() {
    let text = "def @f(%x: int32) {\n  match (%x) {\n } def @g() { 0 }\n";
    let at = text.find("f(").unwrap();
    let edited = format!("{}-1{}", &text[..at], &text[at..]);
    let typed = TextRange::empty(TextSize::new(at as u32));
    let parsed = parse(text).reparse(typed, TextSize::of("-1"), &edited);
    assert_eq!(dump(&parsed), dump(&parse(&edited)));
}

#[test]
fn an_edit_in_a_long_function_keeps_the_other_statements() {
    let bindings = "  %0 = add(%x, %x);\n".repeat(4000);
    let text = format!("def @main(%x: float32) {{\n{bindings}  exp(%x)\n}}\n");
    let middle = text.len() / 2;
    let middle = middle + text[middle..].find("%x").unwrap() + 1;
    let value = text.rfind("%x").unwrap() + 1;
    let (first, last) = (text.find("%0").unwrap(), text.rfind("exp").unwrap());
    let statement = text[..middle].rfind("%0").unwrap();
    let call = text[..middle].rfind('(').unwrap();
    let param = text.find(':').unwrap();
    let arrow = text.find('{').unwrap();
    for (at, typed) in [
        (param, "y"),
        (param, ": int32, %y"),
        (arrow, "-> float32 "),
        (middle, "x("),
        (middle, "x)"),
        (middle, "y"),
        (value, "y"),
        (statement, "// "),
        (first, "// "),
        (last, "// "),
        (call, "\""),
    ] {
        let edited = format!("{}{typed}{}", &text[..at], &text[at..]);
        for (text, edited) in [(&text, &edited), (&edited, &text)] {
            let parsed = parse(text);
            let lengths = if edited.len() > text.len() {
                (0, typed.len())
            } else {
                (typed.len(), 0)
            };
            let (old, inserted) = (
                TextSize::new(lengths.0 as u32),
                TextSize::new(lengths.1 as u32),
            );
            let range = TextRange::at(TextSize::new(at as u32), old);
            let again = super::incremental::reparse(&parsed, range, inserted, edited);
            let again = again.expect("the function is too long to be parsed again");
            assert_eq!(dump(&again), dump(&parse(edited)));
        }
    }
}
