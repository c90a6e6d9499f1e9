//! `relax-lsp.toml`, or `[tool.relax-lsp]` in `pyproject.toml`: the settings of a project.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, anyhow, bail, ensure};
use globset::{Glob, GlobSet, GlobSetBuilder};
use relax::nearest_name::{did_you_mean, nearest_str};
use serde_json::Value;

use super::Config;
use super::settings::SETTINGS;

/// The keys that correspond to settings of editors, with both names.
pub const SHARED: &[(&str, &str)] = &[
    ("tvm", "relax.tvm"),
    ("line-length", "relax.format.lineLength"),
    ("severity", "relax.diagnostics.severity"),
];
/// Patterns of the files that are searched for in directories, relative to the folder of the settings file. A pattern
/// without a slash matches a name at any depth.
pub const INCLUDE: &str = "include";
pub const EXCLUDE: &str = "exclude";

/// The settings of a project.
#[derive(Debug)]
pub struct Project {
    /// The settings file; `None` if there is none.
    pub file: Option<PathBuf>,
    pub config: Config,
    /// The settings in the file.
    pub given: Vec<(String, Value)>,
    folder: PathBuf,
    include: GlobSet,
    exclude: GlobSet,
}

impl Project {
    /// Returns the settings of a project without a file.
    fn without_file() -> anyhow::Result<Project> {
        Ok(Project {
            file: None,
            config: Config::default(),
            given: Vec::new(),
            folder: PathBuf::new(),
            include: patterns(&["*.py".into(), "*.relay".into(), "*.rly".into()])?,
            exclude: GlobSet::empty(),
        })
    }

    /// Returns the settings of the file in a folder, if there is one.
    fn in_folder(folder: &Path) -> anyhow::Result<Option<Project>> {
        let own = folder.join("relax-lsp.toml");
        let shared = folder.join("pyproject.toml");
        let cannot = |path: &Path| format!("cannot read `{}`", path.display());
        let (path, table) = if own.is_file() {
            let table = read(&own).with_context(|| cannot(&own))?;
            (own, table)
        } else if shared.is_file() {
            let mut whole = read(&shared).with_context(|| cannot(&shared))?;
            let table = whole.pointer_mut("/tool/relax-lsp").map(Value::take);
            let Some(table) = table else {
                return Ok(None);
            };
            (shared, table)
        } else {
            return Ok(None);
        };
        let project = Project::of_table(folder, &table);
        let mut project = project.with_context(|| format!("in `{}`", path.display()))?;
        project.file = Some(path);
        Ok(Some(project))
    }

    fn of_table(folder: &Path, table: &Value) -> anyhow::Result<Project> {
        let mut project = Project::without_file()?;
        folder.clone_into(&mut project.folder);
        let table = table
            .as_object()
            .context("`tool.relax-lsp` is not a table")?;
        for (key, value) in table {
            project.given.push((key.clone(), value.clone()));
            match key.as_str() {
                INCLUDE => project.include = patterns(&strings(key, value)?)?,
                EXCLUDE => project.exclude = patterns(&strings(key, value)?)?,
                _ => project.set(key, value)?,
            }
        }
        Ok(project)
    }

    fn set(&mut self, key: &str, value: &Value) -> anyhow::Result<()> {
        let shared = SHARED.iter().find(|(name, _)| *name == key);
        let setting = shared.and_then(|(_, name)| SETTINGS.iter().find(|it| it.name == *name));
        let Some(setting) = setting else {
            let known = SHARED.iter().map(|(name, _)| *name);
            let near = nearest_str(key, known.chain([INCLUDE, EXCLUDE]));
            bail!("there is no setting `{key}`{}", did_you_mean(near));
        };
        let checked = setting.check(value);
        checked.map_err(|expected| anyhow!("`{key}` must be {expected}, not {value}"))?;
        setting.set(&mut self.config, value);
        Ok(())
    }

    /// Returns `true` if a file in a directory should be read.
    pub fn includes(&self, file: &Path) -> bool {
        matches(&self.include, &self.relative(file))
    }

    /// Returns `true` if a file or directory should be skipped.
    pub fn excludes(&self, path: &Path) -> bool {
        !self.exclude.is_empty() && matches(&self.exclude, &self.relative(path))
    }

    fn relative(&self, path: &Path) -> PathBuf {
        let path = plain(path);
        let relative = path.strip_prefix(&self.folder);
        relative.map(Path::to_owned).unwrap_or(path)
    }
}

/// The projects of the files that a command reads: each file has the settings of the nearest folder above it.
pub struct Projects {
    found: Mutex<HashMap<PathBuf, Arc<Project>>>,
}

impl Projects {
    pub fn new() -> Projects {
        Projects {
            found: Mutex::default(),
        }
    }

    /// Returns the project of a file.
    pub fn of_file(&self, file: &Path) -> anyhow::Result<Arc<Project>> {
        let path = plain(file);
        self.of_folder(path.parent().unwrap_or(&path))
    }

