//! Reads the operands of constructors: dtypes, ranks, devices; and reports errors in them.

use relax::diagnostics::{Code, Severity};
use relax::dtype::{self, DType};
use relax::nearest_name::{did_you_mean, nearest_str};
use relax::release::Release;
use relax::sinfo::{StructInfo, VDevice};
use relax::value::Value;
use text_size::{TextRange, TextSize};

use super::Operands;
use crate::body::{Expr, ExprId};
use crate::infer::Infer;

impl Infer<'_> {
    /// Reads a dtype string. Returns `Ok(None)` if it is unknown or misspelt, and `Err` if it is not a string.
    pub(in crate::infer) fn dtype_operand(&mut self, at: ExprId) -> Result<Option<DType>, ()> {
        match self.expr(at) {
            Value::None => Ok(None),
            Value::Str(text) if text == "void" && self.is_type_dialect() => Ok(Some(DType::VOID)),
            Value::Str(text) if text.is_empty() || text == "void" => Ok(None),
            Value::Str(text) => match DType::parse(&text) {
                Some(dtype) if dtype.is_pointer() && self.is_type_dialect() => {
                    let range = self.range(at);
                    self.report(Code::UnknownDtype, range, dtype::NO_POINTERS);
                    Ok(Some(DType::PYTHON))
                }
                Some(dtype) => {
                    self.check_lanes(at, &text);
                    self.check_bits(at, dtype);
                    Ok(Some(dtype))
                }
                None => {
                    self.unknown_dtype(at, &text);
                    Ok(Some(DType::PYTHON))
                }
            },
            value if value.is_unknown() => Ok(Some(DType::PYTHON)),
            // In another release, a Python name may stand for a string.
            Value::Script(_) if matches!(self.body.exprs[at], Expr::Name(_)) => Err(()),
            Value::Script(_)
            | Value::Int(_)
            | Value::Float(_)
            | Value::Bool(_)
            | Value::List(_)
            | Value::Dict(_)
            | Value::Annotation(_)
            | Value::Expr(StructInfo::Tensor(_) | StructInfo::Tuple(_) | StructInfo::Shape(_))
            | Value::ShapeVar { .. } => {
                let range = self.range(at);
                let message = "a dtype must be a string, such as \"float32\"";
                self.report(Code::InvalidAnnotation, range, message);
                Ok(Some(DType::PYTHON))
            }
            _ => Err(()),
        }
    }

    /// Reports a string that is not a valid dtype.
    pub(in crate::infer) fn unknown_dtype(&mut self, at: ExprId, text: &str) {
        let range = self.range(at);
        let near = nearest_str(text, DType::COMMON.iter().copied());
        let message = format!("`{text}` is not a dtype{}", did_you_mean(near));
        // If a name stands for the string, it cannot be corrected here.
        let written = matches!(self.body.exprs[at], Expr::Str(_));
        let quote = TextSize::of('"');
        let instead = near.filter(|_| written).map(|near| {
            let inside = TextRange::new(range.start() + quote, range.end() - quote);
            (inside, near.into())
        });
        self.report(Code::UnknownDtype, range, message).instead = instead;
    }

    /// Reports a vector dtype such as `float32x4`, which TVM accepts but the specification does not.
    fn check_lanes(&mut self, at: ExprId, text: &str) {
        let lanes = text.rsplit_once('x').map(|(_, lanes)| lanes);
        if lanes.is_some_and(|lanes| lanes.parse::<u16>().is_ok()) {
            let range = self.range(at);
            let message = format!("`{text}` is a vector: a dtype of Relax is that of one element");
            let severity = &mut self.report(Code::UnknownDtype, range, message).severity;
            *severity = Severity::Warning;
        }
    }

    /// Reports a dtype such as `int7`, which TVM accepts too.
    fn check_bits(&mut self, at: ExprId, dtype: DType) {
        if !dtype.is_usual() {
            let range = self.range(at);
            let message = format!("TVM takes `{dtype}`, and no tensor can hold it");
            let severity = &mut self.report(Code::UnknownDtype, range, message).severity;
            *severity = Severity::Warning;
        }
    }

    /// Reads `ndim=`: a number of dimensions, or -1 for any.
    pub(super) fn rank(&mut self, ndim: i64, operands: &Operands) -> Option<usize> {
        let rank = usize::try_from(ndim).ok();
        if let (None, Some(Some(at))) = (rank, operands.slots.last()) {
            let range = self.range(*at);
            let message = format!("`ndim` is a number of dimensions or -1, but this is `{ndim}`");
            self.report(Code::InvalidAnnotation, range, message);
        }
        rank
    }

    /// Reports `ndim=` next to explicit dimensions. TVM accepts only one of the two.
    pub(super) fn check_rank(&mut self, operands: &Operands, written: usize, ndim: Option<usize>) {
        let (Some(ndim), Some(Some(at))) = (ndim, operands.slots.last()) else {
            return;
        };
        let range = self.range(*at);
        if ndim == written && self.cx.release <= Release::Unity {
            return;
        }
        if ndim == written {
            let message = "the dimensions tell how many they are: leave `ndim` out";
            self.report(Code::InvalidAnnotation, range, message);
        } else {
            let message = format!("the shape has {written} dimensions, but `ndim` says {ndim}");
            self.report(Code::RankMismatch, range, message);
        }
    }

    pub(super) fn rank_of_no_int(&mut self, operands: &Operands, value: &Value) -> StructInfo {
        if let (Value::Str(_) | Value::Float(_) | Value::None | Value::List(_), Some(Some(at))) =
            (value, operands.slots.last())
        {
            let range = self.range(*at);
            let message = format!(
                "`ndim` is a number of dimensions or -1, but this is {}",
                value.kind_name()
            );
            self.report(Code::InvalidAnnotation, range, message);
        }
        StructInfo::Unknown
    }

    /// Reports that `at` is not `wanted`, or that one of its dimensions is invalid, given by `mismatched_part`.
    pub(in crate::infer) fn wrong_dims(
        &mut self,
        at: ExprId,
        mismatched_part: TextRange,
        wanted: &str,
    ) {
        let whole = mismatched_part == self.range(at);
        let message = if whole {
            wanted
        } else {
            "a dimension is an integer or an expression over shape variables"
        };
        self.report(Code::InvalidAnnotation, mismatched_part, message);
    }

    pub(in crate::infer) fn vdevice(&mut self, at: ExprId) -> Option<VDevice> {
        let text = match self.expr(at) {
            Value::Device(device) => return Some(device),
            Value::Str(text) => text,
            Value::Int(_)
            | Value::Float(_)
            | Value::Bool(_)
            | Value::List(_)
            | Value::Dict(_)
            | Value::DType(_) => {
                let range = self.range(at);
                let message = "a device must be a string, such as \"cuda:0\", or an `I.vdevice`";
                self.report(Code::InvalidAnnotation, range, message);
                return None;
            }
            _ => return None,
        };
        self.named_device(at, &text)
    }

    /// Returns the device of the module that a string names, and reports a name that TVM cannot resolve.
    pub(in crate::infer) fn named_device(&mut self, at: ExprId, text: &str) -> Option<VDevice> {
        if text.is_empty() {
            return None;
        }
        let range = self.range(at);
        if !self.is_outermost() {
            let message = format!(
                "a local function cannot refer to a device of the module by name: write `I.vdevice(...)` for `{text}`"
            );
            self.report(Code::UnknownVdevice, range, message);
            return None;
        }
        if self.cx.module.is_none() {
            let message = format!(
                "`{text}` names a device of a module, but this function is not in a module"
            );
            self.report(Code::UnknownVdevice, range, message);
            return None;
        }
        let device = VDevice::named(text, self.cx.vdevices.unwrap_or_default())?;
        let Some(listed) = self.cx.vdevices else {
            return Some(device);
        };
        if listed.is_empty() {
            let message = format!(
                "`{text}` names a device of the module, but the module lists none in `I.module_global_infos`"
            );
            self.report(Code::UnknownVdevice, range, message);
        } else if !listed.contains(&device) {
            let message = format!("the module has no device `{text}` in its `vdevice`s");
            let severity = &mut self.report(Code::UnknownVdevice, range, message).severity;
            // TVM only rejects an index beyond the list. For a device of another kind, it ignores the device.
            if (device.index as usize) < listed.len() {
                *severity = Severity::Warning;
            }
        }
        Some(device)
    }

    /// Reports a scalar that is a pointer, which TVM accepts until 0.25 but the specification does not.
    pub(in crate::infer) fn check_scalar(&mut self, at: ExprId, dtype: Option<DType>) {
        if dtype.is_some_and(DType::is_pointer) {
            let range = self.range(at);
            let message = "a scalar of Relax must be an integer, a float or a bool";
            let severity = &mut self
                .report(Code::InvalidAnnotation, range, message)
                .severity;
            *severity = Severity::Warning;
        }
    }
}
