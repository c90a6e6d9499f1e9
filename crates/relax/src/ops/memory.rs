//! Explicit memory before the vm: storage, tensors in storage, views.

use super::Default::{Int, None};
use super::{
    At, Call, Infer, Kind, Numbers, OpDef, OpErrorKind, Param, Purity, Stop, opt, req, tuple,
};
use crate::dialect::Dialect;
use crate::dtype::DType;
use crate::release::{Release, Releases};
use crate::sinfo::{Shape, StructInfo, Tensor, TensorShape};
use crate::sym::SymExpr;
use crate::value::Value;

const SOURCE: &str = "src/relax/op/op.cc";
const VIEW: &str = "src/relax/op/memory/view.cc";

pub(super) const STORAGE: Param =
    req("storage", Kind::Expr).doc("The storage that contains the tensor.");
pub(super) const OFFSET: Param =
    req("offset", Kind::Int).doc("The offset of the tensor in the storage, in bytes.");
pub(super) const SHAPE: Param = req("shape", Kind::Shape).doc("The shape of the tensor.");
pub(super) const DTYPE: Param = req("dtype", Kind::DType).doc("The dtype of the tensor.");
pub(super) const DEVICE: Param = opt("runtime_device_ind", Kind::Int, Int(0))
    .numbers(Numbers::PrimValuesOnly)
    .doc("The device of the tensor; -1 is the host.");

pub(super) const ALLOC_TENSOR: &[Param] = &[STORAGE, OFFSET, SHAPE, DTYPE];
pub(super) const ALLOC_TENSOR_ON: &[Param] = &[
    STORAGE,
    OFFSET.numbers(Numbers::PrimValues),
    SHAPE,
    DTYPE,
    DEVICE,
];
/// Until February 2023 the shape came before the offset (tlc-pack/relax#420).
const ALLOC_TENSOR_BEFORE: &[Param] = &[
    STORAGE,
    OFFSET.of_kind(Kind::Any),
    SHAPE.of_kind(Kind::Any),
    DTYPE,
];
pub(super) const ALLOC_TENSOR_SUMMARY: &str = "Allocates a tensor in an existing storage.";

pub static OPS: &[OpDef] = &[
    OpDef::new(
        "relax.memory.alloc_storage",
        &[
            req("size", Kind::Shape).doc("The number of bytes, as a shape of one dimension."),
            req("virtual_device_index", Kind::Int)
                .numbers(Numbers::PrimValues)
                .doc("The device; -1 is the host."),
            req("storage_scope", Kind::Str).doc("The kind of memory: `global`."),
            req("dtype", Kind::DType).doc("The dtype of the elements."),
        ],
        storage,
    )
    .doc(
        "Allocates storage for tensors.",
        "size: (bytes,) → Object",
        "s = R.memory.alloc_storage(R.shape([64]), 0, \"global\", \"float32\")",
    )
    .source(SOURCE),
    OpDef::new(
        "relax.memory.alloc_tensor",
        ALLOC_TENSOR_BEFORE,
        alloc_tensor_before,
    )
    .releases(Releases::until(Release::Unity))
    .doc(
        ALLOC_TENSOR_SUMMARY,
        "storage: Object · shape: S → S",
        "x = R.memory.alloc_tensor(s, 0, R.shape([4, 4]), \"float32\")",
    )
    .source(SOURCE),
    OpDef::new("relax.memory.alloc_tensor", ALLOC_TENSOR, alloc_tensor)
        .releases(Releases::between(Release::V0_16, Release::V0_22))
        .doc(
            ALLOC_TENSOR_SUMMARY,
            "storage: Object · shape: S → S",
            "x = R.memory.alloc_tensor(s, 0, R.shape([4, 4]), \"float32\")",
        )
        .source(SOURCE),
    OpDef::new("relax.memory.alloc_tensor", ALLOC_TENSOR_ON, alloc_tensor)
        .releases(Releases::since(Release::V0_23))
        .doc(
            ALLOC_TENSOR_SUMMARY,
            "storage: Object · shape: S → S",
            "x = R.memory.alloc_tensor(s, 0, R.shape([4, 4]), \"float32\")",
        )
        .source(SOURCE),
    OpDef::new(
        "relax.memory.kill_storage",
        &[req("storage", Kind::Expr).doc("The storage.")],
        void,
    )
    .purity(Purity::Impure)
    .doc(
        "Marks the end of a storage's life.",
        "storage: Object → ()",
        "R.memory.kill_storage(s)",
    )
    .source(SOURCE),
    OpDef::new(
        "relax.memory.kill_tensor",
        &[req("tensor", Kind::Expr).doc("The tensor.")],
        void,
    )
    .purity(Purity::Impure)
    .doc(
        "Marks the end of a tensor's life.",
        "tensor: S → ()",
        "R.memory.kill_tensor(x)",
    )
    .source(SOURCE),
    OpDef::new(
        "relax.memory.view",
        &[
            req("data", Kind::Tensor).doc("The tensor whose memory is viewed."),
            opt("shape", Kind::Shape, None).doc("The shape of the view; unchanged if absent."),
            opt("dtype", Kind::DType, None).doc("The dtype of the view; unchanged if absent."),
            opt("relative_byte_offset", Kind::Int, None)
                .symbolic()
                .doc("The offset of the view from the start of `data`, in bytes."),
        ],
        view,
    )
    .releases(Releases::since(Release::V0_17))
    .doc(
        "The memory of a tensor under another shape or dtype.",
        "data: S → shape, of no more bytes",
        "y = R.memory.view(x, R.shape([16]))",
    )
    .source(VIEW),
    OpDef::new(
        "relax.memory.ensure_zero_offset",
        &[req("data", Kind::Expr).doc("The tensor.")],
        |c| c.sinfo(0),
    )
    .releases(Releases::since(Release::V0_18))
    .doc(
        "The tensor itself, or a copy with offset zero.",
        "data: S → S",
        "y = R.memory.ensure_zero_offset(x)",
    )
    .source(VIEW),
];

