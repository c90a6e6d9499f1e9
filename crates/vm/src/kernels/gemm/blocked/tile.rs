//! Products of packed panels: the sums of a tile of the result stay in registers.
//!
//! Knows neither layouts nor threads. All accesses to memory are of slices; only the call of a function that needs
//! certain instructions is unsafe.

mod transpose;
mod x86_64;

pub use self::x86_64::{Avx2, Avx512};

/// The size of a line of a cache, in bytes.
pub const CACHE_LINE: usize = 64;

/// How a product is written to the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Write {
    Set,
    Add,
}

/// Some rows of the left matrix and some columns of the right one, for each depth of a block.
pub type Panels<'p, const ROWS: usize, const COLUMNS: usize> =
    (&'p [[f32; ROWS]], &'p [[f32; COLUMNS]]);

/// Instructions that transpose. A value shows that the processor has them.
pub trait Transpose: Copy + Send + Sync {
    /// Writes a panel of lanes, which all have its length.
    fn transpose<const W: usize>(self, lanes: [&[f32]; W], panel: &mut [[f32; W]]);
}

/// Instructions that compute tiles of `ROWS` rows and `COLUMNS` columns.
pub trait Tile<const ROWS: usize, const COLUMNS: usize>: Transpose {
    /// The maximum number of rows of a block of the left matrix, which stays in the second cache.
    const BLOCK_ROWS: usize;
    /// The maximum depth of a block: the number of products that are summed before the sums are written.
    const DEPTH: usize;

    /// Writes the product of panels to rows of the result. A panel has `depth` elements; the left matrix has a panel
    /// for each `ROWS` rows, and the right one for each `COLUMNS` columns.
    fn multiply(
        self,
        panels: Panels<'_, ROWS, COLUMNS>,
        depth: usize,
        rows: &mut [&mut [f32]],
        write: Write,
    );
}

/// A processor for which there are tiles.
#[derive(Clone, Copy, Debug)]
pub enum Processor {
    Avx2(Avx2),
    Avx512(Avx512),
}

impl Processor {
    /// Returns the processor's fastest instructions for a result of `columns` columns.
    pub fn for_columns(columns: usize) -> Option<Processor> {
        // Tiles of AVX-512 need AVX2 too.
        let narrow = Avx2::detected()?;
        Some(match Avx512::detected() {
            Some(wide) if columns > columns_of(narrow) => Processor::Avx512(wide),
            _ => Processor::Avx2(narrow),
        })
    }
}

fn columns_of<const ROWS: usize, const COLUMNS: usize>(_: impl Tile<ROWS, COLUMNS>) -> usize {
    COLUMNS
}
