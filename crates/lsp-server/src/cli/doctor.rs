//! `relax-lsp doctor`: describes an installation: the program, Python, TVM, settings, editors. Starts nothing and
//! changes nothing.

mod editors;
mod programs;
mod project;

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde_json::{Map, Value, json};

use super::output::{self, Format, Output};
use crate::exit::PROBLEMS_FOUND;

#[derive(Args)]
pub struct Doctor {
    /// A file or folder of the project to examine
    #[arg(default_value = ".")]
    path: PathBuf,
    /// How to print the findings
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// The findings about one subject, as names and values. JSON has the same names.
struct Section {
    name: &'static str,
    rows: Vec<(String, Value)>,
    /// Problems, each with advice.
    problems: Vec<String>,
}

impl Section {
    fn new(name: &'static str) -> Section {
        Section {
            name,
            rows: Vec::new(),
            problems: Vec::new(),
        }
    }

    fn row(&mut self, name: &str, value: impl Into<Value>) {
        self.rows.push((name.to_owned(), value.into()));
    }

    fn problem(&mut self, problem: String) {
        self.problems.push(problem);
    }
}

pub fn execute(command: &Doctor) -> anyhow::Result<ExitCode> {
    let sections = [
        programs::this(),
        programs::python(),
        project::release(&command.path),
        project::settings(&command.path),
        editors::installed_editors(),
        programs::files(),
    ];
    output::print(&match command.format {
        Format::Text => Output::Text(text(&sections)),
        Format::Json => Output::Json(json(&sections)),
    })?;
    let is_well = sections.iter().all(|it| it.problems.is_empty());
    Ok(if is_well {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(PROBLEMS_FOUND)
    })
}

fn json(sections: &[Section]) -> Value {
    let mut all = Map::new();
    for section in sections {
        let rows = section.rows.iter();
        let rows: Map<String, Value> = rows.map(|(name, it)| (name.clone(), it.clone())).collect();
        all.insert(section.name.to_owned(), rows.into());
    }
    let problems = sections.iter().flat_map(|it| &it.problems);
    all.insert("problems".to_owned(), json!(problems.collect::<Vec<_>>()));
    all.into()
}

fn text(sections: &[Section]) -> String {
    let mut text = String::new();
    for section in sections {
        let _ = writeln!(text, "{}", section.name);
        let width = section.rows.iter().map(|(name, _)| name.len()).max();
        for (name, value) in &section.rows {
            let width = width.unwrap_or_default();
            let _ = writeln!(text, "  {name:width$}  {}", plain(value));
        }
        for problem in &section.problems {
            let _ = writeln!(text, "  ! {problem}");
        }
        text.push('\n');
    }
    let count: usize = sections.iter().map(|it| it.problems.len()).sum();
    text + &match count {
        0 => "No problems.\n".to_owned(),
        1 => "1 problem.\n".to_owned(),
        _ => format!("{count} problems.\n"),
    }
}

/// Formats a value as text.
fn plain(value: &Value) -> String {
    match value {
        Value::Null => "none".to_owned(),
        Value::String(text) => text.clone(),
        Value::Object(rows) => {
            let rows = rows
                .iter()
                .map(|(name, it)| format!("{name} {}", plain(it)));
            rows.collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}
