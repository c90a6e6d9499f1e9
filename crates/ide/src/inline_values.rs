//! The variables whose values a debugger may show next to their bindings, up to the current line.

use hir::{Database, SourceFile};
use text_size::{TextRange, TextSize};

use crate::analysis::{Analysis, Cancellable};
use crate::mentions::{self, Access, Symbol};
use crate::semantics::{function_at, function_range};
use crate::types::{FileId, InlineVariable};

impl Analysis {
    /// Returns the variables bound in a range, up to where the program is stopped.
    pub fn inline_values(
        &self,
        file: FileId,
        range: TextRange,
        stopped: TextSize,
    ) -> Cancellable<Vec<InlineVariable>> {
        self.with_file(file, |db, file| inline_values(db, file, range, stopped))
    }
}

fn inline_values(
    db: &Database,
    file: SourceFile,
    range: TextRange,
    stopped: TextSize,
) -> Vec<InlineVariable> {
    let Some(function) = function_at(db, file, stopped) else {
        return Vec::new();
    };
    let until = TextRange::new(function_range(db, function).start(), stopped);
    let Some(range) = range.intersect(until) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    mentions::in_function(db, function, range, &mut |mention| {
        let is_value = matches!(
            mention.symbol,
            Symbol::Var(..) | Symbol::Shape(..) | Symbol::Tir(..)
        );
        if is_value && mention.access == Access::Bind && mention.range.end() <= stopped {
            found.push(InlineVariable {
                range: mention.range,
                name: mentions::text_of(db, file, mention.range).to_owned(),
            });
        }
    });
    found.sort_by_key(|it| it.range.start());
    found
}

#[cfg(test)]
mod tests {
    use text_size::{TextRange, TextSize};

    use crate::fixture::Fixture;

    #[test]
    fn inline_values_cover_bindings_before_the_breakpoint() {
        let fixture = Fixture::new(
            r#"
from tvm.script import relax as R

@R.function
def f(x: R.Tensor(("n",), "float32")):
    y = R.exp(x)
    $0z = R.exp(y)
    return z
"#,
        );
        let whole = TextRange::up_to(TextSize::of(&*fixture.text));
        let stopped = fixture.position().offset;
        let found = fixture.analysis.inline_values(fixture.file, whole, stopped);
        let names: Vec<String> = found.unwrap().into_iter().map(|it| it.name).collect();
        assert_eq!(names, ["x", "n", "y"]);
    }
}
