//! `--format gitlab`: GitLab's Code Quality report.

use std::collections::HashMap;
use std::hash::Hasher;

use ide::Severity;
use rustc_hash::FxHasher;
use serde_json::{Value, json};

use super::FileReport;

pub fn render(reports: &[FileReport]) -> Value {
    let mut seen = HashMap::<u64, u64>::new();
    let mut issues: Vec<Value> = Vec::new();
    for report in reports {
        let path = report.repository_path();
        for diagnostic in &report.diagnostics {
            let span = report.span(diagnostic.range);
            // Hash the content, not the line: GitLab compares fingerprints to find new issues.
            let mut hash = FxHasher::default();
            for part in [&path, diagnostic.code, &diagnostic.message] {
                hash.write(part.as_bytes());
                hash.write_u8(0);
            }
            let same = seen.entry(hash.finish()).or_default();
            *same += 1;
            hash.write_u64(*same);
            issues.push(json!({
                "description": diagnostic.message,
                "check_name": diagnostic.code,
                "fingerprint": format!("{:016x}", hash.finish()),
                "severity": match diagnostic.severity {
                    Severity::Error => "major",
                    Severity::Warning => "minor",
                    Severity::Hint => "info",
                },
                "location": {
                    "path": path.strip_prefix("./").unwrap_or(&path),
                    "positions": {
                        "begin": {"line": span.line, "column": span.col},
                        "end": {"line": span.end_line, "column": span.end_col},
                    },
                },
            }));
        }
    }
    issues.into()
}
