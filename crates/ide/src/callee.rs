//! What the call around the cursor calls, and the parameter that is being filled.

use hir::FunctionItem;
use hir::LazyFacts;
use hir::body::{Arg, Expr, ExprId};
use hir::prim_facts::PrimDefKind;
use relax::FunctionKind;
use relax::dtype::DType;
use relax::ops::{self, Kind, OpDef};
use relax::script::{self, Entry};
use relax::script::{Namespace, ScriptPath};
use relax::sinfo::{Callable, StructInfo};
use relax::value::Value;
use smol_str::SmolStr;
use text_size::{TextRange, TextSize};

use crate::cursor::{Given, Open};
use crate::here::{Here, var_at};

pub enum Callee<'db> {
    Op(&'static OpDef),
    Entry(ScriptPath, &'static Entry),
    /// An operator as a method of its first operand: `x.astype`.
    Method(&'static OpDef),
    /// `T.float32(...)`
    DType(DType),
    /// A function of the module.
    Function(FunctionItem<'db>),
    /// A function inside the function, or another variable that holds one.
    Local(SmolStr, std::sync::Arc<Callable>),
}

impl<'db> Here<'db> {
    pub fn callee(&self, open: &Open) -> Option<Callee<'db>> {
        let names = open.callee.names.as_slice();
        if let [module, function] = names
            && self.is_module(module)
        {
            return self.function_named(function).map(Callee::Function);
        }
        if let [name] = names
            && let Some(facts) = self.facts()
            && let Some(bound) = self.names().find(|bound| bound.text == *name)
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
            // A pointer says what it points to.
            && dtype != DType::HANDLE
        {
            return Some(Callee::DType(dtype));
        }
        if let Namespace::Relax | Namespace::Python = path.namespace
            && let Some(op) = ops::by_script(&path.rest, self.dialect)
        {
            return Some(Callee::Op(op));
        }
        let entry = script::find(path.namespace, &path.rest, self.dialect)?;
        Some(Callee::Entry(path, entry))
    }

    /// `A.access_ptr`, where `A` is a buffer of the PrimFunc.
    fn buffer_method(&self, names: &[SmolStr]) -> Option<&'static Entry> {
        let [buffer, method] = names else {
            return None;
        };
        let function = self
            .function
            .filter(|it| it.kind(self.db) == FunctionKind::PrimFunc)?;
        let entry = script::buffer_member(method, self.dialect)?;
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
        // What a PrimFunc computes with has only this one.
        if self.kind() == Some(FunctionKind::PrimFunc) && name == "astype" {
            return ops::by_script(name, self.dialect);
        }
        let (call, _) = self.call_of(open)?;
        let op = self.facts()?.call(call)?.op.0;
        let script = self.script(&open.callee.names).is_some();
        (!script && op.script() == name).then_some(op)
    }

    /// The call of an open bracket in the function's body, with its arguments.
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

    /// The values of an operator's parameters that are given, without the argument at the cursor.
    pub fn operands(&self, op: &OpDef, open: &Open) -> Vec<Option<Value>> {
        let mut operands = vec![None; op.params.len()];
        let (Some(facts), Some(body), Some((_, args))) =
            (self.facts(), self.body(), self.call_of(open))
        else {
            return operands;
        };
        let cursor = self.relative(self.offset);
        let mut next = 0;
        for arg in args {
            let index = match &arg.keyword {
                Some(keyword) => op.param(&keyword.text),
                None => Some(next),
            };
            if arg.keyword.is_none() && !op.params.get(next).is_some_and(|param| param.star) {
                next += 1;
            }
            let range = body.range(arg.value);
            if range.contains_inclusive(cursor) || matches!(body.exprs[arg.value], Expr::Missing) {
                continue;
            }
            if let Some(index) = index.filter(|&index| index < operands.len())
                && op.params[index].kind != Kind::Annotation
            {
                operands[index] = Some(facts.value(arg.value).clone());
            }
        }
        operands
    }

    /// The StructInfo of each positional argument before the cursor.
    pub fn arguments(&self, open: &Open) -> Vec<StructInfo> {
        let (Some(facts), Some((_, args))) = (self.facts(), self.call_of(open)) else {
            return Vec::new();
        };
        let before = args.iter().take(open.position());
        before.map(|arg| struct_info(facts, arg.value)).collect()
    }

    /// The PrimFunc that a `call_tir` names first.
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

/// The StructInfo of an expression; `Unknown` where it has none.
pub fn struct_info(facts: &LazyFacts, expr: ExprId) -> StructInfo {
    facts
        .value(expr)
        .struct_info()
        .unwrap_or(StructInfo::Unknown)
}

/// The parameter of an operator that the argument at the cursor is for.
pub fn op_param(op: &OpDef, open: &Open) -> Option<usize> {
    if let Some(keyword) = &open.current().keyword {
        return op.param(keyword);
    }
    let star = op.params.iter().position(|param| param.star);
    let at = open.position();
    match star {
        Some(star) if at >= star => Some(star),
        _ => (at < op.params.len()).then_some(at),
    }
}

/// The parameter of a script function that the argument at the cursor is for.
pub fn entry_param(entry: &Entry, open: &Open) -> Option<usize> {
    form_param(&entry.params(), open)
}

/// That parameter, of the form that fits what is given.
pub fn param_at(entry: &Entry, open: &Open) -> Option<script::Param> {
    let forms = entry.forms();
    let form = forms.get(fitting(&forms, open))?;
    form_param(form, open).map(|at| form[at])
}

/// The same of one of the forms that it has.
pub fn form_param(params: &[script::Param], open: &Open) -> Option<usize> {
    if let Some(keyword) = &open.current().keyword {
        let named = params.iter().position(|param| param.name == keyword);
        return named.or_else(|| params.iter().position(|it| it.text.starts_with("**")));
    }
    let at = open.position();
    let takes_any =
        |param: &script::Param| param.many || param.star && !param.text.starts_with("**");
    match params.iter().position(takes_any) {
        Some(any) if at >= any => {
            // Which one it is of those after it, only the count of all says.
            let last = params[any + 1..]
                .iter()
                .all(|param| param.keyword_only || param.star);
            last.then_some(any)
        }
        _ => (at < params.len() && !params[at].keyword_only && !params[at].star).then_some(at),
    }
}

/// Whether a row is one of those that call a PrimFunc with its inputs as a tuple.
pub fn calls_prim_func(op: &OpDef) -> bool {
    op.params
        .first()
        .is_some_and(|param| param.kind == Kind::Function)
        && op.param("args") == Some(1)
        && (op.script().starts_with("call_tir") || op.script().starts_with("dist.call_tir"))
}

/// The form that has a place for what is given, the argument at the cursor included if any has.
pub fn fitting(forms: &[Vec<script::Param>], open: &Open) -> usize {
    let before = &open.args[..open.position()];
    let all = forms.iter().position(|form| takes(form, &open.args, open));
    let fits = all.or_else(|| forms.iter().position(|form| takes(form, before, open)));
    fits.unwrap_or(0)
}

fn takes(form: &[script::Param], args: &[Given], open: &Open) -> bool {
    let given = args.iter().filter(|arg| arg.keyword.is_none()).count();
    let places = || form.iter().filter(|param| !param.keyword_only);
    let by_place = |name: &SmolStr| places().take(given).any(|param| param.name == name);
    let has = |name: &SmolStr| {
        let mut params = form.iter();
        params.any(|param| param.name == name || param.text.starts_with("**"))
    };
    let mut names = args.iter().filter_map(|arg| arg.keyword.as_ref());
    let mut names = names.by_ref().chain(&open.later);
    (given <= places().count() || form.iter().any(|param| param.star || param.many))
        && names.all(|name| has(name) && !by_place(name))
}
