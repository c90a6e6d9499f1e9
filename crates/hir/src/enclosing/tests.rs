//! Tests of the evaluation of the enclosing Python code.

use super::*;
use relax::script::Namespace;

#[test]
fn paths_are_resolved_in_their_namespace() {
    let cases = [
        ("tvm.script.relax", Some((Namespace::Relax, ""))),
        (
            "tvm.script.parser.relax.function",
            Some((Namespace::Relax, "function")),
        ),
        (
            "tvm.script.tirx.prim_func",
            Some((Namespace::Tir, "prim_func")),
        ),
        ("tvm.script.ir_module", Some((Namespace::Ir, "ir_module"))),
        (
            "tvm.script.ir.ir_module",
            Some((Namespace::Ir, "ir_module")),
        ),
        ("tvm.relax.op.add", Some((Namespace::Python, "add"))),
        ("tvm.relax.const", Some((Namespace::Python, "const"))),
        ("tvm.relaxed", None),
        ("numpy.random", None),
    ];
    for (path, want) in cases {
        let got = ScriptPath::of_path(path).map(|p| (p.namespace, p.rest));
        assert_eq!(got, want.map(|(ns, rest)| (ns, rest.into())), "{path}");
    }
}

#[test]
fn a_function_that_calls_itself_does_not_exhaust_the_stack() {
    let text = r#"
from tvm.script import relax as R

def build(n):
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return x
    return build(n - 1)
"#;
    let db = crate::Database::default();
    let file = crate::SourceFile::new(&db, crate::Source::new(text));
    assert_eq!(crate::file_items(&db, file).functions.len(), 1);
}

/// Returns the value of `name` at the end of a file.
fn at_end(text: &str, name: &str) -> PyValue {
    let db = crate::Database::default();
    let file = crate::SourceFile::new(&db, crate::Source::new(text));
    let env = crate::file_env(&db, file);
    env.get(name).cloned().unwrap_or(PyValue::Unknown)
}

#[test]
fn a_value_that_grows_exponentially_is_partly_unknown() {
    let doubled = [
        ("(1, 2)", "(t, t)"),
        ("[1, 2]", "t + t"),
        ("[1, 2]", "[*t, *t]"),
        ("[1, 2]", "zip(t, t)"),
        ("{0: 1}", "{0: t, 1: t}"),
        ("'ab'", "t + t"),
        ("'ab'", "f'{t}{t}'"),
        ("import_", "t.a(t).a(t)"),
        ("[0]", "[t for i in range(64) for j in t]"),
    ];
    for (first, step) in doubled {
        let text = |times: usize| format!("t = {first}\n{}", format!("t = {step}\n").repeat(times));
        assert!(!at_end(&text(60), "t").is_plain(), "{step}");
    }
    assert!(at_end("t = (1, 2)\nt = (t, t)\n", "t").is_plain());
}

#[test]
fn nested_comprehensions_end_with_the_budget() {
    let nested = |depth: usize| {
        let open = "[".repeat(depth);
        let rounds = (0..depth).map(|k| format!(" for i{k} in range(20)]"));
        format!("t = {open}0{}\n", rounds.collect::<String>())
    };
    assert_ne!(at_end(&nested(2), "t"), PyValue::Unknown);
    assert_eq!(at_end(&nested(20), "t"), PyValue::Unknown);
    let clauses = " for i in range(64)".repeat(20);
    assert_eq!(
        at_end(&format!("t = [0{clauses} if False]"), "t"),
        PyValue::Unknown
    );
}

#[test]
fn one_long_expression_gives_way_to_an_edit() {
    let checks = std::cell::Cell::new(0);
    let give_way = || checks.set(checks.get() + 1);
    let source = crate::Source::new("t = [[0 for i in range(200)] for j in range(200)]\n");
    let budget = std::rc::Rc::new(Budget::of_file(source.text.len(), &give_way));
    let mut scanner = Scanner::new(budget);
    source
        .parse
        .tree()
        .stmts()
        .for_each(|stmt| scanner.run(&stmt));
    assert!(checks.get() > 100, "{}", checks.get());
}

#[test]
fn a_variable_of_an_inner_comprehension_hides_the_outer_one() {
    let text = "i = 9\nt = [[i for i in range(2)] + [i] for i in range(3, 5)] + [i]\n";
    let ints = |values: &[i64]| values.iter().copied().map(PyValue::Int).collect::<Vec<_>>();
    let rows = [ints(&[0, 1, 3]), ints(&[0, 1, 4])].map(PyValue::list);
    let wanted: Vec<PyValue> = rows.into_iter().chain(ints(&[9])).collect();
    assert_eq!(at_end(text, "t"), PyValue::list(wanted));
}

#[test]
fn growing_lists_end_with_the_budget() {
    let step = "t = t + [1]\n";
    let length = |times: usize| match at_end(&format!("t = []\n{}", step.repeat(times)), "t") {
        PyValue::List(items) => Some(items.len()),
        _ => None,
    };
    assert_eq!(length(100), Some(100));
    assert_eq!(length(10_000), None);
}

#[test]
fn facts_of_python_functions_end_with_the_budget() {
    let text = |times: usize| {
        let doubled = "    t = (t, t)\n".repeat(times);
        format!(
            "from tvm.script import relax as R\n\ndef test_it():\n    n = 4\n    t = (1, 2)\n{doubled}    @R.function\n    def f(x: R.Tensor((n,), \"float32\")):\n        return x\n"
        )
    };
    for times in [1, 60] {
        let db = crate::Database::default();
        let file = crate::SourceFile::new(&db, crate::Source::new(text(times)));
        let function = crate::file_items(&db, file).functions[0];
        assert_eq!(function.env(&db).get("n"), Some(&PyValue::Int(4)));
        let known = function.env(&db).get("t").is_some_and(PyValue::is_plain);
        assert_eq!(known, times == 1);
    }
}

#[test]
fn top_level_functions_share_their_environment() {
    let script = "@R.function\ndef f{k}(x: R.Object):\n    return x\n\n@I.ir_module\nclass M{k}:\n    @T.prim_func\n    def g():\n        pass\n\n";
    let scripts = (0..20).map(|k| script.replace("{k}", &k.to_string()));
    let text = format!(
        "from tvm.script import ir as I, relax as R, tirx as T\n\n{}",
        scripts.collect::<String>()
    );
    let db = crate::Database::default();
    let file = crate::SourceFile::new(&db, crate::Source::new(text));
    let functions = crate::file_items(&db, file).functions.iter();
    let around: Vec<*const Env> = functions
        .filter(|function| function.module(&db).is_none())
        .map(|function| Arc::as_ptr(function.env(&db)))
        .collect();
    assert_eq!(around.len(), 20);
    assert!(around.iter().all(|env| *env == around[0]));
}
