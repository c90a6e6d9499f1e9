//! Devices of annotations: those that the module lists.

use hir::sinfo::VDevice;
use hir::{Diagnostic, file_items};

use super::Fixes;
use crate::function_context::FunctionContext;
use crate::source_edit::SourceEdit;

/// The listed devices, those of the same kind first.
pub fn listed(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let old = cx.slice(diagnostic.range);
    let quotes: &[char] = &['"', '\''];
    let Some(kind) = old
        .strip_prefix(quotes)
        .and_then(|it| it.strip_suffix(quotes))
    else {
        return;
    };
    let kind = kind.split(':').next().unwrap_or_default();
    let items = file_items(cx.db, cx.function.file(cx.db));
    let module = cx.function.module(cx.db);
    let Some(module) = module.and_then(|at| items.modules.get(at as usize)) else {
        return;
    };
    let mut names = named(module.vdevices(cx.db));
    let same = |name: &str| name.split(':').next() == Some(kind);
    names.sort_by_key(|name| !same(name));
    let only = names.iter().filter(|name| same(name)).count() == 1;
    for name in names {
        let title = format!("Change {old} to \"{name}\"");
        let edit = SourceEdit::replace(diagnostic.range, format!("\"{name}\""));
        fixes.add("listed-device", title, only && same(&name), edit);
    }
}

/// How annotations name the devices of a module: each by its kind and its place among those.
fn named(devices: &[VDevice]) -> Vec<String> {
    let name = |(at, device): (usize, &VDevice)| {
        let before = devices[..at].iter().filter(|it| it.target == device.target);
        format!("{}:{}", device.target, before.count())
    };
    devices.iter().enumerate().map(name).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::fixes::tests::check;

    #[test]
    fn a_device_becomes_the_listed_one_of_its_kind() {
        check(
            "unknown-vdevice",
            "listed-device",
            r#"@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("cuda", 0), I.vdevice("llvm")]})

    @R.function
    def f(x: R.Tensor((4,), "float32", "llvm:1")):
        return x
"#,
            expect![[r#"
                @I.ir_module
                class Module:
                    I.module_global_infos({"vdevice": [I.vdevice("cuda", 0), I.vdevice("llvm")]})

                    @R.function
                    def f(x: R.Tensor((4,), "float32", "llvm:0")):
                        return x
            "#]],
        );
    }
}
