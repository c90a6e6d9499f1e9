//! After any edit, the facts are those of the text, whatever was known before.

use std::fmt::Write;
use std::sync::Arc;

use salsa::Setter;
use text_size::{TextRange, TextSize};

use crate::db::{Database, Source, SourceFile};
use crate::facts::Def;
use crate::facts::pieces::PieceFacts;
use crate::{file_diagnostics, file_items, function_body, function_facts};

const PRINTED: &str = include_str!("../../../../tests/fixtures/models/lm32-nn.tvm-0.27.py");

/// All that is known of a file, without the numbers that depend on its past.
fn known(db: &Database, file: SourceFile) -> String {
    let mut out = String::new();
    for diagnostic in file_diagnostics(db, file) {
        writeln!(out, "{diagnostic:?}").unwrap();
    }
    for &function in &file_items(db, file).functions {
        let (body, facts) = (function_body(db, function), function_facts(db, function));
        for function in &facts.functions {
            let params: Vec<_> = function.params.iter().map(|&p| facts.var(p).name).collect();
            writeln!(
                out,
                "{} {:?} {:?} {params:?} {:?} {} {:?}",
                function.name,
                function.name_range,
                function.range,
                function.ret,
                function.pure,
                function.parent,
            )
            .unwrap();
        }
        for var in facts.vars() {
            writeln!(
                out,
                "{} {:?} {:?} {:?} {} {} {} {:?} {}",
                var.name,
                var.name_range,
                var.range,
                var.kind,
                var.struct_info.display(relax::dialect::Dialect::Type),
                var.function,
                var.in_dataflow,
                var.value.map(|value| body.range(value)),
                var.used,
            )
            .unwrap();
        }
        for (_, sym) in facts.syms() {
            writeln!(out, "{sym:?}").unwrap();
        }
        for (expr, range) in body.expr_ranges() {
            let value = facts.value(expr);
            let def = match facts.def(expr) {
                Some(Def::Var(var)) => format!("{:?}", facts.var(*var).name_range),
                Some(Def::Sym(sym)) => facts.sym(*sym).var.name.to_string(),
                other => format!("{other:?}"),
            };
            let sinfo = value
                .struct_info()
                .map(|it| it.display(relax::dialect::Dialect::Type).to_string());
            let call = facts.call(expr).map(|call| call.op.0.name);
            writeln!(
                out,
                "{range:?} {} {sinfo:?} {def} {call:?}",
                value.kind_name()
            )
            .unwrap();
        }
    }
    out
}

fn fresh(text: &str) -> String {
    let db = Database::default();
    let file = SourceFile::new(&db, Source::new(text));
    known(&db, file)
}

/// A file under edits.
struct Edited {
    db: Database,
    file: SourceFile,
    text: String,
}

impl Edited {
    fn new(text: &str) -> Edited {
        let db = Database::default();
        let file = SourceFile::new(&db, Source::new(text));
        file_diagnostics(&db, file);
        Edited {
            db,
            file,
            text: text.to_owned(),
        }
    }

    fn replace(&mut self, range: std::ops::Range<usize>, new: &str) {
        self.text.replace_range(range.clone(), new);
        let old = TextRange::new(
            TextSize::new(range.start as u32),
            TextSize::new(range.end as u32),
        );
        let before = self.file.source(&self.db).clone();
        let parse = before.parse.reparse(old, TextSize::of(new), &self.text);
        let text = self.text.clone().into();
        self.file.set_source(&mut self.db).to(Source {
            text,
            parse,
            ..before
        });
    }

    #[track_caller]
    fn check(&self, what: &str) {
        let (after, fresh) = (known(&self.db, self.file), fresh(&self.text));
        if after != fresh {
            let differ = after.lines().zip(fresh.lines()).find(|(a, b)| a != b);
            panic!("{what}: {differ:#?}");
        }
    }
}

/// Numbers that look like chance and are the same in every run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % end.max(1)
    }
}

