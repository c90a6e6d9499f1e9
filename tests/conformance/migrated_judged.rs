//! Migrates programs that one release of TVM accepts to the release of an installed TVM. That TVM must accept them, and
//! infer the same StructInfo.
//!
//! Reads `programs.jsonl.gz` of each version of the records, and uses the TVM that `TVM_PYTHON` names. A link
//! `tvm-0.27/python` in the records may name a Python with the TVM of that version: then programs that this TVM rejects
//! outside of their test file do not count. `RELAX_SHOW=3` prints that many programs for each kind of rejection.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use ide::{Migration, migrate};
use relax::release::{Release, Releases};
use serde_json::Value as Json;

use super::data::{read, versions};
use super::models::printed;
use super::ours::conclude;
use super::records::{is_same_text, plain};
use super::tvm::{ask, ask_of, release};

/// The required parts in thousandths: accepted programs after a migration up, accepted programs after a migration down,
/// and equal StructInfo.
const UP: usize = 980;
const DOWN: usize = 950;
const AGREED: usize = 995;

/// A program outside of its test file, and TVM's result for it in that file.
struct Program {
    name: String,
    text: String,
    record: Json,
}

/// Returns the imports of TVM's test files.
fn imports(release: Release) -> String {
    let tir = if release.has_tirx() { "tirx" } else { "tir" };
    format!(
        "import numpy as np\nimport tvm\nfrom tvm import relax, {tir}, topi\n\
         from tvm.script import ir_module\n\
         from tvm.script.parser import ir as I, relax as R, {tir} as T\n"
    )
}

/// Formats a recorded Python value as Python code; `None` for an instance of a class.
fn literal(value: &Json) -> Option<String> {
    match value {
        Json::Null => Some("None".to_owned()),
        Json::Bool(it) => Some(if *it { "True" } else { "False" }.to_owned()),
        Json::Number(it) => Some(it.to_string()),
        Json::String(it) => (!it.starts_with('<')).then(|| format!("{it:?}")),
        Json::Array(all) => {
            let all: Option<Vec<String>> = all.iter().map(literal).collect();
            Some(format!("[{}]", all?.join(", ")))
        }
        Json::Object(_) => None,
    }
}

/// Returns lines of a file, dedented by the indentation of the first one.
fn lines_of(text: &str, first: usize, last: usize) -> String {
    let lines: Vec<&str> = text
        .lines()
        .skip(first - 1)
        .take(last + 1 - first)
        .collect();
    let indent = lines
        .first()
        .map_or(0, |it| it.len() - it.trim_start().len());
    let mut out = String::new();
    for line in lines {
        let cut = indent.min(line.len() - line.trim_start().len());
        out.push_str(&line[cut..]);
        out.push('\n');
    }
    out
}

/// Returns the accepted programs of a version for which the surrounding Python values were recorded.
fn programs(version: &Path, release: Release) -> Vec<Program> {
    let mut files: BTreeMap<String, Option<String>> = BTreeMap::new();
    let mut programs = Vec::new();
    let mut seen = BTreeSet::new();
    for record in read(&version.join("programs.jsonl.gz")) {
        let is_meant = matches!(record["kind"].as_str(), Some("module" | "function"));
        if !is_meant || record["verdict"] != "ok" {
            continue;
        }
        let file = record["file"].as_str().unwrap_or_default();
        let text = files
            .entry(file.to_owned())
            .or_insert_with(|| std::fs::read_to_string(version.join("tests").join(file)).ok());
        let captured = record["captures"].as_object();
        let around: Option<Vec<String>> = captured
            .into_iter()
            .flatten()
            .map(|(name, value)| Some(format!("{name} = {}\n", literal(value)?)))
            .collect();
        let (Some(text), Some(around)) = (text, around) else {
            continue;
        };
        let line = |of: &str| record[of].as_u64().unwrap_or(1) as usize;
        let name = format!("{file}:{}", line("first"));
        let body = lines_of(text, line("first"), line("last"));
        // Such a program depends on the file around it.
        let is_whole = !body.contains("nonlocal") && !body.contains("tests.python");
        let text = format!("{}{}\n{body}", imports(release), around.concat());
        if is_whole && seen.insert(text.clone()) {
            programs.push(Program { name, text, record });
        }
    }
    programs
}

/// TVM's results for migrated programs.
#[derive(Default)]
struct Tally {
    asked: usize,
    accepted: usize,
    /// Accepted by TVM, but this project reports an error.
    reported: usize,
    /// Rejected by TVM, although the migration left nothing out and this project reports no error.
    silent: usize,
    infos: usize,
    agreed: usize,
    /// The problems, each with the names of its programs.
    wrong: BTreeMap<String, Vec<String>>,
}

impl Tally {
    fn add(&mut self, program: &Program, migrated: &Migration, answer: &Json, to: Release) {
        self.asked += 1;
        let reported = conclude(&migrated.text, Some(to)).errors;
        if answer["verdict"] != "ok" {
            let is_silent = migrated.left.is_empty() && reported.is_empty();
            self.silent += usize::from(is_silent);
            let message = answer["error"]["msg"].as_str().unwrap_or("no verdict");
            let listed = if is_silent {
                "refused"
            } else {
                "refused, as listed"
            };
            return self.note(format!("{listed}: {}", plain(message)), &program.name);
        }
        self.accepted += 1;
        if let Some(error) = reported.first() {
            self.reported += 1;
            self.note(
                format!("reported: {}", plain(&error.message)),
                &program.name,
            );
        }
        let functions = of(&answer["functions"]);
        // A decorator of the test changed the module.
        let kept = of(&program.record["functions"])
            .iter()
            .filter(|_| !functions.is_empty());
        for before in kept {
            let name = before["name"].as_str();
            let after = functions.iter().find(|it| it["name"].as_str() == name);
            let Some(after) = after else {
                self.info(program, "function", name.unwrap_or_default(), "missing");
                continue;
            };
            self.function(program, before, after);
        }
    }

