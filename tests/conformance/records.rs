//! Compares the results of this project for a program with those of TVM: the verdict, and the StructInfo of parameters,
//! bindings and results.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use relax::notation;
use relax::sinfo::StructInfo;
use relax::sym::SymCx;
use serde_json::Value as Json;

use super::ours::{Conclusion, Function, Var};

/// The number of compared things, and the differences.
#[derive(Default)]
pub struct Tally {
    pub accepted: usize,
    pub clean: usize,
    pub rejected: usize,
    pub found: usize,
    /// Rejected programs for which TVM names a line, and how many of them have an error on that line.
    pub lined: usize,
    pub on_line: usize,
    /// Rejected programs with more than one error here.
    pub several: usize,
    pub infos: usize,
    pub agreed: usize,
    pub unknown: usize,
    /// Functions whose purity was compared, and how many of them agree.
    pub functions: usize,
    pub pure: usize,
    pub differences: Vec<Difference>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// TVM accepts the program.
    FalseAlarm,
    /// TVM rejects the program.
    NotFound,
    /// Both reject the program, but TVM at another line.
    OtherLine,
    StructInfo,
    /// The StructInfo is unknown here, but known to TVM.
    Unknown,
    Purity,
    /// A function or a binding is missing here.
    Missing,
    /// TVM crashed, or did not end.
    NoVerdict,
}

pub struct Difference {
    pub program: String,
    pub kind: Kind,
    /// Groups differences with the same cause.
    pub root: String,
    pub told: String,
}

impl Tally {
    /// Counts a program that begins on line `first` of its file. `label` becomes part of the root of a difference.
    pub fn add(&mut self, name: &str, label: &str, first: usize, record: &Json, ours: &Conclusion) {
        match record["verdict"].as_str() {
            Some("ok") => self.add_accepted(name, first, record, ours),
            Some("error") => self.add_rejected(name, label, first, record, ours),
            _ => self.differ(name, Kind::NoVerdict, label.to_owned(), String::new()),
        }
    }

    fn differ(&mut self, program: &str, kind: Kind, root: String, told: String) {
        self.differences.push(Difference {
            program: program.to_owned(),
            kind,
            root,
            told,
        });
    }

    fn add_accepted(&mut self, name: &str, first: usize, record: &Json, ours: &Conclusion) {
        self.accepted += 1;
        if let Some(error) = ours.errors.first() {
            let root = format!("{}: {}", error.code, plain(&error.message));
            let told = format!("line {}: {}", error.lines.0, error.message);
            self.differ(name, Kind::FalseAlarm, root, told);
            return;
        }
        self.clean += 1;
        for theirs in record["functions"].as_array().into_iter().flatten() {
            let mut functions = ours.functions.iter();
            let named = functions.find(|it| it.name.rsplit('.').next() == theirs["name"].as_str());
            // If a helper makes the function, it has another name in Python.
            let alone = ours
                .functions
                .first()
                .filter(|_| record["kind"] == "function");
            let Some(function) = named.or(alone) else {
                let told = theirs["name"].to_string();
                self.differ(name, Kind::Missing, "function".to_owned(), told);
                continue;
            };
            self.add_function(name, first, theirs, function);
        }
    }

    fn add_rejected(
        &mut self,
        name: &str,
        label: &str,
        first: usize,
        record: &Json,
        ours: &Conclusion,
    ) {
        let error = &record["error"];
        let message = error["msg"].as_str().unwrap_or_default();
        self.rejected += 1;
        let Some(reported) = ours.errors.first() else {
            if ours.warns_of_operator {
                self.found += 1;
                return;
            }
            let root = format!("{} ({label})", plain(message));
            self.differ(name, Kind::NotFound, root, message.to_owned());
            return;
        };
        self.found += 1;
        self.several += usize::from(ours.errors.len() > 1);
        // A module that is not well-formed has no line.
        let relative = error["rel"].as_u64().map(|it| first + it as usize - 1);
        let absolute = error["line"].as_u64().map(|it| it as usize);
        let line = relative
            .or(absolute)
            .filter(|_| record["phase"] != "well_formed");
        let Some(line) = line else { return };
        self.lined += 1;
        let mut lines = ours.errors.iter().map(|it| it.lines);
        if lines.any(|(first, last)| (first..=last).contains(&line)) {
            self.on_line += 1;
            return;
        }
        let root = format!("{}: {}", reported.code, plain(message));
        let here = format!("here line {}: {}", reported.lines.0, reported.message);
        self.differ(
            name,
            Kind::OtherLine,
            root,
            format!("TVM line {line}: {message}; {here}"),
        );
    }

