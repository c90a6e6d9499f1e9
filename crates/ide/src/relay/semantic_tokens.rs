//! Semantic tokens: the kind of each name.

use hir::relay::body::{LocalKind, TypeExpr};
use hir::{Database, RelayFile, SourceFile};
use text_size::{TextRange, TextSize};

use super::mentions::{self, Symbol};
use super::{definitions, embedded};
use crate::types::{SemanticToken, TokenKind, TokenModifier};

pub fn semantic_tokens(file: &RelayFile, range: TextRange) -> Vec<SemanticToken> {
    let mentions = mentions::all(file).into_iter();
    let names = mentions.filter_map(|it| {
        let modifier = if it.is_binding {
            TokenModifier::Declaration.bit()
        } else {
            0
        };
        let kind = match &it.symbol {
            Symbol::Local(at, local) => match file.module.definitions[*at].body[*local].kind {
                LocalKind::Param => TokenKind::Parameter,
                LocalKind::Graph => TokenKind::DataflowVariable,
                LocalKind::Let | LocalKind::Pattern | LocalKind::Free => TokenKind::Variable,
            },
            Symbol::Global(_) => TokenKind::Function,
            Symbol::Type(_) => TokenKind::Class,
            Symbol::Constructor(_) => TokenKind::PackedFunction,
            Symbol::TypeParam(..) => TokenKind::Type,
            Symbol::Operator(_) => TokenKind::TensorOperator,
            Symbol::Sign(_) => return None,
        };
        Some(SemanticToken {
            range: it.range,
            kind,
            modifiers: modifier,
        })
    });
    let mut tokens: Vec<SemanticToken> = names.chain(dtypes(file)).collect();
    tokens.retain(|it| !it.range.is_empty() && range.intersect(it.range).is_some());
    tokens.sort_by_key(|it| it.range.start());
    tokens
}

/// Returns the tokens of a Python file, including those of Relay texts in its strings.
pub fn with_embedded(
    db: &Database,
    file: SourceFile,
    range: TextRange,
    mut tokens: Vec<SemanticToken>,
) -> Vec<SemanticToken> {
    let texts = embedded(db, file).into_iter();
    let texts: Vec<_> = texts
        .filter(|it| it.range().intersect(range).is_some())
        .collect();
    for relay in &texts {
        let whole = TextRange::up_to(TextSize::of(relay.text));
        let found = semantic_tokens(relay.file, whole).into_iter();
        let outer = found.map(|it| SemanticToken {
            range: relay.outer(it.range),
            ..it
        });
        tokens.extend(outer.filter(|it| range.intersect(it.range).is_some()));
    }
    if !texts.is_empty() {
        tokens.sort_by_key(|it| it.range.start());
    }
    tokens
}

fn dtypes(file: &RelayFile) -> impl Iterator<Item = SemanticToken> {
    definitions(file).flat_map(|(_, definition, _)| {
        let types = definition.body.types();
        types.filter_map(|(_, ty)| match ty {
            TypeExpr::Tensor { dtype, .. } => Some(SemanticToken {
                range: dtype.range + definition.start,
                kind: TokenKind::Type,
                modifiers: TokenModifier::DefaultLibrary.bit(),
            }),
            _ => None,
        })
    })
}
