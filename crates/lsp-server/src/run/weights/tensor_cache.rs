//! Folders that model compilers write: an index in JSON, and shards with the elements.

use std::path::Path;

use relax::dtype::DType;
use serde::Deserialize;

use super::{Encoding, Entry, mapped};
use crate::{path_inside, regular_file};

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
    #[serde(default)]
    nbytes: Option<u64>,
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
    #[serde(default)]
    nbytes: Option<u64>,
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
        let in_shard = |why: String| format!("`{}`: {why}", shard.data_path);
        let path = path_inside::join(folder, &shard.data_path).map_err(|why| why.to_string())?;
        let file = mapped::open(&path).map_err(in_shard)?;
        let length = (*file).as_ref().len() as u64;
        if let Some(listed) = shard.nbytes.filter(|&it| it != length) {
            return Err(in_shard(format!(
                "the index says that it has {listed} bytes, but it has {length}"
            )));
        }
        apart(&shard.records).map_err(in_shard)?;
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
                record.nbytes,
                encoding,
                record.name,
                record.shape,
                dtype,
            );
            entries.push(entry.map_err(in_shard)?);
        }
    }
    Ok(entries)
}

/// Refuses tensors that share some of their bytes. Two names of one tensor share all.
fn apart(records: &[Record]) -> Result<(), String> {
    let span = |it: &Record| {
        let end = it.byte_offset.saturating_add(it.nbytes.unwrap_or(0));
        (it.byte_offset, end)
    };
    let mut sorted: Vec<&Record> = records.iter().collect();
    sorted.sort_by_key(|it| span(it));
    for pair in sorted.windows(2) {
        let (one, next) = (span(pair[0]), span(pair[1]));
        if next.0 < one.1 && next != one {
            return Err(format!("`{}` and `{}` overlap", pair[0].name, pair[1].name));
        }
    }
    Ok(())
}
