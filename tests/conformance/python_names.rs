//! Compares the table of names of TVM's Python API with an installed TVM.

use relax::release::python::all_absent;

use super::tvm;

#[test]
fn tvm_lacks_each_name_that_is_reported_for_its_release() {
    let Some(release) = tvm::release() else {
        return;
    };
    let paths = all_absent(release);
    assert!(paths.len() > 1000, "{} paths", paths.len());
    let there = tvm::there(&paths).expect("TVM has answered before");
    let wrong = paths.iter().zip(there).filter(|it| it.1);
    let wrong: Vec<&String> = wrong.map(|it| it.0).collect();
    assert!(wrong.is_empty(), "{}: {wrong:#?}", release.name());
}
