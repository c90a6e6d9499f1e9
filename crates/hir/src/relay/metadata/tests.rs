//! Tests that metadata is read in TVM's format, and that broken metadata has no entries.

use super::*;

/// `np.array([1.5], "float32")` in TVM's format.
const TENSOR: &str = "P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAQAAAAIgAQABAAAAAAAAAAQAAAAAAAAAAADAPw==";

fn block() -> String {
    format!(
        r#"{{
  "root": 1,
  "nodes": [
    {{"type_key": ""}},
    {{"type_key": "Map", "keys": ["relay.Constant", "tir.Var", "runtime.BoxInt"], "data": [2, 4, 6]}},
    {{"type_key": "Array", "data": [3]}},
    {{"type_key": "relay.Constant", "attrs": {{"data": "0", "span": "0"}}}},
    {{"type_key": "Array", "data": [5]}},
    {{"type_key": "tir.Var", "attrs": {{"dtype": "int32", "name": "n"}}}},
    {{"type_key": "Array", "data": [7]}},
    {{"type_key": "runtime.BoxInt", "repr_str": "2"}}
  ],
  "b64ndarrays": ["{TENSOR}"],
  "attrs": {{"tvm_version": "0.19.0"}}
}}"#
    )
}

fn at(key: &str, index: u32) -> MetaRef {
    MetaRef {
        key: key.into(),
        index: Some(index),
    }
}

#[test]
fn constants_variables_and_integers_are_read() {
    let metadata = Metadata::read(&block());
    let constant = at("relay.Constant", 0);
    assert_eq!(metadata.ty(&constant).to_string(), "Tensor[(1), float32]");
    let Referent::Constant(value) = metadata.referent(&constant) else {
        panic!("it is a constant");
    };
    assert_eq!(value.scalar(), Some(1.5));
    assert_eq!(metadata.dim(&at("tir.Var", 0)), Dim::Var("n".into()));
    assert_eq!(metadata.value(&at("runtime.BoxInt", 0)), Value::Int(2));
    assert_eq!(metadata.referent(&at("tir.Var", 1)), Referent::Missing);
}

#[test]
fn a_broken_block_has_no_further_mistakes() {
    let metadata = Metadata::read("{\"root\": 1, \"nodes\": [");
    assert_eq!(metadata.referent(&at("relay.Constant", 7)), Referent::Other);
}

#[test]
fn without_a_block_only_keys_that_tvm_may_have_are_left_to_python() {
    let metadata = Metadata::default();
    let is_missing = |key| metadata.referent(&at(key, 0)) == Referent::Missing;
    assert!(!is_missing("relay.Constant") && !is_missing("VirtualDevice"));
    assert!(is_missing("type_key"));
}
