//! Lowers the tree of a Relay text to its definitions as plain data.
//!
//! Lowering depends on the syntax alone: it does not resolve names. A missing part of the text becomes `Missing`.

mod constants;
mod expressions;
mod ids;
mod patterns;
#[cfg(test)]
mod tests;
mod types;

use std::sync::Arc;

use smol_str::SmolStr;
use syntax::ast::AstNode;
use syntax::relay::ast::{self, FunctionLike};
use syntax::relay::pieces::{self, Pieces};
use syntax::relay::{GreenNodeData, Parse, SyntaxNode, SyntaxToken};
use text_size::{TextRange, TextSize};

use super::body::{
    Body, Constructor, Definition, Expr, ExprId, Function, Item, Local, LocalId, LocalKind, Module,
    Name, Piece, PieceBuilder, PieceId, PieceRole, TypeDef,
};
use crate::metadata::Metadata;

/// Lowers the definitions of a text.
pub fn module(parse: &Parse) -> Module {
    let file = parse.tree();
    let definitions = parts(&file).map(|part| Definition {
        start: part.text_range().start(),
        body: Arc::new(body(&part.green(), None)),
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

/// Lowers one of the [`parts`]. Depends on its own nodes alone. `before` is an earlier version, which shares its pieces.
pub fn body(part: &GreenNodeData, before: Option<&Body>) -> Body {
    let syntax = pieces::pieces(part);
    let order = ids::of(before, &syntax);
    let mut pieces = vec![None; order.iter().map(|it| it.0.index() + 1).max().unwrap_or(2)];
    let mut starts = vec![TextSize::new(0); pieces.len()];
    for ((id, shared), it) in order.iter().zip(&syntax.body) {
        starts[id.index()] = it.offset;
        let shared = shared.then(|| before?.pieces[id.index()].clone()).flatten();
        let piece = shared.unwrap_or_else(|| Arc::new(Lower::new(*id).piece(&it.syntax())));
        pieces[id.index()] = Some(piece);
    }
    let order: Vec<PieceId> = order.into_iter().map(|it| it.0).collect();
    let inner = |id: &PieceId| pieces[id.index()].as_ref().map(|it| it.role);
    let block = Lower::new(PieceId::BLOCK).outermost(&syntax, order.iter().filter_map(inner));
    let value = order.last().and_then(inner);
    let header = Lower::new(PieceId::HEADER);
    let is_same = |it: &&Body| {
        let has_block = it.syntax.block.is_some() == syntax.block.is_some();
        has_block && syntax.is_definition && it.syntax.header.is_same(&syntax.header)
    };
    let (item, header) = match before.filter(is_same) {
        Some(before) => (Arc::clone(&before.item), before.pieces[0].clone()),
        None => {
            let (item, header) = header.header(&syntax, value);
            (Arc::new(item), Some(Arc::new(header)))
        }
    };
    pieces[PieceId::HEADER.index()] = header;
    pieces[PieceId::BLOCK.index()] = Some(Arc::new(block));
    Body {
        item,
        pieces,
        starts,
        order,
        syntax,
    }
}

struct Lower {
    builder: PieceBuilder,
}

impl Lower {
    fn new(piece: PieceId) -> Lower {
        Lower {
            builder: PieceBuilder::new(piece),
        }
    }

    /// Lowers a statement or the value of a body.
    fn piece(mut self, node: &SyntaxNode) -> Piece {
        let part = match (ast::Stmt::cast(node.clone()), ast::Expr::cast(node.clone())) {
            (Some(it), _) => PieceRole::Statement(self.statement(&it)),
            (None, Some(it)) => PieceRole::Value(self.expr(&it)),
            (None, None) => PieceRole::Value(self.missing(node)),
        };
        self.builder.finish(part)
    }

    /// Lowers the block around the parts, whose expression is the first of the piece.
    fn outermost(mut self, syntax: &Pieces, parts: impl Iterator<Item = PieceRole>) -> Piece {
        let range = syntax.block;
        let range = range.unwrap_or_else(|| TextRange::empty(syntax.header.end()));
        let mut statements = Vec::new();
        let mut value = None;
        for part in parts {
            match part {
                PieceRole::Statement(it) => statements.push(it),
                PieceRole::Value(it) => value = Some(it),
                PieceRole::Header | PieceRole::Block => {}
            }
        }
        let end = TextRange::empty(range.end());
        if syntax.block.is_some() {
            let missing = ExprId {
                piece: PieceId::BLOCK,
                index: 1,
            };
            let block = Expr::Block {
                statements: statements.into(),
                value: value.unwrap_or(missing),
            };
            self.builder.expr(block, range);
        }
        self.builder.expr(Expr::Missing, end);
        self.builder.finish(PieceRole::Block)
    }

    fn header(mut self, syntax: &Pieces, value: Option<PieceRole>) -> (Item, Piece) {
        let node = syntax.header.syntax();
        let block = ExprId {
            piece: PieceId::BLOCK,
            index: 0,
        };
        let item = match ast::Definition::cast(node.clone()) {
            Some(ast::Definition::FunctionDef(it)) if it.external().is_none() => Item::Function {
                name: name_in(it.name(), &node),
                function: self.function(&it, |_| block),
            },
            Some(ast::Definition::TypeDef(it)) => Item::Type(self.type_def(&it)),
            Some(_) => Item::Missing,
            None => match value {
                Some(PieceRole::Value(value)) if syntax.block.is_none() => Item::Expr(value),
                _ => Item::Expr(block),
            },
        };
        (item, self.builder.finish(PieceRole::Header))
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
        self.builder.local(Local {
            name,
            kind,
            annotation,
        })
    }

    /// Returns a missing expression at the end of `node`.
    fn missing(&mut self, node: &SyntaxNode) -> ExprId {
        let end = node.text_range().end();
        self.builder.expr(Expr::Missing, TextRange::empty(end))
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
