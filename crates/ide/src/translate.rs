//! Translates a Relay module to readable TVMScript of a release, with comments about the origin of each part.
//!
//! Operators are translated by the recipes of `relax::relay`. Constructs that Relax cannot express are listed with
//! their positions, and the functions that need them are left out. Knows no database.

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

/// The result of a translation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Translation {
    pub text: String,
    /// Constructs without a translation, in the order of the text.
    pub left: Vec<Untranslated>,
}

/// A construct that Relax cannot express.
#[derive(Clone, Debug, PartialEq)]
pub struct Untranslated {
    /// The range in the Relay text.
    pub range: TextRange,
    pub message: String,
}

/// Translates a Relay text to TVMScript of the release `to`.
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

/// Removes functions that call a function without a translation, repeatedly.
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
