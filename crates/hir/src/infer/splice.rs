//! Functions of the code around that are read where they are called: what a call of one is replaced by.

use std::sync::Arc;

use relax::value::Value;
use smol_str::SmolStr;

use super::base::Base;
use super::names::Names;
use super::state::State;
use super::{Context, Frame, Infer, Local, Scope};
use crate::body::{Body, Expr, ExprId};
use crate::enclosing::{Env, PyValue};
use crate::facts::FunctionFact;

/// What it costs to begin on a function, in expressions.
const CALL: usize = 32;

/// A function at its call.
pub(super) struct Spliced<'s> {
    pub name: &'s SmolStr,
    pub body: &'s Body,
    /// What its names stand for, but for the parameters and itself, which it does not call.
    pub env: Env,
    pub params: Vec<(SmolStr, Value)>,
}

impl<'a> Infer<'a> {
    /// What the code around binds to the name that is called, if the function binds it to nothing.
    pub(super) fn callee_around(&self, callee: ExprId) -> Option<(&'a SmolStr, &'a PyValue)> {
        let Expr::Name(name) = &self.body.exprs[callee] else {
            return None;
        };
        if self.lookup(name).is_some() {
            return None;
        }
        Some((name, self.cx.env.get(name)?))
    }

    /// Reads `spliced` in place of the call at `call`, which is as impure as what it calls; `None` if that is too much.
    pub(super) fn splice<T>(
        &mut self,
        call: ExprId,
        mut spliced: Spliced<'_>,
        read: impl FnOnce(&mut Infer<'_>) -> T,
    ) -> Option<(T, Frame)> {
        if !self.may_read(call, CALL + spliced.body.exprs.own_len()) {
            return None;
        }
        spliced.env.set(spliced.name.clone(), PyValue::Unknown);
        let env = Arc::new(spliced.env);
        let cx = Context {
            env: &env,
            ..*self.cx
        };
        let (mut names, state) = (Names::default(), State::default());
        let base = Base::alone(&mut names, &state);
        let mut inner = Infer::new(spliced.body, &cx, base);
        inner.facts.functions.push(FunctionFact::default());
        inner.frames.push(Frame::default());
        let mut scope = Scope::default();
        for (name, value) in spliced.params {
            scope.names.insert(name, Local::Value(value));
        }
        inner.scopes.push(scope);
        let read = read(&mut inner);
        let mut frame = inner.frames.pop()?;
        if self.cx.effort.is_spent() {
            self.left_out(call);
        }
        for (_, what) in std::mem::take(&mut frame.impure) {
            self.impure_call(call, &what);
        }
        Some((read, frame))
    }
}
