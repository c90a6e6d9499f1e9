//! Reports an unknown name, and suggests the one that was probably meant.

use relax::nearest_name::did_you_mean;
use relax::{Code, Diagnostic};
use smol_str::SmolStr;
use text_size::TextRange;

/// Returns the report. `near` is the suggested name, as the text would write it.
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
