//! The documentation of an operator, from its row in the table.

use relax::ops::{OpDef, Param, Purity};
use relax::release::{Release, Releases, meanings};

use super::code;
use crate::markdown::{Code, Markdown, Text, markdown};

/// Returns Markdown about an operator: signature, description, shapes, parameters, example.
pub fn page(op: &OpDef) -> Markdown {
    let mut text = markdown!("{}{}\n", code(&op.signature()), op.summary);
    if !op.shapes.is_empty() {
        text.push(markdown!("\n{}\n", Code(op.shapes)));
    }
    let documented: Vec<&Param> = op.params.iter().filter(|p| !p.doc.is_empty()).collect();
    if !documented.is_empty() {
        text.push("\n");
    }
    for param in documented {
        text.push(markdown!("- {}: {}\n", Code(param.name), param.doc));
    }
    if !op.example.is_empty() {
        text.push(markdown!("\n{}", code(op.example)));
    }
    let changed = meanings(op.script()).map(|it| {
        markdown!(
            "*Changed in {}: {}. Before: {}.*",
            it.since.title(),
            it.now,
            it.before
        )
    });
    let notes = [impurity(op), range(op.releases)].into_iter().flatten();
    for note in notes.chain(changed) {
        text.push(markdown!("\n{}\n", note));
    }
    text.push(links(op));
    text
}

/// Returns links to the operator in TVM's documentation, and to its inference rule in TVM's sources.
fn links(op: &OpDef) -> Markdown {
    let name = op.script();
    let version = if op.releases.contains(Release::NEWEST) {
        "main"
    } else {
        "v0.19.0"
    };
    markdown!(
        "\n[Documentation](https://tvm.apache.org/docs/reference/api/python/relax/op.html#tvm.relax.op.{}) · [Rule](https://github.com/apache/tvm/blob/{}/{})\n",
        name,
        version,
        op.source
    )
}

fn impurity(op: &OpDef) -> Option<Markdown> {
    match op.purity {
        Purity::Pure => None,
        Purity::Impure => {
            Some("*Impure: not allowed in a dataflow block or a pure function.*".into())
        }
        Purity::OfCallee => Some("*As pure as the function it calls.*".into()),
    }
}

pub fn range(releases: Releases) -> Option<Markdown> {
    Some(markdown!("*{}*", Text(releases.sentence()?)))
}
