//! Reads and writes tensors as `.npy` files.
//!
//! NumPy has neither bfloat16 nor numbers of fewer than eight bits. Such a tensor is written as float32 or as integers of
//! eight bits, which represent each number exactly. Files that ml_dtypes wrote are read: `V2` is bfloat16, and `V1` holds
//! codes whose meaning the parameter tells.

mod header;

#[cfg(not(target_family = "wasm"))]
use std::io;
use std::io::Write;
use std::path::Path;

use vm::tensor::alloc::element_count;
use vm::tensor::{Kind, Tensor};

use header::Header;

use crate::regular_file;
#[cfg(not(target_family = "wasm"))]
use crate::{
    scratch,
    whole_file::{self, NotWritten},
};

/// Reads a tensor of any dtype from a file, or returns an error message.
pub fn read(path: &Path) -> Result<Tensor, String> {
    regular_file::read(path)
        .map_err(|error| error.to_string())
        .and_then(|bytes| of_bytes(&bytes))
        .map_err(|why| format!("cannot read `{}`: {why}", path.display()))
}

/// Parses the bytes of a file.
pub fn of_bytes(bytes: &[u8]) -> Result<Tensor, String> {
    let (header, data) = Header::read(bytes)?;
    let kind = DTYPES.iter().find(|(name, _)| *name == header.name());
    let Some(&(_, kind)) = kind else {
        return Err(format!("Relax does not have its dtype {}", header.dtype));
    };
    let size = element_count(&header.shape, kind.bytes()).map_err(|error| error.to_string())?
        * kind.bytes();
    // Check the size before allocating anything, since a header can claim any shape.
    if data.len() != size {
        return Err(format!(
            "its header says {size} bytes of data, but there are {}",
            data.len()
        ));
    }
    tensor(&header, kind, data).map_err(|error| error.to_string())
}

fn tensor(header: &Header, kind: Kind, data: &[u8]) -> vm::error::RunResult<Tensor> {
    let mut shape = header.shape.clone();
    if header.is_fortran {
        shape.reverse();
    }
    let stored = if header.is_big_endian() == cfg!(target_endian = "big") {
        Tensor::from_bytes(kind, &shape, data)?
    } else {
        let mut data = data.to_vec();
        for element in data.chunks_mut(kind.bytes()) {
            element.reverse();
        }
        Tensor::from_bytes(kind, &shape, &data)?
    };
    if header.is_fortran {
        let axes: Vec<usize> = (0..shape.len()).rev().collect();
        return stored.permuted(&axes);
    }
    Ok(stored)
}

/// NumPy's names, without the byte order. A kind is written by its first one.
const DTYPES: &[(&str, Kind)] = &[
    ("f4", Kind::F32),
    ("f8", Kind::F64),
    ("i1", Kind::I8),
    ("i2", Kind::I16),
    ("i4", Kind::I32),
    ("i8", Kind::I64),
    ("u1", Kind::U8),
    ("u2", Kind::U16),
    ("u4", Kind::U32),
    ("u8", Kind::U64),
    ("b1", Kind::Bool),
    ("f2", Kind::F16),
    ("V2", Kind::BF16),
    ("V1", Kind::U8),
    ("f1", Kind::U8),
];

/// Writes a tensor to a file, replacing an existing one.
#[cfg(not(target_family = "wasm"))]
pub fn write(path: &Path, tensor: &Tensor) -> Result<(), NotWritten> {
    whole_file::write_with(path, |file| encode(tensor, file).map_err(io::Error::other))
}

/// Writes a tensor to a file in the folder of a session.
#[cfg(not(target_family = "wasm"))]
pub fn write_in_scratch(path: &Path, tensor: &Tensor) -> Result<(), String> {
    let file = scratch::create(path).map_err(|error| error.to_string())?;
    encode(tensor, io::BufWriter::new(file))
}

/// Returns a tensor as the bytes of a file.
pub fn to_bytes(tensor: &Tensor) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    encode(tensor, &mut bytes)?;
    Ok(bytes)
}

fn encode(tensor: &Tensor, mut to: impl Write) -> Result<(), String> {
    let representable = match tensor.kind() {
        Kind::BF16 => Some(Kind::F32),
        Kind::Tiny(tiny) if tiny.is_float() => Some(Kind::F32),
        Kind::Tiny(_) => Some(Kind::I8),
        _ => None,
    };
    if let Some(kind) = representable {
        let wider = tensor.cast(kind).map_err(|error| error.to_string())?;
        return encode(&wider, to);
    }
    let name = DTYPES.iter().find(|(_, kind)| *kind == tensor.kind());
    let (name, _) = name.ok_or_else(|| format!("NumPy has no {}", tensor.kind().dtype()))?;
    let header = Header::of(name, tensor.shape());
    let bytes = tensor.bytes().map_err(|error| error.to_string())?;
    to.write_all(&header.to_bytes())
        .and_then(|()| to.write_all(&bytes))
        .and_then(|()| to.flush())
        .map_err(|error| error.to_string())
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
        assert!(why.contains("header"), "{why}");
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
    }

    #[test]
    fn headers_are_read_as_numpy_and_others_write_them() {
        for header in [
            "{'descr': '>i4', 'fortran_order': True, 'shape': (2, 1)}",
            "{\"shape\": (2, 1,), \"fortran_order\": False, \"descr\": \"<f4\" , }",
            "{'descr': '|u8', 'fortran_order': False, 'shape': (1L, ), }  ",
        ] {
            let tensor = of_bytes(&file(header, 8)).unwrap();
            assert_eq!(
                tensor.shape().iter().product::<usize>() * tensor.kind().bytes(),
                8
            );
        }
        let mut bytes = file(
            "{'descr': '>i2', 'fortran_order': True, 'shape': (2, 3)}",
            0,
        );
        bytes.extend((0..6).flat_map(|it: i16| it.to_be_bytes()));
        let tensor = of_bytes(&bytes).unwrap();
        let elements = (0..6).map(|at| tensor.get(at).unwrap().as_f64());
        assert_eq!(
            elements.collect::<Vec<f64>>(),
            [0.0, 2.0, 4.0, 1.0, 3.0, 5.0]
        );
    }

    #[test]
    fn headers_of_other_files_are_refused() {
        for header in [
            "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,)}",
            "{'descr': '<f4', 'fortran_order': 0, 'shape': (2,)}",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (-2,)}",
            "{'descr': '<f4', 'fortran_order': False}",
            "{'descr': '<f4' 'fortran_order': False, 'shape': (2,)}",
            "{'descr': '<c8', 'fortran_order': False, 'shape': (1,)}",
        ] {
            assert!(!refused(header).is_empty());
        }
    }

    #[test]
    fn what_is_written_begins_at_a_multiple_of_64() {
        for shape in [&[][..], &[3], &[2, 3]] {
            let tensor = Tensor::full(Kind::I64, shape, Scalar::Int(1)).unwrap();
            let bytes = to_bytes(&tensor).unwrap();
            let count: usize = shape.iter().product();
            assert_eq!((bytes.len() - 8 * count) % 64, 0);
            assert_eq!(of_bytes(&bytes).unwrap().shape(), shape);
        }
    }

    #[cfg(unix)]
    #[test]
    fn device_files_are_not_read_as_tensors() {
        let why = read(Path::new("/dev/zero")).unwrap_err();
        assert!(why.contains("not a regular file"), "{why}");
    }
}
