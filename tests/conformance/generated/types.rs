//! Makes random StructInfo, generalises it, and formats it as annotations.

use super::release::Words as _;
use relax::dtype::DType;
use relax::release::Release;
use relax::sinfo::{Callable, Prim, Shape, StructInfo, Tensor, TensorShape};
use relax::sym::{SymExpr, SymVar};
use tests::random::Random;

const DTYPES: &[(usize, &str)] = &[
    (20, "float32"),
    (4, "int64"),
    (3, "float16"),
    (3, "int32"),
    (3, "bool"),
    (1, "float64"),
    (1, "int8"),
    (1, "uint8"),
    (1, "bfloat16"),
];

/// The shape variables of signatures.
pub const NAMES: [&str; 3] = ["n", "m", "k"];

pub fn symbol(name: &str) -> SymExpr {
    let id = name
        .bytes()
        .fold(7u32, |id, byte| id.wrapping_mul(31) + u32::from(byte));
    SymExpr::var(SymVar {
        name: name.into(),
        id: id % 1_000_000,
    })
}

pub fn dtype(random: &mut Random) -> DType {
    DType::parse(random.weighted(DTYPES)).expect("the table has dtypes")
}

/// Makes a dimension over these shape variables.
pub fn dim(random: &mut Random, names: &[String]) -> SymExpr {
    let number = SymExpr::int(*random.pick(&[1, 2, 3, 4, 4, 6, 8]));
    if names.is_empty() || random.chance(60) {
        return number;
    }
    let name = symbol(random.pick(names).as_str());
    match random.below(10) {
        0 => name.mul(&SymExpr::int(2)),
        1 => name.add(&SymExpr::int(1)),
        2 => {
            let other = symbol(random.pick(names).as_str());
            name.mul(&other)
        }
        _ => name,
    }
}

pub fn dims(random: &mut Random, names: &[String], rank: usize) -> Vec<SymExpr> {
    (0..rank).map(|_| dim(random, names)).collect()
}

/// Makes a tensor, usually with known rank and dtype.
pub fn tensor(random: &mut Random, names: &[String]) -> StructInfo {
    let rank = random.weighted(&[(1, 0), (3, 1), (8, 2), (4, 3), (3, 4)]);
    let dtype = (!random.chance(6)).then(|| dtype(random));
    match random.below(12) {
        0 => Tensor::of_ndim(Some(rank), dtype).into(),
        1 => Tensor::of_ndim(None, dtype).into(),
        _ => Tensor::new(dims(random, names, rank), dtype).into(),
    }
}

pub fn bool_scalar() -> StructInfo {
    Tensor::new(Vec::new(), Some(DType::BOOL)).into()
}

pub fn prim(dtype: DType) -> StructInfo {
    StructInfo::Prim(Prim {
        dtype: Some(dtype),
        value: None,
    })
}

/// Makes any annotation, nested at most `depth` deep.
pub fn any(random: &mut Random, names: &[String], depth: usize) -> StructInfo {
    let deep = usize::from(depth > 0);
    match random.weighted(&[(12, 0), (2, 1), (1, 2), (1, 3), (3 * deep, 4), (deep, 5)]) {
        1 => {
            let rank = random.below(3) + 1;
            StructInfo::Shape(Shape::Known(dims(random, names, rank).into()))
        }
        2 => prim(DType::I64),
        3 => StructInfo::Object,
        4 => {
            let count = random.below(3) + 1;
            StructInfo::tuple(
                (0..count)
                    .map(|_| any(random, names, depth - 1))
                    .collect::<Vec<_>>(),
            )
        }
        5 => callable(random, names),
        _ => tensor(random, names),
    }
}

pub fn callable(random: &mut Random, names: &[String]) -> StructInfo {
    let count = random.below(2) + 1;
    let params: Vec<StructInfo> = (0..count).map(|_| tensor(random, names)).collect();
    StructInfo::Callable(std::sync::Arc::new(Callable {
        ret: if random.chance(50) {
            params[0].clone()
        } else {
            tensor(random, names)
        },
        params: Some(params.into()),
        pure: random.chance(80),
    }))
}

