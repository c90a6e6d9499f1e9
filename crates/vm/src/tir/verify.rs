//! Checks what both engines rely on: dtypes agree, variables are bound in one place and used in scope, and accesses
//! have an index for each dimension.
//!
//! Lowering produces only such programs. This confirms it for each program before code is generated.

use hir::tir::{
    self, Binary, Block, BufferId, Collective, Data, Expr, ExprKind, Math, PackedArg, ParamKind,
    PrimFunc, Stmt, StmtKind, TirError, Unary, VarId, int,
};
use relax::dtype::DType;
use text_size::TextRange;

use crate::tensor::Kind;

type Checked = Result<(), TirError>;

pub(super) fn verify(func: &PrimFunc) -> Checked {
    let mut it = Verify {
        func,
        bound: vec![false; func.vars.len()],
        live: vec![false; func.vars.len()],
        trail: Vec::new(),
    };
    it.params()?;
    it.buffers()?;
    it.stmts(&func.body)
}

struct Verify<'f> {
    func: &'f PrimFunc,
    /// Variables that have been bound somewhere.
    bound: Vec<bool>,
    /// Variables that have a value here.
    live: Vec<bool>,
    /// The live variables in the order of their bindings.
    trail: Vec<usize>,
}

fn error(range: TextRange, message: impl Into<String>) -> TirError {
    TirError {
        message: message.into(),
        range,
    }
}

fn holds(condition: bool, range: TextRange, message: impl FnOnce() -> String) -> Checked {
    if condition {
        Ok(())
    } else {
        Err(error(range, message()))
    }
}

fn is_number(dtype: DType, range: TextRange) -> Checked {
    holds(
        Kind::of(dtype).is_ok_and(|it| !matches!(it, Kind::Tiny(_))),
        range,
        || format!("dtype {dtype} has no arithmetic on this machine"),
    )
}

fn is_integer(expr: &Expr) -> Checked {
    holds(expr.dtype.is_int(), expr.range, || {
        format!("an index must be an integer, but this is {}", expr.dtype)
    })
}

/// Reports a violation. It would be a bug in lowering.
fn agrees(condition: bool, range: TextRange) -> Checked {
    holds(condition, range, || {
        "the dtypes of this do not agree".to_owned()
    })
}

impl<'f> Verify<'f> {
    /// Checks the parameters and binds the variables of their shapes in order, then those of their strides and
    /// offsets.
    fn params(&mut self) -> Checked {
        let func = self.func;
        for (at, buffer) in func.buffers.iter().enumerate() {
            is_number(buffer.dtype, buffer.range)?;
            let count = buffer.strides.as_ref().map_or(buffer.shape.len(), Vec::len);
            holds(count == buffer.shape.len(), buffer.range, || {
                "a buffer must have one stride for each dimension".to_owned()
            })?;
            let found = match buffer.data {
                Data::Param(param) => func
                    .params
                    .get(param)
                    .is_some_and(|it| it.kind == ParamKind::Buffer(BufferId(at as u32))),
                Data::View(of) => (of.0 as usize) < at,
                Data::Alloc => true,
            };
            holds(found, buffer.range, || {
                format!("`{}` has no known memory", buffer.name)
            })?;
        }
        for (at, param) in func.params.iter().enumerate() {
            match param.kind {
                ParamKind::Scalar(var) => self.bind(var, TextRange::default())?,
                ParamKind::Buffer(id) => {
                    let buffer = func.buffers.get(id.0 as usize);
                    holds(
                        buffer.is_some_and(|it| it.data == Data::Param(at)),
                        TextRange::default(),
                        || format!("parameter `{}` is not a buffer", param.name),
                    )?;
                }
                ParamKind::Unused => {}
            }
        }
        for param in &func.params {
            let ParamKind::Buffer(id) = param.kind else {
                continue;
            };
            let buffer = func.buffer(id);
            let strides = buffer.strides.iter().flatten();
            for expr in buffer.shape.iter().chain(strides).chain(&buffer.offset) {
                if let ExprKind::Var(var) = expr.kind
                    && !self.is_live(var)
                {
                    is_integer(expr)?;
                    self.bind(var, expr.range)?;
                }
            }
        }
        Ok(())
    }

    /// Checks that extents and strides have values at the function's entry.
    fn buffers(&mut self) -> Checked {
        for buffer in &self.func.buffers {
            for expr in buffer.shape.iter().chain(buffer.strides.iter().flatten()) {
                is_integer(expr)?;
                self.expr(expr)?;
                holds(!expr.reads_memory(), expr.range, || {
                    "an extent does not depend on the elements of a buffer here".to_owned()
                })?;
            }
        }
        Ok(())
    }

    fn is_live(&self, var: VarId) -> bool {
        self.live.get(var.0 as usize).copied().unwrap_or_default()
    }

