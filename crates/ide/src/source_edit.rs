//! Changes to the text of a file, as data: what to put in the place of which ranges.

use text_size::{TextRange, TextSize};

/// Replacements of ranges of one text, in order and apart from each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceEdit {
    replacements: Vec<Replacement>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    pub range: TextRange,
    pub text: String,
}

impl SourceEdit {
    pub fn replace(range: TextRange, text: impl Into<String>) -> SourceEdit {
        SourceEdit::default().and_replace(range, text)
    }

    pub fn insert(at: TextSize, text: impl Into<String>) -> SourceEdit {
        SourceEdit::replace(TextRange::empty(at), text)
    }

    pub fn delete(range: TextRange) -> SourceEdit {
        SourceEdit::replace(range, "")
    }

    /// With one more replacement. One that overlaps another is left out: both cannot be done.
    pub fn and_replace(mut self, range: TextRange, text: impl Into<String>) -> SourceEdit {
        let at = self
            .replacements
            .partition_point(|it| it.range.end() <= range.start());
        let apart = self
            .replacements
            .get(at)
            .is_none_or(|next| range.end() <= next.range.start());
        if apart {
            let text = text.into();
            self.replacements.insert(at, Replacement { range, text });
        }
        self
    }

    pub fn and_insert(self, at: TextSize, text: impl Into<String>) -> SourceEdit {
        self.and_replace(TextRange::empty(at), text)
    }

    pub fn and_delete(self, range: TextRange) -> SourceEdit {
        self.and_replace(range, "")
    }

    /// With all of another edit, if that is apart from this one; else without any of it.
    #[must_use]
    pub fn and_all_if_apart(self, other: SourceEdit) -> SourceEdit {
        let touches = |it: &Replacement| {
            let mut mine = self.replacements.iter();
            mine.any(|mine| mine.range.intersect(it.range).is_some())
        };
        if other.replacements.iter().any(touches) {
            return self;
        }
        let others = other.replacements.into_iter();
        others.fold(self, |edit, it| edit.and_replace(it.range, it.text))
    }

    pub fn replacements(&self) -> &[Replacement] {
        &self.replacements
    }

    pub fn is_empty(&self) -> bool {
        self.replacements.is_empty()
    }

    /// The same edit of a text that begins `offset` later.
    #[must_use]
    pub fn moved(mut self, offset: TextSize) -> SourceEdit {
        for it in &mut self.replacements {
            it.range += offset;
        }
        self
    }

    /// `text` with the replacements made.
    pub fn apply(&self, text: &str) -> String {
        let mut edited = String::with_capacity(text.len());
        let mut done = 0;
        for it in &self.replacements {
            let range = std::ops::Range::<usize>::from(it.range);
            edited.push_str(&text[done..range.start]);
            edited.push_str(&it.text);
            done = range.end;
        }
        edited.push_str(&text[done..]);
        edited
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(start: u32, end: u32) -> TextRange {
        TextRange::new(start.into(), end.into())
    }

    #[test]
    fn replacements_are_made_in_order_of_place() {
        let edit = SourceEdit::replace(range(4, 5), "Y")
            .and_replace(range(0, 1), "X")
            .and_insert(3.into(), "+");
        assert_eq!(edit.apply("abcdef"), "Xbc+dYf");
    }

    #[test]
    fn insertions_at_one_place_stay_in_the_order_given() {
        let edit = SourceEdit::insert(1.into(), "1").and_insert(1.into(), "2");
        assert_eq!(edit.apply("ab"), "a12b");
    }

    #[test]
    fn what_overlaps_is_left_out() {
        let edit = SourceEdit::delete(range(0, 3)).and_replace(range(2, 4), "X");
        assert_eq!(edit.apply("abcdef"), "def");
    }
}
