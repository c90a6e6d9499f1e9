//! Inlay hints: types of bindings that have neither an annotation nor a comment `/* ty=... */`.

use hir::RelayFile;
use hir::relay::Body;
use hir::relay::body::{Expr, LocalId, LocalKind, Statement};
use rustc_hash::FxHashMap;
use text_size::{TextRange, TextSize};

use super::definitions;
use crate::source_edit::SourceEdit;
use crate::types::{HintKind, InlayHint};

pub fn inlay_hints(file: &RelayFile, text: &str, range: TextRange) -> Vec<InlayHint> {
    let mut hints = Vec::new();
    for (_, definition, facts) in definitions(file) {
        let body = &definition.body;
        let values = ends_of_values(body);
        for (id, local) in body.locals() {
            let at = body.name_range(id) + definition.start;
            let is_open = local.annotation.is_none() && !local.name.range.is_empty();
            if !is_open || range.intersect(at).is_none() {
                continue;
            }
            let Some(ty) = facts.local(id).filter(|it| !it.is_unknown()) else {
                continue;
            };
            let value = values.get(&id).map(|it| *it + definition.start);
            let types_behind = [Some(at.end()), value].into_iter().flatten();
            if types_behind
                .into_iter()
                .any(|it| says_type(&text[usize::from(it)..]))
            {
                continue;
            }
            let label = format!(": {ty}");
            // A graph binding cannot be annotated.
            let can_insert = local.kind != LocalKind::Graph;
            hints.push(InlayHint {
                offset: at.end(),
                links: Vec::new(),
                kind: HintKind::StructInfo,
                insert: can_insert.then(|| SourceEdit::insert(at.end(), label.clone())),
                label,
                explained: true,
            });
        }
    }
    hints.sort_by_key(|it| it.offset);
    hints
}

fn ends_of_values(body: &Body) -> FxHashMap<LocalId, TextSize> {
    let blocks = body.exprs().filter_map(|(_, expr)| match expr {
        Expr::Block { statements, .. } => Some(statements),
        _ => None,
    });
    let bindings = blocks.flat_map(|it| it.iter()).filter_map(|it| match it {
        Statement::Binding { local, value } => Some((*local, body.range(*value).end())),
        Statement::Free(_) | Statement::Effect(_) => None,
    });
    bindings.collect()
}

/// Returns `true` if a comment with the type follows.
fn says_type(text: &str) -> bool {
    let comment = text.trim_start().strip_prefix("/*");
    let comment = comment.and_then(|it| it.split_once("*/"));
    comment.is_some_and(|(inside, _)| inside.contains("ty="))
}
