//! A call of a compiled PrimFunc: its operands into slots, its faults into words.

use std::sync::atomic::AtomicBool;

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use relax::dtype::{Code, DType};
use text_size::TextRange;

use super::codegen::{self, FIRST, PART, PARTS, PHASE, STOP};
use super::{Compiled, Host, Layout, ParamKind, SiteFault, memory, packed};
use crate::error::{Fault, RunError, RunResult};
use crate::tensor::{Scalar, Tensor};
use crate::value::Value;

/// Iterations for which starting other threads pays.
const PAYS: f64 = 60_000.0;

/// Why a call ended before it was done.
enum Ended {
    /// The number of a check, and two numbers for its message.
    Fault([u64; 3]),
    /// A packed function failed, and where it was called.
    Host(RunError, TextRange),
}

/// One argument of a call.
#[derive(Clone, Debug)]
pub enum Operand {
    /// Where the function writes to a tensor, its elements change.
    Tensor(Tensor),
    Scalar(Scalar),
    /// The memory of another operand, as a tensor of this shape.
    Same(usize, Vec<usize>),
}

impl Compiled {
    /// Whether the function writes to an argument.
    pub fn writes(&self, at: usize) -> bool {
        matches!(
            self.params.get(at).map(|p| p.kind),
            Some(ParamKind::Buffer { written: true, .. })
        )
    }

