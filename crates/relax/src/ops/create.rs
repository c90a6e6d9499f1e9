//! Operators that create a tensor with a shape, or like another tensor: full, zeros, arange, eye, one_hot; and tril,
//! triu.

use super::join::ceildiv;
use super::{
    At, Call, Default, Infer, Kind, Numbers, OpDef, OpErrorKind, Param, Stop, explicit_dims, opt,
    req, tensor, tensor_of_ndim, with_dims, with_ndim, with_shape,
};
use crate::dialect::Dialect;
use crate::dtype::{Code, DType};
use crate::release::{Release, Releases};
use crate::sinfo::{StructInfo, Tensor, TensorShape};
use crate::sym::SymExpr;
use crate::value::Value;

const SOURCE: &str = "src/relax/op/tensor/create.cc";

const SHAPE: Param = req("shape", Kind::Shape).doc("The shape of the new tensor.");
const DTYPE: Param = req("dtype", Kind::DType).doc("The dtype of the new tensor.");
const DTYPE_LIKE: Param = opt("dtype", Kind::DType, Default::None)
    .doc("The dtype of the new tensor; that of `x` if absent.");
const LIKE: Param = req("x", Kind::Tensor).doc("The tensor that gives the shape.");
const FILL: Param = req("fill_value", Kind::Tensor).doc("The value, a tensor of no dimensions.");
const TRIANGLE: &[Param] = &[
    req("x", Kind::Tensor).doc("The input tensor, of two dimensions or more."),
    opt("k", Kind::Int, Default::Int(0))
        .symbolic()
        .doc("The diagonal: 0 is the main one, positive ones lie above it."),
];

