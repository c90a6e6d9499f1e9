//! The places in a Python program that make a Relax module: an import, an export, a builder, a build. An editor offers
//! to record the program there.

use syntax::ast::{AstNode, CallExpr, Expr};
use syntax::{SyntaxNode, TextRange, parse};

/// The last parts of the names of functions that make a module, and what stands before them, if another library has a
/// function of that name.
const BUILDERS: [(&str, &str); 11] = [
    ("from_onnx", ""),
    ("from_exported_program", ""),
    ("from_fx", ""),
    ("from_tflite", ""),
    ("from_stablehlo", ""),
    ("from_keras", ""),
    ("export_tvm", ""),
    ("BlockBuilder", ""),
    ("build", "relax."),
    ("build", "tvm."),
    ("compile", "tvm."),
];

/// Larger texts are data.
const MOST_BYTES: usize = 1 << 20;

/// Returns the first call that makes a module in each statement of the file: in each function or class, and in each
/// line outside of them.
pub fn module_builders(text: &str) -> Vec<TextRange> {
    let is_called = |(last, before): &(&str, &str)| text.contains(&format!("{before}{last}("));
    let is_possible = text.contains("tvm") && BUILDERS.iter().any(is_called);
    if !is_possible || text.len() > MOST_BYTES {
        return Vec::new();
    }
    let file = parse(text).syntax();
    let first = |statement: SyntaxNode| {
        let calls = statement.descendants().filter_map(CallExpr::cast);
        calls.filter(makes_module).map(|it| it.range()).next()
    };
    file.children().filter_map(first).collect()
}

fn makes_module(call: &CallExpr) -> bool {
    let Some(callee) = call.callee() else {
        return false;
    };
    if !matches!(callee, Expr::NameExpr(_) | Expr::AttributeExpr(_)) {
        return false;
    }
    let name = callee.syntax().text().to_string();
    BUILDERS.iter().any(|(last, before)| {
        let rest = name.strip_suffix(last);
        rest.is_some_and(|it| match *before {
            "" => it.is_empty() || it.ends_with('.'),
            before => it.ends_with(before),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::module_builders;

    fn lines(text: &str) -> Vec<&str> {
        module_builders(text)
            .into_iter()
            .map(|it| &text[it])
            .collect()
    }

    #[test]
    fn an_import_and_a_builder_make_modules() {
        let text = "import tvm\n# from_onnx()\ndef f():\n    bb = relax.BlockBuilder()\n    tvm.compile(bb.get())\n\n\
                    mod = from_onnx(model)\nex = tvm.compile(mod)\n";
        let expected = [
            "relax.BlockBuilder()",
            "from_onnx(model)",
            "tvm.compile(mod)",
        ];
        assert_eq!(lines(text), expected);
    }

    #[test]
    fn functions_of_other_libraries_do_not() {
        let text =
            "import tvm, re\nre.compile('x')\ncompile('x')\nmy_from_onnx(x)\ntorch.compile(m)\n";
        assert_eq!(lines(text), [""; 0]);
    }

    #[test]
    fn a_program_without_tvm_makes_none() {
        assert_eq!(lines("mod = from_onnx(model)\n"), [""; 0]);
    }
}
