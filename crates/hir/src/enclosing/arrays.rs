//! Arrays in the enclosing Python code: their extents and dtypes, but not their elements.

use relax::dtype::DType;
use relax::script::ScriptPath;

use super::PyValue;

/// Evaluates a call of a function that creates an array. `path` is dotted (`numpy.zeros`); keywords have names.
pub(super) fn call(path: &str, args: &[PyValue], keywords: &[(&str, PyValue)]) -> Option<PyValue> {
    let keyword = |name: &str| keywords.iter().find(|(k, _)| *k == name).map(|(_, v)| v);
    let given = |at: usize, name: &str| args.get(at).or_else(|| keyword(name));
    let script = ScriptPath::of_path(path);
    if script.is_some_and(|s| matches!(s.rest.as_str(), "const" | "expr.const")) {
        return constant(given(0, "value")?, given(1, "dtype"));
    }
    // A call in a graph that creates a tensor of known shape.
    if let Some("zeros" | "ones") = path.strip_prefix("tvm.relax.op.") {
        let dtype = match given(1, "dtype")? {
            PyValue::Str(text) => DType::parse(text)?,
            _ => return None,
        };
        let dims = dims(given(0, "shape")?)?;
        return Some(PyValue::Const { dims, dtype });
    }
    if path == "numpy.prod" {
        let dims = dims(given(0, "a")?)?;
        let product = dims.iter().try_fold(1_i64, |all, &d| all.checked_mul(d))?;
        return Some(PyValue::Int(product));
    }
    if matches!(
        path,
        "tvm.nd.array" | "tvm.runtime.tensor" | "tvm.runtime.ndarray.array"
    ) {
        return Some(given(0, "arr")?.clone());
    }
    let (dims, dtype) = match path.strip_prefix("numpy.")? {
        "pad" => return padded(given(0, "array")?, given(1, "pad_width")?),
        "zeros" | "ones" | "empty" => (
            dims(given(0, "shape")?)?,
            dtype(given(1, "dtype"), DType::F64)?,
        ),
        "full" => (
            dims(given(0, "shape")?)?,
            dtype(given(2, "dtype"), DType::F64)?,
        ),
        "random.rand" | "random.randn" => {
            (args.iter().map(int).collect::<Option<_>>()?, DType::F64)
        }
        "random.uniform" | "random.normal" => (dims(given(2, "size")?)?, DType::F64),
        "random.random" => (dims(given(0, "size")?)?, DType::F64),
        "random.randint" => (
            dims(given(2, "size")?)?,
            dtype(given(3, "dtype"), DType::I64)?,
        ),
        "arange" if args.len() == 1 => (vec![int(&args[0])?], dtype(keyword("dtype"), DType::I64)?),
        "array" => {
            let (dims, natural) = extents(given(0, "object")?)?;
            (dims, dtype(given(1, "dtype"), natural)?)
        }
        name => {
            // `np.float32(1.5)`: a scalar of that dtype.
            let scalar = DType::parse(name)?;
            (args.len() == 1 && matches!(args[0], PyValue::Int(_) | PyValue::Float(_)))
                .then_some((Vec::new(), scalar))?
        }
    };
    Some(PyValue::Array { dims, dtype })
}

/// Evaluates `array.shape`, `array.ndim`, `array.dtype`.
pub(super) fn attribute(base: &PyValue, name: &str) -> PyValue {
    match (base, name) {
        (PyValue::Array { dims, .. }, "shape") => {
            let dims = dims.iter().copied().map(PyValue::Int);
            PyValue::list(dims.collect::<Vec<_>>())
        }
        (PyValue::Array { dims, .. }, "ndim") => PyValue::Int(dims.len() as i64),
        (PyValue::Array { dtype, .. }, "dtype") => PyValue::Str(dtype.to_string().into()),
        _ => PyValue::Unknown,
    }
}

/// Evaluates `array.astype("float32")`.
pub(super) fn method(base: &PyValue, name: &str, args: &[PyValue]) -> Option<PyValue> {
    let PyValue::Array {
        dims: extents,
        dtype: old,
    } = base
    else {
        return None;
    };
    match (name, args) {
        ("astype", [to]) => Some(PyValue::Array {
            dims: extents.clone(),
            dtype: dtype(Some(to), *old)?,
        }),
        ("reshape", [shape @ PyValue::List(_)]) => Some(PyValue::Array {
            dims: dims(shape)?,
            dtype: *old,
        }),
        ("reshape", [_, ..]) => Some(PyValue::Array {
            dims: args.iter().map(int).collect::<Option<_>>()?,
            dtype: *old,
        }),
        ("copy", []) => Some(base.clone()),
        _ => None,
    }
}

