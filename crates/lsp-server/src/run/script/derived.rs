//! Arguments that are computed from results: the largest element, another shape, another dtype.

use relax::dtype::DType;
use serde_json::{Map, Value as Json};
use vm::tensor::{Kind, Tensor};
use vm::value::Value;

/// Returns the value of `{"argmax": VALUE, "axis": -1}` or `{"reshape": VALUE, "shape": [1, -1]}`, both with an optional
/// `"dtype"`; `None` for other objects. `value` evaluates the inner value.
pub fn derived(
    fields: &Map<String, Json>,
    value: &dyn Fn(&Json) -> Result<Value, String>,
) -> Option<Result<Value, String>> {
    let (operation, inner, own) = if let Some(inner) = fields.get("argmax") {
        ("argmax", inner, "axis")
    } else {
        ("reshape", fields.get("reshape")?, "shape")
    };
    let compute = || {
        let known = [operation, own, "dtype"];
        if let Some(unknown) = fields.keys().find(|it| !known.contains(&it.as_str())) {
            return Err(format!("`{operation}` takes no `{unknown}`"));
        }
        let Value::Tensor(tensor) = value(inner)? else {
            return Err(format!(
                "`{operation}` takes a tensor, which {inner} is not"
            ));
        };
        let result = match operation {
            "argmax" => argmax(&tensor, fields.get(own)),
            _ => reshaped(&tensor, fields.get(own)),
        }?;
        match fields.get("dtype") {
            None => Ok(Value::from(result)),
            Some(name) => {
                let dtype = name.as_str().and_then(DType::parse);
                let dtype = dtype.ok_or_else(|| format!("{name} is not a dtype"))?;
                let kind = Kind::of(dtype).map_err(|error| error.to_string())?;
                let cast = result.cast(kind).map_err(|error| error.to_string())?;
                Ok(Value::from(cast))
            }
        }
    };
    Some(compute())
}

/// Returns the index of the first largest element along an axis, by default the last.
fn argmax(tensor: &Tensor, axis: Option<&Json>) -> Result<Tensor, String> {
    let shape = tensor.shape();
    let axis = match axis {
        None => Some(-1),
        Some(axis) => axis.as_i64(),
    };
    let axis = axis.and_then(|it| {
        let from_end = if it < 0 { shape.len() as i64 } else { 0 };
        usize::try_from(it + from_end)
            .ok()
            .filter(|it| *it < shape.len())
    });
    let axis = axis.ok_or_else(|| format!("`axis` is no axis of {} dimensions", shape.len()))?;
    let (extent, inner) = (shape[axis], shape[axis + 1..].iter().product::<usize>());
    if extent == 0 {
        return Err("the axis is empty".to_owned());
    }
    let floats = tensor.cast(Kind::F64).map_err(|error| error.to_string())?;
    let values = floats.values::<f64>().map_err(|error| error.to_string())?;
    let mut rest = shape.to_vec();
    rest.remove(axis);
    let largest = |at: usize| {
        let first = at / inner * extent * inner + at % inner;
        let element = |step: usize| values[first + step * inner];
        (1..extent).fold(0, |best, step| {
            if element(step) > element(best) {
                step
            } else {
                best
            }
        }) as i64
    };
    Tensor::from_fn(&rest, largest).map_err(|error| error.to_string())
}

/// Returns the tensor in another shape, in which one dimension may be -1.
fn reshaped(tensor: &Tensor, shape: Option<&Json>) -> Result<Tensor, String> {
    let dims = shape.and_then(Json::as_array);
    let dims: Option<Vec<i64>> = dims.and_then(|it| it.iter().map(Json::as_i64).collect());
    let dims = dims.ok_or("`reshape` needs a `shape` of integers")?;
    let known: usize = dims
        .iter()
        .filter_map(|it| usize::try_from(*it).ok())
        .product();
    let open = dims.iter().filter(|it| **it == -1).count();
    let fits = match open {
        0 => known == tensor.len(),
        1 => known > 0 && tensor.len().is_multiple_of(known),
        _ => false,
    };
    if !fits || dims.iter().any(|it| *it < -1) {
        return Err(format!(
            "{:?} does not fit into the shape {dims:?}",
            tensor.shape()
        ));
    }
    let dims = dims
        .iter()
        .map(|it| usize::try_from(*it).unwrap_or(tensor.len() / known.max(1)));
    let dims: Vec<usize> = dims.collect();
    tensor.reshaped(&dims).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};
    use vm::tensor::Tensor;
    use vm::value::Value;

    use super::derived;

    fn of(expression: &Json, tensor: &Tensor) -> Result<(Vec<usize>, Vec<i64>), String> {
        fn value(expression: &Json, tensor: &Tensor) -> Result<Value, String> {
            let inner = |it: &Json| value(it, tensor);
            let fields = expression.as_object();
            let computed = fields.and_then(|it| derived(it, &inner));
            computed.unwrap_or_else(|| Ok(Value::from(tensor.clone())))
        }
        match value(expression, tensor)? {
            Value::Tensor(it) => Ok((it.shape().to_vec(), it.values::<i64>().unwrap().to_vec())),
            _ => Err("no tensor".to_owned()),
        }
    }

    #[test]
    fn the_next_token_of_a_batch() {
        let logits = Tensor::from_vec(&[2, 1, 3], vec![0.5_f32, 2.0, 2.0, f32::NAN, -1.0, -3.0]);
        let logits = logits.unwrap();
        let argmax = json!({"argmax": "$out.0"});
        assert_eq!(of(&argmax, &logits).unwrap(), (vec![2, 1], vec![1, 0]));
        let next =
            json!({"reshape": {"argmax": "$out.0", "axis": 2}, "shape": [1, -1], "dtype": "int64"});
        assert_eq!(of(&next, &logits).unwrap(), (vec![1, 2], vec![1, 0]));
        let over_rows = json!({"argmax": "$out.0", "axis": 0});
        assert_eq!(
            of(&over_rows, &logits).unwrap(),
            (vec![1, 3], vec![0, 0, 0])
        );
    }

    #[test]
    fn what_does_not_fit_is_said() {
        let tensor = Tensor::from_vec(&[2, 3], vec![0_i64; 6]).unwrap();
        for wrong in [
            json!({"reshape": "$x", "shape": [4, -1]}),
            json!({"reshape": "$x", "shape": [-1, -1]}),
            json!({"reshape": "$x", "shape": [7]}),
            json!({"reshape": "$x", "shape": [-2, -3]}),
            json!({"reshape": "$x"}),
            json!({"argmax": "$x", "axis": 2}),
            json!({"argmax": "$x", "shape": [2]}),
            json!({"argmax": "$x", "dtype": "no dtype"}),
        ] {
            assert!(of(&wrong, &tensor).is_err(), "{wrong}");
        }
        let empty = Tensor::from_vec(&[2, 0], Vec::<i64>::new()).unwrap();
        assert!(of(&json!({"argmax": "$x"}), &empty).is_err());
        assert_eq!(
            of(&json!({"argmax": "$x", "axis": 0}), &empty).unwrap().0,
            [0]
        );
    }
}
