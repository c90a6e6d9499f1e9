//! Whether a PrimFunc has effects as Relax sees them: it writes into a buffer that it is given, or calls the host.
//!
//! Reads statements without what they compute; what cannot be read has no effects.

use smol_str::SmolStr;

use crate::body::{Body, Expr, ExprId, Stmt, StmtKind, Target};

/// Calls under `T` of functions that may do anything.
const OF_THE_HOST: &[&str] = &[
    "call_cpacked",
    "call_extern",
    "call_packed",
    "tvm_call_cpacked",
    "tvm_call_packed",
];

pub(in crate::infer) fn has_effects(body: &Body) -> bool {
    let function = &body.function;
    let is_buffer = |annotation: &ExprId| is_call_of(body, *annotation, &["Buffer", "buffer"]);
    let params = function.params.iter();
    let given = params.filter(|param| param.annotation.as_ref().is_some_and(is_buffer));
    let mut reader = Reader {
        body,
        given: given.map(|param| param.name.text.clone()).collect(),
    };
    reader.any(&function.body)
}

struct Reader<'a> {
    body: &'a Body,
    /// The buffers of the caller, by name.
    given: Vec<SmolStr>,
}

impl Reader<'_> {
    fn any(&mut self, stmts: &[Stmt]) -> bool {
        stmts
            .iter()
            .any(|stmt| self.stmt(stmt) || stmt.blocks().into_iter().any(|block| self.any(block)))
    }

    fn stmt(&mut self, stmt: &Stmt) -> bool {
        match &stmt.kind {
            StmtKind::Assign { targets, value } => {
                if let [Target::Name(name)] = targets.as_slice() {
                    if is_call_of(self.body, *value, &["match_buffer"]) {
                        self.given.push(name.text.clone());
                    }
                    return false;
                }
                targets.iter().any(|target| self.is_given(target))
            }
            StmtKind::AugAssign { target, .. } => self.is_given(target),
            StmtKind::Expr(expr) => self.calls_host(*expr),
            _ => false,
        }
    }

    /// `A[i]` of a buffer of the caller.
    fn is_given(&self, target: &Target) -> bool {
        let Target::Place(place) = target else {
            return false;
        };
        let Expr::Subscript { base, .. } = &self.body.exprs[*place] else {
            return false;
        };
        matches!(&self.body.exprs[*base], Expr::Name(name) if self.given.contains(name))
    }

    /// `T.call_extern(...)`, alone or in `T.evaluate(...)`.
    fn calls_host(&self, expr: ExprId) -> bool {
        if is_call_of(self.body, expr, OF_THE_HOST) {
            return true;
        }
        match &self.body.exprs[expr] {
            Expr::Call { args, .. } if is_call_of(self.body, expr, &["evaluate"]) => args
                .first()
                .is_some_and(|arg| is_call_of(self.body, arg.value, OF_THE_HOST)),
            _ => false,
        }
    }
}

/// Whether it is a call of something of one of these names, as `T.Buffer(...)`.
fn is_call_of(body: &Body, expr: ExprId, names: &[&str]) -> bool {
    let Expr::Call { callee, .. } = &body.exprs[expr] else {
        return false;
    };
    matches!(&body.exprs[*callee], Expr::Attribute { name, .. } if names.contains(&name.text.as_str()))
}
