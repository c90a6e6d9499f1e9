//! Spellings in a function that the release of its file does not have.

use std::sync::LazyLock;

use relax::diagnostics::{Code, Diagnostic, Severity};
use relax::release::{Elsewhere, Form, Release, Releases, Spelling, spellings};
use relax::script::Namespace;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use text_size::TextRange;

use crate::body::{Body, Expr, ExprId};
use crate::enclosing::{Env, script_path};

/// What is foreign to a release, by the last part of a name or by the keyword.
type Foreign = FxHashMap<&'static str, Vec<&'static Spelling>>;

static FOREIGN: LazyLock<[Foreign; Release::ALL.len()]> =
    LazyLock::new(|| Release::ALL.map(foreign));

fn foreign(release: Release) -> Foreign {
    let mut rows = Foreign::default();
    let elsewhere = spellings().filter(|row| !row.releases.contains(release));
    for row in elsewhere.filter(|row| row.elsewhere != Elsewhere::Ignored) {
        let key = match row.form {
            Form::Shown => continue,
            Form::Name(name, _) | Form::Subscript(name) => name.rsplit('.').next().unwrap_or(name),
            Form::Keyword(_, keyword, _) => keyword,
        };
        rows.entry(key).or_default().push(row);
    }
    rows
}

/// One spelling that is foreign, and the report of it.
#[derive(Clone, Debug, PartialEq)]
pub struct ForeignSpelling {
    pub diagnostic: Diagnostic,
    /// The callee of the call that has the keyword.
    callee: Option<TextRange>,
    /// Whether none of the releases that the file may be written for has it.
    contradicts: bool,
}

impl ForeignSpelling {
    /// What is reported of it. Nothing where some release has all spellings of the file.
    pub(crate) fn report(&self) -> Option<&Diagnostic> {
        self.contradicts.then_some(&self.diagnostic)
    }

    /// The same with its ranges elsewhere.
    pub(crate) fn at(&self, place: impl Fn(TextRange) -> TextRange) -> ForeignSpelling {
        let mut diagnostic = self.diagnostic.clone();
        diagnostic.range = place(diagnostic.range);
        for (range, _) in &mut diagnostic.related {
            *range = place(*range);
        }
        if let Some((range, _)) = &mut diagnostic.instead {
            *range = place(*range);
        }
        ForeignSpelling {
            diagnostic,
            callee: self.callee.map(place),
            contradicts: self.contradicts,
        }
    }
}

/// The mistakes that inference reports too where it finds foreign spellings.
pub struct Explained {
    ranges: FxHashSet<TextRange>,
    /// Of calls that lack what a foreign keyword gives.
    callees: FxHashSet<TextRange>,
}

impl Explained {
    pub fn by(spellings: &[ForeignSpelling]) -> Explained {
        let ranges = spellings.iter().map(|it| it.diagnostic.range).collect();
        let callees = spellings.iter().filter_map(|it| it.callee).collect();
        Explained { ranges, callees }
    }

    pub fn contains(&self, other: &Diagnostic) -> bool {
        let lacks = other.code == Code::ArgumentCount && self.callees.contains(&other.range);
        lacks || self.ranges.contains(&other.range)
    }
}

/// What is reported of a body, relative to the function's start.
pub fn foreign_spellings(body: &Body, env: &Env, releases: Releases) -> Vec<ForeignSpelling> {
    foreign_among(body.exprs.iter(), body, env, releases)
}

/// The same of a piece of the function, which may be its header.
pub(crate) fn foreign_in_piece(body: &Body, env: &Env, releases: Releases) -> Vec<ForeignSpelling> {
    foreign_among(body.exprs.own_iter(), body, env, releases)
}

