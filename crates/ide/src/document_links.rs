//! Links in a file: `metadata["relax.expr.Constant"][0]` leads to the metadata, and URLs in comments can be opened.

use hir::{Database, SourceFile};
use relax::script::METADATA;
use syntax::ast::{self, AstNode};
use syntax::{SyntaxKind as K, SyntaxToken};
use text_size::{TextRange, TextSize};

use crate::analysis::{Analysis, Cancellable};
use crate::mentions::words;
use crate::semantics::function_at;
use crate::types::{FileId, Link, LinkTarget};

impl Analysis {
    /// Returns the links in a file.
    pub fn document_links(&self, file: FileId) -> Cancellable<Vec<Link>> {
        self.with_file(file, document_links)
    }
}

fn document_links(db: &Database, file: SourceFile) -> Vec<Link> {
    let text = &*file.source(db).text;
    let mut links = addresses(text);
    links.extend(metadata(db, file));
    links.sort_by_key(|link| link.range.start());
    links
}

/// Returns the URLs in comments, without trailing punctuation.
fn addresses(text: &str) -> Vec<Link> {
    let mut links = Vec::new();
    for scheme in ["https://", "http://"] {
        for (at, _) in text.match_indices(scheme) {
            let line = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
            if !text[line..at].contains('#') {
                continue;
            }
            let end = text[at..].find(|c: char| c.is_whitespace() || "<>\"'`".contains(c));
            let address = &text[at..at + end.unwrap_or(text.len() - at)];
            let address = address.trim_end_matches(['.', ',', ';', ':', '!', '?', ')', ']']);
            if address.len() > scheme.len() {
                links.push(Link {
                    range: TextRange::at(TextSize::new(at as u32), TextSize::of(address)),
                    target: LinkTarget::Address(address.to_owned()),
                    tooltip: None,
                });
            }
        }
    }
    links
}

/// Links uses of the printed module's metadata to its definition in the file.
fn metadata(db: &Database, file: SourceFile) -> Vec<Link> {
    let source = file.source(db);
    let tree = source.parse.tree().syntax().clone();
    let (mut uses, mut definition) = (Vec::new(), None);
    for at in words(&source.text, METADATA) {
        let token = syntax::tokens_at(&tree, at).right_biased();
        let Some(token) = token.filter(|token| token.kind() == K::IDENT) else {
            continue;
        };
        match subscript(&token) {
            Some(range) => uses.push(range),
            None if defines(&token) && function_at(db, file, at).is_none() => {
                definition.get_or_insert(token.text_range());
            }
            None => {}
        }
    }
    let link = |definition: TextRange| {
        let to = move |range| Link {
            range,
            target: LinkTarget::Place(definition),
            tooltip: Some("the metadata of the module".to_owned()),
        };
        uses.into_iter().map(to).collect()
    };
    definition.map_or_else(Vec::new, link)
}

/// Returns the range of a whole expression `metadata["relax.expr.Constant"][0]`.
fn subscript(token: &SyntaxToken) -> Option<TextRange> {
    let name = token.parent().filter(|it| it.kind() == K::NAME_EXPR)?;
    let first = name.parent().filter(|it| it.kind() == K::SUBSCRIPT_EXPR)?;
    let second = first.parent().filter(|it| it.kind() == K::SUBSCRIPT_EXPR);
    Some(second.unwrap_or(first).text_range())
}

fn defines(token: &SyntaxToken) -> bool {
    let name = token.parent();
    let assign = name
        .as_ref()
        .and_then(syntax::SyntaxNode::parent)
        .and_then(ast::AssignStmt::cast);
    assign.is_some_and(|it| {
        it.targets()
            .any(|target| Some(target.syntax()) == name.as_ref())
    })
}
