//! `@R.macro`: a call is read as the macro's body with the arguments in place of its parameters.

use std::sync::Arc;

use smol_str::SmolStr;

use super::base::Base;
use super::names::Names;
use super::state::State;
use super::{Context, Frame, Infer, Local, Scope};
use crate::body::{Arg, Expr, ExprId};
use crate::enclosing::{Env, PyValue, ScriptMacro};
use crate::facts::FunctionFact;
use crate::sinfo::StructInfo;
use crate::value::Value;

impl Infer<'_> {
    /// A call of a macro that the enclosing code defines; `None` for anything else.
    pub(super) fn macro_call(
        &mut self,
        expr: ExprId,
        callee: ExprId,
        args: &[Arg],
    ) -> Option<Value> {
        let Expr::Name(name) = &self.body.exprs[callee] else {
            return None;
        };
        if self.lookup(name).is_some() {
            return None;
        }
        let Some(PyValue::Macro(script)) = self.cx.env.get(name).cloned() else {
            return None;
        };
        let bound = self.macro_arguments(&script, args);
        // A macro that is not hygienic sees the names where it is called; itself it does not call.
        let mut env: Env = script.env.as_deref().unwrap_or(self.cx.env).clone();
        env.set(name.clone(), PyValue::Unknown);
        let env = Arc::new(env);
        let cx = Context {
            env: &env,
            ..*self.cx
        };
        let (mut names, state) = (Names::default(), State::default());
        let base = Base::alone(&mut names, &state);
        let mut inner = Infer::new(&script.body, &cx, base);
        inner.facts.functions.push(FunctionFact::default());
        inner.frames.push(Frame::default());
        let mut scope = Scope::default();
        for (name, value) in bound {
            scope.names.insert(name, Local::Value(value));
        }
        inner.scopes.push(scope);
        inner.block(&script.body.function.body);
        let frame = inner.frames.pop()?;
        for (_, what) in frame.impure {
            self.impure_call(expr, &what);
        }
        let result = frame.result.unwrap_or(StructInfo::Unknown);
        // A shape variable that the macro declares for itself is none of the caller's.
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
        for (k, (arg, value)) in args.iter().zip(values).enumerate() {
            let at = match &arg.keyword {
                Some(keyword) => params.iter().position(|p| p.name.text == keyword.text),
                None => Some(k),
            };
            if let Some(slot) = at.and_then(|at| bound.get_mut(at)) {
                slot.1 = value;
            }
        }
        bound
    }
}
