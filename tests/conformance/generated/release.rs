//! The release of TVM for which programs are written.

use relax::dialect::Dialect;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Release {
    V25,
    V26,
    V27,
}

impl Release {
    /// The release that `tvm.__version__` names.
    pub fn of(version: &str) -> Option<Release> {
        let minor = version.strip_prefix("0.")?.split('.').next()?;
        match minor {
            "25" => Some(Release::V25),
            "26" => Some(Release::V26),
            "27" => Some(Release::V27),
            _ => None,
        }
    }

    /// Whether it has Types where older releases have StructInfo.
    pub fn has_types(self) -> bool {
        self >= Release::V26
    }

    pub fn dialect(self) -> Dialect {
        if self.has_types() {
            Dialect::Type
        } else {
            Dialect::StructInfo
        }
    }

    /// The keyword for what a call of a PrimFunc gives.
    pub fn out(self) -> &'static str {
        if self.has_types() {
            "out_ty"
        } else {
            "out_sinfo"
        }
    }

    /// The keyword for what a call of a packed function gives.
    pub fn args(self) -> &'static str {
        if self.has_types() {
            "ty_args"
        } else {
            "sinfo_args"
        }
    }

    /// The annotation of any value.
    pub fn any(self) -> &'static str {
        if self.has_types() {
            "R.Any"
        } else {
            "R.Object"
        }
    }
}
