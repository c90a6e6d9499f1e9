//! Runs the stages of a sequence on the same inputs, and finds the first pass that changes a value.
//!
//! - `unit`: what runs in each stage: a function, or the calls of a script.
//! - `provided`: the text that runs for a stage, with the functions that its dump lacks.
//! - `compare`: the values of two stages, by the bindings that correspond.
//! - `double`: the same in floats of 64 bits, to tell rounding from a mistake.
//! - `sight`: how much of what could be wrong the comparison would have seen.

mod compare;
mod double;
mod json;
mod provided;
mod sight;
mod text;
mod unit;
mod verdict;

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::bail;
use hir::difference::ModuleDifference;
use hir::form::ModuleForm;
use ide::passes::Sequence;
use relax::FunctionKind;
use serde::{Deserialize, Serialize};

use super::bare_name;
use super::dumps::Dump;
use super::files::Files;
use super::recording::origins::{BindingOrigin, OriginsByLine};
use super::recording::shown_path;
use crate::run::job::{InputSource, Limits};
use crate::run::tolerance::RequestedTolerance;
use compare::{Comparison, Side};
use provided::{Provided, Provider, Runnable};
use unit::{Inputs, Stage, Stop, Unit, Values};

pub use verdict::Verdict;

/// The size of all shape variables, if the program does not run with a different one for each.
const DIM: u64 = 4;

/// For each callee of bindings, the number of calls and the total time in seconds.
pub type Times = BTreeMap<String, (usize, f64)>;

/// What to run, its inputs, and the tolerance.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// The function; by default, all that no other function calls.
    pub function: Option<String>,
    /// A script of calls, instead of functions.
    pub script: Option<PathBuf>,
    pub dims: BTreeMap<String, i64>,
    pub inputs: BTreeMap<String, InputSource>,
    /// Files with weights, the names of a tuple's, and whether they may be incomplete.
    pub weights: Vec<PathBuf>,
    pub weight_names: Vec<String>,
    pub allow_missing: bool,
    /// Files with the elements of constants that the stages name by index.
    pub constants: Vec<PathBuf>,
    pub seed: u64,
    pub rtol: Option<f64>,
    pub atol: Option<f64>,
    /// Whether a difference is checked in floats of 64 bits.
    pub is_high_precision: bool,
    /// Whether only the verdict is wanted: the comparison's sight is not measured.
    pub is_quick: bool,
}

/// The results of the runs.
#[derive(Debug, Serialize, Deserialize)]
pub struct Runs {
    /// What ran: the functions, or the script.
    pub functions: Vec<String>,
    /// For each stage, one result for each of them.
    pub stages: Vec<Vec<Run>>,
    pub verdict: Verdict,
    /// The number of tensors that were compared.
    pub compared: usize,
    pub first_difference: Option<ValueDifference>,
    /// The first stage that raises an error where the stage before ran.
    pub first_stop: Option<usize>,
    /// Results that could be compared in part only.
    pub doubts: Vec<String>,
    /// What else a reader of the verdict should know.
    pub notes: Vec<String>,
    /// The share of small changes of the program that the comparison would have seen.
    pub sight: Option<f64>,
    /// The indices of constants that were generated, as no source has their elements.
    #[serde(default)]
    pub generated: Vec<u32>,
    /// The last stage that ran, with the times of its callees.
    pub times: Option<(usize, Times)>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Run {
    Same,
    Differs,
    /// The program raised an error, at a place of a stage.
    Stopped {
        message: String,
        place: Option<(usize, u32)>,
    },
    /// The stage cannot run here, for this reason.
    Skipped(String),
}

/// The first value that a pass changed.
#[derive(Debug, Serialize, Deserialize)]
pub struct ValueDifference {
    /// The stage, and the previous stage that ran.
    pub stage: usize,
    pub before: usize,
    pub function: String,
    /// The binding in both stages; `None` for the result.
    pub binding: Option<Binding>,
    pub what: String,
    /// Whether the difference is gone in floats of 64 bits; `None` if that is not known.
    pub is_rounding: Option<bool>,
    /// Where the binding came from, if the stages were recorded.
    pub origin: Option<BindingOrigin>,
}

/// A binding of two stages.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Binding {
    pub before: Named,
    pub after: Named,
}

