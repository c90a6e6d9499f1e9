//! Expressions: names are resolved, buffers indexed, dtypes followed as far as they are plain.

use relax::diagnostics::{Code, Diagnostic, Severity};
use relax::dtype::DType;
use relax::script;
use relax::script::{Namespace, ScriptPath};
use smol_str::{SmolStr, format_smolstr};
use text_size::TextRange;

use super::resolve::Resolve;
use super::value::{Named, Value, meet};
use super::{Access, PrimDefId, PrimDefKind, Target};
use crate::body::{self, BinaryOp, CompClause, Expr, ExprId, FormatPart, UnaryOp};
use crate::enclosing::{self, PyValue};

impl<'a> Resolve<'a> {
    pub fn expr(&mut self, at: ExprId) -> Value {
        self.nested(|it| it.expr_inner(at))
    }

    fn exprs(&mut self, all: &[ExprId]) {
        for &at in all {
            self.expr(at);
        }
    }

    fn expr_inner(&mut self, at: ExprId) -> Value {
        let body = self.body;
        match &body.exprs[at] {
            Expr::Missing | Expr::Endless | Expr::BigNumber(_) => Value::Unknown,
            Expr::Ellipsis => Value::Other,
            Expr::None => Value::Python(PyValue::None),
            Expr::Bool(value) => Value::Python(PyValue::Bool(*value)),
            Expr::Int(value) => Value::Python(PyValue::Int(*value)),
            Expr::Float(value) => Value::Python(PyValue::Float(*value)),
            Expr::Str(value) => Value::Python(PyValue::Str(value.clone())),
            Expr::Name(name) => self.name(name, self.range(at)),
            Expr::Tuple(items) | Expr::List(items) => {
                let mut all = Vec::with_capacity(items.len());
                for &item in items {
                    let starred = matches!(body.exprs[item], Expr::Star(_));
                    match self.expr(item) {
                        Value::Python(value) if !starred => all.push(value),
                        _ if starred => return self.rest_unknown(items, item),
                        _ => all.push(PyValue::Unknown),
                    }
                }
                Value::Python(PyValue::list(all))
            }
            Expr::Dict(entries) => {
                for (key, value) in entries {
                    if let Some(key) = key {
                        self.expr(*key);
                    }
                    self.expr(*value);
                }
                Value::Other
            }
            Expr::Call { callee, args } => self.call(*callee, args),
            Expr::Attribute { base, name } => self.attribute(at, *base, name),
            Expr::Subscript { base, index } => self.subscript(at, *base, *index),
            Expr::Slice { start, stop, step } => {
                for part in [start, stop, step].into_iter().flatten() {
                    self.expr(*part);
                }
                Value::Other
            }
            Expr::Binary { op, lhs, rhs } => self.binary(at, *op, *lhs, *rhs),
            Expr::Unary { op, operand } => {
                let value = self.operand(*operand);
                match (op, &value) {
                    (UnaryOp::Minus, Value::Python(PyValue::Int(value))) => {
                        Value::Python(PyValue::Int(value.wrapping_neg()))
                    }
                    (_, Value::Python(_)) => Value::Unknown,
                    _ => value,
                }
            }
            Expr::Not(operand) => {
                let value = self.operand(*operand);
                truth(&[value])
            }
            Expr::Compare { first, rest } => {
                let mut values = vec![self.operand(*first)];
                for (_, operand) in rest {
                    values.push(self.operand(*operand));
                }
                if let ([(op, _)], [a, b]) = (rest.as_slice(), values.as_slice())
                    && let (Value::Python(a), Value::Python(b)) = (a, b)
                {
                    return Value::Python(enclosing::compare(*op, a, b));
                }
                truth(&values)
            }
            Expr::BoolOp { operands, .. } => {
                let mut values: Vec<Value> = Vec::with_capacity(operands.len());
                for &operand in operands {
                    // What Python decides may keep the rest from being read.
                    let doubt = values.iter().any(|value| !value.is_tir());
                    let value = self.doubtful_if(doubt, |it| it.operand(operand));
                    values.push(value);
                }
                truth(&values)
            }
            Expr::IfElse {
                test,
                then,
                otherwise,
            } => {
                let doubt = !self.expr(*test).is_tir();
                let (a, b) = self.doubtful_if(doubt, |it| (it.expr(*then), it.expr(*otherwise)));
                if a == b || doubt {
                    return if a == b { a } else { Value::Unknown };
                }
                Value::number(meet(&a, &b))
            }
            Expr::Star(inner) => {
                self.expr(*inner);
                Value::Unknown
            }
            Expr::Lambda(lambda) => {
                let range = self.range(at);
                self.scoped(range, |it| {
                    for param in &lambda.params {
                        it.define_python(&param.name);
                    }
                    it.doubtful(|it| it.expr(lambda.body));
                });
                Value::Other
            }
            Expr::Comprehension(it) => {
                self.comprehension(it, self.range(at));
                Value::Unknown
            }
            Expr::Walrus { name, value } => {
                let value = self.expr(*value);
                self.define_python(name);
                value
            }
            Expr::Format(parts) => {
                for part in parts {
                    if let FormatPart::Field(field) = part {
                        self.expr(*field);
                    }
                }
                Value::Unknown
            }
            Expr::Python(parts) => {
                self.exprs(parts);
                Value::Unknown
            }
        }
    }

