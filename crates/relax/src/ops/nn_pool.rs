//! Pooling over windows, and adaptive pooling to a given size.
//!
//! One rule for each; the number of spatial axes and the layout are data.

use super::Default::{Bool, Ints, None, Str};
use super::nn_conv::{canonical, reach};
use super::{At, Call, Default, Infer, Kind, OpDef, OpErrorKind, Param, opt, req};
use crate::release::{Release, Releases};
use crate::sinfo::{Tensor, TensorShape};
use crate::sym::{Op, SymExpr, Tri};
use crate::value::Value;

const SOURCE: &str = "src/relax/op/nn/pooling.cc";

const DATA: Param = req("data", Kind::Tensor).doc("The input.");

/// Returns the parameters of a pooling. The defaults of `padding` and `count_include_pad` differ.
const fn pool(
    one: Default,
    padding: Default,
    count_include_pad: bool,
    layout: &'static str,
) -> [Param; 9] {
    [
        DATA,
        opt("pool_size", Kind::Ints, one).doc("The extent of the window along each spatial axis."),
        opt("strides", Kind::Ints, one).doc("The stride of the window along each spatial axis."),
        opt("padding", Kind::Ints, padding).doc(
            "Padding of the input: one number, one for each spatial axis, or all before and then all after.",
        ),
        opt("dilation", Kind::Ints, one).doc("The spacing between elements of the window."),
        opt("ceil_mode", Kind::Bool, Bool(false))
            .doc("Round the extents of the output up instead of down."),
        opt("count_include_pad", Kind::Bool, Bool(count_include_pad))
            .doc("Count padding in an average."),
        opt("layout", Kind::Str, Str(layout)).doc("The layout of the input."),
        OUT_LAYOUT,
    ]
}

const OUT_LAYOUT: Param = opt("out_layout", Kind::Str, None)
    .doc("The layout of the output; that of the input if absent.");

const fn adaptive(layout: &'static str) -> [Param; 4] {
    [
        DATA,
        opt("output_size", Kind::Ints, None)
            .doc("The spatial extents of the output; those of the input if absent."),
        opt("layout", Kind::Str, Str(layout)).doc("The layout of the input."),
        OUT_LAYOUT,
    ]
}

const ONE1: Default = Ints(&[1]);
const ONE2: Default = Ints(&[1, 1]);
const ONE3: Default = Ints(&[1, 1, 1]);
const ZERO2: Default = Ints(&[0, 0]);
const ZERO3: Default = Ints(&[0, 0, 0]);

static POOL1D: [Param; 9] = pool(ONE1, ZERO2, false, "NCW");
static POOL2D: [Param; 9] = pool(ONE2, ZERO2, false, "NCHW");
static POOL3D: [Param; 9] = pool(ONE3, ZERO3, false, "NCDHW");
static POOL1D_COUNTING: [Param; 9] = pool(ONE1, ZERO2, true, "NCW");
static POOL3D_COUNTING: [Param; 9] = pool(ONE3, ZERO3, true, "NCDHW");
static ADAPTIVE1D: [Param; 4] = adaptive("NCW");
static ADAPTIVE2D: [Param; 4] = adaptive("NCHW");
static ADAPTIVE3D: [Param; 4] = adaptive("NCDHW");

/// The parameters of TVM's `Pool2DAttrs` for the gradients of pooling.
pub(super) const POOL2D_ATTRS: [Param; 8] = {
    let [_, size, strides, _, dilation, ceil, count, layout, out] =
        pool(ONE2, ZERO2, false, "NCHW");
    let padding = opt("padding", Kind::Ints, Ints(&[0, 0, 0, 0]))
        .doc("Padding of the input: top, left, bottom, right.");
    [size, strides, padding, dilation, ceil, count, layout, out]
};

const SHAPES1: &str = "data: (n, c, w) → (n, c, (w + pad - dilation·(kw-1) - 1)//stride + 1)";
const SHAPES2: &str = "data: (n, c, h, w) → (n, c, h', w')";
const SHAPES3: &str = "data: (n, c, d, h, w) → (n, c, d', h', w')";

