//! Tests of programs whose full evaluation would take exponential time or stack. The analysis must stop early.

use std::fmt::Write as _;

use relax::Severity;
use relax::parts::Part;

use super::render;
use crate::db::{Database, Source, SourceFile};
use crate::{file_diagnostics, file_items, lazy_facts};

const HEAD: &str = "from tvm.script import ir as I, relax as R, tirx as T\n\n";

/// Prints the diagnostics of a function with these lines.
fn rendered(lines: &str) -> String {
    render(&format!("{HEAD}{}", function(lines)), Severity::Warning)
}

fn function(lines: &str) -> String {
    let mut text = String::from("@R.function\ndef f(x: R.Tensor((4,), \"float32\")):\n");
    for line in lines.lines() {
        writeln!(text, "    {line}").unwrap();
    }
    text.push_str("    return x\n");
    text
}

/// Returns `first` and sixty more lines. Each uses the one before.
fn steps(first: &str, step: impl Fn(usize, usize) -> String) -> String {
    let steps = (0..60).map(|k| format!("{}\n", step(k + 1, k)));
    format!("{first}\n{}", steps.collect::<String>())
}

/// Returns the total number of StructInfo parts of all variables of a file.
fn parts(text: &str) -> usize {
    let db = Database::default();
    let file = SourceFile::new(&db, Source::new(text));
    let functions = file_items(&db, file).functions.iter();
    let facts = functions.map(|&function| lazy_facts(&db, function));
    let parts = facts.map(|facts| {
        let vars = facts
            .vars()
            .map(|var| var.struct_info.weight().parts as usize);
        vars.sum::<usize>()
    });
    parts.sum()
}

#[test]
fn an_exponentially_growing_tuple_is_followed_within_the_budget() {
    for step in [
        "t{k} = (t{j}, t{j})",
        "t{k} = R.tuple(t{j}, t{j})",
        "t{k} = (*t{j}, *t{j})",
        "t{k} = [t{j}, t{j}]",
        "t{k} = {0: t{j}, 1: t{j}}",
        "if x:\n    t{k} = (t{j}, t{j})\nelse:\n    t{k} = (t{j}, t{j})",
        "@R.function\ndef t{k}(y: R.Object):\n    return (t{j}, t{j})",
        "u{k} = (t{j}, t{j})\nt{k} = R.match_cast(u{k}, R.Tuple)",
    ] {
        let step = |k: usize, j: usize| {
            let step = step.replace("{k}", &k.to_string());
            step.replace("{j}", &j.to_string())
        };
        let text = format!("{HEAD}{}", function(&steps("t0 = (x, x)", step)));
        let parts = parts(&text);
        assert!(parts < 50 * text.len(), "{parts} parts from {text}");
    }
}

#[test]
fn exponentially_growing_results_are_followed_within_the_budget() {
    let function = |k: usize, body: &str| {
        format!(
            "    @R.function\n    def g{k}(x: R.Tensor((4,), \"float32\")):\n        y = {body}\n        return (y, y)"
        )
    };
    let functions = steps(&function(0, "x"), |k, j| {
        function(k, &format!("Module.g{j}(x)"))
    });
    let text = format!("{HEAD}@I.ir_module\nclass Module:\n{functions}");
    let parts = parts(&text);
    assert!(parts < 50 * text.len(), "{parts} parts");
}

#[test]
fn doubling_macros_end_with_the_budget() {
    for (first, step) in [
        (
            "@R.macro\ndef m0(x):\n    return x",
            "@R.macro\ndef m{k}(x):\n    y = m{j}(x)\n    z = m{j}(y)\n    return z",
        ),
        (
            "@R.macro(hygienic=False)\ndef m0(x):\n    return x",
            "@R.macro(hygienic=False)\ndef m{k}(x):\n    y = m{j}(x)\n    z = m{j}(y)\n    return z",
        ),
        (
            "def m0(x):\n    return x",
            "def m{k}(x):\n    return (m{j}(x), m{j}(x))",
        ),
        ("m0 = lambda x: x", "m{k} = lambda x: m{j}(x) + m{j}(x)"),
    ] {
        let step = |k: usize, j: usize| {
            let step = step.replace("{k}", &k.to_string());
            step.replace("{j}", &j.to_string())
        };
        let around = steps(first, step);
        render(
            &format!("{HEAD}{around}\n{}", function("y = m60(x)\n")),
            Severity::Warning,
        );
    }
}

