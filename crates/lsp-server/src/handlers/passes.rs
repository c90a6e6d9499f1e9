//! `relax.passes`: the stages of a compilation, read from a folder of dumps, or from the open documents of a folder that
//! is not on disk. A client that sends a token first gets the passes, and then each stage as soon as it is read.

use std::path::PathBuf;

use futures::FutureExt;
use ide::passes::{Sequence, pass_name};
use lsp_types::{ProgressToken, Uri};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::execute_command::{Call, CommandAnswer, refused};
use crate::compilation::dumps::{self, Dump};
use crate::compilation::json::{StageFormat, in_camel_case, with};
use crate::compilation::page::PassPage;
use crate::compilation::runs::Options;
use crate::compilation::stages;
use crate::line_index::Lines;
use crate::run::child;
use crate::run::job::{Limits, StageText, StagesJob};
use crate::session::{Refusal, SessionHandle, Survey};
use crate::{tasks, uri};

/// The title of its progress.
pub const TITLE: &str = "Comparing modules";

#[derive(Debug, Deserialize)]
pub struct PassesArguments {
    /// The folder.
    pub uri: Uri,
    /// The token for partial results.
    #[serde(default, rename = "partialResultToken")]
    pub partial: Option<ProgressToken>,
    /// If present, all stages run on the same inputs.
    #[serde(default)]
    pub run: Option<Options>,
    /// Whether the answer has the report as an HTML page, in which the lines of stages are links.
    #[serde(default)]
    pub page: bool,
}

/// Returns the stages, the results of their runs, and the page.
pub fn answer(session: &SessionHandle, mut call: Call) -> CommandAnswer {
    let arguments: PassesArguments = match call.argument() {
        Ok(arguments) => arguments,
        Err(refusal) => return refused(refusal),
    };
    let title = call.token.is_none().then_some(TITLE);
    let stages = session.survey(title, arguments, read);
    async move {
        let Read {
            mut answer,
            job,
            lines,
            page,
        } = stages.await??;
        let mut runs = None;
        if let Some(job) = job {
            let cancelled = CancellationToken::new();
            // Dropping the answer, as `$/cancelRequest` does, ends the run.
            let _guard = cancelled.clone().drop_guard();
            let ran = child::run_stages(job, &cancelled).await?;
            let json = ran.to_json(&|range, at| json!({"range": lines[at].to_range(range)}));
            answer["run"] = in_camel_case(json);
            runs = Some(ran);
        }
        if let Some((sequence, dumps)) = page {
            let render = move || {
                let page = PassPage {
                    sequence: &sequence,
                    dumps: &dumps,
                    runs: runs.as_ref(),
                    links: true,
                };
                page.render().as_str().to_owned()
            };
            answer["page"] = tasks::blocking(render).await.into();
        }
        Ok(answer)
    }
    .boxed()
}

/// The stages, and what the rest of the answer is made of.
struct Read {
    answer: Value,
    /// The job of a worker that runs the stages.
    job: Option<StagesJob>,
    lines: Vec<Lines>,
    page: Option<(Sequence, Vec<Dump>)>,
}

fn read(survey: Survey, arguments: PassesArguments) -> Result<Read, Refusal> {
    let files = survey.files();
    let impossible = |error: anyhow::Error| {
        if survey.cancelled.is_cancelled() {
            Refusal::Cancelled
        } else {
            Refusal::Impossible(format!("{error:#}"))
        }
    };
    let (uris, dumps) = match uri::path(&arguments.uri) {
        Some(folder) => {
            let dumps = dumps::find(&[folder], &files).map_err(impossible)?;
            let uris = dumps.iter().map(|it| uri::of_path(&it.path));
            (uris.collect(), dumps)
        }
        None => open_documents(&survey, &arguments.uri)?,
    };
    let file = |at: usize| {
        let dump = &dumps[at];
        json!({"uri": uris[at], "label": dump.label(), "seconds": dump.seconds})
    };
    let lines = dumps.iter();
    let lines: Vec<Lines> = lines
        .map(|it| Lines::new(it.text.clone(), survey.client.encoding))
        .collect();
    let send = |at: usize, stages: Vec<Value>| {
        if let Some(token) = &arguments.partial {
            survey.send(token, json!({"at": at, "stages": stages}));
        }
    };
    let planned = stages::planned(&dumps);
    let unread = |(at, parent): (usize, &Option<usize>)| {
        let pass = pass_name(&dumps[at].label()).to_owned();
        let pass = json!({"pass": pass, "parent": parent, "unread": true});
        with(file(at), pass)
    };
    send(
        0,
        planned.parents().iter().enumerate().map(unread).collect(),
    );
    let stage = |sequence: &Sequence, at| with(file(at), stage(sequence, &lines, at));
    let read = stages::read(&dumps, &files, &mut |sequence, at| {
        if arguments.partial.is_some() {
            send(at, vec![stage(sequence, at)]);
        }
    });
    let sequence = read.map_err(impossible)?;
    let stages = match arguments.partial {
        // The client already has the stages.
        Some(_) => 0..0,
        None => 0..dumps.len(),
    };
    let stages = stages.map(|at| stage(&sequence, at));
    let answer = json!({
        "uri": arguments.uri,
        "stages": stages.collect::<Vec<_>>(),
        "firstIllFormed": sequence.first_ill_formed(),
    });
    let job = arguments.run.map(|mut options| {
        for (name, value) in survey.config.dims.values() {
            options.dims.entry(name.clone()).or_insert(*value);
        }
        StagesJob {
            stages: dumps.iter().map(text).collect(),
            options,
            limits: Limits::of(&survey.config.run),
        }
    });
    let page = arguments.page.then_some((sequence, dumps));
    Ok(Read {
        answer,
        job,
        lines,
        page,
    })
}

fn text(dump: &Dump) -> StageText {
    StageText {
        path: dump.path.clone(),
        text: (&*dump.text).into(),
        target: dump.release.map(|it| it.name().to_owned()),
        depth: dump.depth,
    }
}

fn stage(sequence: &Sequence, lines: &[Lines], at: usize) -> Value {
    let format = StageFormat {
        sequence,
        function: &|it, at| {
            let range = |range| lines[at].to_range(range);
            json!({"name": it.name, "range": range(it.range), "whole": range(it.whole)})
        },
        locate: &|range, at| json!({"range": lines[at].to_range(range)}),
    };
    in_camel_case(format.stage(at))
}

/// Returns the open documents of a folder that is not on disk, as the playground has them.
fn open_documents(survey: &Survey, folder: &Uri) -> Result<(Vec<Option<Uri>>, Vec<Dump>), Refusal> {
    let folder = folder.as_str().trim_end_matches('/');
    let documents = survey.documents.values().filter_map(|it| {
        let name = it.uri.as_str().strip_prefix(folder)?.strip_prefix('/')?;
        let path = (!name.contains('/')).then(|| PathBuf::from(name))?;
        let text = it.lines.text().clone();
        let dump = Dump::new(path, text, it.release(&survey.config), None);
        Some((Some(it.uri.clone()), dump))
    });
    let mut documents: Vec<(Option<Uri>, Dump)> = documents.collect();
    if documents.is_empty() {
        let why = format!("`{folder}` is not a local folder, and no document in it is open");
        return Err(Refusal::Impossible(why));
    }
    documents.sort_by(|(_, a), (_, b)| dumps::by_label(&a.path, &b.path));
    Ok(documents.into_iter().unzip())
}
