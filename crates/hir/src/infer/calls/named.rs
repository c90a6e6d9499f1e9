//! Calls of names under `R` and `T` that are no operators, held against the parameters that their rows declare.

use relax::diagnostics::Code;
use relax::dialect::Dialect;
use relax::near::nearest_str;
use relax::script;
use relax::script::Namespace;

use crate::body::{Arg, ExprId};
use crate::infer::Infer;

/// Functions that Python calls with just the parameters of their rows.
const CHECKED: &[(Namespace, &str)] = &[
    (Namespace::Relax, "const"),
    (Namespace::Relax, "dataflow"),
    (Namespace::Relax, "dtype"),
    (Namespace::Relax, "func_attr"),
    (Namespace::Relax, "prim_value"),
    (Namespace::Relax, "shape"),
    (Namespace::Relax, "str"),
    (Namespace::Tir, "index_map"),
];

impl Infer<'_> {
    /// Whether Python cannot make such a call; reported.
    pub(in crate::infer) fn is_miscalled(
        &mut self,
        expr: ExprId,
        namespace: Namespace,
        name: &str,
        args: &[Arg],
    ) -> bool {
        let dialect = self.cx.dialect;
        if dialect == Dialect::Rfc
            || !CHECKED.contains(&(namespace, name))
            || args.iter().any(|arg| arg.starred)
        {
            return false;
        }
        let Some(entry) = script::find(namespace, name, dialect) else {
            return false;
        };
        let params = entry.params();
        let letter = if namespace == Namespace::Tir {
            "T"
        } else {
            "R"
        };
        let known = |text: &str| params.iter().any(|param| param.name == text);
        let keywords = args.iter().filter_map(|arg| arg.keyword.as_ref());
        if let Some(keyword) = keywords.clone().find(|keyword| !known(&keyword.text)) {
            let near = nearest_str(&keyword.text, params.iter().map(|param| param.name));
            let hint = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            let message = format!(
                "`{letter}.{name}` has no parameter `{}`{hint}",
                keyword.text
            );
            let range = keyword.range;
            self.report(Code::UnknownArgument, range, message).instead =
                near.map(|near| (range, near.into()));
            return true;
        }
        let most = params.iter().filter(|param| !param.keyword_only).count();
        let mut positional = args.iter().filter(|arg| arg.keyword.is_none());
        if let Some(surplus) = positional.clone().nth(most) {
            let s = if most == 1 { "" } else { "s" };
            let message = format!("`{letter}.{name}` takes at most {most} argument{s}");
            let range = self.range(surplus.value);
            self.report(Code::ArgumentCount, range, message);
            return true;
        }
        let given = |param: &script::Param| keywords.clone().any(|k| k.text == param.name);
        let missing = params.iter().find(|param| {
            let is_given = (!param.keyword_only && positional.next().is_some()) || given(param);
            !is_given && !param.keyword_only && !param.text.contains('=')
        });
        if let Some(missing) = missing {
            let message = format!("`{letter}.{name}` needs `{}`", missing.name);
            let range = self.callee_range(expr);
            self.report(Code::ArgumentCount, range, message);
            return true;
        }
        false
    }
}
