//! From a name to where it is bound.

use hir::facts::Def;
use hir::{Database, SourceFile, file_items};
use text_size::TextRange;

use crate::locate::{Place, function_range};
use crate::types::{FilePosition, NavigationTarget};

pub fn goto_definition(
    db: &Database,
    file: SourceFile,
    position: FilePosition,
) -> Vec<NavigationTarget> {
    let Some(place) = Place::new(db, file, position.offset) else {
        return Vec::new();
    };
    let target = |range: TextRange, name_range: TextRange| NavigationTarget {
        file: position.file,
        range,
        name_range,
    };
    let Some((def, _)) = place.definition() else {
        return Vec::new();
    };
    match def {
        Def::Var(var) => {
            let var = place.facts.var(var);
            vec![target(
                var.range + place.start,
                var.name_range + place.start,
            )]
        }
        Def::Sym(sym) => {
            let bound = place.facts.sym_vars.get(sym.0 as usize);
            let at = bound.and_then(|sym| sym.bound_at);
            at.map(|at| target(at + place.start, at + place.start))
                .into_iter()
                .collect()
        }
        Def::Global(name) => {
            let items = file_items(db, file);
            let module = place.function.module(db);
            let named = items
                .functions
                .iter()
                .filter(|it| it.module(db) == module && it.name(db) == name);
            named
                .filter_map(|&it| {
                    let token = it.source(db).def()?.name()?;
                    let range = token.text_range() + it.offset(db);
                    Some(target(function_range(db, it), range))
                })
                .collect()
        }
        // An operator is defined in TVM, and a Python name by code that is not analysed.
        Def::Op(_) | Def::Python(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use crate::fixture::Fixture;

    /// The one line with carets is what the cursor leads to.
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
    fn a_use_leads_to_the_last_binding_before_it() {
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
    fn an_operator_leads_nowhere() {
        check(
            r#"
from tvm.script import relax as R

@R.function
def f(x: R.Tensor((4,), "float32")):
    return R.ex$0p(x)
"#,
        );
    }
}
