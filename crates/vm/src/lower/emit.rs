//! Emits bytecode from the last stage: branches become jumps, and the last read of each register is marked.

use std::sync::{Arc, OnceLock};

use crate::bytecode::{self, Instruction, Operand, Origin, Program, Reg};
use crate::ir::{Branch, Function, Stmt, StmtKind};

pub(super) fn run(program: &mut Program, function: Function) -> Arc<bytecode::Function> {
    let mut emit = Emit {
        program,
        registers: function.vars.len() as u32,
        code: Vec::new(),
        origins: Vec::new(),
    };
    emit.block(function.body);
    let mut compiled = bytecode::Function {
        name: function.name,
        params: function.params,
        captured: function.captured,
        num_input: function.num_input,
        outputs: Vec::new(),
        registers: emit.registers,
        code: emit.code,
        origins: emit.origins,
        start: function.start,
        binders: OnceLock::new(),
    };
    compiled.finish();
    Arc::new(compiled)
}

struct Emit<'p> {
    program: &'p mut Program,
    registers: u32,
    code: Vec<Instruction>,
    origins: Vec<Origin>,
}

impl Emit<'_> {
    fn block(&mut self, stmts: Vec<Stmt>) {
        for stmt in stmts {
            match stmt.kind {
                StmtKind::Call { dst, callee, args } => {
                    self.push(Instruction::Call { dst, callee, args }, stmt.origin);
                }
                StmtKind::Return(value) => self.push(Instruction::Ret(value), stmt.origin),
                StmtKind::If {
                    cond,
                    dst,
                    then,
                    otherwise,
                } => self.branches(cond, dst, then, otherwise, &stmt.origin),
                // The previous stages removed all of these.
                StmtKind::Dps(_)
                | StmtKind::MatchCast { .. }
                | StmtKind::BindDim { .. }
                | StmtKind::CheckReturn { .. } => {}
            }
        }
    }

    fn branches(
        &mut self,
        cond: Operand,
        dst: Reg,
        then: Branch,
        otherwise: Branch,
        origin: &Origin,
    ) {
        let test = Reg(self.registers);
        self.registers += 1;
        self.call("vm.builtin.read_if_cond", test, cond, origin);
        let test_at = self.code.len();
        let test = Instruction::If {
            cond: Operand::Reg(test),
            otherwise: 0,
        };
        self.push(test, origin.clone());
        self.branch(then, dst, origin);
        let end_at = self.code.len();
        self.push(Instruction::Goto(0), origin.clone());
        let start = self.code.len();
        if let Some(Instruction::If { otherwise, .. }) = self.code.get_mut(test_at) {
            *otherwise = (start - test_at) as u32;
        }
        self.branch(otherwise, dst, origin);
        let end = self.code.len();
        if let Some(Instruction::Goto(offset)) = self.code.get_mut(end_at) {
            *offset = (end - end_at) as u32;
        }
    }

    fn branch(&mut self, branch: Branch, dst: Reg, origin: &Origin) {
        self.block(branch.body);
        if let Some(value) = branch.value {
            self.call("vm.builtin.copy", dst, value, origin);
        }
    }

    fn call(&mut self, name: &str, dst: Reg, arg: Operand, origin: &Origin) {
        if let Some(callee) = self.program.builtin(name) {
            let call = Instruction::Call {
                dst,
                callee,
                args: vec![arg],
            };
            self.push(call, origin.clone());
        }
    }

    fn push(&mut self, instruction: Instruction, origin: Origin) {
        self.code.push(instruction);
        self.origins.push(origin);
    }
}
