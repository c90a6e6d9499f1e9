//! What a worker does with its task: compile and run a program, or lower it.

use super::execute;
use super::job::{Job, Task};
use super::limits::Deadline;
use super::listener::{Keep, Tracer};
use super::lowered::lower;
use super::outcome::Outcome;
use super::saved_values::ValueWriter;

/// The answer to a task, as the one who gave it reads it.
pub fn answer(task: &Task) -> serde_json::Result<String> {
    match task {
        Task::Run(job) => serde_json::to_string(&run(job)),
        Task::Lower(job) => serde_json::to_string(&lower(job)),
    }
}

fn run(job: &Job) -> Outcome {
    let deadline = Deadline::after(job.limits.time_seconds);
    let mut keeper = job.keep.clone().map(ValueWriter::new);
    let (outcome, leaves) = if job.trace {
        execute::execute(job, deadline, &mut Tracer::keeping(keeper.as_mut()))
    } else {
        execute::execute(job, deadline, &mut Keep::default())
    };
    if let Some(keeper) = &mut keeper {
        for (name, value) in &leaves {
            keeper.keep(name, value);
        }
    }
    outcome
}
