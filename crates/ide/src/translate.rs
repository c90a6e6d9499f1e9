//! Translates a Relay module to readable TVMScript of a release, with comments about the origin of each part.
//!
//! Operators are translated by the recipes of `relax::relay`. Constructs that Relax cannot express are listed with
//! their positions, and the functions that need them are left out. Knows no database.

mod calls;
mod function;
mod instances;
mod text;

use std::sync::Arc;

use hir::relay::body::{Item, Module, Name};
use hir::relay::instances::of_definition;
use hir::relay::{Facts, ModuleFacts, lower};
use relax::relay::Type;
use relax::release::Release;
use rustc_hash::FxHashSet;
use smol_str::SmolStr;
use text_size::{TextRange, TextSize};

use function::{Source, Written};
use instances::Instances;

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
    let mut translator = Translator {
        module: &module,
        facts: &facts,
        text,
        line_ends: text.match_indices('\n').map(|it| it.0).collect(),
        to,
        instances: Instances::of(&module),
        functions: Vec::new(),
        missing: FxHashSet::default(),
        left: Vec::new(),
    };
    translator.definitions();
    translator.instances();
    translator.leave_out_callers();
    translator.finish()
}

struct Translator<'a> {
    module: &'a Module,
    facts: &'a ModuleFacts,
    text: &'a str,
    /// The offsets of the line ends in the text.
    line_ends: Vec<usize>,
    to: Release,
    instances: Instances,
    functions: Vec<Translated>,
    /// The functions that could not be translated, by their names in the translation.
    missing: FxHashSet<SmolStr>,
    left: Vec<Untranslated>,
}

/// A translated function.
struct Translated {
    /// The index of its definition.
    definition: usize,
    name: SmolStr,
    written: Written,
}

impl Translator<'_> {
    /// Translates the functions without type parameters.
    fn definitions(&mut self) {
        let (module, facts) = (self.module, self.facts);
        for (at, definition) in module.definitions.iter().enumerate() {
            let known = &facts.definitions[at];
            match &definition.body.item {
                Item::Function { function, .. } if !function.type_params.is_empty() => {}
                Item::Function { name, .. } => self.function(at, &name.text, known, &[]),
                Item::Expr(_) => self.function(at, "main", known, &[]),
                Item::Type(def) => {
                    self.leave(at, &def.name, "Relax has no algebraic data types such as");
                }
                Item::Missing => {}
            }
        }
    }

    /// Translates the instances of functions with type parameters that calls ask for.
    fn instances(&mut self) {
        let module = self.module;
        while let Some(instance) = self.instances.next() {
            let body = &module.definitions[instance.definition].body;
            let type_args = of_definition(body, &instance.type_args);
            let facts = Arc::new(Facts::of_instance(&self.facts.env, body, type_args));
            let (at, name) = (instance.definition, &instance.name);
            self.function(at, name, &facts, &instance.type_args);
        }
        for (at, definition) in module.definitions.iter().enumerate() {
            if let Item::Function { function, .. } = &definition.body.item
                && let Some(param) = function.type_params.first()
                && !self.instances.has(at)
            {
                self.leave(at, param, "no translated call gives a type for");
            }
        }
    }

    fn function(&mut self, definition: usize, name: &str, facts: &Arc<Facts>, type_args: &[Type]) {
        let start = self.module.definitions[definition].start;
        let line = |at: TextSize| {
            let at = usize::from(at + start);
            self.line_ends.partition_point(|it| *it < at) + 1
        };
        let source = Source {
            body: &self.module.definitions[definition].body,
            facts: Arc::clone(facts),
            env: &self.facts.env,
            type_args,
            line: &line,
        };
        match function::write(name, &source, self.to, &mut self.instances) {
            Ok(written) => self.functions.push(Translated {
                definition,
                name: name.into(),
                written,
            }),
            Err(mut refused) => {
                refused.range += start;
                self.left.push(refused);
                self.missing.insert(name.into());
            }
        }
    }

    fn leave(&mut self, definition: usize, name: &Name, why: &str) {
        self.left.push(Untranslated {
            range: name.range + self.module.definitions[definition].start,
            message: format!("{why} `{}`", name.text),
        });
    }

    /// Removes functions that call a function without a translation, repeatedly.
    fn leave_out_callers(&mut self) {
        let missing = &mut self.missing;
        loop {
            let lost = self.functions.iter().enumerate().find_map(|(at, it)| {
                let call = it.written.calls.iter().find(|it| missing.contains(&it.0));
                Some((at, call?.1))
            });
            let Some((lost, call)) = lost else { return };
            let caller = self.functions.remove(lost);
            let range = call + self.module.definitions[caller.definition].start;
            self.left.push(Untranslated {
                range,
                message: format!("`{}` has no translation", &self.text[range]),
            });
            missing.insert(caller.name);
        }
    }

    fn finish(mut self) -> Translation {
        self.functions.sort_by_key(|it| it.definition);
        self.left.sort_by_key(|it| it.range.start());
        // Each instance of a function has the same problem.
        self.left.dedup();
        Translation {
            text: text::module(self.functions.iter().map(|it| &it.written), self.to),
            left: self.left,
        }
    }
}
