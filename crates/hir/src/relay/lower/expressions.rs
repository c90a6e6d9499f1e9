//! Lowers expressions, statements and attributes.

use smol_str::SmolStr;
use syntax::ast::AstNode;
use syntax::relay::SyntaxNode;
use syntax::relay::ast::{self, FunctionLike as _};

use super::{Lower, bare, constants, name_in};
use crate::metadata::MetaRef;
use crate::relay::body::{
    Arm, AttrValue, Attribute, Expr, ExprId, LocalKind, Name, Scalar, Statement,
};

impl Lower {
    pub(super) fn expr(&mut self, node: &ast::Expr) -> ExprId {
        let syntax = node.syntax();
        let expr = match node {
            ast::Expr::VariableExpr(it) => match it.name() {
                Some(token) => Expr::Local(bare(&token)),
                None => Expr::Missing,
            },
            ast::Expr::GlobalExpr(it) => match it.name() {
                Some(token) => Expr::Global(bare(&token)),
                None => Expr::Missing,
            },
            ast::Expr::NameExpr(it) => Expr::Name(it.text().into()),
            ast::Expr::NumberLit(it) => {
                let constant = it.token().and_then(|it| constants::number(it.text()));
                constant.map_or(Expr::Missing, Expr::Constant)
            }
            ast::Expr::BoolLit(it) => Expr::Constant(constants::bool(it.value())),
            ast::Expr::MetaExpr(it) => Expr::Meta(meta(it)),
            ast::Expr::ParenExpr(it) => return self.expr_in(it.value(), syntax),
            ast::Expr::TupleExpr(it) => Expr::Tuple(self.exprs(it.fields())),
            ast::Expr::ProjectionExpr(it) => Expr::Projection {
                tuple: self.expr_in(it.tuple(), syntax),
                index: it.index().and_then(|it| it.text().parse().ok()),
            },
            ast::Expr::CallExpr(it) => self.call(it),
            ast::Expr::BinaryExpr(it) => self.binary(it),
            ast::Expr::BlockExpr(it) => return self.block(it),
            ast::Expr::SequenceExpr(it) => self.statements(it.stmts(), it.value(), syntax),
            ast::Expr::FnExpr(it) => {
                let body = |lower: &mut Lower| lower.block_in(it.body(), syntax);
                Expr::Function(Box::new(self.function(it, body)))
            }
            ast::Expr::IfExpr(it) => Expr::If {
                condition: self.expr_in(it.condition(), syntax),
                then: self.block_in(it.then(), syntax),
                otherwise: self.block_in(it.otherwise(), syntax),
            },
            ast::Expr::MatchExpr(it) => Expr::Match {
                value: self.expr_in(it.value(), syntax),
                is_total: it.is_total(),
                arms: it.arms().map(|it| self.arm(&it)).collect(),
            },
            ast::Expr::RefExpr(it) => Expr::RefCreate(self.expr_in(it.args().next(), syntax)),
            ast::Expr::RefReadExpr(it) => Expr::RefRead(self.expr_in(it.args().next(), syntax)),
            ast::Expr::RefWriteExpr(it) => Expr::RefWrite {
                reference: self.expr_in(it.args().next(), syntax),
                value: self.expr_in(it.args().nth(1), syntax),
            },
            ast::Expr::StringLit(_) | ast::Expr::ListLit(_) | ast::Expr::TooDeepExpr(_) => {
                Expr::Missing
            }
        };
        let range = syntax.text_range();
        self.add_expr(expr, range)
    }

    pub(super) fn expr_in(&mut self, node: Option<ast::Expr>, parent: &SyntaxNode) -> ExprId {
        match node {
            Some(node) => self.expr(&node),
            None => self.missing(parent),
        }
    }

    fn exprs(&mut self, nodes: impl Iterator<Item = ast::Expr>) -> Box<[ExprId]> {
        nodes.map(|it| self.expr(&it)).collect()
    }

    fn call(&mut self, node: &ast::CallExpr) -> Expr {
        let callee = self.expr_in(node.callee(), node.syntax());
        let (args, attrs) = match node.arg_list() {
            Some(list) => (self.exprs(list.args()), self.attributes(list.attributes())),
            None => Default::default(),
        };
        Expr::Call {
            callee,
            args,
            attrs,
        }
    }

