//! Inside strings: dtypes, shape variables of a signature, keys of attributes.

use hir::enclosing::{Namespace, PyValue};
use hir::script::FUNCTION_ATTRS;
use hir::{FunctionKind, dtype};
use smol_str::SmolStr;
use syntax::SyntaxKind;

use super::Site;
use super::document::attr_key;
use super::item::{Completion, CompletionKind, Items, rank};
use super::wanted::Wanted;
use crate::callee::Callee;
use crate::cursor::Open;

/// Memory of buffers.
const SCOPES: &[&str] = &["global", "shared", "shared.dyn", "local", "warp"];
/// What loops can be bound to.
const THREADS: &[&str] = &[
    "blockIdx.x",
    "blockIdx.y",
    "blockIdx.z",
    "threadIdx.x",
    "threadIdx.y",
    "threadIdx.z",
    "vthread",
];
/// Values of parameters that are strings, by the parameter's name.
const VALUES: &[(&str, &[&str])] = &[
    ("scope", SCOPES),
    ("storage_scope", SCOPES),
    ("thread", THREADS),
    ("thread_tag", THREADS),
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

impl Site<'_, '_> {
    pub(super) fn strings(self, items: &mut Items) {
        if self.is_attr_key() {
            return self.attr_keys(items);
        }
        let Some((open, _)) = self.cursor.call() else {
            return;
        };
        match self.wanted() {
            Wanted::DType => Self::dtype_names(items),
            Wanted::Dim => self.dim_names(items),
            _ => {}
        }
        // `R.Tensor("float32")`: a string alone is the dtype.
        if let Some(Callee::Entry(_, entry)) = self.here.callee(open)
            && entry.name == "Tensor"
            && self.cursor.open.first().is_some_and(Open::is_call)
            && open.position() == 0
        {
            Self::dtype_names(items);
        }
        for (order, value) in self.values(open).iter().enumerate() {
            let item = Completion::new(*value, CompletionKind::Constant);
            items.push(item.rank(rank::FITS).order(order));
        }
    }

    /// The same strings with their quotes, where none is begun.
    pub(super) fn quoted_values(self, items: &mut Items) {
        let Some((open, false)) = self.cursor.call() else {
            return;
        };
        for (order, value) in self.values(open).iter().enumerate() {
            let item = Completion::new(format!("\"{value}\""), CompletionKind::Constant);
            items.push(item.rank(rank::FITS).order(order));
        }
    }

    /// The strings that the parameter at the cursor takes.
    fn values(self, open: &Open) -> &'static [&'static str] {
        let param = match self.here.callee(open) {
            Some(Callee::Op(op)) => crate::callee::op_param(op, open).map(|at| op.params[at].name),
            Some(Callee::Entry(_, entry)) => {
                crate::callee::entry_param(entry, open).map(|at| entry.params()[at].name)
            }
            _ => None,
        };
        let values = VALUES.iter().find(|(name, _)| Some(*name) == param);
        values.map_or(&[], |(_, values)| values)
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

    /// The shape variables of this function, and those the functions around it name.
    fn dim_names(self, items: &mut Items) {
        let own = self.here.facts().into_iter().flat_map(hir::Facts::syms);
        let own = own.map(|(_, sym)| sym.var.name.clone());
        let python = self.here.python_names().into_iter();
        let python = python.filter_map(|(_, value)| match value {
            PyValue::ShapeVar(name) => Some(name.clone()),
            _ => None,
        });
        let at = self.cursor.string;
        let typed = at.and_then(|at| self.here.text.get(std::ops::Range::<usize>::from(at)));
        let names: Vec<SmolStr> = own.chain(python).collect();
        for (order, name) in names.iter().enumerate() {
            // The one that is being typed is among the function's own.
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
        let facts = self.here.facts();
        let sym = facts.and_then(|facts| {
            let mut syms = facts.syms().map(|(_, sym)| sym);
            syms.find(|sym| sym.var.name == name)
        });
        sym.is_none_or(|sym| sym.mentions.len() <= 1)
    }

    /// `R.func_attr({"|": 1})`
    fn is_attr_key(self) -> bool {
        let [dict, call, ..] = self.cursor.open.as_slice() else {
            return false;
        };
        let last = call.callee.names.last().map(SmolStr::as_str);
        dict.bracket == SyntaxKind::L_BRACE && !dict.current().colon && last == Some("func_attr")
    }

    fn attr_keys(self, items: &mut Items) {
        let (dialect, here) = (self.here.dialect, self.here);
        let Some(kind) = here.kind() else { return };
        let kind = if self.calls_under(Namespace::Tir) {
            FunctionKind::PrimFunc
        } else {
            kind
        };
        let rows = FUNCTION_ATTRS
            .iter()
            .filter(|attr| attr.dialects.contains(dialect) && attr.of.is_none_or(|of| of == kind));
        for (order, attr) in rows.enumerate() {
            items.push(
                Completion::new(attr.key, CompletionKind::Constant)
                    .detail(attr.doc)
                    .rank(rank::FITS)
                    .order(order)
                    .doc(attr_key(kind, attr.key, dialect)),
            );
        }
    }

    fn calls_under(self, namespace: Namespace) -> bool {
        let call = self.cursor.open.iter().find(|open| open.is_call());
        let path = call.and_then(|open| self.here.script(&open.callee.names));
        path.is_some_and(|path| path.namespace == namespace)
    }
}