fn foreign_among<'a>(
    exprs: impl Iterator<Item = (ExprId, &'a Expr)>,
    body: &Body,
    env: &Env,
    releases: Releases,
) -> Vec<ForeignSpelling> {
    let release = releases.until;
    let foreign = &FOREIGN[release as usize];
    let mut found = Vec::new();
    let mut report = |row: &'static Spelling, range, part, callee| {
        let diagnostic = diagnostic(row, release, range, part);
        let contradicts = row.releases.and(releases).is_none();
        found.push(ForeignSpelling {
            diagnostic,
            callee,
            contradicts,
        });
    };
    for (id, expr) in exprs {
        match expr {
            Expr::Attribute { name, .. } => {
                for row in foreign.get(name.text.as_str()).into_iter().flatten() {
                    if matches!(row.form, Form::Name(wanted, _) if is_path(body, id, env, wanted)) {
                        report(row, body.range(id), name.range, None);
                    }
                }
            }
            Expr::Subscript { base, .. } => {
                let Expr::Attribute { name, .. } = &body.exprs[*base] else {
                    continue;
                };
                for row in foreign.get(name.text.as_str()).into_iter().flatten() {
                    if matches!(row.form, Form::Subscript(wanted) if is_path(body, *base, env, wanted))
                    {
                        report(row, body.range(*base), name.range, None);
                    }
                }
            }
            Expr::Call { callee, args } => {
                for keyword in args.iter().filter_map(|arg| arg.keyword.as_ref()) {
                    for row in foreign.get(keyword.text.as_str()).into_iter().flatten() {
                        let calls = match row.form {
                            Form::Keyword(calls, ..) => calls,
                            _ => continue,
                        };
                        if calls
                            .iter()
                            .any(|wanted| is_path(body, *callee, env, wanted))
                        {
                            let callee = Some(body.range(*callee));
                            report(row, keyword.range, keyword.range, callee);
                        }
                    }
                }
            }
            _ => {}
        }
    }
    found
}

/// Whether an expression leads to `wanted`, a name with the usual letter of its namespace.
fn is_path(body: &Body, expr: ExprId, env: &Env, wanted: &str) -> bool {
    let Some((letter, rest)) = wanted.split_once('.') else {
        return false;
    };
    script_path(body, expr, env).is_some_and(|path| {
        let usual = match path.namespace {
            Namespace::Relax => "R",
            Namespace::Tir => "T",
            Namespace::Ir => "I",
            Namespace::Python => return false,
        };
        usual == letter && path.rest == rest
    })
}

fn diagnostic(
    row: &'static Spelling,
    release: Release,
    range: TextRange,
    part: TextRange,
) -> Diagnostic {
    let (name, replacement) = match row.form {
        Form::Name(name, replacement) => (name.to_owned(), replacement),
        Form::Keyword(_, keyword, replacement) => (format!("{keyword}="), replacement),
        Form::Subscript(name) => (format!("{name}[...]"), None),
        Form::Shown => (row.shown.to_owned(), None),
    };
    let mut message = if release > row.releases.until {
        let until = match row.releases.until {
            Release::Rfc => "of the RFC".to_owned(),
            until => format!("of TVM until {}", until.name()),
        };
        match row.elsewhere {
            Elsewhere::Accepted => format!("`{name}` is {until}, and still accepted"),
            _ => format!("`{name}` is {until}, and the TVM of this file refuses it"),
        }
    } else {
        let since = row.releases.since.name();
        format!("`{name}` exists since TVM {since}, and the TVM of this file refuses it")
    };
    let instead = match (row.form, replacement) {
        (Form::Name(name, _), Some(last)) => {
            let namespace = name.rsplit_once('.').map_or("", |(namespace, _)| namespace);
            format!("{namespace}.{last}")
        }
        (Form::Keyword(..), Some(keyword)) => format!("{keyword}="),
        _ => row.instead.to_owned(),
    };
    if !instead.is_empty() {
        message.push_str(": write `");
        message.push_str(&instead);
        message.push('`');
    }
    let mut diagnostic = Diagnostic::new(Code::OtherDialect, range, message);
    if row.elsewhere == Elsewhere::Accepted {
        diagnostic.severity = Severity::Hint;
    }
    diagnostic.instead = replacement.map(|text| (part, SmolStr::new_static(text)));
    diagnostic
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use crate::db::{Database, Source, SourceFile};
    use crate::file_diagnostics;

    /// All diagnostics of a program, with severity and place.
    fn check(program: &str, expect: Expect) {
        let db = Database::default();
        let file = SourceFile::new(&db, Source::new(program));
        let said: Vec<String> = file_diagnostics(&db, file)
            .iter()
            .map(|it| {
                let (severity, code) = (it.severity.name(), it.code.name());
                format!("{} {severity} {code}: {}", &program[it.range], it.message)
            })
            .collect();
        expect.assert_eq(&said.join("\n"));
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
                "T.block warning other-dialect: `T.block` is of TVM until 0.23, and the TVM of this file refuses it: write `T.sblock`"
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
            expect![[r"
                T.sblock warning other-dialect: `T.sblock` exists since TVM 0.24, and the TVM of this file refuses it: write `T.block`
                R.Any warning other-dialect: `R.Any` exists since TVM 0.26, and the TVM of this file refuses it: write `R.Object`"]],
        );
    }

    #[test]
    fn a_spelling_that_one_release_has_beside_all_others_is_not_reported() {
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
    fn names_of_other_namespaces_are_no_spellings() {
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
