//! The table of TVMScript spellings, one row each: those that only some releases have, and those that all share.
//! Evidence, the diagnostic `other-dialect` and `docs/releases.md` use it.

/// A spelling of a construct.
#[derive(Debug)]
pub struct Spelling {
    /// The text that documentation shows.
    pub shown: &'static str,
    pub form: Form,
    pub meaning: &'static str,
    pub releases: Releases,
    /// The spelling in releases that lack this one; empty if there is no equivalent.
    pub instead: &'static str,
    /// What TVM does with it in a release that lacks it.
    pub out_of_range: OutOfRange,
    /// The change of TVM that added or removed it: a pull request, a commit, a document.
    pub source: &'static str,
}

/// How code recognises a spelling.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// Not at a single place. The row is for documentation, and detected by its marks.
    Shown,
    /// A name such as `R.match_shape`, and the replacement of its last part if that is all to replace.
    Name(&'static str, Option<&'static str>),
    /// A keyword of some calls, and its replacement.
    Keyword(&'static [&'static str], &'static str, Option<&'static str>),
    /// How some calls refer to the function in their first argument.
    First(&'static [&'static str], First),
    /// A subscript: `R.Tensor[...]`.
    Subscript(&'static str),
    /// Names such as `Tensor` without `R` in the header of a function.
    Bare(&'static [&'static str]),
    /// The path of an import such as `from tvm.script import tir`, and the replacement of its last part.
    Import(&'static str, Option<&'static str>),
    /// Type parameters: `def f[n]`.
    TypeParams,
    /// A name that `TypeVar` declares.
    TypeVar,
    /// A shape variable of the signature that gets its size in the body.
    SizedShapeVar,
}

/// How a call refers to the function in its first argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum First {
    /// A name: `f`.
    Name,
    /// Through the module: `cls.f`.
    Dotted,
    /// A string: `"f"`.
    Text,
}

/// What TVM does with a spelling in a release that lacks it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutOfRange {
    /// TVM rejects the program.
    Refused,
    /// TVM accepts and ignores it. Inference reports this: for arguments, as `ignored-argument`.
    Ignored,
    /// TVM rejects the program. Other diagnostics report what it refers to.
    Reported,
    /// TVM accepts it as an older name.
    Accepted,
}

use crate::release::{Release, Releases};
use Form::{Bare, Import, Keyword, Name, Shown, Subscript};
use OutOfRange::{Accepted, Ignored, Refused, Reported};

const RFC: Releases = Releases::only(Release::Rfc);
const ALL: Releases = Releases::ALL;
const STRUCT_INFO: Releases = Releases::between(Release::Unity, Release::V0_25);
const NEWER: Releases = Releases::since(Release::Unity);
/// PrimFuncs before tirx.
const TIR: Releases = Releases::until(Release::V0_23);
const TIRX: Releases = Releases::since(Release::V0_24);
const TYPE: Releases = Releases::since(Release::V0_26);

/// Calls that take the StructInfo of their result.
const DESTINATION: &[&str] = &[
    "R.call_tir",
    "R.call_tir_inplace",
    "R.call_tir_with_grad",
    "R.call_dps_packed",
    "R.call_py_func",
    "R.dist.call_tir",
    "R.dist.call_tir_local_view",
];
/// Those calls among them whose function is a PrimFunc of the module.
const OF_PRIM_FUNCS: &[&str] = &["R.call_tir", "R.call_tir_inplace", "R.call_tir_with_grad"];
/// The names of annotations.
const ANNOTATIONS: &[&str] = &["Tensor", "Shape", "Object", "Tuple", "Callable"];
const PACKED: &[&str] = &["R.call_packed"];
/// Calls of packed functions that check their keywords.
const STRICT: &[&str] = &[
    "R.call_pure_packed",
    "R.call_inplace_packed",
    "R.call_builtin_with_ctx",
    "R.invoke_closure",
    "R.invoke_pure_closure",
];

