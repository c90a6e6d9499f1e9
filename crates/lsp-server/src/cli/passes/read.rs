//! The files of a sequence, in their order, each read on its own.

use std::cmp::Ordering;
use std::path::{Path, PathBuf};

use anyhow::bail;
use ide::Analysis;
use ide::passes::Stage;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::cli::target::Target;
use crate::config::project::Projects;
use crate::line_index::LineColumns;
use crate::memory::STACK;
use crate::sources;
use crate::targets::Targets;

/// The file of a stage.
pub struct Dump {
    pub path: PathBuf,
    pub lines: LineColumns,
}

/// The dumps that `paths` name, with their stages.
pub fn read(paths: &[PathBuf], target: &Target) -> anyhow::Result<(Vec<Dump>, Vec<Stage>)> {
    let projects = Projects::new();
    let mut files: Vec<PathBuf> = Vec::new();
    for path in paths {
        let found = sources::collect(std::slice::from_ref(path), &projects)?;
        let mut found: Vec<PathBuf> = found.into_iter().map(|it| it.path).collect();
        if path.is_dir() {
            // Only the folder itself: what is below belongs to another sequence.
            found.retain(|it| it.parent() == Some(path));
            found.sort_by(|a, b| natural(&label(a), &label(b)));
        }
        files.extend(found);
    }
    if files.is_empty() {
        bail!("there are no dumps: no Python file is in the folder");
    }
    let pool = rayon::ThreadPoolBuilder::new().stack_size(STACK).build()?;
    let read: Vec<anyhow::Result<(Dump, Stage)>> = pool.install(|| {
        let targets = Targets::of_process();
        files
            .par_iter()
            .map(|it| stage(it, *target, &targets))
            .collect()
    });
    let read = read.into_iter().collect::<anyhow::Result<Vec<_>>>()?;
    Ok(read.into_iter().unzip())
}

fn stage(path: &Path, target: Target, targets: &Targets) -> anyhow::Result<(Dump, Stage)> {
    let text = sources::read(path)?;
    Projects::new().of_file(path)?;
    let dump = Dump {
        path: path.to_owned(),
        lines: LineColumns::new(&text),
    };
    let (analysis, file) = Analysis::from_single_file(text, target.config(path, targets));
    let stage = analysis.stage(file, &label(path));
    Ok((dump, stage.expect("nothing changes the file meanwhile")))
}

fn label(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

/// Numbers in names by their value: `phase2` before `phase10`.
fn natural(a: &str, b: &str) -> Ordering {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let (mut a, mut b) = (a, b);
    loop {
        let (m, n) = (digits(a), digits(b));
        let order = if m > 0 && n > 0 {
            let (x, y) = (
                a[..m].trim_start_matches('0'),
                b[..n].trim_start_matches('0'),
            );
            (a, b) = (&a[m..], &b[n..]);
            x.len().cmp(&y.len()).then(x.cmp(y))
        } else {
            let (mut p, mut q) = (a.chars(), b.chars());
            let (x, y) = (p.next(), q.next());
            (a, b) = (p.as_str(), q.as_str());
            match (x, y) {
                (None, None) => return Ordering::Equal,
                (x, y) => x.cmp(&y),
            }
        };
        if order != Ordering::Equal {
            return order;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::natural;

    #[test]
    fn numbers_in_names_are_in_the_order_of_their_values() {
        let mut names = ["debug-phase10", "debug-phase2", "debug-phase1", "debug"];
        names.sort_by(|a, b| natural(a, b));
        assert_eq!(
            names,
            ["debug", "debug-phase1", "debug-phase2", "debug-phase10"]
        );
    }
}
