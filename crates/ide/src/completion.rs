//! Completion: operators, names in scope ranked by how well they fit, keywords, dtypes, snippets.
//!
//! Offers nothing in Python outside of TVMScript, which other language servers complete.

mod decorator;
mod document;
mod expected;
mod fit;
mod imports;
mod item;
mod keyword;
mod lookup;
mod member;
mod name;
mod prim_call;
mod prim_string;
mod snippet;
mod special;
mod string;
#[cfg(test)]
mod tests;

use hir::{Database, SourceFile};
use relax::FunctionKind;
use syntax::SyntaxKind;
use text_size::{TextRange, TextSize};

use crate::analysis::{Analysis, Cancellable};
use crate::cursor::Cursor;
use crate::relay;
use crate::semantics::Scope;
use crate::types::{Completions, FilePosition};
pub use document::document;
use item::Items;

impl Analysis {
    /// Returns the completions at a position. `trigger` is the typed character that triggered the request, if any.
    pub fn completions(
        &self,
        position: FilePosition,
        trigger: Option<char>,
    ) -> Cancellable<Option<Completions>> {
        self.with_file(position.file, |db, file| {
            if let Some((relay, offset)) = relay::text_at(db, file, position.offset) {
                let found = relay::completion::completions(relay.file, relay.text, offset)?;
                return Some(Completions {
                    insert: relay.outer(found.insert),
                    replace: relay.outer(found.replace),
                    ..found
                });
            }
            completions(db, file, position.offset, trigger)
        })
    }
}

/// `trigger` is the typed character that triggered the request, if any.
fn completions(
    db: &Database,
    file: SourceFile,
    offset: TextSize,
    trigger: Option<char>,
) -> Option<Completions> {
    let cursor = Cursor::new(&file.source(db).parse.syntax(), offset)?;
    if cursor.literal {
        return None;
    }
    // `=` triggers completion of a keyword argument's value, but not in an assignment.
    if trigger == Some('=') && cursor.call().is_none() {
        return None;
    }
    let scope = Scope::new(db, file, &cursor);
    let mut items = Items::new(cursor.typed(scope.text));
    let site = Site {
        scope: &scope,
        cursor: &cursor,
    };
    if scope.function.is_none() {
        site.looked_up(file, &mut items);
    }
    site.complete(&mut items);
    let replace = cursor.string.unwrap_or(cursor.word);
    let (mut items, incomplete) = items.finish();
    site.bring_imports(db, file, &mut items);
    (!items.is_empty()).then_some(Completions {
        insert: TextRange::new(replace.start(), offset.max(replace.start())),
        replace,
        items,
        incomplete,
    })
}

/// The cursor and its context.
#[derive(Clone, Copy)]
struct Site<'s, 'db> {
    scope: &'s Scope<'db>,
    cursor: &'s Cursor,
}

impl Site<'_, '_> {
    fn complete(self, items: &mut Items) {
        let cursor = self.cursor;
        let first = cursor.line.first;
        if matches!(first, Some(SyntaxKind::IMPORT_KW | SyntaxKind::FROM_KW)) {
            return self.imports(items);
        }
        if self.names_something_new() {
            return;
        }
        if first == Some(SyntaxKind::AT) && cursor.open.is_empty() {
            return self.decorators(items);
        }
        let in_script = matches!(
            self.scope.kind(),
            Some(FunctionKind::Relax | FunctionKind::PrimFunc | FunctionKind::Macro)
        );
        if cursor.string.is_some() {
            if in_script || first == Some(SyntaxKind::AT) {
                self.strings(items);
            }
            return;
        }
        if first == Some(SyntaxKind::AT) {
            return self.keywords(items);
        }
        if let Some(path) = &cursor.path {
            if in_script || self.scope.module.is_some() {
                self.members(path, items);
            }
            return;
        }
        if in_script {
            self.names(items);
        } else if self.scope.kind() != Some(FunctionKind::Python) {
            self.outside(items);
        }
    }

    /// Returns `true` after `def`, `class`, `as`, `for`, and for the name of a parameter: only a new name can be
    /// there.
    fn names_something_new(self) -> bool {
        let cursor = self.cursor;
        let in_header = cursor.line.first == Some(SyntaxKind::DEF_KW);
        let in_params = in_header
            && !cursor.line.arrow
            && cursor.open.len() == 1
            && !cursor.open[0].current().colon;
        let after = matches!(
            cursor.before,
            Some(
                SyntaxKind::DEF_KW | SyntaxKind::CLASS_KW | SyntaxKind::AS_KW | SyntaxKind::FOR_KW
            )
        );
        cursor.string.is_none()
            && (after || in_params && cursor.open[0].current().keyword.is_none())
    }

    /// Returns `true` where StructInfo is written: in a header, after a name's colon, or as an argument that takes it.
    fn in_annotation(self) -> bool {
        let cursor = self.cursor;
        let line = cursor.line;
        let Some(outermost) = cursor.open.last() else {
            return line.arrow
                || line.colon && !line.equals && line.first != Some(SyntaxKind::DEF_KW);
        };
        let header =
            line.first == Some(SyntaxKind::DEF_KW) && (line.arrow || outermost.current().colon);
        header || line.colon && !line.equals && !self.is_block_header()
    }

    fn is_block_header(self) -> bool {
        matches!(
            self.cursor.line.first,
            Some(
                SyntaxKind::WITH_KW
                    | SyntaxKind::FOR_KW
                    | SyntaxKind::IF_KW
                    | SyntaxKind::WHILE_KW
                    | SyntaxKind::ELIF_KW
                    | SyntaxKind::ELSE_KW
            )
        )
    }
}
