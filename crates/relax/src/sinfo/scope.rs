//! The shape variables of a StructInfo: which it binds, which it uses, and what remains when they go out of scope.

use std::sync::Arc;

use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use crate::sinfo::{Callable, Prim, Shape, StructInfo, Tensor, TensorShape};
use crate::sym::{SymExpr, SymVar};

type DimOf<'a> = &'a dyn Fn(&SymVar) -> Option<SymExpr>;
type EraseList<'a> = &'a dyn Fn(&[SymExpr]) -> Option<Arc<[SymExpr]>>;
type ShapeOf<'a> = &'a dyn Fn(&str, u32) -> Option<TensorShape>;

impl StructInfo {
    /// Replaces variables for which `to` returns an expression, except those that a function type's parameters bind.
    pub fn substitute(&self, to: DimOf<'_>) -> StructInfo {
        self.replace(to, true)
    }

    /// Replaces all occurrences of variables.
    pub(super) fn substitute_all(&self, to: DimOf<'_>) -> StructInfo {
        self.replace(to, false)
    }

    fn replace(&self, to: DimOf<'_>, scoped: bool) -> StructInfo {
        let mut touched = false;
        self.for_each_sym_var(&mut |v| touched = touched || to(v).is_some());
        if !touched {
            return self.clone();
        }
        let list = |dims: &[SymExpr]| dims.iter().map(|d| d.substitute(to)).collect::<Arc<[_]>>();
        let tensor = |t: &Tensor| Tensor {
            shape: match &t.shape {
                TensorShape::Known(dims) => TensorShape::Known(list(dims)),
                TensorShape::Var {
                    name,
                    id,
                    ndim,
                    values,
                } => TensorShape::Var {
                    name: name.clone(),
                    id: *id,
                    ndim: *ndim,
                    values: values.as_deref().map(list),
                },
                TensorShape::Unknown(ndim) => TensorShape::Unknown(*ndim),
            },
            dtype: t.dtype,
            vdevice: t.vdevice.clone(),
        };
        match self {
            StructInfo::Unknown | StructInfo::Object | StructInfo::String => self.clone(),
            StructInfo::Prim(prim) => StructInfo::Prim(Prim {
                dtype: prim.dtype,
                value: prim.value.as_ref().map(|v| v.substitute(to)),
            }),
            StructInfo::Shape(Shape::Known(dims)) => StructInfo::Shape(Shape::Known(list(dims))),
            StructInfo::Shape(_) => self.clone(),
            StructInfo::Tensor(t) => StructInfo::Tensor(tensor(t)),
            StructInfo::DTensor(d) => d.with_tensor(tensor(&d.tensor)),
            StructInfo::Tuple(fields) => {
                StructInfo::Tuple(fields.map(|field| field.replace(to, scoped)))
            }
            StructInfo::Callable(callable) => {
                let own = if scoped {
                    callable.param_vars()
                } else {
                    Vars::default()
                };
                let to = |v: &SymVar| if own.has(v) { None } else { to(v) };
                StructInfo::Callable(Arc::new(Callable {
                    params: callable
                        .params
                        .as_ref()
                        .map(|params| params.map(|param| param.replace(&to, scoped))),
                    ret: callable.ret.replace(&to, scoped),
                    pure: callable.pure,
                }))
            }
        }
    }

    /// Calls `f` with every occurrence of a variable, including those that a function type's parameters bind.
    pub fn for_each_sym_var(&self, f: &mut dyn FnMut(&SymVar)) {
        self.for_each_dim(true, &mut |dim| dim.for_each_var(f));
    }

    /// Calls `f` with every expression, skipping tuples without variables.
    fn for_each_symbolic(&self, f: &mut dyn FnMut(&SymExpr)) {
        match self {
            StructInfo::Tuple(fields) if !fields.weight().has_variables => {}
            StructInfo::Tuple(fields) => fields.iter().for_each(|it| it.for_each_symbolic(f)),
            other => other.for_each_dim(false, f),
        }
    }

    /// Calls `f` with every dimension and value.
    pub(super) fn for_each_dim(&self, callables: bool, f: &mut dyn FnMut(&SymExpr)) {
        match self {
            StructInfo::Unknown | StructInfo::Object | StructInfo::String => {}
            StructInfo::Prim(prim) => prim.value.iter().for_each(f),
            StructInfo::Shape(shape) => shape.values().unwrap_or_default().iter().for_each(f),
            StructInfo::Tensor(t) => t.dims().unwrap_or_default().iter().for_each(f),
            StructInfo::DTensor(d) => d.tensor.dims().unwrap_or_default().iter().for_each(f),
            StructInfo::Tuple(fields) => {
                for field in fields.iter() {
                    field.for_each_dim(callables, f);
                }
            }
            StructInfo::Callable(callable) => {
                if callables {
                    for param in callable.params.iter().flat_map(|p| p.iter()) {
                        param.for_each_dim(callables, f);
                    }
                    callable.ret.for_each_dim(callables, f);
                }
            }
        }
    }

