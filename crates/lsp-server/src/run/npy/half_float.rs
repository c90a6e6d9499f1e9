//! float16 in `.npy` files (`<f2`), which ndarray-npy does not implement.

use std::io::{Read, Write};

use half::f16;
use ndarray_npy::{ReadDataError, ReadableElement, WritableElement, WriteDataError};
use py_literal::Value;

#[derive(Clone, Copy)]
pub struct HalfFloat(pub f16);

impl WritableElement for HalfFloat {
    fn type_descriptor() -> Value {
        Value::String("<f2".to_owned())
    }

    fn write<W: Write>(&self, mut writer: W) -> Result<(), WriteDataError> {
        writer.write_all(&self.0.to_le_bytes())?;
        Ok(())
    }

    fn write_slice<W: Write>(slice: &[HalfFloat], mut writer: W) -> Result<(), WriteDataError> {
        let bytes: Vec<u8> = slice
            .iter()
            .flat_map(|value| value.0.to_le_bytes())
            .collect();
        writer.write_all(&bytes)?;
        Ok(())
    }
}

impl ReadableElement for HalfFloat {
    fn read_to_end_exact_vec<R: Read>(
        mut reader: R,
        descriptor: &Value,
        length: usize,
    ) -> Result<Vec<HalfFloat>, ReadDataError> {
        let from_bytes = match descriptor {
            Value::String(name) if name == "<f2" => f16::from_le_bytes,
            Value::String(name) if name == ">f2" => f16::from_be_bytes,
            _ => return Err(ReadDataError::WrongDescriptor(descriptor.clone())),
        };
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes)?;
        if bytes.len() / 2 < length {
            return Err(ReadDataError::MissingData);
        }
        if bytes.len() != length * 2 {
            return Err(ReadDataError::ExtraBytes(bytes.len() - length * 2));
        }
        let values = bytes
            .chunks_exact(2)
            .map(|pair| HalfFloat(from_bytes([pair[0], pair[1]])));
        Ok(values.collect())
    }
}
