//! Scopes of a PrimFunc: resolves names, and reports those that are undefined.

use relax::bare;
use relax::diagnostics::{Code, Diagnostic, Severity};
use relax::dtype::DType;
use relax::nearest_name::{did_you_mean, nearest};
use relax::script::{METADATA, ScriptPath};
use smol_str::SmolStr;
use text_size::TextRange;

use super::arith::Number;
use super::value::{Named, Value};
use super::{Entity, Reader, Scope};
use crate::enclosing::{BUILTINS, PyValue};
use crate::prim_facts::{Access, Mention, PrimDef, PrimDefId, PrimDefKind, Target};
use crate::tir::{Expr, ExprKind, TirError, Var, VarId};

/// The greatest depth of expressions and statements that are read.
const MAX_DEPTH: u32 = 400;

/// The greatest depth of programs that run.
const MAX_PROGRAM_DEPTH: u32 = 200;

/// The most reasons for holes that are kept.
const MOST_REFUSALS: usize = 64;

impl Reader<'_> {
    /// Returns the TVMScript path of a dotted Python path. Every name asks for it, so that the result is cached.
    pub fn namespace_of(&self, path: &SmolStr) -> Option<ScriptPath> {
        if let Some(known) = self.namespaces.borrow().get(path) {
            return known.clone();
        }
        let found = ScriptPath::of_path(path);
        let mut namespaces = self.namespaces.borrow_mut();
        namespaces.insert(path.clone(), found.clone());
        found
    }

    /// Adds a definition that is not the name of a Python variable.
    pub fn define_unnamed(
        &mut self,
        name: &Named,
        range: TextRange,
        kind: PrimDefKind,
        entity: Entity,
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
        self.entities.push(entity);
        self.mention(name.range, Target::Def(id), Access::Define);
        id
    }

    pub fn define(
        &mut self,
        name: &Named,
        range: TextRange,
        kind: PrimDefKind,
        entity: Entity,
    ) -> PrimDefId {
        let id = self.define_unnamed(name, range, kind, entity);
        if name.text.is_empty() {
            return id;
        }
        if let Some(scope) = self.scopes.last_mut() {
            scope.defs.push(id);
        }
        self.visible.entry(name.text.clone()).or_default().push(id);
        id
    }

    /// Defines a name that is a variable of the program.
    pub fn define_var(
        &mut self,
        name: &Named,
        range: TextRange,
        dtype: DType,
        kind: impl FnOnce(DType) -> PrimDefKind,
    ) -> VarId {
        let var = self.var(name.text.clone(), dtype);
        self.define(name, range, kind(dtype), Entity::Var(var));
        var
    }

    pub fn var(&mut self, name: SmolStr, dtype: DType) -> VarId {
        self.func.vars.push(Var { name, dtype });
        VarId(self.func.vars.len() as u32 - 1)
    }

    pub fn var_expr(&self, var: VarId, range: TextRange) -> Expr {
        Expr {
            dtype: self.func.var(var).dtype,
            kind: ExprKind::Var(var),
            range,
        }
    }

    /// Defines a shape variable for the whole function, unless it is defined already.
    pub fn shape_var(&mut self, name: &Named, dtype: DType) -> PrimDefId {
        if let Some(id) = self.lookup(&name.text) {
            self.mention(name.range, Target::Def(id), Access::Read);
            return id;
        }
        let var = match self.shape_vars.get(&name.text) {
            Some(&var) => var,
            None => self.var(name.text.clone(), dtype),
        };
        let kind = PrimDefKind::ShapeVar(Some(dtype));
        let id = self.define(name, name.range, kind, Entity::Var(var));
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

    /// Returns the program's variable for a shape variable of the enclosing function.
    fn outer_shape_var(&mut self, name: &SmolStr) -> VarId {
        if let Some(Entity::Var(var)) = self.lookup(name).map(|id| self.entity(id)) {
            return *var;
        }
        if let Some(&var) = self.shape_vars.get(name) {
            return var;
        }
        let var = self.var(name.clone(), DType::I64);
        self.shape_vars.insert(name.clone(), var);
        var
    }

    pub fn entity(&self, id: PrimDefId) -> &Entity {
        &self.entities[id.0 as usize]
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

    /// Returns the definition of `name` in the innermost scope alone.
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

    /// Runs `inside` over text about the program that is not part of it, so that it records no reasons for holes.
    pub fn silent<T>(&mut self, inside: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.refusals.len();
        let result = inside(self);
        self.refusals.truncate(before);
        result
    }

    /// Runs `inside` one level deeper, or leaves the text unread if it is nested too deep.
    pub fn nested<T: Default>(
        &mut self,
        range: TextRange,
        inside: impl FnOnce(&mut Self) -> T,
    ) -> T {
        if self.depth >= MAX_PROGRAM_DEPTH {
            self.refuse(range, "this is nested too deeply");
        }
        if self.depth >= MAX_DEPTH {
            return T::default();
        }
        self.depth += 1;
        let result = inside(self);
        self.depth -= 1;
        result
    }

    /// Records why the program has a hole.
    pub fn refuse(&mut self, range: TextRange, message: impl Into<String>) {
        let message = message.into();
        let same = |it: &TirError| it.range == range && it.message == message;
        if self.refusals.len() < MOST_REFUSALS && !self.refusals.iter().any(same) {
            self.refusals.push(TirError { message, range });
        }
    }

    /// Like `refuse`, unless a reason inside the range is recorded already.
    pub fn refuse_whole(&mut self, range: TextRange, message: impl Into<String>) {
        let explained = |it: &TirError| range.contains_range(it.range);
        if !self.refusals.iter().any(explained) {
            self.refuse(range, message);
        }
    }

    /// Reports a mistake that TVM refuses.
    pub fn report(&mut self, code: Code, range: TextRange, message: impl Into<String>) {
        self.diagnose(Diagnostic::new(code, range, message));
    }

    /// Like `report`, with another place that explains the mistake.
    pub fn report_with(
        &mut self,
        code: Code,
        range: TextRange,
        message: impl Into<String>,
        related: (TextRange, &str),
    ) {
        self.diagnose(Diagnostic::new(code, range, message).related(related.0, related.1));
    }

    pub fn diagnose(&mut self, diagnostic: Diagnostic) {
        if diagnostic.severity == Severity::Error {
            self.refuse(diagnostic.range, diagnostic.message.clone());
        }
        if self.doubt == 0 {
            self.facts.diagnostics.push(diagnostic);
        }
    }

    /// Returns the value of a name where it is read.
    pub fn name(&mut self, name: &SmolStr, range: TextRange) -> Value {
        if let Some(id) = self.lookup(name) {
            self.mention(range, Target::Def(id), Access::Read);
            self.check_loop_variable(id, range);
            return self.value_of(id, range);
        }
        if let Some(value) = self.around.env.get(name) {
            self.mention(range, Target::Python(name.clone()), Access::Read);
            return match value {
                PyValue::ShapeVar(var, _) => {
                    let var = self.outer_shape_var(&var.clone());
                    Value::Number(Number::strong(self.var_expr(var, range)))
                }
                PyValue::Unknown => {
                    self.only_python(name, range);
                    Value::Unknown
                }
                value => Value::Python(value.clone()),
            };
        }
        if (self.around.globals)(name) {
            self.mention(range, Target::Global(name.clone()), Access::Read);
            return Value::Unknown;
        }
        if BUILTINS.contains(&name.as_str()) {
            self.mention(range, Target::Python(name.clone()), Access::Read);
            self.only_python(name, range);
            return Value::Unknown;
        }
        let is_known = name.is_empty()
            || name == METADATA
            || relax::script::unbound_path(name).is_some()
            || self.around.env.may_have_more();
        if !is_known {
            self.undefined(name, range);
        }
        self.only_python(name, range);
        Value::Unknown
    }

    fn only_python(&mut self, name: &str, range: TextRange) {
        self.refuse_whole(
            range,
            format!("the value of `{name}` is only known when Python runs"),
        );
    }

    fn undefined(&mut self, name: &SmolStr, range: TextRange) {
        // Each undefined name is reported once, at its first place.
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
        if let Some(written) = bare::quoted_dtype(name) {
            let message = format!("{message_start}: write `{written}`");
            let mut diagnostic = Diagnostic::new(Code::UndefinedName, range, message);
            diagnostic.instead = Some((range, written));
            return self.diagnose(diagnostic);
        }
        let in_reach = self.visible.iter().filter(|(_, ids)| !ids.is_empty());
        let near = nearest(name, in_reach.map(|(name, _)| name));
        let message = format!("{message_start}{}", did_you_mean(near.as_ref()));
        let mut diagnostic = Diagnostic::new(Code::UndefinedName, range, message);
        diagnostic.instead = near.map(|near| (range, near));
        self.diagnose(diagnostic);
    }

    pub fn value_of(&mut self, id: PrimDefId, range: TextRange) -> Value {
        match self.entity(id) {
            &Entity::Var(var) => Value::Number(Number::strong(self.var_expr(var, range))),
            Entity::Alias(expr) => {
                let expr = expr.clone();
                Value::Number(Number::strong(self.copy(&expr, range)))
            }
            Entity::Items(items) => {
                let items = items.clone();
                Value::Items(items.iter().map(|it| self.copy(it, range)).collect())
            }
            Entity::Buffer(_) => Value::Buffer(id),
            &Entity::Pointer(buffer) => Value::Pointer(Some(buffer)),
            &Entity::Handle(at) => Value::Handle(Some(at)),
            &Entity::Thread(axis) => Value::Thread(Some(axis)),
            Entity::Python(value) => Value::Python(value.clone()),
            Entity::Hole => match &self.facts.def(id).kind {
                PrimDefKind::Buffer(_) => Value::Buffer(id),
                PrimDefKind::Pointer(_) => Value::Pointer(None),
                PrimDefKind::Handle => Value::Handle(None),
                PrimDefKind::Thread(_) => Value::Thread(None),
                PrimDefKind::Loop(_)
                | PrimDefKind::Axis(_)
                | PrimDefKind::Scalar(_)
                | PrimDefKind::ShapeVar(_)
                | PrimDefKind::Let { .. } => {
                    let dtype = self.facts.def(id).dtype();
                    self.missing(range);
                    match dtype {
                        Some(dtype) => Value::Number(Number::strong(Expr::hole(dtype, range))),
                        None => Value::Untyped,
                    }
                }
                PrimDefKind::Block(_) | PrimDefKind::Function | PrimDefKind::Python => {
                    self.missing(range);
                    Value::Unknown
                }
            },
        }
    }

    /// Records a hole of the program. If the program has a hole already, that one is the reason.
    pub fn missing(&mut self, range: TextRange) {
        if self.refusals.is_empty() {
            self.not_a_number(range);
        }
    }
}

impl PrimDefKind {
    /// Returns the kind in words for a sentence: "the loop variable `i`".
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
            PrimDefKind::Block(_) => "block",
            PrimDefKind::Function => "macro",
            PrimDefKind::Python => "name",
        }
    }
}
