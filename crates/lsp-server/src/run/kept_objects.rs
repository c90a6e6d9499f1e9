//! Objects that the runs of a worker gave, for later runs of it: a cache, by the function that made it.

use std::collections::BTreeSet;
use std::sync::Arc;

use smol_str::SmolStr;
use vm::Input;
use vm::objects::Object;
use vm::value::Value;

use super::execute::Leaves;
use super::job::{InputSource, Job};

/// More than that, and the oldest go.
const MOST: usize = 16;

#[derive(Default)]
pub struct KeptObjects(Vec<KeptObject>);

struct KeptObject {
    /// `Module.create_cache`; of a tuple `Module.prefill.1`.
    name: String,
    /// The function that gave it, and those that gave what it was given.
    makers: Vec<String>,
    value: Value,
}

impl KeptObjects {
    /// Keeps the new objects of a result, in place of what the function gave before. One that was handed through has
    /// its name already.
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

    /// The objects that a job takes, by its parameters.
    pub fn inputs(&self, job: &Job) -> Result<Vec<(SmolStr, Input)>, String> {
        let taken = taken(job).map(|(param, name)| {
            let object = self.find(name).ok_or_else(|| missing(name))?;
            Ok((param.into(), Input::Value(object.value.clone())))
        });
        taken.collect()
    }

    /// The functions that made them. An object may hold functions that only its maker names.
    pub fn makers(&self, job: &Job) -> Vec<String> {
        let objects = taken(job).filter_map(|(_, name)| self.find(name));
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

/// The parameters that take results, and their names.
fn taken(job: &Job) -> impl Iterator<Item = (&str, &str)> {
    job.inputs
        .iter()
        .filter_map(|(param, source)| match source {
            InputSource::Result(name) => Some((param.as_str(), name.as_str())),
            _ => None,
        })
}

/// Why a result cannot be taken.
pub fn missing(name: &str) -> String {
    format!("no result `{name}` is kept: run the function that gives it first")
}
