//! Tests which pieces an edit reads again, and which parts of a function mention a variable.

use std::fmt::Write;
use std::sync::Arc;

use super::{Edited, long};
use crate::facts::Def;
use crate::facts::pieces::PieceFacts;
use crate::{file_items, function_body, lazy_facts};

/// Returns how many pieces of the last function an edit inferred again, and the total number.
fn inferred(edited: &mut Edited, find: &str, new: &str) -> (usize, usize) {
    let pieces = |edited: &Edited| {
        let items = file_items(&edited.db, edited.file);
        let function = *items.functions.last().unwrap();
        lazy_facts(&edited.db, function).pieces.clone()
    };
    let before = pieces(edited);
    let at = edited.text.find(find).unwrap();
    edited.replace(at..at + find.len(), new);
    let after = pieces(edited);
    let is_new = |piece: &Arc<PieceFacts>| !before.iter().any(|old| Arc::ptr_eq(old, piece));
    (after.iter().filter(|it| is_new(it)).count(), after.len())
}

#[test]
fn a_respelled_dimension_updates_its_uses() {
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
fn an_edit_infers_only_its_own_piece() {
    let mut edited = Edited::new(&long());
    let (redone, all) = inferred(&mut edited, "y450 = R.add(x, ", "y450 = R.multiply(x, ");
    // The end of a piece depends on how statements begin, so it may have joined the next.
    assert!(redone <= 2 && all > 8, "{redone} of {all}");
    edited.check("another operator");
    let (redone, _) = inferred(&mut edited, "Module\n        n", "Module\n\n        n");
    assert_eq!(redone, 1, "a blank line");
    edited.check("a blank line");
}

#[test]
fn a_changed_name_infers_the_pieces_that_use_it() {
    let mut edited = Edited::new(&long());
    let (redone, all) = inferred(&mut edited, "y400 = R.add", "y400a = R.add");
    // Its own piece, the piece of its use if that differs, the output, and the binding after the block.
    assert!((2..6).contains(&redone) && all > 8, "{redone} of {all}");
    edited.check("a binding has another name");
}

#[test]
fn adding_and_removing_a_distant_use_keeps_facts_correct() {
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
fn kept_facts_survive_edits_above_and_below() {
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

/// Asserts that every mention of a variable is in one of the parts listed for it.
fn assert_parts(edited: &Edited) {
    for &function in &file_items(&edited.db, edited.file).functions {
        let body = function_body(&edited.db, function);
        let facts = lazy_facts(&edited.db, function);
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
fn every_mention_of_a_variable_is_indexed_by_its_pieces() {
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
    let facts = lazy_facts(&edited.db, function);
    let few = facts.vars().find(|var| var.name == "y510").unwrap();
    let parts = facts.parts_naming(few.id).len();
    assert!(parts <= 2, "{parts} of {}", facts.pieces.len());
}

#[test]
fn a_changed_name_reads_its_piece_and_the_pieces_that_use_it() {
    let mut edited = Edited::new(&long());
    for k in (301..590).step_by(17) {
        let (typed, back) = (format!("y{k}q = "), format!("y{k} = "));
        for (find, new) in [(&back, &typed), (&typed, &back)] {
            let (redone, all) = inferred(&mut edited, find, new);
            // Its own piece, the previous one if the boundary changed, and the piece of the next line.
            assert!(redone <= 4, "{new}: {redone} of {all}");
        }
    }
    edited.check("names that came and went");
}

#[test]
fn adding_or_removing_a_bare_call_reads_only_its_piece() {
    let mut text = String::from(
        "from tvm.script import relax as R\n\n@R.function(pure=False)\ndef main(x: R.Tensor((4,), \"float32\")):\n    y0 = R.abs(x)\n",
    );
    for k in 1..400 {
        let before = k - 1;
        write!(
            text,
            "    y{k} = R.abs(y{before})\n    R.vm.kill_object(y{before})\n"
        )
        .unwrap();
    }
    text += "    return y399\n";
    let mut edited = Edited::new(&text);
    let line = "    R.vm.kill_object(y200)\n";
    let (redone, all) = inferred(&mut edited, line, "");
    assert!(redone <= 2 && all > 20, "it goes: {redone} of {all}");
    edited.check("a call alone has gone");
    let (redone, _) = inferred(&mut edited, "    y201 = ", &format!("{line}    y201 = "));
    assert!(redone <= 2, "it comes: {redone} of {all}");
    edited.check("a call alone has come");
}

#[test]
fn a_name_that_is_bound_many_times_has_the_latest_value() {
    let mut text = String::from(
        "from tvm.script import relax as R\n\n@R.function\ndef main(x: R.Tensor((4,), \"float32\")):\n",
    );
    for k in 0..400 {
        write!(text, "    x = R.abs(x)\n    y{k} = R.add(x, x)\n").unwrap();
    }
    text += "    return x\n";
    let mut edited = Edited::new(&text);
    let binding = "    y200 = R.add(x, x)\n";
    let (redone, all) = inferred(
        &mut edited,
        binding,
        &format!("    x = R.exp(x)\n{binding}"),
    );
    assert!(redone <= 3 && all > 20, "{redone} of {all}");
    edited.check("one binding more");
}
