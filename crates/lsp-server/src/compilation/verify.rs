//! Compares an imported module with the graph that it was imported from, node by node: the reference computes each
//! value in the user's Python, and the virtual machine computes the module with the same weights and inputs.

mod held;
mod noise;
mod reference;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};
use relax::Release;
use rustc_hash::FxHashMap;
use serde::Deserialize;
use vm::value::Value;
use vm::{Binding, Observer};

use super::files::Files;
use super::recording::{Recording, Reference};
use super::runs::Verdict;
use crate::regular_file;
use crate::run::constants::{self, ConstantFiles};
use crate::run::execute::{Listener, execute_given};
use crate::run::inputs::is_printed_as;
use crate::run::job::{InputSource, Job, Limits};
use crate::run::limits::Deadline;
use crate::run::outcome::Outcome;
use crate::run::tolerance::{self, RequestedTolerance, Worst};
use crate::run::weights::Weights;
use held::Held;
use noise::Noise;

pub struct Options<'o> {
    /// `onnx` or `torch`; `None` for the first reference.
    pub kind: Option<&'o str>,
    pub python: Option<&'o Path>,
    pub dims: BTreeMap<String, i64>,
    pub inputs: BTreeMap<String, InputSource>,
    pub seed: u64,
    pub tolerance: RequestedTolerance,
    pub limits: Limits,
}

/// The result of a comparison.
#[derive(Debug)]
pub struct Verification {
    pub verdict: Verdict,
    /// `onnxruntime` or `torch`.
    pub reference: &'static str,
    /// With its version.
    pub program: String,
    pub module: String,
    /// The file of the graph in the recording.
    pub file: String,
    pub function: String,
    pub nodes: usize,
    pub compared: usize,
    /// Nodes that the importer replaced by constants, which were compared too.
    pub folded: usize,
    pub not_compared: Vec<NotCompared>,
    pub first_difference: Option<Difference>,
    /// Where the module stopped.
    pub stopped: Option<Stopped>,
}

#[derive(Debug)]
pub struct NotCompared {
    pub node: String,
    pub op: String,
    pub reason: String,
}

#[derive(Debug)]
pub struct Difference {
    pub node: String,
    pub op: String,
    /// The value of the graph, if the node has several.
    pub output: String,
    /// The binding, and the offset of its value in the module.
    pub binding: Option<(String, u32)>,
    pub what: String,
    pub worst: Option<Worst>,
}

#[derive(Debug)]
pub struct Stopped {
    pub message: String,
    pub offset: Option<u32>,
}

/// What the recorder says about a reference.
#[derive(Deserialize)]
struct Mapping {
    values: FxHashMap<String, Held>,
    /// The parameters of the module, by the inputs of the graph.
    inputs: BTreeMap<String, String>,
}

/// The values of a run of the module.
#[derive(Default)]
struct ModuleValues {
    entry: String,
    params: Vec<(String, Value)>,
    bindings: FxHashMap<String, (u32, Value)>,
}

impl Observer for ModuleValues {
    fn print(&mut self, _: &str) {}

    fn wants_bindings(&self) -> bool {
        true
    }

    fn binding(&mut self, binding: &Binding<'_>) {
        if *binding.function == self.entry {
            let offset = binding.range.start().into();
            let value = (offset, binding.value.clone());
            self.bindings.insert(binding.name.to_string(), value);
        }
    }
}

impl Listener for ModuleValues {
    fn printed(&self) -> String {
        String::new()
    }

    fn inputs(&mut self, function: &vm::bytecode::Function, values: &[Value]) {
        self.entry = function.name.to_string();
        let names = function
            .source_params()
            .iter()
            .map(|it| it.name.to_string());
        self.params = names.zip(values.iter().cloned()).collect();
    }
}

pub fn verify(
    recording: &Recording,
    files: &Files,
    options: &Options<'_>,
) -> anyhow::Result<Verification> {
    let reference = chosen(recording, options.kind)?;
    let mapping = regular_file::read(&recording.folder.join(&reference.values))?;
    let mapping: Mapping = serde_json::from_slice(&mapping)?;
    let Some(module) = recording.module(&reference.module) else {
        bail!("the recording has no module `{}`", reference.module);
    };
    let path = recording.folder.join(&module.file);
    let tensors = Weights::open(&[recording.folder.join(constants::TENSORS)]);
    let tensors = tensors.unwrap_or_default();
    let (text, config) = files.source(&path)?;
    let release = config.target;
    let release = release.or_else(|| Release::from_version(recording.tvm.as_deref()?));
    let job = Job {
        text: (&*text).into(),
        relay: false,
        directory: None,
        target: release.map(|it| it.name().to_owned()),
        function: reference.function.clone(),
        line: None,
        dims: options.dims.clone(),
        default_dim: None,
        inputs: options.inputs.clone(),
        weights: Vec::new(),
        weight_names: Vec::new(),
        allow_missing: false,
        constants: ConstantFiles {
            files: Vec::new(),
            beside: Some(path),
        },
        seed: options.seed,
        repeat: 1,
        trace: false,
        goes_on: false,
        limits: options.limits,
        keep: None,
    };
    let mut values = ModuleValues::default();
    let deadline = Deadline::after(options.limits.time_seconds);
    let (outcome, _) = execute_given(&job, &|_| Vec::new(), deadline, &mut values);
    let stopped = match outcome {
        Outcome::Finished(_) => None,
        Outcome::Failed(failure) => Some(Stopped {
            message: failure.message,
            offset: failure.range.map(|it| it.0),
        }),
        Outcome::Cancelled => bail!("cancelled"),
    };
    let inputs = inputs_of_graph(&mapping, &values);
    if let (Some(stopped), true) = (&stopped, inputs.is_empty()) {
        return Err(anyhow!("the module does not run: {}", stopped.message));
    }
    let computed = reference::compute(reference, &recording.folder, &inputs, options.python)
        .map_err(anyhow::Error::msg)?;
    let params: Vec<Value> = values.params.iter().map(|it| it.1.clone()).collect();
    let mut verification = Verification {
        verdict: Verdict::Equal,
        reference: match &*reference.kind {
            "torch" => "torch",
            _ => "onnxruntime",
        },
        program: format!("{} {}", computed.program, computed.version),
        module: reference.module.clone(),
        file: reference.file.clone(),
        function: reference.function.clone(),
        nodes: computed.nodes.len(),
        compared: 0,
        folded: 0,
        not_compared: Vec::new(),
        first_difference: None,
        stopped,
    };
    let asked = options.tolerance.for_inputs(&params);
    let module = held::Module {
        values: &values,
        tensors: &tensors,
        mapping: &mapping.values,
    };
    let mut noise = Noise::new(asked);
    for node in &computed.nodes {
        verification.node(node, &computed, &module, &mut noise)?;
    }
    verification.verdict = verification.judged();
    Ok(verification)
}

