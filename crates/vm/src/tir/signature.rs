//! The signature of a PrimFunc, and the arguments of a call, for both engines.

use hir::tir::{self, BufferId, PrimFunc};
use relax::dtype::{Code, DType};
use smol_str::SmolStr;

use crate::error::{RunError, RunResult};
use crate::tensor::{Scalar, Tensor, Window};
use crate::value::Value;

#[derive(Clone, Debug)]
pub struct Signature {
    pub name: SmolStr,
    params: Vec<Param>,
    /// The dtype of the number that the function returns through its last parameter.
    result: Option<DType>,
}

#[derive(Clone, Debug)]
struct Param {
    name: SmolStr,
    kind: Kind,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Buffer {
        dtype: DType,
        ndim: usize,
        /// `true` if the function writes to it.
        written: bool,
        /// `true` if it contains truth values that are also accessed as numbers.
        counted: bool,
    },
    Scalar(DType),
    Unused,
}

/// One argument of a call.
#[derive(Clone, Debug)]
pub enum Operand {
    /// A tensor. Its elements change if the function writes to it.
    Tensor(Tensor),
    Scalar(Scalar),
    /// A part of the memory of another operand.
    Same(usize, Window),
}

/// The arguments of a call, each of the kind that its parameter requires.
pub(super) struct Arguments {
    pub all: Vec<Argument>,
    /// For each operand, whether the function writes to its memory under any name. Such a tensor shares its elements
    /// with no other.
    pub written: Vec<bool>,
}

pub(super) enum Argument {
    /// The index of the operand that owns the memory, the first byte in it, and the extents.
    Buffer {
        memory: usize,
        start: usize,
        elements: u64,
        dims: Vec<i64>,
    },
    /// The bits of a number: 64 for integers and truth values, 32 or 64 for floats.
    Scalar(u64),
    Unused,
}

impl Arguments {
    /// Returns the index of the operand that owns a buffer's memory, the first byte in it, and the number of elements.
    pub fn memory(&self, at: usize) -> (usize, usize, u64) {
        match self.all.get(at) {
            Some(Argument::Buffer {
                memory,
                start,
                elements,
                ..
            }) => (*memory, *start, *elements),
            _ => (at, 0, 0),
        }
    }

    /// Returns the extents of a buffer.
    pub fn dims(&self, at: usize) -> &[i64] {
        match self.all.get(at) {
            Some(Argument::Buffer { dims, .. }) => dims,
            _ => &[],
        }
    }
}

impl Signature {
    pub(super) fn new(func: &PrimFunc) -> Signature {
        let written = func.written();
        let params = func.params.iter().map(|param| Param {
            name: param.name.clone(),
            kind: match param.kind {
                tir::ParamKind::Buffer(id) => Kind::Buffer {
                    dtype: func.buffer(id).dtype,
                    ndim: func.buffer(id).shape.len(),
                    written: written.contains(&func.root(id)),
                    counted: is_counted(func, id),
                },
                tir::ParamKind::Scalar(var) => Kind::Scalar(func.var(var).dtype),
                tir::ParamKind::Unused => Kind::Unused,
            },
        });
        Signature {
            name: func.name.clone(),
            params: params.collect(),
            result: func.result.map(|id| func.buffer(id).dtype),
        }
    }

    pub fn result(&self) -> Option<DType> {
        self.result
    }

    /// Returns `true` if the function writes to an argument.
    pub fn writes(&self, at: usize) -> bool {
        matches!(
            self.params.get(at).map(|p| p.kind),
            Some(Kind::Buffer { written: true, .. })
        )
    }

    /// Converts values to the arguments of a call. A shape becomes one argument for each dimension.
    pub fn operands(&self, values: Vec<Value>) -> RunResult<Vec<Operand>> {
        let mut operands = Vec::with_capacity(values.len());
        for value in values {
            match value {
                Value::Tensor(tensor) => match self.params.get(operands.len()).map(|p| p.kind) {
                    Some(Kind::Scalar(_)) if tensor.len() == 1 => {
                        let scalar = tensor.get(0).unwrap_or(Scalar::Int(0));
                        operands.push(Operand::Scalar(scalar));
                    }
                    _ => operands.push(Operand::Tensor(tensor)),
                },
                Value::Prim(prim) => operands.push(Operand::Scalar(prim.value)),
                Value::Shape(dims) => {
                    operands.extend(dims.iter().map(|&dim| Operand::Scalar(Scalar::Int(dim))));
                }
                other => {
                    return Err(RunError::argument(format!(
                        "`{}` takes tensors and numbers, not {}",
                        self.name,
                        other.describe()
                    )));
                }
            }
        }
        Ok(operands)
    }

