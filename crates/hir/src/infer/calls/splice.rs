//! Reads functions of the surrounding code in place of their calls.

use std::sync::Arc;

use relax::value::Value;
use smol_str::SmolStr;

use crate::body::{Body, Expr, ExprId};
use crate::enclosing::{Env, PyValue};
use crate::infer::{Context, Frame, Infer, Local, Scope};

/// A function to be inlined.
pub(in crate::infer) struct Spliced<'s> {
    pub name: &'s SmolStr,
    pub body: &'s Body,
    /// The number of its expressions.
    pub expressions: usize,
    /// The values of its names, except the parameters and itself, since it cannot be recursive.
    pub env: &'s Arc<Env>,
    pub params: Vec<(SmolStr, Value)>,
}

impl<'a> Infer<'a> {
    /// Returns what the surrounding code binds to the called name, unless the function binds it.
    pub(in crate::infer) fn callee_around(
        &self,
        callee: ExprId,
    ) -> Option<(&'a SmolStr, &'a PyValue)> {
        let Expr::Name(name) = &self.body.exprs[callee] else {
            return None;
        };
        if self.lookup(name).is_some() {
            return None;
        }
        Some((name, self.cx.env.get(name)?))
    }

    /// Reads `spliced` in place of the call at `call`, which is as impure as its callee. Returns `None` if that
    /// exceeds the budget.
    pub(in crate::infer) fn splice<T>(
        &mut self,
        call: ExprId,
        spliced: Spliced<'_>,
        read: impl FnOnce(&mut Infer<'_>) -> T,
    ) -> Option<(T, Frame)> {
        let mut env = Env::child(spliced.env);
        env.set(spliced.name.clone(), PyValue::Unknown);
        let env = Arc::new(env);
        let cx = Context {
            env: &env,
            ..*self.cx
        };
        let read = |inner: &mut Infer<'_>| {
            let mut scope = Scope::default();
            for (name, value) in spliced.params {
                scope.names.insert(name, Local::Value(value));
            }
            inner.scopes.push(scope);
            read(inner)
        };
        let written = (spliced.body, spliced.expressions);
        let (read, mut frame) = self.read_elsewhere(call, written, &cx, read)?;
        for (_, what) in std::mem::take(&mut frame.impure) {
            self.impure_call(call, &what);
        }
        Some((read, frame))
    }
}
