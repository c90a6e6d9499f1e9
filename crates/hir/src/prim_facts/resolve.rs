//! Scopes of a PrimFunc: the meaning of a name at each place, and reports of names without one.

use relax::diagnostics::{Code, Diagnostic};
use relax::dialect::Dialect;
use relax::dtype::DType;
use relax::script::ScriptPath;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use text_size::{TextRange, TextSize};

use super::value::{Named, Value};
use super::{Access, Mention, PrimDef, PrimDefId, PrimDefKind, PrimFacts, Target};
use crate::body::{self, Body, ExprId};
use crate::decorators;
use crate::enclosing::{BUILTINS, Env, PyValue};

/// What surrounds a PrimFunc.
#[derive(Clone, Copy)]
pub struct Names<'a> {
    pub dialect: Dialect,
    pub env: &'a Env,
    /// The functions of the module by name.
    pub globals: &'a dyn Fn(&str) -> bool,
    /// A macro: its names may come from where it is called.
    pub open: bool,
    /// Unwinds if an edit waits.
    pub give_way: &'a dyn Fn(),
}

pub(super) struct Resolve<'a> {
    pub body: &'a Body,
    pub around: Names<'a>,
    pub facts: PrimFacts,
    /// The definitions of each name in reach, the innermost last.
    visible: FxHashMap<SmolStr, Vec<PrimDefId>>,
    scopes: Vec<Scope>,
    pub blocks: Vec<OpenBlock>,
    /// `with` statements around the place that may open a block.
    pub unknown_frames: u32,
    /// Python paths that were asked about, and what they are.
    namespaces: std::cell::RefCell<FxHashMap<SmolStr, Option<ScriptPath>>>,
    /// Undefined names that are reported already.
    pub undefined: FxHashSet<SmolStr>,
    /// Above 0 in text that Python may never run: no mistake is certain there.
    pub doubt: u32,
    depth: u32,
}

struct Scope {
    defs: Vec<PrimDefId>,
    end: TextSize,
}

/// A block that is being read.
pub(super) struct OpenBlock {
    pub id: PrimDefId,
    /// `reads`, `writes`, `where`, `init`, as they come.
    pub said: Vec<&'static str>,
}

/// Deeper expressions and statements are left unread.
const MAX_DEPTH: u32 = 400;

/// What is known of the PrimFunc `body`.
pub fn prim_facts(body: &Body, around: Names<'_>) -> PrimFacts {
    let function = &body.function;
    let mut resolve = Resolve {
        body,
        around,
        facts: PrimFacts::default(),
        visible: FxHashMap::default(),
        scopes: vec![Scope {
            defs: Vec::new(),
            end: function.range.end(),
        }],
        blocks: Vec::new(),
        unknown_frames: 0,
        undefined: FxHashSet::default(),
        namespaces: std::cell::RefCell::default(),
        doubt: u32::from(around.open),
        depth: 0,
    };
    for param in &function.type_params {
        let named = Named {
            text: param.name.text.clone(),
            range: param.name.range,
        };
        let kind = PrimDefKind::ShapeVar(Some(DType::I64));
        resolve.define(&named, named.range, kind);
    }
    for decorator in &function.decorators {
        resolve.doubtful(|it| it.expr(*decorator));
        let mistake = decorators::mistake(body, *decorator, around.env);
        resolve.facts.diagnostics.extend(mistake);
    }
    for param in function.params.iter() {
        resolve.param(param);
    }
    if let Some(ret) = function.ret {
        resolve.expr(ret);
    }
    resolve.stmts(&function.body);
    resolve
        .facts
        .mentions
        .sort_by_key(|it| (it.range.start(), it.range.end()));
    resolve.facts.diagnostics.sort_by_key(|it| it.range.start());
    resolve.facts
}

