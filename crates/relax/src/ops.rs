//! The operator table: one row per operator, keyed by TVM's name.
//!
//! Completion, documentation, argument binding, inference, purity and the kernels of the vm use this key. An inference
//! rule sees one call through [`Call`]; it knows no syntax and no ranges.

#[cfg(test)]
mod any_operands;
mod binary;
mod broadcast;
mod builtin;
mod call;
mod calls;
mod ccl;
mod checks;
mod collapse;
mod create;
mod datatype;
mod dist;
mod effects;
mod einsum;
mod familiar;
mod gather;
mod grad;
mod image;
mod inspect;
mod join;
mod kinds;
pub(crate) mod layout;
mod layout_transform;
mod linalg;
#[cfg(test)]
mod manual;
mod memory;
#[cfg(test)]
mod messages;
mod nn;
mod nn_attention;
mod nn_conv;
mod nn_loss;
mod nn_norm;
mod nn_pool;
mod python_dtype;
mod python_operators;
mod qdq;
#[cfg(test)]
mod recorded;
mod reduce;
#[cfg(test)]
mod reference;
mod repeat;
mod sampling;
mod scatter;
mod search;
mod set;
mod shape;
mod shape_of;
mod sharding;
mod signature;
mod slice;
mod sort;
mod ternary;
mod topi;
mod unary;
mod vdevice;
mod view;
mod vision;
mod vm;
mod work;

use crate::release::{Release, Releases};
use std::sync::LazyLock;

use rustc_hash::FxHashMap;

pub use call::{
    At, Call, Infer, OpError, OpErrorKind, Stop, common_vdevice, explicit_dims, product, show_dims,
    tensor, tensor_of_ndim, tuple, with_dims, with_ndim, with_shape,
};
pub use layout_transform::extents as layout_extents;
pub use view::returns_view;

pub use familiar::nearest_parameter;
pub use kinds::infer;
pub use python_operators::meant_by_python;
pub use sharding::Sharding;
pub use topi::{Topi, by_topi};
pub use work::flops;

use crate::arguments::{Parameter, Takes};
use crate::nearest_name::nearest_in_table;
use crate::script::{Namespace, RARELY_USED, ScriptPath};

/// The rows of every family. A new family needs a file in `ops/` and a line here.
#[rustfmt::skip]
static FAMILIES: &[(&str, &[OpDef])] = &[
    ("unary", unary::OPS),
    ("binary", binary::OPS),
    ("ternary", ternary::OPS),
    ("datatype", datatype::OPS),
    ("create", create::OPS),
    ("shape", shape::OPS),
    ("join", join::OPS),
    ("layout_transform", layout_transform::OPS),
    ("repeat", repeat::OPS),
    ("collapse", collapse::OPS),
    ("gather", gather::OPS),
    ("scatter", scatter::OPS),
    ("slice", slice::OPS),
    ("search", search::OPS),
    ("reduce", reduce::OPS),
    ("sort", sort::OPS),
    ("set", set::OPS),
    ("linalg", linalg::OPS),
    ("einsum", einsum::OPS),
    ("sampling", sampling::OPS),
    ("qdq", qdq::OPS),
    ("nn", nn::OPS),
    ("nn_conv", nn_conv::OPS),
    ("nn_pool", nn_pool::OPS),
    ("nn_norm", nn_norm::OPS),
    ("nn_attention", nn_attention::OPS),
    ("nn_loss", nn_loss::OPS),
    ("image", image::OPS),
    ("vision", vision::OPS),
    ("ccl", ccl::OPS),
    ("dist", dist::OPS),
    ("memory", memory::OPS),
    ("vm", vm::OPS),
    ("builtin", builtin::OPS),
    ("inspect", inspect::OPS),
    ("grad", grad::OPS),
    ("calls", calls::OPS),
    ("effects", effects::OPS),
    ("shape_of", shape_of::OPS),
    ("vdevice", vdevice::OPS),
];

/// One operator.
#[derive(Debug)]
pub struct OpDef {
    /// TVM's name: `relax.nn.conv2d`.
    pub name: &'static str,
    /// Other spellings after `R.`, in addition to the name without `relax.`.
    pub aliases: &'static [&'static str],
    pub params: &'static [Param],
    pub purity: Purity,
    pub releases: Releases,
    pub rule: Rule,
    /// How it handles distributed tensors; `None` if it does not accept them.
    pub sharding: Option<Sharding>,
    /// The equivalent function of TOPI.
    pub topi: Option<Topi>,
    /// Its names in NumPy, PyTorch, ONNX or TOPI.
    pub familiar: &'static [&'static str],
    /// Its rank by usage among the names under `R`.
    pub usage: u8,
    /// A description in one sentence.
    pub summary: &'static str,
    /// The shapes and dtypes of the operands and the result in one line: `x: (b, m, k) · w: (k, n) → (b, m, n)`.
    pub shapes: &'static str,
    pub example: &'static str,
    /// The file under `src/relax/op` with TVM's rule.
    pub source: &'static str,
}

