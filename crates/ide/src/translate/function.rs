//! Translates one function: bindings keep their names, closures become local functions, branches become `if`s.

mod instances;
mod statements;

use std::fmt::Write;
use std::sync::Arc;

use hir::metadata::Referent;
use hir::relay::Facts;
use hir::relay::body::{Body, Expr, ExprId, Item, LocalId, LocalKind, Scalar};
use hir::relay::env::Env;
use hir::relay::instances::{TypeArguments, of_definition};
use relax::dtype::DType;
use relax::relay::struct_info::{self, Extent};
use relax::relay::{Dim, Type};
use relax::release::Release;
use relax::sinfo::StructInfo;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use text_size::{TextRange, TextSize};

use super::Untranslated;
use super::calls::operator_name;
use super::instances::Instances;
use super::text::{self, Names};
use instances::{LocalInstance, no_type_parameters};

/// The maximum nesting depth that is translated.
const MOST_DEPTH: usize = 200;

/// A translated function.
pub(super) struct Written {
    pub text: String,
    /// The functions that it calls, with the ranges of the calls.
    pub calls: Vec<(SmolStr, TextRange)>,
    pub needs_tir: bool,
}

/// A value as a Python expression.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub text: String,
    pub sinfo: StructInfo,
    /// `true` if the text may be repeated as an operand.
    pub is_name: bool,
    /// The fields, if this is a tuple that is written out.
    pub fields: Option<Vec<Value>>,
}

/// A function of the module, or an instance of one.
pub(super) struct Source<'a> {
    pub body: &'a Body,
    pub facts: Arc<Facts>,
    pub env: &'a Env,
    /// The types that its type parameters stand for.
    pub type_args: &'a [Type],
    /// Returns the line of the text at an offset of the body.
    pub line: &'a dyn Fn(TextSize) -> usize,
}

pub(super) struct Writer<'a> {
    pub body: &'a Body,
    pub to: Release,
    /// The types, in an instance of a function those of the instance.
    pub facts: Arc<Facts>,
    pub env: &'a Env,
    line: &'a dyn Fn(TextSize) -> usize,
    instances: &'a mut Instances,
    type_args: TypeArguments,
    /// The instances of local functions with type parameters.
    local_instances: Vec<LocalInstance>,
    names: Names,
    locals: FxHashMap<LocalId, Value>,
    out: String,
    indent: usize,
    depth: usize,
    calls: Vec<(SmolStr, TextRange)>,
    /// The shape variables of the signature.
    dims: Vec<SmolStr>,
    /// Maps each shape variable of the metadata to an index into `dims`.
    variables: FxHashMap<SmolStr, usize>,
    /// The open branches and local functions, and the number opened so far.
    open: Vec<u32>,
    opened: u32,
    /// The innermost of them where each local was bound.
    homes: FxHashMap<LocalId, u32>,
}

/// Translates a function.
pub(super) fn write(
    name: &str,
    source: &Source<'_>,
    to: Release,
    instances: &mut Instances,
) -> Result<Written, Untranslated> {
    let (body, facts) = (source.body, Arc::clone(&source.facts));
    let mut writer = Writer {
        body,
        to,
        facts: Arc::clone(&facts),
        env: source.env,
        line: source.line,
        instances,
        type_args: of_definition(body, source.type_args),
        local_instances: Vec::new(),
        names: Names::default(),
        locals: FxHashMap::default(),
        out: String::new(),
        indent: 1,
        depth: 0,
        calls: Vec::new(),
        dims: Vec::new(),
        variables: FxHashMap::default(),
        open: vec![0],
        opened: 0,
        homes: FxHashMap::default(),
    };
    let mut origin = String::new();
    let (params, root, at): (Vec<LocalId>, ExprId, TextRange) = match &body.item {
        Item::Function { name, function } => {
            for (param, ty) in function.type_params.iter().zip(source.type_args) {
                let _ = write!(origin, ", {} = {ty}", param.text);
            }
            (function.params.to_vec(), function.body, name.range)
        }
        Item::Expr(root) => {
            let free = body.locals().filter(|it| it.1.kind == LocalKind::Free);
            (free.map(|it| it.0).collect(), *root, body.range(*root))
        }
        Item::Type(_) | Item::Missing => {
            return Err(Untranslated {
                range: TextRange::default(),
                message: "this is not a function".to_owned(),
            });
        }
    };
    let ret = match &facts.ty {
        Some(Type::Function(function)) => function.ret.clone(),
        Some(other) => other.clone(),
        None => Type::Unknown,
    };
    let header = writer.header(name, &params, &ret, at, &origin)?;
    writer.indent += 1;
    let value = writer.value(root)?;
    writer.line_of(&format!("return {}", value.text), None);
    let uses_cls = !writer.calls.is_empty();
    let used: Vec<SmolStr> = writer
        .dims
        .iter()
        .filter(|name| mentions(&writer.out, name))
        .cloned()
        .collect();
    let mut text = header;
    for name in &used {
        let _ = writeln!(text, "        {name} = T.int64()");
    }
    if uses_cls {
        text.push_str("        cls = Module\n");
    }
    text.push_str(&writer.out);
    Ok(Written {
        text,
        calls: writer.calls,
        needs_tir: !used.is_empty(),
    })
}

