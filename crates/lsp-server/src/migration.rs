//! Migration between releases of TVM: determines the source release, and returns the edit.

use ide::{Migration, SourceEdit};
use relax::release::{Release, Releases};

use crate::line_difference::LineDifference;

/// Migrates a text to the release `to`. `target` is the release of its project.
pub fn migrate(text: &str, target: Option<Release>, to: Release) -> Migration {
    let from = narrowed(releases_of(text), target.filter(|it| *it != to));
    ide::migrate(text, from, to)
}

/// Migrates a text like [`migrate`], and lists what the release `to` rejects in the result.
pub fn migrate_and_check(text: &str, target: Option<Release>, to: Release) -> Migration {
    let from = narrowed(releases_of(text), target.filter(|it| *it != to));
    ide::migrate_and_check(text, from, to)
}

/// Returns the target release, unless the text shows that it was not written for that.
fn narrowed(releases: Releases, target: Option<Release>) -> Releases {
    let both = target.and_then(|it| Releases::only(it).and(releases));
    both.unwrap_or(releases)
}

/// Returns the releases that a text may be written for.
fn releases_of(text: &str) -> Releases {
    let db = hir::Database::default();
    let file = hir::SourceFile::new(&db, hir::Source::new(text));
    hir::file_releases(&db, file)
}

/// Returns an edit with separate replacements for each run of changed lines, so that an editor can show them one by
/// one.
pub fn edit(before: &str, after: &str) -> SourceEdit {
    let difference = LineDifference::of(before, after);
    let replacements = difference.replacements();
    replacements.fold(SourceEdit::default(), |edit, (range, text)| {
        edit.and_replace(range, text)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_edit_makes_the_one_text_of_the_other_line_by_line() {
        for (before, after, runs) in [
            ("a\nb\nc\n", "a\nB\nc\nd\n", 2),
            ("a\nb\n", "b\n", 1),
            ("", "a", 1),
            ("ä\nb", "ä\nb\n", 1),
            ("a\n", "a\n", 0),
        ] {
            let edit = edit(before, after);
            assert_eq!(edit.apply(before), after);
            assert_eq!(edit.replacements().len(), runs, "{before:?}");
        }
    }
}
