//! Lowers functions: parameters and registers, open branches, closures, and the scopes of locals.

use std::sync::Arc;

use hir::relay::body::{Body, ExprId, Function, Item, LocalId, LocalKind};
use hir::relay::facts::Facts;
use relax::relay::{Dim, Type, struct_info};
use relax::sinfo::StructInfo;
use rustc_hash::FxHashMap;
use smol_str::{SmolStr, format_smolstr};
use text_size::{TextRange, TextSize};

use super::super::CompileError;
use super::super::function::{Failed, Lowered};
use super::scopes::{Scope, Scopes};
use super::{Link, Source};
use crate::bytecode::{Bound, CalleeId, Operand, Origin, Param, Reg};
use crate::ir::{self, Stmt, StmtKind};
use crate::value::Value;

/// A definition that is being lowered.
pub(super) struct Lower<'l, 'a> {
    pub link: &'l mut Link<'a>,
    pub body: &'a Body,
    pub facts: &'a Arc<Facts>,
    start: TextSize,
    scopes: Scopes,
    /// The function literals around the current expression, the innermost last.
    frames: Vec<Frame>,
}

/// A function whose body is being lowered.
struct Frame {
    function: ir::Function,
    id: CalleeId,
    /// The local that the function is bound to.
    itself: Option<LocalId>,
    /// The registers of captured values.
    captured: Vec<Operand>,
    /// The open branches, the innermost last.
    blocks: Vec<Block>,
    /// The block to which statements are added.
    at: usize,
    locals: FxHashMap<LocalId, BoundLocal>,
}

struct Block {
    scope: Scope,
    code: Vec<Stmt>,
    /// The locals whose values are only known in this block.
    locals: Vec<LocalId>,
}

#[derive(Clone, Copy)]
struct BoundLocal {
    value: Operand,
    /// The block that binds it.
    block: usize,
}

/// Lowers a definition. Returns `None` after reporting errors.
pub(super) fn definition<'a>(link: &mut Link<'a>, source: Source<'a>) -> Option<ir::Function> {
    let Source { body, facts, start } = source;
    let (name, params, value): (SmolStr, Vec<LocalId>, ExprId) = match &body.item {
        Item::Function { name, function } => {
            (name.text.clone(), function.params.to_vec(), function.body)
        }
        Item::Expr(root) => {
            let free = body.locals().filter(|it| it.1.kind == LocalKind::Free);
            (
                super::EXPRESSION.into(),
                free.map(|it| it.0).collect(),
                *root,
            )
        }
        Item::Type(_) | Item::Missing => return None,
    };
    let id = link.global(&name)?;
    let mut lower = Lower {
        link,
        body,
        facts,
        start,
        scopes: Scopes::of(body, facts),
        frames: Vec::new(),
    };
    lower.enter(name, id, Scope::ROOT, &params, &[]);
    let value = lower.value(value).ok()?;
    lower.leave(value)
}

impl Lower<'_, '_> {
    pub fn refuse<T>(&mut self, expr: ExprId, message: impl Into<String>) -> Lowered<T> {
        let range = self.body.range(expr);
        self.refuse_at(range, message)
    }

    pub fn refuse_at<T>(&mut self, range: TextRange, message: impl Into<String>) -> Lowered<T> {
        let function = self.frames.first().map(|it| it.function.name.clone());
        self.link.errors.push(CompileError {
            message: message.into(),
            function: function.unwrap_or_default(),
            range: range + self.start,
            packed: None,
        });
        Err(Failed)
    }

    fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a function is being lowered")
    }

    /// Begins a function with its parameters, followed by its captures.
    fn enter(
        &mut self,
        name: SmolStr,
        id: CalleeId,
        scope: Scope,
        params: &[LocalId],
        captures: &[LocalId],
    ) {
        let mut function = ir::Function::empty(name);
        function.start = self.start;
        function.captured = captures.len();
        let infos = self.struct_infos(params);
        self.frames.push(Frame {
            function,
            id,
            itself: None,
            captured: Vec::new(),
            blocks: Vec::new(),
            at: 0,
            locals: FxHashMap::default(),
        });
        self.open(scope);
        let infos = infos
            .into_iter()
            .chain(captures.iter().map(|_| StructInfo::Unknown));
        for (at, (&local, info)) in params.iter().chain(captures).zip(infos).enumerate() {
            let name = self.body[local].name.text.clone();
            let frame = self.frame();
            let reg = Operand::Reg(frame.function.var(&name, info.clone()));
            frame.function.params.push(Param {
                name,
                struct_info: info,
            });
            if at >= params.len() {
                frame.captured.push(reg);
            }
            self.know(local, reg);
        }
    }

    /// Returns the StructInfo for creating inputs. Extents that are only known at run time get names.
    fn struct_infos(&self, params: &[LocalId]) -> Vec<StructInfo> {
        let types = params.iter().map(|it| self.facts.local(*it));
        let types: Vec<Type> = types
            .map(|it| it.cloned().unwrap_or(Type::Unknown))
            .collect();
        let mut names: Vec<SmolStr> = Vec::new();
        let mut extent = |dim: &Dim| {
            let name = match dim {
                Dim::Var(name) => name.clone(),
                _ => unused_dim_name(&names),
            };
            let known = names.iter().position(|it| *it == name);
            let at = known.unwrap_or_else(|| {
                names.push(name.clone());
                names.len() - 1
            });
            (name, at as u32 + 1)
        };
        let infos = types
            .iter()
            .map(|it| struct_info::of(it, &mut Some(&mut extent)).unwrap_or_default());
        infos.collect()
    }

    /// Ends the current function.
    fn leave(&mut self, value: Operand) -> Option<ir::Function> {
        self.push(StmtKind::Return(value), Origin::default());
        let mut frame = self.frames.pop()?;
        frame.function.body = frame.blocks.pop()?.code;
        Some(frame.function)
    }

    /// Adds statements to a new branch until it is closed.
    pub fn open(&mut self, scope: Scope) {
        let frame = self.frame();
        frame.blocks.push(Block {
            scope,
            code: Vec::new(),
            locals: Vec::new(),
        });
        frame.at = frame.blocks.len() - 1;
    }

    pub fn close(&mut self) -> Vec<Stmt> {
        let frame = self.frame();
        let block = frame.blocks.pop();
        frame.at = frame.blocks.len().saturating_sub(1);
        let Some(block) = block else {
            return Vec::new();
        };
        for local in &block.locals {
            frame.locals.remove(local);
        }
        block.code
    }

    /// Lowers an expression to a branch: its statements and its value.
    pub fn branch(&mut self, expr: ExprId) -> Lowered<ir::Branch> {
        let scope = self.scopes.scope(expr);
        self.branch_in(scope, |it| it.value(expr))
    }

    pub fn scope(&self, expr: ExprId) -> Scope {
        self.scopes.scope(expr)
    }

    pub fn branch_in(
        &mut self,
        scope: Scope,
        lower: impl FnOnce(&mut Self) -> Lowered<Operand>,
    ) -> Lowered<ir::Branch> {
        let outer = self.frame().at;
        self.open(scope);
        let value = lower(self);
        let body = self.close();
        self.frame().at = outer;
        Ok(ir::Branch {
            body,
            value: Some(value?),
        })
    }

    /// Appends the statements of a branch that is always taken.
    pub fn spliced(
        &mut self,
        scope: Scope,
        lower: impl FnOnce(&mut Self) -> Lowered<Operand>,
    ) -> Lowered<Operand> {
        let branch = self.branch_in(scope, lower)?;
        for stmt in branch.body {
            self.push(stmt.kind, stmt.origin);
        }
        branch.value.ok_or(Failed)
    }

    pub fn push(&mut self, kind: StmtKind, origin: Origin) {
        let frame = self.frame();
        let at = frame.at;
        if let Some(block) = frame.blocks.get_mut(at) {
            block.code.push(Stmt { kind, origin });
        }
    }

    pub fn register(&mut self) -> Reg {
        self.frame().function.var("", StructInfo::Unknown)
    }

    /// Emits a call whose result is a new register.
    pub fn call(&mut self, callee: CalleeId, args: Vec<Operand>, range: TextRange) -> Operand {
        let dst = self.register();
        let origin = Origin {
            range,
            ..Origin::default()
        };
        self.push(StmtKind::Call { dst, callee, args }, origin);
        Operand::Reg(dst)
    }

    /// Emits a call of a builtin.
    pub fn builtin(
        &mut self,
        name: &str,
        args: Vec<Operand>,
        range: TextRange,
    ) -> Lowered<Operand> {
        match self.link.program.builtin(name) {
            Some(callee) => Ok(self.call(callee, args, range)),
            None => self.refuse_at(range, format!("there is no `{name}`")),
        }
    }

    pub fn know(&mut self, local: LocalId, value: Operand) {
        let frame = self.frame();
        let block = frame.at;
        frame.locals.insert(local, BoundLocal { value, block });
        if let Some(block) = frame.blocks.get_mut(block) {
            block.locals.push(local);
        }
    }

    /// Binds a local to a value, which a trace shows.
    pub fn bind(&mut self, local: LocalId, value: Operand, range: TextRange) -> Lowered<()> {
        let name = format_smolstr!("%{}", self.body[local].name.text);
        let frame = self.frame();
        let last = { frame.blocks.get_mut(frame.at) }.and_then(|it| it.code.last_mut());
        match last {
            Some(Stmt {
                kind: StmtKind::Call { dst, .. },
                origin,
            }) if value == Operand::Reg(*dst) && origin.binding.is_none() => {
                origin.binding = Some(name);
                origin.binds = Some(Bound::Result);
            }
            Some(Stmt {
                kind: StmtKind::If { dst, .. },
                ..
            }) if value == Operand::Reg(*dst) => {
                let value = self.builtin("vm.builtin.copy", vec![value], range)?;
                return self.bind(local, value, range);
            }
            _ => {}
        }
        self.know(local, value);
        Ok(())
    }

    /// Returns the value of a local. Computes a graph binding on its first use, in the block where it belongs.
    pub fn local(&mut self, local: LocalId, range: TextRange) -> Lowered<Operand> {
        if let Some(value) = self.value_in_scope(local) {
            return Ok(value);
        }
        if self.frame().itself == Some(local) {
            let frame = self.frame();
            let (id, captured) = (frame.id, frame.captured.clone());
            return self.make_closure(id, captured, range);
        }
        if self.body[local].kind == LocalKind::Graph {
            self.graph(local)?;
            if let Some(value) = self.value_in_scope(local) {
                return Ok(value);
            }
        }
        let name = self.body[local].name.text.clone();
        self.refuse_at(range, format!("`%{name}` has no value here"))
    }

    /// Returns the value of a local, if it is bound in a block around the current one.
    pub fn value_in_scope(&self, local: LocalId) -> Option<Operand> {
        let frame = self.frames.last()?;
        let known = frame.locals.get(&local)?;
        (known.block <= frame.at).then_some(known.value)
    }

    /// Computes a graph binding after the graph bindings that it needs. A loop, since chains of them are as long as
    /// the text.
    fn graph(&mut self, local: LocalId) -> Lowered<()> {
        let mut open = vec![local];
        while let Some(&local) = open.last() {
            if self.is_computed(local) {
                open.pop();
                continue;
            }
            let Some(value) = self.facts.value(local) else {
                return Ok(());
            };
            if let Some(needed) = self.first_needed(value) {
                open.push(needed);
                continue;
            }
            open.pop();
            let home = self.scopes.home(local);
            let frame = self.frame();
            let outer = frame.at;
            let Some(at) = frame.blocks.iter().rposition(|it| it.scope == home) else {
                return Ok(());
            };
            frame.at = at;
            let range = self.body.range(value);
            let bound = match self.bound_value(local, value) {
                Ok(operand) => self.bind(local, operand, range),
                Err(failed) => Err(failed),
            };
            self.frame().at = outer;
            bound?;
        }
        Ok(())
    }

    fn is_computed(&self, local: LocalId) -> bool {
        self.frames
            .last()
            .is_some_and(|it| it.locals.contains_key(&local))
    }

    /// Returns the first graph binding that an expression needs and that has no value yet. Only looks through
    /// operators and tuples: other expressions compute theirs when they are lowered.
    fn first_needed(&self, value: ExprId) -> Option<LocalId> {
        self.first_met(value).err().flatten()
    }

    /// Returns `Err(None)` if another kind of expression comes first.
    fn first_met(&self, expr: ExprId) -> Result<(), Option<LocalId>> {
        use hir::relay::body::Expr;
        match &self.body[expr] {
            Expr::Local(_) => match self.facts.use_of(expr) {
                Some(local)
                    if self.body[local].kind == LocalKind::Graph && !self.is_computed(local) =>
                {
                    Err(Some(local))
                }
                _ => Ok(()),
            },
            Expr::Tuple(parts) => parts.iter().try_for_each(|it| self.first_met(*it)),
            Expr::Projection { tuple, .. } => self.first_met(*tuple),
            Expr::Call { callee, args, .. } => {
                args.iter().try_for_each(|it| self.first_met(*it))?;
                match &self.body[*callee] {
                    Expr::Name(_) => Ok(()),
                    _ => Err(None),
                }
            }
            Expr::Constant(_) | Expr::Meta(_) | Expr::Global(_) | Expr::Name(_) => Ok(()),
            _ => Err(None),
        }
    }

    /// Lowers a function literal with its captures.
    pub fn closure(
        &mut self,
        expr: ExprId,
        function: &Function,
        itself: Option<LocalId>,
    ) -> Lowered<Operand> {
        let range = self.body.range(expr);
        let captures = self.scopes.captures(expr).iter();
        let captures: Vec<LocalId> = captures.copied().filter(|it| Some(*it) != itself).collect();
        let mut captured = Vec::with_capacity(captures.len());
        for local in &captures {
            captured.push(self.local(*local, range)?);
        }
        let outer = self.frame().function.name.clone();
        let wanted = match itself {
            Some(local) => format_smolstr!("{outer}.{}", self.body[local].name.text),
            None => format_smolstr!("{outer}.fn"),
        };
        let (name, id) = self.link.local(&wanted);
        let scope = self.scopes.scope(function.body);
        self.enter(name, id, scope, &function.params, &captures);
        self.frame().itself = itself;
        match self.value(function.body) {
            Ok(value) => {
                let lowered = self.leave(value);
                self.link.functions.extend(lowered.map(|it| (id, it)));
            }
            Err(failed) => {
                self.frames.pop();
                return Err(failed);
            }
        }
        self.make_closure(id, captured, range)
    }

    fn make_closure(
        &mut self,
        id: CalleeId,
        captured: Vec<Operand>,
        range: TextRange,
    ) -> Lowered<Operand> {
        if captured.is_empty() {
            return Ok(Operand::Callee(id));
        }
        let mut args = vec![Operand::Callee(id)];
        args.extend(captured);
        self.builtin("vm.builtin.make_closure", args, range)
    }

    /// Creates a function of the given parameters whose body `body` computes, and returns it as a value.
    pub fn wrapper(
        &mut self,
        name: &str,
        count: usize,
        range: TextRange,
        body: impl FnOnce(&mut Self, Vec<Operand>) -> Lowered<Operand>,
    ) -> Lowered<Operand> {
        let (name, id) = self.link.local(name);
        self.enter(name, id, Scope::ROOT, &[], &[]);
        let mut args = Vec::with_capacity(count);
        for at in 0..count {
            let frame = self.frame();
            let reg = frame.function.var("", StructInfo::Unknown);
            frame.function.params.push(Param {
                name: format_smolstr!("{at}"),
                struct_info: StructInfo::Unknown,
            });
            args.push(Operand::Reg(reg));
        }
        match body(self, args) {
            Ok(value) => {
                let lowered = self.leave(value);
                self.link.functions.extend(lowered.map(|it| (id, it)));
                self.make_closure(id, Vec::new(), range)
            }
            Err(failed) => {
                self.frames.pop();
                Err(failed)
            }
        }
    }

    pub fn constant(&mut self, value: Value) -> Operand {
        let constant = crate::bytecode::Constant::Value(value);
        Operand::Const(self.link.program.add_constant(constant))
    }
}

fn unused_dim_name(taken: &[SmolStr]) -> SmolStr {
    let names = (0..).map(|at| match at {
        0 => SmolStr::from("n"),
        _ => format_smolstr!("n_{at}"),
    });
    { names }.find(|it| !taken.contains(it)).unwrap_or_default()
}
