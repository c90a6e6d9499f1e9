//! Matches the rows of two functions, and compares them.

use imara_diff::{Algorithm, Diff, InternedInput};
use rustc_hash::FxHashMap;

use super::Change;
use super::aliases::Aliases;
use crate::form::{FunctionForm, Hashes, RowKind, Token, fold, word};

/// Two functions, with the counterparts of the functions that they name.
pub(super) struct Sides<'a> {
    pub before: &'a FunctionForm,
    pub after: &'a FunctionForm,
    pub callees_before: Vec<u64>,
    pub callees_after: Vec<u64>,
    /// For each callee that the other side lacks, the own hash of the row that computes its result.
    pub results_before: Vec<Option<u64>>,
    pub results_after: Vec<Option<u64>>,
}

/// The counterpart of each row on the other side.
struct Partners {
    of_before: Vec<Option<u32>>,
    of_after: Vec<Option<u32>>,
}

impl Partners {
    fn join(&mut self, before: u32, after: u32) {
        self.of_before[before as usize] = Some(after);
        self.of_after[after as usize] = Some(before);
    }

    fn free_before(&self) -> Vec<u32> {
        free(&self.of_before)
    }

    fn free_after(&self) -> Vec<u32> {
        free(&self.of_after)
    }
}

fn free(partners: &[Option<u32>]) -> Vec<u32> {
    let rows = (0..).zip(partners);
    rows.filter(|(_, it)| it.is_none())
        .map(|(at, _)| at)
        .collect()
}

