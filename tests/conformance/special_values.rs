//! Compares operators, and the PrimFuncs that TVM makes of them, with each other and with TVM, for special values: NaN,
//! infinities, -0, extremes, empty axes, ties, casts out of range.
//!
//! `record_special_values.py` made the tables in `special_values` and describes them. Each function runs as operator
//! and as PrimFunc, with as many cases as native loops and as kernels take, and all must give one answer: TVM's, or one
//! of TVM's where they depend on vectorisation.

mod table;

use std::collections::BTreeMap;
use std::fmt::Write;

use hir::{Config, Database, Source, SourceFile, file_items};
use relax::FunctionKind;
use relax::release::Release;
use salsa::Setter;
use vm::tensor::Kind;
use vm::{Constants, Limits, Printed, Program, compile_all, run};

use table::{Function, Table, answers, same};

macro_rules! family {
    ($name:literal) => {
        (
            $name,
            include_str!(concat!("special_values/", $name, ".txt")),
            include_str!(concat!("special_values/", $name, ".py")),
        )
    };
}

const FAMILIES: &[(&str, &str, &str)] = &[
    family!("unary"),
    family!("activations"),
    family!("binary"),
    family!("reduce"),
    family!("order"),
    family!("casts"),
    family!("quantized"),
];

/// The cases that are known to differ, by reason.
const EXCEPTIONS: &str = include_str!("special_values/exceptions.txt");

/// How many cases a call gets: one, as many as loops of native code take, and enough for a kernel.
const COUNTS: [usize; 3] = [1, 67, 5000];

fn program(source: &str, names: &[&str]) -> Program {
    let mut db = Database::default();
    Config::get(&db)
        .set_target(&mut db)
        .to(Some(Release::NEWEST));
    let file = SourceFile::new(&db, Source::new(source));
    let all = file_items(&db, file).functions.iter().copied();
    let is_entry = |name: &str| names.contains(&name);
    let entries: Vec<_> = all
        .filter(|it| it.kind(&db) == FunctionKind::Relax && is_entry(&it.name(&db)))
        .collect();
    assert_eq!(entries.len(), names.len());
    compile_all(&db, &entries, &[], Constants::default()).unwrap_or_else(|errors| {
        let range = std::ops::Range::<usize>::from(errors[0].range);
        panic!("{} at {}", errors[0], &source[range])
    })
}

/// The answers of a call to the first and to the last cases, and their kind.
fn call(
    program: &Program,
    function: &Function,
    cases: &[&str],
    count: usize,
) -> Result<(Kind, Vec<String>), String> {
    let inputs = function.arguments(cases, count);
    let limits = Limits::default();
    let value = run(
        program,
        function.name,
        inputs,
        &limits,
        &mut Printed::default(),
    );
    let value = value.map_err(|failure| failure.to_string())?;
    let tensor = value.as_tensor().ok_or("no tensor")?;
    Ok((tensor.kind(), answers(tensor, count, shown(cases, count))))
}

/// The calls of a function whose answers are compared: each case once at the start and once at the end.
fn shown(cases: &[&str], count: usize) -> impl Iterator<Item = usize> {
    let some = cases.len().min(count);
    (0..some).chain((count - some).max(some)..count)
}

/// Lists the cases of a function that have more than one answer, or another than TVM.
fn differences(
    operators: &Program,
    prims: &Program,
    function: &Function,
    table: &Table,
) -> Result<BTreeMap<&'static str, String>, String> {
    let cases = &table.cases[function.cases];
    let mut found = BTreeMap::new();
    for count in COUNTS {
        let (kind, made) = call(operators, function, cases, count)?;
        let (_, lowered) = call(prims, function, cases, count)?;
        for (i, (made, lowered)) in shown(cases, count).zip(made.iter().zip(&lowered)) {
            let (case, tvm) = (cases[i % cases.len()], function.tvm[i % cases.len()]);
            let is_tvms = tvm == "?" || tvm.split('|').any(|tvm| same(kind, made, tvm));
            if !is_tvms || !same(kind, made, lowered) {
                found.insert(case, format!("{made}, as PrimFunc {lowered}, in TVM {tvm}"));
            }
        }
    }
    Ok(found)
}

/// Returns the cases that are known to differ, by function. A reason is followed by its functions as indented lines.
fn exceptions() -> BTreeMap<&'static str, Vec<&'static str>> {
    let lines = EXCEPTIONS.lines().filter(|line| line.starts_with(' '));
    let named = lines.filter_map(|line| line.trim().split_once(' '));
    named
        .map(|(name, cases)| (name, cases.split(' ').collect()))
        .collect()
}

#[test]
fn special_values_give_one_answer_which_is_tvms() {
    let mut report = String::new();
    let exceptions = exceptions();
    for (family, text, lowered) in FAMILIES {
        let table = table::read(text);
        let names: Vec<&str> = table.functions.iter().map(|it| it.name).collect();
        let sources: String = table.functions.iter().map(Function::source).collect();
        let header = "from tvm.script import ir as I, relax as R, tirx as T\n\n@I.ir_module\nclass Module:\n";
        let operators = program(&format!("{header}{sources}"), &names);
        let prims = program(lowered, &names);
        for function in &table.functions {
            let name = function.name;
            let listed = exceptions.get(name).cloned().unwrap_or_default();
            match differences(&operators, &prims, function, &table) {
                Err(error) => drop(writeln!(report, "{family} {name}: {error}")),
                Ok(found) => {
                    for (case, what) in found.iter().filter(|it| !listed.contains(it.0)) {
                        let _ = writeln!(report, "{family} {name} {case}: {what}");
                    }
                    for case in listed.iter().filter(|it| !found.contains_key(*it)) {
                        let _ = writeln!(report, "{family} {name} {case} agrees, but is listed");
                    }
                }
            }
        }
    }
    assert!(report.is_empty(), "{report}");
}
