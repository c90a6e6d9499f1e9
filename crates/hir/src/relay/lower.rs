//! Lowers the tree of a Relay text to its definitions as plain data.
//!
//! Lowering depends on the syntax alone: it does not resolve names. A missing part of the text becomes `Missing`.

mod constants;
mod expressions;
mod patterns;
#[cfg(test)]
mod tests;
mod types;

use std::sync::Arc;

use smol_str::SmolStr;
use syntax::ast::AstNode;
use syntax::relay::ast::{self, FunctionLike};
use syntax::relay::{GreenNodeData, Parse, SyntaxNode, SyntaxToken};
use text_size::TextRange;

use super::body::{
    Body, Constructor, Definition, Expr, ExprId, Function, Item, Local, LocalId, LocalKind, Module,
    Name, TypeDef, TypeExpr, TypeId,
};
use crate::metadata::Metadata;

/// Lowers the definitions of a text.
pub fn module(parse: &Parse) -> Module {
    let file = parse.tree();
    let definitions = parts(&file).map(|part| Definition {
        start: part.text_range().start(),
        body: Arc::new(body(&part.green())),
    });
    Module {
        definitions: definitions.collect(),
        metadata: Arc::new(metadata(file.metadata())),
    }
}

/// Returns each definition, then the expression if the text is one.
pub fn parts(file: &ast::SourceFile) -> impl Iterator<Item = SyntaxNode> + use<> {
    let definitions = file.definitions().map(|it| it.syntax().clone());
    definitions.chain(file.value().map(|it| it.syntax().clone()))
}

/// Reads the metadata that follows `#[metadata]`.
pub fn metadata(node: Option<ast::Metadata>) -> Metadata {
    let text = node.and_then(|it| it.text());
    text.map_or_else(Metadata::default, |it| Metadata::read(it.text()))
}

/// Lowers one of the [`parts`]. Depends on its own nodes alone.
pub fn body(part: &GreenNodeData) -> Body {
    let mut lower = Lower::default();
    let item = lower.item(&SyntaxNode::new_root(part.to_owned()));
    Body {
        item,
        exprs: lower.exprs,
        types: lower.types,
        locals: lower.locals,
    }
}

/// The parts of a definition so far, from the leaves up.
#[derive(Debug, Default)]
struct Lower {
    exprs: Vec<(Expr, TextRange)>,
    types: Vec<(TypeExpr, TextRange)>,
    locals: Vec<Local>,
}

impl Lower {
    fn item(&mut self, node: &SyntaxNode) -> Item {
        match ast::Definition::cast(node.clone()) {
            Some(ast::Definition::FunctionDef(it)) if it.external().is_none() => Item::Function {
                name: name_in(it.name(), node),
                function: self.function(&it, |lower| lower.block_in(it.body(), node)),
            },
            Some(ast::Definition::TypeDef(it)) => Item::Type(self.type_def(&it)),
            Some(_) => Item::Missing,
            None => Item::Expr(self.expr_in(ast::Expr::cast(node.clone()), node)),
        }
    }

    fn add_expr(&mut self, expr: Expr, range: TextRange) -> ExprId {
        let id = ExprId::next(&self.exprs);
        self.exprs.push((expr, range));
        id
    }

    fn add_type(&mut self, ty: TypeExpr, range: TextRange) -> TypeId {
        let id = TypeId::next(&self.types);
        self.types.push((ty, range));
        id
    }

    /// Lowers a function; `body` lowers its body.
    fn function<F: FunctionLike>(
        &mut self,
        node: &F,
        body: impl FnOnce(&mut Lower) -> ExprId,
    ) -> Function {
        let params = node
            .params()
            .map(|it| self.local(LocalKind::Param, it.name(), it.ty(), it.syntax()));
        Function {
            params: params.collect(),
            type_params: type_params(node.type_params()),
            ret: node.ret().map(|it| self.ty(&it)),
            attrs: self.attributes(node.attributes()),
            body: body(self),
        }
    }

    fn type_def(&mut self, node: &ast::TypeDef) -> TypeDef {
        let constructors = node.constructors().map(|it| Constructor {
            name: name_in(it.name(), it.syntax()),
            fields: it.fields().map(|it| self.ty(&it)).collect(),
        });
        TypeDef {
            constructors: constructors.collect(),
            name: name_in(node.name(), node.syntax()),
            is_extern: node.is_extern(),
            params: type_params(node.type_params()),
        }
    }

    fn local(
        &mut self,
        kind: LocalKind,
        name: Option<SyntaxToken>,
        annotation: Option<ast::Type>,
        node: &SyntaxNode,
    ) -> LocalId {
        let name = name_in(name, node);
        let annotation = annotation.map(|it| self.ty(&it));
        let id = LocalId::next(&self.locals);
        self.locals.push(Local {
            name,
            kind,
            annotation,
        });
        id
    }

    /// Returns a missing expression at the end of `node`.
    fn missing(&mut self, node: &SyntaxNode) -> ExprId {
        let end = node.text_range().end();
        self.add_expr(Expr::Missing, TextRange::empty(end))
    }
}

/// Returns the text of a token without its sigil.
fn bare(token: &SyntaxToken) -> SmolStr {
    SmolStr::new(token.text().trim_start_matches(['%', '@']))
}

fn type_params(params: impl Iterator<Item = ast::TypeParam>) -> Box<[Name]> {
    params.map(|it| name_in(it.name(), it.syntax())).collect()
}

/// Returns a name without its sigil. A missing name is empty and lies at the end of `node`.
fn name_in(token: Option<SyntaxToken>, node: &SyntaxNode) -> Name {
    match token {
        Some(token) => name(&token),
        None => Name {
            text: SmolStr::default(),
            range: TextRange::empty(node.text_range().end()),
        },
    }
}

fn name(token: &SyntaxToken) -> Name {
    Name {
        text: bare(token),
        range: token.text_range(),
    }
}
