//! What the use of a name or a keyword tells about the release of its file: the rows of operators, names and
//! spellings, indexed by what a file contains.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::ops;
use crate::release::{
    First, Form, MERGED, OutOfRange, REMOVED, RENAMES, Release, Releases, Spelling, spellings,
};
use crate::script::{self, Entry, Namespace};

/// The index of a row.
pub type EvidenceId = u16;

/// Something that only some releases have.
#[derive(Debug)]
pub struct Evidence {
    /// The namespace; `None` if the name is the full path of an import, or empty.
    pub namespace: Option<Namespace>,
    /// The name after the namespace: `nn.relu`.
    pub name: &'static str,
    pub of: EvidenceOf,
    pub releases: Releases,
    /// The row of the spelling table, which says what to write instead.
    pub spelling: Option<&'static Spelling>,
    /// `true` if other releases accept it too, so that it only decides without stronger evidence.
    pub weak: bool,
    /// Other releases take it and ignore it, so it is not written for them.
    pub ignored: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvidenceOf {
    Name,
    /// The name without a call.
    Value,
    Call,
    Subscript,
    Keyword(&'static str),
    First(First),
    /// A name without a namespace in the header of a function.
    Bare,
    /// A name with a namespace in the header of a function. If there are more of these than bare names, the bare names
    /// are mistakes.
    Namespaced,
    Import,
    /// A name of the Python API that only the branch had: `relax.vm.build`.
    Path,
    /// A bare annotation over dimensions that nothing declares: `Tensor((n, 4), "float32")`.
    BareOverDims,
    /// A list of type parameters: `def f[n]`.
    TypeParams,
    /// A shape variable that `TypeVar` declares.
    TypeVar,
    /// A shape variable of the signature that gets its size in the body: `n = T.int64(4)`.
    SizedShapeVar,
}

impl Evidence {
    /// Returns `true` if no release has both, but a version between two releases had: one was added before the other
    /// was removed.
    pub fn has_met(&self, other: &Evidence) -> bool {
        let (older, newer) = if self.releases.until < other.releases.until {
            (self, other)
        } else {
            (other, self)
        };
        let are_neighbours = older.releases.until.next() == Some(newer.releases.since);
        let removed = older.spelling.and_then(|it| it.pull_requests().last());
        let added = newer.spelling.and_then(|it| it.pull_requests().next());
        are_neighbours && added.zip(removed).is_some_and(|(it, other)| it < other)
    }
}

/// All rows, indexed.
#[derive(Debug, Default)]
pub struct Evidences {
    rows: Vec<Evidence>,
    /// Rows by the last part of the name.
    by_name: FxHashMap<&'static str, Vec<EvidenceId>>,
    by_keyword: FxHashMap<&'static str, Vec<EvidenceId>>,
    /// Rows of bare names, and of the same names with a namespace.
    bare: Vec<EvidenceId>,
    /// Rows of names of the Python API.
    paths: Vec<EvidenceId>,
}

/// The weight of an import when evidence is contradictory: imports are more likely to be intended than a single name.
const IMPORT: usize = 8;
const MOST_USES: usize = 8;

pub fn evidences() -> &'static Evidences {
    static ALL: LazyLock<Evidences> = LazyLock::new(Evidences::collect);
    &ALL
}

impl Evidences {
    pub fn row(&self, id: EvidenceId) -> &Evidence {
        &self.rows[usize::from(id)]
    }

    pub fn by_name(&self, last: &str) -> &[EvidenceId] {
        self.by_name.get(last).map_or(&[], Vec::as_slice)
    }

    pub fn by_keyword(&self, keyword: &str) -> &[EvidenceId] {
        self.by_keyword.get(keyword).map_or(&[], Vec::as_slice)
    }

    /// Returns the evidence of an annotation that is written with or without its namespace.
    pub fn annotation(&self, name: &str, of: EvidenceOf) -> Option<EvidenceId> {
        let mut rows = self.bare.iter().copied();
        rows.find(|id| self.row(*id).of == of && self.row(*id).name == name)
    }