    /// Calls `f` with every dimension of a tensor or shape (dimensions are nonnegative), but not with values of
    /// scalars.
    pub fn for_each_dimension(&self, f: &mut dyn FnMut(&SymExpr)) {
        match self {
            StructInfo::Prim(_) | StructInfo::Callable(_) => {}
            StructInfo::Tuple(fields) => fields.iter().for_each(|s| s.for_each_dimension(f)),
            other => other.for_each_dim(false, f),
        }
    }

    /// Calls `f` with every variable that gives a tensor its shape.
    pub fn for_each_shape_var(&self, f: &mut dyn FnMut(&SmolStr, u32)) {
        match self {
            StructInfo::Tensor(tensor) => {
                if let TensorShape::Var { name, id, .. } = &tensor.shape {
                    f(name, *id);
                }
            }
            StructInfo::Tuple(fields) if fields.weight().has_variables => {
                fields.iter().for_each(|it| it.for_each_shape_var(f));
            }
            _ => {}
        }
    }

    /// Returns what is known without the variables that give tensors their shapes.
    #[must_use]
    pub fn without_shape_vars(&self) -> StructInfo {
        self.erase(&|var| Some(SymExpr::Var(var.clone())), &|_, _| None)
    }

    /// Returns the variables that are a whole dimension or value, each once. A parameter or a `match_cast` with this
    /// StructInfo binds them. Variables of function types are not included.
    pub fn defined_vars(&self) -> Vec<SymVar> {
        let mut vars = Vars::default();
        self.for_each_symbolic(&mut |dim| {
            if let SymExpr::Var(var) = dim {
                vars.add(var);
            }
        });
        vars.list
    }

