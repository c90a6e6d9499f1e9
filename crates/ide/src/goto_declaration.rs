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
