//! Constants that a text names by index: `metadata["ir.GenericConst"][0]`.

use relax::diagnostics::Code;
use relax::sinfo::{StructInfo, TensorShape};
use relax::value::Value;

use crate::body::{Expr, ExprId};
use crate::enclosing::PyValue;
use crate::infer::Infer;
use crate::metadata::Referent;

impl Infer<'_> {
    /// Infers an entry of metadata that the file loads. Returns `None` for any other expression.
    pub(in crate::infer) fn metadata_entry(&mut self, expr: ExprId) -> Option<Value> {
        let (base, reference) = self.body.metadata_entry(expr)?;
        let Expr::Name(name) = &self.body.exprs[base] else {
            return None;
        };
        let PyValue::Metadata(metadata) = self.cx.env.get(name)? else {
            return None;
        };
        if self.lookup(name).is_some() {
            return None;
        }
        self.expr(base);
        Some(match metadata.referent(&reference) {
            Referent::Constant(constant) => Value::Expr(constant.struct_info()),
            Referent::Missing if metadata.is_read() => {
                let message = format!("`{name}` has no `{}` of this number", reference.key);
                let range = self.range(expr);
                self.report(Code::UndefinedName, range, message);
                Value::Unknown
            }
            Referent::Other | Referent::Missing => Value::Unknown,
        })
    }

    /// Where the text lacks its metadata, gives a constant the type that its place requires.
    pub(in crate::infer) fn know_metadata(&mut self, expr: ExprId, place: &StructInfo) {
        if self.body.is_metadata(expr) && self.facts.value(expr).is_unknown() && is_fixed(place) {
            self.set_value(expr, Value::Expr(place.clone()));
        }
    }
}

/// Returns `true` for a tensor whose extents are numbers.
fn is_fixed(sinfo: &StructInfo) -> bool {
    let StructInfo::Tensor(tensor) = sinfo else {
        return false;
    };
    let TensorShape::Known(dims) = &tensor.shape else {
        return false;
    };
    tensor.known_dtype().is_some() && dims.iter().all(|it| it.as_int().is_some())
}
