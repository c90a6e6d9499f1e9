//! Finds tensors whose storage is written for another tensor while they are still needed.
//!
//! Reads the plan that a function writes out: `alloc_storage`, `alloc_tensor`, and calls of PrimFuncs, which say what
//! they write. Only what certainly overlaps is reported, and what an unknown function does is not.

use relax::FunctionKind;
use relax::diagnostics::{Code, Diagnostic};
use relax::dtype::DType;
use relax::ops::returns_view;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use text_size::{TextRange, TextSize};

use crate::body::{Arg, Body, Expr, ExprId, Stmt, StmtKind, Target};
use crate::db::{Db, SourceFile};
use crate::item_tree::{FunctionItem, file_items};
use crate::queries::{function_body, function_program_with_holes};
use crate::tir::{ParamKind, StmtKind as TirStmt, any_stmt};

/// The name that every plan has in its text. Functions without it are not read.
const PLANNED: &str = "alloc_storage";

pub(super) fn check(
    db: &dyn Db,
    file: SourceFile,
    function: FunctionItem<'_>,
    all: &mut Vec<Diagnostic>,
) {
    let text = &file.source(db).text;
    let offset = function.offset(db);
    let range = TextRange::at(offset, function.source(db).0.text_len());
    if !text[std::ops::Range::<usize>::from(range)].contains(PLANNED) {
        return;
    }
    for it in overwritten(db, function) {
        let line = 1 + text[..usize::from(it.needed + offset)]
            .matches('\n')
            .count();
        let message = format!(
            "`{}` is written to storage that `{}` still needs (line {line})",
            it.right, it.left
        );
        let needed = TextRange::at(it.needed + offset, TextSize::of(it.left.as_str()));
        let diagnostic = Diagnostic::new(Code::StorageStillNeeded, it.written + offset, message);
        let diagnostic = diagnostic
            .related(
                it.planned + offset,
                format!("`{}` is planned here", it.left),
            )
            .related(needed, format!("`{}` is read here", it.left));
        all.push(diagnostic);
    }
}

/// A tensor `left` that is overwritten before it is needed. Positions are relative to the function.
#[derive(Clone, Debug, PartialEq)]
struct Overwritten {
    left: SmolStr,
    planned: TextRange,
    right: SmolStr,
    written: TextRange,
    needed: TextSize,
}

#[salsa::tracked(returns(ref))]
fn overwritten<'db>(db: &'db dyn Db, function: FunctionItem<'db>) -> Vec<Overwritten> {
    let body = function_body(db, function);
    let module = function.module(db);
    let module = module.and_then(|at| {
        let items = file_items(db, function.file(db));
        items.modules.get(at as usize).copied()
    });
    let prim_func = |name: &str| {
        let mut functions = module?.functions(db).iter();
        let found = functions.find(|it| it.name(db) == name).copied()?;
        (found.kind(db) == FunctionKind::PrimFunc).then(|| uses(db, found).as_slice())
    };
    let mut plan = Plan {
        body,
        prim_func: &prim_func,
        tensors: Vec::new(),
        storages: 0,
        names: FxHashMap::default(),
        found: Vec::new(),
    };
    plan.stmts(&body.function.body);
    plan.found
}

/// What a PrimFunc does with an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ArgumentUse {
    Reads,
    Writes,
    Unknown,
}

#[salsa::tracked(returns(ref))]
fn uses<'db>(db: &'db dyn Db, prim_func: FunctionItem<'db>) -> Vec<ArgumentUse> {
    let program = function_program_with_holes(db, prim_func);
    let func = &program.func;
    let is_known = program.refused.is_empty()
        && !any_stmt(&func.body, &mut |it| matches!(it.kind, TirStmt::Packed(_)));
    let written = func.written();
    let params = func.params.iter();
    let of = |kind: ParamKind| match kind {
        _ if !is_known => ArgumentUse::Unknown,
        ParamKind::Buffer(id) if written.contains(&func.root(id)) => ArgumentUse::Writes,
        ParamKind::Buffer(_) | ParamKind::Scalar(_) => ArgumentUse::Reads,
        ParamKind::Unused => ArgumentUse::Unknown,
    };
    params.map(|param| of(param.kind)).collect()
}

/// A tensor in a storage.
#[derive(Clone, Debug)]
struct Tensor {
    name: SmolStr,
    planned: TextRange,
    storage: usize,
    offset: Option<i64>,
    bytes: Option<i64>,
    is_written: bool,
    /// The tensor that was written over it since, and where.
    over: Option<(SmolStr, TextRange)>,
}

