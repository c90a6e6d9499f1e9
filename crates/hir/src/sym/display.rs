//! Expressions as text: Python syntax in the order TVM prints, positive terms, constant, negative terms.

use std::fmt;

use super::node::Kind;
use super::{Op, Sum, SymExpr, Term};

/// How tightly an expression binds, loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tightness {
    Or,
    And,
    Not,
    Compare,
    Add,
    Mul,
    Unary,
    Atom,
}

impl fmt::Display for SymExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(f, self, Tightness::Or)
    }
}

fn tightness(expr: &SymExpr) -> Tightness {
    match expr {
        SymExpr::Int(value) if *value < 0 => Tightness::Unary,
        SymExpr::Int(_) | SymExpr::Var(_) => Tightness::Atom,
        SymExpr::Node(node) => match node.kind() {
            Kind::Sum(sum) => match (sum.terms.as_slice(), sum.constant) {
                ([_], 0) => Tightness::Mul,
                _ => Tightness::Add,
            },
            Kind::Op(op, args) => match (op, args.len()) {
                (Op::Or, 2..) => Tightness::Or,
                (Op::And, 2..) => Tightness::And,
                (Op::Not, 1) => Tightness::Not,
                (op, 2) if infix(*op).is_some() => match op {
                    Op::Add | Op::Sub => Tightness::Add,
                    Op::Mul | Op::FloorDiv | Op::FloorMod => Tightness::Mul,
                    _ => Tightness::Compare,
                },
                _ => Tightness::Atom,
            },
            Kind::Call(..) | Kind::Opaque(..) => Tightness::Atom,
        },
    }
}

fn infix(op: Op) -> Option<&'static str> {
    Some(match op {
        Op::Add => "+",
        Op::Sub => "-",
        Op::Mul => "*",
        Op::FloorDiv => "//",
        Op::FloorMod => "%",
        Op::Lt => "<",
        Op::Le => "<=",
        Op::Gt => ">",
        Op::Ge => ">=",
        Op::Eq => "==",
        Op::Ne => "!=",
        _ => return None,
    })
}

fn function(op: Op) -> &'static str {
    match op {
        Op::TruncDiv => "truncdiv",
        Op::TruncMod => "truncmod",
        Op::Min => "min",
        Op::Max => "max",
        Op::Select => "select",
        Op::Cast(_) => "cast",
        Op::And => "and",
        Op::Or => "or",
        Op::Not => "not",
        _ => "op",
    }
}

/// Writes `expr`, in parentheses if it binds less tightly than its place needs.
fn write(f: &mut fmt::Formatter<'_>, expr: &SymExpr, place: Tightness) -> fmt::Result {
    if tightness(expr) < place {
        f.write_str("(")?;
        write(f, expr, Tightness::Or)?;
        return f.write_str(")");
    }
    match expr {
        SymExpr::Int(value) => write!(f, "{value}"),
        SymExpr::Var(var) => f.write_str(&var.name),
        SymExpr::Node(node) => match node.kind() {
            Kind::Sum(sum) => write_sum(f, sum),
            Kind::Op(op, args) => write_op(f, *op, args),
            Kind::Call(name, args) => {
                write!(f, "{name}(")?;
                write_list(f, args)
            }
            Kind::Opaque(..) => f.write_str("?"),
        },
    }
}

fn write_op(f: &mut fmt::Formatter<'_>, op: Op, args: &[SymExpr]) -> fmt::Result {
    let own = match op {
        Op::Or => Tightness::Or,
        Op::And => Tightness::And,
        Op::Add | Op::Sub => Tightness::Add,
        Op::Mul | Op::FloorDiv | Op::FloorMod => Tightness::Mul,
        _ => Tightness::Compare,
    };
    let tighter = match own {
        Tightness::Or => Tightness::And,
        Tightness::And => Tightness::Not,
        Tightness::Add => Tightness::Mul,
        Tightness::Mul => Tightness::Unary,
        _ => Tightness::Add,
    };
    match (op, args) {
        (Op::And | Op::Or, [first, rest @ ..]) if !rest.is_empty() => {
            write(f, first, tighter)?;
            for arg in rest {
                write!(f, " {} ", function(op))?;
                write(f, arg, tighter)?;
            }
            Ok(())
        }
        (Op::Not, [arg]) => {
            f.write_str("not ")?;
            write(f, arg, Tightness::Not)
        }
        (Op::Cast(dtype), [arg]) => {
            write!(f, "cast({dtype}, ")?;
            write(f, arg, Tightness::Or)?;
            f.write_str(")")
        }
        (_, [a, b]) if infix(op).is_some() => {
            let left = if own == Tightness::Compare {
                tighter
            } else {
                own
            };
            write(f, a, left)?;
            write!(f, " {} ", infix(op).unwrap_or_default())?;
            write(f, b, tighter)
        }
        // Nested, as TVM's `min` and `max` take two operands.
        (Op::Min | Op::Max, [rest @ .., last]) if rest.len() >= 2 => {
            write!(f, "{}(", function(op))?;
            write_op(f, op, rest)?;
            f.write_str(", ")?;
            write_list(f, std::slice::from_ref(last))
        }
        _ => {
            write!(f, "{}(", function(op))?;
            write_list(f, args)
        }
    }
}

/// The rest of an argument list.
fn write_list(f: &mut fmt::Formatter<'_>, args: &[SymExpr]) -> fmt::Result {
    for (i, arg) in args.iter().enumerate() {
        if i > 0 {
            f.write_str(", ")?;
        }
        write(f, arg, Tightness::Or)?;
    }
    f.write_str(")")
}

fn write_sum(f: &mut fmt::Formatter<'_>, sum: &Sum) -> fmt::Result {
    let mut first = true;
    for term in sum.terms.iter().filter(|t| t.coeff > 0) {
        if !first {
            f.write_str(" + ")?;
        }
        write_term(f, term, term.coeff.unsigned_abs())?;
        first = false;
    }
    if sum.constant > 0 {
        if !first {
            f.write_str(" + ")?;
        }
        write!(f, "{}", sum.constant)?;
        first = false;
    }
    for term in sum.terms.iter().filter(|t| t.coeff < 0) {
        if first {
            write_leading_negative(f, term)?;
            first = false;
        } else {
            f.write_str(" - ")?;
            write_term(f, term, term.coeff.unsigned_abs())?;
        }
    }
    if sum.constant < 0 {
        write!(f, " - {}", sum.constant.unsigned_abs())?;
    }
    Ok(())
}

fn write_term(f: &mut fmt::Formatter<'_>, term: &Term, coeff: u64) -> fmt::Result {
    for (i, factor) in term.factors.iter().enumerate() {
        if i > 0 {
            f.write_str(" * ")?;
        }
        let place = if i == 0 {
            Tightness::Mul
        } else {
            Tightness::Unary
        };
        write(f, factor, place)?;
    }
    if coeff != 1 {
        write!(f, " * {coeff}")?;
    }
    Ok(())
}

/// A negative term where nothing precedes it: `-n`, `n * -4`.
fn write_leading_negative(f: &mut fmt::Formatter<'_>, term: &Term) -> fmt::Result {
    match (term.coeff, term.factors.first()) {
        (-1, Some(SymExpr::Var(_))) => {
            f.write_str("-")?;
            write_term(f, term, 1)
        }
        (coeff, _) => {
            write_term(f, term, 1)?;
            write!(f, " * {coeff}")
        }
    }
}
