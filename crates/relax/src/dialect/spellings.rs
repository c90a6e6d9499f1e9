//! Every spelling of TVMScript that a dialect has and another has not, one row each, and those that all share.
//! Detection, the diagnostic `other-dialect` and `docs/dialects.md` read it.

use super::{Dialect, Dialects};

/// One way to write something.
#[derive(Debug)]
pub struct Spelling {
    /// As documentation shows it.
    pub shown: &'static str,
    pub form: Form,
    pub meaning: &'static str,
    pub dialects: Dialects,
    /// What the dialects write that do not have it; empty where nothing means the same.
    pub instead: &'static str,
    /// What TVM makes of it in a dialect that does not have it.
    pub elsewhere: Elsewhere,
    /// Texts that show the dialect of a file, and how much each counts.
    pub marks: &'static [(&'static str, usize)],
    /// It came or went with `tirx`, one release before Types: TVM 0.25 has StructInfo and `tirx`.
    pub with_tirx: bool,
}

impl Spelling {
    /// Whether a TVM of `dialect` reads it.
    pub fn is_read_in(&self, dialect: Dialect) -> bool {
        let early = self.with_tirx && self.dialects == TYPE && dialect == Dialect::StructInfo;
        early || self.dialects.contains(dialect)
    }

    /// The first release of TVM that reads it.
    pub fn since(&self) -> &'static str {
        match self.dialects.since {
            Dialect::Rfc => "RFC",
            Dialect::StructInfo => "0.11",
            Dialect::Type if self.with_tirx => "0.25",
            Dialect::Type => "0.26",
        }
    }

    /// The last release of TVM that reads it; empty where that is the newest.
    pub fn until(&self) -> &'static str {
        match self.dialects.until {
            Dialect::Rfc => "RFC",
            Dialect::StructInfo if self.with_tirx => "0.24",
            Dialect::StructInfo => "0.25",
            Dialect::Type => "",
        }
    }
}

/// How code recognises a spelling.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// By no single place: a row for readers, and for detection by its marks.
    Shown,
    /// `R.match_shape`, by its name; the replacement of the last part, if that is all there is to replace.
    Name(&'static str, Option<&'static str>),
    /// A keyword of some calls, and the keyword that replaces it.
    Keyword(&'static [&'static str], &'static str, Option<&'static str>),
    /// `R.Tensor[...]`
    Subscript(&'static str),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elsewhere {
    /// TVM refuses the program.
    Refused,
    /// TVM takes it and does nothing with it; the code `ignored-argument` says so.
    Ignored,
    /// TVM takes it as an older name.
    Accepted,
}

use Elsewhere::{Accepted, Ignored, Refused};
use Form::{Keyword, Name, Shown, Subscript};

const RFC: Dialects = Dialects {
    since: Dialect::Rfc,
    until: Dialect::Rfc,
};
const ALL: Dialects = Dialects::ALL;
const OLD: Dialects = Dialects::UNTIL_STRUCT_INFO;
const STRUCT_INFO: Dialects = Dialects::STRUCT_INFO;
const NEWER: Dialects = Dialects::SINCE_STRUCT_INFO;
const TYPE: Dialects = Dialects::SINCE_TYPE;

/// Calls that take the StructInfo of what they compute.
const DESTINATION: &[&str] = &[
    "R.call_tir",
    "R.call_tir_inplace",
    "R.call_tir_with_grad",
    "R.call_dps_packed",
    "R.dist.call_tir",
    "R.dist.call_tir_local_view",
];
const PACKED: &[&str] = &["R.call_packed"];
/// Calls of packed functions that know their keywords.
const STRICT: &[&str] = &[
    "R.call_pure_packed",
    "R.call_inplace_packed",
    "R.call_builtin_with_ctx",
    "R.invoke_closure",
    "R.invoke_pure_closure",
];

type Marks = &'static [(&'static str, usize)];

const fn row(
    shown: &'static str,
    form: Form,
    dialects: Dialects,
    meaning: &'static str,
    instead: &'static str,
    elsewhere: Elsewhere,
    marks: Marks,
) -> Spelling {
    Spelling {
        shown,
        form,
        meaning,
        dialects,
        instead,
        elsewhere,
        marks,
        with_tirx: false,
    }
}

