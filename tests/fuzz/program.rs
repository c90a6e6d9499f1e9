//! Programs of any bytes, compiled and run: a value, or the reason why there is none.

use std::time::Duration;

use hir::{FunctionItem, file_items};
use relax::FunctionKind;
use vm::{Inputs, Limits, Printed};

use super::{assert_within, database, text_of};

/// Functions of one text that are tried.
const MOST_FUNCTIONS: usize = 4;

/// Small enough to be reached again and again.
const LIMITS: Limits = Limits {
    wall: Some(Duration::from_millis(200)),
    memory: Some(64 << 20),
    instructions: 1 << 12,
    depth: 64,
};

/// Every function runs to a value within its limits, or there is a reason, at a place in the text.
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
        // What has no inputs on its own is not run.
        let Ok(values) = Inputs::default().make(entry) else {
            continue;
        };
        if let Err(failure) = vm::run(&program, &name, values, &LIMITS, &mut Printed::default()) {
            assert_within(failure.range, &text);
        }
    }
}
