//! Parses the header of an `.npy` file within limits: it is a Python literal, and parsers of those recurse.

use ndarray_npy::npy::header::Header;

/// The maximum length: longer than any header of one dtype, and the limit at which NumPy would reject it.
const LONGEST: usize = 10_000;
/// The maximum nesting of brackets: a dictionary that contains a shape.
const DEEPEST: usize = 4;

/// Returns the header, and the data after it.
pub fn read(bytes: &[u8]) -> Result<(Header, &[u8]), String> {
    let mut rest = bytes;
    if let Some(header) = text(bytes) {
        if header.len() > LONGEST {
            return Err("its header is too long".to_owned());
        }
        if depth(header) > DEEPEST {
            return Err("its header nests too deeply".to_owned());
        }
    }
    let header = Header::from_reader(&mut rest).map_err(|error| error.to_string())?;
    Ok((header, rest))
}

/// Returns the literal, if it is complete.
fn text(bytes: &[u8]) -> Option<&[u8]> {
    let rest = bytes.strip_prefix(b"\x93NUMPY")?;
    let (version, rest) = rest.split_first_chunk::<2>()?;
    if version[0] == 1 {
        let (length, rest) = rest.split_first_chunk()?;
        rest.get(..u16::from_le_bytes(*length).into())
    } else {
        let (length, rest) = rest.split_first_chunk()?;
        rest.get(..u32::from_le_bytes(*length) as usize)
    }
}

fn depth(literal: &[u8]) -> usize {
    let (mut deepest, mut depth) = (0, 0usize);
    for byte in literal {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}
