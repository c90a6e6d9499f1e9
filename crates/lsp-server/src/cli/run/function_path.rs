//! `FILE[::[MODULE.]FUNCTION[@LINE]]`. A recording stands for its first module.

use std::convert::Infallible;
use std::path::PathBuf;
use std::str::FromStr;

use crate::compilation::recording::Recording;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionPath {
    pub file: PathBuf,
    pub function: Option<String>,
    /// The line, starting at 1.
    pub line: Option<u32>,
}

impl FromStr for FunctionPath {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<FunctionPath, Infallible> {
        // Split at the last `::`: a path may contain `::`, but a function's name may not.
        let split = text
            .rsplit_once("::")
            .filter(|(file, name)| !file.is_empty() && !name.contains(['/', '\\']));
        let Some((file, name)) = split else {
            return Ok(FunctionPath {
                file: module_of(text.into()),
                function: None,
                line: None,
            });
        };
        let numbered = name
            .rsplit_once('@')
            .and_then(|(name, line)| Some((name, line.parse().ok()?)));
        let (name, line) = match numbered {
            Some((name, line)) => (name, Some(line)),
            None => (name, None),
        };
        Ok(FunctionPath {
            file: module_of(file.into()),
            function: Some(name.to_owned()),
            line,
        })
    }
}

/// Returns the module that a recording stands for: the first that was made, before passes.
fn module_of(path: PathBuf) -> PathBuf {
    let recording = if path.is_dir() {
        Recording::open(&path).ok().flatten()
    } else {
        None
    };
    match recording.as_ref().and_then(|it| it.modules.first()) {
        Some(module) => path.join(&module.file),
        None => path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (String, Option<String>, Option<u32>) {
        let Ok(target) = text.parse::<FunctionPath>();
        (
            target.file.display().to_string(),
            target.function,
            target.line,
        )
    }

    #[test]
    fn a_path_alone_names_no_function() {
        assert_eq!(read("dir/f.py"), ("dir/f.py".into(), None, None));
    }

    #[test]
    fn module_function_and_line_are_split_off() {
        assert_eq!(
            read("f.py::Module.forward@12"),
            ("f.py".into(), Some("Module.forward".into()), Some(12))
        );
        assert_eq!(read("f.py::g"), ("f.py".into(), Some("g".into()), None));
    }

    #[test]
    fn colons_in_a_path_belong_to_it() {
        assert_eq!(read("a::b/f.py"), ("a::b/f.py".into(), None, None));
    }
}
