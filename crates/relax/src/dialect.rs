//! The dialects in which releases of TVM write StructInfo. [`Release`](crate::release::Release) says which dialect it
//! uses, and determines what exists and what it means.

/// How StructInfo is written, oldest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dialect {
    /// The syntax of the Relax upstreaming RFC of 2022.
    Rfc,
    /// The unity branch, and TVM 0.16 to 0.25.
    StructInfo,
    /// TVM 0.26 and later.
    #[default]
    Type,
}

impl Dialect {
    pub const ALL: [Dialect; 3] = [Dialect::Rfc, Dialect::StructInfo, Dialect::Type];

    /// Returns the name used in `facts`.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Rfc => "rfc",
            Dialect::StructInfo => "struct-info",
            Dialect::Type => "type",
        }
    }
}
