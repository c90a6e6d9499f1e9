//! Reduces a program to the smallest one that still shows a problem, for bug reports.
//!
//! Works from text to text. Each step proposes shorter texts, and keeps one only if the caller's predicate still
//! holds. Steps are repeated until none helps; each text is smaller than the previous one, so this terminates. If a
//! removed binding is still used, its variable becomes a parameter with the same StructInfo, so that the program stays
//! well-formed.

mod steps;
#[cfg(test)]
mod tests;

use hir::{Database, Source, SourceFile};

use steps::Edit;

/// Shortens `text` while `shows` holds for the result.
pub fn reduce(text: &str, shows: &mut dyn FnMut(&str) -> bool) -> String {
    let mut best = bisected(text.to_owned(), shows);
    loop {
        let before = best.clone();
        for step in steps::ALL {
            best = run(step, best, shows);
        }
        if best == before {
            return best;
        }
    }
}

/// Returns the shortest beginning of the program that shows the problem, if every longer one shows it too: most programs
/// are wrong from one binding on.
fn bisected(text: String, shows: &mut dyn FnMut(&str) -> bool) -> String {
    let step: &fn(&Database, SourceFile) -> Vec<Edit> = &(steps::with_earlier_results as _);
    let edits = proposed(step, &text);
    let mut best = None;
    let (mut start, mut end) = (0, edits.len());
    while start < end {
        let middle = start + (end - start) / 2;
        match applied(&text, &edits[middle..=middle]).filter(|it| shows(it)) {
            Some(shorter) => {
                best = Some(shorter);
                end = middle;
            }
            None => start = middle + 1,
        }
    }
    best.filter(|it| size_of(it) < size_of(&text))
        .unwrap_or(text)
}

/// Applies the edits that a step proposes: first many at once, then halves of them, down to single edits.
fn run(
    step: &fn(&Database, SourceFile) -> Vec<Edit>,
    mut text: String,
    shows: &mut dyn FnMut(&str) -> bool,
) -> String {
    let mut parts = 1;
    loop {
        let edits = proposed(step, &text);
        if edits.is_empty() {
            return text;
        }
        let size = edits.len().div_ceil(parts);
        let shorter = edits.chunks(size).find_map(|chunk| {
            let candidate = applied(&text, chunk)?;
            (size_of(&candidate) < size_of(&text) && shows(&candidate)).then_some(candidate)
        });
        match shorter {
            // Ask the step again, since the ranges of the other edits have moved.
            Some(shorter) => {
                text = shorter;
                parts = parts.min(edits.len()).max(1);
            }
            None if size == 1 => return text,
            None => parts = (parts * 2).min(edits.len()),
        }
    }
}

/// The measure that reduction minimizes: first the number of lines, then the number of characters.
fn size_of(text: &str) -> (usize, usize) {
    (text.lines().count(), text.len())
}

fn proposed(step: &fn(&Database, SourceFile) -> Vec<Edit>, text: &str) -> Vec<Edit> {
    let db = Database::default();
    let file = SourceFile::new(&db, Source::new(text));
    step(&db, file)
}

/// Applies all replacements of the edits. Returns `None` if two of them overlap.
fn applied(text: &str, edits: &[Edit]) -> Option<String> {
    let mut all: Vec<_> = edits.iter().flat_map(|edit| &edit.replacements).collect();
    all.sort_by_key(|it| (it.range.start(), it.range.end()));
    all.dedup();
    let mut result = String::with_capacity(text.len());
    let mut end = 0;
    for it in all {
        let range = std::ops::Range::<usize>::from(it.range);
        // A replacement inside deleted text is dropped with it.
        if range.end <= end && range.start < end {
            continue;
        }
        if range.start < end {
            return None;
        }
        result.push_str(text.get(end..range.start)?);
        result.push_str(&it.text);
        end = range.end;
    }
    result.push_str(text.get(end..)?);
    Some(result)
}
