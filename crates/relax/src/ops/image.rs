//! Images: resizing and sampling over grids.

use super::Default::{Bool, Float, Int, None, Str};
use super::layout::Layout;
use super::nn_conv::canonical;
use super::{At, Call, Infer, Kind, OpDef, OpErrorKind, Param, Stop, explicit_dims, opt, req};
use crate::dialect::Dialect;
use crate::dtype::DType;
use crate::release::{Release, Releases};
use crate::sinfo::{Shape, StructInfo, Tensor};
use crate::sym::SymExpr;
use crate::value::Value;

const SOURCE: &str = "src/relax/op/image/resize.cc";

/// Returns the parameters of a resize. Some defaults differ.
const fn resize(layout: &'static str, rounding: &'static str, alpha: f64) -> [Param; 11] {
    [
        req("data", Kind::Tensor).doc("The images."),
        req("size", Kind::Shape).doc("The spatial extents of the result; one for all axes."),
        opt("roi", Kind::Any, None)
            .doc("The cropped region for `tf_crop_and_resize`: all starts, then all ends."),
        opt("layout", Kind::Str, Str(layout)).doc("The layout of the input."),
        opt("method", Kind::Str, Str("linear")).doc("`nearest_neighbor`, `linear` or `cubic`."),
        opt("coordinate_transformation_mode", Kind::Str, Str("half_pixel")).doc(
            "The mapping of coordinates: `half_pixel`, `align_corners`, `asymmetric`, `pytorch_half_pixel`, `tf_half_pixel_for_nn` or `tf_crop_and_resize`.",
        ),
        opt("rounding_method", Kind::Str, Str(rounding))
            .doc("The rounding of `nearest_neighbor`: `round`, `floor`, `ceil`, ..."),
        opt("cubic_alpha", Kind::Float, Float(alpha)).doc("The coefficient of `cubic`."),
        opt("cubic_exclude", Kind::Int, Int(0)).doc("1: `cubic` ignores pixels outside the image."),
        opt("extrapolation_value", Kind::Float, Float(0.0)).doc("The value outside of the image."),
        opt("out_dtype", Kind::DType, None)
            .doc("The dtype of the result; that of the input if absent."),
    ]
}

static RESIZE2D_UNTIL_24: [Param; 11] = resize("NCHW", "round", -0.5);
static RESIZE2D: [Param; 11] = resize("NCHW", "round", -0.75);
static RESIZE3D: [Param; 11] = resize("NCDHW", "", -0.75);

const RESIZE2D_SUMMARY: &str = "Resizes images to another height and width.";
const RESIZE2D_SHAPES: &str = "data: (n, c, h, w) · size: (h', w') → (n, c, h', w')";
const RESIZE2D_EXAMPLE: &str = "y = R.image.resize2d(x, (56, 56), layout=\"NCHW\")";

const ALIGN_CORNERS: &str =
    "Places -1 and 1 at the centres of the corner pixels instead of their edges.";

const MATRICES: Param = req("data", Kind::Tensor).doc("For each image an affine matrix.");
const GRID_SIZE: Param = req("size", Kind::Shape).doc("The spatial extents of the grid.");

