//! Rules about the workflows of CI.

use super::{assert_none, ends_in, files};
use std::fs;

/// Returns the steps that use an action by a tag or branch, which its author can move.
fn movable(workflow: &str) -> Vec<&str> {
    let uses = workflow
        .lines()
        .filter_map(|line| line.trim_start_matches(['-', ' ']).strip_prefix("uses: "));
    let is_fixed = |action: &&str| {
        let (_, version) = action.split_once('@').unwrap_or_default();
        let hash = version.split(' ').next().unwrap_or_default();
        hash.len() == 40 && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    let is_ours = |action: &&str| action.starts_with("./") || action.starts_with("OWNER/");
    uses.filter(|action| !is_ours(action) && !is_fixed(action))
        .collect()
}

#[test]
fn actions_of_others_are_named_by_the_hash_of_what_was_read() {
    let workflows = files(|name| ends_in(name, &["yml", "yaml", "md"]));
    let workflows: Vec<_> = workflows
        .into_iter()
        .filter(|(name, _)| name.starts_with(".github/workflows/") || ends_in(name, &["md"]))
        .collect();
    assert!(workflows.iter().any(|(name, _)| ends_in(name, &["yml"])));
    let mut found = Vec::new();
    for (name, path) in workflows {
        let text = fs::read_to_string(path).expect("a workflow is text");
        found.extend(
            movable(&text)
                .iter()
                .map(|action| format!("{name}: {action}")),
        );
    }
    assert_none("actions that can change under us", &found);
}

#[test]
fn an_action_by_a_tag_is_seen() {
    let fixed = "actions/cache@0123456789abcdef0123456789abcdef01234567 # v4";
    let text = format!(
        "steps:\n  - uses: {fixed}\n  - name: x\n    uses: a/b@v1\n  - uses: ./.github/own\n"
    );
    assert_eq!(movable(&text), ["a/b@v1"]);
}
