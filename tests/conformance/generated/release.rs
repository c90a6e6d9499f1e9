//! How programs are written for a release of TVM.

use relax::dialect::Dialect;
use relax::release::Release;

/// The oldest release that programs are made up for.
const OLDEST: Release = Release::V0_25;

/// The release that `tvm.__version__` names, where programs can be made up for it.
pub fn of_version(version: &str) -> Option<Release> {
    Release::from_version(version).filter(|it| *it >= OLDEST)
}

/// The words of a release.
pub trait Words: Copy {
    /// Whether it has Types where older releases have StructInfo.
    fn has_types(self) -> bool;

    /// The keyword for what a call of a PrimFunc gives.
    fn out(self) -> &'static str {
        if self.has_types() {
            "out_ty"
        } else {
            "out_sinfo"
        }
    }

    /// The keyword for what a call of a packed function gives.
    fn args(self) -> &'static str {
        if self.has_types() {
            "ty_args"
        } else {
            "sinfo_args"
        }
    }

    /// The annotation of any value.
    fn any(self) -> &'static str {
        if self.has_types() {
            "R.Any"
        } else {
            "R.Object"
        }
    }
}

impl Words for Release {
    fn has_types(self) -> bool {
        self.dialect() == Dialect::Type
    }
}