    /// Returns the rows of names of the Python API.
    pub fn paths(&self) -> impl Iterator<Item = (EvidenceId, &Evidence)> {
        self.paths.iter().map(|id| (*id, self.row(*id)))
    }

    /// Returns the rows of a kind.
    pub fn of(&self, of: EvidenceOf) -> impl Iterator<Item = (EvidenceId, &Evidence)> {
        (0..).zip(&self.rows).filter(move |(_, row)| row.of == of)
    }

    fn collect() -> Evidences {
        let mut all = Evidences::default();
        for row in spellings() {
            all.spelling(row);
            all.namespaced(row);
        }
        let mut rows: FxHashMap<(Namespace, &'static str), Rows> = FxHashMap::default();
        for op in ops::all() {
            for name in std::iter::once(op.script()).chain(op.aliases.iter().copied()) {
                let names = op.params.iter().map(|it| it.name).collect();
                let rows = rows.entry((Namespace::Relax, name)).or_default();
                rows.called.push((op.releases, names));
            }
        }
        for namespace in [Namespace::Relax, Namespace::Tir, Namespace::Ir] {
            for entry in script::entries(namespace) {
                rows.entry((namespace, entry.name)).or_default().add(entry);
            }
        }
        let mut rows: Vec<_> = rows.into_iter().collect();
        rows.sort_unstable_by_key(|((namespace, name), _)| (*namespace as u8, *name));
        for ((namespace, name), rows) in rows {
            all.name(namespace, name, &rows);
        }
        for row in RENAMES {
            if !all.rows.iter().any(|it| it.name == row.old) {
                all.push(Evidence {
                    namespace: None,
                    name: row.old,
                    of: EvidenceOf::Import,
                    releases: Releases::until(row.since.previous().unwrap_or(Release::OLDEST)),
                    spelling: None,
                    weak: true,
                    ignored: false,
                });
            }
        }
        let of_the_branch = MERGED.iter().chain(REMOVED);
        for row in of_the_branch.filter(|it| it.since == Release::V0_16) {
            all.push(Evidence {
                namespace: None,
                name: row.old,
                of: EvidenceOf::Path,
                releases: Releases::until(Release::Unity),
                spelling: None,
                weak: true,
                ignored: false,
            });
        }
        all
    }

    fn push(&mut self, row: Evidence) {
        let id = self.rows.len() as EvidenceId;
        let last = row.name.rsplit('.').next().unwrap_or(row.name);
        match row.of {
            EvidenceOf::Keyword(keyword) => self.by_keyword.entry(keyword).or_default().push(id),
            EvidenceOf::Bare | EvidenceOf::BareOverDims | EvidenceOf::Namespaced => {
                self.bare.push(id);
            }
            EvidenceOf::Path => self.paths.push(id),
            EvidenceOf::Import
            | EvidenceOf::TypeParams
            | EvidenceOf::TypeVar
            | EvidenceOf::SizedShapeVar => {}
            _ => self.by_name.entry(last).or_default().push(id),
        }
        self.rows.push(row);
    }

    fn spelling(&mut self, row: &'static Spelling) {
        let mut push = |path: &'static str, of: EvidenceOf| {
            let (letter, rest) = path.split_once('.').unwrap_or(("", path));
            let namespace = Namespace::of_letter(letter);
            self.push(Evidence {
                namespace,
                name: if namespace.is_some() { rest } else { path },
                of,
                releases: row.releases,
                spelling: Some(row),
                weak: row.out_of_range != OutOfRange::Refused,
                ignored: row.out_of_range == OutOfRange::Ignored,
            });
        };
        match row.form {
            Form::Shown => {}
            Form::Name(path, _) => push(path, EvidenceOf::Name),
            Form::Subscript(path) => push(path, EvidenceOf::Subscript),
            Form::Import(path, _) => push(path, EvidenceOf::Import),
            Form::Bare(names) => {
                for name in names {
                    push(name, EvidenceOf::Bare);
                    push(name, EvidenceOf::BareOverDims);
                }
            }
            Form::TypeParams => push("", EvidenceOf::TypeParams),
            Form::TypeVar => push("", EvidenceOf::TypeVar),
            Form::SizedShapeVar => push("", EvidenceOf::SizedShapeVar),
            Form::First(calls, first) => {
                for call in calls {
                    push(call, EvidenceOf::First(first));
                }
            }
            Form::Keyword(calls, keyword, _) => {
                for call in calls {
                    push(call, EvidenceOf::Keyword(keyword));
                }
            }
        }
    }

