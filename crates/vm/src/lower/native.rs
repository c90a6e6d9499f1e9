//! Compiles PrimFuncs to native code, several in parallel.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use hir::tir::TirError;

use super::{Linker, Reached};
use crate::bytecode::{Callee, PrimFunc};
use crate::tir::{self, Compiled};

/// The stack size of a compiling thread. Generated PrimFuncs are deeply nested.
const STACK: usize = 64 << 20;

/// Below this number, starting threads would take longer than compiling.
const FEW: usize = 4;

type Compilation = Result<Compiled, Vec<TirError>>;

pub(super) fn run(link: &mut Linker<'_>) {
    let reached = std::mem::take(&mut link.prim_funcs);
    let compiled = all(&reached);
    for (it, result) in reached.iter().zip(compiled) {
        let (name, start) = (it.item.name(link.db), it.item.offset(link.db));
        match result {
            Ok(code) => {
                if let Some(slot) = link.program.callees.get_mut(it.id.0 as usize) {
                    *slot = Callee::PrimFunc(Arc::new(PrimFunc {
                        name,
                        code: Some(code),
                        program: Some(Arc::clone(&it.func)),
                        start,
                    }));
                }
            }
            Err(errors) => link.refuse(&name, start, errors),
        }
    }
    link.prim_funcs = reached;
}

fn all(reached: &[Reached<'_>]) -> Vec<Compilation> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    if reached.len() < FEW || threads < 2 {
        return reached.iter().map(|it| tir::compile(&it.func)).collect();
    }
    let funcs: Vec<&hir::tir::PrimFunc> = reached.iter().map(|it| &*it.func).collect();
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, Compilation)>> = Mutex::new(Vec::with_capacity(funcs.len()));
    let work = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(func) = funcs.get(at) else { break };
            let result = tir::compile(func);
            done.lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push((at, result));
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            // Without another thread, this one compiles everything.
            let _ = std::thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, work);
        }
        work();
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}
