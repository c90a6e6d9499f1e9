//! Products of packed panels with AVX2 and FMA: the sums of a tile of the result stay in registers.
//!
//! Knows neither layouts nor threads. All accesses to memory are of slices; only the call of a function that needs
//! these instructions is unsafe.

/// The number of rows of a tile.
pub const ROWS: usize = 6;
/// The number of columns of a tile: two registers.
pub const COLUMNS: usize = 16;

/// One column of some rows of the left matrix.
pub type Left = [f32; ROWS];

/// One row of some columns of the right matrix.
pub type Right = [f32; COLUMNS];

/// How a product is written to the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Write {
    Set,
    Add,
}

#[cfg(target_arch = "x86_64")]
pub use x86_64::Processor;

#[cfg(not(target_arch = "x86_64"))]
pub use other::Processor;

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    #![allow(unsafe_code)]

    use std::arch::x86_64::{
        __m256, _MM_HINT_T0, _mm_prefetch, _mm256_fmadd_ps, _mm256_permute2f128_ps, _mm256_set1_ps,
        _mm256_setzero_ps, _mm256_shuffle_ps, _mm256_unpackhi_ps, _mm256_unpacklo_ps,
    };
    use std::array::from_fn;

    use super::{COLUMNS, Left, ROWS, Right, Write};

    /// The number of products that each iteration adds to a sum. With fewer, the instructions that count iterations
    /// would slow the loop down when two threads share a core.
    const STEPS: usize = 4;

    /// The side of a square that is transposed.
    const LINES: usize = 8;

    /// The left matrix is in the second cache: the loop asks for its columns this many columns ahead.
    const AHEAD: usize = 24;

    type Line = [f32; LINES];
    type Sums = [[__m256; 2]; ROWS];

    /// Shows that the processor has AVX2 and FMA.
    #[derive(Clone, Copy, Debug)]
    pub struct Processor(());

    #[expect(
        clippy::unused_self,
        reason = "it shows that the processor has the instructions"
    )]
    impl Processor {
        pub fn detected() -> Option<Processor> {
            let has = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
            has.then_some(Processor(()))
        }

        /// Returns `None` on a processor with AVX-512, where `matrixmultiply` is faster.
        pub fn preferred() -> Option<Processor> {
            Processor::detected().filter(|_| !is_x86_feature_detected!("avx512f"))
        }

        /// Writes a panel of lanes, which all have its length.
        pub fn transpose<const W: usize>(self, lanes: [&[f32]; W], panel: &mut [[f32; W]]) {
            // SAFETY: a `Processor` exists only if the processor has these instructions.
            unsafe { transpose(lanes, panel) }
        }

        /// Writes the product of panels to rows of the result. A panel has `depth` elements; `left` has a panel for
        /// each [`ROWS`] rows, and `right` for each [`COLUMNS`] columns.
        pub fn multiply(
            self,
            (left, right): (&[Left], &[Right]),
            depth: usize,
            rows: &mut [&mut [f32]],
            write: Write,
        ) {
            // SAFETY: a `Processor` exists only if the processor has these instructions.
            unsafe { multiply((left, right), depth, rows, write) }
        }
    }

    #[target_feature(enable = "avx2,fma")]
    fn transpose<const W: usize>(lanes: [&[f32]; W], panel: &mut [[f32; W]]) {
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

    #[target_feature(enable = "avx2,fma")]
    fn multiply(
        (left, right): (&[Left], &[Right]),
        depth: usize,
        rows: &mut [&mut [f32]],
        write: Write,
    ) {
        let width = rows.first().map_or(0, |row| row.len());
        for (panel, right) in right.chunks_exact(depth).enumerate() {
            let columns = panel * COLUMNS..width.min((panel + 1) * COLUMNS);
            for (left, rows) in left.chunks_exact(depth).zip(rows.chunks_mut(ROWS)) {
                for row in &*rows {
                    // The part may begin in the middle of a cache line.
                    let part = row[columns.clone()].as_ptr_range();
                    _mm_prefetch::<_MM_HINT_T0>(part.start.cast());
                    _mm_prefetch::<_MM_HINT_T0>(part.end.wrapping_sub(1).cast());
                }
                let sums = sums(left, right);
                for (row, sums) in rows.iter_mut().zip(sums) {
                    write_row(&mut row[columns.clone()], bytemuck::cast(sums), write);
                }
            }
        }
    }

    #[target_feature(enable = "avx2,fma")]
    #[inline]
    fn sums(left: &[Left], right: &[Right]) -> Sums {
        let mut sums = [[_mm256_setzero_ps(); 2]; ROWS];
        let (lefts, left_rest) = left.as_chunks::<STEPS>();
        let (rights, right_rest) = right.as_chunks::<STEPS>();
        for (left, right) in lefts.iter().zip(rights) {
            // Asking for memory behind the end is harmless.
            _mm_prefetch::<_MM_HINT_T0>(left.as_ptr().wrapping_add(AHEAD).cast());
            for step in 0..STEPS {
                add_products(&mut sums, &left[step], right[step]);
            }
        }
        for (left, &right) in left_rest.iter().zip(right_rest) {
            add_products(&mut sums, left, right);
        }
        sums
    }

    #[target_feature(enable = "avx2,fma")]
    #[inline]
    fn add_products(sums: &mut Sums, left: &Left, right: Right) {
        let right: [__m256; 2] = bytemuck::cast(right);
        for (sums, &x) in sums.iter_mut().zip(left) {
            let x = _mm256_set1_ps(x);
            sums[0] = _mm256_fmadd_ps(x, right[0], sums[0]);
            sums[1] = _mm256_fmadd_ps(x, right[1], sums[1]);
        }
    }

    #[target_feature(enable = "avx2,fma")]
    #[inline]
    fn write_row(out: &mut [f32], sums: [f32; COLUMNS], write: Write) {
        if let Ok(out) = <&mut [f32; COLUMNS]>::try_from(&mut *out) {
            *out = match write {
                Write::Set => sums,
                Write::Add => from_fn(|i| out[i] + sums[i]),
            };
            return;
        }
        for (slot, sum) in out.iter_mut().zip(sums) {
            *slot = match write {
                Write::Set => sum,
                Write::Add => *slot + sum,
            };
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod other {
    use super::{Left, Right, Write};

    /// There is none: `matrixmultiply` computes all products.
    #[derive(Clone, Copy, Debug)]
    pub enum Processor {}

    impl Processor {
        pub fn preferred() -> Option<Processor> {
            None
        }

        pub fn transpose<const W: usize>(self, _: [&[f32]; W], _: &mut [[f32; W]]) {
            match self {}
        }

        pub fn multiply(self, _: (&[Left], &[Right]), _: usize, _: &mut [&mut [f32]], _: Write) {
            match self {}
        }
    }
}
