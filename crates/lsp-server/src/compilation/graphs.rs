//! The graphs of a module's functions, optionally compared with another module.

pub mod json;

use hir::difference::{FunctionDifference, ModuleDifference};
use hir::form::PlacedForm;
use ide::difference::Snapshot;
use ide::graph::{Graph, GraphLimit, ModulePaths, Side, compared as merged};
use ide::{FilePosition, RunnableKind};
use relax::FunctionKind;
use rustc_hash::FxHashSet;
use text_size::TextSize;

use super::bare_name;
use super::files::{Files, Read};
use super::recording::origins::Origins;

/// Returns the complete graphs of all Relax functions.
pub fn complete(read: &Read) -> Vec<Graph> {
    let paths = Origins::of_file(&read.path, &Files::on_disk(None));
    let paths = paths.map_or_else(ModulePaths::default, |it| it.module_paths());
    let functions = read.analysis.runnables(read.file);
    let functions = functions.expect("nothing changes the file meanwhile");
    let functions = functions
        .iter()
        .filter(|it| it.kind == RunnableKind::Function);
    let functions = functions.map(|it| it.name_range.start());
    functions.filter_map(|at| graph(read, at, &paths)).collect()
}

/// Keeps only functions that no other function calls: called functions are shown inside the boxes of their calls.
pub fn retain_uncalled(graphs: &mut Vec<Graph>) {
    let nodes = graphs.iter().flat_map(|it| &it.nodes);
    let called: FxHashSet<String> = nodes.filter_map(|it| it.callee.clone()).collect();
    if graphs
        .iter()
        .any(|it| !called.contains(bare_name(&it.function)))
    {
        graphs.retain(|it| !called.contains(bare_name(&it.function)));
    }
}

/// Returns the graphs of one or all functions of the second module, with the changes since the first. An added
/// function has a plain graph.
pub fn compared(before: &Read, after: &Read, only: Option<&str>, limit: GraphLimit) -> Vec<Graph> {
    let [old, new] = [before, after].map(snapshot);
    let difference = ModuleDifference::of(&old.form, &new.form);
    let is_wanted = |name: &str| only.is_none_or(|it| bare_name(it) == name);
    let mut found = Vec::new();
    for it in &difference.functions {
        let Some(form) = it.after.map(|at| &new.form.functions[at]) else {
            continue;
        };
        if form.kind != FunctionKind::Relax || !is_wanted(&form.name) {
            continue;
        }
        let at = form.name_range().start();
        let earlier = earlier(before, &old, it);
        found.extend(match earlier {
            Some((before, form_before)) => to_compare(after, at).map(|graph| {
                let before = Side {
                    graph: &before,
                    form: form_before,
                };
                let after = Side {
                    graph: &graph,
                    form,
                };
                merged(&before, &after, it, limit)
            }),
            None => graph(after, at, &ModulePaths::default()),
        });
    }
    found
}

/// Returns the function of the first module that became this function: its graph and its form.
fn earlier<'s>(
    read: &Read,
    snapshot: &'s Snapshot,
    it: &FunctionDifference,
) -> Option<(Graph, &'s PlacedForm)> {
    let form = &snapshot.form.functions[it.before?];
    Some((to_compare(read, form.name_range().start())?, form))
}

fn snapshot(read: &Read) -> Snapshot {
    let snapshot = read.analysis.snapshot(read.file);
    snapshot.expect("nothing changes the file meanwhile")
}

fn graph(read: &Read, offset: TextSize, paths: &ModulePaths) -> Option<Graph> {
    let position = FilePosition {
        file: read.file,
        offset,
    };
    let none = GraphLimit::NONE;
    let graph = read.analysis.graph_of_model(position, offset, none, paths);
    graph.expect("nothing changes the file meanwhile")
}

fn to_compare(read: &Read, offset: TextSize) -> Option<Graph> {
    let position = FilePosition {
        file: read.file,
        offset,
    };
    let graph = read.analysis.graph_to_compare(position);
    graph.expect("nothing changes the file meanwhile")
}
