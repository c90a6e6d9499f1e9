//! Buffers: shape, dtype, strides and scope from the call that makes one.

use relax::diagnostics::{Code, Diagnostic};
use relax::dtype::DType;
use smol_str::SmolStr;
use text_size::{TextRange, TextSize};

use super::resolve::Resolve;
use super::value::Value;
use super::{BufferFact, BufferOrigin, Dim};
use crate::body::{self, Arg, Expr, ExprId};
use crate::enclosing::PyValue;

/// The positional parameters of `T.Buffer` and of what allocates, as far as the dialects agree.
pub(super) const BUFFER: &[&str] = &["shape", "dtype", "data", "strides", "elem_offset"];
/// Those of `T.match_buffer`.
pub(super) const MATCH: &[&str] = &[
    "param",
    "shape",
    "dtype",
    "data",
    "strides",
    "elem_offset",
    "scope",
];
/// Those of `T.allocate`.
pub(super) const ALLOCATE: &[&str] = &["shape", "dtype", "scope"];

impl Resolve<'_> {
    /// The arguments that `T.Buffer[(4, 4), "float32"]` has between its brackets.
    pub fn subscript_args(&self, index: ExprId) -> Vec<Arg> {
        let shape_alone = |items: &[ExprId]| {
            let mut items = items.iter();
            items.all(|&item| matches!(self.body.exprs[item], Expr::Int(_)))
        };
        let parts = match &self.body.exprs[index] {
            Expr::Tuple(items) if !shape_alone(items) => items.clone(),
            _ => vec![index],
        };
        let positional = |value| Arg {
            keyword: None,
            starred: false,
            value,
        };
        parts.into_iter().map(positional).collect()
    }

    /// Reads every argument once, each by what its parameter is for.
    pub fn buffer(&mut self, args: &[Arg], params: &[&str], origin: BufferOrigin) -> BufferFact {
        let mut fact = BufferFact {
            origin,
            shape: None,
            dtype: Some(DType::F32),
            strides: None,
            offset: None,
            scope: Some(SmolStr::new_static("global")),
        };
        for (at, arg) in args.iter().enumerate() {
            let param = match &arg.keyword {
                Some(keyword) => keyword.text.as_str(),
                None if arg.starred => "",
                None => params.get(at).copied().unwrap_or_default(),
            };
            match param {
                "shape" | "extents" => fact.shape = self.dims(arg.value),
                "dtype" => fact.dtype = self.dtype(arg.value),
                "strides" => fact.strides = self.dims(arg.value).filter(|dims| !dims.is_empty()),
                "elem_offset" if !matches!(self.body.exprs[arg.value], Expr::None) => {
                    fact.offset = Some(self.dim(arg.value));
                }
                "scope" => {
                    let value = self.expr(arg.value);
                    fact.scope = match value {
                        Value::Python(PyValue::Str(scope)) if scope.is_empty() => fact.scope,
                        Value::Python(PyValue::Str(scope)) => Some(scope),
                        _ => None,
                    };
                }
                _ => {
                    self.expr(arg.value);
                }
            }
            if arg.starred {
                (fact.shape, fact.dtype, fact.scope) = (None, None, None);
            }
        }
        fact
    }

    /// Dimensions: a tuple or a list, or one alone. `None` where only Python knows how many.
    pub fn dims(&mut self, at: ExprId) -> Option<Vec<Dim>> {
        match &self.body.exprs[at] {
            Expr::Tuple(items) | Expr::List(items) => {
                let starred = |&item: &ExprId| matches!(self.body.exprs[item], Expr::Star(_));
                let open = items.iter().any(starred);
                let dims: Vec<Dim> = items.iter().map(|&item| self.dim(item)).collect();
                (!open).then_some(dims)
            }
            _ => {
                let range = self.range(at);
                let text = self.body.exprs[at].clone();
                match self.dim_value(at) {
                    Value::Python(PyValue::List(items)) => {
                        let dim = |item: &PyValue| Dim {
                            range,
                            value: match item {
                                PyValue::Int(value) => Some(*value),
                                _ => None,
                            },
                        };
                        Some(items.iter().map(dim).collect())
                    }
                    value @ Value::Number(_) => Some(vec![Dim {
                        range,
                        value: value.int(),
                    }]),
                    value @ Value::Python(PyValue::Int(_)) => Some(vec![Dim {
                        range,
                        value: value.int(),
                    }]),
                    _ if matches!(text, Expr::Str(_)) => Some(vec![Dim { range, value: None }]),
                    _ => None,
                }
            }
        }
    }

    pub fn dim(&mut self, at: ExprId) -> Dim {
        let range = self.range(at);
        let value = self.dim_value(at);
        Dim {
            range,
            value: value.int(),
        }
    }

    /// A dimension; one that is a string names shape variables.
    fn dim_value(&mut self, at: ExprId) -> Value {
        if let Expr::Str(text) = &self.body.exprs[at] {
            let text = text.clone();
            self.quoted_dim(&text, at);
            return Value::number(Some(DType::I32));
        }
        let value = self.expr(at);
        if let Some(dtype) = value.dtype()
            && dtype.is_float()
        {
            let range = self.range(at);
            let message = format!("a dimension is an integer, and this is {dtype}");
            self.report(Code::DtypeMismatch, range, message);
        }
        value
    }

    /// `"n"`, `"n * 4"`: each name is a shape variable; a name alone is the text between the quotes.
    fn quoted_dim(&mut self, text: &str, at: ExprId) {
        let range = self.range(at);
        let quoted = u32::from(range.len()) as usize == text.len() + 2;
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let mut rest = 0;
        for word in text.split(|c: char| !is_word(c)) {
            let start = rest;
            rest += word.len()
                + text[rest + word.len()..]
                    .chars()
                    .next()
                    .map_or(0, char::len_utf8);
            if word.is_empty() || word.starts_with(|c: char| c.is_ascii_digit()) {
                continue;
            }
            let place = if quoted {
                let start = range.start() + text_size::TextSize::new(start as u32 + 1);
                text_size::TextRange::at(start, text_size::TextSize::of(word))
            } else {
                range
            };
            let named = super::value::Named {
                text: word.into(),
                range: place,
            };
            self.shape_var(&named, DType::I32);
        }
    }

    fn unknown_dtype(&mut self, text: &str, range: TextRange) {
        if self.doubt > 0 {
            return;
        }
        let near = relax::near::nearest_str(text, DType::COMMON.iter().copied());
        let message = match near {
            Some(near) => format!("`{text}` is not a dtype; did you mean `{near}`?"),
            None => format!("`{text}` is not a dtype"),
        };
        let mut diagnostic = Diagnostic::new(Code::UnknownDtype, range, message);
        let quote = TextSize::of('"');
        let inside = TextRange::new(range.start() + quote, range.end() - quote);
        diagnostic.instead = near.map(|near| (inside, near.into()));
        self.facts.diagnostics.push(diagnostic);
    }

    /// A dtype as an argument; one that cannot be is reported.
    pub fn dtype(&mut self, at: ExprId) -> Option<DType> {
        let range = self.range(at);
        match self.expr(at) {
            Value::Python(PyValue::Str(text)) => {
                let dtype = DType::parse(&text);
                let is_literal = matches!(self.body.exprs[at], Expr::Str(_));
                if dtype.is_none() && is_literal && !text.is_empty() && !may_be_dtype(&text) {
                    self.unknown_dtype(&text, range);
                }
                dtype
            }
            Value::Other => {
                let (callee, _) = self.call_parts(at);
                DType::of_constructor(&self.script(callee)?)
            }
            _ => match &self.body.exprs[at] {
                body::Expr::Attribute { base, name } if name.text == "dtype" => {
                    let id = self.buffer_named(*base)?;
                    self.facts.def(id).dtype()
                }
                _ => None,
            },
        }
    }

    /// The buffer that a name alone stands for.
    pub fn buffer_named(&self, at: ExprId) -> Option<super::PrimDefId> {
        let Expr::Name(name) = &self.body.exprs[at] else {
            return None;
        };
        match self.value_of(self.lookup(name)?) {
            Value::Buffer(id) => Some(id),
            _ => None,
        }
    }
}

/// Dtypes that TVM lets a target define, and those of no width.
fn may_be_dtype(text: &str) -> bool {
    text.starts_with("custom")
        || text == "void"
        || text.starts_with("vscale")
        || text.contains("xvscalex")
}
