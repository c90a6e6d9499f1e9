//! Tests of files with weights that contradict themselves.

use std::path::Path;

use serde_json::json;

use super::serving::{run, weights};

/// Writes a safetensors file with this header before two floats.
fn safetensors(path: &Path, header: &str) {
    let length = (header.len() as u64).to_le_bytes();
    let data = [1.0_f32, 2.0].map(f32::to_le_bytes);
    let file = [&length[..], header.as_bytes(), &data.concat()].concat();
    std::fs::write(path, file).unwrap();
}

pub const TWO: &str = r#"
from tvm.script import relax as R

@R.function
def main(w: R.Tensor((2,), "float32")):
    return R.add(w, w)
"#;

/// Runs `TWO` with these weights. Returns what is wrong with them, if anything.
fn problem(directory: &Path, weights: &str) -> Option<String> {
    std::fs::write(directory.join("two.py"), TWO).unwrap();
    let output = run(
        directory,
        &["two.py", "--params", weights, "--allow-missing"],
    );
    match output.status.code() {
        Some(0) => None,
        Some(2) => Some(String::from_utf8(output.stderr).unwrap()),
        _ => panic!("{output:?}"),
    }
}

#[test]
fn safetensors_that_contradict_themselves_are_refused() {
    let row =
        |offsets: &str| format!(r#"{{"dtype": "F32", "shape": [2], "data_offsets": {offsets}}}"#);
    let whole = row("[0, 8]");
    let empty = r#"{"dtype": "F32", "shape": [0], "data_offsets": [8, 8]}"#;
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("w.safetensors");
    for (header, problem_of) in [
        (format!(r#"{{"w": {whole}}}"#), None),
        (
            format!(r#"{{"v": {empty}, "__metadata__": {{"a": "b"}}, "w": {whole}}}"#),
            None,
        ),
        (
            format!(r#"{{"w": {}}}"#, row("[0, 4]")),
            Some("has 4 bytes, but (2,) of float32 takes 8"),
        ),
        (
            format!(r#"{{"w": {}}}"#, row("[8, 0]")),
            Some("byte 0 comes next"),
        ),
        (
            format!(r#"{{"w": {}}}"#, row("[0, 16]")),
            Some("has 16 bytes"),
        ),
        (
            format!(r#"{{"w": {whole}, "v": {}}}"#, row("[4, 12]")),
            Some("byte 8 comes next"),
        ),
        (
            format!(r#"{{"w": {whole}, "v": {whole}}}"#),
            Some("byte 8 comes next"),
        ),
        (
            format!(r#"{{"w": {whole}, "w": {empty}}}"#),
            Some("two tensors named `w`"),
        ),
        (
            r#"{"w": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}"#.to_owned(),
            Some("has 8"),
        ),
    ] {
        safetensors(&file, &header);
        let found = problem(directory.path(), "w.safetensors");
        let is_right = match (&found, problem_of) {
            (None, None) => true,
            (Some(found), Some(part)) => found.contains(part),
            _ => false,
        };
        assert!(is_right, "{header}: {found:?}");
    }
}

#[test]
fn params_with_wrong_lengths_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let params = std::fs::read(weights("w.params")).unwrap();
    // The length is in front of the four floats of the first tensor.
    let data: Vec<u8> = [1.0_f32, 2.0, 3.0, 4.0]
        .into_iter()
        .flat_map(f32::to_le_bytes)
        .collect();
    let at = params.windows(16).position(|it| it == data).unwrap() - 8;
    let refused = |at: usize, bytes: &[u8]| {
        let mut file = params.clone();
        file[at..at + bytes.len()].copy_from_slice(bytes);
        std::fs::write(directory.path().join("w.params"), file).unwrap();
        problem(directory.path(), "w.params").unwrap()
    };
    for length in [4, -8, 24, i64::MAX] {
        let why = refused(at, &length.to_le_bytes());
        assert!(why.contains("bytes"), "{length}: {why}");
    }
    // The number of dimensions stands before the dtype and two dimensions.
    let why = refused(at - 24, &(-1_i32).to_le_bytes());
    assert!(why.contains("negative number of dimensions"), "{why}");
}

#[test]
fn folders_of_weights_stay_inside_and_agree_with_their_shards() {
    let directory = tempfile::tempdir().unwrap();
    let folder = directory.path().join("folder");
    std::fs::create_dir(&folder).unwrap();
    let data: Vec<u8> = [1.0_f32, 2.0, 3.0]
        .into_iter()
        .flat_map(f32::to_le_bytes)
        .collect();
    for path in ["folder/shard.bin", "outside.bin"] {
        std::fs::write(directory.path().join(path), &data).unwrap();
    }
    let row = |name: &str, offset: u64, bytes: u64| json!({"name": name, "shape": [2], "dtype": "float32", "format": "raw", "byteOffset": offset, "nbytes": bytes});
    let outside = directory.path().join("outside.bin");
    let w = || vec![row("w", 0, 8)];
    for (path, bytes, records, problem_of) in [
        ("shard.bin", 12, w(), None),
        (
            "shard.bin",
            12,
            vec![row("w", 0, 8), row("tied", 0, 8)],
            None,
        ),
        ("../outside.bin", 12, w(), Some("leads out of its folder")),
        (
            outside.to_str().unwrap(),
            12,
            w(),
            Some("leads out of its folder"),
        ),
        (
            "shard.bin",
            16,
            w(),
            Some("says that it has 16 bytes, but it has 12"),
        ),
        (
            "shard.bin",
            12,
            vec![row("w", 0, 12)],
            Some("has 12 bytes, but (2,) of float32 takes 8"),
        ),
        (
            "shard.bin",
            12,
            vec![row("w", 8, 8)],
            Some("ends before the end"),
        ),
        (
            "shard.bin",
            12,
            vec![row("w", 0, 8), row("v", 4, 8)],
            Some("`w` and `v` overlap"),
        ),
        (
            "shard.bin",
            12,
            vec![row("w", 0, 8), row("w", 0, 8)],
            Some("two tensors named `w`"),
        ),
    ] {
        let index = json!({"records": [{"dataPath": path, "format": "raw-shard", "nbytes": bytes, "records": records}]});
        std::fs::write(folder.join("tensor-cache.json"), index.to_string()).unwrap();
        let found = problem(directory.path(), "folder");
        let is_right = match (&found, problem_of) {
            (None, None) => true,
            (Some(found), Some(part)) => found.contains(part),
            _ => false,
        };
        assert!(is_right, "{index}: {found:?}");
    }
}