impl Tensor {
    /// Returns `true` if two tensors certainly have a byte in common.
    fn overlaps(&self, other: &Tensor) -> bool {
        let (Some(a), Some(b)) = (self.offset, other.offset) else {
            return false;
        };
        let first = if a <= b { self.bytes } else { other.bytes };
        let reaches = first.is_some_and(|bytes| bytes > (a - b).abs());
        let some = |it: &Tensor| it.bytes != Some(0);
        self.storage == other.storage && some(self) && some(other) && (a == b || reaches)
    }
}

/// What a variable stands for.
#[derive(Clone, Copy, Debug)]
enum Held {
    Storage(usize),
    Tensor(usize),
}

struct Plan<'p, 'b> {
    body: &'b Body,
    prim_func: &'p dyn Fn(&str) -> Option<&'p [ArgumentUse]>,
    tensors: Vec<Tensor>,
    storages: usize,
    names: FxHashMap<SmolStr, Held>,
    found: Vec<Overwritten>,
}

impl<'b> Plan<'_, 'b> {
    fn stmts(&mut self, stmts: &'b [Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &'b Stmt) {
        match &stmt.kind {
            StmtKind::Assign { targets, value } => match targets.as_slice() {
                [Target::Name(name)] => self.bind(Some(&name.text), *value, name.range),
                _ => self.read(*value),
            },
            StmtKind::AnnAssign {
                target: Target::Name(name),
                value: Some(value),
                ..
            } => self.bind(Some(&name.text), *value, name.range),
            StmtKind::Expr(value) => self.bind(None, *value, stmt.range),
            StmtKind::Return(Some(value)) => self.read(*value),
            StmtKind::With { body, .. } => self.stmts(body),
            StmtKind::If {
                test,
                then,
                otherwise,
            } => {
                self.read(*test);
                let before = (self.tensors.clone(), self.names.clone());
                for branch in [Some(then), otherwise.as_ref()].into_iter().flatten() {
                    self.stmts(branch);
                    // What only one branch writes may not have been written.
                    (self.tensors, self.names) = before.clone();
                }
            }
            _ => {}
        }
    }

    fn bind(&mut self, name: Option<&SmolStr>, value: ExprId, range: TextRange) {
        let held = match &self.body.exprs[value] {
            Expr::Name(other) => self.names.get(other).copied(),
            Expr::Call { callee, args } => self.call(*callee, args, (name, range)),
            _ => {
                self.read(value);
                None
            }
        };
        if let Some(name) = name {
            match held {
                Some(held) => self.names.insert(name.clone(), held),
                None => self.names.remove(name),
            };
        }
    }

    fn call(
        &mut self,
        callee: ExprId,
        args: &'b [Arg],
        (name, range): (Option<&SmolStr>, TextRange),
    ) -> Option<Held> {
        let path = self.path(callee);
        let last = path.rsplit('.').next().unwrap_or_default();
        let first = args.first().map(|arg| arg.value);
        match (path.split_once('.'), last) {
            (Some(("R", _)), PLANNED) => {
                self.storages += 1;
                Some(Held::Storage(self.storages))
            }
            (Some(("R", "memory.alloc_tensor" | "vm.alloc_tensor")), _) => {
                let Held::Storage(storage) = self.held(first?)? else {
                    return None;
                };
                self.tensors.push(Tensor {
                    name: name?.clone(),
                    planned: range,
                    storage,
                    offset: argument(args, 1, "offset").and_then(|it| self.int(it)),
                    bytes: self.bytes(args),
                    is_written: false,
                    over: None,
                });
                Some(Held::Tensor(self.tensors.len() - 1))
            }
            (Some(("R", _)), "kill_tensor" | "kill_storage" | "kill_object") => None,
            (Some(("R", name)), _) if returns_view(&format!("relax.{name}")) => self.held(first?),
            (Some(("R", "call_packed" | "call_pure_packed")), _) => {
                let view = matches!(&self.body.exprs[first?], Expr::Str(it) if returns_view(it));
                let rest = args.get(1..).unwrap_or_default();
                if view {
                    return self.held(rest.first()?.value);
                }
                for arg in rest {
                    self.unknown(arg.value);
                }
                None
            }
            (Some(("R", "vm.call_tir_dyn")), _) => {
                let prim_func = self.path(first?);
                let operands = args.get(1)?.value;
                if let Expr::Tuple(operands) = &self.body.exprs[operands] {
                    self.prim_call(&prim_func, operands);
                }
                None
            }
            (Some(("R", _)), _) => {
                for arg in args {
                    self.read(arg.value);
                }
                None
            }
            _ => {
                let operands: Vec<ExprId> = args.iter().map(|arg| arg.value).collect();
                self.prim_call(&path, &operands);
                None
            }
        }
    }

    /// Reads a call of a PrimFunc: it reads all that it reads before it writes.
    fn prim_call(&mut self, path: &str, operands: &[ExprId]) {
        let uses = path.rsplit('.').next().and_then(self.prim_func);
        let Some(uses) = uses.filter(|uses| uses.len() >= operands.len()) else {
            return operands.iter().for_each(|it| self.unknown(*it));
        };
        for wanted in [
            ArgumentUse::Reads,
            ArgumentUse::Unknown,
            ArgumentUse::Writes,
        ] {
            let of_kind = operands.iter().zip(uses).filter(|it| *it.1 == wanted);
            for (&operand, _) in of_kind {
                match wanted {
                    ArgumentUse::Reads => self.read(operand),
                    ArgumentUse::Unknown => self.unknown(operand),
                    ArgumentUse::Writes => self.write(operand),
                }
            }
        }
    }

    fn held(&self, expr: ExprId) -> Option<Held> {
        match &self.body.exprs[expr] {
            Expr::Name(name) => self.names.get(name).copied(),
            _ => None,
        }
    }

    /// Reports tensors in an expression that were overwritten.
    fn read(&mut self, expr: ExprId) {
        if let Some(Held::Tensor(at)) = self.held(expr) {
            let tensor = &mut self.tensors[at];
            if let Some((right, written)) = tensor.over.take() {
                self.found.push(Overwritten {
                    left: tensor.name.clone(),
                    planned: tensor.planned,
                    right,
                    written,
                    needed: self.body.range(expr).start(),
                });
            }
        }
        let body = self.body;
        body.exprs[expr].for_each_child(&mut |child| self.read(child));
    }

    fn write(&mut self, expr: ExprId) {
        let Some(Held::Tensor(at)) = self.held(expr) else {
            return;
        };
        let written = self.tensors[at].clone();
        let range = self.body.range(expr);
        for tensor in &mut self.tensors {
            if tensor.is_written && tensor.overlaps(&written) {
                tensor.over = Some((written.name.clone(), range));
            }
        }
        self.tensors[at].over = None;
        self.tensors[at].is_written = true;
    }

    /// An unknown function may write to its argument, or not.
    fn unknown(&mut self, expr: ExprId) {
        if let Some(Held::Tensor(at)) = self.held(expr) {
            self.tensors[at].over = None;
            self.tensors[at].is_written = true;
        }
    }

    /// Returns a dotted name; empty for other expressions.
    fn path(&self, expr: ExprId) -> String {
        match &self.body.exprs[expr] {
            Expr::Name(name) => name.to_string(),
            Expr::Attribute { base, name } => match self.path(*base) {
                base if base.is_empty() => base,
                base => format!("{base}.{}", name.text),
            },
            _ => String::new(),
        }
    }

    /// Returns an integer, which may be in `R.prim_value(...)` or `T.int64(...)`.
    fn int(&self, expr: ExprId) -> Option<i64> {
        match &self.body.exprs[expr] {
            Expr::Int(value) => Some(*value),
            Expr::Call { args, .. } => self.int(args.first()?.value),
            _ => None,
        }
    }

    fn bytes(&self, args: &[Arg]) -> Option<i64> {
        let shape = argument(args, 2, "shape")?;
        let Expr::Call { args: dims, .. } = &self.body.exprs[shape] else {
            return None;
        };
        let (Expr::List(dims) | Expr::Tuple(dims)) = &self.body.exprs[dims.first()?.value] else {
            return None;
        };
        let dtype = argument(args, 3, "dtype")?;
        let dtype = match &self.body.exprs[dtype] {
            Expr::Call { args, .. } => args.first()?.value,
            _ => dtype,
        };
        let Expr::Str(dtype) = &self.body.exprs[dtype] else {
            return None;
        };
        let bytes = i64::try_from(DType::parse(dtype)?.bytes()).ok()?;
        dims.iter()
            .try_fold(bytes, |all, dim| all.checked_mul(self.int(*dim)?))
    }
}

fn argument(args: &[Arg], at: usize, name: &str) -> Option<ExprId> {
    let named = |arg: &&Arg| arg.keyword.as_ref().is_some_and(|it| it.text == name);
    let by_name = args.iter().find(named);
    let by_position = args.get(at).filter(|arg| arg.keyword.is_none());
    by_name.or(by_position).map(|arg| arg.value)
}

#[cfg(test)]
mod tests;
