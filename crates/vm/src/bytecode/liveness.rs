//! Finds the last read of each register, which moves the value out, so that memory is freed as early as possible.
//!
//! All jumps go forward, so one backward pass sees every use.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Instruction, Operand, Reg};

struct Live {
    words: Vec<u64>,
}

impl Live {
    fn contains(&self, reg: Reg) -> bool {
        let word = self.words.get(reg.0 as usize / 64).copied().unwrap_or(0);
        word >> (reg.0 % 64) & 1 == 1
    }

    fn insert(&mut self, reg: Reg) {
        if let Some(word) = self.words.get_mut(reg.0 as usize / 64) {
            *word |= 1 << (reg.0 % 64);
        }
    }

    fn remove(&mut self, reg: Reg) {
        if let Some(word) = self.words.get_mut(reg.0 as usize / 64) {
            *word &= !(1 << (reg.0 % 64));
        }
    }

    fn join(&mut self, words: &[u64]) {
        for (to, from) in self.words.iter_mut().zip(words) {
            *to |= from;
        }
    }
}

pub(super) fn mark(code: &mut [Instruction], registers: u32) {
    let mut live = Live {
        words: vec![0; (registers as usize).div_ceil(64)],
    };
    // The live registers at each jump target, saved when the pass was there.
    let mut targets: FxHashMap<usize, Vec<u64>> = FxHashMap::default();
    let jumps: FxHashSet<usize> = code
        .iter()
        .enumerate()
        .filter_map(|(at, instruction)| match instruction {
            Instruction::Goto(offset) => Some(at + *offset as usize),
            Instruction::If { otherwise, .. } => Some(at + *otherwise as usize),
            _ => None,
        })
        .collect();
    for at in (0..code.len()).rev() {
        match &mut code[at] {
            Instruction::Ret(operand) => {
                live.words.fill(0);
                read(operand, &mut live);
            }
            Instruction::Goto(offset) => {
                live.words.fill(0);
                if let Some(words) = targets.get(&(at + *offset as usize)) {
                    live.join(words);
                }
            }
            Instruction::If { cond, otherwise } => {
                if let Some(words) = targets.get(&(at + *otherwise as usize)) {
                    live.join(words);
                }
                read(cond, &mut live);
            }
            Instruction::Call { dst, args, .. } => {
                if !live.contains(*dst) {
                    *dst = Reg::VOID;
                }
                live.remove(*dst);
                for arg in args.iter_mut().rev() {
                    read(arg, &mut live);
                }
            }
        }
        if jumps.contains(&at) {
            targets.insert(at, live.words.clone());
        }
    }
}

/// A read is the last one if the register is not live after it.
fn read(operand: &mut Operand, live: &mut Live) {
    if let Operand::Reg(reg) = *operand
        && !live.contains(reg)
    {
        *operand = Operand::Last(reg);
        live.insert(reg);
    }
}

#[cfg(test)]
mod tests {
    use super::super::CalleeId;
    use super::*;

    fn call(dst: u32, args: &[u32]) -> Instruction {
        Instruction::Call {
            dst: Reg(dst),
            callee: CalleeId(0),
            args: args.iter().map(|&r| Operand::Reg(Reg(r))).collect(),
        }
    }

    #[test]
    fn a_value_moves_out_at_its_last_read_and_only_once() {
        let mut code = vec![
            call(1, &[0, 0]),
            call(2, &[1, 0]),
            Instruction::Ret(Operand::Reg(Reg(1))),
        ];
        mark(&mut code, 3);
        assert_eq!(
            code,
            vec![
                call(1, &[0, 0]),
                Instruction::Call {
                    dst: Reg::VOID,
                    callee: CalleeId(0),
                    args: vec![Operand::Reg(Reg(1)), Operand::Last(Reg(0))],
                },
                Instruction::Ret(Operand::Last(Reg(1))),
            ]
        );
    }

    #[test]
    fn a_read_in_one_branch_keeps_the_value_through_the_test() {
        let mut code = vec![
            Instruction::If {
                cond: Operand::Reg(Reg(0)),
                otherwise: 3,
            },
            call(2, &[1]),
            Instruction::Goto(2),
            call(2, &[0]),
            Instruction::Ret(Operand::Reg(Reg(2))),
        ];
        mark(&mut code, 3);
        assert_eq!(
            code[0],
            Instruction::If {
                cond: Operand::Reg(Reg(0)),
                otherwise: 3,
            }
        );
        assert!(
            matches!(&code[1], Instruction::Call { args, .. } if args[0] == Operand::Last(Reg(1)))
        );
        assert!(
            matches!(&code[3], Instruction::Call { args, .. } if args[0] == Operand::Last(Reg(0)))
        );
    }
}