    /// Adds the rows of namespaced names for a row of bare names.
    fn namespaced(&mut self, row: &'static Spelling) {
        let (Form::Bare(names), Some(since)) = (row.form, row.releases.until.next()) else {
            return;
        };
        for name in names {
            self.push(Evidence {
                namespace: Some(Namespace::Relax),
                name,
                of: EvidenceOf::Namespaced,
                releases: Releases::since(since),
                spelling: None,
                weak: true,
                ignored: false,
            });
        }
    }

    fn name(&mut self, namespace: Namespace, name: &'static str, rows: &Rows) {
        let whole = hull(rows.all());
        let ways = [
            (EvidenceOf::Call, hull(rows.called.iter().map(|it| it.0))),
            (EvidenceOf::Value, hull(rows.plain.iter().copied())),
        ];
        let is_both = !rows.plain.is_empty() && !rows.called.is_empty();
        let ways = if is_both && ways[0].1 != ways[1].1 {
            &ways[..]
        } else {
            &[(EvidenceOf::Name, whole)]
        };
        for &(of, releases) in ways {
            self.row_of(namespace, name, of, releases);
        }
        if namespace != Namespace::Relax {
            return;
        }
        let mut keywords: Vec<&'static str> =
            rows.called.iter().flat_map(|it| &it.1).copied().collect();
        keywords.sort_unstable();
        keywords.dedup();
        for keyword in keywords {
            let with = rows.called.iter().filter(|it| it.1.contains(&keyword));
            let releases = hull(with.map(|it| it.0));
            if releases != whole {
                self.row_of(namespace, name, EvidenceOf::Keyword(keyword), releases);
            }
        }
    }

    /// Adds a row for an operator or a name, unless the spelling table has one or every release has it.
    fn row_of(
        &mut self,
        namespace: Namespace,
        name: &'static str,
        of: EvidenceOf,
        releases: Releases,
    ) {
        let known = self.rows.iter().any(|row| {
            row.namespace == Some(namespace)
                && row.name == name
                && (row.of == of
                    || row.of == EvidenceOf::Name
                        && matches!(of, EvidenceOf::Call | EvidenceOf::Value))
        });
        // Something that only the RFC had is more often a mistake than evidence.
        let tells = releases != Releases::ALL && releases.until > Release::Rfc;
        if !known && tells {
            self.push(Evidence {
                namespace: Some(namespace),
                name,
                of,
                releases,
                spelling: None,
                weak: false,
                ignored: false,
            });
        }
    }
}

/// The rows of one name.
#[derive(Default)]
struct Rows {
    /// Rows with their parameters.
    called: Vec<(Releases, Vec<&'static str>)>,
    plain: Vec<Releases>,
}

impl Rows {
    fn add(&mut self, entry: &'static Entry) {
        if entry.params.is_none() {
            self.plain.push(entry.releases);
            return;
        }
        let params = entry.forms().into_iter().flatten();
        let names = params.map(|it| it.name).collect();
        self.called.push((entry.releases, names));
    }

