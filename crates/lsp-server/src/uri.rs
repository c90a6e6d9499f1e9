//! Conversions between paths and the protocol's URIs.

use std::path::{Path, PathBuf};

use ide::Language;
use lsp_types::{InitializeParams, Uri};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use crate::sources;

/// Characters that need no escape in the path of a URI.
const PATH: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// Returns the path of a `file:` URI.
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

/// Returns the `file:` URI of an absolute path.
pub fn of_path(path: &Path) -> Option<Uri> {
    let path = path.to_str()?;
    // On Windows, a path starts with a drive: `/c%3A/models`.
    let path = if cfg!(windows) {
        format!("/{}", path.replace('\\', "/"))
    } else {
        path.to_owned()
    };
    let path = utf8_percent_encode(&path, PATH);
    format!("file://{path}").parse().ok()
}

/// Returns a path for reports: a `file:` URI if it is absolute, otherwise a reference relative to the working
/// directory.
pub fn reference(path: &Path) -> String {
    if path.is_absolute()
        && let Some(uri) = of_path(path)
    {
        return uri.as_str().to_owned();
    }
    let path = path.to_string_lossy().replace('\\', "/");
    let path = path.strip_prefix("./").unwrap_or(&path);
    utf8_percent_encode(path, PATH).to_string()
}

/// Returns the language of a document, by its name or by the client's language id. VS Code opens the cells of a
/// notebook as separate documents.
pub fn language(uri: &Uri, id: &str) -> Language {
    if uri.as_str().starts_with("vscode-notebook-cell:") {
        Language::Cell
    } else if id == "tvm-relay" {
        Language::Relay
    } else {
        sources::language(Path::new(uri.path().as_str()))
    }
}

/// Returns the client's folders: those of the workspace, or the root folder of an older client.
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

    #[test]
    fn reports_name_any_path_by_a_uri() {
        assert_eq!(
            reference(Path::new("./a b/é%#.py")),
            "a%20b/%C3%A9%25%23.py"
        );
        let absolute = if cfg!(windows) {
            "C:\\a b.py"
        } else {
            "/a b.py"
        };
        let uri = reference(Path::new(absolute));
        assert!(
            uri.starts_with("file:///") && uri.ends_with("a%20b.py"),
            "{uri}"
        );
    }

    fn of(uri: &str) -> Option<PathBuf> {
        path(&uri.parse().unwrap())
    }

    #[test]
    fn a_path_comes_back_from_its_uri() {
        let path = PathBuf::from(if cfg!(windows) {
            "C:/a b/é.py"
        } else {
            "/a b/é%.py"
        });
        let uri = of_path(&path).unwrap();
        assert!(uri.as_str().starts_with("file:///"), "{}", uri.as_str());
        assert_eq!(super::path(&uri), Some(path));
    }

    #[test]
    fn escapes_are_decoded() {
        assert_eq!(of("file:///a%20b/%C3%A9.py"), Some("/a b/é.py".into()));
    }

    #[test]
    fn other_uri_schemes_have_no_path() {
        assert_eq!(of("untitled:Untitled-1"), None);
        assert_eq!(of("file://server/share/f.py"), None);
    }
}
