//! Tests that after any edit, the facts are those of the text, whatever was known before.

mod random;
mod reread;

use std::fmt::Write;

use salsa::Setter;
use text_size::{TextRange, TextSize};

use crate::db::{Database, Source, SourceFile};
use crate::facts::Def;
use crate::{file_diagnostics, file_items, function_body, lazy_facts};

const PRINTED: &str = include_str!("../../../../tests/fixtures/models/lm32-nn.tvm-0.27.py");

/// Prints all facts of a file, without ids that depend on its history.
fn facts_text(db: &Database, file: SourceFile) -> String {
    let mut out = String::new();
    for diagnostic in file_diagnostics(db, file) {
        writeln!(out, "{diagnostic:?}").unwrap();
    }
    for &function in &file_items(db, file).functions {
        let (body, facts) = (function_body(db, function), lazy_facts(db, function));
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

fn fresh_facts_text(text: &str) -> String {
    let db = Database::default();
    let file = SourceFile::new(&db, Source::new(text));
    facts_text(&db, file)
}

/// A file that is edited.
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
        let (after, fresh) = (
            facts_text(&self.db.clone(), self.file),
            fresh_facts_text(&self.text),
        );
        if after != fresh {
            let differ = after.lines().zip(fresh.lines()).find(|(a, b)| a != b);
            panic!("{what}: {differ:#?}");
        }
    }
}

#[test]
fn names_that_were_misspelt_earlier_are_not_looked_up_again() {
    let text = long();
    let at = text.rfind("R.add(y400").unwrap() + "R.add(".len();
    let mut edited = Edited::new(&text);
    let looked_up = |edited: &Edited| {
        let &main = file_items(&edited.db, edited.file)
            .functions
            .last()
            .unwrap();
        let facts = crate::function_facts(&edited.db, main);
        facts.world.as_ref().unwrap().globals.len()
    };
    let before = looked_up(&edited);
    for k in 0..20 {
        edited.replace(at..at + 4, &format!("z{k}00"));
        file_diagnostics(&edited.db, edited.file);
        edited.replace(at..at + format!("z{k}00").len(), "y400");
        file_diagnostics(&edited.db, edited.file);
    }
    let after = looked_up(&edited);
    assert!(after <= before + 2, "{before} {after}");
    edited.check("after many misspelt names");
}

/// Returns a long function with everything that can affect a piece: blocks, branches, local functions, casts,
/// misspelt names.
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
