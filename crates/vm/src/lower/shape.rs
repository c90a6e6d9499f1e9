//! Shape lowering: dimensions are stored in a heap of integers, with a slot for each variable and each computed
//! dimension. Casts and annotations become checks that write to it, and symbolic shapes become reads of it.

use std::sync::Arc;

use relax::dtype::DType;
use relax::sinfo::{Shape, StructInfo, Tensor};
use relax::sym::{SymExpr, SymVar};
use rustc_hash::{FxHashMap, FxHashSet};

use super::function::{Failed, Lowered};
use super::{CompileError, Linker};
use crate::bytecode::{Bound, Constant, DimExpr, Operand, Origin, Reg};
use crate::ir::{Branch, Function, ParamCheck, Stmt, StmtKind};
use crate::value::Value;

/// TVM's codes for how `vm.builtin.make_shape` gets a dimension, and how `vm.builtin.match_shape` checks one.
const USE_IMMEDIATE: i64 = 0;
const LOAD_SHAPE: i64 = 1;

pub(super) fn run(link: &mut Linker<'_>, function: &mut Function) {
    let body = std::mem::take(&mut function.body);
    let checks = std::mem::take(&mut function.checks);
    let header = function.header;
    let mut pass = Shapes {
        link,
        function,
        code: Vec::new(),
        origin: Origin {
            range: header,
            ..Origin::default()
        },
        slots: FxHashMap::default(),
        bound: FxHashSet::default(),
        computed: FxHashMap::default(),
        alias: FxHashMap::default(),
        weights: FxHashMap::default(),
        heap: None,
        heap_size: 0,
    };
    // Failures are reported as errors, so that the function does not run.
    let _ = pass.run(&checks, body);
    let (mut code, heap, size) = (std::mem::take(&mut pass.code), pass.heap, pass.heap_size);
    if let Some(dst) = heap
        && let Some(callee) = link.builtin("vm.builtin.alloc_shape_heap")
    {
        let made = Stmt {
            kind: StmtKind::Call {
                dst,
                callee,
                args: vec![Operand::Int(i64::from(size))],
            },
            origin: Origin {
                range: header,
                ..Origin::default()
            },
        };
        code.insert(0, made);
    }
    function.body = code;
}

pub(super) struct Shapes<'p, 'l> {
    pub link: &'p mut Linker<'l>,
    function: &'p mut Function,
    code: Vec<Stmt>,
    /// The origin of the statement that is being lowered.
    pub origin: Origin,
    slots: FxHashMap<SymVar, u32>,
    pub bound: FxHashSet<SymVar>,
    /// The slots of dimensions that are already computed.
    computed: FxHashMap<SymExpr, i64>,
    /// The values of variables that casts bind.
    alias: FxHashMap<Reg, Operand>,
    /// Weights that are not checked yet, with their StructInfo and their names in messages.
    pub weights: FxHashMap<Reg, (StructInfo, String)>,
    heap: Option<Reg>,
    heap_size: u32,
}

impl Shapes<'_, '_> {
    /// Starts with the captured dimensions of a closure, since parameters may be checked against them.
    fn run(&mut self, checks: &[ParamCheck], body: Vec<Stmt>) -> Lowered<()> {
        for (reg, var) in self.function.captured_dims.clone() {
            self.store_dim(Operand::Reg(reg), &var);
        }
        self.check_params(checks)?;
        self.block(body)
    }

    fn block(&mut self, stmts: Vec<Stmt>) -> Lowered<()> {
        for stmt in stmts {
            self.stmt(stmt)?;
        }
        Ok(())
    }

