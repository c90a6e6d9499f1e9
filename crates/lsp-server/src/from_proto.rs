//! From the protocol's types to ours.

use std::path::PathBuf;

use lsp_types::{InitializeParams, Uri};
use percent_encoding::percent_decode_str;

/// The path of a `file:` URI.
pub fn path(uri: &Uri) -> Option<PathBuf> {
    let rest = uri.as_str().strip_prefix("file://")?;
    // `file:///path` has no authority; `file://host/path` is a path on another machine.
    let path = rest.strip_prefix("localhost").unwrap_or(rest);
    let path = percent_decode_str(path).decode_utf8().ok()?;
    let drive = path
        .strip_prefix('/')
        .filter(|rest| rest.as_bytes().get(1) == Some(&b':') && cfg!(windows));
    path.starts_with('/')
        .then(|| PathBuf::from(drive.unwrap_or(&path)))
}

/// Whether a document is a cell of a notebook, which VS Code opens one by one.
pub fn is_cell(uri: &Uri) -> bool {
    uri.as_str().starts_with("vscode-notebook-cell:")
}

/// The folders that the client works in: those of the workspace, or the one root of an older client.
pub fn folders(params: &InitializeParams) -> Vec<PathBuf> {
    #[expect(
        deprecated,
        reason = "what clients send that know no workspace folders"
    )]
    let root = params.root_uri.as_ref();
    match &params.workspace_folders {
        Some(folders) => folders.iter().filter_map(|it| path(&it.uri)).collect(),
        None => root.and_then(path).into_iter().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(uri: &str) -> Option<PathBuf> {
        path(&uri.parse().unwrap())
    }

    #[test]
    fn escapes_are_decoded() {
        assert_eq!(of("file:///a%20b/%C3%A9.py"), Some("/a b/é.py".into()));
    }

    #[test]
    fn what_is_no_local_file_has_no_path() {
        assert_eq!(of("untitled:Untitled-1"), None);
        assert_eq!(of("file://server/share/f.py"), None);
    }
}
