//! `relax.diff`: compares two modules or two functions.

use std::path::PathBuf;

use ide::Analysis;
use ide::difference::Place;
use lsp_types::Uri;
use serde::Deserialize;
use serde_json::{Value, json};
use text_size::TextRange;

use super::show_graph::limit;
use crate::compilation::files::{Files, Read};
use crate::compilation::sides::{Side, both, compare};
use crate::compilation::{graphs, json, text};
use crate::line_index::Lines;
use crate::session::{Refusal, Survey};
use crate::uri;

#[derive(Debug, Deserialize)]
pub struct DiffArguments {
    pub before: Uri,
    pub after: Uri,
    /// The function in both modules. If missing, compares whole modules.
    #[serde(default)]
    pub function: Option<String>,
    /// The function's name in the second module, if it is different.
    #[serde(default, rename = "afterFunction")]
    pub after_function: Option<String>,
    /// `true` to return one graph of the function that shows added, changed and removed nodes.
    #[serde(default)]
    pub graph: bool,
    /// Like the limit of `relax.showGraph`.
    #[serde(default)]
    pub limit: Option<usize>,
    #[serde(default, rename = "limitInBoxes")]
    pub limit_in_boxes: Option<usize>,
}

pub fn answer(survey: Survey, arguments: DiffArguments) -> Result<Value, Refusal> {
    let files = survey.files();
    if arguments.graph {
        return graph(&survey, &arguments, &files);
    }
    let read = |uri: &Uri| side(&survey, uri, &files);
    let sides = both(|| read(&arguments.before), || read(&arguments.after));
    let impossible = |error: anyhow::Error| Refusal::Impossible(format!("{error:#}"));
    let (before, after) = sides.map_err(impossible)?;
    let function = arguments.function.as_deref();
    let of_after = arguments.after_function.as_deref().or(function);
    let difference = compare(&before, &after, (function, of_after)).map_err(impossible)?;
    let encoding = survey.client.encoding;
    let lines = |side: &Side| Lines::new(side.snapshot.text.clone(), encoding);
    let (uris, lines) = (
        (&arguments.before, &arguments.after),
        (lines(&before), lines(&after)),
    );
    let found = json::difference(
        &difference,
        &|range| location(uris.0, &lines.0, range),
        &|range| location(uris.1, &lines.1, range),
    );
    let text = json!({"text": text::render(&difference, &before, &after)});
    Ok(json::with(text, json::in_camel_case(found)))
}

/// Returns one graph of a function in both modules.
fn graph(survey: &Survey, arguments: &DiffArguments, files: &Files) -> Result<Value, Refusal> {
    let read = |uri: &Uri| module(survey, uri, files);
    let read = both(|| read(&arguments.before), || read(&arguments.after));
    let (before, after) = read.map_err(|error| Refusal::Impossible(format!("{error:#}")))?;
    let name = arguments.after_function.as_deref();
    let name = name.or(arguments.function.as_deref());
    let limit = limit(arguments.limit, arguments.limit_in_boxes);
    let found = graphs::compared(&before, &after, name, limit);
    let Some(graph) = found.first() else {
        let why = format!(
            "`{}` has no Relax function of that name",
            arguments.after.as_str()
        );
        return Err(Refusal::Impossible(why));
    };
    let lines = |read: &Read| Lines::new(read.text.clone(), survey.client.encoding);
    Ok(graphs::json::graph(graph, &lines(&after), &lines(&before)))
}

fn side(survey: &Survey, of: &Uri, files: &Files) -> anyhow::Result<Side> {
    let Read { analysis, file, .. } = module(survey, of, files)?;
    let snapshot = analysis.snapshot(file);
    let snapshot = snapshot.expect("nothing changes the file meanwhile");
    let path = uri::path(of).map(|it| it.display().to_string());
    Ok(Side::new(
        path.unwrap_or_else(|| of.as_str().to_owned()),
        snapshot,
    ))
}

/// Reads a module as the editor has it, which may not be a file.
fn module(survey: &Survey, of: &Uri, files: &Files) -> anyhow::Result<Read> {
    if let Some(path) = uri::path(of) {
        return files.analysis(&path);
    }
    let Some(document) = survey.documents.get(of.as_str()) else {
        anyhow::bail!("`{}` is not open", of.as_str());
    };
    let text = document.lines.text().clone();
    let config = ide::Config {
        target: document.release(&survey.config),
    };
    let (analysis, file) = Analysis::from_whole_file(text.clone(), config);
    Ok(Read {
        analysis,
        file,
        text,
        path: PathBuf::new(),
    })
}

/// Returns a function or a binding with its location.
pub fn place(place: &Place, (uri, lines): &(Uri, Lines)) -> Value {
    json::in_camel_case(json::place(place, &|range| location(uri, lines, range)))
}

fn location(uri: &Uri, lines: &Lines, range: TextRange) -> Value {
    json!({"location": {"uri": uri, "range": lines.to_range(range)}})
}
