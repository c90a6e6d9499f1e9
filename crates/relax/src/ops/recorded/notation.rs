//! The notation in which the records write StructInfo: read, compared, shown.

use std::fmt::Write as _;

use serde_json::Value as Json;
use smol_str::SmolStr;

use crate::dtype::DType;
use crate::sinfo::{Callable, DTensor, Prim, Shape, StructInfo, Tensor, TensorShape, VDevice};
use crate::sym::{Op, SymCx, SymExpr, SymVar, Tri};
use crate::value::IndexMap;

/// Reads the texts of one record: a name means one variable in all of them.
#[derive(Default)]
pub(in crate::ops) struct Notation {
    names: Vec<SmolStr>,
    /// The variables of the result that no operand names.
    unseen: Vec<SmolStr>,
    /// Which of them the next unnamed operands are, as digits.
    way: usize,
}

struct Reader<'t, 'n> {
    rest: &'t str,
    notation: &'n mut Notation,
}

impl Notation {
    /// The variables of a record's result that its operands do not name.
    pub(super) fn unseen(record: &Json) -> Vec<SmolStr> {
        let mut notation = Notation::default();
        if let Some(result) = record["t"].as_str() {
            notation.read(result);
        }
        let operands = record["args"].to_string();
        let known = |name: &SmolStr| {
            operands
                .split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '\''))
                .any(|word| word == name)
        };
        notation.names.retain(|name| !known(name));
        notation.names
    }

    /// A reader that names unnamed operands after the unseen variables, in the `way`-th way.
    pub(super) fn naming(record: &Json, way: usize) -> Notation {
        Notation {
            names: Vec::new(),
            unseen: Notation::unseen(record),
            way,
        }
    }

    /// An operand that is a scalar variable of unknown name.
    pub(super) fn unnamed(&mut self) -> SymExpr {
        let count = self.unseen.len().max(1);
        let name = self.unseen.get(self.way % count).cloned();
        self.way /= count;
        SymExpr::var(self.var(name.as_deref().unwrap_or("unnamed")))
    }

    pub(in crate::ops) fn read(&mut self, text: &str) -> StructInfo {
        let mut reader = Reader {
            rest: text,
            notation: self,
        };
        let sinfo = reader.sinfo();
        assert!(
            reader.rest.is_empty(),
            "`{text}` has more: `{}`",
            reader.rest
        );
        sinfo
    }

    pub(super) fn dim(&mut self, text: &str) -> SymExpr {
        Reader {
            rest: text,
            notation: self,
        }
        .expr(0)
    }

    /// `(a, b) -> (b, a // 4, a % 4)`
    pub(super) fn index_map(&mut self, text: &str) -> Option<IndexMap> {
        let (inputs, outputs) = text.split_once(" -> ")?;
        let inputs = inputs.strip_prefix('(')?.strip_suffix(')')?;
        let inputs = inputs
            .split(',')
            .map(str::trim)
            .filter(|name| !name.is_empty())
            .map(|name| self.var(name))
            .collect();
        let mut reader = Reader {
            rest: outputs,
            notation: self,
        };
        Some(IndexMap {
            inputs,
            outputs: reader.dims(),
        })
    }

    fn var(&mut self, name: &str) -> SymVar {
        let id = self.names.iter().position(|known| known == name);
        let id = id.unwrap_or_else(|| {
            self.names.push(name.into());
            self.names.len() - 1
        });
        SymVar {
            name: name.into(),
            id: id as u32,
        }
    }
}

impl Reader<'_, '_> {
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
        assert!(self.eat(token), "expected `{token}` at `{}`", self.rest);
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

    /// Everything to the next `,` or `)` outside brackets.
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
                let ret = self.sinfo();
                self.expect(",");
                let pure = self.word() == "pure";
                self.expect(")");
                StructInfo::Callable(std::sync::Arc::new(Callable { params, ret, pure }))
            }
            other => panic!("`{other}` is no StructInfo, before `{}`", self.rest),
        }
    }

    /// The rest of a list whose `(` is eaten.
    fn list<T>(&mut self, one: impl Fn(&mut Self) -> T) -> Vec<T> {
        let mut items = Vec::new();
        while !self.eat(")") {
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

    /// The rest of a tensor whose `(` is eaten; what it does not know goes to `rest`.
    fn tensor(&mut self, rest: &mut Vec<SmolStr>) -> Tensor {
        let mut tensor = Tensor::of_ndim(None, None);
        let mut variable = None;
        let mut known = false;
        while !self.eat(")") {
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
                name,
                id: 0,
                ndim: tensor.shape.ndim(),
                values: None,
            };
        }
        tensor
    }

    /// A dimension: Python's operators and precedence, from `level` on.
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
            Err(_) => SymExpr::var(self.notation.var(&word)),
        }
    }
}

/// Are the two the same, up to how a dimension is written?
pub(super) fn same(cx: &SymCx, ours: &StructInfo, theirs: &StructInfo) -> bool {
    match (ours, theirs) {
        (StructInfo::Tensor(a), StructInfo::Tensor(b)) => same_tensor(cx, a, b),
        (StructInfo::DTensor(a), StructInfo::DTensor(b)) => {
            same_tensor(cx, &a.tensor, &b.tensor) && a.mesh == b.mesh && a.placement == b.placement
        }
        (StructInfo::Tuple(a), StructInfo::Tuple(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| same(cx, a, b))
        }
        (StructInfo::Shape(Shape::Known(a)), StructInfo::Shape(Shape::Known(b))) => {
            same_dims(cx, a, b)
        }
        // TVM 0.27 keeps no value in a Prim.
        (StructInfo::Prim(a), StructInfo::Prim(b)) => a.dtype == b.dtype,
        (a, b) => a == b,
    }
}

fn same_tensor(cx: &SymCx, a: &Tensor, b: &Tensor) -> bool {
    let shape = match (&a.shape, &b.shape) {
        (TensorShape::Known(a), TensorShape::Known(b)) => same_dims(cx, a, b),
        // The records do not name the variable that is an operand.
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

/// For reading, not for reading back.
pub(super) fn show(sinfo: &StructInfo) -> String {
    let mut out = String::new();
    let dims = |dims: &[SymExpr]| {
        let dims: Vec<String> = dims.iter().map(ToString::to_string).collect();
        format!("({})", dims.join(", "))
    };
    match sinfo {
        StructInfo::Tensor(tensor) => {
            let shape = match &tensor.shape {
                TensorShape::Known(known) => dims(known),
                TensorShape::Var { name, ndim, .. } => format!("shape={name}, ndim={ndim:?}"),
                TensorShape::Unknown(ndim) => format!("ndim={ndim:?}"),
            };
            let _ = write!(out, "Tensor({shape}, {:?}", tensor.dtype);
            if let Some(device) = &tensor.vdevice {
                let _ = write!(out, ", {}:{}:{}", device.target, device.index, device.scope);
            }
            out.push(')');
        }
        StructInfo::Tuple(fields) => {
            let fields: Vec<String> = fields.iter().map(show).collect();
            let _ = write!(out, "Tuple({})", fields.join(", "));
        }
        StructInfo::Shape(Shape::Known(known)) => {
            let _ = write!(out, "Shape({})", dims(known));
        }
        other => {
            let _ = write!(out, "{other:?}");
        }
    }
    out
}
