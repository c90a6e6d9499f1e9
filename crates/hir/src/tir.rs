//! A PrimFunc as a typed program: buffers, loops, blocks, loads and stores, arithmetic with its dtypes.
//!
//! `prim` builds the program. The module uses no syntax tree and does not execute programs.

mod arguments;
mod collective;
pub mod int;
mod visit;

use rustc_hash::FxHashSet;
use smol_str::SmolStr;
use text_size::TextRange;

use relax::dtype::DType;

pub use collective::{Collective, Combiner, Group, Reduce, Shuffle, Source};
pub use visit::{Visit, any_stmt, for_each_stmt, walk_expr, walk_stmt};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VarId(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BufferId(pub u32);

/// The reason why a PrimFunc cannot be read as a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TirError {
    pub message: String,
    /// The range relative to the function's start.
    pub range: TextRange,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct PrimFunc {
    pub name: SmolStr,
    pub params: Vec<Param>,
    pub vars: Vec<Var>,
    pub buffers: Vec<Buffer>,
    pub body: Vec<Stmt>,
    /// The last parameter, to which the returned number is stored. The function's text does not have this parameter.
    pub result: Option<BufferId>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    pub name: SmolStr,
    pub kind: ParamKind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ParamKind {
    Buffer(BufferId),
    Scalar(VarId),
    /// A handle that no buffer is matched to.
    Unused,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Var {
    pub name: SmolStr,
    pub dtype: DType,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Buffer {
    pub name: SmolStr,
    pub dtype: DType,
    pub shape: Vec<Expr>,
    /// The strides, or `None` for a row-major buffer.
    pub strides: Option<Vec<Expr>>,
    /// The offset in elements.
    pub offset: Option<Expr>,
    pub data: Data,
    /// The memory scope: `global`, `local`, `shared`, ...
    pub scope: SmolStr,
    pub range: TextRange,
}

/// The memory that holds a buffer's elements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Data {
    /// The memory of a parameter, by position.
    Param(usize),
    Alloc,
    /// The memory of another buffer.
    View(BufferId),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    pub kind: StmtKind,
    pub range: TextRange,
}

#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    Store {
        buffer: BufferId,
        indices: Vec<Expr>,
        value: Expr,
    },
    Let {
        var: VarId,
        value: Expr,
    },
    For {
        var: VarId,
        min: Expr,
        /// The number of iterations.
        extent: Expr,
        step: i64,
        kind: ForKind,
        body: Vec<Stmt>,
    },
    While {
        test: Expr,
        body: Vec<Stmt>,
    },
    If {
        test: Expr,
        then: Vec<Stmt>,
        otherwise: Vec<Stmt>,
    },
    Block(Block),
    Evaluate(Expr),
    Assert {
        test: Expr,
        message: SmolStr,
    },
    Packed(Packed),
    Collective(Collective),
}

/// A call of a function of the host, which may read and write the buffers that it gets.
#[derive(Clone, Debug, PartialEq)]
pub struct Packed {
    pub symbol: SmolStr,
    pub args: Vec<PackedArg>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum PackedArg {
    Buffer(BufferId),
    Number(Expr),
    Text(SmolStr),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForKind {
    Serial,
    Parallel,
    Vectorized,
    Unrolled,
    /// A loop over the threads of a GPU.
    Thread(ThreadAxis),
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Block {
    pub iters: Vec<Iter>,
    /// The condition under which the block runs.
    pub predicate: Option<Expr>,
    /// Runs before the body in the first iteration of every reduction.
    pub init: Vec<Stmt>,
    pub body: Vec<Stmt>,
}

/// An axis of a block.
#[derive(Clone, Debug, PartialEq)]
pub struct Iter {
    pub var: VarId,
    pub min: Expr,
    pub extent: Expr,
    pub value: Expr,
    pub reduce: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    pub dtype: DType,
    pub kind: ExprKind,
    pub range: TextRange,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A constant in the range of the dtype.
    Int(i128),
    /// A constant that is rounded to the dtype when it is used.
    Float(f64),
    Var(VarId),
    Load(BufferId, Vec<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    Compare(Compare, Box<Expr>, Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    Not(Box<Expr>),
    Cast(Box<Expr>),
    /// The bits of a value as another dtype of the same width.
    Reinterpret(Box<Expr>),
    /// Evaluates only the chosen operand.
    Select(Box<Expr>, Box<Expr>, Box<Expr>),
    Unary(Unary, Box<Expr>),
    /// A function of two numbers.
    Math(Math, Box<Expr>, Box<Expr>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    Add,
    Sub,
    Mul,
    /// Division of floats.
    Div,
    FloorDiv,
    FloorMod,
    TruncDiv,
    TruncMod,
    Min,
    Max,
    BitAnd,
    BitOr,
    BitXor,
    ShiftLeft,
    ShiftRight,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

macro_rules! functions {
    ($(#[$doc:meta])* $Name:ident: $($variant:ident [$($spelling:literal)+],)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $Name { $($variant,)* }

        impl $Name {
            pub const ALL: &'static [$Name] = &[$($Name::$variant,)*];

            /// Returns the function with this name in TVMScript.
            pub fn parse(name: &str) -> Option<$Name> {
                match name { $($($spelling)|+ => Some($Name::$variant),)* _ => None }
            }

            pub fn name(self) -> &'static str {
                match self { $($Name::$variant => [$($spelling),+][0],)* }
            }
        }
    };
}

functions! {
    /// Functions of one number.
    Unary:
    Neg ["neg"],
    BitNot ["bitwise_not" "bitwise_invert"],
    Abs ["abs" "fabs"],
    Exp ["exp"],
    Exp2 ["exp2"],
    Exp10 ["exp10"],
    Log ["log"],
    Log2 ["log2"],
    Log10 ["log10"],
    Log1p ["log1p"],
    Sqrt ["sqrt"],
    Rsqrt ["rsqrt"],
    Sigmoid ["sigmoid"],
    Tanh ["tanh"],
    Erf ["erf"],
    Sin ["sin"],
    Cos ["cos"],
    Tan ["tan"],
    Asin ["asin"],
    Acos ["acos"],
    Atan ["atan"],
    Sinh ["sinh"],
    Cosh ["cosh"],
    Asinh ["asinh"],
    Acosh ["acosh"],
    Atanh ["atanh"],
    Floor ["floor"],
    Ceil ["ceil"],
    Trunc ["trunc"],
    Round ["round" "nearbyint"],
    Popcount ["popcount"],
    Clz ["clz"],
    IsNan ["isnan"],
    IsInf ["isinf"],
    IsFinite ["isfinite"],
}

functions! {
    /// Functions of two numbers.
    Math:
    Pow ["pow" "power"],
    Atan2 ["atan2"],
    Hypot ["hypot"],
    Fmod ["fmod"],
    CopySign ["copysign"],
    NextAfter ["nextafter"],
    Ldexp ["ldexp"],
}

functions! {
    /// The identifiers of a GPU's blocks and threads.
    ThreadAxis:
    BlockX ["blockIdx.x"],
    BlockY ["blockIdx.y"],
    BlockZ ["blockIdx.z"],
    ThreadX ["threadIdx.x"],
    ThreadY ["threadIdx.y"],
    ThreadZ ["threadIdx.z"],
    VirtualX ["vthread.x" "vthread" "cthread"],
    VirtualY ["vthread.y"],
    VirtualZ ["vthread.z"],
}

impl VarId {
    /// The variable of a part that is not understood. A complete program does not have it.
    const HOLE: VarId = VarId(u32::MAX);
}

impl Expr {
    /// Returns a part that is not understood: a program with it does not run.
    pub(crate) fn hole(dtype: DType, range: TextRange) -> Expr {
        Expr {
            dtype,
            kind: ExprKind::Var(VarId::HOLE),
            range,
        }
    }

    /// Returns `true` if two expressions are the same formula over integers and variables. Reads of memory never are.
    pub fn is_same_formula(&self, other: &Expr) -> bool {
        self.dtype == other.dtype
            && match (&self.kind, &other.kind) {
                (ExprKind::Int(a), ExprKind::Int(b)) => a == b,
                (ExprKind::Var(a), ExprKind::Var(b)) => a == b,
                (ExprKind::Cast(a), ExprKind::Cast(b)) => a.is_same_formula(b),
                (ExprKind::Binary(op, a, b), ExprKind::Binary(other, c, d)) => {
                    op == other && a.is_same_formula(c) && b.is_same_formula(d)
                }
                _ => false,
            }
    }

    /// Returns `true` if the expression uses one of the variables.
    pub fn uses(&self, vars: &FxHashSet<VarId>) -> bool {
        let mut found = matches!(&self.kind, ExprKind::Var(var) if vars.contains(var));
        self.for_each_child(&mut |child| found |= child.uses(vars));
        found
    }

    /// Returns `true` if the expression reads memory.
    pub fn reads_memory(&self) -> bool {
        self.loads_from(&|_| true)
    }

    /// Returns `true` if the expression reads an element of one of these buffers.
    pub fn loads_from(&self, is_one: &dyn Fn(BufferId) -> bool) -> bool {
        let mut found = matches!(&self.kind, ExprKind::Load(from, _) if is_one(*from));
        self.for_each_child(&mut |child| found |= child.loads_from(is_one));
        found
    }

    /// Returns an integer, wrapped to the dtype.
    pub fn int(value: i128, dtype: DType, range: TextRange) -> Expr {
        Expr {
            dtype,
            kind: ExprKind::Int(int::wrap(value, dtype)),
            range,
        }
    }

    /// Returns the number of expressions in it, itself included.
    pub fn count(&self) -> usize {
        let mut count = 1;
        self.for_each_child(&mut |child| count += child.count());
        count
    }

    pub fn as_int(&self) -> Option<i64> {
        match self.kind {
            ExprKind::Int(value) => i64::try_from(value).ok(),
            _ => None,
        }
    }
}

impl PrimFunc {
    pub fn var(&self, id: VarId) -> &Var {
        &self.vars[id.0 as usize]
    }

    pub fn buffer(&self, id: BufferId) -> &Buffer {
        &self.buffers[id.0 as usize]
    }

    /// Returns the buffers whose memory the function stores to, or may let the host change.
    pub fn written(&self) -> FxHashSet<BufferId> {
        let mut found = FxHashSet::default();
        for_each_stmt(&self.body, &mut |stmt| match &stmt.kind {
            StmtKind::Store { buffer, .. } => {
                found.insert(self.root(*buffer));
            }
            StmtKind::Packed(call) => found.extend(call.args.iter().filter_map(|arg| match arg {
                PackedArg::Buffer(id) => Some(self.root(*id)),
                PackedArg::Number(_) | PackedArg::Text(_) => None,
            })),
            _ => {}
        });
        found
    }

    /// Returns the buffer that owns the memory of a buffer.
    pub fn root(&self, mut id: BufferId) -> BufferId {
        // A view is defined after the buffer that it views, so this terminates.
        while let Data::View(of) = self.buffer(id).data {
            id = of;
        }
        id
    }
}
