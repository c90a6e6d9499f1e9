//! Object detection: regions of interest and boxes.

use super::Default::{Bool, Float, Int, Str};
use super::{
    At, Call, Infer, Kind, OpDef, OpErrorKind, Param, Stop, explicit_dims, opt, req, tuple,
};
use crate::dtype::DType;
use crate::release::{Release, Releases};
use crate::sinfo::{StructInfo, Tensor};
use crate::sym::SymExpr;
use crate::value::Value;

const NMS: &str = "src/relax/op/vision/nms.cc";
const ROI_ALIGN: &str = "src/relax/op/vision/roi_align.cc";
const ROI_POOL: &str = "src/relax/op/vision/roi_pool.cc";
const MULTIBOX: &str = "src/relax/op/vision/multibox_transform_loc.cc";

const IMAGES: Param = req("data", Kind::Tensor).doc("The images.");
const ROIS: Param =
    req("rois", Kind::Tensor).doc("The regions, each as (image, left, top, right, bottom).");
const POOLED_SIZE: Param =
    req("pooled_size", Kind::Ints).doc("The height and width of each result.");
const SPATIAL_SCALE: Param =
    req("spatial_scale", Kind::Float).doc("The scale of the regions' coordinates.");
const LAYOUT: Param = opt("layout", Kind::Str, Str("NCHW")).doc("The layout of the images.");
const BOXES: Param = req("data", Kind::Tensor)
    .doc("For each image its boxes, each with a class, a score and four coordinates.");
const SCORE_INDEX: Param =
    opt("score_index", Kind::Int, Int(1)).doc("The index of the score in a box.");
const ID_INDEX: Param =
    opt("id_index", Kind::Int, Int(0)).doc("The index of the class in a box, or -1.");

