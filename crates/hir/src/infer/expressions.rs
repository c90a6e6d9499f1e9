//! Expressions: what is known of each without running it.

mod attribute;
mod comprehension;
mod constants;
mod index_map;
mod python;
mod python_operators;
mod scalar;
mod spread;

use relax::diagnostics::Code;
use relax::dialect::Dialect;
use relax::parts::Part;
use relax::script::{Namespace, ScriptPath, unbound_path};
use relax::sinfo::{Shape, StructInfo, Tensor};
use relax::sym::{Op, SymExpr};
use relax::value::Value;
use smol_str::SmolStr;
use text_size::TextRange;

use crate::body::{BinaryOp, BoolOp, CompareOp, Expr, ExprId, FormatPart, UnaryOp};
use crate::enclosing::{self, BUILTINS, Declared, PyValue};
use crate::facts::{Def, VarId};
use crate::incremental::state::Outputs;
use crate::infer::expressions::python_operators::is_relax_only;
use crate::infer::expressions::scalar::Operand;
use crate::infer::{Infer, Local};

impl Infer<'_> {
    /// What is known of `expr`; recorded as its value.
    pub(in crate::infer) fn expr(&mut self, expr: ExprId) -> Value {
        self.cx.effort.step();
        if self.repeated && !self.may_read(expr, 1) {
            return Value::Unknown;
        }
        let value = self.expr_value(expr);
        self.set_value(expr, value.clone());
        value
    }

    fn expr_value(&mut self, expr: ExprId) -> Value {
        let body = self.body;
        match &body.exprs[expr] {
            Expr::Missing | Expr::BigNumber(_) | Expr::Ellipsis => Value::Unknown,
            Expr::Endless => {
                let range = self.range(expr);
                let message =
                    "this chain is too long to be read, by TVM too: bind a part of it to a name";
                self.report(Code::UnsupportedStatement, range, message);
                Value::Unknown
            }
            Expr::None => Value::None,
            Expr::Bool(value) => Value::Bool(*value),
            Expr::Int(value) => Value::Int(*value),
            Expr::Float(value) => Value::Float(*value),
            Expr::Str(value) => Value::Str(value.clone()),
            Expr::Name(name) => self.name(expr, name),
            Expr::Tuple(items) | Expr::List(items) => self.list(expr, items),
            Expr::Dict(entries) => {
                let entries: Vec<(Value, Value)> = entries
                    .iter()
                    .map(|(key, value)| {
                        let key = key.map_or(Value::Unknown, |k| self.expr(k));
                        (key, self.expr(*value))
                    })
                    .collect();
                Value::dict(entries)
            }
            Expr::Call { callee, args } => self.call(expr, *callee, args),
            Expr::Attribute { base, name } => self.attribute(expr, *base, name),
            Expr::Subscript { base, index } => self.subscript(expr, *base, *index),
            Expr::Slice { start, stop, step } => {
                for part in [start, stop, step].into_iter().flatten() {
                    self.expr(*part);
                }
                Value::Unknown
            }
            Expr::Binary { op, lhs, rhs } => {
                let (a, b) = (self.expr(*lhs), self.expr(*rhs));
                self.binary(expr, *op, (*lhs, &a), (*rhs, &b))
            }
            Expr::Unary { op, operand } => {
                let value = self.expr(*operand);
                self.unary(expr, *op, (*operand, &value))
            }
            Expr::Not(operand) => match self.expr(*operand) {
                Value::Bool(value) => Value::Bool(!value),
                value => match self.scalar_not((*operand, &value)) {
                    Some(scalar) => scalar,
                    None => self.refused_not(expr, "not", &value),
                },
            },
            Expr::Compare { first, rest } => {
                let mut lhs = (*first, self.expr(*first));
                let mut results = Vec::with_capacity(rest.len());
                for (op, rhs) in rest {
                    let rhs = (*rhs, self.expr(*rhs));
                    results.push(self.compare(expr, *op, (lhs.0, &lhs.1), (rhs.0, &rhs.1)));
                    lhs = rhs;
                }
                if let [result] = results.as_slice() {
                    return result.clone();
                }
                // TVMScript joins comparisons by `and`.
                let parts: Vec<Operand<'_>> = results.iter().map(|it| (expr, it)).collect();
                match (self.scalar_junction(BoolOp::And, &parts), results.last()) {
                    (Some(all), _) => all,
                    (None, Some(last)) => self.refused_not(expr, "and", last),
                    (None, None) => Value::Unknown,
                }
            }
            Expr::BoolOp { op, operands } => self.bool_op(expr, *op, operands),
            Expr::IfElse {
                test,
                then,
                otherwise,
            } => {
                let decided = self.expr(*test);
                let (yes, no) = (self.expr(*then), self.expr(*otherwise));
                match decided {
                    Value::Bool(true) => yes,
                    Value::Bool(false) => no,
                    decided => {
                        self.check_choice(expr, *test, [&yes, &no]);
                        let test = (*test, &decided);
                        let chosen = self.scalar_choice(test, (*then, &yes), (*otherwise, &no));
                        chosen.unwrap_or_default()
                    }
                }
            }
            Expr::Star(inner) => self.expr(*inner),
            Expr::Lambda(lambda) => self.lambda(lambda),
            Expr::Comprehension(comprehension) => self.comprehension(comprehension),
            Expr::Walrus { name, value } => {
                let value = self.expr(*value);
                self.check_walrus(name);
                self.bind_local(name.text.clone(), Local::Value(value.clone()));
                value
            }
            Expr::Format(parts) => self.format(parts),
            Expr::Python(parts) => {
                for &part in parts {
                    self.expr(part);
                }
                Value::Unknown
            }
        }
    }

    /// An f-string.
    fn format(&mut self, parts: &[FormatPart]) -> Value {
        let mut text = String::new();
        let mut known = true;
        for part in parts {
            match part {
                FormatPart::Text(part) => text.push_str(part),
                FormatPart::Field(field) => {
                    let value = plain(&self.expr(*field));
                    known &= value.is_some_and(|value| enclosing::write_plain(&value, &mut text));
                }
            }
        }
        if known {
            Value::Str(text.into())
        } else {
            Value::Unknown
        }
    }

    fn list(&mut self, expr: ExprId, items: &[ExprId]) -> Value {
        let mut values = Vec::with_capacity(items.len());
        for &item in items {
            let value = self.expr(item);
            match (&self.body.exprs[item], value) {
                (Expr::Star(_), Value::List(inner)) if self.may_read(expr, inner.len() / 4) => {
                    values.extend(inner.iter().cloned());
                }
                (Expr::Star(_), _) => return self.unknown_rest(items, item),
                (_, value) => values.push(value),
            }
        }
        self.composed(expr, Value::list(values))
    }

    fn unknown_rest(&mut self, items: &[ExprId], after: ExprId) -> Value {
        for &item in items.iter().filter(|&&item| item > after) {
            self.expr(item);
        }
        Value::Unknown
    }

    fn name(&mut self, expr: ExprId, name: &SmolStr) -> Value {
        if let Some(local) = self.lookup(name) {
            return match local {
                Local::Var(var) => {
                    self.is_used(var);
                    self.def(expr, Def::Var(var));
                    self.check_captured(expr, var);
                    let value = self.var_value(var);
                    // What dimensions are made of is not negative; a scalar may be.
                    if let Value::Expr(StructInfo::Prim(prim)) = &value
                        && let Some(SymExpr::Var(scalar)) = &prim.value
                    {
                        self.sym.assume_signed(scalar);
                    }
                    value
                }
                Local::Sym(owner) => {
                    let range = self.range(expr);
                    Value::Sym(SymExpr::var(self.mention_of(owner, expr, name, range)))
                }
                Local::Value(value) => value,
            };
        }
        if let Some(value) = self.gone(expr, name) {
            return value;
        }
        if self.names_shape_var(name) {
            let range = self.range(expr);
            return Value::Sym(SymExpr::var(self.mention(expr, name, range)));
        }
        match self.cx.env.get(name) {
            Some(PyValue::ShapeVar(var, declared)) => {
                let range = self.range(expr);
                let mention = self.mention(expr, var, range);
                if *declared == Declared::TypeVar && var != name {
                    self.check_type_var(name, &mention, range);
                }
                return Value::Sym(SymExpr::var(mention));
            }
            Some(PyValue::IrModule(class)) if Some(class.as_str()) == self.cx.module => {
                return Value::Module;
            }
            Some(PyValue::Lambda(script)) => {
                self.def(expr, Def::Python(name.clone()));
                let written = (&script.body, script.body.exprs.own_len());
                let read = |inner: &mut Infer<'_>| inner.expr(script.expr);
                let value = self.elsewhere(expr, written, self.cx, read);
                return value.map_or(Value::Unknown, |(value, _)| value);
            }
            Some(value) => {
                self.def(expr, Def::Python(name.clone()));
                return python_value(value);
            }
            None => {}
        }
        if self.cx.module == Some(name.as_str()) {
            return Value::Module;
        }
        if let Some(path) = unbound_path(name) {
            return Value::Script(path);
        }
        if self.cx.dialect == Dialect::Rfc {
            if self.cx.globals.get(name).is_some() {
                self.def(expr, Def::Global(name.clone()));
                return Value::Global(name.clone());
            }
            if self.frames.last().is_some_and(|f| f.implicit_dims) {
                let range = self.range(expr);
                return Value::Sym(SymExpr::var(self.mention(expr, name, range)));
            }
        }
        if BUILTINS.contains(&name.as_str()) || self.cx.env.may_have_more() || name.is_empty() {
            return Value::Unknown;
        }
        self.undefined(expr, name);
        Value::Unknown
    }

    /// Until TVM 0.25 what a variable is must be said in shape variables of the function that uses it.
    fn check_captured(&mut self, expr: ExprId, var: VarId) {
        if self.cx.dialect == Dialect::StructInfo
            && !self.is_outermost()
            && self.var(var).function != self.frame().index
        {
            let sinfo = self.var(var).struct_info.clone();
            self.check_sym_vars(&sinfo, self.range(expr));
        }
    }

    /// A variable of a dataflow block that is over.
    fn gone(&mut self, expr: ExprId, name: &SmolStr) -> Option<Value> {
        let (var, block, outputs) = self.gone_var(name)?;
        self.is_used(var);
        self.def(expr, Def::Var(var));
        let bound = (self.var(var).name_range, format!("`{name}` is bound here"));
        let of_block = (block, "the dataflow block".to_owned());
        // What is wrong, the variable or its block, comes first.
        let (message, related) = match outputs {
            Outputs::Some => (
                format!(
                    "`{name}` is a dataflow var: it is not among the outputs of its dataflow block"
                ),
                [bound, of_block],
            ),
            Outputs::None => (
                format!("`{name}` is a dataflow var, and its dataflow block has no `R.output`"),
                [of_block, bound],
            ),
            Outputs::Unclear => return Some(self.var_value(var)),
        };
        let range = self.range(expr);
        self.report(Code::DataflowVarOutsideBlock, range, message)
            .related
            .extend(related);
        // One mistake, one report: the block's missing output is this mistake.
        let mut said = self.facts.diagnostics.iter();
        let missing = said.rposition(|d| d.code == Code::MissingOutput && d.range == block);
        if let Some(missing) = missing {
            self.facts.diagnostics.remove(missing);
        }
        self.facts.withdrawn.push(block);
        Some(self.var_value(var))
    }

    /// What is known of a variable where it is used.
    fn var_value(&self, var: VarId) -> Value {
        let fact = self.var(var);
        if fact.contradicted {
            return Value::Unknown;
        }
        match fact.struct_info {
            StructInfo::Shape(shape) => Value::ShapeVar {
                name: fact.name.clone(),
                id: var.0,
                shape: shape.clone(),
            },
            // `d = R.dtype("float32")` stays a dtype.
            StructInfo::Object => match self.base.dtype_of(var, &self.facts) {
                Some(dtype) => Value::DType(dtype),
                None => Value::Expr(StructInfo::Object),
            },
            sinfo => Value::Expr(sinfo.clone()),
        }
    }

    /// Whether a name that no scope binds is a shape variable, as in the RFC's dialect, where a shape introduces it.
    fn names_shape_var(&self, name: &SmolStr) -> bool {
        self.cx.dialect == Dialect::Rfc && self.knows_sym(name) && self.cx.env.get(name).is_none()
    }

    fn undefined(&mut self, expr: ExprId, name: &SmolStr) {
        // TVM prints constants that are long by their place in `metadata`, which it leaves out.
        if name == "metadata" {
            return;
        }
        let range = self.range(expr);
        let mut near = None;
        let message = if self.cx.globals.get(name).is_some() {
            let module = match self.lookup("cls") {
                Some(Local::Value(Value::Module)) => "cls",
                _ => self.cx.module.unwrap_or("cls"),
            };
            format!("`{name}` is a function of the module: write `{module}.{name}`")
        } else {
            near = self.nearest_name(name);
            match &near {
                Some(near) => format!("`{name}` is not defined; did you mean `{near}`?"),
                None => format!("`{name}` is not defined"),
            }
        };
        let diagnostic = self.report(Code::UndefinedName, range, message);
        diagnostic.about = Some(name.clone());
        diagnostic.instead = near.map(|near| (range, near));
    }

    fn attribute(&mut self, expr: ExprId, base: ExprId, name: &crate::body::Name) -> Value {
        match self.expr(base) {
            // `relax.op.add` is `relax.add`.
            Value::Script(path)
                if path.namespace == Namespace::Python
                    && path.rest.is_empty()
                    && name.text == "op" =>
            {
                Value::Script(path)
            }
            Value::Script(path) => {
                self.check_script_name(&path, name);
                // `relax.op.add` builds what `R.add` does.
                let is_op = path.namespace == Namespace::Python && path.rest == "op";
                let rest = if path.rest.is_empty() || is_op {
                    name.text.clone()
                } else {
                    SmolStr::from(format!("{}.{}", path.rest, name.text))
                };
                Value::Script(ScriptPath { rest, ..path })
            }
            Value::Module => self.global(expr, &name.text, name.range),
            value => {
                if let Some(field) = self.tensor_field(expr, base, &name.text) {
                    return field;
                }
                self.check_attribute(base, &value, name);
                Infer::value_attribute(&value, &name.text)
            }
        }
    }

    fn global(&mut self, expr: ExprId, name: &SmolStr, range: TextRange) -> Value {
        if self.cx.globals.get(name).is_some() {
            self.def(expr, Def::Global(name.clone()));
            return Value::Global(name.clone());
        }
        if name.is_empty() {
            return Value::Unknown;
        }
        let near = self.cx.globals.names().nearest(name);
        let message = match &near {
            Some(near) => format!("the module has no function `{name}`; did you mean `{near}`?"),
            None => format!("the module has no function `{name}`"),
        };
        let diagnostic = self.report(Code::UndefinedFunction, range, message);
        diagnostic.about = Some(name.clone());
        diagnostic.instead = near.map(|near| (range, near));
        Value::Unknown
    }

    fn subscript(&mut self, expr: ExprId, base: ExprId, index: ExprId) -> Value {
        let base_value = self.expr(base);
        if let Value::Script(path) = &base_value {
            return self.annotation_subscript(path, index);
        }
        let index_value = self.expr(index);
        if let (Value::List(items), Expr::Slice { start, stop, step }) =
            (&base_value, &self.body.exprs[index])
        {
            let bounds = [start, stop, step].map(|it| it.map(|it| self.facts.value(it).clone()));
            return sliced(items, bounds).unwrap_or_default();
        }
        if let Some(extent) = self.tensor_axis(expr, base, index) {
            return extent;
        }
        match (base_value, index_value) {
            (Value::List(items), Value::Int(at)) => self.python_item(&items, at, index),
            (Value::Expr(StructInfo::Shape(Shape::Known(dims))), Value::Int(at))
                if self.is_shape_literal(base) =>
            {
                let dims: Vec<Value> = dims.iter().cloned().map(Value::Sym).collect();
                self.python_item(&dims, at, index)
            }
            (Value::Expr(sinfo), Value::Int(at)) => {
                Value::Expr(self.tuple_field(expr, &sinfo, at, index))
            }
            (Value::Expr(StructInfo::Unknown), _) => Value::Unknown,
            (Value::Expr(StructInfo::Tuple(_)), at) => {
                self.check_index(index, &at);
                Value::Unknown
            }
            (Value::Expr(sinfo), _) => {
                self.not_a_tuple(expr, &sinfo);
                Value::Unknown
            }
            (Value::ShapeVar { shape, .. }, _) => {
                self.not_a_tuple(expr, &StructInfo::Shape(shape));
                Value::Unknown
            }
            _ => Value::Unknown,
        }
    }

    /// Element `at` of a Python list, from its end if it is negative.
    fn python_item(&mut self, items: &[Value], at: i64, index: ExprId) -> Value {
        let from = if at < 0 { at + items.len() as i64 } else { at };
        let item = usize::try_from(from).ok().and_then(|at| items.get(at));
        if let Some(item) = item {
            return item.clone();
        }
        let message = format!(
            "index `{at}` is out of range: there {} {} element{}",
            if items.len() == 1 { "is" } else { "are" },
            items.len(),
            if items.len() == 1 { "" } else { "s" }
        );
        let range = self.range(index);
        self.report(Code::TupleIndexOutOfRange, range, message);
        Value::Unknown
    }

    /// `R.shape([n, 4])`, which Python can still index; a variable that holds it is only known when it runs.
    fn is_shape_literal(&self, expr: ExprId) -> bool {
        let Expr::Call { callee, .. } = &self.body.exprs[expr] else {
            return false;
        };
        matches!(self.facts.value(*callee), Value::Script(path)
            if matches!(path.rest.as_str(), "shape" | "ShapeExpr"))
    }

    /// The index of a Relax tuple is a number that is written there.
    fn check_index(&mut self, index: ExprId, at: &Value) {
        let what = match (&self.body.exprs[index], at) {
            (Expr::Slice { .. }, _) => "a slice",
            (Expr::Tuple(_), _) => "several",
            (_, Value::Bool(_) | Value::Annotation(_) | Value::Script(_)) => return,
            (_, value) if value.is_unknown() => return,
            (_, value) => value.kind_name(),
        };
        let message = format!("a tuple is indexed by an integer constant, and this is {what}");
        let range = self.range(index);
        self.report(Code::ArgumentType, range, message);
    }

    pub(in crate::infer) fn tuple_field(
        &mut self,
        expr: ExprId,
        sinfo: &StructInfo,
        at: i64,
        index: ExprId,
    ) -> StructInfo {
        match sinfo {
            StructInfo::Tuple(fields) => {
                if let Some(field) = usize::try_from(at).ok().and_then(|at| fields.get(at)) {
                    return field.clone();
                }
                let message = format!(
                    "index `{at}` is out of range: the tuple has {} field{}",
                    fields.len(),
                    if fields.len() == 1 { "" } else { "s" }
                );
                let range = self.range(index);
                self.report(Code::TupleIndexOutOfRange, range, message);
                StructInfo::Unknown
            }
            StructInfo::Unknown => StructInfo::Unknown,
            _ => {
                self.not_a_tuple(expr, sinfo);
                StructInfo::Unknown
            }
        }
    }

    fn not_a_tuple(&mut self, expr: ExprId, sinfo: &StructInfo) {
        let hint = match sinfo {
            StructInfo::Tensor(_) => "; use `R.strided_slice` or `R.take` to index a tensor",
            StructInfo::Shape(_) => "; name its dimensions by `R.match_cast`",
            _ => "",
        };
        let message = format!(
            "only a tuple has fields, and this is `{}`{hint}",
            sinfo.display(self.cx.dialect)
        );
        let range = self.range(expr);
        self.report(Code::NotATuple, range, message);
    }

    fn binary(&mut self, expr: ExprId, op: BinaryOp, lhs: Operand<'_>, rhs: Operand<'_>) -> Value {
        let (a, b) = (lhs.1, rhs.1);
        if a.is_unknown() || b.is_unknown() {
            return Value::Unknown;
        }
        if let Some((x, y)) = self.plain_operands(expr, a, b) {
            return python_value(&enclosing::binary(op, &x, &y));
        }
        let operator = match op {
            BinaryOp::Add => "add",
            BinaryOp::Sub => "subtract",
            BinaryOp::Mul => "multiply",
            BinaryOp::Div => "divide",
            BinaryOp::FloorDiv => "floor_divide",
            BinaryOp::Mod => "mod",
            BinaryOp::Pow => "power",
            _ => "",
        };
        if let Some(scalar) = self.scalar_binary(expr, op, [lhs, rhs]) {
            self.note_operator(expr, operator, &scalar);
            return scalar;
        }
        if !is_relax(a) && !is_relax(b) {
            return Value::Unknown;
        }
        if operator.is_empty() {
            return self.refused_operator(expr, op.text(), &[a, b]);
        }
        self.operator_sugar(expr, operator, &[a, b])
    }

    fn plain_operands(&mut self, expr: ExprId, a: &Value, b: &Value) -> Option<(PyValue, PyValue)> {
        let is_list = |value: &Value| matches!(value, Value::List(_));
        if is_list(a) || is_list(b) {
            let parts = a.weight().parts.saturating_add(b.weight().parts);
            if !self.may_read(expr, parts as usize / 4) {
                return None;
            }
        }
        Some((plain(a)?, plain(b)?))
    }

    fn unary(&mut self, expr: ExprId, op: UnaryOp, operand: Operand<'_>) -> Value {
        match (op, operand.1) {
            (UnaryOp::Plus, number @ (Value::Int(_) | Value::Float(_))) => number.clone(),
            (UnaryOp::Minus, Value::Int(value)) => {
                value.checked_neg().map_or(Value::Unknown, Value::Int)
            }
            (UnaryOp::Minus, Value::Float(value)) => Value::Float(-value),
            (UnaryOp::Invert, Value::Int(value)) => Value::Int(!value),
            (op, value) => {
                let operator = if op == UnaryOp::Minus { "negative" } else { "" };
                if let Some(scalar) = self.scalar_unary(expr, op, operand) {
                    self.note_operator(expr, operator, &scalar);
                    return scalar;
                }
                if op == UnaryOp::Minus && is_relax(value) {
                    return self.operator_sugar(expr, operator, &[value]);
                }
                self.refused_operator(expr, op.text(), &[value])
            }
        }
    }

    fn compare(
        &mut self,
        expr: ExprId,
        op: CompareOp,
        lhs: Operand<'_>,
        rhs: Operand<'_>,
    ) -> Value {
        let (a, b) = (lhs.1, rhs.1);
        if let Some((x, y)) = self.plain_operands(expr, a, b) {
            return python_value(&enclosing::compare(op, &x, &y));
        }
        let relax = match op {
            CompareOp::Less => "less",
            CompareOp::LessEq => "less_equal",
            CompareOp::Greater => "greater",
            CompareOp::GreaterEq => "greater_equal",
            _ => "",
        };
        if a.is_unknown() || b.is_unknown() {
            return Value::Unknown;
        }
        if let Some(scalar) = self.scalar_comparison(op, [lhs, rhs]) {
            self.note_operator(expr, relax, &scalar);
            return scalar;
        }
        if relax.is_empty() {
            return self.refused_comparison(expr, op, a, b);
        }
        if (is_relax(a) && is_relax(b)) || is_relax_only(a) || is_relax_only(b) {
            return self.operator_sugar(expr, relax, &[a, b]);
        }
        Value::Unknown
    }
}

