//! Reports unknown names under `R`, `T` and `I`, and suggests similar names.

use relax::diagnostics::{Code, Severity};
use relax::nearest_name::{did_you_mean, nearest_str};
use relax::ops::{self, OpDef};
use relax::script;
use relax::script::{Namespace, ScriptPath};
use text_size::{TextRange, TextSize};

use crate::body::{ExprId, Name};
use crate::decorators::letter_of;
use crate::infer::Infer;

impl Infer<'_> {
    /// Reports an unknown name under `R`, and returns the name that was probably meant.
    pub(in crate::infer) fn unknown_operator(
        &mut self,
        callee: ExprId,
        name: &str,
    ) -> Option<&'static str> {
        let range = self.range(callee);
        // Annotations begin with a capital letter, and all of them are known.
        if self.frame().annotating || name.starts_with(char::is_uppercase) {
            let near = crate::infer::annotations::nearest_constructor(name);
            let hint = did_you_mean(near.map(|near| format!("R.{near}")));
            let message = format!("`R.{name}` is not an annotation{hint}");
            self.report(Code::InvalidAnnotation, range, message).instead =
                near.map(|near| (tail(range, name), near.into()));
            return near;
        }
        if let Some(near) = nearest_str(name, relax_names())
            && ops::nearest(name)
                .is_none_or(|op| nearest_str(name, [op, near].into_iter()) == Some(near))
        {
            let message = format!("`R.{name}` does not exist; did you mean `R.{near}`?");
            self.report(Code::UndefinedName, range, message).instead =
                Some((tail(range, name), near.into()));
            return Some(near);
        }
        let near = ops::nearest(name);
        let Some(near) = near else {
            let is_printed = self.is_printed();
            let message = format!("`R.{name}` is not a known operator");
            let report = self.report(Code::UnknownOperator, range, message);
            // Printed modules, without imports, may be of a compiler with operators of its own.
            if is_printed {
                report.severity = Severity::Warning;
            }
            return None;
        };
        let message = format!("`R.{name}` is not an operator; did you mean `R.{near}`?");
        self.report(Code::UnknownOperator, range, message).instead =
            Some((tail(range, name), near.into()));
        Some(near)
    }

    /// Reports an argument that TVM's printer writes but its parser rejects, such as `ty_args=` of
    /// `R.builtin.alloc_tensor`.
    pub(in crate::infer) fn printed_argument(
        &mut self,
        op: &OpDef,
        keyword: &str,
        range: TextRange,
    ) {
        let message = format!(
            "TVM prints `{keyword}=` in calls of `R.{}`, but its parser rejects it there",
            op.script()
        );
        self.report(Code::UnknownArgument, range, message).severity = Severity::Hint;
    }

    /// Checks a name directly under `T` or `I`.
    pub(in crate::infer) fn check_script_name(&mut self, path: &ScriptPath, name: &Name) {
        if !path.rest.is_empty() {
            return;
        }
        let Some(unknown) = script::unknown(path.namespace, &name.text, self.cx.release) else {
            return;
        };
        let is_imported = self.cx.env.get(letter_of(path.namespace)).is_some();
        let diagnostic = self.report(Code::UndefinedName, name.range, unknown.message);
        match unknown.near {
            Some(near) => diagnostic.instead = Some((name.range, near.into())),
            None if is_imported => {}
            None => diagnostic.severity = Severity::Warning,
        }
    }
}

/// Returns the range of `name` at the end of a path.
fn tail(path: TextRange, name: &str) -> TextRange {
    let length = TextSize::of(name).min(path.len());
    TextRange::new(path.end() - length, path.end())
}

/// Returns the names under `R` that are not operators or annotations.
fn relax_names() -> impl Iterator<Item = &'static str> {
    let entries = script::entries(Namespace::Relax);
    let entries = entries.filter(|entry| entry.role != script::Role::Annotation);
    entries.map(|entry| entry.name)
}
