//! Operators that place a tensor on a device.

use super::Default::Str;
use super::{Call, Infer, Kind, OpDef, Param, Stop, opt, req};
use crate::release::{Release, Releases};
use crate::sinfo::{Tensor, VDevice};
use crate::value::Value;

const SOURCE: &str = "src/relax/op/op.cc";

const DATA: Param = req("data", Kind::Tensor).doc("The tensor.");

pub static OPS: &[OpDef] = &[
    OpDef::new(
        "relax.to_vdevice",
        &[
            DATA,
            req("dst_vdevice", Kind::VDevice).doc("The target device."),
        ],
        to_vdevice,
    )
    .releases(Releases::since(Release::Unity))
    .doc(
        "The tensor, copied to another device.",
        "data: S → S",
        "y = R.to_vdevice(x, \"cuda:0\")",
    )
    .source(SOURCE),
    OpDef::new(
        "relax.hint_on_device",
        &[
            DATA,
            req("dst_vdevice", Kind::Any).doc("The expected device."),
        ],
        hint_on_device,
    )
    .releases(Releases::between(Release::Unity, Release::V0_22))
    .doc(
        "The tensor itself, with a hint about its device.",
        "data: S → S",
        "y = R.hint_on_device(x, R.cuda(0))",
    )
    .source(SOURCE),
    OpDef::new(
        "relax.hint_on_device",
        &[
            DATA,
            req("dst_vdevice", Kind::Any).doc("The expected device."),
            opt("memory_scope", Kind::Str, Str("global")).doc("The kind of memory."),
        ],
        hint_on_device,
    )
    .releases(Releases::since(Release::V0_23))
    .doc(
        "The tensor itself, with a hint about its device.",
        "data: S → S",
        "y = R.hint_on_device(x, R.cuda(0))",
    )
    .source(SOURCE),
];

fn to_vdevice(c: &Call<'_>) -> Infer {
    let data = c.tensor(0)?;
    let device = vdevice(c, 1)?;
    Ok(Tensor {
        vdevice: Some(device),
        ..data
    }
    .into())
}

fn vdevice(c: &Call<'_>, i: usize) -> Result<VDevice, Stop> {
    match c.value(i) {
        Value::Device(device) => Ok(device),
        Value::Str(text) => VDevice::named(&text, c.vdevices)
            .ok_or_else(|| c.wrong_kind(i, "a device such as `cuda:0`")),
        _ => Err(Stop::Unknown),
    }
}

fn hint_on_device(c: &Call<'_>) -> Infer {
    let is_wrong = match c.value(1) {
        // Since 0.26, the name of a device is accepted.
        Value::Str(name) => c.release < Release::V0_26 || !names_device(&name),
        Value::None
        | Value::List(_)
        | Value::Int(_)
        | Value::Bool(_)
        | Value::Sym(_)
        | Value::Float(_)
        | Value::Expr(_) => !c.value(1).is_unknown(),
        _ => false,
    };
    if is_wrong {
        return Err(c.wrong_kind(1, "a device"));
    }
    c.tensor(0).map(Into::into)
}

/// The kinds of devices that have a name (`TryParseDLDeviceType` in TVM's `ffi/device.h`).
const DEVICE_KINDS: &[&str] = &[
    "cpu", "cuda", "ext_dev", "hexagon", "maia", "metal", "mps", "opencl", "rocm", "trn", "vpi",
    "vulkan", "webgpu", "wgpu",
];

/// Returns `true` for the name of a device, such as `cuda` or `cuda:0`. TVM ignores what follows a space.
fn names_device(text: &str) -> bool {
    let name = text.split(' ').next().unwrap_or_default();
    let (kind, index) = name.split_once(':').unwrap_or((name, "0"));
    let is_number = !index.is_empty() && index.bytes().all(|it| it.is_ascii_digit());
    DEVICE_KINDS.contains(&kind) && is_number && index.parse::<i32>().is_ok()
}
