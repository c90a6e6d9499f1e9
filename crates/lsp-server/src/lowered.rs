//! A function, or every one of a file, at a stage of its lowering.

use hir::{Database, FunctionItem, SourceFile, file_items};
use ide::{AnalysisHost, Change, Config, FileId, Text};
use relax::FunctionKind;
use relax::dialect::Dialect;
use vm::listing::{Listing, STAGES, Stage};

use crate::run::select;

/// What is to be shown of a text.
pub struct Wanted {
    pub text: Text,
    pub dialect: Option<Dialect>,
    /// `Module.forward`, or a bare name; `None`: every function.
    pub function: Option<String>,
    /// The line of the `def`, from 0.
    pub line: Option<u32>,
    pub stage: Stage,
}

/// The text of the stage, or a sentence that says why there is none.
pub fn listing(wanted: &Wanted) -> Result<Listing, String> {
    let file = FileId(0);
    let mut host = AnalysisHost::default();
    host.set_config(Config {
        dialect: wanted.dialect,
    });
    host.apply_change(Change::new(file, wanted.text.clone()));
    let analysis = host.analysis();
    let Some((db, source)) = analysis.hir(file) else {
        return Err("the file is not there".to_owned());
    };
    let entries = match &wanted.function {
        Some(name) => vec![select::function(db, source, name, wanted.line)?],
        None => functions(db, source)?,
    };
    vm::lower::listing(db, &entries, wanted.stage).map_err(|errors| {
        let messages: Vec<String> = errors.iter().map(ToString::to_string).collect();
        messages.join("; ")
    })
}

/// The Relax functions of the file's module, if it has one alone.
fn functions(db: &Database, file: SourceFile) -> Result<Vec<FunctionItem<'_>>, String> {
    let all: Vec<FunctionItem<'_>> = file_items(db, file)
        .functions
        .iter()
        .copied()
        .filter(|it| it.kind(db) == FunctionKind::Relax)
        .collect();
    match all.first() {
        None => Err("the file has no Relax function".to_owned()),
        Some(first) if all.iter().all(|it| it.module(db) == first.module(db)) => Ok(all),
        Some(_) => {
            // Names are those of one module: the others are asked for one by one.
            select::function(db, file, "", None).map(|function| vec![function])
        }
    }
}

/// The stage that a user names.
pub fn stage_named(name: &str) -> Result<Stage, String> {
    Stage::named(name).ok_or_else(|| {
        let names: Vec<&str> = STAGES.iter().map(|(name, _)| *name).collect();
        format!("there is no stage `{name}`; there are {}", names.join(", "))
    })
}
