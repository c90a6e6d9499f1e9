//! Names under `T` and `I` that exist but are not for scripts: modules of TVM and classes of its builders.

/// Names in any version of TVM since 0.19, sorted.
#[rustfmt::skip]
pub(super) const TIR: &[&str] = &["CallEffectKind", "DtypeConstructor", "builder", "parser"];

#[rustfmt::skip]
pub(super) const IR: &[&str] = &[
    "GenericConst", "IRModuleFrame", "Range", "StringImm", "StringType", "decl_function",
    "def_function", "entry", "frame", "ir", "lookup_name", "parser",
];
