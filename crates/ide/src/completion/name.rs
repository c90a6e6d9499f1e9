//! Completion at the beginning of an expression or a statement: names in scope by fit, keyword arguments, namespaces,
//! snippets.

use hir::enclosing::PyValue;
use hir::facts::{Var, VarKind};
use hir::prim_facts::PrimDefKind;
use relax::FunctionKind;
use relax::dialect::Dialect;
use relax::dtype::{self, DType};
use relax::script::{Namespace, ScriptPath};
use relax::sinfo::StructInfo;
use relax::sym::{SymExpr, SymVar};
use relax::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use syntax::SyntaxKind;
use text_size::TextRange;

use super::Site;
use super::expected::Expected;
use super::item::{Completion, CompletionKind, Items, rank};
use super::snippet::Region;
use crate::callee::{Callee, param_at};
use crate::semantics::spelling::LINE;
use crate::semantics::var_at;

/// The maximum number of variables in one list; the nearest are kept.
pub(super) const MAX_VARS: usize = 100;
/// The maximum number of names considered for one list.
pub(super) const MAX_LOOKED_AT: usize = 20_000;

type Takes = fn(&PrimDefKind) -> bool;

/// The kinds of PrimFunc names that a parameter of a script function takes, by the parameter's name.
const TAKES: &[(&str, Takes)] = &[
    ("buffer_slices", |kind| {
        matches!(kind, PrimDefKind::Buffer(_))
    }),
    ("param", |kind| {
        matches!(kind, PrimDefKind::Handle | PrimDefKind::Buffer(_))
    }),
    ("binding", |kind| matches!(kind, PrimDefKind::Loop(_))),
    ("bindings", |kind| matches!(kind, PrimDefKind::Loop(_))),
];

/// Returns a variable as the value of an operand.
pub(super) fn value(var: Var<'_>) -> Value {
    match var.struct_info {
        StructInfo::Shape(shape) => Value::ShapeVar {
            name: var.name.clone(),
            id: 0,
            shape: shape.clone(),
        },
        sinfo => Value::Expr(sinfo.clone()),
    }
}

impl Site<'_, '_> {
    pub(super) fn names(self, items: &mut Items) {
        let cursor = self.cursor;
        if self.in_annotation() && cursor.call().is_none() {
            return self.annotations(items);
        }
        let wanted = self.expected();
        let prim = self.scope.kind() == Some(FunctionKind::PrimFunc);
        if cursor.begins_statement() {
            self.snippets(
                if prim {
                    Region::PrimFunc
                } else {
                    Region::Relax
                },
                items,
            );
            if prim {
                self.variables(&wanted, items);
            }
            return self.namespaces(items);
        }
        // An operand cannot follow another operand.
        if matches!(
            cursor.before,
            Some(
                SyntaxKind::IDENT
                    | SyntaxKind::STRING
                    | SyntaxKind::R_PAREN
                    | SyntaxKind::R_BRACKET
                    | SyntaxKind::INT
                    | SyntaxKind::FLOAT
            )
        ) {
            return;
        }
        if cursor.before == Some(SyntaxKind::WITH_KW) && cursor.open.is_empty() {
            return self.frames(items);
        }
        if prim && cursor.open.is_empty() && cursor.before == Some(SyntaxKind::IN_KW) {
            return self.loops(items);
        }
        if matches!(wanted, Expected::Output) {
            return self.outputs(items);
        }
        self.keywords(items);
        match &wanted {
            Expected::DType => Self::dtypes(items),
            Expected::Bool => Self::truth_values(items),
            Expected::Literal => self.quoted_values(items),
            Expected::Annotation => {
                self.computed_output(items);
                self.of_cast_value(items);
                self.annotations(items);
            }
            _ => self.axes(items),
        }
        self.variables(&wanted, items);
        self.shape_variables(&wanted, items);
        self.constants(&wanted, items);
        self.namespaces(items);
        // In the RFC, functions of the module are named without the module.
        if self.scope.release().dialect() == Dialect::Rfc {
            self.module_functions(items);
        }
        if let Some(alias) = self.scope.module_alias() {
            if wanted.is_function() {
                self.functions_of(&alias, &wanted, items);
            }
            let item = Completion::new(alias, CompletionKind::Namespace)
                .detail("the functions of the module");
            let rank = if wanted.is_function() {
                rank::UNPROVEN
            } else {
                rank::NAMESPACE
            };
            items.push(item.rank(rank));
        }
        let value = cursor.open.is_empty() && cursor.before == Some(SyntaxKind::EQ);
        if value && self.scope.kind() == Some(FunctionKind::Relax) {
            self.prim_calls(items);
        }
    }