/// Returns another annotation that accepts every value of `info`.
pub fn coarser(random: &mut Random, info: &StructInfo) -> StructInfo {
    match info {
        StructInfo::Tensor(tensor) => {
            let dtype = tensor.dtype.filter(|_| random.chance(60));
            match random.below(4) {
                0 => Tensor::of_ndim(None, dtype).into(),
                1 => StructInfo::Tensor(Tensor {
                    dtype,
                    ..tensor.clone()
                }),
                _ => Tensor::of_ndim(tensor.ndim(), dtype).into(),
            }
        }
        StructInfo::Shape(shape) => StructInfo::Shape(Shape::Unknown(match shape {
            Shape::Known(dims) => Some(dims.len()),
            Shape::Unknown(rank) => *rank,
        })),
        StructInfo::Tuple(fields) => {
            let fields = fields.iter().map(|field| coarser(random, field));
            StructInfo::tuple(fields.collect::<Vec<_>>())
        }
        _ => info.clone(),
    }
}

/// The spelling of dimensions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Dims {
    /// As expressions, in a body.
    Bare,
    /// As strings, where a signature declares its shape variables.
    Quoted,
    /// Expressions as strings, variables by their names, in a signature whose variables are declared above it.
    Declared,
}

/// Formats an annotation; `None` if it cannot be written.
pub fn spelled(info: &StructInfo, release: Release, way: Dims) -> Option<String> {
    let list = |infos: &[StructInfo]| -> Option<String> {
        let all: Option<Vec<String>> = infos.iter().map(|it| spelled(it, release, way)).collect();
        Some(all?.join(", "))
    };
    Some(match info {
        StructInfo::Object => release.any().to_owned(),
        StructInfo::Prim(prim) => format!("R.Prim(\"{}\")", prim.dtype?),
        StructInfo::Shape(Shape::Known(dims)) => format!("R.Shape([{}])", dims_text(dims, way)),
        StructInfo::Shape(Shape::Unknown(Some(rank))) => format!("R.Shape(ndim={rank})"),
        StructInfo::Shape(Shape::Unknown(None)) => "R.Shape".to_owned(),
        StructInfo::Tensor(tensor) => {
            let mut parts = Vec::new();
            match &tensor.shape {
                TensorShape::Known(dims) => parts.push(dims_tuple(dims, way)),
                TensorShape::Unknown(None) => {}
                TensorShape::Unknown(Some(rank)) => parts.push(format!("ndim={rank}")),
                TensorShape::Var { .. } => return None,
            }
            if let Some(dtype) = tensor.dtype {
                parts.push(format!("dtype=\"{dtype}\""));
            }
            if let Some(device) = &tensor.vdevice {
                parts.push(format!("vdevice=\"{}:{}\"", device.target, device.index));
            }
            if parts.is_empty() {
                "R.Tensor".to_owned()
            } else {
                format!("R.Tensor({})", parts.join(", "))
            }
        }
        StructInfo::Tuple(fields) if fields.is_empty() => "R.Tuple()".to_owned(),
        StructInfo::Tuple(fields) => format!("R.Tuple({})", list(fields)?),
        StructInfo::Callable(callable) => {
            let params = callable.params.as_ref()?;
            let comma = if params.len() == 1 { "," } else { "" };
            let ret = spelled(&callable.ret, release, way)?;
            let pure = if callable.pure { "True" } else { "False" };
            format!("R.Callable(({}{comma}), {ret}, {pure})", list(params)?)
        }
        _ => return None,
    })
}

fn dims_text(dims: &[SymExpr], way: Dims) -> String {
    let dims = dims.iter().map(|dim| match way {
        Dims::Quoted if dim.as_int().is_none() => format!("\"{}\"", dim.written(Some("T"))),
        Dims::Declared if dim.as_int().is_none() && dim.as_var().is_none() => {
            format!("\"{}\"", dim.written(Some("T")))
        }
        _ => dim.written(Some("T")).to_string(),
    });
    dims.collect::<Vec<_>>().join(", ")
}

pub fn dims_tuple(dims: &[SymExpr], way: Dims) -> String {
    let comma = if dims.len() == 1 { "," } else { "" };
    format!("({}{comma})", dims_text(dims, way))
}

/// Returns the names of the shape variables in `info`.
pub fn names_of(info: &StructInfo) -> Vec<String> {
    let mut names = Vec::new();
    info.for_each_sym_var(&mut |var| names.push(var.name.to_string()));
    names.sort();
    names.dedup();
    names
}
