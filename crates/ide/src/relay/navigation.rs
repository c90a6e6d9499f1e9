//! Definitions and references of a symbol.

use hir::RelayFile;
use text_size::{TextRange, TextSize};

use super::mentions::{self, Symbol};
use crate::types::{FilePosition, NavigationTarget};

/// Returns the definition of the symbol at an offset.
pub fn definition(file: &RelayFile, position: FilePosition) -> Vec<NavigationTarget> {
    let Some(mention) = mentions::at(file, position.offset) else {
        return Vec::new();
    };
    let bindings = mentions::of(file, &mention.symbol).into_iter();
    let bindings = bindings.filter(|it| it.is_binding);
    bindings
        .map(|it| NavigationTarget {
            file: position.file,
            range: definition_range(file, &it.symbol).unwrap_or(it.range),
            name_range: it.range,
        })
        .collect()
}

/// Returns the range of the whole definition of a symbol.
fn definition_range(file: &RelayFile, symbol: &Symbol) -> Option<TextRange> {
    let env = &file.facts.env;
    let at = match symbol {
        Symbol::Global(name) => env.function(name)?.definition,
        Symbol::Type(name) => env.adt(name)?.definition?,
        _ => return None,
    };
    super::symbols::ranges(file).nth(at)
}

/// Returns every mention of the symbol at an offset.
pub fn references(file: &RelayFile, offset: TextSize, with_binding: bool) -> Vec<TextRange> {
    let Some(mention) = mentions::at(file, offset) else {
        return Vec::new();
    };
    let all = mentions::of(file, &mention.symbol).into_iter();
    let all = all.filter(|it| with_binding || !it.is_binding);
    all.map(|it| it.range).collect()
}
