//! Generates run-time checks of parameters, match_casts and returns, and binds shape variables, in TVM's order: first
//! every parameter binds its plain variables, then expressions over them are compared.

use relax::sinfo::{Prim, Shape, StructInfo, TensorShape};
use relax::sym::{SymCx, SymExpr, SymVar, Tri};

use super::function::Lowered;
use super::shape::Shapes;
use crate::bytecode::{Callee, CalleeId, Constant, Operand, Reg};
use crate::ir::ParamCheck;
use crate::value::Value;

const ASSERT_IMMEDIATE: i64 = 0;
const STORE: i64 = 1;
const NO_CHECK: i64 = 2;
const ASSERT_LOADED: i64 = 3;

/// A shape with dimensions that use variables which are bound later.
struct Waiting {
    value: Operand,
    dims: Vec<SymExpr>,
    what: String,
    is_prim: bool,
}

/// What a check covers, as in TVM's shape lowering.
#[derive(Clone, Copy, PartialEq)]
enum Mode {
    /// For a parameter: checks everything, and binds variables without a value.
    Param,
    /// For a weight (a parameter beyond `num_input`) on entry: checks only shapes with variables.
    Weight,
    /// For a value whose StructInfo guarantees part of the target: checks the rest, and binds variables without a
    /// value.
    Cast,
    /// For a result: like `Cast`, without binding.
    Return,
}

impl Mode {
    fn binds(self) -> bool {
        self != Mode::Return
    }

    fn trusts(self) -> bool {
        matches!(self, Mode::Cast | Mode::Return)
    }
}

impl Shapes<'_, '_> {
    pub fn check_params(&mut self, checks: &[ParamCheck]) -> Lowered<()> {
        let mut waiting = Vec::new();
        for it in checks {
            let mode = if it.weight { Mode::Weight } else { Mode::Param };
            self.origin.range = it.range;
            self.check(
                it.value,
                None,
                &it.struct_info,
                &it.what,
                mode,
                &mut waiting,
            )?;
            if let (true, Some(reg)) = (it.weight, it.value.reg()) {
                let weight = (it.struct_info.clone(), it.what.clone());
                self.weights.insert(reg, weight);
            }
        }
        self.compare(waiting)
    }