/// A long function with all that a piece can depend on: blocks, branches, functions inside, casts, misspelt names.
fn long() -> String {
    let mut text = String::from(
        "from tvm.script import ir as I, relax as R, tirx as T\n\n@I.ir_module\nclass Module:\n    @R.function\n    def other(x: R.Tensor((\"n\", 4), \"float32\")):\n        return x\n\n    @R.function\n    def main(x: R.Tensor((\"n\", 4), \"float32\"), s: R.Shape([\"n\"])):\n        cls = Module\n        n = T.int64()\n",
    );
    for k in 0..300_usize {
        let line = match k % 30 {
            7 => format!(
                "with R.dataflow():\n            y{k} = R.add(x, x)\n            R.output(y{k})"
            ),
            11 => format!(
                "if c{k}:\n            y{k} = R.add(x, x)\n        else:\n            y{k} = R.abs(x)"
            ),
            13 => format!("z = R.match_cast(x, R.Tensor((m{k}, 4), \"float32\"))"),
            17 => "d = R.dtype(\"float16\")".to_owned(),
            18 => format!("y{k} = R.astype(y{}, d)", k - 2),
            19 => format!(
                "@R.function\n        def inner{k}(a: R.Tensor((2,), \"float32\")):\n            b = R.zeros((n, 2 * n, m{}), \"float32\")\n            return b",
                k - 6
            ),
            21 => format!("y{k} = cls.other(y{})", k - 2),
            23 => format!("y{k} = R.ad(xx, y{})", k - 2),
            25 => "x = R.abs(x)".to_owned(),
            27 => format!("y{k}: R.Tensor((n, 4), \"float32\") = R.abs(x)"),
            28 => format!("R.call_packed(\"f\", y{})", k - 1),
            _ => format!("y{k} = R.add(x, y{})", k.saturating_sub(1)),
        };
        writeln!(text, "        {line}").unwrap();
    }
    text.push_str("        with R.dataflow():\n");
    for k in 300..600 {
        writeln!(text, "            y{k} = R.add(x, y{})", k - 1).unwrap();
    }
    text.push_str("            R.output(y599, y400)\n        z = R.add(y400, y599)\n");
    text.push_str("        w = R.add(y401, z)\n        return z\n");
    text
}

const WORDS: &[&str] = &[
    "x",
    "y3",
    "y299",
    "q",
    "7",
    "R.abs(x)",
    "return x",
    "R.output(x)",
    "\n",
    "\n        ",
    " ",
    ",",
    "(",
    ")",
    "=",
    "\"m\"",
    "n",
    "T.int64()",
    "2 * n",
    "n * 2",
    "R.Tensor((n, 4), \"float32\")",
    "\n        with R.dataflow():\n            k = x\n",
    "cls.other",
    "R.func_attr({\"relax.force_pure\": True})",
    ": R.Object",
];

fn edit_at_random(text: &str, edits: usize, seed: u64) {
    let mut edited = Edited::new(text);
    let mut chance = Chance(seed);
    for round in 0..edits {
        let len = edited.text.len();
        let at = chance.below(len);
        let line = edited.text[..at].rfind('\n').map_or(0, |it| it + 1);
        let end = edited.text[at..].find('\n').map_or(len, |it| at + it);
        let (range, new) = match chance.below(5) {
            0 => (line..(end + 1).min(len), String::new()),
            1 => (line..line, edited.text[line..(end + 1).min(len)].to_owned()),
            2 => (
                at..(at + 1 + chance.below(4)).min(end.max(at)),
                String::new(),
            ),
            _ => (at..at, WORDS[chance.below(WORDS.len())].to_owned()),
        };
        let before = edited.text[range.clone()].to_owned();
        let start = range.start;
        edited.replace(range, &new);
        edited.check(&format!("round {round}, {new:?} for {before:?} at {start}"));
        // Mistakes are taken back, mostly, as they are by a person who types.
        if chance.below(4) > 0 {
            edited.replace(start..start + new.len(), &before);
            edited.check(&format!("round {round} taken back"));
        }
    }
}

