//! Evaluates expressions, and replaces or collects variables.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use super::node::{self, Kind, Node};
use super::{Op, SymExpr, SymVar, simplify};
use crate::dtype::{Code, DType};

impl SymExpr {
    /// Evaluates under an assignment of the variables. Returns `None` for a variable without a value, a division by
    /// zero, an overflow, or an unknown function.
    pub fn eval(&self, value_of: &dyn Fn(&SymVar) -> Option<i64>) -> Option<i64> {
        match self {
            SymExpr::Int(value) => Some(*value),
            SymExpr::Var(var) => value_of(var),
            SymExpr::Node(node) => match node.kind() {
                Kind::Sum(sum) => {
                    let mut total = i128::from(sum.constant);
                    for term in &sum.terms {
                        let mut product = i128::from(term.coeff);
                        for factor in &term.factors {
                            product = product.checked_mul(i128::from(factor.eval(value_of)?))?;
                        }
                        total = total.checked_add(product)?;
                    }
                    i64::try_from(total).ok()
                }
                // Only the chosen branch needs a value.
                Kind::Op(Op::Select, args) => match args.as_slice() {
                    [cond, then, _] if cond.eval(value_of)? != 0 => then.eval(value_of),
                    [_, _, other] => other.eval(value_of),
                    _ => None,
                },
                Kind::Op(op, args) => {
                    let mut values = Vec::with_capacity(args.len());
                    for arg in args {
                        values.push(arg.eval(value_of)?);
                    }
                    fold(*op, &values)
                }
                Kind::Call(..) | Kind::Opaque(..) => None,
            },
        }
    }

    /// Replaces variables for which `to` returns an expression.
    pub fn substitute(&self, to: &dyn Fn(&SymVar) -> Option<SymExpr>) -> SymExpr {
        match self {
            SymExpr::Int(_) => self.clone(),
            SymExpr::Var(var) => to(var).unwrap_or_else(|| self.clone()),
            SymExpr::Node(node) => {
                if !self.any_var(&|v| to(v).is_some()) {
                    return self.clone();
                }
                let replaced = match node.kind() {
                    Kind::Opaque(hash, vars) => substitute_opaque(*hash, vars, to),
                    kind => rebuild(kind, &|child| child.substitute(to)),
                };
                // A renamed product keeps its order. Other changed expressions are displayed in normal form.
                let is_renamed = |v: &SymVar| to(v).is_none_or(|it| it.as_var().is_some());
                match node.written() {
                    Some(written) if is_product(node) && !self.any_var(&|v| !is_renamed(v)) => {
                        let args: Vec<SymExpr> =
                            written.args.iter().map(|arg| arg.substitute(to)).collect();
                        replaced.written_as(written.op, &args)
                    }
                    _ => replaced,
                }
            }
        }
    }

    /// Calls `f` with every occurrence of a variable.
    pub fn for_each_var(&self, f: &mut dyn FnMut(&SymVar)) {
        match self {
            SymExpr::Int(_) => {}
            SymExpr::Var(var) => f(var),
            SymExpr::Node(node) => match node.kind() {
                Kind::Opaque(_, vars) => vars.iter().for_each(f),
                kind => kind.for_each_child(&mut |child| child.for_each_var(f)),
            },
        }
    }

    /// Returns `true` if any variable satisfies `is`.
    pub fn any_var(&self, is: &dyn Fn(&SymVar) -> bool) -> bool {
        let mut found = false;
        self.for_each_var(&mut |v| found = found || is(v));
        found
    }

    /// Returns every variable once, in the order in which they are written.
    pub fn vars(&self) -> Vec<SymVar> {
        let mut vars = Vec::new();
        self.for_each_var(&mut |v| {
            if !vars.contains(v) {
                vars.push(v.clone());
            }
        });
        vars
    }
}

fn is_product(node: &Node) -> bool {
    matches!(node.kind(), Kind::Sum(sum)
        if sum.constant == 0 && matches!(sum.terms.as_slice(), [term] if term.coeff == 1))
}

/// Rebuilds the structure with each child replaced, in normal form.
pub(super) fn rebuild(kind: &Kind, to: &dyn Fn(&SymExpr) -> SymExpr) -> SymExpr {
    match kind {
        Kind::Sum(sum) => {
            let mut total = SymExpr::Int(sum.constant);
            for term in &sum.terms {
                let product = term
                    .factors
                    .iter()
                    .fold(SymExpr::Int(term.coeff), |product, factor| {
                        product.mul(&to(factor))
                    });
                total = total.add(&product);
            }
            total
        }
        Kind::Op(op, args) => {
            let args: Vec<SymExpr> = args.iter().map(to).collect();
            simplify::apply(*op, &args)
        }
        Kind::Call(name, args) => {
            let args: Vec<SymExpr> = args.iter().map(to).collect();
            SymExpr::call(name.clone(), &args)
        }
        Kind::Opaque(hash, vars) => node::make(Kind::Opaque(*hash, vars.clone())),
    }
}