pub static OPS: &[OpDef] = &[
    OpDef::new(
        "relax.vision.roi_align",
        &[
            IMAGES,
            ROIS,
            POOLED_SIZE,
            SPATIAL_SCALE,
            opt("sample_ratio", Kind::Int, Int(-1))
                .doc("The number of samples of each pixel along an axis; -1 for an automatic choice."),
            opt("aligned", Kind::Bool, Bool(false)).doc("Shift the coordinates by half a pixel."),
            LAYOUT,
            opt("mode", Kind::Str, Str("avg")).doc("`avg` or `max` of the samples."),
        ],
        roi_align,
    )
    .releases(Releases::since(Release::V0_24))
    .doc(
        "Pools regions of images to one size by interpolation.",
        "data: (n, c, h, w) · rois: (r, 5) → (r, c, *pooled_size)",
        "y = R.vision.roi_align(x, rois, pooled_size=(7, 7), spatial_scale=1.0)",
    )
    .source(ROI_ALIGN),
    OpDef::new(
        "relax.vision.roi_pool",
        &[IMAGES, ROIS, POOLED_SIZE, SPATIAL_SCALE, LAYOUT],
        roi_pool,
    )
    .releases(Releases::since(Release::V0_24))
    .doc(
        "Pools regions of images to one size by their largest elements.",
        "data: (n, c, h, w) · rois: (r, 5) → (r, c, *pooled_size)",
        "y = R.vision.roi_pool(x, rois, pooled_size=(7, 7), spatial_scale=1.0)",
    )
    .source(ROI_POOL),
    OpDef::new(
        "relax.vision.get_valid_counts",
        &[
            BOXES,
            opt("score_threshold", Kind::Float, Int(0)).doc("The score threshold."),
            ID_INDEX,
            SCORE_INDEX,
        ],
        get_valid_counts,
    )
    .releases(Releases::since(Release::V0_24))
    .doc(
        "Moves valid boxes to the front; returns their count, the boxes and their old positions.",
        "data: (n, a, e) → ((n,) int32, (n, a, e), (n, a) int32)",
        "gv = R.vision.get_valid_counts(boxes, score_threshold=0.5)",
    )
    .source(NMS),
    OpDef::new(
        "relax.vision.non_max_suppression",
        &[
            BOXES,
            req("valid_count", Kind::Tensor).doc("The number of valid boxes of each image."),
            req("indices", Kind::Tensor).doc("The positions of the boxes before they were moved."),
            opt("max_output_size", Kind::Int, Int(-1)).doc("The maximum number of boxes; -1 for all."),
            opt("iou_threshold", Kind::Float, Float(0.5))
                .doc("The overlap (IoU) above which the weaker box is removed."),
            opt("force_suppress", Kind::Bool, Bool(false)).doc("Compare boxes of all classes."),
            opt("top_k", Kind::Int, Int(-1)).doc("The number of best boxes to consider; -1: all."),
            opt("coord_start", Kind::Int, Int(2)).doc("The index of the first coordinate in a box."),
            SCORE_INDEX,
            ID_INDEX,
            opt("return_indices", Kind::Bool, Bool(true))
                .doc("Returns the indices of the kept boxes instead of the boxes."),
            opt("invalid_to_bottom", Kind::Bool, Bool(false)).doc("Moves removed boxes to the end."),
            opt("soft_nms_sigma", Kind::Float, Float(0.0))
                .doc("Above 0: lowers the scores of boxes that overlap instead of removing them (soft NMS)."),
            opt("score_threshold", Kind::Float, Float(0.0)).doc("The score threshold."),
        ],
        non_max_suppression,
    )
    .releases(Releases::since(Release::V0_24))
    .doc(
        "Non-maximum suppression: keeps the best of the boxes that overlap.",
        "data: (n, a, e) · valid_count: (n,) · indices: (n, a) → ((n, a) int32, (n, 1) int32)",
        "gv = R.vision.non_max_suppression(boxes, count, indices, iou_threshold=0.5)",
    )
    .source(NMS),
    OpDef::new(
        "relax.vision.all_class_non_max_suppression",
        &[
            req("boxes", Kind::Tensor).doc("The boxes of each image, with four coordinates each."),
            req("scores", Kind::Tensor).doc("For each class the score of each box."),
            req("max_output_boxes_per_class", Kind::Tensor)
                .doc("The maximum number of boxes per class."),
            req("iou_threshold", Kind::Tensor)
                .doc("The overlap (IoU) above which the weaker box is removed."),
            req("score_threshold", Kind::Tensor).doc("The score threshold."),
            opt("output_format", Kind::Str, Str("onnx")).doc("`onnx` or `tensorflow`."),
        ],
        all_class_nms,
    )
    .releases(Releases::since(Release::V0_22))
    .doc(
        "Non-maximum suppression for every class.",
        "boxes: (n, b, 4) · scores: (n, k, b) → ((n·k·b, 3) int64, (1,) int64)",
        "gv = R.vision.all_class_non_max_suppression(boxes, scores, most, iou, least)",
    )
    .source(NMS),
    OpDef::new(
        "relax.vision.multibox_transform_loc",
        &[
            req("cls_pred", Kind::Tensor).doc("For each class the logit of each anchor."),
            req("loc_pred", Kind::Tensor).doc("Four offsets for each anchor."),
            req("anchor", Kind::Tensor).doc("The anchors as (left, top, right, bottom)."),
            opt("clip", Kind::Bool, Bool(false)).doc("Keep the boxes between 0 and 1."),
            opt("threshold", Kind::Float, Float(0.0)).doc("Scores below the threshold become zero."),
            opt("variances", Kind::Any, super::Default::Ints(&[1, 1, 1, 1]))
                .doc("The scales of the four offsets."),
            opt("keep_background", Kind::Bool, Bool(true)).doc("Keep the scores of class 0."),
            opt("apply_softmax", Kind::Bool, Bool(true))
                .doc("Take the softmax of the logits over the classes."),
        ],
        multibox_transform_loc,
    )
    .releases(Releases::since(Release::V0_24))
    .doc(
        "Decodes boxes and scores from predicted offsets and anchors.",
        "cls_pred: (n, k, a) · loc_pred: (n, 4·a) · anchor: (1, a, 4) → ((n, a, 4), (n, k, a))",
        "gv = R.vision.multibox_transform_loc(cls, loc, anchor)",
    )
    .source(MULTIBOX),
];