/// How many pieces of the last function an edit has inferred again, and how many there are.
fn inferred(edited: &mut Edited, find: &str, new: &str) -> (usize, usize) {
    let pieces = |edited: &Edited| {
        let items = file_items(&edited.db, edited.file);
        let function = *items.functions.last().unwrap();
        function_facts(&edited.db, function).pieces.clone()
    };
    let before = pieces(edited);
    let at = edited.text.find(find).unwrap();
    edited.replace(at..at + find.len(), new);
    let after = pieces(edited);
    let is_new = |piece: &Arc<PieceFacts>| !before.iter().any(|old| Arc::ptr_eq(old, piece));
    (after.iter().filter(|it| is_new(it)).count(), after.len())
}

#[test]
fn a_dimension_that_is_written_otherwise_reads_otherwise_wherever_it_is_used() {
    let mut edited = Edited::new(
        r#"
from tvm.script import ir as I, relax as R, tir as T

@I.ir_module
class Module:
    @R.function
    def double(x: R.Tensor(("n", "m"), "float32")) -> R.Tensor(("n * m",), "float32"):
        n = T.int64()
        m = T.int64()
        return R.reshape(x, (n * m,))

    @R.function
    def main(x: R.Tensor(("n", "m"), "float32")):
        cls = Module
        n = T.int64()
        m = T.int64()
        k = n * m
        y = R.reshape(x, (k,))
        z = cls.double(x)
        @R.function
        def inner(a: R.Tensor((n, m), "float32")) -> R.Tensor((n * m,), "float32"):
            return R.reshape(a, (n * m,))
        return (y, z)
"#,
    );
    while let Some(at) = edited.text.find("n * m") {
        edited.replace(at..at + 5, "m * n");
        edited.check("an exchange of factors");
    }
}

#[test]
fn an_edit_infers_the_piece_it_is_in() {
    let mut edited = Edited::new(&long());
    let (redone, all) = inferred(&mut edited, "y450 = R.add(x, ", "y450 = R.multiply(x, ");
    // Where a piece ends depends on how statements begin, so it may have joined the next.
    assert!(redone <= 2 && all > 8, "{redone} of {all}");
    edited.check("another operator");
    let (redone, _) = inferred(&mut edited, "Module\n        n", "Module\n\n        n");
    assert_eq!(redone, 1, "a blank line");
    edited.check("a blank line");
}

#[test]
fn a_name_that_changes_reaches_the_pieces_that_use_it() {
    let mut edited = Edited::new(&long());
    let (redone, all) = inferred(&mut edited, "y400 = R.add", "y400a = R.add");
    // Its own, that of its use in the next line if it is another, the output and the binding after the block.
    assert!((2..6).contains(&redone) && all > 8, "{redone} of {all}");
    edited.check("a binding has another name");
}

#[test]
fn a_use_far_away_comes_and_goes() {
    let mut edited = Edited::new(&long());
    let start = edited.text.find("n = T.int64()").unwrap();
    edited.replace(start..start, "far = R.abs(x)\n        ");
    edited.check("a binding");
    for round in 0..2 {
        for (old, new) in [("return z", "return far"), ("return far", "return z")] {
            let at = edited.text.rfind(old).unwrap();
            edited.replace(at..at + old.len(), new);
            edited.check(&format!("{new}, {round}"));
        }
    }
}

#[test]
fn edits_of_a_long_function_leave_the_facts_of_its_text() {
    edit_at_random(&long(), 25, 1);
}

#[test]
fn edits_of_a_printed_model_leave_the_facts_of_its_text() {
    edit_at_random(PRINTED, 2, 2);
}

