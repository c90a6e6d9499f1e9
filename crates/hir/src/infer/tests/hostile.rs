//! Programs that would take for ever if what they double, nest or repeat were followed to its end.

use std::fmt::Write as _;

use relax::Severity;

use super::render;

/// What is said of a function with these lines, which ends at all.
fn said(lines: &str) -> String {
    let mut text = String::from(
        "from tvm.script import relax as R\n\n@R.function\ndef f(x: R.Tensor((4,), \"float32\")):\n",
    );
    for line in lines.lines() {
        writeln!(text, "    {line}").unwrap();
    }
    text.push_str("    return x\n");
    render(&text, Severity::Warning)
}

#[test]
fn what_a_chain_of_methods_is_called_on_is_read_once() {
    said(&format!("y = x{}\n", ".exp()".repeat(60)));
    said(&format!("y = numpy{}\n", ".exp()".repeat(60)));
}
