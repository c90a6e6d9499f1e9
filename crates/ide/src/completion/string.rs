//! Completes strings: dtypes, shape variables of a signature, keys and values of attributes.

use hir::enclosing::PyValue;
use relax::script::Namespace;
use relax::script::{FUNCTION_ATTRS, Word, words_of};
use relax::{FunctionKind, dtype};
use smol_str::SmolStr;
use syntax::SyntaxKind;

use super::Site;
use super::document::attr_key;
use super::expected::Expected;
use super::item::{Completion, CompletionKind, Items, rank};
use crate::callee::Callee;
use crate::cursor::Open;

const REDUCTIONS: &[&str] = &["sum", "max", "min"];
const MAJORS: &[&str] = &["row_major", "col_major"];
const ITER_TYPES: &[&str] = &[
    "DataPar",
    "CommReduce",
    "ThreadIndex",
    "Ordered",
    "Opaque",
    "Unrolled",
    "Vectorized",
    "Parallelized",
    "Tensorized",
];
/// The values of string parameters of operators, by the parameter's name.
const OF_OPERATORS: &[(&str, &[&str])] = &[
    (
        "data_layout",
        &["NCHW", "NHWC", "NCW", "NWC", "NCDHW", "NDHWC", "NCHW16c"],
    ),
    (
        "kernel_layout",
        &["OIHW", "HWIO", "OHWI", "OIW", "OIDHW", "IOHW"],
    ),
    (
        "out_layout",
        &["NCHW", "NHWC", "NCW", "NWC", "NCDHW", "NDHWC"],
    ),
    ("layout", &["NCHW", "NHWC", "NCW", "NWC"]),
    ("reduction", &["mean", "sum", "none"]),
    ("pad_mode", &["constant", "edge", "reflect"]),
    ("op_type", &["sum", "prod", "min", "max", "avg"]),
    ("causal_mask", &["TopLeft", "BottomRight"]),
    ("approximate", &["none", "tanh"]),
    ("indexing", &["ij", "xy"]),
];
/// The values of string parameters of script functions, for one function or for all that have the parameter.
const OF_FUNCTIONS: &[(Option<&str>, &str, &[&str])] = &[
    (
        Some("cuda.wait_until"),
        "scope",
        &["gpu", "cta", "cluster", "sys"],
    ),
    (Some("cuda.wait_until"), "space", &["global", "shared"]),
    (
        Some("nvshmem.wait_until"),
        "cmp",
        &["eq", "ne", "gt", "ge", "lt", "le"],
    ),
    (Some("tvm_load_matrix_sync"), "layout", MAJORS),
    (Some("tvm_store_matrix_sync"), "layout", MAJORS),
    (
        Some("tvm_stack_alloca"),
        "dtype_str",
        &["shape", "array", "arg_value", "arg_tcode"],
    ),
    (Some("cuda.warp_reduce"), "op", REDUCTIONS),
    (Some("cuda.cta_reduce"), "op", REDUCTIONS),
    (Some("device"), "dev_type", DEVICES),
    (Some("device"), "device_type", DEVICES),
    (Some("access_ptr"), "access_mask", &["r", "w", "rw"]),
    (None, "memory_scope", &["global"]),
    (None, "iter_type", ITER_TYPES),
    (None, "sig_op", &["set", "add"]),
    (None, "layout", &["default"]),
    (
        None,
        "error_kind",
        &["RuntimeError", "ValueError", "TypeError", "IndexError"],
    ),
    (None, "target", TARGETS),
    (None, "target_config", TARGETS),
    (None, "target_kind", TARGETS),
];
const TARGETS: &[&str] = &[
    "llvm", "cuda", "metal", "vulkan", "opencl", "rocm", "webgpu", "hexagon", "c",
];
const DEVICES: &[&str] = &[
    "cpu", "cuda", "metal", "vulkan", "opencl", "rocm", "webgpu", "hexagon",
];

impl Site<'_, '_> {
    pub(super) fn strings(self, items: &mut Items) {
        if self.is_attr_key() {
            return self.attr_keys(items);
        }
        if self.attr_value(items) || self.prim_strings(items) {
            return;
        }
        let Some((open, _)) = self.cursor.call() else {
            return;
        };
        match self.expected() {
            Expected::DType => {
                Self::dtype_names(items);
                if self.scope.kind() == Some(FunctionKind::PrimFunc) {
                    Self::vector_names(items);
                }
            }
            Expected::Dim => self.dim_names(items),
            _ => {}
        }
        // In `R.Tensor("float32")`, a string as the only argument is the dtype.
        if let Some(Callee::Entry(_, entry)) = self.scope.callee(open)
            && entry.name == "Tensor"
            && self.cursor.open.first().is_some_and(Open::is_call)
            && open.position() == 0
        {
            Self::dtype_names(items);
        }
        for (order, (value, doc)) in self.values(open).into_iter().enumerate() {
            let item = Completion::new(value, CompletionKind::Constant).detail_of(doc);
            items.push(item.rank(rank::FITS).order(order));
        }
    }

    /// Offers the same strings with quotes where no string is begun.
    pub(super) fn quoted_values(self, items: &mut Items) {
        let Some((open, false)) = self.cursor.call() else {
            return;
        };
        for (order, (value, doc)) in self.values(open).into_iter().enumerate() {
            let quoted = format!("\"{value}\"");
            let item = Completion::new(quoted, CompletionKind::Constant).detail_of(doc);
            items.push(item.rank(rank::FITS).order(order));
        }
    }

