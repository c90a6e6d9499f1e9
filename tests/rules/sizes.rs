//! Rule: a file has at most 600 lines, and a function at most 100.

use super::sources::{code, is_test_file, test_modules};
use super::{assert_none, rust_files};

const MOST_IN_FILE: usize = 600;
const MOST_IN_FUNCTION: usize = 100;

/// Returns each function with its number of lines. Relies on rustfmt's indentation.
fn functions(text: &str) -> Vec<(&str, usize)> {
    let lines: Vec<(usize, &str)> = code(text).collect();
    let mut found = Vec::new();
    for (at, (first, line)) in lines.iter().enumerate() {
        let Some(name) = declared_function(line) else {
            continue;
        };
        let mut signature = lines[at..].iter().map(|(_, line)| line.trim_end());
        let begins = signature.find(|it| it.ends_with(['{', '}', ';']));
        if !begins.is_some_and(|it| it.ends_with('{')) {
            continue;
        }
        let indent = &line[..line.len() - line.trim_start().len()];
        let ends = |it: &&(usize, &str)| it.1.strip_prefix(indent) == Some("}");
        if let Some((last, _)) = lines[at..].iter().find(ends) {
            found.push((name, last - first + 1));
        }
    }
    found
}

fn declared_function(line: &str) -> Option<&str> {
    let (before, rest) = line.split_once("fn ")?;
    let is_qualifier = |it: &str| {
        it.starts_with("pub") || matches!(it, "const" | "async" | "unsafe") || it.ends_with(')')
    };
    let end = rest.find(['(', '<'])?;
    before
        .split_whitespace()
        .all(is_qualifier)
        .then_some(&rest[..end])
}

#[test]
fn files_have_at_most_600_lines() {
    let files = rust_files();
    let sizes = files
        .iter()
        .map(|(name, text)| (name, text.lines().count()));
    let large = sizes.filter(|(_, lines)| *lines > MOST_IN_FILE);
    let large: Vec<String> = large
        .map(|it| format!("{}: {} lines", it.0, it.1))
        .collect();
    assert_none("divide the file by subject", &large);
}

#[test]
fn functions_have_at_most_100_lines() {
    let files = rust_files();
    let for_tests = test_modules(&files);
    let is_code = |name: &str| {
        name.starts_with("crates/") && !is_test_file(name) && !for_tests.iter().any(|it| it == name)
    };
    let mut seen = 0;
    let mut long = Vec::new();
    for (name, text) in files.iter().filter(|(name, _)| is_code(name)) {
        let functions = functions(text);
        seen += functions.len();
        let too_long = functions.iter().filter(|it| it.1 > MOST_IN_FUNCTION);
        long.extend(
            too_long.map(|(function, lines)| format!("{name}: `{function}`, {lines} lines")),
        );
    }
    assert!(seen > 5000, "the scan sees {seen} functions");
    assert_none("divide the function by steps", &long);
}

#[test]
fn lines_of_functions_are_counted() {
    let text = "impl A {\n    pub(crate) fn a(\n        x: u32,\n    ) -> u32 {\n        x\n    }\n\n    fn b();\n}\n#[cfg(test)]\nmod tests {\n    fn c() {\n    }\n}\n";
    assert_eq!(functions(text), [("a", 5)]);
}