    fn stmt(&mut self, stmt: Stmt) -> Lowered<()> {
        // Code for checks and dimensions does not bind a variable of the source.
        self.origin = Origin {
            range: stmt.origin.range,
            binding: stmt.origin.binding.clone(),
            ..Origin::default()
        };
        let kind = match stmt.kind {
            StmtKind::MatchCast {
                dst,
                value,
                known,
                target,
                what,
            } => {
                let value = self.operand(value)?;
                let before = self.code.len();
                self.match_cast(value, &known, &target, &what)?;
                if let (Some(reg), true, Some(last)) =
                    (value.reg(), self.code.len() > before, self.code.last_mut())
                {
                    last.origin.binds = stmt.origin.binds.map(|_| Bound::Register(reg));
                }
                self.alias.insert(dst, value);
                return Ok(());
            }
            StmtKind::BindDim { value, var } => {
                let value = self.operand(value)?;
                self.store_dim(value, &var);
                return Ok(());
            }
            StmtKind::CheckReturn {
                value,
                known,
                target,
            } => {
                let value = self.operand(value)?;
                return self.check_return(value, &known, &target);
            }
            StmtKind::Call { dst, callee, args } => {
                let args = args
                    .into_iter()
                    .map(|arg| self.operand(arg))
                    .collect::<Lowered<Vec<_>>>()?;
                self.check_weights(dst, callee, &args)?;
                StmtKind::Call { dst, callee, args }
            }
            StmtKind::Return(value) => StmtKind::Return(self.operand(value)?),
            StmtKind::If {
                cond,
                dst,
                then,
                otherwise,
            } => StmtKind::If {
                cond: self.operand(cond)?,
                dst,
                then: self.branch(then)?,
                otherwise: self.branch(otherwise)?,
            },
            // Earlier stages removed these.
            StmtKind::Dps(_) => return Err(Failed),
        };
        self.code.push(Stmt {
            kind,
            origin: stmt.origin,
        });
        Ok(())
    }

    /// Lowers a branch. What it binds and computes is not valid after it.
    fn branch(&mut self, branch: Branch) -> Lowered<Branch> {
        let (bound, computed) = (self.bound.clone(), self.computed.clone());
        let weights = self.weights.clone();
        let outer = std::mem::take(&mut self.code);
        let result = self.block(branch.body);
        let value = branch.value.map(|value| self.operand(value)).transpose();
        let body = std::mem::replace(&mut self.code, outer);
        (self.bound, self.computed) = (bound, computed);
        self.weights = weights;
        result?;
        Ok(Branch {
            body,
            value: value?,
        })
    }

    /// Lowers an operand: symbolic shapes and dimensions are computed.
    fn operand(&mut self, operand: Operand) -> Lowered<Operand> {
        match operand {
            Operand::Reg(reg) | Operand::Last(reg) => {
                Ok(self.alias.get(&reg).copied().unwrap_or(operand))
            }
            Operand::Const(id) => match self.link.program.constant(id) {
                Some(Constant::Shape(dims)) => {
                    let dims = Arc::clone(dims);
                    self.shape(&dims)
                }
                Some(Constant::Sym(value)) => {
                    let value = value.clone();
                    self.prim(&value)
                }
                _ => Ok(operand),
            },
            other => Ok(other),
        }
    }

    /// Returns the value of a variable that a StructInfo uses as a shape.
    pub fn shape_var(&mut self, id: u32) -> Option<Operand> {
        let value = *self.function.shape_vars.get(&id)?;
        self.operand(value).ok()
    }

    pub fn heap(&mut self) -> Operand {
        let heap = match self.heap {
            Some(heap) => heap,
            None => {
                let heap = self.function.var(
                    "shape_heap",
                    StructInfo::Tensor(Tensor::of_ndim(Some(1), Some(DType::I64))),
                );
                self.heap = Some(heap);
                heap
            }
        };
        Operand::Reg(heap)
    }

    fn new_slot(&mut self) -> u32 {
        self.heap_size += 1;
        self.heap_size - 1
    }

    pub fn slot(&mut self, var: &SymVar) -> u32 {
        if let Some(&slot) = self.slots.get(var) {
            return slot;
        }
        let slot = self.new_slot();
        self.slots.insert(var.clone(), slot);
        slot
    }

    /// Returns `true` if every variable of `dim` has a value here.
    pub fn is_bound(&self, dim: &SymExpr) -> bool {
        !dim.any_var(&|var| !self.bound.contains(var))
    }