pub(super) static OPS: &[OpDef] = &[
    OpDef::new(
        "relax.full",
        &[
            SHAPE,
            FILL,
            opt("dtype", Kind::DType, Default::None)
                .doc("The dtype of the new tensor; that of `fill_value` if absent."),
        ],
        infer_full,
    )
    .doc(
        "A tensor filled with one value.",
        "shape · fill_value: () → shape",
        "R.full((n, 4), R.const(1.0, \"float32\"))",
    )
    .source(SOURCE)
    .usage(38),
    OpDef::new(
        "relax.full_like",
        &[LIKE, FILL, DTYPE_LIKE],
        infer_full_like,
    )
    .doc(
        "A tensor with the shape of another, filled with one value.",
        "x: (…) · fill_value: () → (…)",
        "R.full_like(x, R.const(1.0, \"float32\"))",
    )
    .source(SOURCE),
    OpDef::new("relax.zeros", &[SHAPE, DTYPE], infer_constant)
        .doc(
            "A tensor of zeros.",
            "shape → shape",
            "R.zeros((n, 4), \"float32\")",
        )
        .source(SOURCE)
        .usage(22),
    OpDef::new("relax.zeros_like", &[LIKE, DTYPE_LIKE], infer_constant_like)
        .doc(
            "Zeros of another tensor's shape.",
            "x: (…) → (…)",
            "R.zeros_like(x)",
        )
        .source(SOURCE),
    OpDef::new("relax.ones", &[SHAPE, DTYPE], infer_constant)
        .doc(
            "A tensor of ones.",
            "shape → shape",
            "R.ones((n, 4), \"float32\")",
        )
        .source(SOURCE)
        .usage(27),
    OpDef::new("relax.ones_like", &[LIKE, DTYPE_LIKE], infer_constant_like)
        .doc(
            "Ones of another tensor's shape.",
            "x: (…) → (…)",
            "R.ones_like(x)",
        )
        .source(SOURCE),
    OpDef::new(
        "relax.eye",
        &[
            req("n", Kind::Int)
                .numbers(Numbers::NoVariables)
                .doc("The number of rows."),
            opt("m", Kind::Int, Default::None)
                .numbers(Numbers::NoVariables)
                .doc("The number of columns; `n` if absent."),
            opt("k", Kind::Int, Default::Int(0))
                .numbers(Numbers::NoVariables)
                .doc("The index of the diagonal with the ones."),
            opt("dtype", Kind::DType, Default::Str("float32")).doc("The dtype of the new tensor."),
        ],
        infer_eye,
    )
    .releases(Releases::since(Release::V0_19))
    .doc(
        "A matrix with ones on a diagonal and zeros elsewhere.",
        "n · m → (n, m)",
        "R.eye(3, dtype=\"float32\")",
    )
    .source(SOURCE),
    OpDef::new(
        "relax.eye_like",
        &[
            req("x", Kind::Tensor).doc("The matrix that gives the shape."),
            opt("k", Kind::Int, Default::Int(0))
                .symbolic()
                .doc("The index of the diagonal with the ones."),
            DTYPE_LIKE,
        ],
        infer_eye_like,
    )
    .releases(Releases::since(Release::V0_19))
    .doc(
        "A matrix with the shape of another, with ones on a diagonal.",
        "x: (n, m) → (n, m)",
        "R.eye_like(x)",
    )
    .source(SOURCE),
    OpDef::new(
        "relax.arange",
        &[
            req("start", Kind::Int).numbers(Numbers::NoVariables).doc(
                "The first value; if it is the only bound, it is the end, and the start is 0.",
            ),
            opt("end", Kind::Int, Default::None)
                .numbers(Numbers::NoVariables)
                .doc("The end, exclusive."),
            opt("step", Kind::Int, Default::Int(1))
                .numbers(Numbers::NoVariables)
                .doc("The step between two values."),
            opt("dtype", Kind::DType, Default::None).doc(
                "The dtype of the new tensor; int64 if all others are integers, else float32.",
            ),
        ],
        infer_arange,
    )
    .doc(
        "Evenly spaced values.",
        "start · end · step → ((end - start + step - 1) // step,)",
        "R.arange(0, n, 1, dtype=\"int64\")",
    )
    .source(SOURCE)
    .usage(36),
    OpDef::new(
        "relax.hamming_window",
        &[
            req("window_size", Kind::Int)
                .numbers(Numbers::NoVariables)
                .doc("The number of values."),
            req("periodic", Kind::Bool)
                .numbers(Numbers::NoVariables)
                .doc("For a periodic window, else a symmetric one."),
            req("alpha", Kind::Float)
                .numbers(Numbers::NoVariables)
                .doc("The coefficient alpha."),
            req("beta", Kind::Float)
                .numbers(Numbers::NoVariables)
                .doc("The coefficient beta."),
            req("dtype", Kind::DType).doc("The dtype of the new tensor, a float dtype."),
        ],
        infer_hamming_window,
    )
    .doc(
        "The values of a Hamming window.",
        "window_size → (window_size,)",
        "R.hamming_window(16, True, 0.54, 0.46, \"float32\")",
    )
    .releases(Releases::since(Release::V0_21))
    .source(SOURCE),
    OpDef::new("relax.tril", TRIANGLE, infer_triangle)
        .doc(
            "The lower triangle of each matrix, zeros elsewhere.",
            "x: (…, n, m) → (…, n, m)",
            "R.tril(x, k=0)",
        )
        .source(SOURCE),
    OpDef::new("relax.triu", TRIANGLE, infer_triangle)
        .doc(
            "The upper triangle of each matrix, zeros elsewhere.",
            "x: (…, n, m) → (…, n, m)",
            "R.triu(x, k=0)",
        )
        .source(SOURCE),
    OpDef::new(
        "relax.one_hot",
        &[
            req("indices", Kind::Tensor).doc("The integer positions of the on value."),
            req("on_value", Kind::Expr).doc("The value at the index, a scalar."),
            req("off_value", Kind::Expr).doc("The value elsewhere, a scalar of the same dtype."),
            req("depth", Kind::Int).doc("The extent of the new dimension."),
            opt("axis", Kind::Int, Default::Int(-1))
                .doc("The position of the new dimension in the result."),
        ],
        infer_one_hot,
    )
    .releases(Releases::since(Release::V0_19))
    .doc(
        "A one-hot vector for each index.",
        "indices: (n,) · depth → (n, depth)",
        "R.one_hot(indices, R.prim_value(1), R.prim_value(0), depth=10)",
    )
    .source("src/relax/op/tensor/manipulate.cc")
    .familiar(&["onehot"]),
];

fn fill_value(c: &Call<'_>) -> Result<Tensor, Stop> {
    let fill = c.tensor(1)?;
    if fill.ndim() == Some(0) {
        return Ok(fill);
    }
    let message = match fill.ndim() {
        Some(ndim) => format!(
            "`{}` must be a scalar tensor, but has rank {ndim}",
            c.name(1)
        ),
        None => format!("`{}` must be known to be a scalar tensor", c.name(1)),
    };
    Err(c.error(OpErrorKind::Rank, At::param(1), message))
}

