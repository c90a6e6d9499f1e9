//! Semantic tokens: the kind of each name, including kinds specific to TVMScript.

use hir::body::Expr;
use hir::enclosing::PyValue;
use hir::facts::VarKind;
use hir::prim_facts::PrimDefKind;
use hir::{Database, FunctionItem, SourceFile, file_items, file_release, function_signature};
use relax::FunctionKind;
use relax::dtype::DType;
use relax::ops::{self, Purity};
use relax::release::Release;
use relax::script::Namespace;
use relax::script::{self, Role};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use text_size::{TextRange, TextSize};

use crate::analysis::{Analysis, Cancellable};
use crate::mentions::{self, Access, Mention, Symbol};
use crate::parts::in_parts;
use crate::relay;
use crate::semantics::function_range;
use crate::types::{FileId, SemanticToken, TokenKind, TokenModifier};

impl Analysis {
    /// Returns the semantic tokens in a range.
    pub fn semantic_tokens(
        &self,
        file: FileId,
        range: TextRange,
    ) -> Cancellable<Vec<SemanticToken>> {
        self.with_file(file, |db, file| match hir::relay_file(db, file) {
            Some(relay) => relay::semantic_tokens::semantic_tokens(relay, range),
            None => {
                let own = semantic_tokens(db, file, range);
                relay::semantic_tokens::with_embedded(db, file, range, own)
            }
        })
    }
}

/// Returns the tokens in a range, sorted and without overlaps.
pub fn semantic_tokens(db: &Database, file: SourceFile, range: TextRange) -> Vec<SemanticToken> {
    let mut tokens = Vec::new();
    in_parts(db, &file.source(db).text, range, |db, part| {
        tokens.extend(tokens_of_part(db, file, part));
    });
    tokens
}

/// Like `semantic_tokens`, for a short range.
pub(crate) fn tokens_of_part(
    db: &Database,
    file: SourceFile,
    range: TextRange,
) -> Vec<SemanticToken> {
    let mut library = Library {
        release: file_release(db, file),
        known: FxHashMap::default(),
    };
    let mut tokens = Vec::new();
    modules(db, file, range, &mut tokens);
    for &function in mentions::functions_in(db, file, range) {
        let relax = function.kind(db) == FunctionKind::Relax;
        if !relax && function.kind(db) != FunctionKind::PrimFunc {
            continue;
        }
        mentions::in_function(db, function, range, &mut |mention| {
            tokens.extend(token(db, function, &mut library, &mention));
            if let (false, Symbol::Script(path)) = (relax, &mention.symbol) {
                let before = &file.source(db).text[..usize::from(mention.range.start())];
                spaces(before, path, &mut library, &mut tokens);
            }
        });
        if relax {
            decorators(db, function, &mut tokens);
        }
        keywords(db, function, range, &mut tokens);
    }
    tokens.sort_by_key(|it| (it.range.start(), it.range.end()));
    let mut end = range.start();
    tokens.retain(|it| {
        let inside = it.range.end() <= range.end() && !it.range.is_empty();
        let apart = it.range.start() >= end && inside;
        if apart {
            end = it.range.end();
        }
        apart
    });
    tokens
}

