//! The visible part of a tensor: a two-dimensional slice, pooled if it has too many cells, and a histogram. Knows no
//! files and no protocol.

use serde::{Deserialize, Serialize};
use vm::tensor::{Scalar, Tensor};

use super::outcome::Number;
use super::summary::number;

/// The maximum number of cells of a slice in each direction.
const CELLS: usize = 128;
/// The maximum number of elements that are listed individually.
const LISTED: usize = 10_000;
const BINS: usize = 32;
/// A histogram of more elements only counts every second, third, ... of them.
const COUNTED: usize = 1 << 22;

/// The slice to show: the axes for rows and columns, and the index along every other axis.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Choice {
    /// `None` for the axis before the columns, without those of one element if there is another.
    pub rows: Option<usize>,
    /// `None` for the last axis, likewise.
    pub columns: Option<usize>,
    /// One index for each axis. Those of rows and columns are ignored; missing ones are 0.
    pub at: Vec<usize>,
    /// The part of the slice to show: top, left, height, width. `None` for all of it.
    pub part: Option<[usize; 4]>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Slice {
    pub rows: Option<usize>,
    pub columns: Option<usize>,
    pub at: Vec<usize>,
    pub part: [usize; 4],
    /// A cell stands for this many rows and columns of elements, and has the value of largest magnitude, or NaN.
    pub pool: [usize; 2],
    pub values: Vec<Vec<Number>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Histogram {
    pub from: f64,
    pub to: f64,
    pub counts: Vec<u64>,
    /// The step between counted elements.
    pub every: usize,
}

/// Returns the slice, or an error message if the choice is invalid.
pub fn slice(tensor: &Tensor, choice: &Choice) -> Result<Slice, String> {
    let shape = tensor.shape();
    let rank = shape.len();
    let last = |other: Option<usize>| {
        let free = || (0..rank).rev().filter(move |&axis| Some(axis) != other);
        free()
            .find(|&axis| shape[axis] > 1)
            .or_else(|| free().next())
    };
    let columns = choice.columns.or_else(|| last(choice.rows));
    let rows = choice.rows.or_else(|| last(columns));
    if [rows, columns]
        .into_iter()
        .flatten()
        .any(|axis| axis >= rank)
    {
        return Err(format!("the tensor has {rank} axes"));
    }
    if rows.is_some() && rows == columns {
        return Err("rows and columns must be different axes".to_owned());
    }
    let extent = |axis: Option<usize>| axis.map_or(1, |axis| shape[axis]);
    let (height, width) = (extent(rows), extent(columns));
    let part = choice.part.unwrap_or([0, 0, height, width]);
    let part = [
        part[0].min(height),
        part[1].min(width),
        part[2].min(height - part[0].min(height)),
        part[3].min(width - part[1].min(width)),
    ];
    let mut at = vec![0; rank];
    let mut start = 0;
    let strides = strides(shape);
    for axis in 0..rank {
        if Some(axis) == rows || Some(axis) == columns {
            continue;
        }
        at[axis] = choice.at.get(axis).copied().unwrap_or(0);
        if at[axis] >= shape[axis] {
            return Err(format!("axis {axis} has {} elements", shape[axis]));
        }
        start += at[axis] * strides[axis];
    }
    let stride = |axis: Option<usize>| axis.map_or(0, |axis| strides[axis]);
    let element = |row: usize, column: usize| {
        let index = start + row * stride(rows) + column * stride(columns);
        tensor
            .get(index)
            .expect("rows and columns must be within the shape")
    };
    let [top, left, height, width] = part;
    // Each axis alone: three rows of a thousand columns keep their rows.
    let pool = [height, width].map(|length| length.div_ceil(CELLS).max(1));
    let cell = |row: usize, column: usize| {
        let rows = row..(row + pool[0]).min(top + height);
        let columns = column..(column + pool[1]).min(left + width);
        let most = rows
            .flat_map(|row| columns.clone().map(move |column| element(row, column)))
            .reduce(|most, next| if outdoes(next, most) { next } else { most });
        number(most.expect("a cell must have an element"))
    };
    let starts = |from: usize, length: usize, pool: usize| (from..from + length).step_by(pool);
    let values = starts(top, height, pool[0])
        .map(|row| {
            starts(left, width, pool[1])
                .map(|column| cell(row, column))
                .collect()
        })
        .collect();
    Ok(Slice {
        rows,
        columns,
        at,
        part,
        pool,
        values,
    })
}

/// Whether a value says more about a cell than another one: NaN, then the larger magnitude.
fn outdoes(a: Scalar, b: Scalar) -> bool {
    let (a, b) = (a.as_f64(), b.as_f64());
    !b.is_nan() && (a.is_nan() || a.abs() > b.abs())
}

/// Returns `None` if no element is finite.
pub fn histogram(tensor: &Tensor, min: Option<f64>, max: Option<f64>) -> Option<Histogram> {
    let (from, to) = (min?, max?);
    let every = tensor.len().div_ceil(COUNTED).max(1);
    // A single value takes one bin.
    let bins = if from < to { BINS } else { 1 };
    let mut counts = vec![0; bins];
    for value in (0..tensor.len())
        .step_by(every)
        .filter_map(|at| tensor.get(at))
    {
        let value = value.as_f64();
        if value.is_finite() {
            let place = if bins == 1 {
                0.0
            } else {
                (value - from) / (to - from)
            };
            counts[((place * bins as f64) as usize).min(bins - 1)] += 1;
        }
    }
    Some(Histogram {
        from,
        to,
        counts,
        every,
    })
}

/// Returns all elements in row-major order, unless there are too many.
pub fn list(tensor: &Tensor) -> Option<Vec<Number>> {
    let all = || {
        (0..tensor.len())
            .filter_map(|at| tensor.get(at))
            .map(number)
    };
    (tensor.len() <= LISTED).then(|| all().collect())
}

/// Returns `a - b` elementwise in float64.
pub fn difference(a: &Tensor, b: &Tensor) -> Result<Tensor, String> {
    if a.shape() != b.shape() {
        let shapes = (
            vm::tensor::show_shape(a.shape()),
            vm::tensor::show_shape(b.shape()),
        );
        return Err(format!(
            "their shapes differ: {} and {}",
            shapes.0, shapes.1
        ));
    }
    let value = |tensor: &Tensor, at: usize| tensor.get(at).map_or(f64::NAN, Scalar::as_f64);
    // Equal infinities do not differ.
    let minus = |a: f64, b: f64| if a == b { 0.0 } else { a - b };
    let values = (0..a.len())
        .map(|at| minus(value(a, at), value(b, at)))
        .collect();
    Tensor::from_vec::<f64>(a.shape(), values).map_err(|error| error.to_string())
}

fn strides(shape: &[usize]) -> Vec<usize> {
    let mut strides = vec![1; shape.len()];
    for axis in (1..shape.len()).rev() {
        strides[axis - 1] = strides[axis] * shape[axis];
    }
    strides
}

#[cfg(test)]
mod tests;
