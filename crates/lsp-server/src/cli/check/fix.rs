//! `--fix`: fixes files before they are checked.

use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use ide::{Analysis, Sure};

use crate::cli::output::{self, Output, complain, patch};
use crate::exit::{COULD_NOT_RUN, PROBLEMS_FOUND};
use crate::sources::{self, Source};
use crate::whole_file;

#[derive(Args)]
pub struct Fix {
    /// Apply all unambiguous fixes to the files, then report what is left
    #[arg(long = "fix")]
    write: bool,
    /// With `--fix` or `--diff`, also apply the most likely fix of every other error
    #[arg(long)]
    unsafe_fixes: bool,
    /// Print the fixes as a patch without changing files; exit with 1 if there are any
    #[arg(long, conflicts_with = "write")]
    pub diff: bool,
}

impl Fix {
    pub fn is_wanted(&self) -> bool {
        self.write || self.diff
    }
}

/// The result of `--fix` or `--diff`.
pub struct Fixed {
    pub code: ExitCode,
    /// `true` if a file could not be read or written.
    pub failed: bool,
}

pub fn execute(
    command: &Fix,
    sources: &[Source],
    config: &(dyn Fn(&Path) -> anyhow::Result<ide::Config> + Sync),
) -> anyhow::Result<Fixed> {
    let results = sources::map(sources, |it| fix(command, it, config(&it.path)?))?;
    let (mut patches, mut changed, mut failed) = (String::new(), 0, false);
    for result in results {
        match result {
            Ok(Some(patch)) => {
                changed += 1;
                patches.push_str(&patch);
            }
            Ok(None) => {}
            Err(failure) => {
                failed = true;
                complain(&failure);
            }
        }
    }
    if command.diff {
        output::print(&Output::Patch(patches))?;
    } else if changed > 0 {
        let files = if changed == 1 { "file" } else { "files" };
        output::warn(format!("Fixed {changed} {files}.\n"))?;
    }
    let code = if failed {
        ExitCode::from(COULD_NOT_RUN)
    } else if changed > 0 {
        ExitCode::from(PROBLEMS_FOUND)
    } else {
        ExitCode::SUCCESS
    };
    Ok(Fixed { code, failed })
}

/// Fixes one file. Returns the patch if anything changed.
fn fix(command: &Fix, source: &Source, config: ide::Config) -> anyhow::Result<Option<String>> {
    let text = sources::read(&source.path)?;
    if !sources::is_read(source, &text) {
        return Ok(None);
    }
    let language = sources::language(&source.path);
    let (analysis, file) = Analysis::from_file_in(language, text.clone(), config);
    let sure = if command.unsafe_fixes {
        Sure::Likely
    } else {
        Sure::Certain
    };
    let action = analysis.fix_all(file, sure);
    let action = action.expect("nothing changes the file meanwhile");
    let Some(edit) = action.and_then(|it| it.edit) else {
        return Ok(None);
    };
    let fixed = edit.apply(&text);
    if !command.diff {
        whole_file::replace(&source.path, &text, &fixed)?;
    }
    Ok(Some(patch(&source.path, &text, &fixed)))
}
