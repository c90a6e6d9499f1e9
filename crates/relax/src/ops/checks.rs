//! Checks that the rules of several families use: floating dtypes, lists of the right length, layouts, ranks, equal
//! dimensions.
//!
//! Each error names the operands that it compares, and points at them.

use super::layout::Layout;
use super::{At, Call, OpErrorKind, Stop, explicit_dims};
use crate::dtype::{Code, DType};
use crate::release::Release;
use crate::sinfo::Tensor;
use crate::sym::SymExpr;

impl Call<'_> {
    /// Checks that operand `i` is floating point, if its dtype is known. bfloat16 is accepted if `bfloat` is set and the
    /// release is TVM 0.20 or newer.
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
                    "`{}` must have a float dtype, but is `{dtype}`",
                    self.name(i)
                );
                let error = self.error(OpErrorKind::DType, At::param(i), message);
                Err(error.between(dtype, DType::F32))
            }
        }
    }

    /// Checks that operand `i`, an integer attribute, contains no shape variables.
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
                    "`{}` takes constant integers, but `{}` is a shape variable",
                    self.name(i),
                    var.name
                ),
            )),
        }
    }

    /// Returns a list of `n` integers in operand `i`. A single integer, or a list of one, applies to all.
    pub(super) fn ints_of(&self, i: usize, n: usize) -> Result<Vec<i64>, Stop> {
        self.no_variables(i)?;
        let values = self.ints(i)?.unwrap_or_default();
        match values.as_slice() {
            [value] => Ok(vec![*value; n]),
            _ if values.len() == n => Ok(values),
            _ => Err(self.wrong_count(i, n, values.len())),
        }
    }

    pub(super) fn wrong_count(&self, i: usize, n: usize, found: usize) -> Stop {
        let message = format!(
            "`{}` must have {n} {}, but has {found}",
            self.name(i),
            if n == 1 { "element" } else { "elements" },
        );
        self.error(OpErrorKind::Value, At::param(i), message)
    }

    /// Returns the padding before and after each of `n` spatial axes in operand `i`: one number for all, one for each
    /// axis, or all numbers before followed by all numbers after.
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

    /// Returns operand `i` as an integer, which must be positive.
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

    /// Returns the layout in operand `i`, which must contain the axes of `canonical`.
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
            format!("the layout `{text}` is not a permutation of the axes of `{name}`"),
        ))
    }

    /// Returns the explicit dimensions of operand `i`, which must have the rank of `layout`.
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

    /// Converts `dims` of operand `i` from `layout` to `canonical`.
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

    /// Returns the error for operand `i` with `ndim` dimensions instead of `wanted`.
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

    /// Checks that operand `i` has `wanted` dimensions, if their number is known.
    pub(super) fn has_rank(&self, i: usize, tensor: &Tensor, wanted: usize) -> Result<(), Stop> {
        match tensor.ndim() {
            Some(ndim) if ndim != wanted => Err(self.rank(i, ndim, wanted)),
            _ => Ok(()),
        }
    }

    /// Returns `true` if the two provably differ.
    pub(super) fn differ(&self, a: &SymExpr, b: &SymExpr) -> bool {
        self.cx.equal(a, b).is_no()
    }

    /// Returns `true` if `dim` is provably not a multiple of `by`.
    pub(super) fn indivisible(&self, dim: &SymExpr, by: &SymExpr) -> bool {
        by.as_int() != Some(0) && self.cx.divisible(dim, by).is_no()
    }

    /// Checks that two dimensions are equal. `what` describes them in the message.
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
