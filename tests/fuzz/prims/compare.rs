//! Runs a program on several inputs with both engines, and compares the elements or the errors.

use std::sync::atomic::AtomicBool;

use hir::file_items;
use hir::tir::PrimFunc;
use syntax::TextRange;
use vm::error::RunError;
use vm::tensor::{Kind, Scalar, Tensor, Window};
use vm::tir::exact::Ended;
use vm::tir::harness::{self, Side};
use vm::tir::{Exact, Operand};
use vm::value::Value;

use super::choice::Choice;
use super::shape::{Param, Program};
use crate::fuzz::database;

/// The maximum number of iterations of a run. Few programs need more.
const ITERATIONS: u64 = 1500;

/// The same for a program that sums.
const SUMMED: u64 = 1 << 14;

/// The maximum size of all buffers of a run, in bytes.
const MEMORY: u64 = 1 << 30;

/// The maximum number of elements of a buffer.
const ELEMENTS: i64 = 2048;

/// The number of programs and runs, by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Programs that do not compile.
    pub refused: u32,
    /// Runs that ended normally, that failed a check, and that took too long to be compared.
    pub ended: u32,
    pub trapped: u32,
    pub long: u32,
    /// Loop nests that kernels executed.
    pub kernels: u32,
}

impl Tally {
    pub fn add(&mut self, other: Tally) {
        self.refused += other.refused;
        self.ended += other.ended;
        self.trapped += other.trapped;
        self.long += other.long;
        self.kernels += other.kernels;
    }
}

pub fn compare(program: &Program, choice: &mut Choice<'_>) -> Tally {
    vm::tensor::alloc::set_limit(MEMORY);
    let mut tally = Tally::default();
    let Some(func) = lower(&program.text) else {
        tally.refused = 1;
        return tally;
    };
    let exact = match Exact::new(&func) {
        Ok(exact) => exact,
        Err(errors) => {
            assert!(harness::compile(&func, false).is_err(), "{}", program.text);
            assert!(!errors.is_empty());
            tally.refused = 1;
            return tally;
        }
    };
    let optimised = choice.one_in(4);
    let mut compiled = None;
    for _ in 0..2 {
        let Some(operands) = operands(program, choice) else {
            continue;
        };
        let way = (
            choice.pick(&[Side::Begin, Side::End]),
            // A parallel loop of the program may read elements that other iterations write.
            if program.text.contains("T.parallel") {
                1
            } else {
                choice.pick(&[1, 3])
            },
            program.whole,
        );
        let stop = AtomicBool::default();
        let mut wanted = operands.clone();
        let iterations = if program.whole { SUMMED } else { ITERATIONS };
        let meant = exact.call(&mut wanted, iterations, &stop, &mut no_packed_functions);
        let meant = match meant {
            Ok(()) => Ok(()),
            Err(Ended::Trap(trap, range)) => Err((trap.to_string(), Some(range))),
            Err(Ended::Error(error, range)) => Err((error.to_string(), range)),
            Err(Ended::Long) => {
                tally.long += 1;
                continue;
            }
        };
        let compiled = compiled.get_or_insert_with(|| {
            harness::compile(&func, optimised)
                .unwrap_or_else(|errors| panic!("{errors:?}\n{}", program.text))
        });
        let mut given = operands.clone();
        let result = compiled.call_guarded(&mut given, way, &stop, &mut no_packed_functions);
        let result = result.map_err(|(error, range)| (error.to_string(), range));
        let result = result.map(|kernels| tally.kernels += kernels);
        assert_eq!(result, meant, "{}{operands:?}", program.text);
        if meant.is_ok() {
            tally.ended += 1;
            assert_same(&given, &wanted, &program.text, &operands);
        } else {
            tally.trapped += 1;
        }
    }
    tally
}

/// Provides no packed function.
pub fn no_packed_functions(symbol: &str, _: &[Value]) -> Result<Vec<(usize, Tensor)>, RunError> {
    Err(RunError::argument(format!("no packed function `{symbol}`")))
}

pub fn lower(text: &str) -> Option<PrimFunc> {
    let (db, file) = database(text);
    let item = *file_items(&db, file).functions.first()?;
    let lowered = hir::function_program(&db, item);
    if let Err(errors) = &lowered {
        let whole = TextRange::up_to(syntax::TextSize::of(text));
        for error in errors {
            assert!(
                whole.contains_range(error.range + item.offset(&db)),
                "{text}"
            );
        }
    }
    lowered.ok()
}

pub fn assert_same(given: &[Operand], wanted: &[Operand], text: &str, operands: &[Operand]) {
    for (at, pair) in given.iter().zip(wanted).enumerate() {
        let (Operand::Tensor(given), Operand::Tensor(wanted)) = pair else {
            continue;
        };
        if given.bytes().ok() == wanted.bytes().ok() {
            continue;
        }
        for k in 0..wanted.len() {
            let (given, wanted) = (given.get(k), wanted.get(k));
            let both_nan = [given, wanted]
                .iter()
                .all(|it| matches!(it, Some(Scalar::Float(value)) if value.is_nan()));
            let is_zero = |it: Option<Scalar>| matches!(it, Some(Scalar::Float(0.0)));
            let one_sign = !is_zero(given)
                || given.map(|it| it.as_f64().is_sign_negative())
                    == wanted.map(|it| it.as_f64().is_sign_negative());
            assert!(
                both_nan || given == wanted && one_sign,
                "element {k} of b{at} is {given:?}, and means {wanted:?}\n{text}{operands:?}"
            );
        }
    }
}

