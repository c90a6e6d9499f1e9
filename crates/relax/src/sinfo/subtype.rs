//! Checks whether every value of one StructInfo is a value of another, graded as in TVM, and finds the parts that do
//! not fit.

use crate::dtype::DType;
use crate::sinfo::display::Brief;
use crate::sinfo::mismatch::{Aspect, Fit, Mismatch, Step};
use crate::sinfo::renaming::same_up_to_names;
use crate::sinfo::{Callable, DTensor, Prim, Shape, StructInfo, Tensor, TensorShape};
use crate::sym::{SymCx, SymExpr, SymVar, Tri};

impl StructInfo {
    /// Returns how well this StructInfo fits `base`.
    pub fn fit(&self, base: &StructInfo, cx: &SymCx) -> Fit {
        Checker::new(cx, false).check(base, self)
    }

    /// Returns whether this StructInfo is a subtype of `base`; `Maybe` if it has to be checked at run time.
    pub fn is_subtype(&self, base: &StructInfo, cx: &SymCx) -> Tri {
        self.fit(base, cx).tri()
    }

    /// Returns every part that may not fit `base`, in the order in which it is written.
    pub fn mismatches(&self, base: &StructInfo, cx: &SymCx) -> Vec<Mismatch> {
        let mut checker = Checker::new(cx, true);
        checker.check(base, self);
        checker.mismatches
    }

    /// The mismatch to report first: the worst, of equals the one that is proved, then the first.
    pub fn worst_mismatch(&self, base: &StructInfo, cx: &SymCx) -> Option<Mismatch> {
        self.mismatches(base, cx)
            .into_iter()
            .min_by_key(|m| (m.fit, m.proof != Tri::No))
    }
}

/// Receives the values of shape variables while arguments are checked against parameters.
pub(super) trait Bind {
    /// A variable of the base is compared with a dimension. Returns `None` if that binds it, or else its value.
    fn dim(
        &mut self,
        var: &SymVar,
        value: &SymExpr,
        path: &[Step],
        aspect: Aspect,
    ) -> Option<SymExpr>;
    /// A shape variable of the base is compared with a shape.
    fn shape(&mut self, name: &str, id: u32, found: &TensorShape) -> Option<TensorShape>;
    /// An expression of the base is compared with a dimension.
    fn deferred(&mut self, expected: &SymExpr, found: &SymExpr, path: &[Step], aspect: Aspect);
}

pub(super) struct Checker<'a> {
    cx: &'a SymCx,
    trace: bool,
    path: Vec<Step>,
    pub(super) mismatches: Vec<Mismatch>,
    pub(super) binder: Option<&'a mut dyn Bind>,
}

