//! `relax.release`: the releases of TVM that a document may be written for, and the evidence.

use lsp_types::Uri;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::session::{Refusal, Snapshot};

#[derive(Deserialize)]
pub struct ReleaseArguments {
    uri: Uri,
}

pub fn answer(snapshot: &Snapshot, arguments: ReleaseArguments) -> Result<Value, Refusal> {
    let Some(document) = snapshot.document(&arguments.uri) else {
        return Ok(Value::Null);
    };
    let Some(releases) = snapshot.analysis.releases(document.file)? else {
        return Ok(Value::Null);
    };
    let target = match (snapshot.config.target, &document.target) {
        (Some(release), _) => Some((release, "the setting `relax.tvm`".to_owned())),
        (None, Some(target)) => Some((target.release, target.origin.to_string())),
        (None, None) => None,
    };
    Ok(json!({
        "since": releases.since.name(),
        "until": releases.until.name(),
        "target": target.map(|(release, origin)| json!({"release": release.name(), "origin": origin})),
    }))
}
