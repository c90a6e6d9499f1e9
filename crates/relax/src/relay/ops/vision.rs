//! Operators of object detection.

use super::{Op, op};
use crate::dtype::DType;
use crate::relay::site::{Answer, Site, Stop};
use crate::relay::types::{Dim, Type};

#[rustfmt::skip]
pub(super) const OPS: &[Op] = &[
    op("vision.all_class_non_max_suppression", "boxes scores max_output_boxes_per_class iou_threshold score_threshold", "output_format: str = \"onnx\"", all_class_nms).keyed("relay.attrs.AllClassNonMaximumSuppressionAttrs"),
    op("vision.get_valid_counts", "data score_threshold", "score_threshold: float, id_index: int = 0, score_index: int = 1", get_valid_counts).keyed("relay.attrs.GetValidCountsAttrs"),
    op("vision.multibox_prior", "data", "sizes: floats = [1.0], ratios: floats = [1.0], steps: floats = [-1.0, -1.0], offsets: floats = [0.5, 0.5], clip: bool = false", multibox_prior),
    op("vision.multibox_transform_loc", "cls_prob loc_pred anchor", "clip: bool = true, threshold: float = 0.01, variances: floats = [0.1, 0.1, 0.2, 0.2], keep_background: bool = false", multibox_transform_loc),
    op("vision.non_max_suppression", "data valid_count indices max_output_size iou_threshold", "force_suppress: bool = false, top_k: int = -1, coord_start: int = 2, score_index: int = 1, id_index: int = 0, return_indices: bool = true, invalid_to_bottom: bool = false", nms).keyed("relay.attrs.NonMaximumSuppressionAttrs"),
    op("vision.proposal", "cls_prob bbox_pred im_info", "scales: floats = [4.0, 8.0, 16.0, 32.0], ratios: floats = [0.5, 1.0, 2.0], feature_stride: int = 16, threshold: float = 0.7, rpn_pre_nms_top_n: int = 6000, rpn_post_nms_top_n: int = 300, rpn_min_size: int = 16, iou_loss: bool = false", proposal).keyed("relay.attrs.ProposalAttrs"),
    op("vision.regular_non_max_suppression", "boxes scores", "max_detections_per_class: int, max_detections: int, num_classes: int, iou_threshold: float, score_threshold: float", regular_nms).keyed("relay.attrs.RegularNonMaximumSuppressionAttrs"),
    op("vision.roi_align", "data rois", "pooled_size: ints, spatial_scale: float, sample_ratio: int = -1, layout: str = \"NCHW\", mode: str = \"avg\"", roi).keyed("relay.attrs.ROIAlignAttrs"),
    op("vision.roi_pool", "data rois", "pooled_size: ints, spatial_scale: float, layout: str = \"NCHW\"", roi).keyed("relay.attrs.ROIPoolAttrs"),
    op("vision.yolo_reorg", "data", "stride: int = 1", yolo_reorg),
];

fn times(one: &Dim, other: &Dim) -> Dim {
    one.with(other, i64::checked_mul)
}

fn all_class_nms(site: &Site<'_>) -> Result<Answer, Stop> {
    let (boxes, scores) = (site.of_rank(0, 3)?, site.of_rank(1, 3)?);
    let (batch, count, classes) = (&boxes.shape[0], &boxes.shape[1], &scores.shape[1]);
    let in_batch = times(classes, count);
    let fields = match site.str("output_format")?.as_str() {
        "onnx" => vec![
            Type::tensor([times(batch, &in_batch), Dim::Int(3)], DType::I64),
            Type::tensor([Dim::Int(1)], DType::I64),
        ],
        _ => vec![
            Type::tensor([batch.clone(), in_batch.clone(), Dim::Int(2)], DType::I64),
            Type::tensor([batch.clone(), in_batch], DType::F32),
            Type::tensor([batch.clone()], DType::I64),
        ],
    };
    Ok(Type::tuple(fields).into())
}

fn get_valid_counts(site: &Site<'_>) -> Result<Answer, Stop> {
    let data = site.of_rank(0, 3)?;
    Ok(Type::tuple([
        Type::tensor([data.shape[0].clone()], DType::I32),
        Type::Tensor(data.clone()),
        Type::tensor(data.shape[..2].to_vec(), DType::I32),
    ])
    .into())
}

