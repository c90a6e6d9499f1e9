//! Convolutions and transposed convolutions over one, two and three spatial axes.
//!
//! One rule for each direction; the number of spatial axes and the layouts are data.

use super::Default::{Int, Ints, None, Str};
use super::broadcast::{arith_dtype, joint_vdevice};
use super::layout::Layout;
use super::{At, Call, Default, Infer, Kind, OpDef, OpErrorKind, Param, Stop, opt, req};
use crate::dtype::DType;
use crate::release::{Release, Releases};
use crate::sinfo::{StructInfo, Tensor, VDevice};
use crate::sym::SymExpr;

const SOURCE: &str = "src/relax/op/nn/convolution.cc";

const DATA: Param = req("data", Kind::Tensor).doc("The input.");
const WEIGHT: Param = req("weight", Kind::Tensor).doc("The kernel.");

const fn strides(default: Default) -> Param {
    opt("strides", Kind::Ints, default).doc("The stride of the kernel along each spatial axis.")
}
const fn padding(default: Default) -> Param {
    opt("padding", Kind::Ints, default).doc(
        "Zero padding of the input: one number, one for each spatial axis, or all before and then all after.",
    )
}
const fn output_padding(default: Default) -> Param {
    opt("output_padding", Kind::Ints, default)
        .doc("Extra size on one side of the output; less than the stride.")
}
const fn dilation(default: Default) -> Param {
    opt("dilation", Kind::Ints, default).doc("The spacing between elements of the kernel.")
}
const GROUPS: Param = opt("groups", Kind::Int, Int(1))
    .doc("The number of groups of channels; each output channel depends on one group.");
const fn data_layout(default: &'static str) -> Param {
    opt("data_layout", Kind::Str, Str(default)).doc("The layout of the input.")
}
const fn kernel_layout(default: &'static str) -> Param {
    opt("kernel_layout", Kind::Str, Str(default)).doc("The layout of the kernel.")
}
const OUT_LAYOUT: Param = opt("out_layout", Kind::Str, None)
    .doc("The layout of the output; that of the input if absent.");
const OUT_DTYPE: Param = opt("out_dtype", Kind::DType, None)
    .doc("The dtype of the output; that of the input if absent.");

const fn conv(
    one: Default,
    zero: Default,
    data: &'static str,
    kernel: &'static str,
) -> [Param; 10] {
    [
        DATA,
        WEIGHT,
        strides(one),
        padding(zero),
        dilation(one),
        GROUPS,
        data_layout(data),
        kernel_layout(kernel),
        OUT_LAYOUT,
        OUT_DTYPE,
    ]
}

const fn transposed(
    one: Default,
    zero: Default,
    data: &'static str,
    kernel: &'static str,
) -> [Param; 11] {
    [
        DATA,
        WEIGHT,
        strides(one),
        padding(zero),
        output_padding(zero),
        dilation(one),
        GROUPS,
        data_layout(data),
        kernel_layout(kernel),
        OUT_LAYOUT,
        OUT_DTYPE,
    ]
}

static CONV1D: [Param; 10] = conv(Int(1), Int(0), "NCW", "OIW");
static CONV2D: [Param; 10] = conv(Ints(&[1, 1]), Ints(&[0, 0]), "NCHW", "OIHW");
static CONV3D: [Param; 10] = conv(Ints(&[1, 1, 1]), Ints(&[0, 0, 0]), "NCDHW", "OIDHW");
static CONV1D_TRANSPOSE: [Param; 11] = transposed(Int(1), Int(0), "NCW", "IOW");
static CONV2D_TRANSPOSE: [Param; 11] = transposed(Ints(&[1, 1]), Ints(&[0, 0]), "NCHW", "IOHW");
static CONV3D_TRANSPOSE: [Param; 11] =
    transposed(Ints(&[1, 1, 1]), Ints(&[0, 0, 0]), "NCDHW", "IODHW");

