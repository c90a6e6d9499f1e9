//! Compares products with plain loops.

use super::*;
use crate::random::Random;

fn numbers<T: Product>(of: &[T]) -> Elements<'_, T> {
    Elements::Numbers(Cow::Borrowed(of))
}

/// The reference: one multiplication after the other.
fn naive(nest: &Nest, a: &[i64], b: &[i64], c: &mut [i64], start: Start<i64>) {
    if let Start::Value(value) = start {
        visit(nest, &mut |[_, _, c_at]| c[c_at] = value);
    }
    visit(nest, &mut |[a_at, b_at, c_at]| c[c_at] += a[a_at] * b[b_at]);
}

fn visit(nest: &Nest, at: &mut dyn FnMut([usize; 3])) {
    let total: usize = nest.dims.iter().map(|dim| dim.extent).product();
    for number in 0..total {
        let (mut rest, mut places) = (number, nest.from);
        for dim in &nest.dims {
            let i = (rest % dim.extent) as isize;
            rest /= dim.extent;
            for (place, step) in places.iter_mut().zip([dim.a, dim.b, dim.c]) {
                *place += step * i;
            }
        }
        at(places.map(|it| it as usize));
    }
}

/// Returns a random nest whose result has one element for each iteration of the loops with a stride in it.
fn random_nest(random: &mut Random) -> Nest {
    let mut below = |limit: u64| (random.next_u64() % limit) as isize;
    let mut nest = Nest {
        dims: Vec::new(),
        from: [0; 3],
    };
    let mut far = 1;
    for _ in 0..=below(5) {
        let extent = [1, 2, 3, 5, 8][below(5) as usize];
        let mut dim = Dim {
            extent,
            a: [0, 1, 2, 3, 7, -1, -4][below(7) as usize],
            b: [0, 1, 5, 1, 0, -2, 12][below(7) as usize],
            c: [0, 1, 1, -1][below(4) as usize] * far,
        };
        if dim.c != 0 {
            far += dim.c.abs() * (extent as isize - 1) + below(2);
        }
        if below(4) == 0 {
            (dim.a, dim.b) = (dim.b, dim.a);
        }
        for (from, step) in nest.from.iter_mut().zip([dim.a, dim.b, dim.c]) {
            *from -= step.min(0) * (extent as isize - 1);
        }
        nest.dims.push(dim);
    }
    for at in (1..nest.dims.len()).rev() {
        nest.dims.swap(at, below(at as u64 + 1) as usize);
    }
    nest
}

#[test]
fn any_nest_gives_the_result_of_its_loops() {
    let mut random = Random::new(7);
    for _ in 0..3000 {
        let nest = random_nest(&mut random);
        let reach = |of: usize| {
            let far = |dim: &Dim| [dim.a, dim.b, dim.c][of].abs() * (dim.extent as isize - 1);
            1 + nest.dims.iter().map(far).sum::<isize>()
        };
        let mut values = |of: usize| -> Vec<i64> {
            (0..reach(of))
                .map(|_| (random.next_u64() % 9) as i64 - 4)
                .collect()
        };
        let (a, b, mut c) = (values(0), values(1), values(2));
        let mut wanted = c.clone();
        for start in [Start::Value(0), Start::Kept, Start::Value(3)] {
            naive(&nest, &a, &b, &mut wanted, start);
            contract(&nest, &numbers(&a), &numbers(&b), &mut c, start).unwrap();
            assert_eq!(c, wanted, "{nest:?} {start:?}");
        }
    }
}

#[test]
fn a_window_too_large_to_gather_at_once_is_gathered_in_parts() {
    let dim = |extent, a, b, c| Dim { extent, a, b, c };
    // Two filters with 700 taps over 4000 positions.
    let nest = Nest {
        dims: vec![dim(2, 700, 0, 4000), dim(4000, 0, 1, 1), dim(700, 1, 1, 0)],
        from: [0; 3],
    };
    let a: Vec<i64> = (0..1400).map(|i| i % 7 - 3).collect();
    let b: Vec<i64> = (0..4699).map(|i| i % 5 - 2).collect();
    let (mut c, mut wanted) = (vec![0; 8000], vec![0; 8000]);
    naive(&nest, &a, &b, &mut wanted, Start::Value(0));
    contract(&nest, &numbers(&a), &numbers(&b), &mut c, Start::Value(0)).unwrap();
    assert_eq!(c, wanted);
}

#[test]
fn a_large_convolution_in_float32_matches_integers() {
    let dim = |extent, a, b, c| Dim { extent, a, b, c };
    let side = 130;
    for step in [1, 2, 3] {
        let extent = (side - 5) / step + 1;
        // Eight filters of 5 by 5 over three channels.
        let nest = Nest {
            dims: vec![
                dim(8, 75, 0, extent * extent),
                dim(extent as usize, 0, side * step, extent),
                dim(extent as usize, 0, step, 1),
                dim(3, 25, side * side, 0),
                dim(5, 5, side, 0),
                dim(5, 1, 1, 0),
            ],
            from: [0; 3],
        };
        let a: Vec<i64> = (0..600).map(|i| i % 7 - 3).collect();
        let b: Vec<i64> = (0..3 * side * side).map(|i| i as i64 % 5 - 2).collect();
        let mut wanted = vec![0; (8 * extent * extent) as usize];
        contract(
            &nest,
            &numbers(&a),
            &numbers(&b),
            &mut wanted,
            Start::Value(0),
        )
        .unwrap();
        let floats = |of: &[i64]| of.iter().map(|&it| it as f32).collect::<Vec<f32>>();
        let (a, b, mut c) = (floats(&a), floats(&b), vec![f32::NAN; wanted.len()]);
        contract(&nest, &numbers(&a), &numbers(&b), &mut c, Start::Value(0.0)).unwrap();
        assert_eq!(c, floats(&wanted), "{step}");
    }
}

#[test]
fn float16_results_match_float32() {
    let mut random = Random::new(11);
    for _ in 0..1000 {
        let nest = random_nest(&mut random);
        let reach = |of: usize| {
            let far = |dim: &Dim| [dim.a, dim.b, dim.c][of].abs() * (dim.extent as isize - 1);
            1 + nest.dims.iter().map(far).sum::<isize>()
        };
        let mut values = |of: usize| -> Vec<f32> {
            (0..reach(of))
                .map(|_| (random.next_u64() % 9) as f32 - 4.0)
                .collect()
        };
        let (a, b, mut c) = (values(0), values(1), values(2));
        let half = |of: &[f32]| -> Vec<half::f16> {
            of.iter().map(|&it| half::f16::from_f32(it)).collect()
        };
        let (narrow_a, narrow_b) = (half(&a), half(&b));
        let mut wanted = c.clone();
        contract(&nest, &numbers(&a), &numbers(&b), &mut wanted, Start::Kept).unwrap();
        let [narrow_a, narrow_b] =
            [&narrow_a, &narrow_b].map(|it| Elements::Narrow(Narrow::F16(it)));
        contract(&nest, &narrow_a, &narrow_b, &mut c, Start::Kept).unwrap();
        assert_eq!(c, wanted, "{nest:?}");
    }
}
