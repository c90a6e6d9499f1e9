//! Resolves the callee of the call around the cursor, and the parameter that is being filled in.

use hir::FunctionItem;
use hir::LazyFacts;
use hir::body::{Arg, Expr, ExprId};
use hir::prim_facts::PrimDefKind;
use relax::FunctionKind;
use relax::arguments::{Misfit, Parameter, Place, bind};
use relax::dtype::DType;
use relax::ops::{self, Kind, OpDef};
use relax::script::{self, Entry};
use relax::script::{Namespace, ScriptPath};
use relax::sinfo::{Callable, StructInfo};
use relax::value::Value;
use smol_str::SmolStr;
use text_size::{TextRange, TextSize};

use crate::cursor::{Open, WrittenArgument};
use crate::semantics::{Scope, var_at};

pub enum Callee<'db> {
    Op(&'static OpDef),
    Entry(ScriptPath, &'static Entry),
    /// An operator called as a method of its first operand: `x.astype`.
    Method(&'static OpDef),
    /// A dtype, such as `T.float32(...)`.
    DType(DType),
    /// A function of the module.
    Function(FunctionItem<'db>),
    /// A local function, or another variable that holds a function.
    Local(SmolStr, std::sync::Arc<Callable>),
}

impl<'db> Scope<'db> {
    pub fn callee(&self, open: &Open) -> Option<Callee<'db>> {
        let names = open.callee.names.as_slice();
        if let [module, function] = names
            && self.is_module(module)
        {
            return self.function_named(function).map(Callee::Function);
        }
        if let [name] = names
            && let Some(facts) = self.facts()
            && let Some(bound) = self.names(&|it| it == name).next()
        {
            let var = var_at(facts, bound.range)?;
            return match &var.struct_info {
                StructInfo::Callable(callable) => {
                    Some(Callee::Local(name.clone(), callable.clone()))
                }
                _ => None,
            };
        }
        if let Some(method) = self.method(open) {
            return Some(Callee::Method(method));
        }
        if let Some(entry) = self.buffer_method(names) {
            let rest = SmolStr::new_static(entry.name);
            let namespace = Namespace::Tir;
            return Some(Callee::Entry(ScriptPath { namespace, rest }, entry));
        }
        let path = self.script(names)?;
        if path.namespace == Namespace::Tir
            && let Some(dtype) = DType::of_constructor(&path.rest)
            // A pointer type takes the pointee as its argument.
            && dtype != DType::HANDLE
        {
            return Some(Callee::DType(dtype));
        }
        if let Namespace::Relax | Namespace::Python = path.namespace
            && let Some(op) = ops::by_script(&path.rest, self.release())
        {
            return Some(Callee::Op(op));
        }
        let entry = script::find(path.namespace, &path.rest, self.release())?;
        Some(Callee::Entry(path, entry))
    }

    /// Returns the method of a buffer in `A.access_ptr`, if `A` is a buffer of the PrimFunc.
    fn buffer_method(&self, names: &[SmolStr]) -> Option<&'static Entry> {
        let [buffer, method] = names else {
            return None;
        };
        let function = self
            .function
            .filter(|it| it.kind(self.db) == FunctionKind::PrimFunc)?;
        let entry = script::buffer_member(method, self.release())?;
        let facts = hir::function_prim_facts(self.db, function);
        let mut defs = facts.defs.iter().filter(|def| def.name == *buffer);
        let is_buffer = defs.any(|def| matches!(def.kind, PrimDefKind::Buffer(_)));
        (is_buffer && entry.params.is_some()).then_some(entry)
    }

    fn method(&self, open: &Open) -> Option<&'static OpDef> {
        let name = match open.callee.names.as_slice() {
            [] => open.callee.member.as_ref()?,
            [_, .., name] => name,
            [_] => return None,
        };
        // Values in PrimFuncs have no other method.
        if self.kind() == Some(FunctionKind::PrimFunc) && name == "astype" {
            return ops::by_script(name, self.release());
        }
        let (call, _) = self.call_of(open)?;
        let op = self.facts()?.call(call)?.op.0;
        let script = self.script(&open.callee.names).is_some();
        (!script && op.script() == name).then_some(op)
    }

    /// Returns the call of an open bracket in the function's body, with its arguments.
    pub fn call_of(&self, open: &Open) -> Option<(ExprId, &'db [Arg])> {
        let body = self.body()?;
        let at = self.relative(open.at);
        let bracket = TextRange::at(at, TextSize::new(1));
        body.exprs_around(bracket)
            .into_iter()
            .find_map(|expr| match &body.exprs[expr] {
                Expr::Call { callee, args } if body.range(*callee).end() <= at => {
                    Some((expr, args.as_slice()))
                }
                _ => None,
            })
    }

    /// Returns the known value of each parameter of an operator, leaving out the argument at the cursor.
    pub fn operands(&self, op: &OpDef, open: &Open) -> Vec<Option<Value>> {
        let mut operands = vec![None; op.params.len()];
        let (Some(facts), Some(body), Some((_, args))) =
            (self.facts(), self.body(), self.call_of(open))
        else {
            return operands;
        };
        let cursor = self.relative(self.offset);
        let binding = bind(op.params, args);
        for (at, arg) in args.iter().enumerate() {
            let range = body.range(arg.value);
            if range.contains_inclusive(cursor) || matches!(body.exprs[arg.value], Expr::Missing) {
                continue;
            }
            if let Some(index) = binding.param(at)
                && op.params[index].kind != Kind::Annotation
            {
                operands[index] = Some(facts.value(arg.value).clone());
            }
        }
        operands
    }

    /// Returns the StructInfo of each positional argument before the cursor.
    pub fn arguments(&self, open: &Open) -> Vec<StructInfo> {
        let (Some(facts), Some((_, args))) = (self.facts(), self.call_of(open)) else {
            return Vec::new();
        };
        let before = args.iter().take(open.position());
        before.map(|arg| struct_info(facts, arg.value)).collect()
    }

    /// Returns the PrimFunc that is the first argument of a `call_tir`.
    pub fn called_prim_func(&self, open: &Open) -> Option<FunctionItem<'db>> {
        let body = self.body()?;
        let (_, args) = self.call_of(open)?;
        let name = match &body.exprs[args.first()?.value] {
            Expr::Attribute { base, name } => match &body.exprs[*base] {
                Expr::Name(module) if self.is_module(module) => &name.text,
                _ => return None,
            },
            Expr::Name(name) => name,
            _ => return None,
        };
        self.function_named(name)
            .filter(|function| function.kind(self.db) == FunctionKind::PrimFunc)
    }
}

