//! What `R`, `T` and `I` offer besides operators, one row a name: completion, signature help, hover and the
//! suggestions of diagnostics read it.

mod attrs;
mod cuda;
mod devices;
mod function_kind;
mod ir;
mod kernel;
mod lowered;
mod marks;
mod matrix;
mod members;
mod others;
mod params;
mod path;
mod ptx;
mod relax;
#[cfg(test)]
mod tests;
mod tile;
mod tir;
mod words;

use crate::release::{Release, Releases};
use std::borrow::Cow;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::arguments::{Parameter, Takes};
use crate::dtype::DType;

pub use attrs::{Attr, FUNCTION_ATTRS, function_attr};
pub use function_kind::FunctionKind;
pub use marks::{Mark, Marked, mark, marks_of};
pub use members::{buffer_member, buffer_members};
pub use params::param_doc;
pub use path::{Namespace, ScriptPath, unbound_path};
pub use words::{Word, words_of};

/// One name under `R`, `T` or `I`.
#[derive(Debug)]
pub struct Entry {
    /// Without the namespace: `match_cast`, `axis.spatial`.
    pub name: &'static str,
    /// As Python declares them: `value, dtype=None`. `None`: the name is not called.
    pub params: Option<&'static str>,
    pub also: Also,
    /// Words that may follow after dots, in any order, and do not change what it is: `T.ptx.ld.global_.b32`.
    pub words: &'static str,
    pub role: Role,
    pub releases: Releases,
    /// Its place among the names of its namespace, the most used first.
    pub usage: u8,
    /// One sentence.
    pub doc: &'static str,
}

/// The `usage` of a name that few programs use.
pub const RARELY_USED: u8 = u8::MAX;

/// Other ways to call a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Also {
    Nothing,
    /// With `dtype=` besides, which says nothing.
    Dtype,
    /// With the first parameter, its dtype, by name behind the others.
    DtypeByName,
    Forms(&'static [&'static str]),
}

/// Where a name is of use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// After `@`.
    Decorator,
    /// Where StructInfo is written, or the type of a PrimFunc's parameter.
    Annotation,
    /// As a statement of its own, or after `with`.
    Statement,
    /// What a `for` runs over.
    Loop,
    /// The variables of a block, and where it stands.
    Axis,
    /// Makes a buffer.
    Buffer,
    Value,
    /// What lowering writes, and what one kind of device has.
    Intrinsic,
    /// Holds other names.
    Namespace,
    /// In the body of a module.
    Module,
    /// Of the builder that makes the same IR from Python: known, but nothing that scripts say.
    Builder,
}

const fn row(
    name: &'static str,
    params: &'static str,
    role: Role,
    releases: Releases,
    doc: &'static str,
) -> Entry {
    Entry {
        name,
        params: Some(params),
        also: Also::Nothing,
        words: "",
        role,
        releases,
        usage: RARELY_USED,
        doc,
    }
}

const fn plain(name: &'static str, role: Role, releases: Releases, doc: &'static str) -> Entry {
    Entry {
        name,
        params: None,
        also: Also::Nothing,
        words: "",
        role,
        releases,
        usage: RARELY_USED,
        doc,
    }
}

const fn space(name: &'static str, releases: Releases, doc: &'static str) -> Entry {
    plain(name, Role::Namespace, releases, doc)
}

/// The rows of a namespace.
pub fn entries(namespace: Namespace) -> impl Iterator<Item = &'static Entry> + Clone {
    let tables: &'static [&'static [Entry]] = match namespace {
        Namespace::Relax => &[relax::ENTRIES],
        Namespace::Tir => &[
            tir::ENTRIES,
            kernel::ENTRIES,
            lowered::ENTRIES,
            matrix::ENTRIES,
            tile::ENTRIES,
            cuda::ENTRIES,
            ptx::ENTRIES,
            devices::ENTRIES,
        ],
        Namespace::Ir => &[ir::ENTRIES],
        Namespace::Python => &[],
    };
    tables.iter().copied().flatten()
}