/// Generates inputs, usually with the shapes that the program requires; `None` if they would be too large.
fn operands(program: &Program, choice: &mut Choice<'_>) -> Option<Vec<Operand>> {
    // A short sum of half floats is exact in any order.
    let is_short = program.whole
        && matches!(program.params.get(2), Some(Param::Buffer { dtype, .. }) if *dtype == "float16");
    let extents: &[i64] = if is_short {
        &[0, 1, 2, 3]
    } else {
        &[0, 1, 2, 3, 4, 5, 8, 11, 16]
    };
    let mut vars: Vec<i64> = (0..program.vars).map(|_| choice.pick(extents)).collect();
    // Values that are too large for narrow variables.
    if !vars.is_empty() && !is_short && choice.one_in(5) {
        let at = choice.below(vars.len());
        vars[at] = choice.pick(&[127, 128, 200, 255, 256, 300]);
    }
    let mut made: Vec<Operand> = Vec::new();
    for param in &program.params {
        let operand = match param {
            Param::Scalar(dtype) => Operand::Scalar(scalar(dtype, choice)),
            Param::Buffer { dtype, dims } => {
                let mut shape: Vec<i64> = dims.iter().map(|dim| dim.value(&vars)).collect();
                if !shape.is_empty() && choice.one_in(16) {
                    let at = choice.below(shape.len());
                    shape[at] += choice.pick(&[1, -1]);
                }
                let shape: Vec<i64> = shape.into_iter().map(|dim| dim.max(0)).collect();
                let elements: i64 = shape.iter().product();
                if elements > ELEMENTS {
                    return None;
                }
                let shape: Vec<usize> = shape.iter().map(|&dim| dim as usize).collect();
                match alias_of(&made, dtype, elements as usize, choice) {
                    Some((of, kind)) => {
                        let start = None;
                        Operand::Same(of, Window { kind, shape, start })
                    }
                    None => Operand::Tensor(tensor(dtype, &shape, program.whole, choice)),
                }
            }
        };
        made.push(operand);
    }
    Some(made)
}

/// Returns another operand whose memory this one can share, and its kind.
fn alias_of(
    made: &[Operand],
    dtype: &str,
    elements: usize,
    choice: &mut Choice<'_>,
) -> Option<(usize, Kind)> {
    if !choice.one_in(5) {
        return None;
    }
    made.iter().enumerate().find_map(|(at, it)| match it {
        Operand::Tensor(tensor) => {
            let fits = tensor.dtype().to_string() == dtype && tensor.len() == elements;
            fits.then(|| (at, tensor.kind()))
        }
        Operand::Scalar(_) | Operand::Same(..) => None,
    })
}

fn scalar(dtype: &str, choice: &mut Choice<'_>) -> Scalar {
    if super::write::is_float(dtype) {
        return Scalar::Float(choice.pick(&[0.0, 1.5, -2.0, 1e9, f64::NAN, f64::INFINITY]));
    }
    let bits = choice.bits();
    match choice.below(4) {
        0 => Scalar::UInt(bits),
        1 => Scalar::Int(choice.pick(&[-1, 127, 128, 255, -128, 2147483647, -2147483648])),
        _ => Scalar::Int(choice.below(8) as i64),
    }
}

fn tensor(dtype: &str, shape: &[usize], whole: bool, choice: &mut Choice<'_>) -> Tensor {
    let dtype = relax::dtype::DType::parse(dtype).expect("the writer names dtypes");
    let kind = Kind::of(dtype).expect("a dtype that tensors have");
    let count: usize = shape.iter().product();
    let mut bytes = Vec::with_capacity(count * kind.bytes());
    for _ in 0..count {
        let bits = choice.bits();
        let element = match (bits >> 60, dtype.is_float()) {
            (0..=3, is_float) if !(whole && is_float) => bits,
            (4..=9, false) => bits & 7,
            (10..=12, false) => (-((bits & 7) as i64)) as u64,
            (_, false) => 1 << (bits & 63),
            (_, true) => {
                let value = if whole {
                    (bits % 5) as f64 - 2.0
                } else {
                    ((bits & 63) as f64 - 20.0) / 4.0
                };
                let one = Tensor::full(kind, &[], Scalar::Float(value));
                let one = one.expect("one number has room");
                bytes.extend_from_slice(&one.bytes().expect("it has bytes"));
                continue;
            }
        };
        bytes.extend_from_slice(&element.to_le_bytes()[..kind.bytes()]);
    }
    Tensor::from_bytes(kind, shape, &bytes).expect("as many bytes as elements")
}