pub static OPS: &[OpDef] = &[
    OpDef::new("relax.image.resize2d", &RESIZE2D_UNTIL_24, |c| {
        infer_resize(c, 2)
    })
    .releases(Releases::until(Release::V0_20))
    .doc(RESIZE2D_SUMMARY, RESIZE2D_SHAPES, RESIZE2D_EXAMPLE)
    .source(SOURCE)
    .familiar(&["resize"]),
    OpDef::new("relax.image.resize2d", &RESIZE2D, |c| infer_resize(c, 2))
        .releases(Releases::since(Release::V0_21))
        .doc(RESIZE2D_SUMMARY, RESIZE2D_SHAPES, RESIZE2D_EXAMPLE)
        .source(SOURCE)
        .familiar(&["resize"]),
    OpDef::new("relax.image.resize3d", &RESIZE3D, |c| infer_resize(c, 3))
        .releases(Releases::since(Release::V0_24))
        .doc(
            "Resizes volumes to another depth, height and width.",
            "data: (n, c, d, h, w) · size: (d', h', w') → (n, c, d', h', w')",
            "y = R.image.resize3d(x, (8, 56, 56))",
        )
        .source(SOURCE),
    OpDef::new(
        "relax.image.grid_sample",
        &[
            req("data", Kind::Tensor).doc("The images."),
            req("grid", Kind::Tensor)
                .doc("The position in the image of each pixel of the result, from -1 to 1."),
            opt("method", Kind::Str, Str("bilinear")).doc("`nearest`, `bilinear` or `bicubic`."),
            opt("layout", Kind::Str, Str("NCHW")).doc("`NCHW`, or `NCDHW` for volumes."),
            opt("padding_mode", Kind::Str, Str("zeros"))
                .doc("The padding outside of the image: `zeros`, `border` or `reflection`."),
            opt("align_corners", Kind::Bool, Bool(false)).doc(ALIGN_CORNERS),
        ],
        grid_sample,
    )
    .releases(Releases::since(Release::V0_23))
    .doc(
        "Samples images at the positions of a grid.",
        "data: (n, c, h, w) · grid: (n, 2, h', w') → (n, c, h', w')",
        "y = R.image.grid_sample(x, grid)",
    )
    .source(SOURCE),
    OpDef::new(
        "relax.image.affine_grid",
        &[MATRICES, GRID_SIZE],
        affine_grid,
    )
    .releases(Releases::between(Release::V0_24, Release::V0_25))
    .doc(
        "The grid of an affine map, for `grid_sample`.",
        "data: (n, 2, 3) · size: (h, w) → (n, 2, h, w)",
        "grid = R.image.affine_grid(theta, (16, 16))",
    )
    .source(SOURCE),
    OpDef::new(
        "relax.image.affine_grid",
        &[
            MATRICES,
            GRID_SIZE,
            opt("align_corners", Kind::Bool, Bool(true)).doc(ALIGN_CORNERS),
        ],
        affine_grid,
    )
    .releases(Releases::since(Release::V0_26))
    .doc(
        "The grid of an affine map, for `grid_sample`.",
        "data: (n, 2, 3) · size: (h, w) → (n, 2, h, w)",
        "grid = R.image.affine_grid(theta, (16, 16))",
    )
    .source(SOURCE),
];

/// A target size: its rank, and its extents if they are explicit.
struct Size {
    ndim: Option<usize>,
    extents: Option<Vec<SymExpr>>,
}

/// Returns operand `i` as a size over `spatial` axes. A single number applies to all.
fn size(c: &Call<'_>, i: usize, spatial: usize, spread_list: bool) -> Result<Size, Stop> {
    let value = c.value(i);
    let truth = match value {
        Value::Bool(value) => Some(SymExpr::int(i64::from(value))),
        _ => Option::None,
    };
    if let Some(extent) = value.sym().or(truth) {
        return Ok(Size {
            ndim: Some(spatial),
            extents: Some(vec![extent; spatial]),
        });
    }
    let by_variable = matches!(value, Value::ShapeVar { .. });
    Ok(match c.shape(i)? {
        Shape::Known(extents) if by_variable => Size {
            ndim: Some(extents.len()),
            extents: Option::None,
        },
        Shape::Known(extents) => {
            let extents = match (&*extents, value) {
                ([extent], Value::List(_)) if spread_list => vec![extent.clone(); spatial],
                (extents, _) => extents.to_vec(),
            };
            Size {
                ndim: Some(extents.len()),
                extents: Some(extents),
            }
        }
        Shape::Unknown(ndim) => Size {
            ndim,
            extents: Option::None,
        },
    })
}

fn wrong_size(c: &Call<'_>, i: usize, ndim: Option<usize>, wanted: &str) -> Stop {
    c.error(
        OpErrorKind::Rank,
        At::param(i),
        match ndim {
            Some(ndim) => format!("`size` must have {wanted} dimensions, but has {ndim}"),
            Option::None => {
                format!("`size` must have {wanted} dimensions, but its rank is not known")
            }
        },
    )
}

fn infer_resize(c: &Call<'_>, spatial: usize) -> Infer {
    let data = c.tensor(0)?;
    let size = size(c, 1, spatial, true)?;
    if size.ndim != Some(spatial) {
        return Err(wrong_size(c, 1, size.ndim, &spatial.to_string()));
    }
    let canonical = canonical("NC", spatial)?;
    let layout = c.layout(3, &canonical, "data")?;
    let dtype = c.dtype(10)?.or(data.dtype);
    resized(c, data, &layout, &canonical, dtype, size.extents)
}

