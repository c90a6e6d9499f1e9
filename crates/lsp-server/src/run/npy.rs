//! Reads and writes tensors as `.npy` files.
//!
//! NumPy has neither bfloat16 nor numbers of fewer than eight bits. Such a tensor is written as float32 or as integers of
//! eight bits, which represent each number exactly. Files that ml_dtypes wrote are read: `V2` is bfloat16, and `V1` holds
//! codes whose meaning the parameter tells.

mod half_float;
mod header;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use half::{bf16, f16};
use ndarray::{Array, ArrayD, IxDyn, ShapeBuilder};
use ndarray_npy::npy::header::Header;
use ndarray_npy::{ReadableElement, WritableElement, WriteNpyExt};
use py_literal::Value as Descriptor;
use vm::tensor::alloc::element_count;
use vm::tensor::{Data, Element, Kind, Tensor};

use half_float::HalfFloat;

use crate::regular_file;

/// Reads a tensor of any dtype from a file, or returns an error message.
pub fn read(path: &Path) -> Result<Tensor, String> {
    regular_file::read(path)
        .map_err(|error| error.to_string())
        .and_then(|bytes| of_bytes(&bytes))
        .map_err(|why| format!("cannot read `{}`: {why}", path.display()))
}

/// Parses the bytes of a file.
pub fn of_bytes(bytes: &[u8]) -> Result<Tensor, String> {
    let (header, data) = header::read(bytes)?;
    let Some(Dtype { size, load, .. }) = Dtype::of(&header.type_descriptor) else {
        return Err("Relax does not have its dtype".to_owned());
    };
    let count = element_count(&header.shape, *size).map_err(|error| error.to_string())?;
    // Check the size before allocating anything, since a header can claim any shape.
    if data.len() != count * size {
        return Err(format!(
            "its header says {} bytes of data, but there are {}",
            count * size,
            data.len()
        ));
    }
    load(&header, data, count)
}

/// A dtype in files, without the byte order.
struct Dtype {
    name: &'static str,
    size: usize,
    load: fn(&Header, &[u8], usize) -> Result<Tensor, String>,
}

impl Dtype {
    const fn plain<T: ReadableElement + Element>(name: &'static str) -> Dtype {
        Dtype {
            name,
            size: size_of::<T>(),
            load: |header, data, count| load::<T, T>(header, data, count, |value| value),
        }
    }

    fn of(descriptor: &Descriptor) -> Option<&'static Dtype> {
        let Descriptor::String(name) = descriptor else {
            return None;
        };
        let name = name.trim_start_matches(['<', '>', '|']);
        DTYPES.iter().find(|it| it.name == name)
    }
}

const DTYPES: &[Dtype] = &[
    Dtype::plain::<f32>("f4"),
    Dtype::plain::<f64>("f8"),
    Dtype::plain::<i8>("i1"),
    Dtype::plain::<i16>("i2"),
    Dtype::plain::<i32>("i4"),
    Dtype::plain::<i64>("i8"),
    Dtype::plain::<u8>("u1"),
    Dtype::plain::<u16>("u2"),
    Dtype::plain::<u32>("u4"),
    Dtype::plain::<u64>("u8"),
    Dtype {
        name: "b1",
        size: 1,
        load: |header, data, count| {
            load::<bool, u8>(header, data, count, u8::from).map(Tensor::as_bool)
        },
    },
    Dtype {
        name: "f2",
        size: 2,
        load: |header, data, count| load::<HalfFloat, f16>(header, data, count, |value| value.0),
    },
    Dtype {
        name: "V2",
        size: 2,
        load: |header, data, _| raw(header, data, Kind::BF16),
    },
    Dtype {
        name: "V1",
        size: 1,
        load: |header, data, _| raw(header, data, Kind::U8),
    },
    Dtype {
        name: "f1",
        size: 1,
        load: |header, data, _| raw(header, data, Kind::U8),
    },
];

fn load<S: ReadableElement, T: Element>(
    header: &Header,
    data: &[u8],
    count: usize,
    convert: fn(S) -> T,
) -> Result<Tensor, String> {
    let values = S::read_to_end_exact_vec(data, &header.type_descriptor, count)
        .map_err(|error| error.to_string())?;
    let shape = IxDyn(&header.shape);
    let array = ArrayD::from_shape_vec(shape.set_f(header.layout.is_fortran()), values)
        .map_err(|error| error.to_string())?;
    // Fortran order becomes row-major here.
    let values = array.into_iter().map(convert).collect();
    Tensor::from_vec(&header.shape, values).map_err(|error| error.to_string())
}

/// Loads elements of a dtype that only ml_dtypes knows, in this machine's byte order.
fn raw(header: &Header, data: &[u8], kind: Kind) -> Result<Tensor, String> {
    let is_fortran = header.layout.is_fortran();
    let mut shape = header.shape.clone();
    if is_fortran {
        shape.reverse();
    }
    let axes: Vec<usize> = (0..shape.len()).rev().collect();
    Tensor::from_bytes(kind, &shape, data)
        .and_then(|it| {
            if is_fortran {
                it.permuted(&axes)?.contiguous()
            } else {
                Ok(it)
            }
        })
        .map_err(|error| error.to_string())
}

