//! The facts of a PrimFunc for editors: definitions, mentions, buffers, loops, axes, and diagnostics. Positions are
//! relative to the function's start.
//!
//! `prim` computes them together with the program that the vm compiles (`tir`), also for incomplete functions and for
//! those that no machine here can run.

use smol_str::SmolStr;
use text_size::TextRange;

use relax::diagnostics::Diagnostic;
use relax::dtype::DType;

use crate::tir::Expr;

/// A definition in a PrimFunc, as an index into [`PrimFacts::defs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PrimDefId(pub u32);

/// The facts of one PrimFunc.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PrimFacts {
    /// The definitions in order.
    pub defs: Vec<PrimDef>,
    /// Every mention of a name, including definitions, in the order of the text.
    pub mentions: Vec<Mention>,
    pub diagnostics: Vec<Diagnostic>,
    /// `true` if a host function is called as a statement.
    pub(crate) calls_host: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PrimDef {
    pub name: SmolStr,
    /// The range of the name; empty for a block without a name.
    pub name_range: TextRange,
    /// The parameter, statement or block that defines it.
    pub range: TextRange,
    /// The range in which the name refers to it.
    pub scope: TextRange,
    /// The enclosing block.
    pub block: Option<PrimDefId>,
    pub kind: PrimDefKind,
}

#[derive(Clone, Debug, PartialEq)]
pub enum PrimDefKind {
    Buffer(BufferFact),
    Loop(LoopFact),
    Axis(AxisFact),
    /// A parameter that is a number.
    Scalar(Option<DType>),
    /// A parameter of `T.handle`.
    Handle,
    /// A shape variable: `n = T.int64()`, `"n"` in a shape, `def f[n]`.
    ShapeVar(Option<DType>),
    /// A value that is bound to a name.
    Let {
        dtype: Option<DType>,
        /// `true` if later assignments change it.
        mutable: bool,
        /// `true` if the source gives the dtype.
        annotated: bool,
    },
    /// A thread axis of `T.env_thread`, or an index such as `T.cta_id`.
    Thread(ThreadFact),
    /// The memory of a buffer, or the memory that `T.allocate` reserves.
    Pointer(Option<BufferFact>),
    /// `T.block("C")`, named by its string.
    Block(BlockFact),
    /// A local function, which is a macro.
    Function,
    /// A value that only Python knows.
    Python,
}

/// A dimension, an extent or a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dim {
    /// Its range; if it has no text of its own, that of the whole expression.
    pub range: TextRange,
    /// Its value if it is constant.
    pub value: Option<i64>,
}