/// Returns `data` with its spatial extents replaced, if these and its shape are explicit.
fn resized(
    c: &Call<'_>,
    data: Tensor,
    layout: &Layout,
    canonical: &Layout,
    dtype: Option<DType>,
    extents: Option<Vec<SymExpr>>,
) -> Infer {
    let dims = c.dims_in(0, &data, layout)?;
    let result = match (dims, extents) {
        (Some(dims), Some(extents)) => {
            let mut out = c.in_layout(0, dims, layout, canonical)?;
            for (dim, extent) in out.iter_mut().skip(2).zip(extents) {
                *dim = extent;
            }
            Tensor::new(c.in_layout(0, &out, canonical, layout)?, dtype)
        }
        _ => Tensor::of_ndim(Some(layout.ndim()), dtype),
    };
    Ok(result.with_vdevice(data.vdevice).into())
}

fn grid_sample(c: &Call<'_>) -> Infer {
    let (data, grid) = (c.tensor(0)?, c.tensor(1)?);
    // Before TVM 0.26, the grid's last dimension holds the coordinates, and there are no volumes.
    let ends_in_place = c.release.dialect() == Dialect::StructInfo;
    let spatial = match c.str(3)?.as_deref() {
        Some("NCDHW") if !ends_in_place => 3,
        _ => 2,
    };
    let canonical = canonical("NC", spatial)?;
    let layout = c.layout(3, &canonical, "data")?;
    // TVM reads the extents of the grid only if those of the data are known.
    let known = explicit_dims(&data).and_then(|_| explicit_dims(&grid));
    let extents = match known {
        Some(dims) if ends_in_place => dims.get(1..3).map(<[SymExpr]>::to_vec),
        // TVM looks at the first spatial extents alone.
        Some(dims) if dims.len() >= spatial + 2 => Some(dims[2..spatial + 2].to_vec()),
        Some(dims) => return Err(c.rank(1, dims.len(), spatial + 2)),
        Option::None => Option::None,
    };
    let dtype = data.dtype;
    resized(c, data, &layout, &canonical, dtype, extents)
}

fn affine_grid(c: &Call<'_>) -> Infer {
    let data = c.tensor(0)?;
    c.has_rank(0, &data, 3)?;
    // The number of spatial axes may be known before their extents.
    if let Value::List(items) = c.value(1)
        && let spatial @ (2 | 3) = items.len()
    {
        is_affine(c, &data, spatial)?;
    }
    let size = size(c, 1, 2, false)?;
    let has_volumes = c.release >= Release::V0_26;
    let spatial = match size.ndim {
        Some(2) => 2,
        Some(3) if has_volumes => 3,
        ndim => {
            return Err(wrong_size(
                c,
                1,
                ndim,
                if has_volumes { "2 or 3" } else { "2" },
            ));
        }
    };
    is_affine(c, &data, spatial)?;
    let dims = explicit_dims(&data);
    let result = match (dims, size.extents) {
        (Some([batch, ..]), Some(extents)) => {
            let mut out = vec![batch.clone(), SymExpr::int(spatial as i64)];
            out.extend(extents);
            Tensor::new(out, data.dtype)
        }
        _ => Tensor::of_ndim(Some(spatial + 2), data.dtype),
    };
    Ok(StructInfo::Tensor(result.with_vdevice(data.vdevice)))
}

/// Checks that a tensor contains a matrix in homogeneous coordinates over `spatial` axes for each image.
fn is_affine(c: &Call<'_>, data: &Tensor, spatial: usize) -> Result<(), Stop> {
    let dims = explicit_dims(data);
    for (d, wanted) in [(1, spatial), (2, spatial + 1)] {
        if let Some(found) = dims.and_then(|dims| dims.get(d)?.as_int())
            && found != wanted as i64
        {
            let error = c.error_with(
                OpErrorKind::Shape,
                At::dim(0, d),
                format!("dimension {d} of `data` must be `{wanted}` for {spatial} spatial axes, but is `{found}`"),
                At::param(1),
                format!("{spatial} spatial axes here"),
            );
            return Err(error.between(wanted, found));
        }
    }
    Ok(())
}