    /// The rest of a list after `*values`, whose length is unknown.
    fn rest_unknown(&mut self, items: &[ExprId], after: ExprId) -> Value {
        let rest = items.iter().skip_while(|item| **item != after).skip(1);
        for &item in rest {
            self.expr(item);
        }
        Value::Unknown
    }

    fn comprehension(&mut self, it: &body::Comprehension, range: TextRange) {
        self.scoped(range, |resolve| {
            for (nth, clause) in it.clauses.iter().enumerate() {
                match clause {
                    CompClause::For { target, iter } => {
                        resolve.doubtful_if(nth > 0, |resolve| resolve.expr(*iter));
                        resolve.define_python_target(target);
                    }
                    CompClause::If(test) => {
                        resolve.doubtful(|resolve| resolve.expr(*test));
                    }
                }
            }
            resolve.doubtful(|resolve| {
                if let Some(key) = it.key {
                    resolve.expr(key);
                }
                resolve.expr(it.element);
            });
        });
    }

    pub fn define_python(&mut self, name: &body::Name) {
        let named = Named {
            text: name.text.clone(),
            range: name.range,
        };
        self.define(&named, name.range, PrimDefKind::Python);
    }

    pub fn define_python_target(&mut self, target: &body::Target) {
        match target {
            body::Target::Name(name) => self.define_python(name),
            body::Target::Tuple(targets, _) => {
                for target in targets {
                    self.define_python_target(target);
                }
            }
            body::Target::Place(place) => match self.starred_name(*place) {
                Some(name) => {
                    self.define(&name, name.range, PrimDefKind::Python);
                }
                None => {
                    self.expr(*place);
                }
            },
        }
    }

    /// `*rest` as a target.
    pub fn starred_name(&self, place: ExprId) -> Option<Named> {
        let Expr::Star(inner) = self.body.exprs[place] else {
            return None;
        };
        let Expr::Name(text) = &self.body.exprs[inner] else {
            return None;
        };
        Some(Named {
            text: text.clone(),
            range: self.range(inner),
        })
    }

    /// The callee and the arguments of a call; anything else is a callee alone.
    pub fn call_parts(&self, expr: ExprId) -> (ExprId, &'a [body::Arg]) {
        let body = self.body;
        match &body.exprs[expr] {
            Expr::Call { callee, args } => (*callee, args),
            Expr::Subscript { base, .. } => (*base, &[]),
            _ => (expr, &[]),
        }
    }

    /// What a dotted name is under `T`: `axis.spatial`; under `I` with `I.` before it.
    pub fn script(&self, expr: ExprId) -> Option<SmolStr> {
        match &self.body.exprs[expr] {
            // The usual case: `T.name`.
            Expr::Attribute { base, name } if matches!(self.body.exprs[*base], Expr::Name(_)) => {
                let Expr::Name(root) = &self.body.exprs[*base] else {
                    return None;
                };
                let root = self.script_root(root)?;
                Some(under(&root, &name.text))
            }
            Expr::Attribute { base, name } => {
                let base = self.script(*base)?;
                if base.is_empty() {
                    return Some(name.text.clone());
                }
                Some(SmolStr::from(format!("{base}.{}", name.text)))
            }
            Expr::Name(root) => match self.script_root(root)? {
                path if path.rest.is_empty() => None,
                path => Some(under(&path, "")),
            },
            _ => None,
        }
    }

