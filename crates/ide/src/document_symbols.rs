//! The outline of a file: modules, functions, and their bindings.

use hir::LazyFacts;
use hir::enclosing::Env;
use hir::facts::{Var, VarId, VarKind};
use hir::prim_facts::{BufferOrigin, PrimDefId, PrimDefKind};
use hir::{Database, FunctionItem, PrimFacts, SourceFile, file_items, file_release};
use relax::FunctionKind;
use relax::dtype::DType;
use relax::release::Release;
use rustc_hash::{FxHashMap, FxHashSet};
use text_size::{TextRange, TextSize};

use crate::analysis::{Analysis, Cancellable};
use crate::relay;
use crate::semantics::spelling::shortly_written;
use crate::semantics::{function_range, name_range};
use crate::types::{DocumentSymbol, FileId, SymbolKind};

/// A function with more bindings is listed without them, since editors request the outline after each edit.
const MAX_BINDINGS: usize = 500;

impl Analysis {
    /// Returns the modules, functions and bindings of a file.
    pub fn document_symbols(&self, file: FileId) -> Cancellable<Vec<DocumentSymbol>> {
        self.with_file(file, |db, file| match hir::relay_file(db, file) {
            Some(relay) => relay::symbols::symbols(relay),
            None => document_symbols(db, file),
        })
    }
}

fn document_symbols(db: &Database, file: SourceFile) -> Vec<DocumentSymbol> {
    let items = file_items(db, file);
    let release = file_release(db, file);
    let mut symbols = Vec::new();
    for module in &items.modules {
        symbols.push(DocumentSymbol {
            name: module.name(db).to_string(),
            kind: SymbolKind::Module,
            detail: None,
            range: module.range(db),
            name_range: module.name_range(db),
            children: module
                .functions(db)
                .iter()
                .filter_map(|&function| function_symbol(db, function, release))
                .collect(),
        });
    }
    for &function in &items.functions {
        if function.module(db).is_none() {
            symbols.extend(function_symbol(db, function, release));
        }
    }
    symbols.sort_by_key(|symbol| symbol.range.start());
    symbols
}

fn function_symbol(
    db: &Database,
    function: FunctionItem<'_>,
    release: Release,
) -> Option<DocumentSymbol> {
    let start = function.offset(db);
    let (kind, children) = match function.kind(db) {
        FunctionKind::Relax => {
            let facts = hir::lazy_facts(db, function);
            (
                SymbolKind::Function,
                Outline::new(facts, start, (release, function.env(db))).symbols(0),
            )
        }
        FunctionKind::PrimFunc => {
            let facts = hir::function_prim_facts(db, function);
            let ids = (0..).map(PrimDefId);
            let mut inside: FxHashMap<Option<PrimDefId>, Vec<PrimDefId>> = FxHashMap::default();
            for (id, def) in ids.zip(&facts.defs) {
                inside.entry(def.block).or_default().push(id);
            }
            (
                SymbolKind::PrimFunc,
                prim_symbols(facts, &inside, None, start),
            )
        }
        FunctionKind::Macro | FunctionKind::Python => (SymbolKind::Function, Vec::new()),
    };
    let facts = (kind == SymbolKind::Function).then(|| hir::lazy_facts(db, function));
    let detail = facts
        .and_then(|facts| facts.functions.first())
        .map(|fact| format!("→ {}", fact.ret.quoted_brief()));
    Some(DocumentSymbol {
        name: function.name(db).to_string(),
        kind,
        detail,
        range: function_range(db, function),
        name_range: name_range(db, function)?,
        children,
    })
}

