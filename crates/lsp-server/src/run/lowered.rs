//! Lowers one or all functions of a file to a stage, and prints it.

use std::path::Path;

use hir::{Database, FunctionItem, RelayFile, SourceFile, file_items};
use ide::{Analysis, Config};
use relax::FunctionKind;
use relax::release::Release;
use serde::{Deserialize, Serialize};
use text_size::TextRange;
use vm::CompileError;
use vm::listing::{Listing, STAGES, Stage};

use crate::run::job::LowerJob;
use crate::run::select;

/// The text of a stage.
#[derive(Debug, Serialize, Deserialize)]
pub struct Lowered {
    pub text: String,
    /// Lines of the text, starting at 0, with the byte offsets of their source.
    lines: Vec<(u32, (u32, u32))>,
}

impl Lowered {
    pub fn lines(&self) -> impl Iterator<Item = (u32, TextRange)> {
        let range = |(start, end): (u32, u32)| TextRange::new(start.into(), end.into());
        self.lines.iter().map(move |&(line, at)| (line, range(at)))
    }
}

/// Returns the text of the job's stage, or an error message.
pub fn lower(job: &LowerJob) -> Result<Lowered, String> {
    let stage = stage_named(&job.stage)?;
    if job.relay {
        return relay(job, stage);
    }
    let target = job.target.as_deref().and_then(Release::from_name);
    let (analysis, file) = Analysis::from_single_file(&*job.text, Config { target });
    let Some((db, source)) = analysis.hir(file) else {
        return Err("the file is not there".to_owned());
    };
    let entries = match &job.function {
        Some(name) => vec![select::function(db, source, name, job.line)?],
        None => functions(db, source)?,
    };
    let constants = job.constants.read(Path::new(""), 0)?;
    let listing = vm::lower::listing(db, &entries, stage, constants);
    let listing = listing.map_err(|errors| joined(&errors))?;
    Ok(Lowered::from(listing))
}

/// Relay's functions become bytecode in one step.
fn relay(job: &LowerJob, stage: Stage) -> Result<Lowered, String> {
    if stage != Stage::Bytecode {
        return Err(format!(
            "Relay has one stage, `{}`; `relax-lsp translate` translates to Relax, which has the others",
            Stage::Bytecode.name()
        ));
    }
    let text: &str = &job.text;
    let file = RelayFile::new(syntax::relay::parse(text));
    let name = job.function.as_deref().unwrap_or_default();
    let entry = select::relay_function(&file, text, name, job.line)?;
    let program = vm::lower::relay::compile(&file, &[entry]).map_err(|errors| joined(&errors))?;
    Ok(Lowered::from(program.listing()))
}

fn joined(errors: &[CompileError]) -> String {
    let messages: Vec<String> = errors.iter().map(ToString::to_string).collect();
    messages.join("; ")
}

impl From<Listing> for Lowered {
    fn from(listing: Listing) -> Lowered {
        let offsets = |range: TextRange| (range.start().into(), range.end().into());
        let lines = listing.lines.iter();
        Lowered {
            lines: lines.map(|&(line, at)| (line, offsets(at))).collect(),
            text: listing.text,
        }
    }
}

/// Returns the Relax functions of the file if it has only one module.
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
            // With several modules, names may clash, so the user has to choose one function.
            select::function(db, file, "", None).map(|function| vec![function])
        }
    }
}

/// Returns the stage that a user names.
pub fn stage_named(name: &str) -> Result<Stage, String> {
    Stage::named(name).ok_or_else(|| {
        let names: Vec<&str> = STAGES.iter().map(|(name, _)| *name).collect();
        format!("there is no stage `{name}`; there are {}", names.join(", "))
    })
}
