//! Rules over source text, line by line: headers, forbidden modules and words, machine paths.

use super::{assert_none, ends_in, rust_files, texts};

/// What only the server may touch; `std::` is implied.
const OUTSIDE_WORLD: &[&str] = &["fs", "process", "net", "env"];

/// Words that mark unfinished work or a test that does not run. Split, so that this table is not its own finding.
const UNFINISHED: &[&str] = &[
    concat!("TO", "DO"),
    concat!("FIX", "ME"),
    concat!("todo", "!("),
    concat!("unimplemented", "!("),
    concat!("#[ig", "nore"),
];

const MACHINE_PATHS: &[&str] = &[
    concat!("/wo", "rk/"),
    concat!("/ro", "ot/"),
    concat!("/ho", "me/"),
    concat!("/Us", "ers/"),
];

/// `(line from 1, line)` of the code before the tests in a file.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line));
    lines.take_while(|(_, line)| line.trim() != "#[cfg(test)]")
}

fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with("//")
}

fn is_test_file(name: &str) -> bool {
    name.starts_with("tests/") || name.ends_with("/tests.rs") || name.contains("/tests/")
}

fn below_the_server(name: &str) -> bool {
    name.starts_with("crates/") && !name.starts_with("crates/lsp-server/")
}

/// Whether `path` (such as `std::fs` or `tower_lsp`) stands in `line`, whole.
fn names(line: &str, path: &str) -> bool {
    let part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    line.match_indices(path).any(|(at, _)| {
        !part(line[..at].chars().next_back()) && !part(line[at + path.len()..].chars().next())
    })
}

fn outside_world(name: &str, text: &str) -> Vec<String> {
    if !below_the_server(name) || is_test_file(name) {
        return Vec::new();
    }
    let touches = |line: &str| {
        OUTSIDE_WORLD.iter().any(|module| {
            let grouped = line.trim_start().strip_prefix("use std::{");
            names(line, &format!("std::{module}"))
                || grouped.is_some_and(|rest| names(rest, module))
        })
    };
    found(
        name,
        code(text).filter(|(_, line)| !is_comment(line) && touches(line)),
    )
}

fn tower_abroad(name: &str, text: &str) -> Vec<String> {
    let may = [
        "crates/lsp-server/src/server.rs",
        "crates/lsp-server/src/main.rs",
    ]
    .contains(&name);
    if may || name.starts_with("tests/rules") {
        return Vec::new();
    }
    let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line));
    found(
        name,
        lines.filter(|(_, line)| !is_comment(line) && names(line, "tower_lsp")),
    )
}

fn rowan_abroad(name: &str, text: &str) -> Vec<String> {
    if !["crates/hir/", "crates/vm/", "crates/lsp-server/"]
        .iter()
        .any(|place| name.starts_with(place))
    {
        return Vec::new();
    }
    found(
        name,
        code(text).filter(|(_, line)| !is_comment(line) && names(line, "rowan")),
    )
}

fn unfinished(name: &str, text: &str) -> Vec<String> {
    let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line));
    found(
        name,
        lines.filter(|(_, line)| UNFINISHED.iter().any(|word| line.contains(word))),
    )
}

fn machine_paths(name: &str, text: &str) -> Vec<String> {
    let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line));
    found(
        name,
        lines.filter(|(_, line)| MACHINE_PATHS.iter().any(|path| line.contains(path))),
    )
}

fn glob_reexports(name: &str, text: &str) -> Vec<String> {
    let glob = |line: &str| {
        let line = line.trim();
        line.starts_with("pub") && line.contains(" use ") && line.ends_with("::*;")
            || line.starts_with("pub use ") && line.ends_with("::*;")
    };
    found(name, code(text).filter(|(_, line)| glob(line)))
}

fn found<'a>(name: &str, lines: impl Iterator<Item = (usize, &'a str)>) -> Vec<String> {
    lines
        .map(|(at, line)| format!("{name}:{at}: {}", line.trim()))
        .collect()
}

