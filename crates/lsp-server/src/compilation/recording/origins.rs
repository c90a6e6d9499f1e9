//! Where the bindings of a recording came from: the lines of the program, the module of the model, the node of the
//! imported graph. An importer or exporter knows it; the modules after it inherit it from the rows that they follow.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use hir::difference::{ModuleDifference, Relation};
use hir::form::{FunctionForm, ModuleForm, RowKind};
use ide::OriginNote;
use ide::difference::Snapshot;
use ide::graph::ModulePaths;
use relax::FunctionKind;
use relax::sinfo::StructInfo;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::{Module, ORIGINS, Recording, absolute_path, shown_path};
use crate::compilation::files::Files;
use crate::line_index::LineColumns;
use crate::regular_file;
use crate::uri;

/// Where one or several bindings came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BindingOrigin {
    /// The frames of the program, innermost first: file, line and function.
    #[serde(default)]
    pub frames: Vec<(String, u32, String)>,
    /// The path of the module in the model: `layers.0.mlp`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub module: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub onnx: Option<OnnxNode>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fx: Option<FxNode>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OnnxNode {
    pub name: String,
    pub op: String,
    pub outputs: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FxNode {
    pub name: String,
    pub target: String,
}

impl BindingOrigin {
    /// Returns the node of the imported graph with its operator.
    pub fn node(&self) -> Option<(&str, &str)> {
        let onnx = self.onnx.as_ref().map(|it| (&*it.name, &*it.op));
        onnx.or_else(|| self.fx.as_ref().map(|it| (&*it.name, &*it.target)))
    }

    /// Writes it in one line: `layers.0.mlp  model.py:41`, or `node Conv_3 (Conv)  import.py:5`.
    pub fn brief(&self, folder: &Path) -> String {
        let mut parts = Vec::new();
        if let Some(module) = self.module.as_ref().filter(|it| !it.is_empty()) {
            parts.push(module.clone());
        }
        if let Some((name, op)) = self.node() {
            parts.push(format!("{name} ({op})"));
        }
        if let Some((file, line, _)) = self.frames.first() {
            parts.push(format!("{}:{line}", shown_path(folder, file)));
        }
        parts.join("  ")
    }
}

/// For each function, the origins of its bindings by name.
type ByBinding = FxHashMap<String, FxHashMap<String, BindingOrigin>>;

/// A module of a recording, with the origins of its rows.
pub struct TracedModule {
    pub path: PathBuf,
    pub snapshot: Snapshot,
    /// For a function and a row, indices of origins.
    rows: FxHashMap<(usize, u32), Vec<u32>>,
}

/// A binding with its origins.
pub struct Traced<'k> {
    pub function: &'k str,
    pub name: &'k str,
    /// The offset of its name.
    pub offset: u32,
    /// `true` if it calls a function or an operator that computes, and not only names or frees a value.
    pub is_call: bool,
    pub struct_info: Option<&'k StructInfo>,
    pub origins: Vec<&'k BindingOrigin>,
}

/// The origins up to a module.
pub struct Origins {
    pub all: Vec<BindingOrigin>,
    pub known: TracedModule,
}

impl Origins {
    /// Follows the origins from the first module that has them to the module `label`; without a label, reads those of
    /// the first.
    pub fn read(
        recording: &Recording,
        label: Option<&str>,
        files: &Files,
    ) -> anyhow::Result<Origins> {
        let by_module = by_module(recording)?;
        let mut origins: Vec<BindingOrigin> = Vec::new();
        let mut last: Option<TracedModule> = None;
        for module in &recording.modules {
            let own = by_module.get(&module.label);
            if own.is_none() && last.is_none() && label != Some(&*module.label) {
                continue;
            }
            let (path, snapshot) = snapshot(recording, module, files)?;
            let rows = match (own, &last) {
                (Some(own), _) => direct(&snapshot.form, own, &mut origins),
                (None, Some(before)) => inherited(before, &snapshot.form),
                (None, None) => FxHashMap::default(),
            };
            let is_wanted = label.is_none_or(|it| it == module.label);
            // A build that a pass makes of its own has nothing of the module.
            if is_wanted || !rows.is_empty() {
                last = Some(TracedModule {
                    path,
                    snapshot,
                    rows,
                });
            }
            if is_wanted {
                break;
            }
        }
        match last {
            Some(known) => Ok(Origins {
                all: origins,
                known,
            }),
            None => bail!("the recording has no module with origins"),
        }
    }

