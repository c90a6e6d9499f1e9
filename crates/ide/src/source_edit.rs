//! Text edits as data: ranges and their replacements.

use text_size::{TextRange, TextSize};

/// Replacements in one text, sorted and without overlaps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceEdit {
    replacements: Vec<Replacement>,
}

/// Maps offsets of a text to the edited text.
pub struct Moves {
    /// The end of each replacement, with the number of bytes that all replacements up to it add and remove.
    sums: Vec<(TextSize, TextSize, TextSize)>,
}

impl Moves {
    pub fn of(&self, offset: TextSize) -> TextSize {
        let before = self.sums.partition_point(|it| it.0 <= offset);
        let last = before.checked_sub(1).map(|at| self.sums[at]);
        last.map_or(offset, |(_, added, removed)| offset + added - removed)
    }
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

    /// Adds a replacement, unless it overlaps an existing one.
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

    /// Adds all replacements of another edit, which must not overlap this one but may begin where this one inserts.
    #[must_use]
    pub fn and_all(self, other: SourceEdit) -> SourceEdit {
        let others = other.replacements.into_iter();
        others.fold(self, |edit, it| edit.and_replace(it.range, it.text))
    }

    /// Adds all replacements of another edit if it does not touch this one; otherwise adds none.
    #[must_use]
    pub fn and_all_if_apart(self, other: SourceEdit) -> SourceEdit {
        // Adjacent deletions are fine, but the position of an insertion at the end of a deletion is ambiguous.
        let touches = |it: &Replacement| {
            let mut mine = self.replacements.iter();
            mine.any(|mine| match mine.range.intersect(it.range) {
                Some(shared) => !shared.is_empty() || mine.range.is_empty() || it.range.is_empty(),
                None => false,
            })
        };
        if other.replacements.iter().any(touches) {
            return self;
        }
        self.and_all(other)
    }

    /// Returns the mapping of offsets of the original text to the edited text.
    pub fn moves(&self) -> Moves {
        let (mut added, mut removed) = (TextSize::new(0), TextSize::new(0));
        let sums = self.replacements.iter().map(|it| {
            added += TextSize::of(&*it.text);
            removed += it.range.len();
            (it.range.end(), added, removed)
        });
        Moves {
            sums: sums.collect(),
        }
    }

    /// Combines this edit of `text` with a following edit `next` of the result.
    #[must_use]
    pub fn then(&self, next: &SourceEdit, text: &str) -> SourceEdit {
        let pieces = next.cut(self.cut(vec![Piece::Kept(TextRange::up_to(TextSize::of(text)))]));
        let mut edit = SourceEdit::default();
        let (mut done, mut inserted) = (TextSize::new(0), String::new());
        let end = Piece::Kept(TextRange::empty(TextSize::of(text)));
        for piece in pieces.into_iter().chain([end]) {
            match piece {
                Piece::Inserted(text) => inserted.push_str(&text),
                Piece::Kept(kept) => {
                    let replaced = TextRange::new(done, kept.start());
                    if !replaced.is_empty() || !inserted.is_empty() {
                        let text = std::mem::take(&mut inserted);
                        edit.replacements.push(Replacement {
                            range: replaced,
                            text,
                        });
                    }
                    done = kept.end();
                }
            }
        }
        edit
    }

    /// Applies the replacements to a text that is given in pieces.
    fn cut(&self, pieces: Vec<Piece>) -> Vec<Piece> {
        let mut cut = Vec::new();
        let mut replacements = self.replacements.iter().peekable();
        let mut at = TextSize::new(0);
        for piece in pieces {
            let whole = TextRange::at(at, piece.len());
            let mut from = at;
            while let Some(it) = replacements.peek()
                && it.range.start() < whole.end()
            {
                let begins = it.range.start() >= whole.start();
                if begins {
                    cut.extend(piece.part(TextRange::new(from, it.range.start().max(from)) - at));
                    cut.push(Piece::Inserted(it.text.clone()));
                }
                from = it.range.end().min(whole.end());
                if it.range.end() > whole.end() {
                    break;
                }
                replacements.next();
            }
            cut.extend(piece.part(TextRange::new(from, whole.end()) - at));
            at = whole.end();
        }
        cut.extend(replacements.map(|it| Piece::Inserted(it.text.clone())));
        cut
    }

    pub fn replacements(&self) -> &[Replacement] {
        &self.replacements
    }

    pub fn is_empty(&self) -> bool {
        self.replacements.is_empty()
    }

    /// Shifts the edit for a text that begins `offset` later.
    #[must_use]
    pub fn moved(mut self, offset: TextSize) -> SourceEdit {
        for it in &mut self.replacements {
            it.range += offset;
        }
        self
    }

    /// Shifts the edit for the text that begins at `offset`.
    #[must_use]
    pub fn moved_back(mut self, offset: TextSize) -> SourceEdit {
        for it in &mut self.replacements {
            it.range -= offset;
        }
        self
    }

    /// Applies the edit to `text`.
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

/// A piece of an edited text.
enum Piece {
    /// A range of the original text.
    Kept(TextRange),
    Inserted(String),
}

impl Piece {
    fn len(&self) -> TextSize {
        match self {
            Piece::Kept(range) => range.len(),
            Piece::Inserted(text) => TextSize::of(text),
        }
    }

    /// Returns a range of the piece, or `None` if it is empty.
    fn part(&self, range: TextRange) -> Option<Piece> {
        let part = match self {
            Piece::Kept(kept) => Piece::Kept(range + kept.start()),
            Piece::Inserted(text) => Piece::Inserted(text[range].to_owned()),
        };
        (!range.is_empty()).then_some(part)
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
    fn two_edits_after_each_other_are_one_of_the_first_text() {
        let text = "abcdef";
        let first = SourceEdit::replace(range(1, 3), "XYZ").and_insert(6.into(), "!");
        let after = first.apply(text);
        for (at, to) in (0..=after.len() as u32)
            .flat_map(|at| (at..=after.len() as u32).map(move |to| (at, to)))
        {
            let next = SourceEdit::replace(range(at, to), "<>");
            let both = first.then(&next, text);
            assert_eq!(both.apply(text), next.apply(&after), "{at}..{to}: {both:?}");
        }
        let apart = SourceEdit::insert(0.into(), ">").and_replace(range(5, 6), "E");
        let both = first.then(&apart, text);
        assert_eq!(both.apply(text), apart.apply(&after));
        assert_eq!(both.replacements().len(), 4);
    }

    #[test]
    fn edits_beside_each_other_are_both_made() {
        let first = SourceEdit::delete(range(0, 2));
        let both = first
            .clone()
            .and_all_if_apart(SourceEdit::delete(range(2, 4)));
        assert_eq!(both.apply("abcdef"), "ef");
        let one = first.and_all_if_apart(SourceEdit::insert(2.into(), "+"));
        assert_eq!(one.apply("abcdef"), "cdef");
    }

    #[test]
    fn overlapping_edits_are_dropped() {
        let edit = SourceEdit::delete(range(0, 3)).and_replace(range(2, 4), "X");
        assert_eq!(edit.apply("abcdef"), "def");
    }
}
