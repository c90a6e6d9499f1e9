//! Compares two texts line by line, and prints the difference as a patch.
//!
//! The time is proportional to the texts, even if no line is equal: the algorithm of `similar` is quadratic then.

use std::fmt::Write as _;
use std::ops::Range;

use imara_diff::{Algorithm, Diff, InternedInput};
use rustc_hash::FxHashMap;
use similar::udiff::UnifiedHunkHeader;
use similar::{DiffOp, group_diff_ops};
use text_size::{TextRange, TextSize};

/// The number of unchanged lines around a change in a patch.
const CONTEXT: usize = 3;

/// Two texts in lines, with the runs of lines that differ.
#[derive(Debug)]
pub struct LineDifference<'t> {
    before: Vec<&'t str>,
    after: Vec<&'t str>,
    runs: Vec<(Range<usize>, Range<usize>)>,
}

impl<'t> LineDifference<'t> {
    pub fn of(before: &'t str, after: &'t str) -> LineDifference<'t> {
        let input = InternedInput::new(before, after);
        let mut diff = Diff::compute(Algorithm::Histogram, &input);
        diff.postprocess_lines(&input);
        let lines = |range: Range<u32>| range.start as usize..range.end as usize;
        let runs = diff.hunks().map(|it| (lines(it.before), lines(it.after)));
        LineDifference {
            runs: runs.collect(),
            before: before.split_inclusive('\n').collect(),
            after: after.split_inclusive('\n').collect(),
        }
    }

    /// Returns the range of each run in the first text, with its replacement.
    pub fn replacements(&self) -> impl Iterator<Item = (TextRange, String)> {
        let starts = starts(&self.before);
        self.runs.iter().map(move |(before, after)| {
            let range = TextRange::new(starts[before.start], starts[before.end]);
            (range, self.after[after.clone()].concat())
        })
    }

    /// Returns the line of the second text for each line of the first that is in both, from 0.
    pub fn equal_lines(&self) -> FxHashMap<u32, u32> {
        let ops = self.ops().into_iter();
        let equal = ops.filter_map(|op| match op {
            DiffOp::Equal {
                old_index,
                new_index,
                len,
            } => Some((old_index, new_index, len)),
            _ => None,
        });
        let lines = equal.flat_map(|(old, new, len)| (0..len).map(move |at| (old + at, new + at)));
        lines.map(|(old, new)| (old as u32, new as u32)).collect()
    }

    /// Returns the runs, with the lines around them, in the format of `diff -u`.
    pub fn hunks(&self) -> String {
        let mut text = String::new();
        for group in group_diff_ops(self.ops(), CONTEXT) {
            let _ = writeln!(text, "{}", UnifiedHunkHeader::new(&group));
            for op in group {
                if let DiffOp::Equal { old_index, len, .. } = op {
                    add_lines(&mut text, ' ', &self.before[old_index..old_index + len]);
                } else {
                    add_lines(&mut text, '-', &self.before[op.old_range()]);
                    add_lines(&mut text, '+', &self.after[op.new_range()]);
                }
            }
        }
        text
    }

    fn ops(&self) -> Vec<DiffOp> {
        let mut ops = Vec::with_capacity(2 * self.runs.len() + 1);
        let (mut old_index, mut new_index) = (0, 0);
        let end = (self.before.len(), self.after.len());
        let end = (end.0..end.0, end.1..end.1);
        for (before, after) in self.runs.iter().chain([&end]) {
            let len = before.start - old_index;
            if len > 0 {
                ops.push(DiffOp::Equal {
                    old_index,
                    new_index,
                    len,
                });
            }
            if !(before.is_empty() && after.is_empty()) {
                ops.push(DiffOp::Replace {
                    old_index: before.start,
                    old_len: before.len(),
                    new_index: after.start,
                    new_len: after.len(),
                });
            }
            (old_index, new_index) = (before.end, after.end);
        }
        ops
    }
}

fn add_lines(text: &mut String, sign: char, lines: &[&str]) {
    for line in lines {
        text.push(sign);
        text.push_str(line);
        if !line.ends_with('\n') {
            text.push_str("\n\\ No newline at end of file\n");
        }
    }
}

/// Returns the offset of each line, and the length of the text.
fn starts(lines: &[&str]) -> Vec<TextSize> {
    let mut at = TextSize::new(0);
    let mut starts = vec![at];
    for line in lines {
        at += TextSize::of(*line);
        starts.push(at);
    }
    starts
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::LineDifference;

    #[test]
    fn hunks_have_lines_around_them() {
        let lines: Vec<String> = (1..=20).map(|n| format!("{n}\n")).collect();
        let before = lines.concat();
        let after = before.replace("\n4\n", "\nfour\n").replace("20\n", "20");
        expect![[r"
            @@ -1,7 +1,7 @@
             1
             2
             3
            -4
            +four
             5
             6
             7
            @@ -17,4 +17,4 @@
             17
             18
             19
            -20
            +20
            \ No newline at end of file
        "]]
        .assert_eq(&LineDifference::of(&before, &after).hunks());
    }

    #[test]
    fn lines_of_an_empty_text_are_counted_as_diff_counts_them() {
        let added = LineDifference::of("", "a\nb\n").hunks();
        assert_eq!(added, "@@ -0,0 +1,2 @@\n+a\n+b\n");
        let removed = LineDifference::of("a\n", "").hunks();
        assert_eq!(removed, "@@ -1 +0,0 @@\n-a\n");
        assert_eq!(LineDifference::of("a\n", "a\n").hunks(), "");
    }
}