pub static OPS: &[OpDef] = &[
    OpDef::new("relax.nn.max_pool1d", &POOL1D, |c| infer_pool(c, 1))
        .doc(
            "The largest element of each window over one spatial axis.",
            SHAPES1,
            "y = R.nn.max_pool1d(x, pool_size=2, strides=2)",
        )
        .source(SOURCE),
    OpDef::new("relax.nn.max_pool2d", &POOL2D, |c| infer_pool(c, 2))
        .doc(
            "The largest element of each window over two spatial axes.",
            SHAPES2,
            "y = R.nn.max_pool2d(x, pool_size=(2, 2), strides=(2, 2))",
        )
        .source(SOURCE),
    OpDef::new("relax.nn.max_pool3d", &POOL3D, |c| infer_pool(c, 3))
        .doc(
            "The largest element of each window over three spatial axes.",
            SHAPES3,
            "y = R.nn.max_pool3d(x, pool_size=2, strides=2)",
        )
        .source(SOURCE),
    OpDef::new("relax.nn.avg_pool1d", &POOL1D, |c| infer_pool(c, 1))
        .releases(Releases::until(Release::V0_20))
        .doc(
            "The mean of each window over one spatial axis.",
            SHAPES1,
            "y = R.nn.avg_pool1d(x, pool_size=2, strides=2)",
        )
        .source(SOURCE),
    OpDef::new("relax.nn.avg_pool1d", &POOL1D_COUNTING, |c| {
        infer_pool(c, 1)
    })
    .releases(Releases::since(Release::V0_21))
    .doc(
        "The mean of each window over one spatial axis.",
        SHAPES1,
        "y = R.nn.avg_pool1d(x, pool_size=2, strides=2)",
    )
    .source(SOURCE),
    OpDef::new("relax.nn.avg_pool2d", &POOL2D, |c| infer_pool(c, 2))
        .doc(
            "The mean of each window over two spatial axes.",
            SHAPES2,
            "y = R.nn.avg_pool2d(x, pool_size=(2, 2), strides=(2, 2))",
        )
        .source(SOURCE),
    OpDef::new("relax.nn.avg_pool3d", &POOL3D, |c| infer_pool(c, 3))
        .releases(Releases::until(Release::V0_20))
        .doc(
            "The mean of each window over three spatial axes.",
            SHAPES3,
            "y = R.nn.avg_pool3d(x, pool_size=2, strides=2)",
        )
        .source(SOURCE),
    OpDef::new("relax.nn.avg_pool3d", &POOL3D_COUNTING, |c| {
        infer_pool(c, 3)
    })
    .releases(Releases::since(Release::V0_21))
    .doc(
        "The mean of each window over three spatial axes.",
        SHAPES3,
        "y = R.nn.avg_pool3d(x, pool_size=2, strides=2)",
    )
    .source(SOURCE),
    OpDef::new("relax.nn.adaptive_avg_pool1d", &ADAPTIVE1D, |c| {
        infer_adaptive(c, 1)
    })
    .doc(
        "The mean of windows chosen so that the output has a given extent.",
        "data: (n, c, w) → (n, c, output_size)",
        "y = R.nn.adaptive_avg_pool1d(x, output_size=1)",
    )
    .source(SOURCE),
    OpDef::new("relax.nn.adaptive_avg_pool2d", &ADAPTIVE2D, |c| {
        infer_adaptive(c, 2)
    })
    .doc(
        "The mean of windows chosen so that the output has given extents.",
        "data: (n, c, h, w) → (n, c, *output_size)",
        "y = R.nn.adaptive_avg_pool2d(x, output_size=(1, 1))",
    )
    .source(SOURCE),
    OpDef::new("relax.nn.adaptive_avg_pool3d", &ADAPTIVE3D, |c| {
        infer_adaptive(c, 3)
    })
    .doc(
        "The mean of windows chosen so that the output has given extents.",
        "data: (n, c, d, h, w) → (n, c, *output_size)",
        "y = R.nn.adaptive_avg_pool3d(x, output_size=1)",
    )
    .source(SOURCE),
];

