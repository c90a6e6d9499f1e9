//! Objects that runs of a worker returned, such as caches, kept for its later runs under the name of the function that
//! created them.

use std::collections::BTreeSet;
use std::sync::Arc;

use smol_str::SmolStr;
use vm::Input;
use vm::objects::Object;
use vm::value::Value;

use super::execute::Leaves;
use super::job::{InputSource, Job};

/// The maximum number of objects. The oldest are dropped first.
const MOST: usize = 16;

#[derive(Default)]
pub struct KeptObjects(Vec<KeptObject>);

struct KeptObject {
    /// `Module.create_cache`, or `Module.prefill.1` for a field of a tuple.
    name: String,
    /// The function that returned the object, and the functions that created its inputs.
    makers: Vec<String>,
    value: Value,
}

impl KeptObjects {
    /// Keeps the new objects of a result, replacing those that the function returned before. An object that was only
    /// passed through keeps its name.
    pub fn keep(&mut self, job: &Job, function: &str, leaves: &Leaves) {
        let mut makers = self.makers(job);
        makers.push(function.to_owned());
        let is_new = |value: &Value| match value {
            Value::Object(object) => self.0.iter().all(|it| !it.is(object)),
            _ => false,
        };
        let objects = leaves.iter().filter(|(_, value)| is_new(value));
        let objects: Vec<KeptObject> = objects
            .map(|(leaf, value)| KeptObject {
                name: leaf.replacen("out", function, 1),
                makers: makers.clone(),
                value: value.clone(),
            })
            .collect();
        for it in objects {
            self.0.retain(|old| old.name != it.name);
            self.0.push(it);
        }
        let surplus = self.0.len().saturating_sub(MOST);
        self.0.drain(..surplus);
    }

    pub fn names(&self) -> Vec<String> {
        self.0.iter().map(|it| it.name.clone()).collect()
    }

    /// Returns the objects that a job uses as inputs, by parameter.
    pub fn inputs(&self, job: &Job) -> Result<Vec<(SmolStr, Input)>, String> {
        let taken = object_inputs(job).map(|(param, name)| {
            let object = self.find(name).ok_or_else(|| missing(name))?;
            Ok((param.into(), Input::Value(object.value.clone())))
        });
        taken.collect()
    }

    /// Returns the functions that created these objects. An object may refer to functions that only its creator names.
    pub fn makers(&self, job: &Job) -> Vec<String> {
        let objects = object_inputs(job).filter_map(|(_, name)| self.find(name));
        let makers: BTreeSet<&String> = objects.flat_map(|it| &it.makers).collect();
        makers.into_iter().cloned().collect()
    }

    fn find(&self, name: &str) -> Option<&KeptObject> {
        self.0.iter().find(|it| it.name == name)
    }
}

impl KeptObject {
    fn is(&self, object: &Arc<Object>) -> bool {
        matches!(&self.value, Value::Object(it) if Arc::ptr_eq(it, object))
    }
}

/// Returns the parameters that take kept objects, with the objects' names.
fn object_inputs(job: &Job) -> impl Iterator<Item = (&str, &str)> {
    job.inputs
        .iter()
        .filter_map(|(param, source)| match source {
            InputSource::Result(name) => Some((param.as_str(), name.as_str())),
            _ => None,
        })
}

/// Returns the error message for an object that does not exist.
pub fn missing(name: &str) -> String {
    format!("there is no result `{name}`: first run the function that returns it")
}