    fn script_root(&self, root: &SmolStr) -> Option<ScriptPath> {
        if self.lookup(root).is_some() {
            return None;
        }
        let path = match self.around.env.get(root) {
            Some(PyValue::Path(path)) => self.namespace_of(path)?,
            Some(_) => return None,
            None => relax::script::unbound_path(root)?,
        };
        matches!(path.namespace, Namespace::Tir | Namespace::Ir).then_some(path)
    }

    /// Marks a callee or a dtype as a name of TVMScript; anything else is read as an expression.
    pub fn callee(&mut self, at: ExprId) -> Value {
        match self.script(at) {
            Some(path) => {
                if let Expr::Attribute { base, name } = &self.body.exprs[at] {
                    self.check_script_name(*base, &path, name);
                }
                self.mention(self.range(at), Target::Script(path), Access::Read);
                Value::Other
            }
            None => self.expr(at),
        }
    }

    fn attribute(&mut self, at: ExprId, base: ExprId, name: &body::Name) -> Value {
        if self.script(at).is_some() {
            return self.callee(at);
        }
        match (self.expr(base), name.text.as_str()) {
            (Value::Buffer(_), "data") => Value::Pointer,
            (Value::Buffer(_), "elem_offset") => Value::number(None),
            _ => Value::Unknown,
        }
    }

    /// A name right under `T` or `I` that does not exist; the first place of it shows the mistake.
    fn check_script_name(&mut self, base: ExprId, path: &str, name: &body::Name) {
        let Expr::Name(root) = &self.body.exprs[base] else {
            return;
        };
        let Some(root) = self.script_root(root).filter(|root| root.rest.is_empty()) else {
            return;
        };
        let unknown = script::unknown(root.namespace, &name.text, self.around.dialect);
        let Some(unknown) = unknown.filter(|_| self.doubt == 0) else {
            return;
        };
        if !self.undefined.insert(format_smolstr!("T.{path}")) {
            return;
        }
        let mut diagnostic = Diagnostic::new(Code::UndefinedName, name.range, unknown.message);
        match unknown.near {
            Some(near) => diagnostic.instead = Some((name.range, near.into())),
            None => diagnostic.severity = Severity::Warning,
        }
        self.facts.diagnostics.push(diagnostic);
    }

    fn subscript(&mut self, at: ExprId, base: ExprId, index: ExprId) -> Value {
        if let Expr::Attribute { base: buffer, name } = &self.body.exprs[base]
            && name.text == "shape"
            && let Some(id) = self.buffer_named(*buffer)
        {
            self.expr(base);
            let index = self.expr(index).int();
            let PrimDefKind::Buffer(fact) = &self.facts.def(id).kind else {
                return Value::Unknown;
            };
            let dims = fact.shape.as_ref();
            let dim = index.and_then(|at| dims?.get(usize::try_from(at).ok()?));
            return match dim.and_then(|dim| dim.value) {
                Some(value) => Value::Python(PyValue::Int(value)),
                None => Value::number(None),
            };
        }
        match self.expr(base) {
            Value::Buffer(id) => self.element(id, index, self.range(at)),
            Value::Python(PyValue::List(items)) => match self.expr(index).int() {
                Some(at) => {
                    let at = if at < 0 { at + items.len() as i64 } else { at };
                    let item = usize::try_from(at).ok().and_then(|at| items.get(at));
                    item.map_or(Value::Unknown, |item| match item {
                        PyValue::Unknown => Value::Unknown,
                        item => Value::Python(item.clone()),
                    })
                }
                None => Value::Unknown,
            },
            _ => {
                self.expr(index);
                Value::Unknown
            }
        }
    }

