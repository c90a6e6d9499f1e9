//! `relax.passes`: the stages of a compilation, read from a folder of dumps. A client that sends a token first gets
//! the passes, and then each stage as soon as it is read.

use futures::FutureExt;
use ide::passes::{Sequence, pass_name};
use lsp_types::{ProgressToken, Uri};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::execute_command::{Call, CommandAnswer, refused};
use crate::compilation::dumps::{self, Dump};
use crate::compilation::json::{StageFormat, in_camel_case, with};
use crate::compilation::runs::Options;
use crate::compilation::stages;
use crate::line_index::Lines;
use crate::run::child;
use crate::run::job::{Limits, StageText, StagesJob};
use crate::session::{Refusal, SessionHandle, Survey};
use crate::uri;

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
}

/// Returns the stages, and the results of their runs.
pub fn answer(session: &SessionHandle, mut call: Call) -> CommandAnswer {
    let arguments: PassesArguments = match call.argument() {
        Ok(arguments) => arguments,
        Err(refusal) => return refused(refusal),
    };
    let title = call.token.is_none().then_some(TITLE);
    let stages = session.survey(title, arguments, read);
    async move {
        let (mut answer, to_run) = stages.await??;
        if let Some(ToRun { job, lines }) = to_run {
            let cancelled = CancellationToken::new();
            // Dropping the answer, as `$/cancelRequest` does, ends the run.
            let _guard = cancelled.clone().drop_guard();
            let runs = child::run_stages(job, &cancelled).await?;
            let runs = runs.to_json(&|range, at| json!({"range": lines[at].to_range(range)}));
            answer["run"] = in_camel_case(runs);
        }
        Ok(answer)
    }
    .boxed()
}

/// The job of a worker that runs the stages, and the lines of each stage to convert its answer.
struct ToRun {
    job: StagesJob,
    lines: Vec<Lines>,
}

fn read(survey: Survey, arguments: PassesArguments) -> Result<(Value, Option<ToRun>), Refusal> {
    let Some(folder) = uri::path(&arguments.uri) else {
        let uri = arguments.uri.as_str();
        let why = format!("`{uri}` is not a local folder");
        return Err(Refusal::Impossible(why));
    };
    let files = survey.files();
    let impossible = |error: anyhow::Error| {
        if survey.cancelled.is_cancelled() {
            Refusal::Cancelled
        } else {
            Refusal::Impossible(format!("{error:#}"))
        }
    };
    let dumps = dumps::find(&[folder], &files).map_err(impossible)?;
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
    let passes = dumps.iter().zip(planned.parents());
    let unread = |(dump, parent): (&Dump, &Option<usize>)| {
        let pass = json!({"pass": pass_name(&dump.label()), "parent": parent, "unread": true});
        with(file(dump), pass)
    };
    send(0, passes.map(unread).collect());
    let read = stages::read(&dumps, &files, &mut |sequence, at| {
        if arguments.partial.is_some() {
            send(at, vec![stage(sequence, &dumps, &lines, at)]);
        }
    });
    let sequence = read.map_err(impossible)?;
    let stages = match arguments.partial {
        // The client already has the stages.
        Some(_) => 0..0,
        None => 0..dumps.len(),
    };
    let stages = stages.map(|at| stage(&sequence, &dumps, &lines, at));
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
    Ok((answer, job.map(|job| ToRun { job, lines })))
}

fn text(dump: &Dump) -> StageText {
    StageText {
        path: dump.path.clone(),
        text: (&*dump.text).into(),
        target: dump.release.map(|it| it.name().to_owned()),
        depth: dump.depth,
    }
}

fn stage(sequence: &Sequence, dumps: &[Dump], lines: &[Lines], at: usize) -> Value {
    let format = StageFormat {
        sequence,
        function: &|it, at| {
            let range = |range| lines[at].to_range(range);
            json!({"name": it.name, "range": range(it.range), "whole": range(it.whole)})
        },
        locate: &|range, at| json!({"range": lines[at].to_range(range)}),
    };
    with(file(&dumps[at]), in_camel_case(format.stage(at)))
}

fn file(dump: &Dump) -> Value {
    json!({
        "uri": uri::of_path(&dump.path),
        "label": dump.label(),
        "seconds": dump.seconds,
    })
}
