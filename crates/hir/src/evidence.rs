//! Finds what a function uses that not every release of TVM has, by the rows of evidence.
//!
//! Searches the trees of its pieces instead of a body, since inference needs the release before it reads anything. The
//! uses in a piece are kept over edits that leave the piece unchanged.

use std::sync::Arc;

use memchr::memmem;
use relax::evidence::{EvidenceId, EvidenceOf, evidences};
use relax::release::First;
use relax::script::{Namespace, ScriptPath, unbound_path};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use syntax::ast::{self, AstNode};
use syntax::pieces::{DottedName, FirstArgument, NameUse, Piece, PieceKind};
use text_size::TextRange;

use crate::body::{Body, Place};
use crate::db::Source;
use crate::enclosing::{Declared, Env, PyValue, imported};
use crate::incremental::align;

/// Further uses of the same row are not counted.
pub(crate) const ENOUGH: u32 = 8;

/// A use, relative to its piece.
#[derive(Clone, Copy, Debug)]
struct Use {
    id: EvidenceId,
    name: TextRange,
    part: TextRange,
}

/// A use, relative to its function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EvidenceUse {
    pub id: EvidenceId,
    /// The range of the dotted name.
    pub name: TextRange,
    /// The range of the last part of the name, or of the keyword.
    pub part: TextRange,
}

/// The uses in a function, piece by piece.
#[derive(Debug)]
pub(crate) struct Uses {
    env: Arc<Env>,
    pieces: Vec<(Piece, Place, Arc<PieceUses>)>,
    /// The number of uses of each row in all pieces.
    counts: FxHashMap<EvidenceId, u32>,
}

#[derive(Debug, Default)]
struct PieceUses {
    all: Box<[Use]>,
    /// The number of uses of each row.
    counts: Box<[(EvidenceId, u32)]>,
}

impl Uses {
    /// Returns the uses in a body. `before` are the uses of another version of it.
    pub fn of(body: &Body, env: &Arc<Env>, before: Option<&Uses>) -> Uses {
        let before = before.filter(|it| Arc::ptr_eq(&it.env, env) || it.env == *env);
        let old = before.map_or(&[][..], |it| &it.pieces);
        let old_pieces: Vec<&Piece> = old.iter().map(|it| &it.0).collect();
        let new: Vec<(&Piece, Place)> = body.pieces().collect();
        let new_pieces: Vec<&Piece> = new.iter().map(|it| it.0).collect();
        let aligned = align(&old_pieces, &new_pieces);
        let mut counts = before.map_or_else(FxHashMap::default, |it| it.counts.clone());
        let mut is_kept = vec![false; old.len()];
        for same in aligned.iter().flatten() {
            is_kept[*same] = true;
        }
        for (_, (_, _, uses)) in is_kept.iter().zip(old).filter(|it| !it.0) {
            for (id, count) in &uses.counts {
                *counts.entry(*id).or_default() -= count;
            }
        }
        let pieces = new.iter().zip(aligned).map(|(&(piece, place), same)| {
            let uses = match same {
                Some(same) => Arc::clone(&old[same].2),
                None => {
                    let uses = PieceUses::of(piece, env);
                    for (id, count) in &uses.counts {
                        *counts.entry(*id).or_default() += count;
                    }
                    Arc::new(uses)
                }
            };
            (piece.clone(), place, uses)
        });
        Uses {
            pieces: pieces.collect(),
            counts,
            env: Arc::clone(env),
        }
    }

    /// Returns the rows that are used, with the number of uses of each.
    pub fn counts(&self) -> impl Iterator<Item = (EvidenceId, u32)> {
        let counts = self.counts.iter().map(|(id, count)| (*id, *count));
        counts.filter(|it| it.1 > 0)
    }

    /// Returns the uses of some rows, in order.
    pub fn those(&self, wanted: impl Fn(EvidenceId) -> bool) -> Vec<EvidenceUse> {
        let mut found = Vec::new();
        if !self.counts().any(|(id, _)| wanted(id)) {
            return found;
        }
        for (_, place, uses) in &self.pieces {
            if !uses.counts.iter().any(|(id, _)| wanted(*id)) {
                continue;
            }
            let wanted = uses.all.iter().filter(|it| wanted(it.id));
            found.extend(wanted.map(|it| EvidenceUse {
                id: it.id,
                name: place.range(it.name),
                part: place.range(it.part),
            }));
        }
        found
    }

    /// Returns `true` if keeping the uses would save time for the next version.
    pub fn is_worth_keeping(&self) -> bool {
        self.pieces.len() > 2
    }
}

