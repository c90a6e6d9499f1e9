//! Tests `relax-lsp mcp` with the official Python client, if it is installed. `e2e` uses the Rust client.

use std::process::Command;

use super::file;

#[test]
fn the_python_client_of_the_protocol_calls_every_tool() {
    let python = std::env::var("MCP_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let has_library = Command::new(&python).args(["-c", "import mcp"]).output();
    if !has_library.is_ok_and(|it| it.status.success()) {
        testing::skip(format_args!("{python} has no library `mcp`"));
        return;
    }
    let output = Command::new(&python)
        .arg(file("tests/packaging/mcp_client.py"))
        .arg(tests::relax_lsp())
        .arg(file("."))
        .output()
        .expect("Python starts");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{said}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(said.contains("7 tools called"), "{said}");
}
