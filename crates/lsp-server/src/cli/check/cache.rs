//! `--cache-dir DIR`: caches the diagnostics of texts. The name of an entry is a hash of everything that its
//! diagnostics depend on: this program, the text, its language, its release of TVM. So an entry is never outdated, and
//! any entry can be deleted.
//!
//! The cache makes a check faster, but its errors never make a check fail.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context;
use ide::diagnostics::page;
use ide::{Config, Diagnostic, Language, RelatedInformation, Severity, Tag, Text};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use text_size::TextRange;
use tracing::debug;

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
                std::fs::write(path, text).with_context(cannot)?;
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
        let path = self.path(text, language, config);
        if let Some(known) = read(&path) {
            return known;
        }
        let found = find();
        if let Err(error) = write(&path, &found) {
            debug!(%error, path = %path.display(), "an entry was not written");
        }
        found
    }

    fn path(&self, text: &Text, language: Language, config: Config) -> PathBuf {
        let mut name = Sha256::new();
        name.update(self.program);
        name.update(format!("{language:?} {config:?}\n"));
        name.update(text.as_bytes());
        let mut digits = String::new();
        for byte in name.finalize() {
            let _ = write!(digits, "{byte:02x}");
        }
        // Use subfolders, since some file systems are slow with millions of entries in one.
        self.folder
            .join(&digits[..2])
            .join(format!("{}.json", &digits[2..]))
    }
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
fn read(path: &Path) -> Option<Vec<Diagnostic>> {
    let bytes = std::fs::read(path).ok()?;
    let entries: Vec<Entry> = serde_json::from_slice(&bytes).ok()?;
    entries.into_iter().map(Entry::diagnostic).collect()
}

/// Writes atomically, so that other processes never see a partial entry.
fn write(path: &Path, found: &[Diagnostic]) -> anyhow::Result<()> {
    let folder = path.parent().context("an entry is in a folder")?;
    std::fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    let entries: Vec<Entry> = found.iter().map(Entry::of).collect();
    file.write_all(&serde_json::to_vec(&entries)?)?;
    file.persist(path)?;
    Ok(())
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

    fn diagnostic(self) -> Option<Diagnostic> {
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

fn range((start, end): (u32, u32)) -> Option<TextRange> {
    (start <= end).then(|| TextRange::new(start.into(), end.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ide::Analysis;

    const PROGRAM: &str = "from tvm.script import relax as R\n\n@R.function\ndef f(x: R.Tensor((2,), \"float32\")):\n    y = R.add(x, R.const([1.0, 2.0, 3.0]))\n    return x\n";

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
            .map(|target| cache.path(&text, Language::Python, Config { target }));
        assert_ne!(one, other);
    }

    #[test]
    fn a_damaged_or_deleted_entry_is_computed_again() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path()).unwrap();
        let text = Text::from(PROGRAM.to_owned());
        let found = look_up(&cache, &text).0;
        let path = cache.path(&text, Language::Python, Config::default());
        for damage in [
            "",
            "[{}]",
            "[{\"code\":\"no-such-code\",\"severity\":\"error\",\"range\":[0,1],\"message\":\"\"}]",
        ] {
            std::fs::write(&path, damage).unwrap();
            assert_eq!(look_up(&cache, &text), (found.clone(), true), "{damage}");
        }
        std::fs::remove_dir_all(folder.path()).unwrap();
        assert_eq!(look_up(&cache, &text), (found, true));
    }
}
