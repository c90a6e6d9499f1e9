//! The names of TVM's Python API in the releases whose wheels were recorded.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::Release;

/// `tests/conformance/record_python_names.py` writes it, and says how it is read.
static TABLE: &str = include_str!("python_names.txt");

/// Stands for any name.
const ANY: &str = "*";

static NAMES: LazyLock<PythonNames> = LazyLock::new(|| PythonNames::read(TABLE));

/// A bit for each recorded release.
type Having = u8;

struct PythonNames {
    releases: Vec<Option<Release>>,
    /// By module, or class of visitors, the names in order.
    places: FxHashMap<&'static str, Vec<(&'static str, Having)>>,
    /// The classes of visitors by their own names; `None` if two have one name.
    visitors: FxHashMap<&'static str, Option<&'static str>>,
}

/// A name that a module lacks.
#[derive(Debug, PartialEq, Eq)]
pub struct AbsentName<'p> {
    pub module: &'p str,
    pub name: &'p str,
    /// The newest recorded release that has it.
    pub last: Option<Release>,
    /// The most similar name that the module has.
    pub near: Option<&'static str>,
}

/// Returns the first name of a dotted path that a release lacks; `None` for a path of other packages, and for a release
/// that is not recorded.
pub fn absent(path: &str, release: Release) -> Option<AbsentName<'_>> {
    let names = &*NAMES;
    let bit = names.bit(release)?;
    let mut end = path.find('.')?;
    loop {
        let (module, rest) = (&path[..end], &path[end + 1..]);
        let of_module = names.places.get(module)?;
        let name = rest.split('.').next().unwrap_or(rest);
        if name.starts_with('_') || having(of_module, ANY) & bit != 0 {
            return None;
        }
        let releases = having(of_module, name);
        if releases & bit == 0 {
            let there = of_module.iter().filter(|it| it.1 & bit != 0);
            return Some(AbsentName {
                module,
                name,
                last: names.newest(releases),
                near: crate::nearest_name::nearest_str(name, there.map(|it| it.0)),
            });
        }
        end += 1 + name.len();
        if end == path.len() {
            return None;
        }
    }
}

/// Returns the last release in which a class of visitors calls a method, if it does not in `release`.
pub fn last_called(class: &str, method: &str, release: Release) -> Option<Release> {
    let names = &*NAMES;
    let bit = names.bit(release)?;
    let place = names.visitors.get(class).copied().flatten()?;
    let releases = having(names.places.get(place)?, method);
    (releases & bit == 0)
        .then(|| names.newest(releases))
        .flatten()
}

/// Returns the paths that a release lacks, and that another recorded release has.
pub fn all_absent(release: Release) -> Vec<String> {
    let names = &*NAMES;
    let Some(bit) = names.bit(release) else {
        return Vec::new();
    };
    let places = names.places.iter().filter(|it| !it.0.ends_with(')'));
    let paths = places.flat_map(|(place, of_place)| {
        let is_judged = having(of_place, ANY) & bit == 0;
        let lacking = of_place
            .iter()
            .filter(move |it| is_judged && it.1 & bit == 0);
        lacking.map(move |it| format!("{place}.{}", it.0))
    });
    let mut paths: Vec<String> = paths.collect();
    paths.sort_unstable();
    paths
}

impl PythonNames {
    fn read(table: &'static str) -> PythonNames {
        let mut lines = table.lines();
        let titles: Vec<&str> = lines.next().unwrap_or_default().split(' ').collect();
        let all = (1 << titles.len()) - 1;
        let bits = |having: &str| -> Having {
            let bits = having.split(',');
            let bits = bits.filter_map(|it| titles.iter().position(|title| *title == it));
            bits.fold(0, |bits, it| bits | 1 << it)
        };
        let name = |word: &'static str| match word.split_once('@') {
            Some((name, having)) => (name, bits(having)),
            None => (word, all),
        };
        let places = lines.filter_map(|line| line.split_once(": "));
        let places: FxHashMap<&str, Vec<_>> = places
            .map(|(place, names)| {
                let mut names: Vec<_> = names.split(' ').map(name).collect();
                names.sort_unstable();
                (place, names)
            })
            .collect();
        let mut visitors = FxHashMap::default();
        for place in places.keys() {
            let Some(class) = place.strip_suffix("()") else {
                continue;
            };
            let own = class.rsplit('.').next().unwrap_or(class);
            let known = visitors.entry(own).or_insert(Some(*place));
            if *known != Some(*place) {
                *known = None;
            }
        }
        PythonNames {
            releases: titles.iter().map(|it| Release::from_name(it)).collect(),
            places,
            visitors,
        }
    }

    fn bit(&self, release: Release) -> Option<Having> {
        let at = self.releases.iter().position(|it| *it == Some(release))?;
        Some(1 << at)
    }

    fn newest(&self, having: Having) -> Option<Release> {
        let releases = self.releases.iter().enumerate();
        let those = releases.filter(|(at, _)| having & (1 << at) != 0);
        those.filter_map(|it| *it.1).max()
    }
}

fn having(names: &[(&'static str, Having)], name: &str) -> Having {
    let at = names.binary_search_by(|it| it.0.cmp(name));
    at.map_or(0, |at| names[at].1)
}

#[cfg(test)]
mod tests {
    use super::{absent, last_called};
    use crate::release::Release;

    #[test]
    fn a_path_ends_at_the_first_name_that_is_not_there() {
        let found = absent("tvm.relax.Constant", Release::V0_27).unwrap();
        assert_eq!((found.module, found.name), ("tvm.relax", "Constant"));
        assert_eq!(found.last, Some(Release::V0_26));
        assert_eq!(absent("tvm.relax.Constant", Release::V0_26), None);
        let found = absent("tvm.relax.transform.FuseOp", Release::V0_27).unwrap();
        assert_eq!((found.last, found.near), (None, Some("FuseOps")));
    }

    #[test]
    fn what_is_not_recorded_is_not_judged() {
        assert_eq!(absent("tvm.relax.Constant", Release::V0_19), None);
        assert_eq!(absent("torch.nn.Linear", Release::V0_27), None);
        assert_eq!(absent("tvm.relax.Function.attribute", Release::V0_27), None);
        assert_eq!(absent("tvm.relax._ffi_api.anything", Release::V0_27), None);
    }

    #[test]
    fn visitors_lose_methods() {
        let last = |method| last_called("PyExprMutator", method, Release::V0_27);
        assert_eq!(last("visit_constant_"), Some(Release::V0_26));
        assert_eq!(last("visit_call_"), None);
        assert_eq!(last("visit_own_"), None);
    }
}
