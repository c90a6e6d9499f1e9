//! Numbers: where they end, and whether TVM can read them.
//!
//! In TVM a minus directly before a digit belongs to the number, and so do all following characters that occur in
//! numbers: `1-2` is one token, and not a valid number.

use super::{Context, Lexer};
use crate::relay::kind::SyntaxKind::{ARROW, DOT, FLOAT, INT, MINUS};

impl Lexer<'_> {
    /// Lexes minus signs, with the number after them if there is one.
    pub(super) fn signs(&mut self) {
        let signs = self.rest().iter().take_while(|it| **it == b'-').count();
        let after = &self.rest()[signs..];
        if after.first().is_some_and(u8::is_ascii_digit) || after.starts_with(b"inff") {
            self.number();
            return;
        }
        let is_arrow = after.first() == Some(&b'>');
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
            index_error(value)
        } else if is_float {
            float_error(value, width, suffix == b'f' || self.context == Context::Old)
        } else {
            int_error(value, width, (digits - start) % 2 == 1)
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

fn index_error(value: &str) -> Option<String> {
    let is_nested = value.split('.').all(|it| it.parse::<u32>().is_ok());
    match value.parse::<u32>() {
        Ok(_) => None,
        Err(_) if is_nested => Some(format!(
            "`{value}` is read as one number: put the first projection in parentheses"
        )),
        Err(_) => Some(format!("`{value}` is not a valid index")),
    }
}

fn float_error(value: &str, width: &str, has_suffix: bool) -> Option<String> {
    let most = match width {
        "16" => 65504.0,
        "" | "32" => f64::from(f32::MAX),
        "64" => f64::MAX,
        _ => return Some(invalid_width(width)),
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
        Err(_) => Some(invalid_number(value)),
    }
}

fn int_error(value: &str, width: &str, is_negative: bool) -> Option<String> {
    let Ok(number) = value.parse::<i64>() else {
        let is_long = value.bytes().all(|it| it.is_ascii_digit());
        return Some(if is_long {
            format!("`{value}` does not fit into int64")
        } else {
            invalid_number(value)
        });
    };
    let number = if is_negative { -number } else { number };
    let fits = match width {
        "8" => i8::try_from(number).is_ok(),
        "16" => i16::try_from(number).is_ok(),
        "32" => i32::try_from(number).is_ok(),
        "" | "64" => true,
        _ => return Some(invalid_width(width)),
    };
    (!fits).then(|| format!("`{number}` does not fit into int{width}"))
}

fn invalid_width(width: &str) -> String {
    format!("`{width}` is not a valid bit width")
}

fn invalid_number(value: &str) -> String {
    let is_sum = value.bytes().skip(1).any(|it| matches!(it, b'+' | b'-'));
    if is_sum {
        format!("`{value}` is read as one number: put spaces around the sign")
    } else {
        format!("`{value}` is not a number")
    }
}
