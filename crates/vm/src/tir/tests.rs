//! Compiles and runs small PrimFuncs: TIR's arithmetic, blocks, buffers, and faults.

mod barriers;
mod exchanges;
mod numbers;
mod races;
mod safety;
mod threads;

use std::fmt::Write;
use std::sync::atomic::AtomicBool;

use expect_test::{Expect, expect};
use hir::{Database, Source, SourceFile, file_items};
use relax::FunctionKind;

use super::exact::{Ended, Exact};
use super::{Compiled, Operand, Written};
use crate::error::{RunError, RunResult};
use crate::tensor::Tensor;
use crate::value::Value;

fn compile(source: &str) -> Result<Compiled, String> {
    compiled(source, super::compile)
}

fn exact(source: &str) -> Result<Exact, String> {
    compiled(source, Exact::new)
}

/// Compiles the first PrimFunc with an engine, or returns the errors with their positions.
fn compiled<T>(
    source: &str,
    make: impl FnOnce(&hir::tir::PrimFunc) -> Result<T, Vec<hir::tir::TirError>>,
) -> Result<T, String> {
    let db = Database::default();
    let file = SourceFile::new(&db, Source::new(source));
    let item = file_items(&db, file)
        .functions
        .iter()
        .copied()
        .find(|f| f.kind(&db) == FunctionKind::PrimFunc)
        .unwrap();
    hir::function_program(&db, item)
        .and_then(|func| make(&func))
        .map_err(|errors| {
            let lines: Vec<String> = errors
                .iter()
                .map(|e| {
                    let range = e.range + item.offset(&db);
                    let at = &source[std::ops::Range::<usize>::from(range)];
                    format!(
                        "{} at `{}`\n",
                        e.message,
                        at.lines().next().unwrap_or_default()
                    )
                })
                .collect();
            lines.concat()
        })
}

/// A host without packed functions.
fn no_packed_functions(symbol: &str, _: &[Value]) -> RunResult<Written> {
    Err(RunError::argument(format!("no packed function `{symbol}`")))
}

fn f32s(shape: &[usize], values: &[f32]) -> Operand {
    Operand::Tensor(Tensor::from_vec(shape, values.to_vec()).unwrap())
}

fn i32s(shape: &[usize], values: &[i32]) -> Operand {
    Operand::Tensor(Tensor::from_vec(shape, values.to_vec()).unwrap())
}

fn zeros(like: &Operand) -> Operand {
    match like {
        Operand::Tensor(tensor) => {
            Operand::Tensor(Tensor::zeros(tensor.kind(), tensor.shape()).unwrap())
        }
        other => other.clone(),
    }
}

/// Prints the tensors after the call, and checks that both engines agree.
fn outcome(source: &str, operands: Vec<Operand>) -> String {
    let (compiled, interpreted) = match (compile(source), exact(source)) {
        (Ok(compiled), Ok(interpreted)) => (compiled, interpreted),
        (compiled, interpreted) => {
            let errors = compiled.map(|_| ()).unwrap_err();
            assert_eq!(interpreted.map(|_| ()).unwrap_err(), errors);
            return errors;
        }
    };
    let stop = AtomicBool::default();
    let mut after = operands.clone();
    let result = compiled.call(&mut after, &stop, &mut no_packed_functions);
    let said = result_text(result.map_err(|(error, _)| error), &after);
    let mut after = operands;
    let result = interpreted.call(&mut after, u64::MAX, &stop, &mut no_packed_functions);
    let exactly = result.map_err(|ended| match ended {
        Ended::Trap(trap, _) => trap.into(),
        Ended::Error(error, _) => error,
        Ended::Long => unreachable!("it may take as long as it likes"),
    });
    assert_eq!(result_text(exactly, &after), said);
    said
}

fn result_text(result: RunResult<()>, operands: &[Operand]) -> String {
    if let Err(error) = result {
        return format!("{error}\n");
    }
    let mut text = String::new();
    for operand in operands {
        if let Operand::Tensor(tensor) = operand {
            let items: Vec<String> = (0..tensor.len())
                .filter_map(|i| tensor.get(i))
                .map(|s| s.to_string())
                .collect();
            let _ = writeln!(text, "{:?} [{}]", tensor.shape(), items.join(", "));
        }
    }
    text
}

fn check(source: &str, operands: Vec<Operand>, expect: Expect) {
    expect.assert_eq(&outcome(source, operands));
}

#[test]
fn an_index_out_of_range_stops_the_call() {
    let source = r#"
@T.prim_func
def f(a: T.Buffer((4,), "float32"), i: T.Buffer((2,), "int32"), b: T.Buffer((2,), "float32")):
    for k in range(2):
        b[k] = a[i[k]]
"#;
    let run = |at: &[i32]| {
        outcome(
            source,
            vec![
                f32s(&[4], &[1., 2., 3., 4.]),
                i32s(&[2], at),
                f32s(&[2], &[0., 0.]),
            ],
        )
    };
    expect![[r#"
        [4] [1.0, 2.0, 3.0, 4.0]
        [2] [3, 0]
        [2] [4.0, 1.0]
        index 4 is out of range for dimension 0 of buffer `a`, which is 4
        index -1 is out of range for dimension 0 of buffer `a`, which is 4
    "#]]
    .assert_eq(&format!(
        "{}{}{}",
        run(&[3, 0]),
        run(&[4, 0]),
        run(&[0, -1])
    ));
}

#[test]
fn a_function_of_c_says_its_dtype_first_or_by_name() {
    for call in [
        r#"T.call_extern("float32", "fabsf", a[0])"#,
        r#"T.call_extern("fabsf", a[0], dtype="float32")"#,
    ] {
        let source = format!(
            r#"
@T.prim_func
def f(a: T.Buffer((1,), "float32")):
    a[0] = {call}
"#
        );
        assert_eq!(outcome(&source, vec![f32s(&[1], &[-2.])]), "[1] [2.0]\n");
    }
}

#[test]
fn a_loop_ends_once_it_is_told_to() {
    let source = r#"
@T.prim_func
def spin(x: T.Buffer((1,), "int64")):
    while x[0] >= T.int64(0):
        for i in range(1000):
            x[0] = x[0] + T.int64(1)
        x[0] = T.int64(0)
"#;
    let compiled = compile(source).unwrap();
    let tensor = Tensor::from_vec(&[1], vec![0i64]).unwrap();
    let result = compiled.call(
        &mut [Operand::Tensor(tensor)],
        &AtomicBool::new(true),
        &mut no_packed_functions,
    );
    let (error, place) = result.unwrap_err();
    assert_eq!(error.to_string(), "the time limit is reached");
    assert!(place.is_some());
}

/// Checks which phases of a function can be split; none if it has no phases. The interpreter splits nothing.
fn assert_splits(source: &str, expected: &[bool]) {
    let compiled = compile(source).unwrap();
    #[cfg(feature = "native")]
    {
        let phases = compiled.layout.map(|it| it.phases).unwrap_or_default();
        let found: Vec<bool> = phases.iter().map(|it| it.cost.is_some()).collect();
        assert_eq!(found, expected);
    }
    #[cfg(not(feature = "native"))]
    let _ = (compiled, expected);
}