/// The rows right under a name of a namespace, and names that only lead on.
pub fn below(
    namespace: Namespace,
    prefix: &str,
    release: Release,
) -> Vec<(&'static str, Option<&'static Entry>)> {
    let prefix = canonical(namespace, prefix);
    let prefix = match prefix.as_ref() {
        scope if namespace == Namespace::Tir && SCOPES.contains(&scope) => "tile",
        prefix => prefix,
    };
    let mut found: Vec<(&'static str, Option<&'static Entry>)> = Vec::new();
    let rows = entries(namespace).filter(|entry| entry.releases.contains(release));
    for entry in rows {
        let rest = match entry.name.strip_prefix(prefix) {
            Some(rest) if prefix.is_empty() => rest,
            Some(rest) if rest.starts_with('.') => &rest[1..],
            // Tiles may be told whose they are: `Tx.cta.copy`, where `Tx` is `tile`.
            None if prefix == "tile" && SCOPES.contains(&entry.name) => entry.name,
            _ => continue,
        };
        let (name, is_row) = match rest.split_once('.') {
            Some((name, _)) => (name, false),
            None => (rest, true),
        };
        match found.iter_mut().find(|(it, _)| *it == name) {
            Some((_, known)) if is_row => *known = Some(entry),
            Some(_) => {}
            None => found.push((name, is_row.then_some(entry))),
        }
    }
    found
}

/// The words that may yet follow an instruction with some of its words.
pub fn words_after(namespace: Namespace, name: &str, release: Release) -> Vec<&'static str> {
    let Some(entry) = find(namespace, name, release) else {
        return Vec::new();
    };
    let used = name.strip_prefix(entry.name).unwrap_or_default();
    let is_used = |word: &str| used.split('.').any(|it| it == word);
    let words = entry.words.split_whitespace();
    words.filter(|word| !is_used(word)).collect()
}

/// Groups of threads under which the tile primitives stand as well.
const SCOPES: &[&str] = &["cluster", "cta", "thread", "warp", "warpgroup", "wg"];

/// `cta.copy` and `tile.cta.copy` are what `tile.copy` is.
fn canonical(namespace: Namespace, name: &str) -> Cow<'_, str> {
    if namespace != Namespace::Tir {
        return Cow::Borrowed(name);
    }
    let mut rest = name;
    while let (first, after) = rest.split_once('.').unwrap_or((rest, ""))
        && (first == "tile" || SCOPES.contains(&first))
    {
        rest = after;
    }
    match rest {
        _ if rest.len() == name.len() => Cow::Borrowed(name),
        "" => Cow::Borrowed(name.rsplit('.').next().unwrap_or_default()),
        rest => Cow::Owned(format!("tile.{rest}")),
    }
}

/// A parameter as Python declares it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeclaredParam {
    /// Without stars.
    pub name: &'static str,
    /// All of it: `*fields`, `dtype=None`.
    pub text: &'static str,
    pub star: bool,
    /// `a...`: several arguments in its place, as many as other things say.
    pub many: bool,
    /// After a lone `*`: by name only.
    pub keyword_only: bool,
}

impl Parameter for DeclaredParam {
    fn name(&self) -> &str {
        self.name
    }

    fn takes(&self) -> Takes {
        match self {
            _ if self.text.starts_with("**") => Takes::Keywords,
            DeclaredParam { star: true, .. } => Takes::Rest,
            DeclaredParam { many: true, .. } => Takes::Several,
            DeclaredParam {
                keyword_only: true, ..
            } => Takes::ByName,
            _ => Takes::One,
        }
    }

    /// Without a default, and not one of any number.
    fn is_required(&self) -> bool {
        !self.star && !self.text.contains('=')
    }
}

impl Entry {
    const fn also(self, also: Also) -> Entry {
        Entry { also, ..self }
    }

    /// Counted in models and in TVM's tests.
    const fn usage(self, usage: u8) -> Entry {
        Entry { usage, ..self }
    }

    const fn followed_by(self, words: &'static str) -> Entry {
        Entry { words, ..self }
    }

    /// One of PTX, whose operands are given by place alone.
    pub fn is_instruction(&self) -> bool {
        self.params
            .is_some_and(|it| it.ends_with(", preserve_dst=False"))
    }

    pub fn params(&self) -> Vec<DeclaredParam> {
        declared(self.params.unwrap_or_default())
    }

    /// The ways to call it, each as its parameters; none where it is not called.
    pub fn forms(&self) -> Vec<Vec<DeclaredParam>> {
        let Some(params) = self.params else {
            return Vec::new();
        };
        let first = declared(params);
        let dtype = DeclaredParam {
            name: "dtype",
            text: "dtype",
            star: false,
            many: false,
            keyword_only: true,
        };
        let has_dtype = first.iter().any(|param| param.name == "dtype");
        let more = match self.also {
            Also::Dtype if has_dtype => Vec::new(),
            Also::Nothing => Vec::new(),
            Also::Dtype => vec![first.iter().copied().chain([dtype]).collect()],
            Also::DtypeByName => vec![first.iter().skip(1).copied().chain([dtype]).collect()],
            Also::Forms(forms) => forms.iter().copied().map(declared).collect(),
        };
        std::iter::once(first).chain(more).collect()
    }
}

