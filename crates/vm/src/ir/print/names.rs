//! Assigns unique names to variables, using the source's names if there are any.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::bytecode::Reg;
use crate::ir::{Function, Stmt, StmtKind};

pub(super) struct Names {
    /// The names, indexed by register.
    names: Vec<String>,
    /// Variables that are not read and have no name.
    nameless: FxHashSet<Reg>,
}

impl Names {
    pub fn new(function: &Function) -> Names {
        let mut read: FxHashSet<Reg> = FxHashSet::default();
        for stmt in &function.body {
            stmt.for_each_operand(&mut |operand| read.extend(operand.reg()));
        }
        for (reg, _) in &function.captured_dims {
            read.insert(*reg);
        }
        let mut joined: FxHashSet<Reg> = FxHashSet::default();
        branches(&function.body, &mut joined);
        let mut taken: FxHashSet<String> = super::shape_variables(function).into_iter().collect();
        taken.extend(["cls", "R", "T", "I", "Module"].map(str::to_owned));
        let mut names = Vec::with_capacity(function.vars.len());
        let mut nameless = FxHashSet::default();
        let mut counts: FxHashMap<String, u32> = FxHashMap::default();
        for (at, var) in function.vars.iter().enumerate() {
            let reg = Reg(at as u32);
            let wanted = match &var.name {
                Some(name) => name.as_str(),
                None if read.contains(&reg)
                    || joined.contains(&reg)
                    || at < function.params.len() =>
                {
                    "lv"
                }
                None => {
                    nameless.insert(reg);
                    names.push("_".to_owned());
                    continue;
                }
            };
            let mut name = wanted.to_owned();
            let count = counts.entry(wanted.to_owned()).or_insert(0);
            while !taken.insert(name.clone()) {
                *count += 1;
                name = format!("{wanted}{count}");
            }
            names.push(name);
        }
        Names { names, nameless }
    }

    pub fn of(&self, reg: Reg) -> &str {
        self.names.get(reg.0 as usize).map_or("_", String::as_str)
    }

    pub fn is_nameless(&self, reg: Reg) -> bool {
        self.nameless.contains(&reg)
    }
}

/// Collects variables that branches assign.
fn branches(stmts: &[Stmt], found: &mut FxHashSet<Reg>) {
    for stmt in stmts {
        if let StmtKind::If {
            dst,
            then,
            otherwise,
            ..
        } = &stmt.kind
        {
            found.insert(*dst);
            branches(&then.body, found);
            branches(&otherwise.body, found);
        }
    }
}