impl Sides<'_> {
    /// Returns the changes in the order of the second function, and the pairs in that of the first.
    pub fn compare(&self) -> (Vec<Change>, Vec<(u32, u32)>) {
        let partners = self.partners();
        let pairs: Vec<(u32, u32)> = (0..)
            .zip(&partners.of_before)
            .filter_map(|(before, after)| Some((before, (*after)?)))
            .collect();
        let mut syms = Syms::default();
        let aliases = (
            Aliases::of(self.before, &partners.of_before),
            Aliases::of(self.after, &partners.of_after),
        );
        let moved = self.moved(&pairs, &partners);
        let around = (
            blocks_around(self.before, &partners.of_before),
            blocks_around(self.after, &partners.of_after),
        );
        let mut changes: Vec<Change> = Vec::new();
        for (&(before, after), moved) in pairs.iter().zip(moved) {
            let mut parts = self.differing(before, after, &partners, &aliases, &mut syms);
            let (a, b) = (
                &self.before.rows[before as usize],
                &self.after.rows[after as usize],
            );
            if a.kind != b.kind {
                parts.push("kind");
            }
            if a.kind == RowKind::Attribute && a.name != b.name {
                parts.push("key");
            }
            if self.changes_its_block((before, after), &partners, (&around.0, &around.1)) {
                parts.push("block");
            }
            if moved || !parts.is_empty() {
                changes.push(Change {
                    before: Some(before),
                    after: Some(after),
                    parts,
                    moved,
                });
            }
        }
        let alone = |before: Option<u32>, after: Option<u32>| Change {
            before,
            after,
            parts: Vec::new(),
            moved: false,
        };
        // TVM completes regions that a block does not declare.
        let counts =
            |function: &FunctionForm, at: &u32| function.rows[*at as usize].kind != RowKind::Region;
        let added = partners.free_after().into_iter();
        let added = added.filter(|at| counts(self.after, at));
        changes.extend(added.map(|at| alone(None, Some(at))));
        let gone = partners.free_before().into_iter();
        let gone = gone.filter(|at| counts(self.before, at));
        changes.extend(gone.map(|at| alone(Some(at), None)));
        // List a removed row before its successor.
        let mut next = u32::MAX;
        let mut places: Vec<u32> = vec![next; partners.of_before.len()];
        for (place, partner) in places.iter_mut().zip(&partners.of_before).rev() {
            next = partner.unwrap_or(next);
            *place = next;
        }
        changes.sort_by_key(|it| match (it.after, it.before) {
            (Some(after), _) => (after, 1, 0),
            (None, Some(before)) => (places[before as usize], 0, before),
            (None, None) => (u32::MAX, 2, 0),
        });
        (changes, pairs)
    }

    fn partners(&self) -> Partners {
        let mut partners = Partners {
            of_before: vec![None; self.before.rows.len()],
            of_after: vec![None; self.after.rows.len()],
        };
        let a = Hashes::of(self.before, &|at| self.callees_before[at as usize]);
        let b = Hashes::of(self.after, &|at| self.callees_after[at as usize]);
        // Equal rows are matched by their users, or by their names.
        let used = (used_by(self.before, &a), used_by(self.after, &b));
        let named = (
            with_names(self.before, &a.deep),
            with_names(self.after, &b.deep),
        );
        for (before, after) in [(&used.0, &used.1), (&named.0, &named.1), (&a.deep, &b.deep)] {
            self.join_free(before, after, &mut partners);
            join_in_order(before, after, &mut partners);
        }
        join_equal(&a.deep, &b.deep, &mut partners);
        let near = |hashes: &Hashes, function: &FunctionForm| -> Vec<u64> {
            let rows = 0..function.rows.len() as u32;
            rows.map(|row| hashes.neighbourhood(function, row))
                .collect()
        };
        join_in_order(&near(&a, self.before), &near(&b, self.after), &mut partners);
        join_in_order(&a.own, &b.own, &mut partners);
        self.join_used(&mut partners);
        self.join_results(&a.own, &b.own, &mut partners);
        self.join_similar(&mut partners);
        partners
    }

    /// Matches what two matched rows use at the same place, from the last row to the first.
    fn join_used(&self, partners: &mut Partners) {
        for before in (0..self.before.rows.len() as u32).rev() {
            let Some(after) = partners.of_before[before as usize] else {
                continue;
            };
            let (a, b) = (self.before.tokens(before), self.after.tokens(after));
            if a.len() != b.len() {
                continue;
            }
            for pair in a.iter().zip(b) {
                if let (Token::Row { row: a, .. }, Token::Row { row: b, .. }) = pair
                    && partners.of_before[*a as usize].is_none()
                    && partners.of_after[*b as usize].is_none()
                    && self.before.rows[*a as usize].kind == self.after.rows[*b as usize].kind
                {
                    partners.join(*a, *b);
                }
            }
        }
    }

    /// Matches the call of a function that the other side lacks with the row that computes its result there.
    fn join_results(&self, before: &[u64], after: &[u64], partners: &mut Partners) {
        let some = |hashes: &[u64]| hashes.iter().map(|it| Some(*it)).collect::<Vec<_>>();
        let results = |function: &FunctionForm, results: &[Option<u64>]| -> Vec<Option<u64>> {
            let callee = |row: u32| {
                let mut tokens = function.tokens(row).iter();
                tokens.find_map(|token| match token {
                    Token::Callee(at) => results[*at as usize],
                    _ => None,
                })
            };
            (0..function.rows.len() as u32).map(callee).collect()
        };
        let of_after = results(self.after, &self.results_after);
        join_by(&some(before), &of_after, partners);
        let of_before = results(self.before, &self.results_before);
        join_by(&of_before, &some(after), partners);
    }

    /// Matches free rows with equal hashes.
    fn join_free(&self, before: &[u64], after: &[u64], partners: &mut Partners) {
        let keys = |function: &FunctionForm, hashes: &[u64]| -> Vec<Option<u64>> {
            let rows = function.rows.iter().zip(hashes);
            rows.map(|(row, &hash)| row.is_free.then_some(hash))
                .collect()
        };
        join_by(
            &keys(self.before, before),
            &keys(self.after, after),
            partners,
        );
    }

    /// Matches remaining rows between two pairs if they have the same name or do the same.
    fn join_similar(&self, partners: &mut Partners) {
        let mut gaps: FxHashMap<Option<u32>, (Vec<u32>, Vec<u32>)> = FxHashMap::default();
        let mut last = None;
        for (row, partner) in (0..).zip(&partners.of_before) {
            match partner {
                Some(_) => last = Some(row),
                None => gaps.entry(last).or_default().0.push(row),
            }
        }
        last = None;
        for (row, partner) in (0..).zip(&partners.of_after) {
            match partner {
                Some(partner) => last = Some(*partner),
                None => gaps.entry(last).or_default().1.push(row),
            }
        }
        let mut gaps: Vec<_> = gaps.into_iter().collect();
        gaps.sort_by_key(|(after, _)| *after);
        for (_, (before, after)) in gaps {
            for likeness in [
                Likeness::NameAndAction,
                Likeness::Action,
                Likeness::Name,
                Likeness::Kind,
            ] {
                self.join_alike(likeness, &before, &after, partners);
            }
        }
    }

    fn join_alike(
        &self,
        likeness: Likeness,
        before: &[u32],
        after: &[u32],
        partners: &mut Partners,
    ) {
        let mut waiting: FxHashMap<Key<'_>, Vec<u32>> = FxHashMap::default();
        let free = |of: &[Option<u32>], row: u32| of[row as usize].is_none();
        let left = before.iter().rev();
        for &row in left.filter(|row| free(&partners.of_before, **row)) {
            if let Some(key) = key(self.before, row, likeness) {
                waiting.entry(key).or_default().push(row);
            }
        }
        for &row in after {
            if free(&partners.of_after, row)
                && let Some(key) = key(self.after, row, likeness)
                && let Some(partner) = waiting.get_mut(&key).and_then(Vec::pop)
            {
                partners.join(partner, row);
            }
        }
    }

    /// Returns the parts in which two rows differ.
    fn differing(
        &self,
        before: u32,
        after: u32,
        partners: &Partners,
        aliases: &(Aliases, Aliases),
        syms: &mut Syms,
    ) -> Vec<&'static str> {
        let of_before: Vec<_> = self.before.parts(before).collect();
        let of_after: Vec<_> = self.after.parts(after).collect();
        let mut differing: Vec<&'static str> = Vec::new();
        for (label, tokens) in &of_before {
            let other = of_after.iter().find(|(it, _)| it == label);
            let is_same = other.is_some_and(|(_, others)| {
                tokens.len() == others.len()
                    && tokens.iter().zip(*others).all(|(a, b)| {
                        self.is_same(
                            aliases.0.resolved(*a),
                            aliases.1.resolved(*b),
                            partners,
                            syms,
                        )
                    })
            });
            if !is_same {
                differing.push(label);
                // Another operator has other parameters.
                if *label == "operator" {
                    break;
                }
            }
        }
        if self.before.rows[before as usize].kind == RowKind::Binding
            && of_before.first().map(|it| it.0) != of_after.first().map(|it| it.0)
            || differing == ["operator"]
        {
            return vec!["operator"];
        }
        let new = of_after.iter().map(|(label, _)| *label);
        let new: Vec<_> = new
            .filter(|label| of_before.iter().all(|(it, _)| it != label))
            .collect();
        differing.extend(new);
        differing
    }

    fn is_same(&self, a: Token, b: Token, partners: &Partners, syms: &mut Syms) -> bool {
        match (a, b) {
            (Token::Word(a), Token::Word(b)) => a == b,
            (Token::Row { row: a, nth: n }, Token::Row { row: b, nth: m }) => {
                n == m && partners.of_before[a as usize] == Some(b)
            }
            (Token::Sym(a), Token::Sym(b)) => syms.join(a, b),
            (Token::Callee(a), Token::Callee(b)) => {
                self.callees_before[a as usize] == self.callees_after[b as usize]
            }
            _ => false,
        }
    }

    /// Returns `true` if a row is in another block, where both functions have both blocks.
    fn changes_its_block(
        &self,
        (before, after): (u32, u32),
        partners: &Partners,
        (around_before, around_after): (&[Option<u32>], &[Option<u32>]),
    ) -> bool {
        let old = self.before.rows[before as usize].parent;
        let new = self.after.rows[after as usize].parent;
        let kept = |block: Option<u32>, partners: &[Option<u32>]| {
            block.is_none_or(|it| partners[it as usize].is_some())
        };
        if !kept(old, &partners.of_before) || !kept(new, &partners.of_after) {
            return false;
        }
        let old = around_before[before as usize];
        let new = around_after[after as usize];
        old.map(|it| partners.of_before[it as usize]) != new.map(Some)
    }

    /// Returns, for each pair, whether its position among rows whose order matters changed.
    fn moved(&self, pairs: &[(u32, u32)], partners: &Partners) -> Vec<bool> {
        let fixed = |&(before, after): &(u32, u32)| {
            let (a, b) = (
                &self.before.rows[before as usize],
                &self.after.rows[after as usize],
            );
            // The order of attributes and of declared regions does not matter.
            !a.is_free && !b.is_free && !matches!(a.kind, RowKind::Attribute | RowKind::Region)
        };
        let ordered: Vec<(u32, u32)> = pairs.iter().copied().filter(fixed).collect();
        let stays = longest_increasing(&ordered);
        let mut moved: Vec<bool> = pairs
            .iter()
            .map(|it| fixed(it) && !stays.contains_key(&it.0))
            .collect();
        // A statement moves together with its block.
        let mut in_moved = vec![false; self.before.rows.len()];
        for (at, row) in self.before.rows.iter().enumerate() {
            let is_moved = |block: u32| {
                partners.of_before[block as usize].is_some()
                    && !stays.contains_key(&block)
                    && !self.before.rows[block as usize].is_free
            };
            let parent = row.parent;
            in_moved[at] = parent.is_some_and(|it| in_moved[it as usize] || is_moved(it));
        }
        for (moved, (before, _)) in moved.iter_mut().zip(pairs) {
            *moved &= !in_moved[*before as usize];
        }
        moved
    }
}

