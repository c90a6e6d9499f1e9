//! Rows of attributes are read as they are written.

use super::*;

#[test]
fn a_row_says_kinds_and_defaults() {
    let attrs =
        parse("strides: ints = [1, 1], layout: str = \"NCHW\", axis: int, eps: float = 1e-5");
    let defaults: Vec<Option<Value>> = attrs.iter().map(|it| it.default.clone()).collect();
    assert_eq!(
        defaults,
        [
            Some(Value::List(vec![Value::Int(1), Value::Int(1)])),
            Some(Value::Str("NCHW".into())),
            None,
            Some(Value::Float(1e-5)),
        ]
    );
}

#[test]
fn a_kind_accepts_the_values_that_tvm_accepts() {
    assert!(AttrKind::Int.takes(&Value::Bool(true)));
    assert!(AttrKind::Float.takes(&Value::Int(1)));
    assert!(!AttrKind::Int.takes(&Value::Float(1.5)));
    assert!(!AttrKind::Ints.takes(&Value::Int(1)));
    assert!(!AttrKind::DType.takes(&Value::Str("flot32".into())));
}