/// A binding by its name, and the range in its stage.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Named {
    pub name: String,
    pub stage: usize,
    pub range: (u32, u32),
}

/// The data kept from the last stage that ran.
struct LastRun {
    at: usize,
    runnable: Runnable,
    values: Values,
}

const OTHER_CONSTANTS: &str =
    "not compared: it has other constants than the stage before, and their elements are unknown";

/// Runs each stage within the limits.
pub fn run(
    sequence: &Sequence,
    dumps: &[Dump],
    options: &Options,
    limits: Limits,
    tell: &mut dyn FnMut(usize, usize),
) -> anyhow::Result<Runs> {
    debug_assert_eq!(sequence.stages.len(), dumps.len());
    let units = units(sequence, options)?;
    let mut runs = Runs {
        functions: units.iter().map(Unit::name).collect(),
        stages: vec![Vec::new(); dumps.len()],
        verdict: Verdict::Equal,
        compared: 0,
        first_difference: None,
        generated: Vec::new(),
        first_stop: None,
        doubts: Vec::new(),
        notes: Vec::new(),
        sight: None,
        times: None,
    };
    let all = units.len() * dumps.len();
    for (nth, unit) in units.iter().enumerate() {
        let mut walk = Walk {
            sequence,
            dumps,
            options,
            limits,
            unit,
            default_dim: None,
            inputs: None,
            last: None,
            attempt: None,
            runs: &mut runs,
        };
        walk.all(&mut |at| tell(nth * dumps.len() + at, all));
    }
    runs.verdict = runs.judged();
    if let Some(found) = &mut runs.first_difference {
        found.origin = origin(found, dumps);
    }
    Ok(runs)
}

/// Returns where the binding of a difference came from.
fn origin(found: &ValueDifference, dumps: &[Dump]) -> Option<BindingOrigin> {
    let binding = &found.binding.as_ref()?.before;
    let dump = &dumps[binding.stage];
    let origins = OriginsByLine::of_file(&dump.path, &Files::on_disk(dump.release))?;
    let line = dump.lines.line_col(binding.range.0.into()).0;
    let mut origin = origins.of_line(line).first()?.clone();
    for (file, ..) in &mut origin.frames {
        *file = shown_path(&origins.folder, file);
    }
    Some(origin)
}

/// Returns what to run: by default, the functions that no other function calls.
fn units(sequence: &Sequence, options: &Options) -> anyhow::Result<Vec<Unit>> {
    if let Some(script) = &options.script {
        return Ok(vec![Unit::script(script)?]);
    }
    if let Some(function) = &options.function {
        return Ok(vec![Unit::Function(function.clone())]);
    }
    let forms = sequence.stages.iter().map(|it| &it.snapshot.form);
    let found = forms.map(|it| entries(it)).find(|it| !it.is_empty());
    match found {
        Some(names) => Ok(names.into_iter().map(Unit::Function).collect()),
        None => bail!("no stage has a Relax function that can be called"),
    }
}

fn entries(form: &ModuleForm) -> Vec<String> {
    let is_called = |name: &str| {
        let mut functions = form.functions.iter();
        functions.any(|it| it.callees.iter().any(|callee| callee == name))
    };
    let relax = form.functions.iter();
    let relax = relax.filter(|it| it.kind == FunctionKind::Relax);
    let names = relax.map(|it| it.name.as_str());
    let names = names.filter(|name| !is_called(name));
    names.map(str::to_owned).collect()
}

