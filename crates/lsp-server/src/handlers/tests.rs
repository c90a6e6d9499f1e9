//! Each feature in the table of methods has a test over the protocol, and `docs/features.md` lists them all.

use std::collections::HashSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use expect_test::expect_file;

use super::METHODS;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    std::fs::read_to_string(repository().join(path)).unwrap_or_default()
}

#[test]
fn each_method_has_one_row() {
    let mut names = HashSet::new();
    for method in METHODS.iter() {
        assert!(names.insert(method.name), "{} has two rows", method.name);
    }
}

#[test]
fn each_advertised_method_has_a_test() {
    for method in METHODS.iter().filter(|it| it.offer.is_some()) {
        assert!(!method.features.is_empty(), "no test shows {}", method.name);
    }
}

#[test]
fn each_feature_has_its_code_and_a_test_that_sends_the_method() {
    let client = read("tests/client.rs");
    for method in METHODS.iter() {
        for feature in &method.features {
            let (file, test) = feature.test.split_once("::").unwrap();
            let text = read(&format!("tests/e2e/{file}.rs"));
            let is_there = text.contains(&format!("#[test]\nfn {test}() {{"));
            assert!(is_there, "{}", feature.test);
            let sent = format!("\"{}\"", method.name);
            let sends = text.contains(&sent) || client.contains(&sent);
            assert!(sends, "{file} does not send {}", method.name);
            let code = repository().join("crates/ide/src").join(feature.ide);
            assert!(code.exists(), "{}", feature.ide);
        }
    }
}

#[test]
fn each_feature_shows_something_else() {
    let mut shown = HashSet::new();
    for method in METHODS.iter() {
        for feature in &method.features {
            let is_new = shown.insert((method.name, feature.ide, feature.test));
            assert!(is_new, "{} has two features with one test", method.name);
        }
    }
}

#[test]
fn the_table_is_documented() {
    let mut page = String::from(
        "# Features of the language server\n\nThis page is generated from the table in `crates/lsp-server/src/handlers.rs`. The server routes its messages and announces\nits capabilities from the same table. Each row names the test that shows the feature over the protocol.\n\n| Method | Feature | Code in `crates/ide/src` | Test in `tests/e2e` |\n|---|---|---|---|\n",
    );
    for method in METHODS.iter() {
        for feature in &method.features {
            let code = match feature.ide {
                "" => "–".to_owned(),
                file => format!("`{file}`"),
            };
            let (name, what, test) = (method.name, feature.what, feature.test);
            let _ = writeln!(page, "| `{name}` | {what} | {code} | `{test}` |");
        }
    }
    expect_file!["../../../../docs/features.md"].assert_eq(&page);
}
