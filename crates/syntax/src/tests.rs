//! Tests of the whole parser: any text, whole files, edits.

use std::fmt::Write;

use expect_test::expect_file;

use crate::testing::{Random, sources};
use crate::{Parse, SyntaxNode, TextRange, TextSize, parse};

/// Parses, and checks the properties that hold for any text.
fn check(text: &str) -> Parse {
    let parsed = parse(text);
    let tree = parsed.syntax();
    assert_eq!(tree.text(), text, "the tree's text is the input");
    for error in parsed.errors.iter() {
        assert!(
            u32::from(error.range.end()) as usize <= text.len(),
            "{error:?}"
        );
    }
    parsed
}

fn depth(node: &SyntaxNode) -> usize {
    let mut deepest = 0;
    let mut depth = 0;
    for event in node.preorder() {
        match event {
            crate::WalkEvent::Enter(_) => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            crate::WalkEvent::Leave(_) => depth -= 1,
        }
    }
    deepest
}

#[test]
fn deeply_nested_brackets_parse() {
    for bracket in [
        "(",
        "[",
        "{",
        "f(",
        "-",
        "not ",
        "lambda: ",
        "x[",
        "await ",
        "f\"{",
        "x if y else ",
        "{0:",
        "a.b(c=",
        "(a, ",
    ] {
        let text = bracket.repeat(100_000);
        let parsed = check(&text);
        assert!(depth(&parsed.syntax()) < 1000, "{bracket}");
    }
}

#[test]
fn deeply_nested_format_specs_parse() {
    for (field, end) in [("{x:", ""), ("{x:", "}"), ("{:", ""), ("{f'", "'}")] {
        let text = format!("f\"{}{}\"\n", field.repeat(100_000), end.repeat(100_000));
        let parsed = check(&text);
        assert!(depth(&parsed.syntax()) < 1000, "{field}");
        assert!(parsed.errors.len() < 1000, "{field}");
    }
}

#[test]
fn long_chains_make_shallow_trees() {
    for link in [
        " + a",
        ".b",
        "(c)",
        "[d]",
        " and a",
        " < a",
        ", a",
        " ** a",
        ".b(c)[d]",
        " if b else c",
        " = a",
    ] {
        let text = format!("a{}\n", link.repeat(20_000));
        let parsed = check(&text);
        assert!(depth(&parsed.syntax()) < 1000, "{link}");
    }
}

/// The tree as text: each node and token with its range, tokens with their text.
fn dump(parsed: &Parse) -> String {
    let mut out = String::new();
    for error in parsed.errors.iter() {
        _ = write!(out, "error {:?}: {}", error.range, error.message);
        if let Some((range, message)) = &error.related {
            _ = write!(out, " ({range:?}: {message})");
        }
        out.push('\n');
    }
    _ = write!(out, "{:#?}", parsed.syntax());
    out
}

/// Compares the tree of every source in this directory of `test_data` with the expected tree beside it.
fn check_directory(name: &str, judge: impl Fn(&Parse)) {
    for (path, text) in sources(name, "py") {
        let parsed = check(&text);
        expect_file![path.with_extension("tree")].assert_eq(&dump(&parsed));
        judge(&parsed);
    }
}

#[test]
fn legal_sources_give_these_trees() {
    check_directory("ok", |parsed| assert_eq!(parsed.errors[..], []));
}

#[test]
fn wrong_sources_give_these_trees_and_errors() {
    check_directory("err", |parsed| assert!(!parsed.errors.is_empty()));
}

const PIECES: &[&str] = &[
    "a",
    "f(",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ":",
    ",",
    "=",
    "\n",
    "\n    ",
    "\n        ",
    "\n\t",
    " ",
    "def ",
    "class ",
    "if ",
    "else",
    "for ",
    " in ",
    "with ",
    "as ",
    "match x:",
    "case ",
    "lambda ",
    "return ",
    "async ",
    "await ",
    "@",
    "*",
    "**",
    "->",
    ":=",
    "\"",
    "'",
    "\"\"\"",
    "'''",
    "f\"",
    "f'''",
    "t\"",
    "rb'",
    "!r",
    "1",
    "1.5e",
    "0x",
    "_",
    "\\",
    "\\\n",
    "#",
    ";",
    "\r",
    "\r\n",
    "\u{c}",
    "\0",
    "é",
    "€",
    "\u{feff}",
    "import ",
    "from ",
    "not ",
    "try:",
    "except",
    "type X",
    "yield ",
    "..",
    "$",
    "x: R.Tensor((",
    "None",
    "|",
];

fn soup(random: &mut Random) -> String {
    (0..random.below(60))
        .map(|_| *random.pick(PIECES))
        .collect()
}

/// The sources of `test_data`.
fn samples() -> Vec<String> {
    let samples = ["err", "ok"].into_iter();
    let samples = samples.flat_map(|name| sources(name, "py"));
    samples.map(|(_, text)| text).collect()
}

