//! `relax-lsp migrate`: files as another release of TVM writes them.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use ide::Migration;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use relax::release::{Release, Releases, detect};
use similar::TextDiff;

use super::output;
use crate::exit::{COULD_NOT_RUN, PROBLEMS_FOUND, complain};
use crate::line_index::LineColumns;
use crate::memory::STACK;
use crate::sources;

#[derive(Args)]
pub struct Migrate {
    /// Files, or directories searched for Python files
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// The release of TVM to write: `0.16` to `0.27`
    #[arg(long, value_name = "RELEASE", value_parser = release)]
    to: Release,
    /// The release that the files are written for; without it, each file shows its own
    #[arg(long, value_name = "RELEASE", value_parser = release)]
    from: Option<Release>,
    /// Change the files; without it, the changes are printed as a patch
    #[arg(long, conflicts_with = "check")]
    write: bool,
    /// Print the names of files that would change; exit with 1 if there are any
    #[arg(long)]
    check: bool,
}

fn release(name: &str) -> Result<Release, String> {
    Release::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = Release::ALL.iter().map(|it| it.name()).collect();
        format!("the releases are {}", names.join(", "))
    })
}

/// A file and what becomes of it.
struct Migrated {
    path: PathBuf,
    before: String,
    migration: Migration,
}

pub fn execute(command: &Migrate) -> anyhow::Result<ExitCode> {
    let sources = sources::collect(&command.paths)?;
    let results: Vec<anyhow::Result<Option<Migrated>>> = rayon::ThreadPoolBuilder::new()
        .stack_size(STACK)
        .build()?
        .install(|| {
            let migrate = |it: &sources::Source| file(&it.path, command);
            sources.par_iter().map(migrate).collect()
        });
    let (mut report, mut left, mut failed, mut changed) = (String::new(), String::new(), false, 0);
    for result in results {
        let migrated = match result {
            Ok(Some(migrated)) => migrated,
            Ok(None) => continue,
            Err(failure) => {
                failed = true;
                complain(&failure);
                continue;
            }
        };
        changed += usize::from(migrated.is_changed());
        migrated.report(command, &mut report);
        migrated.list(&mut left);
    }
    output::print(&report)?;
    eprint!("{left}");
    Ok(if failed {
        ExitCode::from(COULD_NOT_RUN)
    } else if command.check && changed > 0 {
        ExitCode::from(PROBLEMS_FOUND)
    } else {
        ExitCode::SUCCESS
    })
}

/// Migrates one file; none where nothing of TVM is in it.
fn file(path: &Path, command: &Migrate) -> anyhow::Result<Option<Migrated>> {
    let before = sources::read(path)?.to_string();
    if !before.contains("tvm") && !ide::contains_tvmscript(&before) {
        return Ok(None);
    }
    let from = command.from.map_or_else(|| detect(&before), Releases::only);
    let migration = ide::migrate(&before, from, command.to);
    if command.write && migration.text != before {
        std::fs::write(path, &migration.text)
            .with_context(|| format!("cannot write `{}`", path.display()))?;
    }
    Ok(Some(Migrated {
        path: path.to_owned(),
        before,
        migration,
    }))
}

impl Migrated {
    fn is_changed(&self) -> bool {
        self.migration.text != self.before
    }

    fn report(&self, command: &Migrate, report: &mut String) {
        if !self.is_changed() {
            return;
        }
        let path = self.path.display();
        if command.check {
            let _ = writeln!(report, "would migrate {path}");
        } else if command.write {
            let _ = writeln!(report, "migrated {path}");
        } else {
            let diff = TextDiff::from_lines(&self.before, &self.migration.text);
            let names = (format!("a/{path}"), format!("b/{path}"));
            let mut patch = diff.unified_diff();
            let _ = write!(report, "{}", patch.header(&names.0, &names.1));
        }
    }

    /// What has no equivalent, by the lines of the migrated text.
    fn list(&self, left: &mut String) {
        let lines = LineColumns::new(&self.migration.text);
        for it in &self.migration.left {
            let (line, column) = lines.line_col(it.range.start());
            let path = self.path.display();
            let _ = writeln!(left, "{path}:{line}:{column}: {}", it.message);
        }
    }
}
