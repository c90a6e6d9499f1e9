//! Elementwise operators of three operands.

use super::{Kernel, binary};

pub(super) static KERNELS: &[Kernel] = &[Kernel::new("relax.ewise_fma", binary::ewise_fma)];
