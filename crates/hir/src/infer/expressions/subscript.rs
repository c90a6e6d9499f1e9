//! Indexing and slicing of Python lists, shapes and Relax tuples.

use relax::diagnostics::Code;
use relax::sinfo::{Shape, StructInfo};
use relax::value::Value;

use crate::body::{Expr, ExprId};
use crate::infer::Infer;

impl Infer<'_> {
    pub(in crate::infer) fn subscript(
        &mut self,
        expr: ExprId,
        base: ExprId,
        index: ExprId,
    ) -> Value {
        if let Some(constant) = self.metadata_entry(expr) {
            return constant;
        }
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

    /// Returns element `at` of a Python list, counted from the end if it is negative.
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

    /// Returns `true` for `R.shape([n, 4])`, which Python can index; a variable that holds it is only known at run
    /// time.
    fn is_shape_literal(&self, expr: ExprId) -> bool {
        let Expr::Call { callee, .. } = &self.body.exprs[expr] else {
            return false;
        };
        matches!(self.facts.value(*callee), Value::Script(path)
            if matches!(path.rest.as_str(), "shape" | "ShapeExpr"))
    }

    /// Checks that the index of a Relax tuple is a constant.
    fn check_index(&mut self, index: ExprId, at: &Value) {
        let what = match (&self.body.exprs[index], at) {
            (Expr::Slice { .. }, _) => "a slice",
            (Expr::Tuple(_), _) => "several",
            (_, Value::Bool(_) | Value::Annotation(_) | Value::Script(_)) => return,
            (_, value) if value.is_unknown() => return,
            (_, value) => value.kind_name(),
        };
        let message =
            format!("the index of a tuple must be an integer constant, but this is {what}");
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
            "only a tuple has fields, but this is `{}`{hint}",
            sinfo.quoted(self.cx.release.dialect())
        );
        let range = self.range(expr);
        self.report(Code::NotATuple, range, message);
    }
}

/// Returns the items of a Python slice `[start:stop:step]`, if all three are known.
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
