//! The kinds of names, and a name with its kind.

use text_size::TextRange;

/// One row for each kind: its name in the protocol, those of the standard where it has one that fits.
macro_rules! names {
    ($(#[$doc:meta])* $Name:ident: $($(#[$row:meta])* $variant:ident $text:literal,)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $Name { $($(#[$row])* $variant,)* }

        impl $Name {
            /// In the order of their numbers.
            pub const ALL: &'static [$Name] = &[$($Name::$variant,)*];

            pub fn name(self) -> &'static str {
                match self { $($Name::$variant => $text,)* }
            }
        }
    };
}

names! {
    /// What a name stands for.
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
    /// What `R` and `T` offer besides operators: `R.dataflow`, `T.grid`.
    Intrinsic "intrinsic",
    PrimFunction "primFunction",
    PackedFunction "packedFunction",
    Buffer "buffer",
    LoopVariable "loopVariable",
    Axis "axis",
    Block "block",
}

names! {
    /// What else is known of a name at a place.
    TokenModifier:
    Declaration "declaration",
    /// Gets a value, or is written to.
    Modification "modification",
    Deprecated "deprecated",
    DefaultLibrary "defaultLibrary",
    Impure "impure",
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SemanticToken {
    pub range: TextRange,
    pub kind: TokenKind,
    /// A bit for each [`TokenModifier`], by its number.
    pub modifiers: u32,
}

impl TokenModifier {
    pub(crate) fn bit(self) -> u32 {
        1 << self as u32
    }
}
