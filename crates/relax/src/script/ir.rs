//! Names under `I`: the module and its attributes.

use super::Role::{Decorator, Module, Value};
use super::{Entry, row};
use crate::release::{Release, Releases};

const RFC: Releases = Releases::only(Release::Rfc);
const SINCE_INFO: Releases = Releases::since(Release::Unity);
const TYPE: Releases = Releases::since(Release::V0_26);

#[rustfmt::skip]
pub(super) const ENTRIES: &[Entry] = &[
    row("ir_module", "mod=None, metadata=None", Decorator, RFC, "A module of functions."),
    row("ir_module", "mod=None, check_well_formed=True", Decorator, Releases::between(Release::Unity, Release::V0_24), "A module of functions."),
    row("ir_module", "mod=None, check_well_formed=True, s_tir=False", Decorator, Releases::since(Release::V0_25),
        "A module of functions."),
    row("pyfunc", "func", Decorator, Releases::since(Release::V0_22), "A Python function that is part of the module."),

    row("module_attrs", "attrs", Module, Releases::between(Release::Unity, Release::V0_17),
        "Attributes of the module, as a dict."),
    row("module_attrs", "attrs, allow_overwrite=False", Module, Releases::since(Release::V0_18),
        "Attributes of the module, as a dict."),
    row("module_global_infos", "global_infos", Module, SINCE_INFO,
        "Global infos of the module, named by index: virtual devices, meshes."),
    row("module_get_attr", "attr_key", Module, SINCE_INFO, "An attribute of the module."),
    row("module_set_attr", "attr_key, attr_value, allow_overwrite=False", Module, SINCE_INFO,
        "Sets one attribute of the module."),
    row("vdevice", "target=None, vdevice_id=0, memory_scope=\"global\"", Value, SINCE_INFO,
        "A virtual device: its target, its number, its memory."),
    row("lookup_vdevice", "target_kind=None, device_index=-1", Value, SINCE_INFO,
        "A virtual device of the module."),
    row("dummy_global_info", "", Value, SINCE_INFO, "A global info without content."),
    row("meta_var", "value", Value, TYPE,
        "A value of Python that the parser uses directly, without binding a variable."),
];
