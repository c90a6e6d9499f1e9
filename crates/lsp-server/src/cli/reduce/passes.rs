//! `--keep pass`: what a pass of TVM, or of the user, makes of smaller modules.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::bail;
use ide::passes::Sequence;
use serde_json::{Value as Json, json};

use super::TRIAL_SECONDS;
use crate::cli::record::RECORDER;
use crate::compilation::dumps::{self, Dump};
use crate::compilation::files::Files;
use crate::compilation::recording::Recording;
use crate::compilation::runs::{self, Run, Runs};
use crate::compilation::stages;
use crate::run::constants::INDEX;
use crate::run::job::Limits;
use crate::run::limits::Deadline;
use crate::run::python::{self, Conversation};
use crate::scratch::{self, Scratch};

const APPLY: &str = include_str!("apply.py");

/// A pass that is wrong, and the module that shows it.
pub struct WrongPass {
    pub module: PathBuf,
    /// A name in `tvm.relax.transform`, or a Python expression.
    pub pass: String,
}

/// What a pass does wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    Raises(String),
    /// The module does not compute the same after it, or stops.
    Differs,
}

/// Finds the pass that ended a recorded program, or else the first that changes a value.
pub fn of_recording(recording: &Recording, files: &Files) -> anyhow::Result<WrongPass> {
    let raised = recording.failures.iter().find_map(|it| {
        let pass = it.during.as_ref()?.pass.clone()?;
        let module = recording.module(it.module.as_deref()?)?;
        Some((pass, module))
    });
    if let Some((pass, module)) = raised {
        let module = recording.folder.join(&module.file);
        return Ok(WrongPass { module, pass });
    }
    let dumps = dumps::find(std::slice::from_ref(&recording.folder), files)?;
    let (sequence, found) = run_quickly(&dumps, files)?;
    let Some((before, at)) = first_wrong(&found) else {
        bail!("no pass of the recording raised an exception, and none changes a value");
    };
    Ok(WrongPass {
        module: dumps[before].path.clone(),
        pass: sequence.stages[at].pass.clone(),
    })
}

/// Runs stages for the verdict alone.
fn run_quickly(dumps: &[Dump], files: &Files) -> anyhow::Result<(Sequence, Runs)> {
    let sequence = stages::read(dumps, files, &mut |_, _| ())?;
    let options = runs::Options {
        is_quick: true,
        ..runs::Options::default()
    };
    let limits = Limits::available();
    let found = runs::run(&sequence, dumps, &options, limits, &mut |_, _| ())?;
    Ok((sequence, found))
}

/// Returns the first wrong stage, after the last stage that ran before it.
fn first_wrong(found: &Runs) -> Option<(usize, usize)> {
    let differs = found.first_difference.as_ref();
    let differs = differs.map(|it| (it.before, it.stage));
    let ran = |at: &usize| found.stages[*at].iter().any(Run::ran);
    let stops = found.first_stop;
    let stops = stops.and_then(|at| Some(((0..at).rev().find(ran)?, at)));
    differs.into_iter().chain(stops).min_by_key(|it| it.1)
}

/// A process of the user's Python that applies a pass.
pub struct Applier<'a> {
    wrong: &'a WrongPass,
    python: PathBuf,
    files: &'a Files,
    scratch: Scratch,
    /// `None` after it was ended.
    process: Option<Conversation>,
}

impl<'a> Applier<'a> {
    pub fn new(
        wrong: &'a WrongPass,
        python: Option<&Path>,
        files: &'a Files,
    ) -> anyhow::Result<Applier<'a>> {
        let python = match python {
            Some(python) => python.to_owned(),
            None => python::find(None, "tvm", "apache-tvm").map_err(anyhow::Error::msg)?,
        };
        let mut applier = Applier {
            wrong,
            python,
            files,
            scratch: Scratch::new()?,
            process: None,
        };
        scratch::write(&applier.recorder(), RECORDER)?;
        // Say at once what is wrong with the pass.
        applier.process = Some(applier.start()?);
        Ok(applier)
    }

    fn recorder(&self) -> PathBuf {
        self.scratch.path().join("recorder.py")
    }

    fn start(&self) -> anyhow::Result<Conversation> {
        let module = &self.wrong.module;
        let folder = module.parent().unwrap_or(Path::new(""));
        let mut command = python::command(&self.python, &[APPLY]);
        command.arg(self.recorder()).arg(&self.wrong.pass);
        command.arg(if folder.join(INDEX).is_file() {
            std::path::absolute(folder)?
        } else {
            PathBuf::new()
        });
        command.arg(module.file_stem().unwrap_or_default());
        command.stderr(Stdio::null());
        let mut process = Conversation::start(command).map_err(anyhow::Error::msg)?;
        read_answer(&mut process)?;
        Ok(process)
    }

    /// Sends a request, and waits for the answer as long as a trial may take.
    fn answer(&mut self, request: &Json) -> anyhow::Result<Json> {
        let mut process = match self.process.take() {
            Some(process) => process,
            None => self.start()?,
        };
        let _alarm = process.ends_at(Deadline::after(TRIAL_SECONDS));
        process.send(request)?;
        let answer = read_answer(&mut process);
        // After an error, the next request gets another process.
        if answer.is_ok() {
            self.process = Some(process);
        }
        answer
    }

    /// Returns what the pass does wrong to a module, if anything.
    pub fn fault(&mut self, text: &str) -> Option<Fault> {
        let place = Scratch::new().ok()?;
        let file = place.path().join("module.txt");
        scratch::write(&file, text).ok()?;
        let folder = place.path().join("recording");
        let answer = self.answer(&json!({"text": file, "folder": folder})).ok()?;
        if let Some(exception) = answer["raised"].as_str() {
            return Some(Fault::Raises(exception.to_owned()));
        }
        let dumps = dumps::find(&[folder], self.files).ok()?;
        let (_, found) = run_quickly(&dumps, self.files).ok()?;
        first_wrong(&found).map(|_| Fault::Differs)
    }

    /// Writes a recording of the module and of what the pass makes of it, with a program that shows it.
    pub fn report(&mut self, text: &str, fault: &Fault, folder: &Path) -> anyhow::Result<()> {
        let file = self.scratch.path().join("module.txt");
        scratch::write(&file, text)?;
        let folder = std::path::absolute(folder)?;
        std::fs::create_dir_all(&folder)?;
        self.answer(&json!({"text": file, "folder": folder}))?;
        let pass = &self.wrong.pass;
        let title = match fault {
            Fault::Raises(exception) => format!("The pass {pass} raises {exception}."),
            Fault::Differs => format!(
                "The module computes other values after the pass {pass}: `relax-lsp passes . --run` shows them."
            ),
        };
        self.answer(&json!({"text": file, "folder": folder, "title": title}))?;
        Ok(())
    }
}

fn read_answer(process: &mut Conversation) -> anyhow::Result<Json> {
    let answer = process.read().map_err(anyhow::Error::msg)?;
    let Some(answer) = answer else {
        bail!("the Python process has ended");
    };
    match answer["error"].as_str() {
        Some(error) => bail!("{error}"),
        None => Ok(answer),
    }
}
