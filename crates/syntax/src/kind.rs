//! Every kind of token and node, in one table, and the glue that lets rowan carry them.
//!
//! Knows the vocabulary only: nothing here knows how kinds are recognised in text or what they mean.

/// One list in, one enum out, together with the way back from rowan's raw numbers and each token's fixed spelling.
macro_rules! kinds {
    (
        marks { $($mark:ident,)* }
        trivia { $($trivia:ident,)* }
        punctuation { $($punct:ident $punct_text:literal,)* }
        keywords { $($keyword:ident $keyword_text:literal,)* }
        soft_keywords { $($soft:ident $soft_text:literal,)* }
        tokens { $($token:ident $token_name:literal,)* }
        nodes { $($node:ident,)* }
    ) => {
        /// The kind of a token or of a node.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        #[allow(non_camel_case_types)]
        pub enum SyntaxKind {
            $($mark,)*
            $($trivia,)*
            $($punct,)*
            $($keyword,)*
            $($soft,)*
            $($token,)*
            $($node,)*
        }

        impl SyntaxKind {
            /// Every kind, in the order of its number.
            pub const ALL: &[SyntaxKind] = &[
                $(SyntaxKind::$mark,)*
                $(SyntaxKind::$trivia,)*
                $(SyntaxKind::$punct,)*
                $(SyntaxKind::$keyword,)*
                $(SyntaxKind::$soft,)*
                $(SyntaxKind::$token,)*
                $(SyntaxKind::$node,)*
            ];

            /// The spelling of a kind that has exactly one.
            pub const fn fixed_text(self) -> Option<&'static str> {
                match self {
                    $(SyntaxKind::$punct => Some($punct_text),)*
                    $(SyntaxKind::$keyword => Some($keyword_text),)*
                    $(SyntaxKind::$soft => Some($soft_text),)*
                    _ => None,
                }
            }

            /// What a message calls a token of this kind: its quoted spelling, or its name.
            pub const fn describe(self) -> &'static str {
                match self {
                    $(SyntaxKind::$punct => concat!("`", $punct_text, "`"),)*
                    $(SyntaxKind::$keyword => concat!("`", $keyword_text, "`"),)*
                    $(SyntaxKind::$soft => concat!("`", $soft_text, "`"),)*
                    $(SyntaxKind::$token => $token_name,)*
                    SyntaxKind::END => "the end of the file",
                    SyntaxKind::INDENT => "an indented block",
                    SyntaxKind::DEDENT => "the end of the block",
                    _ => "this",
                }
            }

            /// The keyword spelled like this, if there is one. Soft keywords are names to the lexer, so not here.
            pub fn from_keyword(text: &str) -> Option<SyntaxKind> {
                match text {
                    $($keyword_text => Some(SyntaxKind::$keyword),)*
                    _ => None,
                }
            }

            /// Text that the parser skips over: blanks, comments, line ends that end nothing.
            pub const fn is_trivia(self) -> bool {
                matches!(self, $(SyntaxKind::$trivia)|*)
            }

            /// A keyword that can never be a name.
            pub const fn is_keyword(self) -> bool {
                matches!(self, $(SyntaxKind::$keyword)|*)
            }

            /// A node, as opposed to a token.
            pub const fn is_node(self) -> bool {
                matches!(self, $(SyntaxKind::$node)|*)
            }
        }
    };
}