#[test]
fn nested_comprehensions_end_with_the_steps() {
    let rounds = (0..20).map(|k| format!(" for i{k} in range(20)]"));
    rendered(&format!(
        "y = {}x{}\n",
        "[".repeat(20),
        rounds.collect::<String>()
    ));
    rendered(&format!(
        "y = [x{} if False]\n",
        " for i in range(64)".repeat(8)
    ));
}

#[test]
fn uses_after_the_last_step_count() {
    let rounds = " for i in range(200) for j in range(200)";
    let rendered = rendered(&format!(
        "a = [x{rounds} if False]\nz = R.exp(x)\nb = [R.exp(z) for i in range(2)]\n"
    ));
    assert!(!rendered.contains("unused"), "{rendered}");
}

#[test]
fn the_receiver_of_a_chain_of_methods_is_read_once() {
    rendered(&format!("y = x{}\n", ".exp()".repeat(60)));
    rendered(&format!("y = numpy{}\n", ".exp()".repeat(60)));
}

/// Prints the diagnostics of a function `f` with this binding, after these lines.
fn rendered_below(above: &str, line: &str) -> String {
    render(
        &format!(
            "from tvm.script import relax as R\n\n{above}\n\n@R.function\n\
             def f(x: R.Tensor((4,), \"float32\")):\n    {line}\n    return x\n"
        ),
        Severity::Warning,
    )
}

/// Returns functions. Each calls the previous one twice.
fn doubling(head: &str, first: &str, twice: impl Fn(usize) -> String) -> String {
    let mut text = format!("{head}def f0(x):\n    return {first}\n\n");
    for at in 1..40 {
        writeln!(text, "{head}def f{at}(x):\n    return {}\n", twice(at - 1)).unwrap();
    }
    text
}

#[test]
fn inlined_functions_end_with_the_budget() {
    let nested = |at: usize| format!("f{at}(f{at}(x))");
    for head in ["", "@R.macro\n"] {
        let above = doubling(head, "R.add(x, x)", nested);
        let rendered = rendered_below(&above, "y = f39(x)");
        assert_eq!(
            rendered.matches("not analysed further").count(),
            1,
            "{rendered}"
        );
        assert_eq!(rendered.matches(" warning ").count(), 1, "{rendered}");
        assert!(!rendered.contains(" error "), "{rendered}");
        assert!(!rendered_below(&above, "y = f5(x)").contains("further"));
    }
}

#[test]
fn comprehensions_end_with_the_budget() {
    let line = |steps: usize| {
        format!("y = R.concat([x for i in range({steps}) for j in range({steps}) if i == j])")
    };
    assert!(rendered_below("", &line(200)).contains("not analysed further"));
    assert!(!rendered_below("", &line(20)).contains("further"));
}

#[test]
fn growing_dimensions_are_followed_within_the_budget() {
    let lines = |n: usize| {
        let more = (1..n).map(|k| format!("y{k} = R.expand_dims(y{}, [0, 1])\n", k - 1));
        format!("y0 = x\n{}", more.collect::<String>())
    };
    let text = format!("{HEAD}{}", function(&lines(2000)));
    let db = Database::default();
    let file = SourceFile::new(&db, Source::new(text));
    let facts = lazy_facts(&db, file_items(&db, file).functions[0]);
    let tensors = facts
        .vars()
        .filter_map(|it| it.struct_info.as_tensor().cloned());
    let (ranks, dims): (Vec<usize>, Vec<usize>) = tensors
        .map(|it| (it.ndim().unwrap_or(0), it.dims().map_or(0, <[_]>::len)))
        .unzip();
    assert_eq!(ranks.iter().max(), Some(&3999));
    let dims: usize = dims.iter().sum();
    assert!(dims < 500 * 2000, "{dims}");
    assert!(rendered(&lines(2000)).contains("not analysed further"));
    assert!(!rendered(&lines(50)).contains("further"));
}

#[test]
fn messages_shorten_long_types() {
    let fields = "x, ".repeat(2000);
    let rendered = rendered(&format!(
        "t = ({fields})\ny: R.Tensor((4,), \"float32\") = t\n"
    ));
    assert!(rendered.contains("annotation-mismatch") && rendered.contains('…'));
    let reports = rendered.lines().filter(|it| it.contains("mismatch"));
    assert!(reports.map(str::len).max() < Some(2000), "{rendered}");
}

