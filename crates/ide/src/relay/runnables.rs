//! The functions that can be run, with their parameters.

use hir::RelayFile;
use hir::relay::Facts;
use hir::relay::body::{Body, Definition, Function, Item};

use super::definitions;
use crate::runnables::MAX_PARAMS;
use crate::types::{Runnable, RunnableKind, RunnableParam};

pub fn runnables(file: &RelayFile) -> Vec<Runnable> {
    let all = definitions(file);
    all.filter_map(|(_, definition, facts)| runnable(definition, facts))
        .collect()
}

fn runnable(definition: &Definition, facts: &Facts) -> Option<Runnable> {
    let Item::Function { name, function } = &definition.body.item else {
        return None;
    };
    if name.text.is_empty() || !function.type_params.is_empty() {
        return None;
    }
    Some(Runnable {
        function: name.text.to_string(),
        kind: RunnableKind::Function,
        name_range: name.range + definition.start,
        dims: Vec::new(),
        params: params(&definition.body, function, facts),
    })
}

fn params(body: &Body, function: &Function, facts: &Facts) -> Vec<RunnableParam> {
    let params = function.params.iter().take(MAX_PARAMS);
    let params = params.map(|&param| RunnableParam {
        name: body[param].name.text.to_string(),
        struct_info: facts
            .local(param)
            .map_or_else(|| "_".to_owned(), ToString::to_string),
    });
    params.collect()
}
