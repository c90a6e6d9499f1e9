//! How programs are written for a release of TVM.

use relax::dialect::Dialect;
use relax::release::Release;

/// The oldest release for which programs are generated.
const OLDEST: Release = Release::V0_25;

/// Returns the release that `tvm.__version__` names, if programs can be generated for it.
pub fn of_version(version: &str) -> Option<Release> {
    Release::from_version(version).filter(|it| *it >= OLDEST)
}

/// The spellings of a release.
pub trait Words: Copy {
    /// Whether the release has Types in place of StructInfo.
    fn has_types(self) -> bool;

    /// The keyword for the result of a call of a PrimFunc.
    fn out(self) -> &'static str {
        if self.has_types() {
            "out_ty"
        } else {
            "out_sinfo"
        }
    }

    /// The keyword for the result of a call of a packed function.
    fn args(self) -> &'static str {
        if self.has_types() {
            "ty_args"
        } else {
            "sinfo_args"
        }
    }

    /// The annotation that accepts any value.
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
