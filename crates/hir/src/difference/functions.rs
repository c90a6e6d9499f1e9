//! Matches the functions of two modules.

use ::relax::FunctionKind;
use rustc_hash::FxHashMap;

use super::rows::Sides;
use super::{FunctionDifference, Kind, ModuleDifference, origins};
use crate::form::{FunctionForm, Hashes, ModuleForm, PlacedForm, RowKind, fold, word};

pub(super) fn compare(before: &ModuleForm, after: &ModuleForm) -> ModuleDifference {
    let matched = Matched::of(before, after);
    let mut results_before = Results::new(before, &matched.of_before, true);
    let mut results_after = Results::new(after, &matched.of_after, false);
    let mut functions: Vec<FunctionDifference> = Vec::new();
    for (at, function) in after.functions.iter().enumerate() {
        let Some(partner) = matched.of_after[at] else {
            functions.push(FunctionDifference {
                before: None,
                after: Some(at),
                kind: Kind::Added { from: Vec::new() },
                changes: Vec::new(),
                pairs: Vec::new(),
            });
            continue;
        };
        let of_before = &before.functions[partner];
        let sides = Sides {
            before: of_before,
            after: function,
            callees_before: callees(before, of_before, &matched.of_before, true),
            callees_after: callees(after, function, &matched.of_after, false),
            results_before: results_before.of_callees(of_before),
            results_after: results_after.of_callees(function),
        };
        let is_shared = of_before.is(function) && sides.callees_before == sides.callees_after;
        let (changes, pairs) = if is_shared {
            let rows = 0..function.rows.len() as u32;
            (Vec::new(), rows.map(|row| (row, row)).collect())
        } else {
            sides.compare()
        };
        let kind = match (changes.is_empty(), of_before.name == function.name) {
            (true, true) => Kind::Unchanged,
            (true, false) => Kind::Renamed,
            (false, _) => Kind::Changed,
        };
        functions.push(FunctionDifference {
            before: Some(partner),
            after: Some(at),
            kind,
            changes,
            pairs,
        });
    }
    let mut functions = with_removed(functions, &matched.of_before);
    origins::find(before, after, &mut functions);
    ModuleDifference { functions }
}

/// Lists each removed function after its predecessor.
fn with_removed(
    functions: Vec<FunctionDifference>,
    partners: &[Option<usize>],
) -> Vec<FunctionDifference> {
    let mut predecessor = None;
    let mut removed: FxHashMap<Option<usize>, Vec<usize>> = FxHashMap::default();
    for (at, partner) in partners.iter().enumerate() {
        match partner {
            Some(_) => predecessor = Some(at),
            None => removed.entry(predecessor).or_default().push(at),
        }
    }
    let mut all: Vec<FunctionDifference> = Vec::with_capacity(functions.len() + removed.len());
    let mut add_removed = |after: Option<usize>, all: &mut Vec<FunctionDifference>| {
        let gone = removed.remove(&after).into_iter().flatten();
        all.extend(gone.map(|at| FunctionDifference {
            before: Some(at),
            after: None,
            kind: Kind::Removed { into: Vec::new() },
            changes: Vec::new(),
            pairs: Vec::new(),
        }));
    };
    add_removed(None, &mut all);
    for function in functions {
        let before = function.before;
        all.push(function);
        if before.is_some() {
            add_removed(before, &mut all);
        }
    }
    all
}

/// The counterpart of each function in the other module.
struct Matched {
    of_before: Vec<Option<usize>>,
    of_after: Vec<Option<usize>>,
}

impl Matched {
    fn of(before: &ModuleForm, after: &ModuleForm) -> Matched {
        let mut matched = Matched {
            of_before: vec![None; before.functions.len()],
            of_after: vec![None; after.functions.len()],
        };
        let several_modules = |it: &ModuleForm| it.functions.iter().any(|f| f.module > Some(0));
        let by_module = several_modules(before) || several_modules(after);
        let name = |it: &PlacedForm| {
            let module = it.module.filter(|_| by_module);
            fold(word(it.name.as_str()), word((module, it.kind as u8)))
        };
        let names = [before, after].map(|module| module.functions.iter().map(name).collect());
        let [names_before, names_after]: [Vec<u64>; 2] = names;
        let key = |names: &[u64], hashes: &[u64]| -> Vec<u64> {
            names
                .iter()
                .zip(hashes)
                .map(|(a, b)| fold(*a, *b))
                .collect()
        };
        let (a, b) = (before.contents(), after.contents());
        matched.pair(&key(&names_before, &a.deep), &key(&names_after, &b.deep));
        matched.pair(&a.deep, &b.deep);
        matched.pair(&names_before, &names_after);
        matched.pair(&a.own, &b.own);
        matched
    }

    /// Matches remaining functions that have the same key, in order.
    fn pair(&mut self, before: &[u64], after: &[u64]) {
        let mut waiting: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
        for (at, key) in before.iter().enumerate().rev() {
            if self.of_before[at].is_none() {
                waiting.entry(*key).or_default().push(at);
            }
        }
        for (at, key) in after.iter().enumerate() {
            if self.of_after[at].is_none()
                && let Some(partner) = waiting.get_mut(key).and_then(Vec::pop)
            {
                self.of_after[at] = Some(partner);
                self.of_before[partner] = Some(at);
            }
        }
    }
}

/// Returns the counterparts of the functions that `function` names, for both sides.
fn callees(
    module: &ModuleForm,
    function: &FunctionForm,
    partners: &[Option<usize>],
    is_before: bool,
) -> Vec<u64> {
    let class = |name: &smol_str::SmolStr| match module.named(name, function.module) {
        Some(at) => match (is_before, partners[at]) {
            (true, Some(_)) => word(("pair", at)),
            (false, Some(partner)) => word(("pair", partner)),
            (_, None) => word(("alone", is_before, at)),
        },
        None => word(name.as_str()),
    };
    function.callees.iter().map(class).collect()
}

/// For functions that the other side lacks: the own hash of the row that computes the result.
struct Results<'a> {
    module: &'a ModuleForm,
    partners: &'a [Option<usize>],
    is_before: bool,
    known: FxHashMap<usize, Option<u64>>,
}

impl<'a> Results<'a> {
    fn new(module: &'a ModuleForm, partners: &'a [Option<usize>], is_before: bool) -> Results<'a> {
        Results {
            module,
            partners,
            is_before,
            known: FxHashMap::default(),
        }
    }

    fn of_callees(&mut self, function: &FunctionForm) -> Vec<Option<u64>> {
        let callees = function.callees.iter();
        let result = |name: &smol_str::SmolStr| {
            let at = self.module.named(name, function.module)?;
            if let Some(known) = self.known.get(&at) {
                return *known;
            }
            let result = self.of(at);
            self.known.insert(at, result);
            result
        };
        callees.map(result).collect()
    }

    fn of(&self, at: usize) -> Option<u64> {
        let callee = &self.module.functions[at];
        if self.partners[at].is_some() || callee.kind != FunctionKind::Relax {
            return None;
        }
        let mut rows = (0..).zip(&callee.rows);
        let (returned, _) = rows.find(|(_, row)| row.kind == RowKind::Return)?;
        let row = callee.operands(returned).next()?;
        let classes = callees(self.module, callee, self.partners, self.is_before);
        Some(Hashes::of(callee, &|at| classes[at as usize]).own[row as usize])
    }
}
