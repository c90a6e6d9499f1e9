//! Lowers types.

use syntax::ast::AstNode;
use syntax::relay::SyntaxNode;
use syntax::relay::ast;
use text_size::TextRange;

use super::expressions::meta;
use super::{Lower, name_in, type_params};
use crate::relay::body::{Dim, TypeExpr, TypeId};

impl Lower {
    pub(super) fn ty(&mut self, node: &ast::Type) -> TypeId {
        let syntax = node.syntax();
        let ty = match node {
            ast::Type::TensorType(it) => TypeExpr::Tensor {
                shape: it
                    .shape()
                    .into_iter()
                    .flat_map(|it| it.dims())
                    .map(|it| dim(&it))
                    .collect(),
                dtype: name_in(it.dtype(), syntax),
            },
            ast::Type::NamedType(it) => TypeExpr::Named {
                name: name_in(it.name(), syntax),
                args: it.args().map(|it| self.ty(&it)).collect(),
            },
            ast::Type::TupleType(it) => {
                TypeExpr::Tuple(it.fields().map(|it| self.ty(&it)).collect())
            }
            ast::Type::FunctionType(it) => TypeExpr::Function {
                type_params: type_params(it.type_params()),
                params: it.params().map(|it| self.ty(&it)).collect(),
                ret: self.type_in(it.ret(), syntax),
            },
            ast::Type::RefType(it) => TypeExpr::Ref(self.type_in(it.inner(), syntax)),
            ast::Type::InferredType(_) => TypeExpr::Inferred,
        };
        let range = syntax.text_range();
        self.add_type(ty, range)
    }

    fn type_in(&mut self, node: Option<ast::Type>, parent: &SyntaxNode) -> TypeId {
        match node {
            Some(node) => self.ty(&node),
            None => {
                let end = parent.text_range().end();
                self.add_type(TypeExpr::Missing, TextRange::empty(end))
            }
        }
    }
}

fn dim(node: &ast::Dim) -> Dim {
    if node.is_any() {
        return Dim::Any;
    }
    if let Some(it) = node.meta() {
        return Dim::Meta(meta(&it));
    }
    // TVM writes extents of int64 as `3i64`.
    let int = node
        .int()
        .and_then(|it| it.text().trim_end_matches("i64").parse().ok());
    int.map_or(Dim::Missing, Dim::Int)
}