    fn bind(&mut self, var: VarId, range: TextRange) -> Checked {
        let at = var.0 as usize;
        let Some(it) = self.func.vars.get(at) else {
            return Err(error(range, "a variable is missing"));
        };
        is_number(it.dtype, range)?;
        holds(!self.bound[at], range, || {
            format!("`{}` is bound twice", it.name)
        })?;
        self.bound[at] = true;
        self.live[at] = true;
        self.trail.push(at);
        Ok(())
    }

    /// Checks something whose bindings end with it.
    fn scoped(&mut self, inside: impl FnOnce(&mut Self) -> Checked) -> Checked {
        let before = self.trail.len();
        inside(self)?;
        for at in self.trail.drain(before..) {
            self.live[at] = false;
        }
        Ok(())
    }

    fn stmts(&mut self, stmts: &'f [Stmt]) -> Checked {
        stmts.iter().try_for_each(|stmt| self.stmt(stmt))
    }

    fn stmt(&mut self, stmt: &'f Stmt) -> Checked {
        let range = stmt.range;
        match &stmt.kind {
            StmtKind::Store {
                buffer,
                indices,
                value,
            } => {
                self.expr(value)?;
                let dtype = self.element(*buffer, indices, range)?;
                agrees(value.dtype == dtype, range)
            }
            StmtKind::Let { var, value } => {
                self.expr(value)?;
                self.bind(*var, range)?;
                agrees(self.func.var(*var).dtype == value.dtype, range)
            }
            StmtKind::For {
                var,
                min,
                extent,
                step,
                body,
                ..
            } => {
                self.expr(min)?;
                self.expr(extent)?;
                is_integer(extent)?;
                self.scoped(|it| {
                    it.bind(*var, range)?;
                    let dtype = it.func.var(*var).dtype;
                    let steps = *step > 0 && int::holds(dtype, i128::from(*step));
                    let one = min.dtype == dtype && extent.dtype == dtype;
                    agrees(one && steps, range)?;
                    it.stmts(body)
                })
            }
            StmtKind::While { test, body } => {
                self.test(test)?;
                self.scoped(|it| it.stmts(body))
            }
            StmtKind::If {
                test,
                then,
                otherwise,
            } => {
                self.test(test)?;
                self.scoped(|it| it.stmts(then))?;
                self.scoped(|it| it.stmts(otherwise))
            }
            StmtKind::Block(block) => self.scoped(|it| it.block(block, range)),
            StmtKind::Evaluate(value) => self.expr(value),
            StmtKind::Assert { test, .. } => self.test(test),
            StmtKind::Packed(call) => call.args.iter().try_for_each(|arg| match arg {
                PackedArg::Number(expr) => self.expr(expr),
                PackedArg::Buffer(id) => self.buffer(*id, range).map(|_| ()),
                PackedArg::Text(_) => Ok(()),
            }),
            StmtKind::Collective(it) => self.collective(it, range),
        }
    }

    fn collective(&mut self, collective: &'f Collective, range: TextRange) -> Checked {
        match collective {
            Collective::Barrier(_) => Ok(()),
            Collective::ActiveMask { var, .. } => self.bind(*var, range),
            Collective::Shuffle(it) => {
                for expr in [&it.value, &it.lane, &it.width] {
                    self.expr(expr)?;
                }
                is_integer(&it.lane)?;
                is_integer(&it.width)?;
                self.bind(it.var, range)?;
                agrees(self.func.var(it.var).dtype == it.value.dtype, range)
            }
            Collective::Reduce(it) => {
                self.test(&it.condition)?;
                for (value, neutral) in it.values.iter().zip(&it.combiner.neutral) {
                    self.expr(value)?;
                    self.expr(neutral)?;
                    agrees(value.dtype == neutral.dtype, range)?;
                }
                let results = it.results.iter();
                results
                    .map(|(id, indices)| self.element(*id, indices, range))
                    .try_for_each(|it| it.map(|_| ()))
            }
        }
    }

    fn block(&mut self, block: &'f Block, range: TextRange) -> Checked {
        for iter in &block.iters {
            self.expr(&iter.value)?;
            self.expr(&iter.min)?;
            is_integer(&iter.value)?;
            self.bind(iter.var, range)?;
            let dtype = self.func.var(iter.var).dtype;
            agrees(
                iter.value.dtype == dtype && iter.min.dtype == dtype,
                iter.value.range,
            )?;
        }
        if let Some(predicate) = &block.predicate {
            self.test(predicate)?;
        }
        self.scoped(|it| it.stmts(&block.init))?;
        self.stmts(&block.body)
    }

    fn test(&mut self, expr: &'f Expr) -> Checked {
        self.expr(expr)?;
        agrees(expr.dtype.is_bool(), expr.range)
    }

