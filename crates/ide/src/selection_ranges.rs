//! Selection ranges: word, expression, arguments, statement, suite, function.

use hir::{Database, SourceFile};
use syntax::ast::AstNode;
use syntax::{SyntaxKind as K, SyntaxNode, SyntaxToken};
use text_size::{TextRange, TextSize};

use crate::analysis::{Analysis, Cancellable};
use crate::mentions;
use crate::types::FilePosition;

impl Analysis {
    /// Returns the ranges that a selection at a position expands to.
    pub fn selection_ranges(&self, position: FilePosition) -> Cancellable<Vec<TextRange>> {
        self.with_file(position.file, |db, file| {
            selection_ranges(db, file, position.offset)
        })
    }
}

/// Returns ranges from the smallest to the whole file, each larger than the previous one.
fn selection_ranges(db: &Database, file: SourceFile, offset: TextSize) -> Vec<TextRange> {
    let source = file.source(db);
    let tree = source.parse.tree().syntax().clone();
    let mut ranges = Vec::new();
    // A shape variable inside a string counts as a word.
    if let Some(mention) = mentions::mention_at(db, file, offset) {
        ranges.push(mention.range);
    }
    let tokens = syntax::tokens_at(&tree, offset);
    if let Some(token) = tokens.max_by_key(weight) {
        if !token.kind().is_trivia() || token.kind() == K::COMMENT {
            if token.kind() == K::STRING {
                ranges.extend(contents(&token));
            }
            ranges.push(token.text_range());
        }
        for node in token.parent_ancestors() {
            if node.kind() == K::CHUNK {
                continue;
            }
            ranges.extend(inside_brackets(&node));
            let range = node.text_range();
            let kept = source.text[range].trim_end().len();
            let leading = source.text[range].len() - source.text[range].trim_start().len();
            if kept > leading {
                let start = range.start() + TextSize::new(leading as u32);
                ranges.push(TextRange::new(
                    start,
                    range.start() + TextSize::new(kept as u32),
                ));
            }
            ranges.push(range);
        }
    }
    let mut growing: Vec<TextRange> = Vec::new();
    for range in ranges {
        let grows = growing
            .last()
            .is_none_or(|last| range.contains_range(*last) && range != *last);
        if grows && range.contains_inclusive(offset) {
            growing.push(range);
        }
    }
    growing
}

/// Ranks two adjacent tokens by how likely the user means them.
fn weight(token: &SyntaxToken) -> u32 {
    match token.kind() {
        K::IDENT | K::INT | K::FLOAT | K::STRING => 3,
        kind if kind.is_keyword() => 2,
        kind if kind.is_trivia() || kind == K::NEWLINE => 0,
        _ => 1,
    }
}

/// Returns the range of a string without its quotes.
fn contents(token: &SyntaxToken) -> Option<TextRange> {
    let text = token.text();
    let open = text.find(['"', '\''])?;
    let quote = &text[open..=open];
    let inner = text[open..].strip_prefix(quote)?.strip_suffix(quote)?;
    let start = token.text_range().start() + TextSize::new(open as u32 + 1);
    Some(TextRange::at(start, TextSize::of(inner)))
}

/// Returns the range between the brackets of a node.
fn inside_brackets(node: &SyntaxNode) -> Option<TextRange> {
    let first = node.first_token()?;
    let last = node.last_token()?;
    let opens = matches!(first.kind(), K::L_PAREN | K::L_BRACKET | K::L_BRACE);
    let closes = matches!(last.kind(), K::R_PAREN | K::R_BRACKET | K::R_BRACE);
    (opens && closes && first != last)
        .then(|| TextRange::new(first.text_range().end(), last.text_range().start()))
}