/// Runs one unit in all stages.
struct Walk<'w> {
    sequence: &'w Sequence,
    dumps: &'w [Dump],
    options: &'w Options,
    limits: Limits,
    unit: &'w Unit,
    default_dim: Option<u64>,
    /// The inputs of the first stage that ran.
    inputs: Option<Inputs>,
    last: Option<LastRun>,
    /// The contents of the stage that was tried last, and its result.
    attempt: Option<(u64, Run)>,
    runs: &'w mut Runs,
}

impl Walk<'_> {
    fn all(&mut self, tell: &mut dyn FnMut(usize)) {
        let mut provider = Provider::default();
        for at in 0..self.dumps.len() {
            tell(at);
            let (wanted, release) = (self.unit.functions(), self.dumps[at].release);
            let run = match provider.next(self.sequence, at, &wanted, release) {
                Provided::Text(runnable) => self.stage(at, runnable),
                Provided::Same if self.last.is_some() => Run::Same,
                Provided::Same => Run::Skipped("it has none of the functions".to_owned()),
                Provided::Nothing(why) => Run::Skipped(why),
            };
            if matches!(run, Run::Stopped { .. })
                && self.last.is_some()
                && self.runs.first_stop.is_none_or(|it| at < it)
            {
                self.runs.first_stop = Some(at);
            }
            self.runs.stages[at].push(run);
        }
        if let Some(last) = self.last.take() {
            let calls = last.values.calls.into_iter();
            let times = calls.flat_map(|it| it.observed.times).collect();
            self.runs.times.get_or_insert((last.at, times));
        }
    }

    fn stage(&mut self, at: usize, runnable: Runnable) -> Run {
        let contents = contents(&runnable, self.unit);
        if let (Some(contents), Some((same, run))) = (contents, &self.attempt)
            && contents == *same
        {
            if let (Some(last), true) = (&mut self.last, run.ran()) {
                last.at = at;
                // What is the same program has the same results.
                let calls = last.values.calls.iter();
                self.runs.compared += calls.map(|it| it.leaves.len()).sum::<usize>();
                return Run::Same;
            }
            return run.clone();
        }
        let run = match self.values(at, &runnable) {
            Err(stop) => self.stopped(at, &runnable, stop),
            Ok(values) => {
                self.runs.note_generated(&values.generated);
                let now = LastRun {
                    at,
                    runnable,
                    values,
                };
                let run = if self.has_other_constants(&now) {
                    Run::Skipped(OTHER_CONSTANTS.to_owned())
                } else {
                    self.compared(&now)
                };
                if self.inputs.is_none()
                    && let (Unit::Function(_), [call]) = (self.unit, &*now.values.calls)
                {
                    self.inputs = Some(Inputs::of_call(call));
                    self.first(&now);
                }
                self.last = Some(now);
                run
            }
        };
        self.attempt = contents.map(|it| (it, run.clone()));
        run
    }

    /// Runs a stage. The first one decides which sizes shape variables have.
    fn values(&mut self, at: usize, runnable: &Runnable) -> Result<Values, Stop> {
        let found = self.run_text(at, runnable, &runnable.text, self.inputs.as_ref());
        match found {
            Err(stop) if stop.is_raised && self.last.is_none() && self.default_dim.is_none() => {
                self.default_dim = Some(DIM);
                let again = self.run_text(at, runnable, &runnable.text, None);
                if again.is_err() {
                    self.default_dim = None;
                    return Err(stop);
                }
                again
            }
            found => Ok(self.more_finite(at, runnable, found?)),
        }
    }

    /// Returns the values of the first stage on inputs with smaller scalars, if more of its results are finite there.
    /// Exporters expand a scalar to a whole weight, whose sums then overflow.
    fn more_finite(&self, at: usize, runnable: &Runnable, found: Values) -> Values {
        let (None, [call]) = (&self.inputs, &*found.calls) else {
            return found;
        };
        let (finite, total) = found.finite();
        if 2 * finite >= total || !self.options.weights.is_empty() {
            return found;
        }
        let smaller = Inputs::of_call(call).with_small_scalars(self.options);
        match self.run_text(at, runnable, &runnable.text, Some(&smaller)) {
            Ok(again) if again.finite().0 > finite => again,
            _ => found,
        }
    }

    /// Runs a stage, whose text may be another one.
    fn run_text(
        &self,
        at: usize,
        runnable: &Runnable,
        text: &str,
        inputs: Option<&Inputs>,
    ) -> Result<Values, Stop> {
        let stage = Stage {
            text,
            constants_of: &self.dumps[runnable.constants_of].path,
            release: self.dumps[at].release,
            default_dim: self.default_dim,
            // Passes remove parameters that nothing reads.
            is_later: self.last.is_some(),
        };
        self.unit.run(&stage, self.options, self.limits, inputs)
    }

    fn stopped(&self, at: usize, runnable: &Runnable, stop: Stop) -> Run {
        // A module that is ill-formed is wrong whatever its error.
        let is_wrong = stop.is_raised || !self.sequence.stages[at].errors.is_empty();
        if !is_wrong {
            return Run::Skipped(stop.message);
        }
        let place = stop.offset.map(|at| {
            let (stage, (at, _)) = runnable.origin((at, at));
            (stage, at)
        });
        Run::Stopped {
            message: stop.message,
            place,
        }
    }

    /// Returns whether constants are generated that the stage before does not have: a pass that folds or adds constants
    /// numbers them anew, so what is generated says nothing about the pass.
    fn has_other_constants(&self, now: &LastRun) -> bool {
        let last = self.last.as_ref();
        last.is_some_and(|it| it.values.generated != now.values.generated)
    }

    /// Compares a stage with the one before.
    fn compared(&mut self, now: &LastRun) -> Run {
        let Some(before) = &self.last else {
            return Run::Same;
        };
        let (comparison, function) = self.comparison(before, now);
        self.runs.compared += comparison.compared;
        let mut found = comparison.difference;
        let mut is_rounding = None;
        if self.options.is_high_precision && found.is_some() {
            is_rounding = self.is_rounding(before, now);
            if is_rounding == Some(true) {
                let label = &self.sequence.stages[now.at].label;
                let note = format!("{label} only rounds differently: equal in float64");
                self.runs.notes.push(note);
                found = None;
            }
        }
        for doubt in comparison.doubts {
            if !self.runs.doubts.contains(&doubt) {
                self.runs.doubts.push(doubt);
            }
        }
        let Some(found) = found else { return Run::Same };
        let first = &mut self.runs.first_difference;
        if first.as_ref().is_none_or(|it| now.at < it.stage) {
            *first = Some(ValueDifference {
                stage: now.at,
                before: before.at,
                function,
                binding: found.binding,
                what: found.what,
                is_rounding,
                origin: None,
            });
        }
        Run::Differs
    }

    /// Compares all calls of two stages, until one differs. Returns its function, too.
    fn comparison(&self, before: &LastRun, now: &LastRun) -> (Comparison, String) {
        let asked = RequestedTolerance {
            rtol: self.options.rtol,
            atol: self.options.atol,
            length: 0,
        };
        let name = |it: &LastRun| format!("after {}", self.sequence.stages[it.at].pass);
        let (old_name, new_name) = (name(before), name(now));
        let difference = ModuleDifference::of(&before.runnable.form, &now.runnable.form);
        let mut all = Comparison::default();
        let calls = before.values.calls.iter().zip(&now.values.calls);
        for (number, (old, new)) in calls.enumerate() {
            let side = |runnable, call, name| Side {
                runnable,
                call,
                name,
            };
            let of_call = compare::compare(
                side(&before.runnable, old, old_name.as_str()),
                side(&now.runnable, new, new_name.as_str()),
                &difference,
                asked,
            );
            all.compared += of_call.compared;
            all.doubts.extend(of_call.doubts);
            if let Some(found) = of_call.difference {
                all.difference = Some(found);
                let function = match self.unit {
                    Unit::Function(name) => name.clone(),
                    Unit::Script(..) => format!("{} (call {})", new.function, number + 1),
                };
                return (all, function);
            }
        }
        (all, self.unit.name())
    }

    /// Runs two stages in floats of 64 bits. Returns whether they are equal there.
    fn is_rounding(&self, before: &LastRun, now: &LastRun) -> Option<bool> {
        let inputs = self.inputs.as_ref().map(Inputs::in_double);
        let wide = |it: &LastRun| {
            let text = double::in_double(&it.runnable.text);
            let values = self
                .run_text(it.at, &it.runnable, &text, inputs.as_ref())
                .ok()?;
            Some(LastRun {
                at: it.at,
                runnable: it.runnable.moved(&text, self.dumps[it.at].release),
                values,
            })
        };
        let (before, now) = (wide(before)?, wide(now)?);
        Some(self.comparison(&before, &now).0.difference.is_none())
    }

    /// Looks, in the first stage that ran, at what the comparison can see.
    fn first(&mut self, first: &LastRun) {
        let Some(inputs) = &self.inputs else { return };
        if self.options.is_quick {
            return;
        }
        let run = |text: &str, inputs: &Inputs| {
            self.run_text(first.at, &first.runnable, text, Some(inputs))
                .ok()
        };
        let report = sight::look(first, inputs, &run, &|text| {
            first.runnable.moved(text, self.dumps[first.at].release)
        });
        if self.runs.sight.is_none() {
            self.runs.sight = report.sight;
        }
        let name = self.unit.name();
        let blind = report.without_effect.iter();
        self.runs.notes.extend(
            blind.map(|input| format!("the result of `{name}` does not depend on `{input}`")),
        );
    }
}

