//! The names that a function uses and binds, read once per pass.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use syntax::ast::{self, AstNode, Expr};
use syntax::{SyntaxKind, SyntaxNode, SyntaxToken};
use text_size::TextRange;

use super::Pass;
use super::scopes::Binding;
use super::signature::Signature;

/// The names of one function, including its local functions.
pub struct FunctionNames {
    /// The expressions that are each name.
    used: FxHashMap<SmolStr, Vec<ast::NameExpr>>,
    /// The assignments of each name, in the order of the text.
    assigned: FxHashMap<SmolStr, Vec<SyntaxNode>>,
    /// The parameters, assignments, loops and `with` statements that bind each name, in the order of the text.
    bound: FxHashMap<SmolStr, Vec<Binding>>,
    /// The parameters of the function itself.
    params: FxHashMap<SmolStr, ast::Param>,
    /// Every identifier in the text.
    identifiers: FxHashSet<SmolStr>,
}

impl FunctionNames {
    fn of(pass: &Pass<'_>, function: &ast::FunctionDef) -> FunctionNames {
        let mut names = FunctionNames {
            used: FxHashMap::default(),
            assigned: FxHashMap::default(),
            bound: FxHashMap::default(),
            params: FxHashMap::default(),
            identifiers: FxHashSet::default(),
        };
        let tokens = function.syntax().descendants_with_tokens();
        let tokens = tokens.filter_map(syntax::NodeOrToken::into_token);
        let tokens = tokens.filter(|it| it.kind() == SyntaxKind::IDENT);
        names.identifiers = tokens.map(|it| it.text().into()).collect();
        for param in function
            .params()
            .into_iter()
            .flat_map(|it| it.params().collect::<Vec<_>>())
        {
            if let Some(name) = param.name() {
                names.params.entry(name.text().into()).or_insert(param);
            }
        }
        for binding in Binding::all(pass, function) {
            let name: SmolStr = binding.name.text().into();
            names.bound.entry(name).or_default().push(binding);
        }
        for node in function.syntax().descendants() {
            for target in assigned(&node).iter().flat_map(bound_names) {
                let statements = names.assigned.entry(target.text().into()).or_default();
                statements.push(node.clone());
            }
            if let Some(name) = ast::NameExpr::cast(node) {
                names.used.entry(name.text().into()).or_default().push(name);
            }
        }
        names
    }

    pub fn used(&self, name: &str) -> &[ast::NameExpr] {
        self.used.get(name).map_or(&[], Vec::as_slice)
    }

    pub fn assigned(&self, name: &str) -> &[SyntaxNode] {
        self.assigned.get(name).map_or(&[], Vec::as_slice)
    }

    pub fn bound(&self, name: &str) -> &[Binding] {
        self.bound.get(name).map_or(&[], Vec::as_slice)
    }

    pub fn param(&self, name: &str) -> Option<&ast::Param> {
        self.params.get(name)
    }

    pub fn has_identifier(&self, name: &str) -> bool {
        self.identifiers.contains(name)
    }
}

/// Returns the targets of a statement.
fn assigned(node: &SyntaxNode) -> Vec<Expr> {
    if let Some(it) = ast::AssignStmt::cast(node.clone()) {
        return it.targets().collect();
    }
    let changed = ast::AugAssignStmt::cast(node.clone());
    changed.and_then(|it| it.target()).into_iter().collect()
}

/// Returns the names that a target binds.
pub fn bound_names(target: &Expr) -> Vec<SyntaxToken> {
    match target {
        Expr::NameExpr(it) => it.token().into_iter().collect(),
        Expr::TupleExpr(it) => it.elements().flat_map(|it| bound_names(&it)).collect(),
        Expr::ListExpr(it) => it.elements().flat_map(|it| bound_names(&it)).collect(),
        Expr::ParenExpr(it) => it.expr().iter().flat_map(bound_names).collect(),
        _ => Vec::new(),
    }
}

/// The functions of a class by name; those of the same name in the order of the text.
pub type Methods = FxHashMap<SmolStr, Vec<ast::FunctionDef>>;

fn methods(class: &ast::ClassDef) -> Methods {
    let mut methods = Methods::default();
    for stmt in class.body().into_iter().flat_map(|it| it.stmts()) {
        if let ast::Stmt::FunctionDef(function) = stmt
            && let Some(name) = function.name()
        {
            methods
                .entry(name.text().into())
                .or_default()
                .push(function);
        }
    }
    methods
}

/// Caches names of functions and methods of classes, which are read when a rule first needs them.
#[derive(Default)]
pub struct Read {
    functions: FxHashMap<SyntaxNode, Rc<FunctionNames>>,
    signatures: FxHashMap<SyntaxNode, Rc<Signature>>,
    classes: FxHashMap<SyntaxNode, Rc<Methods>>,
}

impl Pass<'_> {
    /// Returns the names of the function around a node, or of the node if it is a function.
    pub fn names_around(&self, node: &SyntaxNode) -> Option<Rc<FunctionNames>> {
        let function = node.ancestors().find_map(ast::FunctionDef::cast)?;
        if let Some(known) = self.read.borrow().functions.get(function.syntax()) {
            return Some(Rc::clone(known));
        }
        let names = Rc::new(FunctionNames::of(self, &function));
        let functions = &mut self.read.borrow_mut().functions;
        functions.insert(function.syntax().clone(), Rc::clone(&names));
        Some(names)
    }

    pub fn signature(&self, function: &ast::FunctionDef) -> Rc<Signature> {
        let signatures = &mut self.read.borrow_mut().signatures;
        let known = signatures.entry(function.syntax().clone());
        Rc::clone(known.or_insert_with(|| Rc::new(Signature::of(self, function))))
    }

    /// Returns the functions of a class.
    pub fn methods(&self, class: &ast::ClassDef) -> Rc<Methods> {
        let classes = &mut self.read.borrow_mut().classes;
        let known = classes.entry(class.syntax().clone());
        Rc::clone(known.or_insert_with(|| Rc::new(methods(class))))
    }
}

/// Returns `true` if a range is inside one of `others`, which are sorted and do not overlap.
pub fn is_inside_one(range: TextRange, others: &[TextRange]) -> bool {
    let at = others.partition_point(|it| it.end() < range.end());
    others.get(at).is_some_and(|it| it.contains_range(range))
}
