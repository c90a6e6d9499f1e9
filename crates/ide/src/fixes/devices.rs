//! Fixes the devices of annotations, which the module must list.

use relax::Diagnostic;
use relax::script::Namespace;
use relax::sinfo::VDevice;
use syntax::ast::{self, AstNode};
use syntax::{SyntaxKind, SyntaxNode};
use text_size::TextRange;

use super::{Confidence, Fixes};
use crate::semantics::FunctionContext;
use crate::source_edit::SourceEdit;

/// Replaces the device with a listed one; those of the same kind come first.
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
    let Some(module) = cx.module() else {
        return;
    };
    let mut names = named(module.vdevices(cx.db));
    let same = |name: &str| name.split(':').next() == Some(kind);
    names.sort_by_key(|name| !same(name));
    let only = names.iter().filter(|name| same(name)).count() == 1;
    for name in names {
        let title = format!("Change {old} to \"{name}\"");
        let edit = SourceEdit::replace(diagnostic.range, format!("\"{name}\""));
        fixes.add(
            "listed-device",
            title,
            Confidence::likely_if(only && same(&name)),
            edit,
        );
    }
}

/// Adds the device to the module's list if it is the next of its kind.
pub fn list(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let quotes: &[char] = &['"', '\''];
    let name = cx.slice(diagnostic.range).trim_matches(quotes);
    let mut parts = name.split(':');
    let (Some(kind), index) = (parts.next(), parts.next().unwrap_or("0")) else {
        return;
    };
    let file = cx.function.file(cx.db);
    let Some(module) = cx.module() else {
        return;
    };
    let devices = module.vdevices(cx.db).iter();
    let count = devices.filter(|it| it.target == kind).count();
    let root = file.source(cx.db).parse.syntax();
    let class = root.covering_element(module.range(cx.db));
    let Some(last) = class.into_node().and_then(|class| last_listed(&class)) else {
        return;
    };
    if parts.next().is_none() && index.parse() == Ok(count) {
        let id = if count == 0 {
            String::new()
        } else {
            format!(", {count}")
        };
        let device = format!("{}.vdevice(\"{kind}\"{id})", cx.alias(Namespace::Ir));
        let title = format!("Add `{device}` to the module's devices");
        let edit = SourceEdit::insert(last.end(), format!(", {device}"));
        fixes.elsewhere("list-device", title, edit);
    }
}

/// Returns the range of the last device in the `I.module_global_infos` of a class.
fn last_listed(class: &SyntaxNode) -> Option<TextRange> {
    let calls = class.descendants().filter_map(ast::CallExpr::cast);
    let mut infos = calls.filter(|call| {
        let callee = call.callee().map(|it| it.syntax().text().to_string());
        callee.is_some_and(|it| it.ends_with("module_global_infos"))
    });
    let entries = infos.next()?.syntax().descendants();
    let mut entries = entries.filter(|it| it.kind() == SyntaxKind::DICT_ENTRY);
    let listed = entries.find(|it| {
        let key = it.first_token();
        key.is_some_and(|key| key.text().trim_matches(['"', '\'']) == "vdevice")
    })?;
    let list = listed.children().find_map(ast::ListExpr::cast)?;
    Some(list.elements().last()?.range())
}

/// Returns how annotations name each device of a module: by its kind, and its index among devices of that kind.
pub fn named(devices: &[VDevice]) -> Vec<String> {
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
    fn a_missing_device_is_added_to_the_list() {
        check(
            "unknown-vdevice",
            "list-device",
            r#"@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm")]})

    @R.function
    def f(x: R.Tensor((4,), "float32", "llvm:1")):
        return x
"#,
            expect![[r#"
                 class Module:
                -    I.module_global_infos({"vdevice": [I.vdevice("llvm")]})
                +    I.module_global_infos({"vdevice": [I.vdevice("llvm"), I.vdevice("llvm", 1)]})
 
            "#]],
        );
    }

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
                     @R.function
                -    def f(x: R.Tensor((4,), "float32", "llvm:1")):
                +    def f(x: R.Tensor((4,), "float32", "llvm:0")):
                         return x
            "#]],
        );
    }
}
