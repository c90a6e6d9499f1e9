//! `.safetensors`: the length of a header, the header as JSON, the elements.

use std::fmt;
use std::path::Path;

use relax::dtype::DType;
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::Value;

use super::{Encoding, Entry, mapped};

#[derive(Deserialize)]
struct HeaderRow {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: (u64, u64),
}

/// The rows of a header in its order. A map would keep one of two rows with the same name.
struct Rows(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Rows {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Rows, D::Error> {
        struct RowsVisitor;

        impl<'de> Visitor<'de> for RowsVisitor {
            type Value = Rows;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a row for each tensor")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Rows, A::Error> {
                let mut rows = Vec::new();
                while let Some(row) = map.next_entry()? {
                    rows.push(row);
                }
                Ok(Rows(rows))
            }
        }

        deserializer.deserialize_map(RowsVisitor)
    }
}

/// The tensors must fill the rest of the file, one after the other, as the format's own reader demands.
pub(super) fn entries(path: &Path) -> Result<Vec<Entry>, String> {
    let file = mapped::open(path)?;
    let bytes = (*file).as_ref();
    let (length, rest) = bytes.split_first_chunk().ok_or("the file ends too soon")?;
    let length = usize::try_from(u64::from_le_bytes(*length));
    let length = length.map_err(|_| "its header is too long")?;
    let header = rest.get(..length).ok_or("the file ends too soon")?;
    let Rows(rows) =
        serde_json::from_slice(header).map_err(|error| format!("its header: {error}"))?;
    let mut rows_in_file = Vec::with_capacity(rows.len());
    for (name, row) in rows {
        if name == "__metadata__" {
            continue;
        }
        let row: HeaderRow =
            serde_json::from_value(row).map_err(|error| format!("`{name}`: {error}"))?;
        let dtype = dtype(&row.dtype)
            .ok_or_else(|| format!("`{name}` is {}, which Relax does not have", row.dtype))?;
        rows_in_file.push((row.data_offsets, name, row.shape, dtype));
    }
    // A JSON map has no order, so sort by position in the file.
    rows_in_file.sort_by_key(|row| row.0);
    let data = (rest.len() - length) as u64;
    let mut free = 0;
    let mut entries = Vec::with_capacity(rows_in_file.len());
    for ((start, end), name, shape, dtype) in rows_in_file {
        if start != free || end < start {
            return Err(format!(
                "`{name}` has the bytes from {start} to {end}, but byte {free} comes next"
            ));
        }
        free = end;
        let offset = (8 + length as u64).saturating_add(start);
        let declared = Some(end - start);
        let entry = Entry::within(&file, offset, declared, Encoding::Plain, name, shape, dtype);
        entries.push(entry?);
    }
    if free != data {
        return Err(format!("its tensors have {free} bytes, but it has {data}"));
    }
    Ok(entries)
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
