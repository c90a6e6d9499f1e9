//! Renames the symbol at the cursor at all its mentions, or explains why that is not possible.

mod meaning;
use hir::{Database, FunctionItem, SourceFile};
use syntax::SyntaxKind;
use text_size::{TextRange, TextSize};

use crate::analysis::{Analysis, Cancellable};
use crate::mentions::{self, Mention, Symbol, text_of, words};
use crate::relay;
use crate::semantics::{function_at, function_range, name_range};
use crate::source_edit::SourceEdit;
use crate::types::{FilePosition, RenameTarget};

const NO_FILE: &str = "the file is not open, or contains no TVMScript";

impl Analysis {
    /// Returns what a rename at a position would rename, or why nothing can be renamed there.
    pub fn prepare_rename(
        &self,
        position: FilePosition,
    ) -> Cancellable<Result<RenameTarget, String>> {
        self.ask_or(position.file, Err(NO_FILE.to_owned()), |db, file| {
            if let Some((relay, offset)) = relay::text_at(db, file, position.offset) {
                let target = relay::rename::prepare(relay.file, relay.text, offset)?;
                let range = relay.outer(target.range);
                return Ok(RenameTarget { range, ..target });
            }
            prepare_rename(db, file, position.offset)
        })
    }

    /// Returns the edit that renames the symbol at a position, or why it cannot have the new name.
    pub fn rename(
        &self,
        position: FilePosition,
        name: &str,
    ) -> Cancellable<Result<SourceEdit, String>> {
        self.ask_or(position.file, Err(NO_FILE.to_owned()), |db, file| {
            if let Some((relay, offset)) = relay::text_at(db, file, position.offset) {
                let edit = relay::rename::rename(relay.file, relay.text, offset, name)?;
                return Ok(relay.outer_edit(&edit));
            }
            rename(db, file, position.offset, name)
        })
    }
}

/// Returns what would be renamed, or why nothing can be.
fn prepare_rename(
    db: &Database,
    file: SourceFile,
    offset: TextSize,
) -> Result<RenameTarget, String> {
    let mention = renameable(db, file, offset)?;
    Ok(RenameTarget {
        range: mention.range,
        name: text_of(db, file, mention.range).to_owned(),
    })
}

/// Returns the edit that renames the symbol at `offset` to `new`.
fn rename(
    db: &Database,
    file: SourceFile,
    offset: TextSize,
    new: &str,
) -> Result<SourceEdit, String> {
    let mention = renameable(db, file, offset)?;
    if !is_name(new) {
        return Err(format!("`{new}` is not a valid name in Python"));
    }
    let old = text_of(db, file, mention.range);
    if old == new {
        return Ok(SourceEdit::default());
    }
    let all = mentions::mentions_of(db, file, &mention.symbol);
    if let Some(odd) = all.iter().find(|it| text_of(db, file, it.range) != old) {
        let text = text_of(db, file, odd.range);
        return Err(format!(
            "`{old}` is spelled `{text}` in one place, which cannot be renamed"
        ));
    }
    let edit = SourceEdit::default();
    let edit = all
        .iter()
        .fold(edit, |edit, it| edit.and_replace(it.range, new));
    let clashes = clashes(db, file, &mention, &all, new);
    let Some(first) = clashes.first() else {
        return Ok(edit);
    };
    let functions: Option<Vec<_>> = clashes.iter().map(|it| it.function).collect();
    // Shadowing is allowed as long as each name still refers to the same symbol.
    if functions.is_some_and(|functions| meaning::is_kept(db, file, &edit, &functions)) {
        return Ok(edit);
    }
    let before = &file.source(db).text[..first.at.into()];
    let line = 1 + before.bytes().filter(|&it| it == b'\n').count();
    Err(format!(
        "`{new}` already refers to something else on line {line}"
    ))
}

