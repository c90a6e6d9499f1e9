//! Tensors in `.npy` files.
//!
//! NumPy has no bfloat16: such a tensor is written as float32, which holds every bfloat16 exactly.

mod half_float;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use half::bf16;
use ndarray::{Array, ArrayD, IxDyn};
use ndarray_npy::{ReadNpyError, ReadNpyExt, ReadableElement, WritableElement, WriteNpyExt};
use vm::tensor::{Data, Element, Tensor};

use half_float::HalfFloat;

/// Reads a tensor of whatever dtype the file has; or says why not.
pub fn read(path: &Path) -> Result<Tensor, String> {
    std::fs::read(path)
        .map_err(|error| error.to_string())
        .and_then(|bytes| of_bytes(&bytes))
        .map_err(|why| format!("cannot read `{}`: {why}", path.display()))
}

/// The tensor that a file of these bytes holds.
pub fn of_bytes(bytes: &[u8]) -> Result<Tensor, String> {
    let attempts: [fn(&[u8]) -> Attempt; 12] = [
        |bytes| plain::<f32>(bytes),
        |bytes| plain::<f64>(bytes),
        |bytes| plain::<i64>(bytes),
        |bytes| plain::<i32>(bytes),
        |bytes| plain::<i8>(bytes),
        |bytes| plain::<i16>(bytes),
        |bytes| plain::<u8>(bytes),
        |bytes| plain::<u16>(bytes),
        |bytes| plain::<u32>(bytes),
        |bytes| plain::<u64>(bytes),
        |bytes| load::<bool, u8>(bytes, u8::from).map(|tensor| tensor.map(Tensor::as_bool)),
        |bytes| load::<HalfFloat, half::f16>(bytes, |value| value.0),
    ];
    for attempt in attempts {
        match attempt(bytes) {
            Ok(tensor) => return tensor.map_err(|error| error.to_string()),
            Err(ReadNpyError::WrongDescriptor(_)) => {}
            Err(error) => return Err(error.to_string()),
        }
    }
    Err("its dtype is none that Relax has".to_owned())
}

type Attempt = Result<Result<Tensor, vm::error::RunError>, ReadNpyError>;

fn plain<T: ReadableElement + Element>(bytes: &[u8]) -> Attempt {
    load::<T, T>(bytes, |value| value)
}

fn load<S: ReadableElement, T: Element>(bytes: &[u8], convert: fn(S) -> T) -> Attempt {
    let array = ArrayD::<S>::read_npy(bytes)?;
    let shape = array.shape().to_vec();
    // Files in Fortran order become row-major here.
    let values = array.into_iter().map(convert).collect();
    Ok(Tensor::from_vec(&shape, values))
}

/// Writes a tensor to a new file, or over an old one.
pub fn write(path: &Path, tensor: &Tensor) -> Result<(), String> {
    File::create(path)
        .map_err(|error| error.to_string())
        .and_then(|file| encode(tensor, BufWriter::new(file)))
        .map_err(|why| format!("cannot write `{}`: {why}", path.display()))
}

/// A tensor as the bytes of a file.
pub fn to_bytes(tensor: &Tensor) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    encode(tensor, &mut bytes)?;
    Ok(bytes)
}

fn encode(tensor: &Tensor, to: impl Write) -> Result<(), String> {
    let shape = IxDyn(tensor.shape());
    match tensor.data() {
        Data::Bool(array) => save(to, &shape, array.iter().map(|&value| value != 0)),
        Data::I8(array) => save(to, &shape, array.iter().copied()),
        Data::I16(array) => save(to, &shape, array.iter().copied()),
        Data::I32(array) => save(to, &shape, array.iter().copied()),
        Data::I64(array) => save(to, &shape, array.iter().copied()),
        Data::U8(array) => save(to, &shape, array.iter().copied()),
        Data::U16(array) => save(to, &shape, array.iter().copied()),
        Data::U32(array) => save(to, &shape, array.iter().copied()),
        Data::U64(array) => save(to, &shape, array.iter().copied()),
        Data::F16(array) => save(to, &shape, array.iter().copied().map(HalfFloat)),
        Data::BF16(array) => {
            let values = array.iter().map(|&value: &bf16| value.to_f32());
            save(to, &shape, values)
        }
        Data::F32(array) => save(to, &shape, array.iter().copied()),
        Data::F64(array) => save(to, &shape, array.iter().copied()),
    }
}

fn save<T: WritableElement>(
    to: impl Write,
    shape: &IxDyn,
    values: impl Iterator<Item = T>,
) -> Result<(), String> {
    let values: Vec<T> = values.collect();
    let array = Array::from_shape_vec(shape.clone(), values).map_err(|error| error.to_string())?;
    array.write_npy(to).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use vm::tensor::{Kind, Scalar};

    #[test]
    fn what_is_written_is_read_back_in_every_dtype() {
        let directory = tempfile::tempdir().unwrap();
        for kind in Kind::all() {
            let path = directory.path().join(format!("{kind:?}.npy"));
            let tensor = Tensor::full(kind, &[2, 3], Scalar::Int(1)).unwrap();
            write(&path, &tensor).unwrap();
            let read = read(&path).unwrap();
            let expected = if kind == Kind::BF16 { Kind::F32 } else { kind };
            assert_eq!((read.kind(), read.shape()), (expected, &[2, 3][..]));
            assert_eq!(read.get(5).unwrap().as_f64(), 1.0);
        }
    }

    #[test]
    fn what_is_no_array_is_an_error_that_names_the_file() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("notes.npy");
        std::fs::write(&path, "notes").unwrap();
        let error = read(&path).unwrap_err();
        assert!(error.contains("notes.npy"), "{error}");
        assert!(read(&directory.path().join("none.npy")).is_err());
    }
}
