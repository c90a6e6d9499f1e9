//! Tests of long texts. What each feature says, `tests/cases/relay` says.

use crate::host::Config;
use crate::{Analysis, FileId, FormatOptions, Language};

fn analysis(text: &str) -> (Analysis, FileId) {
    Analysis::from_file_in(Language::Relay, text, Config::default())
}

#[test]
fn statements_of_a_long_function_get_their_own_lines() {
    let options = FormatOptions { line_length: None };
    for count in [3, 300] {
        let statements: Vec<String> = (0..count).map(|it| format!("%{it} = exp(%x);")).collect();
        let function = |separator: &str| {
            let body = statements.join(separator);
            format!("def @f(%x: float32) {{{separator}{body}{separator}%0\n}}\n")
        };
        let text = function(" ");
        let (analysis, file) = analysis(&text);
        let edit = analysis.format(file, None, options).unwrap();
        assert!(edit.apply(&text) == function("\n  "), "{count} statements");
    }
}
