//! Records the inputs of a run and the bindings of the function itself.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use text_size::TextRange;
use vm::bytecode::Function;
use vm::tensor::Tensor;
use vm::value::Value;
use vm::{Binding, Observer};

use super::execute::Listener;

/// The inputs, and the tensors that the function itself bound.
#[derive(Default)]
pub struct Observed {
    pub entry: String,
    /// The parameters that the entry writes, by name and index, if it is a PrimFunc.
    pub written_params: Vec<(String, usize)>,
    pub inputs: Vec<Value>,
    /// The names of the parameters.
    pub params: Vec<SmolStr>,
    /// Bindings with their names and the byte offsets of their values in the file.
    pub bindings: Vec<(String, (u32, u32), Tensor)>,
    by_name: FxHashMap<String, Vec<usize>>,
    /// What calls without a binding last wrote into tensors, by their names, with the number of bindings before.
    written: FxHashMap<String, (usize, Tensor)>,
    /// For each callee of the function's bindings, the number of calls and the total time in seconds.
    pub times: BTreeMap<String, (usize, f64)>,
}

impl Observed {
    /// Returns the tensor that a name was bound to in a range of the file, or that a PrimFunc wrote into the tensor of
    /// that name; and its place in the order of the run.
    pub fn value_in(&self, name: &str, range: TextRange) -> Option<(usize, &Tensor)> {
        if let Some((at, tensor)) = self.written.get(name) {
            return Some((*at, tensor));
        }
        let (start, end) = (u32::from(range.start()), u32::from(range.end()));
        let of_name = self.by_name.get(name)?.iter().rev();
        of_name
            .map(|at| (*at, &self.bindings[*at]))
            .find(|(_, it)| start <= it.1.0 && it.1.1 <= end)
            .map(|(at, it)| (at, &it.2))
    }
}

impl Observer for Observed {
    fn print(&mut self, _: &str) {}

    fn wants_bindings(&self) -> bool {
        true
    }

    fn binding(&mut self, binding: &Binding<'_>) {
        if *binding.function != self.entry {
            return;
        }
        let time = self.times.entry(binding.callee.clone()).or_default();
        time.0 += 1;
        time.1 += binding.time.as_secs_f64();
        let Value::Tensor(tensor) = binding.value else {
            return;
        };
        let (name, next) = (binding.name.to_string(), self.bindings.len());
        if binding.is_written {
            self.written.insert(name, (next, tensor.clone()));
            return;
        }
        let range = (binding.range.start().into(), binding.range.end().into());
        self.by_name.entry(name.clone()).or_default().push(next);
        self.bindings.push((name, range, tensor.clone()));
    }
}

impl Listener for Observed {
    fn printed(&self) -> String {
        String::new()
    }

    fn inputs(&mut self, function: &Function, values: &[Value]) {
        self.entry = function.name.to_string();
        let params = function.params.iter().enumerate();
        let written = params.filter(|(_, param)| function.outputs.contains(&param.name));
        let written = written.map(|(at, param)| (param.name.to_string(), at));
        self.written_params = written.collect();
        self.inputs = values.to_vec();
        let params = function.source_params().iter();
        self.params = params.map(|it| it.name.clone()).collect();
    }
}
