//! Hover: the StructInfo of the symbol under the cursor, the origin of each dimension, the documentation of operators.
//!
//! A name is resolved as by definition, references and rename. Words that are not symbols and expressions come after
//! that.

mod constant;
mod dimensions;
mod dtype;
mod function;
mod memory;
pub mod operator;
mod origin;
mod prim;
mod python;
mod relax_function;
pub mod script;

pub use origin::OriginNote;

use hir::facts::Def;
use hir::{Database, SourceFile, file_release};
use relax::FunctionKind;
use relax::packed;
use relax::release::Release;
use relax::sinfo::StructInfo;
use text_size::{TextRange, TextSize};

use crate::analysis::{Analysis, Cancellable};
use crate::markdown::{Markdown, Text, markdown};
use crate::mentions::{self, Mention, Symbol, text_of};
use crate::relay;
use crate::semantics::spelling::module_alias;
use crate::semantics::{function_at, module_of, name_range};
use crate::types::{FilePosition, Hover, LineNumbers};
use relax_function::RelaxHover;

impl Analysis {
    /// Returns the hover at a position. `lines` maps offsets of the file to line numbers.
    pub fn hover(
        &self,
        position: FilePosition,
        lines: &dyn LineNumbers,
    ) -> Cancellable<Option<Hover>> {
        self.with_file(position.file, |db, file| {
            if let Some((relay, offset)) = relay::text_at(db, file, position.offset) {
                let hover = relay::hover::hover(relay.file, offset)?;
                let range = relay.outer(hover.range);
                return Some(Hover { range, ..hover });
            }
            hover(db, file, position.offset, lines)
        })
    }
}

/// `lines` maps offsets of the file to line numbers, which texts mention.
fn hover(
    db: &Database,
    file: SourceFile,
    offset: TextSize,
    lines: &dyn LineNumbers,
) -> Option<Hover> {
    let relax = RelaxHover::new(db, file, offset, lines);
    let constant = relax.as_ref().and_then(|relax| {
        let (range, markdown) = relax.constant()?;
        let range = range + relax.start();
        Some(Hover { range, markdown })
    });
    constant
        .or_else(|| of_symbol(db, file, offset, relax.as_ref()))
        .or_else(|| prim::member(db, file, offset))
        .or_else(|| script::hover(db, file, offset))
        .or_else(|| {
            let relax = relax.as_ref()?;
            let (range, markdown) = relax.at_cursor()?;
            Some(Hover {
                range: range + relax.start(),
                markdown,
            })
        })
}

/// Returns the page of the symbol at an offset. For a dotted name that resolves, this is the page of the whole name.
fn of_symbol(
    db: &Database,
    file: SourceFile,
    offset: TextSize,
    relax: Option<&RelaxHover<'_>>,
) -> Option<Hover> {
    let path = relax.and_then(|relax| {
        let (def, range) = relax.definition()?;
        Some((relax, def, range))
    });
    let at = match &path {
        Some((relax, Def::Op(_) | Def::Global(_), range)) => {
            last_name(db, file, *range + relax.start())
        }
        _ => offset,
    };
    let mention = mention_at(db, file, at);
    let page = |range, markdown| Some(Hover { range, markdown });
    if let Some((relax, def, named)) = &path {
        let markdown = match (def, mention.as_ref().map(|it| &it.symbol)) {
            (Def::Var(var), _) => Some(relax.variable(*var)),
            (Def::Sym(sym), _) => Some(relax.shape_variable(*sym)),
            (Def::Op(op), _) => Some(relax.operator(op.0, *named)),
            (Def::Global(_), Some(Symbol::Function(function))) => relax.function(*function, *named),
            _ => None,
        };
        if let Some(markdown) = markdown {
            return page(*named + relax.start(), markdown);
        }
    }
    let Mention { range, symbol, .. } = mention?;
    let release = file_release(db, file);
    let markdown = match &symbol {
        Symbol::Module(module) => function::module(db, *module),
        Symbol::Function(function) => function::page(db, *function, release)?,
        Symbol::Var(_, var) => relax?.variable(*var),
        Symbol::Shape(_, sym) => relax?.shape_variable(*sym),
        Symbol::Tir(function, def) => prim::definition(db, *function, *def),
        Symbol::Alias(function, _) => {
            let module = module_of(db, *function)?;
            let body = hir::function_body(db, *function);
            let alias = module_alias(body, &module.name(db));
            let is_alias = alias.is_some_and(|alias| text_of(db, file, range) == alias);
            if !is_alias && relax?.module().is_none() {
                return None;
            }
            function::module(db, module)
        }
        Symbol::Packed(name) => packed_function(name, hir::file_release(db, file)),
        Symbol::Python(name, _) => {
            let function = function_at(db, file, offset);
            let env = function.map(|it| it.env(db));
            let is_script =
                env.is_some_and(|env| env.script_path(std::slice::from_ref(name)).is_some());
            if is_script {
                return None;
            }
            let is_read = matches!(path, Some((_, Def::Python(_), _)))
                || function.is_some_and(|it| it.kind(db) == FunctionKind::PrimFunc);
            match env.filter(|_| is_read) {
                Some(env) => python::value(env, name).unwrap_or_else(|| python::unknown(name)),
                None => python::value(&hir::file_env(db, file), name)?,
            }
        }
        Symbol::Script(_) => return None,
    };
    page(range, markdown)
}

/// Returns the symbol at an offset, including the name of a macro or a Python function, and the variables of a macro.
fn mention_at(db: &Database, file: SourceFile, offset: TextSize) -> Option<Mention<'_>> {
    let own_name = || {
        let function = function_at(db, file, offset)?;
        let range = name_range(db, function)?;
        range.contains_inclusive(offset).then_some(Mention {
            range,
            symbol: Symbol::Function(function),
            access: mentions::Access::Bind,
        })
    };
    own_name()
        .or_else(|| prim::mention_in_macro(db, file, offset))
        .or_else(|| mentions::mention_at(db, file, offset))
}

/// Returns the offset of the last name in a dotted name.
fn last_name(db: &Database, file: SourceFile, range: TextRange) -> TextSize {
    let name = text_of(db, file, range);
    let last = name.rsplit('.').next().unwrap_or(name);
    range.end() - TextSize::of(last.trim_start())
}

fn memory(sinfo: &StructInfo) -> Markdown {
    memory::memory(sinfo).map_or_else(Markdown::default, |memory| markdown!(", {}", memory))
}

pub fn code(text: &str) -> Markdown {
    Markdown::block("python", text)
}

fn packed_function(name: &str, release: Release) -> Markdown {
    let Some(row) = packed::of_release(name, release) else {
        let name = code(&format!("{name:?}"));
        return markdown!("{}function of the host, named by its global symbol", name);
    };
    let effect = if row.pure {
        ""
    } else {
        " It has side effects."
    };
    let releases = row.releases.sentence();
    let releases = releases.map_or_else(Markdown::default, |it| markdown!("\n\n{}", Text(it)));
    markdown!(
        "{}function of TVM's runtime\n\n{}{}{}",
        code(&row.declaration()),
        row.doc,
        effect,
        releases
    )
}
