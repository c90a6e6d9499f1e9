//! The releases of TVM that a file may be written for.

use relax::release::Releases;

use crate::analysis::{Analysis, Cancellable};
use crate::types::FileId;

impl Analysis {
    /// Returns the target release, or the releases that support everything the file uses. `None` if the file does not
    /// exist.
    pub fn releases(&self, file: FileId) -> Cancellable<Option<Releases>> {
        self.with_file(file, |db, file| Some(hir::file_releases(db, file)))
    }
}

#[cfg(test)]
mod tests {
    use relax::Release;

    use crate::{Analysis, Config};

    #[test]
    fn a_target_is_the_only_release() {
        let text = "from tvm.script import relax as R, tirx as T\n";
        let releases = |target| {
            let (analysis, file) = Analysis::from_single_file(text, Config { target });
            let found = analysis.releases(file).unwrap().unwrap();
            (found.since.name(), found.until.name())
        };
        assert_eq!(releases(None), ("0.24", "0.27"));
        assert_eq!(releases(Some(Release::V0_19)), ("0.19", "0.19"));
    }
}
