//! The text that runs for a stage. Passes on PrimFuncs are dumped without the Relax functions that call them, and some
//! passes with a part of the module; what is missing comes from the last stage that had it.

use std::sync::Arc;

use hir::form::ModuleForm;
use ide::passes::{Sequence, Stage};
use ide::{Analysis, Config, Language};
use relax::{FunctionKind, Release};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use text_size::{TextRange, TextSize};

use super::bare_name;

/// A stage as it runs.
pub struct Runnable {
    pub text: ide::Text,
    pub form: Arc<ModuleForm>,
    /// The stage whose constants the text names by index.
    pub constants_of: usize,
    /// Where parts of the text come from: the offset at which a part begins, its stage, and its offset there.
    parts: Vec<(u32, usize, u32)>,
}

impl Runnable {
    /// Returns the same stage with another text.
    pub fn moved(&self, text: &str, release: Option<Release>) -> Runnable {
        Runnable {
            constants_of: self.constants_of,
            parts: self.parts.clone(),
            ..Runnable::read(text, release)
        }
    }

    fn read(text: &str, release: Option<Release>) -> Runnable {
        let config = Config { target: release };
        let (analysis, file) = Analysis::from_whole_file_in(Language::Python, text, config);
        let snapshot = analysis.snapshot(file);
        let snapshot = snapshot.expect("nothing changes the file meanwhile");
        Runnable {
            text: snapshot.text,
            form: snapshot.form,
            constants_of: 0,
            parts: Vec::new(),
        }
    }

    /// Returns the stage that a range of the text comes from, and the range there.
    pub fn origin(&self, (start, end): (u32, u32)) -> (usize, (u32, u32)) {
        let at = self.parts.partition_point(|it| it.0 <= start);
        let (begin, stage, there) = self.parts[at.saturating_sub(1)];
        let start = there + start.saturating_sub(begin);
        (stage, (start, there + end.saturating_sub(begin)))
    }
}

/// The attribute of PrimFuncs that only TVM's runtime can call, after MakePackedAPI.
const PACKED: &str = "\"calling_conv\": 1";

/// What runs for a stage.
pub enum Provided {
    Text(Runnable),
    /// The stage has none of the functions that run, as the builds inside of a pass.
    Same,
    /// The stage cannot run, for this reason.
    Nothing(String),
}

/// Knows for each function the last stage that had it.
#[derive(Default)]
pub struct Provider {
    known: FxHashMap<SmolStr, (usize, usize)>,
}

impl Provider {
    /// Returns what runs for the functions `wanted` in the next stage.
    pub fn next(
        &mut self,
        sequence: &Sequence,
        at: usize,
        wanted: &[&str],
        release: Option<Release>,
    ) -> Provided {
        let stage = &sequence.stages[at];
        let form = &stage.snapshot.form;
        for (function, it) in form.functions.iter().enumerate() {
            self.known.insert(it.name.clone(), (at, function));
        }
        let absent = || format!("there is no function `{}`", wanted.join("`, `"));
        let has = |name: &&str| {
            let mut functions = form.functions.iter();
            functions.any(|it| it.name == bare_name(name))
        };
        let mut functions = form.functions.iter();
        let has_relax = functions.any(|it| it.kind == FunctionKind::Relax);
        if has_relax && !sequence.steps[at].is_partial && !wanted.iter().all(has) {
            // The functions are gone, rather than left out of the dump.
            return Provided::Nothing(absent());
        }
        let Some((missing, has_any)) = self.missing(sequence, at, wanted) else {
            return Provided::Nothing(absent());
        };
        if !has_any {
            return Provided::Same;
        }
        if stage.snapshot.text.contains(PACKED) {
            let why = "its PrimFuncs take their arguments as the runtime passes them";
            return Provided::Nothing(why.to_owned());
        }
        if missing.is_empty() {
            return Provided::Text(Runnable {
                text: stage.snapshot.text.clone(),
                form: Arc::clone(form),
                constants_of: at,
                parts: vec![(0, at, 0)],
            });
        }
        match with(sequence, at, &missing, release) {
            Some(runnable) => Provided::Text(runnable),
            None => Provided::Nothing("it names constants of two stages by index".to_owned()),
        }
    }

    /// Returns the functions that a stage lacks of those that `wanted` reach, and whether it has any of them.
    fn missing(
        &self,
        sequence: &Sequence,
        at: usize,
        wanted: &[&str],
    ) -> Option<(Vec<(usize, usize)>, bool)> {
        let mut open: Vec<SmolStr> = wanted.iter().map(|it| bare_name(it).into()).collect();
        if !open.iter().all(|name| self.known.contains_key(name)) {
            return None;
        }
        let mut seen: FxHashSet<SmolStr> = open.iter().cloned().collect();
        let mut missing = Vec::new();
        let mut has_any = false;
        while let Some(name) = open.pop() {
            // Not every name in a function is a function of the module.
            let Some(&(stage, function)) = self.known.get(&name) else {
                continue;
            };
            if stage == at {
                has_any = true;
            } else {
                missing.push((stage, function));
            }
            let form = &sequence.stages[stage].snapshot.form.functions[function];
            for callee in &form.callees {
                if seen.insert(callee.clone()) {
                    open.push(callee.clone());
                }
            }
        }
        missing.sort_unstable();
        Some((missing, has_any))
    }
}

/// Returns the text of a stage with functions of others; `None` if indices of constants would mean those of two stages.
fn with(
    sequence: &Sequence,
    at: usize,
    missing: &[(usize, usize)],
    release: Option<Release>,
) -> Option<Runnable> {
    let own = &sequence.stages[at].snapshot.text;
    let mut text = String::new();
    for stage in missing.iter().map(|it| it.0) {
        for line in variables(&sequence.stages[stage]) {
            if !own.contains(line) && !text.contains(line) {
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    let mut parts = vec![(0, at, 0), (text.len() as u32, at, 0)];
    text.push_str(own);
    let names_constants = |text: &str| text.contains("metadata[");
    let mut constants_of = names_constants(own).then_some(at);
    for &(stage, function) in missing {
        let snapshot = &sequence.stages[stage].snapshot;
        let range = with_decorators(&snapshot.text, snapshot.form.functions[function].range());
        text.push_str("\n\n");
        parts.push((text.len() as u32, stage, range.start().into()));
        let function = &snapshot.text[range];
        if names_constants(function) && *constants_of.get_or_insert(stage) != stage {
            return None;
        }
        text.push_str(function);
    }
    Some(Runnable {
        parts,
        constants_of: constants_of.unwrap_or(at),
        ..Runnable::read(&text, release)
    })
}

/// Returns the declarations of shape variables before the module.
fn variables(stage: &Stage) -> impl Iterator<Item = &str> {
    let lines = stage.snapshot.text.lines();
    let before = lines.take_while(|line| !line.starts_with("class "));
    before.filter(|line| {
        let value = line.split_once(" = ").map_or("", |(_, value)| value);
        value.starts_with("TypeVar(") || value.starts_with("T.")
    })
}

/// Extends the range of a function to its decorators and its indentation.
fn with_decorators(text: &str, range: TextRange) -> TextRange {
    let line_start = |at: usize| text[..at].rfind('\n').map_or(0, |it| it + 1);
    let mut start = line_start(usize::from(range.start()));
    while start > 0 {
        let above = line_start(start - 1);
        if !text[above..start].trim_start().starts_with('@') {
            break;
        }
        start = above;
    }
    TextRange::new(TextSize::new(start as u32), range.end())
}
