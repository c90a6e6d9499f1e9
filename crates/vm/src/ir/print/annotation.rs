//! Prints StructInfo as annotations, in signatures and elsewhere.

use relax::sinfo::{Shape, StructInfo, TensorShape};
use relax::sym::{SymExpr, SymVar};

use super::Printer;

impl Printer<'_> {
    /// Returns StructInfo as an annotation, if the dialect can express it.
    pub(super) fn annotation(&self, info: &StructInfo) -> Option<String> {
        if info.is_unknown() {
            return None;
        }
        let text = info.display(self.spelling.release.dialect()).to_string();
        (!text.contains('?')).then_some(text)
    }

    /// Returns the annotation of a parameter, which may bind its shape variables.
    pub(super) fn signature(&self, info: &StructInfo) -> Option<String> {
        if self.spelling.release.has_type_var() {
            self.annotation(info)
        } else {
            self.annotation(&quoted(info))
        }
    }
}

/// Returns StructInfo with symbolic dimensions as strings.
fn quoted(info: &StructInfo) -> StructInfo {
    let quote = |dims: &[SymExpr]| -> std::sync::Arc<[SymExpr]> {
        dims.iter()
            .map(|dim| match dim.as_int() {
                Some(_) => dim.clone(),
                None => SymExpr::var(SymVar {
                    name: format!("\"{dim}\"").into(),
                    id: 0,
                }),
            })
            .collect()
    };
    match info {
        StructInfo::Tensor(tensor) => {
            let mut tensor = tensor.clone();
            if let TensorShape::Known(dims) = &tensor.shape {
                tensor.shape = TensorShape::Known(quote(dims));
            }
            StructInfo::Tensor(tensor)
        }
        StructInfo::Shape(Shape::Known(dims)) => StructInfo::Shape(Shape::Known(quote(dims))),
        StructInfo::Tuple(fields) => StructInfo::Tuple(fields.iter().map(quoted).collect()),
        StructInfo::Prim(prim) => {
            let mut prim = prim.clone();
            prim.value = prim.value.map(|value| {
                SymExpr::var(SymVar {
                    name: format!("\"{value}\"").into(),
                    id: 0,
                })
            });
            StructInfo::Prim(prim)
        }
        other => other.clone(),
    }
}
