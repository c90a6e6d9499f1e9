//! Indexing and attributes: `A[i, j]`, `A.shape[0]`, `A.data`.

use relax::diagnostics::Code;
use relax::dtype::DType;
use relax::script::{self, Namespace, Role};
use text_size::TextRange;

use super::arith::Number;
use super::lanes::Steps;
use super::value::Value;
use super::{Entity, Reader};
use crate::body::{self, Expr, ExprId};
use crate::enclosing::PyValue;
use crate::prim_facts::{PrimDefId, PrimDefKind};
use crate::tir::{self, ExprKind};

impl Reader<'_> {
    pub fn attribute(&mut self, at: ExprId, base: ExprId, name: &body::Name) -> Value {
        if let Some(path) = self.script(at) {
            self.callee(at);
            return match path.as_str() {
                "inf" | "nan" => {
                    let dtype = DType::F32;
                    Value::Number(self.extreme(&path, dtype, self.range(at)))
                }
                _ => Value::Other,
            };
        }
        let range = self.range(at);
        let id = match self.value(base) {
            Value::Buffer(id) => id,
            Value::Number(number) if !number.weak => {
                self.check_number_attribute(name);
                return Value::Unknown;
            }
            Value::Thread(_) => {
                self.check_number_attribute(name);
                return Value::Unknown;
            }
            _ => return Value::Unknown,
        };
        let buffer = self.buffer_id(id);
        match (buffer, name.text.as_str()) {
            (Some(buffer), "shape") => {
                let dims = self.func.buffer(buffer).shape.clone();
                Value::Items(dims.iter().map(|dim| self.copy(dim, range)).collect())
            }
            (Some(buffer), "strides") => {
                let strides = self.func.buffer(buffer).strides.clone().unwrap_or_default();
                Value::Items(strides.iter().map(|it| self.copy(it, range)).collect())
            }
            (buffer, "data") => Value::Pointer(buffer),
            (_, "elem_offset") => {
                self.not_a_number(range);
                Value::Untyped
            }
            _ => Value::Unknown,
        }
    }

    /// Reports a name of `T` as an attribute of a number: a variable has hidden the name of the import.
    fn check_number_attribute(&mut self, name: &body::Name) {
        let entry = script::find(Namespace::Tir, &name.text, self.around.release);
        let is_of_t = entry.is_some_and(|it| {
            matches!(
                it.role,
                Role::Statement | Role::Loop | Role::Axis | Role::Buffer
            )
        });
        if is_of_t {
            let message = format!(
                "a number has no attribute `{}`: a variable hides the module",
                name.text
            );
            self.report(Code::UnknownAttribute, name.range, message);
        }
    }

    /// Reports an index of a function, such as `T.grid[4, 4]`, or of a number, such as `A[i][j]`.
    pub fn check_subscript(&mut self, base: ExprId) {
        let path = self.script(base);
        if let Some(path) = path.filter(|path| script::is_only_called(path, self.around.release)) {
            let message = format!("`T.{path}` is a function: write `T.{path}(...)`");
            self.report(Code::ArgumentType, self.range(base), message);
        }
    }

    pub fn subscript(&mut self, at: ExprId, base: ExprId, index: ExprId) -> Value {
        let range = self.range(at);
        self.check_subscript(base);
        let is_element = matches!(self.body.exprs[base], Expr::Subscript { .. });
        match self.value(base) {
            Value::Number(number) if is_element && !number.weak && number.expr.dtype.lanes <= 1 => {
                self.value(index);
                let message = "this is a number, which has no elements: write all indices of the buffer in one pair of brackets";
                self.report(Code::IndexCount, range, message);
                Value::Unknown
            }
            Value::Region {
                buffer,
                sliced: false,
                starts,
                ..
            } if is_element && !starts.is_empty() => {
                self.value(index);
                let name = &self.facts.def(buffer).name;
                let message = format!(
                    "write all indices of `{name}` in one pair of brackets: `{name}[i, j]`"
                );
                self.report(Code::IndexCount, range, message);
                Value::Unknown
            }
            Value::Buffer(id) => self.element(id, index, range),
            Value::Pointer(Some(buffer)) => {
                let def = |it: &Entity| matches!(it, Entity::Pointer(at) if *at == buffer);
                let def = self.entities.iter().position(def);
                match def {
                    Some(at) => self.element(PrimDefId(at as u32), index, range),
                    None => {
                        self.value(index);
                        Value::Unknown
                    }
                }
            }
            Value::Python(PyValue::List(items)) => match self.value(index).int() {
                Some(at) => match place_in(items.len(), at).and_then(|at| items.get(at)) {
                    Some(PyValue::Unknown) | None => Value::Unknown,
                    Some(item) => Value::Python(item.clone()),
                },
                None => Value::Unknown,
            },
            Value::Items(items) => {
                let at = self
                    .value(index)
                    .int()
                    .and_then(|at| place_in(items.len(), at));
                match at.and_then(|at| items.into_iter().nth(at)) {
                    Some(item) => Value::Number(Number::strong(tir::Expr { range, ..item })),
                    None => {
                        self.refuse_whole(range, "the buffer has no such dimension");
                        Value::Untyped
                    }
                }
            }
            _ => {
                self.value(index);
                Value::Unknown
            }
        }
    }

    /// Reads `A[i, j]`: an element, or a part of the buffer if an index is a slice or missing.
    pub fn element(&mut self, id: PrimDefId, index: ExprId, range: TextRange) -> Value {
        self.check_declared(id);
        let body = self.body;
        let (parts, alone) = match &body.exprs[index] {
            Expr::Tuple(items) | Expr::List(items) => (items.as_slice(), false),
            _ => (std::slice::from_ref(&index), true),
        };
        let (mut sliced, mut open) = (0, false);
        let mut lanes = None;
        let mut starts = Vec::with_capacity(parts.len());
        for &part in parts {
            let at = self.range(part);
            let start = match &body.exprs[part] {
                Expr::Slice { start, stop, step } => {
                    sliced += 1;
                    let is_last = starts.len() + 1 == parts.len();
                    let (start, steps) = self.slice(*start, *stop, *step, at);
                    lanes = steps.filter(|_| is_last);
                    start
                }
                Expr::Star(inner) => {
                    open = true;
                    self.value(*inner);
                    continue;
                }
                _ => {
                    let value = self.value(part);
                    if let Value::Python(PyValue::Str(_)) = value {
                        let message = "an index must be a number, but this is a string";
                        self.report(Code::ArgumentType, at, message);
                        open = true;
                        continue;
                    }
                    if let Value::Buffer(_) | Value::Python(PyValue::IrModule(_)) = value {
                        let message = match value {
                            Value::Buffer(_) => {
                                "an index must be a number: use an element of this buffer"
                            }
                            _ => "an index must be a number, but this is the module",
                        };
                        self.report(Code::ArgumentType, at, message);
                        open = true;
                        continue;
                    }
                    // One name may stand for all the indices.
                    if alone && value.dtype().is_none() && !value.is_number() {
                        open = true;
                        continue;
                    }
                    self.index_of(value, at)
                }
            };
            starts.push(start);
        }
        let (Some(buffer), Some(rank)) = (self.buffer_id(id), self.rank(id).filter(|_| !open))
        else {
            self.not_a_number(range);
            return Value::Unknown;
        };
        if starts.len() > rank {
            self.wrong_index_count(id, starts.len(), range);
            return Value::Unknown;
        }
        if sliced > 0 || starts.len() < rank {
            let dtype = self.facts.def(id).dtype();
            let is_scalar = dtype.is_none_or(|it| it.lanes <= 1);
            let is_vector = sliced == 1 && starts.len() == rank && is_scalar;
            return Value::Region {
                buffer: id,
                starts,
                sliced: sliced > 0,
                lanes: lanes.filter(|_| is_vector),
            };
        }
        match self.facts.def(id).dtype() {
            Some(dtype) if dtype.lanes > 1 && self.func.buffer(buffer).dtype.lanes == 1 => {
                starts.push(self.lane(i64::from(dtype.lanes), range));
                Value::Number(Number::strong(tir::Expr {
                    dtype: self.func.buffer(buffer).dtype,
                    kind: ExprKind::Load(buffer, starts),
                    range,
                }))
            }
            Some(dtype) => Value::Number(Number::strong(tir::Expr {
                dtype,
                kind: ExprKind::Load(buffer, starts),
                range,
            })),
            None => {
                self.not_a_number(range);
                Value::Untyped
            }
        }
    }

    /// Returns the start of a slice, and its elements if their number is known.
    fn slice(
        &mut self,
        start: Option<ExprId>,
        stop: Option<ExprId>,
        step: Option<ExprId>,
        range: TextRange,
    ) -> (tir::Expr, Option<Steps>) {
        let stop = stop.map(|end| self.silent(|it| it.value(end)));
        let step = match step {
            Some(step) => self.silent(|it| it.value(step)).int(),
            None => Some(1),
        };
        let start = match start {
            Some(start) => self.index(start),
            None => tir::Expr::int(0, DType::I32, range),
        };
        let stop = match stop {
            Some(Value::Number(stop)) => Some(stop.expr),
            Some(Value::Python(PyValue::Int(stop))) => {
                Some(Number::int(i128::from(stop), range).expr)
            }
            _ => None,
        };
        let steps = stop.zip(step);
        let steps = steps.and_then(|(stop, step)| Steps::between(&start, &stop, step));
        (start, steps)
    }

    /// Returns the number of dimensions of a buffer.
    pub fn rank(&self, id: PrimDefId) -> Option<usize> {
        match &self.facts.def(id).kind {
            PrimDefKind::Buffer(fact) | PrimDefKind::Pointer(Some(fact)) => {
                fact.shape.as_ref().map(Vec::len)
            }
            _ => None,
        }
    }

    /// Returns `true` for a buffer that programs may use like a number.
    pub fn has_one_element(&self, id: PrimDefId) -> bool {
        let PrimDefKind::Buffer(fact) = &self.facts.def(id).kind else {
            return false;
        };
        let dims = fact.shape.as_deref().unwrap_or_default();
        dims.iter().all(|dim| dim.value == Some(1))
    }

    pub fn wrong_index_count(&mut self, buffer: PrimDefId, given: usize, range: TextRange) {
        let rank = self.rank(buffer).unwrap_or_default();
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
}

/// Returns the position in a list for an index of Python, which may be negative.
fn place_in(length: usize, at: i64) -> Option<usize> {
    let at = if at < 0 { at + length as i64 } else { at };
    usize::try_from(at).ok()
}