fn token(
    db: &Database,
    function: FunctionItem<'_>,
    library: &mut Library,
    mention: &Mention<'_>,
) -> Option<SemanticToken> {
    let mut modifiers = match mention.access {
        Access::Bind | Access::Declare => TokenModifier::Declaration.bit(),
        Access::Write => TokenModifier::Modification.bit(),
        Access::Read => 0,
    };
    let kind = match &mention.symbol {
        Symbol::Module(_) => TokenKind::Class,
        Symbol::Function(of) => {
            if of.kind(db) == FunctionKind::PrimFunc {
                TokenKind::PrimFunction
            } else {
                if !function_signature(db, *of).pure {
                    modifiers |= TokenModifier::Impure.bit();
                }
                TokenKind::Function
            }
        }
        Symbol::Var(of, var) => match hir::lazy_facts(db, *of).var(*var).kind {
            VarKind::Param => TokenKind::Parameter,
            VarKind::Dataflow => TokenKind::DataflowVariable,
            VarKind::Function => TokenKind::Function,
            VarKind::Var | VarKind::MatchCast => TokenKind::Variable,
        },
        Symbol::Shape(..) => TokenKind::ShapeVariable,
        Symbol::Tir(of, def) => prim_kind(&hir::function_prim_facts(db, *of).def(*def).kind),
        Symbol::Alias(..) => TokenKind::Variable,
        Symbol::Python(name, _) => match function.env(db).get(name) {
            Some(PyValue::ShapeVar(_, _)) => TokenKind::ShapeVariable,
            Some(PyValue::Path(_)) => TokenKind::Namespace,
            Some(PyValue::IrModule(_)) => TokenKind::Class,
            Some(PyValue::Script(_)) => TokenKind::Function,
            _ => TokenKind::Variable,
        },
        Symbol::Script(path) => {
            let (kind, more) = library.name(path)?;
            modifiers |= more;
            kind
        }
        Symbol::Packed(_) => TokenKind::PackedFunction,
    };
    Some(SemanticToken {
        range: mention.range,
        kind,
        modifiers,
    })
}

fn prim_kind(kind: &PrimDefKind) -> TokenKind {
    match kind {
        PrimDefKind::Buffer(_) | PrimDefKind::Pointer(_) => TokenKind::Buffer,
        PrimDefKind::Loop(_) | PrimDefKind::Thread(_) => TokenKind::LoopVariable,
        PrimDefKind::Axis(_) => TokenKind::Axis,
        PrimDefKind::Scalar(_) | PrimDefKind::Handle => TokenKind::Parameter,
        PrimDefKind::ShapeVar(_) => TokenKind::ShapeVariable,
        PrimDefKind::Let { .. } | PrimDefKind::Python => TokenKind::Variable,
        PrimDefKind::Block(_) => TokenKind::Block,
        PrimDefKind::Function => TokenKind::Function,
    }
}

/// Adds tokens for the namespaces in a path: `cuda` in `T.cuda.cta_sync`.
fn spaces(before: &str, path: &str, library: &mut Library, tokens: &mut Vec<SemanticToken>) {
    let (mut before, mut path) = (before, path);
    while let Some((space, _)) = path.rsplit_once('.')
        && let Some((_, name)) = space.rsplit_once('.')
        && let Some(start) = before
            .strip_suffix('.')
            .and_then(|it| it.strip_suffix(name))
    {
        if let Some((kind @ TokenKind::Namespace, modifiers)) = library.name(&SmolStr::from(space))
        {
            tokens.push(SemanticToken {
                range: TextRange::at(TextSize::of(start), TextSize::of(name)),
                kind,
                modifiers,
            });
        }
        (before, path) = (start, space);
    }
}

/// A cache of looked-up TVM names.
struct Library {
    release: Release,
    known: FxHashMap<SmolStr, Option<(TokenKind, u32)>>,
}

impl Library {
    fn name(&mut self, path: &SmolStr) -> Option<(TokenKind, u32)> {
        let known = self.known.entry(path.clone());
        *known.or_insert_with(|| offered(path, self.release))
    }
}

