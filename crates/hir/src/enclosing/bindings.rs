//! The values of names, in versions that share common parts: each function of a file keeps the version at its
//! position.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use smol_str::SmolStr;

use super::PyValue;

type Map = FxHashMap<SmolStr, PyValue>;

/// Layers of names, where newer layers shadow older ones. Each layer has at least twice as many names as the next
/// newer one, so that there are few layers, and each name is copied few times.
#[derive(Clone, Debug, Default)]
pub(super) struct Bindings {
    layers: SmallVec<[Arc<Layer>; 1]>,
}

#[derive(Debug, Default)]
struct Layer {
    names: Map,
    /// The layer of another version of the file that it was last compared with, and whether they are equal.
    compared: Mutex<(Weak<Layer>, bool)>,
}

impl Bindings {
    pub fn get(&self, name: &str) -> Option<&PyValue> {
        let newest_first = self.layers.iter().rev();
        newest_first.into_iter().find_map(|it| it.names.get(name))
    }

    pub fn set(&mut self, name: SmolStr, value: PyValue) {
        if let Some(last) = self.layers.last_mut().and_then(Arc::get_mut) {
            last.names.insert(name, value);
        } else {
            self.layers.push(Arc::new(Layer {
                names: std::iter::once((name, value)).collect(),
                ..Layer::default()
            }));
        }
        self.merge();
    }

    fn merge(&mut self) {
        while let [.., below, above] = self.layers.as_slice()
            && below.names.len() <= 2 * above.names.len()
        {
            let mut names = below.names.clone();
            names.extend(above.names.iter().map(|(n, v)| (n.clone(), v.clone())));
            self.layers.truncate(self.layers.len() - 2);
            self.layers.push(Arc::new(Layer {
                names,
                ..Layer::default()
            }));
        }
    }

    /// Returns every name once, with its value.
    pub fn iter(&self) -> impl Iterator<Item = (&SmolStr, &PyValue)> {
        self.above(0)
    }

    /// Returns the names of the layers from `first` on.
    fn above(&self, first: usize) -> impl Iterator<Item = (&SmolStr, &PyValue)> {
        let layers = &self.layers[first..];
        layers.iter().enumerate().flat_map(|(at, layer)| {
            let newer = &layers[at + 1..];
            let is_hidden = |name: &SmolStr| newer.iter().any(|it| it.names.contains_key(name));
            let names = layer.names.iter();
            names.filter(move |(name, _)| !is_hidden(name))
        })
    }

    /// Returns the names that may differ in another version. The cost is proportional to what the two don't share.
    pub fn changed_since(&self, other: &Bindings) -> Vec<SmolStr> {
        let pairs = self.layers.iter().zip(&other.layers);
        let shared = pairs.take_while(|(a, b)| Arc::ptr_eq(a, b)).count();
        let changed = self.above(shared).chain(other.above(shared));
        changed.map(|(name, _)| name.clone()).collect()
    }
}

impl PartialEq for Bindings {
    fn eq(&self, other: &Bindings) -> bool {
        let mut pairs = self.layers.iter().zip(&other.layers);
        self.layers.len() == other.layers.len() && pairs.all(|(a, b)| are_equal(a, b))
    }
}

/// Many versions share a layer, so each is compared once.
fn are_equal(a: &Arc<Layer>, b: &Arc<Layer>) -> bool {
    if Arc::ptr_eq(a, b) {
        return true;
    }
    let compared = || a.compared.lock().unwrap_or_else(PoisonError::into_inner);
    let known = |(other, equal): &(Weak<Layer>, bool)| {
        std::ptr::eq(other.as_ptr(), Arc::as_ptr(b)).then_some(*equal)
    };
    if let Some(equal) = known(&compared()) {
        return equal;
    }
    let equal = a.names == b.names;
    *compared() = (Arc::downgrade(b), equal);
    equal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compared_versions_keep_their_content_and_share_names() {
        let mut now = Bindings::default();
        let mut versions = Vec::new();
        for at in 0..1000 {
            now.set(format!("n{}", at % 700).into(), PyValue::Int(at));
            versions.push(now.clone());
        }
        for (at, version) in (0..).zip(&versions) {
            let last = |name: i64| (0..=at).rev().find(|it| it % 700 == name);
            for name in [0, 1, 350, 699] {
                let expected = last(name).map(PyValue::Int);
                let found = version.get(&format!("n{name}"));
                assert_eq!(found, expected.as_ref(), "n{name} after {at}");
            }
            assert_eq!(version.iter().count(), 700.min(at as usize + 1));
        }
        let mut layers: Vec<_> = versions.iter().flat_map(|it| &it.layers).collect();
        layers.sort_by_key(|it| Arc::as_ptr(it));
        layers.dedup_by_key(|it| Arc::as_ptr(it));
        let kept: usize = layers.iter().map(|it| it.names.len()).sum();
        assert!(kept < 20_000, "{kept} names are kept for 1000 versions");
    }

    #[test]
    fn changes_are_found_without_comparing_the_rest() {
        let mut before = Bindings::default();
        for at in 0..1000 {
            before.set(format!("n{at}").into(), PyValue::Int(at));
        }
        let mut after = before.clone();
        after.set("n7".into(), PyValue::None);
        assert_eq!(after.changed_since(&before), ["n7"]);
        assert_eq!(before.changed_since(&after), ["n7"]);
        assert_ne!(before, after);
        after.set("n7".into(), PyValue::Int(7));
        assert_eq!(after.get("n7"), before.get("n7"));
    }

    #[test]
    fn repeated_comparisons_give_equal_results() {
        let make = || {
            let mut made = Bindings::default();
            (0..10).for_each(|at| made.set(format!("n{at}").into(), PyValue::Int(at)));
            made
        };
        let (a, b) = (make(), make());
        for _ in 0..2 {
            assert_eq!(a, b);
            assert_eq!(b, a);
        }
        drop(b);
        let mut c = make();
        c.set("n3".into(), PyValue::None);
        assert!(a != c);
    }
}