/// Returns the innermost block around each row that both sides have: an added or removed block is listed itself.
fn blocks_around(function: &FunctionForm, partners: &[Option<u32>]) -> Vec<Option<u32>> {
    let mut around: Vec<Option<u32>> = Vec::with_capacity(partners.len());
    for row in &function.rows {
        around.push(match row.parent {
            Some(block) if partners[block as usize].is_none() => around[block as usize],
            block => block,
        });
    }
    around
}

/// Hashes each row with all that it depends on, and with what uses it.
fn used_by(function: &FunctionForm, hashes: &Hashes) -> Vec<u64> {
    let mut used = vec![0u64; function.rows.len()];
    for (at, own) in (0..).zip(&hashes.own) {
        for (place, token) in (0u64..).zip(function.tokens(at)) {
            if let Token::Row { row, .. } = token {
                let used = &mut used[*row as usize];
                *used = used.wrapping_add(fold(*own, place));
            }
        }
    }
    let rows = hashes.deep.iter().zip(used);
    rows.map(|(deep, used)| fold(*deep, used)).collect()
}

fn with_names(function: &FunctionForm, hashes: &[u64]) -> Vec<u64> {
    let rows = function.rows.iter().zip(hashes);
    rows.map(|(row, hash)| fold(*hash, word(row.name.as_str())))
        .collect()
}

