//! The parameters of a PrimFunc: buffers, handles, numbers.

use relax::diagnostics::Code;
use relax::dtype::DType;
use relax::script::Namespace;
use smol_str::SmolStr;

use super::value::Named;
use super::{Entity, Reader};
use crate::body::{self, ExprId};
use crate::enclosing::script_path;
use crate::prim_facts::{Access, BufferOrigin, PrimDefKind, Target};
use crate::tir::{Data, Param, ParamKind};

impl Reader<'_> {
    pub fn param(&mut self, at: usize, param: &body::Param) {
        let name = Named::of(&param.name);
        if let Some(default) = param.default {
            self.silent(|it| it.value(default));
        }
        self.func.params.push(Param {
            name: name.text.clone(),
            kind: ParamKind::Unused,
        });
        let range = match param.annotation {
            Some(annotation) => name.range.cover(self.range(annotation)),
            None => name.range,
        };
        if param.is_starred() && !name.text.is_empty() {
            let message = format!("a PrimFunc cannot have the parameter `*{}`", name.text);
            self.report(Code::UnsupportedStatement, name.range, message);
        }
        let (kind, entity) = match param.annotation {
            Some(annotation) => self.param_kind(at, annotation, &name.text),
            None => {
                let message = format!("the parameter `{}` needs an annotation", name.text);
                if !name.text.is_empty() && !param.is_starred() {
                    self.report(Code::MissingAnnotation, name.range, message);
                } else {
                    self.refuse(name.range, message);
                }
                (PrimDefKind::Python, Entity::Hole)
            }
        };
        // A compile-time parameter, which is defined already.
        let before = self.defined_here(&name.text);
        if before.is_some_and(|id| self.facts.def(id).name_range == name.range) {
            return;
        }
        let PrimDefKind::Scalar(Some(dtype)) = kind else {
            if let Entity::Buffer(buffer) = entity {
                self.func.params[at].kind = ParamKind::Buffer(buffer);
            }
            self.define(&name, range, kind, entity);
            return;
        };
        // A shape of an earlier parameter may name a scalar: `A: T.Buffer(("n",)), n: T.int32`.
        let named_before = self
            .defined_here(&name.text)
            .filter(|&id| matches!(self.facts.def(id).kind, PrimDefKind::ShapeVar(_)));
        let Some(id) = named_before else {
            let var = self.define_var(&name, range, dtype, |_| kind);
            self.func.params[at].kind = ParamKind::Scalar(var);
            return;
        };
        if let &Entity::Var(var) = self.entity(id) {
            self.func.vars[var.0 as usize].dtype = dtype;
            self.func.params[at].kind = ParamKind::Scalar(var);
            self.redeclared(var, dtype);
        }
        let def = &mut self.facts.defs[id.0 as usize];
        (def.name_range, def.range) = (name.range, range);
        def.kind = kind;
        for mention in &mut self.facts.mentions {
            if mention.target == Target::Def(id) {
                mention.access = Access::Read;
            }
        }
        self.mention(name.range, Target::Def(id), Access::Define);
    }

    /// Defines the parameters that the annotations before them may use: `N` in `A: T.Buffer((N,)), *, N: T.constexpr`.
    pub fn compile_time_params<'p>(&mut self, params: impl Iterator<Item = &'p body::Param>) {
        for param in params {
            let path = param.annotation.and_then(|it| self.script(it));
            if path.is_some_and(|it| it == "constexpr") {
                self.define_python(&param.name);
            }
        }
    }

    fn param_kind(
        &mut self,
        at: usize,
        annotation: ExprId,
        name: &SmolStr,
    ) -> (PrimDefKind, Entity) {
        let (callee, args) = self.call_parts(annotation);
        let path = self.script(callee).unwrap_or_default();
        match path.as_str() {
            "handle" => {
                self.silent(|it| it.value(annotation));
                (PrimDefKind::Handle, Entity::Handle(at))
            }
            "Buffer" | "match_buffer" | "buffer" => {
                self.callee(callee);
                match self.body.exprs[annotation] {
                    body::Expr::Call { .. } => self.check_arguments(callee, args),
                    body::Expr::Attribute { .. } => {
                        let message = "the annotation needs a shape: `T.Buffer((n,), \"float32\")`";
                        self.report(Code::InvalidAnnotation, self.range(annotation), message);
                    }
                    _ => {}
                }
                let data = Some(Data::Param(at));
                let subscript = match &self.body.exprs[annotation] {
                    body::Expr::Subscript { index, .. } => self.subscript_args(*index),
                    _ => Vec::new(),
                };
                let args = if subscript.is_empty() {
                    args
                } else {
                    &subscript
                };
                let place = (name, self.range(annotation));
                let (fact, id) = self.buffer("Buffer", args, BufferOrigin::Param, data, place);
                (PrimDefKind::Buffer(fact), Entity::Buffer(id))
            }
            path => {
                self.silent(|it| it.value(annotation));
                match DType::of_constructor(path) {
                    Some(dtype) => (PrimDefKind::Scalar(Some(dtype)), Entity::Hole),
                    None => {
                        let message = "a parameter must be a buffer, a handle or a number";
                        let range = self.range(annotation);
                        if self.is_no_annotation(callee) {
                            self.report(Code::InvalidAnnotation, range, message);
                        } else {
                            self.refuse(range, message);
                        }
                        (PrimDefKind::Python, Entity::Hole)
                    }
                }
            }
        }
    }

    /// Returns `true` for Python's `bool`, `float`, `int` and `str`.
    pub fn is_builtin_type(&self, at: ExprId) -> bool {
        let body::Expr::Name(name) = &self.body.exprs[at] else {
            return false;
        };
        matches!(name.as_str(), "bool" | "float" | "int" | "str")
            && self.around.env.get(name).is_none()
            && !self.around.env.may_have_more()
    }

    /// Returns whether an expression certainly cannot annotate a parameter: a literal, a type of Python, StructInfo.
    fn is_no_annotation(&self, at: ExprId) -> bool {
        match &self.body.exprs[at] {
            body::Expr::Int(_) | body::Expr::Float(_) | body::Expr::Str(_) => true,
            body::Expr::Name(_) => self.is_builtin_type(at),
            _ => script_path(self.body, at, self.around.env)
                .is_some_and(|path| path.namespace == Namespace::Relax),
        }
    }
}
