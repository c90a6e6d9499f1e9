//! What the threads of a GPU do together: barriers, exchange of values in a warp, reductions over threads.

use relax::dtype::DType;
use smol_str::SmolStr;
use text_size::TextRange;

use super::Reader;
use super::arith::{self, Number};
use super::value::{Named, Value};
use crate::body::{Arg, Expr, ExprId, Lambda};
use crate::enclosing::PyValue;
use crate::prim_facts::PrimDefKind;
use crate::tir::{
    self, BufferId, Collective, Combiner, ExprKind, Group, Reduce, Shuffle, Source, StmtKind,
};

/// The calls that make the threads of a group wait for each other.
const BARRIERS: &[(&str, Group)] = &[
    ("cuda.cta_sync", Group::Block),
    ("cuda.warp_sync", Group::Warp),
    ("cuda.__syncwarp", Group::Warp),
];

const SHUFFLES: &[(&str, Source)] = &[
    ("tvm_warp_shuffle", Source::Position),
    ("tvm_warp_shuffle_up", Source::Before),
    ("tvm_warp_shuffle_down", Source::After),
    ("tvm_warp_shuffle_xor", Source::Xor),
];

/// The number of threads of a warp on most GPUs.
const WARP: i64 = 32;

impl Reader<'_> {
    /// Reads a statement of several threads. Returns `false` for another call.
    pub fn collective(&mut self, call: ExprId, range: TextRange) -> bool {
        let (callee, args) = self.call_parts(call);
        let path = self.script(callee).unwrap_or_default();
        let group = BARRIERS.iter().find(|row| row.0 == path).map(|row| row.1);
        match (path.as_str(), group) {
            ("tvm_storage_sync", _) => {
                self.read_callee(callee, args);
                self.storage_sync(args, range);
            }
            (_, Some(group)) => {
                self.read_callee(callee, args);
                self.silent_args(args);
                self.emit(StmtKind::Collective(Collective::Barrier(group)), range);
            }
            ("tvm_thread_allreduce", _) => {
                self.read_callee(callee, args);
                self.reduce(args, range);
            }
            _ => return false,
        }
        true
    }

    fn storage_sync(&mut self, args: &[Arg], range: TextRange) {
        let scope = self.arg("tvm_storage_sync", args, "storage_scope");
        let scope = scope.or(args.first().map(|arg| arg.value));
        let scope = scope.map(|at| self.silent(|it| it.value(at)));
        self.silent_args(args.iter().skip(1));
        let group = match &scope {
            Some(Value::Python(PyValue::Str(scope))) => match scope.as_str() {
                "shared" | "shared.dyn" => Some(Group::Block),
                "warp" => Some(Group::Warp),
                _ => None,
            },
            _ => None,
        };
        match group {
            Some(group) => self.emit(StmtKind::Collective(Collective::Barrier(group)), range),
            None => self.refuse(
                range,
                "only the threads of a block or of a warp can wait for each other here",
            ),
        }
    }

    /// Reads `T.attr(T.comm_reducer(...), "reduce_scope", ...)`. Returns `false` for another attribute.
    pub fn reduce_scope(&mut self, callee: ExprId, args: &[Arg]) -> bool {
        let body = self.body;
        let [node, key, rest @ ..] = args else {
            return false;
        };
        let is_scope = matches!(&body.exprs[key.value], Expr::Str(key) if key == "reduce_scope");
        let (reducer, parts) = self.call_parts(node.value);
        if !is_scope || self.script(reducer).as_deref() != Some("comm_reducer") {
            return false;
        }
        self.read_callee(callee, args);
        self.read_callee(reducer, parts);
        let refusals = self.refusals.len();
        self.combiner = self.comm_reducer(parts);
        // The reasons matter only to a reduction that uses it.
        if self.refusals.len() > refusals {
            self.refusals.truncate(refusals);
            self.combiner = None;
        }
        self.silent_args(rest);
        true
    }

    fn comm_reducer(&mut self, args: &[Arg]) -> Option<Combiner> {
        let body = self.body;
        let [lambda, neutral] = args else {
            self.silent_args(args);
            return None;
        };
        let neutral = match &body.exprs[neutral.value] {
            Expr::List(items) | Expr::Tuple(items) => items.as_slice(),
            _ => std::slice::from_ref(&neutral.value),
        };
        let neutral = neutral.iter().map(|&it| self.typed(it));
        let neutral: Vec<tir::Expr> = neutral.collect::<Option<_>>()?;
        match &body.exprs[lambda.value] {
            Expr::Lambda(it) if it.params.len() == 2 * neutral.len() => {
                let range = self.range(lambda.value);
                self.scoped(range, |reader| reader.combiner_of(it, neutral))
            }
            _ => {
                self.silent_args([lambda]);
                None
            }
        }
    }

    fn combiner_of(&mut self, lambda: &Lambda, neutral: Vec<tir::Expr>) -> Option<Combiner> {
        let dtypes = neutral.iter().chain(&neutral).map(|it| it.dtype);
        let mut left = Vec::with_capacity(2 * neutral.len());
        for (param, dtype) in lambda.params.iter().zip(dtypes) {
            let kind = |dtype| PrimDefKind::Let {
                dtype: Some(dtype),
                mutable: false,
                annotated: false,
            };
            let named = Named::of(&param.name);
            left.push(self.define_var(&named, named.range, dtype, kind));
        }
        let right = left.split_off(neutral.len());
        let parts = match &self.body.exprs[lambda.body] {
            Expr::Tuple(items) => items.as_slice(),
            _ => std::slice::from_ref(&lambda.body),
        };
        let parts = parts.iter().map(|&it| self.typed(it));
        let combined: Vec<tir::Expr> = parts.collect::<Option<_>>()?;
        let combined = combined.into_iter().zip(&neutral);
        let combined: Vec<_> = combined.map(|(it, to)| arith::cast(it, to.dtype)).collect();
        (combined.len() == neutral.len()).then_some(Combiner {
            left,
            right,
            combined,
            neutral,
        })
    }

    /// Reads `T.tvm_thread_allreduce(size, value, ..., condition, result, ..., thread, ...)`.
    fn reduce(&mut self, args: &[Arg], range: TextRange) {
        self.silent_args(args.iter().filter(|arg| arg.keyword.is_some()));
        let mut args = args.iter().filter(|arg| arg.keyword.is_none());
        let size = args.next().and_then(|arg| self.typed(arg.value));
        let size = size.and_then(|it| it.as_int()).unwrap_or_default();
        let Some(combiner) = self.combiner.clone() else {
            self.silent_args(args);
            return self.refuse(
                range,
                "this reduction has no `T.comm_reducer` that can run here",
            );
        };
        let size = usize::try_from(size).unwrap_or_default();
        if size != combiner.neutral.len() {
            self.silent_args(args);
            return self.refuse(range, "this reduction has another number of values");
        }
        let values: Vec<_> = args.by_ref().take(size).collect();
        let values = values.iter().zip(&combiner.neutral).map(|(arg, to)| {
            let value = self.typed(arg.value)?;
            Some(arith::cast(value, to.dtype))
        });
        let values: Option<Vec<tir::Expr>> = values.collect();
        let condition = args.next().map(|arg| self.test(arg.value));
        let results: Vec<_> = args.by_ref().take(size).collect();
        let results = results.iter().map(|arg| self.element_of(arg.value));
        let results: Option<Vec<_>> = results.collect();
        let threads = args.filter_map(|arg| match self.typed(arg.value)?.kind {
            ExprKind::Var(var) => Some(var),
            _ => None,
        });
        let over = threads.collect();
        let (Some(values), Some(condition), Some(results)) = (values, condition, results) else {
            return self.refuse_whole(range, "this reduction lacks a value or a result");
        };
        let reduce = Reduce {
            values,
            condition,
            results,
            over,
            combiner,
        };
        self.emit_of_numbers(Collective::Reduce(Box::new(reduce)), range);
    }

    /// Adds a statement whose values are numbers, not vectors.
    fn emit_of_numbers(&mut self, collective: Collective, range: TextRange) {
        self.refuse_vectors(range);
        self.emit(StmtKind::Collective(collective), range);
    }

    /// Reads `A[0]`, or `A.data` as older releases print it.
    fn element_of(&mut self, at: ExprId) -> Option<(BufferId, Vec<tir::Expr>)> {
        let range = self.range(at);
        let value = self.operand(at);
        self.mark_written(at);
        match value {
            Value::Number(Number { expr, .. }) => match expr.kind {
                ExprKind::Load(buffer, indices) => Some((buffer, indices)),
                _ => None,
            },
            Value::Pointer(Some(buffer)) => {
                let rank = self.func.buffer(buffer).shape.len();
                Some((buffer, vec![tir::Expr::int(0, DType::I32, range); rank]))
            }
            _ => None,
        }
    }

    /// Reads a call that gets a value from other threads.
    pub fn exchanged(&mut self, path: &str, args: &[ExprId], range: TextRange) -> Option<Value> {
        if matches!(path, "tvm_warp_activemask") {
            let var = self.var(SmolStr::new_static("mask"), DType::U32);
            let mask = Collective::ActiveMask { var, warp: WARP };
            self.emit(StmtKind::Collective(mask), range);
            return Some(Value::Number(Number::strong(self.var_expr(var, range))));
        }
        let row = SHUFFLES.iter().find(|row| row.0 == path)?;
        let &[mask, value, lane, width, warp] = args else {
            return None;
        };
        self.silent(|it| it.value(mask));
        let value = self.typed(value);
        let lane = self.typed(lane);
        let width = self.typed(width);
        let warp = self.typed(warp).and_then(|it| it.as_int());
        let (Some(value), Some(lane), Some(width)) = (value, lane, width) else {
            return Some(Value::Untyped);
        };
        let Some(warp) = warp.filter(|it| *it > 0) else {
            self.refuse(range, "the size of a warp must be a constant");
            return Some(Value::Untyped);
        };
        let var = self.var(SmolStr::new_static("exchanged"), value.dtype);
        let shuffle = Shuffle {
            var,
            value,
            source: row.1,
            lane,
            width,
            warp,
        };
        self.emit_of_numbers(Collective::Shuffle(Box::new(shuffle)), range);
        Some(Value::Number(Number::strong(self.var_expr(var, range))))
    }
}
