//! A PrimFunc as an entry: a function of its own passes it a value for each parameter, and returns the buffers that
//! it writes.

use std::sync::Arc;

use hir::{Db, FunctionItem};
use relax::FunctionKind;
use smol_str::SmolStr;

use super::Linker;
use crate::bytecode::{
    Callee, CalleeId, Function, Instruction, Operand, Origin, Param, PrimFunc, Reg,
};

/// Returns the name of an entry in the compiled program. The name of a PrimFunc stands for the PrimFunc itself.
pub fn entry_name(db: &dyn Db, entry: FunctionItem<'_>) -> SmolStr {
    let name = entry.name(db);
    match entry.kind(db) {
        FunctionKind::PrimFunc => smol_str::format_smolstr!("{name}()"),
        _ => name,
    }
}

/// Adds the functions of entries that are PrimFuncs, which are compiled already.
pub(super) fn run<'db>(linker: &mut Linker<'db>, entries: &[FunctionItem<'db>]) {
    for &entry in entries {
        let name = entry.name(linker.db);
        let found = linker.program.find(&name);
        let Some((id, Callee::PrimFunc(prim))) =
            found.and_then(|id| Some((id, linker.program.callee(id)?)))
        else {
            continue;
        };
        let prim = Arc::clone(prim);
        if let Some(function) = function(linker, id, &prim) {
            let id = linker
                .program
                .add_callee(Callee::Function(Arc::new(function)));
            linker.program.name(entry_name(linker.db, entry), id);
        }
    }
}

fn function(linker: &mut Linker<'_>, callee: CalleeId, prim: &PrimFunc) -> Option<Function> {
    let (program, code) = (prim.program.as_ref()?, prim.code.as_ref()?);
    let params: Vec<Param> = program
        .arguments()
        .into_iter()
        .map(|(name, struct_info)| Param { name, struct_info })
        .collect();
    let count = params.len() as u32;
    let (number, tuple) = (Reg(count), Reg(count + 1));
    let writes = |at: &u32| code.signature().writes(*at as usize);
    let has_number = code.signature().result().is_some();
    let mut results: Vec<Operand> = (0..count)
        .filter(writes)
        .map(|at| Operand::Reg(Reg(at)))
        .collect();
    let mut outputs: Vec<SmolStr> = (0..count)
        .filter(writes)
        .map(|at| params[at as usize].name.clone())
        .collect();
    if has_number {
        results.push(Operand::Reg(number));
        outputs.push("return".into());
    }
    let mut instructions = vec![Instruction::Call {
        dst: if has_number { number } else { Reg::VOID },
        callee,
        args: (0..count).map(|at| Operand::Reg(Reg(at))).collect(),
    }];
    let result = match results[..] {
        [only] => only,
        _ => {
            instructions.push(Instruction::Call {
                dst: tuple,
                callee: linker.builtin("vm.builtin.make_tuple")?,
                args: results,
            });
            Operand::Reg(tuple)
        }
    };
    instructions.push(Instruction::Ret(result));
    let mut function = Function {
        params,
        outputs,
        registers: count + 2,
        origins: vec![Origin::default(); instructions.len()],
        code: instructions,
        start: prim.start,
        ..Function::empty(prim.name.clone())
    };
    function.finish();
    Some(function)
}
