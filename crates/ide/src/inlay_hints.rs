//! What the source leaves unsaid: the StructInfo of bindings that have no annotation, the parameters of bare
//! literals, the values of dimensions, purity; in PrimFuncs the dtypes of variables and the domains of remapped
//! axes.

mod call;
mod purity;

use hir::body::{Body, Stmt};
use hir::dialect::Dialect;
use hir::enclosing::{Namespace, PyValue};
use hir::facts::{Facts, Var, VarKind};
use hir::prim_facts::{Dim, PrimDefKind};
use hir::{Database, FunctionItem, FunctionKind, SourceFile, function_prim_facts};
use text_size::{TextRange, TextSize};

use crate::annotations;
use crate::function_context::FunctionContext;
use crate::here::{alias_of, letter};
use crate::mentions::functions_in;
use crate::source_edit::SourceEdit;
use crate::types::{HintKind, HintLink, InlayHint};

pub fn inlay_hints(db: &Database, file: SourceFile, range: TextRange) -> Vec<InlayHint> {
    let mut hints = Vec::new();
    for &function in functions_in(db, file, range) {
        match function.kind(db) {
            FunctionKind::Relax => {
                if let Some(hinting) = Hinting::new(db, file, function, range) {
                    hinting.hints(&mut hints);
                }
            }
            FunctionKind::PrimFunc => prim_hints(db, function, range, &mut hints),
            FunctionKind::Macro | FunctionKind::Python => {}
        }
    }
    hints.sort_by_key(|hint| hint.offset);
    hints
}

/// A Relax function, and the part of it that is shown. Ranges here are relative to its start.
struct Hinting<'db> {
    cx: FunctionContext<'db>,
    start: TextSize,
    shown: TextRange,
    dialect: Dialect,
    body: &'db Body,
    facts: &'db Facts,
}

impl<'db> Hinting<'db> {
    fn new(
        db: &'db Database,
        file: SourceFile,
        function: FunctionItem<'db>,
        range: TextRange,
    ) -> Option<Hinting<'db>> {
        let cx = FunctionContext::new(db, file, function)?;
        let start = cx.start;
        let relative = |offset: TextSize| offset.checked_sub(start).unwrap_or_default();
        Some(Hinting {
            start,
            shown: TextRange::new(relative(range.start()), relative(range.end())),
            dialect: cx.dialect,
            body: cx.body,
            facts: cx.facts,
            cx,
        })
    }

    fn hints(&self, hints: &mut Vec<InlayHint>) {
        self.bindings(hints);
        self.header(hints);
        let touched = |stmt: &&Stmt| self.shown.intersect(stmt.range).is_some();
        for stmt in self.body.stmts_in(self.shown).filter(touched) {
            self.stmt(stmt, hints);
        }
    }

    fn bindings(&self, hints: &mut Vec<InlayHint>) {
        let shown = |var: &Var<'_>| self.shown.contains_inclusive(var.name_range.end());
        for var in self
            .facts
            .vars_around(self.shown)
            .filter(shown)
            .filter(wants_hint)
        {
            let label = format!(": {}", self.cx.written(var.struct_info));
            hints.push(InlayHint {
                offset: var.name_range.end() + self.start,
                links: self.links(&label, &var),
                insert: self.insertion(&var, &label),
                label,
                kind: HintKind::StructInfo,
                explained: true,
            });
        }
    }

    /// What writes the StructInfo of a variable: with the declarations of the shape variables that only strings of
    /// the signature name.
    fn insertion(&self, var: &Var<'_>, label: &str) -> Option<SourceEdit> {
        let mut undeclared = var.struct_info.used_vars();
        undeclared.retain(|sym| {
            let id = self.facts.sym_id(sym);
            self.dialect != Dialect::Rfc
                && !id.is_some_and(|id| self.facts.declares(id))
                && !matches!(
                    self.cx.function.env(self.cx.db).get(&sym.name),
                    Some(PyValue::ShapeVar(_))
                )
        });
        let declared = annotations::declaration(&self.cx, &undeclared)?;
        let edit = declared.and_insert(var.name_range.end(), label);
        Some(edit.moved(self.start))
    }

    /// The shape variables in a label, each with the place that binds it.
    fn links(&self, label: &str, var: &Var<'_>) -> Vec<HintLink> {
        let mut links = Vec::new();
        let mut seen = Vec::new();
        var.struct_info.for_each_sym_var(&mut |sym| {
            if seen.contains(sym) {
                return;
            }
            seen.push(sym.clone());
            let id = self.facts.sym_id(sym);
            let Some(target) = id.and_then(|id| self.facts.sym_bound_at(id)) else {
                return;
            };
            links.extend(words(label, &sym.name).map(|range| HintLink {
                range,
                target: target + self.start,
            }));
        });
        links.sort_by_key(|link| link.range.start());
        links
    }

    /// The statements of a block that are shown.
    fn block(&self, block: &[Stmt], hints: &mut Vec<InlayHint>) {
        let from = block.partition_point(|stmt| stmt.range.end() < self.shown.start());
        let shown = block[from..].iter();
        for stmt in shown.take_while(|stmt| stmt.range.start() <= self.shown.end()) {
            self.stmt(stmt, hints);
        }
    }

    fn stmt(&self, stmt: &Stmt, hints: &mut Vec<InlayHint>) {
        self.calls(stmt, hints);
        self.dataflow(stmt, hints);
        for inner in stmt.blocks() {
            self.block(inner, hints);
        }
    }
}