pub static OPS: &[OpDef] = &[
    OpDef::new("relax.nn.conv1d", &CONV1D, |c| infer_conv(c, 1))
        .doc(
            "Convolution over one spatial axis.",
            "data: (n, c, w) · weight: (o, c/groups, kw) → (n, o, (w + pad - dilation·(kw-1) - 1)//stride + 1)",
            "y = R.nn.conv1d(x, w, strides=1, padding=1)",
        )
        .source(SOURCE),
    OpDef::new("relax.nn.conv2d", &CONV2D, |c| infer_conv(c, 2))
        .doc(
            "Convolution over two spatial axes.",
            "data: (n, c, h, w) · weight: (o, c/groups, kh, kw) → (n, o, h', w')",
            "y = R.nn.conv2d(x, w, strides=[1, 1], padding=[1, 1])",
        )
        .source(SOURCE)
    .usage(8),
    OpDef::new("relax.nn.conv3d", &CONV3D, |c| infer_conv(c, 3))
        .doc(
            "Convolution over three spatial axes.",
            "data: (n, c, d, h, w) · weight: (o, c/groups, kd, kh, kw) → (n, o, d', h', w')",
            "y = R.nn.conv3d(x, w, padding=1)",
        )
        .source(SOURCE),
    OpDef::new("relax.nn.conv1d_transpose", &CONV1D_TRANSPOSE, |c| infer_transposed(c, 1))
        .doc(
            "Transposed convolution over one spatial axis.",
            "data: (n, c, w) · weight: (c, o/groups, kw) → (n, o, (w-1)·stride - pad + dilation·(kw-1) + output_padding + 1)",
            "y = R.nn.conv1d_transpose(x, w, strides=2)",
        )
        .source(SOURCE),
    OpDef::new("relax.nn.conv2d_transpose", &CONV2D_TRANSPOSE, |c| infer_transposed(c, 2))
        .doc(
            "Transposed convolution over two spatial axes.",
            "data: (n, c, h, w) · weight: (c, o/groups, kh, kw) → (n, o, h', w')",
            "y = R.nn.conv2d_transpose(x, w, strides=[2, 2])",
        )
        .source(SOURCE),
    OpDef::new("relax.nn.conv3d_transpose", &CONV3D_TRANSPOSE, |c| infer_transposed(c, 3))
        .releases(Releases::since(Release::V0_24))
        .doc(
            "Transposed convolution over three spatial axes.",
            "data: (n, c, d, h, w) · weight: (c, o/groups, kd, kh, kw) → (n, o, d', h', w')",
            "y = R.nn.conv3d_transpose(x, w, strides=2)",
        )
        .source(SOURCE),
];

/// Returns the canonical layout of data with `spatial` spatial axes.
pub(super) fn canonical(batch: &str, spatial: usize) -> Result<Layout, Stop> {
    let axes = match spatial {
        1 => "W",
        2 => "HW",
        _ => "DHW",
    };
    Layout::parse(&format!("{batch}{axes}")).map_err(|_| Stop::Unknown)
}

/// The arguments of a call, for both directions.
struct Read {
    data: Tensor,
    weight: Tensor,
    strides: Vec<i64>,
    padding: Vec<(i64, i64)>,
    output_padding: Vec<i64>,
    dilation: Vec<i64>,
    groups: SymExpr,
    at: Slots,
    layouts: Layouts,
    out_dtype: Option<DType>,
    vdevice: Option<VDevice>,
}

/// The indices of the parameters after `padding`.
struct Slots {
    groups: usize,
    output_padding: usize,
}

struct Layouts {
    data: Layout,
    kernel: Layout,
    out: Layout,
    /// `NCHW` or similar.
    canonical: Layout,
    canonical_kernel: Layout,
}

/// Shapes in canonical layouts.
struct Shapes {
    data: Vec<SymExpr>,
    weight: Vec<SymExpr>,
}

