//! Reads the metadata that a file loads.
//!
//! A text may have a hundred megabytes, so each is read once, and not evaluated as other strings are.

use std::sync::Arc;

use salsa::plumbing::AsId;
use syntax::ast::{self, AstNode};

use super::Subtree;
use crate::db::{Db, SourceFile};
use crate::enclosing::{Loaded, loaded_text};
use crate::metadata::Metadata;

/// The texts of a file before an edit, which leaves most of them in place.
#[derive(Default)]
struct Before(Vec<(Subtree, Arc<Metadata>)>);

pub(super) fn loaded(db: &dyn Db, file: SourceFile, tree: &ast::SourceFile) -> Loaded {
    let mut texts = tree.stmts().filter_map(|stmt| match stmt {
        ast::Stmt::AssignStmt(it) => loaded_text(&it.value()?),
        _ => None,
    });
    let Some(first) = texts.next() else {
        return Loaded::default();
    };
    let before = db.previous().get::<Before>(file.as_id());
    let before = before.as_deref().map_or(&[][..], |it| &it.0);
    let (mut loaded, mut now) = (Loaded::default(), Before::default());
    for text in std::iter::once(first).chain(texts) {
        let node = Subtree(text.syntax().green().into_owned());
        let metadata = match before.iter().find(|it| it.0 == node) {
            Some((_, metadata)) => Arc::clone(metadata),
            None => {
                db.give_way();
                let text = text.value().unwrap_or_default();
                Arc::new(Metadata::read(&text))
            }
        };
        let offset = text.syntax().text_range().start();
        loaded.0.insert(offset, Arc::clone(&metadata));
        now.0.push((node, metadata));
    }
    db.previous().insert(file.as_id(), Arc::new(now));
    loaded
}

#[cfg(test)]
mod tests {
    use salsa::Setter;
    use text_size::{TextRange, TextSize};

    use super::*;
    use crate::db::{Database, Source};
    use crate::enclosing::PyValue;
    use crate::{Text, file_env, file_items};

    const TEXT: &str = "metadata = tvm.ir.load_json(\"\"\"{\\\"root_index\\\": 0, \\\"nodes\\\": [\n{\\\"type\\\": \\\"ffi.Map\\\", \\\"data\\\": []}]}\"\"\")\nn = 4\n";

    fn metadata(db: &Database, file: SourceFile) -> Arc<Metadata> {
        file_items(db, file);
        match file_env(db, file).get("metadata") {
            Some(PyValue::Metadata(it)) => Arc::clone(it),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_text_is_read_again_only_if_it_changes() {
        let mut db = Database::default();
        let file = SourceFile::new(&db, Source::new(TEXT));
        let first = metadata(&db, file);
        assert!(first.is_read());
        let mut edit = |at: &str, new: &str| {
            let text = String::from(&*file.source(&db).text);
            let start = text.find(at).expect("the place");
            let range = TextRange::at(TextSize::new(start as u32), TextSize::of(at));
            let edited = Text::from(text.replacen(at, new, 1));
            let source = file.source(&db).reparse(range, TextSize::of(new), edited);
            file.set_source(&mut db).to(source);
            metadata(&db, file)
        };
        assert!(Arc::ptr_eq(&first, &edit("n = 4", "n = 5")));
        assert!(Arc::ptr_eq(
            &first,
            &edit("metadata =", "# moved\nmetadata =")
        ));
        assert!(!Arc::ptr_eq(&first, &edit("root_index", "root")));
    }
}