kinds! {
    // Positions that the lexer marks for the parser. They have no text and never reach the tree.
    marks { END, INDENT, DEDENT, }
    trivia {
        WHITESPACE,
        COMMENT,
        SOFT_NEWLINE,
        LINE_CONTINUATION,
        BYTE_ORDER_MARK,
    }
    punctuation {
        L_PAREN "(",
        R_PAREN ")",
        L_BRACKET "[",
        R_BRACKET "]",
        L_BRACE "{",
        R_BRACE "}",
        COMMA ",",
        COLON ":",
        SEMICOLON ";",
        DOT ".",
        ELLIPSIS "...",
        ARROW "->",
        COLON_EQ ":=",
        BANG "!",
        EQ "=",
        PLUS_EQ "+=",
        MINUS_EQ "-=",
        STAR_EQ "*=",
        SLASH_EQ "/=",
        DOUBLE_SLASH_EQ "//=",
        PERCENT_EQ "%=",
        AT_EQ "@=",
        AMP_EQ "&=",
        PIPE_EQ "|=",
        CARET_EQ "^=",
        SHIFT_LEFT_EQ "<<=",
        SHIFT_RIGHT_EQ ">>=",
        DOUBLE_STAR_EQ "**=",
        PLUS "+",
        MINUS "-",
        STAR "*",
        SLASH "/",
        DOUBLE_SLASH "//",
        PERCENT "%",
        AT "@",
        AMP "&",
        PIPE "|",
        CARET "^",
        TILDE "~",
        SHIFT_LEFT "<<",
        SHIFT_RIGHT ">>",
        DOUBLE_STAR "**",
        LESS "<",
        GREATER ">",
        LESS_EQ "<=",
        GREATER_EQ ">=",
        EQ_EQ "==",
        NOT_EQ "!=",
    }
    keywords {
        FALSE_KW "False",
        NONE_KW "None",
        TRUE_KW "True",
        AND_KW "and",
        AS_KW "as",
        ASSERT_KW "assert",
        ASYNC_KW "async",
        AWAIT_KW "await",
        BREAK_KW "break",
        CLASS_KW "class",
        CONTINUE_KW "continue",
        DEF_KW "def",
        DEL_KW "del",
        ELIF_KW "elif",
        ELSE_KW "else",
        EXCEPT_KW "except",
        FINALLY_KW "finally",
        FOR_KW "for",
        FROM_KW "from",
        GLOBAL_KW "global",
        IF_KW "if",
        IMPORT_KW "import",
        IN_KW "in",
        IS_KW "is",
        LAMBDA_KW "lambda",
        NONLOCAL_KW "nonlocal",
        NOT_KW "not",
        OR_KW "or",
        PASS_KW "pass",
        RAISE_KW "raise",
        RETURN_KW "return",
        TRY_KW "try",
        WHILE_KW "while",
        WITH_KW "with",
        YIELD_KW "yield",
    }
    soft_keywords {
        MATCH_KW "match",
        CASE_KW "case",
        TYPE_KW "type",
        UNDERSCORE_KW "_",
    }
    tokens {
        NEWLINE "the end of the line",
        IDENT "a name",
        INT "a number",
        FLOAT "a number",
        IMAGINARY "a number",
        STRING "a string",
        FSTRING_START "a string",
        FSTRING_TEXT "text in a string",
        FSTRING_END "the end of the string",
        UNKNOWN "this character",
    }
    nodes {
        SOURCE_FILE,
        SUITE,
        // A run of statements in a very long suite, there only to keep its list of children short.
        CHUNK,
        ERROR,

        // Statements
        FUNCTION_DEF,
        CLASS_DEF,
        DECORATOR,
        ASSIGN_STMT,
        ANN_ASSIGN_STMT,
        AUG_ASSIGN_STMT,
        EXPR_STMT,
        RETURN_STMT,
        IF_STMT,
        ELIF_CLAUSE,
        ELSE_CLAUSE,
        WITH_STMT,
        WITH_ITEM,
        FOR_STMT,
        WHILE_STMT,
        TRY_STMT,
        EXCEPT_CLAUSE,
        FINALLY_CLAUSE,
        MATCH_STMT,
        CASE_CLAUSE,
        CASE_GUARD,
        IMPORT_STMT,
        IMPORT_FROM_STMT,
        IMPORT_ALIAS,
        MODULE_PATH,
        PASS_STMT,
        BREAK_STMT,
        CONTINUE_STMT,
        DEL_STMT,
        GLOBAL_STMT,
        NONLOCAL_STMT,
        ASSERT_STMT,
        RAISE_STMT,
        TYPE_ALIAS_STMT,

        // Parameters and arguments
        PARAM_LIST,
        PARAM,
        TYPE_PARAM_LIST,
        TYPE_PARAM,
        ARG_LIST,
        KEYWORD_ARG,
        STAR_ARG,

        // Expressions
        NAME_EXPR,
        NUMBER_LIT,
        STRING_LIT,
        FSTRING,
        FSTRING_FIELD,
        FORMAT_SPEC,
        BOOL_LIT,
        NONE_LIT,
        ELLIPSIS_LIT,
        PAREN_EXPR,
        TUPLE_EXPR,
        LIST_EXPR,
        SET_EXPR,
        DICT_EXPR,
        DICT_ENTRY,
        LIST_COMP,
        SET_COMP,
        DICT_COMP,
        GENERATOR_EXPR,
        COMP_FOR,
        COMP_IF,
        CALL_EXPR,
        ATTRIBUTE_EXPR,
        SUBSCRIPT_EXPR,
        SLICE_EXPR,
        BINARY_EXPR,
        UNARY_EXPR,
        NOT_EXPR,
        COMPARE_EXPR,
        BOOL_EXPR,
        IF_EXPR,
        LAMBDA_EXPR,
        WALRUS_EXPR,
        AWAIT_EXPR,
        YIELD_EXPR,
        STAR_EXPR,
        // The rest of an expression nested beyond what the tree may hold, kept flat.
        TOO_DEEP_EXPR,

        // Patterns
        LITERAL_PATTERN,
        VALUE_PATTERN,
        CAPTURE_PATTERN,
        WILDCARD_PATTERN,
        PAREN_PATTERN,
        SEQUENCE_PATTERN,
        STAR_PATTERN,
        MAPPING_PATTERN,
        MAPPING_PATTERN_ENTRY,
        CLASS_PATTERN,
        PATTERN_ARG_LIST,
        KEYWORD_PATTERN,
        OR_PATTERN,
        AS_PATTERN,
    }
}

impl SyntaxKind {
    /// The kind of a node or token of a green tree.
    pub fn of_green(raw: rowan::SyntaxKind) -> SyntaxKind {
        SyntaxKind::ALL[usize::from(raw.0)]
    }
}

impl From<SyntaxKind> for rowan::SyntaxKind {
    fn from(kind: SyntaxKind) -> Self {
        rowan::SyntaxKind(kind as u16)
    }
}

/// Ties [`SyntaxKind`] to rowan's trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PythonLanguage {}

impl rowan::Language for PythonLanguage {
    type Kind = SyntaxKind;

    fn kind_from_raw(raw: rowan::SyntaxKind) -> SyntaxKind {
        SyntaxKind::of_green(raw)
    }

    fn kind_to_raw(kind: SyntaxKind) -> rowan::SyntaxKind {
        kind.into()
    }
}

pub type SyntaxNode = rowan::SyntaxNode<PythonLanguage>;
pub type SyntaxToken = rowan::SyntaxToken<PythonLanguage>;
pub type SyntaxElement = rowan::SyntaxElement<PythonLanguage>;
