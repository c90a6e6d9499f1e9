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
use syntax::relay::{Parse, SyntaxNode, SyntaxToken};
use text_size::{TextRange, TextSize};

use super::body::{
    Body, BodyBuilder, Constructor, Definition, Expr, ExprId, Function, Item, Local, LocalId,
    LocalKind, Module, Name, TypeDef,
};
use super::metadata::Metadata;

/// Lowers the definitions of a text.
pub fn module(parse: &Parse) -> Module {
    let file = parse.tree();
    let definitions = parts(&file).map(|part| Definition {
        start: part.text_range().start(),
        body: Arc::new(body(&part)),
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

/// Lowers the body of one of the [`parts`]. Depends on its own nodes alone.
pub fn body(part: &SyntaxNode) -> Body {
    let mut lower = Lower::new(part.text_range().start());
    let item = if let Some(value) = ast::Expr::cast(part.clone()) {
        Item::Expr(lower.expr(&value))
    } else {
        match ast::Definition::cast(part.clone()) {
            Some(ast::Definition::FunctionDef(it)) if it.external().is_none() => Item::Function {
                name: lower.name_in(it.name(), it.syntax()),
                function: lower.function(&it),
            },
            Some(ast::Definition::TypeDef(it)) => Item::Type(lower.type_def(&it)),
            _ => Item::Missing,
        }
    };
    Body::new(lower.builder, item)
}

struct Lower {
    start: TextSize,
    builder: BodyBuilder,
}

impl Lower {
    fn new(start: TextSize) -> Lower {
        Lower {
            start,
            builder: BodyBuilder::default(),
        }
    }

    fn range(&self, node: &SyntaxNode) -> TextRange {
        node.text_range() - self.start
    }

    /// Returns a name without its sigil. A missing name is empty and lies at the end of `node`.
    fn name_in(&self, token: Option<SyntaxToken>, node: &SyntaxNode) -> Name {
        match token {
            Some(token) => self.name(&token),
            None => Name {
                text: SmolStr::default(),
                range: TextRange::empty(node.text_range().end() - self.start),
            },
        }
    }

    fn name(&self, token: &SyntaxToken) -> Name {
        Name {
            text: bare(token),
            range: token.text_range() - self.start,
        }
    }

    fn type_params(&self, params: impl Iterator<Item = ast::TypeParam>) -> Box<[Name]> {
        params
            .map(|it| self.name_in(it.name(), it.syntax()))
            .collect()
    }

    fn function(&mut self, node: &impl FunctionLike) -> Function {
        let params = node
            .params()
            .map(|it| self.local(LocalKind::Param, it.name(), it.ty(), it.syntax()));
        Function {
            params: params.collect(),
            type_params: self.type_params(node.type_params()),
            ret: node.ret().map(|it| self.ty(&it)),
            attrs: self.attributes(node.attributes()),
            body: match node.body() {
                Some(body) => self.block(&body),
                None => self.missing(node.syntax()),
            },
        }
    }

    fn type_def(&mut self, node: &ast::TypeDef) -> TypeDef {
        let constructors = node.constructors().map(|it| Constructor {
            name: self.name_in(it.name(), it.syntax()),
            fields: it.fields().map(|it| self.ty(&it)).collect(),
        });
        TypeDef {
            constructors: constructors.collect(),
            name: self.name_in(node.name(), node.syntax()),
            is_extern: node.is_extern(),
            params: self.type_params(node.type_params()),
        }
    }

    fn local(
        &mut self,
        kind: LocalKind,
        name: Option<SyntaxToken>,
        annotation: Option<ast::Type>,
        node: &SyntaxNode,
    ) -> LocalId {
        let name = self.name_in(name, node);
        let annotation = annotation.map(|it| self.ty(&it));
        self.builder.local(Local {
            name,
            kind,
            annotation,
        })
    }

    /// Returns a missing expression at the end of `node`.
    fn missing(&mut self, node: &SyntaxNode) -> ExprId {
        let end = node.text_range().end() - self.start;
        self.builder.expr(Expr::Missing, TextRange::empty(end))
    }
}

/// Returns the text of a token without its sigil.
fn bare(token: &SyntaxToken) -> SmolStr {
    SmolStr::new(token.text().trim_start_matches(['%', '@']))
}
