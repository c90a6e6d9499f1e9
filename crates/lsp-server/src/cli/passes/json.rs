//! The sequence of passes as JSON.

use ide::passes::Sequence;
use serde_json::{Value, json};

use crate::compilation::dumps::Dump;
use crate::compilation::json::{StageFormat, line_and_column, with};
use crate::compilation::runs::Runs;

pub fn render(sequence: &Sequence, dumps: &[Dump], runs: Option<&Runs>) -> Value {
    let locate = |range, at: usize| line_and_column(&dumps[at].lines, range);
    let format = StageFormat {
        sequence,
        function: &|it, _| json!(it.name),
        locate: &locate,
    };
    let stage = |(at, dump): (usize, &Dump)| {
        let file = json!({
            "path": dump.path.to_string_lossy().replace('\\', "/"),
            "seconds": dump.seconds,
        });
        with(file, format.stage(at))
    };
    let unlowered = |at: usize| -> Value {
        let found = sequence.stages[at].unlowered.iter();
        let found = found.map(|it| {
            let what = json!({"stage": at, "code": it.code, "message": it.message});
            with(what, locate(it.range, at))
        });
        found.collect()
    };
    let mut object = json!({
        "stages": dumps.iter().enumerate().map(stage).collect::<Vec<_>>(),
        "first_ill_formed": sequence.first_ill_formed(),
        "unlowered": sequence.last_legalized().map(unlowered),
    });
    if let Some(runs) = runs {
        object["run"] = runs.to_json(&locate);
    }
    object
}
