//! The extents that integer parameters index, read from the code of a function, so that generated integers stay
//! inside of them. What cannot be seen (an index computed from a parameter) has no bound.

use relax::sinfo::{StructInfo, TensorShape};
use relax::sym::SymExpr;
use rustc_hash::FxHashMap;

use hir::tir::{self, Binary, Data, Expr, ExprKind, ParamKind, Stmt, StmtKind, Visit, walk_expr};

use crate::bytecode::{Callee, Constant, Function, Instruction, Operand, Program, Reg};
use crate::kernels::Arg;

/// A parameter, or a field of one that is a tuple.
type Leaf = (usize, Option<usize>);

/// For each parameter or field, the extents that its elements index.
#[derive(Clone, Debug, Default)]
pub struct IndexBounds(FxHashMap<Leaf, Vec<SymExpr>>);

/// Which dimensions of its data an operator indexes.
#[derive(Clone, Copy)]
enum Along {
    /// The dimension in an argument.
    Axis(usize),
    /// The leading dimensions.
    Leading,
    Second,
    /// The extent itself is an argument.
    Depth(usize),
}

/// Operators with their data, the argument that indexes it, and the indexed dimensions.
const INDEXING: &[(&str, usize, usize, Along)] = &[
    ("relax.take", 0, 1, Along::Axis(2)),
    ("relax.gather_elements", 0, 1, Along::Axis(2)),
    ("relax.gather_nd", 0, 1, Along::Leading),
    ("relax.index_tensor", 0, 1, Along::Leading),
    ("relax.scatter_elements", 0, 1, Along::Axis(3)),
    ("relax.scatter_nd", 0, 1, Along::Leading),
    ("relax.nn.nll_loss", 0, 1, Along::Second),
    ("relax.one_hot", 0, 0, Along::Depth(3)),
];

/// Operators whose result has the elements of the first argument.
const SAME_ELEMENTS: &[&str] = &[
    "relax.astype",
    "relax.reshape",
    "relax.expand_dims",
    "relax.squeeze",
    "relax.flatten",
    "relax.permute_dims",
    "relax.broadcast_to",
    "vm.builtin.reshape",
    "vm.builtin.copy",
];

/// Functions that call each other are followed to this depth.
const DEEPEST: usize = 8;

impl IndexBounds {
    pub fn of(program: &Program, function: &Function) -> IndexBounds {
        let mut bounds = IndexBounds::default();
        let params = (0..function.source_params().len()).map(|at| Some((at, None)));
        let reader = Reader {
            program,
            outer: function,
        };
        reader.read(function, params.collect(), DEEPEST, &mut bounds);
        bounds
    }

    /// Returns the smallest of the extents that a leaf indexes.
    pub(super) fn smallest(
        &self,
        leaf: Leaf,
        dims: &dyn Fn(&SymExpr) -> Option<i64>,
    ) -> Option<i64> {
        let extents = self.0.get(&leaf)?.iter().filter_map(dims);
        extents.filter(|it| *it > 0).min()
    }
}

struct Reader<'p> {
    program: &'p Program,
    outer: &'p Function,
}

