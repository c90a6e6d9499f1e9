//! Numbers: which characters belong to one, and whether TVM can read it.
//!
//! To TVM a sign right before a digit belongs to the number, and so does whatever follows that may stand in some
//! number: `1-2` is one token, which spells no number.

use super::{Context, Lexer};
use crate::relay::kind::SyntaxKind::{ARROW, DOT, FLOAT, INT, MINUS};

impl Lexer<'_> {
    /// Signs, with the number behind them if there is one.
    pub(super) fn signs(&mut self) {
        let signs = self.rest().iter().take_while(|it| **it == b'-').count();
        let behind = &self.rest()[signs..];
        if behind.first().is_some_and(u8::is_ascii_digit) || behind.starts_with(b"inff") {
            self.number();
            return;
        }
        let is_arrow = behind.first() == Some(&b'>');
        for _ in usize::from(is_arrow)..signs {
            self.take(1, MINUS);
        }
        if is_arrow {
            self.take(2, ARROW);
        }
    }

    pub(super) fn number(&mut self) {
        let start = self.pos;
        self.skip_while(|it| it == b'-');
        let digits = self.pos;
        if self.rest().starts_with(b"inff") {
            self.take(4, FLOAT);
            return;
        }
        self.skip_while(is_numeric);
        let value = &self.text[digits..self.pos];
        let suffix = self.peek(0);
        let mut width = "";
        if matches!(suffix, b'f' | b'i') {
            self.pos += 1;
            let from = self.pos;
            self.skip_while(is_numeric);
            width = &self.text[from..self.pos];
        }
        let is_index = self.out.kinds.last() == Some(&DOT);
        let is_float = suffix == b'f' || !is_index && value.contains(['.', 'e', 'E']);
        let message = if is_index {
            wrong_index(value)
        } else if is_float {
            wrong_float(value, width, suffix == b'f' || self.context == Context::Old)
        } else {
            wrong_int(value, width, (digits - start) % 2 == 1)
        };
        self.push(if is_float { FLOAT } else { INT });
        if let Some(message) = message {
            self.error(start, message);
        }
    }
}

fn is_numeric(byte: u8) -> bool {
    byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'-' | b'+')
}

fn wrong_index(value: &str) -> Option<String> {
    let is_nested = value.split('.').all(|it| it.parse::<u32>().is_ok());
    match value.parse::<u32>() {
        Ok(_) => None,
        Err(_) if is_nested => Some(format!(
            "`{value}` is read as one number: put the first projection in parentheses"
        )),
        Err(_) => Some(format!("`{value}` is no index")),
    }
}

fn wrong_float(value: &str, width: &str, has_suffix: bool) -> Option<String> {
    let most = match width {
        "16" => 65504.0,
        "" | "32" => f64::from(f32::MAX),
        "64" => f64::MAX,
        _ => return Some(no_width(width)),
    };
    match value.parse::<f64>() {
        Ok(_) if !has_suffix => Some(format!(
            "a number with a fraction or an exponent ends in `f`: `{value}f`"
        )),
        Ok(number) if number > most => Some(format!(
            "`{value}` does not fit into float{}",
            if width.is_empty() { "32" } else { width }
        )),
        Ok(_) => None,
        Err(_) => Some(no_number(value)),
    }
}

fn wrong_int(value: &str, width: &str, is_negative: bool) -> Option<String> {
    let Ok(number) = value.parse::<i64>() else {
        let is_long = value.bytes().all(|it| it.is_ascii_digit());
        return Some(if is_long {
            format!("`{value}` does not fit into int64")
        } else {
            no_number(value)
        });
    };
    let number = if is_negative { -number } else { number };
    let fits = match width {
        "8" => i8::try_from(number).is_ok(),
        "16" => i16::try_from(number).is_ok(),
        "32" => i32::try_from(number).is_ok(),
        "" | "64" => true,
        _ => return Some(no_width(width)),
    };
    (!fits).then(|| format!("`{number}` does not fit into int{width}"))
}

fn no_width(width: &str) -> String {
    format!("`{width}` is no width of a number")
}

fn no_number(value: &str) -> String {
    let is_sum = value.bytes().skip(1).any(|it| matches!(it, b'+' | b'-'));
    if is_sum {
        format!("`{value}` is read as one number: put blanks around the sign")
    } else {
        format!("`{value}` is no number")
    }
}
