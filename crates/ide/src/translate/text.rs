//! Writes Python text: the module around functions, names, constants, annotations.

use std::fmt::Write;

use hir::metadata::Constant;
use relax::dtype::DType;
use relax::relay::{Type, struct_info};
use relax::release::Release;
use relax::sinfo::StructInfo;
use rustc_hash::FxHashSet;
use smol_str::{SmolStr, format_smolstr};

use super::function::Written;

/// Names that variables must not have.
const TAKEN: &[&str] = &[
    "R", "I", "T", "cls", "Module", "and", "as", "assert", "async", "await", "break", "class",
    "continue", "def", "del", "elif", "else", "except", "False", "finally", "for", "from",
    "global", "if", "import", "in", "is", "lambda", "None", "nonlocal", "not", "or", "pass",
    "raise", "return", "True", "try", "while", "with", "yield",
];

/// The maximum number of elements of a constant in the text.
pub(super) const MOST_ELEMENTS: usize = 4096;

pub(super) fn module<'a>(functions: impl Iterator<Item = &'a Written>, to: Release) -> String {
    let functions: Vec<&Written> = functions.collect();
    let mut text =
        String::from("from tvm.script import ir as I\nfrom tvm.script import relax as R\n");
    if functions.iter().any(|it| it.needs_tir) {
        let tir = if to >= Release::V0_24 { "tirx" } else { "tir" };
        let _ = writeln!(text, "from tvm.script import {tir} as T");
    }
    text.push_str("\n\n@I.ir_module\nclass Module:\n");
    if functions.is_empty() {
        text.push_str("    pass\n");
    }
    for (at, function) in functions.iter().enumerate() {
        if at > 0 {
            text.push('\n');
        }
        text.push_str(&function.text);
    }
    text
}

/// The names of one function, each used once.
#[derive(Default)]
pub(super) struct Names {
    used: FxHashSet<SmolStr>,
}

impl Names {
    /// Returns the name, with a number appended if it is taken.
    pub(super) fn unused_name(&mut self, wanted: &str) -> SmolStr {
        let mut base: String = wanted
            .chars()
            .map(|it| {
                if it.is_ascii_alphanumeric() || it == '_' {
                    it
                } else {
                    '_'
                }
            })
            .collect();
        if base.is_empty() || base.starts_with(|it: char| it.is_ascii_digit()) {
            base.insert(0, 'v');
        }
        if TAKEN.contains(&base.as_str()) {
            base.push('_');
        }
        let mut name = SmolStr::from(base.as_str());
        let mut number = 1;
        while !self.used.insert(name.clone()) {
            name = format_smolstr!("{base}_{number}");
            number += 1;
        }
        name
    }
}

/// Writes a scalar constant.
pub(super) fn scalar(value: f64, dtype: DType) -> String {
    format!("R.const({}, \"{dtype}\")", number(value, dtype))
}

/// Writes a number as Python does.
pub(super) fn number(value: f64, dtype: DType) -> String {
    if dtype.is_bool() {
        return if value == 0.0 { "False" } else { "True" }.to_owned();
    }
    if dtype.is_int() {
        return format!("{}", value as i64);
    }
    if value.is_nan() {
        return "float(\"nan\")".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 {
            "float(\"inf\")"
        } else {
            "float(\"-inf\")"
        }
        .to_owned();
    }
    if dtype == DType::F32 {
        format!("{:?}", value as f32)
    } else {
        format!("{value:?}")
    }
}

/// Writes a tensor of the metadata. Returns `None` if it is too long, or if Python has no numbers of its dtype.
pub(super) fn constant(constant: &Constant) -> Option<String> {
    let values = constant.elements(MOST_ELEMENTS)?;
    if constant.shape.is_empty() {
        return Some(scalar(*values.first()?, constant.dtype));
    }
    let mut text = String::from("R.const(");
    nested(&mut text, &constant.shape, &values, constant.dtype);
    let _ = write!(text, ", \"{}\")", constant.dtype);
    Some(text)
}

fn nested(text: &mut String, shape: &[i64], values: &[f64], dtype: DType) {
    let Some((&extent, inner)) = shape.split_first() else {
        text.push_str(&number(values.first().copied().unwrap_or_default(), dtype));
        return;
    };
    let size = inner.iter().product::<i64>().max(0) as usize;
    text.push('[');
    for at in 0..extent.max(0) as usize {
        text.push_str(if at == 0 { "" } else { ", " });
        let part = values.get(at * size..(at + 1) * size).unwrap_or_default();
        nested(text, inner, part, dtype);
    }
    text.push(']');
}

/// Writes an annotation. Shape variables of a signature are strings.
pub(super) fn annotation(ty: &Type, sinfo: Option<&StructInfo>) -> Option<String> {
    match (ty, sinfo) {
        (Type::Function(function), _) => {
            let params = function
                .params
                .iter()
                .map(|it| annotation(it, struct_info::of(it, &mut None).as_ref()));
            let params: Vec<String> = params.collect::<Option<_>>()?;
            let ret = annotation(
                &function.ret,
                struct_info::of(&function.ret, &mut None).as_ref(),
            )?;
            let comma = if params.len() == 1 { "," } else { "" };
            Some(format!("R.Callable(({}{comma}), {ret})", params.join(", ")))
        }
        (Type::Tuple(types), Some(StructInfo::Tuple(fields))) => {
            let parts = types.iter().zip(fields.iter());
            let parts: Vec<String> = parts
                .map(|(ty, it)| annotation(ty, Some(it)))
                .collect::<Option<_>>()?;
            Some(format!("R.Tuple({})", parts.join(", ")))
        }
        (_, Some(StructInfo::Tensor(tensor))) => {
            let dtype = tensor.known_dtype().map(|it| format!("dtype=\"{it}\""));
            let dtype = dtype.unwrap_or_default();
            match (tensor.dims(), tensor.ndim()) {
                (Some(dims), _) => {
                    let dims: Vec<String> = dims
                        .iter()
                        .map(|it| match it.as_int() {
                            Some(value) => value.to_string(),
                            None => format!("\"{it}\""),
                        })
                        .collect();
                    let comma = if dims.len() == 1 { "," } else { "" };
                    Some(format!("R.Tensor(({}{comma}), {dtype})", dims.join(", ")))
                }
                (None, Some(rank)) => Some(format!("R.Tensor({dtype}, ndim={rank})")),
                (None, None) => Some(format!("R.Tensor({dtype})")),
            }
        }
        _ => None,
    }
}