/// Matches remaining rows by the longest common subsequence of their hashes.
fn join_in_order(before: &[u64], after: &[u64], partners: &mut Partners) {
    let (rows_before, rows_after) = (partners.free_before(), partners.free_after());
    let mut input = InternedInput::default();
    input.update_before(rows_before.iter().map(|&row| before[row as usize]));
    input.update_after(rows_after.iter().map(|&row| after[row as usize]));
    let diff = Diff::compute(Algorithm::Histogram, &input);
    let kept_before = (0..)
        .zip(&rows_before)
        .filter(|(at, _)| !diff.is_removed(*at));
    let kept_after = (0..).zip(&rows_after).filter(|(at, _)| !diff.is_added(*at));
    for ((_, &before), (_, &after)) in kept_before.zip(kept_after) {
        partners.join(before, after);
    }
}

/// Matches remaining rows with equal hashes, whatever their positions.
fn join_equal(before: &[u64], after: &[u64], partners: &mut Partners) {
    let keys = |hashes: &[u64]| hashes.iter().map(|it| Some(*it)).collect::<Vec<_>>();
    join_by(&keys(before), &keys(after), partners);
}

/// Matches remaining rows with the same key, in order.
fn join_by(before: &[Option<u64>], after: &[Option<u64>], partners: &mut Partners) {
    let mut waiting: FxHashMap<u64, Vec<u32>> = FxHashMap::default();
    for row in partners.free_before().into_iter().rev() {
        if let Some(key) = before[row as usize] {
            waiting.entry(key).or_default().push(row);
        }
    }
    for row in partners.free_after() {
        let waiting = after[row as usize].and_then(|key| waiting.get_mut(&key));
        if let Some(partner) = waiting.and_then(Vec::pop) {
            partners.join(partner, row);
        }
    }
}

