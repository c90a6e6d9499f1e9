//! The table of diagnostic codes and severities, and diagnostics as plain data.
//!
//! The producer defines what positions are relative to: a function's start or the file's.

use smol_str::SmolStr;
use text_size::{TextRange, TextSize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    Error,
    Warning,
    Hint,
}

impl Severity {
    /// Returns the name used in `facts` and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Hint => "hint",
        }
    }
}

macro_rules! codes {
    ($($variant:ident $name:literal $severity:ident $($when:ident)? $([$($criterion:literal),*])?,)*) => {
        /// The kind of a diagnostic. Each has a page in `docs/diagnostics`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code { $($variant,)* }

        impl Code {
            pub const ALL: &'static [Code] = &[$(Code::$variant,)*];

            /// Returns the kebab-case name that users see.
            pub fn name(self) -> &'static str {
                match self { $(Code::$variant => $name,)* }
            }

            pub fn severity(self) -> Severity {
                match self { $(Code::$variant => Severity::$severity,)* }
            }

            /// Returns `true` if TVM only reports it in the well-formedness check, which `check_well_formed=False`
            /// disables.
            pub fn is_of_form(self) -> bool {
                match self { $(Code::$variant => codes!(@form $($when)?),)* }
            }

            /// Returns the criteria of well-formedness whose violations it reports, by their numbers in the
            /// specification.
            pub fn criteria(self) -> &'static [&'static str] {
                match self { $(Code::$variant => &[$($($criterion),*)?],)* }
            }

            /// Returns the documentation page in Markdown.
            pub fn page(self) -> &'static str {
                match self {
                    $(Code::$variant => include_str!(concat!("../../../docs/diagnostics/", $name, ".md")),)*
                }
            }
        }
    };
    (@form) => { false };
    (@form Checked) => { true };
}

codes! {
    SyntaxError "syntax-error" Error,
    UnsupportedStatement "unsupported-statement" Error,
    UndefinedName "undefined-name" Error ["2", "3", "14"],
    UndefinedFunction "undefined-function" Error,
    DataflowVarOutsideBlock "dataflow-var-outside-block" Error ["1"],
    DataflowVarCaptured "dataflow-var-captured" Error ["11"],
    DataflowVarInType "dataflow-var-in-type" Error Checked ["14"],
    ControlFlowInDataflow "control-flow-in-dataflow" Error ["7"],
    RecursionInDataflow "recursion-in-dataflow" Warning ["7"],
    ImpureCallInDataflow "impure-call-in-dataflow" Error Checked ["7"],
    ImpureCallInPureFunction "impure-call-in-pure-function" Error Checked,
    ConflictingPurity "conflicting-purity" Error Checked ["21"],
    GlobalSymbolMismatch "global-symbol-mismatch" Error Checked ["13"],
    MissingOutput "missing-output" Warning ["1"],
    InvalidOutput "invalid-output" Error ["1"],
    BindingAfterOutput "binding-after-output" Error,
    MissingReturn "missing-return" Error,
    MisplacedReturn "misplaced-return" Error,
    MissingElse "missing-else" Error,
    IncompleteMatch "incomplete-match" Error,
    BranchVariableMismatch "branch-variable-mismatch" Error,
    MissingAnnotation "missing-annotation" Error,
    RecursionWithoutAnnotation "recursion-without-annotation" Warning ["8"],
    InvalidAnnotation "invalid-annotation" Error ["10", "14", "19", "RFC 15"],
    AnnotationMismatch "annotation-mismatch" Error Checked,
    ReturnMismatch "return-mismatch" Warning,
    ImpossibleCast "impossible-cast" Error,
    UnboundValue "unbound-value" Error,
    ShapeMismatch "shape-mismatch" Error,
    RankMismatch "rank-mismatch" Error ["10", "14", "15"],
    DtypeMismatch "dtype-mismatch" Error ["22"],
    ArgumentType "argument-type" Error ["9", "18", "23"],
    ArgumentValue "argument-value" Error ["23"],
    ArgumentCount "argument-count" Error,
    UnknownArgument "unknown-argument" Error,
    IgnoredArgument "ignored-argument" Warning ["17", "RFC 10"],
    NotCallable "not-callable" Error,
    UnknownAttribute "unknown-attribute" Error,
    UnknownOperator "unknown-operator" Error,
    UnknownDtype "unknown-dtype" Error ["20"],
    UnknownVdevice "unknown-vdevice" Error ["24"],
    TupleIndexOutOfRange "tuple-index-out-of-range" Error,
    NotATuple "not-a-tuple" Error,
    UnboundShapeVariable "unbound-shape-variable" Error Checked ["4", "5", "6", "14", "15", "16"],
    IndexCount "index-count" Error,
    IndexOutOfRange "index-out-of-range" Warning,
    IterationCount "iteration-count" Error,
    MisplacedBlockStatement "misplaced-block-statement" Error,
    Redefinition "redefinition" Error ["2"],
    StorageStillNeeded "storage-still-needed" Warning,
    OtherDialect "other-dialect" Error,
    NoEntryPoint "no-entry-point" Warning ["12"],
    NoFittingCall "no-fitting-call" Hint,
    NotAnalysedFurther "not-analysed-further" Warning,
    UnusedBinding "unused-binding" Hint,
    UnusedFunction "unused-function" Hint,
    UnusedIgnore "unused-ignore" Warning,
    UnloweredOperator "unlowered-operator" Warning,
}

/// A diagnostic.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Diagnostic {
    pub code: Code,
    pub severity: Severity,
    pub range: TextRange,
    pub message: String,
    /// Related places, with messages.
    pub related: Vec<(TextRange, String)>,
    /// Further places with the same mistake.
    pub repeats: Vec<TextRange>,
    /// The probable intent, and the range that it replaces.
    pub instead: Option<(TextRange, SmolStr)>,
    /// Two dimensions or dtypes that should be equal, as a program writes them.
    pub differing: Option<(SmolStr, SmolStr)>,
    /// The name that the diagnostic is about.
    pub about: Option<SmolStr>,
}

impl Diagnostic {
    pub fn new(code: Code, range: TextRange, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            severity: code.severity(),
            range,
            message: message.into(),
            related: Vec::new(),
            repeats: Vec::new(),
            instead: None,
            differing: None,
            about: None,
        }
    }

    pub fn related(mut self, range: TextRange, note: impl Into<String>) -> Diagnostic {
        self.related.push((range, note.into()));
        self
    }

    /// Returns the diagnostic shifted by `offset`.
    pub fn moved(&self, offset: TextSize) -> Diagnostic {
        self.clone().mapped(|range| range + offset)
    }

    /// Returns the diagnostic with all ranges mapped.
    #[must_use]
    pub fn mapped(mut self, map: impl Fn(TextRange) -> TextRange) -> Diagnostic {
        self.range = map(self.range);
        let related = self.related.iter_mut().map(|(range, _)| range);
        let instead = self.instead.iter_mut().map(|(range, _)| range);
        for range in related.chain(&mut self.repeats).chain(instead) {
            *range = map(*range);
        }
        self
    }
}
