//! Transposes lanes of a matrix with AVX2.

use std::arch::x86_64::{
    __m256, _mm256_permute2f128_ps, _mm256_shuffle_ps, _mm256_unpackhi_ps, _mm256_unpacklo_ps,
};
use std::array::from_fn;

/// The side of a square that is transposed.
const LINES: usize = 8;

type Line = [f32; LINES];

/// Writes a panel of lanes, which all have its length.
#[target_feature(enable = "avx2,fma")]
pub fn transpose<const W: usize>(lanes: [&[f32]; W], panel: &mut [[f32; W]]) {
    let (blocks, rest) = panel.as_chunks_mut::<LINES>();
    let lines: [&[Line]; W] = from_fn(|lane| &lanes[lane].as_chunks().0[..blocks.len()]);
    for (block, out) in blocks.iter_mut().enumerate() {
        for first in (0..W).step_by(LINES) {
            let line = |lane: usize| lines[(first + lane).min(W - 1)][block];
            let square = transposed(from_fn(line));
            for (out, line) in out.iter_mut().zip(square) {
                for (slot, value) in out[first..].iter_mut().zip(line) {
                    *slot = value;
                }
            }
        }
    }
    let done = blocks.len() * LINES;
    for (at, out) in rest.iter_mut().enumerate() {
        *out = from_fn(|lane| lanes[lane][done + at]);
    }
}

/// Turns pairs of rows, then pairs of pairs, then halves.
#[target_feature(enable = "avx2,fma")]
#[inline]
fn transposed(square: [Line; LINES]) -> [Line; LINES] {
    let square: [__m256; LINES] = square.map(bytemuck::cast);
    let pairs: [__m256; LINES] = from_fn(|i| {
        let (a, b) = (square[i / 2 * 2], square[i / 2 * 2 + 1]);
        match i % 2 {
            0 => _mm256_unpacklo_ps(a, b),
            _ => _mm256_unpackhi_ps(a, b),
        }
    });
    let fours: [__m256; LINES] = from_fn(|i| {
        let first = i / 4 * 4 + i / 2 % 2;
        let (a, b) = (pairs[first], pairs[first + 2]);
        match i % 2 {
            0 => _mm256_shuffle_ps::<0x44>(a, b),
            _ => _mm256_shuffle_ps::<0xee>(a, b),
        }
    });
    from_fn(|i| {
        let (a, b) = (fours[i % 4], fours[i % 4 + 4]);
        bytemuck::cast(match i / 4 {
            0 => _mm256_permute2f128_ps::<0x20>(a, b),
            _ => _mm256_permute2f128_ps::<0x31>(a, b),
        })
    })
}