    /// Checks weights before an operator uses them. As in TVM, weights are checked by their users; PrimFuncs and
    /// functions check their own arguments.
    pub fn check_weights(&mut self, dst: Reg, callee: CalleeId, args: &[Operand]) -> Lowered<()> {
        match self.link.program.callee(callee) {
            Some(Callee::Kernel(..)) => {
                for arg in args {
                    let weight = arg.reg().and_then(|reg| self.weights.remove(&reg));
                    if let Some((info, what)) = weight {
                        let mut waiting = Vec::new();
                        self.check(*arg, None, &info, &what, Mode::Cast, &mut waiting)?;
                    }
                }
            }
            Some(Callee::Builtin(builtin)) if builtin.name == "vm.builtin.tuple_getitem" => {
                let [tuple, Operand::Int(at)] = args else {
                    return Ok(());
                };
                let weight = tuple.reg().and_then(|reg| self.weights.get(&reg));
                if let Some((StructInfo::Tuple(fields), what)) = weight
                    && let Some(field) = usize::try_from(*at).ok().and_then(|at| fields.get(at))
                {
                    let weight = (field.clone(), format!("field {at} of {what}"));
                    self.weights.insert(dst, weight);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Binds the shape variables of `target`, and checks the value against it. Does not check again what `known`
    /// guarantees.
    pub fn match_cast(
        &mut self,
        value: Operand,
        known: &StructInfo,
        target: &StructInfo,
        what: &str,
    ) -> Lowered<()> {
        let mut waiting = Vec::new();
        self.check(value, Some(known), target, what, Mode::Cast, &mut waiting)?;
        self.compare(waiting)
    }

    pub fn check_return(
        &mut self,
        value: Operand,
        known: &StructInfo,
        sinfo: &StructInfo,
    ) -> Lowered<()> {
        let what = "the returned value";
        self.check(
            value,
            Some(known),
            sinfo,
            what,
            Mode::Return,
            &mut Vec::new(),
        )
    }

    fn compare(&mut self, waiting: Vec<Waiting>) -> Lowered<()> {
        for it in waiting {
            self.match_dims(
                it.value,
                &it.dims,
                &it.what,
                it.is_prim,
                Mode::Return,
                &mut Vec::new(),
            )?;
        }
        Ok(())
    }

    fn check(
        &mut self,
        value: Operand,
        known: Option<&StructInfo>,
        sinfo: &StructInfo,
        what: &str,
        mode: Mode,
        waiting: &mut Vec<Waiting>,
    ) -> Lowered<()> {
        // Skip checks that are known to hold. A cast that cannot hold fails at run time.
        match known.map(|k| k.is_subtype(sinfo, &SymCx::default())) {
            Some(Tri::Yes) if mode.trusts() => return Ok(()),
            Some(Tri::No) if mode == Mode::Return => return Ok(()),
            _ => {}
        }
        match sinfo {
            StructInfo::Unknown | StructInfo::Object | StructInfo::String => Ok(()),
            StructInfo::Tensor(tensor) => self.check_tensor(value, tensor, what, mode, waiting),
            StructInfo::DTensor(dtensor) => {
                self.check_tensor(value, &dtensor.tensor, what, mode, waiting)
            }
            StructInfo::Shape(shape) => {
                let ndim = match shape {
                    Shape::Known(dims) => Some(dims.len()),
                    Shape::Unknown(ndim) => *ndim,
                };
                let args = vec![value, Operand::Int(count(ndim)), self.text(what)];
                self.builtin("vm.builtin.check_shape_info", args)?;
                match shape {
                    Shape::Known(dims) => self.match_dims(value, dims, what, false, mode, waiting),
                    Shape::Unknown(_) => Ok(()),
                }
            }
            StructInfo::Prim(prim) => self.check_prim(value, prim, what, mode, waiting),
            StructInfo::Tuple(fields) => {
                let args = vec![value, Operand::Int(fields.len() as i64), self.text(what)];
                self.builtin("vm.builtin.check_tuple_info", args)?;
                for (at, field) in fields.iter().enumerate() {
                    if matches!(field, StructInfo::Unknown | StructInfo::Object) {
                        continue;
                    }
                    let args = vec![value, Operand::Int(at as i64)];
                    let item = self.builtin("vm.builtin.tuple_getitem", args)?;
                    let what = format!("field {at} of {what}");
                    let known = match known {
                        Some(StructInfo::Tuple(fields)) => fields.get(at),
                        _ => None,
                    };
                    self.check(item, known, field, &what, mode, waiting)?;
                }
                Ok(())
            }
            StructInfo::Callable(_) => {
                let args = vec![value, self.text(what)];
                self.builtin("vm.builtin.check_func_info", args)?;
                Ok(())
            }
        }
    }

    fn check_tensor(
        &mut self,
        value: Operand,
        tensor: &relax::sinfo::Tensor,
        what: &str,
        mode: Mode,
        waiting: &mut Vec<Waiting>,
    ) -> Lowered<()> {
        if mode == Mode::Weight
            && let TensorShape::Known(dims) = &tensor.shape
            && dims.iter().all(|dim| dim.as_int().is_some())
        {
            return Ok(());
        }
        let dtype = match tensor.known_dtype() {
            Some(dtype) => self.constant(Constant::DType(dtype)),
            None => self.value_constant(Value::Null),
        };
        let args = vec![
            value,
            Operand::Int(count(tensor.ndim())),
            dtype,
            self.text(what),
        ];
        self.builtin("vm.builtin.check_tensor_info", args)?;
        match &tensor.shape {
            TensorShape::Known(dims) => self.match_dims(value, dims, what, false, mode, waiting),
            TensorShape::Var { id, .. } => {
                // Only for a variable of this function that is already bound.
                if let Some(shape) = self.shape_var(*id) {
                    let args = vec![value, shape, self.text(what)];
                    self.builtin("vm.builtin.check_same_shape", args)?;
                }
                Ok(())
            }
            TensorShape::Unknown(_) => Ok(()),
        }
    }

    fn check_prim(
        &mut self,
        value: Operand,
        prim: &Prim,
        what: &str,
        mode: Mode,
        waiting: &mut Vec<Waiting>,
    ) -> Lowered<()> {
        if let Some(dtype) = prim.dtype {
            let dtype = self.constant(Constant::DType(dtype));
            let args = vec![value, dtype, self.text(what)];
            self.builtin("vm.builtin.check_prim_value_info", args)?;
        }
        match &prim.value {
            Some(dim) => {
                self.match_dims(value, std::slice::from_ref(dim), what, true, mode, waiting)
            }
            None => Ok(()),
        }
    }

    /// Compares or binds each dimension. A dimension with a variable without a value waits.
    fn match_dims(
        &mut self,
        value: Operand,
        dims: &[SymExpr],
        what: &str,
        is_prim: bool,
        mode: Mode,
        waiting: &mut Vec<Waiting>,
    ) -> Lowered<()> {
        let mut codes = Vec::with_capacity(dims.len() * 2);
        let mut stored: Vec<SymVar> = Vec::new();
        let mut later = Vec::with_capacity(dims.len());
        let mut waits = false;
        for dim in dims {
            let mut wait = None;
            let (code, at) = match dim {
                SymExpr::Int(value) => (ASSERT_IMMEDIATE, *value),
                SymExpr::Var(_) | SymExpr::Node(_) if dim.any_var(&|v| v.is_python()) => {
                    (NO_CHECK, 0)
                }
                SymExpr::Var(var) if !self.bound.contains(var) && !stored.contains(var) => {
                    if mode.binds() {
                        stored.push(var.clone());
                        (STORE, i64::from(self.slot(var)))
                    } else {
                        (NO_CHECK, 0)
                    }
                }
                SymExpr::Var(var) => (ASSERT_LOADED, i64::from(self.slot(var))),
                dim @ SymExpr::Node(_) if self.is_bound(dim) => {
                    let (code, at) = self.dim(dim)?;
                    (
                        if code == 0 {
                            ASSERT_IMMEDIATE
                        } else {
                            ASSERT_LOADED
                        },
                        at,
                    )
                }
                dim @ SymExpr::Node(_) => {
                    if mode.binds() {
                        wait = Some(dim.clone());
                        waits = true;
                    }
                    (NO_CHECK, 0)
                }
            };
            codes.push(Operand::Int(code));
            codes.push(Operand::Int(at));
            // The second round skips what is already checked.
            later.push(wait.unwrap_or_else(|| SymExpr::var(SymVar::python("_".into()))));
        }
        if waits {
            waiting.push(Waiting {
                value,
                dims: later,
                what: what.to_owned(),
                is_prim,
            });
        }
        if codes
            .iter()
            .step_by(2)
            .any(|c| *c != Operand::Int(NO_CHECK))
        {
            let heap = self.heap();
            let mut args = vec![value, heap];
            if !is_prim {
                args.push(Operand::Int(dims.len() as i64));
            }
            args.extend(codes);
            args.push(self.text(what));
            let name = if is_prim {
                "vm.builtin.match_prim_value"
            } else {
                "vm.builtin.match_shape"
            };
            self.builtin(name, args)?;
        }
        self.bound.extend(stored);
        Ok(())
    }

    fn text(&mut self, text: &str) -> Operand {
        self.value_constant(text)
    }
}

fn count(ndim: Option<usize>) -> i64 {
    ndim.map_or(-1, |n| n as i64)
}