    /// Returns the code and the value for a dimension: the number itself, or the slot that contains it.
    pub fn dim(&mut self, dim: &SymExpr) -> Lowered<(i64, i64)> {
        if let Some(value) = dim.as_int() {
            return Ok((USE_IMMEDIATE, value));
        }
        if !self.is_bound(dim) {
            return Err(self.error(format!("the dimension `{dim}` has no value here")));
        }
        if let Some(var) = dim.as_var() {
            return Ok((LOAD_SHAPE, i64::from(self.slot(var))));
        }
        if let Some(&slot) = self.computed.get(dim) {
            return Ok((LOAD_SHAPE, slot));
        }
        let slots = dim
            .vars()
            .into_iter()
            .map(|var| {
                let slot = self.slot(&var);
                (var, slot)
            })
            .collect();
        let expr = DimExpr {
            expr: dim.clone(),
            slots,
        };
        let expr = self.constant(Constant::Dim(Arc::new(expr)));
        let slot = i64::from(self.new_slot());
        let heap = self.heap();
        self.builtin(
            "vm.builtin.compute_dim",
            vec![heap, Operand::Int(slot), expr],
        )?;
        self.computed.insert(dim.clone(), slot);
        Ok((LOAD_SHAPE, slot))
    }

    /// Returns a Shape with these dimensions.
    fn shape(&mut self, dims: &[SymExpr]) -> Lowered<Operand> {
        let mut codes = Vec::with_capacity(dims.len() * 2);
        for dim in dims {
            let (code, value) = self.dim(dim)?;
            codes.push(Operand::Int(code));
            codes.push(Operand::Int(value));
        }
        let mut args = vec![self.heap(), Operand::Int(dims.len() as i64)];
        args.extend(codes);
        let made = self.builtin("vm.builtin.make_shape", args);
        self.describe(&made, StructInfo::Shape(Shape::Unknown(Some(dims.len()))));
        made
    }

    /// Returns a scalar with this value.
    fn prim(&mut self, value: &SymExpr) -> Lowered<Operand> {
        let (code, at) = self.dim(value)?;
        if code == USE_IMMEDIATE {
            return Ok(self.value_constant(Value::int(at)));
        }
        let heap = self.heap();
        let made = self.builtin(
            "vm.builtin.make_prim_value",
            vec![heap, Operand::Int(code), Operand::Int(at)],
        );
        self.describe(&made, StructInfo::prim(DType::I64));
        made
    }

    fn describe(&mut self, made: &Lowered<Operand>, info: StructInfo) {
        if let Ok(Operand::Reg(reg)) = made
            && let Some(var) = self.function.vars.get_mut(reg.0 as usize)
        {
            var.struct_info = info;
        }
    }

    /// Binds a shape variable to a scalar.
    fn store_dim(&mut self, value: Operand, var: &SymVar) {
        const STORE: i64 = 1;
        let heap = self.heap();
        let slot = i64::from(self.slot(var));
        let what = self.value_constant("a shape variable");
        let args = vec![value, heap, Operand::Int(STORE), Operand::Int(slot), what];
        let _ = self.builtin("vm.builtin.match_prim_value", args);
        self.bound.insert(var.clone());
    }

    pub fn constant(&mut self, constant: Constant) -> Operand {
        Operand::Const(self.link.constant(constant))
    }

    pub fn value_constant(&mut self, value: impl Into<Value>) -> Operand {
        self.constant(Constant::Value(value.into()))
    }

    /// Calls a builtin of the machine.
    pub fn builtin(&mut self, name: &str, args: Vec<Operand>) -> Lowered<Operand> {
        let Some(callee) = self.link.builtin(name) else {
            return Err(self.error(format!("the machine has no `{name}`")));
        };
        let dst = self.function.var("", StructInfo::Unknown);
        self.code.push(Stmt {
            kind: StmtKind::Call { dst, callee, args },
            origin: self.origin.clone(),
        });
        Ok(Operand::Reg(dst))
    }

    fn error(&mut self, message: String) -> Failed {
        self.link.errors.push(CompileError {
            message,
            function: self.function.name.clone(),
            range: self.origin.range + self.function.start,
            packed: None,
        });
        Failed
    }
}
