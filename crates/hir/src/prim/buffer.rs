//! Buffers: reads shape, dtype, strides, scope and memory from the call that makes one.

use relax::diagnostics::{Code, Diagnostic, Severity};
use relax::dialect::Dialect;
use relax::dtype::{self, DType};
use relax::nearest_name::{did_you_mean, nearest_str};
use smol_str::SmolStr;
use syntax::ast;
use text_size::{TextRange, TextSize};

use super::arith;
use super::value::{Named, Value};
use super::{Entity, Reader};
use crate::body::{self, Arg, ExprId, lower_expr};
use crate::enclosing::PyValue;
use crate::prim_facts::{BufferFact, BufferOrigin, Dim, PrimDefId, PrimDefKind};
use crate::tir::{Buffer, BufferId, Data, Expr};

/// The name of a buffer, and the range of the call that makes it.
pub(super) type Place<'a> = (&'a SmolStr, TextRange);

impl Reader<'_> {
    /// Returns the arguments between the brackets of `T.Buffer[(4, 4), "float32"]`.
    pub fn subscript_args(&self, index: ExprId) -> Vec<Arg> {
        let shape_alone = |items: &[ExprId]| {
            let mut items = items.iter();
            items.all(|&item| matches!(self.body.exprs[item], body::Expr::Int(_)))
        };
        let parts = match &self.body.exprs[index] {
            body::Expr::Tuple(items) if !shape_alone(items) => items.clone(),
            _ => vec![index],
        };
        let positional = |value| Arg {
            keyword: None,
            starred: false,
            is_mapping: false,
            value,
        };
        parts.into_iter().map(positional).collect()
    }

    /// Reads a call that makes a buffer or memory, with its arguments. Returns `None` for any other call.
    pub fn make(
        &mut self,
        path: &str,
        args: &[Arg],
        place: Place<'_>,
    ) -> Option<(PrimDefKind, Entity)> {
        let origin = match path {
            "match_buffer" => BufferOrigin::Match,
            "alloc_buffer"
            | "sblock_alloc_buffer"
            | "alloc_local"
            | "alloc_shared"
            | "smem"
            | "tmem"
            | "alloc_tensor"
            | "allocate" => BufferOrigin::Alloc,
            "Buffer" | "buffer" | "decl_buffer" | "buffer_decl" => BufferOrigin::View,
            _ => return None,
        };
        let (mut fact, id) = self.before_block(|it| it.buffer(path, args, origin, None, place));
        let scope = match path {
            "allocate" => return Some((PrimDefKind::Pointer(Some(fact)), Entity::Pointer(id))),
            "alloc_local" => Some("local"),
            "alloc_shared" | "smem" => Some("shared"),
            "tmem" => {
                self.refuse(place.1, "`T.tmem` does not run on this machine");
                Some("tmem")
            }
            _ => None,
        };
        if let Some(scope) = scope.filter(|_| self.arg(path, args, "scope").is_none()) {
            let scope = SmolStr::new_static(scope);
            self.func.buffers[id.0 as usize].scope = scope.clone();
            fact.scope = Some(scope);
        }
        Some((PrimDefKind::Buffer(fact), Entity::Buffer(id)))
    }

    /// Reads every argument once, each by the meaning of its parameter.
    pub fn buffer(
        &mut self,
        path: &str,
        args: &[Arg],
        origin: BufferOrigin,
        data: Option<Data>,
        (name, range): Place<'_>,
    ) -> (BufferFact, BufferId) {
        let global = SmolStr::new_static("global");
        let (mut shape, mut dtype, mut strides, mut offset) = (None, Some(DType::F32), None, None);
        let (mut scope, mut data) = (Some(global.clone()), data.unwrap_or(Data::Alloc));
        let (mut has_shape, mut has_wrong_shape, mut matched) = (false, false, None);
        for (param, arg) in self.bound(path, args) {
            let at = arg.value;
            match param {
                "shape" | "extents" => {
                    has_shape = true;
                    has_wrong_shape = self.is_wrong_shape(path, at);
                    shape = if has_wrong_shape { None } else { self.dims(at) };
                }
                // The shape and the dtype are swapped, which is reported at the shape.
                "dtype" if has_wrong_shape && self.is_list(at) => {
                    dtype = None;
                    self.silent(|it| it.value(at));
                }
                "dtype" => {
                    dtype = self.dtype(at);
                    self.check_element(dtype, at);
                }
                _ if matches!(self.body.exprs[at], body::Expr::None) => {}
                "data" | "strides" | "scope" | "param" if self.is_misplaced(param, origin, at) => {
                    self.silent(|it| it.value(at));
                }
                "strides" => strides = self.dims(at).filter(|dims| !dims.is_empty()),
                "elem_offset" => offset = Some(self.dim(at)),
                "scope" => {
                    scope = match self.value(at) {
                        Value::Python(PyValue::Str(scope)) if scope.is_empty() => {
                            Some(global.clone())
                        }
                        Value::Python(PyValue::Str(scope)) => Some(scope),
                        _ => None,
                    };
                }
                "data" if origin == BufferOrigin::View => match self.value(at) {
                    Value::Pointer(Some(memory)) => data = Data::View(memory),
                    _ => self.no_memory(at),
                },
                "param" => matched = Some((self.value(at), self.range(at))),
                _ => self.silent_args([arg]),
            }
            if arg.starred {
                (shape, dtype, scope) = (None, None, None);
            }
        }
        // The default is the whole buffer that is matched.
        if path == "match_buffer" && !has_shape && args.len() == 1 {
            dtype = None;
        }
        let fact = BufferFact {
            origin,
            shape: shape.as_deref().map(dims_of),
            dtype,
            strides: strides.as_deref().map(dims_of),
            offset: offset.as_ref().map(Dim::of),
            scope: scope.clone(),
        };
        if !has_shape {
            self.refuse(range, "a buffer needs a shape");
        } else if shape.is_none() || dtype.is_none() {
            self.refuse_whole(range, "this buffer is only known when Python runs");
        }
        if let (Some(strides), Some(shape)) = (&strides, &shape)
            && strides.len() != shape.len()
        {
            self.refuse(range, "a buffer must have one stride for each dimension");
        }
        let id = BufferId(self.func.buffers.len() as u32);
        self.func.buffers.push(Buffer {
            name: name.clone(),
            dtype: dtype.unwrap_or(DType::F32),
            shape: shape.unwrap_or_default(),
            strides,
            offset,
            data,
            scope: scope.unwrap_or(global),
            range,
        });
        match matched {
            Some((of, at)) => self.match_buffer(id, of, at),
            None if path == "match_buffer" => {
                self.refuse(
                    range,
                    "`T.match_buffer` needs the handle or the region that it matches",
                );
            }
            None => self.divide_vectors(id),
        }
        (fact, id)
    }

    /// Reports a dtype that elements of buffers do not have.
    fn check_element(&mut self, dtype: Option<DType>, at: ExprId) {
        let has_no_pointers = self.around.release.dialect() == Dialect::Type;
        if has_no_pointers && dtype.is_some_and(DType::is_pointer) {
            self.report(Code::UnknownDtype, self.range(at), dtype::NO_POINTERS);
        }
    }

    /// Reports a literal that cannot be memory, strides, a scope or something to match. Returns whether it did.
    fn is_misplaced(&mut self, param: &str, origin: BufferOrigin, at: ExprId) -> bool {
        let literal = &self.body.exprs[at];
        let is_number = matches!(literal, body::Expr::Int(_) | body::Expr::Float(_));
        let is_list = matches!(literal, body::Expr::Tuple(_) | body::Expr::List(_));
        let is_text = matches!(literal, body::Expr::Str(_));
        let (is_wrong, wanted) = match param {
            "data" => (
                is_text || is_number || is_list,
                "`data` must be a pointer, such as the `data` of another buffer",
            ),
            "strides" => (
                is_number,
                "`strides` must be a list with one stride for each dimension",
            ),
            "scope" => (
                is_number || is_list,
                "`scope` must be a string, such as \"shared\"",
            ),
            _ => (
                is_number || is_list || is_text,
                "`T.match_buffer` takes a handle or a region of another buffer",
            ),
        };
        if is_wrong {
            let mut report = Diagnostic::new(Code::ArgumentType, self.range(at), wanted);
            // TVM allocates, and ignores it.
            if is_text && origin == BufferOrigin::Alloc {
                report.severity = Severity::Warning;
            }
            self.diagnose(report);
        }
        is_wrong
    }

    pub fn no_memory(&mut self, at: ExprId) {
        self.refuse_whole(self.range(at), "this is not a known buffer or pointer");
    }

    /// Returns the dimensions of a tuple, a list or a single number, or `None` if only Python knows their number.
    pub fn dims(&mut self, at: ExprId) -> Option<Vec<Expr>> {
        let body = self.body;
        let range = self.range(at);
        let items = match &body.exprs[at] {
            body::Expr::Tuple(items) | body::Expr::List(items) => items,
            body::Expr::Str(_) => return Some(vec![self.dim(at)]),
            _ => {
                let value = self.value(at);
                return self.dims_in(value, range);
            }
        };
        let mut dims = Some(Vec::with_capacity(items.len()));
        for &item in items {
            let more = match body.exprs[item] {
                body::Expr::Star(inner) => {
                    let value = self.value(inner);
                    self.dims_in(value, self.range(inner))
                }
                _ => Some(vec![self.dim(item)]),
            };
            match (&mut dims, more) {
                (Some(dims), Some(more)) => dims.extend(more),
                _ => dims = None,
            }
        }
        dims
    }

    /// Returns the dimensions that a value stands for.
    fn dims_in(&mut self, value: Value, range: TextRange) -> Option<Vec<Expr>> {
        match value {
            Value::Items(items) => Some(items),
            Value::Python(PyValue::List(items)) => {
                let dim = |item: &PyValue| self.dim_of(Value::Python(item.clone()), range);
                Some(items.iter().map(dim).collect())
            }
            value if value.is_number() || value.int().is_some() => {
                Some(vec![self.dim_of(value, range)])
            }
            Value::Python(PyValue::Str(_)) => {
                self.not_a_number(range);
                None
            }
            value => {
                self.number_of(value, range);
                None
            }
        }
    }

    /// Reports a shape that cannot be dimensions: a float, or the dtype in its place.
    fn is_wrong_shape(&mut self, path: &str, at: ExprId) -> bool {
        let is_wrong = match &self.body.exprs[at] {
            body::Expr::Float(_) => true,
            // `T.match_buffer` takes the shape of the matched buffer.
            body::Expr::None => path == "Buffer",
            body::Expr::Str(text) => DType::parse(text).is_some() || is_digits(text),
            _ => false,
        };
        if is_wrong {
            let message = "the shape of a buffer must be a list of dimensions";
            self.report(Code::InvalidAnnotation, self.range(at), message);
        }
        is_wrong
    }

    fn is_list(&self, at: ExprId) -> bool {
        matches!(
            self.body.exprs[at],
            body::Expr::Tuple(_) | body::Expr::List(_)
        )
    }

    /// Reads a dimension. A string names shape variables.
    pub fn dim(&mut self, at: ExprId) -> Expr {
        let range = self.range(at);
        match &self.body.exprs[at] {
            body::Expr::Str(text) if is_digits(text) => {
                let message = format!("a dimension must be a number: write `{text}`");
                self.report(Code::InvalidAnnotation, range, message);
                Expr::hole(DType::I32, range)
            }
            body::Expr::Str(text) => {
                let text = text.clone();
                self.quoted_dim(&text, at)
            }
            body::Expr::Subscript { base, .. } => {
                let path = self.script(*base);
                if let Some(dtype) = path.and_then(|path| DType::of_constructor(&path)) {
                    let message = format!("a dimension must be a number: write `T.{dtype}(...)`");
                    self.report(Code::InvalidAnnotation, range, message);
                    return Expr::hole(dtype, range);
                }
                let value = self.value(at);
                self.dim_of(value, range)
            }
            _ => {
                let value = self.value(at);
                self.dim_of(value, range)
            }
        }
    }

    fn dim_of(&mut self, value: Value, range: TextRange) -> Expr {
        // A dimension of a parameter may be a variable without a name.
        if let Value::NewVar(dtype) = value {
            self.refuse(range, "this dimension has no name");
            return Expr::hole(dtype, range);
        }
        if let Some(dtype) = value.dtype().filter(|dtype| dtype.is_float()) {
            let message = format!("a dimension must be an integer, but this is {dtype}");
            self.report(Code::DtypeMismatch, range, message);
            return Expr::hole(DType::I32, range);
        }
        self.index_of(value, range)
    }

    /// Reads an index or extent: an integer, `int32` unless its dtype is given.
    pub fn index(&mut self, at: ExprId) -> Expr {
        let value = self.operand(at);
        self.index_of(value, self.range(at))
    }

    pub fn index_of(&mut self, value: Value, range: TextRange) -> Expr {
        match self.number_of(value, range) {
            Some(number) => {
                let expr = self.strong(number);
                self.integer(expr)
            }
            None => Expr::hole(DType::I32, range),
        }
    }

    /// Reports an expression that is not an integer.
    pub fn integer(&mut self, expr: Expr) -> Expr {
        let expr = arith::counted(expr);
        if expr.dtype.is_int() {
            return expr;
        }
        let message = format!("an index must be an integer, but this is {}", expr.dtype);
        self.hole(DType::I32, expr.range, message).expr
    }

    /// Reads `"n"` or `"n + T.int64(1)"`. Each name is a shape variable; the range of a name alone is the text between
    /// the quotes.
    fn quoted_dim(&mut self, text: &str, at: ExprId) -> Expr {
        let range = self.range(at);
        let quoted = u32::from(range.len()) as usize == text.len() + 2;
        for (start, word) in quoted_names(text) {
            let place = if quoted {
                let start = range.start() + TextSize::new(start as u32 + 1);
                TextRange::at(start, TextSize::of(word))
            } else {
                range
            };
            let named = Named {
                text: word.into(),
                range: place,
            };
            let id = self.shape_var(&named, DType::I32);
            if word == text {
                let var = self.value_of(id, range);
                return self.index_of(var, range);
            }
        }
        match self.quoted_value(text, range) {
            Some(value) => self.index_of(value, range),
            None => {
                let message = "a dimension in quotes can only contain names and integers here";
                self.hole(DType::I32, range, message).expr
            }
        }
    }

    fn quoted_value(&mut self, text: &str, range: TextRange) -> Option<Value> {
        let parsed = syntax::parse(text);
        let tree = parsed.tree();
        let mut stmts = tree.stmts();
        let (Some(ast::Stmt::ExprStmt(stmt)), None, true) =
            (stmts.next(), stmts.next(), parsed.errors.is_empty())
        else {
            return None;
        };
        let (body, id) = lower_expr(&stmt.expr()?);
        self.quoted_expr(&body, id, range)
    }

    fn quoted_expr(&mut self, body: &body::Body, id: ExprId, range: TextRange) -> Option<Value> {
        match &body.exprs[id] {
            body::Expr::Name(name) => {
                let id = self.lookup(name)?;
                Some(self.value_of(id, range))
            }
            body::Expr::Int(value) => Some(Value::Python(PyValue::Int(*value))),
            body::Expr::Binary { op, lhs, rhs } => {
                let left = self.quoted_expr(body, *lhs, range)?;
                let right = self.quoted_expr(body, *rhs, range)?;
                Some(self.binary_of(*op, left, right, [range; 3]))
            }
            // TVM prints the dtypes of integers: `T.int64(1)`.
            body::Expr::Call { callee, args } => {
                let body::Expr::Attribute { name, .. } = &body.exprs[*callee] else {
                    return None;
                };
                let mut numbers = Vec::with_capacity(args.len());
                for arg in args {
                    let value = self.quoted_expr(body, arg.value, range)?;
                    numbers.push(self.number_of(value, range)?);
                }
                Some(self.call_with(&name.text, numbers, range)?.into())
            }
            _ => None,
        }
    }

    fn unknown_dtype(&mut self, text: &str, range: TextRange) {
        let near = nearest_str(text, DType::COMMON.iter().copied());
        let message = format!("`{text}` is not a dtype{}", did_you_mean(near));
        let mut diagnostic = Diagnostic::new(Code::UnknownDtype, range, message);
        let quote = TextSize::of('"');
        let inside = TextRange::new(range.start() + quote, range.end() - quote);
        diagnostic.instead = near.map(|near| (inside, near.into()));
        self.diagnose(diagnostic);
    }

    /// Reads a dtype as an argument, and reports a value that cannot be one.
    pub fn dtype(&mut self, at: ExprId) -> Option<DType> {
        let range = self.range(at);
        let dtype = match &self.body.exprs[at] {
            body::Expr::Attribute { base, name } if name.text == "dtype" => {
                let base = *base;
                self.silent(|it| it.value(at));
                let id = self.buffer_named(base);
                id.and_then(|id| self.facts.def(id).dtype())
            }
            _ => match self.silent(|it| it.value(at)) {
                Value::Python(PyValue::Str(text)) => {
                    let dtype = DType::parse(&text);
                    let is_literal = matches!(self.body.exprs[at], body::Expr::Str(_));
                    if dtype.is_none() && is_literal && !text.is_empty() && !may_be_dtype(&text) {
                        self.unknown_dtype(&text, range);
                    }
                    dtype
                }
                Value::Other | Value::NewVar(_) => {
                    let (callee, _) = self.call_parts(at);
                    let path = self.script(callee);
                    path.and_then(|path| DType::of_constructor(&path))
                }
                value => {
                    if is_no_dtype(&self.body.exprs[at], &value) || self.is_builtin_type(at) {
                        let message = "a dtype must be a string, such as \"float32\"";
                        self.report(Code::InvalidAnnotation, range, message);
                    }
                    None
                }
            },
        };
        if dtype.is_none() {
            self.refuse_whole(range, "this is not a known dtype");
        }
        dtype
    }

    /// Returns the buffer that a plain name refers to.
    pub fn buffer_named(&self, at: ExprId) -> Option<PrimDefId> {
        let body::Expr::Name(name) = &self.body.exprs[at] else {
            return None;
        };
        let id = self.lookup(name)?;
        matches!(self.facts.def(id).kind, PrimDefKind::Buffer(_)).then_some(id)
    }

    /// Returns the program's buffer for a buffer of the facts.
    pub fn buffer_id(&self, id: PrimDefId) -> Option<BufferId> {
        match *self.entity(id) {
            Entity::Buffer(buffer) | Entity::Pointer(buffer) => Some(buffer),
            _ => None,
        }
    }
}

