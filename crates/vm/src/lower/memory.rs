//! Makes memory explicit: results of calls in destination-passing style become tensors that are allocated before the
//! call. Tensors share storages if their lifetimes don't overlap, and are killed after their last use.

use relax::dtype::DType;
use relax::sinfo::{StructInfo, Tensor, TensorShape};
use relax::sym::{SymCx, SymExpr, Tri};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Linker;
use super::lifetime::{Lifetimes, lifetimes};
use crate::bytecode::{Bound, CalleeId, Constant, Operand, Origin, Reg};
use crate::ir::{Dps, DpsOut, Function, Stmt, StmtKind};
use crate::tensor::Kind;
use crate::value::Value;

/// A storage is not reused if it is more than this many times larger than needed.
const MOST_WASTE: i64 = 16;

pub(super) fn run(link: &mut Linker<'_>, function: &mut Function) {
    let body = std::mem::take(&mut function.body);
    let mut pass = Pass { link, function };
    let body = pass.block(body, &FxHashSet::default());
    function.body = body;
    function.explicit = true;
}

struct Pass<'p, 'l> {
    link: &'p mut Linker<'l>,
    function: &'p mut Function,
}

/// Memory that several tensors occupy one after the other.
struct Storage {
    reg: Reg,
    dtype: DType,
    /// The size in bytes.
    size: SymExpr,
    /// The statement after which it is free.
    free_after: Option<usize>,
    /// The last tensor that occupied it.
    last: Option<usize>,
}

/// A result of a statement that is allocated.
struct Planned {
    reg: Reg,
    storage: Option<usize>,
    first_in_storage: bool,
}

impl Pass<'_, '_> {
    fn block(&mut self, stmts: Vec<Stmt>, outer: &FxHashSet<Reg>) -> Vec<Stmt> {
        let lives = lifetimes(self.link, &stmts, outer);
        let (storages, planned) = self.plan(&stmts, &lives);
        let mut kills: FxHashMap<usize, Vec<Reg>> = FxHashMap::default();
        for tensors in planned.values() {
            for it in tensors {
                if let Some(at) = lives.last_read(it.reg) {
                    kills.entry(at).or_default().push(it.reg);
                }
            }
        }
        for storage in &storages {
            if let Some(at) = storage.last {
                kills.entry(at).or_default().push(storage.reg);
            }
        }
        let mut out = Vec::with_capacity(stmts.len() * 2);
        for (at, stmt) in stmts.into_iter().enumerate() {
            let origin = Origin {
                range: stmt.origin.range,
                ..Origin::default()
            };
            self.stmt(stmt, planned.get(&at), &storages, &mut out);
            let is_storage = |reg: Reg| storages.iter().any(|it| it.reg == reg);
            let mut ended = kills.remove(&at).unwrap_or_default();
            ended.sort_unstable_by_key(|&reg| (is_storage(reg), reg));
            for reg in ended {
                let is_storage = is_storage(reg);
                let name = if is_storage {
                    "relax.memory.kill_storage"
                } else {
                    "relax.memory.kill_tensor"
                };
                self.call(
                    name,
                    vec![Operand::Reg(reg)],
                    "",
                    StructInfo::Unknown,
                    &origin,
                    &mut out,
                );
            }
        }
        out
    }