fn infer_full(c: &Call<'_>) -> Infer {
    let shape = c.target_shape(0)?;
    let mut like = fill_value(c)?;
    if let Some(dtype) = c.dtype(2)? {
        like.dtype = Some(dtype);
    }
    Ok(with_shape(&like, shape))
}

fn infer_full_like(c: &Call<'_>) -> Infer {
    let data = c.tensor(0)?;
    fill_value(c)?;
    of_dtype(c, data, 2)
}

fn of_dtype(c: &Call<'_>, mut data: Tensor, i: usize) -> Infer {
    if let Some(dtype) = c.dtype(i)? {
        data.dtype = Some(dtype);
    }
    Ok(data.into())
}

fn infer_constant(c: &Call<'_>) -> Infer {
    let shape = c.target_shape(0)?;
    let dtype = c.dtype(1)?;
    // Since TVM 0.26, `""` and `"void"` are dtypes like others.
    let may_be_void = c.release.dialect() >= Dialect::Type && c.is_given(1);
    if dtype.is_none() && !may_be_void {
        return Err(c.error(OpErrorKind::DType, At::param(1), "a dtype must be given"));
    }
    let like = Tensor::of_ndim(None, dtype);
    Ok(with_shape(&like, shape))
}

fn infer_constant_like(c: &Call<'_>) -> Infer {
    let data = c.tensor(0)?;
    of_dtype(c, data, 1)
}

/// Returns a scalar operand as an integer expression, or `None` if its value is unknown.
fn extent(c: &Call<'_>, i: usize) -> Result<Option<SymExpr>, Stop> {
    let value = c.value(i);
    match value.sym() {
        Some(expr) => Ok(Some(expr)),
        None => c.prim(i).map(|prim| prim.value),
    }
}

/// Like `extent`, for a scalar that becomes a dimension directly, so it must be an int64.
fn dimension(c: &Call<'_>, i: usize) -> Result<Option<SymExpr>, Stop> {
    let is_wrong = match c.value(i) {
        Value::Float(_) => true,
        Value::Expr(StructInfo::Prim(prim)) => prim.dtype.is_some_and(|it| it != DType::I64),
        _ => false,
    };
    if is_wrong {
        return Err(c.wrong_kind(i, "an int64"));
    }
    extent(c, i)
}

fn infer_eye(c: &Call<'_>) -> Infer {
    let n = dimension(c, 0)?;
    let m = if c.is_given(1) {
        dimension(c, 1)?
    } else {
        n.clone()
    };
    let dtype = c.dtype(3)?;
    Ok(match (n, m) {
        (Some(n), Some(m)) => tensor(vec![n, m], dtype),
        _ => tensor_of_ndim(Some(2), dtype),
    })
}

fn infer_eye_like(c: &Call<'_>) -> Infer {
    let data = c.tensor(0)?;
    if let Some(ndim) = data.ndim().filter(|&n| n != 2) {
        let message = format!("`{}` must have 2 dimensions, but has {ndim}", c.name(0));
        return Err(c.error(OpErrorKind::Rank, At::param(0), message));
    }
    if matches!(data.shape, TensorShape::Unknown(_)) {
        let message = format!("the shape of `{}` must be known", c.name(0));
        return Err(c.error(OpErrorKind::Shape, At::param(0), message));
    }
    of_dtype(c, data, 2)
}

