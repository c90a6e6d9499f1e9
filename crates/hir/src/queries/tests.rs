//! Tests which queries run again after an edit.

use std::sync::{Arc, Weak};

use relax::release::Release;
use salsa::Setter;
use text_size::{TextRange, TextSize};

use crate::db::{Database, Language, Source, SourceFile};
use crate::relay::Facts;
use crate::{file_diagnostics, file_release, relay_file};

const MODULE: &str = r#"
@I.ir_module
class Module:
    @R.function
    def first(x: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
        y = R.add(x, x)
        return y

    @R.function
    def second(x: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
        cls = Module
        y = cls.first(x)
        return y
"#;

/// Returns the queries that run again after `edit`.
fn rerun(edit: impl Fn(&str) -> String) -> Vec<String> {
    let mut db = Database::default();
    let file = SourceFile::new(&db, Source::new(MODULE));
    file_diagnostics(&db, file);
    let edited = edit(MODULE);
    let mut executed = db.executed(|db| {
        file.set_source(db).to(Source::new(edited.as_str()));
        file_diagnostics(db, file);
    });
    for name in &mut executed {
        name.truncate(name.find('(').unwrap_or(name.len()));
    }
    executed.sort();
    executed
}

#[test]
fn an_edit_of_a_body_runs_only_the_queries_of_its_function() {
    let executed = rerun(|text| text.replacen("R.add(x, x)", "R.multiply(x, x)", 1));
    assert_eq!(
        executed,
        [
            "body_of",
            "facts_of",
            "file_imports",
            "file_items",
            "file_paths",
            "function_evidence",
            "function_names",
            "function_spellings",
            "function_uses",
            "is_private",
            "relay_facts"
        ]
    );
}

#[test]
fn moving_functions_infers_nothing() {
    let executed = rerun(|text| format!("# a comment\n\n{text}"));
    assert_eq!(
        executed,
        ["file_imports", "file_items", "file_paths", "relay_facts"]
    );
}

#[test]
fn an_edit_of_a_signature_infers_its_callers() {
    let executed = rerun(|text| {
        text.replacen(
            "def first(x: R.Tensor((2, 3), \"float32\")) -> R.Tensor((2, 3), \"float32\")",
            "def first(x: R.Tensor((2, 3), \"float32\")) -> R.Tensor((2, 3))",
            1,
        )
    });
    assert_eq!(executed.iter().filter(|q| *q == "facts_of").count(), 2);
}

#[test]
fn an_edit_of_a_constant_infers_the_functions_that_use_it() {
    let mut db = Database::default();
    let text = "N = 4\n@R.function\ndef f(x: R.Tensor((N,), \"float32\")):\n    return x\n";
    let file = SourceFile::new(&db, Source::new(text));
    file_diagnostics(&db, file);
    let executed = db.executed(|db| {
        file.set_source(db)
            .to(Source::new(text.replace("N = 4", "N = 5").as_str()));
        file_diagnostics(db, file);
    });
    assert!(
        executed.iter().any(|q| q.starts_with("facts_of")),
        "{executed:?}"
    );
}

#[test]
fn a_use_that_an_edit_removes_no_longer_restricts_the_releases() {
    let bindings = (0..400).map(|at| format!("    y{at} = R.add(x, x)\n"));
    let bindings: String = bindings.collect();
    let text = format!(
        "from tvm.script import relax as R\n@R.function\ndef f(x: R.Tensor((2,), \"float32\")):\n{bindings}    \
         return R.call_dps_packed(\"f\", (x,), out_sinfo=R.Tensor((2,), \"float32\"))\n"
    );
    let mut db = Database::default();
    let source = Source::new(text.as_str());
    let file = SourceFile::new(&db, source.clone());
    assert_eq!(file_release(&db, file), Release::V0_25);
    let at = text
        .find("R.call_dps_packed")
        .expect("the text has this call");
    let call = text[at..].trim_end();
    let replaced = TextRange::at(TextSize::new(at as u32), TextSize::of(call));
    let edited = text.replace(call, "x");
    let source = source.reparse(replaced, TextSize::of("x"), edited.into());
    file.set_source(&mut db).to(source);
    assert_eq!(file_release(&db, file), Release::NEWEST);
}

#[test]
fn notebook_cells_may_use_other_cells_and_magics() {
    let text = r#"%matplotlib inline
files = !ls
@R.function
def f(x: R.Tensor((n, 4), dtype)):
    y = R.add(x, w)
    z = R.nn.rellu(y)
    return (y
M["f"]?
"#;
    let codes = |language: Language| {
        let db = Database::default();
        let source = Source::of(text, language);
        let found = file_diagnostics(&db, SourceFile::new(&db, source)).into_iter();
        found.map(|it| it.code.name()).collect::<Vec<_>>()
    };
    assert_eq!(
        codes(Language::Cell),
        ["unused-binding", "unknown-operator", "syntax-error"]
    );
    assert!(codes(Language::Python).contains(&"undefined-name"));
}

const RELAY: &str = r#"#[version = "0.0.5"]
def @first(%x: Tensor[(2), float32]) -> Tensor[(2), float32] {
  nn.relu(%x)
}

def @second(%x: Tensor[(2), float32]) -> Tensor[(2), float32] {
  @first(%x)
}
"#;

/// Returns the facts of a Relay file's definitions.
fn relay_facts(db: &Database, file: SourceFile) -> Vec<Arc<Facts>> {
    relay_file(db, file).unwrap().facts.definitions.clone()
}

/// A Relay file that is edited.
struct Edited {
    db: Database,
    file: SourceFile,
    text: String,
}

impl Edited {
    fn new(text: &str) -> Edited {
        let db = Database::default();
        let file = SourceFile::new(&db, Source::of(text, Language::Relay));
        Edited {
            db,
            file,
            text: text.to_owned(),
        }
    }

    /// Replaces the first `old` with `new`. Returns the names of the queries that were computed for the diagnostics.
    fn replace(&mut self, old: &str, new: &str) -> Vec<String> {
        let start = TextSize::of(&self.text[..self.text.find(old).unwrap()]);
        let replaced = TextRange::at(start, TextSize::of(old));
        self.text = self.text.replacen(old, new, 1);
        let source = self.file.source(&self.db);
        let source = source.reparse(replaced, TextSize::of(new), self.text.as_str().into());
        let file = self.file;
        self.db.executed(|db| {
            file.set_source(db).to(source);
            file_diagnostics(db, file);
        })
    }
}

/// Counts the definitions of a Relay file that are lowered again, and those that are inferred again, after `old` is
/// replaced with `new`.
fn relay_rerun(text: &str, old: &str, new: &str) -> [usize; 2] {
    let mut edited = Edited::new(text);
    let before = relay_facts(&edited.db, edited.file);
    let executed = edited.replace(old, new);
    let lowered = |it: &&String| it.starts_with("definition_body");
    let after = relay_facts(&edited.db, edited.file);
    let pairs = before.iter().zip(&after);
    let inferred = pairs.filter(|(before, after)| !Arc::ptr_eq(before, after));
    [executed.iter().filter(lowered).count(), inferred.count()]
}

#[test]
fn an_edit_of_relay_infers_the_definition_that_it_touches() {
    let rerun = |old, new| relay_rerun(RELAY, old, new);
    assert_eq!(rerun("nn.relu(%x)", "exp(%x)"), [1, 1]);
    assert_eq!(rerun("def @first", "\n\ndef @first"), [0, 0]);
    assert_eq!(rerun("[(2), float32])", "[(3), float32])"), [1, 2]);
}

const OPEN_RELAY: &str = r#"#[version = "0.0.5"]
def @first(%x: Tensor[(2), float32]) {
  nn.relu(%x)
}

def @second(%x: Tensor[(2), float32]) {
  @first(%x)
}

def @alone(%x: Tensor[(2), float32]) {
  exp(%x)
}

def @annotated(%x: Tensor[(2), float32]) -> Tensor[(2), float32] {
  nn.relu(%x)
}
"#;

#[test]
fn an_edit_of_relay_infers_dependent_definitions() {
    let rerun = |old, new| relay_rerun(OPEN_RELAY, old, new);
    // The functions without complete annotations are inferred together.
    assert_eq!(rerun("nn.relu(%x)", "exp(%x)"), [1, 3]);
    assert_eq!(
        rerun(
            "-> Tensor[(2), float32] {\n  nn",
            "-> Tensor[(2), float32] {\n  0f nn"
        ),
        [1, 1]
    );
}

#[test]
fn facts_of_earlier_versions_of_relay_are_dropped() {
    let mut db = Database::default();
    let file = SourceFile::new(&db, Source::of(OPEN_RELAY, Language::Relay));
    let mut versions: Vec<Weak<Facts>> = Vec::new();
    for k in 1..50 {
        let fields = format!("({})", "%x, ".repeat(k));
        let text = OPEN_RELAY.replacen("nn.relu(%x)", &fields, 1);
        file.set_source(&mut db)
            .to(Source::of(text, Language::Relay));
        versions.extend(relay_facts(&db, file).iter().map(Arc::downgrade));
    }
    let alive = versions.iter().filter(|it| it.strong_count() > 0);
    // One of the four functions is annotated. Of the others, salsa drops a version with the edit after the next.
    assert_eq!(alive.count(), 49 + 3 * 2);
}
