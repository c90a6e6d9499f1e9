//! The vocabularies in which releases of TVM write StructInfo. What exists when, and what it means, is a matter of
//! [`Release`](crate::release::Release), which says its dialect.

/// How StructInfo is written and shown, oldest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dialect {
    /// The syntax of the Relax upstreaming RFC of 2022.
    Rfc,
    /// The unity branch, and TVM 0.16 to 0.25.
    StructInfo,
    /// TVM 0.26 on.
    #[default]
    Type,
}

impl Dialect {
    pub const ALL: [Dialect; 3] = [Dialect::Rfc, Dialect::StructInfo, Dialect::Type];

    /// The name used in `facts`.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Rfc => "rfc",
            Dialect::StructInfo => "struct-info",
            Dialect::Type => "type",
        }
    }
}
