//! A vector in shared chunks, which is cheap to copy and to modify after a copy.

use std::sync::Arc;

const CHUNK: usize = 128;

#[derive(Clone, Debug)]
pub(crate) struct Chunked<T> {
    chunks: Vec<Arc<Vec<T>>>,
}

impl<T> Default for Chunked<T> {
    fn default() -> Chunked<T> {
        Chunked { chunks: Vec::new() }
    }
}

impl<T: Clone + Default> Chunked<T> {
    pub fn get(&self, index: usize) -> Option<&T> {
        self.chunks.get(index / CHUNK)?.get(index % CHUNK)
    }

    /// Returns the value at an index, extending the vector if needed.
    pub fn at(&mut self, index: usize) -> &mut T {
        let (chunk, index) = (index / CHUNK, index % CHUNK);
        if chunk >= self.chunks.len() {
            self.chunks.resize_with(chunk + 1, Arc::default);
        }
        let chunk = Arc::make_mut(&mut self.chunks[chunk]);
        if index >= chunk.len() {
            if chunk.capacity() < CHUNK {
                chunk.reserve_exact(CHUNK - chunk.len());
            }
            chunk.resize(index + 1, T::default());
        }
        &mut chunk[index]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clone_changes_independently() {
        let mut row = Chunked::default();
        for index in [0, 3 * CHUNK, CHUNK + 1] {
            *row.at(index) = index + 1;
        }
        let mut copy = row.clone();
        *copy.at(CHUNK + 1) = 7;
        *copy.at(9 * CHUNK) = 8;
        assert_eq!(row.get(CHUNK + 1), Some(&(CHUNK + 2)));
        assert_eq!(row.get(9 * CHUNK), None);
        assert_eq!(copy.get(CHUNK + 1), Some(&7));
        assert_eq!(copy.get(9 * CHUNK), Some(&8));
        assert_eq!((copy.get(0), copy.get(1)), (Some(&1), None));
        assert!(Arc::ptr_eq(&row.chunks[3], &copy.chunks[3]));
    }

    #[test]
    fn unset_entries_are_the_default_or_none() {
        let mut row: Chunked<u32> = Chunked::default();
        *row.at(5) = 1;
        assert_eq!((row.get(4), row.get(6)), (Some(&0), None));
    }
}