#[expect(clippy::unnecessary_wraps, reason = "the form of every rule")]
pub(super) fn object(_: &Call<'_>) -> Infer {
    Ok(StructInfo::Object)
}

/// Returns a storage, after checking its dtype.
pub(super) fn storage(c: &Call<'_>) -> Infer {
    let dtype = c.op.params.iter().position(|it| it.kind == Kind::DType);
    dtype.map_or(Ok(Option::None), |at| dtype_of(c, at))?;
    Ok(StructInfo::Object)
}

#[expect(clippy::unnecessary_wraps, reason = "the form of every rule")]
pub(super) fn void(_: &Call<'_>) -> Infer {
    Ok(tuple(Vec::new()))
}

/// Returns an explicit dtype, or `None` if an expression computes it.
pub(super) fn dtype_of(c: &Call<'_>, i: usize) -> Result<Option<DType>, Stop> {
    match c.value(i) {
        Value::Expr(sinfo) if !sinfo.is_unknown() => Ok(Option::None),
        _ => c.dtype(i),
    }
}

fn alloc_tensor(c: &Call<'_>) -> Infer {
    if matches!(c.value(2), Value::List(_)) && c.release.dialect() != Dialect::Rfc {
        return Err(c.wrong_kind(2, "a Shape, `R.shape([...])`"));
    }
    Ok(StructInfo::Tensor(Tensor {
        shape: c.target_shape(2)?,
        dtype: dtype_of(c, 3)?,
        vdevice: Option::None,
    }))
}

/// Returns the tensor, wherever its shape stands.
fn alloc_tensor_before(c: &Call<'_>) -> Infer {
    let is_shape = matches!(c.value(1), Value::List(_) | Value::ShapeVar { .. })
        || matches!(c.value(1).struct_info(), Some(StructInfo::Shape(_)));
    Ok(StructInfo::Tensor(Tensor {
        shape: c.target_shape(if is_shape { 1 } else { 2 })?,
        dtype: dtype_of(c, 3)?,
        vdevice: Option::None,
    }))
}

/// The operands of a view.
struct View {
    data: Tensor,
    /// The new shape, if one is given.
    shape: Option<Shape>,
    /// `true` if a dtype is given, even if it is unknown.
    retyped: bool,
    dtype: Option<DType>,
    /// The offset, if it is known.
    offset: Option<SymExpr>,
}

fn is_void(value: &Value) -> bool {
    match value {
        Value::None => true,
        Value::Expr(StructInfo::Tuple(fields)) => fields.is_empty(),
        _ => false,
    }
}

