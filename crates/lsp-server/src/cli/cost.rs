//! `relax-lsp cost`: operations, bytes and planned memory of each function, as formulas or for given dimensions.

use std::cmp::Reverse;
use std::fmt::Write;
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use ide::cost::{Cost as BindingCost, FunctionCost, with_dims};
use ide::visible;
use relax::sym::SymExpr;
use rustc_hash::FxHashMap;
use serde_json::{Value, json};
use text_size::TextRange;

use super::origin::By;
use super::output::{self, Format, Output};
use super::run::function_path::FunctionPath;
use super::table::{self, Column, Page, Row};
use super::target::Target;
use crate::compilation::bare_name;
use crate::compilation::costs;
use crate::compilation::files::Read;
use crate::compilation::recording::origins::OriginsByLine;
use crate::line_index::LineColumns;
use crate::run::outcome::size;

#[derive(Args)]
pub struct Cost {
    /// FILE[::FUNCTION]
    file: FunctionPath,
    /// Value of a shape variable; formulas keep the variables without a value
    #[arg(long = "dim", value_name = "NAME=N", value_parser = super::run::dim)]
    dims: Vec<(String, i64)>,
    /// Add up the bindings of a recorded module by the module of the model, or by the line of the program
    #[arg(long, value_enum, value_name = "WHAT")]
    by: Option<By>,
    /// How to print the costs
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    target: Target,
}

pub fn execute(command: &Cost) -> anyhow::Result<ExitCode> {
    let Read {
        analysis,
        file,
        text,
        ..
    } = command.target.files().analysis(&command.file.file)?;
    let lines = LineColumns::new(&text);
    let mut costs = analysis
        .costs(file)
        .expect("nothing changes the file meanwhile");
    if let Some(name) = &command.file.function {
        costs.retain(|it| it.name == bare_name(name));
        if costs.is_empty() {
            bail!("there is no Relax function `{name}`");
        }
    }
    if costs.is_empty() {
        bail!("`{}` has no Relax function", command.file.file.display());
    }
    let mut plans = match analysis.hir(file) {
        Some((db, file)) => costs::plans_of_machine(db, file, &costs),
        None => FxHashMap::default(),
    };
    for cost in &mut costs {
        if cost.plan.is_none() {
            cost.plan = plans.remove(&cost.name_range);
        }
    }
    if let Some(by) = command.by {
        let path = &command.file.file;
        let Some(origins) = OriginsByLine::of_file(path, &command.target.files()) else {
            bail!("`{}` is not a module of a recording", path.display());
        };
        for cost in &mut costs {
            cost.bindings = added_up(&cost.bindings, by, &origins, &lines);
        }
    }
    output::print(&match command.format {
        Format::Text => {
            let parts = costs.iter().map(|cost| render(cost, command, &lines));
            Output::Text(parts.collect::<Vec<_>>().join("\n"))
        }
        Format::Json => {
            let all = costs.iter();
            let all: Vec<Value> = all
                .map(|cost| to_json(cost, &command.dims, &lines))
                .collect();
            Output::Json(json!({ "functions": all }))
        }
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Returns a row for each module or line, in the order of the first binding of each.
fn added_up(
    bindings: &[BindingCost],
    by: By,
    origins: &OriginsByLine,
    lines: &LineColumns,
) -> Vec<BindingCost> {
    let mut groups: IndexedGroups<'_> = Vec::new();
    for it in bindings {
        let key = by.name(origins, lines.line_col(it.range.start()).0);
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, group)) => group.push(it),
            None => groups.push((key, vec![it])),
        }
    }
    let sum = |parts: &mut dyn Iterator<Item = Option<&SymExpr>>| {
        let known: Vec<&SymExpr> = parts.flatten().collect();
        let sum = known.iter().fold(SymExpr::int(0), |sum, it| sum.add(it));
        (!known.is_empty()).then_some(sum)
    };
    let groups = groups.into_iter().map(|(key, group)| BindingCost {
        name: key.into(),
        callee: match group.len() {
            1 => "1 binding".into(),
            count => format!("{count} bindings").into(),
        },
        flops: sum(&mut group.iter().map(|it| it.flops.as_ref())),
        bytes: sum(&mut group.iter().map(|it| it.bytes.as_ref())),
        ..group[0].clone()
    });
    groups.collect()
}

