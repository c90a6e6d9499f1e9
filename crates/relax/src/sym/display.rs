//! Formats expressions in Python syntax, in the order that TVM prints: positive terms, constant, negative terms.

use std::fmt;

use super::node::Kind;
use super::{Op, Sum, SymExpr, Term};

/// The precedence of an expression, weakest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tightness {
    Or,
    And,
    Not,
    Compare,
    BitOr,
    BitXor,
    BitAnd,
    Shift,
    Add,
    Mul,
    Unary,
    Atom,
}

impl fmt::Display for SymExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.written(None).fmt(f)
    }
}

/// An expression to display.
pub struct Displayed<'a> {
    expr: &'a SymExpr,
    tir: Option<&'a str>,
}

impl SymExpr {
    /// Uses functions of the namespace `tir`, such as `T.max(n, 4)`, or without it those of Python.
    pub fn written<'a>(&'a self, tir: Option<&'a str>) -> Displayed<'a> {
        Displayed { expr: self, tir }
    }
}

impl fmt::Display for Displayed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Out { f, tir: self.tir }.write(self.expr, Tightness::Or)
    }
}

fn tightness(expr: &SymExpr) -> Tightness {
    match expr {
        SymExpr::Int(value) if *value < 0 => Tightness::Unary,
        SymExpr::Int(_) | SymExpr::Var(_) => Tightness::Atom,
        SymExpr::Node(node) if let Some(written) = node.written() => {
            tightness_of(written.op, &written.args)
        }
        SymExpr::Node(node) => match node.kind() {
            Kind::Sum(sum) => match (sum.terms.as_slice(), sum.constant) {
                ([_], 0) => Tightness::Mul,
                _ => Tightness::Add,
            },
            Kind::Op(op, args) => tightness_of(*op, args),
            Kind::Call(..) | Kind::Opaque(..) => Tightness::Atom,
        },
    }
}

fn tightness_of(op: Op, args: &[SymExpr]) -> Tightness {
    match (op, args.len()) {
        (Op::Or, 2..) => Tightness::Or,
        (Op::And, 2..) => Tightness::And,
        (Op::Not, 1) => Tightness::Not,
        (Op::BitNot | Op::Sub, 1) => Tightness::Unary,
        (op, 2) if infix(op).is_some() => of_infix(op),
        _ => Tightness::Atom,
    }
}

fn of_infix(op: Op) -> Tightness {
    match op {
        Op::Or => Tightness::Or,
        Op::And => Tightness::And,
        Op::BitOr => Tightness::BitOr,
        Op::BitXor => Tightness::BitXor,
        Op::BitAnd => Tightness::BitAnd,
        Op::Shl | Op::Shr => Tightness::Shift,
        Op::Add | Op::Sub => Tightness::Add,
        Op::Mul | Op::FloorDiv | Op::FloorMod => Tightness::Mul,
        _ => Tightness::Compare,
    }
}