/// How the StructInfo of a call is inferred.
#[derive(Clone, Copy, Debug)]
pub enum Rule {
    Infer(fn(&Call<'_>) -> Infer),
    /// The rule needs functions or annotations (`call_tir`, `call_packed`), and is in `infer`.
    Special,
}

/// Whether a pure function may call the operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purity {
    Pure,
    Impure,
    /// As pure as the called function.
    OfCallee,
}

/// One parameter of an operator, as the Python wrapper under `R` names it.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    pub name: &'static str,
    pub kind: Kind,
    pub default: Default,
    /// Takes the remaining positional arguments.
    pub star: bool,
    /// The forms in which it takes a number.
    pub numbers: Numbers,
    pub doc: &'static str,
}

impl Parameter for Param {
    fn name(&self) -> &str {
        self.name
    }

    fn takes(&self) -> Takes {
        if self.star { Takes::Rest } else { Takes::One }
    }

    fn is_required(&self) -> bool {
        self.default == Default::Required && !self.star
    }
}

/// The forms in which a parameter takes a number. Since TVM 0.26, all but the first mean [`Numbers::All`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// Attributes of the operator, which are known before run time.
    Constants,
    /// Constants, shape expressions, `R.prim_value`s and variables of Relax.
    All,
    /// No variables of Relax until 0.25.
    NoVariables,
    /// No shape expressions until 0.25.
    NoShapeExprs,
    /// Only integers and `R.prim_value`s until 0.25.
    PrimValues,
    /// Only `R.prim_value`s until 0.25, as an integer is not converted.
    PrimValuesOnly,
}

/// What a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Tensor,
    /// A tuple or a list of tensors.
    Tensors,
    /// A shape: `R.shape([...])`, a list or tuple of dimensions, or a variable.
    Shape,
    /// Any Relax expression.
    Expr,
    /// An integer constant or shape expression.
    Int,
    /// A list or tuple of integers. If `Int` is accepted too, a single integer is a list of one.
    Ints,
    Float,
    Bool,
    Str,
    DType,
    /// An annotation: `R.Tensor(...)`.
    Annotation,
    /// A function of the module, a local function or a packed function.
    Function,
    /// A virtual device.
    VDevice,
    /// Anything else.
    Any,
}

