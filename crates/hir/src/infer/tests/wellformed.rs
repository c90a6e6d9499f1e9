//! A test of chains that are too long to be read.

use relax::Severity;

use super::render;

#[test]
fn an_overlong_chain_is_reported_once() {
    for link in [".a", " + x", "[0]"] {
        let chain = link.repeat(1000);
        let text = format!(
            "@R.function\ndef main(x: R.Tensor((4,), \"float32\")):\n    y = x{chain}\n    return x\n"
        );
        let found = render(&text, Severity::Warning);
        let reports: Vec<&str> = found
            .lines()
            .filter(|it| it.contains("unsupported-statement"))
            .collect();
        assert_eq!(reports.len(), 1, "{link}: {found}");
    }
}