    fn variables(self, wanted: &Expected<'_>, items: &mut Items) {
        let facts = self.scope.facts();
        let mut seen: FxHashSet<&SmolStr> = FxHashSet::default();
        let mut left = MAX_VARS;
        // Many variables share one StructInfo, so cache its text.
        let mut written: FxHashMap<*const StructInfo, String> = FxHashMap::default();
        let may_be_meant = items.matcher();
        let names = self.scope.names(&may_be_meant).take(MAX_LOOKED_AT);
        for (order, name) in names.enumerate() {
            if name.text.is_empty() || !seen.insert(&name.text) {
                continue;
            }
            if left == 0 {
                items.leave_out();
                break;
            }
            left -= 1;
            let item = Completion::new(name.text.clone(), CompletionKind::Variable);
            let item = match facts.map(|facts| var_at(facts, name.range)) {
                // Python aliases such as `cls = Module` are not variables, and shape variables are added later.
                Some(None) => continue,
                Some(Some(var)) => {
                    let kind = match var.kind {
                        VarKind::Function => CompletionKind::Function,
                        _ => CompletionKind::Variable,
                    };
                    let rank = wanted.rank_of(&value(var));
                    let detail = written
                        .entry(var.struct_info)
                        .or_insert_with(|| var.struct_info.short_within(LINE).to_string());
                    let item = item.rank(rank).detail(detail.clone());
                    Completion { kind, ..item }
                }
                None => self.prim_name(item, name.range),
            };
            items.push(item.order(order));
        }
    }

    /// Ranks a name of a PrimFunc: a buffer, a loop variable, an axis, a value.
    fn prim_name(self, item: Completion, name_range: TextRange) -> Completion {
        let scope = self.scope;
        let Some(function) = scope.function else {
            return item;
        };
        let facts = hir::function_prim_facts(scope.db, function);
        let Some(def) = facts.defs.iter().find(|def| def.name_range == name_range) else {
            return item.rank(rank::MAY_FIT);
        };
        let dtype = def
            .dtype()
            .map_or_else(String::new, |dtype| format!(" {dtype}"));
        // Indices are most often axes, then other integers.
        let index = self.cursor.open.first().is_some_and(|open| {
            open.bracket == SyntaxKind::L_BRACKET && !open.callee.names.is_empty()
        });
        let is_int = def.dtype().is_some_and(DType::is_int);
        let taken = self.accepted_names();
        let (kind, what, fits) = match &def.kind {
            PrimDefKind::Buffer(_) => (CompletionKind::Buffer, "buffer", !index),
            PrimDefKind::Axis(_) => (CompletionKind::Variable, "axis", true),
            PrimDefKind::Loop(_) => (CompletionKind::Variable, "loop variable", false),
            PrimDefKind::ShapeVar(_) => (CompletionKind::ShapeVar, "shape variable", index),
            PrimDefKind::Function => (CompletionKind::Function, "macro", false),
            PrimDefKind::Handle | PrimDefKind::Pointer(_) => {
                (CompletionKind::Variable, "pointer", false)
            }
            _ => (CompletionKind::Variable, "value", !index || is_int),
        };
        let fits = match taken.filter(|_| !index) {
            Some(taken) => taken(&def.kind),
            None => fits,
        };
        let rank = if fits { rank::FITS } else { rank::MAY_FIT };
        Completion { kind, ..item }
            .rank(rank)
            .detail(format!("{what}{dtype}"))
    }

    /// Returns the kinds of PrimFunc names that the parameter at the cursor takes.
    fn accepted_names(self) -> Option<Takes> {
        let (open, _) = self.cursor.call()?;
        let Some(Callee::Entry(_, entry)) = self.scope.callee(open) else {
            return None;
        };
        let param = param_at(entry, open)?.name;
        let row = TAKES.iter().find(|(name, _)| *name == param)?;
        Some(row.1)
    }

