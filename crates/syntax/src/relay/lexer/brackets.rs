//! Matches brackets.

use crate::relay::kind::SyntaxKind::{
    self, DEF_KW, EXTERN_KW, L_BRACE, L_BRACKET, L_PAREN, R_BRACE, R_BRACKET, R_PAREN, TYPE_KW,
};

/// The token indices of brackets without a partner, in order.
#[derive(Debug, Default)]
pub(in crate::relay) struct Brackets {
    unclosed: Vec<usize>,
    unopened: Vec<usize>,
}

impl Brackets {
    /// Matches each closing bracket with the nearest open one of its shape. A definition ends all brackets, and a `)` or
    /// `]` cannot close a bracket outside of the braces around it.
    pub(in crate::relay) fn of(kinds: &[SyntaxKind]) -> Brackets {
        let mut found = Brackets::default();
        let mut open: Vec<(usize, SyntaxKind)> = Vec::new();
        for (index, &kind) in kinds.iter().enumerate() {
            match kind {
                L_PAREN => open.push((index, R_PAREN)),
                L_BRACKET => open.push((index, R_BRACKET)),
                L_BRACE => open.push((index, R_BRACE)),
                R_PAREN | R_BRACKET | R_BRACE => {
                    let mut candidates = open
                        .iter()
                        .rev()
                        .take_while(|it| kind == R_BRACE || it.1 != R_BRACE);
                    match candidates.position(|it| it.1 == kind) {
                        Some(back) => {
                            let at = open.len() - 1 - back;
                            found
                                .unclosed
                                .extend(open.drain(at..).skip(1).map(|it| it.0));
                        }
                        None => found.unopened.push(index),
                    }
                }
                DEF_KW | EXTERN_KW | TYPE_KW => {
                    found.unclosed.extend(open.drain(..).map(|it| it.0));
                }
                _ => {}
            }
        }
        found.unclosed.extend(open.iter().map(|it| it.0));
        found.unclosed.sort_unstable();
        found
    }

    pub(in crate::relay) fn is_closed(&self, opener: usize) -> bool {
        self.unclosed.binary_search(&opener).is_err()
    }

    pub(in crate::relay) fn is_opened(&self, closer: usize) -> bool {
        self.unopened.binary_search(&closer).is_err()
    }
}
