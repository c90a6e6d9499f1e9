//! Reports spellings that the release of a file does not have.

use relax::diagnostics::{Code, Diagnostic, Severity};
use relax::evidence::{Evidence, EvidenceId, EvidenceOf, evidences};
use relax::release::{Form, OutOfRange, Release};
use relax::script::Namespace;
use rustc_hash::FxHashSet;
use smol_str::SmolStr;
use text_size::TextRange;

use crate::evidence::{EvidenceUse, Import};

/// A use of a spelling that the release does not have, with its report.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ForeignSpelling {
    diagnostic: Diagnostic,
    /// The callee of the call with the keyword.
    callee: Option<TextRange>,
    is_reported: bool,
}

impl ForeignSpelling {
    /// `against` is another spelling in the file that no release has together with this one.
    pub fn new(
        found: EvidenceUse,
        release: Release,
        against: Option<EvidenceId>,
        has_target: bool,
    ) -> ForeignSpelling {
        let row = evidences().row(found.id);
        let is_keyword = matches!(row.of, EvidenceOf::Keyword(_));
        let range = if is_keyword { found.part } else { found.name };
        let mut diagnostic = diagnostic(row, release, range, found.part);
        if let Some(other) = against {
            diagnostic.message = contradiction(found.id, other);
        }
        ForeignSpelling {
            diagnostic,
            callee: is_keyword.then_some(found.name),
            is_reported: has_target || against.is_some(),
        }
    }

    /// Returns the report, or `None` if some release has everything that the file uses.
    pub fn report(&self) -> Option<&Diagnostic> {
        self.is_reported.then_some(&self.diagnostic)
    }
}

/// Errors of inference that a reported spelling already explains.
pub(crate) struct Explained {
    ranges: FxHashSet<TextRange>,
    /// The callees of calls that lack an argument given by a reported keyword.
    callees: FxHashSet<TextRange>,
}

impl Explained {
    pub fn by(spellings: &[ForeignSpelling]) -> Explained {
        // A spelling with a hint is accepted, so an error there has another cause.
        let is_refused =
            |it: &&ForeignSpelling| it.is_reported && it.diagnostic.severity != Severity::Hint;
        let reported = || spellings.iter().filter(is_refused);
        let ranges = reported().map(|it| it.diagnostic.range).collect();
        let callees = reported().filter_map(|it| it.callee).collect();
        Explained { ranges, callees }
    }

    pub fn contains(&self, other: &Diagnostic) -> bool {
        let lacks = other.code == Code::ArgumentCount && self.callees.contains(&other.range);
        lacks || self.ranges.contains(&other.range)
    }
}

/// Returns `true` if a release lacks the spelling of a row, and this should be reported.
pub(crate) fn is_foreign(id: EvidenceId, release: Release) -> bool {
    let row = evidences().row(id);
    let is_ignored = |row: &Evidence| match row.spelling {
        Some(spelling) => {
            matches!(
                spelling.out_of_range,
                OutOfRange::Ignored | OutOfRange::Reported
            )
        }
        None => row.weak,
    };
    !row.releases.contains(release) && !is_ignored(row)
}

/// Reports an import that the release does not have, or that another use contradicts.
pub(crate) fn import(import: &Import, release: Release, against: Option<EvidenceId>) -> Diagnostic {
    let row = evidences().row(import.id);
    let mut diagnostic = diagnostic(row, release, import.part, import.part);
    if let Some(other) = against {
        diagnostic.message = contradiction(import.id, other);
    }
    // Without an alias, the rest of the file would have to change too.
    if !import.has_alias {
        diagnostic.instead = None;
    }
    diagnostic
}

/// Returns the message about two uses that no release has together.
pub(crate) fn contradiction(id: EvidenceId, other: EvidenceId) -> String {
    let row = evidences().row(id);
    let (this, other) = (existence(row), existence(evidences().row(other)));
    let remedy = instead(row).map(|it| format!("write `{it}`"));
    let remedy = remedy.unwrap_or_else(|| "no release of TVM supports both".to_owned());
    format!("{this}, but {other}: {remedy}")
}