/// A random range of the text, and its replacement.
fn random_edit(random: &mut Random, text: &str) -> (std::ops::Range<usize>, String) {
    let mut start = random.below(text.len() + 1);
    let longest = *random.pick(&[40, 3, 3, 3]);
    let mut end = (start + random.below(longest)).min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    while !text.is_char_boundary(end) {
        end += 1;
    }
    let insert = match random.below(4) {
        0 => String::new(),
        1 => soup(random),
        _ => (*random.pick(PIECES)).to_owned(),
    };
    (start..end, insert)
}

#[test]
fn token_soup_parses_without_loss() {
    let mut random = Random::new(0x5eed);
    for _ in 0..20_000 {
        check(&soup(&mut random));
    }
}

#[test]
fn random_bytes_parse_without_loss() {
    let mut random = Random::new(0xb17e5);
    for _ in 0..5_000 {
        let bytes: Vec<u8> = (0..random.below(80))
            .map(|_| random.below(256) as u8)
            .collect();
        check(&String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn damaged_sources_parse_without_loss() {
    let mut random = Random::new(0xda3a6e);
    for sample in samples() {
        for _ in 0..100 {
            let mut text = sample.clone();
            for _ in 0..=random.below(3) {
                let (range, insert) = random_edit(&mut random, &text);
                text.replace_range(range, &insert);
            }
            check(&text);
        }
    }
}

/// Applies random edits, and compares each reparse with a full parse.
fn check_edits(random: &mut Random, text: &mut String, edits: usize) {
    let mut parsed = parse(text);
    for _ in 0..edits {
        let (range, insert) = random_edit(random, text);
        let before = text.clone();
        let replaced = TextRange::new((range.start as u32).into(), (range.end as u32).into());
        text.replace_range(range, &insert);
        let next = parsed.reparse(replaced, TextSize::of(insert.as_str()), text);
        let fresh = parse(text);
        let nearby = parsed.reparse_nearby(replaced, TextSize::of(insert.as_str()), text);
        assert!(nearby.is_none_or(|it| it == fresh), "{before:?}");
        if next.green != fresh.green || next.errors != fresh.errors {
            let (next, fresh) = (dump(&next), dump(&fresh));
            let first = next
                .lines()
                .zip(fresh.lines())
                .position(|(a, b)| a != b)
                .unwrap_or(0);
            let around = |text: &str| {
                text.lines()
                    .skip(first.saturating_sub(3))
                    .take(12)
                    .collect::<Vec<_>>()
                    .join("\n")
            };
            let (next, fresh) = (around(&next), around(&fresh));
            panic!("{before:?}\n{replaced:?} -> {insert:?}\nreparsed:\n{next}\nfresh:\n{fresh}");
        }
        parsed = next;
    }
}

#[test]
fn reparsing_equals_a_full_parse() {
    let mut random = Random::new(0xed17);
    for sample in samples() {
        for _ in 0..20 * effort() {
            check_edits(&mut random, &mut sample.clone(), 10);
        }
    }
}

/// A factor for the number of random inputs, from `RELAX_FUZZ_EFFORT`.
fn effort() -> usize {
    std::env::var("RELAX_FUZZ_EFFORT")
        .ok()
        .and_then(|it| it.parse().ok())
        .unwrap_or(1)
}

#[test]
fn reparsing_nearby_gives_up_after_an_unclosed_bracket() {
    let line = "    y = R.add(x, [1, 2])\n";
    let text = format!("def f(x):\n{}", line.repeat(3 * crate::NEARBY / line.len()));
    let parsed = parse(&text);
    let middle = text.len() / 2 / line.len() * line.len();
    let typed = |at: usize, new: &str| {
        let text = format!("{}{new}{}", &text[..at], &text[at..]);
        let place = TextRange::empty((at as u32).into());
        let nearby = parsed.reparse_nearby(place, TextSize::of(new), &text);
        assert!(nearby.iter().all(|it| *it == parse(&text)));
        nearby.is_some()
    };
    let places = [15, middle + 14, text.len() - 10];
    assert_eq!(places.map(|at| typed(at, "a")), [true; 3]);
    assert_eq!(places.map(|at| typed(at, "(")), [true; 3]);
    assert_eq!(places.map(|at| typed(at, "\"\"\"")), [false, false, true]);
    assert!(!typed(middle, &line.repeat(2 * crate::NEARBY / line.len())));
}

#[test]
fn reparsing_in_long_suites_equals_a_full_parse() {
    let mut text = String::from("n = 1\n\nclass Module:\n    def long(x):\n");
    for line in 0..300 {
        _ = writeln!(
            text,
            "        lv{line} = f(lv{}, {})",
            line * 7 % 50,
            line % 3
        );
        if line % 40 == 0 {
            text.push_str("        # a comment\n\n        if lv:\n            pass\n");
        }
    }
    text.push_str("        return x\n\n    y = 1\n");
    for line in 0..140 {
        _ = writeln!(text, "    m{line} = {line}");
    }
    text.push_str("# the end\n");
    for line in 0..140 {
        _ = writeln!(text, "x{line}");
    }
    text.push_str("# the very end\n");
    let mut random = Random::new(0x10e6);
    for _ in 0..4 * effort() {
        check_edits(&mut random, &mut text.clone(), 40);
    }
}