impl Resolve<'_> {
    pub fn range(&self, expr: ExprId) -> TextRange {
        self.body.range(expr)
    }

    /// What a dotted Python path is in TVMScript; asked for each name, so remembered.
    pub fn namespace_of(&self, path: &SmolStr) -> Option<ScriptPath> {
        if let Some(known) = self.namespaces.borrow().get(path) {
            return known.clone();
        }
        let found = ScriptPath::of_path(path);
        let mut namespaces = self.namespaces.borrow_mut();
        namespaces.insert(path.clone(), found.clone());
        found
    }

    /// A definition that no name of Python leads to.
    pub fn define_unnamed(
        &mut self,
        name: &Named,
        range: TextRange,
        kind: PrimDefKind,
    ) -> PrimDefId {
        let id = PrimDefId(self.facts.defs.len() as u32);
        let end = self.scopes.last().map_or(range.end(), |scope| scope.end);
        let start = name.range.start().min(end);
        self.facts.defs.push(PrimDef {
            name: name.text.clone(),
            name_range: name.range,
            range,
            scope: TextRange::new(start, end),
            block: self.blocks.last().map(|block| block.id),
            kind,
        });
        self.mention(name.range, Target::Def(id), Access::Define);
        id
    }

    pub fn define(&mut self, name: &Named, range: TextRange, kind: PrimDefKind) -> PrimDefId {
        let id = self.define_unnamed(name, range, kind);
        if name.text.is_empty() {
            return id;
        }
        if let Some(scope) = self.scopes.last_mut() {
            scope.defs.push(id);
        }
        self.visible.entry(name.text.clone()).or_default().push(id);
        id
    }

    /// Defines a variable of shapes for the whole function, where it is not defined yet.
    pub fn shape_var(&mut self, name: &Named, dtype: DType) -> PrimDefId {
        if let Some(id) = self.lookup(&name.text) {
            self.mention(name.range, Target::Def(id), Access::Read);
            return id;
        }
        let id = self.define(name, name.range, PrimDefKind::ShapeVar(Some(dtype)));
        if self.scopes.len() > 1 {
            if let Some(scope) = self.scopes.last_mut() {
                scope.defs.pop();
            }
            let outermost = &mut self.scopes[0];
            outermost.defs.push(id);
            let def = &mut self.facts.defs[id.0 as usize];
            def.scope = TextRange::new(def.scope.start(), outermost.end);
        }
        id
    }

    pub fn mention(&mut self, range: TextRange, target: Target, access: Access) {
        if !range.is_empty() {
            self.facts.mentions.push(Mention {
                range,
                target,
                access,
            });
        }
    }

    pub fn lookup(&self, name: &str) -> Option<PrimDefId> {
        self.visible.get(name)?.last().copied()
    }

    /// What `name` stands for in the innermost scope alone.
    pub fn defined_here(&self, name: &str) -> Option<PrimDefId> {
        let id = self.lookup(name)?;
        self.scopes
            .last()
            .is_some_and(|scope| scope.defs.contains(&id))
            .then_some(id)
    }

    /// Runs `inside` in a scope that ends where `range` does.
    pub fn scoped<T>(&mut self, range: TextRange, inside: impl FnOnce(&mut Self) -> T) -> T {
        self.scopes.push(Scope {
            defs: Vec::new(),
            end: range.end(),
        });
        let result = inside(self);
        let defs = self.scopes.pop().map(|scope| scope.defs);
        for id in defs.into_iter().flatten().rev() {
            let name = &self.facts.defs[id.0 as usize].name;
            if let Some(ids) = self.visible.get_mut(name) {
                ids.retain(|it| *it != id);
            }
        }
        result
    }

    /// Runs `inside` over text in which no mistake is certain.
    pub fn doubtful<T>(&mut self, inside: impl FnOnce(&mut Self) -> T) -> T {
        self.doubt += 1;
        let result = inside(self);
        self.doubt -= 1;
        result
    }

    pub fn doubtful_if<T>(&mut self, doubt: bool, inside: impl FnOnce(&mut Self) -> T) -> T {
        if doubt {
            self.doubtful(inside)
        } else {
            inside(self)
        }
    }

    /// What is nested too deep is left unread.
    pub fn nested<T: Default>(&mut self, inside: impl FnOnce(&mut Self) -> T) -> T {
        if self.depth >= MAX_DEPTH {
            return T::default();
        }
        self.depth += 1;
        let result = inside(self);
        self.depth -= 1;
        result
    }

    pub fn report(&mut self, code: Code, range: TextRange, message: impl Into<String>) {
        if self.doubt == 0 {
            let diagnostic = Diagnostic::new(code, range, message);
            self.facts.diagnostics.push(diagnostic);
        }
    }

    /// The same with another place that explains it.
    pub fn report_with(
        &mut self,
        code: Code,
        range: TextRange,
        message: impl Into<String>,
        related: (TextRange, &str),
    ) {
        if self.doubt == 0 {
            let diagnostic = Diagnostic::new(code, range, message).related(related.0, related.1);
            self.facts.diagnostics.push(diagnostic);
        }
    }

    /// What a name stands for where it is read.
    pub fn name(&mut self, name: &SmolStr, range: TextRange) -> Value {
        if let Some(id) = self.lookup(name) {
            self.mention(range, Target::Def(id), Access::Read);
            return self.value_of(id);
        }
        if let Some(value) = self.around.env.get(name) {
            self.mention(range, Target::Python(name.clone()), Access::Read);
            return match value {
                PyValue::ShapeVar(_) => Value::number(Some(DType::I64)),
                PyValue::Unknown => Value::Unknown,
                value => Value::Python(value.clone()),
            };
        }
        if (self.around.globals)(name) {
            self.mention(range, Target::Global(name.clone()), Access::Read);
            return Value::Unknown;
        }
        if BUILTINS.contains(&name.as_str()) {
            self.mention(range, Target::Python(name.clone()), Access::Read);
            return Value::Unknown;
        }
        let is_known = name.is_empty()
            || relax::script::unbound_path(name).is_some()
            || self.around.env.may_have_more();
        if !is_known {
            self.undefined(name, range);
        }
        Value::Unknown
    }

    fn undefined(&mut self, name: &SmolStr, range: TextRange) {
        // One mistake, one report: the first place of a name shows it.
        if self.doubt > 0 || !self.undefined.insert(name.clone()) {
            return;
        }
        let message_start = format!("`{name}` is not defined");
        let gone = self
            .facts
            .defs
            .iter()
            .rfind(|def| def.name == *name && def.scope.end() <= range.start());
        if let Some(gone) = gone {
            let (what, at) = (gone.kind.role(), gone.name_range);
            let message = format!("{message_start} here: the {what} `{name}` ends with its scope");
            self.report_with(
                Code::UndefinedName,
                range,
                message,
                (at, "it is defined here"),
            );
            return;
        }
        let in_reach = self.visible.iter().filter(|(_, ids)| !ids.is_empty());
        let near = relax::near::nearest(name, in_reach.map(|(name, _)| name));
        let message = match &near {
            Some(near) => format!("{message_start}; did you mean `{near}`?"),
            None => message_start,
        };
        let mut diagnostic = Diagnostic::new(Code::UndefinedName, range, message);
        diagnostic.instead = near.map(|near| (range, near));
        self.facts.diagnostics.push(diagnostic);
    }

    pub fn value_of(&self, id: PrimDefId) -> Value {
        match &self.facts.def(id).kind {
            PrimDefKind::Buffer(_) => Value::Buffer(id),
            PrimDefKind::Pointer(_) => Value::Pointer,
            PrimDefKind::Handle => Value::Handle,
            PrimDefKind::Loop(_)
            | PrimDefKind::Axis(_)
            | PrimDefKind::Scalar(_)
            | PrimDefKind::ShapeVar(_)
            | PrimDefKind::Thread(_)
            | PrimDefKind::Let { .. } => Value::number(self.facts.def(id).dtype()),
            PrimDefKind::Block | PrimDefKind::Function | PrimDefKind::Python => Value::Unknown,
        }
    }

    fn param(&mut self, param: &body::Param) {
        let name = Named {
            text: param.name.text.clone(),
            range: param.name.range,
        };
        if let Some(default) = param.default {
            self.expr(default);
        }
        let kind = match param.annotation {
            Some(annotation) => self.param_kind(annotation),
            None => {
                if !name.text.is_empty() && !param.is_starred() {
                    let message = format!("the parameter `{}` needs an annotation", name.text);
                    self.report(Code::MissingAnnotation, name.range, message);
                }
                PrimDefKind::Python
            }
        };
        let range = match param.annotation {
            Some(annotation) => name.range.cover(self.range(annotation)),
            None => name.range,
        };
        // A scalar that a shape before it names: `A: T.Buffer(("n",)), n: T.int32`.
        if let PrimDefKind::Scalar(dtype) = kind
            && let Some(id) = self.defined_here(&name.text)
            && matches!(self.facts.def(id).kind, PrimDefKind::ShapeVar(_))
        {
            let def = &mut self.facts.defs[id.0 as usize];
            (def.name_range, def.range) = (name.range, range);
            def.kind = PrimDefKind::Scalar(dtype);
            for mention in &mut self.facts.mentions {
                if mention.target == Target::Def(id) {
                    mention.access = Access::Read;
                }
            }
            self.mention(name.range, Target::Def(id), Access::Define);
            return;
        }
        self.define(&name, range, kind);
    }

    fn param_kind(&mut self, annotation: ExprId) -> PrimDefKind {
        let (callee, args) = self.call_parts(annotation);
        let path = self.script(callee).unwrap_or_default();
        match path.as_str() {
            "handle" => {
                self.expr(annotation);
                PrimDefKind::Handle
            }
            "Buffer" | "match_buffer" | "buffer" => {
                let origin = super::BufferOrigin::Param;
                match &self.body.exprs[annotation] {
                    body::Expr::Subscript { index, .. } => {
                        self.callee(callee);
                        let parts = self.subscript_args(*index);
                        PrimDefKind::Buffer(self.buffer(&parts, super::buffer::BUFFER, origin))
                    }
                    _ => {
                        self.callee(callee);
                        let buffer = self.buffer(args, super::buffer::BUFFER, origin);
                        PrimDefKind::Buffer(buffer)
                    }
                }
            }
            path => {
                let dtype = DType::of_constructor(path);
                self.expr(annotation);
                match dtype {
                    Some(dtype) => PrimDefKind::Scalar(Some(dtype)),
                    None => PrimDefKind::Python,
                }
            }
        }
    }
}

impl PrimDefKind {
    /// What it is in a sentence: "the loop variable `i`".
    pub fn role(&self) -> &'static str {
        match self {
            PrimDefKind::Buffer(_) => "buffer",
            PrimDefKind::Loop(_) => "loop variable",
            PrimDefKind::Axis(_) => "axis",
            PrimDefKind::Scalar(_) => "parameter",
            PrimDefKind::Handle => "handle",
            PrimDefKind::ShapeVar(_) => "shape variable",
            PrimDefKind::Let { mutable: true, .. } => "variable",
            PrimDefKind::Let { .. } => "let variable",
            PrimDefKind::Thread(_) => "thread axis",
            PrimDefKind::Pointer(_) => "pointer",
            PrimDefKind::Block => "block",
            PrimDefKind::Function => "macro",
            PrimDefKind::Python => "name",
        }
    }
}
