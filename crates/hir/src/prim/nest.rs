//! Loops and the domains of loop variables.

use relax::diagnostics::Code;
use relax::dtype::DType;
use smol_str::SmolStr;
use text_size::TextRange;

use super::arith::Number;
use super::value::{Named, Value};
use super::{Entity, Reader};
use crate::body::{self, Arg, Expr, ExprId};
use crate::enclosing::PyValue;
use crate::prim_facts::{Dim, LoopFact, LoopKind, PrimDefKind};
use crate::tir::{self, Binary, ForKind, Stmt, StmtKind, ThreadAxis, VarId};

/// The most loops of one `T.grid`.
const MAX_LOOPS: usize = 64;

/// A bound as it is shown, and its number if it is one.
pub(super) type ShownBound = (Dim, Option<Number>);

/// The kind and domain of a loop, without its body.
struct Loop {
    fact: LoopFact,
    /// The start and the extent.
    domain: Option<(tir::Expr, tir::Expr)>,
    step: i64,
    kind: Option<ForKind>,
}

impl Reader<'_> {
    pub fn for_stmt(
        &mut self,
        target: &body::Target,
        iter: ExprId,
        stmts: &[body::Stmt],
        range: TextRange,
    ) {
        let body = self.body;
        let (callee, args) = match &body.exprs[iter] {
            Expr::Call { callee, args } => (*callee, args.as_slice()),
            _ => (iter, [].as_slice()),
        };
        let path = self.script(callee);
        let (kind, path) = match (&body.exprs[callee], &path) {
            (Expr::Name(name), _) if name == "range" && self.lookup(name).is_none() => {
                (Some(LoopKind::Serial), "range")
            }
            (_, Some(path)) => (LoopKind::parse(path), path.as_str()),
            _ => (None, ""),
        };
        if kind.is_some() {
            self.silent(|it| it.read_callee(callee, args));
        }
        match kind {
            Some(LoopKind::Grid) => self.grid_stmt(target, args, stmts, range),
            Some(kind) => {
                let made = self.loop_of(kind, path, args, range);
                self.scoped(range, |it| it.run_loop(target, made, stmts, range));
            }
            None => {
                let message =
                    "a loop of a PrimFunc must run over `range`, `T.grid` or another loop of `T`";
                if matches!(body.exprs[iter], Expr::List(_) | Expr::Tuple(_)) {
                    self.report(Code::UnsupportedStatement, self.range(iter), message);
                } else {
                    self.refuse(self.range(iter), message);
                }
                match self.silent(|it| it.value(iter)) {
                    Value::Number(_) | Value::Python(PyValue::Int(_) | PyValue::Str(_)) => {
                        self.report(Code::UnsupportedStatement, self.range(iter), message);
                    }
                    _ => {}
                }
                self.scoped(range, |it| {
                    it.define_python_target(target);
                    it.suite(stmts);
                });
            }
        }
    }

    fn run_loop(
        &mut self,
        target: &body::Target,
        made: Loop,
        stmts: &[body::Stmt],
        range: TextRange,
    ) {
        self.refuse_vectors(range);
        let name = Named::of_target(target);
        let (Some(name), Some((min, extent)), Some(kind)) = (&name, made.domain, made.kind) else {
            match &name {
                Some(name) => {
                    let kind = PrimDefKind::Loop(made.fact);
                    self.define(name, name.range, kind, Entity::Hole);
                }
                None => {
                    let message = "this loop has one variable: a loop with several is `T.grid`";
                    match target {
                        body::Target::Tuple(_, at) => {
                            self.report(Code::IterationCount, *at, message);
                        }
                        _ => self.refuse(range, message),
                    }
                    self.define_python_target(target);
                }
            }
            self.suite(stmts);
            return;
        };
        let var = self.loop_var(name.text.clone(), &min, &extent);
        let extent = match made.step {
            1 => extent,
            step => {
                self.loops.remove(&var);
                self.steps(extent, step, range)
            }
        };
        let def = PrimDefKind::Loop(made.fact);
        self.define(name, name.range, def, Entity::Var(var));
        let body = self.suite(stmts);
        let stmt = for_stmt(var, min, extent, made.step, kind, body, range);
        self.out.push(stmt);
    }

    pub fn loop_var(&mut self, name: SmolStr, min: &tir::Expr, extent: &tir::Expr) -> VarId {
        let var = self.var(name, extent.dtype);
        self.loops.insert(var, (min.clone(), extent.clone()));
        var
    }

    fn grid_stmt(
        &mut self,
        target: &body::Target,
        args: &[Arg],
        stmts: &[body::Stmt],
        range: TextRange,
    ) {
        let extents = self.grid(args);
        self.scoped(range, |it| {
            let mut vars = it.grid_targets(target, extents, range);
            if vars.len() > MAX_LOOPS {
                it.refuse(range, "this is nested too deeply");
                vars.clear();
            }
            let mut body = it.suite(stmts);
            for (var, extent) in vars.into_iter().rev() {
                let min = tir::Expr::int(0, extent.dtype, range);
                body = vec![for_stmt(var, min, extent, 1, ForKind::Serial, body, range)];
            }
            it.out.extend(body);
        });
    }

    /// Returns the extents of `T.grid`, or `None` if only Python knows their number.
    fn grid(&mut self, args: &[Arg]) -> Option<Vec<ShownBound>> {
        let mut extents = Some(Vec::with_capacity(args.len()));
        for arg in args {
            if arg.keyword.is_some() {
                self.silent_args([arg]);
                continue;
            }
            // `T.grid(*A.shape)`
            let more = if arg.starred {
                let dims = self.dims(arg.value);
                let bound = |it| (Dim::of(&it), Some(Number::strong(it)));
                dims.map(|dims| dims.into_iter().map(bound).collect())
            } else {
                Some(vec![self.bound_at(arg.value)])
            };
            match (&mut extents, more) {
                (Some(extents), Some(more)) => extents.extend(more),
                _ => extents = None,
            }
        }
        extents
    }

    fn grid_targets(
        &mut self,
        target: &body::Target,
        extents: Option<Vec<ShownBound>>,
        range: TextRange,
    ) -> Vec<(VarId, tir::Expr)> {
        let Some(extents) = extents else {
            self.define_python_target(target);
            return Vec::new();
        };
        let (names, targets_range) = match target {
            body::Target::Tuple(targets, range) => {
                (targets.iter().map(Named::of_target).collect(), *range)
            }
            _ => (vec![Named::of_target(target)], range),
        };
        let Some(names) = names.into_iter().collect::<Option<Vec<Named>>>() else {
            self.refuse(range, "a loop variable must be a name");
            self.define_python_target(target);
            return Vec::new();
        };
        let is_tuple = matches!(target, body::Target::Tuple(..));
        // In `for iters in T.grid(m, n)` one name stands for all loop variables.
        if !is_tuple && extents.len() != 1 {
            let name = &names[0];
            let vars: Vec<_> = extents
                .into_iter()
                .map(|(_, extent)| self.grid_var(name, extent, range))
                .collect();
            let items: Option<Vec<tir::Expr>> = vars
                .iter()
                .map(|it| Some(self.var_expr(it.as_ref()?.0, range)))
                .collect();
            let entity = items.map_or(Entity::Hole, Entity::Items);
            self.define(name, name.range, PrimDefKind::Python, entity);
            return vars.into_iter().flatten().collect();
        }
        if names.len() != extents.len() {
            let message = format!(
                "`T.grid` has {}, and {} named",
                count(extents.len(), "extent"),
                are(names.len(), "loop variable"),
            );
            self.report(Code::IterationCount, targets_range, message);
        }
        let mut vars = Vec::with_capacity(names.len());
        let mut extents = extents.into_iter();
        for name in &names {
            let twice = name.text != "_" && self.defined_here(&name.text).is_some();
            if twice {
                let message = format!("the loop variable `{}` is named twice", name.text);
                self.report(Code::Redefinition, name.range, message);
            }
            let Some((stop, extent)) = extents.next() else {
                self.define(name, name.range, PrimDefKind::Python, Entity::Hole);
                continue;
            };
            let var = self.grid_var(name, extent, range);
            let kind = PrimDefKind::Loop(LoopFact {
                kind: LoopKind::Grid,
                start: None,
                stop: Some(stop),
                step: None,
                thread: None,
                dtype: var.as_ref().map(|(_, extent)| extent.dtype),
            });
            let entity = var.as_ref().map_or(Entity::Hole, |it| Entity::Var(it.0));
            self.define(name, name.range, kind, entity);
            vars.extend(var);
        }
        vars
    }

    fn grid_var(
        &mut self,
        name: &Named,
        extent: Option<Number>,
        range: TextRange,
    ) -> Option<(VarId, tir::Expr)> {
        let extent = self.strong(extent?);
        let extent = self.integer(extent);
        let min = tir::Expr::int(0, extent.dtype, range);
        Some((self.loop_var(name.text.clone(), &min, &extent), extent))
    }

    /// Reads `range(4)`, `T.serial(0, n)` or `T.thread_binding(32, thread="threadIdx.x")`.
    fn loop_of(&mut self, kind: LoopKind, path: &str, args: &[Arg], range: TextRange) -> Loop {
        let (mut bounds, mut step, mut axis, mut thread): (Vec<ShownBound>, _, _, _) =
            (Vec::new(), None, None, None);
        for (param, arg) in self.bound(path, args) {
            // `T.thread_binding(32, "threadIdx.x")`
            let is_text = matches!(self.body.exprs[arg.value], Expr::Str(_));
            match param {
                _ if arg.starred => {
                    self.silent_args([arg]);
                    self.refuse(range, "these bounds are only known when Python runs");
                }
                "thread" => (axis, thread) = self.thread_axis(arg.value),
                "start" | "stop" if kind == LoopKind::Thread && is_text => {
                    (axis, thread) = self.thread_axis(arg.value);
                }
                "stop" if matches!(self.body.exprs[arg.value], Expr::None) => {}
                "start" | "stop" | "extent" => bounds.push(self.bound_at(arg.value)),
                "step" if !matches!(self.body.exprs[arg.value], Expr::None) => {
                    step = Some(self.bound_at(arg.value));
                }
                _ => self.silent_args([arg]),
            }
        }
        let mut fact = LoopFact {
            kind,
            start: None,
            stop: None,
            step: step.as_ref().map(|it| it.0),
            thread,
            dtype: Some(DType::I32),
        };
        let step = match step {
            None => 1,
            Some((_, number)) => match number.and_then(|it| it.expr.as_int()) {
                Some(step) if step > 0 && kind == LoopKind::Serial => step,
                _ => {
                    self.refuse(range, "the step of a loop must be a constant above 0");
                    1
                }
            },
        };
        let kind = match (kind, axis) {
            (LoopKind::Thread, None) => {
                self.refuse_whole(range, "this loop needs the name of a thread axis");
                None
            }
            (LoopKind::Thread, Some(axis)) => Some(ForKind::Thread(axis)),
            (LoopKind::Parallel, _) => Some(ForKind::Parallel),
            (LoopKind::Vectorized, _) => Some(ForKind::Vectorized),
            (LoopKind::Unroll, _) => Some(ForKind::Unrolled),
            (LoopKind::Serial | LoopKind::Grid, _) => Some(ForKind::Serial),
        };
        let mut bounds = bounds.into_iter();
        let domain = match (bounds.next(), bounds.next()) {
            (Some((stop, number)), None) => {
                fact.stop = Some(stop);
                number.map(|number| {
                    let stop = self.strong(number);
                    let stop = self.integer(stop);
                    (tir::Expr::int(0, stop.dtype, range), stop)
                })
            }
            (Some((start, low)), Some((stop, high))) => {
                (fact.start, fact.stop) = (Some(start), Some(stop));
                low.zip(high).map(|(low, high)| {
                    let (low, high) = self.unify(low, high);
                    let (low, high) = (self.integer(low), self.integer(high));
                    let (from, to) = (Number::strong(low.clone()), Number::strong(high));
                    (low, self.binary(Binary::Sub, to, from, range).expr)
                })
            }
            (None, _) => {
                self.refuse_whole(range, "a loop needs an extent");
                None
            }
        };
        if fact.stop.is_some() {
            fact.dtype = domain.as_ref().map(|(_, extent)| extent.dtype);
        }
        Loop {
            fact,
            domain,
            step,
            kind,
        }
    }

    /// Returns the number of steps in an extent: the last may be shorter.
    fn steps(&mut self, extent: tir::Expr, step: i64, range: TextRange) -> tir::Expr {
        let step = self.of_dtype(Number::int(i128::from(step), range), extent.dtype);
        let (extent, step) = (Number::strong(extent), Number::strong(step));
        let whole = self.binary(Binary::FloorDiv, extent.clone(), step.clone(), range);
        let rest = self.binary(Binary::FloorMod, extent, step, range);
        let dtype = rest.expr.dtype;
        let one = Number::strong(tir::Expr::int(1, dtype, range));
        // A sum with `step - 1` would wrap.
        let last = self.binary(Binary::Min, rest, one, range);
        self.binary(Binary::Add, whole, last, range).expr
    }

    /// Returns the axis that `"threadIdx.x"` or a variable of `T.env_thread` names, and its text.
    pub fn thread_axis(&mut self, at: ExprId) -> (Option<ThreadAxis>, Option<SmolStr>) {
        let range = self.range(at);
        match self.value(at) {
            Value::Thread(Some(axis)) => (Some(axis), None),
            Value::Python(PyValue::Str(text)) => {
                let axis = ThreadAxis::parse(&text);
                if axis.is_none() {
                    self.refuse(range, format!("`{text}` is not a thread axis"));
                }
                (axis, Some(text))
            }
            _ => {
                self.refuse_whole(range, "the name of a thread axis must be a string");
                (None, None)
            }
        }
    }

    /// Reads the bounds of a domain: `n` or `(low, high)`.
    pub fn domain(&mut self, at: ExprId) -> (Option<ShownBound>, ShownBound) {
        let body = self.body;
        match &body.exprs[at] {
            Expr::Tuple(items) | Expr::List(items) if items.len() == 2 => {
                (Some(self.bound_at(items[0])), self.bound_at(items[1]))
            }
            _ => (None, self.bound_at(at)),
        }
    }

    pub fn bound_at(&mut self, at: ExprId) -> ShownBound {
        let range = self.range(at);
        let number = self.number(at);
        let value = number.as_ref().and_then(|it| it.expr.as_int());
        (Dim { range, value }, number)
    }
}

pub(super) fn for_stmt(
    var: VarId,
    min: tir::Expr,
    extent: tir::Expr,
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

pub(super) fn count(n: usize, what: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{n} {what}{plural}")
}

fn are(n: usize, what: &str) -> String {
    let verb = if n == 1 { "is" } else { "are" };
    format!("{} {verb}", count(n, what))
}
