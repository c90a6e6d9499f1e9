//! A Relay module as Relax: TVMScript of a release, readable, with where each part came from.
//!
//! Operators by the recipes of `relax::relay`, functions one by one: what Relax cannot say is named with its place, and
//! the functions that need it are left out. Knows no database.

mod calls;
mod function;
#[cfg(test)]
mod tests;
mod text;

use hir::relay::body::{Item, Module};
use hir::relay::{ModuleFacts, lower};
use relax::release::Release;
use rustc_hash::FxHashSet;
use smol_str::SmolStr;
use text_size::{TextRange, TextSize};

use function::Written;

/// A module in Relax.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Translation {
    pub text: String,
    /// What has no translation, in the order of the text.
    pub left: Vec<Untranslated>,
}

/// Something that Relax cannot say.
#[derive(Clone, Debug, PartialEq)]
pub struct Untranslated {
    /// In the Relay text.
    pub range: TextRange,
    pub message: String,
}

/// Translates a Relay text.
pub fn translate(text: &str, to: Release) -> Translation {
    let module = lower::module(&syntax::relay::parse(text));
    let facts = ModuleFacts::of(&module);
    module_in_relax(&module, &facts, text, to)
}

fn module_in_relax(module: &Module, facts: &ModuleFacts, text: &str, to: Release) -> Translation {
    let starts: Vec<usize> = text.match_indices('\n').map(|it| it.0).collect();
    let mut functions: Vec<(SmolStr, Written)> = Vec::new();
    let mut left = Vec::new();
    let mut missing = FxHashSet::default();
    for (definition, known) in module.definitions.iter().zip(&facts.definitions) {
        let name: SmolStr = match &definition.body.item {
            Item::Function { name, .. } => name.text.clone(),
            Item::Expr(_) => "main".into(),
            Item::Type(def) => {
                left.push(Untranslated {
                    range: def.name.range + definition.start,
                    message: format!(
                        "Relax has no algebraic data types such as `{}`",
                        def.name.text
                    ),
                });
                continue;
            }
            Item::Missing => continue,
        };
        let start = definition.start;
        let line = |at: TextSize| {
            let at = usize::from(at + start);
            starts.partition_point(|it| *it < at) + 1
        };
        match function::write(&name, &definition.body, known, &facts.env, to, &line) {
            Ok(written) => functions.push((name, written)),
            Err(mut refused) => {
                refused.range += start;
                left.push(refused);
                missing.insert(name);
            }
        }
    }
    leave_out_callers(&mut functions, &mut missing, &mut left, module);
    left.sort_by_key(|it| it.range.start());
    Translation {
        text: text::module(functions.iter().map(|it| &it.1), to),
        left,
    }
}

/// Functions that call one without a translation have none.
fn leave_out_callers(
    functions: &mut Vec<(SmolStr, Written)>,
    missing: &mut FxHashSet<SmolStr>,
    left: &mut Vec<Untranslated>,
    module: &Module,
) {
    loop {
        let lost = functions
            .iter()
            .position(|(_, written)| written.calls.iter().any(|(name, _)| missing.contains(name)));
        let Some(lost) = lost else { return };
        let (name, written) = functions.remove(lost);
        let call = written
            .calls
            .iter()
            .find(|(name, _)| missing.contains(name));
        let start = module
            .definitions
            .iter()
            .find_map(|it| match &it.body.item {
                Item::Function { name: known, .. } if known.text == name => Some(it.start),
                _ => None,
            });
        if let (Some((callee, range)), Some(start)) = (call, start) {
            left.push(Untranslated {
                range: *range + start,
                message: format!("`@{callee}` has no translation"),
            });
        }
        missing.insert(name);
    }
}