    /// Chooses the results that are allocated, and their storages. A result that is returned or kept gets its own.
    fn plan(
        &mut self,
        stmts: &[Stmt],
        lives: &Lifetimes,
    ) -> (Vec<Storage>, FxHashMap<usize, Vec<Planned>>) {
        let mut storages: Vec<Storage> = Vec::new();
        let mut planned: FxHashMap<usize, Vec<Planned>> = FxHashMap::default();
        for (at, stmt) in stmts.iter().enumerate() {
            let StmtKind::Dps(dps) = &stmt.kind else {
                continue;
            };
            let mut tensors = Vec::with_capacity(dps.outs.len());
            for (k, out) in dps.outs.iter().enumerate() {
                let DpsOut::New { tensor, .. } = out else {
                    continue;
                };
                let reg = if dps.tuple {
                    let name = format!("alloc{k}");
                    self.function.var(&name, StructInfo::Tensor(tensor.clone()))
                } else {
                    dps.dst
                };
                let end = lives.last_read(dps.dst);
                if dps.tuple {
                    lives.follow(reg, dps.dst);
                }
                let found = size(tensor).map(|(dtype, size)| {
                    let taken = end.and_then(|_| best(&storages, at, dtype, &size));
                    match taken {
                        Some(storage) => {
                            let it = &mut storages[storage];
                            if let (Some(have), Some(wanted)) = (it.size.as_int(), size.as_int()) {
                                it.size = SymExpr::int(have.max(wanted));
                            }
                            it.free_after = end;
                            it.last = end;
                            (storage, false)
                        }
                        None => {
                            let info = StructInfo::Object;
                            let reg = self.function.var("storage", info);
                            storages.push(Storage {
                                reg,
                                dtype,
                                size,
                                free_after: end,
                                // A tensor that outlives the block keeps its storage.
                                last: Some(end.unwrap_or(at)),
                            });
                            (storages.len() - 1, true)
                        }
                    }
                });
                tensors.push(Planned {
                    reg,
                    storage: found.map(|(storage, _)| storage),
                    first_in_storage: found.is_some_and(|(_, first)| first),
                });
            }
            planned.insert(at, tensors);
        }
        (storages, planned)
    }

    fn stmt(
        &mut self,
        mut stmt: Stmt,
        planned: Option<&Vec<Planned>>,
        storages: &[Storage],
        out: &mut Vec<Stmt>,
    ) {
        match stmt.kind {
            StmtKind::Dps(dps) => {
                let planned = planned.map(Vec::as_slice).unwrap_or_default();
                self.dps(dps, planned, storages, &stmt.origin, out);
            }
            StmtKind::If {
                cond,
                dst,
                mut then,
                mut otherwise,
            } => {
                for branch in [&mut then, &mut otherwise] {
                    let kept: FxHashSet<Reg> =
                        branch.value.iter().filter_map(|v| v.reg()).collect();
                    let body = std::mem::take(&mut branch.body);
                    branch.body = self.block(body, &kept);
                }
                stmt.kind = StmtKind::If {
                    cond,
                    dst,
                    then,
                    otherwise,
                };
                out.push(stmt);
            }
            _ => out.push(stmt),
        }
    }

    fn dps(
        &mut self,
        dps: Dps,
        planned: &[Planned],
        storages: &[Storage],
        origin: &Origin,
        out: &mut Vec<Stmt>,
    ) {
        let quiet = Origin {
            range: origin.range,
            binding: origin.binding.clone(),
            ..Origin::default()
        };
        let mut args = dps.args;
        let mut results = Vec::with_capacity(dps.outs.len());
        let mut made = planned.iter();
        for it in &dps.outs {
            let (shape, dtype) = match it {
                DpsOut::Reuse { value, .. } => {
                    results.push(*value);
                    continue;
                }
                DpsOut::New { shape, dtype, .. } => (*shape, *dtype),
            };
            let Some(plan) = made.next() else { continue };
            self.alloc(plan, (shape, dtype), storages, &quiet, out);
            args.push(Operand::Reg(plan.reg));
            results.push(Operand::Reg(plan.reg));
        }
        args.extend(dps.scalars);
        let nothing = self.function.var("", StructInfo::Tuple([].into()));
        let mut call = Stmt {
            kind: StmtKind::Call {
                dst: nothing,
                callee: dps.callee,
                args,
            },
            origin: quiet.clone(),
        };
        if dps.tuple {
            out.push(call);
            let bound = Origin {
                binds: origin.binds.map(|_| Bound::Result),
                ..origin.clone()
            };
            self.call_into("vm.builtin.make_tuple", results, dps.dst, &bound, out);
        } else if let [Operand::Reg(reg)] = results[..] {
            call.origin.binds = origin.binds.map(|_| Bound::Register(reg));
            out.push(call);
            if reg != dps.dst {
                self.call_into("vm.builtin.copy", results, dps.dst, &quiet, out);
            }
        } else {
            out.push(call);
        }
    }