    /// Returns the variables that function types bind.
    pub fn vars_of_callables(&self) -> Vec<SymVar> {
        match self {
            StructInfo::Tuple(fields) if fields.weight().has_variables => {
                fields.iter().flat_map(Self::vars_of_callables).collect()
            }
            StructInfo::Callable(callable) => {
                let params = callable.params.iter().flat_map(|it| it.iter());
                let both = |it: &StructInfo| [it.defined_vars(), it.vars_of_callables()].concat();
                params.flat_map(both).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns every occurrence of a variable.
    pub fn occurrences(&self) -> Vec<SymVar> {
        let mut vars = Vec::new();
        self.for_each_sym_var(&mut |v| vars.push(v.clone()));
        vars
    }

    /// Returns the variables that must have a value, each once: all except those that a function type binds.
    pub fn used_vars(&self) -> Vec<SymVar> {
        let mut vars = Vars::default();
        self.collect_used(true, &mut vars);
        vars.list
    }

    /// Like `used_vars`, without those in parameters of function types, whose variables TVM's check of form does not
    /// look up (`src/relax/analysis/well_formed.cc`).
    pub fn vars_to_look_up(&self) -> Vec<SymVar> {
        let mut vars = Vars::default();
        self.collect_used(false, &mut vars);
        vars.list
    }

    fn collect_used(&self, in_params: bool, vars: &mut Vars) {
        match self {
            StructInfo::Tuple(fields) if !fields.weight().has_variables => {}
            StructInfo::Tuple(fields) => {
                fields.iter().for_each(|f| f.collect_used(in_params, vars));
            }
            StructInfo::Callable(callable) => {
                let own = callable.param_vars();
                let mut inner = Vars::default();
                let params = callable.params.iter().filter(|_| in_params);
                for param in params.flat_map(|p| p.iter()) {
                    param.collect_used(in_params, &mut inner);
                }
                callable.ret.collect_used(in_params, &mut inner);
                for var in inner.list.iter().filter(|var| !own.has(var)) {
                    vars.add(var);
                }
            }
            other => other.for_each_dim(false, &mut |dim| {
                dim.for_each_var(&mut |var| vars.add(var));
            }),
        }
    }

    fn collect_in_function_types(&self, vars: &mut Vars) {
        match self {
            StructInfo::Tuple(fields) if fields.weight().has_variables => {
                for field in fields.iter() {
                    field.collect_in_function_types(vars);
                }
            }
            StructInfo::Callable(_) => self.collect_used(false, vars),
            _ => {}
        }
    }

    /// Returns what is known outside of a scope: dimensions in variables that `dim_of` knows, and shapes that
    /// `shape_of` knows. Of a shape with any other variable, only the rank remains. Function types are unchanged.
    pub fn erase(&self, dim_of: DimOf<'_>, shape_of: ShapeOf<'_>) -> StructInfo {
        let list = |dims: &[SymExpr]| -> Option<Arc<[SymExpr]>> {
            dims.iter().map(|d| erase_dim(d, dim_of)).collect()
        };
        let tensor = |t: &Tensor| Tensor {
            shape: erase_shape(&t.shape, &list, shape_of),
            dtype: t.dtype,
            vdevice: t.vdevice.clone(),
        };
        match self {
            StructInfo::Unknown
            | StructInfo::Object
            | StructInfo::String
            | StructInfo::Callable(_)
            | StructInfo::Shape(Shape::Unknown(_)) => self.clone(),
            StructInfo::Tuple(fields) if !fields.weight().has_variables => self.clone(),
            StructInfo::Prim(prim) => StructInfo::Prim(Prim {
                dtype: prim.dtype,
                value: prim.value.as_ref().and_then(|v| erase_dim(v, dim_of)),
            }),
            StructInfo::Shape(Shape::Known(dims)) => StructInfo::Shape(match list(dims) {
                Some(dims) => Shape::Known(dims),
                None => Shape::Unknown(Some(dims.len())),
            }),
            StructInfo::Tensor(t) => StructInfo::Tensor(tensor(t)),
            StructInfo::DTensor(d) => d.with_tensor(tensor(&d.tensor)),
            StructInfo::Tuple(fields) => {
                StructInfo::Tuple(fields.map(|field| field.erase(dim_of, shape_of)))
            }
        }
    }

    /// Returns what is known outside of a scope in which only these variables and shapes exist.
    pub fn erase_to_scope(
        &self,
        keeps_var: &dyn Fn(&SymVar) -> bool,
        keeps_shape: &dyn Fn(&str, u32) -> bool,
    ) -> StructInfo {
        self.erase(
            &|var| keeps_var(var).then(|| SymExpr::Var(var.clone())),
            &|name, id| {
                keeps_shape(name, id).then(|| TensorShape::Var {
                    name: name.into(),
                    id,
                    ndim: None,
                    values: None,
                })
            },
        )
    }
}

fn erase_dim(dim: &SymExpr, dim_of: DimOf<'_>) -> Option<SymExpr> {
    let unknown = dim.any_var(&|v| dim_of(v).is_none());
    (!unknown).then(|| dim.substitute(dim_of))
}

fn erase_shape(shape: &TensorShape, list: EraseList<'_>, shape_of: ShapeOf<'_>) -> TensorShape {
    match shape {
        TensorShape::Known(dims) => match list(dims) {
            Some(dims) => TensorShape::Known(dims),
            None => TensorShape::Unknown(Some(dims.len())),
        },
        TensorShape::Var {
            name,
            id,
            ndim,
            values,
        } => match shape_of(name, *id) {
            // The same variable keeps the known values.
            Some(TensorShape::Var { id: kept, .. }) if kept == *id => TensorShape::Var {
                name: name.clone(),
                id: *id,
                ndim: *ndim,
                values: values.as_deref().and_then(list),
            },
            Some(known) if ndim.is_none() || known.ndim() == *ndim => known,
            _ => TensorShape::Unknown(*ndim),
        },
        TensorShape::Unknown(ndim) => TensorShape::Unknown(*ndim),
    }
}

impl Callable {
    /// Returns the own shape variables that remain in the result of a call: those in its function types, in which a
    /// call replaces no variables (`WellDefinedEraser` in `src/relax/analysis/type_analysis.cc`).
    pub fn unreplaced_vars(&self) -> Vec<SymVar> {
        let own = self.param_vars();
        let mut vars = Vars::default();
        self.ret.collect_in_function_types(&mut vars);
        vars.list.retain(|var| own.has(var));
        vars.list
    }

    fn param_vars(&self) -> Vars {
        let mut vars = Vars::default();
        for param in self.params.iter().flat_map(|p| p.iter()) {
            param.defined_vars().iter().for_each(|var| vars.add(var));
        }
        vars
    }
}

/// A set of variables in insertion order.
#[derive(Default)]
struct Vars {
    list: Vec<SymVar>,
    /// An index, once there are many.
    seen: FxHashSet<SymVar>,
}

impl Vars {
    const FEW: usize = 16;

    fn has(&self, var: &SymVar) -> bool {
        if self.list.len() <= Vars::FEW {
            return self.list.contains(var);
        }
        self.seen.contains(var)
    }

    fn add(&mut self, var: &SymVar) {
        if self.has(var) {
            return;
        }
        self.list.push(var.clone());
        match self.list.len() {
            Vars::FEW => self.seen.extend(self.list.iter().cloned()),
            len if len > Vars::FEW => {
                self.seen.insert(var.clone());
            }
            _ => {}
        }
    }
}
