//! The meaning of Relax programs: names, StructInfo, symbolic shapes, operators, well-formedness.
//!
//! Knows no editor, protocol or file system: texts and configuration are salsa inputs, facts and diagnostics are plain
//! data.

mod attributes;
pub mod body;
#[cfg(test)]
mod chance;
mod class_body;
mod consequences;
pub mod cost;
pub mod db;
mod decorators;
mod devices;
pub mod difference;
pub mod enclosing;
mod evidence;
pub mod facts;
mod foreign;
pub mod form;
mod give_way;
mod incremental;
pub mod infer;
pub mod item_tree;
pub mod metadata;
mod misfits;
mod module;
mod prim;
pub mod prim_facts;
pub mod queries;
pub mod relay;
mod syntax_reports;
mod text;
pub mod tir;

pub use db::{Canceller, Config, Database, Db, Language, Source, SourceFile};
pub use facts::Facts;
pub use incremental::LazyFacts;
pub use item_tree::{FileItems, FunctionItem, ModuleItem, file_env, file_items};
pub use prim_facts::PrimFacts;
pub use queries::releases::{file_release, file_releases, target};
pub use queries::{
    Embedded, RelayFile, Signature, embedded_relay, file_diagnostics, function_body,
    function_diagnostics, function_facts, function_prim_facts, function_program,
    function_signature, lazy_facts, outline_diagnostics, relay_file,
};
pub use text::{IGNORE, Text};
