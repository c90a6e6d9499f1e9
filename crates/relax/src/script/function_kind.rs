//! The kinds of functions in TVMScript.

/// The kind of a TVMScript function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FunctionKind {
    Relax,
    PrimFunc,
    /// `@R.macro`, `@T.macro`: expanded where it is called.
    Macro,
    /// `@I.pyfunc`, or a plain Python function in a module.
    Python,
}

impl FunctionKind {
    /// Returns the name used in JSON.
    pub fn name(self) -> &'static str {
        match self {
            FunctionKind::Relax => "relax",
            FunctionKind::PrimFunc => "prim_func",
            FunctionKind::Macro => "macro",
            FunctionKind::Python => "python",
        }
    }
}
