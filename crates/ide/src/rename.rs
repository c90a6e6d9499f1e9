//! Another name for what the cursor is on, at every place that names it; or why it cannot have one.

mod meaning;
#[cfg(test)]
mod tests;

use hir::{Database, FunctionItem, SourceFile};
use syntax::SyntaxKind;
use text_size::{TextRange, TextSize};

use crate::analysis::{Analysis, Cancellable};
use crate::mentions::{self, Mention, Symbol, text_of, words};
use crate::relay;
use crate::semantics::{function_at, function_range, name_range};
use crate::source_edit::SourceEdit;
use crate::types::{FilePosition, RenameTarget};

const NO_FILE: &str = "the file is not open, or holds no TVMScript";

impl Analysis {
    /// What a rename at a position would rename, or why nothing can be renamed there.
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

    /// The edits that rename the thing at a position, or why it cannot have that name.
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

/// What would be renamed, or why nothing can be.
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

/// The edits that give the thing at `offset` the name `new`.
fn rename(
    db: &Database,
    file: SourceFile,
    offset: TextSize,
    new: &str,
) -> Result<SourceEdit, String> {
    let mention = renameable(db, file, offset)?;
    if !is_name(new) {
        return Err(format!("`{new}` is not a name in Python"));
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
    // Names may shadow each other, as long as each place still names the same.
    if functions.is_some_and(|functions| meaning::is_kept(db, file, &edit, &functions)) {
        return Ok(edit);
    }
    let before = &file.source(db).text[..first.at.into()];
    let line = 1 + before.bytes().filter(|&it| it == b'\n').count();
    Err(format!(
        "`{new}` already stands for something else in line {line}"
    ))
}

fn renameable(db: &Database, file: SourceFile, offset: TextSize) -> Result<Mention<'_>, String> {
    let mention = mentions::mention_at(db, file, offset)
        .ok_or("nothing that has a name is at the cursor".to_owned())?;
    let text = text_of(db, file, mention.range);
    match &mention.symbol {
        Symbol::Script(path) => Err(format!("`{path}` is a name of TVM")),
        Symbol::Packed(name) => Err(format!("`{name}` is a function of the host")),
        Symbol::Python(name, _) => {
            let bound = mentions::definitions(db, file, &mention.symbol);
            if bound.is_empty() {
                return Err(format!("`{name}` is not bound in this file"));
            }
            if bound.iter().any(|&range| is_imported(db, file, range)) {
                return Err(format!("`{name}` is the name of what is imported"));
            }
            Ok(mention)
        }
        Symbol::Alias(..) if mentions::definitions(db, file, &mention.symbol).is_empty() => {
            Err(format!("`{text}` is not bound in this file"))
        }
        _ => Ok(mention),
    }
}

/// Whether a name comes from an import without `as`, and so is fixed by the other module.
fn is_imported(db: &Database, file: SourceFile, range: TextRange) -> bool {
    let tree = file.source(db).parse.tree();
    let token = syntax::tokens_at(syntax::ast::AstNode::syntax(&tree), range.start());
    let parent = token.right_biased().and_then(|token| token.parent());
    parent.is_some_and(|parent| parent.kind() == SyntaxKind::MODULE_PATH)
}

/// Whether Python takes `text` for a name.
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

/// A place where the new name stands for something already.
struct Clash<'db> {
    at: TextSize,
    /// The function that it is in, if only there something could change.
    function: Option<FunctionItem<'db>>,
}

/// Where, among the places in which the thing is visible, `new` stands for something else: the first of each.
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
    // Functions of a module are named through it: locals do not clash with them.
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
