//! Rows that only give another name to a value. Where only one side has such a row, its uses are uses of that value.

use crate::form::{FunctionForm, Token};

/// The value that each row of one side stands for where it is used.
pub(super) struct Aliases(Vec<Token>);

impl Aliases {
    pub fn of(function: &FunctionForm, partners: &[Option<u32>]) -> Aliases {
        let mut values: Vec<Token> = Vec::with_capacity(partners.len());
        for (row, partner) in (0..).zip(partners) {
            let value = function.renamed(row).filter(|_| partner.is_none());
            values.push(match value {
                Some(Token::Row { row, nth: 0 }) if (row as usize) < values.len() => {
                    values[row as usize]
                }
                Some(other) => other,
                None => Token::Row { row, nth: 0 },
            });
        }
        Aliases(values)
    }

    pub fn resolved(&self, token: Token) -> Token {
        match token {
            Token::Row { row, nth: 0 } => self.0[row as usize],
            other => other,
        }
    }
}
