//! Writes a form: rows, parts, and the tokens of names, shapes, StructInfo and constants.

use std::cell::OnceCell;
use std::hash::Hash;
use std::ops::Range;

use ::relax::dtype::DType;
use ::relax::parts::Parts;
use ::relax::sinfo::{Shape, StructInfo, TensorShape};
use ::relax::sym::{Kind, SymExpr, SymVar};
use ::relax::value::Value;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use text_size::{TextRange, TextSize};

use super::contents::OwnHash;
use super::{FunctionForm, Part, Row, RowKind, Token, fold, word};
use crate::body::{Body, Expr, ExprId, Function};
use crate::db::Db;
use crate::enclosing::{Env, script_path};
use crate::item_tree::FunctionItem;
use crate::queries::function_body;

/// Identifies a shape variable while a function is read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum SymKey {
    Relax(SymVar),
    Prim(u32),
}

pub(super) struct Writer<'db> {
    pub db: &'db dyn Db,
    pub item: FunctionItem<'db>,
    pub body: &'db Body,
    pub env: &'db Env,
    pub parent: Option<u32>,
    pub is_free: bool,
    form: FunctionForm,
    syms: FxHashMap<SymKey, u32>,
    callees: FxHashMap<SmolStr, u32>,
    /// Variables that a StructInfo uses as a shape, by their ids.
    pub vars: FxHashMap<u32, Token>,
    /// Names in code that is read as written.
    pub names: FxHashMap<SmolStr, Token>,
    /// Tuples with many fields, by their address, as they are written. The fields keep the address taken.
    tuples: FxHashMap<*const StructInfo, (Parts<StructInfo>, Vec<Token>)>,
    /// The text of the function, computed on demand.
    text: OnceCell<String>,
}

/// Tuples with more fields are written once.
const SHORT: usize = 16;

