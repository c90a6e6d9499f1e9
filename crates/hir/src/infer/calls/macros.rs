//! `@R.macro`: a call is replaced with the macro's body, with arguments instead of parameters.

use relax::arguments::bind;
use relax::sinfo::StructInfo;
use relax::value::Value;
use smol_str::SmolStr;

use crate::body::{Arg, ExprId};
use crate::enclosing::{PyValue, ScriptMacro};
use crate::infer::Infer;
use crate::infer::calls::splice::Spliced;

impl Infer<'_> {
    /// Expands a call of a macro that the enclosing code defines. Returns `None` for any other call.
    pub(in crate::infer) fn macro_call(
        &mut self,
        expr: ExprId,
        callee: ExprId,
        args: &[Arg],
    ) -> Option<Value> {
        let (name, PyValue::Macro(script)) = self.callee_around(callee)? else {
            return None;
        };
        let spliced = Spliced {
            name,
            body: &script.body,
            expressions: script.expressions,
            // A macro that is not hygienic uses the names at its call.
            env: script.env.as_ref().unwrap_or(self.cx.env),
            params: self.macro_arguments(script, args),
        };
        let read = |inner: &mut Infer<'_>| inner.block(&script.body.function.body);
        let Some(((), frame)) = self.splice(expr, spliced, read) else {
            return Some(Value::Unknown);
        };
        let result = frame.result.unwrap_or(StructInfo::Unknown);
        // A shape variable that the macro declares does not exist at the call.
        let own = result.used_vars().iter().all(|var| self.is_bound(var));
        Some(Value::Expr(if own { result } else { StructInfo::Unknown }))
    }

    fn macro_arguments(&mut self, script: &ScriptMacro, args: &[Arg]) -> Vec<(SmolStr, Value)> {
        let values = self.values(args);
        let params = &script.body.function.params;
        let mut bound: Vec<(SmolStr, Value)> = params
            .iter()
            .map(|p| (p.name.text.clone(), Value::Unknown))
            .collect();
        if args.iter().any(|a| a.starred) {
            return bound;
        }
        let binding = bind(params, args);
        for (at, value) in values.into_iter().enumerate() {
            if let Some(param) = binding.param(at) {
                bound[param].1 = value;
            }
        }
        bound
    }
}
