//! Recipes of operators of object detection.

use super::Recipe::Made;
use super::{Arg, Build, Refusal, Rows, Val};

#[rustfmt::skip]
pub(super) const RECIPES: Rows = &[
    ("vision.roi_align", Made(|b| regions(b, "vision.roi_align"))),
    ("vision.roi_pool", Made(|b| regions(b, "vision.roi_pool"))),
    ("vision.get_valid_counts", Made(get_valid_counts)),
    ("vision.non_max_suppression", Made(non_max_suppression)),
    ("vision.all_class_non_max_suppression", Made(all_class_non_max_suppression)),
];

fn regions(b: &mut Build<'_>, op: &'static str) -> Result<Val, Refusal> {
    let (x, rois) = (b.input(0)?, b.input(1)?);
    let mut named = vec![
        ("pooled_size", b.ints("pooled_size")?.into()),
        ("spatial_scale", b.float("spatial_scale")?.into()),
        ("layout", b.str("layout")?.into()),
    ];
    if op == "vision.roi_align" {
        named.push(("sample_ratio", b.int("sample_ratio")?.into()));
        named.push(("mode", b.str("mode")?.into()));
    }
    b.op_with(op, vec![x.into(), rois.into()], named)
}

/// Returns an input that Relax takes as an attribute.
fn number(b: &Build<'_>, at: usize) -> Result<f64, Refusal> {
    b.constant(at).ok_or_else(|| {
        let input = b.site().input(at);
        Refusal(format!(
            "`{}` needs {input}, which is only known at run time",
            b.name()
        ))
    })
}

fn get_valid_counts(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let x = b.input(0)?;
    let named = [
        ("score_threshold", number(b, 1)?.into()),
        ("id_index", b.int("id_index")?.into()),
        ("score_index", b.int("score_index")?.into()),
    ];
    b.op("vision.get_valid_counts", vec![x.into()], named)
}

fn non_max_suppression(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let args: Vec<Arg> = b.inputs().iter().take(3).map(Arg::from).collect();
    let named = vec![
        ("max_output_size", (number(b, 3)? as i64).into()),
        ("iou_threshold", number(b, 4)?.into()),
        ("force_suppress", b.bool("force_suppress")?.into()),
        ("top_k", b.int("top_k")?.into()),
        ("coord_start", b.int("coord_start")?.into()),
        ("score_index", b.int("score_index")?.into()),
        ("id_index", b.int("id_index")?.into()),
        ("return_indices", b.bool("return_indices")?.into()),
        ("invalid_to_bottom", b.bool("invalid_to_bottom")?.into()),
    ];
    b.op_with("vision.non_max_suppression", args, named)
}

fn all_class_non_max_suppression(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let args: Vec<Arg> = b.inputs().iter().map(Arg::from).collect();
    let format = b.str("output_format")?;
    b.op(
        "vision.all_class_non_max_suppression",
        args,
        [("output_format", format.into())],
    )
}
