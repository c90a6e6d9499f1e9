//! Starred arguments, written out.

use relax::value::Value;

use crate::body::{Arg, Expr, Name};
use crate::infer::Infer;

impl Infer<'_> {
    /// The arguments with what is starred written out; `None` where only Python knows what that is.
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
                                value: arg.value,
                            },
                            item.clone(),
                        ));
                    }
                }
                _ => return None,
            }
        }
        Some(all)
    }
}
