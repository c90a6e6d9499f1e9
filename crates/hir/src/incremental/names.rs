//! Ids for names and variables that stay the same over the versions of a function, so that data kept from one version
//! is valid for another.

use std::cell::RefCell;
use std::sync::Arc;

use relax::nearest_name::NearestName;
use relax::sinfo::{AsWritten, StructInfo};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use crate::facts::{SymId, VarId};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NameId(pub u32);

/// More similar names than this are not cached.
const FEW: usize = 64;
/// The unbound names whose similar names are cached. An edit often adds another one.
const MAX_SLIPS: usize = 1024;
/// The ids that edits may add before they are assigned anew, if this is more than a quarter of the first ones.
const MAX_ADDED: usize = 1 << 14;

/// The ids assigned so far. Ids of names are never reused.
#[derive(Debug, Default)]
pub(crate) struct Names {
    ids: FxHashMap<SmolStr, NameId>,
    /// All names in the order of their ids.
    order: Vec<SmolStr>,
    /// The letters of all names.
    letters: Letters,
    /// Candidates that are similar to an unbound name; `None` if there are many. A misspelt name is often used several
    /// times, and a function may have a hundred thousand names.
    near: FxHashMap<SmolStr, Option<Box<[SmolStr]>>>,
    /// For each unbound name, the names seen so far that differ from it by one letter.
    slips: FxHashMap<SmolStr, Slips>,
    /// The number of variable ids assigned, and the free ones among them.
    vars: u32,
    free_vars: Vec<VarId>,
    /// The ids of shape variables, by function and name.
    syms: FxHashMap<(u32, SmolStr), SymId>,
    of_sym: Vec<(u32, SmolStr)>,
    /// The StructInfo of variables.
    struct_infos: FxHashSet<Arc<AsWritten>>,
    pieces: u32,
    /// The number of names, shape variables and StructInfos that the first version needed.
    first: [usize; 3],
}

impl Names {
    pub fn name(&mut self, name: &str) -> NameId {
        if let Some(&id) = self.ids.get(name) {
            return id;
        }
        let id = NameId(self.ids.len() as u32);
        let name = SmolStr::from(name);
        self.ids.insert(name.clone(), id);
        self.letters.add(&name);
        self.order.push(name);
        self.near.clear();
        id
    }

    /// Returns the id of a name, if it has one.
    pub fn id_of(&self, name: &str) -> Option<NameId> {
        self.ids.get(name).copied()
    }

    fn counts(&self) -> [usize; 3] {
        [self.ids.len(), self.of_sym.len(), self.struct_infos.len()]
    }

    /// Records that the first version of the function has all its ids.
    pub fn end_first_version(&mut self) {
        self.first = self.counts();
    }

    /// Returns `true` if edits have added so many ids that they should be assigned anew.
    pub fn are_bloated(&self) -> bool {
        let mut counts = self.counts().into_iter().zip(self.first);
        counts.any(|(now, first)| now > first + MAX_ADDED.max(first / 4))
    }

    /// Offers every name for which `there` holds, avoiding a scan of all names if possible.
    pub fn offer(&mut self, near: &mut NearestName<'_, SmolStr>, there: impl Fn(NameId) -> bool) {
        let ids = &self.ids;
        let few = self.near.entry(near.written().into()).or_insert_with(|| {
            let possible = ids.keys().filter(|name| near.is_possible(name));
            let few: Vec<&SmolStr> = possible.take(FEW + 1).collect();
            (few.len() <= FEW).then(|| few.into_iter().cloned().collect())
        });
        if let Some(few) = few {
            for name in few {
                near.offer(name, || there(ids[name]).then(|| name.clone()));
            }
            return;
        }
        // If many names are similar, the best one usually differs by one letter.
        if let Some(letters) = self.letters.ascii_letters() {
            near.offer_slips(
                |_| Some(letters.clone()),
                |slip| {
                    let (name, &id) = ids.get_key_value(slip)?;
                    there(id).then(|| name.clone())
                },
            );
        }
        if !near.is_found() {
            for (name, &id) in ids {
                near.offer(name, || there(id).then(|| name.clone()));
            }
        }
    }

