//! Lists what the target release rejects in a migrated file, and the release before accepted: changes of meaning that
//! no rule rewrites, such as the ranks that an operator takes.

use relax::diagnostics::Code;
use relax::release::{Release, Releases};
use rustc_hash::FxHashMap;

use super::{Left, Migration, migrate};
use crate::{Analysis, Config, Diagnostic, Severity};

/// Migrates a text, and lists the mistakes that it did not have before.
pub fn migrate_and_check(text: &str, from: Releases, to: Release) -> Migration {
    let mut migration = migrate(text, from, to);
    if from.until == to {
        return migration;
    }
    let after = mistakes(&migration.text, to);
    if after.is_empty() {
        return migration;
    }
    // A mistake is older only if each release that the text may be for rejects it.
    let mut known = counts(text, from.until);
    if from.since != from.until {
        let oldest = counts(text, from.since);
        known.retain(|message, count| {
            *count = oldest.get(message).map_or(0, |it| *it.min(count));
            *count > 0
        });
    }
    for mistake in after {
        if let Some(count) = known.get_mut(&mistake.message).filter(|it| **it > 0) {
            *count -= 1;
            continue;
        }
        let mut listed = migration.left.iter();
        if listed.all(|it| it.range.intersect(mistake.range).is_none()) {
            migration.left.push(Left {
                range: mistake.range,
                message: mistake.message,
            });
        }
    }
    migration
        .left
        .sort_by_key(|it| (it.range.start(), it.range.end()));
    migration
}

/// Returns how often a release says each message about a text.
fn counts(text: &str, release: Release) -> FxHashMap<String, usize> {
    let mut counts = FxHashMap::default();
    for mistake in mistakes(text, release) {
        *counts.entry(mistake.message).or_default() += 1;
    }
    counts
}

/// Returns what a release rejects in a text.
fn mistakes(text: &str, release: Release) -> Vec<Diagnostic> {
    let config = Config {
        target: Some(release),
    };
    let (analysis, file) = Analysis::from_single_file(text, config);
    let all = analysis.diagnostics(file).unwrap_or_default();
    let is_rejected = |it: &Diagnostic| {
        it.severity == Severity::Error
            || it.code == Code::OtherDialect.name() && it.severity == Severity::Warning
    };
    all.into_iter().filter(is_rejected).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_the_target_rejects_is_listed() {
        let program = r#"from tvm.script import relax as R, tirx as T

@R.function
def f(x: R.Tensor((3, 1), "float32")):
    y = R.squeeze(x, axis=[0])
    z = R.add(y, undefined)
    return R.nn.relu(z, z)
"#;
        let from = Releases::only(Release::V0_27);
        let migration = migrate_and_check(program, from, Release::V0_22);
        let left = migration.left.iter().map(|it| &migration.text[it.range]);
        assert_eq!(left.collect::<Vec<&str>>(), ["[0]"]);
        let up = migrate_and_check(
            &migration.text,
            Releases::only(Release::V0_22),
            Release::V0_27,
        );
        assert_eq!((up.text.as_str(), up.left), (program, Vec::new()));
    }
}
