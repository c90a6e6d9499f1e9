//! The file, its definitions, parameters and attributes.

use super::expressions::dotted;
use super::{
    Attribute, AttributeName, BlockExpr, ConstructorDef, Definition, Expr, FnExpr, FunctionDef,
    Metadata, Param, ParamAttrs, ParamList, SourceFile, Type, TypeArgList, TypeDef, TypeParam,
    TypeParamList, VersionHeader, accessors, child, child_after, children, token,
};
use crate::ast::AstNode;
use crate::relay::SyntaxToken;
use crate::relay::kind::RelayLanguage;
use crate::relay::kind::SyntaxKind::{self as K, ARROW, BARE_VERSION, STRING};

accessors! {
    SourceFile {
        child version: VersionHeader;
        children definitions: Definition;
        /// The expression of a text without definitions.
        child value: Expr;
        child metadata: Metadata;
    }
    Metadata {
        /// The metadata as JSON.
        token text: METADATA_TEXT;
    }
    FunctionDef {
        token name: GLOBAL;
        /// The value of an external function: `meta[ExternalFunc][0]`.
        child_after external: Expr, EQ;
    }
    TypeDef {
        has_token is_extern: EXTERN_KW;
        token name: IDENT;
        children_in type_params: TypeParam, TypeParamList;
        children constructors: ConstructorDef;
    }
    ConstructorDef {
        token name: IDENT;
        children_in fields: Type, TypeArgList;
    }
    TypeParam {
        token name: IDENT;
    }
    Param {
        token name: LOCAL;
        children_in attributes: Attribute, ParamAttrs;
        child_after ty: Type, COLON;
    }
    Attribute {
        child name: AttributeName;
        child_after value: Expr, EQ;
    }
}

impl VersionHeader {
    /// `"0.0.5"` with its quotes, or `v0.0.4`.
    pub fn token(&self) -> Option<SyntaxToken> {
        token(&self.0, STRING).or_else(|| token(&self.0, BARE_VERSION))
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

impl AttributeName {
    pub fn text(&self) -> String {
        dotted(&self.0)
    }
}
