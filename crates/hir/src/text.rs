//! The text of a file: shared by all who read it, and changed where it is.

use std::ops::{Deref, Range};
use std::sync::Arc;

use text_size::TextRange;

/// One version of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text(Arc<String>);

impl Text {
    /// Puts `new` in the place of a range. Other holders of the text keep it as it was; without one it is not copied.
    pub fn edit(&mut self, range: TextRange, new: &str) {
        let range = Range::<usize>::from(range);
        let len = self.len() - range.len() + new.len();
        // With room for what is typed next, so that it rarely has to move.
        let room = len + len / 64;
        if let Some(text) = Arc::get_mut(&mut self.0) {
            if text.capacity() < len {
                text.reserve_exact(room - text.len());
            }
            text.replace_range(range, new);
        } else {
            let mut text = String::with_capacity(room);
            for part in [&self[..range.start], new, &self[range.end..]] {
                text.push_str(part);
            }
            self.0 = Arc::new(text);
        }
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl From<String> for Text {
    fn from(text: String) -> Text {
        Text(Arc::new(text))
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
}
