//! The notation for StructInfo in the records of TVM's results, which is the same for every release.
//!
//! `Tensor((n, 4), float32)`, `Tensor(ndim=2, dtype=float32)`, `Tensor(shape=s, ndim=2)`, `Tensor()`, each with
//! `vdevice=llvm:0:global`; `DTensor(..., mesh, S[0], R)`; `Shape((n, 4))`, `Shape(ndim=2)`, `Shape()`; `Tuple(A, B)`;
//! `Callable((A, B), R, pure)`, `Callable(opaque, R, impure)`; `Prim(int64)`, `Prim(int64, n + 1)`; `String`; `Object`.

use smol_str::SmolStr;

use crate::dtype::DType;
use crate::sinfo::{Callable, DTensor, Prim, Shape, StructInfo, Tensor, TensorShape, VDevice};
use crate::sym::{Op, SymCx, SymExpr, SymVar, Tri};
use crate::value::IndexMap;

struct Reader<'t> {
    rest: &'t str,
    failed: bool,
}

/// Parses StructInfo. Returns `None` if the text is not in this notation.
pub fn read(text: &str) -> Option<StructInfo> {
    let mut reader = Reader::new(text);
    let sinfo = reader.sinfo();
    (!reader.failed && reader.rest.trim().is_empty()).then_some(sinfo)
}

/// Parses a dimension.
pub fn dim(text: &str) -> SymExpr {
    Reader::new(text).expr(0)
}

/// Parses an index map: `(a, b) -> (b, a // 4, a % 4)`.
pub fn index_map(text: &str) -> Option<IndexMap> {
    let (inputs, outputs) = text.split_once(" -> ")?;
    let inputs = inputs.strip_prefix('(')?.strip_suffix(')')?;
    let inputs = inputs
        .split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .map(var)
        .collect();
    let outputs = Reader::new(outputs).dims();
    Some(IndexMap { inputs, outputs })
}

/// Returns the shape variable with a name, which is the same in all texts.
pub fn var(name: &str) -> SymVar {
    SymVar {
        name: name.into(),
        id: 0,
    }
}