/// The default of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Default {
    Required,
    None,
    Bool(bool),
    Int(i64),
    Float(f64),
    Str(&'static str),
    Ints(&'static [i64]),
}

/// Returns a required parameter.
pub const fn req(name: &'static str, kind: Kind) -> Param {
    Param {
        name,
        kind,
        default: Default::Required,
        star: false,
        numbers: Numbers::Constants,
        doc: "",
    }
}

/// Returns a parameter with a default.
pub const fn opt(name: &'static str, kind: Kind, default: Default) -> Param {
    Param {
        name,
        kind,
        default,
        star: false,
        numbers: Numbers::Constants,
        doc: "",
    }
}

/// Returns a parameter that takes the remaining positional arguments.
pub const fn rest(name: &'static str, kind: Kind) -> Param {
    Param {
        name,
        kind,
        default: Default::None,
        star: true,
        numbers: Numbers::Constants,
        doc: "",
    }
}

impl Param {
    pub const fn doc(mut self, doc: &'static str) -> Param {
        self.doc = doc;
        self
    }

    pub const fn of_kind(mut self, kind: Kind) -> Param {
        self.kind = kind;
        self
    }

    pub const fn numbers(mut self, numbers: Numbers) -> Param {
        self.numbers = numbers;
        self
    }

    /// Takes numbers of all forms.
    pub const fn symbolic(self) -> Param {
        self.numbers(Numbers::All)
    }
}

impl OpDef {
    pub const fn new(
        name: &'static str,
        params: &'static [Param],
        rule: fn(&Call<'_>) -> Infer,
    ) -> OpDef {
        OpDef {
            name,
            aliases: &[],
            params,
            purity: Purity::Pure,
            releases: Releases::ALL,
            rule: Rule::Infer(rule),
            sharding: None,
            topi: None,
            familiar: &[],
            usage: RARELY_USED,
            summary: "",
            shapes: "",
            example: "",
            source: "",
        }
    }

    pub const fn special(name: &'static str, params: &'static [Param]) -> OpDef {
        OpDef {
            rule: Rule::Special,
            ..OpDef::new(name, params, |_| Err(Stop::Unknown))
        }
    }

    pub const fn doc(
        mut self,
        summary: &'static str,
        shapes: &'static str,
        example: &'static str,
    ) -> OpDef {
        self.summary = summary;
        self.shapes = shapes;
        self.example = example;
        self
    }

    pub const fn source(mut self, source: &'static str) -> OpDef {
        self.source = source;
        self
    }

    pub const fn aliases(mut self, aliases: &'static [&'static str]) -> OpDef {
        self.aliases = aliases;
        self
    }

    pub const fn purity(mut self, purity: Purity) -> OpDef {
        self.purity = purity;
        self
    }

    pub const fn releases(mut self, releases: Releases) -> OpDef {
        self.releases = releases;
        self
    }

    pub const fn sharding(mut self, sharding: Sharding) -> OpDef {
        self.sharding = Some(sharding);
        self
    }

    pub const fn topi(mut self, topi: Topi) -> OpDef {
        self.topi = Some(topi);
        self
    }

    pub const fn familiar(mut self, names: &'static [&'static str]) -> OpDef {
        self.familiar = names;
        self
    }

    /// Sets the rank by usage, counted in models and in TVM's tests.
    pub const fn usage(mut self, usage: u8) -> OpDef {
        self.usage = usage;
        self
    }

    /// Returns the spelling after `R.`.
    pub fn script(&self) -> &'static str {
        self.name.strip_prefix("relax.").unwrap_or(self.name)
    }

    pub fn param(&self, name: &str) -> Option<usize> {
        self.params.iter().position(|p| p.name == name)
    }
}

/// Returns every row, in the order of the families.
pub fn all() -> impl Iterator<Item = &'static OpDef> {
    FAMILIES.iter().flat_map(|(_, ops)| ops.iter())
}

/// Returns the families with their rows.
pub fn families() -> &'static [(&'static str, &'static [OpDef])] {
    FAMILIES
}

static BY_SCRIPT: LazyLock<FxHashMap<&'static str, Vec<&'static OpDef>>> = LazyLock::new(|| {
    let mut map: FxHashMap<&'static str, Vec<&'static OpDef>> = FxHashMap::default();
    for op in all() {
        for spelling in std::iter::once(op.script()).chain(op.aliases.iter().copied()) {
            map.entry(spelling).or_default().push(op);
        }
    }
    map
});

/// Operators with other names in the RFC of 2022.
const RFC_NAMES: &[(&str, &str)] = &[("dot", "matmul"), ("nn.matmul", "matmul")];

/// Returns the operator that a path in TVMScript names, in any release.
pub fn by_path(path: &ScriptPath) -> Option<&'static OpDef> {
    let is_relax = path.namespace == Namespace::Relax;
    is_relax.then(|| by_script(&path.rest, Release::NEWEST))?
}

/// Returns the operator written as `R.<spelling>`: the row for the release if there is one, otherwise any row.
pub fn by_script(spelling: &str, release: Release) -> Option<&'static OpDef> {
    let of_rfc = RFC_NAMES.iter().filter(|_| release == Release::Rfc);
    let renamed = of_rfc.copied().find(|(name, _)| *name == spelling);
    let rows = BY_SCRIPT.get(renamed.map_or(spelling, |(_, now)| now))?;
    rows.iter()
        .find(|op| op.releases.contains(release))
        .or(rows.first())
        .copied()
}

/// Returns the operator with TVM's name (`relax.add`).
pub fn by_name(name: &str, release: Release) -> Option<&'static OpDef> {
    by_script(name.strip_prefix("relax.").unwrap_or(name), release)
}

/// Returns the operator that was probably meant by an unknown spelling: the same name elsewhere, its name in other
/// libraries, or the most similar one.
pub fn nearest(spelling: &str) -> Option<&'static str> {
    let name = spelling.rsplit('.').next().unwrap_or(spelling);
    let elsewhere = || {
        let same = |known: &&&'static str| known.rsplit('.').next() == Some(name);
        BY_SCRIPT.keys().filter(same).min_by_key(|it| it.len())
    };
    let near = || nearest_in_table(spelling, BY_SCRIPT.keys().copied());
    elsewhere()
        .copied()
        .or_else(|| familiar::operator(name))
        .or_else(near)
}
