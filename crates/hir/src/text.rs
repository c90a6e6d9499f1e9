//! The text of a file: shared by all who read it, and changed where it is.

use std::ops::{Deref, Range};
use std::sync::Arc;

use text_size::{TextRange, TextSize};

/// What a comment says that silences diagnostics.
pub const IGNORE: &str = "relax: ignore";

/// One version of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    text: Arc<String>,
    /// Where [`IGNORE`] is written. An edit looks for it around itself only: a text may have ten megabytes.
    ignores: Arc<Vec<TextSize>>,
}

impl Text {
    /// Puts `new` in the place of a range. Other holders of the text keep it as it was; without one it is not copied.
    pub fn edit(&mut self, range: TextRange, new: &str) {
        let bytes = Range::<usize>::from(range);
        let len = self.len() - bytes.len() + new.len();
        // With room for what is typed next, so that it rarely has to move.
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
        self.find_ignores_again(range, new.len());
    }

    /// Where [`IGNORE`] is written, in order.
    pub fn ignores(&self) -> &[TextSize] {
        &self.ignores
    }

    /// After an edit that put `inserted` bytes in the place of `range`.
    fn find_ignores_again(&mut self, range: TextRange, inserted: usize) {
        let overlap = IGNORE.len() - 1;
        let start = usize::from(range.start()).saturating_sub(overlap);
        let end = usize::from(range.start()) + inserted + overlap;
        let window = &self.text.as_bytes()[start..end.min(self.text.len())];
        let found = places(window).map(|at| at + TextSize::new(start as u32));
        let found: Vec<TextSize> = found.collect();
        if found.is_empty() && self.ignores.is_empty() {
            return;
        }
        let ignores = Arc::make_mut(&mut self.ignores);
        let first = ignores.partition_point(|at| usize::from(*at) < start);
        let after = ignores.partition_point(|at| *at < range.end());
        for at in &mut ignores[after..] {
            *at = *at - range.len() + TextSize::new(inserted as u32);
        }
        ignores.splice(first..after.max(first), found);
        ignores.dedup();
    }
}

/// Two of them may share letters (`relax: ignorelax: ignore`): a search of a part then finds what one of the whole does.
fn places(text: &[u8]) -> impl Iterator<Item = TextSize> {
    let finder = memchr::memmem::Finder::new(IGNORE);
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
        let ignores = places(text.as_bytes()).collect();
        Text {
            text: Arc::new(text),
            ignores: Arc::new(ignores),
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

    fn range(start: u32, end: u32) -> TextRange {
        TextRange::new(start.into(), end.into())
    }

    #[test]
    fn who_holds_a_text_keeps_it() {
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
    fn where_ignore_is_written_is_known_after_each_edit() {
        let mut random = 1_u32;
        let mut next = |below: usize| {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (random >> 8) as usize % (below + 1)
        };
        let pieces = ["", "relax", ": ignore", "relax: ignore", "\n", "x = 1"];
        let mut text = Text::from("x = 1  # relax: ignore\n");
        let mut places_seen = 0;
        for _ in 0..5000 {
            let start = next(text.len());
            let end = start + next((text.len() - start).min(20));
            text.edit(range(start as u32, end as u32), pieces[next(5)]);
            let afresh: Vec<TextSize> = places(text.as_bytes()).collect();
            assert_eq!(text.ignores(), afresh, "{:?}", &*text);
            places_seen += afresh.len();
        }
        assert!(places_seen > 1000, "{places_seen}");
    }
}
