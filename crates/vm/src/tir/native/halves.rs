//! 16-bit floats, which not every machine supports: native code calls these functions.

use half::{bf16, f16};

pub extern "C" fn f16_to_f32(bits: u32) -> f32 {
    f16::from_bits(bits as u16).to_f32()
}

pub extern "C" fn f32_to_f16(value: f32) -> u32 {
    u32::from(f16::from_f32(value).to_bits())
}

pub extern "C" fn bf16_to_f32(bits: u32) -> f32 {
    bf16::from_bits(bits as u16).to_f32()
}

pub extern "C" fn f32_to_bf16(value: f32) -> u32 {
    u32::from(bf16::from_f32(value).to_bits())
}

/// Rounds to the nearest `f16`.
pub extern "C" fn round_f16(value: f32) -> f32 {
    f16::from_f32(value).to_f32()
}

pub extern "C" fn round_bf16(value: f32) -> f32 {
    bf16::from_f32(value).to_f32()
}
