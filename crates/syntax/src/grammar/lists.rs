//! Items between commas, in brackets: what all such lists have in common, above all how they go on after a mistake.

use crate::kind::SyntaxKind::COMMA;
use crate::parser::Parser;

/// Items up to the end of the brackets, which is left for the caller. `one` parses an item, or says that there is none.
/// Says whether there was a comma.
pub(super) fn separated(
    p: &mut Parser<'_>,
    item: &str,
    mut one: impl FnMut(&mut Parser<'_>) -> bool,
) -> bool {
    let mut commas = false;
    while !p.at_list_end() {
        let before = p.progress();
        let mut skipped = false;
        if p.at(COMMA) {
            p.expected(item);
        } else if !one(p) {
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
        debug_assert!(p.progress() > before, "a list must get on");
    }
    commas
}

/// The same where the first item has been parsed.
pub(super) fn more(p: &mut Parser<'_>, item: &str, one: impl FnMut(&mut Parser<'_>) -> bool) {
    if p.at_list_end() {
        return;
    }
    if !p.eat(COMMA) {
        p.expected("`,`");
    }
    separated(p, item, one);
}
