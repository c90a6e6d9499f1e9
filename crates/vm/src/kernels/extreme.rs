//! Maxima and minima of floats as TVM's loops find them: one element after the other, where of an unordered pair, and of
//! equal numbers, the later one is kept. So NaN hides what is before it, and the sign of a zero is that of the last.

use num_traits::Float;

const LANES: usize = 16;

/// Folds a run by `choose`, which returns one of its operands. The result is as if in order.
pub fn fold<T: Float>(start: T, run: &[T], choose: impl Fn(T, T) -> T + Copy) -> T {
    let in_order = || run.iter().fold(start, |found, &it| choose(found, it));
    // Whether NaN propagates depends on its position.
    if run.iter().fold(false, |found, it| found | it.is_nan()) {
        return in_order();
    }
    let (chunks, rest) = run.as_chunks::<LANES>();
    let Some((first, chunks)) = chunks.split_first() else {
        return in_order();
    };
    let mut lanes = *first;
    for chunk in chunks {
        for (lane, &value) in lanes.iter_mut().zip(chunk) {
            *lane = choose(*lane, value);
        }
    }
    let all = lanes.iter().chain(rest);
    let made = all.fold(start, |found, &it| choose(found, it));
    // The sign of zero depends on the order, too.
    if made.is_zero() { in_order() } else { made }
}

/// Returns the first operand if it is larger, and otherwise the second.
pub fn larger<T: PartialOrd>(a: T, b: T) -> T {
    if a > b { a } else { b }
}

/// Returns the first operand if it is smaller, and otherwise the second.
pub fn smaller<T: PartialOrd>(a: T, b: T) -> T {
    if a < b { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::{fold, larger};

    #[test]
    fn a_run_is_folded_as_if_in_order() {
        let mut run: Vec<f32> = (0..100u8).map(|it| f32::from(it % 37)).collect();
        assert_eq!(fold(f32::MIN, &run, larger), 36.0);
        run[90] = f32::NAN;
        run[91..].fill(5.0);
        assert_eq!(fold(f32::MIN, &run, larger), 5.0);
        run[99] = f32::NAN;
        assert!(fold(f32::MIN, &run, larger).is_nan());
        let mut zeros = vec![0.0f32; 40];
        zeros[39] = -0.0;
        assert!(fold(f32::MIN, &zeros, larger).is_sign_negative());
        zeros.swap(38, 39);
        assert!(fold(f32::MIN, &zeros, larger).is_sign_positive());
    }
}
