//! The breakpoints of a session, by their file.

use std::path::{Path, PathBuf};

use relax::Release;
use rustc_hash::FxHashMap;
use serde_json::{Value as Json, json};

use super::lines::Lines;

#[derive(Clone, Debug)]
pub(super) struct Breakpoint {
    id: usize,
    /// The line at which it stops, starting at 1.
    pub line: u32,
    pub condition: Option<String>,
}

#[derive(Default)]
pub(super) struct Breakpoints {
    files: FxHashMap<PathBuf, Vec<Breakpoint>>,
    /// The file that is debugged, once it is known.
    program: Option<PathBuf>,
    made: usize,
}

const ELSEWHERE: &str = "this file is not debugged";

impl Breakpoints {
    /// Replaces the breakpoints of a file. Returns the answer: what became of each, in order.
    pub fn set(&mut self, arguments: &Json, release: Option<Release>) -> Result<Json, String> {
        let asked = arguments["breakpoints"].as_array();
        let asked = asked.map(Vec::as_slice).unwrap_or_default();
        let path = arguments["source"]["path"].as_str();
        let path = same(Path::new(path.ok_or("`source` has no path")?));
        let lines = if asked.is_empty() {
            Err(String::new())
        } else {
            Lines::of(&path, release).map_err(|error| format!("{error:#}"))
        };
        let is_elsewhere = self.program.as_ref().is_some_and(|it| *it != path);
        let mut bound = Vec::new();
        let mut answers = Vec::new();
        for it in asked {
            self.made += 1;
            let id = self.made;
            let line = it["line"]
                .as_u64()
                .and_then(|line| u32::try_from(line).ok());
            let place = match (line, &lines) {
                (None, _) => Err("`line` is missing"),
                (_, Err(why)) => Err(why.as_str()),
                (Some(line), Ok(lines)) => lines.bind(line).ok_or("no statement runs in this line"),
            };
            let place = place.and_then(|line| {
                if is_elsewhere {
                    Err(ELSEWHERE)
                } else {
                    Ok(line)
                }
            });
            answers.push(match place {
                Ok(line) => json!({"id": id, "verified": true, "line": line}),
                Err(why) => json!({"id": id, "verified": false, "line": line, "message": why}),
            });
            let condition = it["condition"].as_str().map(str::to_owned);
            bound.extend(place.map(|line| Breakpoint {
                id,
                line,
                condition,
            }));
        }
        self.files.insert(path, bound);
        Ok(json!({"breakpoints": answers}))
    }

    /// Notes which file is debugged. Returns the breakpoints that have become invalid.
    pub fn launch(&mut self, program: &Path) -> Vec<Json> {
        let program = same(program);
        let others = self.files.iter().filter(|(path, _)| **path != program);
        let others = others.flat_map(|(_, breakpoints)| breakpoints);
        let invalid =
            others.map(|it| json!({"id": it.id, "verified": false, "message": ELSEWHERE}));
        let invalid = invalid.collect();
        self.program = Some(program);
        invalid
    }

    /// Returns those of the file that is debugged.
    pub fn of_program(&self) -> &[Breakpoint] {
        let program = self.program.as_ref();
        program
            .and_then(|it| self.files.get(it))
            .map_or(&[], Vec::as_slice)
    }
}

/// Returns the one name of a file that has several.
fn same(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}
