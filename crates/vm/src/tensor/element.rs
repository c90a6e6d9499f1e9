//! The element types, and the mapping from dtypes to Rust types.

use bytemuck::Pod;
use half::{bf16, f16};
use relax::dtype::DType;

use super::{Array, Data, Tiny, Truncate};
use crate::error::{Fault, RunResult};

/// A dtype of tensors. Bool is stored as a byte, 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F16,
    BF16,
    F32,
    F64,
    /// A number of at most eight bits, by its code.
    Tiny(Tiny),
}

const KINDS: [(Kind, DType); 13] = [
    (Kind::Bool, DType::BOOL),
    (Kind::I8, DType::I8),
    (Kind::I16, DType::I16),
    (Kind::I32, DType::I32),
    (Kind::I64, DType::I64),
    (Kind::U8, DType::U8),
    (Kind::U16, DType::U16),
    (Kind::U32, DType::U32),
    (Kind::U64, DType::U64),
    (Kind::F16, DType::F16),
    (Kind::BF16, DType::BF16),
    (Kind::F32, DType::F32),
    (Kind::F64, DType::F64),
];

impl Kind {
    /// Returns every kind but those of tiny numbers.
    pub fn all() -> impl Iterator<Item = Kind> {
        KINDS.iter().map(|row| row.0)
    }

    /// Returns an error for handles and vectors.
    pub fn of(dtype: DType) -> RunResult<Kind> {
        KINDS
            .iter()
            .find(|row| row.1 == dtype)
            .map(|row| row.0)
            .or_else(|| Tiny::of(dtype).map(Kind::Tiny))
            .ok_or_else(|| Fault::UnsupportedDType(dtype).into())
    }

    pub fn dtype(self) -> DType {
        match self {
            Kind::Tiny(tiny) => tiny.dtype(),
            kind => {
                let row = KINDS.iter().find(|row| row.0 == kind);
                row.map_or(DType::VOID, |row| row.1)
            }
        }
    }

    pub fn bytes(self) -> usize {
        self.dtype().bytes()
    }

    pub fn is_float(self) -> bool {
        matches!(self, Kind::F16 | Kind::BF16 | Kind::F32 | Kind::F64)
    }
}

/// The Rust type of a tensor's elements.
pub trait Element: Pod + Default + PartialOrd + Send + Sync + std::fmt::Debug {
    const KIND: Kind;
    fn array(data: &Data) -> Option<&Array<Self>>;
    fn array_mut(data: &mut Data) -> Option<&mut Array<Self>>;
    fn data(array: Array<Self>) -> Data;
    fn to_f64(self) -> f64;
    /// Truncates towards zero, by the rule of [`Truncate`].
    fn from_f64(value: f64) -> Self;
    /// Truncates floats.
    fn to_i64(self) -> i64;
    /// Wraps integers.
    fn from_i64(value: i64) -> Self;
    fn to_f32(self) -> f32;
    fn from_f32(value: f32) -> Self;
}

macro_rules! element {
    ($T:ty, $kind:ident, $array:ident, $pattern:pat, $value:ident,
     $to_f64:expr, $from_f64:expr, $to_i64:expr, $from_i64:expr, $to_f32:expr, $from_f32:expr) => {
        impl Element for $T {
            const KIND: Kind = Kind::$kind;
            fn array(data: &Data) -> Option<&Array<Self>> {
                match data {
                    $pattern => Some($array),
                    _ => None,
                }
            }
            fn array_mut(data: &mut Data) -> Option<&mut Array<Self>> {
                match data {
                    $pattern => Some($array),
                    _ => None,
                }
            }
            fn data(array: Array<Self>) -> Data {
                Data::$kind(array)
            }
            #[inline]
            fn to_f64(self) -> f64 {
                let $value = self;
                $to_f64
            }
            #[inline]
            fn from_f64($value: f64) -> Self {
                $from_f64
            }
            #[inline]
            fn to_i64(self) -> i64 {
                let $value = self;
                $to_i64
            }
            #[inline]
            fn from_i64($value: i64) -> Self {
                $from_i64
            }
            #[inline]
            fn to_f32(self) -> f32 {
                let $value = self;
                $to_f32
            }
            #[inline]
            fn from_f32($value: f32) -> Self {
                $from_f32
            }
        }
    };
}

macro_rules! integer {
    ($($T:ty, $kind:ident, $array:ident, $pattern:pat, $truncate:ident;)+) => {
        $(element!(
            $T, $kind, $array, $pattern, v,
            v as f64, v.$truncate() as $T, v as i64, v as $T, v as f32, v.$truncate() as $T
        );)+
    };
}