    /// `A[i, j]`: an element, or a part where some index is a slice or absent.
    pub fn element(&mut self, buffer: PrimDefId, index: ExprId, range: TextRange) -> Value {
        let body = self.body;
        let (parts, alone) = match &body.exprs[index] {
            Expr::Tuple(items) => (items.as_slice(), false),
            _ => (std::slice::from_ref(&index), true),
        };
        let (mut sliced, mut open) = (false, false);
        for &part in parts {
            match &body.exprs[part] {
                Expr::Slice { .. } => sliced = true,
                Expr::Star(_) => open = true,
                _ => {}
            }
            let value = self.expr(part);
            // One name may stand for all the indices.
            open |= alone && !sliced && value.dtype().is_none() && !is_count(&value);
        }
        let PrimDefKind::Buffer(fact) = &self.facts.def(buffer).kind else {
            return Value::Unknown;
        };
        let dtype = fact.dtype;
        let Some(rank) = fact.shape.as_ref().map(Vec::len).filter(|_| !open) else {
            return Value::Unknown;
        };
        let given = parts.len();
        if given > rank {
            self.wrong_index_count(buffer, given, rank, range);
            return Value::Unknown;
        }
        if sliced || given < rank {
            return Value::Region {
                buffer,
                given,
                sliced,
            };
        }
        Value::number(dtype)
    }

    pub fn wrong_index_count(
        &mut self,
        buffer: PrimDefId,
        given: usize,
        rank: usize,
        range: TextRange,
    ) {
        let def = self.facts.def(buffer);
        let (name, at) = (def.name.clone(), def.name_range);
        let dims = if rank == 1 { "dimension" } else { "dimensions" };
        let indices = if given == 1 {
            "index is"
        } else {
            "indices are"
        };
        let message = format!("`{name}` has {rank} {dims}, and {given} {indices} given");
        let note = (at, "the buffer is defined here");
        self.report_with(Code::IndexCount, range, message, note);
    }

    /// An expression that must be a number: a part of a buffer is none.
    pub fn operand(&mut self, at: ExprId) -> Value {
        let value = self.expr(at);
        if let Value::Region {
            buffer,
            given,
            sliced: false,
        } = value
            && given > 0
            && let PrimDefKind::Buffer(fact) = &self.facts.def(buffer).kind
        {
            let rank = fact.shape.as_ref().map_or(0, Vec::len);
            self.wrong_index_count(buffer, given, rank, self.range(at));
            return Value::Unknown;
        }
        value
    }

    fn binary(&mut self, at: ExprId, op: BinaryOp, lhs: ExprId, rhs: ExprId) -> Value {
        let (a, b) = (self.operand(lhs), self.operand(rhs));
        if let (Value::Python(x), Value::Python(y)) = (&a, &b) {
            return match enclosing::binary(op, x, y) {
                PyValue::Unknown => Value::Unknown,
                value => Value::Python(value),
            };
        }
        let is_bits = matches!(
            op,
            BinaryOp::BitAnd
                | BinaryOp::BitOr
                | BinaryOp::BitXor
                | BinaryOp::ShiftLeft
                | BinaryOp::ShiftRight
        );
        let dtypes = [a.dtype(), b.dtype()];
        let range = self.range(at);
        if is_bits && let Some(dtype) = dtypes.into_iter().flatten().find(|it| it.is_float()) {
            let message = format!("{dtype} has no bits to compute with");
            self.report(Code::DtypeMismatch, range, message);
            return Value::Unknown;
        }
        if op == BinaryOp::Div && dtypes.iter().all(|it| it.is_some_and(DType::is_int)) {
            let message =
                "the division of integers rounds: write `//`, `T.floordiv` or `T.truncdiv`";
            self.report(Code::DtypeMismatch, range, message);
            return Value::Unknown;
        }
        if a.is_tir() || b.is_tir() {
            Value::number(meet(&a, &b))
        } else {
            Value::Unknown
        }
    }
}

/// A number without a known dtype is one index all the same.
fn is_count(value: &Value) -> bool {
    matches!(value, Value::Number(_))
}

fn truth(values: &[Value]) -> Value {
    if values.iter().any(Value::is_tir) {
        Value::number(Some(DType::BOOL))
    } else {
        Value::Unknown
    }
}

/// A path of TVMScript as it is written under `T`; `tvm.tir` is `T` to programs that spell it out.
fn under(root: &ScriptPath, name: &str) -> SmolStr {
    let rest = root
        .rest
        .strip_prefix("tir.")
        .or_else(|| root.rest.strip_prefix("tirx."))
        .unwrap_or(&root.rest);
    match (root.namespace, rest.is_empty(), name.is_empty()) {
        (Namespace::Ir, true, _) => SmolStr::from(format!("I.{name}")),
        (_, true, _) => SmolStr::from(name),
        (_, false, true) => SmolStr::from(rest),
        (_, false, false) => SmolStr::from(format!("{rest}.{name}")),
    }
}
