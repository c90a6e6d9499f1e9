//! Another name for what the cursor is on, at every place that names it; or why it cannot have one.

mod meaning;

use hir::{Database, FunctionItem, SourceFile};
use syntax::SyntaxKind;
use text_size::{TextRange, TextSize};

use crate::locate::{function_at, function_range, name_range};
use crate::mentions::{self, Mention, Symbol, text_of, words};
use crate::source_edit::SourceEdit;
use crate::types::RenameTarget;

/// What would be renamed, or why nothing can be.
pub fn prepare_rename(
    db: &Database,
    file: SourceFile,
    offset: TextSize,
) -> Result<RenameTarget, String> {
    let mention = renameable(db, file, offset)?;
    Ok(RenameTarget {
        range: mention.range,
        name: text_of(db, file, mention.range).to_owned(),
    })
}

/// The edits that give the thing at `offset` the name `new`.
pub fn rename(
    db: &Database,
    file: SourceFile,
    offset: TextSize,
    new: &str,
) -> Result<SourceEdit, String> {
    let mention = renameable(db, file, offset)?;
    if !is_name(new) {
        return Err(format!("`{new}` is not a name in Python"));
    }
    let old = text_of(db, file, mention.range);
    if old == new {
        return Ok(SourceEdit::default());
    }
    let all = mentions::mentions_of(db, file, &mention.symbol);
    if let Some(odd) = all.iter().find(|it| text_of(db, file, it.range) != old) {
        let text = text_of(db, file, odd.range);
        return Err(format!(
            "`{old}` is spelled `{text}` in one place, which cannot be renamed"
        ));
    }
    let edit = SourceEdit::default();
    let edit = all
        .iter()
        .fold(edit, |edit, it| edit.and_replace(it.range, new));
    let clashes = clashes(db, file, &mention, &all, new);
    let Some(first) = clashes.first() else {
        return Ok(edit);
    };
    let functions: Option<Vec<_>> = clashes.iter().map(|it| it.function).collect();
    // Names may shadow each other, as long as each place still names the same.
    if functions.is_some_and(|functions| meaning::is_kept(db, file, &edit, &functions)) {
        return Ok(edit);
    }
    let before = &file.source(db).text[..first.at.into()];
    let line = 1 + before.bytes().filter(|&it| it == b'\n').count();
    Err(format!(
        "`{new}` already stands for something else in line {line}"
    ))
}

fn renameable(db: &Database, file: SourceFile, offset: TextSize) -> Result<Mention<'_>, String> {
    let mention = mentions::mention_at(db, file, offset)
        .ok_or("nothing that has a name is at the cursor".to_owned())?;
    let text = text_of(db, file, mention.range);
    match &mention.symbol {
        Symbol::Script(path) => Err(format!("`{path}` is a name of TVM")),
        Symbol::Packed(name) => Err(format!("`{name}` is a function of the host")),
        Symbol::Python(name, _) => {
            let bound = mentions::definitions(db, file, &mention.symbol);
            if bound.is_empty() {
                return Err(format!("`{name}` is not bound in this file"));
            }
            if bound.iter().any(|&range| is_imported(db, file, range)) {
                return Err(format!("`{name}` is the name of what is imported"));
            }
            Ok(mention)
        }
        Symbol::Alias(..) if mentions::definitions(db, file, &mention.symbol).is_empty() => {
            Err(format!("`{text}` is not bound in this file"))
        }
        _ => Ok(mention),
    }
}

/// Whether a name comes from an import without `as`, and so is fixed by the other module.
fn is_imported(db: &Database, file: SourceFile, range: TextRange) -> bool {
    let tree = file.source(db).parse.tree();
    let token = syntax::tokens_at(syntax::ast::AstNode::syntax(&tree), range.start());
    let parent = token.right_biased().and_then(|token| token.parent());
    parent.is_some_and(|parent| parent.kind() == SyntaxKind::MODULE_PATH)
}

/// Whether Python takes `text` for a name.
fn is_name(text: &str) -> bool {
    let tree = syntax::parse(text);
    let mut tokens = syntax::ast::AstNode::syntax(&tree.tree())
        .descendants_with_tokens()
        .filter_map(syntax::SyntaxElement::into_token);
    let one = tokens.next().is_some_and(|it| {
        it.kind() == SyntaxKind::IDENT && it.text_range().len() == TextSize::of(text)
    });
    one && tree.errors.is_empty()
}

