//! Reads the short notation of StructInfo in which tests are written: `Tensor((n, 4), float32)`,
//! `Tensor(ndim=2, dtype=float32)`, `Shape((n,))`, `Callable((A, B), R, pure)`, `Callable(opaque, R, impure)`.

use std::sync::Arc;

use crate::dtype::DType;
use crate::sinfo::{Callable, DTensor, Prim, Shape, StructInfo, Tensor, TensorShape, VDevice};
use crate::sym::SymExpr;
use crate::sym::tests::script::Script;

pub fn sinfo(text: &str) -> StructInfo {
    read(text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

pub fn read(text: &str) -> Result<StructInfo, String> {
    let text = text.trim();
    let (name, args) = match text.split_once('(') {
        None => (text, Vec::new()),
        Some((name, rest)) => (name, split(rest.strip_suffix(')').ok_or("no `)`")?)),
    };
    match name {
        "Unknown" => Ok(StructInfo::Unknown),
        "Object" => Ok(StructInfo::Object),
        "String" => Ok(StructInfo::String),
        "Prim" => read_prim(&args),
        "Shape" => read_shape(&args),
        "Tensor" => read_tensor(&args).map(StructInfo::Tensor),
        "DTensor" => read_dtensor(&args),
        "Tuple" => args
            .iter()
            .map(|a| read(a))
            .collect::<Result<Vec<_>, _>>()
            .map(StructInfo::tuple),
        "Callable" => read_callable(&args),
        _ => Err(format!("no kind `{name}`")),
    }
}

/// Parts between commas outside parentheses.
fn split(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (i, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..i].trim());
                start = i + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts.retain(|p| !p.is_empty());
    parts
}

fn dims(text: &str) -> Result<Option<Arc<[SymExpr]>>, String> {
    let Some(inner) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) else {
        return Ok(None);
    };
    split(inner)
        .into_iter()
        .map(|dim| Script::parse(dim).map(|s| s.build()))
        .collect::<Result<Arc<[_]>, _>>()
        .map(Some)
}

fn dtype(text: &str) -> Result<DType, String> {
    DType::parse(text).ok_or_else(|| format!("no dtype `{text}`"))
}

fn ndim(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| format!("no rank `{text}`"))
}

fn read_prim(args: &[&str]) -> Result<StructInfo, String> {
    let mut prim = Prim {
        dtype: None,
        value: None,
    };
    for (i, arg) in args.iter().enumerate() {
        if i == 0 {
            prim.dtype = Some(dtype(arg)?);
        } else {
            prim.value = Some(Script::parse(arg)?.build());
        }
    }
    Ok(StructInfo::Prim(prim))
}

fn read_shape(args: &[&str]) -> Result<StructInfo, String> {
    let Some(arg) = args.first() else {
        return Ok(StructInfo::Shape(Shape::Unknown(None)));
    };
    if let Some(n) = arg.strip_prefix("ndim=") {
        return Ok(StructInfo::Shape(Shape::Unknown(Some(ndim(n)?))));
    }
    let dims = dims(arg)?.ok_or("no dimensions")?;
    Ok(StructInfo::Shape(Shape::Known(dims)))
}

fn read_tensor(args: &[&str]) -> Result<Tensor, String> {
    let mut tensor = Tensor::of_ndim(None, None);
    for arg in args {
        if let Some(dims) = dims(arg)? {
            tensor.shape = TensorShape::Known(dims);
        } else if let Some(name) = arg.strip_prefix("shape=") {
            tensor.shape = TensorShape::Var {
                name: name.into(),
                id: name.bytes().map(u32::from).sum(),
                ndim: None,
                values: None,
            };
        } else if let Some(n) = arg.strip_prefix("ndim=") {
            let n = Some(ndim(n)?);
            match &mut tensor.shape {
                TensorShape::Var { ndim, .. } => *ndim = n,
                shape => *shape = TensorShape::Unknown(n),
            }
        } else if let Some(text) = arg.strip_prefix("vdevice=") {
            let mut parts = text.splitn(3, ':');
            let mut part = || parts.next().unwrap_or_default();
            tensor.vdevice = Some(VDevice {
                target: part().into(),
                index: part().parse().unwrap_or_default(),
                scope: part().into(),
            });
        } else {
            tensor.dtype = Some(dtype(arg.strip_prefix("dtype=").unwrap_or(arg))?);
        }
    }
    Ok(tensor)
}

fn read_dtensor(args: &[&str]) -> Result<StructInfo, String> {
    let at = args
        .iter()
        .position(|a| a.starts_with("mesh["))
        .ok_or("no mesh")?;
    Ok(StructInfo::DTensor(Arc::new(DTensor {
        tensor: read_tensor(&args[..at])?,
        mesh: args[at].into(),
        placement: args[at + 1..].iter().map(|p| (*p).into()).collect(),
    })))
}

fn read_callable(args: &[&str]) -> Result<StructInfo, String> {
    let first = *args.first().ok_or("no parameters")?;
    let params = match first.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
        Some(inner) => Some(
            split(inner)
                .into_iter()
                .map(read)
                .collect::<Result<_, _>>()?,
        ),
        None => None,
    };
    let ret = match args.get(1) {
        Some(text) if !text.contains("pure") && !text.starts_with("derive=") => read(text)?,
        Some(text) if text.contains('(') => read(text)?,
        _ => StructInfo::Object,
    };
    Ok(StructInfo::Callable(Arc::new(Callable {
        params,
        ret,
        pure: args.last() == Some(&"pure"),
    })))
}