/// Returns how messages write the spelling of a row.
fn quoted_spelling(row: &Evidence) -> String {
    let letter = match row.namespace {
        Some(Namespace::Relax) => "R.",
        Some(Namespace::Tir) => "T.",
        Some(Namespace::Ir) => "I.",
        Some(Namespace::Python) | None => "",
    };
    match (row.of, row.spelling) {
        (EvidenceOf::Keyword(keyword), _) => format!("{keyword}="),
        (EvidenceOf::Subscript, _) => format!("{letter}{}[...]", row.name),
        (
            EvidenceOf::TypeParams | EvidenceOf::TypeVar | EvidenceOf::SizedShapeVar,
            Some(spelling),
        ) => spelling.shown.into(),
        _ => format!("{letter}{}", row.name),
    }
}

/// Returns since or until when it exists.
pub(crate) fn existence(row: &Evidence) -> String {
    match row.releases.last() {
        Some(Release::Rfc) => format!("`{}` exists only in the RFC", quoted_spelling(row)),
        Some(until) => format!(
            "`{}` exists until TVM {}",
            quoted_spelling(row),
            until.name()
        ),
        None => beginning(row),
    }
}

fn beginning(row: &Evidence) -> String {
    let since = row.releases.since.name();
    format!("`{}` exists since TVM {since}", quoted_spelling(row))
}

fn diagnostic(row: &Evidence, release: Release, range: TextRange, part: TextRange) -> Diagnostic {
    let mut message = if release < row.releases.since {
        beginning(row)
    } else {
        existence(row)
    };
    message.push_str(if is_accepted(row) && release > row.releases.until {
        ", and still accepted"
    } else {
        ", and the TVM of this file refuses it"
    });
    let has_replacement = row.spelling.is_some_and(|it| it.has_replacement(release));
    if let Some(instead) = instead(row).filter(|_| has_replacement) {
        message = format!("{message}: write `{instead}`");
    }
    let mut diagnostic = Diagnostic::new(Code::OtherDialect, range, message);
    if is_accepted(row) {
        diagnostic.severity = Severity::Hint;
    }
    let replacement = replacement(row).filter(|_| has_replacement);
    diagnostic.instead = replacement.map(|text| (part, SmolStr::new_static(text)));
    diagnostic
}

fn is_accepted(row: &Evidence) -> bool {
    let spelling = row.spelling;
    spelling.is_some_and(|it| it.out_of_range == OutOfRange::Accepted)
}

/// Returns the replacement of the last part, if that is all to replace.
fn replacement(row: &Evidence) -> Option<&'static str> {
    match row.spelling?.form {
        Form::Name(_, new) | Form::Keyword(_, _, new) | Form::Import(_, new) => new,
        _ => None,
    }
}

