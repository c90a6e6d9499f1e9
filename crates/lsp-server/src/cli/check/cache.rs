//! `--cache-dir DIR`: caches the diagnostics of texts. The name of an entry is a hash of everything that its
//! diagnostics depend on: this program, the text, its language, its release of TVM. So an entry is never outdated, and
//! any entry can be deleted.
//!
//! An entry begins with a hash of its name and its contents: one that was cut, edited or moved from another text is not
//! believed, and neither is a place outside of the text. This finds damage, not malice: someone who may write to a
//! cache can make up entries, so share it only with people who may also change the program that runs.
//!
//! The cache makes a check faster, but its errors never make a check fail.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context;
use ide::diagnostics::page;
use ide::{Config, Diagnostic, Language, RelatedInformation, Severity, Tag, Text};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use text_size::TextRange;
use tracing::debug;

use crate::{regular_file, whole_file};

/// Backup and cleanup programs recognise by this file that the folder is a cache (<https://bford.info/cachedir/>).
const TAG: &str = "CACHEDIR.TAG";
const SIGNATURE: &str = "Signature: 8a477f597d28d172789f06886806bc55\n";

pub struct Cache {
    folder: PathBuf,
    /// A hash of this program.
    program: [u8; 32],
}

impl Cache {
    /// Opens the cache in a folder, which is created if needed.
    pub fn open(folder: &Path) -> anyhow::Result<Cache> {
        let cannot = || format!("cannot use `{}` as a cache", folder.display());
        std::fs::create_dir_all(folder).with_context(cannot)?;
        for (name, text) in [(TAG, SIGNATURE), (".gitignore", "*\n")] {
            let path = folder.join(name);
            if !path.exists() {
                whole_file::write_cached(&path, text.as_bytes()).with_context(cannot)?;
            }
        }
        let program = std::env::current_exe().and_then(std::fs::read);
        Ok(Cache {
            folder: folder.to_owned(),
            program: Sha256::digest(program.with_context(cannot)?).into(),
        })
    }

    /// Returns the diagnostics of a text, from the cache or by calling `find`.
    pub fn diagnostics(
        &self,
        text: &Text,
        language: Language,
        config: Config,
        find: impl FnOnce() -> Vec<Diagnostic>,
    ) -> Vec<Diagnostic> {
        let name = self.name(text, language, config);
        let path = self.path(&name);
        if let Some(known) = read(&path, &name, text) {
            return known;
        }
        let found = find();
        if let Err(error) = write(&path, &name, &found) {
            debug!(%error, path = %path.display(), "an entry was not written");
        }
        found
    }

    fn name(&self, text: &Text, language: Language, config: Config) -> String {
        let mut name = Sha256::new();
        name.update(self.program);
        name.update(format!("{language:?} {config:?}\n"));
        name.update(text.as_bytes());
        digits(name)
    }

    fn path(&self, name: &str) -> PathBuf {
        // Use subfolders, since some file systems are slow with millions of entries in one.
        let (folder, rest) = name.split_at(2);
        self.folder.join(folder).join(format!("{rest}.json"))
    }
}

