//! Formats the difference between two StructInfos for messages.

use relax::sinfo::{Aspect, Mismatch, Step};

/// Returns the difference as the end of a message that shows both sides.
pub(in crate::infer) fn because(mismatch: &Mismatch) -> String {
    match mismatch.aspect {
        // Both sides show it.
        Aspect::Kind | Aspect::Shape => String::new(),
        _ => format!(": {}", mismatch_text(mismatch)),
    }
}

/// Returns the difference in words.
pub(in crate::infer) fn mismatch_text(mismatch: &Mismatch) -> String {
    let (expected, found) = (&mismatch.expected, &mismatch.found);
    let count = |count: &str, what: &str| match count {
        "1" => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    };
    let of = match mismatch.path.last() {
        Some(Step::Field(index)) => format!(" of field {index}"),
        Some(Step::Param(index)) => format!(" of parameter {}", index + 1),
        Some(Step::Ret) => " of the result".to_owned(),
        None => String::new(),
    };
    match mismatch.aspect {
        Aspect::Rank => {
            let expected = count(expected, "dimension");
            format!("expected {expected}{of}, found {found}")
        }
        Aspect::Dim(dim) => {
            format!("dimension {dim}{of} must be `{expected}`, but it is `{found}`")
        }
        Aspect::DType if found == "unknown" => {
            format!("the dtype{of} must be `{expected}`, but it is not known")
        }
        Aspect::DType => format!("the dtype{of} must be `{expected}`, but it is `{found}`"),
        Aspect::VDevice => format!("it must be on `{expected}`, but it is on `{found}`"),
        Aspect::Arity => {
            let expected = count(expected, "part");
            format!("expected {expected}{of}, found {found}")
        }
        Aspect::Kind | Aspect::Shape | Aspect::Value | Aspect::Purity | Aspect::Placement => {
            format!("expected `{expected}`{of}, found `{found}`")
        }
    }
}