    /// Returns the project of a folder.
    pub fn of_folder(&self, folder: &Path) -> anyhow::Result<Arc<Project>> {
        let folder = plain(folder);
        let mut below = Vec::new();
        let mut project = None;
        for folder in folder.ancestors() {
            if let Some(known) = self.projects().get(folder) {
                project = Some(Arc::clone(known));
                break;
            }
            below.push(folder.to_owned());
            if let Some(found) = Project::in_folder(folder)? {
                project = Some(Arc::new(found));
                break;
            }
        }
        let project = match project {
            Some(project) => project,
            None => Arc::new(Project::without_file()?),
        };
        for folder in below {
            self.projects().insert(folder, Arc::clone(&project));
        }
        Ok(project)
    }

    fn projects(&self) -> std::sync::MutexGuard<'_, HashMap<PathBuf, Arc<Project>>> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns an absolute path without `.` and `..`.
pub fn plain(path: &Path) -> PathBuf {
    use std::path::Component;

    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut plain = PathBuf::new();
    for part in whole.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

fn read(path: &Path) -> anyhow::Result<Value> {
    let text = std::fs::read_to_string(path)?;
    let table: toml::Table = toml::from_str(&text)?;
    Ok(serde_json::to_value(table)?)
}

fn strings(key: &str, value: &Value) -> anyhow::Result<Vec<String>> {
    let strings = value.as_array().map(|all| {
        let all = all.iter().map(|it| it.as_str().map(str::to_owned));
        all.collect::<Option<Vec<String>>>()
    });
    let strings = strings.flatten();
    strings.with_context(|| format!("`{key}` must be a list of patterns, not {value}"))
}

/// The maximum number of patterns of a list: each takes some kilobytes.
const MOST_PATTERNS: usize = 10_000;

fn patterns(all: &[String]) -> anyhow::Result<GlobSet> {
    let (given, most) = (all.len(), MOST_PATTERNS);
    ensure!(
        given <= most,
        "a list may have {most} patterns, but this has {given}: name the folders of these files"
    );
    let mut set = GlobSetBuilder::new();
    for pattern in all {
        let inside = pattern.trim_end_matches('/');
        ensure!(!inside.is_empty(), "an empty pattern matches nothing");
        let anywhere = if inside.contains('/') { "" } else { "**/" };
        let inside = inside.trim_start_matches('/');
        set.add(Glob::new(&format!("{anywhere}{inside}"))?);
    }
    Ok(set.build()?)
}

/// Whether a pattern matches a path or a folder above it.
fn matches(patterns: &GlobSet, path: &Path) -> bool {
    let mut parts = path.ancestors().filter(|it| *it != Path::new(""));
    parts.any(|it| patterns.is_match(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates a folder with files, given by name and contents.
    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        folder
    }

    fn complaint(text: &str) -> String {
        let folder = folder(&[("relax-lsp.toml", text)]);
        let error = Projects::new().of_folder(folder.path()).unwrap_err();
        format!("{error:#}").replace(&*folder.path().to_string_lossy(), "")
    }

    #[test]
    fn the_nearest_settings_file_wins() {
        let folder = folder(&[
            ("pyproject.toml", "[tool.relax-lsp]\ntvm = \"0.25\"\n"),
            ("a/pyproject.toml", "[tool.black]\nline-length = 3\n"),
            ("a/b/relax-lsp.toml", "line-length = 7\n"),
            ("a/b/pyproject.toml", "[tool.relax-lsp]\nline-length = 8\n"),
        ]);
        let projects = Projects::new();
        let of = |name: &str| projects.of_file(&folder.path().join(name)).unwrap();
        assert_eq!(of("a/x.py").config.target.unwrap().name(), "0.25");
        assert_eq!(of("a/b/x.py").config.line_length, 7);
        assert_eq!(of("a/b/x.py").config.target, None);
    }

    #[test]
    fn invalid_settings_are_named_with_their_file() {
        assert_eq!(
            complaint("tvn = \"0.25\""),
            "in `/relax-lsp.toml`: there is no setting `tvn`; did you mean `tvm`?"
        );
        assert!(complaint("tvm = 1").contains("`tvm` must be one of"));
        assert!(complaint("severity = {unused = \"off\"}").contains("`unused` is not one"));
        assert!(complaint("include = 1").contains("list of patterns"));
        let many = vec!["\"a\""; MOST_PATTERNS + 1].join(",");
        assert!(complaint(&format!("exclude = [{many}]")).contains("may have 10000 patterns"));
        assert!(complaint("tvm = ").contains("cannot read `/relax-lsp.toml`: "));
    }

    #[test]
    fn patterns_are_about_names_or_about_paths() {
        let folder = folder(&[(
            "relax-lsp.toml",
            "include = [\"*.py\", \"dumps/*.txt\"]\nexclude = [\"build\", \"src/old/\"]\n",
        )]);
        let project = Projects::new().of_folder(folder.path()).unwrap();
        let at = |name: &str| folder.path().join(name);
        assert!(project.includes(&at("deep/in/x.py")));
        assert!(project.includes(&at("dumps/x.txt")));
        assert!(!project.includes(&at("notes/x.txt")));
        assert!(project.excludes(&at("src/build/x.py")));
        assert!(project.excludes(&at("src/old")));
        assert!(project.excludes(&at("src/old/deep/x.py")));
        assert!(!project.excludes(&at("old/x.py")));
    }
}