/// Returns the names of a dimension in quotes with their positions, without the names of functions: `T.int64`.
fn quoted_names(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.split(move |c: char| !is_word(c))
        .map(move |word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
        .filter(move |&(start, word)| {
            let is_attribute = text[..start].ends_with('.');
            let is_namespace = text[start + word.len()..].starts_with(['.', '(']);
            let is_number = word.starts_with(|c: char| c.is_ascii_digit());
            !(word.is_empty() || is_number || is_attribute || is_namespace)
        })
}

pub(super) fn dims_of(dims: &[Expr]) -> Vec<Dim> {
    dims.iter().map(Dim::of).collect()
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit())
}

/// Returns `true` for an expression that certainly names no dtype.
fn is_no_dtype(expr: &body::Expr, value: &Value) -> bool {
    let is_other = matches!(
        expr,
        body::Expr::Tuple(_)
            | body::Expr::List(_)
            | body::Expr::Int(_)
            | body::Expr::Float(_)
            | body::Expr::None
    );
    is_other || matches!(value, Value::Pointer(_) | Value::Buffer(_))
}

/// Returns whether the text may be a dtype that a target defines, or one without a width.
fn may_be_dtype(text: &str) -> bool {
    text.starts_with("custom")
        || text == "void"
        || text.starts_with("vscale")
        || text.contains("xvscalex")
}
