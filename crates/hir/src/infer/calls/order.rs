//! Positional arguments that are for different parameters in the releases that the file may be written for.

use relax::diagnostics::{Code, Severity};
use relax::ops::{self, Kind, OpDef, Param};
use relax::release::Release;
use relax::value::Value;

use crate::body::Arg;
use crate::infer::Infer;

impl Infer<'_> {
    /// Reports the first ambiguous argument, and drops the operands whose parameters changed places.
    pub(in crate::infer) fn check_order(
        &mut self,
        op: &'static OpDef,
        args: &[Arg],
        values: &[Value],
        operands: &mut [Option<Value>],
    ) {
        let Some(older) = ops::by_script(op.script(), self.cx.releases.since) else {
            return;
        };
        let by_place = args
            .iter()
            .take_while(|it| it.keyword.is_none() && !it.starred);
        let mut is_reported = false;
        for (at, (arg, value)) in by_place.zip(values).enumerate() {
            let (Some(before), Some(now)) = (older.params.get(at), op.params.get(at)) else {
                return;
            };
            let has_moved = |it: &Param| it.name == before.name;
            if before.name == now.name || !op.params.iter().any(has_moved) {
                continue;
            }
            if is_only(value, now, before) {
                return;
            }
            operands[at] = None;
            if !std::mem::replace(&mut is_reported, true) {
                let last = older.releases.until;
                let next = last.next().unwrap_or(Release::NEWEST);
                let message = format!(
                    "this is `{}` of `R.{}` until {} and `{}` since {}: name it",
                    before.name,
                    op.script(),
                    last.title(),
                    now.name,
                    next.title()
                );
                let range = self.range(arg.value);
                self.report(Code::OtherDialect, range, message).severity = Severity::Warning;
            }
        }
    }
}

/// Returns `true` if a value is possible for one parameter, but not for the other: a string is not a number.
fn is_only(value: &Value, param: &Param, other: &Param) -> bool {
    matches!(value, Value::Str(_)) && param.kind == Kind::Str && other.kind != Kind::Str
}
