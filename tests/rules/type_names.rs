//! Rule over type names: a crate must not have three types with the same name.

use std::collections::BTreeMap;

use super::{assert_none, rust_files};

/// The maximum number of types with one name in a crate.
const MOST: usize = 2;

/// Exceptions: names that mean the same thing everywhere.
const SHARED: &[(&str, &str)] = &[
    // An expression of Relax, of TIR and of Relay.
    ("hir", "Expr"),
];

const DECLARATIONS: &[&str] = &["struct ", "enum ", "trait ", "type "];

/// Returns the name of the type that a line declares, outside of `impl` blocks.
fn declared(line: &str) -> Option<&str> {
    // An associated type is indented. So is a type in a function or a macro, which other code cannot see.
    let line = match line.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(')')?.1.trim_start(),
        Some(rest) => rest.trim_start(),
        None => line,
    };
    let rest = DECLARATIONS.iter().find_map(|it| line.strip_prefix(it))?;
    let end = rest.find(|it: char| !it.is_alphanumeric() && it != '_');
    let name = &rest[..end.unwrap_or(rest.len())];
    name.starts_with(char::is_uppercase).then_some(name)
}

fn repeated(files: &[(String, String)]) -> Vec<String> {
    let mut places: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for (path, text) in files {
        let Some((name, _)) = path
            .strip_prefix("crates/")
            .and_then(|it| it.split_once("/src/"))
        else {
            continue;
        };
        for found in text.lines().filter_map(declared) {
            places.entry((name, found)).or_default().push(path);
        }
    }
    let too_many = places
        .iter()
        .filter(|(at, files)| files.len() > MOST && !SHARED.contains(at));
    too_many
        .map(|((name, found), files)| format!("{name}: `{found}` in {}", files.join(", ")))
        .collect()
}

#[test]
fn a_type_name_stands_at_most_twice_in_a_crate() {
    assert_none("give each type a name of its own", &repeated(&rust_files()));
}

#[test]
fn a_third_type_of_a_name_is_seen() {
    let file = |name: &str, text: &str| (format!("crates/vm/src/{name}.rs"), text.to_owned());
    let two = [
        file("a", "pub struct Place;"),
        file("b", "enum Place<'a> {\n    Place,\n}\n    type Place = u8;"),
    ];
    assert!(repeated(&two).is_empty());
    let three = [&two[..], &[file("c", "pub(super) type Place = u8;")]].concat();
    assert_eq!(repeated(&three).len(), 1);
}