#[test]
fn a_misspelled_name_is_corrected_among_many_names() {
    let mut lines = String::from("value = R.exp(x)\n");
    for k in 0..3000 {
        writeln!(lines, "lv{k} = R.exp(x)").unwrap();
    }
    let rendered = rendered(&format!("{lines}y = R.exp(vlaue)\n"));
    assert!(
        rendered.contains("did you mean `value`"),
        "{}",
        rendered.len()
    );
}

#[test]
fn a_long_chain_of_functions_does_not_overflow_the_stack() {
    let function = |k: usize| {
        let before = k.saturating_sub(1);
        format!(
            "    @R.function\n    def g{k}(x: R.Tensor((4,), \"float32\")):\n        y = Module.g{before}(x)\n        return y\n"
        )
    };
    let functions: String = (0..3000).map(function).collect();
    let text = format!("{HEAD}@I.ir_module\nclass Module:\n{functions}");
    let rendered = render(&text, Severity::Warning);
    let cut: Vec<&str> = rendered
        .lines()
        .filter(|it| it.contains("further"))
        .collect();
    assert_eq!(
        cut,
        [
            "139:13 warning not-analysed-further: this is not analysed further: its return value depends on too many functions without a return annotation"
        ]
    );
    let db = Database::default();
    let file = SourceFile::new(&db, Source::new(text));
    let functions = &file_items(&db, file).functions;
    // The last function is inferred before the functions that it calls.
    let returned = |at: usize| lazy_facts(&db, functions[at]).functions[0].ret.clone();
    assert!(returned(2999).is_unknown());
    assert!(!returned(20).is_unknown());
}

#[test]
fn a_long_elif_chain_does_not_overflow_the_stack() {
    let branches = "elif R.const(True, \"bool\"):\n    y = x\n".repeat(20_000);
    let chain =
        format!("if R.const(True, \"bool\"):\n    y = x\n{branches}else:\n    y = x\nz = y");
    let rendered = rendered(&chain);
    assert_eq!(
        rendered.lines().last(),
        Some(
            "517:5 error unsupported-statement: a chain of so many `elif` is not supported in a Relax function"
        )
    );
    let branches = (0..20_000).map(|k| format!("    elif a == {k}:\n        b = {k}\n"));
    let template = format!(
        "{HEAD}def test_it(a):\n    if a:\n        b = 1\n{}    @R.function\n    def f(x: R.Tensor((b,), \"float32\")):\n        return x\n",
        branches.collect::<String>()
    );
    assert_eq!(render(&template, Severity::Warning).lines().count(), 1);
}

#[test]
fn macros_see_only_names_in_their_scope() {
    let macros = steps(
        "n = 4\n@R.macro\ndef m0(x):\n    return R.reshape(x, (n,))",
        |k, _| format!("@R.macro\ndef m{k}(x):\n    return m0(x)"),
    );
    let rendered = render(
        &format!("{HEAD}{macros}n = 5\n{}", function("y = m60(x)")),
        Severity::Warning,
    );
    assert!(
        rendered.contains("y: R.Tensor((4,), dtype=\"float32\")"),
        "{rendered}"
    );
}

#[test]
fn recursion_shows_its_cycle_if_it_is_short() {
    let function = |k: usize, n: usize| {
        let next = (k + 1) % n;
        format!(
            "    @R.function\n    def g{k}(x: R.Object):\n        y = Module.g{next}(x)\n        return y\n"
        )
    };
    let module = |n: usize| {
        let functions: String = (0..n).map(|k| function(k, n)).collect();
        let db = Database::default();
        let text = format!("{HEAD}@I.ir_module\nclass Module:\n{functions}");
        let rendered = file_diagnostics(&db, SourceFile::new(&db, Source::new(text)));
        let first = rendered
            .iter()
            .find(|it| it.message.contains("calls itself"));
        first.map(|it| it.message.split(": ").next().unwrap_or_default().to_owned())
    };
    let report = |n: usize| module(n).unwrap_or_default();
    assert_eq!(report(3), "`g0` calls itself through `g1`, `g2`");
    assert_eq!(report(200), "`g0` calls itself through `g1` and others");
}
