//! Tensors of every dtype.

use super::{Kind, Scalar, Tensor, alloc};
use crate::error::Fault;

#[test]
fn every_kind_casts_to_every_kind_and_keeps_small_numbers() {
    for from in Kind::all() {
        for to in Kind::all() {
            let x = Tensor::from_vec(&[3], vec![0i32, 1, 1])
                .unwrap()
                .cast(from)
                .unwrap();
            let y = x.cast(to).unwrap();
            assert_eq!(y.kind(), to);
            let back: Vec<f64> = (0..3).map(|i| y.get(i).unwrap().as_f64()).collect();
            assert_eq!(back, [0.0, 1.0, 1.0], "{from:?} to {to:?}");
        }
    }
}

#[test]
fn integers_wrap_and_floats_truncate() {
    let x = Tensor::from_vec(&[3], vec![300i64, -1, 128]).unwrap();
    let y = x.cast(Kind::U8).unwrap();
    assert_eq!(&*y.values::<u8>().unwrap(), &[44, 255, 128]);
    let x = Tensor::from_vec(&[3], vec![2.9f32, -2.9, 0.5]).unwrap();
    let y = x.cast(Kind::I32).unwrap();
    assert_eq!(&*y.values::<i32>().unwrap(), &[2, -2, 0]);
    let y = x.cast(Kind::Bool).unwrap();
    assert_eq!(y.get(2), Some(Scalar::Bool(true)));
}

#[test]
fn a_permuted_view_shares_elements_and_reads_in_its_own_order() {
    let x = Tensor::from_fn(&[2, 3], |i| i as f32).unwrap();
    let y = x.permuted(&[1, 0]).unwrap();
    assert!(!y.is_contiguous());
    assert_eq!(&*y.values::<f32>().unwrap(), &[0., 3., 1., 4., 2., 5.]);
    assert_eq!(y.get(1), Some(Scalar::Float(3.0)));
    assert_eq!(
        &*y.reshaped(&[6]).unwrap().values::<f32>().unwrap(),
        &[0., 3., 1., 4., 2., 5.]
    );
    assert!(x.permuted(&[0, 0]).is_err());
}

#[test]
fn writing_to_a_clone_leaves_the_original() {
    let x = Tensor::zeros(Kind::F32, &[2]).unwrap();
    let mut y = x.clone();
    y.values_mut::<f32>().unwrap()[0] = 1.0;
    assert_eq!(x.get(0), Some(Scalar::Float(0.0)));
    assert_eq!(y.get(0), Some(Scalar::Float(1.0)));
}

#[test]
fn a_shape_too_large_for_memory_is_an_error() {
    for shape in [vec![usize::MAX, 2], vec![1 << 40, 1 << 20], vec![1 << 62]] {
        let error = Tensor::zeros(Kind::F64, &shape).unwrap_err();
        assert!(matches!(error.fault, Fault::OutOfMemory { .. }), "{error}");
    }
    assert!(alloc::peak() >= alloc::live() || alloc::live() == 0);
}

#[test]
fn a_summary_counts_what_is_not_finite() {
    let x = Tensor::from_vec(&[4], vec![1.0f32, f32::NAN, -3.0, f32::INFINITY]).unwrap();
    let s = x.summary(1).unwrap();
    assert_eq!((s.nan, s.inf, s.sum, s.abs_sum), (1, 1, -2.0, 4.0));
    assert_eq!(
        (s.min, s.max, s.first),
        (Some(-3.0), Some(1.0), vec![Scalar::Float(1.0)])
    );
}

#[test]
fn bytes_read_back() {
    let x = Tensor::from_vec(&[2], vec![1i16, -2]).unwrap();
    let y = Tensor::from_bytes(Kind::I16, &[2], &x.bytes().unwrap()).unwrap();
    assert_eq!(&*y.values::<i16>().unwrap(), &[1, -2]);
    assert!(Tensor::from_bytes(Kind::I16, &[2], &[0; 3]).is_err());
}
