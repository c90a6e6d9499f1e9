//! Functions of the code around that are read where they are called: what a call of one is replaced by.

use std::sync::Arc;

use relax::value::Value;
use smol_str::SmolStr;

use crate::body::{Body, Expr, ExprId};
use crate::enclosing::{Env, PyValue};
use crate::infer::{Context, Frame, Infer, Local, Scope};

/// A function at its call.
pub(in crate::infer) struct Spliced<'s> {
    pub name: &'s SmolStr,
    pub body: &'s Body,
    /// How much there is to read.
    pub expressions: usize,
    /// What its names stand for, but for the parameters and itself, which it does not call.
    pub env: &'s Arc<Env>,
    pub params: Vec<(SmolStr, Value)>,
}

impl<'a> Infer<'a> {
    /// What the code around binds to the name that is called, if the function binds it to nothing.
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

    /// Reads `spliced` in place of the call at `call`, which is as impure as what it calls; `None` if that is too much.
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
        let (read, mut frame) = self.elsewhere(call, written, &cx, read)?;
        for (_, what) in std::mem::take(&mut frame.impure) {
            self.impure_call(call, &what);
        }
        Some((read, frame))
    }
}
