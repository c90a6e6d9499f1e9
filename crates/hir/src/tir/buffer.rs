//! Buffers: of parameters, allocated, and views into others.

use relax::dtype::DType;
use smol_str::SmolStr;

use super::arith::{self, Number};
use super::function::{Entity, Failed, Lower, Lowered};
use super::{Binary, Buffer, BufferId, Data, Expr, ParamKind};
use crate::body::{self, Arg, ExprId};

/// The parameters of `T.Buffer` and its relatives, in order.
const BUFFER: &[&str] = &[
    "shape",
    "dtype",
    "data",
    "strides",
    "elem_offset",
    "scope",
    "align",
    "offset_factor",
    "buffer_type",
    "axis_separators",
];
const MATCH: &[&str] = &[
    "param",
    "shape",
    "dtype",
    "data",
    "strides",
    "elem_offset",
    "scope",
    "align",
    "offset_factor",
    "buffer_type",
    "axis_separators",
];
const ALLOCATE: &[&str] = &["extents", "dtype", "scope", "condition", "annotations"];

impl Lower<'_> {
    /// The argument of a parameter, by keyword or position.
    pub fn arg(args: &[Arg], params: &[&str], name: &str) -> Option<ExprId> {
        args.iter()
            .find(|a| a.keyword.as_ref().is_some_and(|k| k.text == name))
            .or_else(|| {
                let at = params.iter().position(|p| *p == name)?;
                args.get(at).filter(|a| a.keyword.is_none() && !a.starred)
            })
            .map(|a| a.value)
    }

    /// `T.Buffer((4, 4), "float32")` as the annotation of a parameter.
    pub fn buffer_annotation(
        &mut self,
        expr: ExprId,
        name: SmolStr,
        at: usize,
    ) -> Lowered<BufferId> {
        // `T.Buffer[(4, 4), "float32"]`
        if let body::Expr::Subscript { index, .. } = self.body.exprs[expr] {
            let parts: Vec<Arg> = match &self.body.exprs[index] {
                body::Expr::Tuple(items) if !self.is_shape_alone(items) => items.clone(),
                _ => vec![index],
            }
            .into_iter()
            .map(|value| Arg {
                keyword: None,
                starred: false,
                value,
            })
            .collect();
            return self.buffer(&parts, BUFFER, name, Data::Param(at), expr);
        }
        let (_, args) = self.call_parts(expr);
        self.buffer(args, BUFFER, name, Data::Param(at), expr)
    }

    /// `T.Buffer[4, 4]`: a shape without a dtype.
    fn is_shape_alone(&self, items: &[ExprId]) -> bool {
        items
            .iter()
            .all(|&i| matches!(self.body.exprs[i], body::Expr::Int(_)))
    }

    fn buffer(
        &mut self,
        args: &[Arg],
        params: &[&str],
        name: SmolStr,
        data: Data,
        at: ExprId,
    ) -> Lowered<BufferId> {
        let range = self.range(at);
        let Some(shape) = Self::arg(args, params, "shape") else {
            return Err(self.error(range, "a buffer needs a shape"));
        };
        let shape = self.dims(shape)?;
        let dtype = match Self::arg(args, params, "dtype") {
            Some(at) => self.dtype(at)?,
            None => DType::F32,
        };
        let strides = match Self::arg(args, params, "strides") {
            Some(at) if !matches!(self.body.exprs[at], body::Expr::None) => Some(self.dims(at)?),
            _ => None,
        };
        let strides = strides.filter(|s| !s.is_empty());
        if strides.as_ref().is_some_and(|s| s.len() != shape.len()) {
            return Err(self.error(range, "a buffer has one stride for each dimension"));
        }
        let offset = match Self::arg(args, params, "elem_offset") {
            Some(at) if !matches!(self.body.exprs[at], body::Expr::None) => Some(self.index(at)?),
            _ => None,
        };
        let scope = match Self::arg(args, params, "scope").map(|at| &self.body.exprs[at]) {
            Some(body::Expr::Str(scope)) if !scope.is_empty() => scope.clone(),
            _ => SmolStr::new_static("global"),
        };
        Ok(self.add_buffer(Buffer {
            name,
            dtype,
            shape,
            strides,
            offset,
            data,
            scope,
            range,
        }))
    }

    pub fn add_buffer(&mut self, buffer: Buffer) -> BufferId {
        self.func.buffers.push(buffer);
        BufferId(self.func.buffers.len() as u32 - 1)
    }

    /// Dimensions: a tuple or a list, or one alone.
    pub fn dims(&mut self, at: ExprId) -> Lowered<Vec<Expr>> {
        match &self.body.exprs[at] {
            body::Expr::Tuple(items) | body::Expr::List(items) => {
                items.iter().map(|&item| self.dim(item)).collect()
            }
            body::Expr::Name(name) if matches!(self.lookup(name), Some(Entity::Python(_))) => {
                self.python_dims(at)
            }
            body::Expr::Name(_) | body::Expr::Attribute { .. } => match self.python_dims(at) {
                Ok(dims) => Ok(dims),
                Err(Failed) => Ok(vec![self.dim(at)?]),
            },
            _ => Ok(vec![self.dim(at)?]),
        }
    }

    fn dim(&mut self, at: ExprId) -> Lowered<Expr> {
        if let body::Expr::Str(name) = &self.body.exprs[at] {
            let var = self.shape_var(&name.clone());
            let range = self.range(at);
            return Ok(self.var_expr(var, range));
        }
        self.index(at)
    }

    /// An index or extent: an integer, of `int32` where nothing says otherwise.
    pub fn index(&mut self, at: ExprId) -> Lowered<Expr> {
        let expr = self.expr(at)?;
        self.integer(expr)
    }

    /// An expression that must be an integer.
    pub fn integer(&mut self, expr: Expr) -> Lowered<Expr> {
        let expr = arith::counted(expr);
        if !expr.dtype.is_int() {
            let message = format!("an index is an integer, and this is {}", expr.dtype);
            return Err(self.error(expr.range, message));
        }
        Ok(expr)
    }

    pub fn dtype(&mut self, at: ExprId) -> Lowered<DType> {
        let text = match &self.body.exprs[at] {
            body::Expr::Str(text) => Some(text.clone()),
            body::Expr::Name(name) => match self.python(name) {
                Some(crate::enclosing::PyValue::Str(text)) => Some(text),
                _ => None,
            },
            body::Expr::Attribute { base, name } if name.text == "dtype" => {
                let buffer = self.buffer_of(*base)?;
                return Ok(self.func.buffer(buffer).dtype);
            }
            _ => self.tir_path(at),
        };
        match text.as_deref().map(DType::parse) {
            Some(Some(dtype)) => Ok(dtype),
            _ => {
                let range = self.range(at);
                Err(self.error(range, "this is not a dtype that is known here"))
            }
        }
    }

    /// A call that makes a buffer or memory; `None` if it makes something else.
    pub fn buffer_call(&mut self, name: &SmolStr, expr: ExprId) -> Option<Lowered<Entity>> {
        let (callee, args) = self.call_parts(expr);
        let path = self.tir_path(callee)?;
        Some(match path.as_str() {
            "match_buffer" => self.match_buffer(name, args, expr),
            "alloc_buffer" | "sblock_alloc_buffer" | "alloc_tensor" => self
                .buffer(args, BUFFER, name.clone(), Data::Alloc, expr)
                .map(Entity::Buffer),
            "alloc_local" | "alloc_shared" => {
                let made = self.buffer(args, BUFFER, name.clone(), Data::Alloc, expr);
                if let Ok(BufferId(at)) = made
                    && let Some(buffer) = self.func.buffers.get_mut(at as usize)
                    && Self::arg(args, BUFFER, "scope").is_none()
                {
                    buffer.scope = path.trim_start_matches("alloc_").into();
                }
                made.map(Entity::Buffer)
            }
            "Buffer" | "decl_buffer" | "buffer_decl" => self.declared(name, args, expr),
            "allocate" => self.allocate(name, args, expr),
            _ => return None,
        })
    }

    fn declared(&mut self, name: &SmolStr, args: &[Arg], expr: ExprId) -> Lowered<Entity> {
        let data = match Self::arg(args, BUFFER, "data") {
            Some(at) if !matches!(self.body.exprs[at], body::Expr::None) => {
                Data::View(self.pointer(at)?)
            }
            _ => Data::Alloc,
        };
        self.buffer(args, BUFFER, name.clone(), data, expr)
            .map(Entity::Buffer)
    }

    /// The memory that an expression points at.
    pub fn pointer(&mut self, at: ExprId) -> Lowered<BufferId> {
        match &self.body.exprs[at] {
            body::Expr::Name(name) => {
                if let Some(Entity::Pointer(buffer)) = self.lookup(name) {
                    return Ok(buffer);
                }
            }
            body::Expr::Attribute { base, name } if name.text == "data" => {
                return self.buffer_of(*base);
            }
            _ => {}
        }
        let range = self.range(at);
        Err(self.error(range, "this is no memory that is known here"))
    }

    fn allocate(&mut self, name: &SmolStr, args: &[Arg], expr: ExprId) -> Lowered<Entity> {
        let range = self.range(expr);
        let (Some(extents), Some(dtype)) = (
            Self::arg(args, ALLOCATE, "extents"),
            Self::arg(args, ALLOCATE, "dtype"),
        ) else {
            return Err(self.error(range, "`T.allocate` needs extents and a dtype"));
        };
        let shape = self.dims(extents)?;
        let dtype = self.dtype(dtype)?;
        let scope = match Self::arg(args, ALLOCATE, "scope").map(|at| &self.body.exprs[at]) {
            Some(body::Expr::Str(scope)) if !scope.is_empty() => scope.clone(),
            _ => SmolStr::new_static("global"),
        };
        let buffer = self.add_buffer(Buffer {
            name: name.clone(),
            dtype,
            shape,
            strides: None,
            offset: None,
            data: Data::Alloc,
            scope,
            range,
        });
        Ok(Entity::Pointer(buffer))
    }

    fn match_buffer(&mut self, name: &SmolStr, args: &[Arg], expr: ExprId) -> Lowered<Entity> {
        let range = self.range(expr);
        let Some(param) = Self::arg(args, MATCH, "param") else {
            return Err(self.error(range, "`T.match_buffer` needs what it matches"));
        };
        if let body::Expr::Name(handle) = &self.body.exprs[param]
            && let Some(Entity::Handle(at)) = self.lookup(handle)
        {
            let buffer = self.buffer(args, MATCH, name.clone(), Data::Param(at), expr)?;
            return match self.func.params.get_mut(at) {
                Some(param) if param.kind == ParamKind::Unused => {
                    param.kind = ParamKind::Buffer(buffer);
                    Ok(Entity::Buffer(buffer))
                }
                // Only one of them would be compared with the argument.
                _ => Err(self.error(range, format!("`{handle}` is matched to a buffer already"))),
            };
        }
        self.match_region(name, args, param, expr)
    }

    /// A view of a part of another buffer.
    fn match_region(
        &mut self,
        name: &SmolStr,
        args: &[Arg],
        region: ExprId,
        expr: ExprId,
    ) -> Lowered<Entity> {
        let range = self.range(expr);
        let (source, indices) = match &self.body.exprs[region] {
            body::Expr::Subscript { base, index } => {
                let source = self.buffer_of(*base)?;
                let parts: Vec<ExprId> = match &self.body.exprs[*index] {
                    body::Expr::Tuple(items) => items.clone(),
                    _ => vec![*index],
                };
                (source, parts)
            }
            _ => (self.buffer_of(region)?, Vec::new()),
        };
        if !indices.is_empty() && indices.len() != self.func.buffer(source).shape.len() {
            return Err(self.error(range, "a region has one part for each dimension"));
        }
        let view = self.buffer(args, MATCH, name.clone(), Data::View(source), expr)?;
        let starts = indices
            .iter()
            .map(|&at| match self.body.exprs[at] {
                body::Expr::Slice { start, .. } => match start {
                    Some(start) => self.index(start),
                    None => Ok(Expr::int(0, DType::I32, range)),
                },
                _ => self.index(at),
            })
            .collect::<Lowered<Vec<Expr>>>()?;
        let strides = self.strides(source, range)?;
        let mut offset = self.func.buffer(source).offset.clone();
        for (start, stride) in starts.into_iter().zip(&strides) {
            let step = self.product(start, stride.clone(), range)?;
            offset = Some(match offset {
                Some(offset) => self.sum(offset, step, range)?,
                None => step,
            });
        }
        // The innermost dimensions of the view step as those of what it is a part of.
        let rank = self.func.buffer(view).shape.len();
        let keep = strides.len().saturating_sub(rank);
        let own = strides.get(keep..).map(<[Expr]>::to_vec);
        if let Some(buffer) = self.func.buffers.get_mut(view.0 as usize) {
            buffer.offset = offset;
            buffer.strides = own.filter(|s| s.len() == rank);
            buffer.data = Data::View(source);
        }
        // A view of a view lies in the first one's memory.
        Ok(Entity::Buffer(view))
    }

    /// The strides of a buffer, in elements.
    fn strides(&mut self, buffer: BufferId, range: text_size::TextRange) -> Lowered<Vec<Expr>> {
        let it = self.func.buffer(buffer).clone();
        if let Some(strides) = it.strides {
            return Ok(strides);
        }
        let mut strides = Vec::with_capacity(it.shape.len());
        let mut step = Expr::int(1, DType::I64, range);
        for dim in it.shape.iter().rev() {
            strides.push(step.clone());
            step = self.product(step, dim.clone(), range)?;
        }
        strides.reverse();
        Ok(strides)
    }

    fn product(&mut self, a: Expr, b: Expr, range: text_size::TextRange) -> Lowered<Expr> {
        let (a, b) = (arith::cast(a, DType::I64), arith::cast(b, DType::I64));
        Ok(self
            .binary(Binary::Mul, Number::strong(a), Number::strong(b), range)?
            .expr)
    }

    fn sum(&mut self, a: Expr, b: Expr, range: text_size::TextRange) -> Lowered<Expr> {
        let (a, b) = (arith::cast(a, DType::I64), arith::cast(b, DType::I64));
        Ok(self
            .binary(Binary::Add, Number::strong(a), Number::strong(b), range)?
            .expr)
    }

    /// The dimensions of `A.shape`, or of a tuple that Python knows.
    pub fn shape_of(&mut self, at: ExprId) -> Lowered<Vec<Expr>> {
        if let body::Expr::Attribute { base, name } = &self.body.exprs[at]
            && name.text == "shape"
        {
            let buffer = self.buffer_of(*base)?;
            return Ok(self.func.buffer(buffer).shape.clone());
        }
        self.dims(at)
    }

    /// The buffer that an expression names.
    pub fn buffer_of(&mut self, at: ExprId) -> Lowered<BufferId> {
        if let body::Expr::Name(name) = &self.body.exprs[at]
            && let Some(Entity::Buffer(buffer) | Entity::Pointer(buffer)) = self.lookup(name)
        {
            return Ok(buffer);
        }
        let range = self.range(at);
        Err(self.error(range, "this is no buffer that is known here"))
    }
}
