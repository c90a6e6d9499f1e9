//! The arguments that `call_tir` and its relatives take as one tuple.

use relax::sinfo::StructInfo;
use relax::value::Value;

use crate::body::{Expr, ExprId};
use crate::infer::Infer;

impl Infer<'_> {
    /// The arguments of a call, given as a tuple, a list, one value or a variable that holds a tuple.
    pub(in crate::infer) fn tuple_operands(&self, given: ExprId) -> (Vec<StructInfo>, Vec<ExprId>) {
        let value = self.facts.value(given);
        match (&self.body.exprs[given], value) {
            (Expr::Tuple(items) | Expr::List(items), Value::List(values))
                if items.len() == values.len() =>
            {
                (
                    values
                        .iter()
                        .map(|v| v.struct_info().unwrap_or_default())
                        .collect(),
                    items.clone(),
                )
            }
            (_, Value::List(values)) => (
                values
                    .iter()
                    .map(|v| v.struct_info().unwrap_or_default())
                    .collect(),
                vec![given; values.len()],
            ),
            (_, Value::Expr(StructInfo::Tuple(fields))) => {
                (fields.to_vec(), vec![given; fields.len()])
            }
            (_, value) => (vec![value.struct_info().unwrap_or_default()], vec![given]),
        }
    }
}
