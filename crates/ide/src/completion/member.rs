//! Completion after a dot: operators, script functions, functions of the module, members of tensors.

use hir::body::{Body, ExprId};
use hir::prim_facts::PrimDefKind;
use relax::dialect::Dialect;
use relax::ops::{self, OpDef};
use relax::script::Namespace;
use relax::script::{self, Entry, RARELY_USED, Role};
use relax::sinfo::StructInfo;
use relax::value::Value;
use relax::{FunctionKind, dtype};
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::SyntaxKind;
use text_size::{TextRange, TextSize};

use super::Site;
use super::document::key;
use super::expected::Expected;
use super::item::{Completion, CompletionKind, Items, rank};
use super::special::{FRAMES, ONLY_ENTERED};
use crate::cursor::Path;

/// The number of bytes on each side of the cursor that are searched for members already in use.
const NEARBY: usize = 1 << 14;
/// The number of most used members that are listed first.
const MOST_SAID: usize = 24;
/// The maximum number of functions of a module in the list.
const MAX_FUNCTIONS: usize = 200;

/// The name of a member, its parameters if it is callable, and its description.
type Member = (&'static str, Option<&'static str>, &'static str);

const NUMBER_MEMBERS: &[Member] = &[
    ("astype", Some("dtype"), "the same as another dtype"),
    ("dtype", None, "its dtype"),
];

/// Ranks frames that few programs enter below the common ones.
pub(super) fn rank_of_frame(entry: &Entry) -> u8 {
    if entry.usage == RARELY_USED {
        rank::MAY_FIT
    } else {
        rank::FITS
    }
}

impl Site<'_, '_> {
    /// Returns the names used after a dotted name around the cursor, the most frequent first.
    fn names_nearby(&self, path: &Path) -> Vec<&str> {
        let (text, at) = (self.scope.text, usize::from(self.cursor.offset));
        let start = text.floor_char_boundary(at.saturating_sub(NEARBY));
        let end = text.floor_char_boundary(at.saturating_add(NEARBY));
        let nearby = &text[start..end];
        let base = format!("{}.", path.names.join("."));
        let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
        for (found, _) in nearby.match_indices(&base) {
            let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
            let rest = &nearby[found + base.len()..];
            let word = rest.split(|c: char| !is_word(c) || c == '.').next();
            let word = word.unwrap_or_default();
            let from = start + found + base.len();
            let typed = (from..=from + word.len()).contains(&at);
            if !typed && !nearby[..found].ends_with(is_word) {
                *counts.entry(word).or_default() += 1;
            }
        }
        let mut words: Vec<(&str, usize)> = counts.into_iter().collect();
        words.sort_unstable_by_key(|&(word, count)| (std::cmp::Reverse(count), word));
        words
            .into_iter()
            .map(|(word, _)| word)
            .take(MOST_SAID)
            .collect()
    }

    pub(super) fn members(self, path: &Path, items: &mut Items) {
        if let [module] = path.names.as_slice()
            && self.scope.is_module(module)
        {
            return self.module_functions(items);
        }
        if let Some(script) = self.scope.script(&path.names) {
            match script.namespace {
                Namespace::Relax | Namespace::Python => self.relax(&script.rest, items),
                Namespace::Tir => self.tir(&script.rest, items),
                Namespace::Ir => self.entries(Namespace::Ir, &script.rest, items),
            }
            let nearby = self.names_nearby(path);
            return items.prefer(&nearby);
        }
        self.value_members(path, items);
    }

    fn relax(self, prefix: &str, items: &mut Items) {
        let cursor = self.cursor;
        let enters = cursor.open.is_empty() && cursor.before == Some(SyntaxKind::WITH_KW);
        let prim = self.scope.kind() == Some(FunctionKind::PrimFunc);
        if !prim && !enters && !self.in_annotation() {
            self.operators(prefix, items);
        }
        self.entries(Namespace::Relax, prefix, items);
    }

    fn operators(self, prefix: &str, items: &mut Items) {
        let release = self.scope.release();
        let wanted = self.expected();
        let mut spaces: FxHashSet<&str> = FxHashSet::default();
        for op in ops::all().filter(|op| op.releases.contains(release)) {
            for spelling in std::iter::once(op.script()).chain(op.aliases.iter().copied()) {
                let Some(rest) = below(spelling, prefix) else {
                    continue;
                };
                match rest.split_once('.') {
                    Some((space, _)) => {
                        if spaces.insert(space) {
                            items.push(
                                Completion::new(space, CompletionKind::Namespace)
                                    .rank(rank::NAMESPACE),
                            );
                        }
                    }
                    None => items.push(
                        Completion {
                            rank: wanted.rank_of_op(op),
                            ..self.callable_item(rest, CompletionKind::Operator, has_params(op))
                        }
                        .order(op.usage.into())
                        .detail(op.shapes)
                        .doc(key(Namespace::Relax, spelling, release)),
                    ),
                }
            }
        }
    }

    fn tir(self, prefix: &str, items: &mut Items) {
        let block = matches!(
            self.cursor.before,
            Some(SyntaxKind::WITH_KW | SyntaxKind::IN_KW)
        );
        if prefix.is_empty() && !block {
            for (order, &name) in dtype::NAMES.iter().enumerate() {
                items.push(
                    self.callable_item(name, CompletionKind::DType, true)
                        .rank(rank::OTHER + 1)
                        .order(order),
                );
            }
        }
        self.entries(Namespace::Tir, prefix, items);
        let words = script::words_after(Namespace::Tir, prefix, self.scope.release());
        for (order, word) in words.into_iter().enumerate() {
            if !items.contains(word) {
                items.push(Completion::new(word, CompletionKind::Constant).order(order));
            }
        }
    }

    fn entries(self, namespace: Namespace, prefix: &str, items: &mut Items) {
        let release = self.scope.release();
        let before = self.cursor.before.filter(|_| self.cursor.open.is_empty());
        let enters = matches!(before, Some(SyntaxKind::WITH_KW | SyntaxKind::IN_KW));
        for (name, entry) in script::below(namespace, prefix, release) {
            let leads_on =
                || Completion::new(name, CompletionKind::Namespace).rank(rank::NAMESPACE);
            let Some(entry) = entry else {
                if !(items.contains(name) || enters) {
                    items.push(leads_on());
                }
                continue;
            };
            let Some(rank) = self.rank_of(namespace, entry) else {
                continue;
            };
            if entry.role == Role::Namespace {
                let item = leads_on().rank(rank).detail(entry.doc);
                items.push(item.order(entry.usage.into()));
                continue;
            }
            let kind = match entry.role {
                Role::Annotation => CompletionKind::Annotation,
                Role::Statement | Role::Module | Role::Decorator => CompletionKind::Statement,
                _ => CompletionKind::Function,
            };
            let item = match entry.params {
                Some("") if entry.role == Role::Annotation => Completion::new(name, kind),
                Some(params) => self
                    .callable_item(name, kind, !params.is_empty())
                    .detail(format!("({params})")),
                None => Completion::new(name, kind),
            };
            let item = match (release.dialect(), entry.name) {
                // The RFC writes annotations with subscripts.
                (Dialect::Rfc, "Tensor") if !self.calls_already() => {
                    item.snippet("Tensor[($1), \"${2:float32}\"]$0")
                }
                _ => item,
            };
            let order = entry.usage.into();
            let item = item.rank(rank).order(order);
            items.push(item.doc(key(namespace, entry.name, release)));
        }
    }

    /// Ranks a script function at this position. Returns `None` if it does not fit at all.
    fn rank_of(self, namespace: Namespace, entry: &Entry) -> Option<u8> {
        let cursor = self.cursor;
        let annotation = self.in_annotation();
        let kind = self.scope.kind();
        let prim = matches!(kind, Some(FunctionKind::PrimFunc | FunctionKind::Macro));
        let alone = cursor.open.is_empty() && cursor.before.is_none();
        let after = |kind| cursor.open.is_empty() && cursor.before == Some(kind);
        let enters = after(SyntaxKind::WITH_KW);
        let fits = match entry.role {
            Role::Builder | Role::Decorator => return None,
            Role::Intrinsic | Role::Namespace if !prim || annotation => return None,
            Role::Namespace if entry.name == "axis" && !self.assigns_element() => true,
            Role::Intrinsic | Role::Namespace => false,
            Role::Annotation if annotation => true,
            Role::Annotation if namespace == Namespace::Tir => {
                let value = prim && !alone && !enters && !after(SyntaxKind::IN_KW);
                return (value && entry.params.is_some()).then_some(rank::RARE);
            }
            Role::Annotation if after(SyntaxKind::WITH_KW) => return None,
            Role::Annotation if !self.expected().is_annotation() => return Some(rank::UNFIT),
            Role::Annotation => true,
            _ if annotation => return None,
            Role::Statement => match entry.name {
                _ if enters && FRAMES.contains(&entry.name) => return Some(rank_of_frame(entry)),
                frame if ONLY_ENTERED.contains(&frame) => return None,
                _ if alone && (prim || namespace == Namespace::Relax) => true,
                "launch_thread" if prim => false,
                _ => return None,
            },
            Role::Loop => return (prim && after(SyntaxKind::IN_KW)).then_some(rank::FITS),
            // An element of a buffer is not a buffer.
            Role::Buffer if prim && self.assigns_element() => return Some(rank::UNFIT),
            Role::Buffer if prim && after(SyntaxKind::WITH_KW) && FRAMES.contains(&entry.name) => {
                return Some(rank_of_frame(entry));
            }
            Role::Buffer if prim => !alone,
            Role::Axis if prim => !alone,
            Role::Axis | Role::Buffer => return None,
            Role::Module if self.scope.function.is_some() => return None,
            Role::Module => true,
            Role::Value => false,
        };
        if after(SyntaxKind::WITH_KW) || after(SyntaxKind::IN_KW) {
            return None;
        }
        Some(match entry.role {
            _ if fits => rank::FITS,
            Role::Namespace => rank::NAMESPACE,
            Role::Intrinsic => rank::RARE,
            _ => rank::OTHER,
        })
    }

    /// Returns `true` if the statement so far is `A[i] = ...`.
    fn assigns_element(self) -> bool {
        let start = usize::from(self.cursor.line.start);
        let word = usize::from(self.cursor.word.start());
        let line = self.scope.text.get(start..word).unwrap_or_default();
        let target = line.split('=').next().unwrap_or_default();
        self.cursor.line.equals && target.trim_end().ends_with(']')
    }

    pub(super) fn module_functions(self, items: &mut Items) {
        let wanted = self.expected();
        self.each_function(items, |function| self.function_item(function, &wanted));
    }

    /// Offers the functions of the module where a function itself is expected: `cls.f`.
    pub(super) fn functions_of(self, module: &str, wanted: &Expected<'_>, items: &mut Items) {
        self.each_function(items, |function| {
            let item = self.function_item(function, wanted);
            let name = format!("{module}.{}", item.label);
            Completion {
                label: name.as_str().into(),
                text: name,
                ..item
            }
        });
    }

    fn each_function(self, items: &mut Items, item: impl Fn(hir::FunctionItem<'_>) -> Completion) {
        let (db, scope) = (self.scope.db, self.scope);
        let mut left = MAX_FUNCTIONS;
        for &function in scope.functions() {
            let name = function.name(db);
            if scope.function == Some(function) || name.is_empty() || !items.may_mean(&name) {
                continue;
            }
            if left == 0 {
                items.leave_out();
                break;
            }
            left -= 1;
            items.push(item(function));
        }
    }

    pub(super) fn function_item(
        self,
        function: hir::FunctionItem<'_>,
        wanted: &Expected<'_>,
    ) -> Completion {
        let db = self.scope.db;
        let prim = function.kind(db) == FunctionKind::PrimFunc;
        let signature = hir::function_signature(db, function);
        let params: Vec<String> = signature
            .params
            .iter()
            .map(|param| param.short().to_string())
            .collect();
        let ret = signature.ret.as_ref();
        let ret = ret.map_or_else(String::new, |ret| format!(" -> {}", ret.short()));
        let detail = format!("({}){ret}", params.join(", "));
        let (kind, call) = if prim {
            (CompletionKind::PrimFunc, false)
        } else {
            (CompletionKind::Function, !wanted.is_function())
        };
        let name = function.name(db);
        let item = if call {
            self.callable_item(&name, kind, !signature.params.is_empty())
        } else {
            Completion::new(name, kind)
        };
        item.detail(detail).rank(wanted.rank_of_function(prim))
    }

    /// Offers the members of a tensor, `x.astype(...)`, `x.shape`, and of its StructInfo, `x.ty.shape`.
    fn value_members(self, path: &Path, items: &mut Items) {
        if self.scope.kind() == Some(FunctionKind::PrimFunc) {
            return self.prim_members(path, items);
        }
        let value = self.value_before(path);
        if let Some(Value::Annotation(sinfo)) = &value {
            return annotation_members(sinfo, items);
        }
        let Some(StructInfo::Tensor(tensor)) = value.and_then(|it| it.struct_info()) else {
            return;
        };
        let dims = tensor
            .ndim()
            .map_or_else(String::new, |ndim| format!("{ndim} dimensions"));
        let dtype = tensor
            .dtype
            .map_or_else(String::new, |dtype| dtype.to_string());
        items.push(
            self.callable_item("astype", CompletionKind::Member, true)
                .detail("(dtype)")
                .doc(key(Namespace::Relax, "astype", self.scope.release())),
        );
        let annotation = match self.scope.release().dialect() {
            Dialect::Rfc => return,
            Dialect::StructInfo => "struct_info",
            Dialect::Type => "ty",
        };
        for (name, detail) in [
            (annotation, "its StructInfo"),
            ("shape", dims.as_str()),
            ("dtype", &dtype),
            ("ndim", "int32"),
        ] {
            items.push(Completion::new(name, CompletionKind::Member).detail(detail));
        }
    }

    /// Offers the members of a buffer or a number in a PrimFunc.
    fn prim_members(self, path: &Path, items: &mut Items) {
        let ([name], Some(function)) = (path.names.as_slice(), self.scope.function) else {
            return;
        };
        let facts = hir::function_prim_facts(self.scope.db, function);
        let visible = facts.visible_at(self.scope.relative(path.base.start()));
        let Some((_, def)) = visible.filter(|(_, def)| def.name == *name).last() else {
            return;
        };
        let rows: Vec<Member> = match &def.kind {
            PrimDefKind::Buffer(_) => script::buffer_members(self.scope.release())
                .map(|entry| (entry.name, entry.params, entry.doc))
                .collect(),
            _ if def.dtype().is_some() => NUMBER_MEMBERS.to_vec(),
            _ => return,
        };
        for (order, (name, params, detail)) in rows.into_iter().enumerate() {
            let item = match params {
                Some(params) => {
                    self.callable_item(name, CompletionKind::Member, !params.is_empty())
                }
                None => Completion::new(name, CompletionKind::Member),
            };
            items.push(item.detail(detail).order(order));
        }
    }

    /// Returns the value of the expression before the dot, which may be in parentheses.
    fn value_before(self, path: &Path) -> Option<Value> {
        let (facts, body) = (self.scope.facts()?, self.scope.body()?);
        let text = self.scope.text.get(..usize::from(path.base.end()))?;
        let closed = |end: usize| {
            let end = self.scope.relative(TextSize::new(end as u32));
            ends_at(body, end).map(|expr| facts.value(expr).clone())
        };
        closed(text.len()).or_else(|| closed(text.trim_end_matches([')', ' ']).len()))
    }

    /// Returns the item for a callable name. It inserts parentheses if they are not there yet.
    pub(super) fn callable_item(self, name: &str, kind: CompletionKind, takes: bool) -> Completion {
        let item = Completion::new(name, kind);
        if self.calls_already() {
            item
        } else if takes {
            item.snippet(format!("{name}($0)"))
        } else {
            item.text(format!("{name}()"))
        }
    }

    fn calls_already(self) -> bool {
        let after = self
            .scope
            .text
            .get(usize::from(self.cursor.word.end())..)
            .unwrap_or_default();
        after.starts_with(['(', '['])
    }
}

fn ends_at(body: &Body, end: TextSize) -> Option<ExprId> {
    let last = TextRange::at(end.checked_sub(TextSize::new(1))?, TextSize::new(1));
    let mut around = body.exprs_around(last).into_iter().rev();
    around.find(|&expr| body.range(expr).end() == end)
}

/// Offers the attributes of StructInfo in Python.
fn annotation_members(sinfo: &StructInfo, items: &mut Items) {
    let names: &[&str] = match sinfo {
        StructInfo::Tensor(_) => &["shape", "dtype", "ndim", "vdevice"],
        StructInfo::Shape(_) => &["values", "ndim"],
        StructInfo::Tuple(_) => &["fields"],
        StructInfo::Prim(_) => &["dtype"],
        StructInfo::Callable(_) => &["params", "ret"],
        _ => &[],
    };
    for name in names {
        items.push(Completion::new(*name, CompletionKind::Member));
    }
}

/// Returns the rest of a dotted name below a namespace.
fn below<'n>(name: &'n str, prefix: &str) -> Option<&'n str> {
    if prefix.is_empty() {
        return Some(name);
    }
    name.strip_prefix(prefix)?.strip_prefix('.')
}

fn has_params(op: &OpDef) -> bool {
    !op.params.is_empty()
}