impl Reader<'_> {
    fn new(rest: &str) -> Reader<'_> {
        Reader {
            rest,
            failed: false,
        }
    }

    fn eat(&mut self, token: &str) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, token: &str) {
        self.failed |= !self.eat(token);
    }

    fn word(&mut self) -> SmolStr {
        self.rest = self.rest.trim_start();
        let end = self
            .rest
            .find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '\'' || c == '.'))
            .unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word.into()
    }

    /// Returns everything up to the next `,` or `)` outside of brackets.
    fn raw(&mut self) -> SmolStr {
        self.rest = self.rest.trim_start();
        let mut depth = 0_i32;
        let end = self.rest.find(|c: char| {
            match c {
                '(' | '[' => depth += 1,
                ')' | ']' => depth -= 1,
                _ => {}
            }
            depth < 0 || (depth == 0 && c == ',')
        });
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        word.trim().into()
    }

    fn sinfo(&mut self) -> StructInfo {
        let kind = self.word();
        match &*kind {
            "Object" | "Any" => {
                if self.eat("(") {
                    self.expect(")");
                }
                StructInfo::Object
            }
            "String" => StructInfo::String,
            "Unknown" => StructInfo::Unknown,
            "Prim" => {
                self.expect("(");
                let dtype = DType::parse(&self.raw());
                let value = self.eat(",").then(|| self.expr(0));
                self.expect(")");
                StructInfo::Prim(Prim { dtype, value })
            }
            "Tuple" => {
                self.expect("(");
                StructInfo::tuple(self.list(Self::sinfo))
            }
            "Shape" => {
                self.expect("(");
                let shape = if self.eat(")") {
                    return StructInfo::Shape(Shape::Unknown(None));
                } else if self.eat("ndim=") {
                    Shape::Unknown(self.word().parse().ok())
                } else {
                    Shape::Known(self.dims().into())
                };
                self.expect(")");
                StructInfo::Shape(shape)
            }
            "Tensor" => {
                self.expect("(");
                StructInfo::Tensor(self.tensor(&mut Vec::new()))
            }
            "DTensor" => {
                self.expect("(");
                let mut rest = Vec::new();
                let tensor = self.tensor(&mut rest);
                let mut rest = rest.into_iter();
                StructInfo::DTensor(std::sync::Arc::new(DTensor {
                    tensor,
                    mesh: rest.next().unwrap_or_default(),
                    placement: rest.collect(),
                }))
            }
            "Callable" => {
                self.expect("(");
                let params = if self.eat("opaque") {
                    None
                } else {
                    self.expect("(");
                    Some(self.list(Self::sinfo).into())
                };
                self.expect(",");
                // The result of an opaque function may be left out.
                let purity = ["pure", "impure"];
                let rest = self.rest.trim_start();
                let ret = if purity.iter().any(|word| rest.starts_with(word)) {
                    StructInfo::Object
                } else {
                    let ret = self.sinfo();
                    self.expect(",");
                    ret
                };
                let pure = self.word() == "pure";
                self.expect(")");
                StructInfo::Callable(std::sync::Arc::new(Callable { params, ret, pure }))
            }
            _ => {
                self.failed = true;
                StructInfo::Unknown
            }
        }
    }

    /// Parses the rest of a list after its `(`.
    fn list<T>(&mut self, one: impl Fn(&mut Self) -> T) -> Vec<T> {
        let mut items = Vec::new();
        while !self.failed && !self.eat(")") {
            items.push(one(self));
            if !self.eat(",") {
                self.expect(")");
                break;
            }
        }
        items
    }

    fn dims(&mut self) -> Vec<SymExpr> {
        self.expect("(");
        self.list(|r| r.expr(0))
    }

    /// Parses the rest of a tensor after its `(`. Unknown parts are added to `rest`.
    fn tensor(&mut self, rest: &mut Vec<SmolStr>) -> Tensor {
        let mut tensor = Tensor::of_ndim(None, None);
        let mut variable = None;
        let mut known = false;
        while !self.failed && !self.eat(")") {
            if self.rest.starts_with('(') && !known {
                tensor.shape = TensorShape::Known(self.dims().into());
                known = true;
            } else if self.eat("ndim=") {
                tensor.shape = TensorShape::Unknown(self.word().parse().ok());
            } else if self.eat("shape=") {
                variable = Some(self.word());
            } else if self.eat("vdevice=") {
                let text = self.raw();
                let mut parts = text.splitn(3, ':');
                tensor.vdevice = Some(VDevice {
                    target: parts.next().unwrap_or_default().into(),
                    index: parts.next().and_then(|i| i.parse().ok()).unwrap_or(0),
                    scope: parts.next().unwrap_or_default().into(),
                });
            } else {
                self.eat("dtype=");
                let text = self.raw();
                self.failed |= text.is_empty();
                match DType::parse(&text) {
                    Some(dtype) => tensor.dtype = Some(dtype),
                    None => rest.push(text),
                }
            }
            self.eat(",");
            self.rest = self.rest.trim_start();
        }
        if let Some(name) = variable {
            tensor.shape = TensorShape::Var {
                // A variable with another name is another variable.
                id: name
                    .bytes()
                    .fold(1, |id, byte| id * 31 % 65_521 + u32::from(byte)),
                name,
                ndim: tensor.shape.ndim(),
                values: None,
            };
        }
        tensor
    }

    /// Parses a dimension with Python's operators and precedence, from `level` on.
    fn expr(&mut self, level: usize) -> SymExpr {
        const LEVELS: &[&[(&str, Op)]] = &[
            &[("or ", Op::Or)],
            &[("and ", Op::And)],
            &[
                ("<=", Op::Le),
                (">=", Op::Ge),
                ("==", Op::Eq),
                ("!=", Op::Ne),
                ("<", Op::Lt),
                (">", Op::Gt),
            ],
            &[("+", Op::Add), ("-", Op::Sub)],
            &[("*", Op::Mul), ("//", Op::FloorDiv), ("%", Op::FloorMod)],
        ];
        let Some(operators) = LEVELS.get(level) else {
            return self.atom();
        };
        let mut left = self.expr(level + 1);
        while let Some((_, op)) = operators.iter().find(|(token, _)| self.eat(token)) {
            let right = self.expr(level + 1);
            left = SymExpr::apply(*op, &[left, right]);
        }
        left
    }

    fn atom(&mut self) -> SymExpr {
        if self.eat("(") {
            let inner = self.expr(0);
            self.expect(")");
            return inner;
        }
        if self.eat("-") {
            return SymExpr::int(0).sub(&self.atom());
        }
        if self.eat("not ") {
            return SymExpr::apply(Op::Not, &[self.expr(2)]);
        }
        let word = self.word();
        if self.eat("(") {
            let args = self.list(|r| r.expr(0));
            let op = match &*word {
                "min" => Op::Min,
                "max" => Op::Max,
                "truncdiv" => Op::TruncDiv,
                "truncmod" => Op::TruncMod,
                "select" | "if_then_else" => Op::Select,
                // `int32(4)`: the width of a constant does not matter here. Others have no normal form.
                "int32" | "int64" => return args.into_iter().next().unwrap_or(SymExpr::int(0)),
                _ => return SymExpr::call(word, &args),
            };
            return SymExpr::apply(op, &args);
        }
        match word.parse::<i64>() {
            Ok(value) => SymExpr::int(value),
            Err(_) => SymExpr::var(var(&word)),
        }
    }
}

