//! Moves between virtual devices; a run has one device.

use super::Kernel;

pub(super) static KERNELS: &[Kernel] = &[
    Kernel::new("relax.hint_on_device", super::identity),
    Kernel::new("relax.to_vdevice", super::identity),
];