/// Where a word stands in a text.
fn words<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = TextRange> + 't {
    let part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.match_indices(word).filter_map(move |(at, _)| {
        let (before, after) = (&text[..at], &text[at + word.len()..]);
        let whole = !part(before.chars().next_back()) && !part(after.chars().next());
        // What stands in quotes is a dtype.
        let quoted = before.matches('"').count() % 2 == 1;
        let range = TextRange::at(TextSize::new(at as u32), TextSize::of(word));
        (whole && !quoted).then_some(range)
    })
}

fn prim_hints(
    db: &Database,
    function: FunctionItem<'_>,
    range: TextRange,
    hints: &mut Vec<InlayHint>,
) {
    let start = function.offset(db);
    let text = &function.file(db).source(db).text;
    let tir = alias_of(function.env(db), Namespace::Tir);
    let tir = tir.as_deref().unwrap_or(letter(Namespace::Tir));
    for def in &function_prim_facts(db, function).defs {
        let at = def.name_range.end() + start;
        // Behind `x: T.let` stands what is no dtype, but an annotation.
        let annotated = text[at.into()..].trim_start_matches(' ').starts_with(':');
        if !range.contains_inclusive(at) || annotated {
            continue;
        }
        let (label, insertable) = match &def.kind {
            PrimDefKind::Let {
                dtype: Some(dtype),
                annotated: false,
                ..
            } => (format!(": {tir}.{dtype}"), true),
            // The domain of `T.axis.remap` stands at the loops; that of `T.axis.spatial` beside the name.
            PrimDefKind::Axis(axis)
                if !axis
                    .stop
                    .is_some_and(|it| def.range.contains_range(it.range)) =>
            {
                let bound = |dim: Option<Dim>| dim.map_or(Some(0), |dim| dim.value);
                match (bound(axis.start), axis.stop.and_then(|stop| stop.value)) {
                    (Some(start), Some(stop)) => (format!(" in [{start}, {stop})"), false),
                    _ => continue,
                }
            }
            _ => continue,
        };
        hints.push(InlayHint {
            offset: at,
            insert: insertable.then(|| SourceEdit::insert(at, label.clone())),
            label,
            links: Vec::new(),
            kind: HintKind::StructInfo,
            explained: true,
        });
    }
}

