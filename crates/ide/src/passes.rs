//! The passes of a compilation: the module after each pass, the changes of each pass, and the first pass that broke
//! it.
//!
//! A [`Stage`] is one dumped module without its database. A [`Sequence`] holds the stages in order, and compares each
//! with the one before. A pass that runs other passes is dumped after them, so the sequence forms a tree: see
//! `nesting`.

mod figures;
mod nesting;
mod sequence;
mod summary;
#[cfg(test)]
mod tests;

use hir::cost::MemoryPlan;
use hir::{Database, SourceFile, Text, file_items};
use relax::diagnostics::Code;
use relax::{FunctionKind, Severity};

pub use figures::Figures;
pub use sequence::{Sequence, Step, is_part};

use crate::analysis::{Analysis, Cancellable};
use crate::difference::Snapshot;
use crate::host::{AnalysisHost, Change, Config};
use crate::types::{Diagnostic, FileId};
use crate::unlowered::unlowered;

/// The module after one pass.
#[derive(Clone, Debug, Default)]
pub struct Stage {
    /// The file name without its extension: `003_FuseOps`.
    pub label: String,
    /// The name of the pass: `FuseOps`.
    pub pass: String,
    pub snapshot: Snapshot,
    pub figures: Figures,
    /// The memory plans of the functions that allocate storage.
    pub plans: Vec<MemoryPlan>,
    /// The errors that make the module ill-formed.
    pub errors: Vec<Diagnostic>,
    /// What makes a well-formed module compute something else.
    pub warnings: Vec<Diagnostic>,
    /// Operators that a build of the module would not lower.
    pub unlowered: Vec<Diagnostic>,
}

/// The warnings about what a pass has done.
const OF_PASSES: [Code; 2] = [Code::StorageStillNeeded, Code::IndexOutOfRange];

/// Reads dumps. A function that is unchanged between two consecutive dumps is analysed only once.
pub struct StageReader {
    host: AnalysisHost,
}

impl Default for StageReader {
    fn default() -> StageReader {
        StageReader {
            host: AnalysisHost::of_whole_files(),
        }
    }
}

impl StageReader {
    pub fn read(&mut self, text: Text, config: Config, label: &str) -> Stage {
        let file = FileId(0);
        self.host.set_config(config);
        self.host.apply_change(Change::new(file, text));
        let stage = self.host.analysis().stage(file, label);
        stage.expect("nothing changes the file meanwhile")
    }
}

impl Analysis {
    /// Reads a file as the dump of a pass.
    pub fn stage(&self, file: FileId, label: &str) -> Cancellable<Stage> {
        let all = self.diagnostics(file)?;
        let (errors, mut warnings): (Vec<_>, Vec<_>) = all
            .into_iter()
            .partition(|it| it.severity == Severity::Error);
        warnings.retain(|it| OF_PASSES.iter().any(|code| code.name() == it.code));
        let snapshot = self.snapshot(file)?;
        let plans = self.with_file(file, plans)?;
        let mut figures = self.with_file(file, |db, file| Figures::of(db, file, &plans))?;
        for function in &snapshot.form.functions {
            figures.count(function);
        }
        Ok(Stage {
            label: label.to_owned(),
            pass: pass_name(label).to_owned(),
            unlowered: unlowered(&snapshot),
            snapshot,
            figures,
            plans,
            errors,
            warnings,
        })
    }
}

fn plans(db: &Database, file: SourceFile) -> Vec<MemoryPlan> {
    let functions = file_items(db, file).functions.iter();
    let relax = functions.filter(|it| it.kind(db) == FunctionKind::Relax);
    relax.filter_map(|it| MemoryPlan::of(db, *it)).collect()
}

impl Stage {
    /// Returns a copy of this stage for another pass that produced the same module.
    #[must_use]
    pub fn named(&self, label: &str) -> Stage {
        Stage {
            label: label.to_owned(),
            pass: pass_name(label).to_owned(),
            ..self.clone()
        }
    }
}

/// Returns the pass name from the label of its dump, which `DumpIR` numbers.
pub fn pass_name(label: &str) -> &str {
    let rest = label.trim_start_matches(|c: char| c.is_ascii_digit());
    match rest.strip_prefix(['_', '-', '.']) {
        Some(name) if rest.len() < label.len() && !name.is_empty() => name,
        _ => label,
    }
}