    fn add_function(&mut self, name: &str, first: usize, theirs: &Json, ours: &Function) {
        let text = |json: &Json| json.as_str().unwrap_or_default().to_owned();
        self.functions += 1;
        if theirs["pure"] == ours.pure {
            self.pure += 1;
        } else {
            self.differ(name, Kind::Purity, String::new(), ours.name.clone());
        }
        let params = theirs["params"].as_array().into_iter().flatten();
        for (theirs, param) in params.zip(&ours.params) {
            self.add_info(name, &param.name, &text(&theirs[1]), &[&param.info]);
        }
        self.add_info(name, "the result", &text(&theirs["ret"]), &[&ours.ret]);
        let bindings = theirs["bindings"].as_array().into_iter().flatten();
        for theirs in bindings.filter(|it| it["implicit"] != true) {
            let binding = theirs["n"].as_str().unwrap_or_default();
            let line = theirs["l"].as_u64().map(|it| first + it as usize - 1);
            // The last binding of a branch: TVM 0.27 gives it a name of its own.
            let branch = binding
                .strip_suffix("_then")
                .or(binding.strip_suffix("_else"));
            let binding = branch.unwrap_or(binding);
            let is_meant =
                |it: &&Var| it.name == binding && line.is_none_or(|line| it.line == line);
            let infos: Vec<&StructInfo> = ours
                .bindings
                .iter()
                .filter(is_meant)
                .map(|it| &it.info)
                .collect();
            if !infos.is_empty() {
                self.add_info(name, binding, &text(&theirs["t"]), &infos);
            } else if !is_implicit(binding) {
                self.infos += 1;
                let told = format!("{binding} in line {}", line.unwrap_or_default());
                self.differ(name, Kind::Missing, "binding".to_owned(), told);
            }
        }
    }

    /// Counts one StructInfo. `ours` has several if branches bind the same name.
    fn add_info(&mut self, name: &str, of: &str, theirs: &str, ours: &[&StructInfo]) {
        self.infos += 1;
        if ours.iter().any(|it| is_same(it, theirs)) {
            self.agreed += 1;
            return;
        }
        let unknown = ours.iter().any(|it| it.is_unknown());
        self.unknown += usize::from(unknown);
        let shown = notation::written(ours[0]);
        let kind = if unknown {
            Kind::Unknown
        } else {
            Kind::StructInfo
        };
        let root = format!("{} for {}", skeleton(&shown), skeleton(theirs));
        self.differ(
            name,
            kind,
            root,
            format!("{of}: here {shown}, TVM {theirs}"),
        );
    }

    pub fn table(&self) -> String {
        let part = |one: usize, of: usize| {
            let percent = 100.0 * one as f64 / of.max(1) as f64;
            format!("{one} of {of} ({percent:.2} %)")
        };
        format!(
            "clean        {}\nfound        {}\non the line  {}\none error    {}\nStructInfo   {}, {} unknown\npure         {}\n",
            part(self.clean, self.accepted),
            part(self.found, self.rejected),
            part(self.on_line, self.lined),
            part(self.found - self.several, self.found),
            part(self.agreed, self.infos),
            self.unknown,
            part(self.pure, self.functions),
        )
    }

