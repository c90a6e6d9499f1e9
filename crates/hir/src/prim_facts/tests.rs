//! Tests of the facts of PrimFuncs.

mod mistakes;
mod names;
mod refused;

use std::fmt::Write;

use expect_test::Expect;

use crate::db::{Database, Source, SourceFile};
use crate::{PrimFacts, file_items, function_prim_facts};

/// Returns the facts of the last function of a program.
fn facts(program: &str) -> PrimFacts {
    let db = Database::default();
    let file = SourceFile::new(&db, Source::new(program));
    let &function = file_items(&db, file).functions.last().unwrap();
    let mut facts = function_prim_facts(&db, function).clone();
    let start = function.offset(&db);
    for def in &mut facts.defs {
        (def.name_range, def.range) = (def.name_range + start, def.range + start);
    }
    for mention in &mut facts.mentions {
        mention.range += start;
    }
    for diagnostic in &mut facts.diagnostics {
        *diagnostic = diagnostic.moved(start);
    }
    facts
}

fn place(text: &str, offset: text_size::TextSize) -> String {
    let before = &text[..usize::from(offset)];
    let line = before.matches('\n').count() + 1;
    let column = before.len() - before.rfind('\n').map_or(0, |at| at + 1) + 1;
    format!("{line}:{column}")
}

/// Checks the diagnostics of each body of a PrimFunc. `|` separates the lines of a body.
fn check_bodies(header: &str, bodies: &[&str], expect: Expect) {
    let mut actual = String::new();
    for body in bodies {
        let body = body.replace('|', "\n    ");
        let program = format!("{header}\n    {body}\n");
        let first = header.lines().count() + 1;
        let _ = writeln!(actual, "{}", body.trim_start());
        for diagnostic in &facts(&program).diagnostics {
            let at = place(&program, diagnostic.range.start());
            let (line, column) = at.split_once(':').unwrap();
            let line = line.parse::<usize>().unwrap() + 1 - first;
            let column = column.parse::<usize>().unwrap() - 4;
            let (code, message) = (diagnostic.code.name(), &diagnostic.message);
            let _ = writeln!(actual, "--> {line}:{column} {code}: {message}");
        }
    }
    expect.assert_eq(&actual);
}
