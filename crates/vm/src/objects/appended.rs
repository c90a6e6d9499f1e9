//! The single-tensor cache of early releases: rows are appended, and the filled part is read.

use super::counted;
use crate::error::{RunError, RunResult};
use crate::tensor::Tensor;

#[derive(Debug)]
pub struct Cache {
    data: Tensor,
    /// The number of filled rows.
    filled: usize,
    /// The position of the next row of a window.
    next: usize,
}

impl Cache {
    /// Creates a cache for rows of a shape, filled with `init`. `filled` overrides the number of filled rows.
    pub fn new(init: &Tensor, shape: &[usize], filled: Option<usize>) -> RunResult<Cache> {
        if shape.is_empty() || shape[0] == 0 {
            return Err(RunError::shape("a cache needs room for a row"));
        }
        let mut cache = Cache {
            data: Tensor::zeros(init.kind(), shape)?,
            filled: 0,
            next: 0,
        };
        cache.append(init)?;
        if let Some(filled) = filled {
            cache.filled = filled;
            cache.next = filled;
        }
        Ok(cache)
    }

    pub fn clear(&mut self) {
        self.filled = 0;
        self.next = 0;
    }

    pub fn pop(&mut self, count: usize) -> RunResult<()> {
        let left = self.filled.checked_sub(count);
        self.filled = left.ok_or_else(|| {
            RunError::argument(format!(
                "a cache of {} has no {count} to take off",
                counted(self.filled, "row")
            ))
        })?;
        Ok(())
    }

    fn rows(&self, value: &Tensor) -> RunResult<usize> {
        let (have, given) = (self.data.shape(), value.shape());
        if value.kind() != self.data.kind() || have.get(1..) != given.get(1..) {
            return Err(RunError::shape(format!(
                "a cache of rows of {} is given {}",
                crate::value::Value::Tensor(self.data.clone()).describe(),
                crate::value::Value::Tensor(value.clone()).describe(),
            )));
        }
        Ok(given[0])
    }

    /// Doubles the capacity until the given number of rows fits.
    fn grow(&mut self, rows: usize) -> RunResult<()> {
        let mut shape = self.data.shape().to_vec();
        let mut room = shape[0];
        while room < rows {
            room = room.saturating_mul(2);
        }
        if room == shape[0] {
            return Ok(());
        }
        shape[0] = room;
        let larger = Tensor::zeros(self.data.kind(), &shape)?;
        let old = std::mem::replace(&mut self.data, larger);
        let bytes = old.bytes()?;
        self.data.bytes_mut()?[..bytes.len()].copy_from_slice(&bytes);
        Ok(())
    }

    /// Copies `count` rows of a value, from one row to another.
    fn copy(&mut self, value: &Tensor, from: usize, to: usize, count: usize) -> RunResult<()> {
        let row = self.data.byte_len() / self.data.shape()[0];
        let bytes = value.bytes()?;
        let target = self.data.bytes_mut()?;
        let source = bytes.get(from * row..(from + count) * row);
        let target = target.get_mut(to * row..(to + count) * row);
        match (source, target) {
            (Some(source), Some(target)) => {
                target.copy_from_slice(source);
                Ok(())
            }
            _ => Err(RunError::shape("the cache has no room for these rows")),
        }
    }

    pub fn append(&mut self, value: &Tensor) -> RunResult<()> {
        let rows = self.rows(value)?;
        self.grow(self.filled + rows)?;
        self.copy(value, 0, self.filled, rows)?;
        self.filled += rows;
        Ok(())
    }

    /// Replaces the filled rows with the same number of others.
    pub fn update(&mut self, value: &Tensor) -> RunResult<()> {
        let rows = self.rows(value)?;
        if rows != self.filled {
            return Err(RunError::shape(format!(
                "a cache of {} is updated with {rows}",
                counted(self.filled, "row")
            )));
        }
        self.copy(value, 0, 0, rows)
    }

    /// Appends rows to a window of at most `most` rows. If it is full, overwrites the oldest rows, except the first
    /// `sinks`.
    pub fn window(&mut self, value: &Tensor, most: usize, sinks: usize) -> RunResult<()> {
        let rows = self.rows(value)?;
        if sinks > most || rows > most - sinks {
            return Err(RunError::shape(format!(
                "{rows} rows do not fit a window of {most} that keeps the first {sinks}"
            )));
        }
        if self.filled + rows <= most {
            self.grow(self.filled + rows)?;
        }
        let first = rows.min(most.saturating_sub(self.next));
        self.copy(value, 0, self.next, first)?;
        self.filled = (self.filled + rows).min(most);
        self.next = (self.next + rows).min(most);
        if first < rows {
            self.copy(value, first, sinks, rows - first)?;
            self.next = rows - first + sinks;
        }
        Ok(())
    }

    /// Returns the filled rows, and checks their shape if one is given.
    pub fn view(&self, shape: Option<&[usize]>) -> RunResult<Tensor> {
        let mut own = self.data.shape().to_vec();
        own[0] = self.filled;
        if let Some(shape) = shape
            && shape != own
        {
            return Err(RunError::shape(format!(
                "the cache holds {}, not {}",
                crate::tensor::show_shape(&own),
                crate::tensor::show_shape(shape)
            )));
        }
        self.data.fitted(&own)
    }

    pub fn describe(&self) -> String {
        format!("KV cache of {}", counted(self.filled, "row"))
    }
}
