//! The three dialects of TVMScript and the range of dialects in which something exists.

/// One dialect of TVMScript, oldest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dialect {
    /// The syntax of the Relax upstreaming RFC of 2022.
    Rfc,
    /// TVM 0.11 to 0.24.
    StructInfo,
    /// TVM 0.25 on.
    #[default]
    Type,
}

impl Dialect {
    pub const ALL: [Dialect; 3] = [Dialect::Rfc, Dialect::StructInfo, Dialect::Type];

    /// The name used in settings, in `facts` and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Rfc => "rfc",
            Dialect::StructInfo => "struct-info",
            Dialect::Type => "type",
        }
    }

    pub fn from_name(name: &str) -> Option<Dialect> {
        Dialect::ALL.into_iter().find(|d| d.name() == name)
    }
}

/// The dialects, first and last, in which a spelling or an operator exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dialects {
    pub since: Dialect,
    pub until: Dialect,
}

impl Dialects {
    pub const ALL: Dialects = Dialects {
        since: Dialect::Rfc,
        until: Dialect::Type,
    };
    /// Until TVM 0.24.
    pub const UNTIL_STRUCT_INFO: Dialects = Dialects {
        since: Dialect::Rfc,
        until: Dialect::StructInfo,
    };
    /// TVM 0.11 to 0.24 only.
    pub const STRUCT_INFO: Dialects = Dialects {
        since: Dialect::StructInfo,
        until: Dialect::StructInfo,
    };
    /// Since TVM 0.11.
    pub const SINCE_STRUCT_INFO: Dialects = Dialects {
        since: Dialect::StructInfo,
        until: Dialect::Type,
    };
    /// Since TVM 0.25.
    pub const SINCE_TYPE: Dialects = Dialects {
        since: Dialect::Type,
        until: Dialect::Type,
    };

    pub fn contains(self, dialect: Dialect) -> bool {
        self.since <= dialect && dialect <= self.until
    }
}
