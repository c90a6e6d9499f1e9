//! Operators of object detection: regions of interest, and suppression of overlapping boxes.

mod regions;
mod suppression;

use super::Kernel;

pub(super) static KERNELS: &[Kernel] = &[
    Kernel::new(
        "relax.vision.all_class_non_max_suppression",
        suppression::all_class_non_max_suppression,
    ),
    Kernel::new(
        "relax.vision.get_valid_counts",
        suppression::get_valid_counts,
    ),
    Kernel::new(
        "relax.vision.multibox_transform_loc",
        regions::multibox_transform_loc,
    ),
    Kernel::new(
        "relax.vision.non_max_suppression",
        suppression::non_max_suppression,
    ),
    Kernel::new("relax.vision.roi_align", regions::roi_align),
    Kernel::new("relax.vision.roi_pool", regions::roi_pool),
];
