//! The kinds of semantic tokens.

use text_size::TextRange;

/// Defines an enum with a protocol name for each kind. Kinds of the standard are used where one fits.
macro_rules! names {
    ($(#[$doc:meta])* $Name:ident: $($(#[$row:meta])* $variant:ident $text:literal,)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $Name { $($(#[$row])* $variant,)* }

        impl $Name {
            /// All values, in the order of their numbers.
            pub const ALL: &'static [$Name] = &[$($Name::$variant,)*];

            pub fn name(self) -> &'static str {
                match self { $($Name::$variant => $text,)* }
            }
        }
    };
}

names! {
    /// What a name refers to.
    TokenKind:
    Namespace "namespace",
    /// An IRModule.
    Class "class",
    /// `R.Tensor`, `T.Buffer`, `T.int64`.
    Type "type",
    Function "function",
    Parameter "parameter",
    Variable "variable",
    Decorator "decorator",
    DataflowVariable "dataflowVariable",
    ShapeVariable "shapeVariable",
    /// An operator of Relax.
    TensorOperator "tensorOperator",
    /// A name of `R` or `T` that is not an operator: `R.dataflow`, `T.grid`.
    Intrinsic "intrinsic",
    PrimFunction "primFunction",
    PackedFunction "packedFunction",
    Buffer "buffer",
    LoopVariable "loopVariable",
    Axis "axis",
    Block "block",
}

names! {
    /// Further properties of a name at a position.
    TokenModifier:
    Declaration "declaration",
    /// The name is assigned or written to.
    Modification "modification",
    Deprecated "deprecated",
    DefaultLibrary "defaultLibrary",
    Impure "impure",
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SemanticToken {
    pub range: TextRange,
    pub kind: TokenKind,
    /// A bit mask of [`TokenModifier`]s, by their numbers.
    pub modifiers: u32,
}

impl TokenModifier {
    pub(crate) fn bit(self) -> u32 {
        1 << self as u32
    }
}
