//! The symbols of a file, and every place that mentions them.
//!
//! Navigation, rename, call hierarchy and highlighting are views of these mentions.

mod globals;
mod members;
mod prim;
mod python;
mod relax_functions;
mod scopes;

use hir::body::{Body, Expr, ExprId, StmtKind};
use hir::facts::{SymId, VarId};
use hir::prim_facts::PrimDefId;
use hir::{Database, Db, FunctionItem, ModuleItem, SourceFile, file_items};
use relax::FunctionKind;
use smol_str::SmolStr;
use text_size::{TextRange, TextSize};

use crate::parts::{for_each_near, in_parts};
use crate::semantics::{function_at, function_range, name_range};

pub use globals::{calls_of, function_named};
pub use members::{all as members, looked_up_in};
pub use python::words;
pub use scopes::{scope_around, scope_at};

/// How far into a function's body its attributes are looked for.
const ATTRIBUTES_WITHIN: TextSize = TextSize::new(2048);

/// Words of a function that are this close together are looked at in one window, because each window has a cost.
const NEAR: TextSize = TextSize::new(64);
const LONGEST_WINDOW: TextSize = TextSize::new(4096);

/// A named entity.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Symbol<'db> {
    /// A class decorated with `I.ir_module`.
    Module(ModuleItem<'db>),
    /// A function of a module, or of the surrounding Python code.
    Function(FunctionItem<'db>),
    /// A Relax variable. The variables that the branches of an `if` bind and the one after it are one symbol. A name
    /// that is bound again is another symbol.
    Var(FunctionItem<'db>, VarId),
    /// A shape variable of one function. Strings mention it too.
    Shape(FunctionItem<'db>, SymId),
    /// A buffer, loop variable, axis or other variable of a PrimFunc.
    Tir(FunctionItem<'db>, PrimDefId),
    /// A Python name inside a function: `cls = Module`.
    Alias(FunctionItem<'db>, SmolStr),
    /// A name of the Python code around functions, with the start of the scope that binds it.
    Python(SmolStr, TextSize),
    /// A name of `R`, `T` or `I`, written with these letters: `R.nn.relu`, `T.float32`.
    Script(SmolStr),
    /// A function of the host, by its global symbol.
    Packed(SmolStr),
}

/// How a mention accesses a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Access {
    /// Binds the symbol or introduces it.
    Bind,
    /// Declares a shape variable with `n = T.int64()`; a dimension binds it.
    Declare,
    Read,
    Write,
}

impl Access {
    pub fn is_definition(self) -> bool {
        matches!(self, Access::Bind | Access::Declare)
    }
}

/// A place where a symbol is mentioned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention<'db> {
    /// The range in the file.
    pub range: TextRange,
    pub symbol: Symbol<'db>,
    pub access: Access,
}

/// Returns the mention at an offset.
pub fn mention_at(db: &Database, file: SourceFile, offset: TextSize) -> Option<Mention<'_>> {
    let Some(function) = script_at(db, file, offset) else {
        return python::mention_at(db, file, offset);
    };
    let at = TextRange::empty(offset);
    let mut found: Option<Mention<'_>> = None;
    in_function(db, function, at, &mut |mention| {
        // Between two names, prefer the one that begins. In `T.grid`, prefer the part that the offset is in.
        if mention.range.contains_inclusive(offset)
            && found
                .as_ref()
                .is_none_or(|before| before.range.start() < mention.range.start())
        {
            found = Some(mention);
        }
    });
    found
}

/// Returns the functions that a range touches.
pub fn functions_in(db: &Database, file: SourceFile, range: TextRange) -> &[FunctionItem<'_>] {
    let functions = &file_items(db, file).functions;
    let from = functions.partition_point(|&it| function_range(db, it).end() < range.start());
    let to = functions.partition_point(|it| it.offset(db) <= range.end());
    &functions[from..to.max(from)]
}

/// Calls `found` with the mentions of one function in a range of the file.
pub fn in_function<'db>(
    db: &'db Database,
    function: FunctionItem<'db>,
    range: TextRange,
    found: &mut dyn FnMut(Mention<'db>),
) {
    let start = function.offset(db);
    let Some(range) = range.intersect(function_range(db, function)) else {
        return;
    };
    let window = range - start;
    let mut moved = |mention: Mention<'db>| {
        found(Mention {
            range: mention.range + start,
            ..mention
        });
    };
    own_name(db, function, window, &mut moved);
    match function.kind(db) {
        FunctionKind::Relax => relax_functions::mentions(db, function, window, &mut moved),
        FunctionKind::PrimFunc => prim::mentions(db, function, window, &mut moved),
        FunctionKind::Macro | FunctionKind::Python => {}
    }
}

/// Calls `found` with the mentions of a whole function, part by part. A mention at the edge of a part is found twice.
fn in_whole_function(
    db: &Database,
    function: FunctionItem<'_>,
    found: &mut dyn FnMut(Mention<'_>),
) {
    let text = &function.file(db).source(db).text;
    in_parts(db, text, function_range(db, function), |db, part| {
        in_function(db, function, part, &mut |mention| found(mention));
    });
}

/// Returns the name in the `def`, and the global symbol if it is the same.
fn own_name<'db>(
    db: &'db Database,
    function: FunctionItem<'db>,
    window: TextRange,
    found: &mut dyn FnMut(Mention<'db>),
) {
    let body = hir::function_body(db, function);
    let name = &body.function.name;
    let mut named = |range: TextRange, access: Access| {
        if window.intersect(range).is_some() {
            found(Mention {
                range,
                symbol: Symbol::Function(function),
                access,
            });
        }
    };
    named(name.range, Access::Bind);
    // Attributes of functions are at the beginning of the body.
    let header = body.function.header.end();
    let beginning = TextRange::at(header, ATTRIBUTES_WITHIN).intersect(body.function.range);
    let Some(beginning) = beginning.filter(|it| window.intersect(*it).is_some()) else {
        return;
    };
    for stmt in body
        .stmts_in(beginning)
        .take_while(|it| it.range.start() <= beginning.end())
    {
        let StmtKind::Expr(expr) = stmt.kind else {
            continue;
        };
        let Expr::Call { args, .. } = &body.exprs[expr] else {
            continue;
        };
        let attributes = args.first().map(|arg| &body.exprs[arg.value]);
        let Some(Expr::Dict(entries)) = attributes else {
            continue;
        };
        for &(key, value) in entries {
            if let (Some(key), Expr::Str(symbol)) = (key, &body.exprs[value])
                && matches!(&body.exprs[key], Expr::Str(key) if key == "global_symbol")
                && *symbol == name.text
                && let Some(range) = contents(body, value, symbol)
            {
                named(range, Access::Read);
            }
        }
    }
}

/// Returns the range between the quotes of a plain string.
fn contents(body: &Body, expr: ExprId, text: &str) -> Option<TextRange> {
    let range = body.range(expr);
    let quote = TextSize::from(1);
    (range.len() == TextSize::of(text) + quote + quote)
        .then(|| TextRange::new(range.start() + quote, range.end() - quote))
}

/// Returns every mention of a symbol, in order.
pub fn mentions_of<'db>(
    db: &'db Database,
    file: SourceFile,
    symbol: &Symbol<'db>,
) -> Vec<Mention<'db>> {
    let mut all = Vec::new();
    let mut keep = |mention: Mention<'_>| {
        if mention.symbol == *symbol {
            all.push(Mention {
                symbol: symbol.clone(),
                ..mention
            });
        }
    };
    match symbol {
        Symbol::Var(function, var) => {
            let facts = hir::lazy_facts(db, *function);
            let name = facts.var(*var).name;
            at_words(db, *function, facts.parts_naming(*var), name, &mut keep);
        }
        Symbol::Alias(function, name) => {
            let whole = TextRange::up_to(function_range(db, *function).len());
            at_words(db, *function, vec![whole], name, &mut keep);
        }
        Symbol::Shape(function, sym) => {
            relax_functions::mentions_of_shape(db, *function, &mut keep);
            let name = hir::lazy_facts(db, *function).sym_var(*sym).name;
            if relax_functions::binds_number(db, *function, &name) {
                let whole = TextRange::up_to(function_range(db, *function).len());
                at_words(db, *function, vec![whole], &name, &mut keep);
            }
        }
        Symbol::Tir(function, _) => {
            in_whole_function(db, *function, &mut keep);
        }
        Symbol::Function(function) => {
            globals::mentions_of(db, file, *function, &mut keep);
            members::mentions_of(db, file, *function, &mut keep);
            python::mentions_of(db, file, &function.name(db), &mut keep);
        }
        Symbol::Module(module) => {
            in_functions_naming(db, file, &module.name(db), &mut keep);
            python::mentions_of(db, file, &module.name(db), &mut keep);
        }
        Symbol::Python(name, _) => {
            in_functions_naming(db, file, name, &mut keep);
            python::mentions_of(db, file, name, &mut keep);
        }
        Symbol::Script(path) => {
            let last = path.rsplit('.').next().unwrap_or_default();
            in_functions_naming(db, file, last, &mut keep);
        }
        Symbol::Packed(name) => in_functions_naming(db, file, name, &mut keep),
    }
    all.sort_by_key(|mention| (mention.range.start(), mention.range.end(), mention.access));
    all.dedup_by_key(|mention| mention.range);
    all
}