    fn shape_variables(self, wanted: &Expected<'_>, items: &mut Items) {
        let Some(facts) = self.scope.facts() else {
            return;
        };
        let at = self.scope.relative(self.scope.offset);
        let mut functions = Vec::new();
        let mut function = Some(facts.function_at(TextRange::empty(at)));
        while let Some(around) = function {
            functions.push(around as u32);
            function = facts.functions.get(around).and_then(|it| it.parent);
        }
        let mut order = 0;
        let own = |var: &SymVar| functions.contains(&var.id);
        for var in facts.sym_vars().filter(own).take(MAX_LOOKED_AT) {
            if items.contains(&var.name) || !items.may_mean(&var.name) {
                continue;
            }
            if order == MAX_VARS {
                items.leave_out();
                break;
            }
            let rank = match wanted {
                // Outside of a call, a value is more likely a tensor.
                Expected::Anything if self.cursor.open.is_empty() => rank::MAY_FIT + 1,
                _ => wanted.rank_of(&Value::Sym(SymExpr::var(var.clone()))),
            };
            items.push(
                Completion::new(var.name, CompletionKind::ShapeVar)
                    .detail("shape variable")
                    .rank(rank)
                    .order(order),
            );
            order += 1;
        }
    }

    /// Offers the plain constants of the surrounding Python code.
    fn constants(self, wanted: &Expected<'_>, items: &mut Items) {
        let own = self
            .scope
            .function
            .map(|function| function.name(self.scope.db));
        for (name, value) in self.scope.python_names() {
            if own.as_ref() == Some(name) {
                continue;
            }
            let (kind, detail, value) = match value {
                PyValue::Int(value) => (
                    CompletionKind::Constant,
                    value.to_string(),
                    Value::Int(*value),
                ),
                PyValue::Float(value) => (
                    CompletionKind::Constant,
                    value.to_string(),
                    Value::Float(*value),
                ),
                PyValue::Str(value) => (
                    CompletionKind::Constant,
                    format!("{value:?}"),
                    Value::Str(value.clone()),
                ),
                PyValue::ShapeVar(_, _) => (
                    CompletionKind::ShapeVar,
                    "shape variable".to_owned(),
                    Value::Unknown,
                ),
                PyValue::List(_)
                | PyValue::Const { .. }
                | PyValue::Array { .. }
                | PyValue::Metadata(_) => (CompletionKind::Constant, String::new(), Value::Unknown),
                PyValue::Path(path) => {
                    let Some(script) = ScriptPath::of_path(path) else {
                        self.imported(name, path, items);
                        continue;
                    };
                    if !script.rest.is_empty() {
                        continue;
                    }
                    let namespace = script.namespace;
                    let known =
                        namespace != Namespace::Python && self.scope.alias(namespace) == *name;
                    if known || namespace == Namespace::Ir {
                        continue;
                    }
                    (CompletionKind::Namespace, path.to_string(), Value::Unknown)
                }
                // Test files have many functions that TVMScript never calls.
                PyValue::Function(_) | PyValue::Helper(_) | PyValue::Unknown
                    if name.starts_with("test") =>
                {
                    continue;
                }
                PyValue::Function(_)
                | PyValue::Helper(_)
                | PyValue::Lambda(_)
                | PyValue::Macro(_) => {
                    let detail = "function of the surrounding Python code".to_owned();
                    (CompletionKind::Function, detail, Value::Unknown)
                }
                PyValue::Unknown | PyValue::Bool(_) | PyValue::None | PyValue::Dict(_) => {
                    let detail = "name in the surrounding Python code".to_owned();
                    (CompletionKind::Constant, detail, Value::Unknown)
                }
                PyValue::IrModule(_) | PyValue::Script(_) => continue,
            };
            if items.contains(name) || !items.may_mean(name) {
                continue;
            }
            let rank = match (wanted, &value, kind) {
                (Expected::DType, Value::Str(text), _) if DType::parse(text).is_some() => {
                    rank::FITS
                }
                (_, _, CompletionKind::ShapeVar) if wanted.is_dim() => rank::FITS,
                (_, Value::Int(_), _) if wanted.is_dim() => rank::UNPROVEN,
                (_, _, CompletionKind::Namespace) => rank::NAMESPACE,
                (_, Value::Unknown, CompletionKind::Function) => rank::OTHER,
                // Rank these below variables that may fit.
                _ => wanted.rank_of(&value).max(rank::MAY_FIT + 1),
            };
            items.push(
                Completion::new(name.clone(), kind)
                    .detail(detail)
                    .rank(rank),
            );
        }
    }