impl Read {
    fn new(c: &Call<'_>, spatial: usize, transposed: bool) -> Result<Read, Stop> {
        let shift = usize::from(transposed);
        let (data, weight) = (c.tensor(0)?, c.tensor(1)?);
        let strides = c.ints_of(2, spatial)?;
        let padding = c.padding(3, spatial)?;
        let output_padding = if transposed {
            c.ints_of(4, spatial)?
        } else {
            Vec::new()
        };
        let dilation = c.ints_of(4 + shift, spatial)?;
        let groups = c.positive(5 + shift)?;
        if let Some(stride) = strides.iter().find(|s| **s <= 0) {
            return Err(c.error(
                OpErrorKind::Value,
                At::param(2),
                format!("a stride must be positive, but is `{stride}`"),
            ));
        }
        let canonical_data = canonical("NC", spatial)?;
        let canonical_kernel = canonical(if transposed { "IO" } else { "OI" }, spatial)?;
        let data_layout = c.layout(6 + shift, &canonical_data, "data")?;
        let kernel = c.layout(7 + shift, &canonical_kernel, "weight")?;
        let out = if c.is_given(8 + shift) {
            c.layout(8 + shift, &canonical_data, "data")?
        } else {
            data_layout.clone()
        };
        let out_dtype = match c.dtype(9 + shift)? {
            Some(dtype) => Some(dtype),
            Option::None => arith_dtype(c, 0, data.dtype, 1, weight.dtype)?,
        };
        let vdevice = joint_vdevice(c, 0, &data.clone().into(), 1, &weight.clone().into())?;
        Ok(Read {
            data,
            weight,
            strides,
            padding,
            output_padding,
            dilation,
            groups: SymExpr::int(groups),
            at: Slots {
                groups: 5 + shift,
                output_padding: 4,
            },
            layouts: Layouts {
                data: data_layout,
                kernel,
                out,
                canonical: canonical_data,
                canonical_kernel,
            },
            out_dtype,
            vdevice,
        })
    }

    /// Returns both shapes if both are explicit.
    fn shapes(&self, c: &Call<'_>) -> Result<Option<Shapes>, Stop> {
        let l = &self.layouts;
        let data = c.dims_in(0, &self.data, &l.data)?;
        let weight = c.dims_in(1, &self.weight, &l.kernel)?;
        let (Some(data), Some(weight)) = (data, weight) else {
            return Ok(Option::None);
        };
        Ok(Some(Shapes {
            data: c.in_layout(0, data, &l.data, &l.canonical)?,
            weight: c.in_layout(1, weight, &l.kernel, &l.canonical_kernel)?,
        }))
    }

    fn channels(&self) -> At {
        place(0, &self.layouts.data, 'C')
    }

    fn kernel(&self, axis: char) -> At {
        place(1, &self.layouts.kernel, axis)
    }

    /// Returns a result with only its rank known.
    fn unknown(self) -> StructInfo {
        Tensor::of_ndim(Some(self.layouts.out.ndim()), self.out_dtype)
            .with_vdevice(self.vdevice)
            .into()
    }

    /// Returns a result with `dims` in the canonical layout.
    fn with_dims(self, c: &Call<'_>, dims: &[SymExpr]) -> Infer {
        let out = c.in_layout(0, dims, &self.layouts.canonical, &self.layouts.out)?;
        Ok(Tensor::new(out, self.out_dtype)
            .with_vdevice(self.vdevice)
            .into())
    }
}

fn place(param: usize, layout: &Layout, axis: char) -> At {
    At {
        dim: layout.position(axis),
        ..At::param(param)
    }
}

