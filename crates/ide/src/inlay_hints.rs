//! The StructInfo of bindings that have no annotation, after their names.

use hir::facts::{VarFact, VarKind};
use hir::{Database, FunctionKind, SourceFile, file_dialect, file_items, function_facts};
use text_size::TextRange;

use crate::locate::function_range;
use crate::types::InlayHint;

pub fn inlay_hints(db: &Database, file: SourceFile, range: TextRange) -> Vec<InlayHint> {
    let dialect = file_dialect(db, file);
    let mut hints = Vec::new();
    for &function in &file_items(db, file).functions {
        let is_relax = function.kind(db) == FunctionKind::Relax;
        if !is_relax || function_range(db, function).intersect(range).is_none() {
            continue;
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
}
