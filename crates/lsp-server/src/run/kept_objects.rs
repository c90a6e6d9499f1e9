//! Objects that the runs of a worker gave, for later runs of it: a cache, by the function that made it.

use smol_str::SmolStr;
use vm::Input;
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
    /// The function that gave it.
    maker: String,
    value: Value,
}

impl KeptObjects {
    /// Keeps the objects of a result, in place of what the function gave before.
    pub fn keep(&mut self, function: &str, leaves: &Leaves) {
        let is_object = |value: &Value| matches!(value, Value::Object(_));
        let objects = leaves.iter().filter(|(_, value)| is_object(value));
        let objects: Vec<KeptObject> = objects
            .map(|(leaf, value)| KeptObject {
                name: leaf.replacen("out", function, 1),
                maker: function.to_owned(),
                value: value.clone(),
            })
            .collect();
        if objects.is_empty() {
            return;
        }
        self.0.retain(|it| it.maker != function);
        self.0.extend(objects);
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
        objects.map(|it| it.maker.clone()).collect()
    }

    fn find(&self, name: &str) -> Option<&KeptObject> {
        self.0.iter().find(|it| it.name == name)
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
