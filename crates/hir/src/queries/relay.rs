//! A Relay file: its definitions, their facts, and diagnostics.
//!
//! An edit lowers and infers the definition that it touches. Others are inferred again if the edit changes a signature
//! or a type that they may use.

use std::sync::Arc;

use relax::diagnostics::Diagnostic;
use syntax::ast::AstNode;
use syntax::relay::{Parse, SyntaxNode, ast};
use text_size::TextSize;

use crate::db::{Db, SourceFile};
use crate::item_tree::Subtree;
use crate::metadata::Metadata;
use crate::relay::body::{Definition, Item};
use crate::relay::env::Env;
use crate::relay::signatures::{Globals, InferredTypes, Signatures};
use crate::relay::{Body, Facts, Module, ModuleFacts, lower};
use crate::syntax_reports::reports;

/// A Relay file.
#[derive(Debug)]
pub struct RelayFile {
    pub parse: Parse,
    pub module: Module,
    pub facts: ModuleFacts,
}

/// One definition of a file, or the expression that the file consists of.
#[salsa::tracked(debug)]
struct RelayItem<'db> {
    #[returns(copy)]
    file: SourceFile,
    /// The index among the definitions of the file.
    #[returns(copy)]
    ordinal: usize,
    #[tracked]
    #[returns(ref)]
    source: Subtree,
    /// The offset in the file. Its body and facts do not depend on it.
    #[tracked]
    #[returns(copy)]
    start: TextSize,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, salsa::SalsaValue)]
struct RelayItems<'db> {
    definitions: Vec<RelayItem<'db>>,
    metadata: Option<Subtree>,
}

/// Returns `None` if the file is Python.
pub fn relay_file(db: &dyn Db, file: SourceFile) -> Option<&RelayFile> {
    relay_facts(db, file).as_ref()
}

#[salsa::tracked(returns(ref), no_eq)]
fn relay_facts(db: &dyn Db, file: SourceFile) -> Option<RelayFile> {
    let parse = file.source(db).relay.clone()?;
    let facts = |item: &RelayItem<'_>| Arc::clone(definition_facts(db, *item));
    let definitions = relay_items(db, file).definitions.iter().map(facts);
    Some(RelayFile {
        parse,
        module: module(db, file, |item| Definition {
            start: item.start(db),
            body: Arc::clone(definition_body(db, item)),
        }),
        facts: ModuleFacts {
            definitions: definitions.collect(),
            env: relay_env(db, file),
        },
    })
}

#[salsa::tracked(returns(ref))]
fn relay_items(db: &dyn Db, file: SourceFile) -> RelayItems<'_> {
    let Some(parse) = &file.source(db).relay else {
        return RelayItems::default();
    };
    let tree = parse.tree();
    let definitions = lower::parts(&tree).enumerate().map(|(ordinal, part)| {
        let source = Subtree(part.green().into_owned());
        RelayItem::new(db, file, ordinal, source, part.text_range().start())
    });
    let metadata = tree.metadata();
    RelayItems {
        definitions: definitions.collect(),
        metadata: metadata.map(|it| Subtree(it.syntax().green().into_owned())),
    }
}

#[salsa::tracked(returns(ref), no_eq)]
fn definition_body<'db>(db: &'db dyn Db, item: RelayItem<'db>) -> Arc<Body> {
    Arc::new(lower::body(&item.source(db).0))
}

#[salsa::tracked(returns(ref), no_eq)]
fn definition_facts<'db>(db: &'db dyn Db, item: RelayItem<'db>) -> Arc<Facts> {
    let (file, body) = (item.file(db), definition_body(db, item));
    let env = annotated_env(db, file);
    let ordinal = item.ordinal(db);
    if let Item::Function { name, .. } = &body.item
        && let Some(signature) = env.function(&name.text)
        && signature.definition == ordinal
        && !signature.is_annotated
        && let Some(facts) = signatures(db, file).facts(ordinal)
    {
        return Arc::clone(facts);
    }
    infer(db, item, env, types_in_reach(db, item))
}

fn infer(db: &dyn Db, item: RelayItem<'_>, env: &Env, types: &InferredTypes) -> Arc<Facts> {
    Arc::new(Facts::of(env, types, definition_body(db, item)))
}

/// Returns the inferred types that the definition depends on, besides the annotations of the module.
#[salsa::tracked(returns(ref))]
fn types_in_reach<'db>(db: &'db dyn Db, item: RelayItem<'db>) -> InferredTypes {
    let globals = definition_globals(db, item);
    let file = item.file(db);
    // A definition that only names functions with full signatures does not depend on their bodies.
    let names_open = globals.open(annotated_env(db, file)).next().is_some();
    let types = names_open.then(|| signatures(db, file).types_of(globals));
    types.unwrap_or_default()
}

#[salsa::tracked(returns(ref))]
fn definition_globals<'db>(db: &'db dyn Db, item: RelayItem<'db>) -> Globals {
    Globals::of(definition_body(db, item))
}

/// Returns the module according to its annotations.
#[salsa::tracked(returns(ref))]
fn annotated_env(db: &dyn Db, file: SourceFile) -> Arc<Env> {
    // Signatures do not depend on where definitions start.
    let module = module(db, file, |item| Definition {
        start: TextSize::new(0),
        body: Arc::clone(definition_body(db, item)),
    });
    Arc::new(Env::of(&module, module.is_excerpt()))
}

#[salsa::tracked(returns(ref), no_eq)]
fn signatures(db: &dyn Db, file: SourceFile) -> Signatures {
    let items = &relay_items(db, file).definitions;
    let env = annotated_env(db, file);
    let globals = |at: usize| definition_globals(db, items[at]);
    Signatures::infer(env, globals, |at, types| infer(db, items[at], env, types))
}

fn relay_env(db: &dyn Db, file: SourceFile) -> Arc<Env> {
    let annotated = annotated_env(db, file);
    if annotated.open_functions().is_empty() {
        return Arc::clone(annotated);
    }
    Arc::new(signatures(db, file).completed(Env::clone(annotated)))
}

#[salsa::tracked(returns(ref), no_eq)]
fn relay_metadata(db: &dyn Db, file: SourceFile) -> Arc<Metadata> {
    let source = relay_items(db, file).metadata.as_ref();
    let node = source.and_then(|it| ast::Metadata::cast(SyntaxNode::new_root(it.0.clone())));
    Arc::new(lower::metadata(node))
}

fn module<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    definition: impl Fn(RelayItem<'db>) -> Definition,
) -> Module {
    let definitions = relay_items(db, file).definitions.iter();
    let definitions = definitions.map(|item| definition(*item));
    Module {
        definitions: definitions.collect(),
        metadata: Arc::clone(relay_metadata(db, file)),
    }
}

impl RelayFile {
    /// Reads a text on its own.
    pub fn new(parse: Parse) -> RelayFile {
        let module = lower::module(&parse);
        let facts = ModuleFacts::of(&module);
        RelayFile {
            parse,
            module,
            facts,
        }
    }

    /// Returns all diagnostics, in order of position.
    pub fn diagnostics(&self, text: &str) -> Vec<Diagnostic> {
        let mut found: Vec<Diagnostic> = reports(text, self.parse.errors.iter());
        found.extend(self.facts.diagnostics(&self.module));
        found.sort_by_key(|it| (it.range.start(), it.range.end(), it.code));
        found
    }
}
