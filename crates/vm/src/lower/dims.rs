//! Lowers dimensions: symbolic unless they are numbers, and rejected if they have no value.

use relax::sinfo::StructInfo;
use relax::sym::{SymExpr, SymVar};
use text_size::TextRange;

use super::function::{Lower, Lowered};
use crate::bytecode::{Constant, Operand};
use crate::ir::StmtKind;
use crate::value::Value;

impl Lower<'_, '_, '_> {
    /// Marks the shape variables that a value of this StructInfo binds as having values.
    pub fn bind_dims(&mut self, info: &StructInfo) {
        let vars = info.defined_vars();
        self.bound
            .extend(vars.into_iter().filter(|var| !var.is_python()));
    }

    fn check_bound(&mut self, dim: &SymExpr, range: TextRange) -> Lowered<()> {
        if !dim.any_var(&|var| !self.bound.contains(var)) {
            return Ok(());
        }
        let missing: Vec<SymVar> = dim
            .vars()
            .into_iter()
            .filter(|var| !self.bound.contains(var))
            .collect();
        let message = match missing.first() {
            Some(var) if var.is_python() => {
                format!(
                    "the dimension `{}` is only known when Python runs",
                    var.name
                )
            }
            Some(var) => format!("shape variable `{}` has no value here", var.name),
            None => "this dimension has no value here".to_owned(),
        };
        Err(self.error(range, message))
    }

    /// Returns a Shape with these dimensions.
    pub fn shape(&mut self, dims: &[SymExpr], range: TextRange) -> Lowered<Operand> {
        if let Some(values) = dims.iter().map(SymExpr::as_int).collect::<Option<Vec<_>>>() {
            return Ok(self.value_constant(values));
        }
        for dim in dims {
            self.check_bound(dim, range)?;
        }
        Ok(self.constant(Constant::Shape(dims.into())))
    }

    /// Returns a scalar with this value.
    pub fn prim(&mut self, value: &SymExpr, range: TextRange) -> Lowered<Operand> {
        if let Some(value) = value.as_int() {
            return Ok(self.value_constant(Value::int(value)));
        }
        self.check_bound(value, range)?;
        Ok(self.constant(Constant::Sym(value.clone())))
    }

    /// Binds the shape variables of `target`. The run stops if the value does not match.
    pub fn match_cast(
        &mut self,
        value: Operand,
        known: &StructInfo,
        target: &StructInfo,
        what: &str,
    ) -> Operand {
        let dst = self.register();
        self.emit(StmtKind::MatchCast {
            dst,
            value,
            known: known.clone(),
            target: target.clone(),
            what: what.to_owned(),
        });
        self.describe(dst, None, target);
        self.bind_dims(target);
        Operand::Reg(dst)
    }

    /// Binds a shape variable to a scalar.
    pub fn store_dim(&mut self, value: Operand, var: &SymVar) {
        self.emit(StmtKind::BindDim {
            value,
            var: var.clone(),
        });
        self.bound.insert(var.clone());
    }
}
