//! Solves an equation for one variable that occurs in it linearly.

use super::{Sum, SymExpr, SymVar};

/// The value of a variable that solves an equation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Solution {
    Value(SymExpr),
    /// No integer solves it: `2 * n == 5`.
    Never,
    /// The variable does not occur linearly, or it is unknown whether a division is exact.
    Unknown,
}

/// Returns the value of `var` for which `a == b`.
pub fn solve(a: &SymExpr, b: &SymExpr, var: &SymVar) -> Solution {
    let Some(mut rest) = Sum::of(a).plus(&Sum::of(b), -1) else {
        return Solution::Unknown;
    };
    let is_var = |factors: &[SymExpr]| matches!(factors, [SymExpr::Var(v)] if v == var);
    let Some(at) = rest.terms.iter().position(|t| is_var(&t.factors)) else {
        return Solution::Unknown;
    };
    let coeff = rest.terms.remove(at).coeff;
    if rest
        .terms
        .iter()
        .flat_map(|t| &t.factors)
        .any(|f| f.any_var(&|v| v == var))
    {
        return Solution::Unknown;
    }
    // coeff * var == -rest
    if rest.terms.iter().any(|t| t.coeff.wrapping_rem(coeff) != 0) {
        let content = super::sum::gcd(rest.content(), coeff);
        return if content > 1 && rest.constant % content != 0 {
            Solution::Never
        } else {
            Solution::Unknown
        };
    }
    if rest.constant.wrapping_rem(coeff) != 0 {
        return Solution::Never;
    }
    let solved = if coeff < 0 {
        coeff.checked_neg().map(|by| rest.exact_div(by))
    } else {
        rest.exact_div(coeff).scaled(-1)
    };
    solved.map_or(Solution::Unknown, |sum| Solution::Value(sum.into_expr()))
}
