//! The macro that turns a grammar's table of kinds into an enum and its implementation for rowan.

use std::hash::Hash;

/// The kinds of one language, as the tree builder uses them.
pub(crate) trait Kind: Copy + Eq + Hash + Into<rowan::SyntaxKind> {
    const COUNT: usize;
    const SPACE: Self;

    /// The spelling of a kind that has exactly one.
    fn fixed_text(self) -> Option<&'static str>;
}

/// Defines `SyntaxKind`, the conversions to and from rowan's raw kinds, and the spelling of each token.
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
            /// Every kind, ordered by its raw number.
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

            /// The description of a token in messages: its quoted spelling, or its name.
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

            /// The keyword with this spelling, except soft keywords, which the lexer treats as names.
            pub fn from_keyword(text: &str) -> Option<SyntaxKind> {
                match text {
                    $($keyword_text => Some(SyntaxKind::$keyword),)*
                    _ => None,
                }
            }

            /// Whether the parser skips it: whitespace, comments, and line ends that do not end a statement.
            pub const fn is_trivia(self) -> bool {
                matches!(self, $(SyntaxKind::$trivia)|*)
            }

            /// Whether it is a keyword that cannot be a name.
            pub const fn is_keyword(self) -> bool {
                matches!(self, $(SyntaxKind::$keyword)|*)
            }

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

        /// The [`rowan::Language`] of [`SyntaxKind`].
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
