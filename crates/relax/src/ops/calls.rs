//! Calls of functions: PrimFuncs, packed functions, closures. Their results follow from an annotation or from the
//! callee, so their rules are in `infer`; this file has their parameters, purity and documentation.

use super::Default::None;
use super::memory::object;
use super::{Call, Default, Infer, Kind, OpDef, Param, Purity, opt, req, rest};
use crate::dialect::Dialect;
use crate::release::{Release, Releases};
use crate::value::Value;

const SOURCE: &str = "src/relax/op/op.cc";
const SCRIPT: &str = "python/tvm/script/ir_builder/relax/ir.py";

pub(super) const GVAR: Param = req("gvar", Kind::Function).doc("A PrimFunc of the module.");
pub(super) const ARGS: Param = req("args", Kind::Expr).doc("The inputs, as a tuple or a list.");
pub(super) const TIR_VARS: Param = opt("tir_vars", Kind::Shape, None)
    .doc("The integer arguments of the PrimFunc after the outputs.");
const OUT_SINFO: Param =
    req("out_sinfo", Kind::Annotation).doc("The Tensor of the result, or a list of them.");
const OUT_TY: Param =
    req("out_ty", Kind::Annotation).doc("The Tensor of the result, or a list of them.");
const INPLACE: Param = req("inplace_indices", Kind::Ints)
    .doc("For each result the index of the input whose memory it reuses, or -1 for new memory.");
const GRAD_NAME: Param =
    req("te_grad_name", Kind::Str).doc("The registered function that computes the gradient.");
const GRAD_KWARGS: Param = opt("te_grad_kwargs", Kind::Any, None)
    .doc("The keyword arguments of that function, as a dict.");

const EXTERN: Param = req("func", Kind::Function).doc("The global symbol of a packed function.");
const STAR: Param = rest("args", Kind::Expr).doc("The arguments.");
const SINFO_ARGS: Param =
    req("sinfo_args", Kind::Annotation).doc("The StructInfo of the result, or a list of one.");
const TY_ARGS: Param =
    req("ty_args", Kind::Annotation).doc("The type of the result, or a list of one.");
const TYPE_ARGS: Param = opt("type_args", Kind::Annotation, None).doc("The type of the result.");
const SINFO_ARGS_OPT: Param = absent(SINFO_ARGS);
const TY_ARGS_OPT: Param = absent(TY_ARGS);
const CLOSURE: Param = req("closure", Kind::Expr).doc("A closure from `make_closure`.");

const fn absent(param: Param) -> Param {
    Param {
        default: Default::None,
        ..param
    }
}

const RFC: Releases = Releases::only(Release::Rfc);
const RFC_SHAPE: Param =
    req("output_shape", Kind::Shape).doc("The shape of the result, or a tuple of shapes.");
const RFC_DTYPE: Param =
    opt("dtype", Kind::DType, None).doc("The dtype of the result, or a list of them.");

const CALL_TIR: &str =
    "Calls a PrimFunc, which writes its results into new tensors passed after the inputs.";
const CALL_TIR_SHAPES: &str = "args: inputs of the PrimFunc → its outputs";
const INPLACE_SUMMARY: &str = "Calls a PrimFunc that writes results into the memory of its inputs.";
const WITH_GRAD_SUMMARY: &str = "Calls a PrimFunc with a named gradient function.";
const DPS_SUMMARY: &str =
    "Calls a packed function, which writes its results into new tensors passed after the inputs.";
const PACKED_SUMMARY: &str = "Calls a packed function of the host, which may have side effects.";
const PURE_PACKED_SUMMARY: &str = "Calls a packed function of the host without side effects.";
const INPLACE_PACKED_SUMMARY: &str = "Calls a packed function of the host whose only side effect is to write into some of its arguments.";
const BUILTIN_SUMMARY: &str = "Calls a builtin of the vm, with the vm as its first argument.";
const INVOKE_SUMMARY: &str = "Calls a closure, which may have side effects.";
const INVOKE_PURE_SUMMARY: &str = "Calls a closure without side effects.";
const PACKED_SHAPES: &str = "args: any → as annotated, else Object";