// Wider integers wrap to narrow ones, as in the machine's conversions.
integer! {
    i8, I8, it, Data::I8(it), whole_i32;
    i16, I16, it, Data::I16(it), whole_i32;
    i32, I32, it, Data::I32(it), whole_i32;
    i64, I64, it, Data::I64(it), whole_i64;
    u8, U8, it, Data::U8(it) | Data::Bool(it) | Data::Tiny(_, it), whole_i32;
    u16, U16, it, Data::U16(it), whole_i32;
    u32, U32, it, Data::U32(it), whole_i64;
    u64, U64, it, Data::U64(it), whole_u64;
}

macro_rules! float {
    ($($T:ident, $kind:ident;)+) => {
        $(element!(
            $T, $kind, it, Data::$kind(it), v,
            v as f64, v as $T, v.whole_i64(), v as $T, v as f32, v as $T
        );)+
    };
}

float! {
    f32, F32;
    f64, F64;
}

macro_rules! half {
    ($($T:ident, $kind:ident;)+) => {
        $(element!(
            $T, $kind, it, Data::$kind(it), v,
            v.to_f64(), $T::from_f64(v), v.to_f32().whole_i64(), $T::from_f64(v as f64), v.to_f32(), $T::from_f32(v)
        );)+
    };
}

half! {
    f16, F16;
    bf16, BF16;
}

/// Runs `body` with `$T` bound to the element type of a kind. Bool is `u8`, and so are codes of tiny numbers.
macro_rules! dispatch {
    ($kind:expr, $T:ident => $body:expr) => {
        match $kind {
            $crate::tensor::Kind::Bool
            | $crate::tensor::Kind::U8
            | $crate::tensor::Kind::Tiny(_) => {
                type $T = u8;
                $body
            }
            $crate::tensor::Kind::I8 => {
                type $T = i8;
                $body
            }
            $crate::tensor::Kind::I16 => {
                type $T = i16;
                $body
            }
            $crate::tensor::Kind::I32 => {
                type $T = i32;
                $body
            }
            $crate::tensor::Kind::I64 => {
                type $T = i64;
                $body
            }
            $crate::tensor::Kind::U16 => {
                type $T = u16;
                $body
            }
            $crate::tensor::Kind::U32 => {
                type $T = u32;
                $body
            }
            $crate::tensor::Kind::U64 => {
                type $T = u64;
                $body
            }
            $crate::tensor::Kind::F16 => {
                type $T = ::half::f16;
                $body
            }
            $crate::tensor::Kind::BF16 => {
                type $T = ::half::bf16;
                $body
            }
            $crate::tensor::Kind::F32 => {
                type $T = f32;
                $body
            }
            $crate::tensor::Kind::F64 => {
                type $T = f64;
                $body
            }
        }
    };
}

/// Runs `body` with `$T` bound to the float type of a kind, and `other` for the rest.
macro_rules! dispatch_float {
    ($kind:expr, $T:ident => $body:expr, other => $other:expr) => {
        match $kind {
            $crate::tensor::Kind::F16 => {
                type $T = ::half::f16;
                $body
            }
            $crate::tensor::Kind::BF16 => {
                type $T = ::half::bf16;
                $body
            }
            $crate::tensor::Kind::F32 => {
                type $T = f32;
                $body
            }
            $crate::tensor::Kind::F64 => {
                type $T = f64;
                $body
            }
            _ => $other,
        }
    };
}

/// Runs `body` with `$T` bound to the integer type of a kind, and `other` for floats and bool.
macro_rules! dispatch_int {
    ($kind:expr, $T:ident => $body:expr, other => $other:expr) => {
        match $kind {
            $crate::tensor::Kind::I8 => {
                type $T = i8;
                $body
            }
            $crate::tensor::Kind::I16 => {
                type $T = i16;
                $body
            }
            $crate::tensor::Kind::I32 => {
                type $T = i32;
                $body
            }
            $crate::tensor::Kind::I64 => {
                type $T = i64;
                $body
            }
            $crate::tensor::Kind::U8 => {
                type $T = u8;
                $body
            }
            $crate::tensor::Kind::U16 => {
                type $T = u16;
                $body
            }
            $crate::tensor::Kind::U32 => {
                type $T = u32;
                $body
            }
            $crate::tensor::Kind::U64 => {
                type $T = u64;
                $body
            }
            _ => $other,
        }
    };
}

/// Runs `body` with `$W` bound to the unsigned integer of the element's width: for kernels that only move elements.
macro_rules! dispatch_word {
    ($kind:expr, $W:ident => $body:expr) => {
        match $kind.bytes() {
            1 => {
                type $W = u8;
                $body
            }
            2 => {
                type $W = u16;
                $body
            }
            4 => {
                type $W = u32;
                $body
            }
            _ => {
                type $W = u64;
                $body
            }
        }
    };
}

pub(crate) use {dispatch, dispatch_float, dispatch_int, dispatch_word};