impl<'a> Checker<'a> {
    pub(super) fn new(cx: &'a SymCx, trace: bool) -> Checker<'a> {
        Checker {
            cx,
            trace,
            path: Vec::new(),
            mismatches: Vec::new(),
            binder: None,
        }
    }

    fn differ(
        &mut self,
        aspect: Aspect,
        fit: Fit,
        proof: Tri,
        expected: impl FnOnce() -> String,
        found: impl FnOnce() -> String,
    ) -> Fit {
        if self.trace {
            self.mismatches.push(Mismatch {
                path: self.path.clone(),
                aspect,
                expected: expected(),
                found: found(),
                fit,
                proof,
                bound: None,
            });
        }
        fit
    }

    /// Raises the grades of mismatches since `start` to that of the whole, if the whole fits better.
    fn excuse(&mut self, start: usize, whole: Fit) -> Fit {
        for mismatch in &mut self.mismatches[start..] {
            mismatch.fit = mismatch.fit.max(whole);
        }
        whole
    }

    fn at(&mut self, step: Step, base: &StructInfo, found: &StructInfo) -> Fit {
        self.path.push(step);
        let fit = self.check(base, found);
        self.path.pop();
        fit
    }

    pub(super) fn check(&mut self, base: &StructInfo, found: &StructInfo) -> Fit {
        match (base, found) {
            (StructInfo::Object, _) | (StructInfo::String, StructInfo::String) => Fit::Always,
            (StructInfo::Unknown, _) | (_, StructInfo::Unknown) => Fit::Unproved,
            (StructInfo::Prim(base), StructInfo::Prim(found)) => self.prim(base, found),
            (StructInfo::Shape(base), StructInfo::Shape(found)) => self.shape(base, found),
            (StructInfo::Tensor(base), StructInfo::Tensor(found)) => self.tensor(base, found),
            (StructInfo::DTensor(base), StructInfo::DTensor(found)) => self.dtensor(base, found),
            (StructInfo::Tuple(base), StructInfo::Tuple(found)) => {
                self.list(base, found, Step::Field)
            }
            (StructInfo::Callable(base), StructInfo::Callable(found)) => self.callable(base, found),
            _ => {
                let (fit, proof) = if matches!(found, StructInfo::Object) {
                    (Fit::Narrower, Tri::Maybe)
                } else {
                    (Fit::Never, Tri::No)
                };
                let text = |s: &StructInfo| s.quoted_brief().to_string();
                self.differ(Aspect::Kind, fit, proof, || text(base), || text(found))
            }
        }
    }

    fn list(&mut self, base: &[StructInfo], found: &[StructInfo], step: fn(usize) -> Step) -> Fit {
        if base.len() != found.len() {
            let text = |list: &[StructInfo]| list.len().to_string();
            return self.differ(
                Aspect::Arity,
                Fit::Never,
                Tri::No,
                || text(base),
                || text(found),
            );
        }
        base.iter()
            .zip(found)
            .enumerate()
            .map(|(i, (base, found))| self.at(step(i), base, found))
            .fold(Fit::Always, Fit::min)
    }

    fn prim(&mut self, base: &Prim, found: &Prim) -> Fit {
        let dtype = match (base.dtype, found.dtype) {
            (Some(a), Some(b)) if a != b => {
                return self.differ(
                    Aspect::DType,
                    Fit::Never,
                    Tri::No,
                    || a.to_string(),
                    || b.to_string(),
                );
            }
            (Some(_), None) => Fit::Unproved,
            _ => Fit::Always,
        };
        let value = match (&base.value, &found.value) {
            (None, _) => Fit::Always,
            (Some(value), None) => self.differ(
                Aspect::Value,
                Fit::Unproved,
                Tri::Maybe,
                || value.to_string(),
                || "an unknown value".to_owned(),
            ),
            (Some(base), Some(found)) => self.value(Aspect::Value, base, found),
        };
        dtype.min(value)
    }

    fn shape(&mut self, base: &Shape, found: &Shape) -> Fit {
        if let Some(fit) = self.rank(base.ndim(), found.ndim()) {
            return fit;
        }
        match (base, found) {
            (Shape::Unknown(_), _) => Fit::Always,
            (Shape::Known(base), Shape::Known(found)) => self.dims(base, found),
            (Shape::Known(_), Shape::Unknown(_)) => {
                let text = |s: &Shape| StructInfo::Shape(s.clone()).quoted_brief().to_string();
                self.differ(
                    Aspect::Shape,
                    Fit::Unproved,
                    Tri::Maybe,
                    || text(base),
                    || text(found),
                )
            }
        }
    }

    /// Returns `None` if the ranks agree, or the base accepts any.
    fn rank(&mut self, base: Option<usize>, found: Option<usize>) -> Option<Fit> {
        let base = base?;
        if found == Some(base) {
            return None;
        }
        let (fit, proof) = match found {
            None => (Fit::Narrower, Tri::Maybe),
            Some(_) => (Fit::Never, Tri::No),
        };
        Some(self.differ(
            Aspect::Rank,
            fit,
            proof,
            || base.to_string(),
            || found.map_or_else(|| "unknown".to_owned(), |n| n.to_string()),
        ))
    }

    /// Compares something that the base may leave open. `missing` stands for `found` if there is none.
    fn optional<T: PartialEq + ToString>(
        &mut self,
        aspect: Aspect,
        base: Option<&T>,
        found: Option<&T>,
        missing: &str,
    ) -> Fit {
        let (fit, proof) = match (base, found) {
            (Some(a), Some(b)) if a != b => (Fit::Never, Tri::No),
            (Some(_), None) => (Fit::Narrower, Tri::Maybe),
            _ => return Fit::Always,
        };
        let text = |it: Option<&T>| it.map_or_else(|| missing.to_owned(), T::to_string);
        self.differ(aspect, fit, proof, || text(base), || text(found))
    }

    fn tensor(&mut self, base: &Tensor, found: &Tensor) -> Fit {
        let start = self.mismatches.len();
        let python = [base.dtype, found.dtype]
            .into_iter()
            .flatten()
            .any(DType::is_python);
        let (base_dtype, found_dtype) = (base.dtype.as_ref(), found.dtype.as_ref());
        let dtype = if python {
            Fit::Always
        } else {
            self.optional(Aspect::DType, base_dtype, found_dtype, "unknown")
        };
        let (base_device, found_device) = (base.vdevice.as_ref(), found.vdevice.as_ref());
        let vdevice = self.optional(Aspect::VDevice, base_device, found_device, "none");
        let rank = self.rank(base.ndim(), found.ndim());
        let shape = match rank {
            Some(_) => Fit::Always,
            None => self.tensor_shape(&base.shape, &found.shape),
        };
        // As in TVM, the first failure decides: an unknown dtype hides a shape that cannot fit.
        let fit = [dtype, rank.unwrap_or(Fit::Always), vdevice]
            .into_iter()
            .find(|fit| *fit != Fit::Always)
            .unwrap_or(shape);
        let fit = if python { fit.min(Fit::Unproved) } else { fit };
        self.excuse(start, fit)
    }

    fn tensor_shape(&mut self, base: &TensorShape, found: &TensorShape) -> Fit {
        if let (TensorShape::Var { name, id, .. }, Some(binder)) = (base, &mut self.binder) {
            return match binder.shape(name, *id, found) {
                None => Fit::Always,
                Some(bound) if bound == *found => Fit::Always,
                Some(bound) => self.shape_values(&bound, found),
            };
        }
        match (base, found) {
            (TensorShape::Unknown(_), _) => Fit::Always,
            (TensorShape::Known(base), TensorShape::Known(found)) => self.dims(base, found),
            (TensorShape::Var { id: a, .. }, TensorShape::Var { id: b, .. }) if a == b => {
                Fit::Always
            }
            _ => self.shape_values(base, found),
        }
    }

    /// Compares two shapes, one of them given by a variable. TVM checks them at run time.
    fn shape_values(&mut self, base: &TensorShape, found: &TensorShape) -> Fit {
        if let (Some(base), Some(found)) = (base.dims(), found.dims()) {
            let binder = self.binder.take();
            let start = self.mismatches.len();
            let fit = self.dims(base, found).max(Fit::Unproved);
            self.binder = binder;
            return self.excuse(start, fit);
        }
        let text = |s: &TensorShape| Brief::shape(s).to_string();
        self.differ(
            Aspect::Shape,
            Fit::Unproved,
            Tri::Maybe,
            || text(base),
            || text(found),
        )
    }

    fn dims(&mut self, base: &[SymExpr], found: &[SymExpr]) -> Fit {
        if base.len() != found.len() {
            return self
                .rank(Some(base.len()), Some(found.len()))
                .unwrap_or(Fit::Always);
        }
        base.iter()
            .zip(found)
            .enumerate()
            .map(|(i, (base, found))| self.value(Aspect::Dim(i), base, found))
            .fold(Fit::Always, Fit::min)
    }

    fn value(&mut self, aspect: Aspect, base: &SymExpr, found: &SymExpr) -> Fit {
        if base == found && self.binder.is_none() {
            return Fit::Always;
        }
        let expected = match (&mut self.binder, base) {
            (Some(binder), SymExpr::Var(var)) => match binder.dim(var, found, &self.path, aspect) {
                None => return Fit::Always,
                Some(bound) => bound,
            },
            (Some(binder), SymExpr::Node(_)) => {
                // A later parameter may bind its variables.
                binder.deferred(base, found, &self.path, aspect);
                return Fit::Always;
            }
            _ => base.clone(),
        };
        let proof = self.cx.equal(&expected, found);
        let constants = matches!((base, found), (SymExpr::Int(_), SymExpr::Int(_)));
        let fit = match proof {
            Tri::Yes => return Fit::Always,
            Tri::No if constants => Fit::Never,
            _ => Fit::Unproved,
        };
        self.differ(
            aspect,
            fit,
            proof,
            || expected.to_string(),
            || found.to_string(),
        );
        if let (Some(_), Some(mismatch)) = (&self.binder, self.mismatches.last_mut()) {
            mismatch.bound = base.as_var().cloned();
        }
        fit
    }

    fn dtensor(&mut self, base: &DTensor, found: &DTensor) -> Fit {
        let tensor = self.tensor(&base.tensor, &found.tensor);
        if base.mesh == found.mesh && base.placement == found.placement {
            return tensor;
        }
        let text = |d: &DTensor| format!("{} on {}", d.placement.join(", "), d.mesh);
        let placement = self.differ(
            Aspect::Placement,
            Fit::Narrower,
            Tri::Maybe,
            || text(base),
            || text(found),
        );
        tensor.min(placement)
    }

    fn callable(&mut self, base: &Callable, found: &Callable) -> Fit {
        if base.pure && !found.pure {
            let text = |pure: bool| if pure { "pure" } else { "impure" }.to_owned();
            return self.differ(
                Aspect::Purity,
                Fit::Never,
                Tri::No,
                || text(true),
                || text(false),
            );
        }
        let Some(params) = &base.params else {
            return self.at(Step::Ret, &base.ret, &found.ret);
        };
        let Some(given) = &found.params else {
            return Fit::Unproved;
        };
        if same_up_to_names(base, found) {
            return Fit::Always;
        }
        // Variables of a function type's parameters are its own, and bind nothing outside.
        let binder = self.binder.take();
        let start = self.mismatches.len();
        let params = match self.list(params, given, Step::Param) {
            Fit::Narrower => self.excuse(start, Fit::Unproved),
            fit => fit,
        };
        self.binder = binder;
        params.min(self.at(Step::Ret, &base.ret, &found.ret))
    }
}