/// Evaluates `R.const(value, dtype)`. Without a dtype, 64-bit Python numbers become 32-bit.
pub(crate) fn constant(value: &PyValue, to: Option<&PyValue>) -> Option<PyValue> {
    let (dims, natural) = extents(value)?;
    let natural = match natural {
        DType::F64 => DType::F32,
        DType::I64 => DType::I32,
        other => other,
    };
    Some(PyValue::Const {
        dims,
        dtype: dtype(to, natural)?,
    })
}

/// Returns the extents and dtype of an array, a number or nested lists of numbers.
fn extents(value: &PyValue) -> Option<(Vec<i64>, DType)> {
    match value {
        PyValue::Array { dims, dtype } => Some((dims.clone(), *dtype)),
        PyValue::Int(_) => Some((Vec::new(), DType::I64)),
        PyValue::Float(_) => Some((Vec::new(), DType::F64)),
        PyValue::Bool(_) => Some((Vec::new(), DType::BOOL)),
        PyValue::List(items) => {
            let mut inner: Option<(Vec<i64>, DType)> = None;
            for item in items.iter() {
                let (dims, dtype) = extents(item)?;
                match &mut inner {
                    None => inner = Some((dims, dtype)),
                    Some((known, _)) if *known != dims => return None,
                    Some((_, known)) if dtype.is_float() => *known = dtype,
                    Some(_) => {}
                }
            }
            let (mut dims, dtype) = inner.unwrap_or((Vec::new(), DType::F64));
            dims.insert(0, items.len() as i64);
            Some((dims, dtype))
        }
        _ => None,
    }
}

/// Evaluates `np.pad(array, ((before, after), ...))`.
fn padded(array: &PyValue, widths: &PyValue) -> Option<PyValue> {
    let (PyValue::Array { dims, dtype }, PyValue::List(widths)) = (array, widths) else {
        return None;
    };
    if widths.len() != dims.len() {
        return None;
    }
    let pad = |(dim, width): (&i64, &PyValue)| match width {
        PyValue::List(sides) => match &sides[..] {
            [before, after] => dim.checked_add(int(before)?)?.checked_add(int(after)?),
            _ => None,
        },
        _ => None,
    };
    Some(PyValue::Array {
        dims: dims
            .iter()
            .zip(widths.iter())
            .map(pad)
            .collect::<Option<_>>()?,
        dtype: *dtype,
    })
}

fn int(value: &PyValue) -> Option<i64> {
    if let PyValue::Int(value) = value {
        Some(*value)
    } else {
        None
    }
}

fn dims(value: &PyValue) -> Option<Vec<i64>> {
    match value {
        PyValue::Int(value) => Some(vec![*value]),
        PyValue::List(items) => items.iter().map(int).collect(),
        _ => None,
    }
}

fn dtype(value: Option<&PyValue>, default: DType) -> Option<DType> {
    match value {
        None | Some(PyValue::None) => Some(default),
        Some(PyValue::Str(text)) => DType::parse(text),
        Some(PyValue::Path(path)) => DType::parse(path.strip_prefix("numpy.")?),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ints(values: &[i64]) -> PyValue {
        let values = values.iter().map(|&v| PyValue::Int(v));
        PyValue::list(values.collect::<Vec<_>>())
    }

    #[test]
    fn arrays_keep_their_extents_and_dtype() {
        let zeros = call(
            "numpy.zeros",
            &[ints(&[2, 3])],
            &[("dtype", PyValue::Str("int32".into()))],
        );
        assert_eq!(
            zeros,
            Some(PyValue::Array {
                dims: vec![2, 3],
                dtype: DType::I32
            })
        );
        let cast = method(
            &zeros.unwrap(),
            "astype",
            &[PyValue::Path("numpy.float16".into())],
        );
        assert_eq!(
            cast,
            Some(PyValue::Array {
                dims: vec![2, 3],
                dtype: DType::F16
            })
        );
    }

    #[test]
    fn padding_adds_on_both_sides() {
        let zeros = call("numpy.zeros", &[ints(&[2, 3])], &[]).unwrap();
        let widths = PyValue::list([ints(&[0, 1]), ints(&[2, 2])]);
        let padded = call("numpy.pad", &[zeros, widths], &[]).unwrap();
        assert_eq!(attribute(&padded, "shape"), ints(&[3, 7]));
    }

    #[test]
    fn constants_without_a_dtype_are_of_32_bits() {
        let value = PyValue::list([ints(&[1, 2]), ints(&[3, 4])]);
        let constant = constant(&value, None);
        assert_eq!(
            constant,
            Some(PyValue::Const {
                dims: vec![2, 2],
                dtype: DType::I32
            })
        );
    }
}
