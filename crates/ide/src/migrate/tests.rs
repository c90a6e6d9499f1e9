//! Files of several releases, and texts that are no programs.

use relax::release::{Release, Releases};

use super::migrate;

#[test]
fn a_call_that_reads_both_ways_is_listed() {
    let text =
        "from tvm.script import relax as R, tir as T\ny = R.nn.pad(x, [1], 0.5, \"constant\")\n";
    let from = Releases::until(Release::V0_23);
    let migration = migrate(text, from, Release::V0_24);
    let places: Vec<&str> = migration
        .left
        .iter()
        .map(|it| &migration.text[it.range])
        .collect();
    assert_eq!(places, ["R.nn.pad(x, [1], 0.5, \"constant\")"]);
}

#[test]
fn any_text_is_migrated_without_a_fault() {
    for text in [
        "",
        "(",
        "from tvm import",
        "@T.prim_func(\ndef f(",
        "R.call_tir(f, tir_vars=",
        "import tvm.",
        "🎉 = R.Prim(value=",
    ] {
        for (from, to) in [
            (Release::Rfc, Release::V0_27),
            (Release::V0_27, Release::Rfc),
        ] {
            migrate(text, Releases::only(from), to);
        }
    }
}