impl PieceUses {
    fn of(piece: &Piece, env: &Env) -> PieceUses {
        let rows = evidences();
        let is_header = piece.kind == PieceKind::Header;
        let wanted = |last: &str, usage: NameUse<'_>| match usage {
            NameUse::Keyword(keyword) => !rows.by_keyword(keyword).is_empty(),
            NameUse::Alone => is_header && (is_type_var(env, last) || bare(env, last).is_some()),
            // A name that Python binds is a value, not a function of the module.
            NameUse::First(FirstArgument::Name(name)) if env.get(name).is_some() => false,
            _ if is_header && rows.annotation(last, EvidenceOf::Namespaced).is_some() => true,
            _ => !rows.by_name(last).is_empty(),
        };
        let mut all = Vec::new();
        let mut roots = Roots::default();
        piece.names(&wanted, &mut |name| {
            let found = match name.usage {
                NameUse::TypeParams => single_row(EvidenceOf::TypeParams),
                NameUse::Alone => {
                    let bare = name.names.first().and_then(|name| bare(env, name));
                    bare.or_else(|| single_row(EvidenceOf::TypeVar))
                }
                _ => roots.row(&name, env),
            };
            all.extend(found.map(|id| Use {
                id,
                name: name.range,
                part: name.part,
            }));
        });
        if is_header {
            all.extend(over_dims(piece, env, &all));
            all.extend(sized_shape_vars(piece, env));
        }
        all.sort_by_key(|it| it.part.start());
        let mut counts: Vec<(EvidenceId, u32)> = Vec::new();
        for it in &all {
            match counts.iter_mut().find(|(id, _)| *id == it.id) {
                Some((_, count)) => *count += 1,
                None => counts.push((it.id, 1)),
            }
        }
        PieceUses {
            all: all.into(),
            counts: counts.into(),
        }
    }
}

fn is_type_var(env: &Env, name: &str) -> bool {
    matches!(
        env.get(name),
        Some(PyValue::ShapeVar(
            _,
            Declared::TypeVar | Declared::Mistaken(_)
        ))
    )
}

/// Returns the row of an annotation without a namespace, unless Python binds the name.
fn bare(env: &Env, name: &str) -> Option<EvidenceId> {
    let row = bare_row(name)?;
    (env.get(name).is_none() && !env.may_have_more()).then_some(row)
}

/// Returns the use of a bare annotation once more if the header has names that nothing declares, which are dimensions.
fn over_dims(piece: &Piece, env: &Env, uses: &[Use]) -> Option<Use> {
    let rows = evidences();
    let bare = uses
        .iter()
        .find(|it| rows.row(it.id).of == EvidenceOf::Bare)?;
    let id = rows.annotation(rows.row(bare.id).name, EvidenceOf::BareOverDims)?;
    let is_undeclared = |name: &str| env.get(name).is_none() && unbound_path(name).is_none();
    let mut has_dims = false;
    let wanted = |name: &str, usage: NameUse<'_>| {
        usage == NameUse::Alone && bare_row(name).is_none() && is_undeclared(name)
    };
    piece.names(&wanted, &mut |name| {
        has_dims |= name.usage == NameUse::Alone;
    });
    has_dims.then_some(Use { id, ..*bare })
}

/// Returns the names in the header that the first statements of the function give a size: `"n"` and `n = T.int64(4)`.
fn sized_shape_vars(piece: &Piece, env: &Env) -> Vec<Use> {
    let header = piece.header().filter(|_| env.has_sizes());
    let strings = header.iter().flat_map(|it| it.syntax().descendants());
    let sized = strings.filter_map(ast::StringLit::cast).filter_map(|it| {
        let text = it.value()?;
        let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.find_map(|word| env.size_of(word))?;
        let range = it.syntax().text_range();
        Some(Use {
            id: single_row(EvidenceOf::SizedShapeVar)?,
            name: range,
            part: range,
        })
    });
    sized.collect()
}

fn bare_row(name: &str) -> Option<EvidenceId> {
    evidences().annotation(name, EvidenceOf::Bare)
}

fn single_row(of: EvidenceOf) -> Option<EvidenceId> {
    evidences().of(of).next().map(|(id, _)| id)
}

/// A cache of what the first parts of names stand for: usually a piece uses few.
#[derive(Default)]
struct Roots<'a>(Vec<(&'a str, Option<Root>)>);

#[derive(Clone)]
enum Root {
    /// `R`
    Namespace(ScriptPath),
    /// `tvm`
    Path(String),
}

