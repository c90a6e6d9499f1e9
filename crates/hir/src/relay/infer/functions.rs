//! Functions: their parameters and results, with or without annotations.

use relax::relay::{Type, TypeVar};

use super::super::body::{Expr, ExprId, Function, Item};
use super::Infer;

/// The known types of a function before its body is read.
#[derive(Clone, Debug)]
pub(super) struct FunctionType {
    type_params: Vec<TypeVar>,
    params: Vec<Type>,
    ret: Type,
}

impl FunctionType {
    pub(super) fn ty(&self) -> Type {
        let (vars, params) = (self.type_params.clone(), self.params.clone());
        Type::function(vars, params, self.ret.clone())
    }
}

impl Infer<'_> {
    /// Returns the function literal of an expression, or the function of the definition for `None`.
    fn function_at(&self, at: Option<ExprId>) -> Option<&Function> {
        match at {
            Some(at) => match &self.body[at] {
                Expr::Function(function) => Some(function),
                _ => None,
            },
            None => match &self.body.item {
                Item::Function { function, .. } => Some(function),
                _ => None,
            },
        }
    }

    /// Reads the annotations of a function, once.
    pub(super) fn signature_of(&mut self, at: Option<ExprId>) -> FunctionType {
        if let Some(signature) = self.signatures.get(&at) {
            return signature.clone();
        }
        let body = self.body;
        let Some(function) = self.function_at(at).cloned() else {
            return FunctionType {
                type_params: Vec::new(),
                params: Vec::new(),
                ret: Type::Unknown,
            };
        };
        let before = self.annotations.params.len();
        let type_params = self.annotations.open(&function.type_params);
        let params = function.params.iter();
        let params = params
            .map(|it| self.annotated(body[*it].annotation))
            .collect();
        let ret = self.annotated(function.ret);
        self.annotations.params.truncate(before);
        let signature = FunctionType {
            type_params,
            params,
            ret,
        };
        self.signatures.insert(at, signature.clone());
        signature
    }

    pub(super) fn enter(&mut self, at: Option<ExprId>) {
        self.solve();
        let signature = self.signature_of(at);
        self.opened.push(self.annotations.params.len());
        self.annotations.params.extend(signature.type_params);
        if let Some(function) = self.function_at(at) {
            let params = function.params.clone();
            for (local, ty) in params.iter().zip(signature.params) {
                self.set_local(*local, ty);
            }
        }
    }

    pub(super) fn leave(&mut self, at: Option<ExprId>) {
        let before = self.opened.pop().unwrap_or_default();
        self.annotations.params.truncate(before);
        let signature = self.signature_of(at);
        let Some(function) = self.function_at(at) else {
            return;
        };
        let (value, written) = (self.tail(function.body), function.ret);
        let report = |wanted: &Type, is: &Type| match written {
            Some(_) => format!("the function returns {wanted} by its annotation, this is {is}"),
            None => format!("the function is used as if it returned {wanted}, this is {is}"),
        };
        let ret = self.expect_as_declared(&signature.ret, written, value, &[value], report);
        if let Some(at) = at {
            let ty = FunctionType { ret, ..signature }.ty();
            self.set_expr(at, ty);
        }
    }

    /// Returns the expression that gives a block its value.
    pub(super) fn tail(&self, mut expr: ExprId) -> ExprId {
        while let Expr::Block { value, .. } = self.body[expr] {
            expr = value;
        }
        expr
    }
}
