//! `relax.tensor`: views a tensor that a run kept. The arguments name the run, the value and, to see how two runs
//! differ, the run to subtract.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::run::saved_values;
use crate::run::view::{self, Choice};
use crate::session::{Refusal, Snapshot};

#[derive(Debug, Deserialize)]
pub struct TensorArguments {
    /// The number of the run from the answer to `relax.run`.
    pub run: u64,
    pub name: String,
    /// The run whose value of the same name is subtracted.
    #[serde(default)]
    pub minus: Option<u64>,
    /// The slice to return.
    #[serde(default)]
    pub slice: Option<Choice>,
    /// `true` to return all elements, unless there are too many.
    #[serde(default)]
    pub list: bool,
}

pub fn answer(snapshot: &Snapshot, arguments: TensorArguments) -> Result<Value, Refusal> {
    look(snapshot, &arguments).map_err(Refusal::Impossible)
}

fn look(snapshot: &Snapshot, arguments: &TensorArguments) -> Result<Value, String> {
    let mut tensor = saved_values::read(&snapshot.kept, arguments.run, &arguments.name)?;
    if let Some(other) = arguments.minus {
        let other = saved_values::read(&snapshot.kept, other, &arguments.name)?;
        tensor = view::difference(&tensor, &other)?;
    }
    let summary = tensor.summary(0).map_err(|error| error.to_string())?;
    let mut answer = json!({
        "shape": tensor.shape(),
        "dtype": tensor.dtype().to_string(),
        "min": summary.min,
        "max": summary.max,
        "mean": summary.min.map(|_| summary.mean),
        "nan": summary.nan,
        "inf": summary.inf,
        "histogram": view::histogram(&tensor, summary.min, summary.max),
    });
    if let Some(choice) = &arguments.slice {
        answer["slice"] = json!(view::slice(&tensor, choice)?);
    }
    if arguments.list {
        answer["list"] = json!(view::list(&tensor));
    }
    Ok(answer)
}