const fn row(
    shown: &'static str,
    form: Form,
    releases: Releases,
    meaning: &'static str,
    instead: &'static str,
    out_of_range: OutOfRange,
) -> Spelling {
    Spelling {
        shown,
        form,
        meaning,
        releases,
        instead,
        out_of_range,
        source: "",
    }
}

impl Spelling {
    /// Returns the numbers of the pull requests in its source, in order.
    pub fn pull_requests(&self) -> impl Iterator<Item = u32> {
        let words = self.source.split(' ');
        words.filter_map(|it| it.strip_prefix('#')?.parse().ok())
    }

    const fn source(self, source: &'static str) -> Spelling {
        Spelling { source, ..self }
    }
}

/// Returns a row that every release has.
const fn shared(shown: &'static str, meaning: &'static str) -> Spelling {
    row(shown, Shown, ALL, meaning, "", Refused)
}

/// The rows, grouped by subject.
#[rustfmt::skip]
pub static SPELLINGS: &[(&str, &[Spelling])] = &[
    ("Modules", &[
        shared("@I.ir_module", "a module"),
        shared("@tvm.script.ir_module", "the same, with its full name"),
        row("I.module_attrs({...})", Shown, NEWER, "attributes of the module", "", Refused).source("#14132"),
        row("I.module_global_infos({...})", Shown, NEWER, "virtual devices and device meshes of the module", "", Refused).source("#14132"),
        row("I.vdevice(target, index, scope)", Shown, NEWER, "a virtual device", "", Refused).source("#15447"),
        row("@I.pyfunc", Name("I.pyfunc", None), Releases::since(Release::V0_22), "a Python function in a module", "", Refused).source("#18229"),
        shared("cls = Module, cls.f, Module.f", "a function of the module"),
        row("from tvm.script import tir as T", Import("tvm.script.tir", Some("tirx")), TIR, "the namespace of PrimFuncs", "from tvm.script import tirx as T", Refused).source("#18913"),
        row("from tvm.script import tirx as T", Import("tvm.script.tirx", Some("tir")), TIRX, "the namespace of PrimFuncs", "from tvm.script import tir as T", Refused).source("#18913"),
    ]),
    ("Functions", &[
        shared("@R.function", "a Relax function"),
        row("@R.func", Name("R.func", Some("function")), RFC, "a Relax function", "@R.function", Refused).source("RFC 0089"),
        row("@R.function(metadata=text)", Keyword(&["R.function"], "metadata", None), RFC, "constants that the body refers to as `meta[relay.Constant][0]`", "", Refused).source("tlc-pack/relax#76"),
        row("@R.function(pure=False)", Shown, NEWER, "a function with side effects", "", Refused).source("#15109"),
        row("@R.function(private=True)", Shown, NEWER, "a function without a global symbol", "", Refused).source("#15140"),
        row("@R.function(check_well_formed=False)", Shown, NEWER, "a function that TVM does not check", "", Refused).source("#16569"),
        row("@R.macro", Shown, NEWER, "a macro, expanded where it is called", "", Refused).source("#15455"),
        shared("def inside def", "a local function, also a recursive one"),
        row("R.func_attr({...})", Shown, NEWER, "attributes of the function", "", Refused).source("#13932"),
        row("R.func_ret_struct_info(...)", Name("R.func_ret_struct_info", Some("func_ret_ty")), STRUCT_INFO, "what the function returns", "R.func_ret_ty(...)", Refused).source("#19853"),
        row("R.func_ret_ty(...)", Name("R.func_ret_ty", Some("func_ret_struct_info")), TYPE, "what the function returns", "R.func_ret_struct_info(...)", Refused).source("#19853"),
        row("R.func_ret_value(x)", Shown, NEWER, "the value that the function returns", "", Refused).source("#13932"),
        row("def f[n](...)", Form::TypeParams, Releases::since(Release::V0_27), "shape variables of the function", "", Refused).source("#20107"),
    ]),
    ("Statements", &[
        shared("with R.dataflow():", "a dataflow block"),
        shared("R.output(x, ...)", "what the block shows outside"),
        row("R.outputs(x, ...)", Name("R.outputs", Some("output")), RFC, "the variables that are visible after the block", "R.output(x, ...)", Refused).source("RFC 0089"),
        row("R.match_shape(x, (n, m))", Name("R.match_shape", None), RFC, "binds shape variables", "R.match_cast(x, R.Tensor((\"n\", \"m\")))", Refused).source("RFC 0089"),
        row("R.match_cast(x, R.Tensor(...))", Name("R.match_cast", None), NEWER, "binds shape variables and checks them at run time", "R.match_shape(x, (n, m))", Refused).source("RFC 0089"),
        shared("if x: ... else: ...", "a branch; the last binding of both sides has the same name"),
        row("with R.If(x): with R.Then(): ...", Shown, NEWER, "the same, with the builder's name", "", Refused).source("#13932"),
        row("with R.SeqExpr():", Shown, NEWER, "binding blocks with a value", "", Refused).source("#15455"),
        row("T.meta_var(x)", Shown, NEWER, "a name that is evaluated by Python", "", Refused).source("#12496"),
        row("I.meta_var(x)", Name("I.meta_var", None), TYPE, "a name that is evaluated by Python", "T.meta_var(x)", Refused).source("#20004"),
    ]),
    ("Annotations", &[
        row("R.Tensor((n, 4), \"float32\")", Shown, NEWER, "a tensor with a shape and a dtype", "R.Tensor[(n, 4), \"float32\"]", Refused).source("#13932"),
        row("R.Tensor[(n, 4), \"float32\"]", Subscript("R.Tensor"), RFC, "a tensor with a shape and a dtype; `_` if one is not known", "R.Tensor((\"n\", 4), \"float32\")", Refused).source("RFC 0089"),
        row("R.Tensor(ndim=2)", Shown, NEWER, "a tensor of known rank", "", Refused).source("#13932"),
        row("R.Shape((n, 4)), R.Shape(ndim=2)", Shown, NEWER, "a shape as a value", "", Refused).source("#13932"),
        row("R.Prim(\"int64\")", Shown, NEWER, "a number", "", Refused).source("#13932"),
        row("R.Prim(value=n)", Keyword(&["R.Prim"], "value", None), STRUCT_INFO, "a scalar parameter that defines a shape variable", "", Refused).source("#19858"),
        row("R.Tuple(...)", Shown, NEWER, "a tuple", "", Refused).source("#13932"),
        row("R.Callable((...), ret, purity)", Shown, NEWER, "a function", "", Refused).source("#13932"),
        row("R.Object", Name("R.Object", Some("Any")), STRUCT_INFO, "anything", "R.Any", Accepted).source("#19889"),
        row("R.Any", Name("R.Any", Some("Object")), TYPE, "anything", "R.Object", Refused).source("#19889"),
        row("R.DTensor(...)", Shown, NEWER, "a tensor over a mesh of devices", "", Refused).source("#15289"),
    ]),
    ("Names without a namespace", &[
        row("Tensor((n, 4), \"float32\"), Object", Bare(ANNOTATIONS), RFC, "an annotation without `R.`; `_` or `None` if a shape is not known", "R.Tensor((\"n\", 4), \"float32\")", Reported).source("tlc-pack/relax#123"),
        row("add(x, y), nn.relu(x)", Shown, RFC, "an operator, called by the name in TVM's registry", "R.add(x, y)", Reported).source("tlc-pack/relax#6"),
        row("with relax.dataflow():", Shown, RFC, "`relax` instead of `R`", "with R.dataflow():", Reported).source("tlc-pack/relax#6"),
        row("@T.prim_func inside @R.function", Shown, Releases::until(Release::Unity), "a PrimFunc inside a Relax function", "", Reported).source("tlc-pack/relax#6"),
    ]),
    ("Shape variables", &[
        row("(n, 4) in a signature", Shown, RFC, "defined where it is used", "(\"n\", 4)", Refused).source("RFC 0089"),
        row("(\"n\", 4) in a signature", Shown, NEWER, "defined where it is used", "", Refused).source("#13932"),
        row("n = T.int64()", Shown, NEWER, "declares a shape variable that the signature or an `R.match_cast` binds", "", Refused).source("#13932"),
        row("n = T.int64(4)", Form::SizedShapeVar, Releases::between(Release::V0_17, Release::V0_25), "gives a shape variable of the signature its size", "(4, 4) in the signature", Ignored).source("#17083 #20004"),
        row("n = TypeVar(\"n\")", Form::TypeVar, Releases::since(Release::V0_27), "a shape variable for the annotations that follow", "(\"n\", 4) in a signature", Refused).source("#20107"),
    ]),
    ("Constants", &[
        row("R.const(1.0, \"float32\")", Shown, NEWER, "a tensor", "", Refused).source("#13932"),
        row("R.prim_value(4)", Shown, NEWER, "a number", "", Refused).source("#13932"),
        row("R.str(\"text\"), R.dtype(\"float32\")", Shown, NEWER, "a string, a dtype", "", Refused).source("#13932"),
        row("metadata[\"relax.expr.Constant\"][0]", Shown, Releases::between(Release::Unity, Release::V0_26), "a constant, by its place in the metadata", "metadata[\"ir.GenericConst\"][0]", Refused).source("#13934"),
        row("metadata[\"ir.GenericConst\"][0]", Shown, Releases::since(Release::V0_27), "a constant, by its place in the metadata", "", Refused).source("#20386"),
    ]),
    ("Calls", &[
        row("R.call_tir(f, (x,), (n, 4), dtype=\"float32\")", Keyword(&["R.call_tir"], "dtype", None), Releases::until(Release::Unity), "calls a PrimFunc; shape and dtype of the result", "R.call_tir(f, (x,), out_sinfo=...)", Reported).source("#13926"),
        row("R.call_tir(cls.f, ...)", Form::First(OF_PRIM_FUNCS, First::Dotted), Releases::since(Release::V0_16), "a function, named with its module", "", Reported).source("#14276"),
        row("R.call_tir(f, ...)", Form::First(OF_PRIM_FUNCS, First::Name), Releases::until(Release::Unity), "a function, named without its module", "R.call_tir(cls.f, ...)", Reported).source("#14276"),
        row("R.call_tir(\"f\", ...)", Form::First(OF_PRIM_FUNCS, First::Text), Releases::until(Release::Unity), "a packed function that writes to its last argument", "R.call_dps_packed(\"f\", ...)", Reported).source("#14183"),
        row("R.call_tir(f, (x,), out_sinfo=...)", Keyword(DESTINATION, "out_sinfo", Some("out_ty")), STRUCT_INFO, "calls a PrimFunc; also the relatives of `R.call_tir`", "out_ty=", Refused).source("#19853"),
        row("R.call_tir(f, (x,), out_ty=...)", Keyword(DESTINATION, "out_ty", Some("out_sinfo")), TYPE, "calls a PrimFunc; also the relatives of `R.call_tir`", "out_sinfo=", Refused).source("#19853"),
        row("R.call_tir(..., tir_vars=...)", Keyword(DESTINATION, "tir_vars", None), STRUCT_INFO, "values of the shape variables that no buffer defines", "", Refused).source("#20009"),
        row("R.call_packed(\"f\", x, type_args=...)", Keyword(&["R.call_packed", "R.invoke_closure"], "type_args", None), Releases::until(Release::Unity), "calls a packed function", "sinfo_args=", Reported).source("tlc-pack/relax#386"),
        row("R.call_packed(\"f\", x, sinfo_args=...)", Keyword(PACKED, "sinfo_args", Some("ty_args")), STRUCT_INFO, "calls a packed function", "ty_args=", Ignored).source("#19853"),
        row("R.call_packed(\"f\", x, ty_args=...)", Keyword(PACKED, "ty_args", Some("sinfo_args")), TYPE, "calls a packed function", "sinfo_args=", Ignored).source("#19853"),
        row("R.call_pure_packed(..., sinfo_args=...)", Keyword(STRICT, "sinfo_args", Some("ty_args")), STRUCT_INFO, "the relatives of `R.call_packed`", "ty_args=", Refused).source("#19853"),
        row("R.call_pure_packed(..., ty_args=...)", Keyword(STRICT, "ty_args", Some("sinfo_args")), TYPE, "the relatives of `R.call_packed`", "sinfo_args=", Refused).source("#19853"),
        row("R.emit_with_sinfo(\"relax.add\", x, sinfo)", Name("R.emit_with_sinfo", Some("emit_with_type")), Releases::between(Release::V0_23, Release::V0_25), "a call with the StructInfo of its result", "R.emit_with_type(...)", Refused).source("#18523 #19853"),
        row("R.emit_with_type(\"relax.add\", x, type)", Name("R.emit_with_type", Some("emit_with_sinfo")), TYPE, "a call with the StructInfo of its result", "R.emit_with_sinfo(...)", Refused).source("#19853"),
        row("R.emit_with_ty(\"relax.add\", x, type)", Name("R.emit_with_ty", Some("emit_with_sinfo")), TYPE, "a call with the StructInfo of its result", "R.emit_with_sinfo(...)", Refused).source("#19853"),
        row("R.ExternFunc(\"f\")", Shown, NEWER, "a packed function as a value", "", Refused).source("#13932"),
        row("R.emit_te(f, ...)", Shown, NEWER, "calls a PrimFunc made from a tensor expression", "", Refused).source("#14123"),
        row("R.layout_transform(..., axis_separators=)", Keyword(&["R.layout_transform"], "axis_separators", None), STRUCT_INFO, "where the new layout is split when it is flattened", "", Refused).source("#20019"),
        row("R.layout_transform(..., input_axis_separators=)", Keyword(&["R.layout_transform"], "input_axis_separators", None), Releases::between(Release::V0_17, Release::V0_25), "where the old layout is split", "", Refused).source("#17115 #20019"),
        row("R.take(..., mode=)", Keyword(&["R.take"], "mode", None), Releases::since(Release::V0_22), "what happens for an index out of bounds", "", Refused).source("#18061"),
        row("R.nn.batch_norm(..., training=)", Keyword(&["R.nn.batch_norm"], "training", None), Releases::since(Release::V0_20), "whether the statistics are updated", "", Refused).source("#17752"),
        row("R.image.affine_grid(..., align_corners=)", Keyword(&["R.image.affine_grid"], "align_corners", None), TYPE, "whether the corners are samples", "", Refused).source("#19864"),
        row("R.hint_on_device(..., memory_scope=)", Keyword(&["R.hint_on_device"], "memory_scope", None), Releases::since(Release::V0_23), "the memory of the device", "", Refused).source("#17599"),
        row("R.nn.pad(x, width, value, mode)", Shown, Releases::until(Release::V0_19), "`pad_value` comes before `pad_mode`", "R.nn.pad(x, width, mode, value)", Refused).source("#17657"),
        row("R.nn.pad(x, width, mode, value)", Shown, Releases::since(Release::V0_20), "`pad_mode` comes before `pad_value`", "R.nn.pad(x, width, value, mode)", Refused).source("#17657"),
        shared("f(*args), [g(x) for x in xs]", "arguments that are computed by Python"),
    ]),
    ("PrimFuncs", &[
        shared("@T.prim_func", "a PrimFunc"),
        row("@T.prim_func(s_tir=True)", Keyword(&["T.prim_func", "I.ir_module"], "s_tir", None), Releases::since(Release::V0_25), "a PrimFunc of schedulable blocks", "@T.prim_func", Refused).source("#19581"),
        shared("A: T.Buffer((n, 4), \"float32\")", "a parameter that is a buffer"),
        shared("T.match_buffer(handle, (n, 4))", "the buffer of a handle"),
        row("with T.block(\"C\"):", Name("T.block", Some("sblock")), TIR, "a block", "with T.sblock(\"C\"):", Refused).source("#18689"),
        row("with T.sblock(\"C\"):", Name("T.sblock", Some("block")), TIRX, "a block", "with T.block(\"C\"):", Refused).source("#18689"),
        row("T.block_attr({...})", Name("T.block_attr", Some("sblock_attr")), TIR, "attributes of a block", "T.sblock_attr({...})", Refused).source("#18689"),
        row("T.sblock_attr({...})", Name("T.sblock_attr", Some("block_attr")), TIRX, "attributes of a block", "T.block_attr({...})", Refused).source("#18689"),
        row("T.sblock_alloc_buffer(...)", Name("T.sblock_alloc_buffer", Some("alloc_buffer")), TIRX, "a buffer of a block", "T.alloc_buffer(...)", Refused).source("#18865"),
        row("B = T.Buffer((4,), data=A.data)", Shown, TIR, "a buffer over the memory of another buffer", "T.decl_buffer((4,), data=A.data)", Reported).source("#18843"),
        row("T.allocate([4], \"float32\")", Name("T.allocate", None), TIR, "memory without a buffer", "T.alloc_buffer((4,), \"float32\")", Refused).source("#18865"),
        row("T.allocate_const(...)", Name("T.allocate_const", None), TIR, "memory with constant contents", "", Refused).source("#18761"),
        row("with T.LetStmt(value) as x:", Name("T.LetStmt", None), TIR, "binds a value to a name", "x: T.let = value", Refused).source("#18874"),
        row("x: T.let = value", Shown, Releases::since(Release::V0_25), "binds a value to a name", "x: T.float32 = value", Refused).source("#19581"),
        row("with T.realize(...):", Name("T.realize", None), TIR, "the region of a buffer that is realized", "", Refused).source("#18763"),
        row("T.preflattened_buffer(...)", Name("T.preflattened_buffer", None), RFC, "a buffer before it was flattened", "", Refused).source("#14115"),
        row("@T.macro", Shown, NEWER, "a macro, expanded where it is called", "", Refused).source("#15260"),
        row("@T.inline", Name("T.inline", Some("macro")), Releases::since(Release::V0_25), "a macro, expanded where it is called", "@T.macro", Refused).source("#19581"),
        row("T.e4m3_float8, \"e4m3_float8\"", Name("T.e4m3_float8", Some("float8_e4m3fn")), Releases::between(Release::Unity, Release::V0_19), "a float with 8 bits", "T.float8_e4m3fn", Refused).source("#17712"),
        row("T.e5m2_float8, \"e5m2_float8\"", Name("T.e5m2_float8", Some("float8_e5m2")), Releases::between(Release::Unity, Release::V0_19), "a float with 8 bits", "T.float8_e5m2", Refused).source("#17712"),
        row("T.float8_e4m3fn", Name("T.float8_e4m3fn", Some("e4m3_float8")), Releases::since(Release::V0_20), "a float with 8 bits", "T.e4m3_float8", Refused).source("#17712"),
        row("T.float8_e5m2", Name("T.float8_e5m2", Some("e5m2_float8")), Releases::since(Release::V0_20), "a float with 8 bits", "T.e5m2_float8", Refused).source("#17712"),
        row("T.float4_e2m1fn", Name("T.float4_e2m1fn", None), Releases::since(Release::V0_20), "a float with 4 bits", "", Refused).source("#17708"),
        row("T.float6_e2m3fn", Name("T.float6_e2m3fn", None), Releases::since(Release::V0_21), "a float with 6 bits", "", Refused).source("#18027"),
        row("T.float6_e3m2fn", Name("T.float6_e3m2fn", None), Releases::since(Release::V0_21), "a float with 6 bits", "", Refused).source("#18027"),
        row("T.float8_e3m4", Name("T.float8_e3m4", None), Releases::since(Release::V0_21), "a float with 8 bits", "", Refused).source("#18027"),
        row("T.float8_e4m3", Name("T.float8_e4m3", None), Releases::since(Release::V0_21), "a float with 8 bits", "", Refused).source("#18027"),
        row("T.float8_e4m3b11fnuz", Name("T.float8_e4m3b11fnuz", None), Releases::since(Release::V0_21), "a float with 8 bits", "", Refused).source("#18027"),
        row("T.float8_e4m3fnuz", Name("T.float8_e4m3fnuz", None), Releases::since(Release::V0_21), "a float with 8 bits", "", Refused).source("#18027"),
        row("T.float8_e5m2fnuz", Name("T.float8_e5m2fnuz", None), Releases::since(Release::V0_21), "a float with 8 bits", "", Refused).source("#18027"),
        row("T.float8_e8m0fnu", Name("T.float8_e8m0fnu", None), Releases::since(Release::V0_21), "a float with 8 bits", "", Refused).source("#18027"),
        row("x = T.bind(value)", Name("T.bind", None), TIRX, "binds a value to a name", "with T.LetStmt(value) as x:", Refused).source("#18889"),
        row("T.ret(x)", Name("T.ret", None), Releases::until(Release::V0_25), "the result of the function", "return x", Refused).source("#20018"),
        row("T.SizeVar(\"n\", \"int64\")", Name("T.SizeVar", Some("Var")), Releases::until(Release::V0_25), "a shape variable that is not negative", "T.Var(\"n\", \"int64\")", Refused).source("#19930"),
        row("T.int64(is_size_var=True)", Keyword(&["T.int64", "T.int32"], "is_size_var", None), Releases::between(Release::Unity, Release::V0_25), "a shape variable that is not negative", "T.int64()", Refused).source("#14227 #19930"),
        row("T.Buffer(..., axis_separators=)", Keyword(&["T.Buffer", "T.match_buffer", "T.alloc_buffer", "T.sblock_alloc_buffer", "T.decl_buffer"], "axis_separators", None), Releases::until(Release::V0_25), "where a buffer is split when it is flattened", "", Refused).source("#20019"),
        row("T.Buffer(..., buffer_type=)", Keyword(&["T.Buffer", "T.match_buffer", "T.alloc_buffer", "T.sblock_alloc_buffer", "T.decl_buffer"], "buffer_type", None), Releases::until(Release::V0_25), "how the buffer is broadcast", "", Refused).source("#20019"),
        row("T.index_map(..., index_dtype=)", Keyword(&["T.index_map"], "index_dtype", None), Releases::since(Release::V0_20), "the dtype of the indices", "", Refused).source("#17568"),
        row("break, continue, a if c else b, a < b < c", Shown, Releases::since(Release::V0_22), "Python statements in a PrimFunc", "", Refused).source("#17804 #18323 #18341"),
        row("for i in range(a, b, step)", Shown, Releases::since(Release::V0_23), "a loop with a step", "", Refused).source("#18421"),
    ]),
];

impl Spelling {
    /// Returns `true` unless its replacement is a name that the release lacks too.
    pub fn has_replacement(&self, release: Release) -> bool {
        let Name(name, Some(last)) = self.form else {
            return true;
        };
        let namespace = name.rsplit_once('.').map_or("", |(namespace, _)| namespace);
        let new = format!("{namespace}.{last}");
        let mut rows = spellings().filter(|row| matches!(row.form, Name(it, _) if it == new));
        rows.all(|row| row.releases.contains(release))
    }
}

/// Returns every row.
pub fn spellings() -> impl Iterator<Item = &'static Spelling> {
    SPELLINGS.iter().flat_map(|(_, rows)| rows.iter())
}
