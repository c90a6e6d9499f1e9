//! What Relax knows of a value of a Relay type.

use smol_str::SmolStr;

use super::types::{Dim, Type};
use crate::sinfo::{StructInfo, Tensor};
use crate::sym::{SymExpr, SymVar};

/// Makes a shape variable for an extent that only a run knows: its name and number.
pub type Extent<'a> = dyn FnMut(&Dim) -> (SmolStr, u32) + 'a;

/// The StructInfo of a type. `name` makes a shape variable for an extent that only a run knows; without one, a tensor
/// that has such an extent is known by its rank.
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