/// Returns `true` if both are the same, except for how dimensions are written.
pub fn is_same_notation(cx: &SymCx, ours: &StructInfo, theirs: &StructInfo) -> bool {
    match (ours, theirs) {
        (StructInfo::Tensor(a), StructInfo::Tensor(b)) => same_tensor(cx, a, b),
        (StructInfo::DTensor(a), StructInfo::DTensor(b)) => {
            same_tensor(cx, &a.tensor, &b.tensor) && a.mesh == b.mesh && a.placement == b.placement
        }
        (StructInfo::Tuple(a), StructInfo::Tuple(b)) => {
            a.len() == b.len()
                && a.iter()
                    .zip(b.iter())
                    .all(|(a, b)| is_same_notation(cx, a, b))
        }
        (StructInfo::Shape(Shape::Known(a)), StructInfo::Shape(Shape::Known(b))) => {
            same_dims(cx, a, b)
        }
        // In TVM 0.27 a Prim has no value.
        (StructInfo::Prim(a), StructInfo::Prim(b)) => a.dtype == b.dtype,
        (StructInfo::Callable(a), StructInfo::Callable(b)) => {
            a.pure == b.pure && is_same_notation(cx, &a.ret, &b.ret) && same_params(cx, a, b)
        }
        (a, b) => a == b,
    }
}

fn same_params(cx: &SymCx, a: &Callable, b: &Callable) -> bool {
    match (&a.params, &b.params) {
        (Some(a), Some(b)) => {
            a.len() == b.len()
                && a.iter()
                    .zip(b.iter())
                    .all(|(a, b)| is_same_notation(cx, a, b))
        }
        (a, b) => a.is_none() && b.is_none(),
    }
}

fn same_tensor(cx: &SymCx, a: &Tensor, b: &Tensor) -> bool {
    let shape = match (&a.shape, &b.shape) {
        (TensorShape::Known(a), TensorShape::Known(b)) => same_dims(cx, a, b),
        // The records do not name the variable of an operand.
        (
            TensorShape::Var { name, ndim, .. },
            TensorShape::Var {
                name: other,
                ndim: n,
                ..
            },
        ) => ndim == n && (name == other || name.is_empty()),
        (TensorShape::Unknown(a), TensorShape::Unknown(b)) => a == b,
        _ => false,
    };
    shape && a.dtype == b.dtype && a.vdevice == b.vdevice
}

fn same_dims(cx: &SymCx, a: &[SymExpr], b: &[SymExpr]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| cx.equal(a, b) == Tri::Yes)
}

/// Writes StructInfo in the notation of the records. Unknown is written as `Unknown`.
pub fn written(sinfo: &StructInfo) -> String {
    let list = |infos: &[StructInfo]| infos.iter().map(written).collect::<Vec<_>>().join(", ");
    match sinfo {
        StructInfo::Unknown => "Unknown".to_owned(),
        StructInfo::Object => "Object".to_owned(),
        StructInfo::String => "String".to_owned(),
        StructInfo::Prim(Prim { dtype, value }) => {
            let mut parts: Vec<String> = dtype.iter().map(ToString::to_string).collect();
            parts.extend(value.iter().map(ToString::to_string));
            format!("Prim({})", parts.join(", "))
        }
        StructInfo::Shape(Shape::Known(known)) => format!("Shape({})", dims(known)),
        StructInfo::Shape(Shape::Unknown(Some(ndim))) => format!("Shape(ndim={ndim})"),
        StructInfo::Shape(Shape::Unknown(None)) => "Shape()".to_owned(),
        StructInfo::Tensor(tensor) => format!("Tensor({})", parts(tensor).join(", ")),
        StructInfo::DTensor(dtensor) => {
            let mut parts = parts(&dtensor.tensor);
            parts.push(dtensor.mesh.to_string());
            parts.extend(dtensor.placement.iter().map(ToString::to_string));
            format!("DTensor({})", parts.join(", "))
        }
        StructInfo::Tuple(fields) => format!("Tuple({})", list(fields)),
        StructInfo::Callable(callable) => {
            let params = match &callable.params {
                Some(params) => format!("({})", list(params)),
                None => "opaque".to_owned(),
            };
            let pure = if callable.pure { "pure" } else { "impure" };
            format!("Callable({params}, {}, {pure})", written(&callable.ret))
        }
    }
}

fn dims(dims: &[SymExpr]) -> String {
    let comma = if dims.len() == 1 { "," } else { "" };
    let dims: Vec<String> = dims.iter().map(ToString::to_string).collect();
    format!("({}{comma})", dims.join(", "))
}

fn parts(tensor: &Tensor) -> Vec<String> {
    let mut parts = Vec::new();
    match &tensor.shape {
        TensorShape::Known(known) => parts.push(dims(known)),
        TensorShape::Var { name, ndim, .. } => {
            parts.push(format!("shape={name}"));
            parts.extend(ndim.map(|ndim| format!("ndim={ndim}")));
        }
        TensorShape::Unknown(ndim) => parts.extend(ndim.map(|ndim| format!("ndim={ndim}"))),
    }
    let key = if matches!(tensor.shape, TensorShape::Known(_)) {
        ""
    } else {
        "dtype="
    };
    parts.extend(tensor.known_dtype().map(|dtype| format!("{key}{dtype}")));
    parts.extend(tensor.vdevice.as_ref().map(|it| format!("vdevice={it}")));
    parts
}
