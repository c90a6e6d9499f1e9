//! Names that the Python code around functions binds and uses: imports, constants, `n = TypeVar("n")`, modules.
//!
//! Only names that TVMScript uses; the rest of the file is the subject of Python language servers.

use hir::{Database, Db, SourceFile, file_items};
use memchr::memmem;
use smol_str::SmolStr;
use syntax::ast::{self, AstNode};
use syntax::{SyntaxKind as K, SyntaxNode, SyntaxToken};
use text_size::{TextRange, TextSize};

use super::scopes::{function_around, is_scope};
use super::{Access, Mention, Symbol, function_named, globals, is_script, members, script_at};
use crate::semantics::function_range;

/// Returns the mention at an offset outside of functions.
pub fn mention_at(db: &Database, file: SourceFile, offset: TextSize) -> Option<Mention<'_>> {
    let tree = file.source(db).parse.tree();
    let tokens = syntax::tokens_at(tree.syntax(), offset);
    if let Some(member) = tokens
        .clone()
        .into_iter()
        .find_map(|token| members::mention_at(db, file, &token))
    {
        return Some(member);
    }
    let (token, range, access) = tokens.into_iter().find_map(|token| match token.kind() {
        K::IDENT => Some((token.clone(), token.text_range(), named(&token)?)),
        K::STRING => {
            let (token, range) = declared_by(&token)?;
            Some((token, range, Access::Read))
        }
        _ => None,
    })?;
    let name = SmolStr::from(token.text());
    let symbol = symbol(db, file, &name, token.text_range().start());
    // Ignore names that no TVMScript mentions.
    let ours = !matches!(symbol, Symbol::Python(..)) || in_script(db, file, &name);
    ours.then_some(Mention {
        range,
        symbol,
        access,
    })
}

/// Resolves a name at an offset where no function binds it.
pub fn symbol<'db>(
    db: &'db Database,
    file: SourceFile,
    name: &SmolStr,
    at: TextSize,
) -> Symbol<'db> {
    script(db, file, name, at).unwrap_or_else(|| {
        let scopes = binding_scopes(db, file, PythonName::new(db, name.clone()));
        Symbol::Python(name.clone(), scopes.around(at))
    })
}

/// Resolves a name at an offset to a module or a function.
pub fn script<'db>(
    db: &'db Database,
    file: SourceFile,
    name: &SmolStr,
    at: TextSize,
) -> Option<Symbol<'db>> {
    let module = globals::module_named(db, file, name, at);
    let function = || function_named(db, file, None, name, at).map(Symbol::Function);
    module.map(Symbol::Module).or_else(function)
}

/// Returns every mention of `name` outside of functions.
pub fn mentions_of<'db>(
    db: &'db Database,
    file: SourceFile,
    name: &SmolStr,
    found: &mut dyn FnMut(Mention<'_>),
) {
    let scopes = binding_scopes(db, file, PythonName::new(db, name.clone()));
    for (token, access) in variables_named(db, file, name) {
        let range = token.text_range();
        let symbol = script(db, file, name, range.start())
            .unwrap_or_else(|| Symbol::Python(name.clone(), scopes.around(range.start())));
        if let (Symbol::Python(..), Some(range)) = (&symbol, type_var_name(&token, access)) {
            found(Mention {
                range,
                symbol: symbol.clone(),
                access: Access::Read,
            });
        }
        found(Mention {
            range,
            symbol,
            access,
        });
    }
}

/// A name of the Python code, as a key of cached results.
#[salsa::interned]
struct PythonName<'db> {
    #[returns(ref)]
    text: SmolStr,
}

/// The Python functions that bind one name locally, in order. Each has the index of the innermost one around it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct BindingScopes(Vec<(TextRange, Option<usize>)>);

#[salsa::tracked(returns(ref))]
fn binding_scopes<'db>(db: &'db dyn Db, file: SourceFile, name: PythonName<'db>) -> BindingScopes {
    let bindings = variables_named(db, file, name.text(db)).filter(|it| it.1 == Access::Bind);
    let mut functions: Vec<TextRange> = bindings
        .filter_map(|(token, _)| function_around(&token))
        .collect();
    functions.sort_by_key(|it| (it.start(), std::cmp::Reverse(it.end())));
    functions.dedup();
    BindingScopes::of(functions)
}

