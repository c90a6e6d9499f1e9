//! Applies an operation to operands in normal form, and normalizes the result. Valid for all integers.

use super::node::raw;
use super::{Op, Sum, SymExpr, bounds, divide, eval, sum};

pub(super) fn apply(op: Op, args: &[SymExpr]) -> SymExpr {
    match (op, args) {
        (Op::Add, [a, b]) => sum::add(a, b),
        (Op::Sub, [a, b]) => sum::sub(a, b),
        (Op::Mul, [a, b]) => sum::mul(a, b),
        (Op::FloorDiv, [a, b]) => divide::floordiv(a, b),
        (Op::FloorMod, [a, b]) => divide::floormod(a, b),
        (Op::TruncDiv, [a, b]) => divide::truncdiv(a, b),
        (Op::TruncMod, [a, b]) => divide::truncmod(a, b),
        (Op::Min | Op::Max, [_, ..]) => extremum(op, args),
        (Op::Lt | Op::Le | Op::Eq | Op::Ne, [a, b]) => compare(op, a, b),
        (Op::Gt, [a, b]) => compare(Op::Lt, b, a),
        (Op::Ge, [a, b]) => compare(Op::Le, b, a),
        (Op::And | Op::Or, _) => junction(op, args),
        (Op::Not, [a]) => not(a),
        (Op::Select, [cond, then, other]) => select(cond, then, other),
        (Op::Cast(dtype), [a]) => cast(dtype, a),
        (Op::Shl | Op::Shr | Op::BitAnd | Op::BitOr | Op::BitXor | Op::BitNot, _) => bits(op, args),
        _ => raw(op, args),
    }
}

/// The maximum number of operands of `min` or `max` that are compared with each other.
pub(super) const MAX_COMPARED: usize = 24;

/// Returns `min` or `max` of any number of operands: flattened, sorted, and without redundant operands.
fn extremum(op: Op, args: &[SymExpr]) -> SymExpr {
    if let [SymExpr::Int(a), SymExpr::Int(b)] = *args {
        return SymExpr::Int(if op == Op::Min { a.min(b) } else { a.max(b) });
    }
    let other = if op == Op::Min { Op::Max } else { Op::Min };
    let mut kept: Vec<SymExpr> = Vec::with_capacity(args.len());
    let mut pending: Vec<&SymExpr> = args.iter().rev().collect();
    while let Some(arg) = pending.pop() {
        match arg.as_op() {
            Some((o, inner)) if o == op => pending.extend(inner.iter().rev()),
            _ => {
                let superfluous = |a: &SymExpr, b: &SymExpr| {
                    // `max(n, min(n, m))` is `n`.
                    matches!(a.as_op(), Some((o, inner)) if o == other && inner.contains(b))
                        || never_beyond(op, a, b)
                };
                if kept.len() >= MAX_COMPARED {
                    kept.push(arg.clone());
                } else if !kept.iter().any(|k| superfluous(arg, k)) {
                    kept.retain(|k| !superfluous(k, arg));
                    kept.push(arg.clone());
                }
            }
        }
    }
    if let [only] = kept.as_slice() {
        return only.clone();
    }
    // Constants come last, as in TVM.
    kept.sort_by(|a, b| {
        a.as_int()
            .is_some()
            .cmp(&b.as_int().is_some())
            .then_with(|| a.cmp(b))
    });
    raw(op, &kept)
}

/// Returns `true` if `a` is redundant in `op(a, b)`.
fn never_beyond(op: Op, a: &SymExpr, b: &SymExpr) -> bool {
    let difference = match (a, b) {
        (SymExpr::Var(x), SymExpr::Var(y)) => return x == y,
        (SymExpr::Var(_), SymExpr::Int(_)) | (SymExpr::Int(_), SymExpr::Var(_)) => return false,
        _ => bounds::anywhere(&a.sub(b)),
    };
    if op == Op::Min {
        difference.at_least(0)
    } else {
        difference.at_most(0)
    }
}

/// Returns `<`, `<=`, `==` or `!=` with common terms cancelled, and each term on the side where it is positive.
fn compare(op: Op, a: &SymExpr, b: &SymExpr) -> SymExpr {
    if let (SymExpr::Int(x), SymExpr::Int(y)) = (a, b) {
        return eval::fold(op, &[*x, *y])
            .map_or_else(|| raw(op, &[a.clone(), b.clone()]), SymExpr::Int);
    }
    let Some(difference) = Sum::of(b).plus(&Sum::of(a), -1) else {
        return raw(op, &[a.clone(), b.clone()]);
    };
    let compared = match op {
        Op::Lt => difference.shifted(-1).and_then(not_negative),
        Op::Le => not_negative(difference),
        _ => zero(op, difference),
    };
    compared.unwrap_or_else(|| raw(op, &[a.clone(), b.clone()]))
}

/// Returns `0 <= sum` as a comparison of its negative terms with its positive ones.
fn not_negative(sum: Sum) -> Option<SymExpr> {
    let range = bounds::anywhere(&sum.expr());
    if range.at_least(0) {
        return Some(SymExpr::Int(1));
    }
    if range.at_most(-1) {
        return Some(SymExpr::Int(0));
    }
    let content = sum.content().max(1);
    let sum = sum.exact_div(content);
    let (op, sum) = if sum.constant == 0 {
        (Op::Le, sum)
    } else {
        (Op::Lt, sum.shifted(1)?)
    };
    let (less, more) = sides(sum)?;
    Some(raw(op, &[less, more]))
}

