//! Names around and beside what Relax binds: functions and modules where they begin, `cls`, plain values of the
//! Python code, functions of the host.

use hir::enclosing::{Env, PyValue};
use hir::{Database, SourceFile, file_dialect, file_items};
use relax::FunctionKind;
use text_size::TextSize;

use super::{code, function};
use crate::locate::{function_at, name_range};
use crate::mentions::{self, Symbol, text_of};
use crate::types::Hover;

pub fn hover(db: &Database, file: SourceFile, offset: TextSize) -> Option<Hover> {
    if let Some(function) = function_at(db, file, offset)
        && let Some(range) = name_range(db, function)
        && range.contains_inclusive(offset)
    {
        let markdown = function::page(db, function, file_dialect(db, file))?;
        return Some(Hover { range, markdown });
    }
    let mention = mentions::mention_at(db, file, offset)?;
    let markdown = match &mention.symbol {
        Symbol::Module(module) => function::module(db, *module),
        Symbol::Function(function) => function::page(db, *function, file_dialect(db, file))?,
        Symbol::Alias(function, _) => {
            let modules = &file_items(db, file).modules;
            let module = *modules.get(function.module(db)? as usize)?;
            let body = hir::function_body(db, *function);
            let alias = crate::here::module_alias(body, &module.name(db))?;
            if text_of(db, file, mention.range) != alias {
                return None;
            }
            function::module(db, module)
        }
        Symbol::Packed(name) => format!(
            "{}function of the host, by its global symbol",
            code(&format!("{name:?}"))
        ),
        Symbol::Python(name, _) => match function_at(db, file, offset) {
            Some(function)
                if function
                    .env(db)
                    .script_path(std::slice::from_ref(name))
                    .is_some() =>
            {
                return None;
            }
            Some(function) if function.kind(db) == FunctionKind::PrimFunc => {
                value(function.env(db), name).unwrap_or_else(|| unknown(name))
            }
            _ => value(&hir::file_env(db, file), name)?,
        },
        _ => return None,
    };
    Some(Hover {
        range: mention.range,
        markdown,
    })
}

/// A name whose value only Python knows.
pub fn unknown(name: &str) -> String {
    format!("{}name of the Python code around the function", code(name))
}

/// What a name of the Python code stands for, as far as that is plain.
pub fn value(env: &Env, name: &str) -> Option<String> {
    let shown = match env.get(name)? {
        PyValue::Int(value) => value.to_string(),
        PyValue::Float(value) => value.to_string(),
        PyValue::Bool(true) => "True".to_owned(),
        PyValue::Bool(false) => "False".to_owned(),
        PyValue::Str(text) => format!("{text:?}"),
        PyValue::ShapeVar(var) => {
            let title = code(&format!("{var}: int64"));
            return Some(format!("{title}shape variable of the Python code around"));
        }
        _ => return None,
    };
    let title = code(&format!("{name} = {shown}"));
    Some(format!("{title}constant of the Python code around"))
}
