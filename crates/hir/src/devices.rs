//! Virtual devices as scripts write them. Knows only the expression: the list of the module says which device an index
//! refers to.

use relax::arguments::bind;
use relax::sinfo::VDevice;
use smol_str::SmolStr;

use crate::body::{Body, Expr, ExprId};
use crate::enclosing::{Env, script_path};

/// Returns the virtual devices that a statement of a module lists, such as
/// `I.module_global_infos({"vdevice": [I.vdevice("cuda", 0, "global"), ...]})`. Returns `None` if they cannot be read.
pub(crate) fn vdevices(body: &Body, expr: ExprId, env: &Env) -> Option<Vec<VDevice>> {
    let Expr::Call { callee, args } = &body.exprs[expr] else {
        return Some(Vec::new());
    };
    let path = script_path(body, *callee, env)?;
    if path.rest != "module_global_infos" {
        return Some(Vec::new());
    }
    let Expr::Dict(entries) = &body.exprs[args.first()?.value] else {
        return None;
    };
    let mut listed = Vec::new();
    for (key, value) in entries {
        match &body.exprs[(*key)?] {
            Expr::Str(key) if key == "vdevice" => {}
            Expr::Str(_) => continue,
            _ => return None,
        }
        let Expr::List(items) = &body.exprs[*value] else {
            return None;
        };
        listed.extend(items.iter().map(|&item| vdevice(body, item)));
    }
    Some(listed)
}

/// Returns the first argument of `I.vdevice(...)` with a value of the wrong kind, and the message about it.
pub(crate) fn mistake_of_vdevice(body: &Body, expr: ExprId) -> Option<(ExprId, &'static str)> {
    let Expr::Call { args, .. } = &body.exprs[expr] else {
        return None;
    };
    let binding = bind(&VDEVICE, args);
    args.iter().enumerate().find_map(|(at, arg)| {
        let value = &body.exprs[arg.value];
        let is_number = matches!(value, Expr::Int(_) | Expr::Float(_));
        let is_text = matches!(value, Expr::Str(_));
        let is_many = matches!(value, Expr::List(_) | Expr::Tuple(_));
        let (is_wrong, message) = match binding.param(at)? {
            0 => (
                is_number || is_many,
                "the target of a device must be a string, such as \"cuda\"",
            ),
            1 => {
                let is_wrong = is_text || is_many || matches!(value, Expr::Float(_) | Expr::None);
                (is_wrong, "the number of a device must be an integer")
            }
            _ => (
                is_number || is_many,
                "the memory scope of a device must be a string",
            ),
        };
        is_wrong.then_some((arg.value, message))
    })
}

/// The parameters of `I.vdevice`.
const VDEVICE: [&str; 3] = ["target", "vdevice_id", "memory_scope"];

/// Reads `I.vdevice(target, index, scope)` or `tvm.ir.VDevice(...)`. The target is a string, or a dict that contains its
/// kind.
pub(crate) fn vdevice(body: &Body, expr: ExprId) -> VDevice {
    let mut device = VDevice {
        target: SmolStr::default(),
        index: 0,
        scope: "global".into(),
    };
    let Expr::Call { args, .. } = &body.exprs[expr] else {
        return device;
    };
    let binding = bind(&VDEVICE, args);
    for (at, arg) in args.iter().enumerate() {
        let name = binding.param(at).map_or("", |it| VDEVICE[it]);
        match (name, &body.exprs[arg.value]) {
            ("target", Expr::Str(target)) => {
                device.target = target.split_whitespace().next().unwrap_or_default().into();
            }
            ("target", Expr::Dict(entries)) => {
                for (key, value) in entries {
                    let is_kind =
                        key.is_some_and(|k| matches!(&body.exprs[k], Expr::Str(s) if s == "kind"));
                    if let (true, Expr::Str(kind)) = (is_kind, &body.exprs[*value]) {
                        device.target = kind.clone();
                    }
                }
            }
            ("vdevice_id", Expr::Int(index)) => device.index = u32::try_from(*index).unwrap_or(0),
            ("memory_scope", Expr::Str(scope)) => device.scope = scope.clone(),
            _ => {}
        }
    }
    device
}
