//! Inlay hints: the types of unannotated bindings, the parameter names of literals, the values of dimensions, and
//! purity; in PrimFuncs the dtypes of variables and the domains of remapped axes.

mod call;
mod purity;

use hir::LazyFacts;
use hir::body::{Body, Stmt};
use hir::enclosing::PyValue;
use hir::facts::{Var, VarKind};
use hir::prim_facts::{Dim, PrimDefKind};
use hir::{Database, Db as _, FunctionItem, SourceFile, function_prim_facts};
use relax::FunctionKind;
use relax::dialect::Dialect;
use relax::release::Release;
use relax::script::Namespace;
use relax::sinfo::display::CUT;
use text_size::{TextRange, TextSize};

use crate::analysis::{Analysis, Cancellable};
use crate::annotations;
use crate::mentions::functions_in;
use crate::parts::in_parts;
use crate::relay;
use crate::semantics::FunctionContext;
use crate::semantics::spelling::{LINE, alias};
use crate::source_edit::SourceEdit;
use crate::types::{FileId, HintKind, HintLink, InlayHint};

impl Analysis {
    /// Returns the inlay hints in a range.
    pub fn inlay_hints(&self, file: FileId, range: TextRange) -> Cancellable<Vec<InlayHint>> {
        self.with_file(file, |db, file| match hir::relay_file(db, file) {
            Some(relay) => relay::inlay_hints::inlay_hints(relay, &file.source(db).text, range),
            None => inlay_hints(db, file, range),
        })
    }
}

pub fn inlay_hints(db: &Database, file: SourceFile, range: TextRange) -> Vec<InlayHint> {
    let mut hints = Vec::new();
    in_parts(db, &file.source(db).text, range, |db, part| {
        let mut found = hints_of_part(db, file, part);
        // A statement that spans two parts gives all its hints in each of them.
        if part.start() > range.start() {
            found.retain(|hint| hint.offset >= part.start());
        }
        if part.end() < range.end() {
            found.retain(|hint| hint.offset < part.end());
        }
        hints.extend(found);
    });
    hints
}

/// Like `inlay_hints`, for a short range.
pub(crate) fn hints_of_part(db: &Database, file: SourceFile, range: TextRange) -> Vec<InlayHint> {
    let mut hints = Vec::new();
    for &function in functions_in(db, file, range) {
        match function.kind(db) {
            FunctionKind::Relax => {
                if let Some(hinting) = Hinting::new(db, file, function, range) {
                    hinting.hints(&mut hints);
                }
            }
            FunctionKind::PrimFunc => prim_hints(db, function, range, &mut hints),
            FunctionKind::Macro | FunctionKind::Python => {}
        }
    }
    hints.sort_by_key(|hint| hint.offset);
    hints
}

/// The maximum length of a type in a hint. VS Code shows 43 characters of hints in a line.
const LONGEST: usize = 40;

/// A Relax function with the range that is shown, relative to the function.
struct Hinting<'db> {
    cx: FunctionContext<'db>,
    start: TextSize,
    shown: TextRange,
    release: Release,
    body: &'db Body,
    facts: &'db LazyFacts,
}

impl<'db> Hinting<'db> {
    fn new(
        db: &'db Database,
        file: SourceFile,
        function: FunctionItem<'db>,
        range: TextRange,
    ) -> Option<Hinting<'db>> {
        let cx = FunctionContext::new(db, file, function)?;
        let start = cx.start;
        let relative = |offset: TextSize| offset.checked_sub(start).unwrap_or_default();
        Some(Hinting {
            start,
            shown: TextRange::new(relative(range.start()), relative(range.end())),
            release: cx.release,
            body: cx.body,
            facts: cx.facts,
            cx,
        })
    }

    fn hints(&self, hints: &mut Vec<InlayHint>) {
        self.bindings(hints);
        self.header(hints);
        let touched = |stmt: &&Stmt| self.shown.intersect(stmt.range).is_some();
        for stmt in self.body.stmts_in(self.shown).filter(touched) {
            self.cx.db.give_way();
            self.stmt(stmt, hints);
        }
    }

    fn bindings(&self, hints: &mut Vec<InlayHint>) {
        let shown = |var: &Var<'_>| self.shown.contains_inclusive(var.name_range.end());
        for var in self
            .facts
            .vars_around(self.shown)
            .filter(shown)
            .filter(wants_hint)
        {
            self.cx.db.give_way();
            let label = format!(": {}", var.struct_info.short_within(LONGEST));
            let annotation = format!(": {}", self.cx.written_within(var.struct_info, LINE));
            // A truncated text is no annotation.
            let is_whole = !annotation.ends_with(CUT);
            hints.push(InlayHint {
                offset: var.name_range.end() + self.start,
                links: self.links(&label, &var),
                insert: is_whole
                    .then(|| self.insertion(&var, &annotation))
                    .flatten(),
                label,
                kind: HintKind::StructInfo,
                explained: true,
            });
        }
    }

    /// Returns the edit that annotates a variable, including declarations of shape variables that only strings of the
    /// signature name; `None` if the annotation cannot be written.
    fn insertion(&self, var: &Var<'_>, annotation: &str) -> Option<SourceEdit> {
        let mut undeclared = var.struct_info.used_vars();
        undeclared.retain(|sym| {
            let id = self.facts.sym_id(sym);
            self.release.dialect() != Dialect::Rfc
                && !id.is_some_and(|id| self.facts.declares(id))
                && !matches!(
                    self.cx.function.env(self.cx.db).get(&sym.name),
                    Some(PyValue::ShapeVar(_, _))
                )
        });
        if !annotations::is_spelled(&self.cx, var.struct_info, annotation)
            || !is_only_target(self.cx.text(), var.name_range)
        {
            return None;
        }
        let declared = annotations::declaration(&self.cx, &undeclared)?;
        let edit = declared.and_insert(var.name_range.end(), annotation);
        Some(edit.moved(self.start))
    }

    /// Returns the shape variables in a label, each with a link to its binding.
    fn links(&self, label: &str, var: &Var<'_>) -> Vec<HintLink> {
        let mut links = Vec::new();
        let mut seen = Vec::new();
        var.struct_info.for_each_sym_var(&mut |sym| {
            if seen.contains(sym) {
                return;
            }
            seen.push(sym.clone());
            let id = self.facts.sym_id(sym);
            let Some(target) = id.and_then(|id| self.facts.sym_bound_at(id)) else {
                return;
            };
            links.extend(words(label, &sym.name).map(|range| HintLink {
                range,
                target: target + self.start,
            }));
        });
        links.sort_by_key(|link| link.range.start());
        links
    }

    /// Adds the hints for the shown statements of a block.
    fn block(&self, block: &[Stmt], hints: &mut Vec<InlayHint>) {
        let from = block.partition_point(|stmt| stmt.range.end() < self.shown.start());
        let shown = block[from..].iter();
        for stmt in shown.take_while(|stmt| stmt.range.start() <= self.shown.end()) {
            self.stmt(stmt, hints);
        }
    }

    fn stmt(&self, stmt: &Stmt, hints: &mut Vec<InlayHint>) {
        self.calls(stmt, hints);
        self.dataflow(stmt, hints);
        for inner in stmt.blocks() {
            self.block(inner, hints);
        }
    }
}

