//! Generates `OPERATORS.md`, the documentation of every row; `UPDATE_EXPECT=1` rewrites it.

use std::fmt::Write as _;

use expect_test::expect_file;

use super::{OpDef, Purity, families};
use crate::release::{Meaning, meanings};

#[test]
fn operators_md_is_the_table() {
    expect_file!["../../../../docs/OPERATORS.md"].assert_eq(&manual());
}

fn manual() -> String {
    let mut out = String::from(
        "# Operators\n\n\
         Written from the operator table by `UPDATE_EXPECT=1 cargo test -p relax operators_md`. \
         A parameter's default is as Python writes it; the file is where TVM states the rule.\n\n",
    );
    for (family, _) in families() {
        let anchor = family.replace(' ', "-").replace(':', "");
        let _ = write!(out, "[{family}](#{anchor}) ");
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    for (family, ops) in families() {
        let _ = write!(out, "\n## {family}\n");
        ops.iter().for_each(|op| operator(&mut out, op));
    }
    out
}

fn operator(out: &mut String, op: &OpDef) {
    let signature = op.signature();
    let _ = write!(
        out,
        "\n### `R.{}`\n\n```python\n{}\n```\n\n",
        op.script(),
        signature
    );
    let _ = write!(out, "{}\n\n", op.summary);
    for param in op.params {
        let _ = writeln!(out, "- `{}`: {}", param.name, param.doc);
    }
    if !op.params.is_empty() {
        out.push('\n');
    }
    let _ = write!(out, "Shapes: {}\n\n", op.shapes);
    if op.example != signature {
        let _ = write!(out, "Example: `{}`\n\n", op.example);
    }
    let mut notes = Vec::new();
    if !op.aliases.is_empty() {
        let spelled: Vec<String> = op.aliases.iter().map(|a| format!("`R.{a}`")).collect();
        notes.push(format!("Also {}.", spelled.join(", ")));
    }
    match op.purity {
        Purity::Pure => {}
        Purity::Impure => notes.push("Impure.".into()),
        Purity::OfCallee => notes.push("As pure as the called function.".into()),
    }
    notes.extend(op.releases.sentence());
    notes.extend(meanings(op.script()).map(Meaning::sentence));
    notes.push(format!("`{}`", op.source));
    let _ = writeln!(out, "{}", notes.join(" "));
}
