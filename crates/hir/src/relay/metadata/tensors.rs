//! Tensors in TVM's format for saving: a header with dtype and shape, then the bytes, in base64.

use relax::dtype::{Code, DType};
use relax::relay::{Dim, Type};

/// A tensor of the metadata.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    pub shape: Vec<i64>,
    pub dtype: DType,
    /// The elements, row-major and little-endian.
    pub bytes: Vec<u8>,
}

/// The number that the bytes begin with.
const MAGIC: u64 = 0xDD5E_40F0_96B4_A13F;

impl Constant {
    pub(super) fn read(base64: &str) -> Option<Constant> {
        let bytes = decode(base64)?;
        let mut rest = bytes.as_slice();
        if take::<8>(&mut rest).map(u64::from_le_bytes)? != MAGIC {
            return None;
        }
        // A reserved word, and the device.
        take::<16>(&mut rest)?;
        let rank = i32::from_le_bytes(take(&mut rest)?);
        let [code, bits] = take(&mut rest)?;
        let lanes = u16::from_le_bytes(take(&mut rest)?);
        let dtype = dtype(code, bits, lanes)?;
        let extent = |rest: &mut &[u8]| take::<8>(rest).map(i64::from_le_bytes);
        let shape: Option<Vec<i64>> = (0..rank).map(|_| extent(&mut rest)).collect();
        let shape = shape?;
        let size = extent(&mut rest)?;
        let elements =
            shape.iter().try_fold(
                1i64,
                |all, it| {
                    if *it < 0 { None } else { all.checked_mul(*it) }
                },
            )?;
        let is_whole =
            size == rest.len() as i64 && elements.checked_mul(dtype.bytes() as i64) == Some(size);
        is_whole.then(|| Constant {
            shape,
            dtype,
            bytes: rest.to_vec(),
        })
    }

    pub fn ty(&self) -> Type {
        let dims: Vec<Dim> = self.shape.iter().copied().map(Dim::Int).collect();
        Type::tensor(dims, self.dtype)
    }

    /// Returns the elements as numbers, if there are at most `most`.
    pub fn elements(&self, most: usize) -> Option<Vec<f64>> {
        let dtype = self.dtype;
        let width = dtype.bytes();
        if width == 0 || self.bytes.len() / width > most {
            return None;
        }
        let chunks = self.bytes.chunks_exact(width);
        chunks
            .map(|it| {
                Some(match (dtype.code, dtype.bits) {
                    (Code::Float, 32) => f64::from(f32::from_le_bytes(it.try_into().ok()?)),
                    (Code::Float, 64) => f64::from_le_bytes(it.try_into().ok()?),
                    (Code::Int, 8) => f64::from(i8::from_le_bytes(it.try_into().ok()?)),
                    (Code::Int, 16) => f64::from(i16::from_le_bytes(it.try_into().ok()?)),
                    (Code::Int, 32) => f64::from(i32::from_le_bytes(it.try_into().ok()?)),
                    (Code::Int, 64) => i64::from_le_bytes(it.try_into().ok()?) as f64,
                    (Code::UInt, 8) | (Code::Bool, _) => f64::from(it[0]),
                    (Code::UInt, 16) => f64::from(u16::from_le_bytes(it.try_into().ok()?)),
                    (Code::UInt, 32) => f64::from(u32::from_le_bytes(it.try_into().ok()?)),
                    _ => return None,
                })
            })
            .collect()
    }

    /// Returns the value, if the tensor has one element.
    pub fn scalar(&self) -> Option<f64> {
        let bytes = self.bytes.as_slice();
        let value = match (self.dtype.code, self.dtype.bits) {
            (Code::Float, 32) => f64::from(f32::from_le_bytes(bytes.try_into().ok()?)),
            (Code::Float, 64) => f64::from_le_bytes(bytes.try_into().ok()?),
            (Code::Int, 32) => f64::from(i32::from_le_bytes(bytes.try_into().ok()?)),
            (Code::Int, 64) => i64::from_le_bytes(bytes.try_into().ok()?) as f64,
            _ => return None,
        };
        Some(value)
    }
}

fn dtype(code: u8, bits: u8, lanes: u16) -> Option<DType> {
    let code = match (code, bits) {
        (1, 1) | (6, _) => return Some(DType::BOOL),
        (0, _) => Code::Int,
        (1, _) => Code::UInt,
        (2, _) => Code::Float,
        (4, _) => Code::BFloat,
        _ => return None,
    };
    Some(DType {
        lanes,
        ..DType::new(code, bits)
    })
}

fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (first, others) = rest.split_first_chunk::<N>()?;
    *rest = others;
    Some(*first)
}

fn decode(base64: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(base64.len() / 4 * 3);
    let (mut bits, mut count) = (0u32, 0);
    for byte in base64.bytes().filter(|it| !it.is_ascii_whitespace()) {
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
        }
    }
    Some(bytes)
}
