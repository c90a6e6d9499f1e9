//! This machine's instructions, and the functions that compiled code may call.

use std::sync::{Arc, OnceLock};

use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::default_libcall_names;

use super::super::{functions, memory};

fn isa() -> Result<OwnedTargetIsa, String> {
    let mut flags = settings::builder();
    let verify = if cfg!(debug_assertions) {
        "true"
    } else {
        "false"
    };
    for (name, value) in [
        ("opt_level", "speed"),
        ("is_pic", "false"),
        ("use_colocated_libcalls", "false"),
        ("enable_verifier", verify),
    ] {
        flags.set(name, value).map_err(|e| e.to_string())?;
    }
    cranelift_native::builder()
        .map_err(ToOwned::to_owned)?
        .finish(settings::Flags::new(flags))
        .map_err(|e| e.to_string())
}

pub(super) fn module() -> Result<JITModule, String> {
    static ISA: OnceLock<Result<OwnedTargetIsa, String>> = OnceLock::new();
    let isa = ISA.get_or_init(isa).clone()?;
    let mut builder = JITBuilder::with_isa(Arc::clone(&isa), default_libcall_names());
    for function in functions::table() {
        builder.symbol(format!("{}_f32", function.name), function.f32);
        builder.symbol(format!("{}_f64", function.name), function.f64);
    }
    for (name, address) in [
        ("allocate", memory::allocate as *const u8),
        ("ipow", functions::ipow as *const u8),
        ("f16_to_f32", functions::f16_to_f32 as *const u8),
        ("f32_to_f16", functions::f32_to_f16 as *const u8),
        ("bf16_to_f32", functions::bf16_to_f32 as *const u8),
        ("f32_to_bf16", functions::f32_to_bf16 as *const u8),
        ("round_f16", functions::round_f16 as *const u8),
        ("round_bf16", functions::round_bf16 as *const u8),
    ] {
        builder.symbol(name, address);
    }
    Ok(JITModule::new(builder))
}