    fn function(&mut self, program: &Program, before: &Json, after: &Json) {
        let text = |it: &Json| it.as_str().unwrap_or_default().to_owned();
        self.info(
            program,
            "result",
            &text(&before["ret"]),
            &text(&after["ret"]),
        );
        for (old, new) in of(&before["params"]).iter().zip(of(&after["params"])) {
            self.info(program, "parameter", &text(&old[1]), &text(&new[1]));
        }
        for old in of(&before["bindings"]) {
            let (name, info) = (old["n"].as_str(), text(&old["t"]));
            let named = of(&after["bindings"])
                .iter()
                .filter(|it| it["n"].as_str() == name);
            let infos: Vec<String> = named.map(|it| text(&it["t"])).collect();
            let same = infos.iter().find(|it| is_same_text(it, &info));
            if let Some(new) = same.or(infos.first()) {
                self.info(program, "binding", &info, new);
            }
        }
    }

    fn info(&mut self, program: &Program, what: &str, before: &str, after: &str) {
        self.infos += 1;
        if is_same_text(before, after) {
            self.agreed += 1;
        } else {
            self.note(
                format!("{what}: {} became {}", plain(before), plain(after)),
                &program.name,
            );
        }
    }

    fn note(&mut self, what: String, program: &str) {
        self.wrong.entry(what).or_default().push(program.to_owned());
    }

    fn summary(&self, examples: usize) -> String {
        let percent = |one: usize, of: usize| 100.0 * one as f64 / of.max(1) as f64;
        let mut told = format!(
            "accepted {} of {} ({:.2} %), refused without a word {}, StructInfo {} of {} ({:.2} %), \
             reported {}\n",
            self.accepted,
            self.asked,
            percent(self.accepted, self.asked),
            self.silent,
            self.agreed,
            self.infos,
            percent(self.agreed, self.infos),
            self.reported,
        );
        let mut wrong: Vec<_> = self.wrong.iter().filter(|_| examples > 0).collect();
        wrong.sort_by_key(|it| std::cmp::Reverse(it.1.len()));
        for (what, programs) in wrong {
            let named: Vec<&str> = programs.iter().take(examples).map(String::as_str).collect();
            let _ = writeln!(told, "  {:4} {what}  {}", programs.len(), named.join(" "));
        }
        told
    }
}

fn of(json: &Json) -> &[Json] {
    json.as_array().map_or(&[], Vec::as_slice)
}

/// Returns the programs that the TVM of their version accepts outside of their test file. Without that TVM, returns
/// all.
fn standing_alone(version: &Path, all: Vec<Program>) -> Vec<Program> {
    let python = version.join("python");
    if !python.exists() {
        return all;
    }
    let texts: Vec<(String, String)> = all
        .iter()
        .map(|it| (it.name.clone(), it.text.clone()))
        .collect();
    let answers = ask_of(&python, &texts);
    let kept = all
        .into_iter()
        .zip(answers)
        .filter(|it| it.1["verdict"] == "ok");
    kept.map(|it| it.0).collect()
}

fn judge(all: &[Program], from: Release, to: Release) -> Option<Tally> {
    let migrated = all
        .iter()
        .map(|it| migrate(&it.text, Releases::only(from), to));
    let migrated: Vec<Migration> = migrated.collect();
    let named = all.iter().zip(&migrated);
    let asked: Vec<(String, String)> = named
        .map(|it| (it.0.name.clone(), it.1.text.clone()))
        .collect();
    let answers = ask(&asked)?;
    let mut tally = Tally::default();
    for ((program, migrated), answer) in all.iter().zip(&migrated).zip(&answers) {
        tally.add(program, migrated, answer, to);
    }
    Some(tally)
}

#[test]
fn tvm_accepts_migrated_test_programs() {
    let versions = versions("programs.jsonl.gz");
    let Some(to) = release().filter(|_| !versions.is_empty()) else {
        return;
    };
    let show = std::env::var("RELAX_SHOW").ok();
    let show = show.and_then(|it| it.parse().ok()).unwrap_or(0);
    let mut below = Vec::new();
    for version in versions {
        let name = version
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let from = Release::from_version(name.trim_start_matches("tvm-"));
        let from = from.expect("the folder is named for a release");
        if from == to {
            continue;
        }
        let all = standing_alone(&version, programs(&version, from));
        let Some(tally) = judge(&all, from, to) else {
            return;
        };
        eprintln!("{name} to {}: {}", to.name(), tally.summary(show));
        let floor = if from < to { UP } else { DOWN };
        for (what, one, of, floor) in [
            ("accepted", tally.accepted, tally.asked, floor),
            ("agree", tally.agreed, tally.infos, AGREED),
        ] {
            if one * 1000 < of * floor {
                below.push(format!("{name}: fewer than {floor} of 1000 {what}"));
            }
        }
    }
    assert!(below.is_empty(), "{}", below.join("\n"));
}

#[test]
fn tvm_takes_migrated_models() {
    let Some(to) = release() else { return };
    let models = printed(|name| name.contains("tvm-0.19"));
    let old = Releases::only(Release::V0_19);
    let migrated = models.iter().map(|it| {
        let text = migrate(&it.text, old, to).text;
        (it.name.clone(), format!("{}{text}", imports(to)))
    });
    let migrated: Vec<(String, String)> = migrated.collect();
    for answer in ask(&migrated).expect("TVM has answered before") {
        assert_eq!(answer["verdict"], "ok", "{answer}");
    }
}
