//! Converts Relay types to StructInfo.

use smol_str::SmolStr;

use super::types::{Dim, Type};
use crate::sinfo::{StructInfo, Tensor};
use crate::sym::{SymExpr, SymVar};

/// Creates a shape variable, given by name and number, for an extent that is only known at run time.
pub type Extent<'a> = dyn FnMut(&Dim) -> (SmolStr, u32) + 'a;

/// Returns the StructInfo of a type. `name` creates a shape variable for each extent that is only known at run time;
/// without it, only the rank of such a tensor is known.
pub fn of(ty: &Type, name: &mut Option<&mut Extent<'_>>) -> Option<StructInfo> {
    Some(match ty {
        Type::Tensor(tensor) => {
            let mut dims = Vec::new();
            for dim in tensor.shape.iter() {
                match (dim, &mut *name) {
                    (Dim::Int(value), _) => dims.push(SymExpr::int(*value)),
                    (_, Some(name)) => {
                        let (name, id) = name(dim);
                        dims.push(SymExpr::var(SymVar { name, id }));
                    }
                    (_, None) => {
                        let rank = Some(tensor.rank());
                        return Some(StructInfo::Tensor(Tensor::of_ndim(
                            rank,
                            Some(tensor.dtype),
                        )));
                    }
                }
            }
            StructInfo::Tensor(Tensor::new(dims, Some(tensor.dtype)))
        }
        Type::Tuple(fields) => {
            let fields = fields.iter().map(|it| of(it, name));
            StructInfo::tuple(fields.collect::<Option<Vec<_>>>()?)
        }
        _ => return None,
    })
}
