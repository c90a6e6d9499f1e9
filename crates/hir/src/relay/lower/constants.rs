//! Reads numbers: `-1`, `2i64`, `1e-5f`, `inff`.

use smol_str::{SmolStr, format_smolstr};

use crate::relay::body::{Constant, Scalar};

pub(super) fn bool(value: bool) -> Constant {
    Constant {
        value: Scalar::Bool(value),
        dtype: SmolStr::new_static("bool"),
    }
}

/// Returns the number, or `None` if the text does not spell one.
pub(super) fn number(text: &str) -> Option<Constant> {
    let digits = text.trim_start_matches('-');
    let is_negative = (text.len() - digits.len()) % 2 == 1;
    if digits == "inff" {
        return Some(float(f64::INFINITY, is_negative, ""));
    }
    if let Some((digits, width)) = digits.split_once('f') {
        return Some(float(digits.parse().ok()?, is_negative, width));
    }
    if digits.contains(['.', 'e', 'E']) {
        return Some(float(digits.parse().ok()?, is_negative, ""));
    }
    let (digits, width) = digits.split_once('i').unwrap_or((digits, ""));
    let value: i64 = digits.parse().ok()?;
    let value = if is_negative { -value } else { value };
    let dtype = match width {
        "" if i32::try_from(value).is_err() => SmolStr::new_static("int64"),
        "" => SmolStr::new_static("int32"),
        _ => format_smolstr!("int{width}"),
    };
    Some(Constant {
        value: Scalar::Int(value),
        dtype,
    })
}

fn float(value: f64, is_negative: bool, width: &str) -> Constant {
    let width = if width.is_empty() { "32" } else { width };
    Constant {
        value: Scalar::Float(if is_negative { -value } else { value }),
        dtype: format_smolstr!("float{width}"),
    }
}
