//! Checks that the rules of several families make: floating dtypes, lists of the right length, layouts,
//! ranks, dimensions that are equal.
//!
//! Each names the operands it compares and points at them.

use super::layout::Layout;
use super::{At, Call, OpErrorKind, Stop, explicit_dims};
use crate::dtype::{Code, DType};
use crate::release::Release;
use crate::sinfo::Tensor;
use crate::sym::SymExpr;

impl Call<'_> {
    /// Operand `i` must be of floating point, if its dtype is known. bfloat16 counts where `bfloat` says so, since
    /// TVM 0.20.
    pub(super) fn floating(&self, i: usize, tensor: &Tensor, bfloat: bool) -> Result<(), Stop> {
        match tensor.dtype {
            None => Ok(()),
            Some(dtype) if dtype.code == Code::Float => Ok(()),
            Some(dtype)
                if dtype.code == Code::BFloat && bfloat && self.release >= Release::V0_20 =>
            {
                Ok(())
            }
            Some(dtype) => {
                let message = format!(
                    "`{}` must be of floating point, but is `{dtype}`",
                    self.name(i)
                );
                let error = self.error(OpErrorKind::DType, At::param(i), message);
                Err(error.between(dtype, DType::F32))
            }
        }
    }

    /// Operand `i` is an attribute of integers, so no shape variable is in it.
    fn no_variables(&self, i: usize) -> Result<(), Stop> {
        let dims = self.syms(i)?.unwrap_or_default();
        let variable = dims
            .iter()
            .flat_map(SymExpr::vars)
            .find(|var| !var.is_python());
        match variable {
            None => Ok(()),
            Some(var) => Err(self.error(
                OpErrorKind::Type,
                At::param(i),
                format!(
                    "`{}` takes integers that are known beforehand, and `{}` is a shape variable",
                    self.name(i),
                    var.name
                ),
            )),
        }
    }

    /// A list of `n` integers in operand `i`; one integer, or a list of one, stands for all.
    pub(super) fn ints_of(&self, i: usize, n: usize) -> Result<Vec<i64>, Stop> {
        self.no_variables(i)?;
        let values = self.ints(i)?.unwrap_or_default();
        match values.as_slice() {
            [value] => Ok(vec![*value; n]),
            _ if values.len() == n => Ok(values),
            _ => Err(self.error(
                OpErrorKind::Value,
                At::param(i),
                format!(
                    "`{}` must have {n} {}, but has {}",
                    self.name(i),
                    if n == 1 { "element" } else { "elements" },
                    values.len()
                ),
            )),
        }
    }

    /// The padding before and after each of `n` spatial axes in operand `i`: one number for all,
    /// one for each axis, or all that come before and then all that come after.
    pub(super) fn padding(&self, i: usize, n: usize) -> Result<Vec<(i64, i64)>, Stop> {
        self.no_variables(i)?;
        let values = self.ints(i)?.unwrap_or_default();
        if let [value] = values.as_slice() {
            return Ok(vec![(*value, *value); n]);
        }
        if values.len() == n {
            return Ok(values.iter().map(|&v| (v, v)).collect());
        }
        if values.len() == 2 * n {
            let (before, after) = values.split_at(n);
            return Ok(before.iter().copied().zip(after.iter().copied()).collect());
        }
        Err(self.error(
            OpErrorKind::Value,
            At::param(i),
            format!(
                "`{}` must have 1, {n} or {} elements, but has {}",
                self.name(i),
                2 * n,
                values.len()
            ),
        ))
    }

    /// Operand `i` as an integer that must be positive.
    pub(super) fn positive(&self, i: usize) -> Result<i64, Stop> {
        match self.int(i)? {
            Some(value) if value > 0 => Ok(value),
            Some(value) => Err(self.error(
                OpErrorKind::Value,
                At::param(i),
                format!("`{}` must be positive, but is `{value}`", self.name(i)),
            )),
            None => Err(self.wrong_kind(i, "an integer")),
        }
    }

    /// The layout in operand `i`, which must order the axes of `canonical`.
    pub(super) fn layout(&self, i: usize, canonical: &Layout, name: &str) -> Result<Layout, Stop> {
        let text = self.str(i)?.unwrap_or_default();
        let layout = Layout::parse(&text).map_err(|reason| {
            self.error(
                OpErrorKind::Value,
                At::param(i),
                format!("`{text}` is not a layout: {reason}"),
            )
        })?;
        if layout.converts_to(canonical) {
            return Ok(layout);
        }
        Err(self.error(
            OpErrorKind::Value,
            At::param(i),
            format!("the layout `{text}` does not order the axes of `{name}`"),
        ))
    }

    /// The written dimensions of operand `i`, which must have the rank of `layout`.
    pub(super) fn dims_in<'t>(
        &self,
        i: usize,
        tensor: &'t Tensor,
        layout: &Layout,
    ) -> Result<Option<&'t [SymExpr]>, Stop> {
        if let Some(ndim) = tensor.ndim()
            && ndim != layout.ndim()
        {
            return Err(self.rank(i, ndim, layout.ndim()));
        }
        Ok(explicit_dims(tensor))
    }

    /// `dims` of operand `i`, in `layout`, as a shape in `canonical`.
    pub(super) fn in_layout(
        &self,
        i: usize,
        dims: &[SymExpr],
        layout: &Layout,
        canonical: &Layout,
    ) -> Result<Vec<SymExpr>, Stop> {
        layout.convert(dims, canonical).map_err(|misfit| {
            let found = dims
                .get(misfit.dim)
                .map_or_else(String::new, ToString::to_string);
            self.error(
                OpErrorKind::Shape,
                At::dim(i, misfit.dim),
                format!(
                    "dimension {} of `{}` is `{found}`, but its layout says `{}`",
                    misfit.dim,
                    self.name(i),
                    misfit.wanted
                ),
            )
        })
    }

    /// Operand `i` has `ndim` dimensions where `wanted` are needed.
    pub(super) fn rank(&self, i: usize, ndim: usize, wanted: usize) -> Stop {
        self.error(
            OpErrorKind::Rank,
            At::param(i),
            format!(
                "`{}` must have {wanted} {}, but has {ndim}",
                self.name(i),
                if wanted == 1 {
                    "dimension"
                } else {
                    "dimensions"
                }
            ),
        )
    }

    /// Operand `i` must have `wanted` dimensions, if their number is known.
    pub(super) fn has_rank(&self, i: usize, tensor: &Tensor, wanted: usize) -> Result<(), Stop> {
        match tensor.ndim() {
            Some(ndim) if ndim != wanted => Err(self.rank(i, ndim, wanted)),
            _ => Ok(()),
        }
    }

    /// Do the two provably differ?
    pub(super) fn differ(&self, a: &SymExpr, b: &SymExpr) -> bool {
        self.cx.equal(a, b).is_no()
    }

    /// Is `dim` provably no multiple of `by`?
    pub(super) fn indivisible(&self, dim: &SymExpr, by: &SymExpr) -> bool {
        by.as_int() != Some(0) && self.cx.divisible(dim, by).is_no()
    }

    /// Two dimensions that must be equal: `what` names the thing they measure.
    pub(super) fn same_dim(
        &self,
        (at, dim): (At, &SymExpr),
        (other_at, other): (At, &SymExpr),
        what: &str,
    ) -> Result<(), Stop> {
        if !self.differ(dim, other) {
            return Ok(());
        }
        let error = self.error_with(
            OpErrorKind::Shape,
            at,
            format!(
                "the {what} of `{}` is `{dim}`, but that of `{}` is `{other}`",
                self.name(at.param),
                self.name(other_at.param)
            ),
            other_at,
            format!("`{other}` here"),
        );
        Err(error.between(dim, other))
    }
}
