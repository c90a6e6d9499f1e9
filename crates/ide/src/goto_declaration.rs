//! Goes from a name to its declaration: `n = T.int64()`, `n = TypeVar("n")`. A name without a declaration leads to its
//! definition.

use hir::{Database, SourceFile};
use text_size::TextRange;

use crate::analysis::{Analysis, Cancellable};
use crate::goto_definition::goto_definition;
use crate::mentions::{self, Access, Mention, Symbol};
use crate::semantics::function_at;
use crate::types::{FilePosition, NavigationTarget};

impl Analysis {
    /// Returns the declarations of the symbol at a position.
    pub fn goto_declaration(&self, position: FilePosition) -> Cancellable<Vec<NavigationTarget>> {
        self.with_file(position.file, |db, file| {
            goto_declaration(db, file, position)
        })
    }
}

fn goto_declaration(
    db: &Database,
    file: SourceFile,
    position: FilePosition,
) -> Vec<NavigationTarget> {
    let mention = mentions::mention_at(db, file, position.offset);
    let declared = mention.map_or_else(Vec::new, |mention| match &mention.symbol {
        Symbol::Shape(..) => places(db, file, &mention.symbol, |it| it.access == Access::Declare),
        Symbol::Python(..) => places(db, file, &mention.symbol, |it| {
            it.access == Access::Bind && function_at(db, file, it.range.start()).is_none()
        }),
        _ => Vec::new(),
    });
    if declared.is_empty() {
        return goto_definition(db, file, position);
    }
    let targets = declared.into_iter();
    targets
        .map(|range| NavigationTarget::of_name(position.file, range))
        .collect()
}

fn places(
    db: &Database,
    file: SourceFile,
    symbol: &Symbol<'_>,
    keep: impl Fn(&Mention<'_>) -> bool,
) -> Vec<TextRange> {
    let all = mentions::mentions_of(db, file, symbol);
    let kept = all.iter().filter(|it| keep(it));
    kept.map(|it| it.range).collect()
}

#[cfg(test)]
mod tests {
    use crate::fixture::Fixture;

    fn check(fixture: &str) {
        let fixture = Fixture::new(fixture);
        let found = fixture.analysis.goto_declaration(fixture.position());
        let found: Vec<_> = found.unwrap().iter().map(|it| it.name_range).collect();
        let expected: Vec<_> = fixture.expected().into_iter().map(|(at, _)| at).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_shape_variable_is_declared_by_its_statement() {
        check(
            r#"
from tvm.script import relax as R, tir as T

@R.function
def f(x: R.Tensor(("n", 4), "float32")):
    n = T.int64()
#   ^
    return R.reshape(x, ($0n * 4,))
"#,
        );
    }

    #[test]
    fn a_type_variable_is_declared_above_the_module() {
        check(
            r#"
from typing import TypeVar
from tvm.script import ir as I, relax as R

if True:
    n = TypeVar("n")
#   ^

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((n, 4), "float32")) -> R.Tensor(($0n, 4), "float32"):
        return x
"#,
        );
    }
}
