//! `relax-lsp explain`: the documentation page of a diagnostic code.

use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use ide::diagnostics::{Page, page};
use relax::nearest_name::nearest_str;

use super::output;
use super::table::{self, Column, Row};

#[derive(Args)]
pub struct Explain {
    /// The code of a diagnostic, such as `shape-mismatch`; without it, all codes are listed
    code: Option<String>,
}

pub fn execute(command: &Explain) -> anyhow::Result<ExitCode> {
    let Some(code) = &command.code else {
        output::print_text(list(table::Page::of_output()))?;
        return Ok(ExitCode::SUCCESS);
    };
    let Some(page) = page(code) else {
        let spelt = code.to_lowercase().replace(['_', ' '], "-");
        let near = || nearest_str(&spelt, Page::all().map(|it| it.code.name()));
        match page(&spelt).map(|it| it.code.name()).or_else(near) {
            Some(near) => bail!("there is no code `{code}`; did you mean `{near}`?"),
            None => bail!("there is no code `{code}`; `relax-lsp explain` lists all"),
        }
    };
    output::print_text(page.markdown())?;
    Ok(ExitCode::SUCCESS)
}

/// Returns a table of the codes with their rules.
fn list(page: table::Page) -> String {
    let columns = [
        Column::Left("severity"),
        Column::Left("code"),
        Column::Wrapped("rule"),
    ];
    let rows = Page::all().map(|it| {
        let severity = it.code.severity().name().to_owned();
        Row::from([severity, it.code.name().to_owned(), it.rule().to_owned()])
    });
    table::render(columns, rows, page)
}