fn digits(hash: Sha256) -> String {
    let mut digits = String::new();
    for byte in hash.finalize() {
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}

/// Returns what the first line of an entry says.
fn sum(name: &str, contents: &[u8]) -> String {
    digits(Sha256::new().chain_update(name).chain_update(contents))
}

/// A diagnostic before the project's settings are applied.
#[derive(Serialize, Deserialize)]
struct Entry {
    code: String,
    severity: String,
    range: (u32, u32),
    message: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    related: Vec<((u32, u32), String)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tags: Vec<String>,
}

const SEVERITIES: [Severity; 3] = [Severity::Error, Severity::Warning, Severity::Hint];
const TAGS: [Tag; 2] = [Tag::Unnecessary, Tag::Deprecated];

/// Returns `None` if there is no such entry, or if it is damaged.
fn read(path: &Path, name: &str, text: &str) -> Option<Vec<Diagnostic>> {
    let bytes = regular_file::read(path).ok()?;
    let line = bytes.iter().position(|&it| it == b'\n')?;
    let contents = &bytes[line + 1..];
    if bytes[..line] != *sum(name, contents).as_bytes() {
        return None;
    }
    let entries: Vec<Entry> = serde_json::from_slice(contents).ok()?;
    entries.into_iter().map(|it| it.diagnostic(text)).collect()
}

fn write(path: &Path, name: &str, found: &[Diagnostic]) -> anyhow::Result<()> {
    let folder = path.parent().context("an entry is in a folder")?;
    std::fs::create_dir_all(folder)?;
    let entries: Vec<Entry> = found.iter().map(Entry::of).collect();
    let contents = serde_json::to_string(&entries)?;
    let entry = format!("{}\n{contents}", sum(name, contents.as_bytes()));
    Ok(whole_file::write_cached(path, entry.as_bytes())?)
}

impl Entry {
    fn of(diagnostic: &Diagnostic) -> Entry {
        let related = diagnostic.related.iter();
        Entry {
            code: diagnostic.code.to_owned(),
            severity: diagnostic.severity.name().to_owned(),
            range: offsets(diagnostic.range),
            message: diagnostic.message.clone(),
            related: related
                .map(|it| (offsets(it.range), it.message.clone()))
                .collect(),
            tags: diagnostic.tags.iter().map(|it| format!("{it:?}")).collect(),
        }
    }

    fn diagnostic(self, text: &str) -> Option<Diagnostic> {
        let range = |(start, end): (u32, u32)| {
            text.get(start as usize..end as usize)?;
            Some(TextRange::new(start.into(), end.into()))
        };
        let related = self.related.into_iter();
        let related = related.map(|(at, message)| {
            let range = range(at)?;
            Some(RelatedInformation { range, message })
        });
        let tag = |name: String| TAGS.into_iter().find(|it| format!("{it:?}") == name);
        let severity = SEVERITIES.into_iter().find(|it| it.name() == self.severity);
        Some(Diagnostic {
            code: page(&self.code)?.code.name(),
            severity: severity?,
            range: range(self.range)?,
            message: self.message,
            related: related.collect::<Option<_>>()?,
            tags: self.tags.into_iter().map(tag).collect::<Option<_>>()?,
        })
    }
}

fn offsets(range: TextRange) -> (u32, u32) {
    (range.start().into(), range.end().into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use ide::Analysis;

    const PROGRAM: &str = "from tvm.script import relax as R\n\n@R.function\ndef f(x: R.Tensor((2,), \"float32\")):\n    y = R.add(x, R.const([1.0, 2.0, 3.0]))\n    return x  # é\n";

    fn find(text: &Text) -> Vec<Diagnostic> {
        let (analysis, file) = Analysis::from_single_file(text.clone(), Config::default());
        analysis.diagnostics(file).unwrap()
    }

    /// Returns what a cache returns for a text, and whether it was a miss.
    fn look_up(cache: &Cache, text: &Text) -> (Vec<Diagnostic>, bool) {
        let mut looked = false;
        let found = cache.diagnostics(text, Language::Python, Config::default(), || {
            looked = true;
            find(text)
        });
        (found, looked)
    }

    #[test]
    fn a_cached_result_is_not_computed_again() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path()).unwrap();
        let text = Text::from(PROGRAM.to_owned());
        let found = find(&text);
        assert!(!found.is_empty() && found.iter().any(|it| !it.tags.is_empty()));
        assert_eq!(look_up(&cache, &text), (found.clone(), true));
        assert_eq!(look_up(&cache, &text), (found, false));
    }

    #[test]
    fn another_release_is_another_entry() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path()).unwrap();
        let text = Text::from(PROGRAM.to_owned());
        let [one, other] = [None, Some(relax::Release::V0_25)]
            .map(|target| cache.name(&text, Language::Python, Config { target }));
        assert_ne!(one, other);
    }

    #[test]
    fn a_damaged_or_deleted_entry_is_computed_again() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path()).unwrap();
        let text = Text::from(PROGRAM.to_owned());
        let found = look_up(&cache, &text).0;
        let name = cache.name(&text, Language::Python, Config::default());
        let path = cache.path(&name);
        let entry = std::fs::read_to_string(&path).unwrap();
        let (sum_line, contents) = entry.split_once('\n').unwrap();
        let of_other_text = format!("{}\n{contents}", sum("a text", contents.as_bytes()));
        for damage in [
            "",
            "[]",
            &format!("{sum_line}\n[]"),
            &entry[..entry.len() - 1],
            &of_other_text,
        ] {
            std::fs::write(&path, damage).unwrap();
            assert_eq!(look_up(&cache, &text), (found.clone(), true), "{damage}");
        }
        let row = |code: &str, start: usize, end: usize| {
            format!(
                "[{{\"code\":\"{code}\",\"severity\":\"error\",\"range\":[{start},{end}],\"message\":\"\"}}]"
            )
        };
        let (code, end) = ("rank-mismatch", PROGRAM.len());
        let last = PROGRAM.find('é').unwrap();
        for (contents, is_believed) in [
            (row(code, 0, end), true),
            ("[{}]".to_owned(), false),
            (row("no-such-code", 0, 1), false),
            (row(code, 1, 0), false),
            (row(code, 0, end + 1), false),
            (row(code, last + 1, end), false),
        ] {
            let entry = format!("{}\n{contents}", sum(&name, contents.as_bytes()));
            std::fs::write(&path, entry).unwrap();
            assert_eq!(look_up(&cache, &text).1, !is_believed, "{contents}");
        }
        std::fs::remove_dir_all(folder.path()).unwrap();
        assert_eq!(look_up(&cache, &text), (found, true));
    }
}
