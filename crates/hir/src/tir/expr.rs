//! Expressions as numbers of a dtype.

use relax::dtype::DType;
use smol_str::SmolStr;
use text_size::TextRange;

use super::arith::{self, Number, truth};
use super::function::{Entity, Failed, Lower, Lowered};
use super::{Binary, BufferId, Compare, Expr, ExprKind, Unary, VarId};
use crate::body::{self, BinaryOp, BoolOp, CompareOp, ExprId, UnaryOp};
use crate::enclosing::PyValue;

impl Lower<'_> {
    pub fn number(&mut self, at: ExprId) -> Lowered<Number> {
        let range = self.range(at);
        self.nested(range, |lower| lower.number_inner(at, range))
    }

    pub fn expr(&mut self, at: ExprId) -> Lowered<Expr> {
        let number = self.number(at)?;
        self.strong(number)
    }

    fn number_inner(&mut self, at: ExprId, range: TextRange) -> Lowered<Number> {
        let body = self.body;
        match &body.exprs[at] {
            body::Expr::Int(value) => Ok(Number::int(i128::from(*value), range)),
            body::Expr::BigNumber(Some(value)) => Ok(Number::int(i128::from(*value), range)),
            body::Expr::Float(value) => Ok(Number::float(*value, range)),
            body::Expr::Bool(value) => Ok(Number::strong(Expr::int(
                i128::from(*value),
                DType::BOOL,
                range,
            ))),
            body::Expr::Name(name) => self.name(name, range),
            body::Expr::Call { callee, args } => self.call(at, *callee, args),
            body::Expr::Attribute { .. } => match self.tir_path(at).as_deref() {
                Some(path) => self.constant_path(path, range),
                None => Err(self.not_a_number(range)),
            },
            body::Expr::Subscript { base, index } => self.subscript(*base, *index, range),
            body::Expr::Binary { op, lhs, rhs } => {
                let (a, b) = (self.number(*lhs)?, self.number(*rhs)?);
                self.python_binary(*op, a, b, range)
            }
            body::Expr::Unary { op, operand } => {
                let value = self.number(*operand)?;
                self.python_unary(*op, value, range)
            }
            body::Expr::Not(operand) => {
                let value = truth(self.expr(*operand)?);
                Ok(Number::strong(Expr {
                    dtype: DType::BOOL,
                    kind: ExprKind::Not(Box::new(value)),
                    range,
                }))
            }
            body::Expr::Compare { first, rest } => {
                self.is_short(rest.len(), range)?;
                let mut lhs = self.number(*first)?;
                let mut all: Option<Expr> = None;
                for (op, rhs) in rest {
                    let rhs = self.number(*rhs)?;
                    let Some(op) = compare_op(*op) else {
                        return Err(self.not_a_number(range));
                    };
                    let one = self.compare(op, lhs, rhs.clone(), range)?.expr;
                    all = Some(match all {
                        None => one,
                        Some(before) => Expr {
                            dtype: DType::BOOL,
                            kind: ExprKind::And(Box::new(before), Box::new(one)),
                            range,
                        },
                    });
                    lhs = rhs;
                }
                all.map(Number::strong).ok_or(Failed)
            }
            body::Expr::BoolOp { op, operands } => {
                self.is_short(operands.len(), range)?;
                let mut all: Option<Expr> = None;
                for &operand in operands {
                    let one = truth(self.expr(operand)?);
                    all = Some(match all {
                        None => one,
                        Some(before) => {
                            let (a, b) = (Box::new(before), Box::new(one));
                            let kind = match op {
                                BoolOp::And => ExprKind::And(a, b),
                                BoolOp::Or => ExprKind::Or(a, b),
                            };
                            Expr {
                                dtype: DType::BOOL,
                                kind,
                                range,
                            }
                        }
                    });
                }
                all.map(Number::strong).ok_or(Failed)
            }
            body::Expr::IfElse {
                test,
                then,
                otherwise,
            } => {
                let test = self.expr(*test)?;
                let (then, otherwise) = (self.number(*then)?, self.number(*otherwise)?);
                self.select(test, then, otherwise, range)
            }
            _ => Err(self.not_a_number(range)),
        }
    }

    /// Operands of one operator nest as they are combined: too many are refused rather than read.
    pub fn is_short(&mut self, operands: usize, range: TextRange) -> Lowered<()> {
        if operands > 128 {
            return Err(self.error(range, "this has too many operands"));
        }
        Ok(())
    }

    pub fn not_a_number(&mut self, range: TextRange) -> Failed {
        self.error(range, "this is no number that is known before Python runs")
    }

    fn name(&mut self, name: &SmolStr, range: TextRange) -> Lowered<Number> {
        match self.lookup(name) {
            Some(Entity::Var(var)) => Ok(Number::strong(self.var_expr(var, range))),
            Some(Entity::Alias(expr)) => self.copy(&expr, range).map(Number::strong),
            Some(Entity::Buffer(_) | Entity::Pointer(_)) => Err(self.error(
                range,
                format!("`{name}` is a buffer: its elements are numbers, it is none"),
            )),
            Some(Entity::Handle(_) | Entity::Thread(_) | Entity::Tuple(_)) => {
                Err(self.not_a_number(range))
            }
            Some(Entity::Python(_)) | None => match self.python(name) {
                Some(PyValue::Int(value)) => Ok(Number::int(i128::from(value), range)),
                Some(PyValue::Float(value)) => Ok(Number::float(value, range)),
                Some(PyValue::Bool(value)) => Ok(Number::strong(Expr::int(
                    i128::from(value),
                    DType::BOOL,
                    range,
                ))),
                Some(PyValue::ShapeVar(var)) => {
                    let var = self.shape_var(&var);
                    Ok(Number::strong(self.var_expr(var, range)))
                }
                _ => Err(self.error(range, format!("only Python knows the value of `{name}`"))),
            },
        }
    }

    /// What the Python around the function, or an alias in it, says of a name.
    pub fn is_buffer(&self, name: &str) -> bool {
        matches!(
            self.lookup(name),
            Some(Entity::Buffer(_) | Entity::Pointer(_))
        )
    }

    pub fn python(&self, name: &str) -> Option<PyValue> {
        match self.lookup(name) {
            Some(Entity::Python(value)) => Some(value),
            Some(_) => None,
            None => self.env.get(name).cloned(),
        }
    }

    /// A variable of shapes that the whole function shares.
    pub fn shape_var(&mut self, name: &SmolStr) -> VarId {
        if let Some(Entity::Var(var)) = self.lookup(name) {
            return var;
        }
        let var = self.var(name.clone(), DType::I64);
        self.bind_outermost(name.clone(), Entity::Var(var));
        var
    }

    pub fn python_dims(&mut self, at: ExprId) -> Lowered<Vec<Expr>> {
        let body::Expr::Name(name) = &self.body.exprs[at] else {
            return Err(Failed);
        };
        let Some(PyValue::List(items)) = self.python(name) else {
            return Err(Failed);
        };
        let range = self.range(at);
        items
            .iter()
            .map(|item| match item {
                PyValue::Int(value) => self.strong(Number::int(i128::from(*value), range)),
                _ => Err(Failed),
            })
            .collect()
    }

    /// `A[i, j]`, `A.shape[0]`.
    fn subscript(&mut self, base: ExprId, index: ExprId, range: TextRange) -> Lowered<Number> {
        if let body::Expr::Attribute { base: buffer, name } = &self.body.exprs[base]
            && (name.text == "shape" || name.text == "strides")
        {
            let buffer = self.buffer_of(*buffer)?;
            let buffer = self.func.buffer(buffer);
            let dims = if name.text == "shape" {
                buffer.shape.clone()
            } else {
                buffer.strides.clone().unwrap_or_default()
            };
            let at = match self.body.exprs[index] {
                body::Expr::Int(at) => usize::try_from(at).ok(),
                _ => None,
            };
            return match at.and_then(|at| dims.get(at)) {
                Some(dim) => self.copy(dim, range).map(Number::strong),
                None => Err(self.error(range, "the buffer has no such dimension")),
            };
        }
        if let body::Expr::Name(name) = &self.body.exprs[base]
            && let Some(PyValue::List(items)) = self.python(name)
            && let body::Expr::Int(at) = self.body.exprs[index]
        {
            return match usize::try_from(at).ok().and_then(|at| items.get(at)) {
                Some(PyValue::Int(value)) => Ok(Number::int(i128::from(*value), range)),
                Some(PyValue::Float(value)) => Ok(Number::float(*value, range)),
                _ => Err(self.not_a_number(range)),
            };
        }
        let buffer = self.buffer_of(base)?;
        let indices = self.indices(index)?;
        self.has_indices(buffer, &indices, range)?;
        Ok(Number::strong(Expr {
            dtype: self.func.buffer(buffer).dtype,
            kind: ExprKind::Load(buffer, indices),
            range,
        }))
    }

    /// An element has one index for each dimension.
    pub fn has_indices(
        &mut self,
        buffer: BufferId,
        indices: &[Expr],
        range: TextRange,
    ) -> Lowered<()> {
        let it = self.func.buffer(buffer);
        if it.shape.len() == indices.len() {
            return Ok(());
        }
        let message = format!(
            "`{}` has {} dimensions, and {} indices are given",
            it.name,
            it.shape.len(),
            indices.len()
        );
        Err(self.error(range, message))
    }

    pub fn indices(&mut self, index: ExprId) -> Lowered<Vec<Expr>> {
        let parts: Vec<ExprId> = match &self.body.exprs[index] {
            body::Expr::Tuple(items) | body::Expr::List(items) => items.clone(),
            _ => vec![index],
        };
        parts
            .into_iter()
            .map(|part| {
                if let body::Expr::Slice { .. } = self.body.exprs[part] {
                    let range = self.range(part);
                    return Err(self.error(range, "a slice of a buffer is no number"));
                }
                self.index(part)
            })
            .collect()
    }

    fn python_binary(
        &mut self,
        op: BinaryOp,
        a: Number,
        b: Number,
        range: TextRange,
    ) -> Lowered<Number> {
        let op = match op {
            BinaryOp::Add => Binary::Add,
            BinaryOp::Sub => Binary::Sub,
            BinaryOp::Mul => Binary::Mul,
            BinaryOp::Div => {
                if a.weak && b.weak {
                    let (a, b) = (arith::float(&a.expr), arith::float(&b.expr));
                    return match (a, b) {
                        (Some(a), Some(b)) if b != 0.0 => Ok(Number::float(a / b, range)),
                        _ => Err(self.not_a_number(range)),
                    };
                }
                if !a.expr.dtype.is_float() && !b.expr.dtype.is_float() {
                    return Err(self.error(
                        range,
                        "the division of integers rounds: write `//`, `T.floordiv` or `T.truncdiv`",
                    ));
                }
                Binary::Div
            }
            BinaryOp::FloorDiv => Binary::FloorDiv,
            BinaryOp::Mod => Binary::FloorMod,
            BinaryOp::BitAnd => Binary::BitAnd,
            BinaryOp::BitOr => Binary::BitOr,
            BinaryOp::BitXor => Binary::BitXor,
            BinaryOp::ShiftLeft => Binary::ShiftLeft,
            BinaryOp::ShiftRight => Binary::ShiftRight,
            BinaryOp::Pow => return self.math(super::Math::Pow, a, b, range),
            BinaryOp::MatMul => return Err(self.not_a_number(range)),
        };
        self.binary(op, a, b, range)
    }

    pub fn math(
        &mut self,
        function: super::Math,
        a: Number,
        b: Number,
        range: TextRange,
    ) -> Lowered<Number> {
        let (a, b) = self.unify(a, b)?;
        let (a, b) = (arith::counted(a), arith::counted(b));
        Ok(Number::strong(Expr {
            dtype: a.dtype,
            kind: ExprKind::Math(function, Box::new(a), Box::new(b)),
            range,
        }))
    }

    fn python_unary(&mut self, op: UnaryOp, value: Number, range: TextRange) -> Lowered<Number> {
        let Number { expr, weak } = value;
        let known = match (op, &expr.kind) {
            (UnaryOp::Minus, ExprKind::Int(value)) => Some(-value),
            (UnaryOp::Invert, ExprKind::Int(value)) if !expr.dtype.is_bool() => Some(!value),
            _ => None,
        };
        Ok(match (op, known) {
            (UnaryOp::Plus, _) => Number { expr, weak },
            (_, Some(value)) if weak => Number::int(value, range),
            (_, Some(value)) => Number::strong(Expr::int(value, expr.dtype, range)),
            (UnaryOp::Minus, None) => match expr.kind {
                ExprKind::Float(value) => Number {
                    expr: Expr {
                        kind: ExprKind::Float(-value),
                        ..expr
                    },
                    weak,
                },
                _ => self.unary(Unary::Neg, expr, range)?,
            },
            (UnaryOp::Invert, None) => self.unary(Unary::BitNot, expr, range)?,
        })
    }

    /// A function of one number.
    pub fn unary(&mut self, function: Unary, value: Expr, range: TextRange) -> Lowered<Number> {
        let dtype = value.dtype;
        if function == Unary::BitNot && dtype.is_float() {
            return Err(self.error(range, format!("{dtype} has no bits to compute with")));
        }
        if function == Unary::BitNot && dtype.is_bool() {
            return Ok(Number::strong(Expr {
                dtype,
                kind: ExprKind::Not(Box::new(value)),
                range,
            }));
        }
        let value = arith::counted(value);
        let dtype = match function {
            Unary::IsNan | Unary::IsInf | Unary::IsFinite => DType::BOOL,
            _ => value.dtype,
        };
        Ok(Number::strong(Expr {
            dtype,
            kind: ExprKind::Unary(function, Box::new(value)),
            range,
        }))
    }

    pub fn select(
        &mut self,
        test: Expr,
        then: Number,
        otherwise: Number,
        range: TextRange,
    ) -> Lowered<Number> {
        let (a, b) = self.unify(then, otherwise)?;
        Ok(Number::strong(Expr {
            dtype: a.dtype,
            kind: ExprKind::Select(Box::new(truth(test)), Box::new(a), Box::new(b)),
            range,
        }))
    }
}

fn compare_op(op: CompareOp) -> Option<Compare> {
    Some(match op {
        CompareOp::Eq => Compare::Eq,
        CompareOp::NotEq => Compare::Ne,
        CompareOp::Less => Compare::Lt,
        CompareOp::LessEq => Compare::Le,
        CompareOp::Greater => Compare::Gt,
        CompareOp::GreaterEq => Compare::Ge,
        _ => return None,
    })
}
