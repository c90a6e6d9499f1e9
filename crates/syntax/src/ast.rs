//! Typed views of the syntax tree: the node types, and the casts between nodes and views.
//!
//! Accessors return `Option` or an iterator, because half-typed code lacks parts. Nothing here checks whether a program
//! is correct. The submodules hold the accessors of each node type.

mod clauses;
mod expressions;
mod literals;
mod node;
mod operators;
mod patterns;
mod segments;
mod statements;
#[cfg(test)]
mod tests;

pub use expressions::SliceParts;
pub use literals::{FStringPart, NumberValue, StringPiece};
pub use node::AstNode;
pub(crate) use node::{
    accessor, accessors, child, child_after, child_before, children, has_token, node_choices,
    node_types, token, tokens, ungrouped,
};
pub use operators::{BinaryOp, BoolOp, CompareOp, UnaryOp};
pub use segments::Segments;
pub use statements::{AssignOp, Branch};

use crate::kind::{PythonLanguage, SyntaxKind, SyntaxNode};
use SyntaxKind as K;

node_types! {
    language PythonLanguage;

    SourceFile = SOURCE_FILE,
    Suite = SUITE,

    Decorator = DECORATOR,
    ElifClause = ELIF_CLAUSE,
    ElseClause = ELSE_CLAUSE,
    WithItem = WITH_ITEM,
    ExceptClause = EXCEPT_CLAUSE,
    FinallyClause = FINALLY_CLAUSE,
    CaseClause = CASE_CLAUSE,
    CaseGuard = CASE_GUARD,
    ImportAlias = IMPORT_ALIAS,
    ModulePath = MODULE_PATH,

    ParamList = PARAM_LIST,
    Param = PARAM,
    TypeParamList = TYPE_PARAM_LIST,
    TypeParam = TYPE_PARAM,
    ArgList = ARG_LIST,

    FString = FSTRING,
    FStringField = FSTRING_FIELD,
    FormatSpec = FORMAT_SPEC,
    DictEntry = DICT_ENTRY,

    MappingPatternEntry = MAPPING_PATTERN_ENTRY,
    PatternArgList = PATTERN_ARG_LIST,
    KeywordPattern = KEYWORD_PATTERN,
}

node_choices! {
    language PythonLanguage;

    Stmt {
        FunctionDef = FUNCTION_DEF,
        ClassDef = CLASS_DEF,
        AssignStmt = ASSIGN_STMT,
        AnnAssignStmt = ANN_ASSIGN_STMT,
        AugAssignStmt = AUG_ASSIGN_STMT,
        ExprStmt = EXPR_STMT,
        ReturnStmt = RETURN_STMT,
        IfStmt = IF_STMT,
        WithStmt = WITH_STMT,
        ForStmt = FOR_STMT,
        WhileStmt = WHILE_STMT,
        TryStmt = TRY_STMT,
        MatchStmt = MATCH_STMT,
        ImportStmt = IMPORT_STMT,
        ImportFromStmt = IMPORT_FROM_STMT,
        PassStmt = PASS_STMT,
        BreakStmt = BREAK_STMT,
        ContinueStmt = CONTINUE_STMT,
        DelStmt = DEL_STMT,
        GlobalStmt = GLOBAL_STMT,
        NonlocalStmt = NONLOCAL_STMT,
        AssertStmt = ASSERT_STMT,
        RaiseStmt = RAISE_STMT,
        TypeAliasStmt = TYPE_ALIAS_STMT,
        ErrorNode = ERROR,
    }

    Expr {
        NameExpr = NAME_EXPR,
        NumberLit = NUMBER_LIT,
        StringLit = STRING_LIT,
        BoolLit = BOOL_LIT,
        NoneLit = NONE_LIT,
        EllipsisLit = ELLIPSIS_LIT,
        ParenExpr = PAREN_EXPR,
        TupleExpr = TUPLE_EXPR,
        ListExpr = LIST_EXPR,
        SetExpr = SET_EXPR,
        DictExpr = DICT_EXPR,
        ListComp = LIST_COMP,
        SetComp = SET_COMP,
        DictComp = DICT_COMP,
        GeneratorExpr = GENERATOR_EXPR,
        CallExpr = CALL_EXPR,
        AttributeExpr = ATTRIBUTE_EXPR,
        SubscriptExpr = SUBSCRIPT_EXPR,
        SliceExpr = SLICE_EXPR,
        BinaryExpr = BINARY_EXPR,
        UnaryExpr = UNARY_EXPR,
        NotExpr = NOT_EXPR,
        CompareExpr = COMPARE_EXPR,
        BoolExpr = BOOL_EXPR,
        IfExpr = IF_EXPR,
        LambdaExpr = LAMBDA_EXPR,
        WalrusExpr = WALRUS_EXPR,
        AwaitExpr = AWAIT_EXPR,
        YieldExpr = YIELD_EXPR,
        StarExpr = STAR_EXPR,
        TooDeepExpr = TOO_DEEP_EXPR,
    }

    /// One clause of a comprehension.
    CompClause {
        CompFor = COMP_FOR,
        CompIf = COMP_IF,
    }

    Pattern {
        LiteralPattern = LITERAL_PATTERN,
        ValuePattern = VALUE_PATTERN,
        CapturePattern = CAPTURE_PATTERN,
        WildcardPattern = WILDCARD_PATTERN,
        ParenPattern = PAREN_PATTERN,
        SequencePattern = SEQUENCE_PATTERN,
        StarPattern = STAR_PATTERN,
        MappingPattern = MAPPING_PATTERN,
        ClassPattern = CLASS_PATTERN,
        OrPattern = OR_PATTERN,
        AsPattern = AS_PATTERN,
    }
}

/// One argument of a call or of a class header. `name=value` and `*value` have nodes of their own; for a plain
/// positional argument, this views the value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Arg(SyntaxNode);

impl AstNode for Arg {
    fn can_cast(kind: SyntaxKind) -> bool {
        matches!(kind, K::KEYWORD_ARG | K::STAR_ARG) || Expr::can_cast(kind)
    }

    fn cast(node: SyntaxNode) -> Option<Self> {
        Self::can_cast(node.kind()).then_some(Self(node))
    }

    fn syntax(&self) -> &SyntaxNode {
        &self.0
    }
}

/// The stars before a parameter or an argument.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Stars {
    #[default]
    None,
    One,
    Two,
}

fn leading_stars(parent: &SyntaxNode) -> Stars {
    match parent.first_child_or_token().map(|it| it.kind()) {
        Some(K::STAR) => Stars::One,
        Some(K::DOUBLE_STAR) => Stars::Two,
        _ => Stars::None,
    }
}

/// The statements directly in a file or a suite. Looks through chunks.
pub(crate) fn statements(parent: &SyntaxNode) -> impl Iterator<Item = Stmt> + use<> {
    ungrouped(parent, K::CHUNK).filter_map(Stmt::cast)
}

accessors! {
    SourceFile {
        ungrouped stmts: Stmt, CHUNK;
    }
    Suite {
        ungrouped stmts: Stmt, CHUNK;
    }
}

impl Suite {
    /// Whether the suite is an indented block. Otherwise its statements follow the colon on the same line.
    pub fn is_block(&self) -> bool {
        self.0
            .first_child_or_token()
            .is_some_and(|it| it.kind() == K::NEWLINE)
    }
}
