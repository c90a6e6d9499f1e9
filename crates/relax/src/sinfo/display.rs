//! Formats StructInfo: as TVMScript of each dialect, and in a short form.

use std::fmt::{self, Display, Formatter, Write as _};

use crate::dialect::Dialect;
use crate::dtype::DType;
use crate::sinfo::{Callable, DTensor, Prim, Shape, StructInfo, Tensor, TensorShape, VDevice};
use crate::sym::SymExpr;

/// StructInfo as a dialect writes it.
pub struct Script<'a> {
    sinfo: &'a StructInfo,
    dialect: Dialect,
    names: Names<'a>,
}

/// The file's names for namespaces, and the virtual devices that its module lists.
#[derive(Clone, Copy, Debug)]
pub struct Names<'a> {
    pub relax: &'a str,
    pub tir: &'a str,
    pub devices: &'a [VDevice],
}

impl Default for Names<'_> {
    fn default() -> Self {
        Names {
            relax: "R",
            tir: "T",
            devices: &[],
        }
    }
}

/// StructInfo in short form: `Tensor((n, 4), float32)`.
pub struct Brief<'a>(Part<'a>);

enum Part<'a> {
    Whole(&'a StructInfo),
    Shape(&'a TensorShape),
}

/// The maximum length of a type in a message, in bytes. Longer types are truncated.
const LONGEST: usize = 500;

/// A text that is truncated after some bytes, and then ends in [`CUT`].
pub struct Shortened<T> {
    text: T,
    most: usize,
}

/// The end of a truncated text.
pub const CUT: char = '…';

/// A type in a message.
pub type Quoted<T> = Shortened<T>;

fn in_message<T>(text: T) -> Quoted<T> {
    Shortened {
        text,
        most: LONGEST,
    }
}

/// A writer that fails after the given number of bytes.
struct Cut<'a, 'f> {
    to: &'a mut Formatter<'f>,
    left: usize,
}

impl fmt::Write for Cut<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let fits = text.floor_char_boundary(self.left);
        self.to.write_str(&text[..fits])?;
        self.left -= fits;
        if fits < text.len() {
            self.left = 0;
            return Err(fmt::Error);
        }
        Ok(())
    }
}

impl<T> Shortened<T> {
    pub(super) fn new(text: T, most: usize) -> Shortened<T> {
        Shortened { text, most }
    }
}

impl<T: Display> Display for Shortened<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut cut = Cut {
            to: f,
            left: self.most,
        };
        match write!(cut, "{}", self.text) {
            Err(fmt::Error) if cut.left == 0 => f.write_char(CUT),
            written => written,
        }
    }
}

impl StructInfo {
    /// Formats in `dialect`. Unknown is written as `?`.
    pub fn display(&self, dialect: Dialect) -> Script<'_> {
        self.written(dialect, Names::default())
    }

    /// Formats in `dialect` with the given names.
    pub fn written<'a>(&'a self, dialect: Dialect, names: Names<'a>) -> Script<'a> {
        Script {
            sinfo: self,
            dialect,
            names,
        }
    }

    /// Formats in `dialect` for a message.
    pub fn quoted(&self, dialect: Dialect) -> Quoted<Script<'_>> {
        in_message(self.display(dialect))
    }

    /// Formats in short form, for hovers and inlay hints.
    pub fn brief(&self) -> Brief<'_> {
        Brief(Part::Whole(self))
    }

    /// Formats in short form, for a line of text.
    pub fn quoted_brief(&self) -> Quoted<Brief<'_>> {
        in_message(self.brief())
    }
}

impl Script<'_> {
    /// Truncates after `most` bytes.
    pub fn within(self, most: usize) -> Shortened<Self> {
        Shortened { text: self, most }
    }
}

impl<'a> Brief<'a> {
    pub(super) fn shape(shape: &'a TensorShape) -> Brief<'a> {
        Brief(Part::Shape(shape))
    }
}

impl Display for VDevice {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.target, self.index, self.scope)
    }
}

/// Formats dimensions as a Python tuple.
fn tuple(f: &mut Formatter<'_>, dims: &[SymExpr], tir: Option<&str>) -> fmt::Result {
    f.write_str("(")?;
    separated(f, dims, |f, dim| write!(f, "{}", dim.written(tir)))?;
    f.write_str(if dims.len() == 1 { ",)" } else { ")" })
}

pub(super) fn separated<T>(
    f: &mut Formatter<'_>,
    items: &[T],
    mut write: impl FnMut(&mut Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            f.write_str(", ")?;
        }
        write(f, item)?;
    }
    Ok(())
}

/// Formats arguments in parentheses, or nothing if there are none.
fn arguments(f: &mut Formatter<'_>, args: &[String]) -> fmt::Result {
    if args.is_empty() {
        return Ok(());
    }
    write!(f, "({})", args.join(", "))
}

/// Formats with a function.
struct With<F>(F);

impl<F: Fn(&mut Formatter<'_>) -> fmt::Result> Display for With<F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        (self.0)(f)
    }
}

