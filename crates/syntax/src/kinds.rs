//! How a grammar states its kinds of tokens and nodes: one table, from which comes the enum and what rowan needs.

use std::hash::Hash;

/// What building a tree needs to know of a kind.
pub(crate) trait Kind: Copy + Eq + Hash + Into<rowan::SyntaxKind> {
    /// How many kinds there are.
    const COUNT: usize;
    const SPACE: Self;

    /// The spelling of a kind that has exactly one.
    fn fixed_text(self) -> Option<&'static str>;
}

/// One list in, one enum out, together with the way back from rowan's raw numbers and each token's fixed spelling.
macro_rules! kinds {
    (
        language $language:ident;
        marks { $($mark:ident $mark_name:literal,)* }
        trivia { $($trivia:ident,)* }
        punctuation { $($punct:ident $punct_text:literal,)* }
        keywords { $($keyword:ident $keyword_text:literal,)* }
        soft_keywords { $($soft:ident $soft_text:literal,)* }
        tokens { $($token:ident $token_name:literal,)* }
        nodes { $($node:ident,)* }
    ) => {
        /// The kind of a token or of a node.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        #[allow(non_camel_case_types)]
        pub enum SyntaxKind {
            $($mark,)*
            $($trivia,)*
            $($punct,)*
            $($keyword,)*
            $($soft,)*
            $($token,)*
            $($node,)*
        }

        impl SyntaxKind {
            /// Every kind, in the order of its number.
            pub const ALL: &[SyntaxKind] = &[
                $(SyntaxKind::$mark,)*
                $(SyntaxKind::$trivia,)*
                $(SyntaxKind::$punct,)*
                $(SyntaxKind::$keyword,)*
                $(SyntaxKind::$soft,)*
                $(SyntaxKind::$token,)*
                $(SyntaxKind::$node,)*
            ];

            /// The spelling of a kind that has exactly one.
            pub const fn fixed_text(self) -> Option<&'static str> {
                match self {
                    $(SyntaxKind::$punct => Some($punct_text),)*
                    $(SyntaxKind::$keyword => Some($keyword_text),)*
                    $(SyntaxKind::$soft => Some($soft_text),)*
                    _ => None,
                }
            }

            /// What a message calls a token of this kind: its quoted spelling, or its name.
            pub const fn describe(self) -> &'static str {
                match self {
                    $(SyntaxKind::$punct => concat!("`", $punct_text, "`"),)*
                    $(SyntaxKind::$keyword => concat!("`", $keyword_text, "`"),)*
                    $(SyntaxKind::$soft => concat!("`", $soft_text, "`"),)*
                    $(SyntaxKind::$token => $token_name,)*
                    $(SyntaxKind::$mark => $mark_name,)*
                    _ => "this",
                }
            }

            /// The keyword spelled like this, if there is one. Soft keywords are names to the lexer, so not here.
            pub fn from_keyword(text: &str) -> Option<SyntaxKind> {
                match text {
                    $($keyword_text => Some(SyntaxKind::$keyword),)*
                    _ => None,
                }
            }

            /// Text that the parser skips over: blanks, comments, line ends that end nothing.
            pub const fn is_trivia(self) -> bool {
                matches!(self, $(SyntaxKind::$trivia)|*)
            }

            /// A keyword that can never be a name.
            pub const fn is_keyword(self) -> bool {
                matches!(self, $(SyntaxKind::$keyword)|*)
            }

            /// A node, as opposed to a token.
            pub const fn is_node(self) -> bool {
                matches!(self, $(SyntaxKind::$node)|*)
            }
        }

        impl SyntaxKind {
            /// The kind of a node or token of a green tree.
            pub fn of_green(raw: rowan::SyntaxKind) -> SyntaxKind {
                SyntaxKind::ALL[usize::from(raw.0)]
            }
        }

        impl $crate::kinds::Kind for SyntaxKind {
            const COUNT: usize = SyntaxKind::ALL.len();
            const SPACE: SyntaxKind = SyntaxKind::WHITESPACE;

            fn fixed_text(self) -> Option<&'static str> {
                self.fixed_text()
            }
        }

        impl From<SyntaxKind> for rowan::SyntaxKind {
            fn from(kind: SyntaxKind) -> Self {
                rowan::SyntaxKind(kind as u16)
            }
        }

        /// Ties [`SyntaxKind`] to rowan's trees.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $language {}

        impl rowan::Language for $language {
            type Kind = SyntaxKind;

            fn kind_from_raw(raw: rowan::SyntaxKind) -> SyntaxKind {
                SyntaxKind::of_green(raw)
            }

            fn kind_to_raw(kind: SyntaxKind) -> rowan::SyntaxKind {
                kind.into()
            }
        }

        pub type SyntaxNode = rowan::SyntaxNode<$language>;
        pub type SyntaxToken = rowan::SyntaxToken<$language>;
        pub type SyntaxElement = rowan::SyntaxElement<$language>;
    };
}

pub(crate) use kinds;
