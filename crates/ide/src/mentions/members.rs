//! Mentions of a module's functions in the surrounding Python code: `Module["main"]`, `Module.main`,
//! `Module.get_global_var("main")`.

use hir::{Database, FunctionItem, ModuleItem, SourceFile, file_items};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;
use syntax::ast::{self, AstNode};
use syntax::{SyntaxKind as K, SyntaxToken};
use text_size::{TextRange, TextSize};

use super::{Access, Mention, Symbol, function_named, python};

/// The method of a module that takes the name of a function.
const BY_NAME: &str = "get_global_var";
/// The maximum number of aliases between a use and the module: `a = Module`, `b = a`.
const MAX_ALIASES: usize = 4;

/// Returns the module function that a token outside of functions mentions.
pub fn mention_at<'db>(
    db: &'db Database,
    file: SourceFile,
    token: &SyntaxToken,
) -> Option<Mention<'db>> {
    let module = looked_up_in(db, file, token)?;
    let range = name_in(token)?;
    let index = file_items(db, file)
        .modules
        .iter()
        .position(|it| *it == module)?;
    let name = &file.source(db).text[range];
    let at = range.start();
    let function = function_named(db, file, Some(index as u32), name, at)?;
    Some(Mention {
        range,
        symbol: Symbol::Function(function),
        access: Access::Read,
    })
}

/// Returns every place outside of functions that mentions a function through its module.
pub fn mentions_of<'db>(
    db: &'db Database,
    file: SourceFile,
    function: FunctionItem<'db>,
    found: &mut dyn FnMut(Mention<'db>),
) {
    if function.module(db).is_none() {
        return;
    }
    let tree = file.source(db).parse.tree();
    let name = function.name(db);
    for at in python::words_outside(db, file, &name) {
        let token = syntax::tokens_at(tree.syntax(), at).right_biased();
        let mention = token.and_then(|token| mention_at(db, file, &token));
        if let Some(mention) = mention.filter(|it| it.symbol == Symbol::Function(function)) {
            found(mention);
        }
    }
}

/// Calls `found` for each mention of a module function in the Python code.
pub fn all<'db>(db: &'db Database, file: SourceFile, found: &mut dyn FnMut(Mention<'db>)) {
    let functions = file_items(db, file).functions.iter();
    let names: FxHashSet<SmolStr> = functions
        .filter(|it| it.module(db).is_some())
        .map(|it| it.name(db))
        .collect();
    let tree = file.source(db).parse.tree();
    let text = &file.source(db).text;
    for gap in python::ranges_outside_functions(db, file) {
        let mut start = usize::from(gap.start());
        for word in text[gap].split(|c: char| !(c.is_alphanumeric() || c == '_')) {
            let at = TextSize::new(start as u32);
            // Skip the word and the character that ended it.
            start += word.len();
            start += text[start..].chars().next().map_or(0, char::len_utf8);
            if names.contains(word)
                && let Some(token) = syntax::tokens_at(tree.syntax(), at).right_biased()
                && let Some(mention) = mention_at(db, file, &token)
            {
                found(mention);
            }
        }
    }
}

/// Returns the module that a Python expression stands for: its name, or a variable that holds it.
fn module_of<'db>(
    db: &'db Database,
    file: SourceFile,
    expr: &ast::Expr,
    aliases: usize,
) -> Option<ModuleItem<'db>> {
    let ast::Expr::NameExpr(name) = expr else {
        return None;
    };
    let text = SmolStr::from(name.text());
    let at = name.syntax().text_range().start();
    match python::script(db, file, &text, at) {
        Some(Symbol::Module(module)) => Some(module),
        None if aliases > 0 => {
            let value = python::value_before(db, file, &text, at)?;
            module_of(db, file, &value, aliases - 1)
        }
        _ => None,
    }
}

/// Returns the module in which a token looks up a function by name.
pub fn looked_up_in<'db>(
    db: &'db Database,
    file: SourceFile,
    token: &SyntaxToken,
) -> Option<ModuleItem<'db>> {
    module_of(db, file, &base_of(token)?, MAX_ALIASES)
}

/// Returns the expression in which a token looks up a name.
fn base_of(token: &SyntaxToken) -> Option<ast::Expr> {
    let parent = token.parent()?;
    if token.kind() == K::IDENT {
        let attribute = ast::AttributeExpr::cast(parent)?;
        return attribute
            .base()
            .filter(|_| attribute.name().as_ref() == Some(token));
    }
    let text = ast::StringLit::cast(parent)?;
    let around = text.syntax().parent()?;
    if let Some(subscript) = ast::SubscriptExpr::cast(around.clone()) {
        let looked_up = subscript.index()?;
        return subscript
            .base()
            .filter(|_| looked_up.syntax() == text.syntax());
    }
    let call = ast::CallExpr::cast(around.parent()?)?;
    let first = call.arg_list()?.args().next()?.value()?;
    let ast::Expr::AttributeExpr(method) = call.callee()? else {
        return None;
    };
    let by_name = method.name()?.text() == BY_NAME && first.syntax() == text.syntax();
    method.base().filter(|_| by_name)
}

/// Returns the range of the name that a token looks up. For a string, this is the part between the quotes, if it has
/// no escapes.
fn name_in(token: &SyntaxToken) -> Option<TextRange> {
    let range = token.text_range();
    if token.kind() == K::IDENT {
        return Some(range);
    }
    let value = ast::StringLit::cast(token.parent()?)?.value()?;
    let quote = TextSize::from(1);
    let plain = range.len() == TextSize::of(&*value) + quote + quote;
    plain.then(|| TextRange::new(range.start() + quote, range.end() - quote))
}