impl BindingScopes {
    /// `functions`: sorted, outer ones first.
    fn of(functions: Vec<TextRange>) -> BindingScopes {
        let mut scopes = BindingScopes::default();
        for function in functions {
            let around = scopes.index_around(function.start());
            scopes.0.push((function, around));
        }
        scopes
    }

    fn index_around(&self, at: TextSize) -> Option<usize> {
        let mut index = self
            .0
            .partition_point(|it| it.0.start() <= at)
            .checked_sub(1)?;
        while !self.0[index].0.contains(at) {
            index = self.0[index].1?;
        }
        Some(index)
    }

    /// Returns the start of the innermost scope around an offset that binds the name. The file binds all other names.
    fn around(&self, at: TextSize) -> TextSize {
        let index = self.index_around(at);
        index.map_or(TextSize::new(0), |it| self.0[it].0.start())
    }
}

/// Returns the variables with a name, outside of functions.
fn variables_named<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    name: &'db str,
) -> impl Iterator<Item = (SyntaxToken, Access)> + 'db {
    let tree = file.source(db).parse.tree().syntax().clone();
    words_outside(db, file, name).filter_map(move |at| {
        let token = syntax::tokens_at(&tree, at).right_biased();
        let token = token.filter(|token| token.kind() == K::IDENT)?;
        let access = named(&token)?;
        Some((token, access))
    })
}

/// Returns the value of the last assignment to a Python variable before an offset.
pub fn value_before(
    db: &Database,
    file: SourceFile,
    name: &str,
    at: TextSize,
) -> Option<ast::Expr> {
    let source = file.source(db);
    let tree = source.parse.tree();
    let binds = |at: TextSize, scope: Option<TextRange>| {
        let token = syntax::tokens_at(tree.syntax(), at).right_biased()?;
        let bound = named(&token)? == Access::Bind && function_around(&token) == scope;
        (bound && script_at(db, file, at).is_none()).then_some(token)
    };
    let here = syntax::tokens_at(tree.syntax(), at).right_biased()?;
    let around = here.parent_ancestors().filter(is_scope);
    let in_function = around.map(|it| it.text_range()).find_map(|scope| {
        let before = TextRange::new(scope.start(), at);
        let starts = words(&source.text[before], name).map(|it| it + scope.start());
        starts.filter_map(|at| binds(at, Some(scope))).last()
    });
    let in_file = || {
        let starts = words_outside(db, file, name).take_while(|start| *start < at);
        starts.filter_map(|at| binds(at, None)).last()
    };
    let bound = in_function.or_else(in_file)?;
    ast::AssignStmt::cast(bound.parent()?.parent()?)?.value()
}

/// Returns the ranges of a file between its functions.
pub fn ranges_outside_functions(
    db: &dyn Db,
    file: SourceFile,
) -> impl Iterator<Item = TextRange> + '_ {
    let end = TextSize::of(&*file.source(db).text);
    let functions = file_items(db, file).functions.iter();
    let scripts = functions.filter(|&&it| is_script(db, it));
    let ranges = scripts.map(|&it| function_range(db, it));
    let mut from = TextSize::from(0);
    ranges
        .chain(std::iter::once(TextRange::empty(end)))
        .map(move |function| {
            let gap = TextRange::new(from.min(function.start()), function.start());
            from = function.end();
            gap
        })
}

/// Returns the offsets of a word in the Python code.
pub fn words_outside<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    word: &'db str,
) -> impl Iterator<Item = TextSize> + 'db {
    let text = &file.source(db).text;
    ranges_outside_functions(db, file)
        .flat_map(move |gap| words(&text[gap], word).map(move |at| at + gap.start()))
}

/// Returns the offsets of a word in a text.
pub fn words<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = TextSize> + 't {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    memmem::find_iter(text.as_bytes(), word)
        .filter(move |at| {
            !word.is_empty()
                && !text[..*at].ends_with(part)
                && !text[at + word.len()..].starts_with(part)
        })
        .map(|at| TextSize::new(at as u32))
}

