//! The text of a file. Readers share it; without readers, an edit changes it in place.

use std::ops::{Deref, Range};
use std::sync::Arc;

use text_size::{TextRange, TextSize};

/// The text of a comment that silences diagnostics.
pub const IGNORE: &str = "relax: ignore";
/// A part of the names of functions that parse Relay's text.
pub(crate) const PARSE: &str = ".parse";
pub(crate) const FROM_TEXT: &str = "fromtext";

/// The strings that a text is searched for. After an edit, only its surroundings are searched, since a text may have
/// 10 MB.
const MARKS: [&str; 4] = [IGNORE, syntax::relay::VERSION, PARSE, FROM_TEXT];

/// One version of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    text: Arc<String>,
    /// The positions of each of [`MARKS`].
    places: [Arc<Vec<TextSize>>; MARKS.len()],
}

impl Text {
    /// Replaces a range with `new`. Clones keep the old text; if there are none, the text is not copied.
    pub fn edit(&mut self, range: TextRange, new: &str) {
        let bytes = Range::<usize>::from(range);
        let len = self.len() - bytes.len() + new.len();
        // Reserve room for further typing, so that the text rarely has to move.
        let room = len + len / 64;
        if let Some(text) = Arc::get_mut(&mut self.text) {
            if text.capacity() < len {
                text.reserve_exact(room - text.len());
            }
            text.replace_range(bytes, new);
        } else {
            let mut text = String::with_capacity(room);
            for part in [&self[..bytes.start], new, &self[bytes.end..]] {
                text.push_str(part);
            }
            self.text = Arc::new(text);
        }
        self.find_marks_again(range, new.len());
    }

    /// Returns the positions of [`IGNORE`], in order.
    pub fn ignores(&self) -> &[TextSize] {
        self.places(IGNORE)
    }

    /// Returns the positions of one of the marks, in order.
    pub(crate) fn places(&self, mark: &str) -> &[TextSize] {
        let at = MARKS.iter().position(|it| *it == mark);
        at.map_or(&[], |at| &self.places[at])
    }

    /// Returns `true` if strings of a Python text may contain Relay's text.
    pub(crate) fn may_hold_relay(&self) -> bool {
        MARKS[1..].iter().any(|it| !self.places(it).is_empty())
    }

    /// Updates the positions after an edit that replaced `range` with `inserted` bytes.
    fn find_marks_again(&mut self, range: TextRange, inserted: usize) {
        for (mark, known) in MARKS.iter().zip(&mut self.places) {
            let overlap = mark.len() - 1;
            let start = usize::from(range.start()).saturating_sub(overlap);
            let end = usize::from(range.start()) + inserted + overlap;
            let window = &self.text.as_bytes()[start..end.min(self.text.len())];
            let found = places(window, mark).map(|at| at + TextSize::new(start as u32));
            let found: Vec<TextSize> = found.collect();
            if found.is_empty() && known.is_empty() {
                continue;
            }
            let known = Arc::make_mut(known);
            let first = known.partition_point(|at| usize::from(*at) < start);
            let after = known.partition_point(|at| *at < range.end());
            for at in &mut known[after..] {
                *at = *at - range.len() + TextSize::new(inserted as u32);
            }
            known.splice(first..after.max(first), found);
            known.dedup();
        }
    }
}

/// Returns the positions of a mark. Two occurrences may overlap (`relax: ignorelax: ignore`), so that a search of a part
/// finds the same as a search of the whole text.
fn places<'t>(text: &'t [u8], mark: &str) -> impl Iterator<Item = TextSize> + use<'t> {
    let finder = memchr::memmem::Finder::new(mark).into_owned();
    let mut from = 0;
    std::iter::from_fn(move || {
        let at = from + finder.find(&text[from..])?;
        from = at + 1;
        Some(TextSize::new(at as u32))
    })
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl From<String> for Text {
    fn from(text: String) -> Text {
        let places = MARKS.map(|it| Arc::new(places(text.as_bytes(), it).collect()));
        Text {
            text: Arc::new(text),
            places,
        }
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        Text::from(text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Chance;

    fn range(start: u32, end: u32) -> TextRange {
        TextRange::new(start.into(), end.into())
    }

    #[test]
    fn clones_keep_the_old_text() {
        let mut text = Text::from("one two");
        let held = text.clone();
        text.edit(range(0, 3), "three");
        assert_eq!((&*text, &*held), ("three two", "one two"));
    }

    #[test]
    fn a_text_with_one_owner_is_edited_in_place() {
        let mut text = Text::from("x".repeat(10_000));
        text.edit(range(5, 5), "room is made");
        let place = text.as_ptr();
        text.edit(range(5, 17), "");
        text.edit(range(9_999, 10_000), "yy");
        assert_eq!(text.as_ptr(), place);
        assert_eq!(*text, "x".repeat(9_999) + "yy");
    }

    #[test]
    fn markers_are_found_after_each_edit() {
        let mut chance = Chance::new(1);
        let mut next = |most: usize| chance.below(most + 1);
        let pieces = [
            "",
            "relax",
            ": ignore",
            "relax: ignore",
            "\n",
            "x = 1",
            ".parse",
            "#[version",
        ];
        let mut text = Text::from("x = 1  # relax: ignore\n");
        let mut places_seen = 0;
        for _ in 0..5000 {
            let start = next(text.len());
            let end = start + next((text.len() - start).min(20));
            text.edit(range(start as u32, end as u32), pieces[next(7)]);
            for mark in MARKS {
                let afresh: Vec<TextSize> = places(text.as_bytes(), mark).collect();
                assert_eq!(text.places(mark), afresh, "{:?}", &*text);
                places_seen += afresh.len();
            }
        }
        assert!(places_seen > 1000, "{places_seen}");
    }
}
