//! The whitespace between two tokens.

use syntax::relay::SyntaxKind::{
    self, ATTRIBUTE, ATTRIBUTE_START, BLOCK_EXPR, COLON, COMMA, DOT, EQ, FN_KW, IF_KW, L_BRACE,
    L_BRACKET, L_PAREN, MATCH_EXPR, MATCH_KW, METADATA, PARAM_ATTRS, PARTIAL_MATCH_KW, R_BRACE,
    R_BRACKET, R_PAREN, SEMICOLON, SEQUENCE_EXPR, SOURCE_FILE, TYPE_DEF, VERSION_HEADER,
};
use syntax::relay::{SyntaxNode, SyntaxToken};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Separator {
    None,
    Space,
    Line,
    /// A blank line between definitions.
    Blank,
}

pub(super) fn separator(before: &SyntaxToken, token: &SyntaxToken) -> Separator {
    let around = parent(token);
    if let Some(top) = begins_item(token) {
        return match begins_or_ends(before) {
            Some(VERSION_HEADER) => Separator::Line,
            _ if top == METADATA => Separator::Line,
            _ => Separator::Blank,
        };
    }
    if parent(before) == Some(METADATA) {
        return Separator::Line;
    }
    match (before.kind(), token.kind()) {
        (L_BRACE, R_BRACE) => Separator::None,
        (L_BRACE, _) if breaks_lines(before) => Separator::Line,
        (_, R_BRACE) if breaks_lines(token) => Separator::Line,
        (SEMICOLON, _) if ends_line(before) => Separator::Line,
        (COMMA, _) if matches!(parent(before), Some(MATCH_EXPR | TYPE_DEF)) => Separator::Line,
        (_, COMMA | SEMICOLON | COLON | DOT | R_PAREN | R_BRACKET) => Separator::None,
        (L_PAREN | L_BRACKET | DOT | ATTRIBUTE_START, _) => Separator::None,
        (L_BRACE, _) | (_, R_BRACE)
            if around == Some(PARAM_ATTRS) || parent(before) == Some(PARAM_ATTRS) =>
        {
            Separator::None
        }
        (EQ, _) if parent(before) == Some(ATTRIBUTE) => Separator::None,
        (_, EQ) if around == Some(ATTRIBUTE) => Separator::None,
        (FN_KW | IF_KW | MATCH_KW | PARTIAL_MATCH_KW, _) => Separator::Space,
        (_, L_PAREN | L_BRACKET) if begins_list(token) => Separator::None,
        _ => Separator::Space,
    }
}

/// Returns `true` if a bracket follows its name without a space: arguments, parameters, types, metadata indices.
fn begins_list(bracket: &SyntaxToken) -> bool {
    let Some(node) = bracket.parent() else {
        return false;
    };
    let is_first = node.first_token().as_ref() == Some(bracket);
    match node.kind() {
        SyntaxKind::PAREN_EXPR
        | SyntaxKind::TUPLE_EXPR
        | SyntaxKind::LIST_LIT
        | SyntaxKind::TUPLE_TYPE
        | SyntaxKind::SHAPE => false,
        SyntaxKind::PATTERN_LIST => {
            let around = node.parent().map(|it| it.kind());
            around == Some(SyntaxKind::CONSTRUCTOR_PATTERN)
        }
        _ => {
            is_first
                || matches!(
                    node.kind(),
                    SyntaxKind::TENSOR_TYPE | SyntaxKind::META_EXPR | SyntaxKind::REF_TYPE
                )
        }
    }
}

pub(super) fn closes(kind: SyntaxKind) -> bool {
    matches!(kind, COMMA | SEMICOLON | R_PAREN | R_BRACKET)
}

/// Returns `true` if the contents of a brace go on separate lines.
pub(super) fn breaks_lines(brace: &SyntaxToken) -> bool {
    matches!(brace.kind(), L_BRACE | R_BRACE)
        && matches!(parent(brace), Some(BLOCK_EXPR | MATCH_EXPR | TYPE_DEF))
}

/// Returns `true` if a semicolon ends a statement on its own line.
fn ends_line(semicolon: &SyntaxToken) -> bool {
    let list = semicolon.parent_ancestors().nth(1);
    list.is_some_and(|it| match it.kind() {
        BLOCK_EXPR => true,
        SEQUENCE_EXPR => it.parent().is_some_and(|it| it.kind() == SOURCE_FILE),
        _ => false,
    })
}

fn parent(token: &SyntaxToken) -> Option<SyntaxKind> {
    token.parent().map(|it| it.kind())
}

/// Returns the kind of the file's child that begins with a token.
fn begins_item(token: &SyntaxToken) -> Option<SyntaxKind> {
    let item = item(token)?;
    (item.first_token().as_ref() == Some(token)).then(|| item.kind())
}

/// Returns the kind of the file's child that contains a token.
fn begins_or_ends(token: &SyntaxToken) -> Option<SyntaxKind> {
    item(token).map(|it| it.kind())
}

fn item(token: &SyntaxToken) -> Option<SyntaxNode> {
    let mut ancestors = token.parent_ancestors();
    ancestors.find(|it| it.parent().is_some_and(|it| it.kind() == SOURCE_FILE))
}
