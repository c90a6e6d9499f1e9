//! Distribution over devices; a run has one device.

use super::Kernel;

pub(super) static KERNELS: &[Kernel] =
    &[Kernel::new("relax.dist.annotate_sharding", super::identity)];
