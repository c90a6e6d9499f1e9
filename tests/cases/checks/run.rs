//! Answers of PrimFuncs that run, in both engines.

use std::fmt::Write;
use std::sync::atomic::AtomicBool;

use hir::tir::{PrimFunc, TirError};
use hir::{file_items, function_program};
use relax::FunctionKind;
use vm::error::{RunError, RunResult};
use vm::tensor::{Scalar, Tensor};
use vm::tir::exact::Ended;
use vm::tir::{Exact, Operand, Written};

use super::Answer;
use crate::cases::program::{Opened, Program};

/// Runs the first PrimFunc with these operands, and shows the tensors after the call, or why it stops or cannot run. A
/// tensor is written as in `f32(2,3)=1,2,3,4,5,6`; one value stands for all. A number is a scalar.
pub fn run(program: &Program, operands: &[String]) -> Result<Answer, String> {
    let operands = operands.iter().map(|it| operand(it));
    let operands = operands.collect::<Result<Vec<Operand>, String>>()?;
    let opened = program.open();
    let native = compiled(&opened, vm::tir::compile).map(|compiled| {
        let mut after = operands.clone();
        let stop = AtomicBool::default();
        let result = compiled.call(&mut after, &stop, &mut no_packed_functions);
        shown(result.map_err(|(error, _)| error), &after)
    });
    let exact = compiled(&opened, Exact::new).map(|exact| {
        let mut after = operands.clone();
        let stop = AtomicBool::default();
        let result = exact.call(&mut after, u64::MAX, &stop, &mut no_packed_functions);
        let result = result.map_err(|ended| match ended {
            Ended::Trap(trap, _) => trap.into(),
            Ended::Error(error, _) => error,
            Ended::Long => unreachable!("it may take as long as it likes"),
        });
        shown(result, &after)
    });
    match (native, exact) {
        (native, exact) if native != exact => Err(format!(
            "native code: {native:?}\nthe interpreter: {exact:?}"
        )),
        (Ok(text) | Err(text), _) => Ok(Answer::Text(text)),
    }
}

fn no_packed_functions(symbol: &str, _: &[vm::value::Value]) -> RunResult<Written> {
    Err(RunError::argument(format!("no packed function `{symbol}`")))
}

/// Compiles the first PrimFunc, or says what is wrong with it and where.
fn compiled<T>(
    opened: &Opened,
    compile: impl FnOnce(&PrimFunc) -> Result<T, Vec<TirError>>,
) -> Result<T, String> {
    let (db, file) = opened.analysis.hir(opened.file).expect("the file is there");
    let mut functions = file_items(db, file).functions.iter().copied();
    let function = functions.find(|it| it.kind(db) == FunctionKind::PrimFunc);
    let function = function.ok_or("the program has no PrimFunc")?;
    let errors = match function_program(db, function).and_then(|it| compile(&it)) {
        Ok(compiled) => return Ok(compiled),
        Err(errors) => errors,
    };
    let lines = errors.iter().map(|it| {
        let at = &opened.text[it.range + function.offset(db)];
        format!(
            "{} at `{}`\n",
            it.message,
            at.lines().next().unwrap_or_default()
        )
    });
    Err(lines.collect())
}

fn shown(result: RunResult<()>, operands: &[Operand]) -> String {
    if let Err(error) = result {
        return format!("{error}\n");
    }
    let mut text = String::new();
    for operand in operands {
        if let Operand::Tensor(tensor) = operand {
            let items = (0..tensor.len()).filter_map(|at| tensor.get(at));
            let items: Vec<String> = items.map(|it| it.to_string()).collect();
            let _ = writeln!(text, "{:?} [{}]", tensor.shape(), items.join(", "));
        }
    }
    text
}

fn operand(word: &str) -> Result<Operand, String> {
    let failed = || format!("`{word}` is no operand");
    let Some((header, values)) = word.split_once('=') else {
        let number = word.parse().map_err(|_| failed())?;
        return Ok(Operand::Scalar(Scalar::Int(number)));
    };
    let (kind, shape) = header
        .strip_suffix(')')
        .and_then(|it| it.split_once('('))
        .ok_or_else(failed)?;
    let shape = numbers::<usize>(shape).ok_or_else(failed)?;
    let tensor = match kind {
        "f32" => Tensor::from_vec(&shape, filled::<f32>(&shape, values).ok_or_else(failed)?),
        "i32" => Tensor::from_vec(&shape, filled::<i32>(&shape, values).ok_or_else(failed)?),
        "i64" => Tensor::from_vec(&shape, filled::<i64>(&shape, values).ok_or_else(failed)?),
        _ => return Err(failed()),
    };
    tensor
        .map(Operand::Tensor)
        .map_err(|error| error.to_string())
}

fn numbers<T: std::str::FromStr>(text: &str) -> Option<Vec<T>> {
    let parts = text.split(',').filter(|it| !it.is_empty());
    parts.map(|it| it.parse().ok()).collect()
}

/// Reads the values of a tensor; a single one is all of them.
fn filled<T: std::str::FromStr + Copy>(shape: &[usize], text: &str) -> Option<Vec<T>> {
    let values: Vec<T> = numbers(text)?;
    match values[..] {
        [value] => Some(vec![value; shape.iter().product()]),
        _ => Some(values),
    }
}
