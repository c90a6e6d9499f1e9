//! The link of a diagnostic's code to its documentation page: at an address that the client shows itself, or as a
//! file, which every client can open.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use ide::diagnostics::page;
use lsp_types::Uri;
use rustc_hash::FxHashMap;
use tracing::warn;

use crate::scratch::{self, Scratch};
use crate::uri;

/// The placeholder for the code in the address that a client gives as `experimental.pages`.
const CODE: &str = "{code}";

#[derive(Clone, Debug, Default)]
pub enum Pages {
    /// The client does not support links.
    #[default]
    Unwanted,
    /// The client's own address, with a placeholder for the code.
    Shown(Arc<str>),
    Files(Arc<Files>),
}

impl Pages {
    pub fn address(&self, code: &'static str) -> Option<Uri> {
        match self {
            Pages::Unwanted => None,
            Pages::Shown(address) => address.replace(CODE, code).parse().ok(),
            Pages::Files(files) => files.address(code),
        }
    }

    /// Deletes the files, even if other clones of these pages are alive.
    pub fn close(&self) {
        if let Pages::Files(files) = self {
            files.close();
        }
    }
}

/// The files of linked pages, in a folder that is deleted when this is dropped or closed.
#[derive(Debug, Default)]
pub struct Files(Mutex<Written>);

#[derive(Debug, Default)]
struct Written {
    folder: Option<Scratch>,
    pages: FxHashMap<&'static str, Option<Uri>>,
    closed: bool,
}

impl Files {
    fn address(&self, code: &'static str) -> Option<Uri> {
        let mut written = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = written.pages.get(code) {
            return known.clone();
        }
        let address = written.write(code).and_then(|path| uri::of_path(&path));
        written.pages.insert(code, address.clone());
        address
    }

    fn close(&self) {
        let mut written = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *written = Written {
            closed: true,
            ..Written::default()
        };
    }
}

impl Written {
    fn write(&mut self, code: &str) -> Option<PathBuf> {
        if self.closed {
            return None;
        }
        if self.folder.is_none() {
            let problem =
                |error| warn!(%error, "there is no place for the pages about diagnostics");
            self.folder = Scratch::new().map_err(problem).ok();
        }
        let path = self.folder.as_ref()?.path().join(format!("{code}.md"));
        scratch::write(&path, page(code)?.markdown()).ok()?;
        Some(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_a_file_until_the_session_ends() {
        let pages = Pages::Files(Arc::default());
        let address = pages.address("shape-mismatch").unwrap();
        let path = uri::path(&address).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("# shape-mismatch\n"), "{text}");
        assert_eq!(pages.address("shape-mismatch"), Some(address));
        let elsewhere = pages.clone();
        pages.close();
        assert!(!path.exists());
        assert_eq!(elsewhere.address("rank-mismatch"), None);
    }

    #[test]
    fn codes_without_a_page_have_no_address() {
        assert_eq!(Pages::Files(Arc::default()).address("no-such-code"), None);
        assert_eq!(Pages::Unwanted.address("shape-mismatch"), None);
    }
}