    /// Returns the modules whose origins were recorded: those that were imported, exported or built.
    pub fn recorded(recording: &Recording, files: &Files) -> anyhow::Result<Vec<Origins>> {
        let by_module = by_module(recording)?;
        let mut found = Vec::new();
        for module in &recording.modules {
            let Some(own) = by_module.get(&module.label) else {
                continue;
            };
            let (path, snapshot) = snapshot(recording, module, files)?;
            let mut all = Vec::new();
            let rows = direct(&snapshot.form, own, &mut all);
            let known = TracedModule {
                path,
                snapshot,
                rows,
            };
            found.push(Origins { all, known });
        }
        Ok(found)
    }

    /// Returns `None` if the file is not a module of a recording with origins.
    pub fn of_file(path: &Path, files: &Files) -> Option<Origins> {
        let recording = Recording::open(path.parent()?).ok()??;
        let label = path.file_stem()?.to_string_lossy();
        recording.module(&label)?;
        Origins::read(&recording, Some(&label), files).ok()
    }

    /// Returns the modules of the model by function and binding.
    pub fn module_paths(&self) -> ModulePaths {
        let bindings = self.bindings();
        let paths = bindings.iter().filter(|it| !it.name.is_empty());
        let paths = paths.filter_map(|it| {
            let module = it.origins.first()?.module.clone()?;
            Some(((it.function.to_owned(), it.name.to_owned()), module))
        });
        paths.collect()
    }

    /// Returns the bindings of Relax functions.
    pub fn bindings(&self) -> Vec<Traced<'_>> {
        let form = &self.known.snapshot.form;
        let mut found = Vec::new();
        for (at, function) in form.functions.iter().enumerate() {
            if function.kind != FunctionKind::Relax {
                continue;
            }
            for (nth, row) in (0..).zip(&function.rows) {
                if row.kind != RowKind::Binding {
                    continue;
                }
                let origins = self.known.rows.get(&(at, nth)).into_iter().flatten();
                let op = row.op.map(|it| it.name);
                found.push(Traced {
                    function: &function.name,
                    name: &row.name,
                    offset: function.row_range(nth).start().into(),
                    struct_info: row.struct_info.as_ref(),
                    is_call: row.callee.as_deref().or(op).is_some_and(computes),
                    origins: origins.map(|it| &self.all[*it as usize]).collect(),
                });
            }
        }
        found
    }
}

fn by_module(recording: &Recording) -> anyhow::Result<FxHashMap<String, ByBinding>> {
    let path = recording.folder.join(ORIGINS);
    let text = regular_file::read(&path)
        .with_context(|| format!("the recording has no `{}`", path.display()))?;
    serde_json::from_slice(&text).with_context(|| format!("cannot read `{}`", path.display()))
}

fn snapshot(
    recording: &Recording,
    module: &Module,
    files: &Files,
) -> anyhow::Result<(PathBuf, Snapshot)> {
    let path = recording.folder.join(&module.file);
    let read = files.analysis(&path)?;
    let snapshot = read.analysis.snapshot(read.file);
    let snapshot = snapshot.expect("nothing changes the file meanwhile");
    Ok((path, snapshot))
}

/// The origins of a recorded module by the line, starting at 1.
pub struct OriginsByLine {
    pub folder: PathBuf,
    lines: FxHashMap<u32, Vec<BindingOrigin>>,
    pub modules: ModulePaths,
}

impl OriginsByLine {
    /// Returns `None` if the file is not a module of a recording with origins.
    pub fn of_file(path: &Path, files: &Files) -> Option<OriginsByLine> {
        let origins = Origins::of_file(path, files)?;
        let starts = LineColumns::new(&origins.known.snapshot.text);
        let mut lines: FxHashMap<u32, Vec<BindingOrigin>> = FxHashMap::default();
        for it in origins.bindings() {
            let line = starts.line_col(it.offset.into()).0;
            let of_line = lines.entry(line).or_default();
            of_line.extend(it.origins.into_iter().cloned());
        }
        Some(OriginsByLine {
            folder: path.parent()?.to_owned(),
            modules: origins.module_paths(),
            lines,
        })
    }

