//! The results of runs as JSON.

use serde_json::{Value as Json, json};
use text_size::TextRange;

use super::{Named, Run, Runs};
use crate::compilation::json::with;

impl Runs {
    /// Converts to JSON. `locate` converts a range of a stage.
    pub fn to_json(&self, locate: &dyn Fn(TextRange, usize) -> Json) -> Json {
        let binding = |it: &Named| {
            let range = TextRange::new(it.range.0.into(), it.range.1.into());
            with(
                json!({"name": it.name, "in": it.stage}),
                locate(range, it.stage),
            )
        };
        let run = |run: &Run| match run {
            Run::Same => json!({"ran": true, "same": true}),
            Run::Differs => json!({"ran": true, "same": false}),
            Run::Skipped(why) => json!({"ran": false, "skipped": why, "why": why}),
            Run::Stopped { message, place } => {
                let stopped = json!({"message": message});
                let stopped = match place {
                    Some((stage, at)) => {
                        let range = TextRange::empty((*at).into());
                        with(stopped, locate(range, *stage))
                    }
                    None => stopped,
                };
                json!({"ran": false, "stopped": stopped, "why": message})
            }
        };
        let stages = (0..self.stages.len()).map(|at| {
            let mut stage = run(self.worst(at));
            if self.functions.len() > 1 {
                let all = self.functions.iter().zip(&self.stages[at]);
                let all = all.map(|(name, it)| with(json!({"function": name}), run(it)));
                stage["functions"] = all.collect();
            }
            stage
        });
        let first = self.first_difference.as_ref().map(|it| {
            let found = it.binding.as_ref();
            json!({
                "stage": it.stage,
                "before": it.before,
                "function": it.function,
                "was": found.map(|found| binding(&found.before)),
                "binding": found.map(|found| binding(&found.after)),
                "source": it.origin.as_ref().and_then(|it| {
                    it.frames.first().map(|(file, line, _)| json!({"file": file, "line": line}))
                }),
                "module_path": it.origin.as_ref().and_then(|it| it.module.clone()),
                "what": it.what,
                "rounding": it.is_rounding,
            })
        });
        json!({
            "function": self.functions.join(", "),
            "functions": self.functions,
            "verdict": self.verdict,
            "compared": self.compared,
            "sight": self.sight,
            "first_stop": self.first_stop,
            "doubts": self.doubts,
            "notes": self.notes,
            "stages": stages.collect::<Vec<_>>(),
            "first_difference": first,
        })
    }
}