fn all(files: &[(String, String)], rule: impl Fn(&str, &str) -> Vec<String>) -> Vec<String> {
    files
        .iter()
        .flat_map(|(name, text)| rule(name, text))
        .collect()
}

#[test]
fn lower_crates_do_not_touch_the_outside_world() {
    assert_none(
        "files, processes, sockets and the environment are the server's",
        &all(&rust_files(), outside_world),
    );
}

#[test]
fn only_server_and_main_name_tower_lsp() {
    assert_none(
        "tower_lsp outside server.rs and main.rs",
        &all(&rust_files(), tower_abroad),
    );
}

#[test]
fn syntax_trees_stay_out_of_meaning_and_execution() {
    assert_none(
        "rowan where ids and pointers are meant",
        &all(&rust_files(), rowan_abroad),
    );
}

#[test]
fn nothing_is_left_for_later() {
    let code = texts(|name| ends_in(name, &["rs", "ts", "mjs", "sh"]));
    assert_none(
        "unfinished work, or a test that does not run",
        &all(&code, unfinished),
    );
}

#[test]
fn no_grab_bags() {
    let bag = |name: &str, _: &str| {
        let stem = name
            .rsplit('/')
            .next()
            .and_then(|file| file.strip_suffix(".rs"))
            .unwrap_or_default();
        if ["utils", "util", "prelude", "misc", "helpers"].contains(&stem) {
            vec![name.to_owned()]
        } else {
            Vec::new()
        }
    };
    assert_none("a file named for nothing", &all(&rust_files(), bag));
    assert_none("a glob re-export", &all(&rust_files(), glob_reexports));
}

#[test]
fn no_machine_paths() {
    let extensions = [
        "rs", "ts", "mjs", "js", "json", "toml", "md", "yml", "sh", "lua", "el", "vim",
    ];
    let committed = texts(|name| ends_in(name, &extensions) && name != "package-lock.json");
    assert_none(
        "a path of somebody's machine",
        &all(&committed, machine_paths),
    );
}

#[test]
fn the_lock_of_the_extension_names_no_registry() {
    for (name, text) in texts(|name| name == "package-lock.json") {
        assert!(
            !text.contains("\"resolved\""),
            "{name}: install with omit-lockfile-registry-resolved"
        );
    }
}

#[test]
fn a_file_read_in_hir_is_seen_and_its_tests_are_free() {
    let text = "//! Header.\nuse std::{collections::HashMap, fs};\n// std::process\nlet offset = std::fsx();\nstd::env::var(\"A\");\n#[cfg(test)]\nmod tests { use std::fs; }\n";
    assert_eq!(
        outside_world("crates/hir/src/body.rs", text),
        [
            "crates/hir/src/body.rs:2: use std::{collections::HashMap, fs};",
            "crates/hir/src/body.rs:5: std::env::var(\"A\");",
        ]
    );
    assert!(outside_world("crates/lsp-server/src/main.rs", text).is_empty());
    assert!(outside_world("crates/hir/src/body/tests.rs", text).is_empty());
}

#[test]
fn tower_lsp_in_a_handler_is_seen() {
    let text = "//! Header.\nuse tower_lsp::jsonrpc::Result;\n";
    assert_eq!(
        tower_abroad("crates/lsp-server/src/handlers/hover.rs", text).len(),
        1
    );
    assert!(tower_abroad("crates/lsp-server/src/server.rs", text).is_empty());
}

#[test]
fn marks_of_unfinished_work_are_seen() {
    for word in UNFINISHED {
        assert_eq!(
            unfinished("a.rs", &format!("//! Header.\n{word}\n")).len(),
            1,
            "{word}"
        );
    }
}

#[test]
fn a_glob_reexport_is_seen_and_a_glob_import_is_not() {
    assert_eq!(
        glob_reexports(
            "a.rs",
            "pub use crate::x::*;\npub(crate) use crate::y::*;\nuse crate::z::*;\n"
        )
        .len(),
        2
    );
}
