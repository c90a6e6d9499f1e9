//! Compiles and runs the programs in any text: each gives a value or an error.

use std::time::Duration;

use hir::{FunctionItem, file_items};
use relax::FunctionKind;
use vm::{Inputs, Limits, Printed};

use super::{assert_within, database, text_of};

/// The maximum number of functions of a text that are run.
const MOST_FUNCTIONS: usize = 4;

/// Limits that are low enough to be reached often.
const LIMITS: Limits = Limits {
    wall: Some(Duration::from_millis(200)),
    memory: Some(64 << 20),
    instructions: 1 << 12,
    depth: 64,
    out_of_bounds: None,
};

/// Every function gives a value within the limits, or an error with a range in the text.
pub fn run(data: &[u8]) {
    let text = text_of(data);
    let (db, file) = database(&text);
    let of_kind = |kind: FunctionKind| -> Vec<FunctionItem<'_>> {
        let functions = file_items(&db, file).functions.iter().copied();
        let functions = functions.filter(|it| it.kind(&db) == kind);
        functions.take(MOST_FUNCTIONS).collect()
    };
    for function in of_kind(FunctionKind::PrimFunc) {
        if let Ok(prim) = hir::function_program(&db, function)
            && let Err(errors) = vm::tir::compile(&prim)
        {
            assert!(!errors.is_empty());
        }
    }
    for function in of_kind(FunctionKind::Relax) {
        let program = match vm::compile(&db, function) {
            Ok(program) => program,
            Err(errors) => {
                assert!(!errors.is_empty());
                for error in errors {
                    assert_within(error.range, &text);
                }
                continue;
            }
        };
        let name = function.name(&db);
        let Some(entry) = program.function(&name) else {
            continue;
        };
        // Functions whose inputs cannot be generated are not run.
        let Ok(values) = Inputs::default().make(entry) else {
            continue;
        };
        if let Err(failure) = vm::run(&program, &name, values, &LIMITS, &mut Printed::default()) {
            assert_within(failure.range, &text);
        }
    }
}