pub static OPS: &[OpDef] = &[
    OpDef::special(
        "relax.call_tir",
        &[
            GVAR,
            ARGS,
            RFC_SHAPE,
            RFC_DTYPE,
            TIR_VARS,
        ],
    )
    .releases(RFC)
    .doc(CALL_TIR, CALL_TIR_SHAPES, "y = R.call_tir(f, (x,), (n, m), dtype=\"float32\")")
    .source(SOURCE)
    .usage(1),
    OpDef::special("relax.call_tir", &[GVAR, ARGS, OUT_SINFO, TIR_VARS, RFC_DTYPE])
        .releases(Releases::only(Release::Unity))
        .doc(
            CALL_TIR,
            CALL_TIR_SHAPES,
            "y = R.call_tir(f, (x,), R.Tensor((n, m), \"float32\"))",
        )
        .source(SOURCE)
    .usage(1),
    OpDef::special("relax.call_tir", &[GVAR, ARGS, OUT_SINFO, TIR_VARS])
        .releases(Releases::between(Release::V0_16, Release::V0_25))
        .doc(
            CALL_TIR,
            CALL_TIR_SHAPES,
            "y = R.call_tir(cls.f, (x,), out_sinfo=R.Tensor((n, m), \"float32\"))",
        )
        .source(SOURCE)
    .usage(1),
    OpDef::special("relax.call_tir", &[GVAR, ARGS, OUT_TY])
        .releases(Releases::since(Release::V0_26))
        .doc(
            CALL_TIR,
            CALL_TIR_SHAPES,
            "y = R.call_tir(cls.f, (x,), out_ty=R.Tensor((n, m), \"float32\"))",
        )
        .source(SOURCE)
    .usage(1),
    OpDef::special(
        "relax.call_tir_inplace",
        &[GVAR, ARGS, INPLACE, OUT_SINFO, TIR_VARS],
    )
    .releases(Releases::between(Release::Unity, Release::V0_25))
    .doc(
        INPLACE_SUMMARY,
        CALL_TIR_SHAPES,
        "y = R.call_tir_inplace(cls.f, (x,), [0], out_sinfo=[R.Tensor((4,), \"float32\")])",
    )
    .source(SOURCE),
    OpDef::special("relax.call_tir_inplace", &[GVAR, ARGS, INPLACE, OUT_TY])
        .releases(Releases::since(Release::V0_26))
        .doc(
            INPLACE_SUMMARY,
            CALL_TIR_SHAPES,
            "y = R.call_tir_inplace(cls.f, (x,), [0], out_ty=[R.Tensor((4,), \"float32\")])",
        )
        .source(SOURCE),
    OpDef::special(
        "relax.call_tir_with_grad",
        &[GVAR, ARGS, OUT_SINFO, GRAD_NAME, GRAD_KWARGS, TIR_VARS],
    )
    .releases(Releases::between(Release::Unity, Release::V0_25))
    .doc(
        WITH_GRAD_SUMMARY,
        CALL_TIR_SHAPES,
        "y = R.call_tir_with_grad(cls.f, (x,), R.Tensor((4,), \"float32\"), te_grad_name=\"f_grad\")",
    )
    .source(SOURCE),
    OpDef::special(
        "relax.call_tir_with_grad",
        &[GVAR, ARGS, OUT_TY, GRAD_NAME, GRAD_KWARGS],
    )
    .releases(Releases::since(Release::V0_26))
    .doc(
        WITH_GRAD_SUMMARY,
        CALL_TIR_SHAPES,
        "y = R.call_tir_with_grad(cls.f, (x,), R.Tensor((4,), \"float32\"), te_grad_name=\"f_grad\")",
    )
    .source(SOURCE),
    OpDef::special("relax.call_dps_packed", &[EXTERN, ARGS, RFC_SHAPE, RFC_DTYPE])
        .releases(RFC)
        .doc(DPS_SUMMARY, PACKED_SHAPES, "y = R.call_dps_packed(\"f\", (x,), (n, m), dtype=\"float32\")")
        .source(SOURCE)
    .usage(13),
    OpDef::special("relax.call_dps_packed", &[EXTERN, ARGS, OUT_SINFO])
        .releases(Releases::between(Release::Unity, Release::V0_25))
        .doc(
            DPS_SUMMARY,
            PACKED_SHAPES,
            "y = R.call_dps_packed(\"f\", (x,), out_sinfo=R.Tensor((4,), \"float32\"))",
        )
        .source(SOURCE)
    .usage(13),
    OpDef::special("relax.call_dps_packed", &[EXTERN, ARGS, OUT_TY])
        .releases(Releases::since(Release::V0_26))
        .doc(
            DPS_SUMMARY,
            PACKED_SHAPES,
            "y = R.call_dps_packed(\"f\", (x,), out_ty=R.Tensor((4,), \"float32\"))",
        )
        .source(SOURCE)
    .usage(13),
    OpDef::special("relax.call_packed", &[EXTERN, STAR, SINFO_ARGS_OPT])
        .releases(Releases::until(Release::V0_25))
        .purity(Purity::Impure)
        .doc(
            PACKED_SUMMARY,
            PACKED_SHAPES,
            "y = R.call_packed(\"f\", x, sinfo_args=R.Tensor((4,), \"float32\"))",
        )
        .source(SCRIPT)
    .usage(17),
    OpDef::special("relax.call_packed", &[EXTERN, STAR, TY_ARGS_OPT])
        .releases(Releases::since(Release::V0_26))
        .purity(Purity::Impure)
        .doc(
            PACKED_SUMMARY,
            PACKED_SHAPES,
            "y = R.call_packed(\"f\", x, ty_args=R.Tensor((4,), \"float32\"))",
        )
        .source(SCRIPT)
    .usage(17),
    OpDef::special("relax.call_pure_packed", &[EXTERN, STAR, SINFO_ARGS])
        .releases(Releases::between(Release::Unity, Release::V0_25))
        .doc(
            PURE_PACKED_SUMMARY,
            PACKED_SHAPES,
            "y = R.call_pure_packed(\"f\", x, sinfo_args=R.Tensor((4,), \"float32\"))",
        )
        .source(SOURCE),
    OpDef::special("relax.call_pure_packed", &[EXTERN, STAR, TY_ARGS])
        .releases(Releases::since(Release::V0_26))
        .doc(
            PURE_PACKED_SUMMARY,
            PACKED_SHAPES,
            "y = R.call_pure_packed(\"f\", x, ty_args=R.Tensor((4,), \"float32\"))",
        )
        .source(SOURCE),
    OpDef::special(
        "relax.call_inplace_packed",
        &[EXTERN, STAR, INPLACE, SINFO_ARGS],
    )
    .releases(Releases::between(Release::Unity, Release::V0_25))
    .doc(
        INPLACE_PACKED_SUMMARY,
        PACKED_SHAPES,
        "y = R.call_inplace_packed(\"f\", x, inplace_indices=0, sinfo_args=R.Tensor((4,), \"float32\"))",
    )
    .source(SOURCE),
    OpDef::special(
        "relax.call_inplace_packed",
        &[EXTERN, STAR, INPLACE, TY_ARGS],
    )
    .releases(Releases::since(Release::V0_26))
    .doc(
        INPLACE_PACKED_SUMMARY,
        PACKED_SHAPES,
        "y = R.call_inplace_packed(\"f\", x, inplace_indices=0, ty_args=R.Tensor((4,), \"float32\"))",
    )
    .source(SOURCE),
    OpDef::special(
        "relax.call_py_func",
        &[
            req("py_func_name", Kind::Str).doc("The name of a Python function of the module."),
            STAR,
            OUT_SINFO,
        ],
    )
    .releases(Releases::between(Release::V0_22, Release::V0_25))
    .doc(
        "Calls a Python function of the module.",
        PACKED_SHAPES,
        "y = R.call_py_func(\"f\", (x,), out_sinfo=R.Tensor((4,), \"float32\"))",
    )
    .source(SOURCE),
    OpDef::special(
        "relax.call_py_func",
        &[
            req("py_func_name", Kind::Str).doc("The name of a Python function of the module."),
            STAR,
            OUT_TY,
        ],
    )
    .releases(Releases::since(Release::V0_26))
    .doc(
        "Calls a Python function of the module.",
        PACKED_SHAPES,
        "y = R.call_py_func(\"f\", (x,), out_ty=R.Tensor((4,), \"float32\"))",
    )
    .source(SOURCE),
    OpDef::special("relax.call_builtin_with_ctx", &[EXTERN, ARGS, SINFO_ARGS_OPT])
        .releases(Releases::until(Release::V0_25))
        .purity(Purity::Impure)
        .doc(
            BUILTIN_SUMMARY,
            "args: any → as annotated, else ()",
            "y = R.call_builtin_with_ctx(\"vm.builtin.f\", (x,), sinfo_args=R.Object)",
        )
        .source(SOURCE),
    OpDef::special("relax.call_builtin_with_ctx", &[EXTERN, ARGS, TY_ARGS_OPT])
        .releases(Releases::since(Release::V0_26))
        .purity(Purity::Impure)
        .doc(
            BUILTIN_SUMMARY,
            "args: any → as annotated, else ()",
            "y = R.call_builtin_with_ctx(\"vm.builtin.f\", (x,), ty_args=R.Any)",
        )
        .source(SOURCE),
    OpDef::new(
        "relax.make_closure",
        &[
            req("func", Kind::Function).doc("A function of the module."),
            req("args", Kind::Expr).doc("The captured values, as a tuple."),
        ],
        make_closure,
    )
    .doc(
        "A closure over some of the arguments of a function.",
        "→ Object",
        "f = R.make_closure(cls.g, (x,))",
    )
    .source(SOURCE),
    OpDef::special("relax.invoke_closure", &[CLOSURE, ARGS, TYPE_ARGS])
        .releases(RFC)
        .purity(Purity::Impure)
        .doc(
            INVOKE_SUMMARY,
            PACKED_SHAPES,
            "y = R.invoke_closure(f, (x,), type_args=R.Tensor(ndim=1, dtype=\"float32\"))",
        )
        .source(SOURCE),
    OpDef::special(
        "relax.invoke_closure",
        &[CLOSURE, ARGS, SINFO_ARGS_OPT, TYPE_ARGS],
    )
    .releases(Releases::only(Release::Unity))
    .purity(Purity::Impure)
    .doc(
        INVOKE_SUMMARY,
        PACKED_SHAPES,
        "y = R.invoke_closure(f, (x,), sinfo_args=R.Tensor((4,), \"float32\"))",
    )
    .source(SOURCE),
    OpDef::special("relax.invoke_closure", &[CLOSURE, ARGS, SINFO_ARGS])
        .releases(Releases::between(Release::V0_16, Release::V0_25))
        .purity(Purity::Impure)
        .doc(
            INVOKE_SUMMARY,
            PACKED_SHAPES,
            "y = R.invoke_closure(f, (x,), sinfo_args=R.Tensor((4,), \"float32\"))",
        )
        .source(SOURCE),
    OpDef::special("relax.invoke_closure", &[CLOSURE, ARGS, TY_ARGS])
        .releases(Releases::since(Release::V0_26))
        .purity(Purity::Impure)
        .doc(
            INVOKE_SUMMARY,
            PACKED_SHAPES,
            "y = R.invoke_closure(f, (x,), ty_args=R.Tensor((4,), \"float32\"))",
        )
        .source(SOURCE),
    OpDef::special("relax.invoke_pure_closure", &[CLOSURE, ARGS, SINFO_ARGS])
        .releases(Releases::between(Release::Unity, Release::V0_25))
        .doc(
            INVOKE_PURE_SUMMARY,
            PACKED_SHAPES,
            "y = R.invoke_pure_closure(f, (x,), sinfo_args=R.Tensor((4,), \"float32\"))",
        )
        .source(SOURCE),
    OpDef::special("relax.invoke_pure_closure", &[CLOSURE, ARGS, TY_ARGS])
        .releases(Releases::since(Release::V0_26))
        .doc(
            INVOKE_PURE_SUMMARY,
            PACKED_SHAPES,
            "y = R.invoke_pure_closure(f, (x,), ty_args=R.Tensor((4,), \"float32\"))",
        )
        .source(SOURCE),
];

fn make_closure(c: &Call<'_>) -> Infer {
    // Since 0.26, a string names a packed function.
    if c.release.dialect() == Dialect::StructInfo && matches!(c.value(0), Value::Str(_)) {
        return Err(c.wrong_kind(0, "a function"));
    }
    object(c)
}