/// Where Python writes a `*` of its own: before the first parameter that is given by name only.
pub fn lone_star(form: &[DeclaredParam]) -> Option<usize> {
    let at = form.iter().position(|param| param.keyword_only)?;
    let before = at.checked_sub(1).map(|before| form[before]);
    (!form[at].star && !before.is_some_and(|it| it.star)).then_some(at)
}

fn declared(text: &'static str) -> Vec<DeclaredParam> {
    let mut keyword_only = false;
    let mut params = Vec::new();
    for text in text.split(", ") {
        if text == "*" {
            keyword_only = true;
        } else if !text.is_empty() {
            let bare = text.trim_start_matches('*').trim_end_matches("...");
            params.push(DeclaredParam {
                name: bare.split('=').next().unwrap_or(bare),
                text,
                star: text.starts_with('*'),
                many: text.ends_with("..."),
                keyword_only,
            });
            keyword_only |= text.starts_with('*');
        }
    }
    params
}

type Key = (Namespace, &'static str);

static BY_NAME: LazyLock<FxHashMap<Key, Vec<&'static Entry>>> = LazyLock::new(|| {
    let mut map: FxHashMap<Key, Vec<&'static Entry>> = FxHashMap::default();
    for namespace in [Namespace::Relax, Namespace::Tir, Namespace::Ir] {
        for entry in entries(namespace) {
            map.entry((namespace, entry.name)).or_default().push(entry);
        }
    }
    map
});

/// The row of a name: the one for `dialect` if there is one, else any.
pub fn find(namespace: Namespace, name: &str, release: Release) -> Option<&'static Entry> {
    if let Some(entry) = exactly(namespace, name, release) {
        return Some(entry);
    }
    let name = canonical(namespace, name);
    let mut at = name.as_ref();
    if let Some(entry) = exactly(namespace, at, release) {
        return Some(entry);
    }
    // An instruction stays what it is with the words after it.
    while let Some((head, _)) = at.rsplit_once('.') {
        match exactly(namespace, head, release) {
            Some(entry) => return Some(entry).filter(|it| !it.words.is_empty()),
            None => at = head,
        }
    }
    None
}

fn exactly(namespace: Namespace, name: &str, release: Release) -> Option<&'static Entry> {
    // The key of the table is static, so the name is looked up through an equal one.
    let rows = BY_NAME.get(&(namespace, name) as &(Namespace, &str))?;
    rows.iter()
        .find(|entry| entry.releases.contains(release))
        .or(rows.first())
        .copied()
}

/// A name under `T` or `I` that no version of TVM has, as far as they are known here.
#[derive(Debug, PartialEq, Eq)]
pub struct Unknown {
    pub message: String,
    /// What was probably meant.
    pub near: Option<&'static str>,
}

/// Looks for a name right under `T` or `I`; `None`: it exists, or may.
pub fn unknown(namespace: Namespace, name: &str, release: Release) -> Option<Unknown> {
    let (letter, others) = match namespace {
        Namespace::Tir => ("T", others::TIR),
        Namespace::Ir => ("I", others::IR),
        Namespace::Relax | Namespace::Python => return None,
    };
    let exists = name.is_empty()
        || name.starts_with('_')
        || DType::of_constructor(name).is_some()
        || BY_NAME.contains_key(&(namespace, name) as &(Namespace, &str))
        || others.binary_search(&name).is_ok()
        || matches!(name, "tir" | "tirx" | "ir");
    if exists {
        return None;
    }
    let here = entries(namespace)
        .filter(|entry| entry.releases.contains(release) && !entry.name.contains('.'));
    let known = here
        .map(|entry| entry.name)
        .chain(DType::COMMON.iter().copied());
    let near = crate::near::nearest_str(name, known);
    let message = match near {
        Some(near) => format!("`{letter}.{name}` does not exist; did you mean `{letter}.{near}`?"),
        None => format!("`{letter}.{name}` is not a name that is known here"),
    };
    Some(Unknown { message, near })
}
