//! Passes a value of each kind to each parameter of each operator, and compares the verdicts with an installed TVM.
//!
//! An ordinary test run uses some of the cases; `RELAX_PROGRAMS=1` uses all, and writes the differences to
//! `target/arguments-VERSION.txt`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use relax::ops::{Kind, OpDef};

use super::super::ours::conclude;
use super::super::tvm;
use super::operators::{Call, Given, Operators, Row, given_text, made_up};
use super::writer::{Scope, Writer};
use super::{Verdicts, number_of, vary};
use relax::release::Release;

/// Values of each kind. Names are parameters of the function around the call.
const VALUES: &[&str] = &[
    "None",
    "True",
    "1",
    "0.5",
    "\"word\"",
    "[1, 2]",
    "n",
    "n + 1",
    "[n]",
    "integer",
    "tensor",
    "fields",
    "shape",
    "R.prim_value(1)",
];

/// The values for tensor parameters. TVM rejects all others.
const FOR_TENSORS: &[&str] = &["True", "1", "0.5", "n", "integer", "shape"];

/// The number of attempts to make a valid call of an operator.
const TRIES: usize = 40;

/// One in this many cases is used in an ordinary test run.
const SAMPLE: usize = 40;

/// The percentage of cases that must agree.
const AGREED: usize = 96;

struct Case {
    op: &'static OpDef,
    param: usize,
    value: &'static str,
    text: String,
}

/// A valid call: its arguments by parameter, and the parameters of the function around it.
struct RightCall {
    op: &'static OpDef,
    args: Vec<(usize, String)>,
    params: String,
}

fn right_call(row: &Row, release: Release, operators: &Operators) -> Option<RightCall> {
    (0..TRIES).find_map(|seed| {
        let mut writer = Writer::new(seed as u64, release, operators);
        let scope = Scope::default();
        let mut call: Call = match row.recorded.as_slice() {
            [] => made_up(&mut writer, &scope, row.op),
            recorded => recorded[seed % recorded.len()].clone(),
        };
        vary::own_names(&mut writer, &mut call);
        let written = |writer: &mut Writer<'_>, (at, given): &(usize, Given)| {
            Some((*at, given_text(writer, &scope, given)?))
        };
        let args: Option<Vec<(usize, String)>> =
            call.iter().map(|it| written(&mut writer, it)).collect();
        let args = args?;
        let declared = |it: &super::writer::Var| {
            let info = writer.signature_text(&it.info)?;
            Some(format!(", {}: {info}", it.name))
        };
        let params: Option<String> = writer.params.iter().map(declared).collect();
        let params = params?;
        let text = program(row.op, &args, &params);
        let found = conclude(&text, Some(release));
        found.errors.is_empty().then_some(RightCall {
            op: row.op,
            args,
            params,
        })
    })
}

fn program(op: &OpDef, args: &[(usize, String)], params: &str) -> String {
    let written = |(at, text): &(usize, String)| match &op.params[*at] {
        param if param.star => text.clone(),
        param => format!("{}={text}", param.name),
    };
    let args: Vec<String> = args.iter().map(written).collect();
    format!(
        "{}\n@R.function(pure=False)\ndef main(shape: R.Shape([\"n\", \"m\", \"k\"]), integer: R.Prim(\"int64\"), \
         tensor: R.Tensor((4, 4), \"float32\"), fields: R.Tuple(R.Tensor((4, 4), \"float32\")){params}):\n    \
         y = R.{}({})\n    return y\n",
        tvm::IMPORTS,
        op.script(),
        args.join(", "),
    )
}

/// Returns the call with each value for each parameter.
fn cases_of(call: &RightCall) -> Vec<Case> {
    let mut cases = Vec::new();
    for (at, param) in call.op.params.iter().enumerate() {
        let values = match param.kind {
            _ if param.star => continue,
            Kind::Tensor | Kind::Tensors => FOR_TENSORS,
            _ => VALUES,
        };
        for value in values {
            let mut args = call.args.clone();
            args.retain(|it| it.0 != at);
            args.push((at, (*value).to_owned()));
            args.sort_by_key(|it| it.0);
            cases.push(Case {
                op: call.op,
                param: at,
                value,
                text: program(call.op, &args, &call.params),
            });
        }
    }
    cases
}

#[test]
fn made_up_arguments_agree_with_tvm() {
    let Some(answer) = tvm::names() else { return };
    let version = answer["tvm"].as_str().expect("a version");
    let Some(release) = super::release::of_version(version) else {
        testing::skip(format_args!(
            "calls are made up for TVM 0.25 to 0.27, not for {version}"
        ));
        return;
    };
    let operators = Operators::new(release, answer["names"].as_object().expect("names"));
    let rows = operators.rows.iter();
    let mut calls: Vec<RightCall> = rows
        .filter_map(|row| right_call(row, release, &operators))
        .collect();
    let all = number_of("RELAX_PROGRAMS").is_some();
    let mut verdicts = Verdicts::of(&format!("arguments-{version}"), all);
    if all {
        let named = |it: &RightCall| {
            let text = program(it.op, &it.args, &it.params);
            (it.op.script().to_owned(), text)
        };
        let records = verdicts.ask(&calls.iter().map(named).collect::<Vec<_>>());
        let mut records = records.iter();
        calls.retain(|_| records.next().is_some_and(|it| it["verdict"] == "ok"));
    }
    let cases = calls.iter().flat_map(cases_of);
    let cases: Vec<Case> = cases.step_by(if all { 1 } else { SAMPLE }).collect();
    let named = |it: &Case| (it.op.script().to_owned(), it.text.clone());
    let records = verdicts.ask(&cases.iter().map(named).collect::<Vec<_>>());
    let mut table: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (case, record) in cases.iter().zip(&records) {
        let ours = conclude(&case.text, Some(release));
        let what = match (record["verdict"].as_str(), ours.errors.first()) {
            (Some("ok"), Some(_)) => "FalseAlarm",
            (Some("error"), None) => "NotFound",
            _ => continue,
        };
        let param = &case.op.params[case.param];
        let root = format!("{what} {:?} {}", param.kind, case.value);
        let message = match ours.errors.first() {
            Some(error) => error.message.clone(),
            None => record["error"]["msg"].to_string(),
        };
        let told = format!("    {}.{}: {message}\n", case.op.script(), param.name);
        table.entry(root).or_default().push(told);
    }
    let differing: usize = table.values().map(Vec::len).sum();
    eprintln!("TVM {version}: {differing} of {} differ", cases.len());
    let mut text = String::new();
    for (root, all) in table {
        let _ = writeln!(text, "{root} {}\n{}", all.len(), all.concat());
    }
    if all && let Some(target) = tvm::target() {
        let path = target.join(format!("arguments-{version}.txt"));
        std::fs::write(path, &text).expect("a report is written");
    }
    assert!(
        differing * 100 <= cases.len() * (100 - AGREED),
        "{differing} of {}\n{text}",
        cases.len()
    );
}
