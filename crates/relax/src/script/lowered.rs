//! Names under `T` that lowering generates: expression nodes by class, calls of the host's runtime, and others.

use super::Role::{Builder, Intrinsic, Statement, Value};
use super::{Also, Entry, row};
use crate::release::{Release, Releases};

const ALL: Releases = Releases::ALL;
const OLD: Releases = Releases::until(Release::V0_24);
const TYPE: Releases = Releases::since(Release::V0_25);

const RAMP: &str = "A vector of values at equal distances.";
const BROADCAST: &str = "A vector of one value.";
const LET: &str = "Substitutes variables in an expression.";
const BIND: &str = "Binds a value to a new variable for the statements after it.";
const BUFFER: &str = "A buffer as a value, to be declared elsewhere.";
const POINTER: &str = "A pointer to elements of a dtype.";

/// Returns the row of an operator's node that Python writes as a sign.
const fn node(name: &'static str, doc: &'static str) -> Entry {
    row(name, "a, b", Intrinsic, ALL, doc)
}

/// Returns the row of a call to which older scripts also pass `dtype=`, which is ignored.
const fn call(
    name: &'static str,
    params: &'static str,
    releases: Releases,
    doc: &'static str,
) -> Entry {
    row(name, params, Intrinsic, releases, doc).also(Also::Dtype)
}

