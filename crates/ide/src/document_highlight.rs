//! Highlights every mention of the symbol at the cursor, with its kind of access. For a keyword, highlights the
//! keywords that belong to it.

mod keywords;

use hir::{Database, SourceFile};
use text_size::TextSize;

use crate::analysis::{Analysis, Cancellable};
use crate::mentions::{self, Access};
use crate::relay;
use crate::types::{FilePosition, Highlight};

impl Analysis {
    /// Returns every mention of the symbol at a position, with the kind of access.
    pub fn document_highlight(&self, position: FilePosition) -> Cancellable<Vec<Highlight>> {
        self.with_file(position.file, |db, file| {
            if let Some((relay, offset)) = relay::text_at(db, file, position.offset) {
                let all = relay::highlights::highlights(relay.file, offset).into_iter();
                let outer = all.map(|it| Highlight {
                    range: relay.outer(it.range),
                    ..it
                });
                return outer.collect();
            }
            document_highlight(db, file, position.offset)
        })
    }
}

fn document_highlight(db: &Database, file: SourceFile, offset: TextSize) -> Vec<Highlight> {
    let Some(mention) = mentions::mention_at(db, file, offset) else {
        let related = keywords::related(db, file, offset).into_iter();
        return related
            .map(|range| Highlight {
                range,
                write: false,
            })
            .collect();
    };
    mentions::mentions_of(db, file, &mention.symbol)
        .into_iter()
        .map(|mention| Highlight {
            range: mention.range,
            write: matches!(mention.access, Access::Bind | Access::Write),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::fixture::Fixture;

    pub fn check(fixture: &str) {
        let fixture = Fixture::new(fixture);
        let found = fixture.analysis.document_highlight(fixture.position());
        let found: Vec<_> = found
            .unwrap()
            .iter()
            .map(|it| (it.range, if it.write { "write" } else { "read" }.to_owned()))
            .collect();
        assert_eq!(found, fixture.expected());
    }

    #[test]
    fn a_binding_is_written_once_and_read_where_it_is_used() {
        check(
            r#"
from tvm.script import relax as R

@R.function
def f(x: R.Tensor((4,), "float32")):
    y = R.exp(x)
#   ^ write
    return R.add(y$0, y)
#                ^ read
#                   ^ read
"#,
        );
    }

    #[test]
    fn a_dimension_writes_its_variable_and_a_declaration_does_not() {
        check(
            r#"
from tvm.script import relax as R, tir as T

@R.function
def f(x: R.Tensor(("n",), "float32")):
#                   ^ write
    n = T.int64()
#   ^ read
    return R.zeros(R.shape([n$0]), "float32")
#                           ^ read
"#,
        );
    }
}
