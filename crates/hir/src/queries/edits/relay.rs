//! Tests that after any edit of Relay's text, its facts are those of the text.

use std::fmt::Write;
use std::ops::Range;

use salsa::Setter;
use text_size::{TextRange, TextSize};

use super::random::Replacement;
use crate::chance::Chance;
use crate::db::{Database, Language, Source, SourceFile};
use crate::{file_diagnostics, relay_file};

/// Prints all facts of a file, without ids that depend on its history.
fn facts_text(db: &Database, file: SourceFile) -> String {
    let mut out = String::new();
    for diagnostic in file_diagnostics(db, file) {
        writeln!(out, "{diagnostic:?}").unwrap();
    }
    let relay = relay_file(db, file).unwrap();
    for (definition, facts) in relay
        .module
        .definitions
        .iter()
        .zip(&relay.facts.definitions)
    {
        let (body, start) = (&definition.body, definition.start);
        writeln!(
            out,
            "{start:?} {:?}",
            facts.ty.as_ref().map(ToString::to_string)
        )
        .unwrap();
        for (id, local) in body.locals() {
            let (ty, value) = (facts.local(id), facts.value(id));
            let ty = ty.map(ToString::to_string);
            let value = value.map(|it| body.range(it));
            writeln!(
                out,
                "{} {:?} {ty:?} {value:?}",
                local.name.text,
                body.name_range(id)
            )
            .unwrap();
        }
        for (id, _) in body.exprs() {
            let ty = facts.expr(id).map(ToString::to_string);
            let local = facts.use_of(id).map(|it| body.name_range(it));
            writeln!(out, "{:?} {ty:?} {local:?}", body.range(id)).unwrap();
        }
    }
    out
}

fn fresh_facts_text(text: &str) -> String {
    let db = Database::default();
    facts_text(&db, SourceFile::new(&db, Source::of(text, Language::Relay)))
}

/// Returns a function with everything that can affect a piece: shadowed names, types that stay open, closures with type
/// parameters, constants that types depend on, graph bindings of inner blocks.
fn long(is_open: bool) -> String {
    let open = if is_open {
        ""
    } else {
        ": Tensor[(2, 4), float32]"
    };
    let mut text = format!(
        "#[version = \"0.0.5\"]\ntype List[A] {{ Cons(A, List[A]), Nil, }}\n\ndef @other[A](%x: A) {{ %x }}\n\n\
         def @main(%x: Tensor[(2, 4), float32], %l: List[float32], %o{open}) -> Tensor[(2, 4), float32] {{\n",
    );
    for k in 0..60_usize {
        let line = match k % 15 {
            2 => "let %l = Cons(1f, %l);".to_owned(),
            3 => format!("let %n{k} = Nil;"),
            5 => format!("let %n{k} = Cons(2f, %n{});", k - 2),
            6 => format!("let %f{k} = fn [A](%a: A) -> A {{ %a }};"),
            7 => format!("%{k} = %f{}((%x, %{}));", k - 1, k - 3),
            8 => format!("let %c{k} = 8;"),
            9 => format!("%{k} = full(1f, shape=[2, 4], dtype=\"float32\");"),
            10 => format!(
                "let %s{k} = if (True) {{ %{k} = %x; add(%{k}, %x) }} else {{ @other(%x) }};"
            ),
            11 => format!("let %r{k} = arange(0, %c{}, 1, dtype=\"int32\");", k - 3),
            12 => format!("let %m{k} = match (%l) {{ Cons(%h, _) => %h, Nil => 0f }};"),
            13 => format!("let %g{k} = fn (%y) {{ nn.relu(%y) }};"),
            14 => format!("let %x = %g{}(%x);", k - 1),
            0 => "let %x = add(%x, %x);".to_owned(),
            _ => format!("%{k} = nn.relu(%x);"),
        };
        writeln!(text, "  {line}").unwrap();
    }
    text + "  let %p = add(%o, %x);\n  multiply(%p, %x)\n}\n"
}

const WORDS: &[&str] = &[
    "x",
    "%x",
    "%l",
    "%4",
    "%q",
    "7",
    "f",
    "True",
    ";",
    "\n",
    ",",
    "(",
    ")",
    "{",
    "}",
    "=",
    "\n  %4 = %x;\n",
    ": int32",
    ": _",
    "\n  let %x = Nil;\n",
    "\n  let %x = fn (%k) { %k };\n",
    "@other",
    "@main",
    "Tensor[(2, 4), float32]",
    "\n  let %c8 = 4;\n",
    "[A]",
    ".0",
    "/* */",
    "}\n\ndef @second() {",
];

/// Inserts or removes a line, removes characters, inserts words, or replaces one name or number with another.
fn anything(text: &str, chance: &mut Chance) -> Replacement {
    let header = text.find("@main").unwrap_or(0);
    let at = match chance.below(6) {
        0 => header + chance.below(80).min(text.len() - header - 1),
        _ => chance.below(text.len()),
    };
    let line = text[..at].rfind('\n').map_or(0, |it| it + 1);
    let end = text[at..].find('\n').map_or(text.len(), |it| at + it);
    let word = |at: usize| -> Range<usize> {
        let is_inside = |it: &char| it.is_ascii_alphanumeric() || *it == '_';
        let before = text[..at].chars().rev().take_while(is_inside).count();
        at - before..at + text[at..].chars().take_while(is_inside).count()
    };
    match chance.below(7) {
        0 => (line..(end + 1).min(text.len()), String::new()),
        1 => (line..line, text[line..(end + 1).min(text.len())].to_owned()),
        2 => (
            at..(at + 1 + chance.below(4)).min(end.max(at)),
            String::new(),
        ),
        3 | 4 => {
            let other = word(chance.below(text.len()));
            (word(at), text[other].to_owned())
        }
        _ => (at..at, WORDS[chance.below(WORDS.len())].to_owned()),
    }
}

#[test]
fn edits_of_relay_keep_facts_correct() {
    let mut chance = Chance::new(5);
    for round in 0..8 {
        // Half of the functions have a parameter whose type stays open to the end.
        let mut text = long(round % 2 == 1);
        let mut db = Database::default();
        let file = SourceFile::new(&db, Source::of(text.as_str(), Language::Relay));
        let mut edit = |text: &mut String, (range, new): Replacement| {
            let before = text.clone();
            text.replace_range(range.clone(), &new);
            let place = [range.start, range.end].map(|it| TextSize::new(it as u32));
            let replaced = TextRange::new(place[0], place[1]);
            let source = file.source(&db);
            let source = source.reparse(replaced, TextSize::of(&*new), text.as_str().into());
            file.set_source(&mut db).to(source);
            let (after, fresh) = (facts_text(&db, file), fresh_facts_text(text));
            if after != fresh {
                let differ = after.lines().zip(fresh.lines()).find(|(a, b)| a != b);
                panic!("{new:?} for {range:?} in\n{before}\n{differ:#?}");
            }
        };
        for _ in 0..40 {
            let (range, new) = anything(&text, &mut chance);
            let undo = (
                range.start..range.start + new.len(),
                text[range.clone()].to_owned(),
            );
            edit(&mut text, (range, new));
            // Usually undo an error, as a person does.
            if chance.below(4) > 0 {
                edit(&mut text, undo);
            }
        }
    }
}