fn renameable(db: &Database, file: SourceFile, offset: TextSize) -> Result<Mention<'_>, String> {
    let mention = mentions::mention_at(db, file, offset)
        .ok_or("there is no name at the cursor".to_owned())?;
    let text = text_of(db, file, mention.range);
    match &mention.symbol {
        Symbol::Script(path) => Err(format!("`{path}` is defined by TVM")),
        Symbol::Packed(name) => Err(format!("`{name}` is a function of the host")),
        Symbol::Python(name, _) => {
            let bound = mentions::definitions(db, file, &mention.symbol);
            if bound.is_empty() {
                return Err(format!("`{name}` is not bound in this file"));
            }
            if bound.iter().any(|&range| is_imported(db, file, range)) {
                return Err(format!("`{name}` is imported under its own name"));
            }
            Ok(mention)
        }
        Symbol::Alias(..) if mentions::definitions(db, file, &mention.symbol).is_empty() => {
            Err(format!("`{text}` is not bound in this file"))
        }
        _ => Ok(mention),
    }
}

/// Returns `true` if a name comes from an import without `as`, so that the other module determines it.
fn is_imported(db: &Database, file: SourceFile, range: TextRange) -> bool {
    let tree = file.source(db).parse.tree();
    let token = syntax::tokens_at(syntax::ast::AstNode::syntax(&tree), range.start());
    let parent = token.right_biased().and_then(|token| token.parent());
    parent.is_some_and(|parent| parent.kind() == SyntaxKind::MODULE_PATH)
}

/// Returns `true` if `text` is a valid Python identifier.
fn is_name(text: &str) -> bool {
    let tree = syntax::parse(text);
    let mut tokens = syntax::ast::AstNode::syntax(&tree.tree())
        .descendants_with_tokens()
        .filter_map(syntax::SyntaxElement::into_token);
    let one = tokens.next().is_some_and(|it| {
        it.kind() == SyntaxKind::IDENT && it.text_range().len() == TextSize::of(text)
    });
    one && tree.errors.is_empty()
}

/// A place where the new name already refers to something.
struct Clash<'db> {
    at: TextSize,
    /// The function that contains it, if a rename could only change names there.
    function: Option<FunctionItem<'db>>,
}

/// Returns the first place of each kind in the symbol's scope where `new` already refers to something.
fn clashes<'db>(
    db: &'db Database,
    file: SourceFile,
    mention: &Mention<'db>,
    all: &[Mention<'db>],
    new: &str,
) -> Vec<Clash<'db>> {
    let text = &file.source(db).text;
    if let Symbol::Function(function) = &mention.symbol
        && let Some(other) =
            mentions::function_named(db, file, function.module(db), new, function.offset(db))
        && function.module(db).is_some()
    {
        let at = name_range(db, other).map_or(other.offset(db), TextRange::start);
        return vec![Clash { at, function: None }];
    }
    // Functions of a module are accessed through it, so local names do not clash with them.
    let through_module = |it: &Mention<'_>| {
        text[..it.range.start().into()].ends_with('.')
            || matches!(&mention.symbol, Symbol::Function(function) if function.module(db).is_some())
                && function_at(db, file, it.range.start()).is_none()
    };
    let mut scopes: Vec<(TextRange, Option<FunctionItem<'db>>)> = Vec::new();
    for it in all.iter().filter(|it| !through_module(it)) {
        if matches!(&mention.symbol, Symbol::Function(function) if name_range(db, *function) == Some(it.range))
        {
            continue;
        }
        let whole = match &mention.symbol {
            Symbol::Python(_, scope) => mentions::scope_at(db, file, *scope),
            Symbol::Module(module) => mentions::scope_around(db, file, module.range(db).start()),
            Symbol::Function(function) if function.module(db).is_none() => {
                mentions::scope_around(db, file, function.offset(db))
            }
            _ => TextRange::up_to(TextSize::of(&**text)),
        };
        let function = function_at(db, file, it.range.start());
        let scope = function.map_or(whole, |function| function_range(db, function));
        if !scopes.contains(&(scope, function)) {
            scopes.push((scope, function));
        }
    }
    let clash = |(scope, function): (TextRange, Option<FunctionItem<'db>>)| {
        let mut found = words(&text[scope], new).map(|at| at + scope.start());
        let at = found.find(|&at| {
            let named = mentions::mention_at(db, file, at);
            named.is_some_and(|it| {
                it.range.start() == at
                    && !text[..at.into()].ends_with('.')
                    && !matches!(it.symbol, Symbol::Packed(_))
            })
        })?;
        Some(Clash { at, function })
    };
    scopes.into_iter().filter_map(clash).collect()
}
