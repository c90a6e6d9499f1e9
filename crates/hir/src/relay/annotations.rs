//! Converts written types to types: resolves dtypes, ADTs and type parameters by their names.

use relax::dtype::DType;
use relax::nearest_name;
use relax::relay::{Dim, Type, TypeVar};
use relax::{Code, Diagnostic};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use text_size::TextRange;

use super::body::{self, Body, Name, TypeExpr, TypeId};
use super::env::Env;
use super::unknown_name::unknown_name;
use crate::metadata::Referent;

/// The types that type parameters stand for.
pub type TypeArguments = FxHashMap<TypeVar, Type>;

/// Reads the annotations of one definition.
pub struct Annotations<'a> {
    pub env: &'a Env,
    pub body: &'a Body,
    /// The type parameters in scope, the innermost last.
    pub params: Vec<TypeVar>,
    /// The types that type parameters stand for, in an instance of a function.
    pub type_args: TypeArguments,
    pub diagnostics: Vec<Diagnostic>,
}

impl Annotations<'_> {
    /// Converts a written type; `hole` makes a type for each `_`.
    pub fn read(&mut self, ty: TypeId, hole: &mut impl FnMut() -> Type) -> Type {
        let body = self.body;
        match &body[ty] {
            TypeExpr::Missing => Type::Unknown,
            TypeExpr::Inferred => hole(),
            TypeExpr::Tensor { shape, dtype } => {
                let range = body.type_range(ty);
                let dims: Vec<Dim> = shape.iter().map(|it| self.dim(it, range)).collect();
                match self.dtype(dtype) {
                    Some(dtype) => Type::tensor(dims, dtype),
                    None => Type::Unknown,
                }
            }
            TypeExpr::Tuple(fields) => {
                let fields: Vec<Type> = fields.iter().map(|it| self.read(*it, hole)).collect();
                Type::tuple(fields)
            }
            TypeExpr::Ref(to) => Type::reference(self.read(*to, hole)),
            TypeExpr::Function {
                type_params,
                params,
                ret,
            } => {
                let before = self.params.len();
                let vars = self.open(type_params);
                let params: Vec<Type> = params.iter().map(|it| self.read(*it, hole)).collect();
                let ret = self.read(*ret, hole);
                self.params.truncate(before);
                Type::function(vars, params, ret)
            }
            TypeExpr::Named { name, args } => {
                let read: Vec<Type> = args.iter().map(|it| self.read(*it, hole)).collect();
                self.named(name, read)
            }
        }
    }

    /// Brings the type parameters of a function into scope.
    pub fn open(&mut self, names: &[Name]) -> Vec<TypeVar> {
        let vars: Vec<TypeVar> = names.iter().map(type_var).collect();
        self.params.extend(vars.iter().cloned());
        vars
    }

    fn named(&mut self, name: &Name, args: Vec<Type>) -> Type {
        if name.text.is_empty() {
            return Type::Unknown;
        }
        if args.is_empty() {
            if let Some(var) = self.params.iter().rev().find(|it| it.name == name.text) {
                let meant = self.type_args.get(var).cloned();
                return meant.unwrap_or_else(|| Type::Var(var.clone()));
            }
            if let Some(dtype) = DType::parse(&name.text) {
                return Type::scalar(dtype);
            }
        }
        let env = self.env;
        let Some(adt) = env.adt(&name.text) else {
            self.undefined(name);
            return Type::Unknown;
        };
        let wanted = adt.params.len();
        if wanted != args.len() {
            let message = format!(
                "`{}` takes {wanted} type argument{}, {} {} given",
                name.text,
                if wanted == 1 { "" } else { "s" },
                args.len(),
                if args.len() == 1 { "is" } else { "are" },
            );
            let range = name.range;
            self.report(Diagnostic::new(Code::ArgumentCount, range, message));
            return Type::Unknown;
        }
        Type::adt(name.text.clone(), args)
    }

    fn undefined(&mut self, name: &Name) {
        let env = self.env;
        let is_dtype = ["int", "uint", "float", "bool"]
            .iter()
            .any(|it| name.text.starts_with(it));
        if is_dtype {
            self.dtype(name);
            return;
        }
        let message = format!("no type is named `{}`", name.text);
        let near = nearest_name::nearest(&name.text, env.adt_names());
        let range = name.range;
        self.report(unknown_name(Code::UndefinedName, range, message, near));
    }

    fn dtype(&mut self, name: &Name) -> Option<DType> {
        let dtype = DType::parse(&name.text);
        if dtype.is_none() && !name.text.is_empty() {
            let message = format!("`{}` is not a dtype", name.text);
            let near = nearest_name::nearest_str(&name.text, DType::COMMON.iter().copied());
            let near = near.map(SmolStr::from);
            let range = name.range;
            self.report(unknown_name(Code::UnknownDtype, range, message, near));
        }
        dtype
    }

    fn dim(&mut self, dim: &body::Dim, range: TextRange) -> Dim {
        match dim {
            body::Dim::Int(value) => Dim::Int(*value),
            body::Dim::Any | body::Dim::Missing => Dim::Any,
            body::Dim::Meta(reference) => {
                if self.env.metadata.referent(reference) == Referent::Missing {
                    let message = format!("the metadata has no `{}` of this number", reference.key);
                    self.report(Diagnostic::new(Code::UndefinedName, range, message));
                }
                self.env.metadata.dim(reference)
            }
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }
}

/// Returns the type variable of a type parameter: two functions of one body bind theirs at different places.
pub fn type_var(name: &Name) -> TypeVar {
    TypeVar {
        name: name.text.clone(),
        binder: u32::from(name.range.start()).into(),
    }
}
