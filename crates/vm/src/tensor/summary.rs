//! Single elements and statistics of a tensor.

use std::fmt;

use half::{bf16, f16};
use relax::dtype::DType;

use super::{Element, Kind, Tensor, dispatch};
use crate::error::RunResult;

/// One number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar {
    Bool(bool),
    Int(i64),
    /// Only for `uint64`.
    UInt(u64),
    Float(f64),
}

impl Scalar {
    pub(crate) fn of<T: Element>(kind: Kind, value: T) -> Scalar {
        match kind {
            Kind::Bool => Scalar::Bool(value.to_i64() != 0),
            Kind::Tiny(tiny) if tiny.is_float() => {
                Scalar::Float(tiny.decode(value.to_i64() as u8).into())
            }
            Kind::Tiny(tiny) => Scalar::Int(tiny.decode(value.to_i64() as u8) as i64),
            Kind::U64 => Scalar::UInt(value.to_i64() as u64),
            Kind::F16 | Kind::BF16 | Kind::F32 | Kind::F64 => Scalar::Float(value.to_f64()),
            _ => Scalar::Int(value.to_i64()),
        }
    }

    /// Converts to an element of a kind, following TVM's casts.
    pub(crate) fn to<T: Element>(self, kind: Kind) -> T {
        if kind == Kind::Bool {
            return T::from_i64(i64::from(self.is_true()));
        }
        if let Kind::Tiny(tiny) = kind {
            let code = match self.as_i64() {
                Some(value) if !tiny.is_float() => value as u8 & 15,
                _ => tiny.encode(self.as_f64() as f32),
            };
            return T::from_i64(code.into());
        }
        match self {
            Scalar::Bool(value) => T::from_i64(i64::from(value)),
            Scalar::Int(value) => T::from_i64(value),
            Scalar::UInt(value) if kind.is_float() => T::from_f64(value as f64),
            Scalar::UInt(value) => T::from_i64(value as i64),
            Scalar::Float(value) => T::from_f64(value),
        }
    }

    pub fn is_true(self) -> bool {
        match self {
            Scalar::Bool(value) => value,
            Scalar::Int(value) => value != 0,
            Scalar::UInt(value) => value != 0,
            Scalar::Float(value) => value != 0.0,
        }
    }

    pub fn as_f64(self) -> f64 {
        match self {
            Scalar::Bool(value) => f64::from(u8::from(value)),
            Scalar::Int(value) => value as f64,
            Scalar::UInt(value) => value as f64,
            Scalar::Float(value) => value,
        }
    }

    /// Returns the integer, if this is one.
    pub fn as_i64(self) -> Option<i64> {
        match self {
            Scalar::Bool(value) => Some(i64::from(value)),
            Scalar::Int(value) => Some(value),
            Scalar::UInt(value) => i64::try_from(value).ok(),
            Scalar::Float(_) => None,
        }
    }

    /// Rounds the number to a dtype.
    pub fn cast(self, dtype: DType) -> RunResult<Scalar> {
        let kind = Kind::of(dtype)?;
        Ok(dispatch!(kind, T => Scalar::of(kind, self.to::<T>(kind))))
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scalar::Bool(value) => f.write_str(if *value { "True" } else { "False" }),
            Scalar::Int(value) => write!(f, "{value}"),
            Scalar::UInt(value) => write!(f, "{value}"),
            Scalar::Float(value) if value.is_nan() => f.write_str("nan"),
            Scalar::Float(value) if value.is_infinite() => {
                f.write_str(if *value > 0.0 { "inf" } else { "-inf" })
            }
            Scalar::Float(value) => write!(f, "{value:?}"),
        }
    }
}

impl From<f16> for Scalar {
    fn from(value: f16) -> Scalar {
        Scalar::Float(value.to_f64())
    }
}

impl From<bf16> for Scalar {
    fn from(value: bf16) -> Scalar {
        Scalar::Float(value.to_f64())
    }
}

/// Statistics of a tensor. NaN and infinite elements are counted separately, and excluded from sums and extremes.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    pub count: usize,
    pub nan: usize,
    pub inf: usize,
    pub sum: f64,
    pub abs_sum: f64,
    pub mean: f64,
    /// `None` if no element is finite.
    pub min: Option<f64>,
    pub max: Option<f64>,
    pub first: Vec<Scalar>,
}

impl Tensor {
    pub fn summary(&self, first: usize) -> RunResult<Summary> {
        let kind = self.kind();
        dispatch!(kind, T => {
            let values = self.values::<T>()?;
            let mut summary = Summary {
                count: values.len(),
                nan: 0,
                inf: 0,
                sum: 0.0,
                abs_sum: 0.0,
                mean: 0.0,
                min: None,
                max: None,
                first: values.iter().take(first).map(|&v| Scalar::of(kind, v)).collect(),
            };
            let (mut min, mut max) = (f64::INFINITY, f64::NEG_INFINITY);
            for &value in values.iter() {
                let value = value.to_f64();
                if value.is_nan() {
                    summary.nan += 1;
                } else if value.is_infinite() {
                    summary.inf += 1;
                } else {
                    summary.sum += value;
                    summary.abs_sum += value.abs();
                    min = min.min(value);
                    max = max.max(value);
                }
            }
            let finite = summary.count - summary.nan - summary.inf;
            if finite > 0 {
                summary.mean = summary.sum / finite as f64;
                summary.min = Some(min);
                summary.max = Some(max);
            }
            Ok(summary)
        })
    }
}