/// Returns a hash of all that a unit does in a stage; `None` if the text does not say all.
fn contents(runnable: &Runnable, unit: &Unit) -> Option<u64> {
    if runnable.text.contains("metadata[") {
        return None;
    }
    let functions = unit.functions();
    let mut hashes = functions.iter().map(|name| {
        let bare = bare_name(name);
        let mut functions = runnable.form.functions.iter();
        let at = functions.position(|it| it.name == bare)?;
        Some(runnable.form.content_hash(at))
    });
    hashes.try_fold(0_u64, |sum, it| Some(sum.rotate_left(1) ^ it?))
}

impl Runs {
    fn note_generated(&mut self, constants: &[u32]) {
        self.generated.extend_from_slice(constants);
        self.generated.sort_unstable();
        self.generated.dedup();
    }

    fn judged(&self) -> Verdict {
        let different = self.first_difference.as_ref().map(|it| it.stage);
        let all = || self.stages.iter().flatten();
        match (different, self.first_stop) {
            (Some(at), Some(stop)) if stop < at => Verdict::Stops,
            (Some(_), _) => Verdict::Differs,
            (None, Some(_)) => Verdict::Stops,
            (None, None) if self.compared == 0 => Verdict::NothingCompared,
            (None, None) if !self.doubts.is_empty() || all().any(|it| !it.ran()) => {
                Verdict::Incomplete
            }
            (None, None) => Verdict::Equal,
        }
    }

    /// Returns the result of a stage that says most: a difference, then an error.
    pub fn worst(&self, at: usize) -> &Run {
        let rank = |run: &&Run| match run {
            Run::Differs => 3,
            Run::Stopped { .. } => 2,
            Run::Same => 1,
            Run::Skipped(_) => 0,
        };
        let worst = self.stages[at].iter().max_by_key(rank);
        worst.expect("something runs in each stage")
    }
}

impl Run {
    pub fn ran(&self) -> bool {
        matches!(self, Run::Same | Run::Differs)
    }
}