fn tuple_text(dims: &[SymExpr], tir: Option<&str>) -> String {
    With(|f: &mut Formatter<'_>| tuple(f, dims, tir)).to_string()
}

impl Display for Script<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let rfc = self.dialect == Dialect::Rfc;
        if self.sinfo.is_unknown() {
            return f.write_str("?");
        }
        write!(f, "{}.", self.names.relax)?;
        match self.sinfo {
            StructInfo::Unknown => Ok(()),
            // No dialect has a name for strings.
            StructInfo::Object | StructInfo::String => f.write_str(match self.dialect {
                Dialect::Type => "Any",
                _ => "Object",
            }),
            StructInfo::Prim(prim) => script_prim(f, prim, self.dialect, &self.names),
            StructInfo::Shape(shape) => script_shape(f, shape, rfc, &self.names),
            StructInfo::Tensor(tensor) if rfc => rfc_tensor(f, tensor, &self.names),
            StructInfo::Tensor(tensor) => script_tensor(f, tensor, &self.names),
            StructInfo::DTensor(dtensor) => script_dtensor(f, dtensor, &self.names),
            StructInfo::Tuple(fields) if fields.is_empty() => f.write_str("Tuple"),
            StructInfo::Tuple(fields) => {
                f.write_str(if rfc { "Tuple[" } else { "Tuple(" })?;
                self.list(f, fields)?;
                f.write_str(if rfc { "]" } else { ")" })
            }
            StructInfo::Callable(callable) => self.callable(f, callable),
        }
    }
}

impl Script<'_> {
    fn part<'b>(&'b self, sinfo: &'b StructInfo) -> Script<'b> {
        sinfo.written(self.dialect, self.names)
    }

    fn list(&self, f: &mut Formatter<'_>, items: &[StructInfo]) -> fmt::Result {
        separated(f, items, |f, item| self.part(item).fmt(f))
    }

    fn callable(&self, f: &mut Formatter<'_>, callable: &Callable) -> fmt::Result {
        f.write_str("Callable")?;
        let Some(params) = &callable.params else {
            let mut args = Vec::new();
            if callable.ret != StructInfo::Object {
                args.push(format!("ret={}", self.part(&callable.ret)));
            }
            if callable.pure {
                args.push("purity=True".to_owned());
            }
            return arguments(f, &args);
        };
        let rfc = self.dialect == Dialect::Rfc;
        f.write_str(if rfc { "[(" } else { "((" })?;
        self.list(f, params)?;
        f.write_str(if params.len() == 1 { ",), " } else { "), " })?;
        self.part(&callable.ret).fmt(f)?;
        if rfc {
            return f.write_str("]");
        }
        f.write_str(if callable.pure { ", True)" } else { ", False)" })
    }
}

fn script_prim(
    f: &mut Formatter<'_>,
    prim: &Prim,
    dialect: Dialect,
    names: &Names<'_>,
) -> fmt::Result {
    match (prim.dtype, &prim.value, dialect) {
        // Only the StructInfo dialect has values.
        (_, Some(value), Dialect::StructInfo) => {
            let value = value.written(Some(names.tir));
            write!(f, "Prim(value={value})")
        }
        (Some(dtype), ..) => write!(f, "Prim(\"{dtype}\")"),
        (None, ..) => f.write_str("Prim"),
    }
}

fn script_shape(f: &mut Formatter<'_>, shape: &Shape, rfc: bool, names: &Names<'_>) -> fmt::Result {
    match shape {
        Shape::Known(dims) if rfc => {
            write!(f, "Shape[{}]", tuple_text(dims, Some(names.tir)))
        }
        Shape::Known(dims) => {
            f.write_str("Shape([")?;
            separated(f, dims, |f, dim| {
                write!(f, "{}", dim.written(Some(names.tir)))
            })?;
            f.write_str("])")
        }
        Shape::Unknown(_) if rfc => f.write_str("Shape"),
        Shape::Unknown(Some(ndim)) => write!(f, "Shape(ndim={ndim})"),
        Shape::Unknown(None) => f.write_str("Shape(ndim=-1)"),
    }
}

/// Formats a dtype as a string, unless only Python knows it.
fn quoted(dtype: DType) -> String {
    if dtype.is_python() {
        dtype.to_string()
    } else {
        format!("\"{dtype}\"")
    }
}

/// Returns the arguments of `R.Tensor` except the virtual device.
fn tensor_args(tensor: &Tensor, names: &Names<'_>) -> Vec<String> {
    let mut args: Vec<String> = shape_arg(&tensor.shape, Some(names.tir))
        .into_iter()
        .collect();
    if let Some(dtype) = tensor.dtype {
        args.push(format!("dtype={}", quoted(dtype)));
    }
    if let TensorShape::Unknown(Some(ndim)) = tensor.shape {
        args.push(format!("ndim={ndim}"));
    }
    args
}

fn shape_arg(shape: &TensorShape, tir: Option<&str>) -> Option<String> {
    match shape {
        TensorShape::Known(dims) => Some(tuple_text(dims, tir)),
        TensorShape::Var { name, .. } => Some(name.to_string()),
        TensorShape::Unknown(_) => None,
    }
}

