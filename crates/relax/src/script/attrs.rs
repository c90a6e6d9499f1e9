//! Attributes of functions that TVM interprets.

use crate::release::{Release, Releases};
use crate::script::FunctionKind;

/// A key of `R.func_attr` or `T.func_attr`.
#[derive(Debug)]
pub struct Attr {
    pub key: &'static str,
    /// The kind of function; `None` for both.
    pub of: Option<FunctionKind>,
    pub releases: Releases,
    /// An example value.
    pub example: &'static str,
    pub doc: &'static str,
}

const fn attr(
    key: &'static str,
    of: Option<FunctionKind>,
    releases: Releases,
    example: &'static str,
    doc: &'static str,
) -> Attr {
    Attr {
        key,
        of,
        releases,
        example,
        doc,
    }
}

/// Returns the attribute with a key, for functions of a kind.
pub fn function_attr(key: &str, of: FunctionKind, release: Release) -> Option<&'static Attr> {
    let named = |attr: &&Attr| attr.key == key && attr.of.is_none_or(|kind| kind == of);
    let mut rows = FUNCTION_ATTRS.iter().filter(named);
    let first = rows.clone().next();
    rows.find(|attr| attr.releases.contains(release)).or(first)
}

const RELAX: Option<FunctionKind> = Some(FunctionKind::Relax);
const PRIM: Option<FunctionKind> = Some(FunctionKind::PrimFunc);

const ALL: Releases = Releases::ALL;
const SINCE_INFO: Releases = Releases::since(Release::Unity);
const OLD: Releases = Releases::until(Release::V0_23);
const TYPE: Releases = Releases::since(Release::V0_24);

const NO_ALIAS: &str = "No two buffers of the function share memory.";
const IS_SCHEDULED: &str = "The function is already scheduled; schedulers do not change it.";
const IS_ENTRY: &str = "The entry function of the module.";
const IS_HOST: &str = "The function runs on the host.";

#[rustfmt::skip]
pub const FUNCTION_ATTRS: &[Attr] = &[
    attr("global_symbol", None, ALL, "\"main\"", "The name under which the function is exported."),
    attr("num_input", RELAX, SINCE_INFO, "1",
        "The number of leading parameters that are inputs; the others are weights, which can be bound in advance."),
    attr("relax.force_pure", RELAX, SINCE_INFO, "True",
        "Asserts that impure calls in the function have no effect outside of it."),
    attr("Primitive", RELAX, ALL, "True", "The function becomes one kernel."),
    attr("Composite", RELAX, SINCE_INFO, "\"cutlass.matmul\"",
        "The name of the pattern that the function matched."),
    attr("Codegen", RELAX, SINCE_INFO, "\"cutlass\"", "The code generator that compiles the function."),
    attr("PartitionedFromPattern", RELAX, SINCE_INFO, "\"nn.relu_\"",
        "The operators that were fused into the function."),
    attr("WorkspaceSize", RELAX, SINCE_INFO, "0", "The bytes of workspace that the function needs."),
    attr("tir_var_upper_bound", RELAX, SINCE_INFO, "{\"n\": 1024}",
        "The upper bounds of shape variables of the signature, by name."),
    attr("tir_non_negative_var", RELAX, SINCE_INFO, "[\"n\"]",
        "Shape variables of the signature that are not negative."),
    attr("op_pattern", PRIM, ALL, "0",
        "How the function may be fused: 0 elementwise, 1 broadcast, 2 injective, 3 reduction, 4 reduction that can fuse elementwise operators after it, 8 opaque."),
    attr("layout_free_buffers", PRIM, ALL, "[1]", "Parameters whose layout the scheduler may change."),
    attr("target", None, ALL, "T.target(\"llvm\")", "The target that the function is compiled for."),
    attr("calling_conv", None, ALL, "0",
        "The calling convention: 0 default, 1 packed in C, 2 kernel launch."),
    attr("tir.noalias", PRIM, OLD, "True", NO_ALIAS),
    attr("tirx.noalias", PRIM, TYPE, "True", NO_ALIAS),
    attr("tir.is_scheduled", PRIM, OLD, "True", IS_SCHEDULED),
    attr("tirx.is_scheduled", PRIM, TYPE, "True", IS_SCHEDULED),
    attr("tir.is_entry_func", PRIM, OLD, "True", IS_ENTRY),
    attr("tirx.is_entry_func", PRIM, TYPE, "True", IS_ENTRY),
    attr("tir.is_host_func", PRIM, OLD, "True", IS_HOST),
    attr("tirx.is_host_func", PRIM, TYPE, "True", IS_HOST),
];
