//! Tests of plans in which tensors share storages.

use crate::db::{Database, Source, SourceFile};
use crate::queries::file_diagnostics;
use relax::diagnostics::Code;

/// Returns the messages about a module whose function has this plan in a force-pure body.
fn messages(plan: &str) -> Vec<String> {
    let lines: Vec<String> = plan
        .trim()
        .lines()
        .map(|line| format!("        {}\n", line.trim_end()))
        .collect();
    let text = format!(
        r#"
@I.ir_module
class Module:
    @T.prim_func
    def copy(x: T.Buffer((4,), "float32"), y: T.Buffer((4,), "float32")):
        for i in range(4):
            y[i] = x[i]

    @T.prim_func
    def double(x: T.Buffer((4,), "float32")):
        for i in range(4):
            x[i] = x[i] * T.float32(2)

    @R.function(pure=False)
    def main(x: R.Tensor((4,), "float32"), c: R.Prim("bool")):
        cls = Module
        s: R.Object = R.memory.alloc_storage(R.shape([32]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        out: R.Tensor((4,), "float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), R.prim_value(0))
{}"#,
        lines.concat()
    );
    let db = Database::default();
    let file = SourceFile::new(&db, Source::new(text.as_str()));
    let found = file_diagnostics(&db, file);
    let found = found
        .iter()
        .filter(|it| it.code == Code::StorageStillNeeded);
    found.map(|it| it.message.clone()).collect()
}

fn alloc(name: &str, offset: usize) -> String {
    format!(
        "{name}: R.Tensor((4,), \"float32\") = R.memory.alloc_tensor(s, R.prim_value({offset}), R.shape([4]), R.dtype(\"float32\"))\n"
    )
}

#[test]
fn a_tensor_that_is_overwritten_before_its_last_read_is_reported() {
    let (a, b, near) = (alloc("a", 0), alloc("b", 0), alloc("b", 12));
    let said = ["`b` is written to storage that `a` still needs (line 23)"];
    for b in [&b, &near] {
        let plan = format!("{a}cls.copy(x, a)\n{b}cls.copy(x, b)\ncls.copy(a, out)\nreturn out");
        assert_eq!(messages(&plan), said);
    }
    for read in ["return a", "y = R.add(a, b)\nreturn y", "return (a, out)"] {
        let plan = format!("{a}cls.copy(x, a)\n{b}cls.copy(x, b)\n{read}");
        assert_eq!(messages(&plan), said);
    }
    let view = "v = R.memory.view(a, R.shape([2, 2]), R.dtype(\"float32\"), R.prim_value(0))\n";
    let plan = format!("{a}cls.copy(x, a)\n{view}{b}cls.double(b)\nreturn v");
    assert_eq!(
        messages(&plan),
        ["`b` is written to storage that `a` still needs (line 24)"]
    );
}

#[test]
fn a_sound_plan_is_not_reported() {
    let (a, b) = (alloc("a", 0), alloc("b", 0));
    let written = "cls.copy(x, a)\n";
    for plan in [
        // Each is read before the next is written.
        format!("{a}{written}cls.copy(a, out)\n{b}cls.copy(x, b)\nreturn b"),
        // In place.
        format!("{a}{written}{b}cls.copy(a, b)\ncls.double(b)\nreturn b"),
        // Other bytes.
        format!("{a}{written}{}cls.copy(x, b)\nreturn a", alloc("b", 16)),
        // Written again, or never written.
        format!("{a}{written}{b}cls.copy(x, b)\ncls.copy(b, out)\n{written}return a"),
        format!("{a}{b}cls.copy(x, b)\nreturn a"),
        // Only one branch writes.
        format!(
            "{a}{written}{b}if c:\n    cls.copy(x, b)\n    g = out\nelse:\n    g = a\nreturn g"
        ),
        // Nothing is known of this function.
        format!("{a}{written}{b}R.call_packed(\"f\", x, b)\nreturn a"),
        format!("{a}{written}{b}cls.copy(x, b)\nR.call_packed(\"f\", x, a)\nreturn a"),
    ] {
        assert!(messages(&plan).is_empty(), "{plan}");
    }
}
