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

/// What is said of a function `f` with this binding, below these lines.
fn said_below(above: &str, line: &str) -> String {
    render(
        &format!(
            "from tvm.script import relax as R\n\n{above}\n\n@R.function\n\
             def f(x: R.Tensor((4,), \"float32\")):\n    {line}\n    return x\n"
        ),
        Severity::Warning,
    )
}

/// Functions of which each calls the one before it twice.
fn doubling(head: &str, first: &str, twice: impl Fn(usize) -> String) -> String {
    let mut text = format!("{head}def f0(x):\n    return {first}\n\n");
    for at in 1..40 {
        writeln!(text, "{head}def f{at}(x):\n    return {}\n", twice(at - 1)).unwrap();
    }
    text
}

#[test]
fn functions_that_are_read_where_they_are_called_are_read_as_far_as_a_budget_goes() {
    let nested = |at: usize| format!("f{at}(f{at}(x))");
    for head in ["", "@R.macro\n"] {
        let above = doubling(head, "R.add(x, x)", nested);
        let said = said_below(&above, "y = f39(x)");
        assert_eq!(said.matches("not analysed further").count(), 1, "{said}");
        assert_eq!(said.matches(" warning ").count(), 1, "{said}");
        assert!(!said.contains(" error "), "{said}");
        assert!(!said_below(&above, "y = f5(x)").contains("further"));
    }
}

#[test]
fn comprehensions_in_a_function_are_written_out_as_far_as_a_budget_goes() {
    let line = |steps: usize| {
        format!("y = R.concat([x for i in range({steps}) for j in range({steps}) if i == j])")
    };
    assert!(said_below("", &line(200)).contains("not analysed further"));
    assert!(!said_below("", &line(20)).contains("further"));
}
