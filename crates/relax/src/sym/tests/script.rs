//! Expressions as written: a parser of Python syntax, and an evaluator that simplifies nothing.

use crate::dtype::DType;
use crate::sym::{Op, SymExpr, SymVar};

/// An expression before any simplification.
#[derive(Clone, Debug)]
pub enum Script {
    Int(i64),
    Var(String),
    Op(Op, Vec<Script>),
}

/// Returns the normal form of an expression in Python syntax.
pub fn sym(text: &str) -> SymExpr {
    match Script::parse(text) {
        Ok(script) => script.build(),
        Err(e) => panic!("{text}: {e}"),
    }
}

impl Script {
    pub fn parse(text: &str) -> Result<Script, String> {
        let mut reader = Reader {
            tokens: tokens(text),
            at: 0,
        };
        let script = reader.either()?;
        match reader.peek() {
            None => Ok(script),
            Some(rest) => Err(format!("`{rest}` is left")),
        }
    }

    pub fn build(&self) -> SymExpr {
        match self {
            Script::Int(value) => SymExpr::Int(*value),
            Script::Var(name) => SymExpr::Var(SymVar {
                name: name.into(),
                id: 0,
            }),
            Script::Op(op, args) => {
                let args: Vec<SymExpr> = args.iter().map(Script::build).collect();
                SymExpr::apply(*op, &args)
            }
        }
    }

    pub fn eval(&self, value_of: &dyn Fn(&str) -> Option<i64>) -> Option<i64> {
        let Script::Op(op, args) = self else {
            return match self {
                Script::Int(value) => Some(*value),
                Script::Var(name) => value_of(name),
                Script::Op(..) => None,
            };
        };
        let values: Vec<i64> = args
            .iter()
            .map(|a| a.eval(value_of))
            .collect::<Option<_>>()?;
        let floor = |a: i64, b: i64| {
            if b == 0 {
                return None;
            }
            Some((a as f64 / b as f64).floor() as i64)
        };
        Some(match (op, values.as_slice()) {
            (Op::Not, [a]) => i64::from(*a == 0),
            (Op::Select, [c, a, b]) => {
                if *c != 0 {
                    *a
                } else {
                    *b
                }
            }
            (Op::Cast(dtype), [a]) if *dtype == DType::I32 => i64::from(*a as i32),
            (_, &[a, b]) => match op {
                Op::Add => a.checked_add(b)?,
                Op::Sub => a.checked_sub(b)?,
                Op::Mul => a.checked_mul(b)?,
                Op::FloorDiv => floor(a, b)?,
                Op::FloorMod => a - b * floor(a, b)?,
                Op::TruncDiv => a.checked_div(b)?,
                Op::TruncMod => a.checked_rem(b)?,
                Op::Min => a.min(b),
                Op::Max => a.max(b),
                Op::Lt => i64::from(a < b),
                Op::Le => i64::from(a <= b),
                Op::Gt => i64::from(a > b),
                Op::Ge => i64::from(a >= b),
                Op::Eq => i64::from(a == b),
                Op::Ne => i64::from(a != b),
                Op::And => i64::from(a != 0 && b != 0),
                Op::Or => i64::from(a != 0 || b != 0),
                _ => return None,
            },
            _ => return None,
        })
    }
}

fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut glue = false;
    for c in text.chars() {
        let word = c.is_alphanumeric() || c == '_' || c == '\'';
        let joins = match tokens.last().and_then(|t| t.chars().last()) {
            Some(last) if glue => {
                (word && (last.is_alphanumeric() || last == '_' || last == '\''))
                    || matches!((last, c), ('/', '/') | ('<' | '>' | '=' | '!', '='))
            }
            _ => false,
        };
        if joins {
            if let Some(last) = tokens.last_mut() {
                last.push(c);
            }
        } else if !c.is_whitespace() {
            tokens.push(c.into());
        }
        glue = !c.is_whitespace();
    }
    tokens
}

struct Reader {
    tokens: Vec<String>,
    at: usize,
}

impl Reader {
    fn peek(&self) -> Option<&str> {
        self.tokens.get(self.at).map(String::as_str)
    }

    fn eat(&mut self, token: &str) -> bool {
        let found = self.peek() == Some(token);
        self.at += usize::from(found);
        found
    }

    fn one_of(&mut self, table: &[(&str, Op)]) -> Option<Op> {
        let (token, op) = table.iter().find(|(t, _)| self.peek() == Some(t))?;
        self.eat(token);
        Some(*op)
    }

    fn chain(
        &mut self,
        table: &[(&str, Op)],
        operand: fn(&mut Reader) -> Result<Script, String>,
    ) -> Result<Script, String> {
        let mut left = operand(self)?;
        while let Some(op) = self.one_of(table) {
            left = Script::Op(op, vec![left, operand(self)?]);
        }
        Ok(left)
    }

    fn either(&mut self) -> Result<Script, String> {
        self.chain(&[("or", Op::Or)], Reader::both)
    }

    fn both(&mut self) -> Result<Script, String> {
        self.chain(&[("and", Op::And)], Reader::negation)
    }

    fn negation(&mut self) -> Result<Script, String> {
        if self.eat("not") {
            return Ok(Script::Op(Op::Not, vec![self.negation()?]));
        }
        self.chain(
            &[
                ("<", Op::Lt),
                ("<=", Op::Le),
                (">", Op::Gt),
                (">=", Op::Ge),
                ("==", Op::Eq),
                ("!=", Op::Ne),
            ],
            Reader::sum,
        )
    }

    fn sum(&mut self) -> Result<Script, String> {
        self.chain(&[("+", Op::Add), ("-", Op::Sub)], Reader::product)
    }

    fn product(&mut self) -> Result<Script, String> {
        self.chain(
            &[("*", Op::Mul), ("//", Op::FloorDiv), ("%", Op::FloorMod)],
            Reader::unary,
        )
    }

    fn unary(&mut self) -> Result<Script, String> {
        if self.eat("-") {
            return Ok(match self.unary()? {
                Script::Int(value) => Script::Int(-value),
                other => Script::Op(Op::Sub, vec![Script::Int(0), other]),
            });
        }
        let token = self.peek().ok_or("the text ends")?.to_owned();
        self.at += 1;
        if token == "(" {
            let inner = self.either()?;
            return if self.eat(")") {
                Ok(inner)
            } else {
                Err("no `)`".into())
            };
        }
        if let Ok(value) = token.parse() {
            return Ok(Script::Int(value));
        }
        if !self.eat("(") {
            return Ok(Script::Var(token));
        }
        let op = match token.as_str() {
            "min" => Op::Min,
            "max" => Op::Max,
            "truncdiv" => Op::TruncDiv,
            "truncmod" => Op::TruncMod,
            "floordiv" => Op::FloorDiv,
            "floormod" => Op::FloorMod,
            "select" | "if_then_else" => Op::Select,
            "cast" => {
                let dtype = self.peek().and_then(DType::parse).ok_or("no dtype")?;
                self.at += 1;
                self.eat(",");
                Op::Cast(dtype)
            }
            _ => return Err(format!("no function `{token}`")),
        };
        let mut args = vec![self.either()?];
        while self.eat(",") {
            args.push(self.either()?);
        }
        if self.eat(")") {
            Ok(Script::Op(op, args))
        } else {
            Err("no `)`".into())
        }
    }
}
