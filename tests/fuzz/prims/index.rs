//! Generates indices. Most are within their dimension, in ways that programs use; some are arbitrary.

use super::write::{INTS, Writer};

impl Writer<'_, '_> {
    /// Returns an element such as `b[i, j]`; `None` if there is no such buffer.
    pub fn element(
        &mut self,
        of: impl Fn(&str) -> bool,
        depth: u32,
    ) -> Option<(String, &'static str)> {
        let fit: Vec<usize> = (0..self.buffers.len())
            .filter(|at| of(self.buffers[*at].dtype))
            .collect();
        if fit.is_empty() {
            return None;
        }
        let at = self.choice.pick(&fit);
        let (name, dtype) = (self.buffers[at].name.clone(), self.buffers[at].dtype);
        let indices = self.indices(at, depth);
        if indices.is_empty() {
            return Some((format!("{name}[()]"), dtype));
        }
        Some((format!("{name}[{}]", indices.join(", ")), dtype))
    }

    pub fn indices(&mut self, buffer: usize, depth: u32) -> Vec<String> {
        let dims = self.buffers[buffer].dims.clone();
        dims.iter().map(|dim| self.index(dim, depth)).collect()
    }

    fn index(&mut self, dim: &str, depth: u32) -> String {
        let counters: Vec<String> = self
            .vars
            .iter()
            .filter(|var| var.below.as_deref() == Some(dim))
            .map(|var| var.name.clone())
            .collect();
        if !counters.is_empty() && !self.choice.one_in(4) {
            let at = self.choice.below(counters.len());
            return counters[at].clone();
        }
        let counted: Vec<String> = self
            .vars
            .iter()
            .filter(|var| var.below.is_some())
            .map(|var| var.name.clone())
            .collect();
        let any = |writer: &mut Self| {
            let dtype = writer.choice.pick(&INTS);
            writer.int(dtype, depth.min(2))
        };
        match self.choice.below(16) {
            0..=4 if dim.parse::<usize>().is_ok_and(|dim| dim > 0) => {
                let dim = dim.parse().unwrap_or(1);
                self.choice.below(dim).to_string()
            }
            0..=2 => "0".to_owned(),
            3..=6 => format!("T.floormod({}, {dim})", any(self)),
            7 | 8 => format!("T.max(T.min({}, {dim} - 1), 0)", any(self)),
            9 | 10 if !counted.is_empty() => {
                let at = self.choice.below(counted.len());
                let counter = &counted[at];
                let by = self.choice.below(4);
                match self.choice.below(4) {
                    0 => format!("{counter} + {by}"),
                    1 => format!("{dim} - 1 - {counter}"),
                    2 => format!("{counter} // {}", by + 1),
                    _ => format!("{counter} - {by}"),
                }
            }
            11 | 12 if counted.len() > 1 => {
                let (a, b) = (
                    self.choice.below(counted.len()),
                    self.choice.below(counted.len()),
                );
                let by = self.choice.pick(&["2", "3", "4", "n0", "8"]);
                let by = if by == "n0" && !self.vars.iter().any(|it| it.name == "n0") {
                    "1"
                } else {
                    by
                };
                format!("{} * {by} + {}", counted[a], counted[b])
            }
            13 => format!("{dim} - 1"),
            14 => any(self),
            _ => "0".to_owned(),
        }
    }
}
