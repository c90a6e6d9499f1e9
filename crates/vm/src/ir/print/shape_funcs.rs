//! Prints computed dimensions as TVM does: as PrimFuncs over the shape heap of their function.

use relax::release::Release;
use relax::sym::{SymExpr, SymVar};
use rustc_hash::{FxHashMap, FxHashSet};
use text_size::TextRange;

use super::global;
use crate::bytecode::{Callee, Constant, DimExpr, Operand, Program};
use crate::ir::{Function, Stmt, StmtKind};

pub(super) struct ShapeFuncs<'p> {
    program: &'p Program,
    release: Release,
    /// The names, by the index of the Relax function and the slot of the dimension.
    names: FxHashMap<(usize, i64), String>,
    taken: FxHashSet<String>,
    pub definitions: Vec<(Vec<String>, TextRange)>,
}

impl<'p> ShapeFuncs<'p> {
    pub fn new(program: &'p Program, functions: &[Function], release: Release) -> ShapeFuncs<'p> {
        let callees = program.callees.iter();
        let mut all = ShapeFuncs {
            program,
            release,
            names: FxHashMap::default(),
            taken: callees.map(|it| global(&program.callee_name(it))).collect(),
            definitions: Vec::new(),
        };
        for (at, function) in functions.iter().enumerate() {
            let mut heap = 0;
            all.block((at, function), &function.body, &mut heap);
        }
        all
    }

    /// Returns the name of the PrimFunc that computes a slot of a function's heap.
    pub fn name(&self, function: usize, slot: i64) -> Option<&str> {
        self.names.get(&(function, slot)).map(String::as_str)
    }

    fn block(&mut self, of: (usize, &Function), stmts: &[Stmt], heap: &mut i64) {
        for stmt in stmts {
            match &stmt.kind {
                StmtKind::Call { callee, args, .. } => {
                    let Some(Callee::Builtin(builtin)) = self.program.callee(*callee) else {
                        continue;
                    };
                    match (builtin.name, args.as_slice()) {
                        ("vm.builtin.alloc_shape_heap", [Operand::Int(size)]) => *heap = *size,
                        (
                            "vm.builtin.compute_dim",
                            &[_, Operand::Int(slot), Operand::Const(id)],
                        ) => {
                            if let Some(Constant::Dim(dim)) = self.program.constant(id) {
                                let name = self.unused_name();
                                let text = self.definition(&name, *heap, slot, dim);
                                let range = stmt.origin.range + of.1.start;
                                self.definitions.push((text, range));
                                self.names.insert((of.0, slot), name);
                            }
                        }
                        _ => {}
                    }
                }
                StmtKind::If {
                    then, otherwise, ..
                } => {
                    self.block(of, &then.body, heap);
                    self.block(of, &otherwise.body, heap);
                }
                _ => {}
            }
        }
    }

    fn unused_name(&mut self) -> String {
        let mut name = "shape_func".to_owned();
        let mut count = 0;
        while !self.taken.insert(name.clone()) {
            count += 1;
            name = format!("shape_func{count}");
        }
        name
    }

    fn definition(&self, name: &str, heap: i64, slot: i64, dim: &DimExpr) -> Vec<String> {
        let head = if self.release >= Release::V0_25 {
            "@T.prim_func(private=True, s_tir=True)"
        } else {
            "@T.prim_func(private=True)"
        };
        vec![
            format!("    {head}"),
            format!("    def {name}(H: T.Buffer(({heap},), \"int64\")):"),
            format!("        H[{slot}] = {}", over_slots(dim)),
        ]
    }
}

/// Returns the expression of a dimension in terms of heap slots.
fn over_slots(dim: &DimExpr) -> SymExpr {
    let slots: FxHashMap<&SymVar, u32> = dim.slots.iter().map(|(var, at)| (var, *at)).collect();
    dim.expr.substitute(&|var| {
        let at = slots.get(var)?;
        Some(SymExpr::var(SymVar {
            name: format!("H[{at}]").into(),
            id: *at,
        }))
    })
}
