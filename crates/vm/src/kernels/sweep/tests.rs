//! Compares expressions, copies and folds with plain loops.

use half::{bf16, f16};

use super::*;
use crate::random::Random;

/// Visits the positions of the result and the operand in each iteration, the first loop outermost.
fn visit(dims: &[Dim], mut at: (isize, isize), see: &mut dyn FnMut(usize, usize)) {
    match dims {
        [] => see(at.0 as usize, at.1 as usize),
        [dim, rest @ ..] => {
            for _ in 0..dim.extent {
                visit(rest, at, see);
                at = (at.0 + dim.c, at.1 + dim.of[0]);
            }
        }
    }
}

/// Returns random loops over a row-major result and over folded dimensions, and the operand's first position.
fn random_loops(random: &mut Random) -> (Vec<Dim>, isize) {
    let mut below = |limit: u64| (random.next_u64() % limit) as usize;
    let (mut dims, mut size, mut from) = (Vec::new(), 1, 0);
    for _ in 0..=below(4) {
        let extent = [1, 2, 3, 17, 40][below(5)];
        let of = [0, 1, 1, 2, 7, 40, -1][below(7)];
        let is_kept = below(3) > 0;
        from -= of.min(0) * (extent as isize - 1);
        dims.push(Dim {
            extent,
            c: if is_kept { size } else { 0 },
            of: vec![of],
            inside: None,
        });
        size *= if is_kept { extent as isize } else { 1 };
    }
    for at in (1..dims.len()).rev() {
        dims.swap(at, below(at as u64 + 1));
    }
    (dims, from)
}

#[test]
fn any_nest_gives_the_result_of_its_loops() {
    let mut random = Random::new(11);
    for _ in 0..400 {
        let (dims, from) = random_loops(&mut random);
        let reach: isize = dims
            .iter()
            .map(|dim| dim.of[0].abs() * (dim.extent as isize - 1))
            .sum();
        let x: Vec<f32> = (0..=reach)
            .map(|_| (random.next_u64() % 9) as f32 - 4.0)
            .collect();
        let sweep = Sweep::new(dims.clone(), 3, vec![from]).unwrap();
        let size = 3 + count(&sweep.kept);
        let ops = [Op::Load(0), Op::Constant(2.0), Op::Mul];
        for how in [Fold::Sum, Fold::Min, Fold::Max] {
            let (mut c, mut wanted) = (vec![1.0; size], vec![1.0; size]);
            fold(
                &sweep,
                &ops,
                &[Elements::F32(&x)],
                &mut c,
                (how, Start::Kept),
            );
            visit(&dims, (3, from), &mut |c, at| {
                wanted[c] = how.of(wanted[c], x[at] * 2.0);
            });
            assert_eq!(c, wanted, "{dims:?} {how:?}");
        }
        if sweep.folded.is_empty() {
            let (mut c, mut wanted) = (vec![0.0; size], vec![0.0; size]);
            map(
                &sweep,
                (&ops, &[]),
                &[Elements::F32(&x)],
                &mut c,
                f32::write,
            );
            visit(&dims, (3, from), &mut |c, at| wanted[c] = x[at] * 2.0);
            assert_eq!(c, wanted, "{dims:?}");
            copy(&sweep, &x, &mut c);
            visit(&dims, (3, from), &mut |c, at| wanted[c] = x[at]);
            assert_eq!(c, wanted, "{dims:?}");
        }
    }
}

#[test]
fn extrema_with_nan_follow_operand_order() {
    let mut run = vec![1.0; 40];
    run[20] = f32::NAN;
    run[3] = 9.0;
    assert_eq!(folded(Fold::Max, 0.0, &run), 1.0);
    run[39] = f32::NAN;
    assert!(folded(Fold::Max, 0.0, &run).is_nan());
}

#[test]
fn vectorised_float16_matches_scalar_float16() {
    let x: Vec<f16> = (0..1300)
        .map(|i| f16::from_f32(i as f32 / 7.0 - 60.0))
        .collect();
    let y: Vec<bf16> = (0..1300).map(|i| bf16::from_f32(i as f32 / 3.0)).collect();
    let dim = |extent, c, of: [isize; 2]| Dim {
        extent,
        c,
        of: of.to_vec(),
        inside: None,
    };
    for steps in [[1, 1], [2, 1], [0, 1]] {
        let dims = vec![dim(600, 1, steps)];
        let sweep = Sweep::new(dims, 0, vec![1, 2]).unwrap();
        let ops = [Op::Load(0), Op::Load(1), Op::Mul, Op::Round(Half::F16)];
        let mut c = vec![f16::ZERO; 600];
        map(
            &sweep,
            (&ops, &[]),
            &[Elements::F16(&x), Elements::BF16(&y)],
            &mut c,
            f16::write,
        );
        for (i, &c) in c.iter().enumerate() {
            let (x, y) = (x[1 + i * steps[0] as usize], y[2 + i]);
            assert_eq!(c, f16::from_f32(x.to_f32() * y.to_f32()));
        }
    }
}

#[test]
fn a_narrow_sum_rounds_each_addition() {
    let ones = vec![f16::ONE; 5000 * 64];
    let dim = |extent, c, step| Dim {
        extent,
        c,
        of: vec![step],
        inside: None,
    };
    // One sum after the other, and many sums at once.
    for (dims, size) in [
        (vec![dim(3, 1, 5000), dim(5000, 0, 1)], 3),
        (vec![dim(64, 1, 1), dim(5000, 0, 64)], 64),
    ] {
        let sweep = Sweep::new(dims, 0, vec![0]).unwrap();
        let mut c = vec![f16::ONE; size];
        let start = (Fold::Sum, Start::Value(0.0));
        fold_narrow(
            &sweep,
            &[Op::Load(0)],
            &[Elements::F16(&ones)],
            &mut c,
            start,
        );
        assert_eq!(c, vec![f16::from_f32(2048.0); size]);
    }
}

#[test]
fn values_outside_the_ranges_are_padding() {
    let x: Vec<f32> = (0..60 * 700).map(|i| i as f32).collect();
    let dim = |extent, c, step, inside| Dim {
        extent,
        c,
        of: vec![step],
        inside,
    };
    for columns in [Some(1..701), Some(0..1), Some(701..702), None] {
        let step = isize::from(columns.is_some());
        let rows = dim(62, 702, 700, Some(1..61));
        let dims = vec![rows, dim(702, 1, step, columns.clone())];
        let first = columns.clone().unwrap_or(0..702).start as isize;
        let sweep = Sweep::new(dims, 0, vec![-700 - first * step]).unwrap();
        let mut c = vec![-1.0; 62 * 702];
        let ops = ([Op::Load(0)], [Op::Constant(7.0)]);
        let x = [Elements::F32(&x)];
        map(&sweep, (&ops.0, &ops.1), &x, &mut c, f32::write);
        for (at, &c) in c.iter().enumerate() {
            let (row, column) = (at / 702, at % 702);
            let is_inside = columns.as_ref().is_none_or(|it| it.contains(&column));
            let wanted = if (1..61).contains(&row) && is_inside {
                ((row - 1) * 700 + (column - first as usize) * step as usize) as f32
            } else {
                7.0
            };
            assert_eq!(c, wanted, "{columns:?} {row} {column}");
        }
    }
}
