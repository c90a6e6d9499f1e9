//! Makes one edit of a finished text that imitates a typing error or a wrong idea.

use syntax::ast::{self, AstNode as _};
use tests::random::Random;

/// Edits the text after its imports. Returns the result and the name of the edit.
pub fn edit(random: &mut Random, text: &str) -> Option<(String, String)> {
    let start = text.find("\n\n")? + 1;
    for _ in 0..20 {
        let kind = random.below(EDITS.len());
        let (name, edit) = EDITS[kind];
        if let Some((range, new)) = edit(random, text, start) {
            let mut edited = text.to_owned();
            edited.replace_range(range.clone(), &new);
            if edited != text {
                let shown = format!("{name}: {} -> {}", text[range].trim(), new.trim());
                return Some((edited, shown));
            }
        }
    }
    None
}

type Edit = (std::ops::Range<usize>, String);

type Make = fn(&mut Random, &str, usize) -> Option<Edit>;

const EDITS: &[(&str, Make)] = &[
    ("number", number),
    ("name", name),
    ("dtype", dtype),
    ("line gone", line_gone),
    ("line twice", line_twice),
    ("lines swapped", lines_swapped),
    ("argument gone", argument_gone),
    ("argument replaced", argument_replaced),
    ("argument twice", argument_twice),
    ("keyword", keyword),
    ("operator", operator),
    ("annotation", annotation),
];

/// Returns the words of the text for which `wanted` is true.
fn words(text: &str, start: usize, wanted: impl Fn(&str) -> bool) -> Vec<std::ops::Range<usize>> {
    let bytes = text.as_bytes();
    let is_word = |at: usize| bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_';
    let mut found = Vec::new();
    let mut at = start;
    while at < bytes.len() {
        if !is_word(at) {
            at += 1;
            continue;
        }
        let end = (at..bytes.len())
            .find(|&it| !is_word(it))
            .unwrap_or(bytes.len());
        if wanted(&text[at..end]) {
            found.push(at..end);
        }
        at = end;
    }
    found
}

fn one<T: Clone>(random: &mut Random, all: Vec<T>) -> Option<T> {
    (!all.is_empty()).then(|| random.pick(&all).clone())
}

fn number(random: &mut Random, text: &str, start: usize) -> Option<Edit> {
    let range = one(
        random,
        words(text, start, |it| it.bytes().all(|b| b.is_ascii_digit())),
    )?;
    let old: i64 = text[range.clone()].parse().ok()?;
    let new = *random.pick(&[old + 1, old - 1, old * 2, 0, 1, 7]);
    Some((range, new.to_string()))
}

fn is_variable(word: &str) -> bool {
    let digits = word.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let letters = &word[..word.len() - digits.len()];
    matches!(letters, "v" | "p" | "a" | "q" | "local") && digits.parse::<u32>().is_ok()
}

fn name(random: &mut Random, text: &str, start: usize) -> Option<Edit> {
    let all = words(text, start, is_variable);
    let range = one(random, all.clone())?;
    let other = text[one(random, all)?].to_owned();
    let new = if random.chance(30) {
        "undefined_name".to_owned()
    } else {
        other
    };
    Some((range, new))
}

fn dtype(random: &mut Random, text: &str, start: usize) -> Option<Edit> {
    const KNOWN: [&str; 6] = ["float32", "float16", "int64", "int32", "bool", "int8"];
    let range = one(random, words(text, start, |it| KNOWN.contains(&it)))?;
    let new = if random.chance(10) {
        "int7"
    } else {
        *random.pick(&KNOWN)
    };
    Some((range, new.to_owned()))
}

fn lines(text: &str, start: usize) -> Vec<std::ops::Range<usize>> {
    let mut at = start;
    let mut all = Vec::new();
    for line in text[start..].split_inclusive('\n') {
        if line.starts_with(' ') {
            all.push(at..at + line.len());
        }
        at += line.len();
    }
    all
}

fn line_gone(random: &mut Random, text: &str, start: usize) -> Option<Edit> {
    Some((one(random, lines(text, start))?, String::new()))
}

fn line_twice(random: &mut Random, text: &str, start: usize) -> Option<Edit> {
    let range = one(random, lines(text, start))?;
    let twice = text[range.clone()].repeat(2);
    Some((range, twice))
}

