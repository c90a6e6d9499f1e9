//! Collects the list of completions.

use rustc_hash::FxHashMap;

pub use crate::types::completion::{Completion, CompletionKind, rank};

/// A list of completions under construction.
pub struct Items {
    typed: String,
    found: Vec<Completion>,
    incomplete: bool,
}

impl Items {
    pub fn new(typed: &str) -> Items {
        Items {
            typed: typed.to_ascii_lowercase(),
            found: Vec::new(),
            incomplete: false,
        }
    }

    pub fn push(&mut self, item: Completion) {
        self.found.push(item);
    }

    /// Sorts equally ranked items by usage, the most used first.
    pub fn prefer(&mut self, said: &[&str]) {
        let place: FxHashMap<&str, usize> = said
            .iter()
            .enumerate()
            .map(|(at, word)| (*word, at))
            .collect();
        for item in &mut self.found {
            let order = usize::from(item.order.unwrap_or(0));
            item.order = match place.get(item.label.as_str()) {
                Some(&at) => u16::try_from(at).ok(),
                None => u16::try_from(said.len() + order).ok(),
            };
            if place.contains_key(item.label.as_str())
                && (rank::OTHER..=rank::NAMESPACE).contains(&item.rank)
            {
                item.rank = rank::OTHER;
            }
        }
    }

    pub fn contains(&self, label: &str) -> bool {
        self.found.iter().any(|item| item.label == label)
    }

    /// Returns `true` if the letters of the typed word occur in `name` in order.
    pub fn may_mean(&self, name: &str) -> bool {
        has_letters(name, &self.typed)
    }

    /// Returns [`Items::may_mean`] as a function that does not borrow the list.
    pub fn matcher(&self) -> impl Fn(&str) -> bool + use<> {
        let typed = self.typed.clone();
        move |name| has_letters(name, &typed)
    }

    /// Marks the list as incomplete: more typing may bring further items.
    pub fn leave_out(&mut self) {
        self.incomplete = true;
    }

    /// Returns the items in the order in which they are shown, and whether the list is incomplete.
    pub fn finish(mut self) -> (Vec<Completion>, bool) {
        self.found.sort_by_cached_key(|item| {
            let lower = item.label.to_ascii_lowercase();
            (item.rank, item.order, lower, item.label.clone())
        });
        (self.found, self.incomplete)
    }
}

/// Returns `true` if `letters`, in lower case, occur in `name` in order.
fn has_letters(name: &str, letters: &str) -> bool {
    let mut own = name.bytes().map(|byte| byte.to_ascii_lowercase());
    letters.bytes().all(|letter| own.any(|it| it == letter))
}
