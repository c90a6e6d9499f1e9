//! Goes from a name to the place where it gets its value.

use hir::{Database, SourceFile};

use crate::analysis::{Analysis, Cancellable};
use crate::mentions::{self, Symbol};
use crate::relay;
use crate::semantics::{function_at, function_range};
use crate::types::{FilePosition, NavigationTarget};

impl Analysis {
    /// Returns the definitions of the symbol at a position.
    pub fn goto_definition(&self, position: FilePosition) -> Cancellable<Vec<NavigationTarget>> {
        self.with_file(position.file, |db, file| {
            if let Some((relay, offset)) = relay::text_at(db, file, position.offset) {
                let inner = FilePosition { offset, ..position };
                let all = relay::navigation::definition(relay.file, inner).into_iter();
                let outer = all.map(|it| NavigationTarget {
                    range: relay.outer(it.range),
                    name_range: relay.outer(it.name_range),
                    ..it
                });
                return outer.collect();
            }
            goto_definition(db, file, position)
        })
    }
}

pub fn goto_definition(
    db: &Database,
    file: SourceFile,
    position: FilePosition,
) -> Vec<NavigationTarget> {
    let Some(mention) = mentions::mention_at(db, file, position.offset) else {
        return Vec::new();
    };
    // Operators are defined in TVM, not in a file.
    if matches!(mention.symbol, Symbol::Script(_) | Symbol::Packed(_)) {
        return Vec::new();
    }
    let whole = match &mention.symbol {
        Symbol::Function(function) => Some(function_range(db, *function)),
        Symbol::Module(module) => Some(module.range(db)),
        _ => None,
    };
    let mut found = mentions::definitions(db, file, &mention.symbol);
    // A type variable of the file is bound by a dimension in each function that uses it.
    if let (Symbol::Python(..), Some(around)) =
        (&mention.symbol, function_at(db, file, position.offset))
    {
        let around = function_range(db, around);
        if found.iter().any(|&range| around.contains_range(range)) {
            found.retain(|&range| around.contains_range(range));
        }
    }
    found
        .into_iter()
        .map(|name_range| NavigationTarget {
            file: position.file,
            range: whole.unwrap_or(name_range),
            name_range,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::fixture::Fixture;

    /// Checks that the definition is the one line with carets.
    fn check(fixture: &str) {
        let fixture = Fixture::new(fixture);
        let found = fixture
            .analysis
            .goto_definition(fixture.position())
            .unwrap();
        let found: Vec<_> = found.iter().map(|target| target.name_range).collect();
        let expected: Vec<_> = fixture
            .expected()
            .into_iter()
            .map(|(range, _)| range)
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn the_definition_of_a_use_is_the_last_binding_before_it() {
        check(
            r#"
from tvm.script import relax as R

@R.function
def f(x: R.Tensor((4,), "float32")):
    y = R.exp(x)
    y = R.exp(y)
#   ^
    return $0y
"#,
        );
    }

    #[test]
    fn a_parameter_is_found_from_an_argument() {
        check(
            r#"
from tvm.script import relax as R

@R.function
def f(x: R.Tensor((4,), "float32"),
#     ^
      y: R.Tensor((4,), "float32")):
    return R.add(x$0, y)
"#,
        );
    }

    #[test]
    fn a_shape_variable_leads_to_the_dimension_that_binds_it() {
        check(
            r#"
from tvm.script import relax as R, tir as T

@R.function
def f(x: R.Tensor(("n", 4), "float32")):
#                   ^
    n = T.int64()
    return R.reshape(x, ($0n * 4,))
"#,
        );
    }

    #[test]
    fn a_function_of_the_module_is_found_through_cls() {
        check(
            r#"
from tvm.script import ir as I, relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = Module
        return cls.help$0er(x)

    @R.function
    def helper(x: R.Tensor((4,), "float32")):
#       ^^^^^^
        return x
"#,
        );
    }

    #[test]
    fn an_operator_has_no_definition() {
        check(
            r#"
from tvm.script import relax as R

@R.function
def f(x: R.Tensor((4,), "float32")):
    return R.ex$0p(x)
"#,
        );
    }

    #[test]
    fn a_name_used_after_an_if_has_definitions_in_both_branches() {
        check(
            r#"
from tvm.script import relax as R

@R.function
def f(c: R.Tensor((), "bool"), x: R.Tensor((4,), "float32")):
    if c:
        y = R.exp(x)
#       ^
    else:
        y = R.abs(x)
#       ^
    return $0y
"#,
        );
    }

    #[test]
    fn the_module_name_and_its_alias_have_a_definition() {
        check(
            r#"
from tvm.script import ir as I, relax as R

@I.ir_module
class Module:
#     ^^^^^^
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = Mod$0ule
        return cls.main(x)
"#,
        );
        check(
            r#"
from tvm.script import ir as I, relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = Module
#       ^^^
        return c$0ls.main(x)
"#,
        );
    }

    #[test]
    fn a_python_name_has_its_assignment_as_definition() {
        check(
            r#"
from tvm.script import relax as R

if True:
    size = 4
#   ^^^^

@R.function
def f(x: R.Tensor((size$0,), "float32")):
    return x
"#,
        );
    }

    #[test]
    fn a_local_function_is_found_from_its_call() {
        check(
            r#"
from tvm.script import relax as R

@R.function
def f(x: R.Tensor((4,), "float32")):
    @R.function
    def inner(y: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
#       ^^^^^
        return y
    return inn$0er(x)
"#,
        );
    }

    #[test]
    fn half_typed_code_has_definitions() {
        check(
            r#"
from tvm.script import relax as R

@R.function
def f(x: R.Tensor((4,), "float32")):
#     ^
    y = R.add(x$0,
"#,
        );
    }
}
