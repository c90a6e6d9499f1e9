//! Calls packed functions with copies of their buffer arguments.

use hir::tir::{Packed, PackedArg};
use text_size::TextRange;

use super::watch::scalar;
use super::{Ended, Machine, Step};
use crate::error::RunResult;
use crate::tensor::Tensor;
use crate::tir::packed::has_form;
use crate::value::{Prim, Value};

impl Machine<'_, '_> {
    pub(super) fn packed(&mut self, call: &Packed, range: TextRange) -> Step<()> {
        let wrong = |error| Ended::Error(error, Some(range));
        let mut values = Vec::with_capacity(call.args.len());
        for arg in &call.args {
            values.push(match arg {
                PackedArg::Text(text) => Value::Str(text.clone()),
                PackedArg::Number(expr) => {
                    let value = self.expr(expr)?;
                    Value::Prim(Prim {
                        dtype: expr.dtype,
                        value: scalar(value, expr.dtype),
                    })
                }
                PackedArg::Buffer(id) => {
                    let kind = self.kind(*id)?;
                    let place = self.place(*id);
                    let bytes = place.bytes(&self.regions, kind).unwrap_or_default();
                    let copy = Tensor::from_bytes(kind, &place.shape(), bytes).map_err(wrong)?;
                    Value::Tensor(copy)
                }
            });
        }
        for (at, tensor) in (self.host)(&call.symbol, &values).map_err(wrong)? {
            let (Some(PackedArg::Buffer(id)), Some(Value::Tensor(given))) =
                (call.args.get(at), values.get(at))
            else {
                continue;
            };
            has_form(&call.symbol, given, &tensor).map_err(wrong)?;
            let (region, start) = (self.place(*id).region, self.place(*id).start);
            let copied: RunResult<()> = tensor.bytes().map(|bytes| {
                if let Some(to) = self.regions[region].bytes_mut() {
                    to[start..][..bytes.len()].copy_from_slice(&bytes);
                }
            });
            copied.map_err(wrong)?;
        }
        Ok(())
    }
}
