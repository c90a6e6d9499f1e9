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

/// Spellings that tell a dialect: a file is of the dialect with most of them. A row is the text, the dialect,
/// and how much it counts.
const MARKERS: &[(&str, Dialect, usize)] = &[
    ("tirx", Dialect::Type, 2),
    ("TypeVar(", Dialect::Type, 3),
    ("out_ty=", Dialect::Type, 3),
    ("ty_args=", Dialect::Type, 3),
    ("R.Any", Dialect::Type, 3),
    ("T.sblock", Dialect::Type, 2),
    ("s_tir=True", Dialect::Type, 3),
    ("I.meta_var", Dialect::Type, 3),
    ("I.pyfunc", Dialect::Type, 3),
    ("out_sinfo=", Dialect::StructInfo, 3),
    ("sinfo_args=", Dialect::StructInfo, 3),
    ("import tir as T", Dialect::StructInfo, 3),
    ("import tir,", Dialect::StructInfo, 1),
    ("tvm import tir", Dialect::StructInfo, 2),
    ("tir as T", Dialect::StructInfo, 2),
    ("T.block(", Dialect::StructInfo, 2),
    ("struct_info", Dialect::StructInfo, 1),
    ("R.match_shape(", Dialect::Rfc, 4),
    ("R.outputs(", Dialect::Rfc, 4),
    ("R.Tensor[", Dialect::Rfc, 4),
    ("@R.func\n", Dialect::Rfc, 4),
];

/// How much of a file's beginning shows its dialect.
const DETECT_BYTES: usize = 64 * 1024;

/// The dialect that the spellings of a text show; the newest where none does.
pub fn detect(text: &str) -> Dialect {
    let mut end = text.len().min(DETECT_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let head = &text[..end];
    let mut scores = [0usize; 3];
    for (marker, dialect, weight) in MARKERS {
        scores[*dialect as usize] += head.matches(marker).take(50).count() * weight;
    }
    let best = scores.iter().copied().max().unwrap_or(0);
    if best == 0 {
        return Dialect::default();
    }
    Dialect::ALL
        .into_iter()
        .rev()
        .find(|d| scores[*d as usize] == best)
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_without_marks_is_of_the_newest_dialect() {
        assert_eq!(detect("x = R.add(a, b)"), Dialect::Type);
    }

    #[test]
    fn spellings_tell_the_dialect() {
        assert_eq!(
            detect("R.call_tir(f, (x,), out_sinfo=R.Tensor((4,)))"),
            Dialect::StructInfo
        );
        assert_eq!(detect("n = TypeVar(\"n\")"), Dialect::Type);
        assert_eq!(
            detect("def f(x: R.Tensor[(n,), \"float32\"])"),
            Dialect::Rfc
        );
    }
}