type IndexedGroups<'c> = Vec<(String, Vec<&'c BindingCost>)>;

const COLUMNS: [Column; 7] = [
    Column::Right("share"),
    Column::Right("operations"),
    Column::Right("bytes"),
    Column::Right("FLOPs/byte"),
    Column::Right("line"),
    Column::Elastic("binding"),
    Column::Left("calls"),
];

/// Formats the totals, then the bindings by their share of the operations. Bindings with formulas keep their order.
fn render(cost: &FunctionCost, command: &Cost, lines: &LineColumns) -> String {
    let mut text = format!("{}\n", cost.name);
    totals(cost, &command.dims, &mut text);
    let dims = &command.dims;
    let number = |it: Option<&SymExpr>| with_dims(it?, dims).as_int();
    let total = number(Some(&cost.flops().0)).filter(|it| *it > 0);
    let mut bindings: Vec<&BindingCost> = cost.bindings.iter().collect();
    if total.is_some() {
        let weight = |it: &&BindingCost| (number(it.flops.as_ref()), number(it.bytes.as_ref()));
        bindings.sort_by_key(|it| Reverse(weight(it)));
    }
    let rows = bindings.into_iter().map(|it| {
        let (flops, bytes) = (it.flops.as_ref(), it.bytes.as_ref());
        let share = match (number(flops), total) {
            (Some(part), Some(total)) => format!("{:.1} %", 100.0 * part as f64 / total as f64),
            _ => String::new(),
        };
        [
            share,
            flops.map_or("?".to_owned(), |it| costs::operations(it, dims)),
            bytes.map_or("?".to_owned(), |it| costs::memory(it, dims)),
            intensity(flops, bytes, dims),
            lines.line_col(it.range.start()).0.to_string(),
            it.name.to_string(),
            visible::line(&it.callee).into_owned(),
        ]
    });
    text + &table::render(COLUMNS, rows.map(Row::from), Page::of_output())
}

/// Formats the sums and the planned memory.
fn totals(cost: &FunctionCost, dims: &[(String, i64)], text: &mut String) {
    let formula = |it: &SymExpr| with_dims(it, dims).to_string();
    let known = |it: Option<&SymExpr>| it.map_or("?".to_owned(), &formula);
    let (flops, bytes) = (cost.flops(), cost.bytes());
    let without = |unknown: usize| match unknown {
        0 => String::new(),
        1 => " plus 1 binding whose operations are only known at run time".to_owned(),
        count => format!(" plus {count} bindings whose operations are only known at run time"),
    };
    let _ = writeln!(text, "  FLOPs    {}{}", formula(&flops.0), without(flops.1));
    let _ = writeln!(text, "  bytes    {}{}", formula(&bytes.0), without(bytes.1));
    if let Some(plan) = &cost.plan {
        let amount = |it: &SymExpr| {
            let value = with_dims(it, dims);
            match value.as_int().and_then(|it| u64::try_from(it).ok()) {
                Some(bytes) => format!("{bytes} bytes ({})", size(bytes)),
                None => format!("{value} bytes"),
            }
        };
        let (total, unknown) = plan.total();
        let _ = writeln!(
            text,
            "  planned  {} in {} storages{}",
            amount(&total),
            plan.storages.len(),
            without(unknown)
        );
        if let Some(peak) = plan.peak() {
            let _ = writeln!(text, "  peak     {} at once", amount(&peak));
        }
        for (at, storage) in plan.storages.iter().enumerate() {
            let _ = writeln!(text, "    storage {at}: {}", known(storage.bytes.as_ref()));
        }
    }
}

/// Returns the operations per byte, or an empty text if it is not a number.
fn intensity(flops: Option<&SymExpr>, bytes: Option<&SymExpr>, dims: &[(String, i64)]) -> String {
    let number = |it: Option<&SymExpr>| with_dims(it?, dims).as_int();
    match (number(flops), number(bytes)) {
        (Some(flops), Some(bytes)) if bytes > 0 => format!("{:.2}", flops as f64 / bytes as f64),
        _ => String::new(),
    }
}

fn to_json(cost: &FunctionCost, dims: &[(String, i64)], lines: &LineColumns) -> Value {
    let line = |range: TextRange| ("line", json!(lines.line_col(range.start()).0));
    costs::to_json(cost, cost.plan.as_ref(), dims, line)
}
