//! Accessors of types.

use super::{
    Dim, FunctionType, MetaExpr, NamedType, RefType, Shape, TensorType, TupleType, Type,
    TypeArgList, TypeParam, TypeParamList, accessors, tokens,
};
use crate::relay::SyntaxToken;
use crate::relay::kind::SyntaxKind::{self as K, COMMA, IDENT};

accessors! {
    TensorType {
        child shape: Shape;
    }
    Shape {
        children dims: Dim;
    }
    Dim {
        token int: INT;
        /// Whether the dimension is `?`.
        has_token is_any: QUESTION;
        child meta: MetaExpr;
    }
    NamedType {
        token name: IDENT;
        children_in args: Type, TypeArgList;
    }
    TupleType {
        children fields: Type;
    }
    FunctionType {
        children_in type_params: TypeParam, TypeParamList;
        children_in params: Type, TypeArgList;
        child_after ret: Type, ARROW;
    }
    RefType {
        child inner: Type;
    }
}

impl TensorType {
    pub fn dtype(&self) -> Option<SyntaxToken> {
        tokens(&self.0)
            .skip_while(|it| it.kind() != COMMA)
            .find(|it| it.kind() == IDENT)
    }
}