/// Returns the longest subsequence of pairs, which are sorted by `before`, that is sorted by `after` too.
fn longest_increasing(pairs: &[(u32, u32)]) -> FxHashMap<u32, u32> {
    // For each length, the pair that ends such a subsequence earliest, and for each pair its predecessor.
    let mut ends: Vec<usize> = Vec::new();
    let mut previous: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (at, pair) in pairs.iter().enumerate() {
        let length = ends.partition_point(|&end| pairs[end].1 < pair.1);
        previous.push(length.checked_sub(1).map(|before| ends[before]));
        if length == ends.len() {
            ends.push(at);
        } else {
            ends[length] = at;
        }
    }
    let mut run = FxHashMap::default();
    let mut at = ends.last().copied();
    while let Some(pair) = at {
        run.insert(pairs[pair].0, pairs[pair].1);
        at = previous[pair];
    }
    run
}

/// The similarity of two unequal rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Likeness {
    NameAndAction,
    Action,
    Name,
    Kind,
}

type Key<'a> = (RowKind, Option<&'a str>, Option<&'a [Token]>);

/// Stands for any name.
const NAMED: &str = "";

fn key(function: &FunctionForm, row: u32, likeness: Likeness) -> Option<Key<'_>> {
    let it = &function.rows[row as usize];
    let name = (!it.name.is_empty()).then_some(it.name.as_str());
    // The operator, the kind of a loop, or the buffer of a store.
    let action = || function.parts(row).next().map(|(_, tokens)| tokens);
    let action = action().filter(|it| it.iter().all(|token| matches!(token, Token::Word(_))));
    match likeness {
        Likeness::NameAndAction => Some((it.kind, Some(name?), Some(action?))),
        Likeness::Action => Some((it.kind, None, Some(action?))),
        Likeness::Name => Some((it.kind, Some(name?), None)),
        // An attribute is identified by its name. A row without a name is not a value.
        Likeness::Kind => {
            (it.kind != RowKind::Attribute).then_some((it.kind, name.map(|_| NAMED), None))
        }
    }
}

/// The corresponding shape variables of both functions.
#[derive(Default)]
struct Syms {
    of_before: FxHashMap<u32, u32>,
    of_after: FxHashMap<u32, u32>,
}

impl Syms {
    fn join(&mut self, before: u32, after: u32) -> bool {
        *self.of_before.entry(before).or_insert(after) == after
            && *self.of_after.entry(after).or_insert(before) == before
    }
}
