//! A file of Relay's text: its definitions, what is known of them, what is wrong.

use relax::diagnostics::Diagnostic;
use syntax::relay::Parse;

use super::syntax_error;
use crate::db::{Db, SourceFile};
use crate::relay::{Module, ModuleFacts, lower};

/// A file of Relay's text.
#[derive(Debug)]
pub struct RelayFile {
    pub parse: Parse,
    pub module: Module,
    pub facts: ModuleFacts,
}

/// `None`: the file is Python.
pub fn relay_file(db: &dyn Db, file: SourceFile) -> Option<&RelayFile> {
    relay_facts(db, file).as_ref()
}

#[salsa::tracked(returns(ref), no_eq)]
fn relay_facts(db: &dyn Db, file: SourceFile) -> Option<RelayFile> {
    file.source(db).relay.clone().map(RelayFile::new)
}

impl RelayFile {
    pub fn new(parse: Parse) -> RelayFile {
        let module = lower::module(&parse);
        let facts = ModuleFacts::of(&module);
        RelayFile {
            parse,
            module,
            facts,
        }
    }

    /// Everything that is wrong, in order of place.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let mut found: Vec<Diagnostic> = self.parse.errors.iter().map(syntax_error).collect();
        found.extend(self.facts.diagnostics(&self.module));
        found.sort_by_key(|it| (it.range.start(), it.range.end(), it.code));
        found
    }
}