fn script_tensor(f: &mut Formatter<'_>, tensor: &Tensor, names: &Names<'_>) -> fmt::Result {
    let mut args = tensor_args(tensor, names);
    if let Some(vdevice) = &tensor.vdevice {
        args.push(format!("vdevice=\"{}\"", vdevice.among(names.devices)));
    }
    f.write_str("Tensor")?;
    arguments(f, &args)
}

fn rfc_tensor(f: &mut Formatter<'_>, tensor: &Tensor, names: &Names<'_>) -> fmt::Result {
    let shape = shape_arg(&tensor.shape, Some(names.tir));
    if shape.is_none() && tensor.dtype.is_none() {
        return f.write_str("Tensor");
    }
    write!(f, "Tensor[{}, ", shape.as_deref().unwrap_or("_"))?;
    match tensor.dtype {
        Some(dtype) => write!(f, "{}]", quoted(dtype)),
        None => f.write_str("_]"),
    }
}

fn script_dtensor(f: &mut Formatter<'_>, dtensor: &DTensor, names: &Names<'_>) -> fmt::Result {
    let placement = dtensor.placement.join(", ");
    f.write_str("DTensor")?;
    let tensor = &dtensor.tensor;
    if let (Some(shape), Some(dtype)) = (shape_arg(&tensor.shape, Some(names.tir)), tensor.dtype) {
        return write!(
            f,
            "({shape}, {}, \"{}\", \"{placement}\")",
            quoted(dtype),
            dtensor.mesh
        );
    }
    let mut args = tensor_args(tensor, names);
    let at = args.len() - usize::from(matches!(tensor.shape, TensorShape::Unknown(Some(_))));
    args.insert(at, format!("placement=\"{placement}\""));
    args.insert(at, format!("device_mesh=\"{}\"", dtensor.mesh));
    arguments(f, &args)
}

impl Display for Brief<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Part::Whole(sinfo) => brief(f, sinfo),
            Part::Shape(shape) => match brief_shape(shape) {
                Some(text) => f.write_str(&text),
                None => f.write_str("an unknown shape"),
            },
        }
    }
}

fn brief_shape(shape: &TensorShape) -> Option<String> {
    match shape {
        TensorShape::Unknown(Some(ndim)) => Some(format!("ndim={ndim}")),
        known => shape_arg(known, None),
    }
}

fn brief_tensor(tensor: &Tensor) -> Vec<String> {
    let mut args: Vec<String> = brief_shape(&tensor.shape).into_iter().collect();
    args.extend(tensor.dtype.map(|d| d.to_string()));
    args.extend(tensor.vdevice.as_ref().map(VDevice::to_string));
    args
}

/// The maximum number of tuple fields in the short form.
const BRIEF: usize = 32;

fn first(f: &mut Formatter<'_>, items: &[StructInfo]) -> fmt::Result {
    separated(f, &items[..items.len().min(BRIEF)], brief)?;
    if items.len() > BRIEF {
        write!(f, ", and {} more", items.len() - BRIEF)?;
    }
    Ok(())
}

fn brief(f: &mut Formatter<'_>, sinfo: &StructInfo) -> fmt::Result {
    match sinfo {
        StructInfo::Unknown => f.write_str("?"),
        StructInfo::Object => f.write_str("Object"),
        StructInfo::String => f.write_str("String"),
        StructInfo::Prim(prim) => {
            let mut args: Vec<String> = prim.dtype.iter().map(ToString::to_string).collect();
            args.extend(prim.value.as_ref().map(SymExpr::to_string));
            f.write_str("Prim")?;
            arguments(f, &args)
        }
        StructInfo::Shape(Shape::Known(dims)) => {
            f.write_str("Shape(")?;
            tuple(f, dims, None)?;
            f.write_str(")")
        }
        StructInfo::Shape(Shape::Unknown(Some(ndim))) => write!(f, "Shape(ndim={ndim})"),
        StructInfo::Shape(Shape::Unknown(None)) => f.write_str("Shape"),
        StructInfo::Tensor(tensor) => {
            f.write_str("Tensor")?;
            arguments(f, &brief_tensor(tensor))
        }
        StructInfo::DTensor(dtensor) => {
            let mut args = brief_tensor(&dtensor.tensor);
            args.push(dtensor.mesh.to_string());
            args.extend(dtensor.placement.iter().map(ToString::to_string));
            f.write_str("DTensor")?;
            arguments(f, &args)
        }
        StructInfo::Tuple(fields) => {
            f.write_str("Tuple(")?;
            first(f, fields)?;
            f.write_str(")")
        }
        StructInfo::Callable(callable) => {
            f.write_str("Callable(")?;
            match &callable.params {
                Some(params) => {
                    f.write_str("(")?;
                    first(f, params)?;
                    f.write_str(")")?;
                }
                None => f.write_str("...")?,
            }
            f.write_str(" -> ")?;
            brief(f, &callable.ret)?;
            f.write_str(if callable.pure { ")" } else { ", impure)" })
        }
    }
}
