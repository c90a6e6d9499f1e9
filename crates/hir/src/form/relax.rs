//! Rows of a Relax function: its signature, attributes, parameters and bindings, from its body and facts.

use ::relax::ops::{Default, Kind, OpDef, Param};
use ::relax::sinfo::StructInfo;
use ::relax::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use text_size::TextRange;

use super::unlowered::unlowered;
use super::value::Writer;
use super::{RowKind, Token};
use crate::body::{Arg, Expr, ExprId, Function, Stmt, StmtKind, Target};
use crate::facts::{ArgFact, CallFact, Def, Join, VarId};
use crate::incremental::LazyFacts;
use crate::queries::lazy_facts;

pub(super) fn write(writer: &mut Writer<'_>) {
    let facts = lazy_facts(writer.db, writer.item);
    let joined: FxHashSet<VarId> = facts.joins.iter().map(|join| join.after).collect();
    // The variable after an `if` has the name and the range of the variable in the first branch.
    let bound = facts.vars().filter(|var| !joined.contains(&var.id));
    let mut function = Relax {
        bound: bound.map(|var| (var.name_range, var.id)).collect(),
        joins: facts
            .joins
            .iter()
            .map(|join| (facts.var(join.after).range, *join))
            .collect(),
        facts,
        inner: 0,
        writer,
    };
    let body = function.writer.body;
    function.function(&body.function);
}

struct Relax<'w, 'db> {
    writer: &'w mut Writer<'db>,
    facts: &'db LazyFacts,
    /// The variables that statements bind, by the range of the name.
    bound: FxHashMap<TextRange, VarId>,
    /// The joined variables, by the range of the `if`.
    joins: FxHashMap<TextRange, Join>,
    /// The number of local functions so far.
    inner: usize,
}

