//! `.params`: the format of `tvm.runtime.save_param_dict`.

use std::io::{Cursor, Read};
use std::path::Path;

use relax::dtype::DType;
use vm::tensor::SharedBytes;

use super::{Encoding, Entry, mapped};

const LIST: u64 = 0xF7E5_8D4F_0504_9CB7;
const TENSOR: u64 = 0xDD5E_40F0_96B4_A13F;

/// The maximum number of dimensions, and of bytes in a name.
const MOST: u64 = 1 << 16;

struct Reader<'f> {
    file: &'f SharedBytes,
    bytes: Cursor<&'f [u8]>,
}

impl Reader<'_> {
    fn array<const N: usize>(&mut self) -> Result<[u8; N], String> {
        let mut bytes = [0; N];
        let read = self.bytes.read_exact(&mut bytes);
        read.map_err(|_| "the file ends too soon".to_owned())?;
        Ok(bytes)
    }

    fn u64(&mut self) -> Result<u64, String> {
        self.array().map(u64::from_le_bytes)
    }

    fn count(&mut self, what: &str) -> Result<usize, String> {
        let count = self.u64()?;
        let fits = (count < MOST).then_some(count as usize);
        fits.ok_or_else(|| format!("it says that {what} are {count}"))
    }

    fn magic(&mut self, wanted: u64) -> Result<(), String> {
        if self.u64()? != wanted {
            return Err("this is not a file of `tvm.runtime.save_param_dict`".to_owned());
        }
        // Reserved.
        self.u64().map(drop)
    }

    fn name(&mut self) -> Result<String, String> {
        let length = self.count("the letters of a name")?;
        let mut bytes = vec![0; length];
        let read = self.bytes.read_exact(&mut bytes);
        read.map_err(|_| "the file ends too soon".to_owned())?;
        String::from_utf8(bytes).map_err(|_| "a name is not valid UTF-8".to_owned())
    }

    fn tensor(&mut self, name: String) -> Result<Entry, String> {
        self.magic(TENSOR)?;
        let _device: [u8; 8] = self.array()?;
        let ndim = i32::from_le_bytes(self.array()?);
        let [code, bits, lanes, _] = self.array()?;
        let dtype = DType::of_dlpack(code, bits, 1)
            .filter(|_| lanes == 1)
            .ok_or_else(|| format!("`{name}` has a dtype that Relax does not have"))?;
        let mut shape = Vec::new();
        let ndim = usize::try_from(ndim);
        for _ in 0..ndim.map_err(|_| format!("`{name}` has a negative number of dimensions"))? {
            let extent = i64::from_le_bytes(self.array()?);
            let extent = usize::try_from(extent);
            shape.push(extent.map_err(|_| format!("`{name}` has a negative dimension"))?);
        }
        let length = i64::from_le_bytes(self.array()?);
        let length = u64::try_from(length)
            .map_err(|_| format!("`{name}` has a negative number of bytes"))?;
        let offset = self.bytes.position();
        self.bytes.set_position(offset.saturating_add(length));
        let encoding = Encoding::Plain;
        Entry::within(
            self.file,
            offset,
            Some(length),
            encoding,
            name,
            shape,
            dtype,
        )
    }
}

pub(super) fn entries(path: &Path) -> Result<Vec<Entry>, String> {
    let file = mapped::open(path)?;
    let mut reader = Reader {
        file: &file,
        bytes: Cursor::new((*file).as_ref()),
    };
    reader.magic(LIST)?;
    let count = reader.count("the tensors")?;
    let mut names = Vec::new();
    for _ in 0..count {
        names.push(reader.name()?);
    }
    if reader.count("the tensors")? != count {
        return Err("the numbers of names and tensors differ".to_owned());
    }
    names.into_iter().map(|name| reader.tensor(name)).collect()
}