    /// Checks the operands against the parameters, and makes tensors that are written unique owners of their elements.
    pub(super) fn bind(&self, operands: &mut [Operand]) -> RunResult<Arguments> {
        if operands.len() != self.params.len() {
            return Err(RunError::argument(format!(
                "PrimFunc `{}` takes {} arguments, but {} are given",
                self.name,
                self.params.len(),
                operands.len()
            )));
        }
        let written: Vec<bool> = (0..operands.len())
            .map(|at| self.is_written(at, operands))
            .collect();
        for (operand, &written) in operands.iter_mut().zip(&written) {
            if let Operand::Tensor(tensor) = operand {
                if !tensor.is_contiguous() {
                    *tensor = tensor.contiguous()?;
                }
                if written {
                    tensor.bytes_mut()?;
                }
            }
        }
        let all = (0..operands.len())
            .map(|at| self.argument(at, operands))
            .collect::<RunResult<_>>()?;
        Ok(Arguments { all, written })
    }

    /// Normalises truth values that were written as numbers.
    pub(super) fn normalise_bools(&self, operands: &mut [Operand]) {
        let counted = |it: &Param| matches!(it.kind, Kind::Buffer { counted: true, .. });
        if !self.params.iter().any(counted) {
            return;
        }
        for operand in operands {
            if let Operand::Tensor(tensor) = operand
                && tensor.dtype().is_bool()
                && let Ok(bytes) = tensor.bytes_mut()
            {
                for byte in bytes {
                    *byte = u8::from(*byte != 0);
                }
            }
        }
    }

    fn is_written(&self, at: usize, operands: &[Operand]) -> bool {
        let same = |(other, it): (usize, &Operand)| {
            matches!(it, Operand::Same(of, _) if *of == at) && self.writes(other)
        };
        self.writes(at) || operands.iter().enumerate().any(same)
    }

    fn argument(&self, at: usize, operands: &[Operand]) -> RunResult<Argument> {
        let Param { name, kind } = &self.params[at];
        match (*kind, &operands[at]) {
            (Kind::Buffer { dtype, ndim, .. }, Operand::Tensor(tensor)) => {
                if tensor.dtype() != dtype || tensor.ndim() != ndim {
                    return Err(RunError::shape(format!(
                        "parameter `{name}` of PrimFunc `{}` is a buffer of {ndim} dimensions and {dtype}, \
                         and is given {}",
                        self.name,
                        Value::Tensor(tensor.clone()).describe()
                    )));
                }
                Ok(Argument::Buffer {
                    memory: at,
                    start: tensor.start(),
                    elements: tensor.len() as u64,
                    dims: tensor.shape().iter().map(|&d| d as i64).collect(),
                })
            }
            (Kind::Buffer { dtype, ndim, .. }, Operand::Same(of, window)) => {
                let memory = (operands.get(*of), self.params.get(*of).map(|it| it.kind));
                let (Some(Operand::Tensor(tensor)), Some(Kind::Buffer { .. })) = memory else {
                    return Err(RunError::argument("an operand is missing"));
                };
                let seen = tensor.through(window)?;
                if seen.dtype() != dtype || seen.ndim() != ndim {
                    return Err(RunError::shape(format!(
                        "parameter `{name}` of PrimFunc `{}` shares memory with another parameter, but has another shape or dtype",
                        self.name
                    )));
                }
                Ok(Argument::Buffer {
                    memory: *of,
                    start: seen.start(),
                    elements: seen.len() as u64,
                    dims: seen.shape().iter().map(|&d| d as i64).collect(),
                })
            }
            (Kind::Scalar(dtype), Operand::Scalar(value)) => {
                bits(*value, dtype).map(Argument::Scalar)
            }
            (Kind::Unused, _) => Ok(Argument::Unused),
            (kind, _) => Err(RunError::argument(format!(
                "parameter `{name}` of PrimFunc `{}` takes a {}",
                self.name,
                if matches!(kind, Kind::Scalar(_)) {
                    "number"
                } else {
                    "tensor"
                }
            ))),
        }
    }
}

/// Encodes a number as the bits that the function receives.
fn bits(value: Scalar, dtype: DType) -> RunResult<u64> {
    Ok(match (dtype.code, dtype.bits) {
        (Code::Float, 64) => value.as_f64().to_bits(),
        (Code::Float | Code::BFloat, _) => match value.cast(dtype)? {
            Scalar::Float(value) => u64::from((value as f32).to_bits()),
            other => u64::from((other.as_f64() as f32).to_bits()),
        },
        _ => match value {
            Scalar::UInt(value) => value,
            other => other
                .as_i64()
                .ok_or_else(|| RunError::dtype(format!("{other} where {dtype} is needed")))?
                as u64,
        },
    })
}

/// Returns `true` if a buffer of truth values is written as numbers.
fn is_counted(func: &PrimFunc, id: BufferId) -> bool {
    let is_number = |(at, buffer): (usize, &tir::Buffer)| {
        !buffer.dtype.is_bool() && func.root(BufferId(at as u32)) == id
    };
    func.buffer(id).dtype.is_bool() && func.buffers.iter().enumerate().any(is_number)
}
