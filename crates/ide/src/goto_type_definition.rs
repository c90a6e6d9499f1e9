//! Goes from a value to the bindings of the shape variables in its StructInfo.

use hir::LazyFacts;
use hir::prim_facts::{Dim, PrimDefId, PrimDefKind, Target};
use hir::{Database, FunctionItem, SourceFile};
use relax::FunctionKind;
use relax::sinfo::StructInfo;
use text_size::TextRange;

use crate::analysis::{Analysis, Cancellable};
use crate::mentions::{self, Symbol};
use crate::semantics::{RelaxPosition, function_at};
use crate::types::{FilePosition, NavigationTarget};

impl Analysis {
    /// Returns the bindings of the shape variables in the StructInfo at a position.
    pub fn goto_type_definition(
        &self,
        position: FilePosition,
    ) -> Cancellable<Vec<NavigationTarget>> {
        self.with_file(position.file, |db, file| {
            goto_type_definition(db, file, position)
        })
    }
}

fn goto_type_definition(
    db: &Database,
    file: SourceFile,
    position: FilePosition,
) -> Vec<NavigationTarget> {
    let mention = mentions::mention_at(db, file, position.offset);
    let bound = match mention.map(|mention| mention.symbol) {
        Some(Symbol::Var(function, var)) => {
            let facts = hir::lazy_facts(db, function);
            binders(db, function, facts, facts.var(var).struct_info)
        }
        Some(symbol @ Symbol::Shape(..)) => mentions::definitions(db, file, &symbol),
        Some(symbol @ Symbol::Python(..)) => of_python(db, file, &symbol, position),
        Some(Symbol::Tir(function, id)) => of_prim(db, function, id),
        Some(_) => Vec::new(),
        None => of_expression(db, file, position).unwrap_or_default(),
    };
    let targets = bound.into_iter();
    targets
        .map(|range| NavigationTarget::of_name(position.file, range))
        .collect()
}

/// Returns the bindings for the innermost expression whose StructInfo is known.
fn of_expression(
    db: &Database,
    file: SourceFile,
    position: FilePosition,
) -> Option<Vec<TextRange>> {
    let position = RelaxPosition::at(db, file, position.offset)?;
    if position.function.kind(db) != FunctionKind::Relax {
        return None;
    }
    let known = |sinfo: &StructInfo| !sinfo.is_unknown();
    let sinfo = position
        .expressions()
        .into_iter()
        .find_map(|expr| position.facts.value(expr).struct_info().filter(known))?;
    Some(binders(db, position.function, position.facts, &sinfo))
}

/// Returns where functions bind a shape variable that Python declares: the function at the cursor, or all functions.
fn of_python(
    db: &Database,
    file: SourceFile,
    symbol: &Symbol<'_>,
    position: FilePosition,
) -> Vec<TextRange> {
    let around = function_at(db, file, position.offset);
    let binds = |range: &TextRange| match (around, function_at(db, file, range.start())) {
        (Some(around), at) => at == Some(around),
        (None, at) => at.is_some_and(|it| it.kind(db) != FunctionKind::Python),
    };
    let mut found = mentions::definitions(db, file, symbol);
    found.retain(binds);
    found
}

/// Returns the definitions of the shape variables in the shape of a buffer, or in the bounds of a loop or an axis.
fn of_prim(db: &Database, function: FunctionItem<'_>, id: PrimDefId) -> Vec<TextRange> {
    let facts = hir::function_prim_facts(db, function);
    let dims: Vec<Dim> = match &facts.def(id).kind {
        PrimDefKind::Buffer(buffer) => buffer.shape.iter().flatten().copied().collect(),
        PrimDefKind::Loop(it) => [it.start, it.stop].into_iter().flatten().collect(),
        PrimDefKind::Axis(it) => [it.start, it.stop].into_iter().flatten().collect(),
        _ => Vec::new(),
    };
    let mut found = Vec::new();
    for mention in &facts.mentions {
        if let Target::Def(var) = mention.target
            && dims
                .iter()
                .any(|dim| dim.range.contains_range(mention.range))
            && let def = facts.def(var)
            && matches!(def.kind, PrimDefKind::ShapeVar(_))
        {
            let range = def.name_range + function.offset(db);
            if !found.contains(&range) {
                found.push(range);
            }
        }
    }
    found
}

/// Returns the binding of each shape variable of `sinfo`, in the order of its dimensions.
fn binders(
    db: &Database,
    function: FunctionItem<'_>,
    facts: &LazyFacts,
    sinfo: &StructInfo,
) -> Vec<TextRange> {
    let mut found = Vec::new();
    sinfo.for_each_sym_var(&mut |var| {
        let fact = facts.sym_of(var);
        if let Some(at) = fact.and_then(|sym| sym.bound_at) {
            let range = at + function.offset(db);
            if !found.contains(&range) {
                found.push(range);
            }
        }
    });
    found
}