    /// Offers the names that differ by one letter. If there are many names, each is compared once with an unbound
    /// word, however often that occurs.
    pub fn offer_slips(
        &mut self,
        near: &mut NearestName<'_, SmolStr>,
        there: impl Fn(NameId) -> bool,
    ) {
        let (ids, letters, order) = (&self.ids, &self.letters, &self.order);
        if self.slips.len() >= MAX_SLIPS {
            self.slips.clear();
        }
        let slips = self.slips.entry(near.written().into()).or_insert_with(|| {
            let found = RefCell::new(Vec::new());
            // Offer without accepting any, so that all are visited.
            near.offer_slips(
                |_| Some(letters.plain()),
                |slip| {
                    let known = ids.get_key_value(slip)?.0;
                    found.borrow_mut().push(known.clone());
                    None
                },
            );
            Slips {
                names: found.into_inner(),
                seen: order.len(),
            }
        });
        let new = order[slips.seen..].iter().filter(|name| near.is_slip(name));
        slips.names.extend(new.cloned());
        slips.seen = order.len();
        for name in &slips.names {
            near.offer(name, || there(ids[name]).then(|| name.clone()));
        }
    }

    /// Returns an id for a new variable.
    pub fn new_var(&mut self) -> VarId {
        self.free_vars.pop().unwrap_or_else(|| {
            self.vars += 1;
            VarId(self.vars - 1)
        })
    }

    /// Returns ids that no version needs any more.
    pub fn take_back(&mut self, vars: impl Iterator<Item = VarId>) {
        self.free_vars.extend(vars);
    }

    /// Returns the number of variable ids.
    pub fn vars(&self) -> usize {
        self.vars as usize
    }

    pub fn sym(&mut self, function: u32, name: &SmolStr) -> SymId {
        let key = (function, name.clone());
        if let Some(&id) = self.syms.get(&key) {
            return id;
        }
        let id = SymId(self.of_sym.len() as u32);
        self.of_sym.push(key.clone());
        self.syms.insert(key, id);
        id
    }

    pub fn sym_name(&self, id: SymId) -> Option<(u32, SmolStr)> {
        self.of_sym.get(id.0 as usize).cloned()
    }

    /// Returns the functions and names of shape variables in the order of their ids.
    pub fn syms(&self) -> &[(u32, SmolStr)] {
        &self.of_sym
    }

    /// Returns a shared copy of an equal StructInfo.
    pub fn shared(&mut self, sinfo: StructInfo) -> Arc<AsWritten> {
        let sinfo = AsWritten(sinfo);
        if let Some(known) = self.struct_infos.get(&sinfo) {
            return Arc::clone(known);
        }
        let sinfo = Arc::new(sinfo);
        self.struct_infos.insert(Arc::clone(&sinfo));
        sinfo
    }

    /// Returns an id for a newly inferred piece.
    pub fn piece(&mut self) -> PieceUid {
        self.pieces += 1;
        PieceUid(self.pieces)
    }
}

/// The names that differ by one letter from a word, among the first names.
#[derive(Debug)]
struct Slips {
    names: Vec<SmolStr>,
    seen: usize,
}

/// The letters that occur in names, as long as they are ASCII.
#[derive(Debug)]
struct Letters {
    seen: [bool; 128],
    /// All bytes combined, to check whether they are ASCII.
    all: u8,
}

impl Default for Letters {
    fn default() -> Letters {
        Letters {
            seen: [false; 128],
            all: 0,
        }
    }
}

impl Letters {
    fn add(&mut self, name: &str) {
        for byte in name.bytes() {
            self.all |= byte;
            self.seen[usize::from(byte & 127)] = true;
        }
    }

