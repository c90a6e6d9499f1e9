//! Finds the release of TVM that requirements in `pyproject.toml` and `requirements*.txt` pin.

use std::fs;
use std::path::Path;

use relax::Release;
use toml::{Table, Value};

use super::{Origin, Target};

/// Larger files are not searched.
const LARGEST: u64 = 1 << 20;

fn read(path: &Path) -> Option<String> {
    let meta = fs::metadata(path).ok()?;
    (meta.is_file() && meta.len() <= LARGEST).then_some(())?;
    fs::read_to_string(path).ok()
}

fn pyproject(directory: &Path) -> Option<Table> {
    let text = read(&directory.join("pyproject.toml"))?;
    text.parse().ok()
}

/// Returns the release that the files of a directory pin.
pub fn pinned(directory: &Path) -> Option<Target> {
    let of = |release: Release, name: &str| Target {
        release,
        origin: Origin::Pin(directory.join(name)),
    };
    let table = pyproject(directory).map(Value::Table);
    if let Some(release) = table.as_ref().and_then(in_toml) {
        return Some(of(release, "pyproject.toml"));
    }
    let entries = fs::read_dir(directory).ok()?;
    let names = entries.filter_map(|it| it.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|it| is_requirements(it)).collect();
    names.sort();
    names.iter().find_map(|name| {
        let text = read(&directory.join(name))?;
        let release = text.lines().find_map(requirement)?;
        Some(of(release, name))
    })
}

pub fn is_requirements(name: &str) -> bool {
    name.starts_with("requirements") && name.strip_suffix(".txt").is_some()
}

/// Returns the first pin in the lists of requirements, or in Poetry's tables.
fn in_toml(value: &Value) -> Option<Release> {
    match value {
        Value::Array(items) => {
            let mut texts = items.iter().filter_map(Value::as_str);
            texts.find_map(requirement)
        }
        Value::Table(table) => table.iter().find_map(|(key, value)| {
            let version = value.as_str().or_else(|| value.get("version")?.as_str());
            match version {
                Some(version) if is_tvm(key) => poetry(version),
                _ => in_toml(value),
            }
        }),
        _ => None,
    }
}

/// Returns `true` if a name normalizes to the package's name.
fn is_tvm(name: &str) -> bool {
    let same = |c: char| {
        if matches!(c, '_' | '.') {
            '-'
        } else {
            c.to_ascii_lowercase()
        }
    };
    name.chars().map(same).eq("apache-tvm".chars())
}

/// Returns the release that `apache-tvm==0.25.0` pins.
fn requirement(line: &str) -> Option<Release> {
    let line = line.split(['#', ';']).next()?.trim();
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    let end = line.find(|c| !is_name(c)).unwrap_or(line.len());
    let (name, rest) = line.split_at(end);
    if !is_tvm(name) {
        return None;
    }
    // Ignore extras.
    let rest = rest.trim();
    let rest = rest
        .strip_prefix('[')
        .map_or(rest, |it| it.split_once(']').map_or("", |it| it.1));
    rest.trim_matches(['(', ')', ' '])
        .split(',')
        .find_map(specifier)
}

/// Returns the release of `==0.25.0` and `~=0.25.0`. A range pins no release.
fn specifier(text: &str) -> Option<Release> {
    let text = text.trim();
    if let Some(version) = text.strip_prefix("==") {
        return Release::from_version(version.trim_matches(['=', ' ']));
    }
    let version = text.strip_prefix("~=")?.trim();
    (version.split('.').count() > 2).then(|| Release::from_version(version))?
}

/// Returns the release of Poetry's `0.25.0`, `^0.25` and `~0.25`.
fn poetry(version: &str) -> Option<Release> {
    let plain = version.trim().trim_start_matches(['^', '~', '=']);
    let is_plain =
        plain.starts_with(|c: char| c.is_ascii_digit()) && !plain.contains([',', '*', ' ']);
    is_plain.then(|| Release::from_version(plain))?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pin_names_one_release_and_a_range_none() {
        let cases = [
            ("apache-tvm==0.25.0", Some("0.25")),
            (
                "Apache_TVM [all] == 0.24.* ; python_version > '3.9'  # pinned",
                Some("0.24"),
            ),
            ("apache-tvm~=0.26.0", Some("0.26")),
            ("apache-tvm (==0.27.0.post1)", Some("0.27")),
            ("apache-tvm>=0.24", None),
            ("apache-tvm~=0.24", None),
            ("apache-tvm", None),
            ("apache-tvm-ffi==0.1.0", None),
            ("tvm==0.25.0", None),
        ];
        for (line, release) in cases {
            assert_eq!(requirement(line).map(Release::name), release, "{line}");
        }
    }

    #[test]
    fn lists_of_any_tool_are_read() {
        let cases = [
            (
                "[project]\ndependencies = [\"numpy\", \"apache-tvm==0.25.0\"]",
                Some("0.25"),
            ),
            (
                "[project.optional-dependencies]\nrun = [\"apache-tvm==0.24.0\"]",
                Some("0.24"),
            ),
            (
                "[dependency-groups]\ndev = [{include-group = \"x\"}, \"apache-tvm==0.26.0\"]",
                Some("0.26"),
            ),
            (
                "[tool.poetry.dependencies]\napache-tvm = \"^0.25\"",
                Some("0.25"),
            ),
            (
                "[tool.poetry.group.dev.dependencies]\napache-tvm = {version = \"0.27.0\"}",
                Some("0.27"),
            ),
            ("[tool.poetry.dependencies]\napache-tvm = \">=0.25\"", None),
            ("name = \"apache-tvm==0.25.0\"", None),
        ];
        for (text, release) in cases {
            let table: Table = text.parse().expect("it is TOML");
            let found = in_toml(&Value::Table(table));
            assert_eq!(found.map(Release::name), release, "{text}");
        }
    }
}
