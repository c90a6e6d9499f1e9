//! The function: its parameters, its scopes, the errors it collects.

use relax::dtype::DType;
use relax::script::Namespace;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use text_size::TextRange;

use super::{
    Block, BufferId, Expr, ExprKind, Param, ParamKind, PrimFunc, ThreadAxis, TirError, Var, VarId,
};
use crate::body::{self, Body, ExprId};
use crate::enclosing::script_path;
use crate::enclosing::{Env, PyValue};

/// The reason is in the errors.
#[derive(Clone, Copy, Debug)]
pub(super) struct Failed;

pub(super) type Lowered<T> = Result<T, Failed>;

/// What a name stands for.
#[derive(Clone, Debug)]
pub(super) enum Entity {
    Var(VarId),
    Buffer(BufferId),
    /// A `T.handle` parameter, by position.
    Handle(usize),
    /// The memory of a buffer.
    Pointer(BufferId),
    /// An expression that stands for itself wherever it is named.
    Alias(Expr),
    /// The variables of a `T.grid` under one name.
    Tuple(Vec<VarId>),
    /// A thread axis that is not launched yet.
    Thread(ThreadAxis),
    Python(PyValue),
}

pub(super) struct Lower<'a> {
    pub body: &'a Body,
    pub env: &'a Env,
    pub func: PrimFunc,
    pub scopes: Vec<FxHashMap<SmolStr, Entity>>,
    pub blocks: Vec<Block>,
    /// The range of each loop variable.
    pub loops: FxHashMap<VarId, (Expr, Expr)>,
    pub errors: Vec<TirError>,
    depth: u32,
    /// Parts of expressions that were copied.
    copied: usize,
}

/// Blocks within loops within blocks: deeper ones are refused rather than read.
const MAX_DEPTH: u32 = 200;

/// Parts of expressions that stand where an alias or an extent is named: each may name others twice.
const MAX_COPIED: usize = 1 << 18;

/// The program that a PrimFunc is, or why it cannot be read as one.
pub fn lower(body: &Body, env: &Env) -> Result<PrimFunc, Vec<TirError>> {
    let mut lower = Lower {
        body,
        env,
        func: PrimFunc {
            name: body.function.name.text.clone(),
            ..PrimFunc::default()
        },
        scopes: vec![FxHashMap::default()],
        blocks: Vec::new(),
        loops: FxHashMap::default(),
        errors: Vec::new(),
        depth: 0,
        copied: 0,
    };
    for (at, param) in body.function.params.iter().enumerate() {
        let _ = lower.param(at, param);
    }
    lower.scopes.push(FxHashMap::default());
    lower.func.body = lower.stmts(&body.function.body);
    if lower.errors.is_empty() {
        Ok(lower.func)
    } else {
        Err(lower.errors)
    }
}

impl<'a> Lower<'a> {
    fn param(&mut self, at: usize, param: &body::Param) -> Lowered<()> {
        let name = param.name.text.clone();
        let Some(annotation) = param.annotation else {
            return Err(self.error(
                param.name.range,
                "a parameter of a PrimFunc needs an annotation",
            ));
        };
        let (callee, _) = self.call_parts(annotation);
        let path = self.tir_path(callee).unwrap_or_default();
        let kind = if path == "handle" {
            self.bind(name.clone(), Entity::Handle(at));
            ParamKind::Unused
        } else if path == "Buffer" || path == "match_buffer" {
            let buffer = self.buffer_annotation(annotation, name.clone(), at)?;
            self.bind(name.clone(), Entity::Buffer(buffer));
            ParamKind::Buffer(buffer)
        } else if let Some(dtype) = DType::of_constructor(&path) {
            let var = self.var(name.clone(), dtype);
            self.bind(name.clone(), Entity::Var(var));
            ParamKind::Scalar(var)
        } else {
            let range = self.body.range(annotation);
            return Err(self.error(range, "a parameter is a buffer, a handle or a number"));
        };
        self.func.params.push(Param { name, kind });
        Ok(())
    }

    /// The callee and the arguments of a call; anything else is a callee alone.
    pub fn call_parts(&self, expr: ExprId) -> (ExprId, &'a [body::Arg]) {
        match &self.body.exprs[expr] {
            body::Expr::Call { callee, args } => (*callee, args),
            body::Expr::Subscript { base, .. } => (*base, &[]),
            _ => (expr, &[]),
        }
    }

    /// What an expression names under `T`: `axis.spatial`.
    pub fn tir_path(&self, expr: ExprId) -> Option<SmolStr> {
        if matches!(self.body.exprs[expr], body::Expr::Call { .. }) {
            return None;
        }
        let path = script_path(self.body, expr, self.env)?;
        let rest = path.rest;
        match path.namespace {
            Namespace::Tir => Some(
                rest.strip_prefix("tir.")
                    .or_else(|| rest.strip_prefix("tirx."))
                    .map_or(rest.clone(), SmolStr::from),
            ),
            Namespace::Ir => Some(SmolStr::from(format!("I.{rest}"))),
            Namespace::Relax | Namespace::Python => None,
        }
    }

    pub fn error(&mut self, range: TextRange, message: impl Into<String>) -> Failed {
        let error = TirError {
            message: message.into(),
            range,
        };
        if !self.errors.contains(&error) {
            self.errors.push(error);
        }
        Failed
    }

    pub fn range(&self, expr: ExprId) -> TextRange {
        self.body.range(expr)
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

    pub fn bind(&mut self, name: SmolStr, entity: Entity) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name, entity);
        }
    }

    /// Binds a name for the whole function: a shape variable.
    pub fn bind_outermost(&mut self, name: SmolStr, entity: Entity) {
        if let Some(scope) = self.scopes.first_mut() {
            scope.insert(name, entity);
        }
    }

    pub fn lookup(&self, name: &str) -> Option<Entity> {
        self.scopes
            .iter()
            .rev()
            .find_map(|scope| scope.get(name))
            .cloned()
    }

    /// An expression once more, where its name stands.
    pub fn copy(&mut self, expr: &Expr, range: TextRange) -> Lowered<Expr> {
        self.copied += expr.count();
        if self.copied > MAX_COPIED {
            return Err(self.error(range, "what this stands for is too large to be written out"));
        }
        Ok(expr.clone())
    }

    /// Runs `inside` in a scope of its own.
    pub fn scoped<T>(&mut self, inside: impl FnOnce(&mut Self) -> T) -> T {
        self.scopes.push(FxHashMap::default());
        let result = inside(self);
        self.scopes.pop();
        result
    }

    /// Refuses what is nested too deep to be read without end.
    pub fn nested<T>(
        &mut self,
        range: TextRange,
        inside: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<T> {
        if self.depth >= MAX_DEPTH {
            return Err(self.error(range, "this is nested too deep"));
        }
        self.depth += 1;
        let result = inside(self);
        self.depth -= 1;
        result
    }
}
