//! Where the code of a diagnostic leads: to the page about it, which the client's own command shows, or else a
//! file, since that is what every client can open.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use ide::diagnostics::page;
use lsp_types::Uri;
use rustc_hash::FxHashMap;
use tempfile::TempDir;
use tracing::warn;

use crate::to_proto;

/// What a client names among `experimental.commands` if it shows pages itself.
pub const EXPLAIN: &str = "relax.explain";

#[derive(Clone, Debug, Default)]
pub enum Pages {
    /// The client follows no links.
    #[default]
    Unwanted,
    /// The client's command, with the code as its argument.
    Command,
    Files(Arc<Files>),
}

impl Pages {
    pub fn address(&self, code: &'static str) -> Option<Uri> {
        match self {
            Pages::Unwanted => None,
            Pages::Command => format!("command:{EXPLAIN}?%5B%22{code}%22%5D").parse().ok(),
            Pages::Files(files) => files.address(code),
        }
    }
}

/// The pages that somebody was told of, in a folder that is gone when this is.
#[derive(Debug, Default)]
pub struct Files {
    folder: OnceLock<Option<TempDir>>,
    written: Mutex<FxHashMap<&'static str, Option<Uri>>>,
}

impl Files {
    fn address(&self, code: &'static str) -> Option<Uri> {
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        let write = || to_proto::uri(&self.write(code)?);
        written.entry(code).or_insert_with(write).clone()
    }

    fn write(&self, code: &str) -> Option<PathBuf> {
        let folder = self.folder.get_or_init(|| {
            let made = tempfile::Builder::new().prefix("relax-lsp-").tempdir();
            let problem =
                |error| warn!(%error, "there is no place for the pages about diagnostics");
            made.map_err(problem).ok()
        });
        let path = folder.as_ref()?.path().join(format!("{code}.md"));
        std::fs::write(&path, page(code)?.markdown()).ok()?;
        Some(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::from_proto;

    #[test]
    fn a_page_is_a_file_until_nobody_can_ask_for_it() {
        let pages = Pages::Files(Arc::default());
        let address = pages.address("shape-mismatch").unwrap();
        let path = from_proto::path(&address).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("## shape-mismatch\n"), "{text}");
        assert_eq!(pages.address("shape-mismatch"), Some(address));
        drop(pages);
        assert!(!path.exists());
    }

    #[test]
    fn what_has_no_page_has_no_address() {
        assert_eq!(Pages::Files(Arc::default()).address("no-such-code"), None);
        assert_eq!(Pages::Unwanted.address("shape-mismatch"), None);
    }
}