    /// Formats the differences by root, the most frequent root first, with some example programs for each.
    pub fn roots(&self, examples: usize) -> String {
        grouped(&self.differences.iter().collect::<Vec<_>>(), examples)
    }

    /// The same, without differences of the line alone, and without unknown StructInfo, which agrees with everything.
    pub fn disagreements(&self, examples: usize) -> String {
        let minor = [Kind::OtherLine, Kind::Unknown];
        let all = self.differences.iter();
        let all: Vec<&Difference> = all.filter(|it| !minor.contains(&it.kind)).collect();
        grouped(&all, examples)
    }
}

fn grouped(differences: &[&Difference], examples: usize) -> String {
    let mut roots: BTreeMap<(Kind, &str), Vec<&Difference>> = BTreeMap::new();
    for difference in differences {
        let root = (difference.kind, difference.root.as_str());
        roots.entry(root).or_default().push(difference);
    }
    let mut roots: Vec<_> = roots.into_iter().collect();
    roots.sort_by_key(|((kind, root), all)| (*kind, std::cmp::Reverse(all.len()), *root));
    let mut text = String::new();
    for ((kind, root), all) in roots {
        let _ = writeln!(text, "{kind:?} {:5} {root}", all.len());
        for difference in all.iter().take(examples) {
            let _ = writeln!(
                text,
                "          {}: {}",
                difference.program, difference.told
            );
        }
    }
    text
}

/// Whether a text in the notation of the records equals an inferred StructInfo. The form of dimensions does not matter.
pub fn is_same(ours: &StructInfo, theirs: &str) -> bool {
    is_same_text(&notation::written(ours), theirs)
}

/// Whether two texts in the notation of the records have the same meaning.
pub fn is_same_text(ours: &str, theirs: &str) -> bool {
    let (ours, theirs) = (one_spelling(ours), one_spelling(theirs));
    if ours == theirs {
        return true;
    }
    let (Some(ours), Some(theirs)) = (notation::read(&ours), notation::read(&theirs)) else {
        return false;
    };
    notation::is_same_notation(&SymCx::default(), &ours, &theirs)
}

/// Removes what only records contain: the marks that distinguish variables of one name, how TVM derives the result of
/// an opaque function, and the shape of a mesh (facts give its name in the module).
fn one_spelling(text: &str) -> String {
    const LEFT_OUT: [(&str, char, &str); 3] = [
        ("Callable(opaque, derive=", ',', "Callable(opaque, Object,"),
        ("mesh(", ')', "mesh"),
        ("mesh[", ']', "mesh"),
    ];
    for (start, end, instead) in LEFT_OUT {
        if let Some((before, after)) = text.split_once(start) {
            let after = after.split_once(end).map_or("", |it| it.1);
            return one_spelling(&format!("{before}{instead}{after}"));
        }
    }
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('\'') {
        out.push_str(&rest[..at]);
        rest = rest[at + 1..].trim_start_matches(|c: char| c.is_ascii_digit());
    }
    out + rest
}

/// Whether TVM generated the name of a binding: `lv`, `gv1`.
fn is_implicit(name: &str) -> bool {
    let letters = name.trim_end_matches(|c: char| c.is_ascii_digit());
    matches!(letters, "lv" | "gv")
}

/// Returns a message without the names and numbers of its program.
pub fn plain(message: &str) -> String {
    let mut out = String::new();
    let mut quote = None;
    for c in message.chars().take(160) {
        match (quote, c) {
            (None, '`' | '\'' | '"') => quote = Some(c),
            (Some(open), _) if c == open => {
                quote = None;
                out.push('_');
            }
            (Some(_), _) => {}
            (None, '0'..='9') => {
                if !out.ends_with('#') {
                    out.push('#');
                }
            }
            (None, _) => out.push(c),
        }
    }
    out
}

/// Returns the kind of a StructInfo, and the parts of it that are known.
fn skeleton(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_ascii_digit())
        .take(60)
        .collect()
}
