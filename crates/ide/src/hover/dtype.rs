//! Hover for dtypes: bits, limits, precision.

use relax::dtype::{Code, DType, Tiny};

use super::code;
use crate::markdown::{Markdown, markdown};

/// The largest finite value of a float, and the distance from 1 to the next value.
struct Limits {
    largest: &'static str,
    step: &'static str,
}

const fn limits(largest: &'static str, step: &'static str) -> Limits {
    Limits { largest, step }
}

/// Returns Markdown about a dtype.
pub fn page(dtype: DType) -> Markdown {
    let bits = u32::from(dtype.bits);
    let what = match dtype.code {
        Code::Bool => "true or false".into(),
        Code::Handle => "a pointer".into(),
        Code::Void => "no value".into(),
        Code::Python => "a value that only Python knows".into(),
        Code::Int if (1..=64).contains(&bits) => {
            let top = 1_i128 << (bits - 1);
            markdown!("whole numbers from {} to {}", -top, top - 1)
        }
        Code::UInt if (1..=64).contains(&bits) => {
            markdown!("whole numbers from 0 to {}", (1_i128 << bits) - 1)
        }
        Code::Int | Code::UInt => "whole numbers".into(),
        Code::Float | Code::BFloat | Code::Tiny(_) => match float(dtype) {
            Some(Limits { largest, step }) => {
                markdown!(
                    "floats up to ±{}, next to 1 at a distance of {}",
                    largest,
                    step
                )
            }
            None => "floats".into(),
        },
    };
    let lanes = match dtype.lanes {
        1 => Markdown::default(),
        lanes => markdown!("{} lanes of ", u32::from(lanes)),
    };
    let unit = if bits == 1 && dtype.is_bool() {
        "1 byte".into()
    } else {
        markdown!("{} bits", bits)
    };
    let name = code(&format!("\"{dtype}\""));
    markdown!("{}{}{}, {} each", name, lanes, what, unit)
}

fn float(dtype: DType) -> Option<Limits> {
    Some(match (dtype.code, dtype.bits) {
        (Code::Float, 16) => limits("65504", "0.000977"),
        (Code::Float, 32) => limits("3.4028235e38", "1.19e-7"),
        (Code::Float, 64) => limits("1.7976931348623157e308", "2.22e-16"),
        (Code::BFloat, 16) => limits("3.39e38", "0.0078"),
        (Code::Tiny(tiny), _) => match tiny {
            Tiny::E3m4 => limits("15.5", "0.0625"),
            Tiny::E4m3 | Tiny::E4m3fnuz => limits("240", "0.125"),
            Tiny::E4m3b11fnuz => limits("30", "0.125"),
            Tiny::E4m3fn => limits("448", "0.125"),
            Tiny::E5m2 | Tiny::E5m2fnuz => limits("57344", "0.25"),
            Tiny::E8m0fnu => limits("1.7e38", "1"),
            Tiny::E2m3fn => limits("7.5", "0.125"),
            Tiny::E3m2fn => limits("28", "0.25"),
            Tiny::E2m1fn => limits("6", "0.5"),
        },
        _ => return None,
    })
}
