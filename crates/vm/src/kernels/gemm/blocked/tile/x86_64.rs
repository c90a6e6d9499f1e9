//! Tiles in the registers of AVX2 and of AVX-512.

#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m256, __m512, _MM_HINT_T0, _mm_prefetch, _mm256_fmadd_ps, _mm256_set1_ps, _mm256_setzero_ps,
    _mm512_fmadd_ps, _mm512_set1_ps, _mm512_setzero_ps,
};
use std::array::from_fn;

use super::{CACHE_LINE, Panels, Tile, Transpose, Write, transpose};

/// The number of products that each iteration adds to a sum. With fewer, the instructions that count iterations would
/// slow the loop down when two threads share a core.
const STEPS: usize = 4;

/// The left matrix is in the second cache: the loop asks for its elements this many elements ahead.
const AHEAD: usize = 144;

/// The number of elements of a line of a cache.
const LINE: usize = CACHE_LINE / size_of::<f32>();

/// The number of registers that hold one row of a tile.
const REGISTERS: usize = 2;

/// Defines tiles of `$ROWS` rows. A macro, because a method of a trait cannot enable instructions.
macro_rules! tile {
    (
        $(#[$doc:meta])*
        $Name:ident, $($feature:tt)&&+;
        $ROWS:literal x $COLUMNS:literal, blocks $BLOCK_ROWS:literal x $DEPTH:literal;
        $Register:ident, $zero:ident, $splat:ident, $add_product:ident, $functions:ident
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $Name(());

        impl $Name {
            pub fn detected() -> Option<$Name> {
                let has = $(is_x86_feature_detected!($feature))&&+;
                has.then_some($Name(()))
            }
        }

        impl Transpose for $Name {
            fn transpose<const W: usize>(self, lanes: [&[f32]; W], panel: &mut [[f32; W]]) {
                // SAFETY: the value exists only if the processor has these instructions.
                unsafe { transpose::transpose(lanes, panel) }
            }
        }

        impl Tile<$ROWS, $COLUMNS> for $Name {
            const BLOCK_ROWS: usize = $BLOCK_ROWS;
            const DEPTH: usize = $DEPTH;

            fn multiply(
                self,
                panels: Panels<'_, $ROWS, $COLUMNS>,
                depth: usize,
                rows: &mut [&mut [f32]],
                write: Write,
            ) {
                // SAFETY: the value exists only if the processor has these instructions.
                unsafe { $functions::multiply(panels, depth, rows, write) }
            }
        }

        mod $functions {
            use super::*;

            const ROWS: usize = $ROWS;
            const COLUMNS: usize = $COLUMNS;

            type Left = [f32; ROWS];
            type Right = [f32; COLUMNS];
            type Sums = [[$Register; REGISTERS]; ROWS];

            #[target_feature($(enable = $feature),+)]
            pub fn multiply(
                (left, right): Panels<'_, ROWS, COLUMNS>,
                depth: usize,
                rows: &mut [&mut [f32]],
                write: Write,
            ) {
                let width = rows.first().map_or(0, |row| row.len());
                for (panel, right) in right.chunks_exact(depth).enumerate() {
                    let columns = panel * COLUMNS..width.min((panel + 1) * COLUMNS);
                    for (left, rows) in left.chunks_exact(depth).zip(rows.chunks_mut(ROWS)) {
                        for row in &*rows {
                            for line in row[columns.clone()].chunks(LINE) {
                                // The part may begin in the middle of a cache line.
                                let line = line.as_ptr_range();
                                _mm_prefetch::<_MM_HINT_T0>(line.start.cast());
                                _mm_prefetch::<_MM_HINT_T0>(line.end.wrapping_sub(1).cast());
                            }
                        }
                        let sums = sums(left, right);
                        for (row, sums) in rows.iter_mut().zip(sums) {
                            write_row(&mut row[columns.clone()], bytemuck::cast(sums), write);
                        }
                    }
                }
            }

            #[target_feature($(enable = $feature),+)]
            #[inline]
            fn sums(left: &[Left], right: &[Right]) -> Sums {
                let mut sums = [[$zero(); REGISTERS]; ROWS];
                let (lefts, left_rest) = left.as_chunks::<STEPS>();
                let (rights, right_rest) = right.as_chunks::<STEPS>();
                for (left, right) in lefts.iter().zip(rights) {
                    let ahead = left.as_flattened().as_ptr().wrapping_add(AHEAD);
                    for line in 0..(STEPS * ROWS).div_ceil(LINE) {
                        // Asking for memory behind the end is harmless.
                        _mm_prefetch::<_MM_HINT_T0>(ahead.wrapping_add(line * LINE).cast());
                    }
                    for step in 0..STEPS {
                        add_products(&mut sums, &left[step], right[step]);
                    }
                }
                for (left, &right) in left_rest.iter().zip(right_rest) {
                    add_products(&mut sums, left, right);
                }
                sums
            }

            #[target_feature($(enable = $feature),+)]
            #[inline]
            fn add_products(sums: &mut Sums, left: &Left, right: Right) {
                let right: [$Register; REGISTERS] = bytemuck::cast(right);
                for (sums, &x) in sums.iter_mut().zip(left) {
                    let x = $splat(x);
                    for (sum, right) in sums.iter_mut().zip(right) {
                        *sum = $add_product(x, right, *sum);
                    }
                }
            }

            #[target_feature($(enable = $feature),+)]
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
    };
}

tile! {
    /// Tiles in 12 of the 16 registers of AVX2. A block is half of a second cache of 384 KiB.
    Avx2, "avx2" && "fma";
    6 x 16, blocks 144 x 320;
    __m256, _mm256_setzero_ps, _mm256_set1_ps, _mm256_fmadd_ps, avx2
}

tile! {
    /// Tiles in 28 of the 32 registers of AVX-512. A block is half of a second cache of 1 MiB.
    Avx512, "avx512f" && "avx2" && "fma";
    14 x 32, blocks 280 x 384;
    __m512, _mm512_setzero_ps, _mm512_set1_ps, _mm512_fmadd_ps, avx512
}