#[rustfmt::skip]
pub(super) const ENTRIES: &[Entry] = &[
    node("Add", "`a + b`"),
    node("Sub", "`a - b`"),
    node("Mul", "`a * b`"),
    node("Div", "`a / b`; of whole numbers rounded towards zero."),
    node("Mod", "The remainder of `Div`."),
    node("FloorDiv", "`a // b`"),
    node("FloorMod", "`a % b`"),
    node("Min", "The smaller of two."),
    node("Max", "The larger of two."),
    node("EQ", "`a == b`"),
    node("NE", "`a != b`"),
    node("LT", "`a < b`"),
    node("LE", "`a <= b`"),
    node("GT", "`a > b`"),
    node("GE", "`a >= b`"),
    row("BitwiseAnd", "a, b", Intrinsic, TYPE, "`a & b`"),
    row("BitwiseOr", "a, b", Intrinsic, TYPE, "`a | b`"),
    row("BitwiseXor", "a, b", Intrinsic, TYPE, "`a ^ b`"),
    row("BitwiseNot", "a", Intrinsic, TYPE, "`~a`"),
    row("LShift", "a, b", Intrinsic, TYPE, "`a << b`"),
    row("RShift", "a, b", Intrinsic, TYPE, "`a >> b`"),
    row("IntImm", "dtype, value", Intrinsic, ALL, "A whole number of a dtype."),
    row("FloatImm", "dtype, value", Intrinsic, ALL, "A number with a fraction, of a dtype."),
    row("StringImm", "value", Intrinsic, Releases::until(Release::V0_26), "A string."),
    row("BufferLoad", "buffer, indices, predicate=None", Intrinsic, OLD, "An element of a buffer, or a vector of them."),
    row("BufferLoad", "buffer, indices", Intrinsic, TYPE, "An element of a buffer, or a vector of them."),
    row("ProducerLoad", "producer, indices", Intrinsic, Releases::until(Release::V0_26), "An element of a tensor expression's result."),
    row("Call", "dtype, op, args", Intrinsic, OLD, "A call of an operator or of a function."),
    row("Call", "op, args, attrs=None, ty_args=None, ret_ty=None", Intrinsic, TYPE, "A call of an operator or of a function."),
    row("Let", "expr, where", Intrinsic, ALL, LET),
    row("let", "v, value, body=None", Intrinsic, OLD, BIND),
    row("LetStmt", "value, type_annotation=None, *, var=None", Statement, Releases::until(Release::V0_23), BIND),
    row("Bind", "value, type_annotation=None, *, var=None", Value, TYPE, BIND),
    row("bind", "value, type_annotation=None, *, var=None", Value, Releases::since(Release::V0_24), BIND),
    row("Reduce", "combiner, src, rdom, condition, value_index, init=None", Intrinsic, ALL, "A reduction of expressions over axes."),
    row("CommReducer", "lhs, rhs, result, identity_element", Intrinsic, ALL, "A reduction: the variables of its step, its results and its initial values."),
    row("IterVar", "dom, var, iter_type, thread_tag=\"\"", Intrinsic, ALL, "A variable with the domain it runs over and its kind."),
    row("iter_var", "v, dom, iter_type, thread_tag", Intrinsic, ALL, "A variable with the domain it runs over and its kind."),
    row("Range", "begin, end", Intrinsic, ALL, "A domain, from its first value to the one behind its last."),
    row("Tuple", "*fields", Intrinsic, TYPE, "The type of several values."),
    row("ramp", "base, stride, lanes", Value, ALL, RAMP),
    row("broadcast", "value, lanes", Value, ALL, BROADCAST),
    row("If", "condition", Statement, ALL, "The frame of an `if`, in which `T.Then` and `T.Else` stand."),
    row("Then", "", Statement, ALL, "The branch of `T.If` for a condition that holds."),
    row("Else", "", Statement, ALL, "The branch of `T.If` for a condition that does not hold."),
    row("While", "condition", Statement, ALL, "The frame of a `while`."),
    row("Break", "", Intrinsic, TYPE, "Leaves the innermost loop: `break`."),
    row("Continue", "", Intrinsic, TYPE, "Goes on with the next iteration of the innermost loop: `continue`."),
    call("break_loop", "", Releases::since(Release::V0_22), "Leaves the innermost loop."),
    call("continue_loop", "", Releases::since(Release::V0_22), "Goes on with the next iteration of the innermost loop."),
    call("thread_return", "", Releases::since(Release::V0_22), "Ends this thread of the device."),

    row("buffer", "shape, dtype=\"float32\", data=None, strides=None, elem_offset=None, scope=\"global\", align=0, offset_factor=0, buffer_type=\"\", axis_separators=None",
        Intrinsic, OLD, BUFFER),
    row("buffer", "shape, dtype=\"float32\", data=None, strides=None, elem_offset=None, byte_offset=None, scope=\"global\", align=0, offset_factor=0, buffer_type=\"\", axis_separators=None, layout=\"default\", allocated_addr=None, buffer_name=\"\"",
        Intrinsic, Releases::only(Release::V0_25), BUFFER),
    row("buffer", "shape, dtype=\"float32\", data=None, strides=None, elem_offset=None, byte_offset=None, scope=\"global\", align=0, offset_factor=0, layout=\"default\", allocated_addr=None, buffer_name=\"\"",
        Intrinsic, Releases::since(Release::V0_26), BUFFER),
    row("buffer_decl", "*args, **kwargs", Intrinsic, ALL, BUFFER),
    row("buffer_var", "dtype, storage_scope=\"global\"", Intrinsic, ALL, POINTER),
    row("ptr", "dtype, storage_scope=\"global\", is_size_var=False", Intrinsic, Releases::until(Release::V0_25), POINTER),
    row("ptr", "dtype, storage_scope=\"global\"", Intrinsic, Releases::since(Release::V0_26), POINTER),
    row("type_annotation", "dtype", Intrinsic, ALL, "The type of values of a dtype."),
    row("void", "expr=None, is_size_var=False", Intrinsic, Releases::until(Release::V0_25), "No value: the dtype of an expression that only has an effect."),
    row("void", "expr=None", Intrinsic, Releases::since(Release::V0_26), "No value: the dtype of an expression that only has an effect."),
    row("hint", "message=\"\", **attrs", Statement, TYPE, "A hint about the statements after it."),
    row("static_assert", "x, message=\"\"", Statement, TYPE, "Stops the parser unless the condition is true."),
    call("lookup_param", "param_name", ALL, "A constant tensor that was linked with the module, by name."),
    call("ignore_loop_partition", "predicate", Releases::since(Release::V0_20), "The condition; loops are not split for it."),
    call("filter", "var, pred", TYPE, "A condition on the threads that go on, where its form is not a plain one."),
    call("selector", "var, pred", TYPE, "The value of a thread index among the threads for which a condition holds."),
    call("print_buffer", "buffer_var, dtype, is_string, is_scalar, dim_num, *shape", TYPE, "Prints the memory of a buffer while it runs."),

    call("call_cpacked", "*args", ALL, "Calls a packed function by the interface of C; its name comes first."),
    call("call_packed_lowered", "*args", ALL, "A packed call with the place of its arguments on the stack."),
    call("call_cpacked_lowered", "*args", ALL, "A packed call by the interface of C, with the place of its arguments on the stack."),
    call("tvm_call_packed", "*args", ALL, "Calls a packed function of the host; its name comes first."),
    call("tvm_call_cpacked", "*args", ALL, "Calls a packed function by the interface of C; its name comes first."),
    call("tvm_call_packed_lowered", "*args", ALL, "A packed call with the place of its arguments on the stack."),
    call("tvm_call_cpacked_lowered", "*args", ALL, "A packed call by the interface of C, with the place of its arguments on the stack."),
    row("call_llvm_pure_intrin", "dtype, name, *args", Value, ALL, "Calls an intrinsic of LLVM without effects by its name.").also(Also::DtypeByName),
    row("llvm_lookup_intrinsic_id", "name", Intrinsic, ALL, "The number of an intrinsic of LLVM."),
    row("call_kernel", "kernel, launch_args, *args, **kwargs", Value, Releases::since(Release::V0_18), "Calls a kernel from elsewhere: CUDA source, a compiled module, a Triton function."),
    call("call_ffi_kernel", "*args, launch_params, ret_ty=\"int32\"", TYPE, "Launches a kernel by its symbol: its operands, then the launch parameters."),
    call("tensormap_encode_tiled", "*args, descriptor_dtype, rank, interleave=0, swizzle=0, l2_promotion=0, oob_fill=0, force_cu_dtype=-1",
        TYPE, "Fills a tensor map from pointers, dimensions, strides and the box to copy."),
    call("tvm_stack_alloca", "dtype_str, num", ALL, "Memory on the stack: `\"shape\"`, `\"array\"`, `\"arg_value\"`, `\"arg_tcode\"`."),
    call("tvm_stack_make_shape", "*args", ALL, "A shape on the stack."),
    call("tvm_stack_make_array", "data, shape, strides, ndim, arr_dtype, elem_offset", ALL, "A tensor of the runtime on the stack."),
    row("tvm_struct_get", "arr, index, field, dtype", Intrinsic, ALL, "A field of a struct of the runtime, by number."),
    call("tvm_struct_set", "arr, index, field, value", ALL, "Sets a field of a struct of the runtime, by number."),
    call("tvm_tuple", "*value", ALL, "Several values as one, in attributes."),
    call("tvm_check_return", "expected, return_unexpected, nested_call", Releases::until(Release::V0_20), "A call whose result is returned unless it is the expected one."),
    call("tvm_throw_last_error", "", ALL, "Raises the last error of the runtime."),
    call("tvm_access_ptr", "ptype, data, offset, extent, rw_mask", ALL, "A pointer into a buffer; the mask says 1 read, 2 write, 3 both."),
    call("ptr_byte_offset", "data, byte_offset, dtype", TYPE, "A pointer to a dtype, some bytes after another."),
    call("handle_add_byte_offset", "handle, offset", Releases::since(Release::V0_21), "A pointer, some bytes after another."),
    call("tvm_thread_invariant", "cond", ALL, "The condition, which is the same for all threads of a block."),
    call("tvm_thread_allreduce", "*freduce_args", ALL, "Reduces values over threads; all of them get the result."),
    row("tvm_global_barrier_kinit", "", Intrinsic, TYPE, "Prepares the barrier of all blocks."),
    call("tvm_kernel_replace_point", "", TYPE, "A point where a pass may begin a kernel."),
    call("TVMBackendAllocWorkspace", "device_type, device_id, nbytes, dtype_code_hint, dtype_bits_hint", ALL, "Temporary memory of a device."),
    call("TVMBackendFreeWorkspace", "device_type, device_id, ptr", ALL, "Frees a workspace of `TVMBackendAllocWorkspace`."),
    call("start_profile_intrinsic", "id", ALL, "The begin of a measurement."),
    call("end_profile_intrinsic", "id", ALL, "The end of a measurement."),
    call("anylist_getitem", "list_handle, index", ALL, "A register of the virtual machine."),
    call("anylist_resetitem", "list_handle, index", ALL, "Empties a register of the virtual machine."),
    call("anylist_setitem_call_packed", "list_handle, index, func_name, *args", ALL, "Calls a packed function and keeps its result in a register of the virtual machine."),
    call("anylist_setitem_call_cpacked", "list_handle, index, func_name, *args", ALL, "The same by the interface of C."),
    call("q_multiply_shift_per_axis", "x, y, ls, rs, q, is_lshift_required, is_rshift_required", ALL, "The product of fixed-point numbers with shifts of their own, rounded."),
    row("vectorlow", "dtype, vec", Intrinsic, ALL, "The lower half of a vector.").also(Also::DtypeByName),
    row("vectorhigh", "dtype, vec", Intrinsic, ALL, "The upper half of a vector.").also(Also::DtypeByName),
    row("vectorcombine", "dtype, vec1, vec2", Intrinsic, ALL, "Two vectors one after the other.").also(Also::DtypeByName),
    row("get_active_lane_mask", "dtype, base, limit", Intrinsic, Releases::since(Release::V0_17), "Which lanes of a vector, counted from `base`, are below `limit`.").also(Also::DtypeByName),
    row("masked_load", "dtype, buffer, *indices_and_mask", Intrinsic, TYPE, "The lanes of a vector for which a mask holds; the mask comes last.").also(Also::DtypeByName),
    call("masked_store", "buffer, value, *indices_and_mask", TYPE, "Stores the lanes of a vector for which a mask holds; the mask comes last."),
    row("dp4a", "vec1, vec2, acc=0", Intrinsic, Releases::since(Release::V0_17), "The dot product of two vectors of four bytes, added to a number."),

    row("arg", "name, obj", Builder, ALL, "Adds a parameter to the function that is built."),
    row("add_to_parent", "stmt", Builder, TYPE, "Adds a statement to the function that is built."),
    row("block_name_suffix_context", "block_suffix", Builder, Releases::since(Release::V0_23), "Appends to the names of the blocks that a macro brings."),
];
