//! The elements of memory that several buffers may view.

use hir::tir::{Buffer, BufferId, Expr, PrimFunc};

use super::super::private::may_overlap;

/// How elements of the memory are told apart.
pub(super) enum Places {
    /// By their indices in the only view.
    Indices(BufferId),
    /// By their positions in the memory, since several indices may mean the same one.
    Positions(Vec<ViewStrides>),
}

/// The layout of a view whose strides are known.
pub(super) struct ViewStrides {
    pub view: BufferId,
    pub strides: Vec<i64>,
    /// The size of an element, in units that divide the sizes of the elements of all views.
    pub units: i64,
}

impl Places {
    /// Returns `None` if strides are not known.
    pub fn of(func: &PrimFunc, views: &[BufferId]) -> Option<Places> {
        if let [view] = *views
            && !may_overlap(func.buffer(view))
        {
            return Some(Places::Indices(view));
        }
        let bytes = |view: &BufferId| func.buffer(*view).dtype.bytes().max(1) as i64;
        let smallest = views.iter().map(bytes).min()?;
        let divides_all = views.iter().all(|view| bytes(view) % smallest == 0);
        let unit = if divides_all { smallest } else { 1 };
        let layouts = views.iter().map(|view| {
            Some(ViewStrides {
                view: *view,
                strides: strides(func.buffer(*view))?,
                units: bytes(view) / unit,
            })
        });
        Some(Places::Positions(layouts.collect::<Option<_>>()?))
    }

    pub fn contain(&self, buffer: BufferId) -> bool {
        match self {
            Places::Indices(view) => *view == buffer,
            Places::Positions(layouts) => layouts.iter().any(|it| it.view == buffer),
        }
    }
}

/// Returns the strides of a buffer, if they are known.
fn strides(buffer: &Buffer) -> Option<Vec<i64>> {
    if let Some(strides) = &buffer.strides {
        return strides.iter().map(Expr::as_int).collect();
    }
    let mut strides = vec![1; buffer.shape.len()];
    for at in (1..strides.len()).rev() {
        strides[at - 1] = buffer.shape[at].as_int()?.checked_mul(strides[at])?;
    }
    Some(strides)
}
