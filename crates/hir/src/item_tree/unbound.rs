//! Reports names of TVMScript that a file with imports does not bind: `R`, `@function`, a class without its decorator.
//!
//! TVM prints modules without imports, so in a file without any, `R`, `T` and `I` have their usual meaning.

use relax::diagnostics::{Code, Diagnostic};
use relax::script::{Namespace, Role, entries};
use smol_str::SmolStr;
use syntax::SyntaxNode;
use syntax::ast::{self, AstNode};
use text_size::TextRange;

use crate::body::{self, Bound, Expr, bound_by};
use crate::decorators::letter_of;
use crate::enclosing::{BUILTINS, Env};

/// The names of a file's imports that are reported once each.
pub(super) struct Unbound {
    /// The letters that the text uses, until they are reported.
    letters: Vec<&'static str>,
    has_imports: bool,
}

impl Unbound {
    pub fn of(tree: &ast::SourceFile, text: &str) -> Unbound {
        let is_import = |stmt: ast::Stmt| {
            matches!(
                stmt,
                ast::Stmt::ImportStmt(_) | ast::Stmt::ImportFromStmt(_)
            )
        };
        let has_imports = tree.stmts().any(is_import);
        let mut letters = vec!["R", "T", "I"];
        letters.retain(|letter| has_imports && text.contains(&format!("{letter}.")));
        Unbound {
            letters,
            has_imports,
        }
    }

    /// Reports the first use of each letter that nothing binds: `R` in `R.Tensor`.
    pub fn letters(&mut self, node: &SyntaxNode, env: &Env) -> Vec<Diagnostic> {
        if self.letters.is_empty() || env.may_have_more() {
            return Vec::new();
        }
        let mut found = Vec::new();
        self.letters.retain(|letter| {
            if env.get(letter).is_some() {
                return true;
            }
            let Some(used) = first_use(node, letter).filter(|_| !binds(node, letter)) else {
                return true;
            };
            let message = format!("`{letter}` is not defined: this file does not import it");
            found.push(Diagnostic::new(Code::UndefinedName, used, message));
            false
        });
        found
    }

    /// Reports a decorator of TVMScript below a name that nothing binds: `@function`, `@np.ir_module`.
    pub fn decorator(
        &self,
        decorators: impl Iterator<Item = ast::Decorator>,
        env: &Env,
    ) -> Option<Diagnostic> {
        if !self.has_imports || env.may_have_more() {
            return None;
        }
        let mut exprs = decorators.filter_map(|it| it.expr());
        exprs.find_map(|expr| {
            let (body, id) = body::lower_expr(&expr);
            let named_at = match &body.exprs[id] {
                Expr::Call { callee, .. } => *callee,
                _ => id,
            };
            let root = body.dotted_root(named_at);
            let Expr::Name(name) = &body.exprs[root] else {
                return None;
            };
            let last = match &body.exprs[named_at] {
                Expr::Attribute { name, .. } => &name.text,
                _ => name,
            };
            let is_bound = env.get(name).is_some()
                || Namespace::of_letter(name).is_some()
                || BUILTINS.contains(&name.as_str());
            let namespace = namespace_of_decorator(last).filter(|_| !is_bound)?;
            let written = format!("{}.{last}", name_of(namespace, env));
            let message = format!("`{name}` is not defined: write `@{written}`");
            let mut diagnostic =
                Diagnostic::new(Code::UndefinedName, body.range(named_at), message);
            diagnostic.instead = Some((body.range(named_at), written.into()));
            Some(diagnostic)
        })
    }
}

/// Reports a class that its own functions use as a module, although nothing makes it one.
pub(super) fn module(class: &ast::ClassDef, env: &Env) -> Option<Diagnostic> {
    let name = class.name()?;
    let is_plain = class.decorators().next().is_none() && class.args().is_none();
    let is_only = || {
        let siblings = class
            .syntax()
            .parent()?
            .children()
            .filter_map(ast::Stmt::cast);
        let named = siblings.flat_map(|it| bound_by(&it));
        let named = named.filter(|it| matches!(it, Bound::Name(it) if it.text() == name.text()));
        Some(named.count() == 1)
    };
    if !is_plain || env.may_have_more() {
        return None;
    }
    let functions = class.body()?.stmts().filter_map(|stmt| match stmt {
        ast::Stmt::FunctionDef(def) => Some(def),
        _ => None,
    });
    let mut of_relax = functions.filter(|def| {
        let mut paths = def
            .decorators()
            .filter_map(|it| super::decorator_path(&it, env));
        paths.any(|it| it.namespace == Namespace::Relax && it.rest == "function")
    });
    of_relax.find_map(|def| first_use(def.syntax(), name.text()))?;
    if is_only() != Some(true) {
        return None;
    }
    let message = format!(
        "`{}` is not a module: its functions use it, but the class has no `@I.ir_module`",
        name.text()
    );
    Some(Diagnostic::new(
        Code::UndefinedName,
        name.text_range(),
        message,
    ))
}

/// Returns the place of the first attribute of `name`.
fn first_use(node: &SyntaxNode, name: &str) -> Option<TextRange> {
    let attributes = node.descendants().filter_map(ast::AttributeExpr::cast);
    let mut bases = attributes.filter_map(|it| match it.base() {
        Some(ast::Expr::NameExpr(base)) => base.token(),
        _ => None,
    });
    let used = bases.find(|it| it.text() == name)?;
    Some(used.text_range())
}

/// Returns `true` if a function has a parameter or a variable with the name.
fn binds(node: &SyntaxNode, name: &str) -> bool {
    let def = ast::FunctionDef::cast(node.clone());
    let params = def.and_then(|it| it.params());
    let mut params = params.into_iter().flat_map(|it| it.params());
    let mut stmts = node.descendants().filter_map(ast::Stmt::cast);
    params.any(|it| it.name().is_some_and(|it| it.text() == name))
        || stmts.any(|stmt| {
            let mut bound = bound_by(&stmt).into_iter();
            bound.any(|it| matches!(it, Bound::Name(it) if it.text() == name))
        })
}

/// Returns the name that a file gives to a namespace, or the usual letter.
fn name_of(namespace: Namespace, env: &Env) -> SmolStr {
    let is_it = |name: &&SmolStr| {
        let path = env.script_path(std::slice::from_ref(*name));
        path.is_some_and(|it| it.namespace == namespace && it.rest.is_empty())
    };
    let found = env.names().find(is_it).cloned();
    found.unwrap_or_else(|| letter_of(namespace).into())
}

fn namespace_of_decorator(name: &str) -> Option<Namespace> {
    let all = [Namespace::Relax, Namespace::Tir, Namespace::Ir];
    all.into_iter().find(|namespace| {
        let mut rows = entries(*namespace);
        name != "macro" && rows.any(|row| row.name == name && row.role == Role::Decorator)
    })
}
