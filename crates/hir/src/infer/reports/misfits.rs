//! Reports calls whose arguments do not fit the parameters of the callee.

use relax::arguments::Misfit;
use relax::diagnostics::Code;
use relax::near::{did_you_mean, nearest_str};
use relax::ops::OpDef;
use relax::release::Release;
use relax::script::{self, Namespace};

use crate::body::{Arg, ExprId, Name};
use crate::infer::Infer;

/// The callee of a call.
#[derive(Clone, Copy)]
pub(in crate::infer) enum Callee<'a> {
    Operator(&'static OpDef),
    Script(Namespace, &'a str, &'a [script::DeclaredParam]),
    /// An annotation under `R`.
    Constructor(&'a str, &'a [&'static str]),
}

impl Callee<'_> {
    fn shown(&self) -> String {
        match self {
            Callee::Operator(op) => format!("`R.{}`", op.script()),
            Callee::Script(Namespace::Tir, name, _) => format!("`T.{name}`"),
            Callee::Script(_, name, _) | Callee::Constructor(name, _) => format!("`R.{name}`"),
        }
    }

    fn names(&self) -> Vec<&'static str> {
        match self {
            Callee::Operator(op) => op.params.iter().map(|it| it.name).collect(),
            Callee::Script(_, _, params) => params.iter().map(|it| it.name).collect(),
            Callee::Constructor(_, params) => params.to_vec(),
        }
    }

    /// Returns the maximum number of arguments.
    fn most(&self) -> usize {
        match self {
            Callee::Operator(op) => op.params.len(),
            Callee::Script(_, _, params) => params.iter().filter(|it| !it.keyword_only).count(),
            Callee::Constructor(_, params) => params.len(),
        }
    }
}

impl Infer<'_> {
    /// Reports why a call is invalid. A surplus argument is often misplaced, so it is reported alone.
    pub(in crate::infer) fn report_misfits(
        &mut self,
        call: ExprId,
        callee: Callee<'_>,
        args: &[&Arg],
        misfits: &[Misfit],
    ) {
        let shown = callee.shown();
        let mut unknown: Vec<&Name> = Vec::new();
        let mut missing: Vec<String> = Vec::new();
        let mut is_reported = false;
        for misfit in misfits {
            match *misfit {
                Misfit::UnknownName(at) => unknown.extend(&args[at].keyword),
                Misfit::Twice(at) => {
                    let Some(keyword) = &args[at].keyword else {
                        continue;
                    };
                    // Python rejects a duplicate keyword.
                    let mut before = args[..at].iter().filter_map(|arg| arg.keyword.as_ref());
                    if before.any(|it| it.text == keyword.text) {
                        continue;
                    }
                    let message = format!("`{}` is given twice", keyword.text);
                    self.report(Code::ArgumentCount, keyword.range, message);
                    is_reported = true;
                }
                Misfit::Surplus(_) if is_reported || !unknown.is_empty() => {}
                Misfit::Surplus(at) => {
                    let most = callee.most();
                    let s = if most == 1 { "" } else { "s" };
                    let message = format!("{shown} takes at most {most} argument{s}");
                    let range = self.range(args[at].value);
                    self.report(Code::ArgumentCount, range, message);
                }
                Misfit::Missing(at) => missing.push(format!("`{}`", callee.names()[at])),
            }
        }
        self.report_unknown_names(&shown, &callee.names(), &unknown);
        if !missing.is_empty() {
            let range = self.callee_range(call);
            let message = format!("{shown} needs {}", missing.join(", "));
            self.report(Code::ArgumentCount, range, message);
        }
    }

    /// Reports unknown keywords: each misspelt one, and all others, which belong to another function, together.
    fn report_unknown_names(&mut self, shown: &str, params: &[&'static str], unknown: &[&Name]) {
        let mut strange: Vec<&Name> = Vec::new();
        for name in unknown {
            let Some(near) = nearest_str(&name.text, params.iter().copied()) else {
                strange.push(name);
                continue;
            };
            let message = format!(
                "{shown} has no parameter `{}`{}",
                name.text,
                did_you_mean(Some(near))
            );
            self.report(Code::UnknownArgument, name.range, message)
                .instead = Some((name.range, near.into()));
        }
        // In 2022 it became an attribute of the call.
        if self.cx.release == Release::Rfc {
            return;
        }
        let [first, rest @ ..] = strange.as_slice() else {
            return;
        };
        let names: Vec<String> = strange.iter().map(|it| format!("`{}`", it.text)).collect();
        let message = format!("{shown} has no parameter {}", names.join(", "));
        self.report(Code::UnknownArgument, first.range, message)
            .repeats = rest.iter().map(|name| name.range).collect();
    }
}
