//! The trait of typed views, and the macros that define them for the tree of a language.

use rowan::{Language, SyntaxElement, SyntaxNode, SyntaxToken};
use text_size::TextRange;

use crate::kind::PythonLanguage;

/// A typed view of a node of a language's tree.
pub trait AstNode<L: Language = PythonLanguage>: Sized {
    fn can_cast(kind: L::Kind) -> bool;

    fn cast(node: SyntaxNode<L>) -> Option<Self>;

    fn syntax(&self) -> &SyntaxNode<L>;

    fn range(&self) -> TextRange {
        self.syntax().text_range()
    }
}

pub(crate) fn child<L: Language, N: AstNode<L>>(parent: &SyntaxNode<L>) -> Option<N> {
    parent.children().find_map(N::cast)
}

pub(crate) fn children<L: Language, N: AstNode<L>>(
    parent: &SyntaxNode<L>,
) -> impl Iterator<Item = N> + use<L, N> {
    parent.children().filter_map(N::cast)
}

/// The children of a node, with the children of chunks in place of the chunks.
pub(crate) fn ungrouped<L: Language>(
    parent: &SyntaxNode<L>,
    chunk: L::Kind,
) -> impl Iterator<Item = SyntaxNode<L>> + use<L> {
    let mut outer = parent.children();
    let mut inner: Option<rowan::SyntaxNodeChildren<L>> = None;
    std::iter::from_fn(move || {
        loop {
            if let Some(nodes) = &mut inner {
                if let Some(node) = nodes.next() {
                    return Some(node);
                }
                inner = None;
            }
            let node = outer.next()?;
            if node.kind() != chunk {
                return Some(node);
            }
            inner = Some(node.children());
        }
    })
}

pub(crate) fn tokens<L: Language>(
    parent: &SyntaxNode<L>,
) -> impl Iterator<Item = SyntaxToken<L>> + use<L> {
    parent
        .children_with_tokens()
        .filter_map(SyntaxElement::into_token)
}

pub(crate) fn token<L: Language>(parent: &SyntaxNode<L>, kind: L::Kind) -> Option<SyntaxToken<L>> {
    tokens(parent).find(|it| it.kind() == kind)
}

/// The first child of type `N` after the first token of this kind.
pub(crate) fn child_after<L: Language, N: AstNode<L>>(
    parent: &SyntaxNode<L>,
    mark: L::Kind,
) -> Option<N> {
    parent
        .children_with_tokens()
        .skip_while(|it| it.kind() != mark)
        .find_map(|it| it.into_node().and_then(N::cast))
}

pub(crate) fn has_token<L: Language>(parent: &SyntaxNode<L>, kind: L::Kind) -> bool {
    token(parent, kind).is_some()
}

/// The first child of type `N` before the first token of this kind, or the first of all if there is no such token.
pub(crate) fn child_before<L: Language, N: AstNode<L>>(
    parent: &SyntaxNode<L>,
    mark: L::Kind,
) -> Option<N> {
    parent
        .children_with_tokens()
        .take_while(|it| it.kind() != mark)
        .find_map(|it| it.into_node().and_then(N::cast))
}

/// Defines view types that belong to no group. Each row is the name of the type and the kind of its node.
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

/// Defines view types, and for each group of them an enum with the given name. Each row is the name of a type and the kind
/// of its node.
macro_rules! node_choices {
    (language $language:ident; $($(#[$doc:meta])* $name:ident { $($variant:ident = $kind:ident,)* })*) => {
        $(
            $crate::ast::node_types! {
                language $language;
                $($variant = $kind,)*
            }

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

/// Defines accessors of view types. `child` and `children` find nodes of a type, and `children_in` finds them in a list
/// node. `token` and `has_token` find a token of a kind. `child_after` and `child_before` find a node on one side of a
/// token.
macro_rules! accessors {
    ($($node:ident { $($(#[$doc:meta])* $find:ident $name:ident: $what:ident $(, $mark:ident)?;)* })*) => {
        $(impl $node {
            $($crate::ast::accessor! { $(#[$doc])* $find $name: $what $(, $mark)? })*
        })*
    };
}

macro_rules! accessor {
    ($(#[$doc:meta])* children $name:ident: $node:ident) => {
        $(#[$doc])*
        pub fn $name(&self) -> impl Iterator<Item = $node> + use<> {
            $crate::ast::children(&self.0)
        }
    };
    ($(#[$doc:meta])* children_in $name:ident: $node:ident, $list:ident) => {
        $(#[$doc])*
        pub fn $name(&self) -> impl Iterator<Item = $node> + use<> {
            let list = $crate::ast::child::<_, $list>(&self.0);
            list.into_iter().flat_map(|it| $crate::ast::children(&it.0))
        }
    };
    ($(#[$doc:meta])* ungrouped $name:ident: $node:ident, $chunk:ident) => {
        $(#[$doc])*
        pub fn $name(&self) -> impl Iterator<Item = $node> + use<> {
            let nodes = $crate::ast::ungrouped(&self.0, K::$chunk);
            nodes.filter_map(<$node as $crate::ast::AstNode<_>>::cast)
        }
    };
    ($(#[$doc:meta])* token $name:ident: $kind:ident) => {
        $(#[$doc])*
        pub fn $name(&self) -> Option<SyntaxToken> {
            $crate::ast::token(&self.0, K::$kind)
        }
    };
    ($(#[$doc:meta])* has_token $name:ident: $kind:ident) => {
        $(#[$doc])*
        pub fn $name(&self) -> bool {
            $crate::ast::has_token(&self.0, K::$kind)
        }
    };
    ($(#[$doc:meta])* $find:ident $name:ident: $node:ident $(, $mark:ident)?) => {
        $(#[$doc])*
        pub fn $name(&self) -> Option<$node> {
            $crate::ast::$find(&self.0 $(, K::$mark)?)
        }
    };
}

pub(crate) use {accessor, accessors, node_choices, node_types};
