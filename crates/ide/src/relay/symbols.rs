//! The outline of a file: functions, types and their constructors.

use hir::RelayFile;
use hir::relay::body::Item;
use syntax::ast::AstNode;
use text_size::TextRange;

use super::definitions;
use crate::types::{DocumentSymbol, SymbolKind};

/// Returns the range of each definition.
pub(super) fn ranges(file: &RelayFile) -> impl Iterator<Item = TextRange> {
    let tree = file.parse.tree();
    let value = tree.value().map(|it| it.range());
    tree.definitions().map(|it| it.range()).chain(value)
}

pub fn symbols(file: &RelayFile) -> Vec<DocumentSymbol> {
    let pairs = definitions(file).zip(ranges(file));
    let symbols = pairs.filter_map(|((_, definition, facts), range)| {
        let symbol = |name: &hir::relay::body::Name, kind, detail, children| DocumentSymbol {
            name: name.text.to_string(),
            kind,
            detail,
            range,
            name_range: name.range + definition.start,
            children,
        };
        match &definition.body.item {
            Item::Function { name, .. } if !name.text.is_empty() => {
                let detail = facts.ty.as_ref().map(ToString::to_string);
                Some(symbol(name, SymbolKind::Function, detail, Vec::new()))
            }
            Item::Type(def) if !def.name.text.is_empty() => {
                let constructors = def
                    .constructors
                    .iter()
                    .filter(|it| !it.name.text.is_empty());
                let constructors = constructors.map(|it| DocumentSymbol {
                    name: it.name.text.to_string(),
                    kind: SymbolKind::Binding,
                    detail: None,
                    range: it.name.range + definition.start,
                    name_range: it.name.range + definition.start,
                    children: Vec::new(),
                });
                let constructors = constructors.collect();
                Some(symbol(&def.name, SymbolKind::Module, None, constructors))
            }
            _ => None,
        }
    });
    symbols.collect()
}
