//! Tests of tensors of every dtype.

use std::sync::Arc;

use super::{Kind, Scalar, SharedBytes, Tensor, alloc};
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
fn a_permuted_view_shares_elements_and_reads_in_logical_order() {
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
fn written_bytes_are_read_back() {
    let x = Tensor::from_vec(&[2], vec![1i16, -2]).unwrap();
    let y = Tensor::from_bytes(Kind::I16, &[2], &x.bytes().unwrap()).unwrap();
    assert_eq!(&*y.values::<i16>().unwrap(), &[1, -2]);
    assert!(Tensor::from_bytes(Kind::I16, &[2], &[0; 3]).is_err());
}

/// Returns bytes that start `padding` bytes after an aligned address.
fn shared(padding: usize, values: &[f32]) -> SharedBytes {
    struct Words(Vec<u64>);
    impl AsRef<[u8]> for Words {
        fn as_ref(&self) -> &[u8] {
            bytemuck::cast_slice(&self.0)
        }
    }
    let mut words = Words(vec![0; values.len() + 1]);
    let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut words.0);
    bytes[padding..][..size_of_val(values)].copy_from_slice(bytemuck::cast_slice(values));
    Arc::new(words)
}

fn at(tensor: &Tensor) -> *const u8 {
    tensor.bytes().unwrap().as_ptr()
}

#[test]
fn a_tensor_borrows_bytes_until_it_is_written_to() {
    let bytes = shared(4, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let x = Tensor::borrowing(Kind::F32, &[2, 3], &bytes, 4).unwrap();
    let y = x.permuted(&[1, 0]).unwrap();
    let z = x.reshaped(&[3, 2]).unwrap();
    let place = (*bytes).as_ref()[4..].as_ptr();
    assert_eq!((at(&x), at(&z), z.shape()), (place, place, &[3, 2][..]));
    assert_eq!(*y.values::<f32>().unwrap(), [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
    for mut it in [x.clone(), y, z] {
        it.values_mut::<f32>().unwrap().fill(0.0);
    }
    assert_eq!(x.get(5), Some(Scalar::Float(6.0)));
}

#[test]
fn unaligned_bytes_are_copied() {
    let bytes = shared(3, &[1.0, 2.0]);
    let x = Tensor::borrowing(Kind::F32, &[2], &bytes, 3).unwrap();
    assert_ne!(at(&x), (*bytes).as_ref()[3..].as_ptr());
    assert_eq!(*x.values::<f32>().unwrap(), [1.0, 2.0]);
    let truth = Tensor::borrowing(Kind::Bool, &[1], &bytes, 6).unwrap();
    assert_eq!(*truth.values::<u8>().unwrap(), [1]);
}

#[test]
fn bytes_that_end_too_soon_are_an_error() {
    let bytes = shared(0, &[1.0]);
    for (shape, offset) in [(&[4][..], 4), (&[1], usize::MAX), (&[usize::MAX / 8], 4)] {
        assert!(Tensor::borrowing(Kind::F32, shape, &bytes, offset).is_err());
    }
}
