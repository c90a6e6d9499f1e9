//! Finds tokens by offset.

use rowan::{NodeOrToken, TokenAtOffset};
use text_size::{TextRange, TextSize};

use crate::kind::{SyntaxNode, SyntaxToken};

/// The token that contains `offset`, or the two tokens that it lies between; none outside of the tree.
///
/// Same result as rowan's `token_at_offset`, which scans all children of each node on the path. Long suites have
/// thousands.
pub fn tokens_at(root: &SyntaxNode, offset: TextSize) -> TokenAtOffset<SyntaxToken> {
    let range = root.text_range();
    if range.is_empty() || !range.contains_inclusive(offset) {
        return TokenAtOffset::None;
    }
    match root.covering_element(TextRange::empty(offset)) {
        NodeOrToken::Token(token) if !token.text_range().is_empty() => {
            if token.text_range().end() > offset {
                return TokenAtOffset::Single(token);
            }
            let next = std::iter::successors(token.next_token(), SyntaxToken::next_token)
                .find(|it| !it.text_range().is_empty());
            match next.filter(|it| range.contains_range(it.text_range())) {
                Some(next) => TokenAtOffset::Between(token, next),
                None => TokenAtOffset::Single(token),
            }
        }
        // An empty element is at the offset.
        _ => root.token_at_offset(offset),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    #[test]
    fn every_offset_has_the_tokens_that_rowan_finds() {
        let long = "    y = f(x, 1)\n".repeat(300);
        let texts = [
            "",
            "x",
            "def f(x, y=):\n    return x +\n\n# end\n",
            "if a:\n  é = \"ü\"\n   b\n(\n",
            &format!("def f(x):\n{long}"),
        ];
        for text in texts {
            let root = parse(text).syntax();
            for at in (0..=text.len()).map(|at| TextSize::new(at as u32)) {
                let found: Vec<_> = tokens_at(&root, at).collect();
                let slow: Vec<_> = root.token_at_offset(at).collect();
                assert_eq!(found, slow, "{at:?} of {text:?}");
            }
            let outside = TextSize::of(text) + TextSize::new(1);
            assert!(tokens_at(&root, outside).next().is_none());
        }
    }

    #[test]
    fn a_subtree_finds_only_its_own_tokens() {
        let root = parse("a = 1\nb = 2\n").syntax();
        let line = root.first_child().expect("a statement");
        let end = line.text_range().end();
        assert_eq!(
            tokens_at(&line, end).count(),
            line.token_at_offset(end).count()
        );
    }
}
