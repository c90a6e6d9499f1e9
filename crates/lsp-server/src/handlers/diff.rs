//! `relax.diff`: what two modules, or two functions, differ in.

use ide::Analysis;
use ide::difference::{FunctionChanges, Place, RowChange};
use lsp_types::Uri;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::compilation::files::Files;
use crate::compilation::sides::{Side, both, compare};
use crate::compilation::text;
use crate::line_index::Lines;
use crate::session::{Refusal, Survey};
use crate::uri;

#[derive(Debug, Deserialize)]
pub struct DiffArguments {
    pub before: Uri,
    pub after: Uri,
    /// The function of both; without it, the whole modules.
    #[serde(default)]
    pub function: Option<String>,
    /// The function of the module after, where it has another name.
    #[serde(default, rename = "afterFunction")]
    pub after_function: Option<String>,
}

pub fn answer(survey: Survey, arguments: DiffArguments) -> Result<Value, Refusal> {
    let files = survey.files();
    let read = |uri: &Uri| side(&survey, uri, &files);
    let sides = both(|| read(&arguments.before), || read(&arguments.after));
    let impossible = |error: anyhow::Error| Refusal::Impossible(format!("{error:#}"));
    let (before, after) = sides.map_err(impossible)?;
    let function = arguments.function.as_deref();
    let of_after = arguments.after_function.as_deref().or(function);
    let difference = compare(&before, &after, (function, of_after)).map_err(impossible)?;
    let encoding = survey.client.encoding;
    let lines = |side: &Side| Lines::new(side.snapshot.text.clone(), encoding);
    let places = Places {
        before: (arguments.before.clone(), lines(&before)),
        after: (arguments.after.clone(), lines(&after)),
    };
    let functions = difference.functions.iter();
    Ok(json!({
        "equal": difference.is_empty(),
        "text": text::render(&difference, &before, &after),
        "functions": functions.map(|it| places.function(it)).collect::<Vec<_>>(),
    }))
}

/// A module as the editor has it, which may be no file.
fn side(survey: &Survey, of: &Uri, files: &Files) -> anyhow::Result<Side> {
    if let Some(path) = uri::path(of) {
        return Side::read(&path, files);
    }
    let Some(document) = survey.documents.get(of.as_str()) else {
        anyhow::bail!("`{}` is not open", of.as_str());
    };
    let config = ide::Config {
        target: document.release(&survey.config),
    };
    let text = document.lines.text().clone();
    let (analysis, file) = Analysis::from_whole_file(text, config);
    let snapshot = analysis.snapshot(file);
    let snapshot = snapshot.expect("nothing changes the file meanwhile");
    Ok(Side::new(of.as_str().to_owned(), snapshot))
}

struct Places {
    before: (Uri, Lines),
    after: (Uri, Lines),
}

impl Places {
    fn function(&self, function: &FunctionChanges) -> Value {
        let changes = function.changes.iter();
        json!({
            "kind": function.kind.name(),
            "outcome": function.outcome.name(),
            "functions": function.outcome.functions(),
            "before": function.before.as_ref().map(|it| place(it, &self.before)),
            "after": function.after.as_ref().map(|it| place(it, &self.after)),
            "changes": changes.map(|it| self.change(it)).collect::<Vec<_>>(),
        })
    }

    fn change(&self, change: &RowChange) -> Value {
        json!({
            "what": change.what,
            "parts": change.parts,
            "moved": change.moved,
            "before": change.before.as_ref().map(|it| place(it, &self.before)),
            "after": change.after.as_ref().map(|it| place(it, &self.after)),
        })
    }
}

/// A function or a binding with its location.
pub fn place(place: &Place, (uri, lines): &(Uri, Lines)) -> Value {
    json!({
        "name": place.name,
        "structInfo": place.struct_info,
        "text": place.line,
        "location": {"uri": uri, "range": lines.to_range(place.range)},
    })
}
