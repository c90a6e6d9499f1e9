//! Numbers for names and variables that stay the same from one version of a function to the next, so that what is
//! kept of one version means the same in another.

use std::cell::RefCell;
use std::sync::Arc;

use relax::near::Near;
use relax::sinfo::{AsWritten, StructInfo};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use crate::facts::{SymId, VarId};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NameId(pub u32);

/// More names than these are not worth being kept as near to one.
const FEW: usize = 64;

/// The numbers given so far. Nothing is ever taken back.
#[derive(Debug, Default)]
pub(crate) struct Names {
    ids: FxHashMap<SmolStr, NameId>,
    /// All names in the order of their numbers.
    order: Vec<SmolStr>,
    /// The letters of all names.
    letters: Letters,
    /// The names that may be near to an unknown one, `None` if they are many. A misspelt name is often used several
    /// times, and a function may have a hundred thousand names.
    near: FxHashMap<SmolStr, Option<Box<[SmolStr]>>>,
    /// The names that differ by one letter from one that is not known, of those so far.
    slips: FxHashMap<SmolStr, Slips>,
    /// How many numbers were given to variables, and those of them that no variable has any more.
    vars: u32,
    free_vars: Vec<VarId>,
    /// By function and name.
    syms: FxHashMap<(u32, SmolStr), SymId>,
    of_sym: Vec<(u32, SmolStr)>,
    /// What variables are.
    struct_infos: FxHashSet<Arc<AsWritten>>,
    pieces: u32,
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

    /// The number of a name, if it has one.
    pub fn known(&self, name: &str) -> Option<NameId> {
        self.ids.get(name).copied()
    }

    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Offers every name that is `there`, without looking at all where that can be helped.
    pub fn offer(&mut self, near: &mut Near<'_, SmolStr>, there: impl Fn(NameId) -> bool) {
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
        // Where many names are alike, most often one is but a letter away.
        if let Some(letters) = self.letters.known() {
            near.offer_slips(letters, |slip| {
                let (name, &id) = ids.get_key_value(slip)?;
                there(id).then(|| name.clone())
            });
        }
        if !near.is_found() {
            for (name, &id) in ids {
                near.offer(name, || there(id).then(|| name.clone()));
            }
        }
    }

    /// Offers the names that differ by one letter: where names are many, each is looked at once for a word that is not
    /// known, however often that is written.
    pub fn offer_slips(&mut self, near: &mut Near<'_, SmolStr>, there: impl Fn(NameId) -> bool) {
        let (ids, letters, order) = (&self.ids, &self.letters, &self.order);
        let slips = self.slips.entry(near.written().into()).or_insert_with(|| {
            let found = RefCell::new(Vec::new());
            // None is taken, so that all are seen.
            near.offer_slips(letters.plain(), |slip| {
                let known = ids.get_key_value(slip)?.0;
                found.borrow_mut().push(known.clone());
                None
            });
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

    /// A number for a variable that was not there before.
    pub fn new_var(&mut self) -> VarId {
        self.free_vars.pop().unwrap_or_else(|| {
            self.vars += 1;
            VarId(self.vars - 1)
        })
    }

    /// Takes back numbers that no version needs any more.
    pub fn take_back(&mut self, vars: impl Iterator<Item = VarId>) {
        self.free_vars.extend(vars);
    }

    /// How many numbers variables may have.
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

    /// By function and name, in the order of their numbers.
    pub fn syms(&self) -> &[(u32, SmolStr)] {
        &self.of_sym
    }

    /// The same StructInfo, held once.
    pub fn shared(&mut self, sinfo: StructInfo) -> Arc<AsWritten> {
        let sinfo = AsWritten(sinfo);
        if let Some(known) = self.struct_infos.get(&sinfo) {
            return Arc::clone(known);
        }
        let sinfo = Arc::new(sinfo);
        self.struct_infos.insert(Arc::clone(&sinfo));
        sinfo
    }

    pub fn struct_infos(&self) -> usize {
        self.struct_infos.len()
    }

    /// A number for a piece that is inferred.
    pub fn piece(&mut self) -> PieceUid {
        self.pieces += 1;
        PieceUid(self.pieces)
    }
}

/// Names that differ by one letter from a word, among the first so many names.
#[derive(Debug)]
struct Slips {
    names: Vec<SmolStr>,
    seen: usize,
}

/// The letters that names are made of, as long as they are ASCII.
#[derive(Debug)]
struct Letters {
    seen: [bool; 128],
    /// All bytes together, which are plain if each is.
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

    fn known(&self) -> Option<impl Iterator<Item = u8> + Clone + '_> {
        self.all.is_ascii().then(|| self.plain())
    }

    fn plain(&self) -> impl Iterator<Item = u8> + Clone + '_ {
        (0..128).filter(|letter| self.seen[usize::from(*letter)])
    }
}

/// Tells apart the pieces that were ever inferred of one function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PieceUid(pub u32);

#[cfg(test)]
mod tests {
    use super::*;

    fn nearest(names: &mut Names, written: &str, gone: &str) -> Option<String> {
        let gone = names.name(gone);
        let mut near = Near::to(written)?;
        names.offer(&mut near, |id| id != gone);
        near.found().map(String::from)
    }

    /// The same by a look at each.
    fn nearest_of_all(names: &mut Names, written: &str, gone: &str) -> Option<String> {
        let mut near = Near::to(written)?;
        for name in names.ids.keys().filter(|name| *name != gone) {
            near.offer(name, || Some(name.clone()));
        }
        near.found().map(String::from)
    }

    #[test]
    fn the_nearest_of_many_names_is_found_without_a_look_at_each() {
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
    fn a_new_name_can_be_the_nearest() {
        let mut names = Names::default();
        names.name("other");
        assert_eq!(nearest(&mut names, "weight", ""), None);
        names.name("weights");
        assert_eq!(nearest(&mut names, "weight", ""), Some("weights".into()));
    }

    #[test]
    fn letters_that_are_not_plain_are_no_obstacle() {
        let mut names = Names::default();
        for k in 0..200 {
            names.name(&format!("größe{k}"));
        }
        let nearest = nearest(&mut names, "grösse7", "");
        assert_eq!(nearest.as_deref(), Some("größe7"));
    }

    #[test]
    fn a_name_is_looked_at_once_for_a_word_however_often_that_is_written() {
        let mut names = Names::default();
        for at in 0..500 {
            names.name(&format!("lv{at}"));
            let mut near = Near::to("lw7").expect("long enough");
            names.offer_slips(&mut near, |_| true);
            assert_eq!(near.found().as_deref(), (at >= 7).then_some("lv7"));
        }
        let slips = &names.slips["lw7"];
        assert_eq!((slips.seen, slips.names.len()), (500, 1));
        let mut afresh = Near::to("lw7").expect("long enough");
        names.slips.clear();
        names.offer_slips(&mut afresh, |_| true);
        assert_eq!(afresh.found().as_deref(), Some("lv7"));
    }
}
