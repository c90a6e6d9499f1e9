//! Tests of slices, histograms and differences of small tensors.

use expect_test::{Expect, expect};
use vm::tensor::Tensor;

use super::*;

/// 0, 1, 2, ...
fn counting(shape: &[usize]) -> Tensor {
    let count = shape.iter().product();
    Tensor::from_vec(shape, (0..count).map(|i: usize| i as f32).collect()).unwrap()
}

fn check(shape: &[usize], choice: &Choice, expect: Expect) {
    let shown = match slice(&counting(shape), choice) {
        Ok(slice) => {
            let rows = slice.values.iter().map(|row| {
                let cells: Vec<String> = row.iter().map(ToString::to_string).collect();
                cells.join(" ")
            });
            rows.collect::<Vec<_>>().join("\n")
        }
        Err(error) => error,
    };
    expect.assert_eq(&shown);
}

#[test]
fn the_last_two_axes_are_shown_unless_others_are_chosen() {
    check(
        &[2, 2, 3],
        &Choice::default(),
        expect![[r#"
            0 1 2
            3 4 5"#]],
    );
    let choice = Choice {
        rows: Some(2),
        columns: Some(0),
        at: vec![0, 1, 0],
        part: None,
    };
    check(
        &[2, 2, 3],
        &choice,
        expect![[r#"
            3 9
            4 10
            5 11"#]],
    );
}

#[test]
fn a_vector_is_one_row_and_a_scalar_one_cell() {
    check(&[3], &Choice::default(), expect!["0 1 2"]);
    check(&[], &Choice::default(), expect!["0"]);
    check(&[0, 3], &Choice::default(), expect![""]);
}

#[test]
fn a_part_is_cut_to_the_slice() {
    let choice = Choice {
        part: Some([1, 2, 9, 9]),
        ..Choice::default()
    };
    check(
        &[3, 4],
        &choice,
        expect![[r#"
            6 7
            10 11"#]],
    );
}

#[test]
fn axes_and_indices_out_of_range_are_refused() {
    let at = |at: Vec<usize>| Choice {
        at,
        ..Choice::default()
    };
    check(&[2, 3, 3], &at(vec![2]), expect!["axis 0 has 2 elements"]);
    let axes = |rows, columns| Choice {
        rows: Some(rows),
        columns: Some(columns),
        ..Choice::default()
    };
    check(&[2, 2], &axes(0, 2), expect!["the tensor has 2 axes"]);
    check(
        &[2, 2],
        &axes(1, 1),
        expect!["rows and columns must be different axes"],
    );
}

#[test]
fn each_axis_is_pooled_alone_by_the_largest_magnitude() {
    let slice = slice(&counting(&[2, 256]), &Choice::default()).unwrap();
    assert_eq!(
        (slice.pool, slice.values.len(), slice.values[0].len()),
        ([1, 2], 2, 128)
    );
    assert_eq!(slice.values[1][0].to_string(), "257");
}

#[test]
fn a_negative_value_of_large_magnitude_is_kept() {
    let mut values = vec![1.0_f32; 200];
    values[1] = -7.0;
    let tensor = Tensor::from_vec(&[200], values).unwrap();
    let slice = slice(&tensor, &Choice::default()).unwrap();
    assert_eq!(slice.values[0][0].to_string(), "-7");
}

#[test]
fn axes_of_one_element_are_not_shown() {
    let slice = slice(&counting(&[3, 4, 1]), &Choice::default()).unwrap();
    assert_eq!((slice.rows, slice.columns), (Some(0), Some(1)));
}

#[test]
fn a_pooled_cell_with_nan_is_nan() {
    let mut values = vec![1.0_f32; 200];
    values[199] = f32::NAN;
    let tensor = Tensor::from_vec(&[200], values).unwrap();
    let slice = slice(&tensor, &Choice::default()).unwrap();
    assert_eq!(slice.values[0].last().unwrap().to_string(), "nan");
}

#[test]
fn a_histogram_counts_finite_elements_from_least_to_greatest() {
    let tensor = Tensor::from_vec(&[5], vec![0.0_f32, 0.0, 1.0, f32::NAN, f32::INFINITY]).unwrap();
    let summary = tensor.summary(0).unwrap();
    let found = histogram(&tensor, summary.min, summary.max).unwrap();
    assert_eq!((found.from, found.to), (0.0, 1.0));
    assert_eq!((found.counts[0], found.counts[BINS - 1]), (2, 1));
    assert_eq!(found.counts.iter().sum::<u64>(), 3);
}

#[test]
fn equal_values_take_one_bin() {
    let tensor = Tensor::from_vec(&[3], vec![2.0_f32; 3]).unwrap();
    assert_eq!(
        histogram(&tensor, Some(2.0), Some(2.0)).unwrap().counts,
        [3]
    );
}

#[test]
fn a_difference_needs_equal_shapes() {
    let two = |values: Vec<f32>| Tensor::from_vec(&[2], values).unwrap();
    let found = difference(
        &two(vec![3.0, f32::INFINITY]),
        &two(vec![1.0, f32::INFINITY]),
    )
    .unwrap();
    let shown: Vec<String> = list(&found)
        .unwrap()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(shown, ["2", "0"]);
    let error = difference(&two(vec![1.0, 2.0]), &counting(&[3])).unwrap_err();
    assert_eq!(error, "their shapes differ: (2,) and (3,)");
}

#[test]
fn a_long_tensor_is_not_listed() {
    assert_eq!(list(&counting(&[LISTED])).unwrap().len(), LISTED);
    assert!(list(&counting(&[LISTED + 1])).is_none());
}
