//! The space between two tokens of a line: one space, nothing, or a line ending, following TVM's printer.

use syntax::SyntaxKind as K;

/// Returns `true` if there is no space before a token of `kind` under `parent`.
pub fn tight_before(kind: K, parent: K) -> bool {
    match kind {
        K::COMMA | K::COLON | K::SEMICOLON | K::DOT | K::R_PAREN | K::R_BRACKET | K::R_BRACE => {
            true
        }
        K::L_PAREN => matches!(parent, K::ARG_LIST | K::PARAM_LIST | K::PATTERN_ARG_LIST),
        K::L_BRACKET => matches!(parent, K::SUBSCRIPT_EXPR | K::TYPE_PARAM_LIST),
        K::EQ => parent == K::KEYWORD_ARG,
        _ => false,
    }
}

/// Returns `true` if there is no space after a token of `kind` under `parent`.
pub fn tight_after(kind: K, parent: K) -> bool {
    match kind {
        K::L_PAREN | K::L_BRACKET | K::L_BRACE | K::DOT => true,
        K::COLON => parent == K::SLICE_EXPR,
        K::EQ => parent == K::KEYWORD_ARG,
        K::AT => parent == K::DECORATOR,
        K::MINUS | K::PLUS | K::TILDE => parent == K::UNARY_EXPR,
        K::STAR | K::DOUBLE_STAR => matches!(
            parent,
            K::STAR_ARG | K::STAR_EXPR | K::PARAM | K::DICT_ENTRY | K::STAR_PATTERN | K::TYPE_PARAM
        ),
        _ => false,
    }
}

/// Returns how weakly an operator binds. Lines are broken at the weakest first.
pub fn looseness(kind: K, parent: K) -> Option<u8> {
    match (parent, kind) {
        (K::COMP_FOR, K::FOR_KW | K::ASYNC_KW) | (K::COMP_IF, K::IF_KW) => Some(10),
        (K::IF_EXPR, K::IF_KW | K::ELSE_KW) => Some(9),
        (K::BOOL_EXPR, K::OR_KW) => Some(8),
        (K::BOOL_EXPR, K::AND_KW) => Some(7),
        (K::COMPARE_EXPR, _) if !kind.is_trivia() => Some(6),
        (K::BINARY_EXPR, K::PIPE) => Some(5),
        (K::BINARY_EXPR, K::CARET) => Some(4),
        (K::BINARY_EXPR, K::AMP) => Some(3),
        (K::BINARY_EXPR, K::SHIFT_LEFT | K::SHIFT_RIGHT) => Some(2),
        (K::BINARY_EXPR, K::PLUS | K::MINUS) => Some(1),
        (K::BINARY_EXPR, K::STAR | K::SLASH | K::DOUBLE_SLASH | K::PERCENT | K::AT) => Some(0),
        _ => None,
    }
}

/// Returns `true` for nodes whose commas separate the elements of a pair of brackets.
pub fn separates(comma_in: K) -> bool {
    matches!(
        comma_in,
        K::ARG_LIST
            | K::PARAM_LIST
            | K::TYPE_PARAM_LIST
            | K::TUPLE_EXPR
            | K::LIST_EXPR
            | K::SET_EXPR
            | K::DICT_EXPR
            | K::SUBSCRIPT_EXPR
            | K::PATTERN_ARG_LIST
            | K::SEQUENCE_PATTERN
            | K::MAPPING_PATTERN
    )
}

/// Returns a string with double quotes if that changes nothing else.
pub fn double_quoted(string: &str) -> Option<String> {
    let (prefix, rest) = string.split_at(string.find('\'')?);
    let inner = rest.strip_prefix('\'')?.strip_suffix('\'')?;
    let plain =
        prefix.chars().all(|c| c.is_ascii_alphabetic()) && !inner.contains(['"', '\\', '\'', '\n']);
    plain.then(|| format!("{prefix}\"{inner}\""))
}

#[cfg(test)]
mod tests {
    use super::double_quoted;

    #[test]
    fn quotes_become_double_unless_that_needs_escaping() {
        assert_eq!(double_quoted("'n'").as_deref(), Some("\"n\""));
        assert_eq!(double_quoted("r'n'").as_deref(), Some("r\"n\""));
        for kept in ["\"n\"", "'a\"b'", "'a\\n'", "'''n'''", "\"it's\"", "''''''"] {
            assert_eq!(double_quoted(kept), None, "{kept}");
        }
    }
}