impl<'db> Relax<'_, 'db> {
    fn function(&mut self, function: &'db Function) {
        let index = self.inner;
        self.inner += 1;
        let none = SmolStr::default();
        let params = function.params.iter();
        for param in params {
            let row = self
                .writer
                .row(RowKind::Parameter, &param.name.text, param.name.range);
            if let Some(&var) = self.bound.get(&param.name.range) {
                self.bind(var, row);
                self.writer.part("StructInfo");
                self.struct_info(var);
            }
        }
        self.writer.row(RowKind::Signature, &none, function.header);
        if let Some(fact) = self.facts.functions.get(index) {
            self.writer.part("return");
            self.writer.struct_info(&fact.ret);
            self.writer.decorator(function);
            self.writer.part("pure");
            self.writer.word(fact.pure);
            self.writer.part("private");
            self.writer.word(fact.private);
        }
        if index == 0 {
            self.writer.end_signature();
        }
        self.block(&function.body);
    }

    fn bind(&mut self, var: VarId, row: u32) {
        self.writer.vars.insert(var.0, Token::Row { row, nth: 0 });
    }

    /// Adds the StructInfo of the variable that the row binds.
    fn struct_info(&mut self, var: VarId) {
        let sinfo = self.facts.var(var).struct_info;
        self.writer.struct_info(sinfo);
        if let Some(row) = self.writer.current() {
            row.struct_info = Some(sinfo.clone());
        }
    }

    fn block(&mut self, stmts: &'db [Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &'db Stmt) {
        match &stmt.kind {
            StmtKind::Assign { targets, value } => {
                for target in targets {
                    self.assign(target, *value, stmt.range);
                }
            }
            StmtKind::AnnAssign {
                target,
                annotation,
                value: Some(value),
            } => {
                self.assign(target, *value, stmt.range);
                self.unread_annotation(*annotation);
            }
            StmtKind::Expr(value) => self.call_without_target(*value, stmt.range),
            StmtKind::Return(Some(value)) => {
                self.writer
                    .row(RowKind::Return, &SmolStr::default(), stmt.range);
                self.writer.part("value");
                self.expr(*value);
            }
            StmtKind::If {
                test,
                then,
                otherwise,
            } => self.branches(stmt, *test, then, otherwise.as_deref().unwrap_or_default()),
            StmtKind::With { items, body } => {
                let is_dataflow = items
                    .iter()
                    .any(|(context, _)| matches!(self.facts.value(*context), Value::Dataflow));
                if is_dataflow {
                    self.dataflow(stmt.range, body);
                } else {
                    self.block(body);
                }
            }
            StmtKind::Function(inner) => {
                let row = self
                    .writer
                    .row(RowKind::Block, &inner.name.text, stmt.range);
                self.writer.part("kind");
                self.writer.word("def");
                if let Some(&var) = self.bound.get(&inner.name.range) {
                    self.bind(var, row);
                }
                self.write_nested(row, false, |it| it.function(inner));
            }
            _ => {}
        }
    }

    fn write_nested(&mut self, row: u32, is_free: bool, inside: impl FnOnce(&mut Self)) {
        let parent = self.writer.parent.replace(row);
        let free = std::mem::replace(&mut self.writer.is_free, is_free);
        inside(self);
        self.writer.parent = parent;
        self.writer.is_free = free;
    }

    fn dataflow(&mut self, range: TextRange, body: &'db [Stmt]) {
        let none = SmolStr::default();
        let row = self.writer.row(RowKind::Block, &none, range);
        self.writer.part("kind");
        self.writer.word("dataflow");
        self.write_nested(row, true, |it| it.block(body));
    }

    fn branches(&mut self, stmt: &Stmt, test: ExprId, then: &'db [Stmt], otherwise: &'db [Stmt]) {
        let join = self.joins.get(&stmt.range).copied();
        let name = join.map(|it| self.facts.var(it.after).name.clone());
        let row = self
            .writer
            .row(RowKind::Binding, &name.unwrap_or_default(), stmt.range);
        self.writer.part("condition");
        self.writer.word("if");
        self.expr(test);
        if let Some(join) = join {
            self.writer.part("StructInfo");
            self.struct_info(join.after);
        }
        for (word, stmts) in [("then", then), ("else", otherwise)] {
            let range = stmts.first().map_or(stmt.range, |first| first.range);
            let parent = self.writer.parent.replace(row);
            let branch = self.writer.row(RowKind::Block, &SmolStr::default(), range);
            self.writer.part("kind");
            self.writer.word(word);
            self.write_nested(branch, false, |it| it.block(stmts));
            self.writer.parent = parent;
        }
        if let Some(join) = join {
            self.bind(join.after, row);
        }
    }

    /// Adds a call without a target.
    fn call_without_target(&mut self, value: ExprId, range: TextRange) {
        match self.facts.value(value) {
            Value::Nothing => {
                if !self.writer.attributes(value) {
                    self.outputs(value, range);
                }
            }
            Value::None | Value::Str(_) => {}
            _ => {
                let row = self
                    .writer
                    .row(RowKind::Binding, &SmolStr::default(), range);
                self.write_value(value);
                if let Some(&var) = self.bound.get(&range) {
                    self.bind(var, row);
                }
            }
        }
    }

    /// Adds the outputs of a dataflow block.
    fn outputs(&mut self, value: ExprId, range: TextRange) {
        let Expr::Call { args, .. } = &self.writer.body.exprs[value] else {
            return;
        };
        let mut rows: Vec<Token> = Vec::new();
        for arg in args {
            if let Some(Def::Var(var)) = self.facts.def(arg.value) {
                rows.extend(self.writer.vars.get(&var.0));
            }
        }
        let free = std::mem::take(&mut self.writer.is_free);
        self.writer.row(RowKind::Block, &SmolStr::default(), range);
        self.writer.part("outputs");
        self.writer.word("output");
        for it in rows {
            self.writer.token(it);
        }
        self.writer.is_free = free;
    }

    fn assign(&mut self, target: &Target, value: ExprId, range: TextRange) {
        match target {
            Target::Name(name) => {
                let Some(&var) = self.bound.get(&name.range) else {
                    return;
                };
                let row = self.writer.row(RowKind::Binding, &name.text, range);
                self.write_value(value);
                self.writer.part("StructInfo");
                self.struct_info(var);
                self.bind(var, row);
            }
            Target::Tuple(targets, _) => match &self.writer.body.exprs[value] {
                Expr::Tuple(items) | Expr::List(items) if items.len() == targets.len() => {
                    for (target, &item) in targets.iter().zip(items) {
                        self.assign(target, item, range);
                    }
                }
                _ => {
                    for target in targets {
                        self.assign(target, value, range);
                    }
                }
            },
            Target::Place(_) => {}
        }
    }

    /// Adds an annotation that only Python knows, which has no StructInfo to compare.
    fn unread_annotation(&mut self, annotation: ExprId) {
        if *self.facts.value(annotation) == Value::Unknown {
            self.writer.part("annotation");
            self.writer.written(annotation);
        }
    }

    /// Adds the parts of a binding that say how its value is computed.
    fn write_value(&mut self, value: ExprId) {
        if let Some(call) = self.facts.call(value) {
            let op = call.op.0;
            if let Some(row) = self.writer.current() {
                row.op = Some(op);
                row.unlowered = unlowered(call, self.facts);
            }
            self.operator(value, call, true);
        } else {
            self.writer.part("value");
            self.expr(value);
        }
    }

    /// Adds an expression with its operands.
    fn expr(&mut self, expr: ExprId) {
        let (body, facts) = (self.writer.body, self.facts);
        if let Some(Def::Var(var)) = facts.def(expr)
            && let Some(token) = self.writer.vars.get(&var.0).copied()
        {
            return self.writer.token(token);
        }
        if let Some(call) = facts.call(expr) {
            return self.operator(expr, call, false);
        }
        match &body.exprs[expr] {
            Expr::Call { callee, args } => {
                // For a shape, a dtype or a string, the value says everything.
                if !self.makes_a_tensor(expr) && self.writer.value(facts.value(expr)) {
                    return;
                }
                self.call(expr, *callee, args);
            }
            Expr::Tuple(items) | Expr::List(items) => {
                self.writer.word(("list", items.len()));
                for it in items {
                    self.expr(*it);
                }
            }
            Expr::Subscript { base, index } if !body.is_metadata(expr) => {
                self.writer.word("item");
                self.expr(*base);
                self.expr(*index);
            }
            _ => {
                if !self.writer.value(facts.value(expr)) {
                    self.writer.written(expr);
                }
            }
        }
    }

    fn makes_a_tensor(&self, expr: ExprId) -> bool {
        matches!(
            self.facts.value(expr),
            Value::Expr(StructInfo::Tensor(_) | StructInfo::DTensor(_))
        )
    }

    /// Adds the call of an operator, without arguments that have their defaults.
    fn operator(&mut self, expr: ExprId, call: &'db CallFact, parts: bool) {
        let op = call.op.0;
        if parts {
            self.writer.part("operator");
        }
        self.writer.word(("operator", op.name));
        for (param, arg) in op.params.iter().zip(&call.args) {
            // The result expresses these in each dialect.
            if param.kind == Kind::Annotation || is_rfc_result(op, param.name) {
                continue;
            }
            match arg {
                ArgFact::Absent => continue,
                ArgFact::One(arg) if is_default(param, self.facts.value(*arg)) => continue,
                ArgFact::Many(args) if args.is_empty() => continue,
                _ => {}
            }
            if parts {
                self.writer.part(param.name);
            }
            self.writer.word(param.name);
            for &arg in arg.exprs() {
                self.expr(arg);
            }
        }
        if op
            .params
            .iter()
            .any(|it| it.kind == Kind::Annotation || is_rfc_result(op, it.name))
            && let Value::Expr(result) = self.facts.value(expr)
            && !parts
        {
            self.writer.struct_info(result);
        }
    }

    /// Adds a call of a function, or of a name under `R` that is not an operator.
    fn call(&mut self, expr: ExprId, callee: ExprId, args: &'db [Arg]) {
        match self.facts.value(callee) {
            Value::Script(path) => self.writer.word(("script", path.rest.as_str())),
            _ => {
                self.writer.word("call");
                self.expr(callee);
            }
        }
        for arg in args {
            if let Some(keyword) = &arg.keyword {
                self.writer.word(keyword.text.as_str());
            }
            self.expr(arg.value);
        }
        if let Value::Expr(result) = self.facts.value(expr) {
            self.writer.struct_info(result);
        }
    }
}

