//! Statements: which is what, and calls that stand alone.

use relax::dtype::DType;
use smol_str::SmolStr;
use text_size::TextRange;

use super::arith::{self, truth};
use super::function::{Failed, Lower, Lowered};
use super::nest::for_stmt;
use super::{Expr, ForKind, Stmt, StmtKind};
use crate::body::{self, ExprId, Target};

/// Calls alone in a statement that say something of the program and do nothing.
const SILENT: &[&str] = &[
    "reads",
    "writes",
    "func_attr",
    "block_attr",
    "sblock_attr",
    "attr",
    "preflattened_buffer",
    "func_name",
    "func_ret",
];

impl Lower<'_> {
    pub fn stmts(&mut self, stmts: &[body::Stmt]) -> Vec<Stmt> {
        let mut out = Vec::with_capacity(stmts.len());
        for (at, stmt) in stmts.iter().enumerate() {
            let nested = self.nested(stmt.range, |lower| {
                lower.stmt(stmt, &stmts[at + 1..], &mut out)
            });
            match nested {
                Ok(true) | Err(Failed) => {}
                // The statement holds those after it.
                Ok(false) => break,
            }
        }
        out
    }

    /// Whether the statements after this one are still to be read.
    fn stmt(
        &mut self,
        stmt: &body::Stmt,
        rest: &[body::Stmt],
        out: &mut Vec<Stmt>,
    ) -> Lowered<bool> {
        let range = stmt.range;
        match &stmt.kind {
            body::StmtKind::Assign { targets, value } => match targets.as_slice() {
                [target] => self.assign(target, *value, None, range, out)?,
                _ => return Err(self.unsupported(range)),
            },
            body::StmtKind::AnnAssign {
                target,
                annotation,
                value: Some(value),
            } => {
                let dtype = self.annotated_dtype(*annotation);
                self.assign(target, *value, dtype, range, out)?;
            }
            body::StmtKind::AugAssign {
                target: Target::Place(place),
                op,
                value,
            } => {
                self.update(*place, *op, *value, range, out)?;
            }
            body::StmtKind::Expr(expr) => return self.expr_stmt(*expr, rest, range, out),
            body::StmtKind::If {
                test,
                then,
                otherwise,
            } => {
                let test = truth(self.expr(*test)?);
                let then = self.scoped(|lower| lower.stmts(then));
                let otherwise = match otherwise {
                    Some(stmts) => self.scoped(|lower| lower.stmts(stmts)),
                    None => Vec::new(),
                };
                out.push(Stmt {
                    kind: StmtKind::If {
                        test,
                        then,
                        otherwise,
                    },
                    range,
                });
            }
            body::StmtKind::For { target, iter, body } => {
                self.for_stmt(target, *iter, body, range, out)?;
            }
            body::StmtKind::While { test, body } => {
                let test = truth(self.expr(*test)?);
                let body = self.scoped(|lower| lower.stmts(body));
                out.push(Stmt {
                    kind: StmtKind::While { test, body },
                    range,
                });
            }
            body::StmtKind::With { items, body } => self.with_stmt(items, body, range, out)?,
            body::StmtKind::Assert { test, message } => {
                let test = truth(self.expr(*test)?);
                let message = match message.map(|at| &self.body.exprs[at]) {
                    Some(body::Expr::Str(text)) => text.clone(),
                    _ => SmolStr::default(),
                };
                out.push(Stmt {
                    kind: StmtKind::Assert { test, message },
                    range,
                });
            }
            // What a name means is known already.
            body::StmtKind::Pass
            | body::StmtKind::Python {
                keyword: "nonlocal" | "global",
                ..
            } => {}
            _ => return Err(self.unsupported(range)),
        }
        Ok(true)
    }

    pub(super) fn unsupported(&mut self, range: TextRange) -> Failed {
        self.error(range, "this statement has no meaning in a PrimFunc")
    }

    /// `T.let[T.float32]`, `T.float32`: the dtype of a let.
    pub(super) fn annotated_dtype(&mut self, annotation: ExprId) -> Option<DType> {
        if let body::Expr::Subscript { index, .. } = self.body.exprs[annotation] {
            return self.annotated_dtype(index);
        }
        DType::of_constructor(&self.tir_path(annotation)?)
    }

    pub(super) fn expr_stmt(
        &mut self,
        expr: ExprId,
        rest: &[body::Stmt],
        range: TextRange,
        out: &mut Vec<Stmt>,
    ) -> Lowered<bool> {
        if let body::Expr::Str(_) | body::Expr::Ellipsis = self.body.exprs[expr] {
            return Ok(true);
        }
        let (callee, args) = self.call_parts(expr);
        let path = self.tir_path(callee).unwrap_or_default();
        if SILENT.contains(&path.as_str()) {
            return Ok(true);
        }
        let called = match (path.as_str(), args) {
            ("evaluate", [value]) => value.value,
            _ => expr,
        };
        if let Some(call) = self.packed(called, range) {
            out.push(call?);
            return Ok(true);
        }
        match (path.as_str(), args) {
            ("where", [condition]) => {
                let condition = truth(self.expr(condition.value)?);
                if let Some(block) = self.blocks.last_mut() {
                    block.predicate = Some(condition);
                }
            }
            ("evaluate", [value]) => {
                if let (callee, [value]) = self.call_parts(value.value)
                    && self.tir_path(callee).as_deref() == Some("ret")
                {
                    self.expr(value.value)?;
                    return Err(
                        self.error(range, "a PrimFunc that returns a number does not run here")
                    );
                }
                let value = self.expr(value.value)?;
                out.push(Stmt {
                    kind: StmtKind::Evaluate(value),
                    range,
                });
            }
            ("buffer_store", _) => {
                let of = |name| Self::arg(args, &["buffer", "value", "indices"], name);
                let (Some(buffer), Some(value), Some(indices), 3) =
                    (of("buffer"), of("value"), of("indices"), args.len())
                else {
                    return Err(self.unsupported(range));
                };
                let buffer = self.buffer_of(buffer)?;
                let value = self.expr(value)?;
                let value = arith::cast(value, self.func.buffer(buffer).dtype);
                let at = self.range(indices);
                let indices = self.indices(indices)?;
                self.has_indices(buffer, &indices, at)?;
                out.push(Stmt {
                    kind: StmtKind::Store {
                        buffer,
                        indices,
                        value,
                    },
                    range,
                });
            }
            // `T.launch_thread(tx, 32)`: the rest of the block runs for each thread.
            ("launch_thread", [thread, extent]) => {
                let body::Expr::Name(name) = &self.body.exprs[thread.value] else {
                    return Err(self.unsupported(range));
                };
                let axis = self.thread_axis(thread.value)?;
                let extent = self.index(extent.value)?;
                let var = self.loop_var(name, &Expr::int(0, extent.dtype, range), &extent);
                let body = self.stmts(rest);
                out.push(for_stmt(
                    var,
                    Expr::int(0, extent.dtype, range),
                    extent,
                    1,
                    ForKind::Thread(axis),
                    body,
                    range,
                ));
                return Ok(false);
            }
            ("", _) => return Err(self.unsupported(range)),
            _ => {
                let value = self.expr(expr)?;
                out.push(Stmt {
                    kind: StmtKind::Evaluate(value),
                    range,
                });
            }
        }
        Ok(true)
    }
}