fn multibox_prior(site: &Site<'_>) -> Result<Answer, Stop> {
    let data = site.of_rank(0, 4)?;
    let per_pixel = site.dims("sizes")?.len() + site.dims("ratios")?.len();
    let pixels = times(&data.shape[2], &data.shape[3]);
    let boxes = pixels.map(|it| it.checked_mul(per_pixel as i64 - 1));
    Answer::tensor([Dim::Int(1), boxes, Dim::Int(4)], data.dtype)
}

fn multibox_transform_loc(site: &Site<'_>) -> Result<Answer, Stop> {
    let (classes, anchor) = (site.of_rank(0, 3)?, site.of_rank(2, 3)?);
    site.of_rank(1, 2)?;
    site.same_dim((0, 2), (2, 1))?;
    let batch = classes.shape[0].clone();
    let boxes = [batch.clone(), anchor.shape[1].clone(), Dim::Int(6)];
    Ok(Type::tuple([
        Type::tensor(boxes, classes.dtype),
        Type::tensor([batch], DType::I32),
    ])
    .into())
}

fn nms(site: &Site<'_>) -> Result<Answer, Stop> {
    let data = site.of_rank(0, 3)?;
    site.of_rank(1, 1)?;
    if !site.bool("return_indices")? {
        return Ok(Type::Tensor(data.clone()).into());
    }
    Ok(Type::tuple([
        Type::tensor(data.shape[..2].to_vec(), DType::I32),
        Type::tensor([data.shape[0].clone(), Dim::Int(1)], DType::I32),
    ])
    .into())
}

fn regular_nms(site: &Site<'_>) -> Result<Answer, Stop> {
    let boxes = site.of_rank(0, 3)?;
    site.of_rank(1, 3)?;
    let batch = boxes.shape[0].clone();
    let found = Dim::Int(site.int("max_detections")?);
    let pairs = Type::tensor([batch.clone(), found.clone()], DType::F32);
    Ok(Type::tuple([
        Type::tensor([batch.clone(), found, Dim::Int(4)], DType::F32),
        pairs.clone(),
        pairs,
        Type::tensor([batch], DType::I32),
    ])
    .into())
}

fn roi(site: &Site<'_>) -> Result<Answer, Stop> {
    let (data, regions) = (site.of_rank(0, 4)?, site.of_rank(1, 2)?);
    let size = site.dims("pooled_size")?;
    let [height, width] = size.as_slice() else {
        return site.wrong_value("pooled_size", "has not two values".into());
    };
    let count = regions.shape[0].clone();
    let shape = match site.str("layout")?.as_str() {
        "NCHW" => [count, data.shape[1].clone(), height.clone(), width.clone()],
        "NHWC" => [count, height.clone(), width.clone(), data.shape[3].clone()],
        other => return site.wrong_value("layout", format!("`{other}` is neither NCHW nor NHWC")),
    };
    Answer::tensor(shape, data.dtype)
}

fn proposal(site: &Site<'_>) -> Result<Answer, Stop> {
    let classes = site.of_rank(0, 4)?;
    site.of_rank(1, 4)?;
    site.of_rank(2, 2)?;
    let best = site.int("rpn_post_nms_top_n")?;
    let boxes = classes.shape[0].map(|it| it.checked_mul(best));
    Answer::tensor([boxes, Dim::Int(5)], classes.dtype)
}

fn yolo_reorg(site: &Site<'_>) -> Result<Answer, Stop> {
    let data = site.of_rank(0, 4)?;
    let stride = site.int("stride")?;
    if !(1..=4096).contains(&stride) {
        return site.wrong_value("stride", format!("{stride} is out of range"));
    }
    let mut shape = data.shape.to_vec();
    shape[1] = shape[1].map(|it| it.checked_mul(stride * stride));
    shape[2] = shape[2].map(|it| it.checked_div(stride));
    shape[3] = shape[3].map(|it| it.checked_div(stride));
    Answer::tensor(shape, data.dtype)
}