    /// The arguments of a call from values; shapes stand for as many numbers.
    pub fn operands(&self, values: Vec<Value>) -> RunResult<Vec<Operand>> {
        let mut operands = Vec::with_capacity(values.len());
        for value in values {
            match value {
                Value::Tensor(tensor) => match self.params.get(operands.len()).map(|p| p.kind) {
                    Some(ParamKind::Scalar(_)) if tensor.len() == 1 => {
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

    /// Runs the function; the tensors it writes to are changed in place.
    /// An error within the code comes with its place in the function's source.
    /// It ends early, with an error, once `stop` is set. Packed functions that it calls are the host's.
    pub fn call(
        &self,
        operands: &mut [Operand],
        stop: &AtomicBool,
        host: &mut Host<'_>,
    ) -> Result<(), (RunError, Option<TextRange>)> {
        let same = |operand: &Operand| matches!(operand, Operand::Same(..));
        if let Some((func, code)) = self.shared.as_deref()
            && operands.iter().any(same)
        {
            let code = code.get_or_init(|| codegen::compile(func, true).ok());
            return match code {
                Some(code) => code.call(operands, stop, host),
                None => Err((RunError::argument("two arguments are one memory"), None)),
            };
        }
        let mut slots = self.slots(operands).map_err(|error| (error, None))?;
        slots[STOP] = stop.as_ptr() as u64;
        let result = memory::scoped(|| match &self.layout {
            // Iterations may meet in one memory under two names.
            Some(layout) => {
                let split = !operands.iter().any(same);
                self.phases(layout, slots, split, &mut |call, slots| {
                    Self::call_host(call, slots, operands, host)
                })
            }
            None => self.once(&mut slots),
        });
        result.map_err(|ended| match ended {
            Ended::Fault([site, value, extent]) => self.fault(site, value as i64, extent as i64),
            Ended::Host(error, range) => (error, Some(range)),
        })
    }

    fn once(&self, slots: &mut [u64]) -> Result<(), Ended> {
        match self.code.call(slots) {
            0 => Ok(()),
            site => Err(Ended::Fault([site, slots[0], slots[1]])),
        }
    }

    /// Phase after phase, each in as many parts as pay.
    fn phases(
        &self,
        layout: &Layout,
        mut slots: Vec<u64>,
        split: bool,
        host: &mut dyn FnMut(&packed::Call, &[u64]) -> RunResult<()>,
    ) -> Result<(), Ended> {
        slots.resize(layout.slots, 0);
        slots[PARTS] = 1;
        self.once(&mut slots)?;
        for (at, phase) in layout.phases.iter().enumerate() {
            slots[PHASE] = at as u64 + 1;
            let cost = phase.cost.and_then(|slot| slots.get(slot).copied());
            let pays = cost.is_some_and(|cost| f64::from_bits(cost) >= PAYS);
            let parts = if split && pays {
                rayon::current_num_threads()
            } else {
                1
            };
            if parts < 2 {
                self.once(&mut slots)?;
                if let Some(call) = &phase.packed {
                    host(call, &slots).map_err(|error| Ended::Host(error, call.range))?;
                }
                continue;
            }
            (0..parts)
                .into_par_iter()
                .map(|part| {
                    let mut slots = slots.clone();
                    slots[PART] = part as u64;
                    slots[PARTS] = parts as u64;
                    self.once(&mut slots)
                })
                .collect::<Vec<_>>()
                .into_iter()
                .collect::<Result<(), _>>()?;
        }
        Ok(())
    }

    /// What the code reads: room for two numbers, then the parameters.
    fn slots(&self, operands: &mut [Operand]) -> RunResult<Vec<u64>> {
        if operands.len() != self.params.len() {
            return Err(RunError::argument(format!(
                "PrimFunc `{}` takes {} arguments, and {} are given",
                self.name,
                self.params.len(),
                operands.len()
            )));
        }
        let mut slots = vec![0u64; FIRST];
        let is_written = |at: usize, operands: &[Operand]| {
            let same = |(other, it): (usize, &Operand)| {
                matches!(it, Operand::Same(of, _) if *of == at) && self.writes(other)
            };
            self.writes(at) || operands.iter().enumerate().any(same)
        };
        let written: Vec<bool> = (0..operands.len())
            .map(|at| is_written(at, operands))
            .collect();
        // Where the memory of an operand begins, for those that are the same.
        let mut addresses: Vec<Option<(u64, u64, DType)>> = vec![None; operands.len()];
        for (at, operand) in operands.iter_mut().enumerate() {
            if let (Some(ParamKind::Buffer { .. }), Operand::Tensor(tensor)) =
                (self.params.get(at).map(|p| p.kind), operand)
            {
                if !tensor.is_contiguous() {
                    *tensor = tensor.contiguous()?;
                }
                let address = if written[at] {
                    tensor.bytes_mut()?.as_mut_ptr() as u64
                } else {
                    tensor.bytes()?.as_ptr() as u64
                };
                addresses[at] = Some((address, tensor.len() as u64, tensor.dtype()));
            }
        }
        for (at, (param, operand)) in self.params.iter().zip(operands.iter()).enumerate() {
            match (param.kind, operand) {
                (ParamKind::Buffer { dtype, ndim, .. }, Operand::Tensor(tensor)) => {
                    if tensor.dtype() != dtype || tensor.ndim() != ndim {
                        return Err(RunError::shape(format!(
                            "parameter `{}` of PrimFunc `{}` is a buffer of {ndim} dimensions and {dtype}, \
                             and is given {}",
                            param.name,
                            self.name,
                            Value::Tensor(tensor.clone()).describe()
                        )));
                    }
                    let Some((address, elements, _)) = addresses[at] else {
                        continue;
                    };
                    slots.extend([address, elements]);
                    slots.extend(tensor.shape().iter().map(|&d| d as u64));
                }
                (ParamKind::Buffer { dtype, ndim, .. }, Operand::Same(of, shape)) => {
                    let memory = addresses.get(*of).copied().flatten();
                    let count = shape.iter().product::<usize>() as u64;
                    let Some((address, elements, held)) = memory else {
                        return Err(RunError::argument("an operand is missing"));
                    };
                    if held != dtype || shape.len() != ndim || count != elements {
                        return Err(RunError::shape(format!(
                            "parameter `{}` of PrimFunc `{}` is the memory of another one, with another form",
                            param.name, self.name
                        )));
                    }
                    slots.extend([address, elements]);
                    slots.extend(shape.iter().map(|&d| d as u64));
                }
                (ParamKind::Scalar(dtype), Operand::Scalar(value)) => {
                    slots.push(bits(*value, dtype)?);
                }
                (ParamKind::Unused, _) => {}
                (kind, _) => {
                    return Err(RunError::argument(format!(
                        "parameter `{}` of PrimFunc `{}` takes a {}",
                        param.name,
                        self.name,
                        if matches!(kind, ParamKind::Scalar(_)) {
                            "number"
                        } else {
                            "tensor"
                        }
                    )));
                }
            }
        }
        Ok(slots)
    }

    fn fault(&self, site: u64, value: i64, extent: i64) -> (RunError, Option<TextRange>) {
        let site = usize::try_from(site)
            .ok()
            .and_then(|at| self.sites.get(at.checked_sub(1)?));
        let Some(site) = site else {
            return (
                RunError::argument(format!("PrimFunc `{}` failed", self.name)),
                None,
            );
        };
        let message = match &site.fault {
            SiteFault::Index(buffer, at) => format!(
                "index {value} is out of range for dimension {at} of buffer `{buffer}`, which is {extent}"
            ),
            SiteFault::Memory(buffer) => format!(
                "element {value} is out of range for the memory of buffer `{buffer}`, which has {extent}"
            ),
            SiteFault::Shape(buffer, at) => format!(
                "dimension {at} of buffer `{buffer}` is {value}, but the function says {extent}"
            ),
            SiteFault::Stride(buffer, at) => format!(
                "stride {at} of buffer `{buffer}` is {value}, but the function says {extent}"
            ),
            SiteFault::Extent(buffer, at) => {
                format!("dimension {at} of buffer `{buffer}` is {value}, which no buffer can be")
            }
            SiteFault::Stopped => "the limit of time is reached".to_owned(),
            SiteFault::DivideByZero => "integer division by zero".to_owned(),
            SiteFault::Assert(text) => format!("assertion failed: {text}"),
            SiteFault::OutOfMemory(buffer) => {
                format!("no memory for buffer `{buffer}` of {value} bytes")
            }
        };
        (Fault::Raised(message).into(), Some(site.range))
    }
}

/// A number as the bits of a slot.
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
