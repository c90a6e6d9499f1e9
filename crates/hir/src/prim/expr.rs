//! Expressions: resolves names, indexes buffers, and follows dtypes as far as they are clear.

use relax::diagnostics::{Code, Diagnostic, Severity};
use relax::dtype::DType;
use relax::script;
use relax::script::{Namespace, ScriptPath};
use smol_str::{SmolStr, format_smolstr};
use text_size::TextRange;

use super::arith::{Number, truth};
use super::value::{Named, Value};
use super::{Entity, Reader};
use crate::body::{self, BoolOp, CompClause, CompareOp, Expr, ExprId, FormatPart};
use crate::enclosing::{self, PyValue};
use crate::prim_facts::{Access, PrimDefKind, Target};
use crate::tir::{self, ExprKind};

impl Reader<'_> {
    pub fn range(&self, expr: ExprId) -> TextRange {
        self.body.range(expr)
    }

    pub fn value(&mut self, at: ExprId) -> Value {
        let range = self.range(at);
        self.nested(range, |it| it.value_inner(at, range))
    }

    fn values(&mut self, all: &[ExprId]) {
        for &at in all {
            self.value(at);
        }
    }

    /// Reads an expression that must be a number. Returns `None` if its dtype is not known.
    pub fn number(&mut self, at: ExprId) -> Option<Number> {
        let value = self.operand(at);
        self.number_of(value, self.range(at))
    }

    /// Like `number`; a literal gets its own dtype.
    pub fn typed(&mut self, at: ExprId) -> Option<tir::Expr> {
        let number = self.number(at)?;
        Some(self.strong(number))
    }

    /// Reads a number as a truth value.
    pub fn test(&mut self, at: ExprId) -> tir::Expr {
        let number = self.number(at);
        self.truth_of(number, self.range(at))
    }

    pub fn truth_of(&mut self, number: Option<Number>, range: TextRange) -> tir::Expr {
        match number {
            Some(number) => truth(self.strong(number)),
            None => tir::Expr::hole(DType::BOOL, range),
        }
    }

    /// Converts a value to a number of the program. If it is not a number, the program gets a hole.
    pub fn number_of(&mut self, value: Value, range: TextRange) -> Option<Number> {
        match value {
            Value::Number(number) => Some(number),
            Value::Python(PyValue::Int(value)) => Some(Number::int(i128::from(value), range)),
            Value::Python(PyValue::Float(value)) => Some(Number::float(value, range)),
            Value::Python(PyValue::Bool(value)) => {
                Some(Number::truth(ExprKind::Int(i128::from(value)), range))
            }
            Value::Thread(_) => {
                Some(self.hole(DType::I32, range, "the thread axis is not launched here"))
            }
            Value::Untyped => {
                self.missing(range);
                None
            }
            Value::Buffer(id) => {
                let name = &self.facts.def(id).name;
                let message =
                    format!("`{name}` is a buffer, not a number: use one of its elements");
                if self.rank(id).is_some() && !self.has_one_element(id) {
                    self.report(Code::ArgumentType, range, message);
                } else {
                    self.refuse(range, message);
                }
                None
            }
            Value::Region {
                buffer,
                starts,
                lanes: Some(steps),
                ..
            } => {
                let (buffer, dtype) = (self.buffer_id(buffer)?, self.facts.def(buffer).dtype()?);
                let indices = self.lane_of(starts, steps, range);
                Some(Number::strong(tir::Expr {
                    dtype,
                    kind: ExprKind::Load(buffer, indices),
                    range,
                }))
            }
            Value::Region { .. } => {
                self.refuse_whole(range, "a slice of a buffer is not a number");
                None
            }
            Value::NewVar(dtype) => {
                let message = format!(
                    "`T.{dtype}()` is a new variable without a value: write the number, such as `T.{dtype}(0)`"
                );
                if self.is_checked() {
                    self.report(Code::UndefinedName, range, message);
                } else {
                    self.refuse(range, message);
                }
                None
            }
            Value::Python(PyValue::IrModule(_)) => {
                let message = "this must be a number, but it is the module";
                self.report(Code::ArgumentType, range, message);
                None
            }
            Value::Python(PyValue::Path(path)) if is_module(&path) => {
                let message = "this must be a number, but it is a Python module";
                self.report(Code::ArgumentType, range, message);
                None
            }
            Value::Python(PyValue::Str(_)) => {
                let message = "this must be a number, but it is a string";
                self.report(Code::ArgumentType, range, message);
                None
            }
            Value::Python(PyValue::None) => {
                let message = "this must be a number, but it is `None`";
                self.report(Code::ArgumentType, range, message);
                None
            }
            _ => {
                self.not_a_number(range);
                None
            }
        }
    }

    pub fn not_a_number(&mut self, range: TextRange) {
        self.refuse_whole(range, "this number is only known when Python runs");
    }

    fn value_inner(&mut self, at: ExprId, range: TextRange) -> Value {
        let body = self.body;
        match &body.exprs[at] {
            Expr::Missing | Expr::Endless | Expr::BigNumber(None) => Value::Unknown,
            Expr::BigNumber(Some(value)) => Value::Number(Number::int(i128::from(*value), range)),
            Expr::Ellipsis => Value::Other,
            Expr::None => Value::Python(PyValue::None),
            Expr::Bool(value) => Value::Python(PyValue::Bool(*value)),
            Expr::Int(value) => Value::Python(PyValue::Int(*value)),
            Expr::Float(value) => Value::Python(PyValue::Float(*value)),
            Expr::Str(value) => Value::Python(PyValue::Str(value.clone())),
            Expr::Name(name) => self.name(name, range),
            Expr::Tuple(items) | Expr::List(items) => self.list(items),
            Expr::Dict(entries) => {
                for (key, value) in entries {
                    if let Some(key) = key {
                        self.value(*key);
                    }
                    self.value(*value);
                }
                Value::Other
            }
            Expr::Call { callee, args } => self.call(range, *callee, args),
            Expr::Attribute { base, name } => self.attribute(at, *base, name),
            Expr::Subscript { base, index } => self.subscript(at, *base, *index),
            Expr::Slice { start, stop, step } => {
                for part in [start, stop, step].into_iter().flatten() {
                    self.value(*part);
                }
                Value::Other
            }
            Expr::Binary { op, lhs, rhs } => {
                let (a, b) = (self.operand(*lhs), self.operand(*rhs));
                let ranges = [self.range(*lhs), self.range(*rhs), range];
                self.binary_of(*op, a, b, ranges)
            }
            Expr::Unary { op, operand } => {
                let value = self.operand(*operand);
                if !value.is_tir() && value.dtype().is_none() {
                    return Value::Unknown;
                }
                let number = self.number_of(value, self.range(*operand));
                number.map(|it| self.unary_of(*op, it, range)).into()
            }
            Expr::Not(operand) => self.negation(*operand, range),
            Expr::Compare { first, rest } => self.comparison(*first, rest, range),
            Expr::BoolOp { op, operands } => self.bool_op(*op, operands, range),
            Expr::IfElse {
                test,
                then,
                otherwise,
            } => self.choice(*test, *then, *otherwise, range),
            Expr::Star(inner) => {
                self.value(*inner);
                Value::Unknown
            }
            Expr::Lambda(lambda) => {
                self.scoped(range, |it| {
                    for param in &lambda.params {
                        it.define_python(&param.name);
                    }
                    it.doubtful(|it| it.value(lambda.body));
                });
                Value::Other
            }
            Expr::Comprehension(it) => {
                self.comprehension(it, range);
                Value::Unknown
            }
            Expr::Walrus { name, value } => {
                let value = self.value(*value);
                self.define_python(name);
                value
            }
            Expr::Format(parts) => {
                for part in parts {
                    if let FormatPart::Field(field) = part {
                        self.value(*field);
                    }
                }
                Value::Unknown
            }
            Expr::Python(parts) => {
                self.values(parts);
                Value::Unknown
            }
            Expr::Suspended { keyword, value } => {
                self.values(value.as_slice());
                let message = format!("`{keyword}` is not supported in a PrimFunc");
                self.report(Code::UnsupportedStatement, range, message);
                Value::Unknown
            }
        }
    }

    fn list(&mut self, items: &[ExprId]) -> Value {
        let mut all = Vec::with_capacity(items.len());
        for &item in items {
            let starred = matches!(self.body.exprs[item], Expr::Star(_));
            match self.value(item) {
                Value::Python(value) if !starred => all.push(value),
                _ if starred => return self.rest_unknown(items, item),
                _ => all.push(PyValue::Unknown),
            }
        }
        Value::Python(PyValue::list(all))
    }

    /// Reads `not operand`.
    fn negation(&mut self, operand: ExprId, range: TextRange) -> Value {
        let value = self.operand(operand);
        match &value {
            Value::Python(known) => match enclosing::truth(known) {
                Some(known) => Value::Python(PyValue::Bool(!known)),
                None => Value::Unknown,
            },
            _ if !value.is_tir() => Value::Unknown,
            _ => {
                let number = self.number_of(value, self.range(operand));
                self.check_truth("not", number.as_ref(), self.range(operand));
                let value = self.truth_of(number, range);
                Value::Number(Number::truth(ExprKind::Not(Box::new(value)), range))
            }
        }
    }

    /// Reads `a < b <= c`.
    fn comparison(
        &mut self,
        first: ExprId,
        rest: &[(CompareOp, ExprId)],
        range: TextRange,
    ) -> Value {
        let mut values = vec![(self.operand(first), self.range(first))];
        for (_, operand) in rest {
            values.push((self.operand(*operand), self.range(*operand)));
        }
        let pairs = values.windows(2).zip(rest);
        let compared = pairs.map(|(pair, (op, _))| {
            let value = self.compare_of(*op, &pair[0], &pair[1], range);
            (value, range)
        });
        let compared = compared.collect();
        self.combined(BoolOp::And, compared, range)
    }

    /// Reads `a and b or c`.
    fn bool_op(&mut self, op: BoolOp, operands: &[ExprId], range: TextRange) -> Value {
        let mut values: Vec<(Value, TextRange)> = Vec::with_capacity(operands.len());
        let mut doubt = false;
        for &operand in operands {
            let value = self.doubtful_if(doubt, |it| it.operand(operand));
            // If Python decides the result, it may not evaluate the rest.
            doubt |= !value.is_tir();
            values.push((value, self.range(operand)));
        }
        self.combined(op, values, range)
    }

    /// Reads `then if test else otherwise`.
    fn choice(&mut self, test: ExprId, then: ExprId, otherwise: ExprId, range: TextRange) -> Value {
        let decides = self.value(test);
        let doubt = !decides.is_tir();
        let read = |it: &mut Self| (it.value(then), it.value(otherwise));
        let (a, b) = self.doubtful_if(doubt, read);
        match decides.chosen() {
            Some(true) => return a,
            Some(false) => return b,
            None => {}
        }
        if let (Value::Python(x), Value::Python(y)) = (&a, &b)
            && x == y
        {
            return a;
        }
        let alike = a.is_tir() && b.is_tir() && a.dtype() == b.dtype();
        if doubt && !alike {
            return Value::Unknown;
        }
        let test = self.number_of(decides, self.range(test));
        let test = self.truth_of(test, range);
        let a = self.number_of(a, self.range(then));
        let b = self.number_of(b, self.range(otherwise));
        let both = a.zip(b);
        both.map(|(a, b)| self.select(test, a, b, range)).into()
    }

    /// Returns the rest of a list after `*values`, whose length is not known.
    fn rest_unknown(&mut self, items: &[ExprId], after: ExprId) -> Value {
        let rest = items.iter().skip_while(|item| **item != after).skip(1);
        for &item in rest {
            self.value(item);
        }
        Value::Unknown
    }

    fn comprehension(&mut self, it: &body::Comprehension, range: TextRange) {
        self.scoped(range, |resolve| {
            for (nth, clause) in it.clauses.iter().enumerate() {
                match clause {
                    CompClause::For { target, iter } => {
                        resolve.doubtful_if(nth > 0, |resolve| resolve.value(*iter));
                        resolve.define_python_target(target);
                    }
                    CompClause::If(test) => {
                        resolve.doubtful(|resolve| resolve.value(*test));
                    }
                }
            }
            resolve.doubtful(|resolve| {
                if let Some(key) = it.key {
                    resolve.value(key);
                }
                resolve.value(it.element);
            });
        });
    }

    pub fn define_python(&mut self, name: &body::Name) {
        self.define(
            &Named::of(name),
            name.range,
            PrimDefKind::Python,
            Entity::Hole,
        );
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
                    self.define(&name, name.range, PrimDefKind::Python, Entity::Hole);
                }
                None => {
                    self.value(*place);
                }
            },
        }
    }

    /// Returns the name of the target `*rest`.
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

    /// Returns the path of a dotted name under `T`: `axis.spatial`. Under `I` it begins with `I.`.
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

    /// Marks a callee or a dtype as a name of TVMScript. Reads any other expression as a value.
    pub fn callee(&mut self, at: ExprId) -> Value {
        match self.script(at) {
            Some(path) => {
                if let Expr::Attribute { base, name } = &self.body.exprs[at] {
                    self.check_script_name(*base, &path, name);
                }
                self.mention(self.range(at), Target::Script(path), Access::Read);
                Value::Other
            }
            None => self.value(at),
        }
    }

    /// Reports an unknown name under `T` or `I`, at its first place only.
    fn check_script_name(&mut self, base: ExprId, path: &str, name: &body::Name) {
        let Expr::Name(root) = &self.body.exprs[base] else {
            self.check_member(path, name);
            return;
        };
        let Some(root) = self.script_root(root).filter(|root| root.rest.is_empty()) else {
            return;
        };
        let unknown = script::unknown(root.namespace, &name.text, self.around.release);
        let Some(unknown) = unknown.filter(|_| self.doubt == 0) else {
            return;
        };
        if !self.undefined.insert(format_smolstr!("T.{path}")) {
            return;
        }
        let mut diagnostic = Diagnostic::new(Code::UndefinedName, name.range, unknown.message);
        // Printed modules, without imports, may be of a compiler with intrinsics of its own.
        let is_imported =
            matches!(&self.body.exprs[base], Expr::Name(it) if self.around.env.get(it).is_some());
        match unknown.near {
            Some(near) => diagnostic.instead = Some((name.range, near.into())),
            None if is_imported => {}
            None => diagnostic.severity = Severity::Warning,
        }
        self.diagnose(diagnostic);
    }

    /// Reports an unknown name under a namespace of `T`: `T.axis.spatail`.
    fn check_member(&mut self, path: &str, name: &body::Name) {
        let unknown = script::unknown_member(path, self.around.release);
        let Some(unknown) = unknown.filter(|_| self.doubt == 0) else {
            return;
        };
        if !self.undefined.insert(format_smolstr!("T.{path}")) {
            return;
        }
        let mut diagnostic = Diagnostic::new(Code::UndefinedName, name.range, unknown.message);
        let is_last = path.matches('.').count() == 1;
        let near = unknown.near.filter(|_| is_last);
        diagnostic.instead = near.map(|near| (name.range, near.into()));
        self.diagnose(diagnostic);
    }

    /// Reads an expression that must be a number; reports a part of a buffer.
    pub fn operand(&mut self, at: ExprId) -> Value {
        let value = self.value(at);
        if let Value::Region {
            buffer,
            starts,
            sliced: false,
            ..
        } = &value
            && !starts.is_empty()
        {
            self.wrong_index_count(*buffer, starts.len(), self.range(at));
            return Value::Unknown;
        }
        value
    }
}

/// Returns `true` for a module of Python, and for `T` itself.
fn is_module(path: &str) -> bool {
    !path.contains('.') || ScriptPath::of_path(path).is_some_and(|it| it.rest.is_empty())
}

/// Returns the name of a TVMScript path as `T` has it: `tvm.tir` is `T` in programs that spell it out.
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
