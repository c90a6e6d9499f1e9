//! Completes whole calls of PrimFuncs: inputs are chosen by fit, and outputs are computed.

use hir::FunctionItem;
use relax::FunctionKind;
use relax::ops;
use relax::script::Namespace;
use relax::sinfo::{Callable, StructInfo};
use smol_str::SmolStr;

use super::Site;
use super::document::key;
use super::fit;
use super::item::{Completion, CompletionKind, Items, rank};
use super::name::value;
use crate::callee::{Callee, calls_prim_func};
use crate::prim_output;
use crate::semantics::var_at;

/// The maximum number of PrimFuncs whose calls are computed for one list.
const MAX_CALLS: usize = 8;
/// The maximum number of variables tried for one input.
const MAX_TRIED: usize = 24;

impl Site<'_, '_> {
    /// Offers `R.call_tir(cls.f, (x,), out_sinfo=...)` for the PrimFuncs of the module.
    pub(super) fn prim_calls(self, items: &mut Items) {
        let (db, scope) = (self.scope.db, self.scope);
        let Some(op) = ops::by_script("call_tir", scope.release()) else {
            return;
        };
        let prims = scope.functions().iter().copied().filter(|function| {
            function.kind(db) == FunctionKind::PrimFunc
                && items.may_mean(&label(&function.name(db)))
        });
        let prims: Vec<FunctionItem<'_>> = prims.take(MAX_CALLS + 1).collect();
        // If there are too many, wait until more is typed.
        if prims.len() > MAX_CALLS {
            return items.leave_out();
        }
        for function in prims {
            let name = function.name(db);
            let Some(call) = self.prim_call(function) else {
                continue;
            };
            items.push(
                Completion::new(label(&name), CompletionKind::Snippet)
                    .text(call.clone())
                    .detail(call)
                    .rank(rank::SNIPPET)
                    .doc(key(Namespace::Relax, op.script(), scope.release())),
            );
        }
    }

    /// Returns the call if a variable in scope fits each input and the output can be computed.
    fn prim_call(self, function: FunctionItem<'_>) -> Option<String> {
        let scope = self.scope;
        let facts = scope.facts()?;
        let signature = hir::function_signature(scope.db, function);
        let buffers = signature
            .params
            .iter()
            .take_while(|param| !matches!(param, StructInfo::Prim(_)));
        let inputs = buffers.count().checked_sub(1)?;
        let callable = Callable {
            params: Some(signature.params.clone()),
            ret: StructInfo::Unknown,
            pure: true,
        };
        let mut names: Vec<SmolStr> = Vec::with_capacity(inputs);
        let mut given: Vec<StructInfo> = Vec::with_capacity(inputs);
        for _ in 0..inputs {
            let wanted = &signature.params[given.len()];
            let vars = scope.names(&|_| true).take(MAX_TRIED);
            let vars = vars.filter_map(|name| var_at(facts, name.range));
            let vars = vars.filter(|var| is_alike(wanted, var.struct_info));
            // Among equally fitting variables, prefer one that is not used as an input yet.
            let (_, var) = vars
                .filter_map(|var| {
                    let fit = fit::argument(&callable, &given, &value(var));
                    (fit < rank::UNFIT).then_some(((fit, names.contains(var.name)), var))
                })
                .min_by_key(|(key, _)| *key)?;
            names.push(var.name.clone());
            given.push(var.struct_info.clone());
        }
        let output = prim_output::written(
            &prim_output::outputs(scope.db, function, &given)?,
            scope.release(),
            &scope.alias(Namespace::Relax),
        )?;
        let args = match names.as_slice() {
            [only] => format!("({only},)"),
            names => format!("({})", names.join(", ")),
        };
        let (relax, name) = (scope.alias(Namespace::Relax), function.name(scope.db));
        let callee = match scope.module_alias() {
            Some(module) => format!("{module}.{name}"),
            None => name.to_string(),
        };
        let keyword = prim_output::keyword(scope.release());
        Some(format!(
            "{relax}.call_tir({callee}, {args}, {keyword}{output})"
        ))
    }

    /// At the output of a `call_tir`: offers the output that the PrimFunc computes from the given inputs.
    pub(super) fn computed_output(self, items: &mut Items) {
        let Some((open, within)) = self.cursor.call() else {
            return;
        };
        let Some(Callee::Op(op)) = self.scope.callee(open) else {
            return;
        };
        if within || !calls_prim_func(op) {
            return;
        }
        let written = self.scope.called_prim_func(open).and_then(|function| {
            let given = self.elements_before(open, 1);
            let outputs = prim_output::outputs(self.scope.db, function, &given)?;
            prim_output::written(
                &outputs,
                self.scope.release(),
                &self.scope.alias(Namespace::Relax),
            )
        });
        if let Some(text) = written {
            items.push(
                Completion::new(text, CompletionKind::Annotation)
                    .detail("the output of the PrimFunc")
                    .rank(rank::FITS - 1),
            );
        }
    }
}

/// Returns `true` if, by rank and dtype, one StructInfo may fit the other.
fn is_alike(wanted: &StructInfo, sinfo: &StructInfo) -> bool {
    match (wanted.as_tensor(), sinfo.as_tensor()) {
        (Some(wanted), Some(tensor)) => {
            wanted.dtype == tensor.dtype && wanted.ndim() == tensor.ndim()
        }
        _ => true,
    }
}

fn label(name: &str) -> String {
    format!("call_tir {name}")
}
