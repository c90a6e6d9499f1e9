//! Compares random programs with an installed TVM: the verdicts, and the StructInfo of every binding.
//!
//! `RELAX_PROGRAMS=20000` makes that many programs, and writes the differences to `target/generated-VERSION.txt`. The
//! programs and TVM's verdicts are stored beside it, so that TVM is asked only once about each text. `RELAX_SEED=17`
//! makes and shows one program.

mod arguments;
mod callees;
mod edits;
mod mistakes;
mod nested;
mod operators;
mod program;
mod release;
mod statements;
mod types;
mod values;
mod vary;
mod writer;

use relax::release::Release;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use serde_json::Value;

use self::operators::Operators;
use self::program::{Program, program};
use super::ours::conclude;
use super::records::Tally;
use super::tvm;

/// The number of programs in an ordinary test run.
const SAMPLE: u64 = 300;

/// The required percentages: accepted programs without errors here, rejected programs with an error here, and equal
/// StructInfo.
const CLEAN: usize = 99;
const FOUND: usize = 96;
const AGREED: usize = 99;

fn number_of(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

#[test]
fn made_up_programs_agree_with_tvm() {
    let Some(answer) = tvm::names() else { return };
    let version = answer["tvm"].as_str().expect("a version");
    let Some(release) = release::of_version(version) else {
        testing::skip(format_args!(
            "programs are made up for TVM 0.25 to 0.27, not for {version}"
        ));
        return;
    };
    let exported = answer["names"].as_object().expect("names");
    let operators = Operators::new(release, exported);
    if let Some(seed) = number_of("RELAX_SEED") {
        show(&program(seed, release, &operators), release);
        return;
    }
    let count = number_of("RELAX_PROGRAMS");
    let first = number_of("RELAX_FIRST").unwrap_or(0);
    let programs: Vec<Program> = (first..first + count.unwrap_or(SAMPLE))
        .map(|seed| program(seed, release, &operators))
        .collect();
    let mut verdicts = Verdicts::of(&format!("generated-{version}"), count.is_some());
    let tally = compared(&programs, release, &mut verdicts);
    eprintln!(
        "TVM {version}, {} programs\n{}",
        programs.len(),
        tally.table()
    );
    if count.is_some() {
        write(&programs, &tally, version);
    }
    for (one, of, wanted) in [
        (tally.clean, tally.accepted, CLEAN),
        (tally.found, tally.rejected, FOUND),
        (tally.agreed, tally.infos, AGREED),
    ] {
        assert!(one * 100 >= of * wanted, "{}", tally.roots(2));
    }
}

/// TVM's verdicts, by the texts of the programs.
struct Verdicts {
    known: HashMap<String, Value>,
    /// The file in which they are stored, if any.
    path: Option<PathBuf>,
}

impl Verdicts {
    fn of(name: &str, kept: bool) -> Verdicts {
        let target = tvm::target().filter(|_| kept);
        let path = target.map(|it| it.join(format!("{name}.verdicts")));
        let text = path
            .as_ref()
            .and_then(|it| std::fs::read_to_string(it).ok());
        let lines = text.as_deref().unwrap_or_default().lines();
        let pairs = lines.filter_map(|line| serde_json::from_str::<(String, Value)>(line).ok());
        Verdicts {
            known: pairs.collect(),
            path,
        }
    }

    /// Returns TVM's verdicts about programs, given by name and text.
    fn ask(&mut self, programs: &[(String, String)]) -> Vec<Value> {
        let unknown = programs.iter().filter(|it| !self.known.contains_key(&it.1));
        let unknown: Vec<(String, String)> = unknown.cloned().collect();
        if !unknown.is_empty() {
            let records = tvm::ask(&unknown).expect("TVM has answered before");
            let texts = unknown.into_iter().map(|(_, text)| text);
            self.known.extend(texts.zip(records));
            self.keep();
        }
        programs
            .iter()
            .map(|it| self.known[&it.1].clone())
            .collect()
    }

    fn keep(&self) {
        let Some(path) = &self.path else { return };
        let mut text = String::new();
        for pair in &self.known {
            let line = serde_json::to_string(&pair).expect("verdicts are JSON");
            let _ = writeln!(text, "{line}");
        }
        std::fs::write(path, text).expect("verdicts are written");
    }
}

fn compared(programs: &[Program], release: Release, verdicts: &mut Verdicts) -> Tally {
    let named = programs.iter().map(|it| (it.name.clone(), it.text.clone()));
    let records = verdicts.ask(&named.collect::<Vec<_>>());
    let mut tally = Tally::default();
    for (program, record) in programs.iter().zip(&records) {
        let ours = conclude(&program.text, Some(release));
        let label = match program.mistake {
            Some(_) => program.label.as_str(),
            None => "no mistake",
        };
        tally.add(&program.name, label, 1, record, &ours);
    }
    tally
}

fn show(program: &Program, release: Release) {
    eprintln!(
        "{}\n# {:?} {}",
        program.text, program.mistake, program.label
    );
    let asked = [(program.name.clone(), program.text.clone())];
    let records = tvm::ask(&asked).expect("TVM has answered before");
    let ours = conclude(&program.text, Some(release));
    for error in &ours.errors {
        eprintln!("line {}: {}: {}", error.lines.0, error.code, error.message);
    }
    eprintln!("{}", records[0]);
    let mut tally = Tally::default();
    tally.add(&program.name, &program.label, 1, &records[0], &ours);
    eprintln!("{}", tally.roots(9));
}

fn write(programs: &[Program], tally: &Tally, version: &str) {
    let target = tvm::target().expect("tests lie in the target directory");
    let told = format!("{}\n{}", tally.table(), tally.roots(4));
    std::fs::write(target.join(format!("generated-{version}.txt")), told)
        .expect("a report is written");
    let mut text = String::new();
    for program in programs {
        let _ = write!(
            text,
            "# --- {}: {:?} {}\n{}\n",
            program.name, program.mistake, program.label, program.text
        );
    }
    std::fs::write(target.join(format!("generated-{version}.programs")), text)
        .expect("programs are written");
}