    /// Returns the origins for the hover at a line.
    pub fn notes(&self, line: u32) -> Vec<OriginNote> {
        let mut notes: Vec<OriginNote> = Vec::new();
        for origin in self.of_line(line) {
            let node = origin.node();
            let line = origin.frames.first().and_then(|(file, line, _)| {
                let uri = uri::of_path(&absolute_path(&self.folder, file))?;
                let shown = format!("{}:{line}", file.rsplit('/').next().unwrap_or(file));
                Some((shown, format!("{}#L{line}", uri.as_str())))
            });
            let note = OriginNote {
                module: origin.module.clone().filter(|it| !it.is_empty()),
                node: node.map(|(name, op)| (name.to_owned(), op.to_owned())),
                line,
            };
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
        notes
    }

    pub fn of_line(&self, line: u32) -> &[BindingOrigin] {
        self.lines.get(&line).map_or(&[], Vec::as_slice)
    }
}

/// Returns `false` for what manages memory and checks shapes.
fn computes(callee: &str) -> bool {
    let own = ["memory", "builtin", "vm.", "call_packed"];
    !own.iter().any(|it| callee.contains(it))
}

/// Returns the rows of a module whose origins were recorded.
fn direct(
    form: &ModuleForm,
    own: &ByBinding,
    origins: &mut Vec<BindingOrigin>,
) -> FxHashMap<(usize, u32), Vec<u32>> {
    let mut rows = FxHashMap::default();
    for (at, function) in form.functions.iter().enumerate() {
        let Some(bindings) = own.get(&*function.name) else {
            continue;
        };
        for (nth, row) in (0..).zip(&function.rows) {
            if row.kind != RowKind::Binding {
                continue;
            }
            if let Some(origin) = bindings.get(&*row.name) {
                if origins.last() != Some(origin) {
                    origins.push(origin.clone());
                }
                rows.insert((at, nth), vec![origins.len() as u32 - 1]);
            }
        }
    }
    rows
}

/// How a row continues others. Tensors share a storage, which is of none of them.
const SAME: [Relation; 6] = [
    Relation::Unchanged,
    Relation::Renamed,
    Relation::Changed,
    Relation::Moved,
    Relation::Member,
    Relation::Written,
];

/// Returns the rows of a module that continue rows of the module before it.
fn inherited(before: &TracedModule, form: &ModuleForm) -> FxHashMap<(usize, u32), Vec<u32>> {
    let old = &before.snapshot.form;
    let difference = ModuleDifference::of(old, form).reversed();
    let mut rows = FxHashMap::default();
    for (at, function) in form.functions.iter().enumerate() {
        if function.kind != FunctionKind::Relax {
            continue;
        }
        for (nth, row) in (0..).zip(&function.rows) {
            if row.kind != RowKind::Binding {
                continue;
            }
            let successors = difference.successors(form, old, at, Some(nth));
            let of = |relations: &[Relation]| {
                let found = successors
                    .iter()
                    .filter(|it| relations.contains(&it.relation));
                let rows = found.filter_map(|it| before.rows.get(&(it.function, it.row?)));
                let mut of_rows: Vec<u32> = rows.flatten().copied().collect();
                of_rows.sort_unstable();
                of_rows.dedup();
                of_rows
            };
            let mut of_row = of(&SAME);
            if of_row.is_empty() {
                of_row = of(&[Relation::Part]);
            }
            if !of_row.is_empty() {
                rows.insert((at, nth), of_row);
            }
        }
        through_memory(at, function, &mut rows);
    }
    rows
}

/// Gives a call that writes into tensors the origins of what it writes: of the tensors, or of their tuple.
fn through_memory(
    at: usize,
    function: &FunctionForm,
    rows: &mut FxHashMap<(usize, u32), Vec<u32>>,
) {
    let op = |row: u32| function.rows[row as usize].op.map_or("", |it| it.name);
    let count = function.rows.len() as u32;
    let is_plain = |row: &u32| {
        let it = &function.rows[*row as usize];
        it.kind == RowKind::Binding && it.op.is_none() && it.callee.is_none()
    };
    // For each allocation, the row that names it.
    let mut holders: FxHashMap<u32, u32> = FxHashMap::default();
    for row in (0..count).filter(is_plain) {
        for operand in function
            .operands(row)
            .filter(|it| op(*it).contains("alloc"))
        {
            holders.entry(operand).or_insert(row);
        }
    }
    for row in 0..count {
        let is_call = function.rows[row as usize].callee.is_some();
        if !is_call || rows.contains_key(&(at, row)) {
            continue;
        }
        let written = function
            .operands(row)
            .filter(|it| op(*it).contains("alloc"));
        let mut last = None;
        for it in written {
            let of_holder = holders.get(&it).and_then(|it| rows.get(&(at, *it)));
            // The operands come first, and what is written last.
            last = of_holder.or_else(|| rows.get(&(at, it))).or(last);
        }
        if let Some(origins) = last.cloned() {
            rows.insert((at, row), origins);
        }
    }
}
