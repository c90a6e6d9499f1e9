//! The worker: compiles and runs a program, or lowers it.

use relax::Release;

use super::execute::execute_with;
use super::job::{Job, StageText, StagesJob, Task};
use super::kept_objects::KeptObjects;
use super::limits::Deadline;
use super::listener::{Keep, Tracer};
use super::lowered::lower;
use super::outcome::{Outcome, RunAnswer};
use super::saved_values::ValueWriter;
use crate::compilation::dumps::Dump;
use crate::compilation::files::Files;
use crate::compilation::runs::{self, Runs};
use crate::compilation::stages;

/// Returns the serialized answer to a task. `objects` are what this worker keeps between tasks; `None` if it only runs
/// one.
pub fn answer(task: &Task, objects: Option<&mut KeptObjects>) -> serde_json::Result<String> {
    match task {
        Task::Run(job) => serde_json::to_string(&run(job, objects)),
        Task::Lower(job) => serde_json::to_string(&lower(job)),
        Task::Stages(job) => serde_json::to_string(&run_stages(job)),
    }
}

fn run(job: &Job, objects: Option<&mut KeptObjects>) -> RunAnswer {
    let mut of_one_task = KeptObjects::default();
    let stays = objects.is_some();
    let objects = objects.unwrap_or(&mut of_one_task);
    let deadline = Deadline::after(job.limits.time_seconds);
    let mut keeper = job.keep.clone().map(ValueWriter::new);
    let (outcome, leaves) = if job.trace {
        execute_with(
            job,
            objects,
            deadline,
            &mut Tracer::keeping(keeper.as_mut()),
        )
    } else {
        execute_with(job, objects, deadline, &mut Keep::default())
    };
    if let Some(keeper) = &mut keeper {
        for (name, value) in &leaves {
            keeper.keep(name, value);
        }
    }
    if stays
        && !job.relay
        && let Outcome::Finished(finished) = &outcome
    {
        objects.keep(job, &finished.function, &leaves);
    }
    RunAnswer {
        outcome,
        objects: objects.names(),
    }
}

fn run_stages(job: &StagesJob) -> Result<Runs, String> {
    let dump = |it: &StageText| {
        let release = it.target.as_deref().and_then(Release::from_name);
        Dump::new(it.path.clone(), (&*it.text).into(), release, it.depth)
    };
    let dumps: Vec<Dump> = job.stages.iter().map(dump).collect();
    let sequence = stages::read(&dumps, &Files::on_disk(None), &mut |_, _| ());
    let runs =
        sequence.and_then(|it| runs::run(&it, &dumps, &job.options, job.limits, &mut |_, _| ()));
    runs.map_err(|error| format!("{error:#}"))
}