fn infer_pool(c: &Call<'_>, spatial: usize) -> Infer {
    let data = c.tensor(0)?;
    let size = c.ints_of(1, spatial)?;
    let strides = c.ints_of(2, spatial)?;
    let padding = c.padding(3, spatial)?;
    let dilation = c.ints_of(4, spatial)?;
    let ceil = c.bool(5)?;
    if let Some(stride) = strides.iter().find(|s| **s <= 0) {
        return Err(c.error(
            OpErrorKind::Value,
            At::param(2),
            format!("a stride must be positive, but is `{stride}`"),
        ));
    }
    let canonical = canonical("NC", spatial)?;
    let layout = c.layout(7, &canonical, "data")?;
    let out_layout = if c.is_given(8) {
        c.layout(8, &canonical, "data")?
    } else {
        layout.clone()
    };
    let Some(dims) = c.dims_in(0, &data, &layout)? else {
        return Ok(Tensor::of_ndim(Some(out_layout.ndim()), data.dtype)
            .with_vdevice(data.vdevice)
            .into());
    };
    let mut out = c.in_layout(0, dims, &layout, &canonical)?;
    for axis in 0..spatial {
        let extent = &out[axis + 2];
        let kernel = SymExpr::int(size[axis]);
        let reach = reach(extent, &kernel, padding[axis], dilation[axis]);
        out[axis + 2] = if ceil {
            rounded_up(c, &reach, strides[axis], extent, padding[axis].0)
        } else {
            reach
                .floordiv(&SymExpr::int(strides[axis]))
                .add(&SymExpr::int(1))
        };
    }
    let dims = c.in_layout(0, &out, &canonical, &out_layout)?;
    Ok(Tensor::new(dims, data.dtype)
        .with_vdevice(data.vdevice)
        .into())
}

/// Returns the number of windows, where the last may extend beyond the input. Since TVM 0.23, a last window that would
/// start in the padding after the input is dropped.
fn rounded_up(
    c: &Call<'_>,
    reach: &SymExpr,
    stride: i64,
    extent: &SymExpr,
    before: i64,
) -> SymExpr {
    let (one, step) = (SymExpr::int(1), SymExpr::int(stride));
    let last = reach.add(&SymExpr::int(stride - 1)).floordiv(&step);
    if c.release < Release::V0_23 {
        return last.add(&one);
    }
    let count = last.add(&one);
    // `last * stride` is `top - top % stride`; it is outside if the remainder is at most `slack`.
    let top = reach.add(&SymExpr::int(stride - 1));
    let slack = top.sub(&extent.add(&SymExpr::int(before)));
    let rest = top.floormod(&step);
    match c.cx.less(&slack, &rest) {
        Tri::Yes => count,
        Tri::No => last,
        Tri::Maybe => {
            let zero = SymExpr::int(0);
            let relation = if slack == zero { Op::Eq } else { Op::Le };
            let outside = SymExpr::apply(relation, &[rest, slack]);
            SymExpr::apply(Op::Select, &[outside, last, count])
        }
    }
}

fn infer_adaptive(c: &Call<'_>, spatial: usize) -> Infer {
    let data = c.tensor(0)?;
    // TVM repeats the element of a list only once.
    if spatial == 3
        && let Value::List(items) = c.value(1)
        && items.len() == 1
    {
        return Err(c.wrong_count(1, 3, 1));
    }
    let size = if c.is_given(1) {
        Some(c.ints_of(1, spatial)?)
    } else {
        Option::None
    };
    let canonical = canonical("NC", spatial)?;
    let layout = c.layout(2, &canonical, "data")?;
    let out_layout = if c.is_given(3) {
        c.layout(3, &canonical, "data")?
    } else {
        layout.clone()
    };
    let Some(dims) = c.dims_in(0, &data, &layout)? else {
        if size.is_none() && layout == out_layout && matches!(data.shape, TensorShape::Var { .. }) {
            return Ok(data.into());
        }
        return Ok(Tensor::of_ndim(Some(out_layout.ndim()), data.dtype)
            .with_vdevice(data.vdevice)
            .into());
    };
    let mut out = c.in_layout(0, dims, &layout, &canonical)?;
    for (dim, extent) in out.iter_mut().skip(2).zip(size.unwrap_or_default()) {
        *dim = SymExpr::int(extent);
    }
    let dims = c.in_layout(0, &out, &canonical, &out_layout)?;
    Ok(Tensor::new(dims, data.dtype)
        .with_vdevice(data.vdevice)
        .into())
}