impl Reader<'_> {
    /// Reads the code of a function, whose parameters are `leaves` of the outer one.
    fn read(
        &self,
        function: &Function,
        leaves: Vec<Option<Leaf>>,
        depth: usize,
        bounds: &mut IndexBounds,
    ) {
        let leaves = leaves.into_iter().enumerate();
        let mut held: FxHashMap<Reg, Leaf> = leaves
            .filter_map(|(at, leaf)| Some((Reg(at as u32), leaf?)))
            .collect();
        for instruction in &function.code {
            let Instruction::Call { dst, callee, args } = instruction else {
                continue;
            };
            let of = |at: usize| -> Option<Leaf> {
                let reg = args.get(at)?.reg()?;
                held.get(&reg).copied()
            };
            let result = match self.program.callee(*callee) {
                Some(Callee::Kernel(op, _)) if SAME_ELEMENTS.contains(&op.name) => of(0),
                Some(Callee::Builtin(it)) if SAME_ELEMENTS.contains(&it.name) => of(0),
                Some(Callee::Builtin(it)) if it.name == "vm.builtin.tuple_getitem" => {
                    match (of(0), args.get(1)) {
                        (Some((param, None)), Some(Operand::Int(field))) => {
                            usize::try_from(*field).ok().map(|it| (param, Some(it)))
                        }
                        _ => None,
                    }
                }
                Some(Callee::Kernel(op, _)) => {
                    self.operator(op.name, args, &of, bounds);
                    None
                }
                Some(Callee::PrimFunc(it)) => {
                    if let Some(program) = &it.program {
                        self.prim_func(program, &of, bounds);
                    }
                    None
                }
                Some(Callee::Function(inner)) if depth > 0 => {
                    let leaves = (0..args.len()).map(of).collect();
                    self.read(inner, leaves, depth - 1, bounds);
                    None
                }
                _ => None,
            };
            match result {
                Some(leaf) => held.insert(*dst, leaf),
                None => held.remove(dst),
            };
        }
    }

    fn operator(
        &self,
        name: &str,
        args: &[Operand],
        of: &dyn Fn(usize) -> Option<Leaf>,
        bounds: &mut IndexBounds,
    ) {
        let Some(&(_, data, indices, along)) = INDEXING.iter().find(|it| it.0 == name) else {
            return;
        };
        let Some(leaf) = of(indices) else { return };
        let attr = |at: usize| match self.program.constant(match args.get(at)? {
            Operand::Const(id) => *id,
            _ => return None,
        })? {
            Constant::Attr(Arg::Int(value)) => Some(*value),
            _ => None,
        };
        let dims = of(data).and_then(|it| self.dims(it)).unwrap_or_default();
        let extents: Vec<SymExpr> = match along {
            Along::Depth(at) => attr(at).map(SymExpr::int).into_iter().collect(),
            Along::Leading => dims.to_vec(),
            Along::Second => dims.get(1).cloned().into_iter().collect(),
            Along::Axis(at) => {
                let axis = attr(at).unwrap_or(0);
                let axis = if axis < 0 {
                    axis + dims.len() as i64
                } else {
                    axis
                };
                let extent = usize::try_from(axis).ok().and_then(|it| dims.get(it));
                extent.cloned().into_iter().collect()
            }
        };
        bounds.0.entry(leaf).or_default().extend(extents);
    }

    /// Returns the dimensions of a leaf.
    fn dims(&self, (param, field): Leaf) -> Option<&[SymExpr]> {
        let mut info = &self.outer.params.get(param)?.struct_info;
        if let (Some(field), StructInfo::Tuple(fields)) = (field, info) {
            info = fields.get(field)?;
        }
        match &info.as_tensor()?.shape {
            TensorShape::Known(dims) => Some(dims),
            _ => None,
        }
    }

    /// Adds the extents of the buffers that a PrimFunc indexes with elements of its parameters.
    fn prim_func(
        &self,
        func: &tir::PrimFunc,
        of: &dyn Fn(usize) -> Option<Leaf>,
        bounds: &mut IndexBounds,
    ) {
        let mut found = Indexing {
            func,
            found: Vec::new(),
        };
        found.stmts(&func.body);
        for (param, buffer, dim, stride) in found.found {
            let Some(leaf) = of(param) else { continue };
            let buffer = &func.buffers[buffer.0 as usize];
            let extent = match (buffer.shape.get(dim).map(|it| &it.kind), buffer.data) {
                (Some(ExprKind::Int(extent)), _) => Some(SymExpr::int(*extent as i64 / stride)),
                (Some(_), Data::Param(at)) if stride == 1 => of(at)
                    .and_then(|leaf| self.dims(leaf))
                    .filter(|dims| dims.len() == buffer.shape.len())
                    .and_then(|dims| dims.get(dim).cloned()),
                _ => None,
            };
            bounds.0.entry(leaf).or_default().extend(extent);
        }
    }
}

/// Finds buffers that are indexed by elements of parameters.
struct Indexing<'f> {
    func: &'f tir::PrimFunc,
    /// The parameter, the buffer that it indexes, the dimension, and the number of elements from one index to the
    /// next.
    found: Vec<(usize, tir::BufferId, usize, i64)>,
}