/// The items that Python's `[start:stop:step]` takes, where all three are known.
fn sliced(items: &[Value], bounds: [Option<Value>; 3]) -> Option<Value> {
    let [start, stop, step] = bounds.map(|bound| match bound {
        None | Some(Value::None) => Some(None),
        Some(Value::Int(at)) => Some(Some(at)),
        _ => None,
    });
    let (start, stop, step) = (start?, stop?, step?.unwrap_or(1));
    let count = items.len() as i64;
    let clamp =
        |at: i64, low: i64, high: i64| if at < 0 { at + count } else { at }.clamp(low, high);
    let mut taken = Vec::new();
    if step > 0 {
        let stop = stop.map_or(count, |at| clamp(at, 0, count));
        let mut at = start.map_or(0, |at| clamp(at, 0, count));
        while at < stop {
            taken.push(items[at as usize].clone());
            at = at.checked_add(step)?;
        }
    } else if step < 0 {
        let stop = stop.map_or(-1, |at| clamp(at, -1, count - 1));
        let mut at = start.map_or(count - 1, |at| clamp(at, -1, count - 1));
        while at > stop {
            taken.push(items[at as usize].clone());
            at = at.checked_add(step)?;
        }
    }
    Some(Value::list(taken))
}

/// A plain Python value, if it is one.
pub(in crate::infer) fn plain(value: &Value) -> Option<PyValue> {
    Some(match value {
        Value::Int(value) => PyValue::Int(*value),
        Value::Float(value) => PyValue::Float(*value),
        Value::Str(value) => PyValue::Str(value.clone()),
        Value::Bool(value) => PyValue::Bool(*value),
        Value::List(items) => PyValue::list(items.iter().map(plain).collect::<Option<Vec<_>>>()?),
        _ => return None,
    })
}