fn wants_hint(var: &Var<'_>) -> bool {
    let is_binding = matches!(var.kind, VarKind::Var | VarKind::Dataflow);
    // Who calls a value `_` does not want to know.
    let named = !var.name_range.is_empty() && !var.name.starts_with('_');
    is_binding && named && !var.annotated && !var.struct_info.is_unknown()
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use text_size::{TextRange, TextSize};

    use crate::fixture::Fixture;

    fn check(fixture: &str, expect: Expect) {
        let fixture = Fixture::new(fixture);
        let whole = TextRange::up_to(TextSize::of(&*fixture.text));
        let hints = fixture.analysis.inlay_hints(fixture.file, whole).unwrap();
        let mut text = fixture.text.to_string();
        for hint in hints.iter().rev() {
            text.insert_str(hint.offset.into(), &format!("«{}»", hint.label));
        }
        let hinted = text.lines().filter(|line| line.contains('«'));
        let hinted: Vec<&str> = hinted.map(str::trim_start).collect();
        expect.assert_eq(&hinted.join("\n"));
    }

    #[test]
    fn only_what_has_no_annotation_gets_a_hint() {
        check(
            r#"
from tvm.script import relax as R

@R.function
def f(x: R.Tensor(("n", 4), "float32")):
    with R.dataflow():
        y = R.add(x, x)
        z: R.Tensor(("n", 4), "float32") = R.nn.relu(y)
        R.output(z)
    return z
"#,
            expect![[r#"
                with R.dataflow()« → z»:
                y«: R.Tensor((n, 4), dtype="float32")» = R.add(x, x)"#]],
        );
    }

    #[test]
    fn what_nobody_wants_to_know_gets_none() {
        check(
            r#"
from tvm.script import relax as R

@R.function(pure=False)
def f(x: R.Tensor((4,), "float32")):
    _ = R.print(x, format="{}")
    _y = R.exp(x)
    return x
"#,
            expect![[r#"def «impure »f(x: R.Tensor((4,), "float32")):"#]],
        );
    }

    #[test]
    fn what_only_python_knows_gets_none() {
        check(
            r#"
from tvm.script import relax as R

@R.function
def f(x: R.Tensor((4,), dtype)):
    y = helper(x)
    return y
"#,
            expect![[""]],
        );
    }

    #[test]
    fn variables_of_prim_funcs_show_their_dtype_and_remapped_axes_their_domain() {
        check(
            r#"
from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((4, 8), "float16")):
    for i, j in T.grid(4, 8):
        with T.block("b"):
            vi, vj = T.axis.remap("SR", [i, j])
            vk = T.axis.spatial(4, i)
            x = T.exp(A[vi, vj])
            y = T.float32(1)
            z: T.float32 = T.cast(x, "float32") + y
            A[vi, vk] = T.cast(z, "float16")
"#,
            expect![[r#"
                            vi« in [0, 4)», vj« in [0, 8)» = T.axis.remap("SR", [i, j])
                            x«: T.float16» = T.exp(A[vi, vj])"#]],
        );
    }

    #[test]
    fn shape_variables_in_a_hint_lead_to_where_they_are_bound() {
        let fixture = Fixture::new(
            r#"
from tvm.script import relax as R

@R.function
def f(x: R.Tensor(("n", 4), "float32")):
#                   ^
    y = R.concat((x, x), axis=0)
    return y
"#,
        );
        let whole = TextRange::up_to(TextSize::of(&*fixture.text));
        let hints = fixture.analysis.inlay_hints(fixture.file, whole).unwrap();
        let links = &hints[0].links;
        assert_eq!(&hints[0].label[links[0].range], "n");
        assert_eq!(links[0].target, fixture.expected()[0].0);
        assert_eq!(links.len(), 1);
    }

    #[test]
    fn bare_literals_get_the_name_of_their_parameter() {
        check(
            r#"
from tvm.script import relax as R

@R.function
def f(x: R.Tensor((2, 4), "float32")) -> R.Tensor((4,), "float32"):
    a: R.Tensor((4,), "float32") = R.sum(x, 0, False)
    b: R.Tensor((4,), "float32") = R.sum(x, axis=0)
    c: R.Tensor((8,), "float32") = R.reshape(x, (8,))
    d: R.Tensor((2, 4), "float16") = R.astype(x, "float16")
    e: R.Tensor((4, 2), "float32") = R.permute_dims(x, [1, 0])
    return a
"#,
            expect![[r#"
                a: R.Tensor((4,), "float32") = R.sum(x, «axis=»0, «keepdims=»False)
                e: R.Tensor((4, 2), "float32") = R.permute_dims(x, «axes=»[1, 0])"#]],
        );
    }

    #[test]
    fn dimensions_that_are_left_open_get_their_value() {
        check(
            r#"
from tvm.script import relax as R

hidden = 8

@R.function
def f(x: R.Tensor(("n", 4), "float32")):
    y: R.Tensor(("n", 4), "float32") = R.reshape(x, (-1, hidden))
    return y
"#,
            expect![[
                r#"y: R.Tensor(("n", 4), "float32") = R.reshape(x, (-1« = n // 2», hidden« = 8»))"#
            ]],
        );
    }

    #[test]
    fn purity_is_shown_where_it_is_not_the_usual_one() {
        check(
            r#"
from tvm.script import relax as R

@R.function(pure=False)
def f(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
    with R.dataflow():
        a: R.Tensor((4,), "float32") = R.exp(x)
        R.output(a)
    _: R.Tuple = R.print(a)
    return a
"#,
            expect![[r#"
                def «impure »f(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
                with R.dataflow()« → a»:"#]],
        );
    }
}
