//! Checks modules decorated with `R.rewriter`, as TVM does when it turns them into rewriting rules.

use relax::FunctionKind;
use relax::diagnostics::{Code, Diagnostic, Severity};
use relax::dtype::DType;
use relax::sinfo::{StructInfo, same_up_to_names};
use relax::sym::SymVar;

use super::{is_private, name_range};
use crate::db::Db;
use crate::item_tree::{FunctionItem, ModuleItem};
use crate::queries::function_facts;

/// Warns if a module is not a valid rewriting rule. TVM reads the module itself without an error.
pub(super) fn check(db: &dyn Db, module: ModuleItem<'_>, all: &mut Vec<Diagnostic>) {
    if module.is_rewriter(db) {
        let mut found = Vec::new();
        check_rule(db, module, &mut found);
        for report in &mut found {
            report.severity = Severity::Warning;
        }
        all.extend(found);
    }
}

fn check_rule(db: &dyn Db, module: ModuleItem<'_>, all: &mut Vec<Diagnostic>) {
    let functions = module.functions(db);
    let named = |wanted: &str| {
        let found = functions.iter().find(|it| it.name(db) == wanted);
        found.copied()
    };
    let pair = [named("pattern"), named("replacement")];
    for (name, found) in ["pattern", "replacement"].into_iter().zip(pair) {
        if found.is_none() {
            let message = format!("a rewriter needs a function `{name}`");
            all.push(Diagnostic::new(
                Code::UndefinedFunction,
                module.name_range(db),
                message,
            ));
        }
    }
    for &function in functions {
        if !pair.contains(&Some(function))
            && matches!(
                function.kind(db),
                FunctionKind::Relax | FunctionKind::PrimFunc
            )
            && !is_private(db, function)
        {
            let message = "a rewriter has no public functions but `pattern` and `replacement`: give this function `private=True`";
            all.push(Diagnostic::new(
                Code::ArgumentValue,
                name_range(db, function),
                message,
            ));
        }
    }
    let [Some(pattern), Some(replacement)] = pair else {
        return;
    };
    let types = (signature(db, pattern), signature(db, replacement));
    if let (Some(StructInfo::Callable(before)), Some(StructInfo::Callable(after))) = types
        && !same_up_to_names(&before, &after)
    {
        let message = "`replacement` and `pattern` of a rewriter must have the same parameters and the same result";
        let report = Diagnostic::new(
            Code::AnnotationMismatch,
            name_range(db, replacement),
            message,
        );
        all.push(report.related(name_range(db, pattern), "the pattern"));
    }
}

/// Returns the type of a function, unless it is only known in part.
fn signature(db: &dyn Db, function: FunctionItem<'_>) -> Option<StructInfo> {
    let facts = function_facts(db, function);
    let root = facts.functions.first()?;
    let callable = root.callable(|it| facts.var(it).struct_info.clone());
    let is_known = !root.has_unclear_params && is_known(&callable) && facts.diagnostics.is_empty();
    is_known.then_some(callable)
}

fn is_known(struct_info: &StructInfo) -> bool {
    let parts = match struct_info {
        StructInfo::Unknown => false,
        StructInfo::Tuple(fields) => fields.iter().all(is_known),
        StructInfo::Callable(callable) => {
            let mut params = callable.params.iter().flat_map(|it| it.iter());
            params.all(is_known) && is_known(&callable.ret)
        }
        StructInfo::Tensor(tensor) => !tensor.dtype.is_some_and(DType::is_python),
        _ => true,
    };
    parts && !struct_info.occurrences().iter().any(SymVar::is_python)
}
