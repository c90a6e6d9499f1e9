//! The outputs of a `call_tir`: the StructInfo of what the PrimFunc writes, and its text in each dialect.

use hir::{Database, FunctionItem, function_signature};
use relax::dialect::Dialect;
use relax::release::Release;
use relax::sinfo::call::derive;
use relax::sinfo::display::Names;
use relax::sinfo::{Callable, StructInfo};
use relax::sym::SymCx;

/// Returns the StructInfo of a PrimFunc's outputs for the given inputs.
pub fn outputs(
    db: &Database,
    function: FunctionItem<'_>,
    given: &[StructInfo],
) -> Option<Vec<StructInfo>> {
    let params = &function_signature(db, function).params;
    let (inputs, rest) = params.split_at_checked(given.len())?;
    let written = rest
        .iter()
        .take_while(|param| !matches!(param, StructInfo::Prim(_)));
    let callable = Callable {
        params: Some(inputs.into()),
        ret: StructInfo::tuple(written.cloned().collect::<Vec<_>>()),
        pure: true,
    };
    match derive(&callable, given, &SymCx::default()).ret {
        StructInfo::Tuple(fields) if !fields.is_empty() => Some(fields.to_vec()),
        _ => None,
    }
}

/// Returns the keyword of the output argument. The RFC takes a shape by position.
pub fn keyword(release: Release) -> &'static str {
    match release.dialect() {
        Dialect::Rfc => "",
        Dialect::StructInfo => "out_sinfo=",
        Dialect::Type => "out_ty=",
    }
}

/// Writes the outputs as the argument of a call. Returns `None` if a shape is unknown.
pub fn written(outputs: &[StructInfo], release: Release, relax: &str) -> Option<String> {
    let tensors: Option<Vec<_>> = outputs.iter().map(StructInfo::as_tensor).collect();
    let tensors = tensors?;
    if tensors.iter().any(|tensor| tensor.dims().is_none()) {
        return None;
    }
    if let (Dialect::Rfc, [tensor]) = (release.dialect(), tensors.as_slice()) {
        let shape = StructInfo::shape(tensor.dims()?.to_vec())
            .display(Dialect::Type)
            .to_string();
        let dims = shape.trim_start_matches("R.Shape([").trim_end_matches("])");
        let comma = if tensor.dims()?.len() == 1 { "," } else { "" };
        let dtype = tensor
            .dtype
            .map_or_else(String::new, |dtype| format!(", dtype=\"{dtype}\""));
        return Some(format!("({dims}{comma}){dtype}"));
    }
    let names = Names {
        relax,
        ..Names::default()
    };
    let shown: Vec<String> = outputs
        .iter()
        .map(|output| output.written(release.dialect(), names).to_string())
        .collect();
    match shown.as_slice() {
        [only] => Some(only.clone()),
        all => Some(format!("[{}]", all.join(", "))),
    }
}
