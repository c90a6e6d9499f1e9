//! Tests of the edits of a rename, and of the reasons to refuse one.

use expect_test::{Expect, expect};

use crate::fixture::Fixture;

fn rename(fixture: &str, new: &str) -> Result<String, String> {
    let fixture = Fixture::new(fixture);
    let position = fixture.position();
    let prepared = fixture.analysis.prepare_rename(position).unwrap();
    let edit = fixture.analysis.rename(position, new).unwrap()?;
    let target = prepared.expect("what can be renamed can be prepared");
    assert!(target.range.contains_inclusive(position.offset));
    Ok(edit.apply(&fixture.text))
}

/// Compares the lines that the rename changes.
fn check(fixture: &str, new: &str, expect: Expect) {
    let renamed = rename(fixture, new).unwrap();
    let before = fixture.replacen("$0", "", 1);
    let changed = before.lines().zip(renamed.lines());
    let changed = changed.filter(|(before, after)| before != after);
    let lines: Vec<&str> = changed.map(|(_, after)| after.trim_start()).collect();
    expect.assert_eq(&lines.join("\n"));
}

fn refused(fixture: &str, new: &str, expect: Expect) {
    expect.assert_eq(&rename(fixture, new).unwrap_err());
}

const REBOUND: &str = r#"
from tvm.script import relax as R

@R.function
def f(x: R.Tensor((4,), "float32")):
    $0y = R.exp(x)
    z = R.abs(y)
    y = R.exp(z)
    return y
"#;

const SEVERAL: &str = r#"
from tvm.script import ir as I, relax as R

def test_one(dtype):
    @I.ir_module
    class Before:
        @R.function
        def main(x: R.Tensor((4,), dtype)):
            return Before.helper(x)

        @R.function
        def helper(x: R.Tensor((4,), dtype)) -> R.Tensor((4,), dtype):
            return x

    @R.function
    def expected(x: R.Tensor((4,), dtype)):
        return x

    check(Before["main"], expected)


def test_two(kind):
    @I.ir_module
    class Before:
        @R.function
        def main(x: R.Tensor((4,), kind)):
            return Before.helper(x)

        @R.function
        def helper(x: R.Tensor((4,), kind)) -> R.Tensor((4,), kind):
            return x

    @R.function
    def expected(x: R.Tensor((4,), kind)):
        return x

    check(Before["main"], expected)
"#;

#[test]
fn only_the_chosen_one_of_modules_with_equal_names_is_renamed() {
    for (at, count) in [
        ("return Before.", 2),
        ("class Before", 2),
        ("check(Before", 2),
    ] {
        let cursor = at.replace("Before", "$0Before");
        for (first, program) in [
            (true, SEVERAL.replacen(at, &cursor, 1)),
            (false, {
                let last = SEVERAL.rfind(at).unwrap();
                format!(
                    "{}{}",
                    &SEVERAL[..last],
                    SEVERAL[last..].replacen(at, &cursor, 1)
                )
            }),
        ] {
            let renamed = rename(&program, "After").unwrap();
            let half = renamed.find("def test_two").unwrap();
            let (one, two) = renamed.split_at(half);
            let (changed, kept) = if first { (one, two) } else { (two, one) };
            assert_eq!(changed.matches("Before").count(), 0, "{at}");
            assert_eq!(changed.matches("After").count(), 1 + count, "{at}");
            assert_eq!(kept.matches("After").count(), 0, "{at}");
        }
    }
}