impl<'db> Writer<'db> {
    pub fn new(db: &'db dyn Db, item: FunctionItem<'db>) -> Writer<'db> {
        let body = function_body(db, item);
        Writer {
            db,
            item,
            body,
            env: item.env(db),
            parent: None,
            is_free: false,
            form: FunctionForm {
                name: item.name(db),
                module: item.module(db),
                kind: item.kind(db),
                range: body.function.range,
                name_range: body.function.name.range,
                rows: Vec::new(),
                tokens: Vec::new(),
                callees: Vec::new(),
                signature_syms: 0,
                own_hash: OwnHash::new(),
            },
            syms: FxHashMap::default(),
            callees: FxHashMap::default(),
            vars: FxHashMap::default(),
            names: FxHashMap::default(),
            tuples: FxHashMap::default(),
            text: OnceCell::new(),
        }
    }

    /// Returns the text at a range of the function.
    pub fn text(&self, range: TextRange) -> &str {
        let function = || self.item.source(self.db).0.to_string();
        let text = self.text.get_or_init(function);
        text.get(Range::<usize>::from(range)).unwrap_or_default()
    }

    pub fn finish(mut self) -> FunctionForm {
        self.close();
        self.form
    }

    /// Begins a row. The following tokens belong to it.
    pub fn row(&mut self, kind: RowKind, name: &SmolStr, range: TextRange) -> u32 {
        self.close();
        self.form.rows.push(Row {
            kind,
            name: name.clone(),
            range,
            struct_info: None,
            op: None,
            unlowered: None,
            callee: None,
            parent: self.parent,
            is_free: self.is_free,
            parts: Vec::new(),
            end: 0,
        });
        self.form.rows.len() as u32 - 1
    }

    fn close(&mut self) {
        let end = self.form.tokens.len() as u32;
        if let Some(row) = self.form.rows.last_mut() {
            row.end = end;
        }
    }

    /// Returns the current row.
    pub fn current(&mut self) -> Option<&mut Row> {
        self.form.rows.last_mut()
    }

    /// Ends the signature: shape variables so far belong to it.
    pub fn end_signature(&mut self) {
        self.form.signature_syms = self.syms.len() as u32;
    }

    pub fn part(&mut self, label: &'static str) {
        let start = self.form.tokens.len() as u32;
        if let Some(row) = self.form.rows.last_mut() {
            row.parts.push(Part { label, start });
        }
    }

    pub fn token(&mut self, token: Token) {
        self.form.tokens.push(token);
    }

    pub fn word(&mut self, what: impl Hash) {
        self.token(Token::Word(word(what)));
    }

    pub fn callee(&mut self, name: &SmolStr) {
        let next = self.form.callees.len() as u32;
        let at = *self.callees.entry(name.clone()).or_insert(next);
        if at == next {
            self.form.callees.push(name.clone());
        }
        self.token(Token::Callee(at));
        if let Some(row) = self.form.rows.last_mut() {
            row.callee.get_or_insert_with(|| name.clone());
        }
    }

    pub fn sym_var(&mut self, key: SymKey) {
        let token = self.sym_token(key);
        self.token(token);
    }

    pub fn sym_token(&mut self, key: SymKey) -> Token {
        Token::Sym(self.number(key))
    }

    fn number(&mut self, key: SymKey) -> u32 {
        let next = self.syms.len() as u32;
        *self.syms.entry(key).or_insert(next)
    }

    pub fn sym(&mut self, expr: &SymExpr) {
        match expr {
            SymExpr::Int(value) => self.word(("int", value)),
            SymExpr::Var(var) if var.is_python() => self.word(("python", var.name.as_str())),
            SymExpr::Var(var) => self.sym_var(SymKey::Relax(var.clone())),
            SymExpr::Node(node) => match node.kind() {
                Kind::Sum(sum) => {
                    self.word(("sum", sum.constant, sum.terms.len()));
                    // The order in the normal form depends on the names of the variables.
                    let mut terms: Vec<(u64, i64, Vec<&SymExpr>)> = Vec::new();
                    for term in &sum.terms {
                        let mut factors: Vec<(u64, &SymExpr)> = term
                            .factors
                            .iter()
                            .map(|it| (self.sym_hash(it), it))
                            .collect();
                        factors.sort_by_key(|(hash, _)| *hash);
                        let hash = factors.iter().fold(word(term.coeff), |h, f| fold(h, f.0));
                        let factors = factors.into_iter().map(|(_, it)| it).collect();
                        terms.push((hash, term.coeff, factors));
                    }
                    terms.sort_by_key(|(hash, ..)| *hash);
                    for (_, coeff, factors) in terms {
                        self.word((coeff, factors.len()));
                        for it in factors {
                            self.sym(it);
                        }
                    }
                }
                Kind::Op(op, args) => {
                    self.word(("op", op));
                    for it in args {
                        self.sym(it);
                    }
                }
                Kind::Call(name, args) => {
                    self.word(("call", name.as_str(), args.len()));
                    for it in args {
                        self.sym(it);
                    }
                }
                Kind::Opaque(_, vars) => {
                    self.word("opaque");
                    for var in vars {
                        self.sym_var(SymKey::Relax(var.clone()));
                    }
                }
            },
        }
    }

    /// Hashes an expression with its variables as numbers.
    fn sym_hash(&mut self, expr: &SymExpr) -> u64 {
        match expr {
            SymExpr::Int(value) => word(value),
            SymExpr::Var(var) => word(("var", self.number(SymKey::Relax(var.clone())))),
            SymExpr::Node(node) => match node.kind() {
                Kind::Sum(sum) => {
                    let terms = sum.terms.iter().map(|term| {
                        let factors = term.factors.iter().map(|it| self.sym_hash(it));
                        word((term.coeff, factors.fold(0, u64::wrapping_add)))
                    });
                    word((sum.constant, terms.fold(0, u64::wrapping_add)))
                }
                Kind::Op(op, args) => args
                    .iter()
                    .fold(word(op), |h, it| fold(h, self.sym_hash(it))),
                Kind::Call(name, args) => {
                    let hash = word(name.as_str());
                    args.iter().fold(hash, |h, it| fold(h, self.sym_hash(it)))
                }
                Kind::Opaque(..) => word("opaque"),
            },
        }
    }

    fn syms(&mut self, exprs: &[SymExpr]) {
        self.word(exprs.len());
        for it in exprs {
            self.sym(it);
        }
    }

    pub fn dtype(&mut self, dtype: Option<DType>) {
        self.word(("dtype", dtype));
    }

    pub fn struct_info(&mut self, sinfo: &StructInfo) {
        match sinfo {
            StructInfo::Unknown => self.word("unknown"),
            // The dialects have different names for a string.
            StructInfo::Object | StructInfo::String => self.word("object"),
            StructInfo::Prim(prim) => {
                self.word("prim");
                self.dtype(prim.dtype);
                if let Some(it) = &prim.value {
                    self.sym(it);
                }
            }
            StructInfo::Shape(Shape::Known(values)) => {
                self.word("shape");
                self.syms(values);
            }
            StructInfo::Shape(Shape::Unknown(ndim)) => self.word(("any shape", ndim)),
            StructInfo::Tensor(_) | StructInfo::DTensor(_) => {
                let Some(tensor) = sinfo.as_tensor() else {
                    return;
                };
                self.word("tensor");
                self.dtype(tensor.dtype);
                match &tensor.shape {
                    TensorShape::Known(dims) => self.syms(dims),
                    TensorShape::Unknown(ndim) => self.word(("ndim", ndim)),
                    TensorShape::Var { name, id, .. } => match self.vars.get(id).copied() {
                        Some(var) => self.token(var),
                        None => self.word(("shape of", name.as_str())),
                    },
                }
                if let Some(device) = &tensor.vdevice {
                    self.word(device);
                }
                if let StructInfo::DTensor(it) = sinfo {
                    self.word((it.mesh.as_str(), &it.placement));
                }
            }
            StructInfo::Tuple(fields) if fields.len() > SHORT => self.wide_tuple(fields),
            StructInfo::Tuple(fields) => self.tuple(fields),
            StructInfo::Callable(callable) => {
                self.word(("callable", callable.params.as_ref().map(|it| it.len())));
                let params = callable.params.iter().flat_map(|it| it.iter());
                params.for_each(|it| self.struct_info(it));
                self.struct_info(&callable.ret);
                self.word(callable.pure);
            }
        }
    }

    fn tuple(&mut self, fields: &Parts<StructInfo>) {
        self.word(("tuple", fields.len()));
        for it in fields.iter() {
            self.struct_info(it);
        }
    }

    /// Adds a tuple that may be the StructInfo of many variables: a hash, and the variables that it mentions.
    fn wide_tuple(&mut self, fields: &Parts<StructInfo>) {
        let key = fields.as_ptr();
        if let Some((_, tokens)) = self.tuples.get(&key) {
            self.form.tokens.extend(tokens);
            return;
        }
        let start = self.form.tokens.len();
        self.tuple(fields);
        let written = self.form.tokens.split_off(start);
        let mut mentioned: FxHashMap<Token, usize> = FxHashMap::default();
        let mut tokens = vec![Token::Word(0)];
        let mut hash = 0;
        for token in written {
            let number = match token {
                Token::Word(word) => word,
                other => {
                    let next = mentioned.len();
                    let number = *mentioned.entry(other).or_insert(next);
                    if number == next {
                        tokens.push(other);
                    }
                    word(number)
                }
            };
            hash = fold(hash, number);
        }
        tokens[0] = Token::Word(hash);
        self.form.tokens.extend(&tokens);
        self.tuples.insert(key, (fields.clone(), tokens));
    }

    /// Adds the value of an operand that is not a Relax value. Returns `false` if it is unknown.
    pub fn value(&mut self, value: &Value) -> bool {
        match value {
            Value::None => self.word("None"),
            Value::Bool(it) => self.word(("bool", it)),
            Value::Int(it) => self.word(("int", it)),
            Value::Float(it) => self.word(("float", it.to_bits())),
            Value::Str(it) => self.word(("str", it.as_str())),
            Value::DType(it) => self.word(("str", it.as_str())),
            Value::Sym(it) => self.sym(it),
            Value::List(items) => {
                self.word(("list", items.len()));
                return items.iter().all(|it| self.value(it));
            }
            Value::Dict(entries) => {
                self.word(("dict", entries.len()));
                let mut entries = entries.iter();
                return entries.all(|(key, value)| self.value(key) && self.value(value));
            }
            Value::Expr(StructInfo::Shape(Shape::Known(values))) => {
                self.word("shape");
                self.syms(values);
            }
            Value::Expr(StructInfo::Prim(prim)) if prim.value.is_some() => {
                if let Some(it) = &prim.value {
                    self.sym(it);
                }
            }
            Value::Annotation(it) => self.struct_info(it),
            Value::Device(it) => self.word(it),
            Value::Global(name) => self.callee(name),
            Value::Extern(name) => {
                self.word(("extern", name.as_str()));
                let name = name.clone();
                if let Some(row) = self.current() {
                    row.callee.get_or_insert(name);
                }
            }
            _ => return false,
        }
        true
    }

    /// Adds rows for the attributes in a call of `func_attr`. Returns `false` if the expression is not such a call.
    pub fn attributes(&mut self, expr: ExprId) -> bool {
        let Expr::Call { callee, args } = &self.body.exprs[expr] else {
            return false;
        };
        let path = script_path(self.body, *callee, self.env);
        if path.is_none_or(|path| path.rest != "func_attr") {
            return false;
        }
        args.first().is_some_and(|arg| self.entries(arg.value))
    }

    /// Adds rows for the entries of a dictionary of attributes. Returns `false` if the expression is not one.
    pub fn entries(&mut self, expr: ExprId) -> bool {
        let Expr::Dict(entries) = &self.body.exprs[expr] else {
            return false;
        };
        for (key, value) in entries {
            let name = match key.map(|key| &self.body.exprs[key]) {
                // The namespace of PrimFuncs has another name since TVM 0.24.
                Some(Expr::Str(name)) => match name.strip_prefix("tirx.") {
                    Some(rest) => SmolStr::from(format!("tir.{rest}")),
                    None => name.clone(),
                },
                _ => SmolStr::default(),
            };
            let range = self.body.range(key.unwrap_or(*value));
            self.row(
                RowKind::Attribute,
                &name,
                range.cover(self.body.range(*value)),
            );
            self.part("value");
            self.written(*value);
        }
        true
    }

    /// Begins the row of a function's decorator.
    pub fn decorator(&mut self, function: &Function) {
        let range = match function.decorators.first() {
            Some(decorator) => {
                let range = self.body.range(*decorator);
                let sign = TextSize::of('@').min(range.start());
                TextRange::new(range.start() - sign, range.end())
            }
            None => function.header,
        };
        self.row(RowKind::Decorator, &SmolStr::default(), range);
    }

    /// Returns `true` if a decorator makes the function private.
    pub fn is_private(&self) -> bool {
        self.body.function.decorators.iter().any(|decorator| {
            let Expr::Call { args, .. } = &self.body.exprs[*decorator] else {
                return false;
            };
            args.iter().any(|arg| {
                arg.keyword.as_ref().is_some_and(|it| it.text == "private")
                    && self.body.exprs[arg.value] == Expr::Bool(true)
            })
        })
    }
}
