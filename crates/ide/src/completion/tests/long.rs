//! Names in scope in a function of several pieces.

use super::{labels, relax};

/// A dataflow block of many bindings, with `after` behind its last binding.
fn long(after: &str) -> String {
    let bindings = (0..400).map(|at| format!("            near_{at} = inner\n"));
    let bindings: String = bindings.collect();
    let given = "            R.output(outer)";
    let bound = format!("            far = inner\n{bindings}            mid = far\n");
    relax("        pass").replace(given, &format!("{bound}{after}"))
}

#[test]
fn a_name_far_above_the_cursor_is_offered() {
    let found = labels(&long(
        "            last = fa$0\n            R.output(outer)",
    ));
    assert!(found.contains(&"far".to_owned()), "{found:?}");
    assert!(!found.contains(&"mid".to_owned()), "{found:?}");
}

#[test]
fn only_the_outputs_of_a_long_dataflow_block_are_offered_after_it() {
    let found = labels(&long("            R.output(mid)\n        last = m$0"));
    assert!(found.contains(&"mid".to_owned()), "{found:?}");
    let found = labels(&long("            R.output(mid)\n        last = fa$0"));
    assert!(!found.contains(&"far".to_owned()), "{found:?}");
}
