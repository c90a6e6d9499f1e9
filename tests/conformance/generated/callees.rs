//! Makes other functions of the module, and calls: of functions of the module, PrimFuncs, local functions, parameters,
//! packed functions and closures.

use super::release::Words as _;
use relax::sinfo::{Callable, StructInfo, Tensor};
use relax::sym::SymExpr;

use super::types::{self, Dims, NAMES};
use super::writer::{Scope, Var, Writer};

/// Another function of the module.
#[derive(Clone)]
pub struct Helper {
    pub name: String,
    pub lines: Vec<String>,
    pub kind: HelperKind,
}

#[derive(Clone)]
pub enum HelperKind {
    Relax {
        params: Vec<StructInfo>,
        pure: bool,
    },
    /// The inputs, whether an `int64` follows them, and the output.
    Prim {
        inputs: Vec<StructInfo>,
        scalar: bool,
        output: StructInfo,
    },
}

impl Writer<'_> {
    /// A PrimFunc over buffers.
    pub fn prim_helper(&mut self) -> Helper {
        let name = self.unused_name("kernel");
        let names = NAMES.map(String::from);
        let rank = self.random.below(3) + 1;
        let symbolic = self.random.chance(50);
        let count = self.random.below(2) + 1;
        let known: &[String] = if symbolic { &names } else { &[] };
        let plain = |dims: &[SymExpr]| {
            dims.iter()
                .all(|it| it.as_var().is_some() || it.as_int().is_some())
        };
        let dims = loop {
            let dims = types::dims(&mut self.random, known, rank);
            if plain(&dims) {
                break dims;
            }
        };
        let dtype = types::dtype(&mut self.random);
        let input: StructInfo = Tensor::new(dims.clone(), Some(dtype)).into();
        let mut out_dims = dims.clone();
        if self.random.chance(30) {
            out_dims.push(SymExpr::int(2));
        }
        let output: StructInfo = Tensor::new(out_dims.clone(), Some(dtype)).into();
        let scalar = self.random.chance(25);
        let by_handle = !dims.iter().all(|it| it.as_int().is_some()) || self.random.chance(20);
        let buffers: Vec<(String, &[SymExpr])> = (0..count)
            .map(|at| (format!("A{at}"), &*dims))
            .chain([("B".to_owned(), &*out_dims)])
            .collect();
        let mut params: Vec<String> = buffers
            .iter()
            .map(|(name, dims)| {
                let shape = types::dims_tuple(dims, Dims::Bare);
                if by_handle {
                    format!("{}: T.handle", name.to_lowercase())
                } else {
                    format!("{name}: T.Buffer({shape}, \"{dtype}\")")
                }
            })
            .collect();
        if scalar {
            params.insert(count, "length: T.int64".to_owned());
        }
        let mut lines = vec![
            "@T.prim_func".to_owned(),
            format!("def {name}({}):", params.join(", ")),
        ];
        if by_handle {
            for name in names
                .iter()
                .filter(|name| types::names_of(&output).contains(name))
            {
                lines.push(format!("    {name} = T.int64()"));
            }
            for (name, dims) in &buffers {
                let shape = types::dims_tuple(dims, Dims::Bare);
                let handle = name.to_lowercase();
                lines.push(format!(
                    "    {name} = T.match_buffer({handle}, {shape}, \"{dtype}\")"
                ));
            }
        }
        lines.push("    T.evaluate(0)".to_owned());
        Helper {
            name,
            lines,
            kind: HelperKind::Prim {
                inputs: vec![input; count],
                scalar,
                output,
            },
        }
    }

    /// Calls something in scope, with valid arguments.
    pub fn call(&mut self, scope: &mut Scope) -> Option<String> {
        match self.random.weighted(&[(6, 0), (4, 1), (2, 2), (1, 3)]) {
            0 => self.call_function(scope),
            1 => self.call_prim_func(scope),
            2 => self.call_packed(scope),
            _ => self.call_closure(scope),
        }
    }

    fn call_function(&mut self, scope: &Scope) -> Option<String> {
        let mut callees: Vec<(String, Vec<StructInfo>, bool)> = Vec::new();
        for helper in &self.helpers {
            if let HelperKind::Relax { params, pure } = &helper.kind {
                let of = if self.random.chance(50) {
                    "cls"
                } else {
                    "Module"
                };
                callees.push((format!("{of}.{}", helper.name), params.clone(), *pure));
            }
        }
        for var in self.vars(scope, |it| matches!(it, StructInfo::Callable(_))) {
            let StructInfo::Callable(callable) = &var.info else {
                continue;
            };
            if let Some(params) = &callable.params {
                callees.push((var.name, params.to_vec(), callable.pure));
            }
        }
        if callees.is_empty() || self.random.chance(15) {
            let info = types::callable(&mut self.random, &NAMES.map(String::from));
            let StructInfo::Callable(callable) = &info else {
                return None;
            };
            let params = callable.params.clone()?.to_vec();
            let pure = callable.pure;
            let name = self.operand(scope, &info)?;
            callees.push((name, params, pure));
        }
        let fitting = !(scope.pure || scope.dataflow);
        callees.retain(|it| it.2 || fitting);
        if callees.is_empty() {
            return None;
        }
        let (name, params, _) = self.random.pick(&callees).clone();
        let args = self.arguments(scope, &params)?;
        Some(format!("{name}({})", args.join(", ")))
    }

    /// Returns arguments for parameters. Sometimes replaces the callee's shape variables by other dimensions.
    fn arguments(&mut self, scope: &Scope, params: &[StructInfo]) -> Option<Vec<String>> {
        let names = NAMES.map(String::from);
        let other = self.random.chance(30);
        let to: Vec<SymExpr> = names
            .iter()
            .map(|_| types::dim(&mut self.random, &names))
            .collect();
        let renamed = |name: &str| {
            let at = names.iter().position(|it| it == name)?;
            other.then(|| to[at].clone())
        };
        params
            .iter()
            .map(|param| self.operand(scope, &param.substitute(&|var| renamed(&var.name))))
            .collect()
    }

    fn call_prim_func(&mut self, scope: &Scope) -> Option<String> {
        let prims: Vec<Helper> = self.helpers.clone();
        let prims: Vec<&Helper> = prims
            .iter()
            .filter(|it| matches!(it.kind, HelperKind::Prim { .. }))
            .collect();
        if prims.is_empty() {
            return None;
        }
        let helper = *self.random.pick(&prims);
        let HelperKind::Prim {
            inputs,
            scalar,
            output,
        } = &helper.kind
        else {
            return None;
        };
        let mut infos = inputs.clone();
        infos.push(output.clone());
        let names = NAMES.map(String::from);
        if self.random.chance(40) {
            let to: Vec<SymExpr> = names
                .iter()
                .map(|_| types::dim(&mut self.random, &names))
                .collect();
            let renamed = |name: &str| Some(to[names.iter().position(|it| it == name)?].clone());
            for info in &mut infos {
                *info = info.substitute(&|var| renamed(&var.name));
            }
        }
        let out = self.body_text(&infos.pop()?)?;
        let mut args: Vec<String> = Vec::new();
        for info in &infos {
            args.push(self.operand(scope, info)?);
        }
        let name = &helper.name;
        let key = if self.random.chance(85) {
            format!("{}=", self.release.out())
        } else {
            String::new()
        };
        let mut more = String::new();
        if *scalar && self.release.has_types() {
            args.push((*self.random.pick(&["4", "n", "n + 1", "R.prim_value(2)"])).to_owned());
        } else if *scalar {
            more.push_str(", tir_vars=R.shape([n])");
        }
        let comma = if args.len() == 1 { "," } else { "" };
        let args = format!("({}{comma})", args.join(", "));
        Some(match self.random.below(10) {
            0 => format!("R.call_dps_packed(\"packed.{name}\", {args}, {key}{out})"),
            1 if !*scalar => format!("R.call_tir_inplace(cls.{name}, {args}, [0], {key}{out})"),
            _ => format!("R.call_tir(cls.{name}, {args}, {key}{out}{more})"),
        })
    }

    fn call_packed(&mut self, scope: &Scope) -> Option<String> {
        let names = NAMES.map(String::from);
        let count = self.random.below(3);
        let mut args = vec!["\"packed.function\"".to_owned()];
        for _ in 0..count {
            let info = types::any(&mut self.random, &names, 1);
            args.push(self.operand(scope, &info)?);
        }
        let info = types::any(&mut self.random, &names, 1);
        let out = self.body_text(&info)?;
        let key = self.release.args();
        let list = self.random.chance(30);
        let out = if list { format!("[{out}]") } else { out };
        args.push(format!("{key}={out}"));
        let pure = scope.pure || scope.dataflow || self.random.chance(40);
        let name = if pure {
            "call_pure_packed"
        } else {
            "call_packed"
        };
        Some(format!("R.{name}({})", args.join(", ")))
    }

    fn call_closure(&mut self, scope: &Scope) -> Option<String> {
        let callables = self.vars(scope, |it| matches!(it, StructInfo::Callable(_)));
        let Var { name, info } = self
            .random
            .pick(callables.get(..).filter(|it| !it.is_empty())?)
            .clone();
        let StructInfo::Callable(callable) = &info else {
            return None;
        };
        let Callable {
            params: Some(params),
            ret,
            ..
        } = &**callable
        else {
            return None;
        };
        let args = self.arguments(scope, params)?;
        let comma = if args.len() == 1 { "," } else { "" };
        let args = format!("({}{comma})", args.join(", "));
        let ret = self.body_text(ret)?;
        let key = self.release.args();
        let pure = scope.pure || scope.dataflow;
        Some(match (self.random.below(3), pure) {
            (0, _) => format!("R.make_closure({name}, ())"),
            (_, true) => format!("R.invoke_pure_closure({name}, {args}, {key}=({ret},))"),
            (_, false) => format!("R.invoke_closure({name}, {args}, {key}=({ret},))"),
        })
    }
}