/// Returns the token kind and modifiers of a TVM name such as `R.nn.relu`, `R.Tensor` or `T.grid`.
fn offered(path: &str, release: Release) -> Option<(TokenKind, u32)> {
    let library = TokenModifier::DefaultLibrary.bit();
    let (letter, rest) = path.split_once('.')?;
    let namespace = match letter {
        "R" => Namespace::Relax,
        "T" => Namespace::Tir,
        _ => Namespace::Ir,
    };
    if namespace == Namespace::Tir
        && DType::of_constructor(rest).is_some_and(|it| it != DType::HANDLE)
    {
        return Some((TokenKind::Type, library));
    }
    if let Some(entry) = script::find(namespace, rest, release) {
        let kind = match entry.role {
            Role::Decorator => TokenKind::Decorator,
            Role::Annotation => TokenKind::Type,
            Role::Namespace => TokenKind::Namespace,
            Role::Builder if rest.starts_with(char::is_uppercase) => TokenKind::Type,
            _ => TokenKind::Intrinsic,
        };
        let modifiers = if entry.releases.contains(release) {
            library
        } else {
            library | TokenModifier::Deprecated.bit()
        };
        return Some((kind, modifiers));
    }
    if letter != "R" {
        return Some((TokenKind::Intrinsic, library));
    }
    let known = ops::by_script(rest, release);
    let elsewhere = || {
        Release::ALL
            .iter()
            .find_map(|&release| ops::by_script(rest, release))
    };
    if let Some(op) = known.or_else(elsewhere) {
        let mut modifiers = library;
        if op.purity == Purity::Impure {
            modifiers |= TokenModifier::Impure.bit();
        }
        if known.is_none() {
            modifiers |= TokenModifier::Deprecated.bit();
        }
        return Some((TokenKind::TensorOperator, modifiers));
    }
    let within = |op: &ops::OpDef| {
        let rest = op.script().strip_prefix(rest);
        rest.is_some_and(|rest| rest.starts_with('.'))
    };
    let kind = if ops::all().any(within) {
        TokenKind::Namespace
    } else {
        TokenKind::Intrinsic
    };
    Some((kind, library))
}

/// Adds tokens for the names and decorators of modules.
fn modules(db: &Database, file: SourceFile, range: TextRange, tokens: &mut Vec<SemanticToken>) {
    const DECORATOR: &str = "ir_module";
    for module in &file_items(db, file).modules {
        let name = module.name_range(db);
        let header = TextRange::new(module.range(db).start(), name.end());
        if header.intersect(range).is_none() {
            continue;
        }
        tokens.push(SemanticToken {
            range: name,
            kind: TokenKind::Class,
            modifiers: TokenModifier::Declaration.bit(),
        });
        if let Some(at) = file.source(db).text[header].find(DECORATOR) {
            let at = header.start() + TextSize::new(at as u32);
            tokens.push(SemanticToken {
                range: TextRange::at(at, TextSize::of(DECORATOR)),
                kind: TokenKind::Decorator,
                modifiers: TokenModifier::DefaultLibrary.bit(),
            });
        }
    }
}

/// Adds a token for the last name of each decorator, which facts do not cover.
fn decorators(db: &Database, function: FunctionItem<'_>, tokens: &mut Vec<SemanticToken>) {
    let body = hir::function_body(db, function);
    for &decorator in &body.function.decorators {
        let callee = match &body.exprs[decorator] {
            Expr::Call { callee, .. } => *callee,
            _ => decorator,
        };
        if let Expr::Attribute { name, .. } = &body.exprs[callee] {
            tokens.push(SemanticToken {
                range: name.range + function.offset(db),
                kind: TokenKind::Decorator,
                modifiers: TokenModifier::DefaultLibrary.bit(),
            });
        }
    }
}

/// Adds tokens for the names of keyword arguments.
fn keywords(
    db: &Database,
    function: FunctionItem<'_>,
    range: TextRange,
    tokens: &mut Vec<SemanticToken>,
) {
    let start = function.offset(db);
    let Some(window) = range.intersect(function_range(db, function)) else {
        return;
    };
    let window = window - start;
    let body = hir::function_body(db, function);
    for (expr, at) in body.expr_ranges_in(window) {
        if window.intersect(at).is_none() {
            continue;
        }
        let Expr::Call { args, .. } = &body.exprs[expr] else {
            continue;
        };
        for keyword in args.iter().filter_map(|arg| arg.keyword.as_ref()) {
            if window.contains_range(keyword.range) {
                tokens.push(SemanticToken {
                    range: keyword.range + start,
                    kind: TokenKind::Parameter,
                    modifiers: 0,
                });
            }
        }
    }
}

#[cfg(test)]
mod tests;
