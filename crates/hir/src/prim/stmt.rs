//! Statements, and calls that stand alone.

use relax::diagnostics::Code;
use text_size::TextRange;

use super::block::BLOCK_STATEMENTS;
use super::value::{Named, Value};
use super::{Entity, Reader, arith};
use crate::body::{self, BinaryOp, Expr, ExprId};
use crate::enclosing::PyValue;
use crate::prim_facts::PrimDefKind;
use crate::tir::{self, StmtKind};

/// Calls that are statements about the program and do nothing when it runs.
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

impl Reader<'_> {
    /// Reads the statements of one suite separately and returns them.
    pub fn suite(&mut self, stmts: &[body::Stmt]) -> Vec<tir::Stmt> {
        let outer = std::mem::take(&mut self.out);
        self.stmts(stmts);
        std::mem::replace(&mut self.out, outer)
    }

    /// Reads the statements of one suite. The scope that a bare call opens lasts until the suite's end.
    pub fn stmts(&mut self, stmts: &[body::Stmt]) {
        let frames = self.frames.len();
        for stmt in stmts {
            (self.around.give_way)();
            self.nested(stmt.range, |it| it.stmt(stmt));
        }
        self.close_frames(frames);
    }

    pub fn unsupported(&mut self, range: TextRange) {
        self.refuse_whole(range, "this statement is not supported in a PrimFunc");
    }

    fn stmt(&mut self, stmt: &body::Stmt) {
        let before = self.out.len();
        self.lanes = None;
        self.stmt_inside(stmt);
        if self.out.len() > before {
            self.refuse_vectors(stmt.range);
        }
    }

    fn stmt_inside(&mut self, stmt: &body::Stmt) {
        let range = stmt.range;
        match &stmt.kind {
            body::StmtKind::Assign { targets, value } => {
                if targets.len() > 1 {
                    let message = "TVMScript assigns to one target at a time";
                    self.report(Code::UnsupportedStatement, range, message);
                }
                for target in targets {
                    self.assign(target, *value, range);
                }
            }
            body::StmtKind::AnnAssign {
                target,
                annotation,
                value,
            } => self.annotated(target, *annotation, *value, range),
            body::StmtKind::AugAssign { target, op, value } => {
                self.update(target, *op, *value, range);
            }
            body::StmtKind::Expr(expr) => self.expr_stmt(*expr, range),
            body::StmtKind::Return(Some(value)) => self.returns(*value, range),
            body::StmtKind::Return(None) => self.unsupported(range),
            body::StmtKind::If {
                test,
                then,
                otherwise,
            } => self.if_stmt(*test, then, otherwise.as_deref(), range),
            body::StmtKind::With { items, body } => {
                self.scoped(range, |it| it.with_stmt(items, body, range));
            }
            body::StmtKind::For { target, iter, body } => self.for_stmt(target, *iter, body, range),
            body::StmtKind::While { test, body } => {
                let before = self.out.len();
                let value = self.operand(*test);
                if self.out.len() > before {
                    let message = "a loop cannot test a value of another thread here";
                    self.refuse(self.range(*test), message);
                }
                let doubt = !value.is_tir();
                let number = self.number_of(value, self.range(*test));
                let test = self.truth_of(number, range);
                self.refuse_vectors(test.range);
                let body = self.scoped(range, |it| it.doubtful_if(doubt, |it| it.suite(body)));
                self.emit(StmtKind::While { test, body }, range);
            }
            body::StmtKind::Function(function) => self.inner_function(function),
            body::StmtKind::Assert { test, message } => self.assert(*test, *message, range),
            body::StmtKind::Pass
            | body::StmtKind::Python {
                keyword: "nonlocal" | "global",
                ..
            } => {}
            body::StmtKind::Python {
                keyword: "break" | "continue",
                ..
            } => self.unsupported(range),
            body::StmtKind::Python { keyword, .. } => {
                let long = if *keyword == body::ELSE_IF {
                    body::LONG_CHAIN
                } else {
                    ""
                };
                let message = format!("{long}`{keyword}` is not supported in a PrimFunc");
                self.report(Code::UnsupportedStatement, range, message);
                // The names that it would have bound are not known.
                self.doubt += 1;
            }
            body::StmtKind::Error => {
                self.unsupported(range);
                self.doubt += 1;
            }
        }
    }

    fn if_stmt(
        &mut self,
        test: ExprId,
        then: &[body::Stmt],
        otherwise: Option<&[body::Stmt]>,
        range: TextRange,
    ) {
        let otherwise = otherwise.unwrap_or_default();
        let value = self.operand(test);
        let decides = !value.is_tir();
        let number = self.number_of(value, self.range(test));
        let test = self.truth_of(number, range);
        self.refuse_vectors(test.range);
        let [then, otherwise] = [then, otherwise].map(|branch| {
            let (Some(first), Some(last)) = (branch.first(), branch.last()) else {
                return Vec::new();
            };
            if !decides {
                let range = first.range.cover(last.range);
                return self.scoped(range, |it| it.suite(branch));
            }
            // Python chooses a branch, and its names stay bound; in a program's branch they do not.
            let before = self.entities.len();
            let suite = self.doubtful(|it| it.suite(branch));
            for entity in &mut self.entities[before..] {
                *entity = Entity::Hole;
            }
            suite
        });
        self.emit(
            StmtKind::If {
                test,
                then,
                otherwise,
            },
            range,
        );
    }

    /// Reads a macro inside the function: its names are looked up where it is called.
    fn inner_function(&mut self, function: &body::Function) {
        let name = Named::of(&function.name);
        self.define(&name, function.range, PrimDefKind::Function, Entity::Hole);
        self.doubtful(|it| {
            for decorator in &function.decorators {
                it.value(*decorator);
            }
            it.scoped(function.range, |it| {
                for param in function.params.iter() {
                    if let Some(annotation) = param.annotation {
                        it.value(annotation);
                    }
                    it.define_python(&param.name);
                }
                it.suite(&function.body);
            });
        });
        self.unsupported(function.range);
    }

    fn expr_stmt(&mut self, expr: ExprId, range: TextRange) {
        let body = self.body;
        let Expr::Call { callee, args } = &body.exprs[expr] else {
            self.silent(|it| it.value(expr));
            if !matches!(body.exprs[expr], Expr::Str(_) | Expr::Ellipsis) {
                self.unsupported(range);
            }
            return;
        };
        let path = self.script(*callee).unwrap_or_default();
        if matches!(path.as_str(), "block" | "sblock") {
            self.read_callee(*callee, args);
            self.open_block(args, range);
            return;
        }
        if let Some(row) = BLOCK_STATEMENTS.iter().find(|row| row.0 == path) {
            self.block_statement(row.0, range);
        }
        if path == "attr" && self.reduce_scope(*callee, args) {
            return;
        }
        if SILENT.contains(&path.as_str()) {
            self.block_regions(&path, args);
            self.check_arguments(*callee, args);
            if path == "func_attr" {
                self.check_attributes(args);
            }
            let read = |it: &mut Self| it.without_elements(|it| it.silent(|it| it.value(expr)));
            if matches!(path.as_str(), "reads" | "writes") {
                read(self);
            } else {
                self.before_block(read);
            }
            return;
        }
        match (path.as_str(), args.as_slice()) {
            ("launch_thread", _) => {
                self.read_callee(*callee, args);
                self.launch(args, None, range);
            }
            ("where", [condition]) => {
                self.read_callee(*callee, args);
                let predicate = self.before_block(|it| it.test(condition.value));
                if let Some(open) = self.blocks.last_mut() {
                    open.block.predicate = Some(predicate);
                }
            }
            ("evaluate", [value]) => {
                self.read_callee(*callee, args);
                self.evaluate(value.value, range);
            }
            ("evaluate", _) if args.iter().all(|arg| !arg.starred) => {
                self.read_callee(*callee, args);
                self.silent_args(args);
            }
            ("buffer_store", _) => {
                self.read_callee(*callee, args);
                self.buffer_store(args, range);
            }
            ("", _) => {
                self.value(expr);
                self.unsupported(range);
            }
            _ => self.evaluate(expr, range),
        }
    }

    /// Reports attributes of the function that are set twice.
    fn check_attributes(&mut self, args: &[body::Arg]) {
        let body = self.body;
        let [arg] = args else { return };
        let Expr::Dict(entries) = &body.exprs[arg.value] else {
            return;
        };
        let mut here = Vec::with_capacity(entries.len());
        for key in entries.iter().filter_map(|(key, _)| *key) {
            let Expr::Str(name) = &body.exprs[key] else {
                continue;
            };
            let range = self.range(key);
            if let Some(&before) = self.attributes.get(name) {
                let message = format!("the function already has the attribute `{name}`");
                let related = (before, "it is set here");
                self.report_with(Code::Redefinition, range, message, related);
            }
            here.push((name.clone(), range));
        }
        // In one dict, the last of two equal keys counts.
        self.attributes.extend(here);
    }

    fn evaluate(&mut self, at: ExprId, range: TextRange) {
        if self.packed(at, range) || self.collective(at, range) {
            return;
        }
        let path = self.script(self.call_parts(at).0).unwrap_or_default();
        self.facts.calls_host |= path == "call_extern";
        if path == "ret" {
            return self.returns(at, range);
        }
        let value = self.value(at);
        // TVM keeps strings as they are.
        if let Value::Python(PyValue::Str(_)) = value {
            return self.not_a_number(self.range(at));
        }
        let number = self.number_of(value, self.range(at));
        if let Some(number) = number {
            let value = self.strong(number);
            self.emit(StmtKind::Evaluate(value), range);
        }
    }

    /// Reads `T.buffer_store(A, value, [i, j])`.
    fn buffer_store(&mut self, args: &[body::Arg], range: TextRange) {
        let (mut buffer, mut value, mut indices) = (None, None, None);
        for (param, arg) in self.bound("buffer_store", args) {
            match param {
                "buffer" => {
                    self.value(arg.value);
                    buffer = self.buffer_named(arg.value);
                }
                "value" => value = self.number(arg.value),
                "indices" => indices = Some(arg.value),
                _ => self.silent_args([arg]),
            }
        }
        let (Some(buffer), Some(indices)) = (buffer, indices) else {
            self.unsupported(range);
            return;
        };
        let at = self.range(indices);
        let target = self.element(buffer, indices, at);
        self.store(target, value, at, range);
    }

    /// Reads `A[i] += value`.
    fn update(&mut self, target: &body::Target, op: BinaryOp, value: ExprId, range: TextRange) {
        let value_range = self.range(value);
        let value = self.operand(value);
        let place = match target {
            body::Target::Place(place) => *place,
            body::Target::Name(name) => {
                let old = self.name(&name.text, name.range);
                self.mark_last(name.range);
                let id = self.lookup(&name.text);
                let Some(id) = id.filter(|&id| self.is_written_by_name(id)) else {
                    return self.unsupported(range);
                };
                let value = self.binary_of(op, old, value, [name.range, value_range, range]);
                let value = self.number_of(value, range);
                return self.write_scalar(id, value, range);
            }
            body::Target::Tuple(..) => return self.unsupported(range),
        };
        let target = self.operand(place);
        self.mark_written(place);
        let known = matches!(
            op,
            BinaryOp::Add
                | BinaryOp::Sub
                | BinaryOp::Mul
                | BinaryOp::Div
                | BinaryOp::FloorDiv
                | BinaryOp::Mod
        );
        if !known || !target.is_tir() {
            return self.unsupported(range);
        }
        let at = self.range(place);
        let ranges = [at, value_range, range];
        let value = self.binary_of(op, target.clone(), value, ranges);
        let value = self.number_of(value, range);
        self.store(target, value, at, range);
    }

    /// Stores a value in an element.
    pub fn store(
        &mut self,
        target: Value,
        value: Option<arith::Number>,
        at: TextRange,
        range: TextRange,
    ) {
        let target = match target {
            Value::Region { lanes: Some(_), .. } => self.number_of(target, at).into(),
            target => target,
        };
        match target {
            Value::Region {
                buffer,
                starts,
                sliced: false,
                ..
            } if !starts.is_empty() => self.wrong_index_count(buffer, starts.len(), at),
            Value::Number(arith::Number { expr, .. }) => match (expr.kind, value) {
                (tir::ExprKind::Load(buffer, indices), Some(value)) => {
                    let value = self.strong(value);
                    let value = arith::cast(value, self.func.buffer(buffer).dtype);
                    self.emit_store(buffer, indices, value, range);
                }
                (_, None) => self.missing(range),
                _ => self.unsupported(range),
            },
            target => {
                self.number_of(target, at);
                self.unsupported(range);
            }
        }
    }
}
