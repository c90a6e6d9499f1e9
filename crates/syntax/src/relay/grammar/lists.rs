//! Comma-separated lists in brackets.

use crate::relay::kind::SyntaxKind::{self, COMMA};
use crate::relay::parser::{Opener, Parser};

/// Parses `item, item, ... close` after the opening bracket. `item` returns whether it found an item. Returns whether
/// there was a comma.
pub(super) fn list(
    p: &mut Parser<'_>,
    opener: Opener,
    close: SyntaxKind,
    what: &str,
    mut item: impl FnMut(&mut Parser<'_>) -> bool,
) -> bool {
    let mut has_comma = false;
    while !p.at(close) && !p.at_list_end(opener) {
        let before = p.progress();
        if !item(p) {
            p.skip_until(|p| p.at(COMMA) || p.at_list_end(opener));
            has_comma |= p.eat(COMMA);
        } else if p.eat(COMMA) {
            has_comma = true;
        } else if p.in_unclosed_bracket() && p.starts_line() {
            break;
        } else if !(has_comma || p.at(close) || p.at_list_end(opener)) {
            // TVM requires a comma only between the first two items.
            p.expected(&format!("`,` or {}", close.describe()));
        }
        if p.progress() == before {
            p.skip_one();
        }
    }
    p.close(close, opener, what);
    has_comma
}
