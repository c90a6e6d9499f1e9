//! Rules about the text of sources: headers, forbidden modules and words, machine paths.

use super::{assert_none, ends_in, rust_files, texts};

/// Modules of `std` that only the server may use.
const OUTSIDE_WORLD: &[&str] = &["fs", "process", "net", "env"];

/// Words that mark unfinished work or a test that does not run. They are split so that this table does not break the
/// rule.
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

/// Phrases that are hard to read. Split, as above.
const HARD_TO_READ: &[&str] = &[
    concat!("of wh", "ich"),
    concat!("who", "ever"),
    concat!("no", "body"),
    concat!("is sa", "id"),
];

/// Returns the lines of code outside of test items, with their number from 1.
pub fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut lines = text.lines().enumerate();
    let mut kept = Vec::new();
    while let Some((at, line)) = lines.next() {
        if line.trim() != "#[cfg(test)]" {
            kept.push((at + 1, line));
            continue;
        }
        let indent = &line[..line.len() - line.trim_start().len()];
        let item = lines.find(|(_, line)| !line.trim_start().starts_with("#["));
        let is_block = item.is_some_and(|(_, item)| !item.ends_with(';') && !item.ends_with('}'));
        if is_block {
            lines.find(|(_, line)| line.strip_prefix(indent).is_some_and(|end| end == "}"));
        }
    }
    kept.into_iter()
}

/// Returns the files of the modules behind `#[cfg(test)]`.
pub fn test_modules(files: &[(String, String)]) -> Vec<String> {
    let mut found = Vec::new();
    for (name, text) in files {
        let folder = module_folder(name);
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        for pair in lines.windows(2).filter(|pair| pair[0] == "#[cfg(test)]") {
            let module = pair[1]
                .strip_prefix("mod ")
                .and_then(|rest| rest.strip_suffix(';'));
            found.extend(module.map(|module| format!("{folder}/{module}.rs")));
        }
    }
    found
}

/// Returns the folder of a file's submodules.
fn module_folder(name: &str) -> &str {
    let stem = name.strip_suffix(".rs").unwrap_or(name);
    let is_root = ["/lib", "/main", "/mod"]
        .iter()
        .any(|root| stem.ends_with(root));
    if is_root {
        stem.rsplit_once('/').map_or(stem, |(folder, _)| folder)
    } else {
        stem
    }
}

fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with("//")
}

pub fn is_test_file(name: &str) -> bool {
    name.starts_with("tests/") || name.ends_with("/tests.rs") || name.contains("/tests/")
}

fn below_the_server(name: &str) -> bool {
    name.starts_with("crates/") && !name.starts_with("crates/lsp-server/") && name.contains("/src/")
}

/// Whether `line` contains `path` (such as `std::fs` or `tower_lsp`) as a whole path.
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
    places(
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
    places(
        name,
        lines.filter(|(_, line)| !is_comment(line) && names(line, "tower_lsp")),
    )
}

/// The modules that create files: for users, and in folders that end with a session.
const CREATES_FILES: &[&str] = &[
    "crates/lsp-server/src/whole_file.rs",
    "crates/lsp-server/src/scratch/folder.rs",
];

/// What leaves half a text behind if the process ends meanwhile.
const IN_PLACE: &[&str] = &[
    "fs::write(",
    "fs::copy(",
    "fs::rename(",
    "File::create",
    "OpenOptions",
    "File::options",
];

fn written_in_place(name: &str, text: &str) -> Vec<String> {
    let is_bound = name.starts_with("crates/") && !name.starts_with("crates/testing/");
    if !is_bound || is_test_file(name) || CREATES_FILES.contains(&name) {
        return Vec::new();
    }
    let writes = |line: &str| IN_PLACE.iter().any(|it| line.contains(it));
    let lines = code(text).filter(|(_, line)| !is_comment(line) && writes(line));
    places(name, lines)
}

/// The files above `syntax` and beside `ide` that may hold nodes of trees: they lower them to data.
const LOWERING: &[&str] = &[
    "crates/hir/src/body/lower.rs",
    "crates/hir/src/item_tree.rs",
    "crates/hir/src/item_tree/unbound.rs",
    "crates/hir/src/queries/relay.rs",
    "crates/hir/src/relay/lower",
];

