//! Tests of the work that comments cause. What they silence, `tests/cases/ignores.md` says.

use crate::fixture::{Fixture, IMPORTS};

#[test]
fn consecutive_comments_take_linear_time() {
    let header = "@R.function\ndef f(x: R.Tensor((4,), \"float32\")):\n";
    let comments = "    # relax: ignore[undefined-name]\n".repeat(20_000);
    let fixture = Fixture::new(&format!("{IMPORTS}{header}{comments}    return y\n"));
    let found = fixture.analysis.diagnostics(fixture.file).unwrap();
    assert_eq!(found.len(), 19_999);
}
