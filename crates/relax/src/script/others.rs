//! Names under `T` and `I` that exist and that no script says: modules of TVM and classes of its builders.

/// In any version of TVM from 0.19 on; sorted.
#[rustfmt::skip]
pub(super) const TIR: &[&str] = &["CallEffectKind", "DtypeConstructor", "builder", "parser"];

#[rustfmt::skip]
pub(super) const IR: &[&str] = &[
    "GenericConst", "IRModuleFrame", "Range", "StringImm", "StringType", "decl_function",
    "def_function", "entry", "frame", "ir", "lookup_name", "parser",
];
