//! Finds the known name that is most similar to a misspelt one.

use std::fmt::Display;

use smol_str::SmolStr;

/// The maximum length in bytes of a name that gets a suggestion.
const LONGEST: usize = 255;
/// The maximum length in bytes of a name whose typos are all enumerated, and of a part in which two names may differ.
const LONGEST_SLIP: usize = 64;

/// If there are more known names than this, only names that differ by one letter count as similar.
pub const MANY: usize = 1000;
/// The characters of names.
pub const LETTERS: &[u8] = b"_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// A misspelt name, the allowed distance, and the best match so far.
pub struct NearestName<'a, N> {
    written: &'a str,
    limit: usize,
    /// The number of occurrences of each letter, if the name is short and ASCII.
    letters: Option<[u8; 128]>,
    best: Option<(usize, N)>,
}

impl<'a, N: AsRef<str>> NearestName<'a, N> {
    /// Returns `None` if the name is too short or too long for suggestions.
    pub fn to(written: &'a str) -> Option<NearestName<'a, N>> {
        NearestName::within(written, (written.len() / 3).clamp(1, 3))
    }

    /// Starts a search with the given maximum distance.
    fn within(written: &'a str, limit: usize) -> Option<NearestName<'a, N>> {
        if written.len() < 2 || written.len() > LONGEST {
            return None;
        }
        let plain = written.is_ascii() && u8::try_from(written.len()).is_ok();
        let letters = plain.then(|| {
            let mut letters = [0; 128];
            for byte in written.bytes() {
                letters[usize::from(byte)] += 1;
            }
            letters
        });
        Some(NearestName {
            written,
            limit,
            letters,
            best: None,
        })
    }

    /// Offers a known name, which only counts if `there` returns a value. Of equally similar names, the alphabetically
    /// first wins.
    pub fn offer(&mut self, known: &str, there: impl FnOnce() -> Option<N>) {
        // A printed model has tens of thousands of names. Cheap checks exclude most of them first.
        let least = self.least(known);
        let limit = match &self.best {
            Some((distance, _)) if least > *distance => return,
            Some((distance, best)) if known >= best.as_ref() => distance - 1,
            Some((distance, _)) => *distance,
            None => self.limit,
        };
        if least > limit || known.len() > 2 * LONGEST || known == self.written {
            return;
        }
        let Some(name) = there() else { return };
        if let Some(distance) = distance(known, self.written)
            && distance <= limit
        {
            self.best = Some((distance, name));
        }
    }

    /// Offers every name that differs by one typo: a letter removed, added, replaced, or two swapped. `letters` returns
    /// the letters that follow a prefix in known names, or `None` if no known name begins with it.
    pub fn offer_slips<L: Iterator<Item = u8> + Clone>(
        &mut self,
        letters: impl Fn(&str) -> Option<L>,
        there: impl Fn(&str) -> Option<N>,
    ) {
        if self.letters.is_none() || self.written.len() > LONGEST_SLIP {
            return;
        }
        let name = self.written;
        let written = name.as_bytes();
        let mut text = Vec::with_capacity(written.len() + 1);
        let mut slip = |parts: [&[u8]; 3]| {
            text.clear();
            text.extend(parts.into_iter().flatten());
            if let Ok(slip) = str::from_utf8(&text)
                && let Some(name) = there(slip)
            {
                self.offer(slip, || Some(name));
            }
        };
        for at in 0..=written.len() {
            let (before, after) = written.split_at(at);
            let Some(letters) = letters(&name[..at]) else {
                return;
            };
            for letter in letters.clone() {
                slip([before, &[letter], after]);
            }
            let Some((&first, after)) = after.split_first() else {
                continue;
            };
            slip([before, &[], after]);
            for letter in letters {
                slip([before, &[letter], after]);
            }
            if let Some((&second, after)) = after.split_first() {
                slip([before, &[second, first], after]);
            }
        }
    }

    pub fn written(&self) -> &'a str {
        self.written
    }

    /// Returns `false` if cheap checks show that a name is not similar.
    pub fn is_possible(&self, known: &str) -> bool {
        self.least(known) <= self.limit
    }

    /// Returns `true` if a name differs by one typo: a letter removed, added, replaced, or two swapped.
    pub fn is_slip(&self, known: &str) -> bool {
        let possible = known.is_ascii() && self.least(known) <= 1;
        possible && distance(known, self.written) == Some(1)
    }

    pub fn is_found(&self) -> bool {
        self.best.is_some()
    }

    pub fn found(self) -> Option<N> {
        self.best.map(|(_, name)| name)
    }

    /// Returns a lower bound of the distance from lengths and letters only: each typo adds at most one letter and
    /// removes at most one.
    fn least(&self, known: &str) -> usize {
        let Some(mut letters) = self.letters.filter(|_| known.is_ascii()) else {
            return 0;
        };
        let lengths = known.len().abs_diff(self.written.len());
        if lengths > self.limit {
            return lengths;
        }
        let mut new = 0;
        for byte in known.bytes() {
            match &mut letters[usize::from(byte)] {
                0 => new += 1,
                left => *left -= 1,
            }
        }
        let gone = new + self.written.len() - known.len();
        new.max(gone)
    }
}

/// Returns the number of typos between two names, or `None` if there are too many.
fn distance(a: &str, b: &str) -> Option<usize> {
    let common = |pairs: &mut dyn Iterator<Item = (char, char)>| -> usize {
        let same = pairs.take_while(|(a, b)| a == b);
        same.map(|(letter, _)| letter.len_utf8()).sum()
    };
    let start = common(&mut a.chars().zip(b.chars()));
    let (a, b) = (&a[start..], &b[start..]);
    let end = common(&mut a.chars().rev().zip(b.chars().rev()));
    let (a, b) = (&a[..a.len() - end], &b[..b.len() - end]);
    let far = a.len().max(b.len()) > LONGEST_SLIP;
    (!far).then(|| strsim::damerau_levenshtein(a, b))
}

/// A set of names that finds the most similar one without comparing all of them, if they are many.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vocabulary {
    /// In alphabetical order.
    names: Vec<SmolStr>,
}

