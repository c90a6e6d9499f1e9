//! The report of a name that does not exist, with the one that was probably meant.

use relax::near::did_you_mean;
use relax::{Code, Diagnostic};
use smol_str::SmolStr;
use text_size::TextRange;

/// `near` is the name that was meant, as the text writes it.
pub(super) fn unknown_name(
    code: Code,
    range: TextRange,
    message: String,
    near: Option<SmolStr>,
) -> Diagnostic {
    let hint = did_you_mean(near.as_ref());
    let mut diagnostic = Diagnostic::new(code, range, message + &hint);
    diagnostic.instead = near.map(|near| (range, near));
    diagnostic
}
