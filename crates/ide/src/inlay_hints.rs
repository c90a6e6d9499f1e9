//! The StructInfo of bindings that have no annotation, after their names; in PrimFuncs the dtypes of variables
//! and the domains of remapped axes.

use hir::facts::{VarFact, VarKind};
use hir::prim_facts::{Dim, PrimDefKind};
use hir::{
    Database, FunctionItem, FunctionKind, SourceFile, file_dialect, file_items, function_facts,
    function_prim_facts,
};
use text_size::TextRange;

use crate::locate::function_range;
use crate::types::InlayHint;

pub fn inlay_hints(db: &Database, file: SourceFile, range: TextRange) -> Vec<InlayHint> {
    let dialect = file_dialect(db, file);
    let mut hints = Vec::new();
    for &function in &file_items(db, file).functions {
        if function_range(db, function).intersect(range).is_none() {
            continue;
        }
        match function.kind(db) {
            FunctionKind::Relax => {}
            FunctionKind::PrimFunc => {
                prim_hints(db, function, range, &mut hints);
                continue;
            }
            FunctionKind::Macro | FunctionKind::Python => continue,
        }
        let start = function.offset(db);
        for var in &function_facts(db, function).vars {
            let at = var.name_range.end() + start;
            if range.contains_inclusive(at) && wants_hint(var) {
                hints.push(InlayHint {
                    offset: at,
                    label: format!(": {}", var.struct_info.display(dialect)),
                    tooltip: None,
                    insertable: var.kind != VarKind::MatchCast,
                });
            }
        }
    }
    hints
}

fn prim_hints(
    db: &Database,
    function: FunctionItem<'_>,
    range: TextRange,
    hints: &mut Vec<InlayHint>,
) {
    let start = function.offset(db);
    for def in &function_prim_facts(db, function).defs {
        let at = def.name_range.end() + start;
        if !range.contains_inclusive(at) {
            continue;
        }
        let (label, insertable) = match &def.kind {
            PrimDefKind::Let {
                dtype: Some(dtype),
                annotated: false,
                ..
            } => (format!(": T.{dtype}"), true),
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
            label,
            tooltip: None,
            insertable,
        });
    }
}

fn wants_hint(var: &VarFact) -> bool {
    let is_binding = matches!(var.kind, VarKind::Var | VarKind::Dataflow);
    is_binding && !var.annotated && !var.struct_info.is_unknown() && !var.name_range.is_empty()
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
        let hinted: Vec<&str> = text.lines().filter(|line| line.contains('«')).collect();
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
            expect![[r#"        y«: R.Tensor((n, 4), dtype="float32")» = R.add(x, x)"#]],
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
}