/// Returns the StructInfo of an expression, or `Unknown`.
pub fn struct_info(facts: &LazyFacts, expr: ExprId) -> StructInfo {
    facts
        .value(expr)
        .struct_info()
        .unwrap_or(StructInfo::Unknown)
}

/// Returns the index of the parameter for the argument at the cursor.
pub fn param_of<P: Parameter>(params: &[P], open: &Open) -> Option<usize> {
    let before = open.args[..open.position()].iter();
    let binding = bind(params, before.chain([open.current()]));
    match binding.place(open.position()) {
        Place::Param(at) | Place::Twice(at) => Some(at),
        Place::UnknownName | Place::Surplus | Place::Unclear => None,
    }
}

/// Returns the parameter of a script function for the argument at the cursor, in the overload that fits the arguments.
pub fn param_at(entry: &Entry, open: &Open) -> Option<script::DeclaredParam> {
    let forms = entry.forms();
    let form = forms.get(fitting(&forms, open))?;
    param_of(form, open).map(|at| form[at])
}

/// Returns `true` for operators that call a PrimFunc with a tuple of inputs.
pub fn calls_prim_func(op: &OpDef) -> bool {
    op.params
        .first()
        .is_some_and(|param| param.kind == Kind::Function)
        && op.param("args") == Some(1)
        && (op.script().starts_with("call_tir") || op.script().starts_with("dist.call_tir"))
}

/// Returns the index of the first overload that accepts the given arguments, including the one at the cursor if
/// possible.
pub fn fitting(forms: &[Vec<script::DeclaredParam>], open: &Open) -> usize {
    let before = &open.args[..open.position()];
    let all = forms
        .iter()
        .position(|form| form_accepts(form, &open.args, open));
    let fits = all.or_else(|| {
        forms
            .iter()
            .position(|form| form_accepts(form, before, open))
    });
    fits.unwrap_or(0)
}

fn form_accepts(form: &[script::DeclaredParam], args: &[WrittenArgument], open: &Open) -> bool {
    let later = open.later.iter().map(|keyword| WrittenArgument {
        keyword: Some(keyword.clone()),
        ..WrittenArgument::default()
    });
    let all: Vec<WrittenArgument> = args.iter().cloned().chain(later).collect();
    let misfits = bind(form, &all).misfits(form);
    misfits.iter().all(|it| matches!(it, Misfit::Missing(_)))
}
