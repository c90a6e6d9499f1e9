//! Hover for functions and modules: signatures with inferred types, and attributes.

use hir::body::{Body, Expr, StmtKind};
use hir::{Database, FunctionItem, ModuleItem, SourceFile};
use relax::FunctionKind;
use relax::release::Release;
use relax::script::Namespace;
use relax::sinfo::{Callable, StructInfo};

use super::code;
use crate::markdown::{Code, Markdown, markdown};
use crate::mentions::{function_named, text_of};
use crate::semantics::spelling::written;

/// Returns Markdown about a function: its header, its kind, its attributes.
pub fn page(db: &Database, function: FunctionItem<'_>, release: Release) -> Option<Markdown> {
    let name = function.name(db);
    let body = hir::function_body(db, function);
    let (header, role) = match function.kind(db) {
        FunctionKind::Relax => {
            let facts = hir::lazy_facts(db, function);
            let fact = facts.functions.first()?;
            let shown = |sinfo: &StructInfo| written(sinfo, release, function.env(db));
            let params = fact.params.iter().map(|&param| {
                let var = facts.var(param);
                format!("{}: {}", var.name, shown(var.struct_info))
            });
            let params: Vec<String> = params.collect();
            let header = format!("def {name}({}) -> {}", params.join(", "), shown(&fact.ret));
            let role = if fact.pure {
                "function of the module"
            } else {
                "impure function of the module"
            };
            (header, role)
        }
        FunctionKind::PrimFunc => {
            let signature = hir::function_signature(db, function);
            let params = body.function.params.iter().zip(signature.params.iter());
            let params = params.map(|(param, sinfo)| match sinfo {
                StructInfo::Unknown => param.name.text.to_string(),
                sinfo => format!("{}: {}", param.name.text, sinfo.short()),
            });
            let params: Vec<String> = params.collect();
            (
                format!("def {name}({})", params.join(", ")),
                "PrimFunc of the module",
            )
        }
        FunctionKind::Macro => (format!("def {name}(...)"), "macro"),
        FunctionKind::Python => (format!("def {name}(...)"), "Python function of the module"),
    };
    Some(markdown!(
        "{}{}{}",
        code(&header),
        role,
        attributes(db, function, body)
    ))
}

/// Returns the function's attributes, one per line.
fn attributes(db: &Database, function: FunctionItem<'_>, body: &Body) -> Markdown {
    let mut text = Markdown::default();
    // Printers put them first.
    for stmt in body.function.body.beginning().iter().take(4) {
        let StmtKind::Expr(call) = stmt.kind else {
            continue;
        };
        let Expr::Call { callee, args } = &body.exprs[call] else {
            continue;
        };
        let is_attrs = matches!(&body.exprs[*callee], Expr::Attribute { name, .. } if name.text == "func_attr");
        let Some(Expr::Dict(entries)) = args.first().map(|arg| &body.exprs[arg.value]) else {
            continue;
        };
        for (key, value) in entries.iter().filter(|_| is_attrs) {
            if let Some(Expr::Str(key)) = key.map(|key| &body.exprs[key]) {
                let value = text_of(
                    db,
                    function.file(db),
                    body.range(*value) + function.offset(db),
                );
                text.push(markdown!("\n- {}: {}", Code(key), Code(value)));
            }
        }
    }
    if text.is_empty() {
        text
    } else {
        markdown!("\n{}", text)
    }
}

/// Returns Markdown about a module.
pub fn module(db: &Database, module: ModuleItem<'_>) -> Markdown {
    let count = |kind| {
        let functions = module.functions(db).iter();
        functions
            .filter(|function| function.kind(db) == kind)
            .count()
    };
    let (relax, prim) = (count(FunctionKind::Relax), count(FunctionKind::PrimFunc));
    let beside = module.functions(db).first();
    let alias = beside.and_then(|it| it.env(db).script_path(&["I".into()]));
    let ir = if alias.is_some_and(|path| path.namespace == Namespace::Ir) {
        "I"
    } else {
        "ir"
    };
    let header = format!("@{ir}.ir_module\nclass {}", module.name(db));
    let counted = |count: usize, what: &'static str| {
        let plural = if count == 1 { "" } else { "s" };
        markdown!("{} {}{}", count, what, plural)
    };
    markdown!(
        "{}{}, {}",
        code(&header),
        counted(relax, "Relax function"),
        counted(prim, "PrimFunc")
    )
}

/// Returns the signature of a module function, as a call to it sees it.
pub fn callable(
    db: &Database,
    file: SourceFile,
    beside: FunctionItem<'_>,
    name: &str,
) -> Option<Callable> {
    let callee = function_named(db, file, beside.module(db), name, beside.offset(db))?;
    let signature = hir::function_signature(db, callee);
    Some(Callable {
        params: Some(signature.params.clone()),
        ret: StructInfo::Unknown,
        pure: signature.pure,
    })
}
