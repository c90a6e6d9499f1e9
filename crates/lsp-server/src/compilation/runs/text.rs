//! The results of runs as text.

use std::fmt::Write;
use std::path::Path;

use ide::passes::Sequence;

use super::{Named, Run, Runs, ValueDifference};
use crate::compilation::dumps::Dump;
use crate::compilation::stages::text::place;
use crate::run::constants;

impl Runs {
    /// Returns `true` for the first stage that is wrong.
    pub fn is_first_wrong(&self, at: usize) -> bool {
        let different = self.first_difference.as_ref().map(|it| it.stage);
        different == Some(at) || self.first_stop == Some(at)
    }

    /// Returns the mark of a stage in the table.
    pub fn mark(&self, at: usize) -> Option<&'static str> {
        match self.worst(at) {
            Run::Same | Run::Skipped(_) => None,
            Run::Differs => Some("≠ other values;"),
            Run::Stopped { .. } => Some("✗ stops;"),
        }
    }

    /// Returns a sign for each function in a stage, if there are several.
    pub fn signs(&self, at: usize) -> Option<String> {
        let signs = self.stages[at].iter().map(|run| match run {
            Run::Same => '=',
            Run::Differs => '≠',
            Run::Stopped { .. } => '✗',
            Run::Skipped(_) => '·',
        });
        (self.functions.len() > 1).then(|| signs.collect())
    }

    pub fn render(&self, sequence: &Sequence, dumps: &[Dump]) -> String {
        let mut text = String::new();
        for (nth, function) in self.functions.iter().enumerate() {
            let ran = self.stages.iter().filter(|it| it[nth].ran()).count();
            let count = self.stages.len();
            let _ = writeln!(text, "{ran} of {count} stages ran `{function}`");
        }
        if !self.generated.is_empty() {
            let _ = writeln!(
                text,
                "  generated, since the dumps lack their elements (`--constants`): {}",
                constants::list(&self.generated)
            );
        }
        let _ = writeln!(text, "{}", self.sentence());
        if let Some(found) = &self.first_difference {
            difference(found, sequence, dumps, &mut text);
        }
        if let Some(at) = self.first_stop {
            self.stop(at, sequence, dumps, &mut text);
        }
        for note in self.doubts.iter().chain(&self.notes) {
            let _ = writeln!(text, "  {note}");
        }
        for (nth, function) in self.functions.iter().enumerate() {
            self.obstacles(nth, function, sequence, &mut text);
        }
        text
    }

    /// Returns the verdict in words: `equal: 312 values compared; sight 94 %`.
    fn sentence(&self) -> String {
        let mut sentence = self.verdict.word().to_owned();
        if self.compared > 0 {
            let _ = write!(sentence, ": {} values compared", self.compared);
        }
        if let Some(sight) = self.sight {
            let percent = (sight * 100.0).round();
            let _ = write!(sentence, "; sight {percent} % of small changes");
        }
        sentence
    }

    fn stop(&self, at: usize, sequence: &Sequence, dumps: &[Dump], text: &mut String) {
        let label = &sequence.stages[at].label;
        let before = (0..at).rev().find(|it| self.worst(*it).ran());
        let before = before.map_or("", |it| &sequence.stages[it].label);
        let _ = writeln!(
            text,
            "{label} is the first stage that stops; {before} before it ran"
        );
        let stopped = self.stages[at].iter().find_map(|run| match run {
            Run::Stopped { message, place } => Some((message, place)),
            _ => None,
        });
        let Some((message, found)) = stopped else {
            return;
        };
        let _ = match found {
            Some((stage, offset)) => {
                let range = (*offset, *offset);
                let place = place(&sequence.stages[*stage], &dumps[*stage], range);
                writeln!(text, "  {message} ({place})")
            }
            None => writeln!(text, "  {message}"),
        };
    }

    /// Lists the stages that a function does not run in, with the reasons.
    fn obstacles(&self, nth: usize, function: &str, sequence: &Sequence, text: &mut String) {
        let reasons: Vec<Option<&str>> = self.stages.iter().map(|it| it[nth].obstacle()).collect();
        let mut at = 0;
        for group in reasons.chunk_by(|a, b| a == b) {
            let (first, last) = (at, at + group.len() - 1);
            at += group.len();
            let Some(why) = group[0] else { continue };
            if self.first_stop == Some(first) && first == last {
                continue;
            }
            let label = |at: usize| &sequence.stages[at].label;
            let which = if first == last {
                format!("{} does", label(first))
            } else {
                format!("{} to {} do", label(first), label(last))
            };
            let what = if self.functions.len() > 1 {
                format!("run `{function}`")
            } else {
                "run".to_owned()
            };
            let _ = writeln!(text, "  {which} not {what}: {why}");
        }
    }
}

fn difference(found: &ValueDifference, sequence: &Sequence, dumps: &[Dump], text: &mut String) {
    let stage = &sequence.stages[found.stage];
    let before = &sequence.stages[found.before];
    let rounding = match found.is_rounding {
        Some(false) => ", not by rounding",
        _ => "",
    };
    let _ = writeln!(
        text,
        "{} is the first stage whose values differ from {} before it{rounding}",
        stage.label, before.label
    );
    if let Some(binding) = &found.binding {
        let (new, old) = (&binding.after, &binding.before);
        let at = |it: &Named| place(&sequence.stages[it.stage], &dumps[it.stage], it.range);
        let _ = writeln!(
            text,
            "  `{}` ({}), which was `{}` ({})",
            new.name,
            at(new),
            old.name,
            at(old),
        );
    }
    if let Some(origin) = &found.origin {
        let _ = writeln!(text, "  from {}", origin.brief(Path::new("")));
    }
    let _ = writeln!(text, "  {}: {}", found.function, found.what);
}

impl Run {
    /// Returns why the stage does not run.
    fn obstacle(&self) -> Option<&str> {
        match self {
            Run::Same | Run::Differs => None,
            Run::Skipped(why) | Run::Stopped { message: why, .. } => Some(why),
        }
    }
}
