//! Attributes of Relay's operators, as records of the metadata.
//!
//! All fields are strings, and an object is the index of its node, which only the row of the operator and the record
//! distinguish from a number.

use relax::relay::{AttrKind, Value};
use smol_str::SmolStr;

use super::graph::{Graph, index};

/// A field of a record.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RawAttribute {
    text: SmolStr,
    /// The value of the node with this index.
    node: Value,
}

/// The integers that are objects, by records; `""` stands for every record (`include/tvm/relay/attrs` of TVM 0.19).
const OBJECTS: &[(&str, &[&str])] = &[
    (
        "",
        &[
            "batch_axis",
            "batch_dims",
            "channels",
            "index_rank",
            "k",
            "lhs_end",
            "num_samples",
            "repeats",
            "rhs_end",
            "seq_axis",
            "units",
        ],
    ),
    ("relay.attrs.GatherAttrs", &["axis"]),
    ("relay.attrs.RepeatAttrs", &["axis"]),
    ("relay.attrs.ReverseAttrs", &["axis"]),
    ("relay.attrs.ScanopAttrs", &["axis"]),
    ("relay.attrs.ScatterElementsAttrs", &["axis"]),
    ("relay.attrs.StackAttrs", &["axis"]),
    ("relay.attrs.TakeAttrs", &["axis"]),
    ("relay.attrs.YoloReorgAttrs", &["stride"]),
];

pub(super) fn read(graph: &Graph<'_>, node: usize) -> Vec<(SmolStr, RawAttribute)> {
    let fields = graph.fields(node).filter_map(|(name, value)| {
        let node = index(value).map_or(Value::Opaque, |it| node_value(graph, it, 0));
        let text = value.as_str()?.into();
        Some((name.into(), RawAttribute { text, node }))
    });
    fields.collect()
}

/// Returns a scalar, a string or a list. Lists of lists are the deepest.
fn node_value(graph: &Graph<'_>, node: usize, depth: u32) -> Value {
    match graph.kind(node) {
        Some("") => return Value::None,
        Some("runtime.String") => {
            let text = graph.text_of(node);
            return text.map_or(Value::Opaque, |it| Value::Str(it.into()));
        }
        _ => {}
    }
    if let Some(int) = graph.int(node) {
        return Value::Int(int);
    }
    match graph.items(node) {
        Some(items) if depth < 2 => {
            let items = items.iter().map(|it| {
                let at = index(it).unwrap_or(usize::MAX);
                node_value(graph, at, depth + 1)
            });
            let items: Vec<Value> = items.collect();
            if items.contains(&Value::Opaque) {
                return Value::Opaque;
            }
            Value::List(items)
        }
        _ => Value::Opaque,
    }
}

impl RawAttribute {
    /// Returns the value of a field that has this kind in the row of the operator.
    pub fn value(&self, record: &str, name: &str, kind: AttrKind) -> Value {
        let text = self.text.as_str();
        let is_object = OBJECTS
            .iter()
            .any(|(of, names)| (of.is_empty() || *of == record) && names.contains(&name));
        let value = match kind {
            AttrKind::Int if is_object => Some(self.node.clone()),
            AttrKind::Int => text.parse().ok().map(Value::Int),
            AttrKind::Bool => text.parse().ok().map(|it: i64| Value::Bool(it != 0)),
            AttrKind::Float => text.parse().ok().map(Value::Float),
            AttrKind::Str | AttrKind::DType => match &self.node {
                Value::Str(_) | Value::None => Some(self.node.clone()),
                _ => Some(Value::Str(self.text.clone())),
            },
            AttrKind::Ints | AttrKind::Floats | AttrKind::Lists | AttrKind::Sections => {
                Some(self.node.clone())
            }
            AttrKind::Any => None,
        };
        value.filter(|it| kind.takes(it)).unwrap_or(Value::Opaque)
    }
}
