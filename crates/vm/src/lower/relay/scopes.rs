//! Finds where graph bindings are computed, and what functions capture.
//!
//! A graph binding is a node that several uses share. It belongs to the innermost function or branch around all its
//! uses, as in TVM's A-normal form, wherever the text defines it.

use std::collections::BinaryHeap;

use hir::relay::Facts;
use hir::relay::body::{Body, Expr, ExprId, Function, Item, LocalId, LocalKind, Statement};
use hir::relay::names::locals_of;
use rustc_hash::{FxHashMap, FxHashSet};
use text_size::TextSize;

/// A function or a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scope(u32);

impl Scope {
    /// The whole definition.
    pub const ROOT: Scope = Scope(0);
    /// Outside of all scopes.
    pub const NONE: Scope = Scope(u32::MAX);
}

struct Row {
    outer: Scope,
    depth: u32,
    /// The function literal whose body this is.
    function: Option<ExprId>,
}

pub(super) struct Scopes {
    rows: Vec<Row>,
    /// The scope that each expression opens.
    of: FxHashMap<ExprId, Scope>,
    /// The scope in which each local is bound.
    homes: FxHashMap<LocalId, Scope>,
    captures: FxHashMap<ExprId, Vec<LocalId>>,
}

impl Scopes {
    pub fn of(body: &Body, facts: &Facts) -> Scopes {
        let root = Row {
            outer: Scope::ROOT,
            depth: 0,
            function: None,
        };
        let scopes = Scopes {
            rows: vec![root],
            of: FxHashMap::default(),
            homes: FxHashMap::default(),
            captures: FxHashMap::default(),
        };
        let mut walk = Walk {
            body,
            facts,
            scopes,
            graph: BinaryHeap::new(),
            values: FxHashMap::default(),
            uses: Vec::new(),
        };
        match &body.item {
            Item::Function { function, .. } => walk.function(function, Scope::ROOT),
            Item::Expr(root) => walk.visit(*root, Scope::ROOT),
            Item::Type(_) | Item::Missing => {}
        }
        walk.graph_values();
        walk.captures();
        walk.scopes
    }

    pub fn scope(&self, expr: ExprId) -> Scope {
        self.of.get(&expr).copied().unwrap_or(Scope::ROOT)
    }

    /// Returns the scope in which a graph binding is computed.
    pub fn home(&self, local: LocalId) -> Scope {
        self.homes.get(&local).copied().unwrap_or(Scope::ROOT)
    }

    /// Returns the locals of enclosing functions that a literal uses.
    pub fn captures(&self, literal: ExprId) -> &[LocalId] {
        self.captures.get(&literal).map_or(&[], Vec::as_slice)
    }

    fn row(&self, scope: Scope) -> &Row {
        &self.rows[scope.0 as usize]
    }

    /// Returns the innermost scope that contains both.
    fn around(&self, mut one: Scope, mut other: Scope) -> Scope {
        while one != other {
            if self.row(one).depth >= self.row(other).depth {
                one = self.row(one).outer;
            } else {
                other = self.row(other).outer;
            }
        }
        one
    }
}

struct Walk<'a> {
    body: &'a Body,
    facts: &'a Facts,
    scopes: Scopes,
    /// Graph bindings whose values have not been visited. The last one in the text comes first, since all its uses are
    /// known.
    graph: BinaryHeap<(TextSize, LocalId)>,
    values: FxHashMap<LocalId, ExprId>,
    uses: Vec<(LocalId, Scope)>,
}

impl Walk<'_> {
    fn open(&mut self, expr: ExprId, outer: Scope, function: Option<ExprId>) -> Scope {
        let depth = self.scopes.row(outer).depth + 1;
        self.scopes.rows.push(Row {
            outer,
            depth,
            function,
        });
        let scope = Scope(self.scopes.rows.len() as u32 - 1);
        self.scopes.of.insert(expr, scope);
        scope
    }

    fn function(&mut self, function: &Function, scope: Scope) {
        for param in &function.params {
            self.scopes.homes.insert(*param, scope);
        }
        self.visit(function.body, scope);
    }

    fn visit(&mut self, expr: ExprId, scope: Scope) {
        let body = self.body;
        match &body[expr] {
            Expr::Local(_) => {
                if let Some(local) = self.facts.use_of(expr) {
                    self.used(local, scope);
                }
            }
            Expr::Missing | Expr::Global(_) | Expr::Name(_) | Expr::Constant(_) | Expr::Meta(_) => {
            }
            Expr::Tuple(parts) => parts.iter().for_each(|it| self.visit(*it, scope)),
            Expr::Projection { tuple: of, .. } | Expr::RefCreate(of) | Expr::RefRead(of) => {
                self.visit(*of, scope);
            }
            Expr::RefWrite { reference, value } => {
                self.visit(*reference, scope);
                self.visit(*value, scope);
            }
            Expr::Call { callee, args, .. } => {
                args.iter().for_each(|it| self.visit(*it, scope));
                self.visit(*callee, scope);
            }
            Expr::Block { statements, value } => {
                for statement in statements {
                    self.statement(statement, scope);
                }
                self.visit(*value, scope);
            }
            Expr::Function(function) => {
                let inner = self.open(function.body, scope, Some(expr));
                self.function(function, inner);
            }
            Expr::If {
                condition,
                then,
                otherwise,
            } => {
                self.visit(*condition, scope);
                for branch in [then, otherwise] {
                    let inner = self.open(*branch, scope, None);
                    self.visit(*branch, inner);
                }
            }
            Expr::Match { value, arms, .. } => {
                self.visit(*value, scope);
                for arm in arms {
                    let inner = self.open(arm.body, scope, None);
                    for local in locals_of(&arm.pattern) {
                        self.scopes.homes.insert(local, inner);
                    }
                    self.visit(arm.body, inner);
                }
            }
        }
    }

    fn statement(&mut self, statement: &Statement, scope: Scope) {
        match *statement {
            Statement::Binding { local, value } => {
                if self.body[local].kind == LocalKind::Graph {
                    let at = self.body.name_range(local).start();
                    self.graph.push((at, local));
                    self.values.insert(local, value);
                } else {
                    self.scopes.homes.insert(local, scope);
                    self.visit(value, scope);
                }
            }
            Statement::Free(local) => {
                self.scopes.homes.insert(local, scope);
            }
            Statement::Effect(value) => self.visit(value, scope),
        }
    }

    fn used(&mut self, local: LocalId, scope: Scope) {
        self.uses.push((local, scope));
        if self.body[local].kind == LocalKind::Graph {
            let home = match self.scopes.homes.get(&local) {
                Some(&home) => self.scopes.around(home, scope),
                None => scope,
            };
            self.scopes.homes.insert(local, home);
        }
    }

    /// Graph bindings without a use are not part of the program.
    fn graph_values(&mut self) {
        while let Some((_, local)) = self.graph.pop() {
            if let (Some(&home), Some(&value)) =
                (self.scopes.homes.get(&local), self.values.get(&local))
            {
                self.visit(value, home);
            }
        }
    }

    fn captures(&mut self) {
        let mut known = FxHashSet::default();
        for (local, mut scope) in std::mem::take(&mut self.uses) {
            let Some(&home) = self.scopes.homes.get(&local) else {
                continue;
            };
            while scope != home && scope != Scope::ROOT {
                let row = self.scopes.row(scope);
                let outer = row.outer;
                if let Some(literal) = row.function
                    && known.insert((literal, local))
                {
                    self.scopes.captures.entry(literal).or_default().push(local);
                }
                scope = outer;
            }
        }
    }
}
