//! Renames the symbol at the cursor at all its mentions.

use hir::RelayFile;
use text_size::{TextRange, TextSize};

use super::mentions::{self, Mention, Symbol};
use crate::source_edit::SourceEdit;
use crate::types::RenameTarget;

pub fn prepare(file: &RelayFile, text: &str, offset: TextSize) -> Result<RenameTarget, String> {
    let mention = renameable(file, text, offset)?;
    let range = bare(text, mention.range);
    Ok(RenameTarget {
        range,
        name: text[range].to_owned(),
    })
}

pub fn rename(
    file: &RelayFile,
    text: &str,
    offset: TextSize,
    new: &str,
) -> Result<SourceEdit, String> {
    let mention = renameable(file, text, offset)?;
    let new = new.trim_start_matches(['%', '@']);
    if !is_name(new) {
        return Err(format!("`{new}` is not a valid name in Relay"));
    }
    if let Some(taken) = taken(file, &mention.symbol, new) {
        return Err(taken);
    }
    let places = mentions::of(file, &mention.symbol);
    Ok(places.iter().fold(SourceEdit::default(), |edit, it| {
        edit.and_replace(bare(text, it.range), new)
    }))
}

fn renameable(file: &RelayFile, text: &str, offset: TextSize) -> Result<Mention, String> {
    let mention = mentions::at(file, offset).ok_or("there is no name here")?;
    match &mention.symbol {
        Symbol::Operator(name) | Symbol::Sign(name) => {
            Err(format!("`{name}` is an operator of TVM"))
        }
        Symbol::Local(..)
            if text[bare(text, mention.range)].starts_with(|it: char| it.is_ascii_digit()) =>
        {
            Err("a graph binding has a number, not a name".to_owned())
        }
        symbol if !mentions::of(file, symbol).iter().any(|it| it.is_binding) => {
            Err("this name is not bound in the file".to_owned())
        }
        _ => Ok(mention),
    }
}

/// Returns an error message if the new name is already taken.
fn taken(file: &RelayFile, symbol: &Symbol, new: &str) -> Option<String> {
    let env = &file.facts.env;
    let is_taken = match symbol {
        Symbol::Local(at, local) => {
            let body = &file.module.definitions[*at].body;
            body.locals()
                .any(|(id, it)| id != *local && it.name.text == new)
        }
        Symbol::Global(_) => env.function(new).is_some(),
        Symbol::Type(_) | Symbol::TypeParam(..) => env.adt(new).is_some(),
        Symbol::Constructor(_) => env.constructor(new).is_some(),
        Symbol::Operator(_) | Symbol::Sign(_) => false,
    };
    is_taken.then(|| format!("`{new}` is already the name of something else"))
}

/// Returns the range of a name without its sigil.
fn bare(text: &str, range: TextRange) -> TextRange {
    let sigil = text[range].starts_with(['%', '@']);
    TextRange::new(range.start() + TextSize::new(sigil.into()), range.end())
}

fn is_name(text: &str) -> bool {
    text.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_')
        && text
            .bytes()
            .all(|it| it.is_ascii_alphanumeric() || it == b'_')
}
