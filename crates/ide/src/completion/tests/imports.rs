//! Tests of names that the file does not import yet.

use expect_test::{Expect, expect};

use super::{completions, labels};
use crate::fixture::Fixture;

/// Compares the text after the item `label` is taken, including the added import.
fn check_imported(fixture: &str, label: &str, expect: Expect) {
    let fixture = Fixture::new(fixture);
    let found = fixture.analysis.completions(fixture.position(), None);
    let found = found.unwrap().expect("something is offered");
    let item = found.items.iter().find(|item| item.label == label);
    let item = item.unwrap_or_else(|| panic!("{label} is offered"));
    let edit = crate::SourceEdit::replace(found.replace, item.text.clone());
    let import = item.import.clone().unwrap_or_default();
    let both = edit.and_all_if_apart(import.clone());
    assert_eq!(both.replacements().len(), 1 + import.replacements().len());
    expect.assert_eq(&both.apply(&fixture.text));
}

#[test]
fn a_namespace_that_is_not_bound_is_imported() {
    check_imported(
        "import numpy as np\n\n\n@R.f$0\n",
        "function",
        expect![[r#"
            import numpy as np
            from tvm.script import relax as R


            @R.function
        "#]],
    );
    check_imported(
        "from tvm.script import ir as I\n\n@$0\n",
        "T.prim_func",
        expect![[r#"
            from tvm.script import ir as I, tirx as T

            @T.prim_func
        "#]],
    );
    check_imported(
        "\"\"\"Text.\"\"\"\n\n@T.prim_func\ndef f(A: T.Buf$0",
        "Buffer",
        expect![[r#"
                        """Text."""

                        from tvm.script import tirx as T

                        @T.prim_func
                        def f(A: T.Buffer($0)"#]],
    );
    check_imported(
        "# Licence.\n\n@R.function\ndef f(x: R.Tensor((4,), \"float32\")):\n    y = R.ex$0\n    return y\n",
        "exp",
        expect![[r##"
                        # Licence.

                        from tvm.script import relax as R

                        @R.function
                        def f(x: R.Tensor((4,), "float32")):
                            y = R.exp($0)
                            return y
                    "##]],
    );
}

#[test]
fn bound_or_commented_namespaces_are_not_imported() {
    for head in [
        "from tvm.script import relax as R\n",
        "# from tvm.script import relax as R\n",
        "from all import *\n",
    ] {
        let (_, items) = completions(&format!(
            "{head}\n@R.function\ndef f(x: R.Object):\n    y = R.ex$0\n    return y\n"
        ));
        assert!(
            !items.is_empty() && items.iter().all(|it| it.import.is_none()),
            "{head}"
        );
    }
}

#[test]
fn an_import_of_tvmscript_is_completed() {
    assert_eq!(
        labels("from tvm.script import $0"),
        ["ir as I", "relax as R", "tirx as T"]
    );
    assert_eq!(
        labels("from tvm.script import ir as I, $0"),
        ["relax as R", "tirx as T"]
    );
    assert_eq!(labels("from tvm.script import ir as $0"), [] as [&str; 0]);
    assert_eq!(labels("from tvm import $0"), [] as [&str; 0]);
}
