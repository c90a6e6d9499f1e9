//! Shared lists that know their total size.
//!
//! A value that occurs twice in another one is stored once, but a traversal visits it twice: nesting `(t, t)` sixty
//! times makes sixty lists and 2^60 parts. So a list stores the total number, and its creator decides what is too
//! much.

use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

const MOST_PARTS: u32 = 20_000;
const MOST_DEPTH: u16 = 64;

/// The number of values that a traversal visits, counting each part as often as it occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weight {
    pub parts: u32,
    pub depth: u16,
    /// `true` if a part may contain a variable: a shape or a dimension of Relax, or a type that Relay's solver does not know yet.
    pub has_variables: bool,
}

impl Weight {
    /// The weight of a value without parts.
    pub const ONE: Weight = Weight {
        parts: 1,
        depth: 1,
        has_variables: false,
    };

    /// Returns the weight of a value with these parts.
    pub fn around(parts: impl Iterator<Item = Weight>) -> Weight {
        let nothing = Weight {
            parts: 0,
            depth: 0,
            has_variables: false,
        };
        let inside = parts.fold(nothing, Weight::beside);
        Weight {
            has_variables: inside.has_variables,
            parts: inside.parts.saturating_add(1),
            depth: inside.depth.saturating_add(1),
        }
    }

    /// Returns `true` if a value of this weight is small enough to be traversed. A flat value is as long as its text.
    pub fn fits(self) -> bool {
        self.depth <= 2 || self.parts <= MOST_PARTS && self.depth <= MOST_DEPTH
    }

    fn beside(self, other: Weight) -> Weight {
        Weight {
            parts: self.parts.saturating_add(other.parts),
            depth: self.depth.max(other.depth),
            has_variables: self.has_variables || other.has_variables,
        }
    }
}

/// An element of [`Parts`].
pub trait Part: PartialEq {
    fn weight(&self) -> Weight;

    /// Returns a hash that is equal for equal values.
    fn digest(&self) -> u64 {
        0
    }
}

impl<A: Part, B: Part> Part for (A, B) {
    fn weight(&self) -> Weight {
        Weight::around([self.0.weight(), self.1.weight()].into_iter())
    }
}

/// A list that is cheap to clone, to compare with itself, and to distinguish from others.
#[derive(Debug)]
pub struct Parts<T> {
    items: Arc<[T]>,
    weight: Weight,
    digest: u64,
}

impl<T: Part> Parts<T> {
    pub fn new(items: impl Into<Arc<[T]>>) -> Parts<T> {
        let items = items.into();
        let weight = Weight::around(items.iter().map(Part::weight));
        let mix = |all: u64, item: &T| {
            (all.rotate_left(5) ^ item.digest()).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        };
        let digest = items.iter().fold(items.len() as u64, mix);
        Parts {
            items,
            weight,
            digest,
        }
    }
}

impl<T: Part> Parts<T> {
    /// Applies `change` to each element. Returns this list if nothing changed.
    pub fn map(&self, mut change: impl FnMut(&T) -> T) -> Parts<T> {
        let mut is_same = true;
        let changed = self.items.iter().map(|item| {
            let changed = change(item);
            is_same = is_same && changed == *item;
            changed
        });
        let changed: Vec<T> = changed.collect();
        if is_same {
            self.clone()
        } else {
            Parts::new(changed)
        }
    }
}

impl<T> Parts<T> {
    pub fn weight(&self) -> Weight {
        self.weight
    }

    /// Returns `true` if both are the same list in memory.
    pub fn is_same(&self, other: &Parts<T>) -> bool {
        Arc::ptr_eq(&self.items, &other.items)
    }
}

impl<T> Clone for Parts<T> {
    fn clone(&self) -> Parts<T> {
        Parts {
            items: Arc::clone(&self.items),
            ..*self
        }
    }
}

impl<T: Part> Default for Parts<T> {
    fn default() -> Parts<T> {
        Parts::new([])
    }
}

impl<T> Deref for Parts<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.items
    }
}

impl<T: Part> From<Vec<T>> for Parts<T> {
    fn from(items: Vec<T>) -> Parts<T> {
        Parts::new(items)
    }
}

impl<T: Part, const N: usize> From<[T; N]> for Parts<T> {
    fn from(items: [T; N]) -> Parts<T> {
        Parts::new(items)
    }
}

impl<T: Part + Clone> From<&[T]> for Parts<T> {
    fn from(items: &[T]) -> Parts<T> {
        Parts::new(items)
    }
}

impl<T: Part> From<Arc<[T]>> for Parts<T> {
    fn from(items: Arc<[T]>) -> Parts<T> {
        Parts::new(items)
    }
}

impl<T: Part> FromIterator<T> for Parts<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Parts<T> {
        Parts::new(items.into_iter().collect::<Arc<[T]>>())
    }
}

impl<T: PartialEq> PartialEq for Parts<T> {
    fn eq(&self, other: &Parts<T>) -> bool {
        self.is_same(other)
            || self.digest == other.digest
                && self.weight == other.weight
                && self.items == other.items
    }
}

impl<T: Eq> Eq for Parts<T> {}

impl<T> Hash for Parts<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.digest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Debug, PartialEq)]
    enum Tree {
        Leaf,
        Node(Parts<Tree>),
    }

    impl Part for Tree {
        fn weight(&self) -> Weight {
            match self {
                Tree::Leaf => Weight::ONE,
                Tree::Node(parts) => parts.weight(),
            }
        }
    }

    #[test]
    fn a_shared_part_is_counted_at_each_occurrence() {
        let mut tree = Tree::Leaf;
        for _ in 0..5 {
            tree = Tree::Node(Parts::new([tree.clone(), tree]));
        }
        assert_eq!(
            tree.weight(),
            Weight {
                parts: 63,
                depth: 6,
                has_variables: false
            }
        );
        for _ in 0..100 {
            tree = Tree::Node(Parts::new([tree.clone(), tree]));
        }
        assert_eq!(
            tree.weight(),
            Weight {
                parts: u32::MAX,
                depth: 106,
                has_variables: false
            }
        );
        assert_eq!(tree, tree.clone());
    }
}
