//! The static cost of functions: the command `relax.cost`, hints after bindings, and lenses above functions. For a
//! function without a memory plan, the command shows the plan that the virtual machine would make.

use futures::FutureExt;
use ide::cost::FunctionCost;
use ide::{Cancellable, FilePosition};
use lsp_types::{CodeLens, Command, InlayHint, InlayHintLabel, InlayHintTooltip, Uri};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use text_size::TextRange;
use vm::listing::Stage;

use super::execute_command::{Call, CommandAnswer, hand_over, refused};
use crate::compilation::bare_name;
use crate::compilation::costs::{self, memory, operations, plan_of_lowered, plan_to_json};
use crate::documents::Document;
use crate::session::{Event, LowerArguments, LowerCall, Refusal, SessionHandle, Snapshot};
use crate::tasks;

/// The title of its progress.
pub const TITLE: &str = "Counting operations";

/// Longer functions get no lens.
const MOST_BINDINGS: usize = 5000;

#[derive(Clone, Debug, Deserialize)]
pub struct CostArguments {
    pub uri: Uri,
    /// `Module.forward`, or a bare name. If missing, every Relax function of the file.
    #[serde(default)]
    pub function: Option<String>,
    /// Values of shape variables. If missing, those of the settings.
    #[serde(default)]
    pub dims: Option<BTreeMap<String, i64>>,
}

pub fn answer(session: &SessionHandle, mut call: Call) -> CommandAnswer {
    let arguments: CostArguments = match call.argument() {
        Ok(arguments) => arguments,
        Err(refusal) => return refused(refusal),
    };
    let bare = arguments.function.as_deref().map(bare_name);
    let bare = bare.map(str::to_owned);
    let lowered = LowerArguments {
        uri: arguments.uri.clone(),
        function: arguments.function.clone(),
        line: None,
        stage: Some(Stage::ExplicitMemory.name().to_owned()),
    };
    let costs = session.read(arguments, file_costs);
    // Don't lower a whole file, since some of its functions may not be lowerable.
    let lowered = bare.is_some().then(|| {
        hand_over(session, move |cancelled, reply| {
            Event::Lower(LowerCall {
                arguments: lowered,
                title: call.token.is_none().then_some(TITLE),
                cancelled,
                reply,
            })
        })
    });
    async move {
        let (mut answer, dims) = costs.await?;
        let (Some(lowered), Some(name)) = (lowered, bare) else {
            return Ok(answer);
        };
        let plan = &mut answer["functions"][0]["planned"];
        if !plan.is_null() {
            return Ok(answer);
        }
        // A function that cannot be lowered has no plan.
        if let Ok(lowered) = lowered.await? {
            let text = lowered["text"].as_str().unwrap_or_default().to_owned();
            let found = tasks::blocking(move || {
                plan_of_lowered(&text, &name).map(|it| plan_to_json(&it, &dims))
            });
            *plan = json!(found.await.ok_or(Refusal::Failed)?);
        }
        Ok(answer)
    }
    .boxed()
}

type Dims = Vec<(String, i64)>;

fn file_costs(snapshot: &Snapshot, arguments: CostArguments) -> Result<(Value, Dims), Refusal> {
    let document = snapshot.required_document(&arguments.uri);
    let document = document.map_err(Refusal::Impossible)?;
    let dims: Dims = match arguments.dims {
        Some(dims) => dims.into_iter().collect(),
        None => snapshot.config.dims.values().to_vec(),
    };
    let mut functions = snapshot.analysis.costs(document.file)?;
    if let Some(name) = &arguments.function {
        functions.retain(|it| it.name == bare_name(name));
        functions.truncate(1);
        if functions.is_empty() {
            let why = format!("there is no Relax function `{name}`");
            return Err(Refusal::Impossible(why));
        }
    }
    let functions = functions.iter();
    let functions = functions.map(|it| to_json(it, document, &dims));
    let values: serde_json::Map<String, Value> = dims
        .iter()
        .map(|(name, it)| (name.clone(), json!(it)))
        .collect();
    let answer = json!({"dims": values, "functions": functions.collect::<Vec<_>>()});
    Ok((answer, dims))
}

fn to_json(cost: &FunctionCost, document: &Document, dims: &[(String, i64)]) -> Value {
    let range = |range: TextRange| ("range", json!(document.lines.to_range(range)));
    costs::to_json(cost, cost.plan.as_ref(), dims, range)
}

/// Returns a hint with operations and bytes after each binding of a range, if the settings contain dimensions.
pub fn hints(
    snapshot: &Snapshot,
    document: &Document,
    range: TextRange,
) -> Cancellable<Vec<InlayHint>> {
    let dims = snapshot.config.dims.values();
    if dims.is_empty() || !snapshot.config.inlay_hints.cost {
        return Ok(Vec::new());
    }
    let costs = snapshot.analysis.binding_costs(document.file, range)?;
    let hint = |it: &ide::cost::Cost| {
        let flops = it.flops.as_ref()?;
        let bytes = it.bytes.as_ref()?;
        let formulas = format!("{flops} FLOP, {bytes} B");
        Some(InlayHint {
            position: document.lines.position(it.range.end()),
            label: InlayHintLabel::String(format!(
                "{}, {}",
                operations(flops, dims),
                memory(bytes, dims)
            )),
            kind: None,
            text_edits: None,
            tooltip: Some(InlayHintTooltip::String(formulas)),
            padding_left: Some(true),
            padding_right: None,
            data: None,
        })
    };
    Ok(costs.iter().filter_map(hint).collect())
}

/// Returns a lens with operations, bytes and planned memory above each function, if the settings contain dimensions.
pub fn lenses(snapshot: &Snapshot, document: &Document) -> Cancellable<Vec<CodeLens>> {
    let assumed = &snapshot.config.dims;
    let dims = assumed.values();
    if dims.is_empty() {
        return Ok(Vec::new());
    }
    let mut lenses = Vec::new();
    for runnable in snapshot.analysis.runnables(document.file)? {
        let position = FilePosition {
            file: document.file,
            offset: runnable.name_range.start(),
        };
        let Some(cost) = snapshot.analysis.function_cost(position, MOST_BINDINGS)? else {
            continue;
        };
        let mut words = vec![
            operations(&cost.flops().0, dims),
            format!("{} read and written", memory(&cost.bytes().0, dims)),
        ];
        if let Some(plan) = &cost.plan {
            let (total, _) = plan.total();
            let bytes = memory(&total, dims);
            words.push(match total.as_int() {
                Some(_) => format!("{bytes} planned"),
                None => format!("{bytes} planned ({total})"),
            });
            if let Some(peak) = plan.peak().filter(|it| *it != total) {
                words.push(format!("{} at once", memory(&peak, dims)));
            }
        }
        let title = format!("{} at {assumed}", words.join(", "));
        lenses.push(CodeLens {
            range: document.lines.to_range(runnable.name_range),
            command: Some(Command::new(title, String::new(), None)),
            data: None,
        });
    }
    Ok(lenses)
}
