//! `relax-lsp facts`: prints everything inferred about one file, as JSON.

mod relay;
mod struct_info;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use hir::facts::{FunctionFact, VarKind};
use hir::{Database, FunctionItem, SourceFile};
use ide::Analysis;
use relax::FunctionKind;
use serde_json::{Value, json};

use super::output;
use super::report::{FileReport, json::diagnostics};
use super::target::Target;
use crate::config::project::Projects;
use crate::sources;
use crate::targets::Targets;

#[derive(Args)]
pub struct Facts {
    /// A Python file that contains TVMScript, or a Relay file
    file: PathBuf,
    #[command(flatten)]
    target: Target,
}

pub fn execute(command: &Facts) -> anyhow::Result<ExitCode> {
    let text = sources::read(&command.file)?;
    // Invalid settings are an error.
    Projects::new().of_file(&command.file)?;
    let config = command.target.config(&command.file, &Targets::of_process());
    let language = sources::language(&command.file);
    let (analysis, file) = Analysis::from_file_in(language, text.clone(), config);
    let found = analysis
        .diagnostics(file)
        .expect("nothing changes the file meanwhile");
    let report = FileReport::new(command.file.clone(), text, found);
    let (db, source) = analysis.hir(file).expect("the file was just added");
    let facts = match hir::relay_file(db, source) {
        Some(relay) => relay::facts(relay, &report),
        None => facts(db, source, &report),
    };
    output::print_json(facts)?;
    Ok(ExitCode::SUCCESS)
}

fn facts(db: &Database, source: SourceFile, report: &FileReport) -> Value {
    json!({
        "dialect": hir::file_release(db, source).dialect().name(),
        "release": hir::file_release(db, source).name(),
        "functions": functions(db, source, report),
        "diagnostics": diagnostics(report),
    })
}

fn functions(db: &Database, file: SourceFile, report: &FileReport) -> Vec<Value> {
    let items = hir::file_items(db, file);
    let mut functions = Vec::new();
    for &item in &items.functions {
        let module = item
            .module(db)
            .and_then(|index| items.modules.get(index as usize))
            .map(|module| module.name(db).to_string());
        match item.kind(db) {
            FunctionKind::Relax => {
                let facts = hir::lazy_facts(db, item);
                for (index, fact) in facts.functions.iter().enumerate() {
                    let function = Function {
                        db,
                        item,
                        facts,
                        index,
                        fact,
                    };
                    functions.push(function.to_json(module.as_deref(), report));
                }
            }
            FunctionKind::PrimFunc => functions.push(prim_func(db, item, module, report)),
            FunctionKind::Macro | FunctionKind::Python => {}
        }
    }
    functions
}

struct Function<'a> {
    db: &'a Database,
    item: FunctionItem<'a>,
    facts: &'a hir::LazyFacts,
    index: usize,
    fact: &'a FunctionFact,
}

impl Function<'_> {
    fn to_json(&self, module: Option<&str>, report: &FileReport) -> Value {
        let start = self.item.offset(self.db);
        let release = hir::file_release(self.db, self.item.file(self.db));
        let dialect = release.dialect();
        let line = |range: text_size::TextRange| report.span(range + start).line;
        let params: Vec<Value> = self
            .fact
            .params
            .iter()
            .map(|&param| {
                let param = self.facts.var(param);
                json!({
                    "name": param.name.as_str(),
                    "struct_info": struct_info::to_json(param.struct_info, dialect),
                })
            })
            .collect();
        let bindings: Vec<Value> = self
            .facts
            .vars()
            .filter(|var| var.function == self.index)
            .filter_map(|var| {
                let kind = match var.kind {
                    VarKind::Param => return None,
                    VarKind::Function if var.is_dataflow => "dataflow",
                    VarKind::Var | VarKind::Function => "var",
                    VarKind::Dataflow => "dataflow",
                    VarKind::MatchCast => "match_cast",
                };
                Some(json!({
                    "line": line(var.range),
                    "name": var.name.as_str(),
                    "kind": kind,
                    "struct_info": struct_info::to_json(var.struct_info, dialect),
                }))
            })
            .collect();
        json!({
            "module": module,
            "name": self.fact.name.as_str(),
            "kind": "relax",
            "line": line(self.fact.name_range),
            "pure": self.fact.pure,
            "params": params,
            "ret": struct_info::to_json(&self.fact.ret, dialect),
            "bindings": bindings,
        })
    }
}

/// Returns the range and the name of a PrimFunc. Its contents are not part of Relax.
fn prim_func(
    db: &Database,
    item: FunctionItem<'_>,
    module: Option<String>,
    report: &FileReport,
) -> Value {
    let name = item.source(db).def().and_then(|def| def.name());
    let at = name.map(|name| name.text_range()).unwrap_or_default() + item.offset(db);
    json!({
        "module": module,
        "name": item.name(db).as_str(),
        "kind": "prim_func",
        "line": report.span(at).line,
        "pure": false,
        "params": [],
        "ret": {"kind": "Unknown"},
        "bindings": [],
    })
}
