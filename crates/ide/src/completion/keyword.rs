//! Completes keyword arguments of the call around the cursor that are not given yet.

use relax::ops;
use relax::script::{DeclaredParam, param_doc};

use super::Site;
use super::item::{Completion, CompletionKind, Items, rank};
use crate::callee::Callee;

impl Site<'_, '_> {
    pub(super) fn keywords(self, items: &mut Items) {
        // Only directly inside the call's brackets, where an argument begins.
        let Some(open) = self.cursor.open.first().filter(|open| open.is_call()) else {
            return;
        };
        let current = open.current();
        if current.keyword.is_some() || !current.empty {
            return;
        }
        let at = open.position();
        match self.scope.callee(open) {
            Some(Callee::Op(op)) => {
                let params = op.params.iter().enumerate().filter(|(index, param)| {
                    let behind_star = op.params[..*index].iter().any(|it| it.star);
                    (*index >= at || behind_star) && !param.star
                });
                for (order, (index, param)) in params.enumerate() {
                    if open.has_keyword(param.name) {
                        continue;
                    }
                    let required = param.default == ops::Default::Required;
                    // The next required parameter is more often given by position.
                    let rank = if required && index == at {
                        rank::MAY_FIT
                    } else {
                        rank::KEYWORD
                    };
                    items.push(keyword(param.name, order).rank(rank).detail(detail(param)));
                }
            }
            Some(Callee::Entry(_, entry)) => {
                let mut left: Vec<DeclaredParam> = Vec::new();
                for form in entry.forms() {
                    for (index, param) in form.into_iter().enumerate() {
                        let known = left.iter().any(|it| it.name == param.name);
                        // Python has no keyword names for the operands of instructions.
                        let named = !entry.is_instruction || param.keyword_only;
                        let open_yet = named && (index >= at || param.keyword_only);
                        if !param.star && !known && open_yet && !open.has_keyword(param.name) {
                            left.push(param);
                        }
                    }
                }
                for (order, param) in left.iter().enumerate() {
                    let default = param
                        .text
                        .split_once('=')
                        .map_or("", |(_, default)| default);
                    let doc = param_doc(entry, param.name);
                    let detail = match (doc, default) {
                        ("", default) => default.to_owned(),
                        (doc, "") => doc.to_owned(),
                        (doc, default) => format!("{doc} By default {default}."),
                    };
                    items.push(keyword(param.name, order).detail(detail));
                }
            }
            _ => {}
        }
    }
}

fn keyword(name: &str, order: usize) -> Completion {
    Completion::new(format!("{name}="), CompletionKind::Keyword)
        .rank(rank::KEYWORD)
        .order(order)
}

fn detail(param: &ops::Param) -> String {
    match param.to_string().split_once('=') {
        Some((_, default)) => format!("{} By default {default}.", param.doc),
        None => param.doc.to_owned(),
    }
}