impl<'f> Indexing<'f> {
    fn indices(&mut self, buffer: tir::BufferId, indices: &'f [Expr]) {
        for (dim, index) in indices.iter().enumerate() {
            self.index(buffer, dim, index, 1);
        }
    }

    fn index(&mut self, buffer: tir::BufferId, dim: usize, index: &'f Expr, stride: i64) {
        match &index.kind {
            ExprKind::Load(of, _) => {
                let param =
                    (self.func.params.iter()).position(|it| it.kind == ParamKind::Buffer(*of));
                self.found
                    .extend(param.map(|param| (param, buffer, dim, stride)));
            }
            ExprKind::Cast(a) => self.index(buffer, dim, a, stride),
            ExprKind::Binary(Binary::Add, a, b) | ExprKind::Select(_, a, b) => {
                self.index(buffer, dim, a, stride);
                self.index(buffer, dim, b, stride);
            }
            ExprKind::Binary(Binary::Mul, a, b) => {
                if let ExprKind::Int(by @ 1..) = b.kind {
                    let stride = stride.saturating_mul(i64::try_from(by).unwrap_or(i64::MAX));
                    self.index(buffer, dim, a, stride);
                }
            }
            _ => {}
        }
    }
}

impl<'f> Visit<'f> for Indexing<'f> {
    fn stmt(&mut self, stmt: &'f Stmt) {
        if let StmtKind::Store {
            buffer, indices, ..
        } = &stmt.kind
        {
            self.indices(*buffer, indices);
        }
        tir::walk_stmt(self, stmt);
    }

    fn expr(&mut self, expr: &'f Expr) {
        if let ExprKind::Load(buffer, indices) = &expr.kind {
            self.indices(*buffer, indices);
        }
        walk_expr(self, expr);
    }
}

#[cfg(test)]
mod tests {
    use hir::{Database, Source, SourceFile, file_items};
    use relax::FunctionKind;

    use super::IndexBounds;
    use crate::compile;

    const PROGRAM: &str = r#"
from tvm.script import ir as I, relax as R, tir as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def pick(table: T.Buffer((30, 4), "float32"), ids: T.Buffer((5,), "int32"), out: T.Buffer((5, 4), "float32")):
        for i, j in T.grid(5, 4):
            out[i, j] = table[ids[i], j]

    @T.prim_func(private=True)
    def pick_flat(table: T.Buffer((120,), "float32"), ids: T.Buffer((5,), "int32"), out: T.Buffer((20,), "float32")):
        for i in range(20):
            out[i] = table[ids[i // 4] * 4 + i % 4]

    @R.function
    def main(a: R.Tensor((1, 5), "int64"), b: R.Tensor((5,), "int32"), c: R.Tensor((5,), "int32"),
             d: R.Tensor((5,), "int64"), w: R.Tensor(("n", 4), "float32"), t: R.Tensor((30, 4), "float32"),
             f: R.Tensor((120,), "float32"), e: R.Tensor((5,), "int64")):
        cls = Module
        i = R.reshape(R.astype(a, "int32"), R.shape([-1]))
        x = R.take(w, i, axis=0)
        y = R.call_tir(cls.pick, (t, b), out_sinfo=R.Tensor((5, 4), "float32"))
        z = R.call_tir(cls.pick_flat, (f, c), out_sinfo=R.Tensor((20,), "float32"))
        h = R.one_hot(d, R.prim_value(1), R.prim_value(0), depth=7)
        s = R.add(e, e)
        return (x, y, z, h, s)
"#;

    #[test]
    fn the_extent_is_that_of_what_an_integer_indexes() {
        let db = Database::default();
        let file = SourceFile::new(&db, Source::new(PROGRAM));
        let mut functions = file_items(&db, file).functions.iter().copied();
        let main = functions
            .find(|it| it.kind(&db) == FunctionKind::Relax)
            .unwrap();
        let program = compile(&db, main).unwrap();
        let function = program.function("main").unwrap();
        let bounds = IndexBounds::of(&program, function);
        let below = |at| bounds.smallest((at, None), &|dim| dim.eval(&|_| Some(9)));
        assert_eq!(
            [0, 1, 2, 3, 7].map(below),
            [Some(9), Some(30), Some(30), Some(7), None]
        );
    }
}