/// A value of the enclosing Python code, inside the function.
pub(in crate::infer) fn python_value(value: &PyValue) -> Value {
    match value {
        PyValue::Array { .. }
        | PyValue::Unknown
        | PyValue::IrModule(_)
        | PyValue::Script(_)
        | PyValue::Macro(_)
        | PyValue::Helper(_)
        | PyValue::Lambda(_)
        | PyValue::Function(_)
        | PyValue::ShapeVar(_, _) => Value::Unknown,
        PyValue::Dict(entries) => Value::Dict(
            entries
                .iter()
                .map(|(key, value)| (python_value(key), python_value(value)))
                .collect(),
        ),
        PyValue::Const { dims, dtype } => {
            let dims: Vec<SymExpr> = dims.iter().copied().map(SymExpr::int).collect();
            Value::Expr(Tensor::new(dims, Some(*dtype)).into())
        }
        PyValue::None => Value::None,
        PyValue::Bool(value) => Value::Bool(*value),
        PyValue::Int(value) => Value::Int(*value),
        PyValue::Float(value) => Value::Float(*value),
        PyValue::Str(value) => Value::Str(value.clone()),
        PyValue::List(items) => items
            .inside(|items| Value::List(items.iter().map(python_value).collect()))
            .clone(),
        PyValue::Path(path) => ScriptPath::of_path(path).map_or(Value::Unknown, Value::Script),
    }
}

