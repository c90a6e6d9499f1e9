//! What a recording knows about the lines of the program: the types of what each line made, and what failed there.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context;
use rustc_hash::FxHashMap;
use sha2::{Digest, Sha256};

use super::origins::Origins;
use super::{ORIGINS, Recording, absolute_path};
use crate::compilation::files::Files;
use crate::line_difference::LineDifference;
use crate::line_index::LineColumns;

/// The lines of the program's files, by absolute path.
#[derive(Debug, Default)]
pub struct ProgramLines(FxHashMap<PathBuf, FileLines>);

/// The lines of one file, numbered from 1 as they were when the program ran.
#[derive(Debug, Default)]
pub struct FileLines {
    /// The hash of each line; empty in recordings that lack them.
    hashes: Vec<String>,
    made: BTreeMap<u32, LineValues>,
    pub failures: Vec<(u32, String)>,
}

/// What a line made, each time that it ran.
#[derive(Debug, Default)]
pub struct LineValues {
    /// Whether the line itself made the values, and not a function that it called.
    is_own: bool,
    module: String,
    values: Vec<(RunOfLine, MadeValue)>,
}

/// One time that a line ran: with the lines that led to it, and the modules of the model that it ran.
#[derive(Debug)]
struct RunOfLine {
    function: String,
    callers: Vec<u32>,
    modules: Vec<String>,
}

impl RunOfLine {
    /// Whether what `next` made can belong to the same time: then none of its modules takes the part that another one
    /// already had, such as `layers.1.up` after `layers.0.up`.
    fn goes_on(&self, next: &RunOfLine) -> bool {
        let repeats = |of: &String| {
            let mut known = self.modules.iter();
            known.any(|it| it != of && part(it) == part(of))
        };
        self.function == next.function
            && self.callers == next.callers
            && !next.modules.iter().any(repeats)
    }
}

/// Returns the last part of the path of a module; all numbers are one.
fn part(module: &str) -> &str {
    let last = module.rsplit('.').next().unwrap_or(module);
    if last.bytes().all(|it| it.is_ascii_digit()) {
        "#"
    } else {
        last
    }
}

/// The last binding that a line made when it ran.
#[derive(Debug)]
pub struct MadeValue {
    /// The type in short notation: `f32[1, n, 64]`.
    pub short: String,
    /// The binding, its type in full, and the module of the model.
    pub told: String,
    /// The recorded module and the line in it.
    pub path: PathBuf,
    pub line: u32,
}

impl ProgramLines {
    pub fn read(recording: &Recording, files: &Files) -> anyhow::Result<ProgramLines> {
        let mut lines = ProgramLines::default();
        for (file, hashes) in &recording.lines {
            lines
                .file(&recording.folder, file)
                .hashes
                .clone_from(hashes);
        }
        for failure in &recording.failures {
            if let Some(frame) = failure.frames.first() {
                let told = failure.described();
                let file = lines.file(&recording.folder, &frame.file);
                file.failures.push((frame.line, told));
            }
        }
        if recording.folder.join(ORIGINS).exists() {
            for origins in Origins::recorded(recording, files)? {
                lines.add(recording, &origins);
            }
        }
        Ok(lines)
    }

    /// Returns the lines of a file, if the program ran through it.
    pub fn of_file(&self, path: &Path) -> Option<&FileLines> {
        self.0.get(path)
    }

    fn file(&mut self, folder: &Path, file: &str) -> &mut FileLines {
        self.0.entry(absolute_path(folder, file)).or_default()
    }

    fn add(&mut self, recording: &Recording, origins: &Origins) {
        let known = &origins.known;
        let starts = LineColumns::new(&known.snapshot.text);
        let label = known.path.file_stem().unwrap_or_default().to_string_lossy();
        for it in origins.bindings() {
            let Some(sinfo) = it.struct_info.filter(|_| !it.name.is_empty()) else {
                continue;
            };
            let line = starts.line_col(it.offset.into()).0;
            for origin in &it.origins {
                let numbers: Vec<u32> = origin.frames.iter().map(|it| it.1).collect();
                for (depth, (file, number, _)) in origin.frames.iter().enumerate() {
                    let module = origin
                        .module
                        .clone()
                        .filter(|it| !it.is_empty() && depth == 0);
                    let of_module = module.as_ref();
                    let of_module = of_module.map_or_else(String::new, |it| format!(" of `{it}`"));
                    let value = MadeValue {
                        short: sinfo.short_within(MOST_BYTES).to_string(),
                        told: format!("`{}`: {}{of_module}", it.name, sinfo.short()),
                        path: known.path.clone(),
                        line,
                    };
                    let run = RunOfLine {
                        function: it.function.to_owned(),
                        callers: numbers[depth + 1..].to_vec(),
                        modules: module.into_iter().collect(),
                    };
                    let file = self.file(&recording.folder, file);
                    let values = file.made.entry(*number).or_default();
                    values.add(&label, depth == 0, run, value);
                }
            }
        }
    }
}

/// Longer types are cut, as those of hints in TVMScript are.
const MOST_BYTES: usize = 40;

impl LineValues {
    fn add(&mut self, label: &str, is_own: bool, run: RunOfLine, value: MadeValue) {
        // The last module counts. What a line made itself says more than what it called.
        if self.module != label || is_own && !self.is_own {
            *self = LineValues {
                is_own,
                module: label.to_owned(),
                values: Vec::new(),
            };
        } else if self.is_own && !is_own {
            return;
        }
        match self.values.iter_mut().rfind(|(of, _)| of.goes_on(&run)) {
            Some((of, last)) => {
                of.modules.extend(run.modules);
                *last = value;
            }
            None => self.values.push((run, value)),
        }
    }

