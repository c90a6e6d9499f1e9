//! The table of all kinds of tokens and nodes of Relay's text format.

use crate::kinds::kinds;

kinds! {
    language RelayLanguage;
    marks { END "the end of the file", }
    trivia {
        WHITESPACE,
        COMMENT,
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
        ARROW "->",
        FAT_ARROW "=>",
        EQ "=",
        EQ_EQ "==",
        NOT_EQ "!=",
        LESS "<",
        LESS_EQ "<=",
        GREATER ">",
        GREATER_EQ ">=",
        PLUS "+",
        MINUS "-",
        STAR "*",
        SLASH "/",
        QUESTION "?",
        BANG "!",
        PERCENT "%",
        AT "@",
    }
    keywords {
        DEF_KW "def",
        ELSE_KW "else",
        EXTERN_KW "extern",
        FALSE_KW "False",
        FN_KW "fn",
        FREE_VAR_KW "free_var",
        IF_KW "if",
        LET_KW "let",
        MATCH_KW "match",
        REF_KW "ref",
        REF_READ_KW "ref_read",
        REF_WRITE_KW "ref_write",
        TRUE_KW "True",
        TYPE_KW "type",
        UNDERSCORE "_",
    }
    soft_keywords {
        // A keyword only directly before a bracket.
        META_KW "meta",
        PARTIAL_MATCH_KW "match?",
        // `#` and its `[`.
        ATTRIBUTE_START "#[",
    }
    tokens {
        LOCAL "a local variable",
        GRAPH "a graph variable",
        GLOBAL "a global name",
        IDENT "a name",
        INT "a number",
        FLOAT "a number",
        STRING "a string",
        // `v0.0.4`, the header of the first versions.
        BARE_VERSION "a version",
        // `#[metadata]`, `METADATA:`.
        METADATA_START "the metadata",
        // The rest of the text after METADATA_START.
        METADATA_TEXT "the metadata",
        UNKNOWN "this character",
    }
    nodes {
        SOURCE_FILE,
        ERROR,

        VERSION_HEADER,
        METADATA,

        // Definitions
        FUNCTION_DEF,
        TYPE_DEF,
        CONSTRUCTOR_DEF,
        // A TIR function, which TVM printed with the same header.
        PRIM_FUNC,

        // Statements
        LET_STMT,
        GRAPH_STMT,
        FREE_VAR_STMT,
        EXPR_STMT,

        // Parameters and arguments
        TYPE_PARAM_LIST,
        TYPE_PARAM,
        PARAM_LIST,
        PARAM,
        PARAM_ATTRS,
        ARG_LIST,
        ATTRIBUTE,
        ATTRIBUTE_NAME,

        // Expressions
        VARIABLE_EXPR,
        GLOBAL_EXPR,
        NAME_EXPR,
        NUMBER_LIT,
        BOOL_LIT,
        STRING_LIT,
        LIST_LIT,
        META_EXPR,
        PAREN_EXPR,
        TUPLE_EXPR,
        PROJECTION_EXPR,
        CALL_EXPR,
        BINARY_EXPR,
        BLOCK_EXPR,
        // Statements and a value without braces.
        SEQUENCE_EXPR,
        FN_EXPR,
        IF_EXPR,
        MATCH_EXPR,
        MATCH_ARM,
        REF_EXPR,
        REF_READ_EXPR,
        REF_WRITE_EXPR,
        // The flat rest of an expression that is nested too deeply.
        TOO_DEEP_EXPR,

        // Patterns
        WILDCARD_PATTERN,
        VARIABLE_PATTERN,
        CONSTRUCTOR_PATTERN,
        TUPLE_PATTERN,
        PATTERN_LIST,

        // Types
        TENSOR_TYPE,
        SHAPE,
        DIM,
        NAMED_TYPE,
        TYPE_ARG_LIST,
        TUPLE_TYPE,
        FUNCTION_TYPE,
        REF_TYPE,
        INFERRED_TYPE,
    }
}