impl<'a> Roots<'a> {
    fn row(&mut self, name: &DottedName<'a>, env: &Env) -> Option<EvidenceId> {
        let (first, rest) = name.names.split_first()?;
        let known = self.0.iter().find(|(root, _)| root == first);
        let root = match known {
            Some((_, root)) => root,
            None => {
                self.0.push((first, root(first, env)));
                &self.0.last()?.1
            }
        };
        let resolved;
        let (namespace, before, names) = match root.as_ref()? {
            Root::Namespace(path) => (path.namespace, path.rest.as_str(), rest),
            Root::Path(path) => {
                resolved = ScriptPath::of_path(&format!("{path}.{}", rest.join(".")))?;
                (resolved.namespace, resolved.rest.as_str(), &[][..])
            }
        };
        let rows = evidences();
        let (candidates, is) = match name.usage {
            NameUse::Keyword(keyword) => (rows.by_keyword(keyword), None),
            is => (rows.by_name(rest.last()?), Some(is)),
        };
        let annotation = rows.annotation(rest.last()?, EvidenceOf::Namespaced);
        candidates.iter().copied().chain(annotation).find(|&id| {
            let row = rows.row(id);
            let fits = match (row.of, is) {
                (EvidenceOf::First(first), Some(NameUse::First(is))) => first == first_of(is),
                (_, Some(NameUse::First(_))) => false,
                (EvidenceOf::Keyword(_), None) => true,
                (EvidenceOf::Name, Some(_)) => true,
                (EvidenceOf::Call, Some(NameUse::Called)) => true,
                (EvidenceOf::Subscript, Some(NameUse::Subscripted)) => true,
                (EvidenceOf::Value, Some(is)) => is != NameUse::Called,
                (EvidenceOf::Namespaced, Some(NameUse::Plain | NameUse::Called)) => true,
                _ => false,
            };
            // `relax.call_tir` has the same arguments as `R.call_tir`.
            let of_relax = namespace == Namespace::Python && is.is_none();
            let namespace = if of_relax {
                Namespace::Relax
            } else {
                namespace
            };
            fits && row.namespace == Some(namespace) && is_made_of(row.name, before, names)
        })
    }
}

fn first_of(argument: FirstArgument<'_>) -> First {
    match argument {
        FirstArgument::Name(_) => First::Name,
        FirstArgument::Dotted => First::Dotted,
        FirstArgument::Text => First::Text,
    }
}

fn root(name: &str, env: &Env) -> Option<Root> {
    match env.get(name) {
        Some(PyValue::Path(path)) => Some(match ScriptPath::of_path(path) {
            Some(path) => Root::Namespace(path),
            None => Root::Path(path.to_string()),
        }),
        Some(_) => None,
        None => unbound_path(name).map(Root::Namespace),
    }
}

/// Returns `true` if a dotted name is `before` followed by `names`.
fn is_made_of(name: &str, before: &str, names: &[&str]) -> bool {
    let parts = before.split('.').filter(|it| !it.is_empty());
    name.split('.').eq(parts.chain(names.iter().copied()))
}

/// Returns the names in the Python code of a file that only the branch had, if the file imports TVM.
pub(crate) fn paths(source: &Source) -> Vec<EvidenceId> {
    const ROOT: &str = "relax.";
    let imports = source.parse.tree().stmts();
    let is_of_tvm = |path: &Option<SmolStr>| matches!(path.as_deref(), Some("tvm" | "tvm.relax"));
    let mut imports = imports.flat_map(|it| imported(&it));
    if !imports.any(|(_, path)| is_of_tvm(&path)) {
        return Vec::new();
    }
    let text = &*source.text;
    let is_of_name = |it: char| it.is_alphanumeric() || it == '_';
    let found = memmem::find_iter(text.as_bytes(), ROOT).filter_map(|at| {
        let before = text[..at].strip_suffix("tvm.").unwrap_or(&text[..at]);
        let rest = &text[at + ROOT.len()..];
        let is_start = !before.ends_with(|it| is_of_name(it) || it == '.');
        let mut rows = evidences().paths().filter(|_| is_start);
        let row = rows.find(|(_, row)| {
            let name = row.name.strip_prefix("tvm.relax.");
            let rest = name.and_then(|it| rest.strip_prefix(it));
            rest.is_some_and(|it| !it.starts_with(is_of_name))
        });
        row.map(|(id, _)| id)
    });
    found.collect()
}

/// An import of something that not every release has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Import {
    pub id: EvidenceId,
    /// The last part of its path.
    pub part: TextRange,
    /// `true` if it has an alias, so that its own name may be replaced.
    pub has_alias: bool,
}

/// Returns the evidence in the top-level imports of a file.
pub(crate) fn imports(tree: &ast::SourceFile) -> Vec<Import> {
    let mut found = Vec::new();
    let mut add = |path: &str, name: &ast::ImportAlias| {
        let Some(last) = name.path().and_then(|it| it.names().last()) else {
            return;
        };
        let rows = evidences().of(EvidenceOf::Import);
        let fitting = rows.filter(|(_, row)| {
            let rest = path.strip_prefix(row.name);
            rest.is_some_and(|it| it.is_empty() || it.starts_with('.'))
        });
        // The longest path is the most specific.
        let best = fitting.max_by_key(|(_, row)| row.name.len());
        found.extend(best.map(|(id, row)| Import {
            id,
            part: last.text_range(),
            has_alias: name.alias().is_some() && row.name == path,
        }));
    };
    for stmt in tree.stmts() {
        match stmt {
            ast::Stmt::ImportStmt(it) => {
                for name in it.names() {
                    if let Some(path) = name.path() {
                        add(&path.dotted(), &name);
                    }
                }
            }
            ast::Stmt::ImportFromStmt(it) if it.level() == 0 => {
                let module = it.module().map(|it| it.dotted()).unwrap_or_default();
                for name in it.names() {
                    if let Some(path) = name.path() {
                        add(&format!("{module}.{}", path.dotted()), &name);
                    }
                }
            }
            _ => {}
        }
    }
    found
}
