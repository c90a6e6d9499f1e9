//! The releases of TVM that a file may be written for, and contradictions between its uses.

use std::cmp::Reverse;
use std::sync::Arc;

use relax::diagnostics::{Code, Diagnostic};
use relax::evidence::{EvidenceId, evidences, releases_of};
use relax::release::{Release, Releases};
use rustc_hash::FxHashMap;
use salsa::plumbing::AsId as _;
use text_size::TextRange;

use super::body_of;
use crate::db::{Config, Db, SourceFile};
use crate::evidence::{self, EvidenceUse, Import, Uses};
use crate::foreign::{self, ForeignSpelling};
use crate::item_tree::{FunctionItem, file_items};

/// Returns the configured release of a file, or that of its project.
pub fn target(db: &dyn Db, file: SourceFile) -> Option<Release> {
    Config::get(db).target(db).or(file.target(db))
}

/// Returns the releases that a file may be written for: the configured one, or else those that its uses leave.
#[salsa::tracked(returns(copy))]
pub fn file_releases(db: &dyn Db, file: SourceFile) -> Releases {
    if let Some(target) = target(db, file) {
        return Releases::only(target);
    }
    let used: Vec<(EvidenceId, usize)> = used(db, file).into_iter().collect();
    releases_of(&used)
}

/// Returns the release that a file is read as: the newest that it may be written for.
pub fn file_release(db: &dyn Db, file: SourceFile) -> Release {
    file_releases(db, file).until
}

/// Returns how often a file uses each row.
fn used(db: &dyn Db, file: SourceFile) -> FxHashMap<EvidenceId, usize> {
    let mut used = FxHashMap::default();
    for it in file_imports(db, file) {
        *used.entry(it.id).or_default() += 1;
    }
    for id in file_paths(db, file) {
        *used.entry(*id).or_default() += 1;
    }
    for &function in &file_items(db, file).functions {
        for (id, count) in function_evidence(db, function) {
            *used.entry(*id).or_default() += usize::from(*count);
        }
    }
    used
}

#[salsa::tracked(returns(ref))]
fn file_imports(db: &dyn Db, file: SourceFile) -> Vec<Import> {
    evidence::imports(&file.source(db).parse.tree())
}

#[salsa::tracked(returns(ref))]
fn file_paths(db: &dyn Db, file: SourceFile) -> Vec<EvidenceId> {
    evidence::paths(file.source(db))
}

#[salsa::tracked(returns(ref), no_eq)]
fn function_names<'db>(db: &'db dyn Db, function: FunctionItem<'db>) -> Arc<Uses> {
    let before = db.previous().get::<Uses>(function.as_id());
    let body = body_of(db, function);
    let uses = Arc::new(Uses::of(body, function.env(db), before.as_deref()));
    if uses.is_worth_keeping() {
        db.previous().insert(function.as_id(), Arc::clone(&uses));
    }
    uses
}

/// Returns the rows that a function uses, with capped counts, which rarely change in an edit.
#[salsa::tracked(returns(ref))]
fn function_evidence<'db>(db: &'db dyn Db, function: FunctionItem<'db>) -> Vec<(EvidenceId, u8)> {
    let counts = function_names(db, function).counts();
    let enough = |(id, count): (EvidenceId, u32)| (id, count.min(evidence::ENOUGH) as u8);
    let mut counts: Vec<(EvidenceId, u8)> = counts.map(enough).collect();
    counts.sort_unstable();
    counts
}

/// Two rows that a file uses and no release has together: the one that fewer uses agree with, and one that contradicts
/// it.
pub(super) type Contradiction = (EvidenceId, EvidenceId);

#[salsa::tracked(returns(ref))]
fn contradictions(db: &dyn Db, file: SourceFile) -> Vec<Contradiction> {
    if target(db, file).is_some() {
        return Vec::new();
    }
    let releases = file_releases(db, file);
    let used = used(db, file);
    let row = |id: EvidenceId| evidences().row(id);
    let strong = || used.iter().filter(|(id, _)| !row(**id).weak);
    let outside = strong().filter(|(id, _)| row(**id).releases.and(releases).is_none());
    let against = |id: EvidenceId| {
        let agrees = |it: EvidenceId, others: Releases| row(it).releases.and(others).is_some();
        let others = strong().filter(|(other, _)| {
            agrees(**other, releases)
                && !agrees(**other, row(id).releases)
                && !row(**other).has_met(row(id))
        });
        let most = others.max_by_key(|(other, count)| (**count, Reverse(**other)));
        Some((id, *most?.0))
    };
    let mut found: Vec<_> = outside.filter_map(|(&id, _)| against(id)).collect();
    found.sort_unstable();
    found
}

/// Returns the uses in a function that the release of its file does not have.
#[salsa::tracked(returns(ref), no_eq)]
pub(super) fn function_spellings<'db>(
    db: &'db dyn Db,
    function: FunctionItem<'db>,
) -> Vec<ForeignSpelling> {
    let file = function.file(db);
    let release = file_release(db, file);
    let has_target = target(db, file).is_some();
    let contradictions = contradictions(db, file);
    let uses = function_names(db, function);
    let found = uses.those(|id| foreign::is_foreign(id, release));
    let spelling = |found: EvidenceUse| {
        let mut contradictions = contradictions.iter();
        let against = contradictions.find(|it| it.0 == found.id).map(|it| it.1);
        ForeignSpelling::new(found, release, against, has_target)
    };
    found.into_iter().map(spelling).collect()
}

/// Reports imports that the target does not have, or that contradict the rest of the file.
pub(super) fn imports(db: &dyn Db, file: SourceFile, all: &mut Vec<Diagnostic>) {
    let release = file_release(db, file);
    let has_target = target(db, file).is_some();
    for import in file_imports(db, file) {
        if has_target && foreign::is_foreign(import.id, release) {
            all.push(foreign::import(import, release, None));
        }
    }
    for (id, other) in contradictions(db, file) {
        let mut imports = file_imports(db, file).iter();
        if let Some(import) = imports.find(|it| it.id == *id) {
            all.push(foreign::import(import, release, Some(*other)));
        }
    }
}

/// Keeps one report of each contradiction, and relates it to the place that it contradicts.
pub(super) fn relate(db: &dyn Db, file: SourceFile, all: &mut Vec<Diagnostic>) {
    for &(id, other) in contradictions(db, file) {
        let message = foreign::contradiction(id, other);
        let is_of_it = |it: &Diagnostic| it.code == Code::OtherDialect && it.message == message;
        let mut is_first = true;
        all.retain(|it| !is_of_it(it) || std::mem::take(&mut is_first));
        if let Some(report) = all.iter_mut().find(|it| is_of_it(it))
            && report.related.is_empty()
            && let Some(at) = first_use(db, file, other)
        {
            let note = foreign::existence(evidences().row(other));
            report.related.push((at, note));
        }
    }
}

/// Returns the first use of a row in a file.
fn first_use(db: &dyn Db, file: SourceFile, id: EvidenceId) -> Option<TextRange> {
    let imports = file_imports(db, file).iter();
    let imports = imports.filter(|it| it.id == id).map(|it| it.part);
    let functions = file_items(db, file).functions.iter();
    let functions = functions.filter(|it| {
        let mut rows = function_evidence(db, **it).iter();
        rows.any(|it| it.0 == id)
    });
    let uses = functions.flat_map(|it| {
        let found = function_names(db, *it).those(|used| used == id);
        found.into_iter().map(|found| found.part + it.offset(db))
    });
    imports.chain(uses).min_by_key(|it| it.start())
}
