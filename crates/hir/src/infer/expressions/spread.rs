//! Expands starred arguments.

use relax::diagnostics::Code;
use relax::sinfo::StructInfo;
use relax::value::Value;

use crate::body::{Arg, Expr, Name};
use crate::facts::Def;
use crate::infer::Infer;

impl Infer<'_> {
    /// Returns the arguments with starred ones expanded, or `None` if only Python knows their contents.
    pub(in crate::infer) fn spread(
        &mut self,
        args: &[Arg],
        values: &[Value],
    ) -> Option<Vec<(Arg, Value)>> {
        let mut all = Vec::with_capacity(args.len());
        for (arg, value) in args.iter().zip(values) {
            if !arg.starred {
                all.push((arg.clone(), value.clone()));
                continue;
            }
            if self.cannot_be_unpacked(arg, value) {
                return None;
            }
            match value {
                Value::List(items) if self.may_read(arg.value, items.len() / 4) => {
                    let written = match &self.body.exprs[arg.value] {
                        Expr::Tuple(exprs) | Expr::List(exprs) if exprs.len() == items.len() => {
                            exprs.clone()
                        }
                        _ => vec![arg.value; items.len()],
                    };
                    for (value, item) in written.into_iter().zip(items.iter()) {
                        let keyword = None;
                        let starred = false;
                        all.push((
                            Arg {
                                keyword,
                                starred,
                                is_mapping: false,
                                value,
                            },
                            item.clone(),
                        ));
                    }
                }
                Value::Dict(entries) if self.may_read(arg.value, entries.len() / 4) => {
                    for (key, item) in entries.iter() {
                        let Value::Str(key) = key else { return None };
                        let keyword = Some(Name {
                            text: key.clone(),
                            range: self.range(arg.value),
                        });
                        all.push((
                            Arg {
                                keyword,
                                starred: false,
                                is_mapping: false,
                                value: arg.value,
                            },
                            item.clone(),
                        ));
                    }
                }
                // Python iterates over the fields of a variable that holds a tuple.
                Value::Expr(StructInfo::Tuple(fields))
                    if matches!(self.facts.def(arg.value), Some(Def::Var(_)))
                        && self.may_read(arg.value, fields.len() / 4) =>
                {
                    let field = |field: &StructInfo| {
                        let arg = Arg {
                            keyword: None,
                            starred: false,
                            is_mapping: false,
                            value: arg.value,
                        };
                        (arg, Value::Expr(field.clone()))
                    };
                    all.extend(fields.iter().map(field));
                }
                _ => return None,
            }
        }
        Some(all)
    }

    /// Returns `true` and reports it if Python cannot unpack a value: two stars require a mapping.
    fn cannot_be_unpacked(&mut self, arg: &Arg, value: &Value) -> bool {
        let is_number = matches!(
            value,
            Value::None | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Sym(_)
        );
        let is_relax = matches!(value, Value::Expr(it) if !it.is_unknown());
        let (wrong, message) = if arg.is_mapping {
            (
                is_number || is_relax || matches!(value, Value::List(_)),
                "`**` unpacks a dict, but this is not a dict",
            )
        } else {
            let is_shape = matches!(
                value,
                Value::ShapeVar { .. } | Value::Expr(StructInfo::Shape(_))
            );
            (
                is_number || is_shape,
                "`*` unpacks a list or a tuple, but this is neither",
            )
        };
        if wrong {
            let range = self.range(arg.value);
            self.report(Code::ArgumentType, range, message);
        }
        wrong
    }
}
