//! Names under `R` that are not operators: decorators, annotations, statements, values.

use super::Role::{Annotation, Builder, Decorator, Statement, Value};
use super::{Entry, plain, row};
use crate::release::{Release, Releases};

const ALL: Releases = Releases::ALL;
const SINCE_INFO: Releases = Releases::since(Release::Unity);
const INFO: Releases = Releases::between(Release::Unity, Release::V0_25);
const OLD: Releases = Releases::until(Release::V0_25);
const TYPE: Releases = Releases::since(Release::V0_26);
const RFC: Releases = Releases::only(Release::Rfc);

#[rustfmt::skip]
pub(super) const ENTRIES: &[Entry] = &[
    row("function", "f=None, metadata=None", Decorator, RFC, "A function of the graph."),
    row("function", "f=None, pure=True, private=False, check_well_formed=True", Decorator, SINCE_INFO,
        "A function of the graph."),
    row("macro", "*, hygienic=True", Decorator, SINCE_INFO,
        "A function whose body replaces its calls."),
    row("rewriter", "rewriter_mod", Decorator, Releases::since(Release::V0_18),
        "A rewrite rule: a module with the functions `pattern` and `replacement`."),

    row("Tensor", "shape=None, dtype=None, vdevice=None, ndim=-1", Annotation, ALL,
        "A tensor: its shape or only its rank, its dtype, its device."),
    row("Shape", "values=None, ndim=-1", Annotation, ALL,
        "A shape as a value: its dimensions, or only their number."),
    row("Prim", "dtype=None, value=None", Annotation, INFO,
        "A scalar: its dtype, or the expression that it equals."),
    row("Prim", "dtype", Annotation, TYPE, "A scalar of a dtype."),
    row("Tuple", "*fields", Annotation, ALL, "A tuple, by the StructInfo of its fields."),
    row("Callable", "params=None, ret=None, purity=None, derive_func=None", Annotation, ALL,
        "A function, by the StructInfo of its parameters and of its result."),
    row("Object", "", Annotation, OLD, "Any value."),
    plain("Any", Annotation, TYPE, "Any value."),
    plain("Dim", Annotation, RFC, "A dimension as a value."),
    plain("Void", Annotation, RFC, "Nothing, which is the empty tuple."),
    row("dist.DTensor", "shape=None, dtype=\"\", device_mesh=None, placement=\"\", ndim=-1",
        Annotation, SINCE_INFO, "A tensor distributed over a mesh of devices."),

    row("dataflow", "", Statement, ALL,
        "A block of pure bindings without control flow: `with R.dataflow():`.").usage(39),
    row("output", "*vars", Statement, ALL,
        "The variables of a dataflow block that are visible after it. It is the block's last statement."),
    row("outputs", "*vars", Statement, RFC,
        "The variables of a dataflow block that are visible after it. It is the block's last statement."),
    row("func_attr", "attrs", Statement, ALL, "Attributes of the function, as a dict."),

    row("match_cast", "value, struct_info", Value, INFO,
        "Checks at run time that a value has a StructInfo, and binds its shape variables.").usage(14),
    row("match_cast", "value, ty", Value, TYPE,
        "Checks at run time that a value has a type, and binds its shape variables.").usage(14),
    row("match_shape", "value, pattern", Value, RFC,
        "Checks at run time that a value has a shape, and binds its shape variables."),
    row("const", "value, dtype=None", Value, ALL, "A constant tensor: a number, or a NumPy array.").usage(3),
    row("shape", "value", Value, ALL, "A shape as a value, from a list of dimensions.").usage(19),
    row("prim_value", "value", Value, SINCE_INFO, "A scalar as a value: a number or a shape expression.").usage(18),
    row("str", "value", Value, SINCE_INFO, "A string as a value."),
    row("dtype", "value", Value, SINCE_INFO, "A dtype as a value."),
    row("tuple", "*fields", Value, SINCE_INFO, "A tuple of values.").usage(25),
    row("ExternFunc", "global_symbol, struct_info=None", Value, OLD,
        "A packed function of the host, by its global symbol."),
    row("ExternFunc", "global_symbol, ty=None", Value, TYPE,
        "A packed function of the host, by its global symbol."),
    row("emit_te", "func, *args, **kwargs", Value, ALL,
        "Calls a PrimFunc that the parser makes from a tensor expression."),
    row("dist.const", "value, struct_info", Value, INFO, "A constant tensor that is distributed over a mesh."),
    row("dist.const", "value, ty", Value, TYPE, "A constant tensor that is distributed over a mesh."),
    row("dist.device_mesh", "shape, device_ids", Value, SINCE_INFO, "A mesh of devices."),

    row("device", "dev_type, dev_id=0", Value, Releases::between(Release::Unity, Release::V0_21), "A device of the runtime, by type and number."),
    row("device", "device_type, index=0", Value, Releases::since(Release::V0_22), "A device of the runtime, by type and number."),
    row("cpu", "dev_id=0", Value, SINCE_INFO, "The processor, as a device of the runtime."),
    row("cuda", "dev_id=0", Value, SINCE_INFO, "A GPU by CUDA, as a device of the runtime."),
    row("gpu", "dev_id=0", Value, Releases::between(Release::Unity, Release::V0_20), "A GPU by CUDA, as a device of the runtime."),
    row("rocm", "dev_id=0", Value, SINCE_INFO, "A GPU by ROCm, as a device of the runtime."),
    row("opencl", "dev_id=0", Value, SINCE_INFO, "A device of the runtime, by OpenCL."),
    row("metal", "dev_id=0", Value, SINCE_INFO, "A GPU by Metal, as a device of the runtime."),
    row("vulkan", "dev_id=0", Value, SINCE_INFO, "A GPU by Vulkan, as a device of the runtime."),
    row("webgpu", "dev_id=0", Value, SINCE_INFO, "A GPU by WebGPU, as a device of the runtime."),
    row("vpi", "dev_id=0", Value, SINCE_INFO, "A simulated device of the runtime, by VPI."),
    row("hexagon", "dev_id=0", Value, SINCE_INFO, "A Hexagon processor, as a device of the runtime."),
    row("ext_dev", "dev_id=0", Value, SINCE_INFO, "A device of the runtime from a plug-in."),

    // `tvm.script.parser.relax` exports them without their namespace; `tvm.script.relax` does not.
    row("DTensor", "shape=None, dtype=\"\", device_mesh=None, placement=\"\", ndim=-1", Builder, SINCE_INFO,
        "A tensor distributed over a mesh of devices."),
    row("device_mesh", "shape, device_ids", Builder, SINCE_INFO, "A mesh of devices."),
    row("func_name", "name", Builder, SINCE_INFO, "Sets the name of the function."),
    row("func_ret_struct_info", "ret_sinfo", Builder, INFO, "The StructInfo of the returned value."),
    row("func_ret_ty", "ret_ty", Builder, TYPE, "The type of the returned value."),
    row("func_ret_value", "value", Builder, SINCE_INFO, "The result of the function."),
    row("emit", "value, annotate_struct_info=None", Builder, INFO, "Binds a value to a new variable."),
    row("emit", "value, annotate_ty=None", Builder, TYPE, "Binds a value to a new variable."),
];
