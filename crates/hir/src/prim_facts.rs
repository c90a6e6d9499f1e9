//! What an editor knows of a PrimFunc: every name it defines, where each name is mentioned, what buffers,
//! loops and axes are, and what is wrong. Positions are relative to the function's start.
//!
//! `prim` reads them, with the program that the vm compiles (`tir`), also from half-typed functions and from those
//! that no machine here could run.

use smol_str::SmolStr;
use text_size::TextRange;

use relax::diagnostics::Diagnostic;
use relax::dtype::DType;

use crate::tir::Expr;

/// Something that a PrimFunc names, by its position in [`PrimFacts::defs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PrimDefId(pub u32);

/// Everything known of one PrimFunc.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PrimFacts {
    /// In the order in which they are defined.
    pub defs: Vec<PrimDef>,
    /// Every place that names something, definitions included, in the order of the text.
    pub mentions: Vec<Mention>,
    pub diagnostics: Vec<Diagnostic>,
    /// Whether a function of the host is called as a statement.
    pub(crate) calls_host: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PrimDef {
    pub name: SmolStr,
    /// Empty for a block without a name.
    pub name_range: TextRange,
    /// The parameter, statement or block that defines it.
    pub range: TextRange,
    /// The text in which the name stands for it.
    pub scope: TextRange,
    /// The block around it.
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
    /// A variable of shapes: `n = T.int64()`, `"n"` in a shape, `def f[n]`.
    ShapeVar(Option<DType>),
    /// A value under a name.
    Let {
        dtype: Option<DType>,
        /// Whether later assignments write to it.
        mutable: bool,
        /// Whether the source says the dtype.
        annotated: bool,
    },
    /// A thread axis of `T.env_thread` or an identity such as `T.cta_id`.
    Thread(ThreadFact),
    /// The memory of a buffer; of what `T.allocate` takes, what it has room for.
    Pointer(Option<BufferFact>),
    /// `T.block("C")`, by its string.
    Block(BlockFact),
    /// A function inside the function: a macro.
    Function,
    /// What only Python knows.
    Python,
}

/// A dimension, an extent, a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dim {
    /// Where it is written; the whole expression that gives it where it has no text of its own.
    pub range: TextRange,
    /// Its value if it is a constant.
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
    /// `None` where only Python knows how many there are.
    pub shape: Option<Vec<Dim>>,
    pub dtype: Option<DType>,
    pub strides: Option<Vec<Dim>>,
    pub offset: Option<Dim>,
    /// `global`, `shared`, ...; `None` where only Python knows.
    pub scope: Option<SmolStr>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BufferOrigin {
    /// `A: T.Buffer(...)`
    Param,
    /// `T.match_buffer` of a handle or of a part of a buffer.
    Match,
    Alloc,
    /// `T.decl_buffer`, `T.Buffer` with `data=`, `A.view(...)`: another view of memory.
    View,
}

impl BufferFact {
    /// The number of elements, if all dimensions are constants.
    pub fn elements(&self) -> Option<i64> {
        self.shape
            .as_ref()?
            .iter()
            .try_fold(1i64, |product, dim| product.checked_mul(dim.value?))
    }

    /// Bytes of its elements; strides may spread them over more.
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
    /// 0 where it is not written.
    pub start: Option<Dim>,
    pub stop: Option<Dim>,
    pub step: Option<Dim>,
    /// `threadIdx.x`
    pub thread: Option<SmolStr>,
    pub dtype: Option<DType>,
}

impl LoopFact {
    /// How often it runs, if that is a constant.
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
    /// How a loop runs, by the name under `T`.
    LoopKind:
    Serial "serial" ["serial"],
    Grid "grid" ["grid"],
    Parallel "parallel" ["parallel"],
    Vectorized "vectorized" ["vectorized"],
    Unroll "unrolled" ["unroll" "unrolled"],
    Thread "thread" ["thread_binding" "launch_thread"],
}

kinds! {
    /// What an axis of a block is for, by the name under `T.axis` and the letter of `T.axis.remap`.
    AxisKind:
    Spatial "spatial" ["spatial" "S"],
    Reduce "reduce" ["reduce" "R"],
    Scan "scan" ["scan"],
    Opaque "opaque" ["opaque" "O"],
}

#[derive(Clone, Debug, PartialEq)]
pub struct AxisFact {
    pub kind: AxisKind,
    /// 0 where it is not written.
    pub start: Option<Dim>,
    pub stop: Option<Dim>,
    /// The expression whose value it takes.
    pub binding: Option<TextRange>,
    pub dtype: Option<DType>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ThreadFact {
    /// `threadIdx.x`, `cta_id`; empty where only Python knows.
    pub tag: SmolStr,
    /// How many threads are launched, where that is written.
    pub extent: Option<TextRange>,
}

/// The regions that a block says it reads and writes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BlockFact {
    pub reads: Vec<TextRange>,
    pub writes: Vec<TextRange>,
}

/// A place that names something.
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
    /// A dotted name of TVMScript, without `T.`: the range covers all of `T.axis.remap`.
    Script(SmolStr),
    /// A name of the Python code around the function, or of Python itself.
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

    /// The smallest mention that holds `range`.
    pub fn mention_at(&self, range: TextRange) -> Option<&Mention> {
        self.mentions
            .iter()
            .filter(|mention| mention.range.contains_range(range))
            .min_by_key(|mention| mention.range.len())
    }

    /// Whether Relax sees effects: it writes into a buffer that it is given, or calls the host.
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

    /// Where `id` is named, its definition included.
    pub fn mentions_of(&self, id: PrimDefId) -> impl Iterator<Item = &Mention> {
        self.mentions
            .iter()
            .filter(move |mention| mention.target == Target::Def(id))
    }

    /// What names stand for at `offset`, the innermost last.
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
    /// The dtype of the value or of the elements.
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
