//! Compares Relay texts with TVM 0.19: accepted or rejected, the place of the error, and the printed types.

use std::path::Path;

use hir::RelayFile;
use hir::relay::body::LocalKind;
use serde_json::Value;
use syntax::TextSize;
use syntax::relay::parse;

use super::relay_mutants::places;

/// A record for each text: `wrong` and TVM's `lines`, or the `types` of bindings by line and name.
fn records() -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance/relay/records.jsonl");
    let text = std::fs::read_to_string(path).unwrap();
    let read = |line| serde_json::from_str(line).expect("a record is JSON");
    text.lines().map(read).collect()
}

fn text_of(record: &Value) -> &str {
    record["text"].as_str().unwrap()
}

fn line(text: &str, at: TextSize) -> usize {
    text[..usize::from(at)].matches('\n').count() + 1
}

#[test]
fn accepted_programs_are_clean_and_refused_ones_are_reported_where_tvm_reports_them() {
    for record in records() {
        let text = text_of(&record);
        let found = places(text);
        assert_eq!(record["wrong"] == true, found.is_some(), "{text}");
        if let (Some(found), Some(theirs)) = (found, record["lines"].as_array()) {
            let is_theirs = |it: &usize| theirs.contains(&Value::from(*it));
            assert!(found.tvms.iter().any(is_theirs), "{text}");
        }
    }
}

#[test]
fn bindings_have_the_types_that_tvm_printed() {
    let solid = |text: &str| text.split_whitespace().collect::<String>();
    for record in records() {
        let Some(types) = record["types"].as_object() else {
            continue;
        };
        let text = text_of(&record);
        let file = RelayFile::new(parse(text));
        let mut found = 0;
        for (definition, facts) in file.module.definitions.iter().zip(&file.facts.definitions) {
            for (id, local) in definition.body.locals() {
                let at = definition.body.name_range(id).start() + definition.start;
                let key = format!("{} {}", line(text, at), local.name.text);
                let is_binding = matches!(local.kind, LocalKind::Let | LocalKind::Graph);
                if let Some(expected) = types.get(&key).filter(|_| is_binding) {
                    let ty = facts.local(id).map(ToString::to_string);
                    let ty = ty.unwrap_or_default();
                    assert_eq!(
                        solid(&ty),
                        solid(expected.as_str().unwrap()),
                        "{key} of\n{text}"
                    );
                    found += 1;
                }
            }
        }
        assert_eq!(found, types.len(), "{text}");
    }
}
