//! Calls under `T` whose arguments do not fit the declared parameters.

use relax::arguments::bind;
use relax::diagnostics::Code;
use relax::dialect::Dialect;
use relax::release::Release;
use relax::script::{self, DeclaredParam, Namespace, Role};

use super::Reader;
use crate::body::{Arg, ExprId};
use crate::misfits::{self, Callee};

impl Reader<'_> {
    /// Reads the callee of a call, and reports arguments that Python would not pass to it.
    pub fn read_callee(&mut self, callee: ExprId, args: &[Arg]) {
        self.callee(callee);
        self.check_arguments(callee, args);
    }

    pub fn check_arguments(&mut self, callee: ExprId, args: &[Arg]) {
        let around = self.around;
        let is_unclear = self.doubt > 0
            || around.release.dialect() == Dialect::Rfc
            || args.iter().any(|arg| arg.starred);
        if is_unclear || !self.checked_calls.insert(callee) {
            return;
        }
        let Some(path) = self.script(callee) else {
            return;
        };
        let Some(entry) = script::find(Namespace::Tir, &path, around.release) else {
            return;
        };
        let is_certain = entry.name == path && entry.words.is_empty() && entry.params.is_some();
        if !is_certain || !entry.releases.contains(around.release) {
            return;
        }
        if path == "attr" && args.len() == 2 && around.release >= Release::V0_25 {
            let message = "`T.attr` takes a node, a key and a value, or one dict";
            self.report(Code::ArgumentCount, self.range(callee), message);
            return;
        }
        // A file without a target may be of several releases.
        let rows = script::entries(Namespace::Tir).filter(|row| row.name == entry.name);
        let rows = rows.filter(|row| row.releases.and(around.releases).is_some());
        // The wrapper of most intrinsics accepts `dtype=` and ignores it.
        let is_wrapped = matches!(entry.role, Role::Value | Role::Intrinsic);
        let is_ignored = |arg: &Arg| arg.keyword.as_ref().is_some_and(|it| it.text == "dtype");
        let rest = args.iter().filter(|arg| !is_wrapped || !is_ignored(arg));
        let rest: Vec<&Arg> = rest.collect();
        let fits = |form: &Vec<DeclaredParam>| {
            bind(form, args).misfits(form).is_empty()
                || bind(form, rest.iter().copied()).misfits(form).is_empty()
        };
        if rows.flat_map(script::Entry::forms).any(|form| fits(&form)) {
            return;
        }
        let params = entry.params();
        let misfits = bind(&params, args).misfits(&params);
        let given: Vec<&Arg> = args.iter().collect();
        let callee_is = Callee::Script(Namespace::Tir, &path, &params);
        let called = self.range(callee);
        let found = misfits::reports(
            self.body,
            called,
            callee_is,
            &given,
            &misfits,
            around.release,
        );
        for report in found {
            self.diagnose(report);
        }
    }
}
