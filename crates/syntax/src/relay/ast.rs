//! Typed views of Relay's syntax tree.
//!
//! Accessors return `Option` or an iterator, because half-typed code lacks parts.

mod definitions;
mod expressions;
mod types;

pub use definitions::FunctionLike;
pub use expressions::BinaryOp;

use super::kind::{RelayLanguage, SyntaxKind, SyntaxNode};
use crate::ast::{
    AstNode, accessors, child, child_after, children, node_choices, node_types, token, tokens,
};

node_types! {
    language RelayLanguage;

    SourceFile = SOURCE_FILE,
    VersionHeader = VERSION_HEADER,
    Metadata = METADATA,
    ErrorNode = ERROR,

    ConstructorDef = CONSTRUCTOR_DEF,

    TypeParamList = TYPE_PARAM_LIST,
    TypeParam = TYPE_PARAM,
    ParamList = PARAM_LIST,
    Param = PARAM,
    ParamAttrs = PARAM_ATTRS,
    ArgList = ARG_LIST,
    Attribute = ATTRIBUTE,
    AttributeName = ATTRIBUTE_NAME,

    MatchArm = MATCH_ARM,

    PatternList = PATTERN_LIST,

    Shape = SHAPE,
    Dim = DIM,
    TypeArgList = TYPE_ARG_LIST,
}

node_choices! {
    language RelayLanguage;

    Definition {
        FunctionDef = FUNCTION_DEF,
        TypeDef = TYPE_DEF,
        PrimFunc = PRIM_FUNC,
    }

    Stmt {
        LetStmt = LET_STMT,
        GraphStmt = GRAPH_STMT,
        FreeVarStmt = FREE_VAR_STMT,
        ExprStmt = EXPR_STMT,
    }

    Expr {
        VariableExpr = VARIABLE_EXPR,
        GlobalExpr = GLOBAL_EXPR,
        NameExpr = NAME_EXPR,
        NumberLit = NUMBER_LIT,
        BoolLit = BOOL_LIT,
        StringLit = STRING_LIT,
        ListLit = LIST_LIT,
        MetaExpr = META_EXPR,
        ParenExpr = PAREN_EXPR,
        TupleExpr = TUPLE_EXPR,
        ProjectionExpr = PROJECTION_EXPR,
        CallExpr = CALL_EXPR,
        BinaryExpr = BINARY_EXPR,
        BlockExpr = BLOCK_EXPR,
        SequenceExpr = SEQUENCE_EXPR,
        FnExpr = FN_EXPR,
        IfExpr = IF_EXPR,
        MatchExpr = MATCH_EXPR,
        RefExpr = REF_EXPR,
        RefReadExpr = REF_READ_EXPR,
        RefWriteExpr = REF_WRITE_EXPR,
        TooDeepExpr = TOO_DEEP_EXPR,
    }

    Pattern {
        WildcardPattern = WILDCARD_PATTERN,
        VariablePattern = VARIABLE_PATTERN,
        ConstructorPattern = CONSTRUCTOR_PATTERN,
        TuplePattern = TUPLE_PATTERN,
    }

    Type {
        TensorType = TENSOR_TYPE,
        NamedType = NAMED_TYPE,
        TupleType = TUPLE_TYPE,
        FunctionType = FUNCTION_TYPE,
        RefType = REF_TYPE,
        InferredType = INFERRED_TYPE,
    }
}