fn lines_swapped(random: &mut Random, text: &str, start: usize) -> Option<Edit> {
    let all = lines(text, start);
    let [first, second] = one(random, all.windows(2).collect())? else {
        return None;
    };
    let range = first.start..second.end;
    let (first, second) = (&text[first.clone()], &text[second.clone()]);
    let indent = |line: &str| line.len() - line.trim_start().len();
    (indent(first) == indent(second)).then(|| (range, format!("{second}{first}")))
}

/// Returns the arguments of one call.
fn arguments(random: &mut Random, text: &str) -> Option<Vec<std::ops::Range<usize>>> {
    let tree = syntax::parse(text).tree();
    let calls: Vec<ast::CallExpr> = tree
        .syntax()
        .descendants()
        .filter_map(ast::CallExpr::cast)
        .collect();
    let call = one(random, calls)?;
    let args: Vec<std::ops::Range<usize>> = call
        .arg_list()?
        .syntax()
        .children()
        .map(|it| it.text_range().into())
        .collect();
    (!args.is_empty()).then_some(args)
}

fn argument_gone(random: &mut Random, text: &str, _: usize) -> Option<Edit> {
    let args = arguments(random, text)?;
    let at = random.below(args.len());
    let end = args.get(at + 1).map_or(args[at].end, |next| next.start);
    Some((args[at].start..end, String::new()))
}

fn argument_twice(random: &mut Random, text: &str, _: usize) -> Option<Edit> {
    let all = arguments(random, text)?;
    let range = one(random, all)?;
    let old = &text[range.clone()];
    let twice = format!("{old}, {old}");
    Some((range, twice))
}

fn argument_replaced(random: &mut Random, text: &str, start: usize) -> Option<Edit> {
    let all = arguments(random, text)?;
    let range = one(random, all)?;
    let variables = words(text, start, is_variable);
    let new = match random.below(10) {
        0..=3 => text[one(random, variables)?].to_owned(),
        _ => (*random.pick(&[
            "None",
            "1",
            "1.5",
            "\"word\"",
            "[1, 2]",
            "(n, 2)",
            "R.shape([2])",
            "R.abs",
            "True",
            "()",
        ]))
        .to_owned(),
    };
    Some((range, new))
}

fn keyword(random: &mut Random, text: &str, start: usize) -> Option<Edit> {
    let all = words(text, start, |it| it.len() > 2);
    let before_value = |range: &std::ops::Range<usize>| {
        let next = text.as_bytes().get(range.end..range.end + 2);
        next.is_some_and(|it| it[0] == b'=' && it[1] != b'=')
    };
    let range = one(random, all.into_iter().filter(before_value).collect())?;
    let new = format!("{}_x", &text[range.clone()]);
    Some((range, new))
}

fn operator(random: &mut Random, text: &str, start: usize) -> Option<Edit> {
    let after_r = |range: &std::ops::Range<usize>| text[..range.start].ends_with("R.");
    let all = words(text, start, |_| true);
    let range = one(random, all.into_iter().filter(after_r).collect())?;
    let new = *random.pick(&[
        "add",
        "matmul",
        "abs",
        "concat",
        "reshape",
        "sum",
        "Tensor",
        "Tuple",
        "shape",
        "print",
        "call_tir",
        "permute_dims",
        "astype",
        "zzz",
    ]);
    Some((range, new.to_owned()))
}

fn annotation(random: &mut Random, text: &str, _: usize) -> Option<Edit> {
    let tree = syntax::parse(text).tree();
    let all: Vec<std::ops::Range<usize>> = tree
        .syntax()
        .descendants()
        .filter_map(ast::Param::cast)
        .filter_map(|it| Some(it.annotation()?.syntax().text_range().into()))
        .collect();
    let range = one(random, all)?;
    let new = *random.pick(&[
        "R.Tensor((2, 3), \"float32\")",
        "R.Tensor",
        "R.Shape([2])",
        "R.Tuple(R.Tensor)",
        "R.Prim(\"int64\")",
        "R.Object",
        "int",
        "R.Tensor((n + 1,), \"float32\")",
        "R.Tensor((\"zz * 2\",))",
        "\"word\"",
        "R.Callable",
    ]);
    Some((range, new.to_owned()))
}
