//! Says why the arguments of a call do not fit the parameters of the callee.

use relax::arguments::Misfit;
use relax::diagnostics::{Code, Diagnostic};
use relax::nearest_name::did_you_mean;
use relax::ops::{OpDef, nearest_parameter};
use relax::release::Release;
use relax::script::{self, Namespace};
use text_size::TextRange;

use crate::body::{Arg, Body, Name};

/// The callee of a call.
#[derive(Clone, Copy)]
pub(crate) enum Callee<'a> {
    Operator(&'static OpDef),
    Script(Namespace, &'a str, &'a [script::DeclaredParam]),
    /// An annotation under `R`.
    Constructor(&'a str, &'a [&'static str]),
}

impl Callee<'_> {
    fn quoted_name(&self) -> String {
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

/// Returns a diagnostic for each misfit of a call. A surplus argument is often misplaced, so it is reported alone.
pub(crate) fn reports(
    body: &Body,
    called: TextRange,
    callee: Callee<'_>,
    args: &[&Arg],
    misfits: &[Misfit],
    release: Release,
) -> Vec<Diagnostic> {
    let shown = callee.quoted_name();
    let mut found: Vec<Diagnostic> = Vec::new();
    let mut unknown: Vec<&Name> = Vec::new();
    let mut missing: Vec<String> = Vec::new();
    let has_unknown = misfits
        .iter()
        .any(|it| matches!(it, Misfit::UnknownName(_)));
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
                found.push(Diagnostic::new(Code::ArgumentCount, keyword.range, message));
            }
            Misfit::Surplus(_) if has_unknown || !found.is_empty() => {}
            Misfit::Surplus(at) => {
                let most = callee.most();
                let s = if most == 1 { "" } else { "s" };
                let message = format!("{shown} takes at most {most} argument{s}");
                let range = body.range(args[at].value);
                found.push(Diagnostic::new(Code::ArgumentCount, range, message));
            }
            Misfit::Missing(at) => missing.push(format!("`{}`", callee.names()[at])),
        }
    }
    found.extend(unknown_names(&shown, &callee.names(), &unknown, release));
    if !missing.is_empty() {
        let message = format!("{shown} needs {}", missing.join(", "));
        found.push(Diagnostic::new(Code::ArgumentCount, called, message));
    }
    found
}

/// Reports unknown keywords: each misspelt one, and all others, which belong to another function, together.
fn unknown_names(
    shown: &str,
    params: &[&'static str],
    unknown: &[&Name],
    release: Release,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut strange: Vec<&Name> = Vec::new();
    for name in unknown {
        let Some(near) = nearest_parameter(&name.text, params) else {
            strange.push(name);
            continue;
        };
        let hint = did_you_mean(Some(near));
        let message = format!("{shown} has no parameter `{}`{hint}", name.text);
        let mut report = Diagnostic::new(Code::UnknownArgument, name.range, message);
        report.instead = Some((name.range, near.into()));
        found.push(report);
    }
    // In 2022 it became an attribute of the call.
    if release == Release::Rfc {
        return found;
    }
    if let [first, rest @ ..] = strange.as_slice() {
        let names: Vec<String> = strange.iter().map(|it| format!("`{}`", it.text)).collect();
        let message = format!("{shown} has no parameter {}", names.join(", "));
        let mut report = Diagnostic::new(Code::UnknownArgument, first.range, message);
        report.repeats = rest.iter().map(|name| name.range).collect();
        found.push(report);
    }
    found
}