/// Returns where a symbol is defined; for a shape variable, the dimensions that bind it.
pub fn definitions<'db>(
    db: &'db Database,
    file: SourceFile,
    symbol: &Symbol<'db>,
) -> Vec<TextRange> {
    let quick = match symbol {
        Symbol::Var(function, var) => relax_functions::definitions(db, *function, *var),
        Symbol::Shape(function, sym) => relax_functions::bound_at(db, *function, *sym),
        Symbol::Tir(function, def) => prim::definitions(db, *function, *def),
        Symbol::Module(module) => vec![module.name_range(db)],
        Symbol::Function(function) => name_range(db, *function).into_iter().collect(),
        _ => Vec::new(),
    };
    if !quick.is_empty() {
        return quick;
    }
    let all = mentions_of(db, file, symbol);
    let by = |access: Access| -> Vec<TextRange> {
        let of = all.iter().filter(|mention| mention.access == access);
        of.map(|mention| mention.range).collect()
    };
    let bound = by(Access::Bind);
    if bound.is_empty() {
        by(Access::Declare)
    } else {
        bound
    }
}

/// Returns the name of a symbol as it is written at a mention.
pub fn text_of(db: &Database, file: SourceFile, range: TextRange) -> &str {
    &file.source(db).text[range]
}

/// Calls `found` with the mentions of those parts of a function whose text contains `name`. This is faster than
/// reading all mentions.
fn at_words(
    db: &Database,
    function: FunctionItem<'_>,
    parts: Vec<TextRange>,
    name: &str,
    found: &mut dyn FnMut(Mention<'_>),
) {
    let start = function.offset(db);
    let text = &function.file(db).source(db).text;
    let words = parts.into_iter().flat_map(|part| {
        words(&text[part + start], name)
            .map(move |at| TextRange::at(part.start() + at, TextSize::of(name)))
    });
    let mut windows: Vec<TextRange> = Vec::new();
    for word in words {
        match windows.last_mut() {
            Some(last) if word.start() < last.end() + NEAR && last.len() < LONGEST_WINDOW => {
                *last = last.cover(word);
            }
            _ => windows.push(word),
        }
    }
    for_each_near(db, &windows, |db, window| {
        in_function(db, function, window + start, &mut |mention| found(mention));
    });
}

/// Calls `found` with the mentions of those functions whose text contains `name`.
fn in_functions_naming(
    db: &Database,
    file: SourceFile,
    name: &str,
    found: &mut dyn FnMut(Mention<'_>),
) {
    let text = &file.source(db).text;
    for &function in &file_items(db, file).functions {
        let range = function_range(db, function);
        if is_script(db, function) && text[range].contains(name) {
            in_whole_function(db, function, found);
        }
    }
}

/// Returns the Relax function or PrimFunc at an offset.
fn script_at(db: &Database, file: SourceFile, offset: TextSize) -> Option<FunctionItem<'_>> {
    function_at(db, file, offset).filter(|&function| is_script(db, function))
}

fn is_script(db: &dyn Db, function: FunctionItem<'_>) -> bool {
    matches!(
        function.kind(db),
        FunctionKind::Relax | FunctionKind::PrimFunc
    )
}
