//! A difference as JSON.

use ide::difference::Difference;
use serde_json::{Value, json};

use crate::compilation::json;
use crate::compilation::sides::Side;

pub fn render(difference: &Difference, before: &Side, after: &Side) -> Value {
    let files = json!({"before": before.path, "after": after.path});
    let found = json::difference(
        difference,
        &|range| json::line_and_column(&before.lines, range),
        &|range| json::line_and_column(&after.lines, range),
    );
    json::with(files, found)
}