/// Returns a part of a result: with `dims` if they are known, otherwise with that rank.
fn part(of: &Tensor, dtype: Option<DType>, ndim: usize, dims: Option<Vec<SymExpr>>) -> StructInfo {
    dims.map_or_else(
        || Tensor::of_ndim(Some(ndim), dtype),
        |dims| Tensor::new(dims, dtype),
    )
    .with_vdevice(of.vdevice.clone())
    .into()
}

fn one_of(c: &Call<'_>, i: usize, allowed: &[&str]) -> Result<String, Stop> {
    let text = c.str(i)?.unwrap_or_default();
    if allowed.contains(&&*text) {
        return Ok(text.to_string());
    }
    Err(c.error(
        OpErrorKind::Value,
        At::param(i),
        format!(
            "`{}` must be `{}`, but is `{text}`",
            c.name(i),
            allowed.join("` or `")
        ),
    ))
}

/// Checks that a constant dimension has a fixed extent.
fn fixed(
    c: &Call<'_>,
    i: usize,
    dims: Option<&[SymExpr]>,
    d: usize,
    wanted: i64,
) -> Result<(), Stop> {
    match dims.and_then(|dims| dims.get(d)?.as_int()) {
        Some(found) if found != wanted => {
            let message = format!(
                "dimension {d} of `{}` must be `{wanted}`, but is `{found}`",
                c.name(i)
            );
            let error = c.error(OpErrorKind::Shape, At::dim(i, d), message);
            Err(error.between(wanted, found))
        }
        _ => Ok(()),
    }
}

fn roi_align(c: &Call<'_>) -> Infer {
    regions(c, 6, &["NCHW", "NHWC"], |c| {
        one_of(c, 7, &["avg", "max"]).map(|_| ())
    })
}

fn roi_pool(c: &Call<'_>) -> Infer {
    regions(c, 4, &["NCHW"], |_| Ok(()))
}

