//! Writes constants as TVM 0.27 saves them.

use std::sync::Arc;

use serde_json::{Value as Json, json};

use super::{CONSTANT_KEYS, Constant, Entry, Metadata};

/// The nodes of a graph so far.
#[derive(Default)]
struct Nodes(Vec<Json>);

impl Nodes {
    fn add(&mut self, kind: &str, data: Json) -> usize {
        self.0.push(json!({"type": kind, "data": data}));
        self.0.len() - 1
    }
}

impl Metadata {
    /// Returns the text of TVM 0.27 for this metadata. `None` if it holds anything else than tensors of Relax, or
    /// truth values, whose dtype had another code before.
    pub fn to_newest(&self) -> Option<String> {
        let mut lists = self.entries.iter();
        let (Some((key, entries)), None) = (lists.next(), lists.next()) else {
            return None;
        };
        CONSTANT_KEYS.iter().find(|it| *it == key)?;
        let constants = entries.iter().map(|it| match it {
            Entry::Constant(it) if !it.dtype.is_bool() && it.has_elements() => Some(it),
            _ => None,
        });
        let constants: Vec<&Arc<Constant>> = constants.collect::<Option<_>>()?;
        let mut nodes = Nodes(vec![json!({"type": "None"})]);
        let name = nodes.add("ffi.String", CONSTANT_KEYS[0].into());
        let index = nodes.add("ir.PrimType", json!({"span": 0, "dtype": "int64"}));
        let constants = constants.into_iter();
        let constants: Vec<usize> = constants.map(|it| add(&mut nodes, it, index)).collect();
        let list = nodes.add("ffi.Array", json!(constants));
        let root = nodes.add("ffi.Map", json!([name, list]));
        let graph = json!({
            "root_index": root,
            "nodes": nodes.0,
            "metadata": {"tvm_version": "0.27.0"},
        });
        Some(graph.to_string())
    }
}

/// Adds a constant with its type. `index` is the type of its extents. Node 0 is none.
fn add(nodes: &mut Nodes, constant: &Constant, index: usize) -> usize {
    let extents = constant.shape.iter().map(|&extent| {
        let value = nodes.add("int", extent.into());
        nodes.add("ir.IntImm", json!({"span": 0, "ty": index, "value": value}))
    });
    let extents: Vec<usize> = extents.collect();
    let rank = extents.len();
    let values = nodes.add("ffi.Array", json!(extents));
    let ty = json!({"span": 0, "values": values, "ndim": rank});
    let ty = nodes.add("relax.ShapeType", ty);
    let shape = json!({"span": 0, "ty": ty, "values": values});
    let shape = nodes.add("relax.expr.ShapeExpr", shape);
    let dtype = json!({"span": 0, "dtype": constant.dtype.to_string()});
    let dtype = nodes.add("ir.PrimType", dtype);
    let ty = json!({"span": 0, "shape": shape, "dtype": dtype, "vdevice": 0, "ndim": rank});
    let ty = nodes.add("relax.TensorType", ty);
    let tensor = nodes.add("ffi.Tensor", constant.base64().into());
    nodes.add(
        CONSTANT_KEYS[0],
        json!({"span": 0, "ty": ty, "value": tensor}),
    )
}