fn infer_conv(c: &Call<'_>, spatial: usize) -> Infer {
    let read = Read::new(c, spatial, false)?;
    let Some(Shapes { data, weight }) = read.shapes(c)? else {
        return Ok(read.unknown());
    };
    let (channels, inputs, outputs) = (&data[1], &weight[1], &weight[0]);
    let taken = inputs.mul(&read.groups);
    if c.differ(channels, &taken) {
        let groups = match read.groups.as_int() {
            Some(1) => String::new(),
            _ => format!(" (`{inputs}` for each of {} groups)", read.groups),
        };
        let error = c.error_with(
            OpErrorKind::Shape,
            read.channels(),
            format!("`data` has `{channels}` channels, but `weight` takes `{taken}`{groups}"),
            read.kernel('I'),
            format!("`{inputs}` input channels here"),
        );
        return Err(error.between(channels, taken));
    }
    if c.indivisible(outputs, &read.groups) {
        return Err(not_in_groups(c, &read, outputs, 'O', "output"));
    }
    let mut out = vec![data[0].clone(), outputs.clone()];
    for axis in 0..spatial {
        out.push(window(
            &data[axis + 2],
            &weight[axis + 2],
            read.padding[axis],
            read.strides[axis],
            read.dilation[axis],
        ));
    }
    read.with_dims(c, &out)
}

fn not_in_groups(c: &Call<'_>, read: &Read, channels: &SymExpr, axis: char, which: &str) -> Stop {
    c.error_with(
        OpErrorKind::Shape,
        read.kernel(axis),
        format!(
            "the number of {which} channels, `{channels}`, is not divisible by the number of groups, {}",
            read.groups
        ),
        At::param(read.at.groups),
        "the number of groups",
    )
}

/// Returns `(input + padding - dilation * (kernel - 1) - 1) // stride + 1`.
pub(super) fn window(
    input: &SymExpr,
    kernel: &SymExpr,
    (before, after): (i64, i64),
    stride: i64,
    dilation: i64,
) -> SymExpr {
    reach(input, kernel, (before, after), dilation)
        .floordiv(&SymExpr::int(stride))
        .add(&SymExpr::int(1))
}

/// Returns how far the window can move: `input + padding - dilation * (kernel - 1) - 1`.
pub(super) fn reach(
    input: &SymExpr,
    kernel: &SymExpr,
    (before, after): (i64, i64),
    dilation: i64,
) -> SymExpr {
    let one = SymExpr::int(1);
    input
        .add(&SymExpr::int(before.saturating_add(after)))
        .sub(&SymExpr::int(dilation).mul(&kernel.sub(&one)))
        .sub(&one)
}

fn infer_transposed(c: &Call<'_>, spatial: usize) -> Infer {
    let read = Read::new(c, spatial, true)?;
    let Some(Shapes { data, weight }) = read.shapes(c)? else {
        return Ok(read.unknown());
    };
    let (channels, inputs) = (&data[1], &weight[0]);
    if c.differ(channels, inputs) {
        let error = c.error_with(
            OpErrorKind::Shape,
            read.channels(),
            format!("`data` has `{channels}` channels, but `weight` takes `{inputs}`"),
            read.kernel('I'),
            format!("`{inputs}` input channels here"),
        );
        return Err(error.between(channels, inputs));
    }
    if c.indivisible(inputs, &read.groups) {
        return Err(not_in_groups(c, &read, inputs, 'I', "input"));
    }
    for (extra, stride) in read.output_padding.iter().zip(&read.strides) {
        if extra >= stride {
            return Err(c.error_with(
                OpErrorKind::Value,
                At::param(read.at.output_padding),
                format!("`output_padding` must be less than the stride, but `{extra}` is not less than `{stride}`"),
                At::param(2),
                format!("a stride of `{stride}`"),
            ));
        }
    }
    let one = SymExpr::int(1);
    let mut out = vec![data[0].clone(), weight[1].mul(&read.groups)];
    for axis in 0..spatial {
        let (before, after) = read.padding[axis];
        let kernel = SymExpr::int(read.dilation[axis]).mul(&weight[axis + 2].sub(&one));
        out.push(
            data[axis + 2]
                .sub(&one)
                .mul(&SymExpr::int(read.strides[axis]))
                .sub(&SymExpr::int(before.saturating_add(after)))
                .add(&kernel)
                .add(&SymExpr::int(read.output_padding[axis].saturating_add(1))),
        );
    }
    read.with_dims(c, &out)
}