/// Writes a tensor to a file, replacing an existing one.
pub fn write(path: &Path, tensor: &Tensor) -> Result<(), String> {
    File::create(path)
        .map_err(|error| error.to_string())
        .and_then(|file| encode(tensor, BufWriter::new(file)))
        .map_err(|why| format!("cannot write `{}`: {why}", path.display()))
}

/// Returns a tensor as the bytes of a file.
pub fn to_bytes(tensor: &Tensor) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    encode(tensor, &mut bytes)?;
    Ok(bytes)
}

fn encode(tensor: &Tensor, to: impl Write) -> Result<(), String> {
    if let Data::Tiny(tiny, _) = tensor.data() {
        let kind = if tiny.is_float() { Kind::F32 } else { Kind::I8 };
        return encode(&tensor.cast(kind).map_err(|error| error.to_string())?, to);
    }
    let shape = IxDyn(tensor.shape());
    match tensor.data() {
        Data::Bool(array) => save(
            to,
            &shape,
            array.view().into_iter().map(|&value| value != 0),
        ),
        Data::I8(array) => save(to, &shape, array.view().into_iter().copied()),
        Data::I16(array) => save(to, &shape, array.view().into_iter().copied()),
        Data::I32(array) => save(to, &shape, array.view().into_iter().copied()),
        Data::I64(array) => save(to, &shape, array.view().into_iter().copied()),
        Data::U8(array) => save(to, &shape, array.view().into_iter().copied()),
        Data::U16(array) => save(to, &shape, array.view().into_iter().copied()),
        Data::U32(array) => save(to, &shape, array.view().into_iter().copied()),
        Data::U64(array) => save(to, &shape, array.view().into_iter().copied()),
        Data::F16(array) => save(to, &shape, array.view().into_iter().copied().map(HalfFloat)),
        Data::BF16(array) => {
            let values = array.view().into_iter().map(|&value: &bf16| value.to_f32());
            save(to, &shape, values)
        }
        Data::F32(array) => save(to, &shape, array.view().into_iter().copied()),
        Data::F64(array) => save(to, &shape, array.view().into_iter().copied()),
        // Converted above.
        Data::Tiny(..) => Ok(()),
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
    use vm::tensor::Scalar;

    #[test]
    fn written_arrays_are_read_back_in_every_dtype() {
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
    fn files_of_ml_dtypes_are_read() {
        let header =
            |dtype: &str| format!("{{'descr': '<{dtype}', 'fortran_order': False, 'shape': (2,)}}");
        let mut bytes = file(&header("V2"), 0);
        bytes.extend([0x80, 0x3F, 0x00, 0xC0]);
        let read = of_bytes(&bytes).unwrap();
        assert_eq!(read.kind(), Kind::BF16);
        assert_eq!(read.get(1).unwrap().as_f64(), -2.0);
        for dtype in ["V1", "f1"] {
            let codes = of_bytes(&file(&header(dtype), 2)).unwrap();
            assert_eq!((codes.kind(), codes.len()), (Kind::U8, 2));
        }
    }

    #[test]
    fn invalid_array_files_are_named() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("notes.npy");
        std::fs::write(&path, "notes").unwrap();
        let error = read(&path).unwrap_err();
        assert!(error.contains("notes.npy"), "{error}");
        assert!(read(&directory.path().join("none.npy")).is_err());
    }

    /// Returns a file with this header and the given number of data bytes.
    fn file(header: &str, data: usize) -> Vec<u8> {
        let mut bytes = b"\x93NUMPY\x02\x00".to_vec();
        bytes.extend((header.len() as u32 + 1).to_le_bytes());
        bytes.extend(header.bytes());
        bytes.push(b'\n');
        bytes.resize(bytes.len() + data, 0);
        bytes
    }

    fn refused(header: &str) -> String {
        of_bytes(&file(header, 8)).unwrap_err()
    }

    #[test]
    fn a_header_that_nests_without_end_is_refused() {
        let nested = "(".repeat(5000);
        let why = refused(&format!("{{'descr': '<f4', 'shape': {nested}"));
        assert!(why.contains("nests"), "{why}");
        assert!(refused(&"[".repeat(100_000)).contains("header"));
    }

    #[test]
    fn a_header_with_an_excessive_size_allocates_nothing() {
        for shape in ["(4000000000000,)", "(4611686018427387904, 16)", "(3,)"] {
            let why = refused(&format!(
                "{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}}}"
            ));
            assert!(!why.is_empty());
        }
        let header = "{'descr': '>i4', 'fortran_order': True, 'shape': (2, 1)}";
        assert_eq!(of_bytes(&file(header, 8)).unwrap().shape(), [2, 1]);
    }

    #[cfg(unix)]
    #[test]
    fn device_files_are_not_read_as_tensors() {
        let why = read(Path::new("/dev/zero")).unwrap_err();
        assert!(why.contains("not a regular file"), "{why}");
    }
}