fn in_script(db: &Database, file: SourceFile, name: &str) -> bool {
    let text = &file.source(db).text;
    words(text, name).any(|at| script_at(db, file, at).is_some())
}

/// Returns how a token accesses a variable, or `None` if it is not a variable, as after a dot.
fn named(token: &SyntaxToken) -> Option<Access> {
    let parent = token.parent()?;
    match parent.kind() {
        K::NAME_EXPR => Some(if is_target(&parent) {
            Access::Bind
        } else {
            Access::Read
        }),
        K::FUNCTION_DEF | K::CLASS_DEF | K::PARAM | K::TYPE_PARAM | K::EXCEPT_CLAUSE => {
            Some(Access::Bind)
        }
        K::IMPORT_ALIAS => Some(Access::Bind),
        K::MODULE_PATH => {
            let alias = ast::ImportAlias::cast(parent.parent()?)?;
            let first = ast::ModulePath::cast(parent)?.names().next()?;
            (alias.alias().is_none() && first == *token).then_some(Access::Bind)
        }
        K::GLOBAL_STMT | K::NONLOCAL_STMT => Some(Access::Read),
        _ => None,
    }
}

/// Returns `true` if an assignment, a loop or a `with` assigns to this name.
fn is_target(name: &SyntaxNode) -> bool {
    let mut at = name.clone();
    loop {
        let Some(parent) = at.parent() else {
            return false;
        };
        let is = |target: Option<ast::Expr>| target.is_some_and(|it| *it.syntax() == at);
        return match parent.kind() {
            K::TUPLE_EXPR | K::LIST_EXPR | K::PAREN_EXPR | K::STAR_EXPR => {
                at = parent;
                continue;
            }
            K::ASSIGN_STMT => ast::AssignStmt::has_target(&at),
            K::ANN_ASSIGN_STMT => {
                ast::AnnAssignStmt::cast(parent).is_some_and(|it| is(it.target()))
            }
            K::FOR_STMT => ast::ForStmt::cast(parent).is_some_and(|it| is(it.target())),
            K::COMP_FOR => ast::CompFor::cast(parent).is_some_and(|it| is(it.target())),
            K::WITH_ITEM => ast::WithItem::cast(parent).is_some_and(|it| is(it.target())),
            K::WALRUS_EXPR => ast::WalrusExpr::cast(parent)
                .and_then(|it| it.name())
                .is_some_and(|it| *it.syntax() == at),
            _ => false,
        };
    }
}

/// Returns the variable that a `TypeVar("n")` declares, given its string.
fn declared_by(string: &SyntaxToken) -> Option<(SyntaxToken, TextRange)> {
    let assign = string.parent_ancestors().find_map(ast::AssignStmt::cast)?;
    let ast::Expr::NameExpr(name) = assign.targets().next()? else {
        return None;
    };
    let token = name.syntax().first_token()?;
    let range = type_var_name(&token, Access::Bind)?;
    let within = string.text_range().contains_range(range);
    within.then_some((token, range))
}

/// Returns the string of `n = TypeVar("n")` if it contains the same name.
fn type_var_name(token: &SyntaxToken, access: Access) -> Option<TextRange> {
    if access != Access::Bind {
        return None;
    }
    let assign = ast::AssignStmt::cast(token.parent()?.parent()?)?;
    let ast::Expr::CallExpr(call) = assign.value()? else {
        return None;
    };
    let ast::Expr::StringLit(text) = call.arg_list()?.args().next()?.value()? else {
        return None;
    };
    let range = text.range();
    let quote = TextSize::from(1);
    let plain = range.len() == TextSize::of(token.text()) + quote + quote;
    (plain && text.value()? == token.text())
        .then(|| TextRange::new(range.start() + quote, range.end() - quote))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_function_around_an_offset_binds_a_name() {
        let range = |start: u32, end: u32| TextRange::new(start.into(), end.into());
        let functions = vec![range(5, 100), range(10, 20), range(30, 40), range(200, 210)];
        let scopes = BindingScopes::of(functions);
        let starts = [0, 5, 15, 25, 35, 50, 150, 205].map(|at: u32| scopes.around(at.into()));
        assert_eq!(starts, [0, 5, 10, 5, 30, 5, 0, 200].map(TextSize::new));
    }
}
