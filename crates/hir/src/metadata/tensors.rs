//! Tensors in TVM's format for saving: a header with dtype and shape, then the bytes, in base64.

use std::ops::Range;

use half::{bf16, f16};
use relax::dtype::{Code, DType};
use relax::relay::{Dim, Type};
use relax::sinfo::{StructInfo, Tensor};
use relax::sym::SymExpr;

/// A tensor of the metadata.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    pub shape: Vec<i64>,
    pub dtype: DType,
    /// The elements, which are decoded when they are needed: most questions are about types. `None` if they are
    /// elsewhere.
    base64: Option<Box<str>>,
    /// The range of the elements in the decoded bytes.
    elements: Range<usize>,
}

/// The elements of a tensor at a glance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Statistics {
    pub min: f64,
    pub max: f64,
    pub mean: f64,
    /// The number of elements that are NaN, which the other numbers leave out.
    pub nan: usize,
}

/// The number that the bytes begin with.
const MAGIC: u64 = 0xDD5E_40F0_96B4_A13F;

/// The bytes of the header before the shape.
const BEFORE_SHAPE: usize = 32;

impl Constant {
    /// Creates a constant whose elements are elsewhere.
    pub fn of_type(shape: Vec<i64>, dtype: DType) -> Constant {
        Constant {
            shape,
            dtype,
            base64: None,
            elements: 0..0,
        }
    }

    /// Returns whether the text has the elements.
    pub fn has_elements(&self) -> bool {
        self.base64.is_some()
    }

    pub(super) fn read(base64: &str) -> Option<Constant> {
        let start = decode(base64, BEFORE_SHAPE)?;
        let mut rest = start.as_slice();
        if take::<8>(&mut rest).map(u64::from_le_bytes)? != MAGIC {
            return None;
        }
        // A reserved word, and the device.
        take::<16>(&mut rest)?;
        let rank = i32::from_le_bytes(take(&mut rest)?);
        let [code, bits] = take(&mut rest)?;
        let lanes = u16::from_le_bytes(take(&mut rest)?);
        let dtype = DType::of_dlpack(code, bits, lanes)?;
        // The shape, and the number of bytes.
        let words = usize::try_from(rank).ok()?.checked_add(1)?;
        let header = words.checked_mul(8)?.checked_add(BEFORE_SHAPE)?;
        let length = decoded_length(base64);
        if header > length {
            return None;
        }
        let start = decode(base64, header)?;
        let words = start.get(BEFORE_SHAPE..)?.chunks_exact(8);
        let words = words.map(|it| Some(i64::from_le_bytes(it.try_into().ok()?)));
        let mut shape = words.collect::<Option<Vec<i64>>>()?;
        let size = usize::try_from(shape.pop()?).ok()?;
        let count = shape.iter().try_fold(1usize, |all, it| {
            usize::try_from(*it).ok()?.checked_mul(all)
        })?;
        let is_whole = size.checked_add(header) == Some(length)
            && count.checked_mul(dtype.bytes()) == Some(size);
        is_whole.then(|| Constant {
            shape,
            dtype,
            base64: Some(base64.into()),
            elements: header..length,
        })
    }

    /// Returns the tensor as TVM saves it.
    pub(super) fn base64(&self) -> Option<&str> {
        self.base64.as_deref()
    }

    /// Returns the elements, row-major and little-endian. `None` if they are not base64, or elsewhere.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        let mut bytes = decode(self.base64.as_deref()?, usize::MAX)?;
        if bytes.len() != self.elements.end {
            return None;
        }
        bytes.drain(..self.elements.start);
        Some(bytes)
    }

    /// Returns its type in Relay.
    pub fn ty(&self) -> Type {
        let dims: Vec<Dim> = self.shape.iter().copied().map(Dim::Int).collect();
        Type::tensor(dims, self.dtype)
    }

    pub fn struct_info(&self) -> StructInfo {
        let dims: Vec<SymExpr> = self.shape.iter().copied().map(SymExpr::int).collect();
        Tensor::new(dims, Some(self.dtype)).into()
    }

    /// Returns the elements as numbers, if there are at most `most`.
    pub fn elements(&self, most: usize) -> Option<Vec<f64>> {
        let width = self.dtype.bytes();
        if width == 0 || self.elements.len() / width > most {
            return None;
        }
        let bytes = self.bytes()?;
        let elements = bytes.chunks_exact(width);
        elements.map(|it| number(self.dtype, it)).collect()
    }

    /// Returns the value, if the tensor has one element.
    pub fn scalar(&self) -> Option<f64> {
        match self.elements(1)?.as_slice() {
            &[one] if !self.dtype.is_bool() => Some(one),
            _ => None,
        }
    }

    /// Returns `None` if there are no elements, or none that are numbers.
    pub fn statistics(&self) -> Option<Statistics> {
        let elements = self.elements(usize::MAX)?;
        let (mut min, mut max, mut sum) = (f64::INFINITY, f64::NEG_INFINITY, 0.0);
        let mut count = 0usize;
        for &it in elements.iter().filter(|it| !it.is_nan()) {
            min = min.min(it);
            max = max.max(it);
            sum += it;
            count += 1;
        }
        (count > 0).then(|| Statistics {
            min,
            max,
            mean: sum / count as f64,
            nan: elements.len() - count,
        })
    }
}

fn number(dtype: DType, it: &[u8]) -> Option<f64> {
    Some(match (dtype.code, dtype.bits) {
        (Code::Float, 16) => f16::from_le_bytes(it.try_into().ok()?).to_f64(),
        (Code::BFloat, 16) => bf16::from_le_bytes(it.try_into().ok()?).to_f64(),
        (Code::Float, 32) => f64::from(f32::from_le_bytes(it.try_into().ok()?)),
        (Code::Float, 64) => f64::from_le_bytes(it.try_into().ok()?),
        (Code::Int, 8) => f64::from(i8::from_le_bytes(it.try_into().ok()?)),
        (Code::Int, 16) => f64::from(i16::from_le_bytes(it.try_into().ok()?)),
        (Code::Int, 32) => f64::from(i32::from_le_bytes(it.try_into().ok()?)),
        (Code::Int, 64) => i64::from_le_bytes(it.try_into().ok()?) as f64,
        (Code::UInt, 8) | (Code::Bool, _) => f64::from(it[0]),
        (Code::UInt, 16) => f64::from(u16::from_le_bytes(it.try_into().ok()?)),
        (Code::UInt, 32) => f64::from(u32::from_le_bytes(it.try_into().ok()?)),
        (Code::UInt, 64) => u64::from_le_bytes(it.try_into().ok()?) as f64,
        _ => return None,
    })
}

fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (first, others) = rest.split_first_chunk::<N>()?;
    *rest = others;
    Some(*first)
}

/// Returns the number of bytes of a text without spaces.
fn decoded_length(base64: &str) -> usize {
    base64.trim_end_matches('=').len() * 3 / 4
}

/// Decodes the first bytes, at most `most`.
fn decode(base64: &str, most: usize) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(decoded_length(base64).min(most));
    let (mut bits, mut count) = (0u32, 0);
    for byte in base64.bytes() {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'=' => break,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
            if bytes.len() == most {
                break;
            }
        }
    }
    Some(bytes)
}