    /// Offers names of other imports that PrimFuncs may use, such as `TileLayout`.
    fn imported(self, name: &SmolStr, path: &str, items: &mut Items) {
        let prim = self.scope.kind() == Some(FunctionKind::PrimFunc);
        let of_tvm = path.starts_with("tvm.") && path.split('.').count() > 2;
        if prim && of_tvm && items.may_mean(name) && !items.contains(name) {
            let item = Completion::new(name.clone(), CompletionKind::Constant);
            items.push(item.detail(path).rank(rank::SNIPPET));
        }
    }

    pub(super) fn namespaces(self, items: &mut Items) {
        let prim = self.scope.kind() == Some(FunctionKind::PrimFunc);
        let known: &[Namespace] = if prim {
            &[Namespace::Tir]
        } else {
            &[Namespace::Relax, Namespace::Tir]
        };
        for &namespace in known {
            let detail = match namespace {
                Namespace::Tir => "PrimFuncs and shape expressions",
                _ => "operators and StructInfo",
            };
            let alias = self.scope.alias(namespace);
            if !items.contains(&alias) {
                items.push(
                    Completion::new(alias, CompletionKind::Namespace)
                        .detail(detail)
                        .rank(rank::NAMESPACE),
                );
            }
        }
        // Offer names from imported submodules: `from tvm.script.tirx import tile as Tx`.
        for (name, value) in self.scope.python_names().into_iter().filter(|_| prim) {
            let PyValue::Path(path) = value else { continue };
            let Some(path) = ScriptPath::of_path(path) else {
                continue;
            };
            let entry = relax::script::find(path.namespace, &path.rest, self.scope.release());
            let space = entry.filter(|it| it.role == relax::script::Role::Namespace);
            if let Some(space) = space.filter(|_| items.may_mean(name) && !items.contains(name)) {
                let item = Completion::new(name.clone(), CompletionKind::Namespace);
                items.push(item.detail(space.doc).rank(rank::NAMESPACE));
            }
        }
    }

    /// Offers the constructors of StructInfo, or of the types of a PrimFunc's parameters.
    fn annotations(self, items: &mut Items) {
        let prim = self.scope.kind() == Some(FunctionKind::PrimFunc);
        let namespace = if prim {
            Namespace::Tir
        } else {
            Namespace::Relax
        };
        let alias = self.scope.alias(namespace);
        for entry in relax::script::entries(namespace) {
            let fits = entry.role == relax::script::Role::Annotation
                && entry.releases.contains(self.scope.release());
            if !fits {
                continue;
            }
            let name = format!("{alias}.{}", entry.name);
            let item = self.callable_item(&name, CompletionKind::Annotation, true);
            let item = match entry.params {
                Some("") | None => Completion::new(name, CompletionKind::Annotation),
                Some(params) => item.detail(format!("({params})")),
            };
            items.push(item.rank(rank::FITS).doc(super::document::key(
                namespace,
                entry.name,
                self.scope.release(),
            )));
        }
        self.namespaces(items);
    }

    fn dtypes(items: &mut Items) {
        for (order, name) in dtype::NAMES.iter().enumerate() {
            items.push(
                Completion::new(format!("\"{name}\""), CompletionKind::DType)
                    .rank(rank::FITS)
                    .order(order),
            );
        }
    }

    /// Outside of functions: offers the beginnings of modules and functions.
    pub(super) fn outside(self, items: &mut Items) {
        let cursor = self.cursor;
        let typed = !cursor.word.is_empty();
        if !cursor.begins_statement() || !typed {
            return;
        }
        match self.scope.module {
            Some(_) => self.snippets(Region::Module, items),
            None if crate::semantics::indent(self.scope.text, cursor.offset) == 0 => {
                self.snippets(Region::File, items);
            }
            None => {}
        }
    }
}