/// Returns `true` if the name is the only target of an assignment. Other targets cannot be annotated.
fn is_only_target(text: &str, name: TextRange) -> bool {
    let line = text[..name.start().into()].rsplit(['\n', ';']).next();
    let rest = text[name.end().into()..].trim_start_matches([' ', '\t']);
    let value = rest.strip_prefix('=').filter(|it| !it.starts_with('='));
    let is_another = |value: &str| {
        let name = |c: char| c.is_alphanumeric() || c == '_';
        let rest = value.trim_start().trim_start_matches(name).trim_start();
        rest.starts_with('=') && !rest.starts_with("==")
    };
    line.is_some_and(|line| line.trim().is_empty()) && value.is_some_and(|it| !is_another(it))
}

/// Returns the occurrences of a word in a text.
fn words<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = TextRange> + 't {
    let part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.match_indices(word).filter_map(move |(at, _)| {
        let (before, after) = (&text[..at], &text[at + word.len()..]);
        let whole = !part(before.chars().next_back()) && !part(after.chars().next());
        // A dtype is before its dimensions.
        let is_dtype = after.starts_with('[');
        let range = TextRange::at(TextSize::new(at as u32), TextSize::of(word));
        (whole && !is_dtype).then_some(range)
    })
}

fn prim_hints(
    db: &Database,
    function: FunctionItem<'_>,
    range: TextRange,
    hints: &mut Vec<InlayHint>,
) {
    let start = function.offset(db);
    let text = &function.file(db).source(db).text;
    let tir = alias(function.env(db), Namespace::Tir);
    for def in &function_prim_facts(db, function).defs {
        let at = def.name_range.end() + start;
        // The annotation after `x: T.let` is not a dtype.
        let annotated = text[at.into()..].trim_start_matches(' ').starts_with(':');
        if !range.contains_inclusive(at) || annotated {
            continue;
        }
        let (label, insertable) = match &def.kind {
            PrimDefKind::Let {
                dtype: Some(dtype),
                annotated: false,
                ..
            } => (format!(": {tir}.{dtype}"), true),
            // The domain of `T.axis.remap` is in the loops, and that of `T.axis.spatial` is next to the name.
            PrimDefKind::Axis(axis)
                if !axis
                    .stop
                    .is_some_and(|it| def.range.contains_range(it.range)) =>
            {
                let bound = |dim: Option<Dim>| dim.map_or(Some(0), |dim| dim.value);
                match (bound(axis.start), axis.stop.and_then(|stop| stop.value)) {
                    (Some(start), Some(stop)) => (format!(" in [{start}, {stop})"), false),
                    _ => continue,
                }
            }
            _ => continue,
        };
        hints.push(InlayHint {
            offset: at,
            insert: (insertable && is_only_target(text, def.name_range + start))
                .then(|| SourceEdit::insert(at, label.clone())),
            label,
            links: Vec::new(),
            kind: HintKind::StructInfo,
            explained: true,
        });
    }
}

fn wants_hint(var: &Var<'_>) -> bool {
    let is_binding = matches!(var.kind, VarKind::Var | VarKind::Dataflow);
    // A value named `_` is not meant to be read.
    let named = !var.name_range.is_empty() && !var.name.starts_with('_');
    is_binding && named && !var.annotated && !var.struct_info.is_unknown()
}

#[cfg(test)]
mod tests;
