//! The releases of TVM whose TVMScript is supported, and intervals of releases.
//!
//! A new release is one row below. What it adds and removes is data in other tables.

#[cfg(test)]
mod manual;
mod meanings;
pub mod python;
#[cfg(test)]
mod recorded;
mod renames;
mod spellings;

use crate::dialect::Dialect;

pub use meanings::{Meaning, meanings};
pub use renames::{
    ATTRIBUTES, BUILTINS, FIELDS, FUNCTIONS_FOR_CLASSES, GATES, KEYWORDS, MERGED, REMOVED, RENAMES,
    Rename, UNCERTAIN_FIELDS, renamed,
};
pub use spellings::{First, Form, OutOfRange, SPELLINGS, Spelling, spellings};

macro_rules! releases {
    ($($(#[$doc:meta])* $release:ident: $name:literal, $title:literal, $dialect:ident;)*) => {
        /// One release of TVM, oldest first.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Release {
            $($(#[$doc])* $release,)*
        }

        impl Release {
            pub const ALL: [Release; [$($name),*].len()] = [$(Release::$release),*];

            /// Returns the name in settings, on the command line and in messages: `0.25`.
            pub const fn name(self) -> &'static str {
                match self { $(Release::$release => $name,)* }
            }

            /// Returns the name for running text.
            pub const fn title(self) -> &'static str {
                match self { $(Release::$release => $title,)* }
            }

            /// Returns the dialect of its StructInfo.
            pub const fn dialect(self) -> Dialect {
                match self { $(Release::$release => Dialect::$dialect,)* }
            }
        }
    };
}

releases! {
    /// The RFC that proposed Relax for TVM, and the versions that mlc-ai and tlc-pack used in 2022.
    Rfc: "rfc", "the RFC of 2022", Rfc;
    /// The branch on which Relax was developed before TVM 0.16.
    Unity: "unity", "the unity branch of 2023", StructInfo;
    V0_16: "0.16", "TVM 0.16", StructInfo;
    V0_17: "0.17", "TVM 0.17", StructInfo;
    V0_18: "0.18", "TVM 0.18", StructInfo;
    V0_19: "0.19", "TVM 0.19", StructInfo;
    V0_20: "0.20", "TVM 0.20", StructInfo;
    V0_21: "0.21", "TVM 0.21", StructInfo;
    V0_22: "0.22", "TVM 0.22", StructInfo;
    V0_23: "0.23", "TVM 0.23", StructInfo;
    V0_24: "0.24", "TVM 0.24", StructInfo;
    V0_25: "0.25", "TVM 0.25", StructInfo;
    V0_26: "0.26", "TVM 0.26", Type;
    V0_27: "0.27", "TVM 0.27", Type;
}

impl Release {
    pub const OLDEST: Release = Release::ALL[0];
    pub const NEWEST: Release = Release::ALL[Release::ALL.len() - 1];

    pub fn from_name(name: &str) -> Option<Release> {
        Release::ALL.into_iter().find(|it| it.name() == name)
    }

    /// Returns the release of a package version such as `0.25.0.post1`. A newer version counts as the newest release.
    pub fn from_version(version: &str) -> Option<Release> {
        let mut parts = version.trim().trim_start_matches('v').split('.');
        let (major, minor) = (parts.next()?, parts.next().unwrap_or_default());
        let digits = minor.len() - minor.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let number: (u32, u32) = (major.parse().ok()?, minor[..digits].parse().ok()?);
        let newest = Release::NEWEST.number()?;
        let mut known = Release::ALL.into_iter();
        known
            .find(|it| it.number() == Some(number))
            .or((number > newest).then_some(Release::NEWEST))
    }

    /// Returns the major and minor version, or `None` if there was no package.
    fn number(self) -> Option<(u32, u32)> {
        let (major, minor) = self.name().split_once('.')?;
        Some((major.parse().ok()?, minor.parse().ok()?))
    }

    /// Returns `true` if PrimFuncs use `tirx` and `T.sblock`.
    pub fn has_tirx(self) -> bool {
        self >= Release::V0_24
    }

    /// Returns `true` if `x: T.int32 = 0` declares memory, to which `x = x + 1` assigns (#19581).
    pub fn assigns_scalars(self) -> bool {
        self >= Release::V0_25
    }

    /// Returns `true` if `TypeVar` declares the shape variables of annotations.
    pub fn has_type_var(self) -> bool {
        self >= Release::V0_27
    }

    /// Returns `true` if a string has a type of its own. Before, it is an object.
    pub fn has_string_type(self) -> bool {
        self >= Release::V0_27
    }

    /// Returns `true` if TVM checks annotations against values, and calls of PrimFuncs against their buffers (#17285,
    /// #17331, #17332).
    pub fn compares_struct_info(self) -> bool {
        self >= Release::V0_18
    }

    /// Returns `true` if functions are always accessed through their module, and packed functions have their own call
    /// operators (#14276, #14183).
    pub fn names_modules(self) -> bool {
        self >= Release::V0_16
    }

    /// Returns `true` if TVM always tracks side effects. The unity branch only does so in later versions (#14394).
    pub fn has_purity(self) -> bool {
        self >= Release::V0_16
    }

    /// Returns `true` if a buffer must be declared by a statement before its elements are used (#18843). Two
    /// releases only require this in functions made of schedulable blocks.
    pub fn declares_buffers(self, s_tir: bool) -> bool {
        let asks_all = !matches!(self, Release::V0_25 | Release::V0_26);
        self >= Release::V0_24 && (s_tir || asks_all)
    }

    /// Returns `true` if what a block reads and writes may not name scalars that the block declares.
    pub fn lists_scalars_of_blocks(self) -> bool {
        self >= Release::V0_26
    }

    /// Returns `true` if no variable of a dataflow block may have a type that names another; before, this holds for the
    /// outputs.
    pub fn checks_types_in_dataflow(self) -> bool {
        self >= Release::V0_26
    }

    /// Returns `true` if functions made of schedulable blocks must be declared with `s_tir=True`.
    pub fn declares_blocks(self) -> bool {
        self >= Release::V0_25
    }

    pub fn next(self) -> Option<Release> {
        Release::ALL.get(self as usize + 1).copied()
    }

    pub fn previous(self) -> Option<Release> {
        Release::ALL.get((self as usize).checked_sub(1)?).copied()
    }
}

/// The interval of releases in which something exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Releases {
    pub since: Release,
    pub until: Release,
}

