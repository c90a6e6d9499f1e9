//! `relax-lsp migrate`: converts files to another release of TVM.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use ide::{Migration, visible};
use relax::release::{Release, Releases};

use super::output::{self, Output, complain, patch};
use crate::config::project::Projects;
use crate::exit::{COULD_NOT_RUN, PROBLEMS_FOUND};
use crate::line_index::LineColumns;
use crate::migration;
use crate::sources;
use crate::targets::Targets;
use crate::whole_file;

#[derive(Args)]
pub struct Migrate {
    /// Files, or directories searched for Python files
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// The release of TVM to convert to: `0.16` to `0.27`
    #[arg(long, value_name = "RELEASE", value_parser = release)]
    to: Release,
    /// The release that the files are written for; by default the project's release, or else detected from each file
    #[arg(long, value_name = "RELEASE", value_parser = release)]
    from: Option<Release>,
    #[command(flatten)]
    mode: Mode,
}

/// How the result is used. By default, a single file is printed.
#[derive(Args)]
#[group(multiple = false)]
struct Mode {
    /// Print the changes as a patch
    #[arg(long)]
    diff: bool,
    /// Print the names of files that would change; exit with 1 if there are any
    #[arg(long)]
    check: bool,
    /// Change the files
    #[arg(long)]
    write: bool,
}

impl Mode {
    fn is_print(&self) -> bool {
        !(self.diff || self.check || self.write)
    }
}

pub(super) fn release(name: &str) -> Result<Release, String> {
    let is_release = |it: &Release| it.name().starts_with(|c: char| c.is_ascii_digit());
    Release::from_name(name).filter(is_release).ok_or_else(|| {
        let names = Release::ALL.into_iter().filter(is_release);
        let names: Vec<&str> = names.map(Release::name).collect();
        format!("the releases are {}", names.join(", "))
    })
}

/// A file with its migrated text.
struct Migrated {
    path: PathBuf,
    before: String,
    migration: Migration,
}

pub fn execute(command: &Migrate) -> anyhow::Result<ExitCode> {
    let (projects, targets) = (Projects::new(), Targets::of_process());
    let sources = sources::collect(&command.paths, &projects)?;
    if command.mode.is_print() && !matches!(sources.as_slice(), [only] if only.named) {
        bail!("only a single file can be printed: add --diff, --check or --write");
    }
    let results = sources::map(&sources, |it| file(&it.path, command, &targets))?;
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
        migrated.report(&command.mode, &mut report);
        migrated.list(&mut left);
    }
    output::print(&match &command.mode {
        mode if mode.is_print() => Output::Program(report),
        mode if mode.diff => Output::Patch(report),
        _ => Output::Text(report),
    })?;
    let has_problems = if command.mode.check {
        changed > 0
    } else {
        !left.is_empty()
    };
    output::warn(left)?;
    Ok(if failed {
        ExitCode::from(COULD_NOT_RUN)
    } else if has_problems {
        ExitCode::from(PROBLEMS_FOUND)
    } else {
        ExitCode::SUCCESS
    })
}

/// Migrates one file. Returns `None` if it uses nothing from TVM.
fn file(path: &Path, command: &Migrate, targets: &Targets) -> anyhow::Result<Option<Migrated>> {
    let before = sources::read(path)?.to_string();
    let mode = &command.mode;
    if !mode.is_print() && !before.contains("tvm") && !ide::contains_tvmscript(&before) {
        return Ok(None);
    }
    let migration = match command.from {
        Some(from) => ide::migrate_and_check(&before, Releases::only(from), command.to),
        None => {
            let target = targets.of_file(path).map(|it| it.release);
            migration::migrate_and_check(&before, target, command.to)
        }
    };
    if mode.write && migration.text != before {
        whole_file::replace(path, &before, &migration.text)?;
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

    fn report(&self, mode: &Mode, report: &mut String) {
        if mode.is_print() {
            report.push_str(&self.migration.text);
            return;
        }
        if !self.is_changed() {
            return;
        }
        let path = self.path.display().to_string();
        let path = visible::line(&path);
        if mode.check {
            let _ = writeln!(report, "would migrate {path}");
        } else if mode.write {
            let _ = writeln!(report, "migrated {path}");
        } else {
            report.push_str(&patch(&self.path, &self.before, &self.migration.text));
        }
    }

    /// Lists the code without an equivalent, with line numbers of the migrated text.
    fn list(&self, left: &mut String) {
        let lines = LineColumns::new(&self.migration.text);
        let path = self.path.display().to_string();
        let path = visible::line(&path);
        for it in &self.migration.left {
            let (line, column) = lines.line_col(it.range.start());
            let _ = writeln!(left, "{path}:{line}:{column}: {}", it.message);
        }
    }
}
