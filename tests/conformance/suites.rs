//! Compares the programs of TVM's own tests, and mutants with one edit, with TVM's results. Each test file is read as a
//! whole, as in an editor.
//!
//! Reads `programs.jsonl.gz` and `mutants.jsonl.gz` of each version of the records. `RELAX_SHOW=3` prints that many
//! programs of each difference.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value as Json;

use super::data::{read, versions};
use super::ours::{Conclusion, conclude};
use super::records::Tally;

/// The required parts in thousandths: programs without errors, rejected mutants with an error, errors on TVM's line, and
/// equal StructInfo.
struct Floors {
    clean: usize,
    found: usize,
    on_line: usize,
    agreed: usize,
}

const PROGRAMS: Floors = Floors {
    clean: 999,
    found: 940,
    on_line: 890,
    agreed: 985,
};
const MUTANTS: Floors = Floors {
    clean: 990,
    found: 980,
    on_line: 910,
    agreed: 970,
};

/// Groups the records by test file.
fn by_file(path: &Path) -> BTreeMap<String, Vec<Json>> {
    let mut files: BTreeMap<String, Vec<Json>> = BTreeMap::new();
    for record in read(path) {
        // A program in a string has no Python around it.
        if record["kind"] != "text" && record["verdict"].is_string() {
            let file = record["file"].as_str().unwrap_or_default().to_owned();
            files.entry(file).or_default().push(record);
        }
    }
    files
}

fn line(record: &Json, of: &str) -> usize {
    record[of].as_u64().unwrap_or_default() as usize
}

/// A test may make a program several times, with other surrounding values: it counts once for each verdict, and a
/// rejection does not count if TVM accepts it with other values.
fn add_programs(tally: &mut Tally, file: &str, records: &[Json], ours: &Conclusion) {
    let accepted: BTreeSet<usize> = records
        .iter()
        .filter(|it| it["verdict"] == "ok")
        .map(|it| line(it, "first"))
        .collect();
    let mut seen = BTreeSet::new();
    for record in records {
        let (first, last) = (line(record, "first"), line(record, "last"));
        let ok = record["verdict"] == "ok";
        // TVM accepts it only because its check is disabled.
        let unchecked = ok && record["wf"] == false;
        if !unchecked && (ok || !accepted.contains(&first)) && seen.insert((first, ok)) {
            let name = format!("{file}:{first}");
            tally.add(&name, "", first, record, &ours.within(first, last));
        }
    }
}

/// Returns the text of a file after a record's edit, and the last line of the edited program.
fn edited(text: &str, record: &Json) -> (String, usize) {
    let (edit, first) = (&record["edit"], line(record, "first"));
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let at = first - 1 + line(edit, "l") - 1;
    let before: usize = lines[..at].iter().map(|it| it.len()).sum();
    // Columns count characters.
    let column = indent(lines[first - 1]) + line(edit, "c");
    let offset = |from: usize, count: usize| {
        let rest = text[from..].char_indices();
        from + rest.map(|it| it.0).nth(count).unwrap_or(text.len() - from)
    };
    let start = offset(before, column);
    let end = offset(start, line(edit, "del"));
    let mut text = text.to_owned();
    text.replace_range(start..end, edit["ins"].as_str().unwrap_or_default());
    (text, line(record, "last") - line(edit, "lines"))
}

fn add_mutants(tally: &mut Tally, file: &str, records: &[Json], text: &str) {
    for record in records {
        if record["verdict"] == "ok" && record["wf"] == false {
            continue;
        }
        let (text, last) = edited(text, record);
        let first = line(record, "first");
        let ours = conclude(&text, None).within(first, last);
        let name = format!("{file}:{first} {}", record["edit"]);
        let label = record["kind"].as_str().unwrap_or_default();
        // Only the verdict of a mutant was recorded.
        tally.add(&name, label, first, record, &ours);
    }
}

fn compare(records: &str, floors: &Floors, add: impl Fn(&mut Tally, &str, &[Json], &str)) {
    let show = std::env::var("RELAX_SHOW").ok();
    let show = show.and_then(|it| it.parse().ok()).unwrap_or(0);
    let mut below = Vec::new();
    for version in versions(records) {
        let mut tally = Tally::default();
        for (file, of_file) in by_file(&version.join(records)) {
            let path = version.join("tests").join(&file);
            let Ok(text) = std::fs::read_to_string(&path) else {
                eprintln!("there is no {}", path.display());
                continue;
            };
            add(&mut tally, &file, &of_file, &text);
        }
        let name = version.join(records);
        let told = if show == 0 {
            String::new()
        } else {
            tally.roots(show)
        };
        eprintln!("{}\n{}{told}", name.display(), tally.table());
        assert!(tally.accepted + tally.rejected > 0, "there are programs");
        for (what, one, of, floor) in [
            ("clean", tally.clean, tally.accepted, floors.clean),
            ("found", tally.found, tally.rejected, floors.found),
            ("on the line", tally.on_line, tally.lined, floors.on_line),
            ("agree", tally.agreed, tally.infos, floors.agreed),
        ] {
            if one * 1000 < of * floor {
                below.push(format!(
                    "{}: fewer than {floor} of 1000 {what}",
                    name.display()
                ));
            }
        }
    }
    assert!(below.is_empty(), "{}", below.join("\n"));
}

#[test]
fn programs_of_tvms_tests_have_the_verdicts_and_types_of_tvm() {
    compare(
        "programs.jsonl.gz",
        &PROGRAMS,
        |tally, file, records, text| {
            add_programs(tally, file, records, &conclude(text, None));
        },
    );
}

#[test]
fn edits_of_tvms_tests_have_the_verdicts_of_tvm() {
    compare("mutants.jsonl.gz", &MUTANTS, add_mutants);
}
