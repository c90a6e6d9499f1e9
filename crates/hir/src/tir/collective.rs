//! Statements that the threads of a GPU execute collectively. The vm splits the loops over threads there.

use super::{BufferId, Expr, VarId};

/// A statement that several threads execute, with an effect on each other.
#[derive(Clone, Debug, PartialEq)]
pub enum Collective {
    /// Each thread waits for the others.
    Barrier(Group),
    Shuffle(Box<Shuffle>),
    /// Binds the mask of the active threads of a warp.
    ActiveMask {
        var: VarId,
        warp: i64,
    },
    Reduce(Box<Reduce>),
}

/// The threads that work together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    Warp,
    Block,
}

/// Binds the value of another thread of the warp.
#[derive(Clone, Debug, PartialEq)]
pub struct Shuffle {
    pub var: VarId,
    pub value: Expr,
    pub source: Source,
    /// The position of the other thread, or its distance from this one.
    pub lane: Expr,
    /// The number of neighbours that exchange values.
    pub width: Expr,
    pub warp: i64,
}

/// How a shuffle chooses the other thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    Position,
    Before,
    After,
    Xor,
}

/// A reduction over the values of threads. Each thread gets the results.
#[derive(Clone, Debug, PartialEq)]
pub struct Reduce {
    pub values: Vec<Expr>,
    /// The condition under which a thread contributes its values.
    pub condition: Expr,
    /// The elements that get the results.
    pub results: Vec<(BufferId, Vec<Expr>)>,
    /// The loop variables of the threads that are combined.
    pub over: Vec<VarId>,
    pub combiner: Combiner,
}

/// An associative function of two tuples, with its neutral tuple.
#[derive(Clone, Debug, PartialEq)]
pub struct Combiner {
    pub left: Vec<VarId>,
    pub right: Vec<VarId>,
    pub combined: Vec<Expr>,
    pub neutral: Vec<Expr>,
}

/// Collects the expressions, by shared or by mutable reference.
macro_rules! expressions {
    ($collective:expr, $iter:ident, $($borrow:tt)+) => {
        match $collective {
            Collective::Barrier(_) | Collective::ActiveMask { .. } => Vec::new(),
            Collective::Shuffle(it) => {
                vec![$($borrow)+ it.value, $($borrow)+ it.lane, $($borrow)+ it.width]
            }
            Collective::Reduce(it) => {
                let mut all = Vec::new();
                all.extend(it.combiner.neutral.$iter());
                all.extend(it.combiner.combined.$iter());
                all.push($($borrow)+ it.condition);
                all.extend(it.values.$iter());
                for (_, indices) in it.results.$iter() {
                    all.extend(indices.$iter());
                }
                all
            }
        }
    };
}

impl Collective {
    pub fn expressions(&self) -> Vec<&Expr> {
        expressions!(self, iter, &)
    }

    pub fn expressions_mut(&mut self) -> Vec<&mut Expr> {
        expressions!(self, iter_mut, &mut)
    }
}
