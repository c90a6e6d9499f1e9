//! Completes function names in Python code that looks one up in a module: `Module["main"]`.

use hir::SourceFile;
use relax::FunctionKind;
use syntax::ast::AstNode;

use super::Site;
use super::item::{Completion, CompletionKind, Items, rank};
use crate::mentions;

impl Site<'_, '_> {
    pub(super) fn looked_up(self, file: SourceFile, items: &mut Items) {
        let (db, Some(string)) = (self.scope.db, self.cursor.string) else {
            return;
        };
        let tree = file.source(db).parse.tree();
        let token = syntax::tokens_at(tree.syntax(), string.start()).left_biased();
        let Some(module) = token.and_then(|it| mentions::looked_up_in(db, file, &it)) else {
            return;
        };
        for &function in module.functions(db) {
            let kind = match function.kind(db) {
                FunctionKind::Relax => CompletionKind::Function,
                FunctionKind::PrimFunc => CompletionKind::PrimFunc,
                FunctionKind::Macro | FunctionKind::Python => continue,
            };
            let item = Completion::new(function.name(db), kind);
            items.push(item.rank(rank::FITS));
        }
    }
}