    fn binary(&mut self, node: &ast::BinaryExpr) -> Expr {
        let Some((sign, op)) = node.op() else {
            return Expr::Missing;
        };
        let left = self.expr_in(node.left(), node.syntax());
        let right = self.expr_in(node.right(), node.syntax());
        let callee = Expr::Name(SmolStr::new_static(op.name()));
        let range = sign.text_range();
        Expr::Call {
            callee: self.add_expr(callee, range),
            args: Box::new([left, right]),
            attrs: Box::default(),
        }
    }

    fn block(&mut self, node: &ast::BlockExpr) -> ExprId {
        let block = self.statements(node.stmts(), node.value(), node.syntax());
        let range = node.syntax().text_range();
        self.add_expr(block, range)
    }

    pub(super) fn block_in(&mut self, node: Option<ast::BlockExpr>, parent: &SyntaxNode) -> ExprId {
        match node {
            Some(node) => self.block(&node),
            None => self.missing(parent),
        }
    }

    fn statements(
        &mut self,
        statements: impl Iterator<Item = ast::Stmt>,
        value: Option<ast::Expr>,
        node: &SyntaxNode,
    ) -> Expr {
        Expr::Block {
            statements: statements.map(|it| self.statement(&it)).collect(),
            value: self.expr_in(value, node),
        }
    }

    fn statement(&mut self, node: &ast::Stmt) -> Statement {
        let syntax = node.syntax();
        match node {
            ast::Stmt::LetStmt(it) => Statement::Binding {
                local: self.local(LocalKind::Let, it.name(), it.ty(), syntax),
                value: self.expr_in(it.value(), syntax),
            },
            ast::Stmt::GraphStmt(it) => Statement::Binding {
                local: self.local(LocalKind::Graph, it.name(), None, syntax),
                value: self.expr_in(it.value(), syntax),
            },
            ast::Stmt::FreeVarStmt(it) => {
                Statement::Free(self.local(LocalKind::Free, it.name(), it.ty(), syntax))
            }
            ast::Stmt::ExprStmt(it) => Statement::Effect(self.expr_in(it.value(), syntax)),
        }
    }

    fn arm(&mut self, node: &ast::MatchArm) -> Arm {
        Arm {
            pattern: self.pattern_in(node.pattern(), node.syntax()),
            body: self.expr_in(node.value(), node.syntax()),
        }
    }

    pub(super) fn attributes(
        &mut self,
        nodes: impl Iterator<Item = ast::Attribute>,
    ) -> Box<[Attribute]> {
        nodes.map(|it| self.attribute(&it)).collect()
    }

    fn attribute(&mut self, node: &ast::Attribute) -> Attribute {
        let range = node.syntax().text_range();
        let name = match node.name() {
            Some(it) => Name {
                text: it.text().into(),
                range: it.syntax().text_range(),
            },
            None => name_in(None, node.syntax()),
        };
        let value = node.value();
        Attribute {
            name,
            value: value.map_or(AttrValue::Missing, |it| self.attr_value(&it)),
            range,
        }
    }

    fn attr_value(&mut self, node: &ast::Expr) -> AttrValue {
        match node {
            ast::Expr::NumberLit(it) => {
                let constant = it.token().and_then(|it| constants::number(it.text()));
                constant.map_or(AttrValue::Missing, |it| AttrValue::Scalar(it.value))
            }
            ast::Expr::BoolLit(it) => AttrValue::Scalar(Scalar::Bool(it.value())),
            ast::Expr::StringLit(it) => {
                let value = it.value();
                value.map_or(AttrValue::Missing, |it| AttrValue::Str(it.into()))
            }
            ast::Expr::ListLit(it) => {
                AttrValue::List(it.values().map(|it| self.attr_value(&it)).collect())
            }
            ast::Expr::ParenExpr(it) => match it.value() {
                Some(value) => self.attr_value(&value),
                None => AttrValue::Missing,
            },
            ast::Expr::MetaExpr(it) => AttrValue::Meta(meta(it)),
            ast::Expr::NameExpr(it) if matches!(&*it.text(), "None" | "nullptr") => AttrValue::None,
            other => AttrValue::Expr(self.expr(other)),
        }
    }
}

pub(super) fn meta(node: &ast::MetaExpr) -> MetaRef {
    MetaRef {
        key: node.key().into(),
        index: node.index().and_then(|it| it.text().parse().ok()),
    }
}
