//! The signature of a PrimFunc for Relax: buffers are tensors, scalars are scalars.
//!
//! Reads the header and each `T.match_buffer` in the body, but not the loops.

use relax::arguments;
use relax::dtype::DType;
use relax::script::Namespace;
use relax::sinfo::{Prim, StructInfo, Tensor};
use relax::sym::SymExpr;
use relax::value::Value;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::body::{Arg, Body, Expr, ExprId, Stmt, StmtKind, Target};
use crate::facts::FunctionFact;
use crate::incremental::base::Base;
use crate::incremental::names::Names;
use crate::infer::annotations::dims::Dims;
use crate::infer::{Context, Frame, Infer, Local, Scope};

/// The signature of a PrimFunc for Relax.
pub struct PrimSignature {
    /// The parameters; `Unknown` where they cannot be determined.
    pub params: Vec<StructInfo>,
    /// The result, if one is declared.
    pub ret: Option<StructInfo>,
}

pub fn prim_signature(body: &Body, cx: &Context<'_>) -> PrimSignature {
    let (mut names, around) = (Names::default(), Default::default());
    let base = Base::without_pieces(&mut names, &around);
    let mut infer = Infer::new(body, cx, base);
    infer.facts.functions.push(FunctionFact::default());
    infer.frames.push(Frame::default());
    infer.scopes.push(Scope::default());
    infer.frame().in_signature = true;
    let params = infer.prim_params();
    let ret = body.function.ret.and_then(|ret| infer.scalar(ret));
    PrimSignature {
        params,
        ret: ret.map(StructInfo::prim),
    }
}