/// Returns the symbols of a PrimFunc, or of a block in it: parameters, buffers, blocks and their axes.
fn prim_symbols(
    facts: &PrimFacts,
    inside: &FxHashMap<Option<PrimDefId>, Vec<PrimDefId>>,
    block: Option<PrimDefId>,
    start: TextSize,
) -> Vec<DocumentSymbol> {
    let mut symbols = Vec::new();
    for &id in inside.get(&block).into_iter().flatten() {
        let def = facts.def(id);
        let dtype = |dtype: Option<DType>| dtype.map(|dtype| dtype.to_string());
        let (kind, detail) = match &def.kind {
            PrimDefKind::Block(_) => (SymbolKind::Block, None),
            PrimDefKind::Axis(axis) => (SymbolKind::Axis, Some(axis.kind.name().to_owned())),
            PrimDefKind::Buffer(buffer) if buffer.origin == BufferOrigin::Param => {
                (SymbolKind::Parameter, dtype(buffer.dtype))
            }
            PrimDefKind::Buffer(buffer) => (SymbolKind::Buffer, dtype(buffer.dtype)),
            PrimDefKind::Scalar(it) => (SymbolKind::Parameter, dtype(*it)),
            PrimDefKind::Handle => (SymbolKind::Parameter, Some("handle".to_owned())),
            _ => continue,
        };
        let children = match def.kind {
            PrimDefKind::Block(_) => prim_symbols(facts, inside, Some(id), start),
            _ => Vec::new(),
        };
        // The protocol does not allow empty names.
        let name = if def.name.is_empty() {
            "(block)".to_owned()
        } else {
            def.name.to_string()
        };
        symbols.push(DocumentSymbol {
            name,
            kind,
            detail,
            range: def.range.cover(def.name_range) + start,
            name_range: def.name_range + start,
            children,
        });
    }
    symbols
}

/// The bindings of one function, in order.
#[derive(Default)]
struct Bound<'f> {
    /// The variables; incomplete if there are too many to list.
    vars: Vec<Var<'f>>,
    /// The local functions among them.
    functions: Vec<Var<'f>>,
    /// The number of bindings that are not parameters.
    bindings: usize,
}

impl<'f> Bound<'f> {
    fn add(&mut self, var: Var<'f>) {
        self.bindings += usize::from(var.kind != VarKind::Param);
        if self.bindings <= MAX_BINDINGS {
            self.vars.push(var);
        }
        if var.kind == VarKind::Function {
            self.functions.push(var);
        }
    }

    fn listed_vars(&self) -> &[Var<'f>] {
        if self.bindings <= MAX_BINDINGS {
            &self.vars
        } else {
            &self.functions
        }
    }
}

/// The outline of a function and its local functions.
struct Outline<'f> {
    facts: &'f LazyFacts,
    start: TextSize,
    release: Release,
    env: &'f Env,
    /// The bindings of each function, by its index in the facts.
    bound: FxHashMap<usize, Bound<'f>>,
    /// The index of each function, by the range of its name.
    functions: FxHashMap<TextRange, usize>,
}

impl<'f> Outline<'f> {
    fn new(
        facts: &'f LazyFacts,
        start: TextSize,
        (release, env): (Release, &'f Env),
    ) -> Outline<'f> {
        // List a variable after an `if` at its bindings in the branches.
        let after: FxHashSet<VarId> = facts.joins.iter().map(|join| join.after).collect();
        let mut bound: FxHashMap<usize, Bound<'f>> = FxHashMap::default();
        for var in facts.vars().filter(|var| !after.contains(&var.id)) {
            bound.entry(var.function).or_default().add(var);
        }
        let functions = facts.functions.iter().enumerate().rev();
        Outline {
            facts,
            start,
            release,
            env,
            bound,
            functions: functions.map(|(at, it)| (it.name_range, at)).collect(),
        }
    }

    /// Returns the symbols of the function at `index` of the facts. Local functions contain their own.
    fn symbols(&self, index: usize) -> Vec<DocumentSymbol> {
        let shown = self.bound.get(&index).map_or(&[][..], Bound::listed_vars);
        shown.iter().filter_map(|var| self.symbol(var)).collect()
    }

