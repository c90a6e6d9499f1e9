//! The memory that a value takes.

use relax::sinfo::StructInfo;
use relax::sym::SymExpr;

use crate::markdown::{Code, Markdown, markdown};

/// Returns the size as text: "2 KiB", or a formula over the shape variables such as "`64*n` bytes".
pub fn memory(sinfo: &StructInfo) -> Option<Markdown> {
    if !matches!(
        sinfo,
        StructInfo::Tensor(_) | StructInfo::DTensor(_) | StructInfo::Tuple(_)
    ) {
        return None;
    }
    let bits = bits(sinfo)?;
    Some(match bits.as_int() {
        Some(bits) => super::prim::size(bits.checked_add(7)? / 8),
        None => {
            let bytes = bits.floordiv(&SymExpr::int(8));
            markdown!("{} bytes", Code(bytes))
        }
    })
}

fn bits(sinfo: &StructInfo) -> Option<SymExpr> {
    match sinfo {
        StructInfo::Tensor(_) | StructInfo::DTensor(_) => {
            let tensor = sinfo.as_tensor()?;
            let dtype = tensor.known_dtype()?;
            // A bool takes one byte.
            let width = if dtype.is_bool() {
                8
            } else {
                i64::from(dtype.bits)
            };
            let elements = SymExpr::product(tensor.dims()?);
            Some(elements.mul(&SymExpr::int(width * i64::from(dtype.lanes))))
        }
        StructInfo::Tuple(fields) => fields
            .iter()
            .try_fold(SymExpr::int(0), |sum, field| Some(sum.add(&bits(field)?))),
        _ => None,
    }
}
