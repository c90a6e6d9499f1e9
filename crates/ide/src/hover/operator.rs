//! The documentation of an operator, from its row in the table.

use std::fmt::Write;

use relax::ops::{OpDef, Param, Purity};
use relax::release::{Release, Releases, meanings};

/// Returns Markdown about an operator: signature, description, shapes, parameters, example.
pub fn page(op: &OpDef) -> String {
    let mut text = format!("```python\n{}\n```\n{}\n", op.signature(), op.summary);
    if !op.shapes.is_empty() {
        let _ = write!(text, "\n`{}`\n", op.shapes);
    }
    let documented: Vec<&Param> = op.params.iter().filter(|p| !p.doc.is_empty()).collect();
    if !documented.is_empty() {
        text.push('\n');
    }
    for param in documented {
        let _ = writeln!(text, "- `{}`: {}", param.name, param.doc);
    }
    if !op.example.is_empty() {
        let _ = write!(text, "\n```python\n{}\n```\n", op.example);
    }
    let changed = meanings(op.script()).map(|it| format!("*{}*", it.sentence()));
    let notes = [impurity(op), range(op.releases)].into_iter().flatten();
    for note in notes.chain(changed) {
        let _ = write!(text, "\n{note}\n");
    }
    text.push_str(&links(op));
    text
}

/// Returns links to the operator in TVM's documentation, and to its inference rule in TVM's sources.
fn links(op: &OpDef) -> String {
    let name = op.script();
    let version = if op.releases.contains(Release::NEWEST) {
        "main"
    } else {
        "v0.19.0"
    };
    format!(
        "\n[Documentation](https://tvm.apache.org/docs/reference/api/python/relax/op.html#tvm.relax.op.{name}) · [Rule](https://github.com/apache/tvm/blob/{version}/{})\n",
        op.source
    )
}

fn impurity(op: &OpDef) -> Option<String> {
    match op.purity {
        Purity::Pure => None,
        Purity::Impure => {
            Some("*Impure: not allowed in a dataflow block or a pure function.*".to_owned())
        }
        Purity::OfCallee => Some("*As pure as the function it calls.*".to_owned()),
    }
}

pub fn range(releases: Releases) -> Option<String> {
    Some(format!("*{}*", releases.sentence()?))
}
