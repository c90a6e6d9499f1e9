//! Distribution over devices, of which a run has one.

use super::Kernel;

pub(super) static KERNELS: &[Kernel] =
    &[Kernel::new("relax.dist.annotate_sharding", super::identity)];
