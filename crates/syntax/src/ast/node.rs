//! Typed views of nodes, and the tables that make them, for the tree of any language.

use text_size::TextRange;

use crate::kind::PythonLanguage;

/// A typed view of a node of a language's tree.
pub trait AstNode<L: rowan::Language = PythonLanguage>: Sized {
    fn can_cast(kind: L::Kind) -> bool;

    fn cast(node: rowan::SyntaxNode<L>) -> Option<Self>;

    fn syntax(&self) -> &rowan::SyntaxNode<L>;

    fn range(&self) -> TextRange {
        self.syntax().text_range()
    }
}

/// One row per node type: its name and the kind of node it views.
macro_rules! node_types {
    (language $language:ident; $($name:ident = $kind:ident,)*) => {
        $(
            #[derive(Clone, Debug, PartialEq, Eq, Hash)]
            pub struct $name(SyntaxNode);

            impl AstNode<$language> for $name {
                fn can_cast(kind: SyntaxKind) -> bool {
                    kind == SyntaxKind::$kind
                }

                fn cast(node: SyntaxNode) -> Option<Self> {
                    Self::can_cast(node.kind()).then_some(Self(node))
                }

                fn syntax(&self) -> &SyntaxNode {
                    &self.0
                }
            }
        )*
    };
}

/// One row per choice between node types.
macro_rules! node_choices {
    (language $language:ident; $($(#[$doc:meta])* $name:ident { $($variant:ident = $kind:ident,)* })*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Debug, PartialEq, Eq, Hash)]
            pub enum $name {
                $($variant($variant),)*
            }

            impl AstNode<$language> for $name {
                fn can_cast(kind: SyntaxKind) -> bool {
                    matches!(kind, $(SyntaxKind::$kind)|*)
                }

                fn cast(node: SyntaxNode) -> Option<Self> {
                    match node.kind() {
                        $(SyntaxKind::$kind => Some(Self::$variant($variant(node))),)*
                        _ => None,
                    }
                }

                fn syntax(&self) -> &SyntaxNode {
                    match self {
                        $(Self::$variant(it) => &it.0,)*
                    }
                }
            }

            $(
                impl From<$variant> for $name {
                    fn from(it: $variant) -> Self {
                        Self::$variant(it)
                    }
                }
            )*
        )*
    };
}

pub(crate) use {node_choices, node_types};