    fn ascii_letters(&self) -> Option<impl Iterator<Item = u8> + Clone + '_> {
        self.all.is_ascii().then(|| self.plain())
    }

    fn plain(&self) -> impl Iterator<Item = u8> + Clone + '_ {
        (0..128).filter(|letter| self.seen[usize::from(*letter)])
    }
}

/// Identifies a piece among all that were ever inferred for one function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PieceUid(pub u32);

#[cfg(test)]
mod tests {
    use super::*;

    fn nearest(names: &mut Names, written: &str, gone: &str) -> Option<String> {
        let gone = names.name(gone);
        let mut near = NearestName::to(written)?;
        names.offer(&mut near, |id| id != gone);
        near.found().map(String::from)
    }

    /// Finds the most similar name by comparing all names.
    fn nearest_of_all(names: &mut Names, written: &str, gone: &str) -> Option<String> {
        let mut near = NearestName::to(written)?;
        for name in names.ids.keys().filter(|name| *name != gone) {
            near.offer(name, || Some(name.clone()));
        }
        near.found().map(String::from)
    }

    #[test]
    fn nearest_name_search_does_not_visit_each_name() {
        let mut names = Names::default();
        for k in 0..3000 {
            names.name(&format!("lv{k}"));
            names.name(&format!("alloc{}", 7 * k));
        }
        names.name("shape_heap");
        let written = [
            "lv1234",
            "lv3000",
            "lv12345",
            "vl12",
            "alloc7",
            "alloc1234",
            "aloc1400",
            "allocation",
            "shape_hep",
            "shpe_haep",
            "far_away",
            "lv",
            "x",
        ];
        for written in written {
            for gone in ["shape_heap", "lv123", "alloc14"] {
                let slow = nearest_of_all(&mut names, written, gone);
                assert_eq!(
                    nearest(&mut names, written, gone),
                    slow,
                    "{written} without {gone}"
                );
            }
        }
    }

    #[test]
    fn an_added_name_can_be_the_nearest() {
        let mut names = Names::default();
        names.name("other");
        assert_eq!(nearest(&mut names, "weight", ""), None);
        names.name("weights");
        assert_eq!(nearest(&mut names, "weight", ""), Some("weights".into()));
    }

    #[test]
    fn nearest_name_search_handles_non_ascii_letters() {
        let mut names = Names::default();
        for k in 0..200 {
            names.name(&format!("größe{k}"));
        }
        let nearest = nearest(&mut names, "grösse7", "");
        assert_eq!(nearest.as_deref(), Some("größe7"));
    }

    #[test]
    fn many_added_names_call_for_new_ids() {
        let mut names = Names::default();
        names.name("x");
        names.end_first_version();
        for k in 0..MAX_ADDED {
            names.name(&format!("lv{k}"));
        }
        assert!(!names.are_bloated());
        names.name("y");
        assert!(names.are_bloated());
    }

    #[test]
    fn the_cache_of_suggestions_has_a_limited_size() {
        let mut names = Names::default();
        names.name("weight");
        for k in 0..2 * MAX_SLIPS {
            let word = format!("weigth{k}");
            let mut near = NearestName::to(&word).expect("long enough");
            names.offer_slips(&mut near, |_| true);
        }
        assert!(names.slips.len() <= MAX_SLIPS);
    }

    #[test]
    fn suggestions_for_a_repeated_word_are_computed_once() {
        let mut names = Names::default();
        for at in 0..500 {
            names.name(&format!("lv{at}"));
            let mut near = NearestName::to("lw7").expect("long enough");
            names.offer_slips(&mut near, |_| true);
            assert_eq!(near.found().as_deref(), (at >= 7).then_some("lv7"));
        }
        let slips = &names.slips["lw7"];
        assert_eq!((slips.seen, slips.names.len()), (500, 1));
        let mut afresh = NearestName::to("lw7").expect("long enough");
        names.slips.clear();
        names.offer_slips(&mut afresh, |_| true);
        assert_eq!(afresh.found().as_deref(), Some("lv7"));
    }
}
