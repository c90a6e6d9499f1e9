//! The three dialects of TVMScript, the range of dialects in which something exists, and which one a file shows.

mod spellings;

use std::borrow::Cow;

pub use spellings::{Elsewhere, Form, SPELLINGS, Spelling, spellings};

/// One dialect of TVMScript, oldest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dialect {
    /// The syntax of the Relax upstreaming RFC of 2022.
    Rfc,
    /// TVM 0.11 to 0.25.
    StructInfo,
    /// TVM 0.26 on.
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

    /// The releases of TVM that read it.
    pub fn releases(self) -> &'static str {
        match self {
            Dialect::Rfc => "the RFC of 2022",
            Dialect::StructInfo => "TVM 0.11 to 0.25",
            Dialect::Type => "TVM 0.26 on",
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
    /// Until TVM 0.25.
    pub const UNTIL_STRUCT_INFO: Dialects = Dialects {
        since: Dialect::Rfc,
        until: Dialect::StructInfo,
    };
    /// TVM 0.11 to 0.25 only.
    pub const STRUCT_INFO: Dialects = Dialects {
        since: Dialect::StructInfo,
        until: Dialect::StructInfo,
    };
    /// Since TVM 0.11.
    pub const SINCE_STRUCT_INFO: Dialects = Dialects {
        since: Dialect::StructInfo,
        until: Dialect::Type,
    };
    /// Since TVM 0.26.
    pub const SINCE_TYPE: Dialects = Dialects {
        since: Dialect::Type,
        until: Dialect::Type,
    };

    pub fn contains(self, dialect: Dialect) -> bool {
        self.since <= dialect && dialect <= self.until
    }
}

/// How much of a file's beginning shows its dialect.
const DETECT_BYTES: usize = 64 * 1024;

