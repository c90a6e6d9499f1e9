//! Operators of expressions and of augmented assignments.

use crate::kind::SyntaxKind as K;

macro_rules! operators {
    ($(#[$doc:meta])* $name:ident { $($variant:ident $text:literal = $($kind:ident)|+,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $($variant,)*
        }

        impl $name {
            pub const fn from_kind(kind: K) -> Option<Self> {
                match kind {
                    $($(K::$kind)|+ => Some(Self::$variant),)*
                    _ => None,
                }
            }

            /// The operator's spelling.
            pub const fn text(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)*
                }
            }
        }
    };
}

operators! {
    /// An arithmetic or bitwise operator.
    BinaryOp {
        Add "+" = PLUS,
        Sub "-" = MINUS,
        Mul "*" = STAR,
        Div "/" = SLASH,
        FloorDiv "//" = DOUBLE_SLASH,
        Mod "%" = PERCENT,
        MatMul "@" = AT,
        Pow "**" = DOUBLE_STAR,
        BitAnd "&" = AMP,
        BitOr "|" = PIPE,
        BitXor "^" = CARET,
        ShiftLeft "<<" = SHIFT_LEFT,
        ShiftRight ">>" = SHIFT_RIGHT,
    }
}

operators! {
    UnaryOp {
        Plus "+" = PLUS,
        Minus "-" = MINUS,
        Invert "~" = TILDE,
    }
}

operators! {
    BoolOp {
        And "and" = AND_KW,
        Or "or" = OR_KW,
    }
}

impl BinaryOp {
    /// The operator of an augmented assignment: `+` for `+=`.
    pub const fn from_assign(kind: K) -> Option<Self> {
        Some(match kind {
            K::PLUS_EQ => Self::Add,
            K::MINUS_EQ => Self::Sub,
            K::STAR_EQ => Self::Mul,
            K::SLASH_EQ => Self::Div,
            K::DOUBLE_SLASH_EQ => Self::FloorDiv,
            K::PERCENT_EQ => Self::Mod,
            K::AT_EQ => Self::MatMul,
            K::DOUBLE_STAR_EQ => Self::Pow,
            K::AMP_EQ => Self::BitAnd,
            K::PIPE_EQ => Self::BitOr,
            K::CARET_EQ => Self::BitXor,
            K::SHIFT_LEFT_EQ => Self::ShiftLeft,
            K::SHIFT_RIGHT_EQ => Self::ShiftRight,
            _ => return None,
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompareOp {
    Less,
    LessEq,
    Greater,
    GreaterEq,
    Eq,
    NotEq,
    In,
    NotIn,
    Is,
    IsNot,
}

impl CompareOp {
    /// The operator's spelling.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Less => "<",
            Self::LessEq => "<=",
            Self::Greater => ">",
            Self::GreaterEq => ">=",
            Self::Eq => "==",
            Self::NotEq => "!=",
            Self::In => "in",
            Self::NotIn => "not in",
            Self::Is => "is",
            Self::IsNot => "is not",
        }
    }
}
