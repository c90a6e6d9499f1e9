//! `.safetensors`: the length of a header, the header as JSON, the elements.

use std::path::Path;

use relax::dtype::DType;
use serde::Deserialize;

use super::{Encoding, Entry, mapped};

#[derive(Deserialize)]
struct HeaderRow {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: (u64, u64),
}

pub(super) fn entries(path: &Path) -> Result<Vec<Entry>, String> {
    let file = mapped::open(path)?;
    let bytes = (*file).as_ref();
    let (length, rest) = bytes.split_first_chunk().ok_or("the file ends too soon")?;
    let length = usize::try_from(u64::from_le_bytes(*length));
    let length = length.map_err(|_| "its header is too long")?;
    let header = rest.get(..length).ok_or("the file ends too soon")?;
    let rows: serde_json::Map<String, serde_json::Value> =
        serde_json::from_slice(header).map_err(|error| format!("its header: {error}"))?;
    let mut entries = Vec::with_capacity(rows.len());
    for (name, row) in rows {
        if name == "__metadata__" {
            continue;
        }
        let row: HeaderRow =
            serde_json::from_value(row).map_err(|error| format!("`{name}`: {error}"))?;
        let dtype = dtype(&row.dtype)
            .ok_or_else(|| format!("`{name}` is {}, which Relax does not have", row.dtype))?;
        entries.push((row.data_offsets.0, name, row.shape, dtype));
    }
    // A JSON map has no order, so sort by position in the file.
    entries.sort_by_key(|entry| entry.0);
    let start = 8 + length as u64;
    let entry = |(offset, name, shape, dtype): (u64, String, Vec<usize>, DType)| {
        let offset = start.saturating_add(offset);
        Entry::within(&file, offset, Encoding::Plain, name, shape, dtype)
    };
    entries.into_iter().map(entry).collect()
}

fn dtype(name: &str) -> Option<DType> {
    DType::parse(match name {
        "BOOL" => "bool",
        "I8" => "int8",
        "I16" => "int16",
        "I32" => "int32",
        "I64" => "int64",
        "U8" => "uint8",
        "U16" => "uint16",
        "U32" => "uint32",
        "U64" => "uint64",
        "F16" => "float16",
        "BF16" => "bfloat16",
        "F32" => "float32",
        "F64" => "float64",
        _ => return None,
    })
}
