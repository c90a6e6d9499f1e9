//! What the text of a function says about the values of its names.

use std::collections::BTreeSet;

use relax::ops;
use relax::release::Release;
use rustc_hash::FxHashMap;
use syntax::SyntaxNode;
use syntax::ast::{self, AstNode, Expr};

use super::annotations::{Written, written};
use super::{Scope, callee_name, is_string, signature};
use crate::migrate::{Pass, args_of, calls};

/// Read once per function. If a name has several bindings, the first one with information counts.
pub struct Values {
    kinds: FxHashMap<String, Written>,
    bound: FxHashMap<String, Expr>,
    shape_variables: BTreeSet<String>,
}

impl Values {
    pub fn of(pass: &Pass<'_>, scope: &Scope, nodes: &[SyntaxNode]) -> Values {
        let mut values = Values {
            kinds: FxHashMap::default(),
            bound: FxHashMap::default(),
            shape_variables: signature::of_header(pass, scope),
        };
        for node in nodes {
            values.read(pass, node);
        }
        values
    }

    fn read(&mut self, pass: &Pass<'_>, node: &SyntaxNode) {
        if let Some(param) = ast::Param::cast(node.clone()) {
            let kind = param.annotation().and_then(|it| written(pass, &it));
            if let (Some(name), Some(kind)) = (param.name(), kind) {
                let name = name.text().to_owned();
                self.kinds.entry(name).or_insert(kind);
            }
        } else if let Some(binding) = ast::AnnAssignStmt::cast(node.clone()) {
            let kind = binding.annotation().and_then(|it| written(pass, &it));
            if let Some(target) = binding.target() {
                self.bind(pass, &target, kind, binding.value());
            }
        } else if let Some(binding) = ast::AssignStmt::cast(node.clone()) {
            let value = binding.value();
            let kind = value.as_ref().and_then(|it| self::kind(pass, it));
            for target in binding.targets() {
                self.bind(pass, &target, kind.clone(), value.clone());
            }
        } else if let Some(call) = Expr::cast(node.clone())
            && let Some("R.match_shape" | "R.match_cast") = callee_name(pass, &call).as_deref()
        {
            let names = node.descendants().filter_map(ast::NameExpr::cast);
            self.shape_variables.extend(names.map(|it| it.text()));
        }
    }

    fn bind(&mut self, pass: &Pass<'_>, target: &Expr, kind: Option<Written>, value: Option<Expr>) {
        let name = pass.slice(target.range());
        if let Some(kind) = kind {
            self.kinds.entry(name.to_owned()).or_insert(kind);
        }
        if let Some(value) = value {
            self.bound.entry(name.to_owned()).or_insert(value);
        }
    }

    /// Returns the StructInfo of a value as far as the function's annotations say it.
    pub fn kind(&self, pass: &Pass<'_>, value: &Expr) -> Option<Written> {
        match value {
            Expr::NameExpr(name) => self.kinds.get(name.text().as_str()).cloned(),
            _ => kind(pass, value),
        }
    }

    /// Returns the value that a name is bound to.
    pub fn bound(&self, pass: &Pass<'_>, name: &Expr) -> Option<&Expr> {
        self.bound.get(pass.slice(name.range()))
    }

    /// Returns `true` if an annotation names a shape variable that nothing binds.
    pub fn are_introduced_by(&self, pass: &Pass<'_>, scope: &Scope, annotation: &Expr) -> bool {
        let names = annotation.syntax().descendants();
        let mut names = names.filter_map(ast::NameExpr::cast).map(|it| it.text());
        names.any(|it| scope.is_free(pass, &it) && !self.shape_variables.contains(&it))
    }
}

/// Returns the StructInfo that an expression has independently of bindings.
fn kind(pass: &Pass<'_>, value: &Expr) -> Option<Written> {
    if let Expr::AttributeExpr(attribute) = value {
        return attribute
            .name()
            .filter(|it| it.text() == "shape")
            .map(|_| Written::Shape);
    }
    let (name, Expr::CallExpr(call)) = (callee_name(pass, value)?, value) else {
        return None;
    };
    let args = args_of(call);
    let name = name.strip_prefix("R.")?;
    match name {
        "shape_of" => Some(Written::Shape),
        "match_cast" => written(pass, &args.get(1)?.value()?),
        "call_tir" | "call_dps_packed" => {
            let out = ["out_ty", "out_sinfo"]
                .iter()
                .find_map(|it| calls::keyword(&args, it));
            match out.and_then(ast::Arg::value) {
                Some(out) => written(pass, &out),
                None => {
                    let dtype = calls::keyword(&args, "dtype")?.value()?;
                    let text = pass.slice(dtype.range()).to_owned();
                    is_string(&dtype).then_some(Written::Tensor(Some(text)))
                }
            }
        }
        "call_packed" | "invoke_closure" => None,
        _ => ops::by_script(name, Release::Rfc).map(|_| Written::Tensor(None)),
    }
}
