//! The parameters of a PrimFunc as values of Relax: what its caller passes.

use relax::sinfo::{Prim, StructInfo, Tensor};
use relax::sym::{SymExpr, SymVar};
use smol_str::SmolStr;
use text_size::TextRange;

use super::{Binary, Expr, ExprKind, ParamKind, PrimFunc};

impl PrimFunc {
    /// Returns the parameters of its text with their StructInfo. Dimensions are known as far as Relax can write them.
    pub fn arguments(&self) -> Vec<(SmolStr, StructInfo)> {
        let texts = self.params.len() - usize::from(self.result.is_some());
        let params = self.params.iter().take(texts);
        let params = params.map(|param| (param.name.clone(), self.struct_info(param.kind)));
        params.collect()
    }

    fn struct_info(&self, kind: ParamKind) -> StructInfo {
        match kind {
            ParamKind::Buffer(id) => {
                let buffer = self.buffer(id);
                let dims: Option<Vec<SymExpr>> =
                    buffer.shape.iter().map(|it| self.dim(it)).collect();
                match dims {
                    Some(dims) => Tensor::new(dims, Some(buffer.dtype)).into(),
                    None => Tensor::of_ndim(Some(buffer.shape.len()), Some(buffer.dtype)).into(),
                }
            }
            ParamKind::Scalar(var) => {
                let dtype = self.var(var).dtype;
                let value = Expr {
                    dtype,
                    kind: ExprKind::Var(var),
                    range: TextRange::default(),
                };
                StructInfo::Prim(Prim {
                    dtype: Some(dtype),
                    value: dtype.is_int().then(|| self.dim(&value)).flatten(),
                })
            }
            ParamKind::Unused => StructInfo::Object,
        }
    }

    fn dim(&self, expr: &Expr) -> Option<SymExpr> {
        Some(match &expr.kind {
            ExprKind::Int(value) => SymExpr::int(i64::try_from(*value).ok()?),
            ExprKind::Var(var) => SymExpr::var(SymVar {
                name: self.var(*var).name.clone(),
                id: var.0,
            }),
            ExprKind::Cast(inner) if inner.dtype.is_int() => self.dim(inner)?,
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.dim(a)?, self.dim(b)?);
                match op {
                    Binary::Add => a.add(&b),
                    Binary::Sub => a.sub(&b),
                    Binary::Mul => a.mul(&b),
                    Binary::FloorDiv => a.floordiv(&b),
                    Binary::FloorMod => a.floormod(&b),
                    Binary::TruncDiv => a.truncdiv(&b),
                    Binary::TruncMod => a.truncmod(&b),
                    Binary::Min => SymExpr::min(&a, &b),
                    Binary::Max => SymExpr::max(&a, &b),
                    _ => return None,
                }
            }
            _ => return None,
        })
    }
}