    /// Returns the strings that the parameter at the cursor takes, with descriptions.
    fn values(self, open: &Open) -> Vec<Word> {
        let plain = |values: &[&'static str]| values.iter().map(|&value| (value, "")).collect();
        match self.scope.callee(open) {
            Some(Callee::Op(op)) => {
                let param = crate::callee::param_of(op.params, open).map(|at| op.params[at].name);
                let row = OF_OPERATORS.iter().find(|(name, _)| Some(*name) == param);
                row.map_or_else(Vec::new, |(_, values)| plain(values))
            }
            Some(Callee::Entry(_, entry)) => {
                let Some(param) = crate::callee::param_at(entry, open) else {
                    return Vec::new();
                };
                let row = OF_FUNCTIONS.iter().find(|(function, name, _)| {
                    *name == param.name && function.is_none_or(|it| it == entry.name)
                });
                match row {
                    Some((_, _, values)) => plain(values),
                    None => words_of(param.name).to_vec(),
                }
            }
            _ => Vec::new(),
        }
    }

    fn dtype_names(items: &mut Items) {
        for (order, &name) in dtype::NAMES.iter().enumerate() {
            if !items.contains(name) {
                items.push(
                    Completion::new(name, CompletionKind::DType)
                        .rank(rank::FITS)
                        .order(order),
                );
            }
        }
    }

    /// Offers the shape variables of this function and of the functions around it.
    fn dim_names(self, items: &mut Items) {
        let own = self
            .scope
            .facts()
            .into_iter()
            .flat_map(|facts| facts.syms());
        let own = own.map(|(_, sym)| sym.var.name.clone());
        let python = self.scope.python_names().into_iter();
        let python = python.filter_map(|(_, value)| match value {
            PyValue::ShapeVar(name, _) => Some(name.clone()),
            _ => None,
        });
        let at = self.cursor.string;
        let typed = at.and_then(|at| self.scope.text.get(std::ops::Range::<usize>::from(at)));
        let names: Vec<SmolStr> = own.chain(python).collect();
        for (order, name) in names.iter().enumerate() {
            // The name that is being typed counts as one of the function's own names.
            let begun =
                Some(name.as_str()) == typed && names.iter().filter(|it| *it == name).count() == 1;
            if !(items.contains(name) || begun && self.is_only_mention(name)) {
                items.push(
                    Completion::new(name.clone(), CompletionKind::ShapeVar)
                        .detail("shape variable")
                        .rank(rank::FITS)
                        .order(order),
                );
            }
        }
    }

    fn is_only_mention(self, name: &str) -> bool {
        let facts = self.scope.facts();
        let sym = facts.and_then(|facts| {
            let mut syms = facts.syms().map(|(_, sym)| sym);
            syms.find(|sym| sym.var.name == name)
        });
        sym.is_none_or(|sym| sym.mentions.len() <= 1)
    }

    /// Returns `true` in a key of `R.func_attr({"|": 1})`.
    fn is_attr_key(self) -> bool {
        let [dict, call, ..] = self.cursor.open.as_slice() else {
            return false;
        };
        let last = call.callee.names.last().map(SmolStr::as_str);
        dict.bracket == SyntaxKind::L_BRACE && !dict.current().colon && last == Some("func_attr")
    }

    /// Completes the value of an attribute: the function's name for `{"global_symbol": "|"}`, otherwise an example
    /// value.
    fn attr_value(self, items: &mut Items) -> bool {
        let [dict, call, ..] = self.cursor.open.as_slice() else {
            return false;
        };
        let of_attrs = call.callee.names.last().is_some_and(|it| it == "func_attr");
        let string = self
            .cursor
            .string
            .map_or(0, |range| usize::from(range.start()));
        let before = self.scope.text.get(..string).unwrap_or_default();
        let before = before.trim_end_matches(['"', '\'']).trim_end();
        let key = before
            .strip_suffix(':')
            .map(|it| it.trim_end().trim_end_matches(['"', '\'']));
        let (true, true, Some(key)) = (of_attrs, dict.current().colon, key) else {
            return false;
        };
        let key = key.rsplit(['"', '\'']).next().unwrap_or_default();
        let Some((function, kind)) = self.scope.function.zip(self.scope.kind()) else {
            return true;
        };
        let value = if key == "global_symbol" {
            function.name(self.scope.db)
        } else {
            let attr = relax::script::function_attr(key, kind, self.scope.release());
            let example = attr.and_then(|attr| attr.example.strip_prefix('"')?.strip_suffix('"'));
            SmolStr::from(example.unwrap_or_default())
        };
        if !value.is_empty() {
            items.push(Completion::new(value, CompletionKind::Constant).rank(rank::FITS));
        }
        true
    }

    fn attr_keys(self, items: &mut Items) {
        let (release, scope) = (self.scope.release(), self.scope);
        let Some(kind) = scope.kind() else { return };
        let kind = if self.calls_under(Namespace::Tir) {
            FunctionKind::PrimFunc
        } else {
            kind
        };
        let rows = FUNCTION_ATTRS
            .iter()
            .filter(|attr| attr.releases.contains(release) && attr.of.is_none_or(|of| of == kind));
        for (order, attr) in rows.enumerate() {
            items.push(
                Completion::new(attr.key, CompletionKind::Constant)
                    .detail(attr.doc)
                    .rank(rank::FITS)
                    .order(order)
                    .doc(attr_key(kind, attr.key, release)),
            );
        }
    }

    fn calls_under(self, namespace: Namespace) -> bool {
        let call = self.cursor.open.iter().find(|open| open.is_call());
        let path = call.and_then(|open| self.scope.script(&open.callee.names));
        path.is_some_and(|path| path.namespace == namespace)
    }
}
