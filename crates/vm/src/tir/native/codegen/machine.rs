//! Sets up Cranelift for this machine, and the functions that compiled code may call.

use std::sync::{Arc, OnceLock};

use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::default_libcall_names;

use super::super::memory;
use crate::tir::functions::{self, Body};
use crate::tir::native::halves;

fn isa(optimised: bool) -> Result<OwnedTargetIsa, String> {
    let mut flags = settings::builder();
    let verify = if cfg!(any(debug_assertions, feature = "harness")) {
        "true"
    } else {
        "false"
    };
    let level = if optimised { "speed" } else { "none" };
    for (name, value) in [
        ("opt_level", level),
        ("is_pic", "false"),
        ("use_colocated_libcalls", "false"),
        // With probes, a frame that is too large for the stack hits the guard page instead of other memory.
        ("enable_probestack", "true"),
        ("probestack_strategy", "inline"),
        ("enable_verifier", verify),
    ] {
        flags.set(name, value).map_err(|e| e.to_string())?;
    }
    cranelift_native::builder()
        .map_err(ToOwned::to_owned)?
        .finish(settings::Flags::new(flags))
        .map_err(|e| e.to_string())
}

pub(super) fn module(optimised: bool) -> Result<JITModule, String> {
    static ISAS: [OnceLock<Result<OwnedTargetIsa, String>>; 2] = [const { OnceLock::new() }; 2];
    let isa = ISAS[usize::from(optimised)]
        .get_or_init(|| isa(optimised))
        .clone()?;
    let mut builder = JITBuilder::with_isa(Arc::clone(&isa), default_libcall_names());
    for function in functions::TABLE {
        let (single, double) = match function.body {
            Body::One(single, double) => (single as *const u8, double as *const u8),
            Body::Two(single, double) => (single as *const u8, double as *const u8),
        };
        builder.symbol(format!("{}_f32", function.name), single);
        builder.symbol(format!("{}_f64", function.name), double);
    }
    for (name, address) in [
        ("allocate", memory::allocate as *const u8),
        ("ipow", functions::ipow as *const u8),
        ("upow", functions::upow as *const u8),
        ("f16_to_f32", halves::f16_to_f32 as *const u8),
        ("f32_to_f16", halves::f32_to_f16 as *const u8),
        ("bf16_to_f32", halves::bf16_to_f32 as *const u8),
        ("f32_to_bf16", halves::f32_to_bf16 as *const u8),
        ("round_f16", halves::round_f16 as *const u8),
        ("round_bf16", halves::round_bf16 as *const u8),
    ] {
        builder.symbol(name, address);
    }
    Ok(JITModule::new(builder))
}
