//! Folding ranges: bodies, matches, types, the metadata, multi-line comments.

use hir::RelayFile;
use syntax::relay::SyntaxKind;
use syntax::{NodeOrToken, WalkEvent};
use text_size::{TextRange, TextSize};

use crate::types::{Fold, FoldKind};

pub fn folding_ranges(file: &RelayFile, text: &str) -> Vec<Fold> {
    let mut folds = Vec::new();
    for event in file.parse.syntax().preorder_with_tokens() {
        let WalkEvent::Enter(element) = event else {
            continue;
        };
        let range = element.text_range();
        let kind = match element.kind() {
            SyntaxKind::BLOCK_EXPR
            | SyntaxKind::MATCH_EXPR
            | SyntaxKind::TYPE_DEF
            | SyntaxKind::PARAM_LIST
            | SyntaxKind::ARG_LIST
            | SyntaxKind::METADATA => FoldKind::Region,
            SyntaxKind::COMMENT => FoldKind::Comment,
            _ => continue,
        };
        let range = match &element {
            NodeOrToken::Token(_) => range,
            // Keep the line of the closing bracket visible.
            NodeOrToken::Node(_) if text[range].ends_with(['}', ')']) => {
                before_last_line(text, range)
            }
            NodeOrToken::Node(_) => range,
        };
        if text[range].contains('\n') {
            folds.push(Fold { range, kind });
        }
    }
    folds
}

fn before_last_line(text: &str, range: TextRange) -> TextRange {
    let inside = &text[range];
    let end = inside.rfind('\n').unwrap_or(inside.len());
    TextRange::at(range.start(), TextSize::new(end as u32))
}