#[test]
fn what_is_kept_survives_edits_above_and_below() {
    let mut edited = Edited::new(&long());
    let start = edited.text.find("cls = Module").unwrap();
    edited.replace(start..start, "# a comment\n        ");
    edited.check("a comment above");
    let end = edited.text.rfind("w = ").unwrap();
    edited.replace(end..end, "v = R.add(z, zz)\n        ");
    edited.check("a binding below");
    let output = edited.text.rfind("R.output(y599, y400)").unwrap();
    edited.replace(
        output..output + "R.output(y599, y400)".len(),
        "R.output(y598)",
    );
    edited.check("other outputs");
    let header = edited.text.find("x: R.Tensor((\"n\", 4)").unwrap();
    let header = header
        + edited.text[header + 1..]
            .find("x: R.Tensor((\"n\", 4)")
            .unwrap()
        + 1;
    edited.replace(header + 14..header + 15, "5");
    edited.check("the signature");
    let colon = edited.text.find("s: R.Shape([\"n\"])):").unwrap();
    let colon = colon + "s: R.Shape([\"n\"]))".len();
    edited.replace(colon..colon, " -> R.Tensor((1, 2, 3), \"int8\")");
    edited.check("what it returns");
}

/// Every place that names a variable is in a part of the function that is said to name it.
fn assert_parts(edited: &Edited) {
    for &function in &file_items(&edited.db, edited.file).functions {
        let body = function_body(&edited.db, function);
        let facts = function_facts(&edited.db, function);
        for (expr, def) in facts.defs() {
            let Def::Var(var) = *def else { continue };
            let range = body.range(expr);
            for var in [var, facts.joined(var)] {
                let parts = facts.parts_naming(var);
                assert!(
                    parts.iter().any(|part| part.contains_range(range)),
                    "{} at {range:?} is not in {parts:?}",
                    facts.var(var).name
                );
            }
        }
    }
}

#[test]
fn every_mention_of_a_variable_is_in_the_parts_that_name_it() {
    let mut edited = Edited::new(&long());
    assert_parts(&edited);
    for (find, new) in [
        ("y450 = R.add(x, ", "y450x = R.multiply(x, "),
        ("        n = T.int64()\n", ""),
        ("def inner79(a", "def inner79(x"),
        ("if c41", "if y40"),
    ] {
        let at = edited.text.find(find).unwrap();
        edited.replace(at..at + find.len(), new);
        assert_parts(&edited);
    }
    let function = *file_items(&edited.db, edited.file)
        .functions
        .last()
        .unwrap();
    let facts = function_facts(&edited.db, function);
    let few = facts.vars().find(|var| var.name == "y510").unwrap();
    let parts = facts.parts_naming(few.id).len();
    assert!(parts <= 2, "{parts} of {}", facts.pieces.len());
}

#[test]
fn what_is_inferred_in_one_go_is_what_is_inferred_where_it_is_asked_for() {
    let mut edited = Edited::new(PRINTED);
    for parts in [1, 7, 100] {
        let middle = edited.text.len() / 2;
        let at = middle + edited.text[middle..].find(" = R.").expect("a binding");
        edited.replace(at..at, "x");
        for &function in &file_items(&edited.db, edited.file).functions {
            let facts = function_facts(&edited.db, function);
            let ranges: Vec<TextRange> = facts.vars().map(|var| var.range).collect();
            let some = ranges.iter().skip(parts).step_by(parts).copied();
            facts.infer_around(&edited.db, some);
        }
        edited.check(&format!("every part of {parts}"));
    }
}

#[test]
fn who_has_given_up_ends_what_is_inferred_in_one_go() {
    let edited = Edited::new(PRINTED);
    let db = edited.db.clone();
    let function = file_items(&db, edited.file).functions[0];
    let facts = function_facts(&db, function);
    let ranges = || facts.vars().map(|var| var.range).take(1);
    db.canceller().cancel();
    let again = || facts.infer_around(&db, ranges());
    let ended = salsa::Cancelled::catch(std::panic::AssertUnwindSafe(again));
    assert!(matches!(ended, Err(salsa::Cancelled::Local)));
    facts.infer_around(&edited.db, ranges());
}