/// The part of a text that shows its dialect.
pub fn head(text: &str) -> &str {
    let mut end = text.len().min(DETECT_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// The dialect that the spellings of a text show; the newest where none does.
pub fn detect(text: &str) -> Dialect {
    let head = head(text);
    let names = NAMED.map(|(letter, modules)| (letter, name_of(head, letter, modules)));
    let mut scores = [0usize; 3];
    // A file with `tirx` may be of the newest release, which takes older names.
    let newest = head.contains("tirx");
    for spelling in spellings() {
        for (mark, weight) in spelling.marks {
            let mark = by_names(mark, &names);
            let shown = head.matches(&*mark).take(50).count() * weight;
            for dialect in Dialect::ALL {
                let accepted = newest
                    && spelling.elsewhere == Elsewhere::Accepted
                    && dialect > spelling.dialects.until;
                if accepted || spelling.is_read_in(dialect) {
                    scores[dialect as usize] += shown;
                }
            }
        }
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

/// What most files call the namespaces of TVMScript, and the modules that these are.
const NAMED: [(&str, &[&str]); 3] = [("R", &["relax"]), ("T", &["tirx", "tir"]), ("I", &["ir"])];

/// What the imports of a text call a namespace.
fn name_of<'t>(head: &'t str, letter: &'static str, modules: &[&str]) -> &'t str {
    let imported = |module: &&str| {
        let import = format!("{module} as ");
        let mut names = head.match_indices(&import).filter_map(|(at, import)| {
            let line = head[..at].rsplit('\n').next().unwrap_or_default();
            let whole = line.contains("script") && line.ends_with([' ', ',', '.']);
            let rest = &head[at + import.len()..];
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
            whole.then(|| &rest[..end.unwrap_or(rest.len())])
        });
        let first = names.next()?;
        (first != letter && names.all(|it| it != letter)).then_some(first)
    };
    modules.iter().find_map(imported).unwrap_or(letter)
}

/// A mark in a text that has other names for `R`, `T` and `I`.
fn by_names<'m>(mark: &'m str, names: &[(&str, &str)]) -> Cow<'m, str> {
    for (letter, name) in names.iter().filter(|(letter, name)| letter != name) {
        let mark = mark
            .strip_prefix('@')
            .map_or(("", mark), |rest| ("@", rest));
        if let Some(rest) = mark.1.strip_prefix(letter).filter(|it| it.starts_with('.')) {
            return format!("{}{name}{rest}", mark.0).into();
        }
        if let Some(import) = mark
            .1
            .strip_suffix(letter)
            .filter(|it| it.ends_with(" as "))
        {
            return format!("{import}{name}").into();
        }
    }
    mark.into()
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use expect_test::expect_file;

    use super::*;

    #[test]
    fn each_spelling_stands_once_and_marks_tell_dialects_apart() {
        let mut shown: Vec<&str> = spellings().map(|row| row.shown).collect();
        shown.sort_unstable();
        let all = shown.len();
        shown.dedup();
        assert_eq!(shown.len(), all);
        for row in spellings() {
            let tells = row.dialects != Dialects::ALL;
            assert!(row.marks.is_empty() || tells, "{}", row.shown);
            assert!(row.dialects.since <= row.dialects.until, "{}", row.shown);
        }
    }

    #[test]
    fn other_names_for_the_namespaces_show_the_same_dialect() {
        let by_letters = "from tvm.script import relax as R, tir as T\ny: R.Object = x\n";
        assert_eq!(detect(by_letters), Dialect::StructInfo);
        let by_names = "from tvm.script import relax as rx, tir as tx\ny: rx.Object = x\n";
        assert_eq!(detect(by_names), Dialect::StructInfo);
        let both = "from tvm import relax as rx\nfrom tvm.script import relax as r\n@r.func\n";
        assert_eq!(detect(both), Dialect::Rfc);
        assert_eq!(
            detect("from tvm.script import relax as rx\n@rx.func\n"),
            Dialect::Rfc
        );
    }

    #[test]
    fn dialects_md_is_what_the_table_says() {
        let mut text = String::from(
            "# Dialects of TVMScript\n\n\
             TVMScript changed twice. `relax-lsp` reads all three dialects with one grammar, detects the one of a file by \
             its spellings (or takes the setting `relax.dialect`), and says where a spelling is of another \
             (`other-dialect`, `ignored-argument`). Generated from `crates/relax/src/dialect/spellings.rs`.\n\n",
        );
        for dialect in Dialect::ALL {
            let _ = writeln!(text, "- `{}`: {}", dialect.name(), dialect.releases());
        }
        for (title, rows) in SPELLINGS {
            let _ = write!(
                text,
                "\n## {title}\n\n| Spelling | Meaning | Since | Until | Elsewhere |\n|---|---|---|---|---|\n"
            );
            for row in *rows {
                let mut elsewhere = match (row.dialects == Dialects::ALL, row.elsewhere) {
                    (true, _) | (false, Elsewhere::Refused) => String::new(),
                    (false, Elsewhere::Ignored) => "ignored".to_owned(),
                    (false, Elsewhere::Accepted) => "accepted".to_owned(),
                };
                if !row.instead.is_empty() {
                    let comma = if elsewhere.is_empty() { "" } else { "; " };
                    let _ = write!(elsewhere, "{comma}`{}`", row.instead);
                }
                let cells = [row.meaning, row.since(), row.until(), &elsewhere].join(" | ");
                let _ = writeln!(text, "| `{}` | {cells} |", row.shown);
            }
        }
        expect_file!["../../../docs/dialects.md"].assert_eq(&text);
    }

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
        let rfc =
            "from tvm.script import relax as R, tir as T\ndef f(x: R.Tensor[(n,), \"float32\"])";
        assert_eq!(detect(rfc), Dialect::Rfc);
        // One old spelling in a newer file is a mistake in that.
        let newer = "from tvm.script import relax as R, tir as T\nx: R.Tensor((4,), \"float32\")\nR.match_shape(x, (n,))\nR.output(x)";
        assert_eq!(detect(newer), Dialect::StructInfo);
    }
}
