//! Generates views of buffers: another shape, another dtype, or a region.

use std::fmt::Write;

use super::write::{Buffer, INTS, Writer, is_float, tuple};

impl Writer<'_, '_> {
    /// Declares a view of a buffer, with another shape and sometimes another dtype.
    pub fn view(&mut self) {
        if self.buffers.is_empty() {
            return self.store();
        }
        let at = self.choice.below(self.buffers.len());
        let Buffer {
            name: of,
            dtype,
            dims,
        } = self.buffers[at].clone();
        let name = self.name("c");
        if !dims.is_empty() && self.choice.one_in(2) {
            return self.region(&name, &of, dtype, &dims);
        }
        // Engines may differ in the bits of NaN, so the view of a float has the same dtype.
        let dtype = if is_float(dtype) || self.choice.one_in(2) {
            dtype
        } else {
            let from = [&INTS[..], &["bool"]].concat();
            self.choice.pick(&from)
        };
        let shape: Vec<String> = (0..=self.choice.below(2))
            .map(|_| match self.choice.below(4) {
                0 if !dims.is_empty() => dims[0].clone(),
                _ => self.choice.pick(&["1", "2", "3", "4", "8"]).to_owned(),
            })
            .collect();
        let mut layout = String::new();
        if self.choice.one_in(3) {
            let strides: Vec<String> = shape
                .iter()
                .map(|_| {
                    self.choice
                        .pick(&["1", "2", "-1", "0", "3", "T.int64(4611686018427387904)"])
                })
                .map(str::to_owned)
                .collect();
            let _ = write!(layout, ", strides=[{}]", strides.join(", "));
        }
        if self.choice.one_in(3) {
            let dtype = self.choice.pick(&INTS);
            let offset = self.int(dtype, 1);
            let _ = write!(layout, ", elem_offset={offset}");
        }
        self.line(&format!(
            "{name} = T.decl_buffer({}, \"{dtype}\", data={of}.data{layout})",
            tuple(&shape)
        ));
        self.buffers.push(Buffer {
            name,
            dtype,
            dims: shape,
        });
    }

    fn region(&mut self, name: &str, of: &str, dtype: &'static str, dims: &[String]) {
        let mut parts = Vec::new();
        let mut shape = Vec::new();
        for dim in dims {
            let dtype = self.choice.pick(&["int32", "int64"]);
            let start = match self.choice.below(3) {
                0 => self.int(dtype, 1),
                _ => self.choice.below(3).to_string(),
            };
            let size = self.choice.pick(&["1", "2", "3"]);
            if self.choice.one_in(3) {
                parts.push(format!("0:{dim}"));
                shape.push(dim.clone());
            } else {
                parts.push(format!("{start}:{start} + {size}"));
                shape.push(size.to_owned());
            }
        }
        self.line(&format!(
            "{name} = T.match_buffer({of}[{}], {}, \"{dtype}\")",
            parts.join(", "),
            tuple(&shape)
        ));
        self.buffers.push(Buffer {
            name: name.to_owned(),
            dtype,
            dims: shape,
        });
    }
}
