//! Typed views of the tree: which node types exist, and how to get from a node to its view and back.
//!
//! Knows shapes only. Every accessor answers `Option` or an iterator, because half-typed code lacks parts; nothing here
//! judges whether a program is right. What each node offers is in the modules beside this one.

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
pub(crate) use node::{node_choices, node_types};
pub use operators::{BinaryOp, BoolOp, CompareOp, UnaryOp};
pub use segments::Segments;
pub use statements::{AssignOp, Branch, ImportedNames};

use crate::kind::{PythonLanguage, SyntaxElement, SyntaxKind, SyntaxNode, SyntaxToken};
use SyntaxKind as K;

node_types! {
    language PythonLanguage;

    SourceFile = SOURCE_FILE,
    Suite = SUITE,
    ErrorNode = ERROR,

    FunctionDef = FUNCTION_DEF,
    ClassDef = CLASS_DEF,
    Decorator = DECORATOR,
    AssignStmt = ASSIGN_STMT,
    AnnAssignStmt = ANN_ASSIGN_STMT,
    AugAssignStmt = AUG_ASSIGN_STMT,
    ExprStmt = EXPR_STMT,
    ReturnStmt = RETURN_STMT,
    IfStmt = IF_STMT,
    ElifClause = ELIF_CLAUSE,
    ElseClause = ELSE_CLAUSE,
    WithStmt = WITH_STMT,
    WithItem = WITH_ITEM,
    ForStmt = FOR_STMT,
    WhileStmt = WHILE_STMT,
    TryStmt = TRY_STMT,
    ExceptClause = EXCEPT_CLAUSE,
    FinallyClause = FINALLY_CLAUSE,
    MatchStmt = MATCH_STMT,
    CaseClause = CASE_CLAUSE,
    CaseGuard = CASE_GUARD,
    ImportStmt = IMPORT_STMT,
    ImportFromStmt = IMPORT_FROM_STMT,
    ImportAlias = IMPORT_ALIAS,
    ModulePath = MODULE_PATH,
    PassStmt = PASS_STMT,
    BreakStmt = BREAK_STMT,
    ContinueStmt = CONTINUE_STMT,
    DelStmt = DEL_STMT,
    GlobalStmt = GLOBAL_STMT,
    NonlocalStmt = NONLOCAL_STMT,
    AssertStmt = ASSERT_STMT,
    RaiseStmt = RAISE_STMT,
    TypeAliasStmt = TYPE_ALIAS_STMT,

    ParamList = PARAM_LIST,
    Param = PARAM,
    TypeParamList = TYPE_PARAM_LIST,
    TypeParam = TYPE_PARAM,
    ArgList = ARG_LIST,

    NameExpr = NAME_EXPR,
    NumberLit = NUMBER_LIT,
    StringLit = STRING_LIT,
    FString = FSTRING,
    FStringField = FSTRING_FIELD,
    FormatSpec = FORMAT_SPEC,
    BoolLit = BOOL_LIT,
    NoneLit = NONE_LIT,
    EllipsisLit = ELLIPSIS_LIT,
    ParenExpr = PAREN_EXPR,
    TupleExpr = TUPLE_EXPR,
    ListExpr = LIST_EXPR,
    SetExpr = SET_EXPR,
    DictExpr = DICT_EXPR,
    DictEntry = DICT_ENTRY,
    ListComp = LIST_COMP,
    SetComp = SET_COMP,
    DictComp = DICT_COMP,
    GeneratorExpr = GENERATOR_EXPR,
    CompFor = COMP_FOR,
    CompIf = COMP_IF,
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

    LiteralPattern = LITERAL_PATTERN,
    ValuePattern = VALUE_PATTERN,
    CapturePattern = CAPTURE_PATTERN,
    WildcardPattern = WILDCARD_PATTERN,
    ParenPattern = PAREN_PATTERN,
    SequencePattern = SEQUENCE_PATTERN,
    StarPattern = STAR_PATTERN,
    MappingPattern = MAPPING_PATTERN,
    MappingPatternEntry = MAPPING_PATTERN_ENTRY,
    ClassPattern = CLASS_PATTERN,
    PatternArgList = PATTERN_ARG_LIST,
    KeywordPattern = KEYWORD_PATTERN,
    OrPattern = OR_PATTERN,
    AsPattern = AS_PATTERN,
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

    /// One step of a comprehension, in the order written.
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

/// One argument of a call or of a class header. A plain positional argument has no node of its own, so this views the
/// value itself; `name=value` and `*value` have one.
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

fn child<N: AstNode>(parent: &SyntaxNode) -> Option<N> {
    parent.children().find_map(N::cast)
}

fn children<N: AstNode>(parent: &SyntaxNode) -> impl Iterator<Item = N> + use<N> {
    parent.children().filter_map(N::cast)
}

fn tokens(parent: &SyntaxNode) -> impl Iterator<Item = SyntaxToken> + use<> {
    parent
        .children_with_tokens()
        .filter_map(SyntaxElement::into_token)
}

fn token(parent: &SyntaxNode, kind: SyntaxKind) -> Option<SyntaxToken> {
    tokens(parent).find(|it| it.kind() == kind)
}

fn has_token(parent: &SyntaxNode, kind: SyntaxKind) -> bool {
    token(parent, kind).is_some()
}

/// The first node of type `N` among the children after the first token of this kind.
fn child_after<N: AstNode>(parent: &SyntaxNode, mark: SyntaxKind) -> Option<N> {
    parent
        .children_with_tokens()
        .skip_while(|it| it.kind() != mark)
        .find_map(|it| it.into_node().and_then(N::cast))
}

/// The first node of type `N` among the children before the first token of this kind, or among all if there is none.
fn child_before<N: AstNode>(parent: &SyntaxNode, mark: SyntaxKind) -> Option<N> {
    parent
        .children_with_tokens()
        .take_while(|it| it.kind() != mark)
        .find_map(|it| it.into_node().and_then(N::cast))
}

/// How many stars the node begins with.
fn leading_stars(parent: &SyntaxNode) -> Stars {
    match parent.first_child_or_token().map(|it| it.kind()) {
        Some(K::STAR) => Stars::One,
        Some(K::DOUBLE_STAR) => Stars::Two,
        _ => Stars::None,
    }
}

/// The statements right under a file or a suite, whether or not they are grouped into chunks.
pub(crate) fn statements(parent: &SyntaxNode) -> impl Iterator<Item = Stmt> + use<> {
    let mut outer = parent.children();
    let mut chunk: Option<rowan::SyntaxNodeChildren<crate::kind::PythonLanguage>> = None;
    let nodes = std::iter::from_fn(move || {
        loop {
            if let Some(inner) = &mut chunk {
                if let Some(node) = inner.next() {
                    return Some(node);
                }
                chunk = None;
            }
            let node = outer.next()?;
            if node.kind() != K::CHUNK {
                return Some(node);
            }
            chunk = Some(node.children());
        }
    });
    nodes.filter_map(Stmt::cast)
}

impl SourceFile {
    pub fn stmts(&self) -> impl Iterator<Item = Stmt> + use<> {
        statements(&self.0)
    }
}

impl Suite {
    /// The statements of the suite, be it an indented block or the rest of a line.
    pub fn stmts(&self) -> impl Iterator<Item = Stmt> + use<> {
        statements(&self.0)
    }

    /// Whether the suite is an indented block, as opposed to statements on the line of the colon.
    pub fn is_block(&self) -> bool {
        self.0
            .first_child_or_token()
            .is_some_and(|it| it.kind() == K::NEWLINE)
    }
}