fn is_relax(value: &Value) -> bool {
    matches!(value, Value::Expr(_) | Value::ShapeVar { .. })
}

/// The symbolic operation that a Python operator means on shapes.
pub(in crate::infer) fn sym_op(op: BinaryOp) -> Option<Op> {
    Some(match op {
        BinaryOp::Add => Op::Add,
        BinaryOp::Sub => Op::Sub,
        BinaryOp::Mul => Op::Mul,
        BinaryOp::FloorDiv => Op::FloorDiv,
        BinaryOp::Mod => Op::FloorMod,
        BinaryOp::ShiftLeft => Op::Shl,
        BinaryOp::ShiftRight => Op::Shr,
        BinaryOp::BitAnd => Op::BitAnd,
        BinaryOp::BitOr => Op::BitOr,
        BinaryOp::BitXor => Op::BitXor,
        _ => return None,
    })
}

/// The symbolic operation that a Python comparison means on shapes.
pub(in crate::infer) fn sym_comparison(op: CompareOp) -> Option<Op> {
    Some(match op {
        CompareOp::Less => Op::Lt,
        CompareOp::LessEq => Op::Le,
        CompareOp::Greater => Op::Gt,
        CompareOp::GreaterEq => Op::Ge,
        CompareOp::Eq => Op::Eq,
        CompareOp::NotEq => Op::Ne,
        CompareOp::In | CompareOp::NotIn | CompareOp::Is | CompareOp::IsNot => return None,
    })
}
