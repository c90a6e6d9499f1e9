//! Rule: every fix and every assist is applied in a test beside it.

use super::{assert_none, rust_files};

const FOLDERS: &[&str] = &["crates/ide/src/fixes/", "crates/ide/src/assists/"];

/// The text before the name of an action in the code that offers it.
const OFFERS: &[&str] = &[".preferred(", ".possible(", ".add(", ".possible_outside("];

/// Returns the names of the actions that code offers.
fn offered(code: &str) -> impl Iterator<Item = &str> {
    let places = OFFERS.iter().flat_map(|offer| code.match_indices(offer));
    places.filter_map(|(at, offer)| {
        let rest = code[at + offer.len()..].trim_start();
        rest.strip_prefix('"')?.split('"').next()
    })
}

#[test]
fn every_fix_and_every_assist_is_applied_in_a_test() {
    let (mut offers, mut tests) = (Vec::new(), String::new());
    let sources = rust_files();
    let ours = |path: &str| FOLDERS.iter().any(|folder| path.starts_with(folder));
    for (path, text) in sources.iter().filter(|(path, _)| ours(path)) {
        let (code, own) = match text.split_once("#[cfg(test)]") {
            _ if path.ends_with("tests.rs") => ("", text.as_str()),
            Some(parts) => parts,
            None => (text.as_str(), ""),
        };
        tests.push_str(own);
        offers.extend(offered(code).map(|id| (path, id)));
    }
    assert!(offers.len() > 80, "the scan sees them: {offers:?}");
    let untested = offers
        .iter()
        .filter(|(_, id)| !tests.contains(&format!("\"{id}\"")));
    let untested: Vec<String> = untested.map(|(path, id)| format!("{path}: {id}")).collect();
    assert_none("a test applies each fix and each assist", &untested);
}
