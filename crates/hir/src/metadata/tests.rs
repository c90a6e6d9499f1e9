//! Tests that metadata is read in TVM's formats, and that broken metadata has no entries.

use relax::relay::ops;

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

#[test]
fn tensors_of_newer_releases_are_nodes_of_their_own() {
    for key in CONSTANT_KEYS {
        let field = if key == "ir.GenericConst" {
            "value"
        } else {
            "data"
        };
        let text = format!(
            r#"{{"root_index": 4, "nodes": [
                {{"type": "ffi.String", "data": "{key}"}},
                {{"type": "ffi.Tensor", "data": "{TENSOR}"}},
                {{"type": "{key}", "data": {{"span": 1, "ty": 10, "{field}": 1}}}},
                {{"type": "ffi.Array", "data": [2]}},
                {{"type": "ffi.Map", "data": [0, 3]}}
            ]}}"#
        );
        let metadata = Metadata::read(&text);
        let Referent::Constant(constant) = metadata.referent(&at(key, 0)) else {
            panic!("{key} is a constant");
        };
        assert_eq!(
            (constant.shape.as_slice(), constant.scalar()),
            (&[1][..], Some(1.5))
        );
        assert_eq!(metadata.constants().count(), 1);
        assert_eq!(metadata.referent(&at(key, 1)), Referent::Missing);
    }
}

#[test]
fn statistics_leave_nan_out() {
    // `np.array([1.0, nan, -3.0], "float32")`
    let tensor = "P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAQAAAAIgAQADAAAAAAAAAAwAAAAAAAAAAACAPwAAwH8AAEDA";
    let constant = Constant::read(tensor).expect("a tensor");
    let expected = Statistics {
        min: -3.0,
        max: 1.0,
        mean: -1.0,
        nan: 1,
    };
    assert_eq!(constant.statistics(), Some(expected));
}

#[test]
fn tensors_whose_length_is_wrong_are_not_read() {
    assert!(Constant::read(&TENSOR[..TENSOR.len() - 4]).is_none());
    assert!(Constant::read(&TENSOR[..40]).is_none());
    assert!(Constant::read("").is_none());
}

/// A record in which the index of a node and a number look alike.
#[test]
fn attributes_are_read_by_the_row_of_their_operator() {
    let block = r#"{
  "root": 1,
  "nodes": [
    {"type_key": ""},
    {"type_key": "Map", "keys": ["relay.attrs.ScatterElementsAttrs", "relay.attrs.SoftmaxAttrs"], "data": [2, 3]},
    {"type_key": "Array", "data": [4]},
    {"type_key": "Array", "data": [7]},
    {"type_key": "relay.attrs.ScatterElementsAttrs", "attrs": {"axis": "5", "reduction": "6"}},
    {"type_key": "IntImm", "attrs": {"dtype": "int32", "span": "0", "value": "1"}},
    {"type_key": "runtime.String", "repr_str": "add"},
    {"type_key": "relay.attrs.SoftmaxAttrs", "attrs": {"axis": "5"}}
  ],
  "b64ndarrays": []
}"#;
    let metadata = Metadata::read(block);
    let read = |key: &str, operator: &str| {
        let operator = ops::by_name(operator).expect("an operator");
        let attrs = metadata.attributes(&at(key, 0), Some(operator));
        attrs.expect("a record")
    };
    let scatter = read("relay.attrs.ScatterElementsAttrs", "scatter_elements");
    let expected = [
        ("axis".into(), Value::Int(1)),
        ("reduction".into(), Value::Str("add".into())),
    ];
    assert_eq!(scatter, expected);
    let softmax = read("relay.attrs.SoftmaxAttrs", "nn.softmax");
    assert_eq!(softmax, [("axis".into(), Value::Int(5))]);
}