impl View {
    fn read(c: &Call<'_>) -> Result<View, Stop> {
        let data = c.tensor(0)?;
        let shape = if is_void(&c.value(1)) {
            Option::None
        } else {
            Some(c.shape(1)?)
        };
        let retyped = !is_void(&c.value(2));
        if c.release.dialect() >= Dialect::Type
            && matches!(c.value(2), Value::DType(text) | Value::Str(text) if text.is_empty() || text == "void")
        {
            let message = "a view needs a dtype: leave `dtype` out to keep that of `data`";
            return Err(c.error(OpErrorKind::DType, At::param(2), message));
        }
        let dtype = if retyped { dtype_of(c, 2)? } else { data.dtype };
        let offset = match c.value(3) {
            value if is_void(&value) => Some(SymExpr::int(0)),
            value => {
                let prim = c.prim(3)?;
                if let Some(dtype) = prim.dtype
                    && dtype != DType::I64
                {
                    return Err(c.error(
                        OpErrorKind::DType,
                        At::param(3),
                        format!("`relative_byte_offset` must be `int64`, but is `{dtype}`"),
                    ));
                }
                value.sym()
            }
        };
        Ok(View {
            data,
            shape,
            retyped,
            dtype,
            offset,
        })
    }

    /// Returns the parameter by which the view provably exceeds the tensor, with an explanation. Depending on what is
    /// known, compares bytes, the width of an element, or the number of elements.
    fn overrun(&self, c: &Call<'_>, shape: &TensorShape) -> Option<(usize, String)> {
        let before = self.data.dims().map(elements);
        let after = shape.dims().map(elements);
        let zero = SymExpr::int(0);
        if let (Some(before), Some(after), Some(old), Some(new)) =
            (&before, &after, self.data.dtype, self.dtype)
        {
            let size = before.mul(&bytes(old));
            let offset = self.offset.as_ref().unwrap_or(&zero);
            let end = after.mul(&bytes(new)).add(offset);
            let at = match (&self.shape, self.retyped) {
                (Some(_), _) => 1,
                (Option::None, true) => 2,
                (Option::None, false) => 3,
            };
            let message = format!("the view ends at byte `{end}`, but `data` has `{size}` bytes");
            return c.cx.less(&size, &end).is_yes().then_some((at, message));
        }
        // Since 0.26, TVM does not detect here that the dtype stays the same.
        if c.release.dialect() >= Dialect::Type && self.shape.is_none() && !self.retyped {
            return self.moved();
        }
        if let (Some(old), Some(new), Option::None) = (self.data.dtype, self.dtype, &self.shape) {
            let message = format!("an element of `{new}` takes more bytes than one of `{old}`");
            return (new.bytes() > old.bytes()).then_some((2, message));
        }
        if let (Some(before), Some(after), false) = (&before, &after, self.retyped) {
            let message = format!("the view has `{after}` elements, but `data` has `{before}`");
            return c.cx.less(before, after).is_yes().then_some((1, message));
        }
        self.moved()
    }

    /// Checks a view with the same number of elements and dtype at another offset.
    fn moved(&self) -> Option<(usize, String)> {
        let offset = self.offset.as_ref()?;
        let is_later = offset.as_int().is_some_and(|it| it > 0);
        let message = format!("a view of all of `data` cannot begin at byte `{offset}`");
        (self.shape.is_none() && !self.retyped && is_later).then_some((3, message))
    }

    /// Returns the shape of the view as far as it is known.
    fn target(&self) -> TensorShape {
        match &self.shape {
            Some(Shape::Known(dims)) => TensorShape::Known(dims.clone()),
            Some(Shape::Unknown(ndim)) => TensorShape::Unknown(*ndim),
            Option::None => match self.data.dims() {
                Some(dims) => TensorShape::Known(dims.into()),
                Option::None => TensorShape::Unknown(self.data.ndim()),
            },
        }
    }
}

fn elements(dims: &[SymExpr]) -> SymExpr {
    SymExpr::product(dims)
}

fn bytes(dtype: DType) -> SymExpr {
    SymExpr::int(dtype.bytes() as i64)
}

fn view(c: &Call<'_>) -> Infer {
    let view = View::read(c)?;
    let shape = view.target();
    if let Some((at, message)) = view.overrun(c, &shape) {
        return Err(c.error_with(
            OpErrorKind::Shape,
            At::param(at),
            message,
            At::param(0),
            "the tensor that is viewed",
        ));
    }
    Ok(StructInfo::Tensor(Tensor {
        shape,
        dtype: view.dtype,
        vdevice: view.data.vdevice,
    }))
}