    fn symbol(&self, var: &Var<'_>) -> Option<DocumentSymbol> {
        let inner = (var.kind == VarKind::Function)
            .then(|| self.functions.get(&var.name_range).copied())
            .flatten();
        if inner.is_none() && var.name.is_empty() {
            return None;
        }
        // The protocol requires that the range of a symbol contains its name and its children.
        let range = inner.map_or(var.range, |inner| self.facts.functions[inner].range);
        let detail = || shortly_written(var.struct_info, self.release, self.env);
        Some(DocumentSymbol {
            name: var.name.to_string(),
            kind: match (inner, var.kind) {
                (Some(_), _) => SymbolKind::Function,
                (None, VarKind::Param) => SymbolKind::Parameter,
                (None, _) => SymbolKind::Binding,
            },
            detail: (!var.struct_info.is_unknown()).then(detail),
            range: range.cover(var.name_range) + self.start,
            name_range: var.name_range + self.start,
            children: inner.map_or_else(Vec::new, |inner| self.symbols(inner)),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use expect_test::{Expect, expect};

    use crate::DocumentSymbol;
    use crate::fixture::Fixture;

    fn check(fixture: &str, expect: Expect) {
        fn show(fixture: &Fixture, symbols: &[DocumentSymbol], depth: usize, out: &mut String) {
            for it in symbols {
                assert!(it.range.contains_range(it.name_range), "{it:?}");
                let detail = it.detail.as_deref().unwrap_or_default();
                let at = fixture.show(it.name_range);
                let _ = writeln!(
                    out,
                    "{:1$}{at} {2:?} {3} {detail}",
                    "",
                    depth * 2,
                    it.kind,
                    it.name
                );
                show(fixture, &it.children, depth + 1, out);
            }
        }
        let fixture = Fixture::new(fixture);
        let symbols = fixture.analysis.document_symbols(fixture.file).unwrap();
        let mut out = String::new();
        show(&fixture, &symbols, 0, &mut out);
        expect.assert_eq(&out);
    }

    #[test]
    fn modules_hold_functions_and_functions_their_bindings() {
        check(
            r#"
from tvm.script import ir as I, relax as R, tir as T

@I.ir_module
class Module:
    @T.prim_func
    def kernel(A: T.Buffer((4,), "float32")):
        T.evaluate(0)

    @R.function
    def forward(x: R.Tensor(("n", 4), "float32")) -> R.Tensor(("n", 4), "float32"):
        @R.function
        def inner(y: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
            z = R.exp(y)
            return z
        out = R.nn.relu(x)
        return out
"#,
            expect![[r#"
                5:7 Module Module 
                  7:9 PrimFunc kernel 
                    7:16 Parameter A float32
                  11:9 Function forward → Tensor((n, 4), float32)
                    11:17 Parameter x R.Tensor((n, 4), dtype="float32")
                    13:13 Function inner R.Callable((R.Tensor((4,), dtype="float32"),), R.Tensor((4,), dtype="float32"), True)
                      13:19 Parameter y R.Tensor((4,), dtype="float32")
                      14:13 Binding z R.Tensor((4,), dtype="float32")
                    16:9 Binding out R.Tensor((n, 4), dtype="float32")
            "#]],
        );
    }

    #[test]
    fn prim_funcs_hold_buffers_and_blocks_and_blocks_their_axes() {
        check(
            r#"
from tvm.script import tir as T

@T.prim_func
def f(a: T.handle, B: T.Buffer((8,), "float32"), n: T.int32):
    A = T.match_buffer(a, (4, 8), "float16")
    for i, j in T.grid(4, 8):
        with T.block("outer"):
            vi = T.axis.spatial(4, i)
            C = T.alloc_buffer((8,))
            with T.block():
                vj = T.axis.reduce(8, j)
                C[vj] = T.float32(0)
"#,
            expect![[r#"
                5:5 PrimFunc f 
                  5:7 Parameter a handle
                  5:20 Parameter B float32
                  5:50 Parameter n int32
                  6:5 Buffer A float16
                  8:23 Block outer 
                    9:13 Axis vi spatial
                    10:13 Buffer C float32
                    11:13 Block (block) 
                      12:17 Axis vj reduce
            "#]],
        );
    }

    #[test]
    fn variables_bound_in_both_branches_are_shown_in_each() {
        check(
            r#"
from tvm.script import relax as R

@R.function
def f(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")):
    if c:
        y = R.exp(x)
    else:
        y = R.abs(x)
    return y
"#,
            expect![[r#"
                5:5 Function f → Tensor((4,), float32)
                  5:7 Parameter x R.Tensor((4,), dtype="float32")
                  5:37 Parameter c R.Tensor((), dtype="bool")
                  7:9 Binding y R.Tensor((4,), dtype="float32")
                  9:9 Binding y R.Tensor((4,), dtype="float32")
            "#]],
        );
    }
}