impl Dim {
    pub(crate) fn of(expr: &Expr) -> Dim {
        Dim {
            range: expr.range,
            value: expr.as_int(),
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct BufferFact {
    pub origin: BufferOrigin,
    /// The dimensions; `None` if only Python knows their number.
    pub shape: Option<Vec<Dim>>,
    pub dtype: Option<DType>,
    pub strides: Option<Vec<Dim>>,
    pub offset: Option<Dim>,
    /// The storage scope: `global`, `shared`, ...; `None` if only Python knows it.
    pub scope: Option<SmolStr>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BufferOrigin {
    /// A parameter: `A: T.Buffer(...)`.
    Param,
    /// `T.match_buffer` of a handle or of a part of a buffer.
    Match,
    Alloc,
    /// `T.decl_buffer`, `T.Buffer` with `data=`, `A.view(...)`: a view of existing memory.
    View,
}

impl BufferFact {
    /// Returns the number of elements, if all dimensions are constant.
    pub fn elements(&self) -> Option<i64> {
        self.shape
            .as_ref()?
            .iter()
            .try_fold(1i64, |product, dim| product.checked_mul(dim.value?))
    }

    /// Returns the size of its elements in bytes. With strides, they may be spread over more memory.
    pub fn bytes(&self) -> Option<i64> {
        let dtype = self.dtype?;
        let bits = i64::from(dtype.bits) * i64::from(dtype.lanes);
        let bits = self.elements()?.checked_mul(bits)?;
        Some(bits.saturating_add(7) / 8)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct LoopFact {
    pub kind: LoopKind,
    /// The start; `None` stands for 0.
    pub start: Option<Dim>,
    pub stop: Option<Dim>,
    pub step: Option<Dim>,
    /// The thread axis: `threadIdx.x`.
    pub thread: Option<SmolStr>,
    pub dtype: Option<DType>,
}

impl LoopFact {
    /// Returns the number of iterations if it is constant.
    pub fn extent(&self) -> Option<i64> {
        let start = match self.start {
            Some(dim) => dim.value?,
            None => 0,
        };
        let step = match self.step {
            Some(dim) => dim.value.filter(|&step| step > 0)?,
            None => 1,
        };
        let span = self.stop?.value?.checked_sub(start)?;
        Some(span.max(0).checked_add(step - 1)? / step)
    }
}

macro_rules! kinds {
    ($(#[$doc:meta])* $Name:ident: $($variant:ident $text:literal [$($spelling:literal)+],)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $Name { $($variant,)* }

        impl $Name {
            pub fn name(self) -> &'static str {
                match self { $($Name::$variant => $text,)* }
            }

            pub fn parse(spelling: &str) -> Option<$Name> {
                match spelling { $($($spelling)|+ => Some($Name::$variant),)* _ => None }
            }
        }
    };
}

kinds! {
    /// The kind of a loop, by the name under `T`.
    LoopKind:
    Serial "serial" ["serial"],
    Grid "grid" ["grid"],
    Parallel "parallel" ["parallel"],
    Vectorized "vectorized" ["vectorized"],
    Unroll "unrolled" ["unroll" "unrolled"],
    Thread "thread" ["thread_binding" "launch_thread"],
}

kinds! {
    /// The kind of a block's axis, by the name under `T.axis` and the letter of `T.axis.remap`.
    AxisKind:
    Spatial "spatial" ["spatial" "S"],
    Reduce "reduce" ["reduce" "R"],
    Scan "scan" ["scan"],
    Opaque "opaque" ["opaque" "O"],
}

#[derive(Clone, Debug, PartialEq)]
pub struct AxisFact {
    pub kind: AxisKind,
    /// The start; `None` stands for 0.
    pub start: Option<Dim>,
    pub stop: Option<Dim>,
    /// The range of the expression that it is bound to.
    pub binding: Option<TextRange>,
    pub dtype: Option<DType>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ThreadFact {
    /// The axis: `threadIdx.x`, `cta_id`. Empty if only Python knows it.
    pub tag: SmolStr,
    /// The number of threads that are launched, if it is given.
    pub extent: Option<TextRange>,
}

/// The regions that a block declares to read and write.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BlockFact {
    pub reads: Vec<TextRange>,
    pub writes: Vec<TextRange>,
}

/// A mention of a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Mention {
    pub range: TextRange,
    pub target: Target,
    pub access: Access,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    Def(PrimDefId),
    /// A function of the module.
    Global(SmolStr),
    /// A dotted name of TVMScript without `T.`. The range covers all of `T.axis.remap`.
    Script(SmolStr),
    /// A name of the surrounding Python code, or of Python itself.
    Python(SmolStr),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    Define,
    Read,
    Write,
}

impl PrimFacts {
    pub fn def(&self, id: PrimDefId) -> &PrimDef {
        &self.defs[id.0 as usize]
    }

    /// Returns the smallest mention that contains `range`.
    pub fn mention_at(&self, range: TextRange) -> Option<&Mention> {
        self.mentions
            .iter()
            .filter(|mention| mention.range.contains_range(range))
            .min_by_key(|mention| mention.range.len())
    }

    /// Returns `true` if it has effects for Relax: it writes to a buffer argument, or calls the host.
    pub fn has_effects(&self) -> bool {
        let is_given = |target: &Target| match *target {
            Target::Def(id) => match &self.def(id).kind {
                PrimDefKind::Buffer(buffer) => {
                    matches!(buffer.origin, BufferOrigin::Param | BufferOrigin::Match)
                }
                _ => false,
            },
            _ => false,
        };
        let mut mentions = self.mentions.iter();
        self.calls_host || mentions.any(|it| it.access == Access::Write && is_given(&it.target))
    }

    /// Returns the mentions of `id`, including its definition.
    pub fn mentions_of(&self, id: PrimDefId) -> impl Iterator<Item = &Mention> {
        self.mentions
            .iter()
            .filter(move |mention| mention.target == Target::Def(id))
    }

    /// Returns the names that are visible at `offset`, the innermost last.
    pub fn visible_at(
        &self,
        offset: text_size::TextSize,
    ) -> impl Iterator<Item = (PrimDefId, &PrimDef)> {
        let ids = (0..).map(PrimDefId);
        let named = ids.zip(&self.defs);
        named.filter(move |(_, def)| !def.name.is_empty() && def.scope.contains_inclusive(offset))
    }
}

impl PrimDef {
    /// Returns the dtype of the value or of the elements.
    pub fn dtype(&self) -> Option<DType> {
        match &self.kind {
            PrimDefKind::Buffer(buffer) => buffer.dtype,
            PrimDefKind::Loop(it) => it.dtype,
            PrimDefKind::Axis(it) => it.dtype,
            PrimDefKind::Scalar(dtype)
            | PrimDefKind::ShapeVar(dtype)
            | PrimDefKind::Let { dtype, .. } => *dtype,
            PrimDefKind::Thread(_) => Some(DType::I32),
            PrimDefKind::Handle
            | PrimDefKind::Pointer(_)
            | PrimDefKind::Block(_)
            | PrimDefKind::Function
            | PrimDefKind::Python => None,
        }
    }
}

#[cfg(test)]
mod tests;