const fn with_tirx(row: Spelling) -> Spelling {
    Spelling {
        with_tirx: true,
        ..row
    }
}

/// A row that every dialect has.
const fn shared(shown: &'static str, meaning: &'static str) -> Spelling {
    row(shown, Shown, ALL, meaning, "", Refused, &[])
}

/// The rows by subject, each subject under its title.
#[rustfmt::skip]
pub static SPELLINGS: &[(&str, &[Spelling])] = &[
    ("Modules", &[
        shared("@I.ir_module", "a class that is a module"),
        shared("@tvm.script.ir_module", "the same by its full name"),
        row("I.module_attrs({...})", Shown, NEWER, "attributes of the module", "", Refused, &[]),
        row("I.module_global_infos({...})", Shown, NEWER, "virtual devices and device meshes of the module", "", Refused, &[]),
        row("I.vdevice(target, index, scope)", Shown, NEWER, "a virtual device", "", Refused, &[]),
        with_tirx(row("@I.pyfunc", Shown, TYPE, "a Python function in a module", "", Refused, &[("I.pyfunc", 3)])),
        shared("cls = Module, cls.f, Module.f", "a function of the module"),
        with_tirx(row("from tvm.script import tir as T", Shown, OLD, "the namespace of PrimFuncs", "from tvm.script import tirx as T", Refused,
            &[("import tir as T", 3), ("import tir,", 1), ("import tir\n", 3), (", tir\n", 2), ("tvm import tir", 2), ("tir as T", 10)])),
        with_tirx(row("from tvm.script import tirx as T", Shown, TYPE, "the namespace of PrimFuncs", "from tvm.script import tir as T", Refused, &[("tirx as T", 10), ("tirx", 2)])),
    ]),
    ("Functions", &[
        shared("@R.function", "a Relax function"),
        row("@R.func", Name("R.func", Some("function")), RFC, "a Relax function", "@R.function", Refused, &[("@R.func\n", 4)]),
        row("@R.function(pure=False)", Shown, NEWER, "a function with side effects", "", Refused, &[]),
        row("@R.function(private=True)", Shown, NEWER, "a function without a global symbol", "", Refused, &[]),
        row("@R.function(check_well_formed=False)", Shown, NEWER, "a function that TVM does not check", "", Refused, &[]),
        row("@R.macro", Shown, NEWER, "spliced in where it is called", "", Refused, &[]),
        shared("def inside def", "a local function, also a recursive one"),
        row("R.func_attr({...})", Shown, NEWER, "attributes of the function", "", Refused, &[]),
        row("R.func_ret_struct_info(...)", Name("R.func_ret_struct_info", Some("func_ret_ty")), STRUCT_INFO, "what the function returns", "R.func_ret_ty(...)", Refused, &[("struct_info", 1)]),
        row("R.func_ret_ty(...)", Name("R.func_ret_ty", Some("func_ret_struct_info")), TYPE, "what the function returns", "R.func_ret_struct_info(...)", Refused, &[]),
        row("R.func_ret_value(x)", Shown, NEWER, "the value that the function returns", "", Refused, &[]),
        row("def f[n](...)", Shown, TYPE, "shape variables of the function", "", Refused, &[]),
    ]),
    ("Statements", &[
        shared("with R.dataflow():", "a dataflow block"),
        row("R.output(x, ...)", Name("R.output", Some("outputs")), NEWER, "what the block shows outside", "R.outputs(x, ...)", Refused, &[("R.output(", 2)]),
        row("R.outputs(x, ...)", Name("R.outputs", Some("output")), RFC, "what the block shows outside", "R.output(x, ...)", Refused, &[("R.outputs(", 4)]),
        row("R.match_shape(x, (n, m))", Name("R.match_shape", None), RFC, "binds shape variables", "R.match_cast(x, R.Tensor((\"n\", \"m\")))", Refused, &[("R.match_shape(", 4)]),
        row("R.match_cast(x, R.Tensor(...))", Name("R.match_cast", None), NEWER, "binds shape variables, checked when it runs", "R.match_shape(x, (n, m))", Refused, &[]),
        shared("if x: ... else: ...", "a branch; both bind one variable last"),
        row("with R.If(x): with R.Then(): ...", Shown, NEWER, "the same, as the builder says it", "", Refused, &[]),
        row("with R.SeqExpr():", Shown, NEWER, "binding blocks with a value", "", Refused, &[]),
        row("T.meta_var(x)", Shown, NEWER, "a name that Python keeps", "", Refused, &[]),
        row("I.meta_var(x)", Shown, TYPE, "a name that Python keeps", "T.meta_var(x)", Refused, &[("I.meta_var", 3)]),
    ]),
    ("Annotations", &[
        row("R.Tensor((n, 4), \"float32\")", Shown, NEWER, "a tensor by shape and dtype", "R.Tensor[(n, 4), \"float32\"]", Refused, &[("R.Tensor((", 2)]),
        row("R.Tensor[(n, 4), \"float32\"]", Subscript("R.Tensor"), RFC, "a tensor by shape and dtype; `_` where it is not known", "R.Tensor((\"n\", 4), \"float32\")", Refused, &[("R.Tensor[", 4)]),
        row("R.Tensor(ndim=2)", Shown, NEWER, "a tensor of known rank", "", Refused, &[]),
        row("R.Shape((n, 4)), R.Shape(ndim=2)", Shown, NEWER, "a shape as a value", "", Refused, &[]),
        row("R.Prim(\"int64\")", Shown, NEWER, "a number", "", Refused, &[]),
        row("R.Prim(value=n)", Keyword(&["R.Prim"], "value", None), STRUCT_INFO, "a number whose value is a dimension", "", Refused, &[("R.Prim(value=", 1)]),
        row("R.Tuple(...)", Shown, NEWER, "a tuple", "", Refused, &[]),
        row("R.Callable((...), ret, purity)", Shown, NEWER, "a function", "", Refused, &[]),
        row("R.Object", Name("R.Object", Some("Any")), STRUCT_INFO, "anything", "R.Any", Accepted, &[("R.Object", 1)]),
        row("R.Any", Name("R.Any", Some("Object")), TYPE, "anything", "R.Object", Refused, &[("R.Any", 3)]),
        row("R.DTensor(...)", Shown, NEWER, "a tensor over a mesh of devices", "", Refused, &[]),
    ]),
    ("Shape variables", &[
        row("(n, 4) in a signature", Shown, RFC, "defined where it stands", "(\"n\", 4)", Refused, &[]),
        row("(\"n\", 4) in a signature", Shown, NEWER, "defined where it stands", "", Refused, &[]),
        row("n = T.int64()", Shown, NEWER, "the variable that a string of the signature defines, or one that `R.match_cast` binds", "", Refused, &[]),
        row("n = TypeVar(\"n\")", Shown, TYPE, "a variable for annotations below", "(\"n\", 4) in a signature", Refused, &[("TypeVar(", 3)]),
    ]),
    ("Constants", &[
        row("R.const(1.0, \"float32\")", Shown, NEWER, "a tensor", "", Refused, &[]),
        row("R.prim_value(4)", Shown, NEWER, "a number", "", Refused, &[]),
        row("R.str(\"text\"), R.dtype(\"float32\")", Shown, NEWER, "a string, a dtype", "", Refused, &[]),
        row("metadata[\"relax.expr.Constant\"][0]", Shown, NEWER, "a constant that was too long to print", "", Refused, &[]),
    ]),
    ("Calls", &[
        row("R.call_tir(f, (x,), (n, 4), dtype=\"float32\")", Shown, RFC, "calls a PrimFunc; shape and dtype of the result", "R.call_tir(f, (x,), out_sinfo=...)", Refused, &[]),
        row("R.call_tir(f, (x,), out_sinfo=...)", Keyword(DESTINATION, "out_sinfo", Some("out_ty")), STRUCT_INFO, "calls a PrimFunc; also the relatives of `R.call_tir`", "out_ty=", Refused, &[("out_sinfo=", 3)]),
        row("R.call_tir(f, (x,), out_ty=...)", Keyword(DESTINATION, "out_ty", Some("out_sinfo")), TYPE, "calls a PrimFunc; also the relatives of `R.call_tir`", "out_sinfo=", Refused, &[("out_ty=", 3)]),
        row("R.call_tir(..., tir_vars=...)", Keyword(DESTINATION, "tir_vars", None), STRUCT_INFO, "values of shape variables that no buffer gives", "", Refused, &[]),
        row("R.call_packed(\"f\", x, sinfo_args=...)", Keyword(PACKED, "sinfo_args", Some("ty_args")), STRUCT_INFO, "calls a function of the host", "ty_args=", Ignored, &[("sinfo_args=", 3)]),
        row("R.call_packed(\"f\", x, ty_args=...)", Keyword(PACKED, "ty_args", Some("sinfo_args")), TYPE, "calls a function of the host", "sinfo_args=", Ignored, &[("ty_args=", 3)]),
        row("R.call_pure_packed(..., sinfo_args=...)", Keyword(STRICT, "sinfo_args", Some("ty_args")), STRUCT_INFO, "the relatives of `R.call_packed`", "ty_args=", Refused, &[]),
        row("R.call_pure_packed(..., ty_args=...)", Keyword(STRICT, "ty_args", Some("sinfo_args")), TYPE, "the relatives of `R.call_packed`", "sinfo_args=", Refused, &[]),
        row("R.ExternFunc(\"f\")", Shown, NEWER, "a function of the host as a value", "", Refused, &[]),
        row("R.emit_te(f, ...)", Shown, NEWER, "calls what a tensor expression becomes", "", Refused, &[]),
        shared("f(*args), [g(x) for x in xs]", "arguments that Python builds"),
    ]),
    ("PrimFuncs", &[
        shared("@T.prim_func", "a PrimFunc"),
        with_tirx(row("@T.prim_func(s_tir=True)", Shown, TYPE, "a PrimFunc of schedulable blocks", "@T.prim_func", Refused, &[("s_tir=True", 3)])),
        shared("A: T.Buffer((n, 4), \"float32\")", "a parameter that is a buffer"),
        shared("T.match_buffer(handle, (n, 4))", "the buffer behind a handle"),
        with_tirx(row("with T.block(\"C\"):", Name("T.block", Some("sblock")), OLD, "a block", "with T.sblock(\"C\"):", Refused, &[("T.block(", 2)])),
        with_tirx(row("with T.sblock(\"C\"):", Name("T.sblock", Some("block")), TYPE, "a block", "with T.block(\"C\"):", Refused, &[("T.sblock", 2)])),
        with_tirx(row("T.block_attr({...})", Name("T.block_attr", Some("sblock_attr")), OLD, "attributes of a block", "T.sblock_attr({...})", Refused, &[])),
        with_tirx(row("T.sblock_attr({...})", Name("T.sblock_attr", Some("block_attr")), TYPE, "attributes of a block", "T.block_attr({...})", Refused, &[])),
        with_tirx(row("T.sblock_alloc_buffer(...)", Name("T.sblock_alloc_buffer", Some("alloc_buffer")), TYPE, "a buffer of a block", "T.alloc_buffer(...)", Refused, &[])),
        with_tirx(row("T.allocate([4], \"float32\")", Name("T.allocate", None), OLD, "memory without a buffer", "T.alloc_buffer((4,), \"float32\")", Refused, &[])),
        with_tirx(row("T.allocate_const(...)", Name("T.allocate_const", None), OLD, "memory with constants", "", Refused, &[])),
        with_tirx(row("with T.LetStmt(value) as x:", Name("T.LetStmt", None), OLD, "a value under a name", "x: T.let = value", Refused, &[])),
        with_tirx(row("x: T.let = value", Shown, TYPE, "a value under a name", "x: T.float32 = value", Refused, &[])),
        with_tirx(row("with T.realize(...):", Name("T.realize", None), OLD, "a buffer region to realize", "", Refused, &[])),
        with_tirx(row("T.preflattened_buffer(...)", Name("T.preflattened_buffer", None), OLD, "a buffer before it was flattened", "", Refused, &[])),
        row("@T.macro", Shown, NEWER, "spliced in where it is called", "", Refused, &[]),
        with_tirx(row("@T.inline", Shown, TYPE, "spliced in where it is called", "@T.macro", Refused, &[])),
        with_tirx(row("T.e4m3_float8, \"e4m3_float8\"", Name("T.e4m3_float8", Some("float8_e4m3fn")), STRUCT_INFO, "a float of eight bits", "T.float8_e4m3fn", Refused, &[])),
    ]),
];

/// Every row.
pub fn spellings() -> impl Iterator<Item = &'static Spelling> {
    SPELLINGS.iter().flat_map(|(_, rows)| rows.iter())
}
