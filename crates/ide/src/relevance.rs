//! Tests cheaply whether the text of a Python file contains TVMScript or imports TVM, before any analysis.

/// Every file with TVMScript contains at least one of these texts: the import, or the last part of a decorator's name.
const MARKS: [&str; 11] = [
    "tvm.script",
    "import script",
    "ir_module",
    "prim_func",
    ".function",
    // A decorator that is being typed.
    "@R.",
    "@T.",
    "@I.",
    // Relay text in a string.
    "#[version",
    "relay.parse",
    "fromtext(",
];

/// Returns `true` for every file with TVMScript, and for few others.
pub fn contains_tvmscript(text: &str) -> bool {
    MARKS.iter().any(|mark| text.contains(mark))
}

/// Returns `true` for every file that may have diagnostics: with TVMScript, or with names of TVM's Python API.
pub fn concerns_tvm(text: &str) -> bool {
    contains_tvmscript(text) || text.contains("import tvm") || text.contains("from tvm")
}

#[cfg(test)]
mod tests {
    use super::{concerns_tvm, contains_tvmscript};

    #[test]
    fn printed_modules_count_by_their_comment() {
        assert!(contains_tvmscript("# from tvm.script import ir as I\n"));
    }

    #[test]
    fn a_function_alone_counts_by_its_decorator() {
        assert!(contains_tvmscript(
            "@R.function(private=True)\ndef f(): ..."
        ));
    }

    #[test]
    fn other_python_does_not_count() {
        assert!(concerns_tvm("from tvm import relax\n"));
        assert!(!concerns_tvm("import numpy\n"));
        assert!(!contains_tvmscript("import tvm\nprint(tvm.__version__)\n"));
    }
}