/// A place where the new name stands for something already.
struct Clash<'db> {
    at: TextSize,
    /// The function that it is in, if only there something could change.
    function: Option<FunctionItem<'db>>,
}

/// Where, among the places in which the thing is visible, `new` stands for something else: the first of each.
fn clashes<'db>(
    db: &'db Database,
    file: SourceFile,
    mention: &Mention<'db>,
    all: &[Mention<'db>],
    new: &str,
) -> Vec<Clash<'db>> {
    let text = &file.source(db).text;
    if let Symbol::Function(function) = &mention.symbol
        && let Some(other) =
            mentions::function_named(db, file, function.module(db), new, function.offset(db))
        && function.module(db).is_some()
    {
        let at = name_range(db, other).map_or(other.offset(db), TextRange::start);
        return vec![Clash { at, function: None }];
    }
    // Functions of a module are named through it: locals do not clash with them.
    let through_module = |it: &Mention<'_>| {
        text[..it.range.start().into()].ends_with('.')
            || matches!(&mention.symbol, Symbol::Function(function) if function.module(db).is_some())
                && function_at(db, file, it.range.start()).is_none()
    };
    let mut scopes: Vec<(TextRange, Option<FunctionItem<'db>>)> = Vec::new();
    for it in all.iter().filter(|it| !through_module(it)) {
        if matches!(&mention.symbol, Symbol::Function(function) if name_range(db, *function) == Some(it.range))
        {
            continue;
        }
        let whole = match &mention.symbol {
            Symbol::Python(_, scope) => mentions::scope_at(db, file, *scope),
            Symbol::Module(module) => mentions::scope_around(db, file, module.range(db).start()),
            Symbol::Function(function) if function.module(db).is_none() => {
                mentions::scope_around(db, file, function.offset(db))
            }
            _ => TextRange::up_to(TextSize::of(&**text)),
        };
        let function = function_at(db, file, it.range.start());
        let scope = function.map_or(whole, |function| function_range(db, function));
        if !scopes.contains(&(scope, function)) {
            scopes.push((scope, function));
        }
    }
    let clash = |(scope, function): (TextRange, Option<FunctionItem<'db>>)| {
        let mut found = words(&text[scope], new).map(|at| at + scope.start());
        let at = found.find(|&at| {
            let named = mentions::mention_at(db, file, at);
            named.is_some_and(|it| {
                it.range.start() == at
                    && !text[..at.into()].ends_with('.')
                    && !matches!(it.symbol, Symbol::Packed(_))
            })
        })?;
        Some(Clash { at, function })
    };
    scopes.into_iter().filter_map(clash).collect()
}

#[cfg(test)]
mod tests {
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

    /// The lines that the new name changes.
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
    fn of_modules_of_one_name_the_one_that_is_meant_gets_another() {
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
    fn of_functions_of_one_name_the_one_that_is_meant_gets_another() {
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
    fn a_name_of_one_python_function_does_not_clash_with_that_of_another() {
        let program = SEVERAL.replacen("test_two(kind)", "test_two($0kind)", 1);
        let renamed = rename(&program, "dtype").unwrap();
        assert_eq!(renamed.matches("dtype").count(), 10);
    }

    #[test]
    fn only_the_binding_that_is_meant_gets_the_name() {
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
            expect!["`x` already stands for something else in line 5"],
        );
        refused(
            REBOUND,
            "R",
            expect!["`R` already stands for something else in line 4"],
        );
    }

    #[test]
    fn a_name_that_is_bound_again_later_may_be_taken() {
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
    fn what_another_function_calls_its_own_does_not_matter() {
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
            expect!["`inner` already stands for something else in line 7"],
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
            expect!["`k` already stands for something else in line 8"],
        );
    }

    #[test]
    fn what_is_no_name_is_refused() {
        for new in ["a b", "class", "1a", "", "a.b", "R.y", "y "] {
            let why = rename(REBOUND, new).unwrap_err();
            assert!(why.contains("is not a name in Python"), "{new}: {why}");
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
        expect!["`R.exp` is a name of TVM"].assert_eq(&why.unwrap_err());
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
    fn a_function_of_that_name_is_in_the_way() {
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
            expect!["`b` already stands for something else in line 11"],
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
    fn what_is_imported_keeps_its_name() {
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
        expect!["`width` is the name of what is imported"].assert_eq(&why.unwrap_err());
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
}