    fn buffer(&self, id: BufferId, range: TextRange) -> Result<&'f tir::Buffer, TirError> {
        let found = self.func.buffers.get(id.0 as usize);
        found.ok_or_else(|| error(range, "a buffer is missing"))
    }

    /// Returns the dtype of an element, and checks that it has an index for each dimension.
    fn element(
        &mut self,
        id: BufferId,
        indices: &'f [Expr],
        range: TextRange,
    ) -> Result<DType, TirError> {
        let buffer = self.buffer(id, range)?;
        holds(buffer.shape.len() == indices.len(), range, || {
            format!(
                "`{}` has {} dimensions, and {} indices are given",
                buffer.name,
                buffer.shape.len(),
                indices.len()
            )
        })?;
        for index in indices.iter().chain(&buffer.offset) {
            self.expr(index)?;
            is_integer(index)?;
        }
        Ok(buffer.dtype)
    }

    fn expr(&mut self, expr: &'f Expr) -> Checked {
        let (dtype, range) = (expr.dtype, expr.range);
        is_number(dtype, range)?;
        match &expr.kind {
            ExprKind::Load(id, indices) => {
                let of = self.element(*id, indices, range)?;
                return agrees(of == dtype, range);
            }
            ExprKind::Binary(_, a, b)
            | ExprKind::Compare(_, a, b)
            | ExprKind::And(a, b)
            | ExprKind::Or(a, b)
            | ExprKind::Math(_, a, b) => {
                self.expr(a)?;
                self.expr(b)?;
            }
            ExprKind::Not(a)
            | ExprKind::Cast(a)
            | ExprKind::Reinterpret(a)
            | ExprKind::Unary(_, a) => self.expr(a)?,
            ExprKind::Select(test, a, b) => {
                self.test(test)?;
                self.expr(a)?;
                self.expr(b)?;
            }
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Var(_) => {}
        }
        match &expr.kind {
            ExprKind::Int(value) => agrees(!dtype.is_float() && int::holds(dtype, *value), range),
            ExprKind::Float(_) => agrees(dtype.is_float(), range),
            ExprKind::Var(var) => {
                let it = self.func.vars.get(var.0 as usize);
                let name = it.map(|it| it.name.clone()).unwrap_or_default();
                holds(self.is_live(*var), range, || {
                    format!("`{name}` has no value here")
                })?;
                agrees(it.is_some_and(|it| it.dtype == dtype), range)
            }
            ExprKind::Binary(op, a, b) => {
                let of = match op {
                    Binary::BitAnd | Binary::BitOr | Binary::BitXor => !dtype.is_float(),
                    Binary::ShiftLeft | Binary::ShiftRight => dtype.is_int(),
                    Binary::Min | Binary::Max => true,
                    Binary::Div => dtype.is_float(),
                    Binary::TruncDiv | Binary::TruncMod => dtype.is_int(),
                    _ => !dtype.is_bool(),
                };
                agrees(of && a.dtype == dtype && b.dtype == dtype, range)
            }
            ExprKind::Compare(_, a, b) => agrees(dtype.is_bool() && a.dtype == b.dtype, range),
            ExprKind::And(a, b) | ExprKind::Or(a, b) => agrees(
                dtype.is_bool() && a.dtype.is_bool() && b.dtype.is_bool(),
                range,
            ),
            ExprKind::Not(a) => agrees(dtype.is_bool() && a.dtype.is_bool(), range),
            ExprKind::Reinterpret(a) => {
                holds(!is_half(dtype) && !is_half(a.dtype), range, || {
                    "reinterpreting a half float is not supported".to_owned()
                })?;
                let of = !dtype.is_bool() && !a.dtype.is_bool();
                agrees(of && dtype.bits == a.dtype.bits, range)
            }
            ExprKind::Select(_, a, b) => agrees(a.dtype == dtype && b.dtype == dtype, range),
            ExprKind::Unary(function, a) => unary(*function, a.dtype, dtype, range),
            ExprKind::Math(function, a, b) => {
                holds(dtype.is_float() || *function == Math::Pow, range, || {
                    format!("`T.{}` takes floats, but this is {dtype}", function.name())
                })?;
                let one = a.dtype == dtype && b.dtype == dtype;
                agrees(one && !dtype.is_bool(), range)
            }
            ExprKind::Load(..) | ExprKind::Cast(_) => Ok(()),
        }
    }
}

fn unary(function: Unary, of: DType, result: DType, range: TextRange) -> Checked {
    use Unary::{
        Abs, BitNot, Ceil, Clz, Floor, IsFinite, IsInf, IsNan, Neg, Popcount, Round, Trunc,
    };
    if matches!(function, IsNan | IsInf | IsFinite) {
        return agrees(result.is_bool() && !of.is_bool(), range);
    }
    agrees(of == result && !of.is_bool(), range)?;
    match function {
        BitNot | Popcount | Clz => holds(of.is_int(), range, || {
            format!("bitwise operations are not defined for {of}")
        }),
        Neg | Abs | Floor | Ceil | Trunc | Round => Ok(()),
        function => holds(of.is_float(), range, || {
            format!("`T.{}` takes floats, but this is {of}", function.name())
        }),
    }
}

fn is_half(dtype: DType) -> bool {
    dtype.is_float() && dtype.bits == 16
}