impl Infer<'_> {
    fn prim_params(&mut self) -> Vec<StructInfo> {
        let function = &self.body.function;
        for param in &function.type_params {
            self.bind_local(param.name.text.clone(), Local::Sym(0));
        }
        // A scalar may be a dimension of other parameters' buffers.
        for param in function.params.iter() {
            if let Some(annotation) = param.annotation
                && self.scalar(annotation).is_some()
            {
                self.own_sym(&param.name.text);
                self.bind_local(param.name.text.clone(), Local::Sym(0));
            }
        }
        let mut params: Vec<StructInfo> = Vec::with_capacity(function.params.len());
        for param in function.params.iter() {
            params.push(match param.annotation {
                Some(annotation) => self.prim_param(annotation, &param.name.text),
                None => StructInfo::Unknown,
            });
        }
        let named = function.params.iter().enumerate().rev();
        let positions = named.map(|(at, param)| (&param.name.text, at)).collect();
        for stmt in &function.body {
            self.prim_stmt(stmt, &positions, &mut params);
        }
        params
    }

    fn scalar(&mut self, annotation: ExprId) -> Option<DType> {
        let path = match &self.body.exprs[annotation] {
            Expr::Call { callee, args } if args.is_empty() => *callee,
            _ => annotation,
        };
        match self.expr(path) {
            Value::Script(path) if path.namespace == Namespace::Tir => {
                DType::of_constructor(&path.rest).filter(|d| *d != DType::HANDLE)
            }
            _ => None,
        }
    }

    fn prim_param(&mut self, annotation: ExprId, name: &SmolStr) -> StructInfo {
        if let Some(dtype) = self.scalar(annotation) {
            let var = self.own_sym(name);
            let value = dtype.is_int().then(|| SymExpr::var(var));
            return StructInfo::Prim(Prim {
                dtype: Some(dtype),
                value,
            });
        }
        match &self.body.exprs[annotation] {
            Expr::Call { callee, args } => match self.expr(*callee) {
                Value::Script(path) if matches!(path.rest.as_str(), "Buffer" | "buffer") => {
                    self.buffer(args, 0)
                }
                // A handle may be anything, unless a `match_buffer` says more.
                Value::Script(path) if path.rest == "handle" => StructInfo::Object,
                _ => StructInfo::Unknown,
            },
            Expr::Attribute { .. } => match self.expr(annotation) {
                Value::Script(path) if path.rest == "handle" => StructInfo::Object,
                _ => StructInfo::Unknown,
            },
            _ => StructInfo::Unknown,
        }
    }

    /// Reads `T.Buffer(shape, dtype)` or `T.match_buffer(handle, shape, dtype)`. The shape is argument `at`.
    fn buffer(&mut self, args: &[Arg], at: usize) -> StructInfo {
        let Some(shape) = arguments::find(args, at, &["shape"]) else {
            return StructInfo::Unknown;
        };
        let dtype = match arguments::find(args, at + 1, &["dtype"]) {
            Some(arg) => match self.expr(arg.value) {
                Value::Str(text) => DType::parse(&text),
                Value::Script(path) => DType::of_constructor(&path.rest),
                _ => None,
            },
            None => Some(DType::F32),
        };
        let Some(dtype) = dtype else {
            return StructInfo::Unknown;
        };
        let value = self.expr(shape.value);
        match self.dims(shape.value, &value) {
            Dims::Known(dims) if dims.iter().any(|dim| self.is_narrow(dim)) => {
                Tensor::of_ndim(Some(dims.len()), Some(dtype)).into()
            }
            Dims::Known(dims) => Tensor::new(dims, Some(dtype)).into(),
            // A single extent is a one-dimensional shape.
            Dims::Wrong(_) => match value.sym() {
                Some(dim) => Tensor::new([dim], Some(dtype)).into(),
                None => StructInfo::Unknown,
            },
            Dims::Var { .. } | Dims::Unknown => StructInfo::Unknown,
        }
    }

    /// Returns `true` if the dimension contains a PrimFunc variable that is not int64. Dimensions of Relax are int64,
    /// so TVM casts the variable, and a cast binds nothing and proves nothing.
    fn is_narrow(&self, dim: &SymExpr) -> bool {
        dim.any_var(&|var| {
            var.is_python() && matches!(self.lookup(&var.name), Some(Local::Value(Value::Unknown)))
        })
    }

    fn prim_stmt(
        &mut self,
        stmt: &Stmt,
        positions: &FxHashMap<&SmolStr, usize>,
        params: &mut [StructInfo],
    ) {
        let StmtKind::Assign { targets, value } = &stmt.kind else {
            return;
        };
        let [target] = targets.as_slice() else { return };
        match (target, &self.body.exprs[*value]) {
            (Target::Tuple(targets, _), Expr::Tuple(values)) => {
                for (target, &value) in targets.iter().zip(values) {
                    self.declare(target, value);
                }
            }
            (target, Expr::Call { callee, args }) => {
                let is_match = matches!(self.expr(*callee), Value::Script(path) if path.rest == "match_buffer");
                if !is_match {
                    self.declare(target, *value);
                    return;
                }
                let handle = args.first().map(|a| &self.body.exprs[a.value]);
                let Some(Expr::Name(handle)) = handle else {
                    return;
                };
                let sinfo = self.buffer(args, 1);
                if let Some(slot) = positions.get(handle).and_then(|at| params.get_mut(*at)) {
                    *slot = sinfo;
                }
            }
            (target, _) => self.declare(target, *value),
        }
    }

    /// Reads a declaration of a shape variable: `n = T.int64()`, `n = T.var("int64")`.
    fn declare(&mut self, target: &Target, value: ExprId) {
        let Target::Name(name) = target else { return };
        let dtype = match &self.body.exprs[value] {
            Expr::Call { callee, .. } => match self.expr(*callee) {
                Value::Script(path) if matches!(path.rest.as_str(), "var" | "Var") => {
                    Some(DType::I64)
                }
                Value::Script(path) => DType::of_constructor(&path.rest),
                _ => None,
            },
            _ => None,
        };
        if dtype.is_some_and(|dtype| dtype.is_int() && dtype != DType::I64) {
            self.bind_local(name.text.clone(), Local::Value(Value::Unknown));
        } else if dtype.is_some() {
            self.own_sym(&name.text);
            self.bind_local(name.text.clone(), Local::Sym(0));
        } else {
            let value = self.expr(value);
            self.bind_local(name.text.clone(), Local::Value(value));
        }
    }
}