/// Returns `sum == 0` or `sum != 0` as a comparison of its positive terms with its negative ones.
fn zero(op: Op, mut sum: Sum) -> Option<SymExpr> {
    let content = sum.content();
    let range = bounds::anywhere(&sum.expr());
    let never = if content == 0 {
        sum.constant != 0
    } else {
        sum.constant % content != 0 || range.at_least(1) || range.at_most(-1)
    };
    if never || content == 0 {
        return Some(SymExpr::Int(i64::from(never == (op == Op::Ne))));
    }
    if sum.terms.first().is_some_and(|t| t.coeff < 0) {
        sum = sum.scaled(-1)?;
    }
    let (negative, positive) = sides(sum.exact_div(content))?;
    Some(raw(op, &[positive, negative]))
}

/// Returns the negated negative part of a sum, and its positive part.
fn sides(sum: Sum) -> Option<(SymExpr, SymExpr)> {
    let (mut negative, mut positive) = (Sum::default(), Sum::default());
    for term in sum.terms {
        if term.coeff < 0 {
            negative.terms.push(term);
        } else {
            positive.terms.push(term);
        }
    }
    if sum.constant < 0 {
        negative.constant = sum.constant;
    } else {
        positive.constant = sum.constant;
    }
    Some((negative.scaled(-1)?.into_expr(), positive.into_expr()))
}

/// Returns `true` if the value can only be 0 or 1.
fn is_truth(expr: &SymExpr) -> bool {
    match expr {
        SymExpr::Int(value) => matches!(value, 0 | 1),
        _ => matches!(
            expr.as_op(),
            Some((
                Op::Lt | Op::Le | Op::Eq | Op::Ne | Op::And | Op::Or | Op::Not,
                _
            ))
        ),
    }
}

/// Returns 1 if the value is not 0.
fn truth(expr: &SymExpr) -> SymExpr {
    if is_truth(expr) {
        expr.clone()
    } else {
        compare(Op::Ne, expr, &SymExpr::Int(0))
    }
}

fn not(expr: &SymExpr) -> SymExpr {
    match (expr, expr.as_op()) {
        (SymExpr::Int(value), _) => SymExpr::Int(i64::from(*value == 0)),
        (_, Some((Op::Lt, [a, b]))) => compare(Op::Le, b, a),
        (_, Some((Op::Le, [a, b]))) => compare(Op::Lt, b, a),
        (_, Some((Op::Eq, [a, b]))) => compare(Op::Ne, a, b),
        (_, Some((Op::Ne, [a, b]))) => compare(Op::Eq, a, b),
        (_, Some((Op::And, args))) => junction(Op::Or, &args.iter().map(not).collect::<Vec<_>>()),
        (_, Some((Op::Or, args))) => junction(Op::And, &args.iter().map(not).collect::<Vec<_>>()),
        _ => compare(Op::Eq, expr, &SymExpr::Int(0)),
    }
}

/// Returns `and` or `or`: flattened, sorted, without duplicates, and decided if one operand decides it or two
/// contradict each other.
fn junction(op: Op, args: &[SymExpr]) -> SymExpr {
    let decides = i64::from(op == Op::Or);
    let mut kept: Vec<SymExpr> = Vec::with_capacity(args.len());
    let mut pending: Vec<SymExpr> = args.to_vec();
    while let Some(arg) = pending.pop() {
        let arg = truth(&arg);
        match (&arg, arg.as_op()) {
            (SymExpr::Int(value), _) if *value == decides => return arg,
            (SymExpr::Int(_), _) => {}
            (_, Some((o, inner))) if o == op => pending.extend(inner.iter().cloned()),
            _ if kept.contains(&arg) => {}
            _ if kept.contains(&not(&arg)) => return SymExpr::Int(decides),
            _ => kept.push(arg),
        }
    }
    kept.sort();
    match kept.as_slice() {
        [] => SymExpr::Int(1 - decides),
        [only] => only.clone(),
        _ => raw(op, &kept),
    }
}

fn select(cond: &SymExpr, then: &SymExpr, other: &SymExpr) -> SymExpr {
    let cond = truth(cond);
    match &cond {
        SymExpr::Int(0) => return other.clone(),
        SymExpr::Int(_) => return then.clone(),
        _ if then == other => return then.clone(),
        _ => {}
    }
    if (then, other) == (&SymExpr::Int(1), &SymExpr::Int(0)) {
        return cond;
    }
    // Choose either the condition or its negation, so that both spellings become the same value.
    let negated = not(&cond);
    if negated < cond {
        raw(Op::Select, &[negated, other.clone(), then.clone()])
    } else {
        raw(Op::Select, &[cond, then.clone(), other.clone()])
    }
}

/// Applies a bitwise operation, which is only evaluated for constants.
fn bits(op: Op, args: &[SymExpr]) -> SymExpr {
    let constants: Option<Vec<i64>> = args.iter().map(SymExpr::as_int).collect();
    let folded = constants.and_then(|constants| eval::fold(op, &constants));
    folded.map_or_else(|| raw(op, args), SymExpr::Int)
}

/// Converts to `dtype`. Returns the operand if its value fits anyway.
fn cast(dtype: crate::dtype::DType, expr: &SymExpr) -> SymExpr {
    let op = Op::Cast(dtype);
    if let SymExpr::Int(value) = expr {
        return eval::fold(op, &[*value])
            .map_or_else(|| raw(op, std::slice::from_ref(expr)), SymExpr::Int);
    }
    if dtype.is_bool() && dtype.lanes == 1 {
        return truth(expr);
    }
    let Some((lo, hi)) = eval::range(dtype) else {
        return raw(op, std::slice::from_ref(expr));
    };
    let range = bounds::anywhere(expr);
    let whole = lo == i64::MIN && hi == Some(i64::MAX);
    if whole || (range.at_least(lo) && hi.is_none_or(|hi| range.at_most(hi))) {
        return expr.clone();
    }
    raw(op, std::slice::from_ref(expr))
}
