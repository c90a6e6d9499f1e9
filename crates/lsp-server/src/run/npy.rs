//! Tensors in `.npy` files.
//!
//! NumPy has no bfloat16: such a tensor is written as float32, which holds every bfloat16 exactly.

mod half_float;

use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::Path;

use half::bf16;
use ndarray::{Array, ArrayD, IxDyn};
use ndarray_npy::{ReadNpyError, ReadNpyExt, ReadableElement, WritableElement, WriteNpyExt};
use vm::tensor::{Data, Element, Tensor};

use half_float::HalfFloat;

/// Reads a tensor of whatever dtype the file has; or says why not.
pub fn read(path: &Path) -> Result<Tensor, String> {
    let attempts: [fn(&Path) -> Attempt; 12] = [
        |path| plain::<f32>(path),
        |path| plain::<f64>(path),
        |path| plain::<i64>(path),
        |path| plain::<i32>(path),
        |path| plain::<i8>(path),
        |path| plain::<i16>(path),
        |path| plain::<u8>(path),
        |path| plain::<u16>(path),
        |path| plain::<u32>(path),
        |path| plain::<u64>(path),
        |path| load::<bool, u8>(path, u8::from).map(|tensor| tensor.map(Tensor::as_bool)),
        |path| load::<HalfFloat, half::f16>(path, |value| value.0),
    ];
    let cannot = |why: &dyn std::fmt::Display| format!("cannot read `{}`: {why}", path.display());
    for attempt in attempts {
        match attempt(path) {
            Ok(tensor) => return tensor.map_err(|error| cannot(&error)),
            Err(ReadNpyError::WrongDescriptor(_)) => {}
            Err(error) => return Err(cannot(&error)),
        }
    }
    Err(cannot(&"its dtype is none that Relax has"))
}

type Attempt = Result<Result<Tensor, vm::error::RunError>, ReadNpyError>;

fn plain<T: ReadableElement + Element>(path: &Path) -> Attempt {
    load::<T, T>(path, |value| value)
}

fn load<S: ReadableElement, T: Element>(path: &Path, convert: fn(S) -> T) -> Attempt {
    let file = File::open(path).map_err(ReadNpyError::Io)?;
    let array = ArrayD::<S>::read_npy(BufReader::new(file))?;
    let shape = array.shape().to_vec();
    // Files in Fortran order become row-major here.
    let values = array.into_iter().map(convert).collect();
    Ok(Tensor::from_vec(&shape, values))
}

/// Writes a tensor to a new file, or over an old one.
pub fn write(path: &Path, tensor: &Tensor) -> Result<(), String> {
    let shape = IxDyn(tensor.shape());
    let written = match tensor.data() {
        Data::Bool(array) => save(path, &shape, array.iter().map(|&value| value != 0)),
        Data::I8(array) => save(path, &shape, array.iter().copied()),
        Data::I16(array) => save(path, &shape, array.iter().copied()),
        Data::I32(array) => save(path, &shape, array.iter().copied()),
        Data::I64(array) => save(path, &shape, array.iter().copied()),
        Data::U8(array) => save(path, &shape, array.iter().copied()),
        Data::U16(array) => save(path, &shape, array.iter().copied()),
        Data::U32(array) => save(path, &shape, array.iter().copied()),
        Data::U64(array) => save(path, &shape, array.iter().copied()),
        Data::F16(array) => save(path, &shape, array.iter().copied().map(HalfFloat)),
        Data::BF16(array) => save(
            path,
            &shape,
            array.iter().map(|&value: &bf16| value.to_f32()),
        ),
        Data::F32(array) => save(path, &shape, array.iter().copied()),
        Data::F64(array) => save(path, &shape, array.iter().copied()),
    };
    written.map_err(|why| format!("cannot write `{}`: {why}", path.display()))
}

fn save<T: WritableElement>(
    path: &Path,
    shape: &IxDyn,
    values: impl Iterator<Item = T>,
) -> Result<(), String> {
    let values: Vec<T> = values.collect();
    let array = Array::from_shape_vec(shape.clone(), values).map_err(|error| error.to_string())?;
    let file = File::create(path).map_err(|error| error.to_string())?;
    array
        .write_npy(BufWriter::new(file))
        .map_err(|error| error.to_string())
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
