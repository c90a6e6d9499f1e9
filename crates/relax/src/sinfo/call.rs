//! Infers a call of a function from its StructInfo: checks arguments against parameters, binds shape variables, and
//! derives the StructInfo of the result.

use rustc_hash::FxHashMap;

use crate::sinfo::subtype::{Bind, Checker};
use crate::sinfo::{Aspect, Callable, Fit, Mismatch, Step, StructInfo, TensorShape};
use crate::sym::{SymCx, SymExpr, SymVar, Tri};

/// The result of checking a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Derived {
    /// The StructInfo of the result. With a wrong number of arguments, it is derived from the given ones.
    pub ret: StructInfo,
    /// One entry for each pair of a parameter and an argument.
    pub args: Vec<Argument>,
    /// The number of parameters if the number of arguments is different.
    pub wrong_count: Option<usize>,
    /// The values of the parameters' shape variables.
    pub bound: Vec<Bound>,
}

/// The result of checking an argument against its parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Argument {
    /// TVM rejects `Never` and `Narrower`.
    pub fit: Fit,
    pub mismatches: Vec<Mismatch>,
}

/// A shape variable of the callee, its value, and where it was bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    pub var: SymVar,
    pub value: SymExpr,
    pub param: usize,
    pub path: Vec<Step>,
    pub aspect: Aspect,
}

impl Derived {
    /// Returns the value of a shape variable of the callee.
    pub fn value_of(&self, var: &SymVar) -> Option<&Bound> {
        self.bound.iter().find(|b| b.var == *var)
    }
}

/// Checks `args` against the parameters of `callee`, and derives the StructInfo of the result.
pub fn derive(callee: &Callable, args: &[StructInfo], cx: &SymCx) -> Derived {
    let Some(params) = &callee.params else {
        return Derived {
            ret: callee.ret.clone(),
            args: Vec::new(),
            wrong_count: None,
            bound: Vec::new(),
        };
    };
    let mut binder = Binder::default();
    let mut checked = Vec::with_capacity(args.len());
    for (i, (param, arg)) in params.iter().zip(args).enumerate() {
        binder.param = i;
        let mut checker = Checker::new(cx, true);
        checker.binder = Some(&mut binder);
        let fit = checker.check(param, arg);
        let mismatches = std::mem::take(&mut checker.mismatches);
        checked.push(Argument { fit, mismatches });
    }
    binder.compare_deferred(&mut checked, cx);
    let ret = callee
        .ret
        .erase(&|var| binder.value(var).cloned(), &|name, id| {
            binder.shape_value(name, id).cloned()
        });
    Derived {
        ret,
        args: checked,
        wrong_count: (params.len() != args.len()).then_some(params.len()),
        bound: binder.bound,
    }
}

#[derive(Default)]
struct Binder {
    param: usize,
    bound: Vec<Bound>,
    /// The indices of the bound variables.
    by_var: FxHashMap<SymVar, usize>,
    shapes: Vec<(u32, String, TensorShape)>,
    deferred: Vec<Deferred>,
}

/// A dimension that is an expression over the callee's shape variables.
struct Deferred {
    param: usize,
    path: Vec<Step>,
    aspect: Aspect,
    expected: SymExpr,
    found: SymExpr,
}

impl Bind for Binder {
    fn dim(
        &mut self,
        var: &SymVar,
        value: &SymExpr,
        path: &[Step],
        aspect: Aspect,
    ) -> Option<SymExpr> {
        if let Some(bound) = self.value(var) {
            return Some(bound.clone());
        }
        self.by_var.insert(var.clone(), self.bound.len());
        self.bound.push(Bound {
            var: var.clone(),
            value: value.clone(),
            param: self.param,
            path: path.to_vec(),
            aspect,
        });
        None
    }

    fn shape(&mut self, name: &str, id: u32, found: &TensorShape) -> Option<TensorShape> {
        if let Some(bound) = self.shape_value(name, id) {
            return Some(bound.clone());
        }
        self.shapes.push((id, name.to_owned(), found.clone()));
        None
    }

    fn deferred(&mut self, expected: &SymExpr, found: &SymExpr, path: &[Step], aspect: Aspect) {
        self.deferred.push(Deferred {
            param: self.param,
            path: path.to_vec(),
            aspect,
            expected: expected.clone(),
            found: found.clone(),
        });
    }
}

impl Binder {
    fn value(&self, var: &SymVar) -> Option<&SymExpr> {
        self.by_var.get(var).map(|at| &self.bound[*at].value)
    }

    fn shape_value(&self, name: &str, id: u32) -> Option<&TensorShape> {
        self.shapes
            .iter()
            .find(|(i, n, _)| *i == id && n == name)
            .map(|(.., shape)| shape)
    }

    /// Compares these dimensions once all parameters are bound.
    fn compare_deferred(&self, args: &mut [Argument], cx: &SymCx) {
        for deferred in &self.deferred {
            let Some(arg) = args.get_mut(deferred.param) else {
                continue;
            };
            let unbound = deferred.expected.any_var(&|v| self.value(v).is_none());
            let expected = deferred.expected.substitute(&|v| self.value(v).cloned());
            let proof = if unbound {
                Tri::Maybe
            } else {
                cx.equal(&expected, &deferred.found)
            };
            if proof.is_yes() {
                continue;
            }
            let text = if expected == deferred.expected {
                expected.to_string()
            } else {
                format!("{} = {expected}", deferred.expected)
            };
            arg.fit = arg.fit.min(Fit::Unproved);
            arg.mismatches.push(Mismatch {
                path: deferred.path.clone(),
                aspect: deferred.aspect,
                expected: text,
                found: deferred.found.to_string(),
                fit: Fit::Unproved,
                proof,
                bound: None,
            });
        }
    }
}