/// Returns `true` if the text contains the name as a word.
fn mentions(text: &str, name: &str) -> bool {
    let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_';
    text.match_indices(name).any(|(at, _)| {
        !text[..at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part)
    })
}

impl Writer<'_> {
    pub(super) fn ty(&self, expr: ExprId) -> Type {
        self.facts.expr(expr).cloned().unwrap_or(Type::Unknown)
    }

    fn refuse<T>(&self, expr: ExprId, message: impl Into<String>) -> Result<T, Untranslated> {
        Err(Untranslated {
            range: self.body.range(expr),
            message: message.into(),
        })
    }

    /// Writes the decorator and the first line of a function, and names its parameters. `origin` follows the number of
    /// the line that the function comes from.
    fn header(
        &mut self,
        name: &str,
        params: &[LocalId],
        ret: &Type,
        at: TextRange,
        origin: &str,
    ) -> Result<String, Untranslated> {
        let no_word = |ty: &Type, range| Untranslated {
            range,
            message: format!("Relax has no type for {ty}"),
        };
        let is_outer = self.indent == 1;
        let mut written = Vec::new();
        for &param in params {
            let local = &self.body[param];
            let ty = self.facts.local(param).cloned().unwrap_or(Type::Unknown);
            let name = self.names.unused_name(&local.name.text);
            let (names, dims) = (&mut self.names, &mut self.dims);
            let variables = &mut self.variables;
            let mut extent = |dim: &Dim| {
                let known = match dim {
                    Dim::Var(name) => variables.get(name).copied(),
                    _ => None,
                };
                let at = known.unwrap_or_else(|| {
                    let wanted = match dim {
                        Dim::Var(name) => name.as_str(),
                        _ => "n",
                    };
                    dims.push(names.unused_name(wanted));
                    dims.len() - 1
                });
                if let Dim::Var(name) = dim {
                    variables.insert(name.clone(), at);
                }
                (dims[at].clone(), at as u32 + 1)
            };
            let mut maker: Option<&mut Extent<'_>> = is_outer.then_some(&mut extent);
            let sinfo = struct_info::of(&ty, &mut maker);
            let Some(annotation) = text::annotation(&ty, sinfo.as_ref()) else {
                return Err(no_word(&ty, self.body.name_range(param)));
            };
            written.push(format!("{name}: {annotation}"));
            let value = Value {
                text: name.to_string(),
                sinfo: sinfo.unwrap_or(StructInfo::Unknown),
                is_name: true,
                fields: None,
            };
            self.locals.insert(param, value);
        }
        let sinfo = struct_info::of(ret, &mut None);
        let Some(ret) = text::annotation(ret, sinfo.as_ref()) else {
            return Err(no_word(ret, at));
        };
        let indent = "    ".repeat(self.indent);
        Ok(format!(
            "{indent}@R.function\n{indent}def {name}({}) -> {ret}:  # line {}{origin}\n",
            written.join(", "),
            (self.line)(at.start())
        ))
    }

    /// Writes a line of the function, with a comment about its origin.
    fn line_of(&mut self, text: &str, from: Option<&str>) {
        let indent = "    ".repeat(self.indent);
        let _ = match from {
            Some(from) => writeln!(self.out, "{indent}{text}  # {from}"),
            None => writeln!(self.out, "{indent}{text}"),
        };
    }

    /// Binds a text to a new name.
    pub(super) fn bind_text(&mut self, wanted: &str, text: &str, from: Option<&str>) -> SmolStr {
        let name = self.names.unused_name(wanted);
        self.line_of(&format!("{name} = {text}"), from);
        name
    }

    /// Translates an expression to a value that may be used as an argument.
    pub(super) fn operand(&mut self, expr: ExprId) -> Result<Value, Untranslated> {
        let value = self.value(expr)?;
        if value.is_name {
            return Ok(value);
        }
        let name = self.bind_text("lv", &value.text, None);
        Ok(Value {
            text: name.to_string(),
            is_name: true,
            ..value
        })
    }

    pub(super) fn value(&mut self, expr: ExprId) -> Result<Value, Untranslated> {
        self.depth += 1;
        let value = if self.depth > MOST_DEPTH {
            self.refuse(expr, "this is nested too deeply to be translated")
        } else {
            self.value_of(expr)
        };
        self.depth -= 1;
        value
    }

    fn value_of(&mut self, expr: ExprId) -> Result<Value, Untranslated> {
        let body = self.body;
        match &body[expr] {
            Expr::Missing => self.refuse(expr, "an expression is missing"),
            Expr::Local(name) => self.local(expr, name),
            Expr::Global(name) => {
                if self.polymorphic(expr).is_some() {
                    return self.refuse(
                        expr,
                        format!(
                            "`@{name}` has type parameters, and only a call gives types for them"
                        ),
                    );
                }
                Ok(self.global(expr, name.clone()))
            }
            Expr::Name(name) => self.refuse(
                expr,
                format!("`{name}` is used without a call, which Relax cannot express"),
            ),
            Expr::Constant(constant) => {
                let Some(dtype) = DType::parse(&constant.dtype) else {
                    return self.refuse(expr, format!("`{}` is not a dtype", constant.dtype));
                };
                let value = match constant.value {
                    Scalar::Int(value) => value as f64,
                    Scalar::Float(value) => value,
                    Scalar::Bool(value) => f64::from(u8::from(value)),
                };
                Ok(self.plain(expr, text::scalar(value, dtype)))
            }
            Expr::Meta(reference) => match self.env.metadata.referent(reference) {
                Referent::Constant(constant) => match text::constant(&constant) {
                    Some(text) => Ok(Value {
                        is_name: false,
                        ..self.plain(expr, text)
                    }),
                    None => self.refuse(
                        expr,
                        format!("a constant of more than {} elements", text::MOST_ELEMENTS),
                    ),
                },
                Referent::Other | Referent::Missing => self.refuse(
                    expr,
                    format!("the metadata has no `{}` with this index", reference.key),
                ),
            },
            Expr::Tuple(parts) => {
                let parts: Vec<Value> = parts
                    .iter()
                    .map(|it| self.operand(*it))
                    .collect::<Result<_, _>>()?;
                Ok(tuple(parts))
            }
            Expr::Projection { tuple, index } => {
                let tuple = self.operand(*tuple)?;
                let index = index.unwrap_or_default() as usize;
                if let Some(field) = tuple.fields.as_ref().and_then(|it| it.get(index)) {
                    return Ok(field.clone());
                }
                let sinfo = match &tuple.sinfo {
                    StructInfo::Tuple(fields) if index < fields.len() => fields[index].clone(),
                    _ => self.sinfo(expr),
                };
                Ok(Value {
                    text: format!("{}[{index}]", tuple.text),
                    sinfo,
                    is_name: true,
                    fields: None,
                })
            }
            Expr::Call { callee, args, .. } => self.call(expr, *callee, args),
            Expr::Block { statements, value } => {
                for statement in statements {
                    self.statement(statement)?;
                }
                self.value(*value)
            }
            Expr::Function(function) => {
                no_type_parameters(function)?;
                let name = self.names.unused_name("fn");
                self.closure(expr, &name, function)
            }
            Expr::If {
                condition,
                then,
                otherwise,
            } => self.branches(expr, *condition, *then, *otherwise),
            Expr::Match { .. } => self.refuse(expr, "Relax has no algebraic data types to match"),
            Expr::RefCreate(_) | Expr::RefRead(_) | Expr::RefWrite { .. } => {
                self.refuse(expr, "Relax has no references")
            }
        }
    }

    /// Translates the use of a local. A graph binding that was written in a branch is written again when it is used
    /// after it.
    fn local(&mut self, expr: ExprId, name: &str) -> Result<Value, Untranslated> {
        let Some(local) = self.facts.use_of(expr) else {
            return self.refuse(expr, format!("`%{name}` is not bound"));
        };
        let home = self.homes.get(&local).copied().unwrap_or_default();
        if !self.open.contains(&home)
            && let Some(value) = self.facts.value(local)
        {
            self.binding(local, value)?;
        }
        match self.locals.get(&local) {
            Some(value) => Ok(value.clone()),
            None if self.polymorphic(expr).is_some() => self.refuse(
                expr,
                format!("`%{name}` has type parameters, and only a call gives types for them"),
            ),
            None => self.refuse(expr, format!("`%{name}` is not bound")),
        }
    }

    /// Translates the contents of a branch or a local function.
    fn nested<T>(
        &mut self,
        write: impl FnOnce(&mut Self) -> Result<T, Untranslated>,
    ) -> Result<T, Untranslated> {
        self.opened += 1;
        self.open.push(self.opened);
        self.indent += 1;
        let written = write(self);
        self.indent -= 1;
        self.open.pop();
        written
    }

    /// Returns the StructInfo of an expression whose type Relay inferred.
    fn sinfo(&self, expr: ExprId) -> StructInfo {
        struct_info::of(&self.ty(expr), &mut None).unwrap_or(StructInfo::Unknown)
    }

    fn plain(&self, expr: ExprId, text: String) -> Value {
        Value {
            text,
            sinfo: self.sinfo(expr),
            is_name: true,
            fields: None,
        }
    }

    fn call(
        &mut self,
        expr: ExprId,
        callee: ExprId,
        args: &[ExprId],
    ) -> Result<Value, Untranslated> {
        let body = self.body;
        if let Some(name) = operator_name(&body[callee]) {
            if self.env.constructor(name).is_some() {
                return self.refuse(
                    expr,
                    format!("Relax has no algebraic data types, so no `{name}`"),
                );
            }
            return self.operator(expr, name, args);
        }
        let (callee, params) = self.callee(expr, callee, args)?;
        let mut texts = Vec::with_capacity(args.len());
        for (at, arg) in args.iter().enumerate() {
            let arg = self.argument(*arg, params.get(at))?;
            // Only operators take tuples that are written out.
            texts.push(match arg.fields {
                Some(_) => self.bind_text("lv", &arg.text, None).to_string(),
                None => arg.text,
            });
        }
        let text = format!("{}({})", callee.text, texts.join(", "));
        Ok(Value {
            is_name: false,
            ..self.plain(expr, text)
        })
    }

    /// Refers to a function by its name in the translation.
    fn global(&mut self, expr: ExprId, name: SmolStr) -> Value {
        let value = self.plain(expr, format!("cls.{name}"));
        self.calls.push((name, self.body.range(expr)));
        value
    }
}

fn tuple(parts: Vec<Value>) -> Value {
    let texts: Vec<&str> = parts.iter().map(|it| it.text.as_str()).collect();
    let comma = if parts.len() == 1 { "," } else { "" };
    let text = if parts.is_empty() {
        "R.tuple()".to_owned()
    } else {
        format!("({}{comma})", texts.join(", "))
    };
    Value {
        text,
        sinfo: StructInfo::tuple(parts.iter().map(|it| it.sinfo.clone()).collect::<Vec<_>>()),
        is_name: true,
        fields: Some(parts),
    }
}