    fn all(&self) -> impl Iterator<Item = Releases> {
        let called = self.called.iter().map(|it| it.0);
        called.chain(self.plain.iter().copied())
    }
}

/// Returns the interval from the first release to the last. The unity branch may have had anything that TVM 0.16 has.
fn hull(mut rows: impl Iterator<Item = Releases>) -> Releases {
    let Some(first) = rows.next() else {
        return Releases::ALL;
    };
    let hull = rows.fold(first, |all, row| {
        Releases::between(all.since.min(row.since), all.until.max(row.until))
    });
    if hull.since > Release::V0_16 {
        hull
    } else {
        Releases::until(hull.until)
    }
}

/// Returns the releases that have everything a file uses, or else most of it. Returns all releases if there is no
/// evidence.
pub fn releases_of(used: &[(EvidenceId, usize)]) -> Releases {
    let row = |it: &(EvidenceId, usize)| evidences().row(it.0);
    let is_bare = |it: &&(EvidenceId, usize)| {
        matches!(row(it).of, EvidenceOf::Bare | EvidenceOf::BareOverDims)
    };
    let is_of_names =
        |it: &&(EvidenceId, usize)| is_bare(it) || row(it).of == EvidenceOf::Namespaced;
    let is_weak = |it: &&(EvidenceId, usize)| row(it).weak;
    let strong = most(Releases::ALL, used.iter().filter(|it| !is_weak(it)));
    let strong = most(strong, used.iter().filter(|it| row(it).ignored));
    // Some of these releases also accept older names.
    if strong.since.has_tirx() {
        return strong;
    }
    let weak = used.iter().filter(|it| is_weak(it) && !is_of_names(it));
    let releases = most(strong, weak);
    let by_names = most(releases, used.iter().filter(is_of_names));
    // Namespaced names only show that bare names are mistakes.
    let bare = used.iter().find(is_bare).map(|it| row(it).releases);
    if bare.is_some_and(|it| it.contains(by_names.until)) {
        by_names
    } else {
        releases
    }
}

/// Returns the newest interval within `among` that has most of what is used.
fn most<'a>(among: Releases, used: impl Iterator<Item = &'a (EvidenceId, usize)>) -> Releases {
    let mut scores = [0usize; Release::ALL.len()];
    for (id, uses) in used {
        let row = evidences().row(*id);
        let weight = match row.of {
            EvidenceOf::Import => IMPORT,
            // One use may be incomplete.
            EvidenceOf::First(First::Name | First::Text) | EvidenceOf::Bare => {
                uses.saturating_sub(1).min(MOST_USES)
            }
            _ => (*uses).min(MOST_USES),
        };
        for release in Release::ALL {
            if row.releases.contains(release) {
                scores[release as usize] += weight;
            }
        }
    }
    let releases = || {
        Release::ALL
            .into_iter()
            .rev()
            .filter(|it| among.contains(*it))
    };
    let best = releases().map(|it| scores[it as usize]).max();
    let has_best = |it: &Release| Some(scores[*it as usize]) == best;
    let mut newer = releases().skip_while(|it| !has_best(it));
    let until = newer.clone().next().unwrap_or(among.until);
    let since = newer.by_ref().take_while(has_best).last();
    Releases::between(since.unwrap_or(until), until)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(name: &str, of: EvidenceOf) -> EvidenceId {
        let mut rows = evidences().of(of);
        rows.find(|(_, row)| row.name == name).expect(name).0
    }

    fn releases(used: &[(&str, EvidenceOf, usize)]) -> (Release, Release) {
        let used = used.iter().map(|(name, of, uses)| (id(name, *of), *uses));
        let used: Vec<(EvidenceId, usize)> = used.collect();
        let Releases { since, until } = releases_of(&used);
        (since, until)
    }

    const TIRX: (&str, EvidenceOf, usize) = ("tvm.script.tirx", EvidenceOf::Import, 1);
    const SINFO: (&str, EvidenceOf, usize) = ("call_tir", EvidenceOf::Keyword("out_sinfo"), 1);

    #[test]
    fn names_in_a_file_narrow_the_releases_to_an_interval() {
        assert_eq!(releases(&[]), (Release::OLDEST, Release::NEWEST));
        assert_eq!(releases(&[TIRX, SINFO]), (Release::V0_24, Release::V0_25));
        let mode = ("take", EvidenceOf::Keyword("mode"), 1);
        assert_eq!(releases(&[mode]).0, Release::V0_22);
    }

    #[test]
    fn names_of_the_branch_say_that_a_file_is_older_than_the_first_release() {
        let build = ("tvm.relax.vm.build", EvidenceOf::Path, 1);
        assert_eq!(releases(&[build]).1, Release::Unity);
        assert_eq!(releases(&[build, TIRX]).0, Release::V0_24);
    }

    #[test]
    fn contradicting_uses_are_decided_by_majority() {
        let block = ("block", EvidenceOf::Name, 1);
        assert_eq!(releases(&[TIRX, block]).0, Release::V0_24);
        let any = ("Any", EvidenceOf::Name, 3);
        assert_eq!(releases(&[SINFO, any]).0, Release::V0_26);
    }

    #[test]
    fn a_newer_alias_decides_only_without_other_evidence() {
        let object = ("Object", EvidenceOf::Name, 8);
        assert_eq!(releases(&[object]).1, Release::V0_25);
        let any = ("Any", EvidenceOf::Name, 1);
        assert_eq!(releases(&[object, any]).0, Release::V0_26);
        assert_eq!(releases(&[object, TIRX]).1, Release::NEWEST);
    }

    #[test]
    fn an_ignored_keyword_implies_an_older_release() {
        let ignored = ("call_packed", EvidenceOf::Keyword("sinfo_args"), 1);
        let both = (Release::V0_24, Release::V0_25);
        assert_eq!(releases(&[TIRX, ignored]), both);
        let any = ("Any", EvidenceOf::Name, 1);
        assert_eq!(releases(&[TIRX, ignored, any]).0, Release::V0_26);
    }

    #[test]
    fn bare_names_are_of_2022_where_no_others_have_a_namespace() {
        let bare = |uses| ("Tensor", EvidenceOf::Bare, uses);
        let namespaced = |uses| ("Tensor", EvidenceOf::Namespaced, uses);
        let everything = (Release::OLDEST, Release::NEWEST);
        assert_eq!(releases(&[bare(2)]), (Release::Rfc, Release::Rfc));
        assert_eq!(releases(&[bare(1)]), everything);
        let over_dims = ("Tensor", EvidenceOf::BareOverDims, 1);
        assert_eq!(releases(&[over_dims]), (Release::Rfc, Release::Rfc));
        assert_eq!(releases(&[over_dims, namespaced(1)]), everything);
        assert_eq!(releases(&[bare(2), namespaced(1)]), everything);
        assert_eq!(releases(&[namespaced(3)]), everything);
        assert_eq!(releases(&[bare(8), SINFO]).0, Release::Unity);
    }

    #[test]
    fn a_version_between_releases_has_old_and_new_names() {
        let row = |name, of| evidences().row(id(name, of));
        let (tir, tirx) = (
            row("tvm.script.tir", EvidenceOf::Import),
            row("tvm.script.tirx", EvidenceOf::Import),
        );
        let (block, sblock) = (
            row("block", EvidenceOf::Name),
            row("sblock", EvidenceOf::Name),
        );
        assert!(sblock.has_met(tir) && tir.has_met(sblock));
        assert!(!block.has_met(tirx) && !block.has_met(sblock) && !tir.has_met(tirx));
        assert!(!row("Any", EvidenceOf::Name).has_met(tir));
    }

    #[test]
    fn an_ambiguous_name_is_decided_by_its_use() {
        let rows = |of| id("let", of);
        let row = |of| evidences().row(rows(of)).releases;
        assert_eq!(row(EvidenceOf::Value), Releases::since(Release::V0_25));
        assert_eq!(row(EvidenceOf::Call), Releases::until(Release::V0_24));
    }
}