/// Returns what messages propose.
fn instead(row: &Evidence) -> Option<String> {
    let spelling = row.spelling?;
    let shown = match (spelling.form, replacement(row)) {
        (Form::Name(name, _), Some(last)) => {
            let namespace = name.rsplit_once('.').map_or("", |(namespace, _)| namespace);
            format!("{namespace}.{last}")
        }
        (Form::Keyword(..), Some(keyword)) => format!("{keyword}="),
        (Form::Import(..), Some(name)) => name.to_owned(),
        _ => spelling.instead.to_owned(),
    };
    Some(shown).filter(|it| !it.is_empty())
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use relax::release::Release;
    use salsa::Setter as _;

    use crate::db::{Config, Database, Source, SourceFile};
    use crate::file_diagnostics;

    /// Prints all diagnostics of a program, with severity and position.
    fn check(program: &str, expect: Expect) {
        check_in(&Database::default(), program, expect);
    }

    fn check_in(db: &Database, program: &str, expect: Expect) {
        let file = SourceFile::new(db, Source::new(program));
        let diagnostics: Vec<String> = file_diagnostics(db, file)
            .iter()
            .map(|it| {
                let (severity, code) = (it.severity.name(), it.code.name());
                format!("{} {severity} {code}: {}", &program[it.range], it.message)
            })
            .collect();
        expect.assert_eq(&diagnostics.join("\n"));
    }

    #[test]
    fn older_spellings_in_the_type_dialect() {
        check(
            r#"from tvm.script import ir as I, relax as R, tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def k(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.block("b"):
                vi = T.axis.spatial(4, i)
                B[vi] = A[vi]

    @R.function(pure=False)
    def f(x: R.Tensor((4,), "float32"), o: R.Object):
        y = R.call_tir(Module.k, (x,), out_sinfo=R.Tensor((4,), "float32"))
        z = R.call_packed("g", x, sinfo_args=R.Tensor((4,), "float32"))
        v = R.call_pure_packed("g", x, sinfo_args=R.Tensor((4,), "float32"))
        return (y, z, v)
"#,
            expect![
                "T.block error other-dialect: `T.block` exists until TVM 0.23, but `tvm.script.tirx` exists since TVM 0.24: write `T.sblock`"
            ],
        );
    }

    #[test]
    fn newer_spellings_in_the_struct_info_dialect() {
        check(
            r#"from tvm.script import relax as R, tir as T

@T.prim_func
def k(A: T.Buffer((4,), "float32")):
    with T.sblock("b"):
        A[0] = T.float32(0)

@R.function
def f(x: R.Tensor((4,), "float32")) -> R.Any:
    return R.call_dps_packed("g", (x,), out_sinfo=R.Tensor((4,), "float32"))
"#,
            // A version between 0.23 and 0.24 had `T.sblock` in `tir`.
            expect![
                "R.Any error other-dialect: `R.Any` exists since TVM 0.26, but `tvm.script.tir` exists until TVM 0.23: write `R.Object`"
            ],
        );
    }

    #[test]
    fn an_additional_spelling_is_not_reported() {
        let head = "from tvm.script import relax as R, tirx as T\n";
        let comment = "# nothing that tells a release\n".repeat(3000);
        let function = r#"
@R.function
def f(x: R.Tensor((4,), "float32")):
    return R.layout_transform(x, index_map=lambda i: (i,), axis_separators=[])
"#;
        check(&format!("{head}{comment}{function}"), expect![""]);
    }

    #[test]
    fn a_contradiction_is_reported_once_with_both_uses() {
        let program = r#"from tvm.script import relax as R, tir as T

@R.function
def f(x: R.Tensor((4,), "float32"), o: R.Any) -> R.Any:
    return R.call_dps_packed("g", (x,), out_sinfo=R.Tensor((4,), "float32"))
"#;
        let db = Database::default();
        let file = SourceFile::new(&db, Source::new(program));
        let diagnostics = file_diagnostics(&db, file);
        let related = diagnostics.iter().flat_map(|it| &it.related);
        let related: Vec<&str> = related.map(|(range, _)| &program[*range]).collect();
        assert_eq!((diagnostics.len(), related), (1, vec!["tir"]));
    }

    #[test]
    fn a_target_overrides_the_guess_and_reports_each_mismatch() {
        let mut db = Database::default();
        Config::get(&db)
            .set_target(&mut db)
            .to(Some(Release::V0_19));
        check_in(
            &db,
            r#"from tvm.script import relax as R, tirx as T

@R.function
def f(x: R.Tensor((4, 4), "float32"), i: R.Tensor((2,), "int64")):
    y = R.take(x, i, axis=0, mode="clip")
    z = R.nn.log_softmax(y)
    return R.nn.rms_norm(z, x, [-1])
"#,
            expect![[r#"
                tirx error other-dialect: `tvm.script.tirx` exists since TVM 0.24, and the TVM of this file refuses it: write `tir`
                mode error other-dialect: `mode=` exists since TVM 0.22, and the TVM of this file refuses it"#]],
        );
    }

    #[test]
    fn names_of_other_namespaces_are_not_spellings() {
        check(
            r#"from tvm.script import tirx as T
import helper

@T.prim_func(s_tir=True)
def k(A: T.Buffer((4,), "float32")):
    helper.block(A.block, helper.T.block, value=1)
"#,
            expect![[""]],
        );
    }
}
