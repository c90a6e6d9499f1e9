//! TVM's graphs of nodes in JSON, as releases before 0.22 write them and as those since do.
//!
//! Before: `{"root": 1, "nodes": [{"type_key": "IntImm", "attrs": {"value": "2"}}], "b64ndarrays": ["..."]}`.
//! Since: `{"root_index": 1, "nodes": [{"type": "ir.IntImm", "data": {"value": 2}}]}`.

use serde_json::Value as Json;
use smol_str::SmolStr;

pub(super) struct Graph<'a> {
    root: usize,
    nodes: &'a [Json],
    /// The tensors in base64, which newer releases keep in nodes of their own.
    tensors: &'a [Json],
}

impl Graph<'_> {
    /// Calls `read` with the graph of a text. Returns `None` if it is not one.
    pub fn with<T>(text: &str, read: impl FnOnce(&Graph<'_>) -> Option<T>) -> Option<T> {
        let json = serde_json::from_str::<Json>(text).ok()?;
        let root = json.get("root").or_else(|| json.get("root_index"))?;
        let tensors = json.get("b64ndarrays").and_then(Json::as_array);
        read(&Graph {
            root: index(root)?,
            nodes: json.get("nodes")?.as_array()?,
            tensors: tensors.map_or(&[][..], Vec::as_slice),
        })
    }

    /// Returns the nodes of each list of the root, which is a map from names to lists. A node that is missing has an
    /// index out of range.
    pub fn lists(&self) -> Option<Vec<(SmolStr, Vec<usize>)>> {
        let root = self.nodes.get(self.root)?;
        let data = root.get("data")?.as_array()?;
        let pairs: Vec<(&str, &Json)> = match root.get("keys") {
            Some(keys) => {
                let keys = keys.as_array()?.iter().map(Json::as_str);
                let keys = keys.collect::<Option<Vec<&str>>>()?;
                keys.into_iter().zip(data).collect()
            }
            None if self.kind(self.root)?.ends_with("Map") => {
                let pairs = data.chunks_exact(2);
                let pairs = pairs.map(|it| Some((self.text(&it[0])?, &it[1])));
                pairs.collect::<Option<_>>()?
            }
            None => return None,
        };
        let lists = pairs.into_iter().map(|(key, list)| {
            let items = self.items(index(list)?)?;
            let at = |it: &Json| index(it).unwrap_or(usize::MAX);
            Some((key.into(), items.iter().map(at).collect()))
        });
        lists.collect()
    }

    pub fn kind(&self, node: usize) -> Option<&str> {
        let node = self.nodes.get(node)?;
        node.get("type_key").or_else(|| node.get("type"))?.as_str()
    }

    /// Returns the fields of an object by their names.
    pub fn fields(&self, node: usize) -> impl Iterator<Item = (&str, &Json)> {
        let node = self.nodes.get(node);
        let fields = node.and_then(|it| it.get("attrs").or_else(|| it.get("data")));
        let fields = fields.and_then(Json::as_object).into_iter().flatten();
        fields.map(|(name, value)| (name.as_str(), value))
    }

    pub fn field(&self, node: usize, name: &str) -> Option<&Json> {
        self.fields(node)
            .find(|it| it.0 == name)
            .map(|(_, value)| value)
    }

    /// Returns the elements of a list, which are indices of nodes.
    pub fn items(&self, node: usize) -> Option<&[Json]> {
        let items = self.nodes.get(node)?.get("data")?.as_array()?;
        self.kind(node)?.ends_with("Array").then_some(items)
    }

    /// Returns the tensor of a constant in base64.
    pub fn tensor(&self, constant: usize) -> Option<&str> {
        let tensor = self.field(constant, "data");
        let at = index(tensor.or_else(|| self.field(constant, "value"))?)?;
        if !self.tensors.is_empty() {
            return self.tensors.get(at)?.as_str();
        }
        let is_tensor = |it: &&str| it.ends_with(".Tensor") || it.ends_with(".NDArray");
        self.kind(at).filter(is_tensor)?;
        self.nodes.get(at)?.get("data")?.as_str()
    }

    /// Returns a string, which may be a node of its own.
    pub fn text<'a>(&'a self, value: &'a Json) -> Option<&'a str> {
        let node = index(value).and_then(|it| self.text_of(it));
        node.or_else(|| value.as_str())
    }

    /// Returns the string of a node.
    pub fn text_of(&self, node: usize) -> Option<&str> {
        let node = self.nodes.get(node)?;
        node.get("repr_str").or_else(|| node.get("data"))?.as_str()
    }

    /// Returns the integer of a node.
    pub fn int(&self, node: usize) -> Option<i64> {
        match self.kind(node)? {
            "int" => return self.nodes[node].get("data")?.as_i64(),
            "runtime.BoxInt" => return self.nodes[node].get("repr_str")?.as_str()?.parse().ok(),
            "IntImm" | "ir.IntImm" => {}
            _ => return None,
        }
        match self.field(node, "value")? {
            Json::String(text) => text.parse().ok(),
            value => {
                let value = value.as_i64()?;
                let at = usize::try_from(value).ok();
                let of_node = at.filter(|it| self.kind(*it) == Some("int"));
                of_node.map_or(Some(value), |it| self.int(it))
            }
        }
    }
}

/// Returns the index of a node, which TVM writes as a number or as a string.
pub(super) fn index(value: &Json) -> Option<usize> {
    match value {
        Json::String(text) => text.parse().ok(),
        value => usize::try_from(value.as_u64()?).ok(),
    }
}
