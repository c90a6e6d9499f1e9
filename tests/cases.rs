//! Cases as text: `tests/cases/SUBJECT/FILE.md` has programs, and what the product says about them.
//!
//! A section with blocks is a case. A block of `python` or `tvm-relay` is a program. Words after the language say how it is
//! read:
//! - `release=0.19`: a project sets this release; `bare`: no imports are added; `clean`: it has no diagnostics;
//! - `shared`: it is the program of all sections below that have none;
//! - `around`, and `inside` of a later program: this is written at the `$body` of that. Several have names, as in
//!   `around=main` and `inside=main`, and one may be inside of another;
//! - `each`: each line is a program, or each paragraph. If their answers differ, they stand one below the other.
//!
//! The blocks below it are what is expected: the language of the answer, its kind from the table of `checks`, what to ask,
//! and `at` with a text of the program, in which `$0` is the cursor. `$0` in the program is the cursor of all blocks; two are
//! a selection. Comments in a program name its diagnostics and types, as `notes` says. An answer that is a changed file is
//! shown whole, or as a `diff`.

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

use checks::Check;
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
            for check in &step.checks {
                let at = check.block.lines.start;
                match step.answer(check) {
                    Ok(text) if text == check.block.text => {}
                    Ok(text) => {
                        failed(at, &difference(&check.block.text, &text));
                        rewrites.push((check.block.lines.clone(), text));
                    }
                    Err(why) => failed(at, &why),
                }
            }
        }
        (rewrites, report)
    }
}

impl Step {
    /// Returns what a block should say: the answer for all programs if it is the same, or else that for each.
    fn answer(&self, check: &Check) -> Result<String, String> {
        let mut answers = Vec::new();
        for program in &self.programs {
            let failed = |why| format!("{why}\nThe program:\n{}", program.marked);
            answers.push(check.answer(program).map_err(failed)?);
        }
        let is_one = answers.windows(2).all(|it| it[0] == it[1]);
        answers.truncate(if is_one { 1 } else { answers.len() });
        Ok(answers.join("\n"))
    }

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

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::{Named, reader, steps};

    /// Runs a case, and returns the report and the file after an update.
    fn updated(text: &str) -> (String, String) {
        let cases = reader::read(text).unwrap();
        let (name, steps) = steps(&cases).unwrap().remove(0);
        let case = Named {
            name: name.to_owned(),
            file: PathBuf::from("a.md"),
            steps,
        };
        let (rewrites, report) = case.run();
        (report, reader::with_texts(text, &rewrites))
    }

    const RIGHT: &str = "# A\n```python around\n@R.function\ndef f(x: R.Tensor((4,), \"float32\")):\n    return $body\n```\n\
         ```python inside each\nR.exp(x$0)\nR.exp$0(x)\n```\n```text definition\n2:7 x\n\nnothing\n```\n";

    #[test]
    fn a_right_case_reports_nothing_and_stays() {
        assert_eq!(updated(RIGHT), (String::new(), RIGHT.to_owned()));
    }

    #[test]
    fn a_wrong_answer_is_reported_with_its_place_and_corrected() {
        let (report, text) = updated(&RIGHT.replace("2:7 x", "2:8 x"));
        assert!(
            report.starts_with("a.md:11: it is\n2:7 x\n\nnothing\n"),
            "{report}"
        );
        assert_eq!(text, RIGHT);
    }

    #[test]
    fn a_program_that_is_not_clean_is_reported_and_stays() {
        let text = "# A\n```python clean\n@R.function\ndef f(x: R.Object):\n    return y\n```\n";
        let (report, after) = updated(text);
        assert!(
            report.starts_with("a.md:2: the program is not clean"),
            "{report}"
        );
        assert_eq!(after, text);
    }
}