/// Returns `true` if a parameter of the RFC's `call_tir` specifies the result.
fn is_rfc_result(op: &OpDef, param: &str) -> bool {
    op.name.starts_with("relax.call_") && matches!(param, "shape" | "dtype")
}

/// Returns `true` if an argument has the same meaning as its default.
fn is_default(param: &Param, value: &Value) -> bool {
    match (param.default, value) {
        // Up to 0.25, TVM prints this for a missing dtype.
        (_, Value::Str(dtype)) if param.kind == Kind::DType => {
            matches!(dtype.as_str(), "" | "void") || is_text(param.default, dtype)
        }
        (Default::None, Value::None) => true,
        (Default::Bool(a), Value::Bool(b)) => a == *b,
        (Default::Int(a), Value::Int(b)) => a == *b,
        (Default::Float(a), Value::Float(b)) => a == *b,
        (default, Value::Str(text) | Value::DType(text)) => is_text(default, text),
        (Default::Ints(a), Value::List(items)) => {
            a.len() == items.len()
                && a.iter()
                    .zip(items.iter())
                    .all(|(a, b)| *b == Value::Int(*a))
        }
        _ => false,
    }
}

fn is_text(default: Default, text: &str) -> bool {
    matches!(default, Default::Str(it) if it == text)
}
