//! Folders that model compilers write: an index in JSON, and shards with the elements.

use std::path::Path;

use relax::dtype::DType;
use serde::Deserialize;

use super::{Encoding, Entry, mapped};
use crate::regular_file;

/// The file names of the index.
const INDEXES: &[&str] = &["tensor-cache.json", "ndarray-cache.json"];

#[derive(Deserialize)]
struct Index {
    records: Vec<Shard>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Shard {
    data_path: String,
    format: String,
    records: Vec<Record>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Record {
    name: String,
    shape: Vec<usize>,
    dtype: String,
    format: String,
    byte_offset: u64,
}

pub(super) fn entries(folder: &Path) -> Result<Vec<Entry>, String> {
    let index = INDEXES
        .iter()
        .map(|name| folder.join(name))
        .find(|it| it.is_file());
    match index {
        Some(index) => of_json(&index),
        None => Err(format!("the folder has no {}", INDEXES.join(" and no "))),
    }
}

pub(super) fn of_json(path: &Path) -> Result<Vec<Entry>, String> {
    let text = regular_file::read(path).map_err(|error| error.to_string())?;
    let index: Index = serde_json::from_slice(&text).map_err(|error| error.to_string())?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut entries = Vec::new();
    for shard in index.records {
        if shard.format != "raw-shard" {
            return Err(format!(
                "`{}` is a shard of the format {:?}",
                shard.data_path, shard.format
            ));
        }
        let file = mapped::open(&folder.join(&shard.data_path))
            .map_err(|why| format!("`{}`: {why}", shard.data_path))?;
        for record in shard.records {
            let dtype = DType::parse(&record.dtype)
                .ok_or_else(|| format!("`{}` is {}", record.name, record.dtype))?;
            let encoding = match record.format.as_str() {
                "f32-to-bf16" if dtype == DType::F32 => Encoding::Bfloat16,
                _ => Encoding::Plain,
            };
            let entry = Entry::within(
                &file,
                record.byte_offset,
                encoding,
                record.name,
                record.shape,
                dtype,
            );
            entries.push(entry.map_err(|why| format!("`{}`: {why}", shard.data_path))?);
        }
    }
    Ok(entries)
}
