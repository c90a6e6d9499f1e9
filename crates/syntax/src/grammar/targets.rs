//! Targets of assignments.

use rowan::{GreenNodeData, NodeOrToken};
use text_size::{TextRange, TextSize};

use super::expressions::{can_start, target};
use crate::kind::SyntaxKind::{
    self, AWAIT_EXPR, BINARY_EXPR, BOOL_EXPR, BOOL_LIT, CALL_EXPR, COMMA, COMPARE_EXPR, DICT_COMP,
    DICT_EXPR, ELLIPSIS_LIT, GENERATOR_EXPR, IF_EXPR, LAMBDA_EXPR, LIST_COMP, LIST_EXPR, NONE_LIT,
    NOT_EXPR, NUMBER_LIT, PAREN_EXPR, SET_COMP, SET_EXPR, STAR, STAR_EXPR, STRING_LIT, TUPLE_EXPR,
    UNARY_EXPR, WALRUS_EXPR, YIELD_EXPR,
};
use crate::parser::{Mark, Parser};

/// Parses the targets of `for`, up to `in`.
pub(super) fn target_list(p: &mut Parser<'_>) {
    let mark = p.start();
    if !target(p) {
        return;
    }
    if p.at(COMMA) {
        while p.eat(COMMA) {
            if !(can_start(p.current()) || p.at(STAR)) {
                break;
            }
            target(p);
        }
        p.finish_node(mark, TUPLE_EXPR);
    }
    check_target(p, mark, "assign to");
}

/// Parses the target of a `with` item.
pub(super) fn single_target(p: &mut Parser<'_>) {
    let mark = p.start();
    if target(p) {
        check_target(p, mark, "assign to");
    }
}

/// Reports the first part of the last expression that cannot be a target. `action` is "assign to" or "delete".
pub(super) fn check_target(p: &mut Parser<'_>, mark: Mark, action: &str) {
    let found = p
        .last_node()
        .and_then(|it| invalid_target(it, TextSize::new(mark.offset())));
    if let Some((range, what)) = found {
        p.error_at_range(range, format!("cannot {action} {what}"));
    }
}

/// Like [`check_target`], for augmented and annotated assignments, which take a single target.
pub(super) fn check_single_target(p: &mut Parser<'_>, mark: Mark) {
    match p.last_kind() {
        Some(TUPLE_EXPR) => p.error_since(mark, "this assignment takes one target, not a tuple"),
        Some(LIST_EXPR) => p.error_since(mark, "this assignment takes one target, not a list"),
        _ => check_target(p, mark, "assign to"),
    }
}

/// The first part that cannot be a target, with its description.
fn invalid_target(node: &GreenNodeData, start: TextSize) -> Option<(TextRange, &'static str)> {
    let what = match SyntaxKind::of_green(node.kind()) {
        TUPLE_EXPR | LIST_EXPR | PAREN_EXPR | STAR_EXPR => {
            let mut offset = start;
            for child in node.children() {
                if let NodeOrToken::Node(child) = child
                    && let Some(found) = invalid_target(child, offset)
                {
                    return Some(found);
                }
                offset += child.text_len();
            }
            return None;
        }
        CALL_EXPR => "a call",
        NUMBER_LIT | STRING_LIT => "a literal",
        BOOL_LIT | NONE_LIT => "a constant",
        ELLIPSIS_LIT => "`...`",
        BINARY_EXPR | UNARY_EXPR | BOOL_EXPR | NOT_EXPR => "an expression",
        COMPARE_EXPR => "a comparison",
        IF_EXPR => "a conditional expression",
        LAMBDA_EXPR => "a lambda",
        AWAIT_EXPR => "an `await` expression",
        YIELD_EXPR => "a `yield` expression",
        WALRUS_EXPR => "a `:=` expression",
        DICT_EXPR => "a dictionary",
        SET_EXPR => "a set",
        LIST_COMP | SET_COMP | DICT_COMP => "a comprehension",
        GENERATOR_EXPR => "a generator",
        _ => return None,
    };
    Some((TextRange::at(start, node.text_len()), what))
}
