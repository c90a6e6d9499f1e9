//! The header of an `.npy` file: a Python dictionary with a dtype, the order of the axes and a shape.

use std::fmt::Write;

const MAGIC: &[u8] = b"\x93NUMPY";
/// The maximum length: longer than any header of one dtype, and the limit at which NumPy would reject it.
const LONGEST: usize = 10_000;
/// The data begins at a multiple of this.
const ALIGNMENT: usize = 64;

pub struct Header {
    /// With the byte order: `<f4`.
    pub dtype: String,
    pub is_fortran: bool,
    pub shape: Vec<usize>,
}

impl Header {
    /// Describes row-major elements in the byte order of this machine.
    pub fn of(name: &str, shape: &[usize]) -> Self {
        let order = match name {
            "b1" | "i1" | "u1" => '|',
            _ if cfg!(target_endian = "big") => '>',
            _ => '<',
        };
        Self {
            dtype: format!("{order}{name}"),
            is_fortran: false,
            shape: shape.to_vec(),
        }
    }

    /// The dtype without its byte order.
    pub fn name(&self) -> &str {
        self.dtype.trim_start_matches(['<', '>', '|', '='])
    }

    pub fn is_big_endian(&self) -> bool {
        match self.dtype.as_bytes().first() {
            Some(b'>') => true,
            Some(b'<') => false,
            _ => cfg!(target_endian = "big"),
        }
    }

    /// Returns the header, and the data after it.
    pub fn read(bytes: &[u8]) -> Result<(Self, &[u8]), String> {
        let (text, data) = split(bytes).ok_or("it has no complete header of NumPy")?;
        if text.len() > LONGEST {
            return Err("its header is too long".to_owned());
        }
        let text = std::str::from_utf8(text).map_err(|_| "its header is not text")?;
        let header = Literal(text).header();
        let header = header.ok_or_else(|| format!("its header is not one of NumPy: {text:.80}"))?;
        Ok((header, data))
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        let mut shape = String::new();
        for extent in &self.shape {
            let _ = write!(shape, "{extent}, ");
        }
        // A tuple of one element ends with a comma; NumPy writes the others without it.
        let shape = match self.shape.len() {
            1 => shape.trim_end(),
            _ => shape.trim_end_matches(", "),
        };
        let order = if self.is_fortran { "True" } else { "False" };
        let mut text = format!(
            "{{'descr': '{}', 'fortran_order': {order}, 'shape': ({shape}), }}",
            self.dtype
        );
        let start = MAGIC.len() + 4;
        let end = (start + text.len() + 1).next_multiple_of(ALIGNMENT);
        text.extend(std::iter::repeat_n(' ', end - start - text.len() - 1));
        text.push('\n');
        let mut bytes = [MAGIC, &[1, 0]].concat();
        bytes.extend((text.len() as u16).to_le_bytes());
        bytes.extend(text.bytes());
        bytes
    }
}

/// Returns the dictionary, and the data after it.
fn split(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let rest = bytes.strip_prefix(MAGIC)?;
    let (version, rest) = rest.split_first_chunk::<2>()?;
    let (length, rest) = if version[0] == 1 {
        let (length, rest) = rest.split_first_chunk()?;
        (u16::from_le_bytes(*length).into(), rest)
    } else {
        let (length, rest) = rest.split_first_chunk()?;
        (u32::from_le_bytes(*length) as usize, rest)
    };
    rest.split_at_checked(length)
}

/// What is left of the dictionary.
struct Literal<'t>(&'t str);

impl Literal<'_> {
    fn header(mut self) -> Option<Header> {
        let (mut dtype, mut order, mut shape) = (None, None, None);
        self.expect("{")?;
        while self.expect("}").is_none() {
            let key = self.string()?;
            self.expect(":")?;
            match key.as_str() {
                "descr" => dtype = Some(self.string()?),
                "fortran_order" => {
                    let is_true = self.expect("True").is_some();
                    order = Some(is_true || (self.expect("False").map(|()| false)?));
                }
                "shape" => shape = Some(self.shape()?),
                _ => return None,
            }
            if self.expect(",").is_none() && !self.0.trim_start().starts_with('}') {
                return None;
            }
        }
        Some(Header {
            dtype: dtype?,
            is_fortran: order?,
            shape: shape?,
        })
    }

    fn expect(&mut self, text: &str) -> Option<()> {
        self.0 = self.0.trim_start().strip_prefix(text)?;
        Some(())
    }

    fn string(&mut self) -> Option<String> {
        self.0 = self.0.trim_start();
        let quote = self.0.chars().next().filter(|it| "'\"".contains(*it))?;
        let (text, rest) = self.0[1..].split_once(quote)?;
        self.0 = rest;
        Some(text.to_owned())
    }

    fn shape(&mut self) -> Option<Vec<usize>> {
        self.expect("(")?;
        let (inside, rest) = self.0.split_once(')')?;
        self.0 = rest;
        let inside = inside.trim();
        let extents = inside.strip_suffix(',').unwrap_or(inside).split(',');
        // Python 2 wrote long integers with an L.
        let extent = |it: &str| it.trim().trim_end_matches('L').parse().ok();
        match inside {
            "" => Some(Vec::new()),
            _ => extents.map(extent).collect(),
        }
    }
}