fn trees_abroad(name: &str, text: &str) -> Vec<String> {
    let may = ["crates/syntax/", "crates/ide/"].iter().chain(LOWERING);
    if !name.starts_with("crates/")
        || is_test_file(name)
        || may.into_iter().any(|it| name.starts_with(it))
    {
        return Vec::new();
    }
    let of_trees = ["SyntaxNode", "GreenNode", "GreenNodeData"];
    let holds = |line: &str| of_trees.iter().any(|it| names(line, it));
    let lines = code(text).filter(|(_, line)| !is_comment(line) && holds(line));
    places(name, lines)
}

fn unfinished(name: &str, text: &str) -> Vec<String> {
    let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line));
    places(
        name,
        lines.filter(|(_, line)| UNFINISHED.iter().any(|word| line.contains(word))),
    )
}

fn hard_to_read(name: &str, text: &str) -> Vec<String> {
    let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line));
    let is_hard = |line: &str| {
        let line = line.to_lowercase();
        HARD_TO_READ.iter().any(|phrase| names(&line, phrase))
    };
    places(name, lines.filter(|(_, line)| is_hard(line)))
}

fn machine_paths(name: &str, text: &str) -> Vec<String> {
    let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line));
    places(
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
    places(name, code(text).filter(|(_, line)| glob(line)))
}

fn places<'a>(name: &str, lines: impl Iterator<Item = (usize, &'a str)>) -> Vec<String> {
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
    let mut files = rust_files();
    let for_tests = test_modules(&files);
    files.retain(|(name, _)| !for_tests.contains(name) && !name.starts_with("crates/testing/"));
    assert_none(
        "files, processes, sockets and the environment are the server's",
        &all(&files, outside_world),
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
fn files_are_written_by_one_module() {
    assert_none(
        "write files of users with `whole_file`, and those of a session with `scratch`",
        &all(&rust_files(), written_in_place),
    );
}

#[test]
fn a_file_that_is_written_in_place_is_seen() {
    let text =
        "//! Header.\nstd::fs::write(path, text)?;\n#[cfg(test)]\nmod tests { fs::write() }\n";
    let name = "crates/lsp-server/src/cli/fmt.rs";
    assert_eq!(
        written_in_place(name, text),
        [format!("{name}:2: std::fs::write(path, text)?;")]
    );
    assert!(written_in_place(CREATES_FILES[0], text).is_empty());
    assert!(written_in_place("crates/lsp-server/src/whole_file/tests.rs", text).is_empty());
}

#[test]
fn syntax_trees_stay_out_of_meaning_and_execution() {
    assert_none(
        "a node of a tree where ids and ranges are meant",
        &all(&rust_files(), trees_abroad),
    );
}

#[test]
fn every_rust_file_says_what_it_knows() {
    let silent = |name: &str, text: &str| {
        if text.starts_with("//!") {
            Vec::new()
        } else {
            vec![name.to_owned()]
        }
    };
    assert_none(
        "no `//!` header on the first line",
        &all(&rust_files(), silent),
    );
}

#[test]
fn no_unfinished_work_is_marked() {
    let code = texts(|name| ends_in(name, &["rs", "ts", "mjs", "sh"]));
    assert_none(
        "unfinished work, or a test that does not run",
        &all(&code, unfinished),
    );
}

#[test]
fn sentences_are_plain() {
    let written = texts(|name| ends_in(name, &["rs", "ts", "mjs", "py", "md", "sh"]));
    let ours = |(name, _): &(String, String)| !name.contains("/fixtures/");
    let written: Vec<_> = written.into_iter().filter(ours).collect();
    assert_none(
        "say it with a subject, a verb and an object",
        &all(&written, hard_to_read),
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
fn code_goes_on_after_a_module_of_tests() {
    let text = "#[cfg(test)]\nmod tests;\nuse a;\n#[cfg(test)]\n#[allow(x)]\nmod inner {\n    b\n}\nuse c;\n";
    let lines: Vec<_> = code(text).collect();
    assert_eq!(lines, [(3, "use a;"), (9, "use c;")]);
}

#[test]
fn modules_declared_for_tests_are_known_by_their_files() {
    let declares = |name: &str, module: &str| {
        (
            format!("crates/hir/src/{name}"),
            format!("#[cfg(test)]\nmod {module};\nmod code;\n"),
        )
    };
    let files = [
        declares("ops.rs", "recorded"),
        declares("lib.rs", "fixture"),
    ];
    assert_eq!(
        test_modules(&files),
        [
            "crates/hir/src/ops/recorded.rs",
            "crates/hir/src/fixture.rs"
        ]
    );
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
