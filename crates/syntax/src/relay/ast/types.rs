//! Accessors of types.

use super::{
    Dim, FunctionType, MetaExpr, NamedType, RefType, Shape, TensorType, TupleType, Type,
    TypeArgList, TypeParam, TypeParamList, child, child_after, children, token, tokens,
};
use crate::relay::SyntaxToken;
use crate::relay::kind::SyntaxKind::{ARROW, COMMA, IDENT, INT, QUESTION};

impl TensorType {
    pub fn shape(&self) -> Option<Shape> {
        child(&self.0)
    }

    pub fn dtype(&self) -> Option<SyntaxToken> {
        tokens(&self.0)
            .skip_while(|it| it.kind() != COMMA)
            .find(|it| it.kind() == IDENT)
    }
}

impl Shape {
    pub fn dims(&self) -> impl Iterator<Item = Dim> + use<> {
        children(&self.0)
    }
}

impl Dim {
    pub fn int(&self) -> Option<SyntaxToken> {
        token(&self.0, INT)
    }

    /// Whether the dimension is `?`.
    pub fn is_any(&self) -> bool {
        token(&self.0, QUESTION).is_some()
    }

    pub fn meta(&self) -> Option<MetaExpr> {
        child(&self.0)
    }
}

impl NamedType {
    pub fn name(&self) -> Option<SyntaxToken> {
        token(&self.0, IDENT)
    }

    pub fn args(&self) -> impl Iterator<Item = Type> + use<> {
        let list = child::<_, TypeArgList>(&self.0);
        list.into_iter().flat_map(|it| children(&it.0))
    }
}

impl TupleType {
    pub fn fields(&self) -> impl Iterator<Item = Type> + use<> {
        children(&self.0)
    }
}

impl FunctionType {
    pub fn type_params(&self) -> impl Iterator<Item = TypeParam> + use<> {
        let list = child::<_, TypeParamList>(&self.0);
        list.into_iter().flat_map(|it| children(&it.0))
    }

    pub fn params(&self) -> impl Iterator<Item = Type> + use<> {
        let list = child::<_, TypeArgList>(&self.0);
        list.into_iter().flat_map(|it| children(&it.0))
    }

    pub fn ret(&self) -> Option<Type> {
        child_after(&self.0, ARROW)
    }
}

impl RefType {
    pub fn inner(&self) -> Option<Type> {
        child(&self.0)
    }
}
