//! Rules about standard output and standard error: texts reach them only escaped.

use super::sources::{code, is_test_file};
use super::{assert_none, rust_files};

/// The files of the server that may write: the sink, messages of protocols, a fixed text when memory is refused, the
/// log, and the output of a program that is passed on.
const WRITERS: &[&str] = &[
    "crates/lsp-server/src/cli/output.rs",
    "crates/lsp-server/src/cli/dap.rs",
    "crates/lsp-server/src/cli/lsp.rs",
    "crates/lsp-server/src/cli/mcp.rs",
    "crates/lsp-server/src/cli/record.rs",
    "crates/lsp-server/src/logging.rs",
    "crates/lsp-server/src/memory.rs",
];

const WAYS: &[&str] = &["stdout()", "stderr()", "io::stderr", "print!(", "println!("];

fn printing(name: &str, text: &str) -> Vec<String> {
    let is_ours = name.starts_with("crates/") && !name.starts_with("crates/testing/");
    if !is_ours || WRITERS.contains(&name) || is_test_file(name) {
        return Vec::new();
    }
    // Whether it is a terminal, or still open, is a harmless question.
    let writes = |line: &str| {
        WAYS.iter().any(|way| line.contains(way))
            && !line.contains("is_terminal()")
            && !line.contains("as_raw_fd()")
            && !line.contains("AutoStream::choice")
    };
    let lines = code(text).filter(|(_, line)| !line.trim_start().starts_with("//") && writes(line));
    lines
        .map(|(at, line)| format!("{name}:{at}: {}", line.trim()))
        .collect()
}

#[test]
fn only_the_sink_prints() {
    let files = rust_files();
    let found: Vec<String> = files
        .iter()
        .flat_map(|(name, text)| printing(name, text))
        .collect();
    assert_none("print an `Output` of `cli/output.rs`", &found);
}

#[test]
fn printing_is_seen() {
    let text = "//! Header.\nfn f() {\n    eprintln!(\"a\");\n    write!(std::io::stdout(), \"\");\n    let _ = std::io::stdout().is_terminal();\n}\n";
    assert_eq!(printing("crates/lsp-server/src/cli/cost.rs", text).len(), 2);
    assert!(printing("crates/lsp-server/src/logging.rs", text).is_empty());
}