fn infix(op: Op) -> Option<&'static str> {
    Some(match op {
        Op::Add => "+",
        Op::Sub => "-",
        Op::Mul => "*",
        Op::FloorDiv => "//",
        Op::FloorMod => "%",
        Op::Shl => "<<",
        Op::Shr => ">>",
        Op::BitAnd => "&",
        Op::BitOr => "|",
        Op::BitXor => "^",
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

struct Out<'f, 'b, 'a> {
    f: &'f mut fmt::Formatter<'b>,
    tir: Option<&'a str>,
}

impl Out<'_, '_, '_> {
    /// Writes `expr`, in parentheses if its precedence is too low for `place`.
    fn write(&mut self, expr: &SymExpr, place: Tightness) -> fmt::Result {
        if tightness(expr) < place {
            self.f.write_str("(")?;
            self.write(expr, Tightness::Or)?;
            return self.f.write_str(")");
        }
        match expr {
            SymExpr::Int(value) => write!(self.f, "{value}"),
            SymExpr::Var(var) => self.f.write_str(&var.name),
            SymExpr::Node(node) if let Some(written) = node.written() => {
                self.write_op(written.op, &written.args)
            }
            SymExpr::Node(node) => match node.kind() {
                Kind::Sum(sum) => self.write_sum(sum),
                Kind::Op(op, args) => self.write_op(*op, args),
                Kind::Call(name, args) => {
                    self.function(name)?;
                    self.write_list(args)
                }
                Kind::Opaque(..) => self.f.write_str("?"),
            },
        }
    }

    fn write_op(&mut self, op: Op, args: &[SymExpr]) -> fmt::Result {
        let own = of_infix(op);
        let tighter = match own {
            Tightness::Or => Tightness::And,
            Tightness::And => Tightness::Not,
            Tightness::BitOr => Tightness::BitXor,
            Tightness::BitXor => Tightness::BitAnd,
            Tightness::BitAnd => Tightness::Shift,
            Tightness::Shift => Tightness::Add,
            Tightness::Add => Tightness::Mul,
            Tightness::Mul => Tightness::Unary,
            _ => Tightness::BitOr,
        };
        match (op, args) {
            (Op::And | Op::Or, [first, rest @ ..]) if !rest.is_empty() => {
                self.write(first, tighter)?;
                for arg in rest {
                    write!(self.f, " {} ", function(op))?;
                    self.write(arg, tighter)?;
                }
                Ok(())
            }
            (Op::Not, [arg]) => {
                self.f.write_str("not ")?;
                self.write(arg, Tightness::Not)
            }
            (Op::BitNot | Op::Sub, [arg]) => {
                self.f.write_str(if op == Op::Sub { "-" } else { "~" })?;
                self.write(arg, Tightness::Unary)
            }
            (Op::Cast(dtype), [arg]) => {
                match self.tir {
                    Some(tir) => write!(self.f, "{tir}.Cast(\"{dtype}\", ")?,
                    None => write!(self.f, "cast({dtype}, ")?,
                }
                self.write(arg, Tightness::Or)?;
                self.f.write_str(")")
            }
            (_, [a, b]) if infix(op).is_some() => {
                let left = if own == Tightness::Compare {
                    tighter
                } else {
                    own
                };
                self.write(a, left)?;
                write!(self.f, " {} ", infix(op).unwrap_or_default())?;
                self.write(b, tighter)
            }
            // Nested, since TVM's `min` and `max` take two operands.
            (Op::Min | Op::Max, [rest @ .., last]) if rest.len() >= 2 => {
                self.function(function(op))?;
                self.write_op(op, rest)?;
                self.f.write_str(", ")?;
                self.write_list(std::slice::from_ref(last))
            }
            _ => {
                self.function(function(op))?;
                self.write_list(args)
            }
        }
    }

    /// Writes the rest of an argument list.
    fn write_list(&mut self, args: &[SymExpr]) -> fmt::Result {
        for (i, arg) in args.iter().enumerate() {
            if i > 0 {
                self.f.write_str(", ")?;
            }
            self.write(arg, Tightness::Or)?;
        }
        self.f.write_str(")")
    }

    fn write_sum(&mut self, sum: &Sum) -> fmt::Result {
        let mut first = true;
        for term in sum.terms.iter().filter(|t| t.coeff > 0) {
            if !first {
                self.f.write_str(" + ")?;
            }
            self.write_term(term, term.coeff.unsigned_abs())?;
            first = false;
        }
        if sum.constant > 0 {
            if !first {
                self.f.write_str(" + ")?;
            }
            write!(self.f, "{}", sum.constant)?;
            first = false;
        }
        for term in sum.terms.iter().filter(|t| t.coeff < 0) {
            if first {
                self.write_leading_negative(term)?;
                first = false;
            } else {
                self.f.write_str(" - ")?;
                self.write_term(term, term.coeff.unsigned_abs())?;
            }
        }
        if sum.constant < 0 {
            write!(self.f, " - {}", sum.constant.unsigned_abs())?;
        }
        Ok(())
    }

    fn write_term(&mut self, term: &Term, coeff: u64) -> fmt::Result {
        for (i, factor) in term.factors.iter().enumerate() {
            if i > 0 {
                self.f.write_str(" * ")?;
            }
            let place = if i == 0 {
                Tightness::Mul
            } else {
                Tightness::Unary
            };
            self.write(factor, place)?;
        }
        if coeff != 1 {
            write!(self.f, " * {coeff}")?;
        }
        Ok(())
    }

    /// Writes a negative term at the beginning: `-n`, `n * -4`.
    fn write_leading_negative(&mut self, term: &Term) -> fmt::Result {
        match (term.coeff, term.factors.first()) {
            (-1, Some(SymExpr::Var(_))) => {
                self.f.write_str("-")?;
                self.write_term(term, 1)
            }
            (coeff, _) => {
                self.write_term(term, 1)?;
                write!(self.f, " * {coeff}")
            }
        }
    }

    /// Writes the name of a function and the opening bracket.
    fn function(&mut self, name: &str) -> fmt::Result {
        match self.tir {
            Some(tir) if name == "select" => write!(self.f, "{tir}.Select("),
            Some(tir) => write!(self.f, "{tir}.{name}("),
            None => write!(self.f, "{name}("),
        }
    }
}
