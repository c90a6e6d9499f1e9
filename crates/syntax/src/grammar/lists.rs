//! Comma-separated lists in brackets, and their error recovery.

use crate::kind::SyntaxKind::COMMA;
use crate::parser::Parser;

/// Parses items up to the closing bracket, which the caller takes. `parse_item` returns whether it found an item, and
/// `item` names one in messages. Returns whether there was a comma.
pub(super) fn separated(
    p: &mut Parser<'_>,
    item: &str,
    mut parse_item: impl FnMut(&mut Parser<'_>) -> bool,
) -> bool {
    let mut commas = false;
    while !p.at_list_end() {
        let before = p.progress();
        let mut skipped = false;
        if p.at(COMMA) {
            p.expected(item);
        } else if !parse_item(p) {
            p.expected(item);
            p.skip_one();
            skipped = true;
        }
        if p.at_list_end() {
            break;
        }
        if p.eat(COMMA) {
            commas = true;
        } else if !skipped {
            p.expected("`,`");
        }
        debug_assert!(p.progress() > before, "each iteration takes a token");
    }
    commas
}

/// Like [`separated`], after the first item.
pub(super) fn more(
    p: &mut Parser<'_>,
    item: &str,
    parse_item: impl FnMut(&mut Parser<'_>) -> bool,
) {
    if p.at_list_end() {
        return;
    }
    if !p.eat(COMMA) {
        p.expected("`,`");
    }
    separated(p, item, parse_item);
}
