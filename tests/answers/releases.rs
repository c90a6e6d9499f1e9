//! Tests that completion, signatures, annotations and formatting use the release of the file. `answers.rs` tests the
//! same for lowered stages.

use ide::{Analysis, Config, FileId, FilePosition, FormatOptions, Resolve, Severity, migrate};
use relax::ops;
use relax::release::{Release, Releases};
use relax::script::{self, Namespace};
use syntax::{TextRange, TextSize};

const RELEASES: [Release; 3] = [Release::V0_19, Release::V0_25, Release::V0_27];

const PROGRAM: &str = r#"from tvm.script import ir as I, relax as R, tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def double(A: T.Buffer((4, 4), "float32"), B: T.Buffer((4, 4), "float32")):
        for i, j in T.grid(4, 4):
            with T.sblock("double"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj] * T.float32(2)

    @R.function(pure=False)
    def main(x: R.Tensor((4, 4), "float32"), f: R.Any) -> R.Any:
        cls = Module
        a = R.call_tir(cls.double, (x,), out_ty=R.Tensor((4, 4), "float32"))
        b   =   R.add( a,x)
        c = R.call_packed("f", b, ty_args=R.Any)
        return (b, c)
"#;

/// Returns the program in the spelling of a release.
fn program(release: Release) -> String {
    let migration = migrate(PROGRAM, Releases::only(Release::V0_27), release);
    assert_eq!(migration.left, []);
    migration.text
}

fn opened(text: &str, release: Release) -> (Analysis, FileId) {
    let config = Config {
        target: Some(release),
    };
    Analysis::from_single_file(text, config)
}

/// Asserts that neither the program nor `text` has an error.
fn assert_right(text: &str, release: Release) {
    let (analysis, file) = opened(text, release);
    let found = analysis.diagnostics(file).unwrap();
    let wrong: Vec<_> = found
        .iter()
        .filter(|it| it.severity <= Severity::Warning)
        .collect();
    assert!(wrong.is_empty(), "{}: {wrong:#?}\n{text}", release.name());
}

/// The statements before which lines are inserted.
const OF_GRAPH: &str = "return (";
const OF_PRIM_FUNC: &str = "for i, j";

/// Returns the answers at the end of `line`, which is inserted before `next`.
fn at_line<T>(
    line: &str,
    next: &str,
    release: Release,
    ask: impl Fn(&Analysis, FilePosition) -> T,
) -> T {
    let text = program(release);
    let (before, after) = text.split_once(next).expect("the statement is there");
    let text = format!("{before}{line}\n        {next}{after}");
    let offset = TextSize::try_from(before.len() + line.len()).expect("a short text");
    let (analysis, file) = opened(&text, release);
    ask(&analysis, FilePosition { file, offset })
}

fn completions(line: &str, next: &str, release: Release) -> Vec<String> {
    at_line(line, next, release, |analysis, at| {
        let found = analysis.completions(at, None).unwrap();
        let items = found.map_or_else(Vec::new, |it| it.items);
        items.iter().map(|it| it.label.to_string()).collect()
    })
}

fn signature(line: &str, release: Release) -> String {
    at_line(line, OF_GRAPH, release, |analysis, at| {
        let help = analysis.signature_help(at).unwrap().expect("a call");
        help.signatures[help.active].label.clone()
    })
}

#[test]
fn each_program_is_right_in_its_release() {
    for release in RELEASES {
        assert_right(&program(release), release);
    }
}

#[test]
fn completion_offers_the_names_of_the_release() {
    for release in RELEASES {
        let labels = completions("y = R.", OF_GRAPH, release);
        assert!(labels.len() > 50, "{labels:?}");
        for label in labels {
            let prefix = format!("{label}.");
            let mut ops = ops::all().filter(|it| it.releases.contains(release));
            let is_op = ops::by_script(&label, release).is_some()
                || ops.any(|it| it.script().starts_with(&prefix));
            let is_name = script::find(Namespace::Relax, &label, release).is_some()
                || !script::below(Namespace::Relax, &label, release).is_empty();
            assert!(is_op || is_name, "{}: R.{label}", release.name());
        }
    }
    let blocks = RELEASES.map(|it| {
        completions("with T.", OF_PRIM_FUNC, it)
            .iter()
            .any(|it| it == "sblock")
    });
    assert_eq!(blocks, [false, true, true]);
    let offers = |name: &str, release| {
        completions("y = R.", OF_GRAPH, release)
            .iter()
            .any(|it| it == name)
    };
    assert_eq!(RELEASES.map(|it| offers("Any", it)), [false, false, true]);
    assert_eq!(
        RELEASES.map(|it| offers("reverse_sequence", it)),
        [false, false, true]
    );
}

#[test]
fn keywords_and_signatures_are_those_of_the_release() {
    let call = "y = R.call_tir(cls.double, (x,), out";
    let keywords =
        RELEASES.map(|it| completions(call, OF_GRAPH, it).contains(&"out_ty=".to_owned()));
    assert_eq!(keywords, [false, false, true]);
    let takes = RELEASES.map(|it| signature("y = R.take(x, ", it).contains("mode"));
    assert_eq!(takes, [false, true, true]);
    let calls =
        RELEASES.map(|it| signature("y = R.call_packed(\"f\", x, ", it).contains("ty_args"));
    assert_eq!(calls, [false, false, true]);
}

#[test]
fn annotations_that_are_inserted_are_those_of_the_release() {
    for release in RELEASES {
        let text = program(release);
        let (analysis, file) = opened(&text, release);
        let at = text.find("main").expect("a function");
        let at = TextRange::empty(TextSize::try_from(at).expect("a short text"));
        let resolve = Resolve::Only("annotate-all".to_owned());
        let found = analysis.assists(file, at, &resolve).unwrap();
        let assist = found.iter().find(|it| it.id == "annotate-all");
        let edit = assist
            .and_then(|it| it.edit.as_ref())
            .expect("it is offered");
        let annotated = edit.apply(&text);
        let object = if release < Release::V0_26 {
            "c: R.Object ="
        } else {
            "c: R.Any ="
        };
        assert!(annotated.contains(object), "{annotated}");
        assert_right(&annotated, release);
    }
}

#[test]
fn a_formatted_file_stays_in_its_release() {
    for release in RELEASES {
        let text = program(release);
        let (analysis, file) = opened(&text, release);
        let options = FormatOptions {
            line_length: Some(60),
        };
        let formatted = analysis.format(file, None, options).unwrap().apply(&text);
        assert!(formatted.contains("b = R.add(a, x)"), "{formatted}");
        assert_right(&formatted, release);
    }
}