#[test]
fn only_the_chosen_one_of_functions_with_equal_names_is_renamed() {
    let last = SEVERAL.rfind("def expected").unwrap();
    let program = format!(
        "{}{}",
        &SEVERAL[..last],
        SEVERAL[last..].replacen("expected", "$0expected", 1)
    );
    check(
        &program,
        "after",
        expect![[r#"
            def after(x: R.Tensor((4,), kind)):
            check(Before["main"], after)"#]],
    );
}

#[test]
fn a_number_that_is_a_dimension_is_renamed_wherever_it_is_used() {
    check(
        r#"
from tvm.script import relax as R

@R.function
def main($0n: R.Prim("int64"), x: R.Tensor(ndim=1, dtype="float32")):
    y = R.zeros(R.shape([n, 2]), "float32")
    return y
"#,
        "count",
        expect![[r#"
                def main(count: R.Prim("int64"), x: R.Tensor(ndim=1, dtype="float32")):
                y = R.zeros(R.shape([count, 2]), "float32")"#]],
    );
}

#[test]
fn branches_that_bind_a_number_are_one_variable() {
    check(
        r#"
from tvm.script import relax as R

@R.function(private=True)
def func(cond: R.Prim("bool"), lhs: R.Prim("int64"), rhs: R.Prim("int64")):
    if cond:
        $0output = lhs
    else:
        output = rhs
    return output
"#,
        "result",
        expect![[r#"
                result = lhs
                result = rhs
                return result"#]],
    );
}

#[test]
fn names_of_different_functions_do_not_clash() {
    let program = SEVERAL.replacen("test_two(kind)", "test_two($0kind)", 1);
    let renamed = rename(&program, "dtype").unwrap();
    assert_eq!(renamed.matches("dtype").count(), 10);
}

#[test]
fn only_the_chosen_binding_is_renamed() {
    check(
        REBOUND,
        "first",
        expect![[r#"
                    first = R.exp(x)
                    z = R.abs(first)"#]],
    );
}

#[test]
fn a_name_that_is_taken_is_refused() {
    refused(
        &REBOUND.replace("R.abs(y)", "R.add(x, y)"),
        "x",
        expect!["`x` already refers to something else on line 5"],
    );
    refused(
        REBOUND,
        "R",
        expect!["`R` already refers to something else on line 4"],
    );
}

#[test]
fn a_name_bound_only_later_can_be_used() {
    check(
        REBOUND,
        "z",
        expect![[r#"
            z = R.exp(x)
            z = R.abs(z)"#]],
    );
    check(
        REBOUND,
        "x",
        expect![[r#"
            x = R.exp(x)
            z = R.abs(x)"#]],
    );
}

#[test]
fn names_of_other_functions_do_not_conflict() {
    let program = r#"
from tvm.script import relax as R

@R.function
def f(x: R.Tensor((4,), "float32")):
    @R.function
    def inner(y: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        z = R.exp(y)
        return z
    $0a = R.exp(x)
    b = R.add(a, inner(a))
    return b
"#;
    check(
        program,
        "z",
        expect![[r#"
            z = R.exp(x)
            b = R.add(z, inner(z))"#]],
    );
    refused(
        program,
        "inner",
        expect!["`inner` already refers to something else on line 7"],
    );
}

#[test]
fn a_loop_variable_may_have_the_name_of_another_loop_s() {
    let program = r#"
from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((4, 4), "float32")):
    for $0i in range(4):
        A[i, 0] = T.float32(0)
    for k in range(4):
        for j in range(4):
            A[k, j] = T.float32(1)
"#;
    check(
        program,
        "k",
        expect![[r#"
            for k in range(4):
            A[k, 0] = T.float32(0)"#]],
    );
    let inner = program
        .replace("$0i in", "i in")
        .replace("for j in", "for $0j in");
    refused(
        &inner,
        "k",
        expect!["`k` already refers to something else on line 8"],
    );
}

#[test]
fn an_invalid_name_is_refused() {
    for new in ["a b", "class", "1a", "", "a.b", "R.y", "y "] {
        let why = rename(REBOUND, new).unwrap_err();
        assert!(
            why.contains("is not a valid name in Python"),
            "{new}: {why}"
        );
    }
}

#[test]
fn operators_keep_their_names() {
    let fixture = Fixture::new(
        r#"
from tvm.script import relax as R

@R.function
def f(x: R.Tensor((4,), "float32")):
    return R.e$0xp(x)
"#,
    );
    let why = fixture.analysis.prepare_rename(fixture.position()).unwrap();
    expect!["`R.exp` is defined by TVM"].assert_eq(&why.unwrap_err());
}

#[test]
fn a_shape_variable_is_renamed_inside_strings() {
    check(
        r#"
from tvm.script import relax as R, tir as T

@R.function
def f(x: R.Tensor(("n", 4), "float32")) -> R.Tensor(("n * 4",), "float32"):
    n = T.int64()
    y: R.Tensor((n * 4,), "float32") = R.reshape(x, (n$0 * 4,))
    return y
"#,
        "batch",
        expect![[r#"
                def f(x: R.Tensor(("batch", 4), "float32")) -> R.Tensor(("batch * 4",), "float32"):
                batch = T.int64()
                y: R.Tensor((batch * 4,), "float32") = R.reshape(x, (batch * 4,))"#]],
    );
}

#[test]
fn a_function_is_renamed_in_the_module_and_in_its_symbol() {
    check(
        r#"
from tvm.script import ir as I, relax as R

@I.ir_module
class Module:
    @R.function
    def helper(x: R.Tensor((4,), "float32")):
        R.func_attr({"global_symbol": "helper"})
        return x

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = Module
        helper = cls.hel$0per(x)
        return helper
"#,
        "twice",
        expect![[r#"
                def twice(x: R.Tensor((4,), "float32")):
                R.func_attr({"global_symbol": "twice"})
                helper = cls.twice(x)"#]],
    );
}

#[test]
fn a_function_of_the_new_name_prevents_a_rename() {
    refused(
        r#"
from tvm.script import ir as I, relax as R

@I.ir_module
class Module:
    @R.function
    def a$0(x: R.Tensor((4,), "float32")):
        return x

    @R.function
    def b(x: R.Tensor((4,), "float32")):
        return x
"#,
        "b",
        expect!["`b` already refers to something else on line 11"],
    );
}

#[test]
fn a_module_is_renamed_inside_and_outside() {
    check(
        r#"
from tvm.script import ir as I, relax as R

@I.ir_module
class Mod$0ule:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = Module
        return Module.main(cls.main(x))

print(Module["main"])
"#,
        "Net",
        expect![[r#"
                class Net:
                cls = Net
                return Net.main(cls.main(x))
                print(Net["main"])"#]],
    );
}

#[test]
fn a_type_variable_is_renamed_with_its_string() {
    check(
        r#"
from typing import TypeVar
from tvm.script import relax as R

n = TypeVar("n")

@R.function
def f(x: R.Tensor(($0n,), "float32")) -> R.Tensor((n,), "float32"):
    return x
"#,
        "rows",
        expect![[r#"
                rows = TypeVar("rows")
                def f(x: R.Tensor((rows,), "float32")) -> R.Tensor((rows,), "float32"):"#]],
    );
}

#[test]
fn a_python_function_keeps_its_own_variable_of_the_name() {
    check(
        r#"
from tvm.script import relax as R

size = 4

def helper(size):
    return size

@R.function
def f(x: R.Tensor(($0size,), "float32")):
    return x
"#,
        "width",
        expect![[r#"
                width = 4
                def f(x: R.Tensor((width,), "float32")):"#]],
    );
}

#[test]
fn imported_names_are_not_renamed() {
    let fixture = Fixture::new(
        r#"
from sizes import width
from tvm.script import relax as R

@R.function
def f(x: R.Tensor((wid$0th,), "float32")):
    return x
"#,
    );
    let why = fixture.analysis.prepare_rename(fixture.position()).unwrap();
    expect!["`width` is imported under its own name"].assert_eq(&why.unwrap_err());
}

#[test]
fn a_loop_variable_is_renamed_in_its_loop() {
    check(
        r#"
from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((4, 4), "float32")):
    for i, j in T.grid(4, 4):
        A[i$0, j] = 0.0
    for i in range(4):
        A[i, 0] = 1.0
"#,
        "row",
        expect![[r#"
                for row, j in T.grid(4, 4):
                A[row, j] = 0.0"#]],
    );
}
