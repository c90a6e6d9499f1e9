//! Cases as text: `tests/cases/SUBJECT/FILE.md` has programs, and what the product says about them.
//!
//! A section with blocks is a case. A block of `python` or `tvm-relay` is a program; words after the language say how it is
//! read: `release=0.19` (the release that the project sets), `bare` (no imports are added), `clean` (it has no diagnostics),
//! `shared` (by all sections below that have no program), `inside` (of the last program that is marked `around`, at its
//! `$body`; several have names, as in `around=main` and `inside=main`, and one may be inside of another), `each` (each line is a program, or each paragraph).
//!
//! The blocks below it are what is expected: the language of the answer, its kind from the table of `checks`, what to ask,
//! and `at` with a text of the program, in which `$0` is the cursor. `$0` in the program is the cursor of all blocks; two are
//! a selection. Comments in a program name its diagnostics and types, as `notes` says. An answer that is a changed file is shown whole, or as a `diff`.

pub mod checks;
pub mod dialects;
mod notes;
pub mod program;
pub mod reader;
mod steps;
mod variants;

use std::fmt::Write as _;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

pub use steps::{Step, steps};

/// A case of a file.
pub struct Named {
    /// As in `fixes/annotation::a_case`.
    pub name: String,
    pub file: PathBuf,
    pub steps: Vec<Step>,
}

/// What a block should say instead, by its lines.
pub type Rewrites = Vec<(Range<usize>, String)>;

/// Reads all files of a folder.
pub fn of_folder(folder: &Path) -> Result<Vec<Named>, String> {
    let (mut all, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(below) = folders.pop() {
        for entry in fs::read_dir(&below).map_err(|it| it.to_string())? {
            let file = entry.map_err(|it| it.to_string())?.path();
            if file.is_dir() {
                folders.push(file);
            } else if file.extension().is_some_and(|it| it == "md") {
                let text = fs::read_to_string(&file).map_err(|it| it.to_string())?;
                let failed = |why| format!("{}: {why}", file.display());
                let cases = reader::read(&text).map_err(failed)?;
                let path = file
                    .strip_prefix(folder)
                    .expect("it is below")
                    .with_extension("");
                let path = path.to_string_lossy().replace('\\', "/");
                all.extend(
                    steps(&cases)
                        .map_err(failed)?
                        .into_iter()
                        .map(|(name, steps)| Named {
                            name: format!("{path}::{name}"),
                            file: file.clone(),
                            steps,
                        }),
                );
            }
        }
    }
    all.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(all)
}

impl Named {
    /// Checks all that is expected. Returns the blocks that differ, and a report of the failures.
    pub fn run(&self) -> (Rewrites, String) {
        let (mut rewrites, mut report) = (Vec::new(), String::new());
        for step in &self.steps {
            let mut failed = |at: usize, why: &str| {
                let _ = writeln!(report, "{}:{}: {why}", self.file.display(), at + 1);
            };
            match step.noted() {
                Ok(text) if text == step.block.text => {}
                Ok(text) => {
                    failed(step.block.lines.start, &difference(&step.block.text, &text));
                    rewrites.push((step.block.lines.clone(), text));
                }
                Err(why) => failed(step.block.lines.start, &why),
            }
            for program in &step.programs {
                for check in &step.checks {
                    let at = check.block.lines.start;
                    match check.answer(program) {
                        Ok(text) if text == check.block.text => {}
                        Ok(text) => {
                            failed(at, &difference(&check.block.text, &text));
                            rewrites.push((check.block.lines.clone(), text));
                        }
                        Err(why) => failed(at, &format!("{why}\nThe program:\n{}", program.marked)),
                    }
                }
            }
        }
        (rewrites, report)
    }
}

impl Step {
    /// Returns the block of the program with the notes that it should have.
    fn noted(&self) -> Result<String, String> {
        let Some(expected) = &self.notes else {
            return Ok(self.block.text.clone());
        };
        let mut actual = Vec::new();
        for program in &self.programs {
            actual.extend(notes::found(program)?);
        }
        let notes = notes::corrected(expected, actual);
        if expected.is_empty() && !notes.is_empty() {
            let noted = notes::with_notes(&self.plain, &notes);
            return Err(format!("the program is not clean:\n{noted}"));
        }
        if notes == *expected {
            return Ok(self.block.text.clone());
        }
        Ok(notes::with_notes(&self.plain, &notes))
    }
}

fn difference(expected: &str, actual: &str) -> String {
    let lines = similar::TextDiff::from_lines(expected, actual);
    let diff = lines
        .unified_diff()
        .header("expected", "actual")
        .to_string();
    format!("it is\n{actual}\n{diff}`UPDATE_EXPECT=1` writes it into the file.")
}