impl Vocabulary {
    pub fn nearest(&self, name: &str) -> Option<SmolStr> {
        if self.names.len() <= MANY {
            return nearest(name, self.names.iter());
        }
        let mut near = NearestName::to(name)?;
        near.offer_slips(
            |prefix| self.letters_after(prefix).map(Vec::into_iter),
            |slip| {
                let at = self.names.binary_search_by(|it| it.as_str().cmp(slip));
                Some(self.names[at.ok()?].clone())
            },
        );
        near.found()
    }

    /// Returns the letters that follow a prefix, or `None` if no name begins with it.
    fn letters_after(&self, prefix: &str) -> Option<Vec<u8>> {
        let start = self.names.partition_point(|it| it.as_str() < prefix);
        let mut rest = &self.names[start..];
        rest = &rest[..rest.partition_point(|it| it.starts_with(prefix))];
        let next = |name: &SmolStr| name.as_bytes().get(prefix.len()).copied();
        let mut letters = (!rest.is_empty()).then(Vec::new)?;
        while let Some(name) = rest.first() {
            letters.extend(next(name));
            rest = &rest[rest.partition_point(|it| next(it) <= next(name))..];
        }
        Some(letters)
    }
}

impl FromIterator<SmolStr> for Vocabulary {
    fn from_iter<T: IntoIterator<Item = SmolStr>>(names: T) -> Vocabulary {
        let mut names: Vec<SmolStr> = names.into_iter().collect();
        names.sort_unstable();
        names.dedup();
        Vocabulary { names }
    }
}

/// Returns the most similar known name, if there is one.
pub fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n SmolStr>) -> Option<SmolStr> {
    let mut near = NearestName::to(name)?;
    known.for_each(|known| near.offer(known, || Some(known)));
    near.found().cloned()
}

/// Returns the end of a message about an unknown name.
pub fn did_you_mean(near: Option<impl Display>) -> String {
    near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}

pub fn nearest_str<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let mut near = NearestName::to(name)?;
    known.for_each(|known| near.offer(known, || Some(known)));
    near.found()
}

/// Returns the most similar name of a table of operators or builtins. These differ more from each other than names in
/// a program, so a larger distance is allowed.
pub fn nearest_in_table<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let mut near = NearestName::within(name, (name.len() / 3).clamp(2, 4))?;
    known.for_each(|known| near.offer(known, || Some(known)));
    near.found()
}

#[cfg(test)]
mod tests {
    use super::{NearestName, Vocabulary, distance, nearest_str};

    #[test]
    fn the_letter_counts_bound_the_distance_from_below() {
        let letters = ["a", "b", "1", "_", "é"];
        let mut names = vec![String::new()];
        for _ in 0..5 {
            let longer = names.iter().flat_map(|name| {
                let longer = letters.iter().map(move |letter| format!("{name}{letter}"));
                longer.collect::<Vec<_>>()
            });
            names = longer.chain([String::from("ab1")]).collect();
        }
        for written in ["ab", "ab1_a", "1_1_1_1_1", "bé1ab"] {
            let near = NearestName::<&str>::to(written).expect("long enough");
            for name in &names {
                let distance = strsim::damerau_levenshtein(name, written);
                assert!(near.least(name) <= distance, "{written} {name}");
            }
        }
    }

    #[test]
    fn common_prefixes_and_suffixes_cost_nothing() {
        let names = [
            "", "a", "ab", "ba", "abab", "aabb", "bbaa", "xabx", "xbax", "äb", "äöb", "axbxa",
        ];
        for a in names {
            for b in names {
                assert_eq!(
                    distance(a, b),
                    Some(strsim::damerau_levenshtein(a, b)),
                    "{a} {b}"
                );
            }
        }
        let long = |letter: &str| format!("{letter}{}{letter}", "a".repeat(200));
        assert_eq!(distance(&long("x"), &long("y")), None);
    }

    #[test]
    fn a_typing_mistake_is_found_among_many_names() {
        let many: Vocabulary = (0..5000).map(|k| format!("known{k}").into()).collect();
        assert_eq!(many.nearest("knwon4321").as_deref(), Some("known4321"));
        assert_eq!(many.nearest("far_away"), None);
    }

    #[test]
    fn equally_near_names_suggest_the_first() {
        let known = ["lv13", "lv12", "other"];
        assert_eq!(nearest_str("lv1", known.into_iter()), Some("lv12"));
        assert_eq!(nearest_str("lv12", known.into_iter()), Some("lv13"));
        assert_eq!(nearest_str("x", ["y"].into_iter()), None);
    }
}
