//! The elements of constants that a text names by index: `metadata["ir.GenericConst"][0]`.

use std::sync::Arc;

use hir::body::{Expr, ExprId};
use hir::enclosing::PyValue;
use hir::metadata::{CONSTANT_KEYS, Constant, Referent};
use relax::sinfo::{StructInfo, TensorShape};
use relax::value::Value as Known;
use rustc_hash::FxHashMap;

use super::function::{Lower, Lowered};
use crate::bytecode::Operand;
use crate::error::RunResult;
use crate::inputs::generated::Leaf;
use crate::tensor::{Kind, SharedBytes, Tensor, show_shape};

/// Where the elements come from that a text lacks.
#[derive(Clone, Debug, Default)]
pub struct Constants {
    /// Tensors from files, by index. They take precedence over the text.
    pub given: FxHashMap<u32, Tensor>,
    /// The seed for constants without a source, if their types are known. `None` refuses them.
    pub seed: Option<u64>,
}

impl Constants {
    /// For what does not depend on the elements.
    pub(super) fn any() -> Constants {
        Constants {
            seed: Some(0),
            ..Constants::default()
        }
    }
}

/// Returns the tensor of a constant in a text.
pub fn tensor_of(constant: &Constant) -> RunResult<Tensor> {
    let extents = constant.shape.iter().map(|it| (*it).max(0) as usize);
    let shape: Vec<usize> = extents.collect();
    let bytes: SharedBytes = Arc::new(constant.bytes().unwrap_or_default());
    let kind = Kind::of(constant.dtype)?;
    Tensor::borrowing(kind, &shape, &bytes, 0)
}

impl Lower<'_, '_, '_> {
    /// Lowers a constant that is named by index. Returns `None` for any other expression.
    pub fn indexed_constant(&mut self, expr: ExprId) -> Option<Lowered<Operand>> {
        let (base, reference) = self.source.body.metadata_entry(expr)?;
        let Expr::Name(name) = &self.source.body.exprs[base] else {
            return None;
        };
        let loaded = match self.source.env.get(name) {
            Some(PyValue::Metadata(metadata)) => Some(metadata),
            _ if !self.source.body.is_metadata(expr) => return None,
            _ => None,
        };
        if !CONSTANT_KEYS.contains(&reference.key.as_str()) {
            return None;
        }
        let index = reference.index?;
        if let Some(&known) = self.link.indexed.get(&reference) {
            return Some(Ok(Operand::Const(known)));
        }
        let given = self.link.constants.given.get(&index).cloned();
        let made = match (given, loaded.map(|it| it.referent(&reference))) {
            (Some(given), _) => self.fitting(expr, index, given),
            (None, Some(Referent::Constant(constant))) if constant.has_elements() => {
                tensor_of(&constant).map_err(|error| error.to_string())
            }
            _ => self.generated(expr, index),
        };
        let operand = match made {
            Ok(tensor) => self.value_constant(tensor),
            Err(why) => {
                let range = self.range(expr);
                return Some(Err(self.error(range, why)));
            }
        };
        if let Operand::Const(id) = operand {
            self.link.indexed.insert(reference, id);
        }
        Some(Ok(operand))
    }

    /// Returns the tensor if it has the type that inference knows.
    fn fitting(&self, expr: ExprId, index: u32, tensor: Tensor) -> Result<Tensor, String> {
        let Some((kind, shape)) = self.known_type(expr) else {
            return Ok(tensor);
        };
        if tensor.dtype() == kind.dtype() && tensor.shape() == shape {
            return Ok(tensor);
        }
        Err(format!(
            "the given constant {index} is {} of {}, but {} of {} is expected",
            show_shape(tensor.shape()),
            tensor.dtype(),
            show_shape(&shape),
            kind.dtype(),
        ))
    }

    /// Returns a constant without a source: the same in every text that has it with this index and type.
    fn generated(&mut self, expr: ExprId, index: u32) -> Result<Tensor, String> {
        let lacking = "the text lacks the elements of this constant: TVM prints them with \
                       `show_meta=True`, or give a file of them (`--constants`)";
        let Some(seed) = self.link.constants.seed else {
            return Err(lacking.to_owned());
        };
        let Some((kind, shape)) = self.known_type(expr) else {
            return Err(format!(
                "{lacking}; they cannot be generated, as its type is not known here"
            ));
        };
        // Most integers are indices, and each axis has an element 0.
        let tensor = if kind.is_float() || kind == Kind::Bool {
            Leaf::weight(&format!("const_{index}")).generate(seed, kind, &shape)
        } else {
            Tensor::zeros(kind, &shape)
        };
        let tensor = tensor.map_err(|error| error.to_string())?;
        self.link.program.generated.push(index);
        Ok(tensor)
    }

    fn known_type(&self, expr: ExprId) -> Option<(Kind, Vec<usize>)> {
        let Known::Expr(StructInfo::Tensor(tensor)) = self.source.facts.value(expr) else {
            return None;
        };
        let TensorShape::Known(dims) = &tensor.shape else {
            return None;
        };
        let extents = dims.iter().map(|it| usize::try_from(it.as_int()?).ok());
        let kind = Kind::of(tensor.known_dtype()?).ok()?;
        Some((kind, extents.collect::<Option<_>>()?))
    }
}