    fn alloc(
        &mut self,
        plan: &Planned,
        (shape, dtype): (Operand, Operand),
        storages: &[Storage],
        origin: &Origin,
        stmts: &mut Vec<Stmt>,
    ) {
        let Some(storage) = plan.storage.and_then(|at| storages.get(at)) else {
            let args = vec![shape, dtype];
            self.call_into("vm.builtin.alloc_tensor", args, plan.reg, origin, stmts);
            return;
        };
        if plan.first_in_storage {
            let size = self.dims(std::slice::from_ref(&storage.size));
            let hint = self.link.constant(Constant::DType(storage.dtype));
            let scope = self.value("global");
            let args = vec![size, Operand::Int(0), scope, Operand::Const(hint)];
            self.call_into(
                "relax.memory.alloc_storage",
                args,
                storage.reg,
                origin,
                stmts,
            );
        }
        let args = vec![Operand::Reg(storage.reg), Operand::Int(0), shape, dtype];
        self.call_into("relax.memory.alloc_tensor", args, plan.reg, origin, stmts);
    }

    fn dims(&mut self, dims: &[SymExpr]) -> Operand {
        let constant = match dims
            .iter()
            .map(SymExpr::as_int)
            .collect::<Option<Vec<i64>>>()
        {
            Some(values) => Constant::Value(values.into()),
            None => Constant::Shape(dims.into()),
        };
        Operand::Const(self.link.constant(constant))
    }

    fn value(&mut self, value: impl Into<Value>) -> Operand {
        Operand::Const(self.link.constant(Constant::Value(value.into())))
    }

    fn call(
        &mut self,
        name: &str,
        args: Vec<Operand>,
        var: &str,
        info: StructInfo,
        origin: &Origin,
        out: &mut Vec<Stmt>,
    ) {
        let dst = self.function.var(var, info);
        self.call_into(name, args, dst, origin, out);
    }

    fn call_into(
        &mut self,
        name: &str,
        args: Vec<Operand>,
        dst: Reg,
        origin: &Origin,
        out: &mut Vec<Stmt>,
    ) {
        let callee = self.link.builtin(name).unwrap_or(CalleeId(u32::MAX));
        out.push(Stmt {
            kind: StmtKind::Call { dst, callee, args },
            origin: origin.clone(),
        });
    }
}

/// Returns the dtype and the size in bytes of a tensor whose dimensions are known before it is computed.
fn size(tensor: &Tensor) -> Option<(DType, SymExpr)> {
    let TensorShape::Known(dims) = &tensor.shape else {
        return None;
    };
    let dtype = tensor.known_dtype()?;
    let bytes = i64::try_from(Kind::of(dtype).ok()?.bytes()).ok()?;
    Some((
        dtype,
        SymExpr::product(dims.iter()).mul(&SymExpr::int(bytes)),
    ))
}

/// Returns the free storage that fits best: the smallest one that is large enough, or else the largest that may grow.
fn best(storages: &[Storage], at: usize, dtype: DType, size: &SymExpr) -> Option<usize> {
    let free = |it: &&(usize, &Storage)| {
        it.1.dtype == dtype && it.1.free_after.is_some_and(|end| end < at)
    };
    let all: Vec<(usize, &Storage)> = storages.iter().enumerate().collect();
    let Some(wanted) = size.as_int() else {
        let cx = SymCx::default();
        let equal = all.iter().filter(free).find(|(_, it)| it.size == *size);
        let enough = || {
            all.iter().filter(free).find(|(_, it)| {
                it.size.as_int().is_none() && cx.less_equal(size, &it.size) == Tri::Yes
            })
        };
        return equal.or_else(enough).map(|(at, _)| *at);
    };
    let sized = all
        .iter()
        .filter(free)
        .filter_map(|(at, it)| Some((it.size.as_int()?, *at)))
        .filter(|(have, _)| {
            have.saturating_mul(MOST_WASTE) >= wanted && *have <= wanted.saturating_mul(MOST_WASTE)
        });
    let (enough, small): (Vec<_>, Vec<_>) = sized.partition(|(have, _)| *have >= wanted);
    enough
        .into_iter()
        .min()
        .or_else(|| small.into_iter().max())
        .map(|(_, at)| at)
}