fn infer_arange(c: &Call<'_>) -> Infer {
    let (start, end) = if c.is_given(1) {
        (c.value(0), c.value(1))
    } else {
        (Value::Int(0), c.value(0))
    };
    let step = c.value(2);
    let mut integers = true;
    for (value, i) in [(&start, 0), (&end, usize::from(c.is_given(1))), (&step, 2)] {
        match value.struct_info() {
            Some(StructInfo::Prim(prim)) => {
                integers &= prim.dtype.is_none_or(|d| d.code == Code::Int);
            }
            Some(StructInfo::Unknown) => return Err(Stop::Unknown),
            _ => return Err(c.wrong_kind(i, "a scalar")),
        }
    }
    let default = if integers { DType::I64 } else { DType::F32 };
    let dtype = Some(c.dtype(3)?.unwrap_or(default));
    let count = if integers {
        match (start.sym(), end.sym(), step.sym()) {
            (Some(start), Some(end), Some(step)) => {
                if step.as_int() == Some(0) {
                    let message = "the step must not be `0`";
                    return Err(c.error(OpErrorKind::Value, At::param(2), message));
                }
                Some(ceildiv(&end.sub(&start), &step))
            }
            _ => None,
        }
    } else {
        number(&start)
            .zip(number(&end))
            .zip(number(&step))
            .map(|((start, end), step)| (f64::from((end - start) as f32) / step).ceil())
            .filter(|count| count.is_finite())
            .map(|count| SymExpr::int(count as i64))
    };
    Ok(match count {
        Some(count) => tensor(vec![count], dtype),
        None => tensor_of_ndim(Some(1), dtype),
    })
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Int(value) => Some(*value as f64),
        Value::Float(value) => Some(*value),
        other => other.sym()?.as_int().map(|value| value as f64),
    }
}

fn infer_hamming_window(c: &Call<'_>) -> Infer {
    let dtype = c.dtype(4)?;
    if let Some(dtype) = dtype.filter(|d| d.is_int()) {
        let message = format!("`{dtype}` is not a float dtype");
        return Err(c.error(OpErrorKind::DType, At::param(4), message));
    }
    if let Value::Float(_) = c.value(0) {
        return Err(c.wrong_kind(0, "an integer"));
    }
    let Some(size) = extent(c, 0)? else {
        return Ok(tensor_of_ndim(Some(1), dtype));
    };
    if size.as_int().is_some_and(|size| size < 1) {
        let message = format!("the number of values must be positive, but is `{size}`");
        return Err(c.error(OpErrorKind::Value, At::param(0), message));
    }
    Ok(tensor(vec![size], dtype))
}

fn infer_triangle(c: &Call<'_>) -> Infer {
    let data = c.tensor(0)?;
    match c.prim(1) {
        Ok(_) | Err(Stop::Unknown) => {}
        Err(error) => return Err(error),
    }
    if let Some(ndim) = data.ndim().filter(|&n| n < 2) {
        let message = format!(
            "`{}` must have at least 2 dimensions, but has {ndim}",
            c.name(0)
        );
        return Err(c.error(OpErrorKind::Rank, At::param(0), message));
    }
    Ok(data.into())
}

/// Returns a tensor operand with integer indices.
pub(super) fn integer_operand(c: &Call<'_>, i: usize) -> Result<Tensor, Stop> {
    let indices = c.tensor(i)?;
    match indices.dtype {
        Some(dtype) if !dtype.is_int() => {
            let message = format!(
                "`{}` is `{dtype}` but must have an integer dtype",
                c.name(i)
            );
            let error = c.error(OpErrorKind::DType, At::param(i), message);
            Err(error.between(dtype, DType::I64))
        }
        _ => Ok(indices),
    }
}

fn infer_one_hot(c: &Call<'_>) -> Infer {
    let (on, off) = (c.prim(1)?, c.prim(2)?);
    if let (Some(a), Some(b)) = (on.dtype, off.dtype)
        && a != b
    {
        let message = format!("`{}` is `{a}` but `{}` is `{b}`", c.name(1), c.name(2));
        return Err(c.error_with(
            OpErrorKind::DType,
            At::param(2),
            message,
            At::param(1),
            format!("`{a}` here"),
        ));
    }
    let mut indices = integer_operand(c, 0)?;
    let depth = c.int(3)?;
    if let Some(depth) = depth.filter(|&d| d <= 0) {
        let message = format!("the depth must be positive, but is `{depth}`");
        return Err(c.error(OpErrorKind::Value, At::param(3), message));
    }
    indices.dtype = on.dtype;
    let Some(ndim) = indices.ndim() else {
        return Ok(with_ndim(&indices, None));
    };
    let (Some(dims), Some(depth)) = (explicit_dims(&indices), depth) else {
        return Ok(with_ndim(&indices, Some(ndim + 1)));
    };
    let mut dims = dims.to_vec();
    let axis = c.axis(4, ndim + 1)?.unwrap_or(ndim);
    dims.insert(axis, SymExpr::int(depth));
    Ok(with_dims(&indices, dims))
}