/// Returns the hash of an opaque expression after a substitution, from its hash and the substituted values.
fn substitute_opaque(
    hash: u64,
    vars: &[SymVar],
    to: &dyn Fn(&SymVar) -> Option<SymExpr>,
) -> SymExpr {
    let mut hasher = FxHasher::default();
    hash.hash(&mut hasher);
    let mut left = Vec::new();
    for var in vars {
        let value = to(var).unwrap_or_else(|| SymExpr::Var(var.clone()));
        value.hash(&mut hasher);
        value.for_each_var(&mut |v| left.push(v.clone()));
    }
    left.sort_unstable();
    left.dedup();
    node::make(Kind::Opaque(hasher.finish(), left))
}

/// Applies `op` to constants.
pub(super) fn fold(op: Op, args: &[i64]) -> Option<i64> {
    if let (Op::Select, &[cond, then, other]) = (op, args) {
        return Some(if cond != 0 { then } else { other });
    }
    match (op, args) {
        (Op::Min, _) => return args.iter().min().copied(),
        (Op::Max, _) => return args.iter().max().copied(),
        (Op::And, _) => return Some(i64::from(args.iter().all(|&a| a != 0))),
        (Op::Or, _) => return Some(i64::from(args.iter().any(|&a| a != 0))),
        (Op::Not, &[a]) => return Some(i64::from(a == 0)),
        (Op::BitNot, &[a]) => return Some(!a),
        (Op::Cast(dtype), &[a]) => return wrap(dtype, a),
        _ => {}
    }
    let &[a, b] = args else {
        return None;
    };
    Some(match op {
        Op::Add => a.checked_add(b)?,
        Op::Sub => a.checked_sub(b)?,
        Op::Mul => a.checked_mul(b)?,
        Op::FloorDiv => {
            let quotient = a.checked_div(b)?;
            if a % b != 0 && (a < 0) != (b < 0) {
                quotient - 1
            } else {
                quotient
            }
        }
        Op::FloorMod => {
            let rest = a.checked_rem(b)?;
            if rest != 0 && (rest < 0) != (b < 0) {
                rest + b
            } else {
                rest
            }
        }
        Op::TruncDiv => a.checked_div(b)?,
        Op::TruncMod => a.checked_rem(b)?,
        Op::Shl => a.checked_mul(
            1i64.checked_shl(u32::try_from(b).ok()?)
                .filter(|it| *it > 0)?,
        )?,
        Op::Shr => a >> u32::try_from(b).ok().filter(|by| *by < i64::BITS)?,
        Op::BitAnd => a & b,
        Op::BitOr => a | b,
        Op::BitXor => a ^ b,
        Op::Lt => i64::from(a < b),
        Op::Le => i64::from(a <= b),
        Op::Gt => i64::from(a > b),
        Op::Ge => i64::from(a >= b),
        Op::Eq => i64::from(a == b),
        Op::Ne => i64::from(a != b),
        _ => return None,
    })
}

/// Returns the range of an integer dtype, as far as it fits `i64`.
pub(super) fn range(dtype: DType) -> Option<(i64, Option<i64>)> {
    if dtype.lanes != 1 {
        return None;
    }
    match (dtype.code, dtype.bits) {
        (Code::Bool, _) => Some((0, Some(1))),
        (Code::Int, 64) => Some((i64::MIN, Some(i64::MAX))),
        (Code::Int, bits @ 1..64) => Some((-(1 << (bits - 1)), Some((1 << (bits - 1)) - 1))),
        (Code::UInt, 64) => Some((0, None)),
        (Code::UInt, bits @ 1..=62) => Some((0, Some((1 << bits) - 1))),
        _ => None,
    }
}

/// Wraps a constant to an integer dtype.
fn wrap(dtype: DType, value: i64) -> Option<i64> {
    if dtype.code == Code::Bool {
        return Some(i64::from(value != 0));
    }
    let (low, high) = range(dtype)?;
    let Some(high) = high else {
        return (value >= 0).then_some(value);
    };
    let count = i128::from(high) - i128::from(low) + 1;
    let offset = (i128::from(value) - i128::from(low)).rem_euclid(count);
    i64::try_from(offset + i128::from(low)).ok()
}
