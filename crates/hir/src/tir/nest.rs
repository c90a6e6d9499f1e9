//! Loops and blocks: iteration variables, axes, and what they hold.

use smol_str::SmolStr;
use text_size::TextRange;

use super::arith::{self, Number, truth};
use super::function::{Entity, Lower, Lowered};
use super::{Block, Expr, ForKind, Iter, Stmt, StmtKind, ThreadAxis};
use crate::body::{self, Arg, ExprId, Target};
use crate::enclosing::PyValue;

/// Loops of one `T.grid`, items of one `with`.
const MAX_LOOPS: usize = 64;

impl Lower<'_> {
    /// `T.axis.remap("SR", [i, k])`, `T.axis.spatial(4, i)`.
    pub(super) fn axis(
        &mut self,
        axis: &str,
        names: &[SmolStr],
        args: &[Arg],
        range: TextRange,
    ) -> Lowered<()> {
        if axis == "remap" {
            let [kinds, values] = args else {
                return Err(self.unsupported(range));
            };
            let body::Expr::Str(kinds) = &self.body.exprs[kinds.value] else {
                return Err(self.unsupported(range));
            };
            let values = match &self.body.exprs[values.value] {
                body::Expr::List(values) | body::Expr::Tuple(values) => values
                    .iter()
                    .map(|&value| self.index(value))
                    .collect::<Lowered<Vec<_>>>()?,
                body::Expr::Name(name) => match self.lookup(name) {
                    Some(Entity::Tuple(vars)) => {
                        vars.iter().map(|&var| self.var_expr(var, range)).collect()
                    }
                    Some(Entity::Var(var)) => vec![self.var_expr(var, range)],
                    _ => return Err(self.unsupported(range)),
                },
                _ => return Err(self.unsupported(range)),
            };
            if kinds.chars().count() != values.len() || names.len() != values.len() {
                return Err(self.error(
                    range,
                    "`T.axis.remap` has one letter and one name for each value",
                ));
            }
            for ((kind, value), name) in kinds.chars().zip(values).zip(names) {
                let domain = match value.kind {
                    super::ExprKind::Var(var) => self.loops.get(&var).cloned(),
                    _ => None,
                };
                let Some((min, extent)) = domain else {
                    return Err(self.error(value.range, "`T.axis.remap` takes loop variables"));
                };
                self.add_axis(name, kind == 'R', min, extent, value)?;
            }
            return Ok(());
        }
        let reduce = match axis {
            "spatial" | "S" | "opaque" | "O" | "scan" => false,
            "reduce" | "R" => true,
            _ => {
                return Err(self.error(
                    range,
                    format!("`T.axis.{axis}` does not run on this machine"),
                ));
            }
        };
        let ([domain, value, ..], [name]) = (args, names) else {
            return Err(self.unsupported(range));
        };
        let (min, extent) = match &self.body.exprs[domain.value] {
            body::Expr::Tuple(items) | body::Expr::List(items) if items.len() == 2 => {
                let (low, high) = (self.index(items[0])?, self.index(items[1])?);
                let (low, high) = (Number::strong(low), Number::strong(high));
                let extent = self.binary(super::Binary::Sub, high, low.clone(), range)?;
                (low.expr, extent.expr)
            }
            _ => {
                let extent = self.index(domain.value)?;
                (Expr::int(0, extent.dtype, range), extent)
            }
        };
        let value = self.index(value.value)?;
        self.add_axis(name, reduce, min, extent, value)
    }

    pub(super) fn add_axis(
        &mut self,
        name: &SmolStr,
        reduce: bool,
        min: Expr,
        extent: Expr,
        value: Expr,
    ) -> Lowered<()> {
        // The value of a literal is of the dtype of its domain.
        let dtype = if value.as_int().is_some() {
            extent.dtype
        } else {
            value.dtype
        };
        let value = arith::cast(value, dtype);
        let min = arith::cast(min, dtype);
        let var = self.var(name.clone(), dtype);
        self.bind(name.clone(), Entity::Var(var));
        let range = value.range;
        match self.blocks.last_mut() {
            Some(block) => {
                block.iters.push(Iter {
                    var,
                    min,
                    extent,
                    value,
                    reduce,
                });
                Ok(())
            }
            None => Err(self.error(range, "an axis belongs to a block")),
        }
    }

    pub(super) fn loop_var(&mut self, name: &SmolStr, min: &Expr, extent: &Expr) -> super::VarId {
        let var = self.var(name.clone(), extent.dtype);
        self.bind(name.clone(), Entity::Var(var));
        self.loops.insert(var, (min.clone(), extent.clone()));
        var
    }

    pub(super) fn for_stmt(
        &mut self,
        target: &Target,
        iter: ExprId,
        stmts: &[body::Stmt],
        range: TextRange,
        out: &mut Vec<Stmt>,
    ) -> Lowered<()> {
        let (callee, args) = self.call_parts(iter);
        let path = self.tir_path(callee);
        let is_range =
            matches!(&self.body.exprs[callee], body::Expr::Name(name) if name == "range");
        let positional: Vec<ExprId> = args
            .iter()
            .filter(|a| a.keyword.is_none())
            .map(|a| a.value)
            .filter(|&at| !matches!(self.body.exprs[at], body::Expr::Str(_)))
            .collect();
        let kind = match path.as_deref() {
            Some("grid") => {
                let names: Vec<SmolStr> = match target {
                    Target::Name(name) => vec![name.text.clone()],
                    Target::Tuple(targets, _) => targets
                        .iter()
                        .map(|t| match t {
                            Target::Name(name) => name.text.clone(),
                            _ => SmolStr::default(),
                        })
                        .collect(),
                    Target::Place(_) => Vec::new(),
                };
                let mut extents = Vec::with_capacity(names.len());
                for arg in args.iter().filter(|a| a.keyword.is_none()) {
                    // `T.grid(*A.shape)`
                    if arg.starred {
                        extents.extend(self.shape_of(arg.value)?);
                    } else {
                        extents.push(self.index(arg.value)?);
                    }
                }
                // `for iters in T.grid(m, n)`: one name for all.
                let tuple = (names.len() == 1 && extents.len() > 1).then(|| names[0].clone());
                let names = match &tuple {
                    Some(name) => vec![name.clone(); extents.len()],
                    None => names,
                };
                if extents.len() > MAX_LOOPS {
                    return Err(self.error(range, "this is nested too deep"));
                }
                if names.len() != extents.len() {
                    return Err(self.error(range, "`T.grid` has one extent for each loop variable"));
                }
                let body = self.scoped(|lower| {
                    let vars: Vec<_> = names
                        .iter()
                        .zip(&extents)
                        .map(|(name, extent)| {
                            lower.loop_var(name, &Expr::int(0, extent.dtype, range), extent)
                        })
                        .collect();
                    if let Some(name) = &tuple {
                        lower.bind(name.clone(), Entity::Tuple(vars.clone()));
                    }
                    let mut body = lower.stmts(stmts);
                    for (var, extent) in vars.into_iter().zip(&extents).rev() {
                        let min = Expr::int(0, extent.dtype, range);
                        body = vec![for_stmt(
                            var,
                            min,
                            extent.clone(),
                            1,
                            ForKind::Serial,
                            body,
                            range,
                        )];
                    }
                    body
                });
                out.extend(body);
                return Ok(());
            }
            Some("serial") => ForKind::Serial,
            Some("parallel") => ForKind::Parallel,
            Some("vectorized") => ForKind::Vectorized,
            Some("unroll") => ForKind::Unrolled,
            Some("thread_binding") => {
                let is_text = |arg: &&Arg| matches!(self.body.exprs[arg.value], body::Expr::Str(_));
                let axis = Self::arg(args, &["start", "stop", "thread"], "thread");
                // `T.thread_binding(32, "threadIdx.x")`
                let axis = axis.or_else(|| args.iter().find(is_text).map(|arg| arg.value));
                match axis {
                    Some(axis) => ForKind::Thread(self.thread_axis(axis)?),
                    None => return Err(self.error(range, "this loop names no axis of threads")),
                }
            }
            None if is_range => ForKind::Serial,
            _ => {
                return Err(self.error(
                    range,
                    "a loop runs over `range`, `T.grid`, `T.serial` or their like",
                ));
            }
        };
        let Target::Name(name) = target else {
            return Err(self.unsupported(range));
        };
        let step = match Self::arg(args, &["start", "stop", "step"], "step") {
            Some(at) if kind == ForKind::Serial => match self.expr(at)?.as_int() {
                Some(step) if step > 0 => step,
                _ => return Err(self.error(range, "a loop's step is a constant above 0")),
            },
            _ => 1,
        };
        let (min, extent) = match positional.as_slice() {
            [stop] => {
                let stop = self.index(*stop)?;
                (Expr::int(0, stop.dtype, range), stop)
            }
            [start, stop, ..] => {
                let (start, stop) = (self.number(*start)?, self.number(*stop)?);
                let (start, stop) = self.unify(start, stop)?;
                let (start, stop) = (self.integer(start)?, self.integer(stop)?);
                let extent = self.binary(
                    super::Binary::Sub,
                    Number::strong(stop),
                    Number::strong(start.clone()),
                    range,
                )?;
                (start, extent.expr)
            }
            [] => return Err(self.error(range, "a loop needs an extent")),
        };
        let extent = if step == 1 {
            extent
        } else {
            self.steps(extent, step, range)?
        };
        let (var, body) = self.scoped(|lower| {
            let var = lower.loop_var(&name.text, &min, &extent);
            if step != 1 {
                lower.loops.remove(&var);
            }
            (var, lower.stmts(stmts))
        });
        out.push(for_stmt(var, min, extent, step, kind, body, range));
        Ok(())
    }

    /// How many steps there are in an extent: the last may be shorter.
    fn steps(&mut self, extent: Expr, step: i64, range: TextRange) -> Lowered<Expr> {
        let step = self.of_dtype(Number::int(i128::from(step), range), extent.dtype)?;
        let (extent, step) = (Number::strong(extent), Number::strong(step));
        let whole = self.binary(super::Binary::FloorDiv, extent.clone(), step.clone(), range)?;
        let rest = self.binary(super::Binary::FloorMod, extent, step, range)?;
        let dtype = rest.expr.dtype;
        let one = Number::strong(Expr::int(1, dtype, range));
        // A sum with `step - 1` would wrap.
        let last = self.binary(super::Binary::Min, rest, one, range)?;
        Ok(self.binary(super::Binary::Add, whole, last, range)?.expr)
    }

    /// The axis that `"threadIdx.x"` or a variable of `T.env_thread` names.
    pub(super) fn thread_axis(&mut self, at: ExprId) -> Lowered<ThreadAxis> {
        let text = match &self.body.exprs[at] {
            body::Expr::Str(text) => Some(text.clone()),
            body::Expr::Name(name) => match self.lookup(name) {
                Some(Entity::Thread(axis)) => return Ok(axis),
                _ => match self.python(name) {
                    Some(PyValue::Str(text)) => Some(text),
                    _ => None,
                },
            },
            _ => None,
        };
        let range = self.range(at);
        match text {
            Some(text) => ThreadAxis::parse(&text)
                .ok_or_else(|| self.error(range, format!("`{text}` is no axis of threads"))),
            None => Err(self.error(range, "an axis of threads is named by a text")),
        }
    }

    pub(super) fn with_stmt(
        &mut self,
        items: &[(ExprId, Option<Target>)],
        stmts: &[body::Stmt],
        range: TextRange,
        out: &mut Vec<Stmt>,
    ) -> Lowered<()> {
        if items.len() > MAX_LOOPS {
            return Err(self.error(range, "this is nested too deep"));
        }
        let Some(((item, target), rest)) = items.split_first() else {
            let inner = self.scoped(|lower| lower.stmts(stmts));
            out.extend(inner);
            return Ok(());
        };
        let name = match target {
            Some(Target::Name(name)) => name.text.clone(),
            _ => SmolStr::default(),
        };
        let (callee, args) = self.call_parts(*item);
        let path = self.tir_path(callee).unwrap_or_default();
        match path.as_str() {
            "block" | "sblock" => {
                self.blocks.push(Block::default());
                let body = self.scoped(|lower| lower.with_rest(rest, stmts, range));
                let mut block = self.blocks.pop().unwrap_or_default();
                block.body = body?;
                out.push(Stmt {
                    kind: StmtKind::Block(block),
                    range,
                });
                Ok(())
            }
            "init" => {
                let init = self.scoped(|lower| lower.stmts(stmts));
                match self.blocks.last_mut() {
                    Some(block) => {
                        block.init = init;
                        Ok(())
                    }
                    None => Err(self.error(range, "`T.init` belongs to a block")),
                }
            }
            "launch_thread" => {
                let [thread, extent] = args else {
                    return Err(self.unsupported(range));
                };
                let axis = self.thread_axis(thread.value)?;
                // `with T.launch_thread(tx, 32):`
                let name = match &self.body.exprs[thread.value] {
                    body::Expr::Name(thread) if name.is_empty() => thread.clone(),
                    _ => name,
                };
                let extent = self.index(extent.value)?;
                let min = Expr::int(0, extent.dtype, range);
                let (var, body) = self.scoped(|lower| {
                    let var = lower.loop_var(&name, &min, &extent);
                    (var, lower.with_rest(rest, stmts, range))
                });
                let kind = ForKind::Thread(axis);
                out.push(for_stmt(var, min, extent, 1, kind, body?, range));
                Ok(())
            }
            "attr" | "realize" => {
                let body = self.scoped(|lower| lower.with_rest(rest, stmts, range))?;
                out.extend(body);
                Ok(())
            }
            "LetStmt" | "let" | "Let" => {
                let value = match args {
                    [value] => value.value,
                    [_, value] => value.value,
                    _ => return Err(self.unsupported(range)),
                };
                let name = match (&name, args) {
                    (name, [var, _]) if name.is_empty() => match &self.body.exprs[var.value] {
                        body::Expr::Name(name) => name.clone(),
                        _ => return Err(self.unsupported(range)),
                    },
                    (name, _) => name.clone(),
                };
                let value = self.expr(value)?;
                let mut inner = Vec::new();
                let body = self.scoped(|lower| {
                    lower.let_var(&name, value, range, &mut inner);
                    lower.with_rest(rest, stmts, range)
                });
                out.append(&mut inner);
                out.extend(body?);
                Ok(())
            }
            "Assert" => {
                let [test, message] = args else {
                    return Err(self.unsupported(range));
                };
                let test = truth(self.expr(test.value)?);
                let message = match &self.body.exprs[message.value] {
                    body::Expr::Str(text) => text.clone(),
                    _ => SmolStr::default(),
                };
                out.push(Stmt {
                    kind: StmtKind::Assert { test, message },
                    range,
                });
                let body = self.scoped(|lower| lower.with_rest(rest, stmts, range))?;
                out.extend(body);
                Ok(())
            }
            _ => match self.buffer_call(&name, *item) {
                Some(made) => {
                    let made = made?;
                    let body = self.scoped(|lower| {
                        lower.bind(name.clone(), made);
                        lower.with_rest(rest, stmts, range)
                    })?;
                    out.extend(body);
                    Ok(())
                }
                None => Err(self.error(range, "this `with` has no meaning in a PrimFunc")),
            },
        }
    }

    pub(super) fn with_rest(
        &mut self,
        items: &[(ExprId, Option<Target>)],
        stmts: &[body::Stmt],
        range: TextRange,
    ) -> Lowered<Vec<Stmt>> {
        let mut out = Vec::new();
        if items.is_empty() {
            out = self.stmts(stmts);
        } else {
            self.with_stmt(items, stmts, range, &mut out)?;
        }
        Ok(out)
    }
}

pub(super) fn for_stmt(
    var: super::VarId,
    min: Expr,
    extent: Expr,
    step: i64,
    kind: ForKind,
    body: Vec<Stmt>,
    range: TextRange,
) -> Stmt {
    Stmt {
        kind: StmtKind::For {
            var,
            min,
            extent,
            step,
            kind,
            body,
        },
        range,
    }
}