/// Returns the reference to compare with.
fn chosen<'r>(recording: &'r Recording, kind: Option<&str>) -> anyhow::Result<&'r Reference> {
    let mut references = recording.references.iter();
    match (
        references.find(|it| kind.is_none_or(|kind| it.kind == kind)),
        kind,
    ) {
        (Some(found), _) => Ok(found),
        (None, Some(kind)) => bail!("the recording has no import of {kind}"),
        (None, None) => bail!(
            "the recording has no import of an ONNX model or of an exported program of PyTorch to compare with"
        ),
    }
}

/// Returns the values of the graph's inputs.
fn inputs_of_graph(mapping: &Mapping, values: &ModuleValues) -> Vec<(String, Value)> {
    let inputs = mapping.inputs.iter().filter_map(|(name, param)| {
        let mut params = values.params.iter();
        let (_, value) = params.find(|it| is_printed_as(param, &it.0))?;
        Some((name.clone(), value.clone()))
    });
    inputs.collect()
}

impl Verification {
    /// Compares the values of a node.
    fn node(
        &mut self,
        node: &reference::Node,
        computed: &reference::Computed,
        module: &held::Module<'_>,
        noise: &mut Noise,
    ) -> anyhow::Result<()> {
        let names = ["here", &*format!("in {}", computed.program)];
        let (mut compared, mut folded) = (0, 0);
        let mut reason = None;
        for (name, files) in &node.values {
            let Some(files) = files else {
                reason.get_or_insert(format!("{} gives no tensor", computed.program));
                continue;
            };
            let pairs = match module.pairs(name, files) {
                Ok(pairs) => pairs,
                Err(why) => {
                    reason.get_or_insert(why);
                    continue;
                }
            };
            for pair in pairs {
                let theirs = computed.read(&pair.file)?;
                let ours = pair.ours;
                let allowed = noise.allowed(node, &ours, &theirs);
                let found = tolerance::compare(&ours, &theirs, allowed, names);
                let is_explained =
                    found.difference.is_some() && noise.explains(node, &ours, &theirs);
                noise.add(name, &ours, &theirs);
                let difference = if ours.kind() == theirs.kind() || held::is_widened(ours.kind()) {
                    found.difference
                } else {
                    let (a, b) = (ours.dtype(), theirs.dtype());
                    Some(format!("{a} here, {b} {}", names[1]))
                };
                if let Some(what) = difference.filter(|_| !is_explained) {
                    self.first_difference.get_or_insert(Difference {
                        node: node.name.clone(),
                        op: node.op.clone(),
                        output: name.clone(),
                        binding: pair.binding,
                        what,
                        worst: found.worst,
                    });
                }
                // A mask of infinities is compared, NaN is not.
                let is_infinite = || ours.summary(0).is_ok_and(|it| it.nan == 0);
                if found.finite == 0 && found.total > 0 && !is_infinite() {
                    reason.get_or_insert("no element is a finite number".to_owned());
                } else {
                    compared += 1;
                    folded += usize::from(pair.is_folded);
                }
            }
        }
        if let Some(reason) = reason {
            self.not_compared.push(NotCompared {
                node: node.name.clone(),
                op: node.op.clone(),
                reason,
            });
        } else if compared > 0 {
            self.compared += 1;
            self.folded += usize::from(folded == compared);
        }
        Ok(())
    }

    fn judged(&self) -> Verdict {
        if self.first_difference.is_some() {
            Verdict::Differs
        } else if self.stopped.is_some() {
            Verdict::Stops
        } else if self.compared == 0 {
            Verdict::NothingCompared
        } else if self.not_compared.is_empty() {
            Verdict::Equal
        } else {
            Verdict::Incomplete
        }
    }
}

/// The path of a module of a recording.
pub fn module_path(recording: &Recording, label: &str) -> PathBuf {
    let module = recording.module(label);
    recording.folder.join(module.map_or(label, |it| &it.file))
}
