//! The kinds of functions that TVMScript has.

/// What kind of TVMScript function a `def` is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FunctionKind {
    Relax,
    PrimFunc,
    /// `@R.macro`, `@T.macro`: spliced in where it is called.
    Macro,
    /// `@I.pyfunc`, and plain Python in a module.
    Python,
}

impl FunctionKind {
    /// As JSON has it.
    pub fn name(self) -> &'static str {
        match self {
            FunctionKind::Relax => "relax",
            FunctionKind::PrimFunc => "prim_func",
            FunctionKind::Macro => "macro",
            FunctionKind::Python => "python",
        }
    }
}
