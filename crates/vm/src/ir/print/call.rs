//! Prints calls: operators by their parameters, PrimFuncs in destination-passing style, packed functions.

use relax::ops::{OpDef, Param};
use relax::sinfo::StructInfo;

use super::values::literal;
use super::{Printer, global};
use crate::bytecode::{Callee, CalleeId, Constant, Operand, Reg};
use crate::ir::{Dps, DpsOut};
use crate::kernels::Arg;

impl Printer<'_> {
    pub(super) fn dps(&self, dps: &Dps) -> String {
        let outs: Vec<String> = dps
            .outs
            .iter()
            .map(|out| {
                let (DpsOut::New { tensor, .. } | DpsOut::Reuse { tensor, .. }) = out;
                self.annotation(&StructInfo::Tensor(tensor.clone()))
                    .unwrap_or_else(|| "R.Tensor".to_owned())
            })
            .collect();
        let outs = if dps.tuple {
            format!("[{}]", outs.join(", "))
        } else {
            outs.join(", ")
        };
        let args = self.tuple(&dps.args);
        let mut parts = vec![args, format!("{}={outs}", self.spelling.out)];
        if !dps.scalars.is_empty() {
            let scalars: Vec<String> = dps.scalars.iter().map(|&it| self.dimension(it)).collect();
            parts.push(format!("tir_vars=R.shape([{}])", scalars.join(", ")));
        }
        let reused: Vec<String> = dps
            .outs
            .iter()
            .map(|out| match out {
                DpsOut::New { .. } => "-1".to_owned(),
                DpsOut::Reuse { value, .. } => dps
                    .args
                    .iter()
                    .position(|arg| arg == value)
                    .map_or_else(|| "-1".to_owned(), |at| at.to_string()),
            })
            .collect();
        let inplace = reused.iter().any(|at| at != "-1");
        if inplace {
            parts.insert(1, format!("inplace_indices=[{}]", reused.join(", ")));
        }
        match self.program.callee(dps.callee) {
            Some(Callee::PrimFunc(prim)) => {
                let op = if inplace {
                    "call_tir_inplace"
                } else {
                    "call_tir"
                };
                format!("R.{op}(cls.{}, {})", prim.name, parts.join(", "))
            }
            other => {
                let name = other.map(|it| self.program.callee_name(it));
                format!(
                    "R.call_dps_packed({:?}, {})",
                    name.unwrap_or_default(),
                    parts.join(", ")
                )
            }
        }
    }

    pub(super) fn call(&self, callee: CalleeId, args: &[Operand], dst: Reg) -> String {
        match self.program.callee(callee) {
            Some(Callee::Kernel(op, _)) => self.operator(op, args),
            Some(Callee::PrimFunc(prim)) => format!("cls.{}({})", prim.name, self.list(args)),
            Some(Callee::Function(function)) => {
                format!("cls.{}({})", global(&function.name), self.list(args))
            }
            Some(Callee::Builtin(builtin)) => self.builtin(builtin.name, args, dst),
            Some(Callee::External { name, .. }) => self.packed(name, args, dst),
            Some(Callee::Operator(operator)) => {
                format!("{}({})", operator.name(), self.list(args))
            }
            None => "None".to_owned(),
        }
    }

    pub(super) fn operator(&self, op: &OpDef, args: &[Operand]) -> String {
        let mut parts: Vec<String> = Vec::with_capacity(args.len());
        let mut keywords = false;
        for (param, &arg) in op.params.iter().zip(args) {
            let Some(text) = self.argument(param, arg) else {
                keywords = true;
                continue;
            };
            let attribute = matches!(arg, Operand::Const(id) if matches!(
                self.program.constant(id),
                Some(Constant::Attr(_) | Constant::DType(_))
            ));
            if (keywords || attribute) && !param.star {
                keywords = true;
                parts.push(format!("{}={text}", param.name));
            } else {
                parts.push(text);
            }
        }
        format!("R.{}({})", op.script(), parts.join(", "))
    }

    /// Returns the text of an argument, or `None` for one that is not printed.
    pub(super) fn argument(&self, param: &Param, operand: Operand) -> Option<String> {
        if let Operand::Const(id) = operand {
            return match self.program.constant(id) {
                Some(Constant::Attr(Arg::Default)) => None,
                Some(Constant::Attr(Arg::List(items))) if param.star => {
                    Some(items.iter().map(literal).collect::<Vec<_>>().join(", "))
                }
                Some(Constant::Attr(attr)) => Some(literal(attr)),
                Some(Constant::DType(dtype)) if param.kind == relax::ops::Kind::DType => {
                    Some(format!("\"{dtype}\""))
                }
                _ => Some(self.operand(operand)),
            };
        }
        Some(self.operand(operand))
    }

    pub(super) fn builtin(&self, name: &str, args: &[Operand], dst: Reg) -> String {
        let rest = args.get(1..).unwrap_or_default();
        match (name, args) {
            ("vm.builtin.make_tuple", []) => "R.tuple()".to_owned(),
            ("vm.builtin.make_tuple", _) => self.tuple(args),
            ("vm.builtin.tuple_getitem", &[tuple, Operand::Int(at)]) => {
                format!("{}[{at}]", self.operand(tuple))
            }
            ("vm.builtin.copy", &[value]) => self.operand(value),
            ("vm.builtin.make_closure", &[function, ..]) => {
                format!(
                    "R.make_closure({}, {})",
                    self.operand(function),
                    self.tuple(rest)
                )
            }
            ("vm.builtin.invoke_closure", &[closure, ..]) => format!(
                "R.invoke_closure({}, {}, {}={})",
                self.operand(closure),
                self.tuple(rest),
                self.spelling.args,
                self.result(dst)
            ),
            ("vm.builtin.alloc_shape_heap", _) => format!(
                "R.call_builtin_with_ctx(\"{name}\", {}, {}=(R.Tensor(dtype=\"int64\", ndim=1),))",
                self.tuple(args),
                self.spelling.args
            ),
            ("vm.builtin.compute_dim", &[heap, Operand::Int(slot), _]) => {
                match self.shape_funcs.name(self.at, slot) {
                    Some(function) => format!("cls.{function}({})", self.operand(heap)),
                    None => self.packed(name, args, dst),
                }
            }
            _ => match relax::ops::by_name(name, self.spelling.release) {
                Some(op) => self.operator(op, args),
                None => self.packed(name, args, dst),
            },
        }
    }

    pub(super) fn packed(&self, name: &str, args: &[Operand], dst: Reg) -> String {
        let mut parts = vec![format!("{name:?}")];
        parts.extend(args.iter().map(|&arg| self.operand(arg)));
        parts.push(format!("{}=({},)", self.spelling.args, self.result(dst)));
        format!("R.call_packed({})", parts.join(", "))
    }

    /// Returns the annotation of a call's result.
    pub(super) fn result(&self, dst: Reg) -> String {
        let var = self.function.vars.get(dst.0 as usize);
        let info = var.and_then(|var| self.annotation(&var.struct_info));
        match info {
            Some(info) => info,
            None if self.names.is_nameless(dst) => "R.Tuple".to_owned(),
            None => StructInfo::Object
                .display(self.spelling.release.dialect())
                .to_string(),
        }
    }

    pub(super) fn list(&self, operands: &[Operand]) -> String {
        let parts: Vec<String> = operands.iter().map(|&it| self.operand(it)).collect();
        parts.join(", ")
    }

    pub(super) fn tuple(&self, operands: &[Operand]) -> String {
        match operands {
            [one] => format!("({},)", self.operand(*one)),
            _ => format!("({})", self.list(operands)),
        }
    }
}