fn regions(
    c: &Call<'_>,
    layout: usize,
    layouts: &[&str],
    more: fn(&Call<'_>) -> Result<(), Stop>,
) -> Infer {
    let (data, rois) = (c.tensor(0)?, c.tensor(1)?);
    let size = c.ints_of(2, 2)?;
    c.has_rank(0, &data, 4)?;
    c.has_rank(1, &rois, 2)?;
    let layout = one_of(c, layout, layouts)?;
    more(c)?;
    let regions = explicit_dims(&rois);
    fixed(c, 1, regions, 1, 5)?;
    let dims = match (explicit_dims(&data), regions) {
        (Some([_, second, _, last]), Some([count, _])) => {
            let (height, width) = (SymExpr::int(size[0]), SymExpr::int(size[1]));
            Some(if layout == "NCHW" {
                vec![count.clone(), second.clone(), height, width]
            } else {
                vec![count.clone(), height, width, last.clone()]
            })
        }
        _ => None,
    };
    Ok(part(&data, data.dtype, 4, dims))
}

/// Checks operand `i`, an index into the `length` elements of a box, which must be at least `least`.
fn index_in_box(c: &Call<'_>, i: usize, least: i64, length: Option<i64>) -> Result<(), Stop> {
    let Some(length) = length else {
        return Ok(());
    };
    match c.int(i)? {
        Some(index) if index < least || index >= length => Err(c.error(
            OpErrorKind::Value,
            At::param(i),
            format!(
                "`{}` is `{index}`, but a box has {length} elements",
                c.name(i)
            ),
        )),
        _ => Ok(()),
    }
}

fn box_length(data: &Tensor) -> Option<i64> {
    explicit_dims(data)?.get(2)?.as_int()
}

fn get_valid_counts(c: &Call<'_>) -> Infer {
    let data = c.tensor(0)?;
    c.has_rank(0, &data, 3)?;
    let length = box_length(&data);
    index_in_box(c, 3, 0, length)?;
    index_in_box(c, 2, -1, length)?;
    let dims = explicit_dims(&data).filter(|dims| dims.len() == 3);
    let upto = |n: usize| dims.map(|dims| dims[..n].to_vec());
    Ok(tuple(vec![
        part(&data, Some(DType::I32), 1, upto(1)),
        part(&data, data.dtype, 3, upto(3)),
        part(&data, Some(DType::I32), 2, upto(2)),
    ]))
}

fn non_max_suppression(c: &Call<'_>) -> Infer {
    let data = c.tensor(0)?;
    let (count, indices) = (c.tensor(1)?, c.tensor(2)?);
    for (i, tensor, rank) in [(0, &data, 3), (1, &count, 1), (2, &indices, 2)] {
        c.has_rank(i, tensor, rank)?;
    }
    for (i, tensor) in [(1, &count), (2, &indices)] {
        if let Some(dtype) = tensor.dtype.filter(|&dtype| dtype != DType::I32) {
            let message = format!("`{}` must be `int32`, but is `{dtype}`", c.name(i));
            let error = c.error(OpErrorKind::DType, At::param(i), message);
            return Err(error.between(dtype, DType::I32));
        }
    }
    let dims = explicit_dims(&data).filter(|dims| dims.len() == 3);
    if let Some([batch, anchors, _]) = dims {
        if let Some([other]) = explicit_dims(&count) {
            proved(c, (1, 0, other), (0, batch), "batch size")?;
        }
        if let Some([other, boxes]) = explicit_dims(&indices) {
            proved(c, (2, 0, other), (0, batch), "batch size")?;
            proved(c, (2, 1, boxes), (1, anchors), "number of boxes")?;
        }
    }
    let length = box_length(&data);
    index_in_box(c, 8, 0, length)?;
    if let (Some(length), Some(start)) = (length, c.int(7)?)
        && (start < 0 || start.saturating_add(3) >= length)
    {
        return Err(c.error(
            OpErrorKind::Value,
            At::param(7),
            format!("four coordinates from `{start}` on do not fit a box of {length} elements"),
        ));
    }
    index_in_box(c, 9, -1, length)?;
    if !c.bool(10)? {
        return Ok(part(&data, data.dtype, 3, dims.map(<[SymExpr]>::to_vec)));
    }
    let indices = part(
        &data,
        Some(DType::I32),
        2,
        dims.map(|dims| dims[..2].to_vec()),
    );
    let counts = dims.map(|dims| vec![dims[0].clone(), SymExpr::int(1)]);
    let counts = part(&data, Some(DType::I32), 2, counts);
    if softens(c, 12)? {
        let boxes = part(&data, data.dtype, 3, dims.map(<[SymExpr]>::to_vec));
        return Ok(tuple(vec![boxes, indices, counts]));
    }
    Ok(tuple(vec![indices, counts]))
}

/// Returns `true` if operand `i` is a number above zero.
fn softens(c: &Call<'_>, i: usize) -> Result<bool, Stop> {
    match c.value(i) {
        Value::Float(sigma) => Ok(sigma > 0.0),
        Value::Int(sigma) => Ok(sigma > 0),
        Value::None => Ok(false),
        value if value.is_unknown() => Err(Stop::Unknown),
        _ => Err(c.wrong_kind(i, "a number")),
    }
}

/// Checks that a dimension is provably equal to that of the boxes.
fn proved(
    c: &Call<'_>,
    (i, d, dim): (usize, usize, &SymExpr),
    (of, wanted): (usize, &SymExpr),
    what: &str,
) -> Result<(), Stop> {
    if c.cx.equal(dim, wanted).is_yes() {
        return Ok(());
    }
    let error = c.error_with(
        OpErrorKind::Shape,
        At::dim(i, d),
        format!(
            "the {what} of `{}` is `{dim}`, but that of `data` is `{wanted}`",
            c.name(i)
        ),
        At::dim(0, of),
        format!("`{wanted}` here"),
    );
    Err(error.between(dim, wanted))
}

fn all_class_nms(c: &Call<'_>) -> Infer {
    let (boxes, scores) = (c.tensor(0)?, c.tensor(1)?);
    for i in 2..5 {
        c.tensor(i)?;
    }
    let format = c.str(5)?.unwrap_or_default();
    for (i, tensor) in [(0, &boxes), (1, &scores)] {
        match tensor.ndim() {
            Some(3) => {}
            Some(ndim) => return Err(c.rank(i, ndim, 3)),
            None => return Err(c.wrong_kind(i, "a tensor of 3 dimensions, which must be known")),
        }
    }
    let sizes = match (explicit_dims(&boxes), explicit_dims(&scores)) {
        (Some([batch, count, _]), Some([_, classes, _])) => {
            Some((batch.clone(), classes.mul(count)))
        }
        _ => None,
    };
    let counts_of = |dims: Option<Vec<SymExpr>>, ndim| part(&boxes, Some(DType::I64), ndim, dims);
    if format == "onnx" {
        let total = sizes.map(|(batch, per)| vec![batch.mul(&per), SymExpr::int(3)]);
        return Ok(tuple(vec![
            counts_of(total, 2),
            counts_of(Some(vec![SymExpr::int(1)]), 1),
        ]));
    }
    let indices = sizes
        .as_ref()
        .map(|(batch, per)| vec![batch.clone(), per.clone(), SymExpr::int(2)]);
    let kept = sizes
        .as_ref()
        .map(|(batch, per)| vec![batch.clone(), per.clone()]);
    Ok(tuple(vec![
        counts_of(indices, 3),
        part(&boxes, Some(DType::F32), 2, kept),
        counts_of(sizes.map(|(batch, _)| vec![batch]), 1),
    ]))
}

fn multibox_transform_loc(c: &Call<'_>) -> Infer {
    let (classes, offsets, anchors) = (c.tensor(0)?, c.tensor(1)?, c.tensor(2)?);
    if let Value::None = c.value(5) {
        return Err(c.wrong_kind(5, "a list of 4 numbers"));
    }
    if let Value::List(variances) = c.value(5)
        && variances.len() != 4
    {
        return Err(c.error(
            OpErrorKind::Value,
            At::param(5),
            format!(
                "`variances` must have 4 elements, but has {}",
                variances.len()
            ),
        ));
    }
    for (i, tensor, rank) in [(0, &classes, 3), (1, &offsets, 2), (2, &anchors, 3)] {
        c.has_rank(i, tensor, rank)?;
    }
    for (i, tensor) in [(1, &offsets), (2, &anchors)] {
        if let (Some(dtype), Some(other)) = (classes.dtype, tensor.dtype)
            && dtype != other
        {
            let error = c.error_with(
                OpErrorKind::DType,
                At::param(i),
                format!("`{}` is `{other}`, but `cls_pred` is `{dtype}`", c.name(i)),
                At::param(0),
                format!("`{dtype}` here"),
            );
            return Err(error.between(other, dtype));
        }
    }
    let (cls, loc, anchor) = (
        explicit_dims(&classes),
        explicit_dims(&offsets),
        explicit_dims(&anchors),
    );
    let constant = |dims: Option<&[SymExpr]>, d: usize| dims?.get(d)?.as_int();
    if let Some(offsets) = constant(loc, 1)
        && offsets % 4 != 0
    {
        return Err(c.error(
            OpErrorKind::Shape,
            At::dim(1, 1),
            format!("dimension 1 of `loc_pred` must be a multiple of 4, but is `{offsets}`"),
        ));
    }
    if let Some(batch) = constant(cls, 0) {
        fixed(c, 1, loc, 0, batch)?;
    }
    fixed(c, 2, anchor, 0, 1)?;
    fixed(c, 2, anchor, 2, 4)?;
    if let Some(count) = constant(cls, 2) {
        fixed(c, 1, loc, 1, count.saturating_mul(4))?;
        fixed(c, 2, anchor, 1, count)?;
    }
    let boxes = match cls {
        Some([batch, _, count]) => Some(vec![batch.clone(), count.clone(), SymExpr::int(4)]),
        _ => None,
    };
    Ok(tuple(vec![
        part(&classes, classes.dtype, 3, boxes),
        part(&classes, classes.dtype, 3, cls.map(<[SymExpr]>::to_vec)),
    ]))
}
