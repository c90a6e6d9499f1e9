//! The file, its definitions, parameters and attributes.

use super::expressions::dotted;
use super::{
    Attribute, AttributeName, BlockExpr, ConstructorDef, Definition, Expr, FnExpr, FunctionDef,
    Metadata, Param, ParamAttrs, ParamList, SourceFile, Type, TypeArgList, TypeDef, TypeParam,
    TypeParamList, VersionHeader, child, child_after, children, token,
};
use crate::ast::AstNode;
use crate::relay::SyntaxToken;
use crate::relay::kind::RelayLanguage;
use crate::relay::kind::SyntaxKind::{
    ARROW, BARE_VERSION, COLON, EQ, EXTERN_KW, GLOBAL, IDENT, LOCAL, METADATA_TEXT, STRING,
};

impl SourceFile {
    pub fn version(&self) -> Option<VersionHeader> {
        child(&self.0)
    }

    pub fn definitions(&self) -> impl Iterator<Item = Definition> + use<> {
        children(&self.0)
    }

    /// The expression of a text without definitions.
    pub fn value(&self) -> Option<Expr> {
        child(&self.0)
    }

    pub fn metadata(&self) -> Option<Metadata> {
        child(&self.0)
    }
}

impl VersionHeader {
    /// `"0.0.5"` with its quotes, or `v0.0.4`.
    pub fn token(&self) -> Option<SyntaxToken> {
        token(&self.0, STRING).or_else(|| token(&self.0, BARE_VERSION))
    }
}

impl Metadata {
    /// The metadata as JSON.
    pub fn text(&self) -> Option<SyntaxToken> {
        token(&self.0, METADATA_TEXT)
    }
}

/// A node with parameters and a body: `def` or `fn`.
pub trait FunctionLike: AstNode<RelayLanguage> {
    fn type_params(&self) -> impl Iterator<Item = TypeParam> {
        let list = child::<_, TypeParamList>(self.syntax());
        list.into_iter().flat_map(|it| children(&it.0))
    }

    fn param_list(&self) -> Option<ParamList> {
        child(self.syntax())
    }

    fn params(&self) -> impl Iterator<Item = Param> {
        self.param_list().into_iter().flat_map(|it| children(&it.0))
    }

    fn attributes(&self) -> impl Iterator<Item = Attribute> {
        self.param_list().into_iter().flat_map(|it| children(&it.0))
    }

    fn ret(&self) -> Option<Type> {
        child_after(self.syntax(), ARROW)
    }

    fn body(&self) -> Option<BlockExpr> {
        child(self.syntax())
    }
}

impl FunctionLike for FunctionDef {}
impl FunctionLike for FnExpr {}

impl FunctionDef {
    pub fn name(&self) -> Option<SyntaxToken> {
        token(&self.0, GLOBAL)
    }

    /// The value of an external function: `meta[ExternalFunc][0]`.
    pub fn external(&self) -> Option<Expr> {
        child_after(&self.0, EQ)
    }
}

impl TypeDef {
    pub fn is_extern(&self) -> bool {
        token(&self.0, EXTERN_KW).is_some()
    }

    pub fn name(&self) -> Option<SyntaxToken> {
        token(&self.0, IDENT)
    }

    pub fn type_params(&self) -> impl Iterator<Item = TypeParam> + use<> {
        let list = child::<_, TypeParamList>(&self.0);
        list.into_iter().flat_map(|it| children(&it.0))
    }

    pub fn constructors(&self) -> impl Iterator<Item = ConstructorDef> + use<> {
        children(&self.0)
    }
}

impl ConstructorDef {
    pub fn name(&self) -> Option<SyntaxToken> {
        token(&self.0, IDENT)
    }

    pub fn fields(&self) -> impl Iterator<Item = Type> + use<> {
        let list = child::<_, TypeArgList>(&self.0);
        list.into_iter().flat_map(|it| children(&it.0))
    }
}

impl TypeParam {
    pub fn name(&self) -> Option<SyntaxToken> {
        token(&self.0, IDENT)
    }
}

impl Param {
    pub fn name(&self) -> Option<SyntaxToken> {
        token(&self.0, LOCAL)
    }

    pub fn attributes(&self) -> impl Iterator<Item = Attribute> + use<> {
        let list = child::<_, ParamAttrs>(&self.0);
        list.into_iter().flat_map(|it| children(&it.0))
    }

    pub fn ty(&self) -> Option<Type> {
        child_after(&self.0, COLON)
    }
}

impl AttributeName {
    pub fn text(&self) -> String {
        dotted(&self.0)
    }
}

impl Attribute {
    pub fn name(&self) -> Option<AttributeName> {
        child(&self.0)
    }

    pub fn value(&self) -> Option<Expr> {
        child_after(&self.0, EQ)
    }
}
