//! `relax-lsp translate`: translates a Relay text to Relax.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;

use ide::{Language, Text, Translation, visible};
use relax::release::Release;

use super::migrate::release;
use super::output::{self, Output};
use crate::exit::PROBLEMS_FOUND;
use crate::line_index::LineColumns;
use crate::sources;

#[derive(Args)]
pub struct Translate {
    /// A Relay text: FILE.relay or FILE.rly
    file: PathBuf,
    /// The release of TVM to write Relax for: `0.16` to `0.27`
    #[arg(long, value_name = "RELEASE", value_parser = release, default_value = Release::NEWEST.name())]
    to: Release,
}

pub fn execute(command: &Translate) -> anyhow::Result<ExitCode> {
    if sources::language(&command.file) != Language::Relay {
        bail!(
            "`{}` is no Relay text (.relay, .rly): `relax-lsp migrate` converts Python files",
            command.file.display()
        );
    }
    let text = sources::read(&command.file)?.to_string();
    let translation = ide::translate(&text, command.to);
    let left = list_untranslated(&command.file, &text, &translation);
    output::print(&Output::Program(translation.text))?;
    output::warn(left)?;
    Ok(if translation.left.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(PROBLEMS_FOUND)
    })
}

/// Lists the constructs without a translation, with their positions.
fn list_untranslated(file: &Path, text: &str, translation: &Translation) -> String {
    let lines = LineColumns::new(text);
    let mut left = String::new();
    let path = file.display().to_string();
    let path = visible::line(&path);
    for it in &translation.left {
        let (line, column) = lines.line_col(it.range.start());
        let _ = writeln!(left, "{path}:{line}:{column}: {}", it.message);
    }
    left
}

/// Translates a Relay file for a run. Constructs without a translation are reported, and the other functions can run.
pub(super) fn for_run(file: &Path, text: &str) -> anyhow::Result<Text> {
    let translation = ide::translate(text, Release::NEWEST);
    let left = list_untranslated(file, text, &translation);
    if !translation.text.contains("@R.function") {
        bail!("nothing here runs:\n{}", left.trim_end());
    }
    output::warn(left)?;
    Ok(translation.text.as_str().into())
}