    /// Returns the types in short notation: `f32[1, 64], f32[1, 128], … ×8`.
    pub fn label(&self) -> String {
        let mut types: Vec<&str> = Vec::new();
        for (_, value) in &self.values {
            if !types.contains(&&*value.short) {
                types.push(&value.short);
            }
        }
        let more = if types.len() > MOST_TYPES {
            ", …"
        } else {
            ""
        };
        types.truncate(MOST_TYPES);
        let times = match self.values.len() {
            1 => String::new(),
            count => format!(" ×{count}"),
        };
        format!("{}{more}{times}", types.join(", "))
    }

    pub fn values(&self) -> impl ExactSizeIterator<Item = &MadeValue> {
        self.values.iter().map(|(_, value)| value)
    }
}

const MOST_TYPES: usize = 2;

impl FileLines {
    /// Returns the lines that still are as they were, with their present number from 0.
    pub fn made_in(&self, text: &str) -> Vec<(u32, &LineValues)> {
        let now = self.present(text);
        let made = self.made.iter();
        made.filter_map(|(line, values)| Some((now(*line)?, values)))
            .collect()
    }

    /// Returns the failures on lines that still are as they were, with their present number from 0.
    pub fn failures_in(&self, text: &str) -> Vec<(u32, &str)> {
        let now = self.present(text);
        let failures = self.failures.iter();
        failures
            .filter_map(|(line, told)| Some((now(*line)?, &**told)))
            .collect()
    }

    /// Returns where a recorded line is in a text, if the text has it unchanged.
    fn present(&self, text: &str) -> impl Fn(u32) -> Option<u32> + use<> {
        let lines = |hashes: &[String]| hashes.join("\n") + "\n";
        let (before, after) = (lines(&self.hashes), lines(&hashes(text)));
        let equal = LineDifference::of(&before, &after).equal_lines();
        move |line| equal.get(&line.checked_sub(1)?).copied()
    }
}

/// Returns a hash of each line without the white space around it, as the recorder makes it.
fn hashes(text: &str) -> Vec<String> {
    let hash = |line: &str| {
        let [a, b, c, d, ..] = <[u8; 32]>::from(Sha256::digest(line.trim().as_bytes()));
        format!("{:08x}", u32::from_be_bytes([a, b, c, d]))
    };
    text.lines().map(hash).collect()
}

/// Opens a recording, and reads what it knows about the lines of its program.
pub fn read(folder: &Path) -> anyhow::Result<ProgramLines> {
    let recording = Recording::open(folder)?
        .with_context(|| format!("`{}` is not a recording", folder.display()))?;
    ProgramLines::read(&recording, &Files::on_disk(None))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(short: &str) -> MadeValue {
        MadeValue {
            short: short.to_owned(),
            told: String::new(),
            path: PathBuf::new(),
            line: 1,
        }
    }

    fn run(caller: u32) -> RunOfLine {
        RunOfLine {
            function: "main".to_owned(),
            callers: vec![caller],
            modules: Vec::new(),
        }
    }

    fn in_module(module: &str) -> RunOfLine {
        RunOfLine {
            modules: vec![module.to_owned()],
            ..run(1)
        }
    }

    #[test]
    fn a_line_of_a_layer_runs_once_a_layer() {
        let mut line = LineValues::default();
        for module in ["layers.0.up", "layers.0", "layers.1.up", "layers.1"] {
            line.add("a", true, in_module(module), value("f32[2]"));
        }
        assert_eq!(line.label(), "f32[2] ×2");
        let mut line = LineValues::default();
        for module in ["first.conv", "first.norm", "first", "second.conv", "second"] {
            line.add("a", true, in_module(module), value(module));
        }
        assert_eq!(line.label(), "first, second ×2");
    }

    #[test]
    fn the_last_binding_of_each_run_counts() {
        let mut line = LineValues::default();
        line.add("a", true, run(1), value("f32[2]"));
        line.add("a", true, run(1), value("f32[3]"));
        assert_eq!(line.label(), "f32[3]");
        line.add("a", true, run(2), value("f32[3]"));
        assert_eq!(line.label(), "f32[3] ×2");
        line.add("a", true, run(3), value("f32[4]"));
        line.add("a", true, run(4), value("f32[5]"));
        assert_eq!(line.label(), "f32[3], f32[4], … ×4");
    }

    #[test]
    fn what_a_line_makes_itself_says_more_than_what_it_calls() {
        let mut line = LineValues::default();
        line.add("a", false, run(1), value("f32[2]"));
        line.add("a", true, run(1), value("f32[3]"));
        line.add("a", false, run(1), value("f32[4]"));
        assert_eq!(line.label(), "f32[3]");
    }

    #[test]
    fn lines_that_moved_are_found_and_changed_ones_are_not() {
        let recorded = "import tvm\nx = relu(y)\nz = add(x, y)\n";
        let lines = FileLines {
            hashes: hashes(recorded),
            failures: vec![(2, "a".to_owned()), (3, "b".to_owned())],
            ..FileLines::default()
        };
        let edited = "import tvm\n\n\n  x = relu(y)\nz = add(x, x)\n";
        assert_eq!(lines.failures_in(edited), [(3, "a")]);
        let longer = format!("{recorded}w = z\n");
        assert_eq!(lines.failures_in(&longer), [(1, "a"), (2, "b")]);
    }
}