impl Releases {
    pub const ALL: Releases = Releases::between(Release::OLDEST, Release::NEWEST);

    pub const fn since(since: Release) -> Releases {
        Releases::between(since, Release::NEWEST)
    }

    pub const fn until(until: Release) -> Releases {
        Releases::between(Release::OLDEST, until)
    }

    pub const fn between(since: Release, until: Release) -> Releases {
        Releases { since, until }
    }

    pub const fn only(release: Release) -> Releases {
        Releases::between(release, release)
    }

    pub fn contains(self, release: Release) -> bool {
        self.since <= release && release <= self.until
    }

    /// Returns the intersection, or `None` if it is empty.
    pub fn and(self, other: Releases) -> Option<Releases> {
        let common = Releases {
            since: self.since.max(other.since),
            until: self.until.min(other.until),
        };
        (common.since <= common.until).then_some(common)
    }

    /// Returns the first release, unless it is the first of all.
    pub fn first(self) -> Option<Release> {
        (self.since > Release::OLDEST).then_some(self.since)
    }

    /// Returns a sentence about when it exists, or `None` if it always does.
    pub fn sentence(self) -> Option<String> {
        let (since, until) = (self.since.title(), self.until.title());
        match (self.first(), self.last()) {
            (None, None) => None,
            (Some(_), None) => Some(format!("Since {since}.")),
            (None, Some(Release::OLDEST)) => Some(format!("Only in {until}.")),
            (None, Some(_)) => Some(format!("Until {until}.")),
            (Some(_), Some(_)) if since == until => Some(format!("Only in {until}.")),
            (Some(_), Some(_)) => Some(format!("From {since} to {until}.")),
        }
    }

    /// Returns the last release, unless it is the last of all.
    pub fn last(self) -> Option<Release> {
        (self.until < Release::NEWEST).then_some(self.until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_the_package_are_releases() {
        let cases = [
            ("0.25.0.post1", Some(Release::V0_25)),
            ("0.16", Some(Release::V0_16)),
            ("v0.27.dev0", Some(Release::V0_27)),
            ("0.24rc1", Some(Release::V0_24)),
            ("1.3", Some(Release::NEWEST)),
            ("0.8.0", None),
            ("rfc", None),
        ];
        for (version, release) in cases {
            assert_eq!(Release::from_version(version), release, "{version}");
        }
    }

    #[test]
    fn intervals_meet_or_contradict_each_other() {
        let tirx = Releases::since(Release::V0_24);
        let sinfo = Releases::until(Release::V0_25);
        let both = Releases::between(Release::V0_24, Release::V0_25);
        assert_eq!(tirx.and(sinfo), Some(both));
        assert_eq!(both.and(Releases::since(Release::V0_26)), None);
        assert_eq!(Release::from_name("unity"), Some(Release::Unity));
    }
}
